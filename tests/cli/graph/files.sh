#!/bin/sh
# meshwork graph convert and info: what a file loses, or does not say, is said.
# shellcheck disable=SC2015,SC2046,SC2086 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

info='graph info -d native:serial'
convert='graph convert -d native:serial'

# ---- writing ----

printf '%s\n' 'Bern Thun 3' '"New York" Bern 4' >"$work/towns.txt"
for suffix in mtx graph; do
    gives 0 $convert towns.txt towns.$suffix
    says "towns.$suffix: this format has no names: vertices are called 1 to 3 there"
    gives 0 $convert towns.txt towns.$suffix -q
    silent
done
gives 0 $convert towns.txt towns.el
silent
tail -n 2 "$work/towns.el" | tr '\t' ' ' >"$scratch/edges"
printf '%s\n' 'Bern Thun 3' 'Bern "New York" 4' | cmp -s - "$scratch/edges" || fail "other edges in towns.el"
printf '%s\n' '%%MatrixMarket matrix coordinate pattern symmetric' '4 4 1' '2 1' >"$work/four.mtx"
gives 0 $convert four.mtx four.el
says 'four.el: 2 vertices without edges are not in a list of edges'
folder_holds towns.txt towns.mtx towns.graph towns.el four.mtx four.el

# ---- reading ----

printf '%s\n' 'from to weight' 'a b 0.5' >"$work/titles.txt"
refuses 1 'titles.txt:1: .from to. is a line of titles' $info titles.txt
printf '%s\n' 'a b' 'b c 2' >"$work/some.txt"
gives 0 $info some.txt
says 'some, as in line 1, have none: there are no weights'
# What -q does not print is in the JSON.
if has_json; then
    gives 0 $info some.txt -q --json
    silent
    json_keys notes
    json_has '"notes":["some.txt:someedgeshaveanumberbehindtheirnames'
    echo 'a b 2' >"$work/plain.txt"
    gives 0 $info plain.txt --json
    ! grep -q '"notes"' "$scratch/out" || fail "notes where there are none"
fi

finish
