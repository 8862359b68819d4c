#!/bin/sh
# --help and --version: on standard output, exit code 0, for the command and for each subcommand.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

gives 0 --version
prints '^meshwork [0-9]+\.[0-9]+\.[0-9]+'
silent
gives 0 --help
prints '^Usage: meshwork SUBCOMMAND'
prints 'Exit codes'
silent
cp "$scratch/out" "$scratch/help"

for subcommand in devices doctor models run sweep walk transform label graph rng compare advise bench report speed \
                  tune cache; do
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

# Every option that a subcommand's help shows is in the manual page, and takes effect before any error behind it.
gives 0 run --help --nonsense
page=$source_top/doc/meshwork.1
for subcommand in run sweep walk transform label rng compare advise bench report speed tune; do
    gives 0 $subcommand --help
    for option in $(sed -n 's/^  .*--\([a-z-]*\).*/\1/p' "$scratch/out" | sort -u); do
        grep -Eq -- "Fl -$option( |\$)" "$page" || fail "--$option is not in the manual page"
    done
done
if command -v mandoc >/dev/null; then
    try mandoc -Tlint -W warning "$page"
    [ ! -s "$scratch/out" ] || fail "mandoc complains about the manual page"
fi
finish
