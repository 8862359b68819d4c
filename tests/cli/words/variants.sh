#!/bin/sh
# The manual's chapters have one row per variant, with the description of the library's table.
# shellcheck disable=SC2016,SC2086 # backquotes are not expanded; lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

# The rows of the library's tables, as lines CHAPTER SECTION ROW between tabs.
gives 0 tables
awk -F '\t' '$1 == "variant" {
    alias = $5 == "" ? "" : " (`" $5 "`)"
    print $2 "\t" $3 "\t| `" $4 "`" alias " | " $6 " |"
}' "$scratch/out" >"$scratch/wanted"
[ "$(wc -l <"$scratch/wanted")" -ge 80 ] || fail "only $(wc -l <"$scratch/wanted") variants in the tables"

# rows CHAPTER...: the rows of tables with a column `method`, in the same form.
rows() {
    for chapter; do
        awk -v chapter="${chapter##*/}" '
            /^#+ / { section = $0; sub(/^#+ /, "", section) }
            !/^\|/ { inside = 0 }
            inside && !/^\|-/ { print chapter "\t" section "\t" $0 }
            /^\| [a-z]+ \| method \|/ { inside = 1 }' "$chapter"
    done
}

# compare FOLDER: prints the differences between the tables and the chapters, as rows to add and rows to remove.
compare() {
    cut -f 1 "$scratch/wanted" | sort -u >"$scratch/chapters"
    while read -r chapter; do rows "$1/$chapter"; done <"$scratch/chapters" | LC_ALL=C sort >"$scratch/found"
    LC_ALL=C sort "$scratch/wanted" >"$scratch/sorted"
    LC_ALL=C comm -3 "$scratch/sorted" "$scratch/found" | awk -F '\t' '{
        found = $1 == ""
        print "doc/" $(1 + found) ", " $(2 + found) ": " (found ? "remove" : "add") " the row"
        print $(3 + found)
    }'
}
compare "$source_top/doc" >"$scratch/differences"
: >"$scratch/out"
[ ! -s "$scratch/differences" ] || fail "chapters differ from the tables of variants:
$(cat "$scratch/differences")"

# A missing row, an unknown name, another alias and another description are detected.
mkdir "$scratch/doc"
for change in '/^| `afforest`/d' 's/^| `afforest`/| `aforest`/' 's/(`piles`)/(`pile`)/' \
        's/union-find of runs/joins runs/'; do
    while read -r chapter; do
        sed "$change" "$source_top/doc/$chapter" >"$scratch/doc/$chapter"
    done <"$scratch/chapters"
    compare "$scratch/doc" >"$scratch/differences"
    grep -q 'add the row' "$scratch/differences" || fail "not detected: $change"
done

# Each command lists variants of these tables, and together they list all.
cut -f 3 "$scratch/wanted" | grep -v '^| `\(philox\|threefry\|ranmar\)`' | sed 's/^| `\([^`]*\)`.*/\1/' | sort -u \
    >"$scratch/names"
: >"$scratch/listed"
shown() { gives 0 "$@" --variant list; sed 1d "$scratch/out" | awk '{ print $1 }' >>"$scratch/listed"; }
gives 0 run --integrator list
sed 1d "$scratch/out" | awk '{ print $1 }' >>"$scratch/listed"
for command in 'run heat' 'run ising' label walk transform rng; do shown $command; done
for command in components 'components --strong' paths 'paths --from 0' clustering betweenness cores bridges; do
    shown graph $command --generate ring
done
sort -u "$scratch/listed" >"$scratch/shown"
try diff "$scratch/names" "$scratch/shown"
[ "$status" -eq 0 ] || fail "--variant list and the tables differ"
finish
