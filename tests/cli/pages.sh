#!/bin/sh
# The built manual pages and completions of shells contain every subcommand and every option, are well formed, and are
# installed.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

built=${MESHWORK%/tools/*}/doc
[ -f "$built/meshwork.1" ] || skip "the pages were not made"
gives 0 tables
cp "$scratch/out" "$scratch/tables"

# Each subcommand has a page, named in the overview, with an item for each of its options.
page() { echo "$built/meshwork$(echo "${1:+-$1}" | tr ' ' -).1"; }
awk -F '\t' '$1 == "subcommand" { name = $2 } { print name "\t" ($1 == "option" ? $2 : "") }' "$scratch/tables" \
    >"$scratch/options"
cut -f 1 "$scratch/options" | sort -u >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -ge 27 ] || fail "only $(wc -l <"$scratch/names") subcommands"
while IFS= read -r name; do
    page=$(page "$name")
    [ -f "$page" ] || { fail "$name has no page: add $page to PAGES in doc/doc.am"; continue; }
    awk -F '\t' -v name="$name" '$1 == name && $2 != "" { print $2 }' "$scratch/options" >"$scratch/wanted"
    sed -n 's/^\.It .*Fl -\([a-z0-9-]*\).*/\1/p' "$page" >"$scratch/there"
    cmp -s "$scratch/wanted" "$scratch/there" || fail "the options of '$name' are not those of $page"
done <"$scratch/names"
# Pages and chapters named in a page are installed with it.
cat "$built"/*.1 "$source_top"/doc/man/*.[57] | sed -n 's/.*\.Xr \(meshwork[a-z-]*\) \([0-9]\).*/\1.\2/p' | sort -u \
    >"$scratch/named"
while read -r named; do
    [ -f "$built/$named" ] || [ -f "$source_top/doc/man/$named" ] || fail "pages name $named, which is not installed"
done <"$scratch/named"
sed -n 's|^\.Pa /.*/\([a-z-]*\.md\)$|\1|p' "$built"/*.1 | sort -u >"$scratch/named"
[ -s "$scratch/named" ] || fail "no page names a chapter"
while read -r named; do
    grep -q "doc/$named" "$source_top/doc/doc.am" || fail "pages name the chapter $named, which is not installed"
done <"$scratch/named"
grep -q '^\.Xr meshwork-environment 7$' "$built/meshwork.1" || fail "the overview does not lead to the environment"
gives 0 transform --help
for word in uncrinkle morton $(sed -n 's/^\([a-z]*\)=.*/\1/p' "$scratch/out"); do
    grep -q "^.It Cm $word" "$built/meshwork-transform.1" || fail "operation $word is not in the manual"
    grep -q "[' ]${word}[=' ]" "$built/bash/meshwork" || fail "operation $word is not completed"
done
gives 0 --help
for code in 0 1 2 3 4 5 6; do
    grep -q "^\.It $code$" "$source_top/doc/man/meshwork-environment.7" || fail "exit code $code is not in the manual"
done
sed -n 's/.*\(MESHWORK_[A-Z_]*\).*/\1/p' "$scratch/tables" | sort -u >"$scratch/variables"
while read -r variable; do
    grep -q "^\.It Ev $variable" "$source_top/doc/man/meshwork-environment.7" || fail "$variable is not in the manual"
done <"$scratch/variables"

if command -v mandoc >/dev/null; then
    try mandoc -Tlint -W warning "$built"/*.1 "$source_top"/doc/man/*.[57]
    [ ! -s "$scratch/out" ] || fail "mandoc complains about the manual's pages"
fi

# ---- completion ----

# completes WORD...  WANTED: bash offers these for the last word, or words that begin so.
if command -v bash >/dev/null && [ -f /usr/share/bash-completion/bash_completion ]; then
    mkdir "$scratch/bin"
    ln -s "$MESHWORK" "$scratch/bin/meshwork"
    cat >"$scratch/complete" <<'END'
. /usr/share/bash-completion/bash_completion
. "$1"
shift
COMP_LINE="$*" COMP_WORDS=() COMP_CWORD=-1
COMP_POINT=${#COMP_LINE}
compopt() { :; }
# Words end at = and :, as in the shell.
while read -r word; do COMP_WORDS[++COMP_CWORD]=$word; done < <(printf '%s\n' "$@" | sed 's/\([=:]\)/\n\1\n/')
_meshwork
printf '%s\n' "${COMPREPLY[@]}"
END
    completes() {
        wanted=$1
        shift
        try env PATH="$scratch/bin:$PATH" bash "$scratch/complete" "$built/bash/meshwork" meshwork "$@"
        [ "$(tr '\n' ' ' <"$scratch/out")" = "$wanted " ] || fail "other words than '$wanted' complete: $*"
    }
    completes 'graph' gr
    completes '--integrator' run --integr
    completes 'rk2 rk4' run --steps 10 --integrator r
    completes 'rk2 rk4' run --integrator=r
    completes 'cahn-hilliard cahn-hilliard-cook' run cah
    completes 'serial' run -d cpu,native:s
    completes 'paths pagerank' graph pa
    completes 'queue' graph paths --variant q
    completes 'list clear warm' cache ''
    completes '--checkpoint --checkpoint-every' compare --devices all run --che
    completes 'graph' advise gr
    completes 'queue' advise graph paths --variant q
    completes '--rounds' compare run cahn-hilliard --rou
    completes 'flip=' transform fl
    completes 'm= b= u= K=' run cahn-hilliard -p ''
fi
for shell in zsh fish; do
    ! command -v $shell >/dev/null || $shell -n "$built/$shell"/*meshwork* || fail "no completion that $shell reads"
done
if command -v fish >/dev/null; then
    try fish --no-config -c "source $built/fish/meshwork.fish; complete -C'meshwork run --integrator r'"
    [ "$(cut -f 1 "$scratch/out" | tr '\n' ' ')" = 'rk2 rk4 ' ] || fail "other words complete in fish"
fi
finish
