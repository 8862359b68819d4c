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
# Vertices without edges come back, with their names.
gives 0 $info four.mtx
expected=$(checksum)
for suffix in el csv tsv graph graphml mwg; do
    gives 0 $convert four.mtx four.$suffix
    silent
    gives 0 $info four.$suffix
    prints '^vertices +4$'
    prints '^isolated +2$'
    [ "$(checksum)" = "$expected" ] || fail "another graph from four.$suffix"
done
gives 0 graph generate er -p n=300 -p m=150 -d native:serial -o lone.el
gives 0 graph components -d native:serial lone.el
components=$(sed -n 's/^components  *//p' "$scratch/out")
gives 0 graph components -d native:serial --generate er -p n=300 -p m=150
prints "^components +$components\$"
rm "$work/lone.el"
folder_holds towns.txt towns.mtx towns.graph towns.el four.mtx four.el four.csv four.tsv four.graph four.graphml \
    four.mwg

# ---- reading ----

printf '%s\n' 'from to weight' 'a b 0.5' >"$work/titles.txt"
refuses 1 'titles.txt:1: .from to. is a line of titles' $info titles.txt
printf '%s\n' 'a b' 'b c 2' >"$work/some.txt"
gives 0 $info some.txt
says 'some, as in line 1, have none: there are no weights'
printf '%s\n' "a b {'weight': 100}" "b c {'weight': 2.5, 'x': 1}" >"$work/networkx.el"
gives 0 $info networkx.el
prints '^range +2.5 to 100, of the weights$'
says 'networkx.el:2: .\{.weight.: 2.5, .x.: 1\}. is not read$'
printf '%s\n' 'Source;Target;Weight;Type' '"New York";Bern;3;x' 'Bern;Thun;0.5;y' >"$work/table.csv"
gives 0 $info table.csv
prints '^vertices +3$'
prints '^range +0.5 to 3, of the weights$'
says 'table.csv:1: column "Type" is not read$'
gives 0 $info table.csv --columns target,1
prints '^edges +2$'
! grep -q '^weights' "$scratch/out" || fail "weights that were not asked for"
silent
gives 0 $convert table.csv table.tsv --columns Source,Target,weight
silent
gives 0 $info table.tsv
prints '^range +0.5 to 3, of the weights$'
refuses 2 'there is no column "km": there are "Source", "Target", "Weight" and 1 more' $info table.csv --columns km,1
refuses 2 'columns "1,2" are those of a table, and networkx.el is read as edges' $info networkx.el --columns 1,2
refuses 2 '--columns is for files' $info --generate line --columns 1,2
# What -q does not print is in the JSON.
if has_json; then
    gives 0 $info some.txt -q --json
    silent
    json_keys notes
    json_has '"notes":["some.txt:someedgeshaveaweightbehindtheirnames'
    echo 'a b 2' >"$work/plain.txt"
    gives 0 $info plain.txt --json
    ! grep -q '"notes"' "$scratch/out" || fail "notes where there are none"
fi

finish
