#!/bin/sh
# meshwork graph convert and info: notes report losses in conversions and missing facts in files.
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
    says "towns.$suffix: this format has no names: vertices are numbered 1 to 3"
    gives 0 $convert towns.txt towns.$suffix -q
    silent
done
gives 0 $convert towns.txt towns.el
silent
tail -n 2 "$work/towns.el" | tr '\t' ' ' >"$scratch/edges"
printf '%s\n' 'Bern Thun 3' 'Bern "New York" 4' | cmp -s - "$scratch/edges" || fail "other edges in towns.el"
printf '%s\n' '%%MatrixMarket matrix coordinate pattern symmetric' '4 4 1' '2 1' >"$work/four.mtx"
# Vertices without edges are read back with their names.
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
printf '%s\n' source,target from,to from,a to,b >"$work/words.csv"
gives 0 $convert words.csv words.el
grep -q '^"from".to$' "$work/words.el" || fail "an edge that looks like titles has no quotes"
grep -q '^from.a$' "$work/words.el" || fail "an edge has needless quotes"
gives 0 $info words.el
prints '^edges +3$'
printf '%s\n' 'a b' 'b c 2' >"$work/some.txt"
gives 0 $info some.txt
says 'others, as in line 1, have no weight: weights are ignored'
printf '%s\n' "a b {'weight': 100}" "b c {'weight': 2.5, 'x': 1}" >"$work/networkx.el"
gives 0 $info networkx.el
prints '^range +2.5 to 100, of the weights$'
says 'networkx.el:2: .\{.weight.: 2.5, .x.: 1\}. is ignored$'
printf '%s\n' 'Source;Target;Weight;Type' '"New York";Bern;3;x' 'Bern;Thun;0.5;y' >"$work/table.csv"
gives 0 $info table.csv
prints '^vertices +3$'
prints '^range +0.5 to 3, of the weights$'
says 'table.csv:1: column "Type" is ignored$'
gives 0 $info table.csv --columns target,1
prints '^edges +2$'
! grep -q '^weights' "$scratch/out" || fail "weights that were not asked for"
silent
gives 0 $convert table.csv table.tsv --columns Source,Target,weight
silent
gives 0 $info table.tsv
prints '^range +0.5 to 3, of the weights$'
printf '%s\n' alice,bob carol,dave >"$work/untitled.csv"
gives 0 $info untitled.csv --columns 1,2
prints '^edges +2$'
says 'untitled.csv:1: the first line is read as an edge, between "alice" and "bob": if it has titles'
refuses 2 'there is no column "km": choose from "Source", "Target", "Weight" and 1 more' $info table.csv --columns km,1
refuses 2 'columns "1,2" are for tables, but networkx.el is read as edges' $info networkx.el --columns 1,2
refuses 2 '--columns requires a file' $info --generate line --columns 1,2
# The JSON contains what -q does not print.
if has_json; then
    gives 0 $info some.txt -q --json
    silent
    json_keys notes
    json_has '"notes":["some.txt:someedgeshaveaweight,butothers'
    echo 'a b 2' >"$work/plain.txt"
    gives 0 $info plain.txt --json
    ! grep -q '"notes"' "$scratch/out" || fail "notes where there are none"
fi

# ---- standard output, and formats without a suffix ----

printf '%s\n' '1 2 3' '2 3 4' >"$work/w.el"
for output in 'components -o' 'components --output-format csv --largest' 'clustering --vertices' 'clustering --arcs' \
    'pagerank --vertices' 'bridges --bridges' 'paths --vertices' 'paths --matrix' 'paths --from 1 -o' \
    'convert --output-format tsv'; do
    gives 0 graph ${output%% *} -d native:serial w.el ${output#* } -
    grep -qE '(written|largest in) +to standard output' "$scratch/err" || fail "no summary on standard error: $output"
    [ -s "$scratch/out" ] || fail "nothing on standard output: $output"
    ! grep -q '^vertices  ' "$scratch/out" || fail "the summary among the data: $output"
done
if command -v gnuplot >/dev/null; then
    gives 0 $info w.el --plot - -q
    grep -q '<svg' "$scratch/out" || fail "no plot on standard output"
fi
gives 0 graph generate line -p n=3 -d native:serial -o - --output-format csv -q
[ "$(tr '\n' ';' <"$scratch/out")" = 'source,target;0,1;1,2;' ] || fail "another table on standard output"
refuses 2 'two outputs go to standard output' graph paths -d native:serial w.el --vertices - --matrix -
refuses 2 'two outputs go to standard output' \
    graph components -d native:serial w.el -o - --largest - --output-format mtx
refuses 2 'give --output-format' graph components -d native:serial w.el --largest -
refuses 2 'give --output-format' $convert w.el -
refuses 2 '--output-format: unknown format' $convert w.el - --output-format nope
# Old names of the options.
for from in format from; do
    for to in output-format to; do
        gives 0 $convert w.el - --$from edges --$to mtx -q
        prints '^3 3 2$'
    done
done
gives 0 graph generate line -p n=3 -d native:serial -o - --format mtx -q
prints '^3 3 2$'

# ---- variants of another measure ----

paths='graph paths -d native:serial'
printf '%s\n' '1 2' '2 3' >"$work/u.el"
for variant in tiles delta near-far dijkstra rounds; do
    refuses 2 "--variant $variant uses weights, but this graph has no weights: take " $paths u.el --variant $variant
    refuses 2 "--variant $variant uses weights, but --hops ignores them" $paths w.el --hops --variant $variant
done
refuses 2 '--variant bits counts edges, but this graph has weights: add --hops' $paths w.el --variant bits
refuses 2 '--variant levels requires distances from one vertex: add --from' $paths u.el --variant levels
refuses 2 '--variant bits requires distances between all vertices: leave out --from' $paths u.el --from 1 --variant bits
refuses 2 '--variant tarjan only finds strong components: add --strong' graph components u.el --variant tarjan
refuses 2 '--variant ecl does not find strong components: leave out' graph components u.el --strong --variant ecl
refuses 2 "unknown variant 'nothing'" $paths u.el --variant nothing

# ---- graphs without vertices, edges or paths have all keys ----

if has_json; then
    : >"$work/none.el"
    printf '%s\n' '# meshwork vertex 0' >"$work/one.el"
    printf '%s\n' '# meshwork vertex 0' '# meshwork vertex 1' >"$work/two.el"
    for sub in info 'info --budget 0' components 'components --strong' 'paths --sample 2' clustering pagerank cores \
        betweenness bridges; do
        keys=
        for graph in u none one two; do
            gives 0 graph ${sub%% *} -d native:serial $graph.el ${sub#"${sub%% *}"} --json -q
            there=$(grep -o '^  "[a-z_]*":' "$scratch/out" | sort)
            [ "${keys:=$there}" = "$there" ] || fail "other keys of $graph.el: meshwork graph $sub"
        done
    done
    gives 0 $info none.el --json
    json_has '"density":null'
    json_has '"components":0'
    json_has '"mean_distance":null'
    json_has '"weighted":false'
fi

finish
