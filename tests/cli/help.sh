#!/bin/sh
# --help and --version: on standard output, exit code 0, for the command and for each subcommand.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

gives 0 --version
prints '^meshwork [0-9]+\.[0-9]+\.[0-9]+'
silent
gives 0 -V
prints '^meshwork [0-9]'
gives 0 --help
prints '^Usage: meshwork SUBCOMMAND'
prints 'Exit codes'
silent
cp "$scratch/out" "$scratch/help"

for subcommand in devices doctor models run sweep walk transform label graph rng compare advise bench report repeat \
                  speed tune cache; do
    grep -q "^  $subcommand " "$scratch/help" || fail "--help does not list $subcommand"
    gives 0 $subcommand --help
    prints "^Usage: meshwork $subcommand "
    prints '-h, --help'
    silent
    [ "$(awk '{ if (length($0) > 100) n++ } END { print n + 0 }' "$scratch/out")" -eq 0 ] || fail "help wider than 100"
    gives 0 $subcommand -h
    gives 0 $subcommand --version
    prints '^meshwork [0-9]'
    silent
done

# `help` has the effect of --help, for the command and for each subcommand.
same() {
    gives 0 $1
    cp "$scratch/out" "$scratch/help"
    gives 0 $2
    cmp -s "$scratch/help" "$scratch/out" || fail "meshwork $1 and meshwork $2 differ"
}
same --help help
same --help 'help help'
same 'run --help' 'help run'
same 'run --help' '--help run'
same 'graph --help' 'help graph'
same 'graph --help' 'graph help'
same 'graph paths --help' 'help graph paths'
same 'graph paths --help' 'graph help paths'

# Each help ends with valid examples and the name of its man page, which has the same examples.
gives 0 tables
grep -E '^(subcommand|example)	' "$scratch/out" | tr '\t' '|' >"$scratch/examples"
while IFS='|' read -r kind first _; do
    case $kind in
        subcommand)
            name=$first
            gives 0 $name --help
            grep -qx "Manual: man meshwork$(echo "${name:+-$name}" | tr ' ' -)" "$scratch/out" ||
                fail "the help of '$name' does not name its page"
            prints '^Examples:$' ;;
        example)
            tail -n 60 "$scratch/out" | sed 's/^ *//; s/ *\\$//' | tr '\n' ' ' | grep -Fq -- "$first" ||
                fail "the help of '$name' does not show: $first"
            # shellcheck disable=SC2046 # the words of the example
            gives 0 $(echo "${first#meshwork }" | tr -d "'") --print-config
            gives 0 $name --help ;;
    esac
done <"$scratch/examples"

# It takes effect before errors in later arguments.
gives 0 run --help --nonsense
finish
