#!/bin/sh
# meshwork graph paths --from: distances from one vertex and the path to another, with weights and without.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
printf 'ant bee 1.5\nbee cat 0.25\nant cat 3\ncat dog 0\nelk fox 1\n' >"$work/roads.el"

paths='graph paths -d native:serial'
gives 0 $paths roads.el --from ant --to dog --verify -o roads.csv
prints '^weights +multiples of 0\.01$'
prints '^variant +delta$'
prints '^reached +3 of 5 other vertices$'
prints '^longest +1\.75$'
prints '^distance +1\.75$'
prints '^path +ant bee cat dog$'
prints '^verified '
[ "$(tr '\n' ';' <"$work/roads.csv")" = \
    'vertex,distance,predecessor;ant,0,;bee,1.5,ant;cat,1.75,bee;dog,1.75,cat;elk,,;fox,,;' ] || fail "other lines"
for option in --hops '--weights remove'; do
    gives 0 $paths roads.el --from ant --to dog $option --verify
    prints '^variant +levels$'
    prints '^distance +2$'
    prints '^path +ant cat dog$'
done
gives 0 $paths roads.el --from ant --to fox
prints '^distance +there is no path$'
for variant in delta near-far dijkstra rounds; do
    gives 0 $paths roads.el --from ant --to dog --variant $variant --repeat 2
    prints '^path +ant bee cat dog$'
done
gives 0 $paths --generate ws -p n=2000 -p weights=255 --from 7 --verify
gives 0 $paths --variant list --from 1
prints '^levels '
if gives 0 $paths roads.el --from ant --to fox --json; then
    json_has '"path":[]'
    json_has '"distance":null'
fi
if gives 0 $paths roads.el --from ant --to dog --json; then
    json_has '"from":"ant"'
    json_has '"path":["ant","bee","cat","dog"]'
    json_has '"distance":1.75'
fi

# Negative weights.
printf '0 1 5\n1 2 -3\n2 3 1\n' >"$work/down.el"
gives 0 $paths down.el --directed --from 0 --to 3
prints '^variant +rounds$'
prints '^distance +3$'
refuses 1 "add up to less than 0" $paths down.el --from 0
printf '3 1 1\n' >>"$work/down.el"
refuses 1 "add up to less than 0, so that there are no shortest paths: [0-9, ]*1, 2, 3" $paths down.el --directed \
    --from 0

# Between all vertices, weighted: ant-bee 1.5, ant-cat 1.75, bee-cat 0.25, dog as cat, elk-fox 1, in both directions.
gives 0 $paths roads.el --vertices roads.csv --verify
prints '^mean distance +0\.9285714286$'
prints '^diameter +1\.75$'
prints '^radius +1$'
prints '^pairs +14 with a path, 16 without$'
[ "$(sed -n 2p "$work/roads.csv")" = ant,3,1.75,5,0.6 ] || fail "another first vertex"
for variant in tiles delta near-far dijkstra rounds; do
    gives 0 $paths roads.el --variant $variant
    prints '^mean distance +0\.9285714286$'
done
gives 0 $paths roads.el -v
says 'variant auto, native:serial: 1\.67 arcs per vertex, weights 0 to 300; few vertices'

# Samples, several devices, the matrix.
gives 0 $paths --generate ws -p n=600 -p weights=255 --sample 128 --sample-seed 3 --verify
prints '^mean distance +[0-9.]+ \+- [0-9.]+, which contains'
prints '^sample +distances to 128 of the vertices$'
prints '^longest '
gives 0 $paths roads.el --sample 2
prints 'too small for an interval'
gives 0 graph paths -d native:serial,native:pthreads --generate ba -p n=500 -p weights=255 --verify --vertices roads.csv
prints '^variant +delta$'
refuses 2 'runs on one device only' graph paths -d native:serial,native:pthreads roads.el --variant tiles
gives 0 $paths roads.el --variant rounds --block-arcs 3 --verify
gives 0 $paths roads.el --from ant --variant rounds --block-arcs 3 --verify
gives 0 $paths roads.el --matrix roads.npy
prints '^written +roads\.npy$'
tail -c 288 "$work/roads.npy" | od -An -v -t f8 -w48 | tr -s ' ' >"$work/matrix.txt"
[ "$(head -n 1 "$work/matrix.txt")" = ' 0 1.5 1.75 1.75 inf inf' ] || fail "another first row of the matrix"
[ "$(tail -n 1 "$work/matrix.txt")" = ' inf inf inf inf 1 0' ] || fail "another last row of the matrix"
gives 0 $paths roads.el --variant tiles --dry-run
prints '^memory +about .* for the matrix of distances, twice that'
gives 0 $paths roads.el --hops --variant floyd --dry-run
prints '^memory +about 144 B for the matrix of distances$'
gives 0 $paths --generate ws -p n=300 -p weights=255 --verify
gives 0 $paths roads.el --hops --verify
prints '^mean distance +1\.285714286$'
prints '^diameter +2$'
gives 0 $paths roads.el --hops --variant bits
refuses 2 "add --hops" $paths roads.el --variant bits
refuses 1 "add up to less than 0" $paths down.el --directed

refuses 2 "no vertex 'gnu'" $paths roads.el --from gnu
refuses 2 "--to requires --from" $paths roads.el --to ant
refuses 2 "leave it out with --from" $paths roads.el --from ant --matrix m.npy
refuses 2 "must end in .csv" $paths roads.el --from ant -o x.txt
refuses 2 "use levels" $paths roads.el --from ant --hops --variant delta
finish
