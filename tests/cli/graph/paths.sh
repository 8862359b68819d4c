#!/bin/sh
# meshwork graph paths: distances between vertices.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
cp "$source_top/tests/graphs/karate.txt" "$work"

# Distances: of known graphs, per vertex, of a sample.
paths='graph paths -d native:serial'
gives 0 $paths karate.txt --verify --vertices vertices.csv
prints '^mean distance +2\.408199643$'
prints '^diameter +5$'
prints '^pairs +1122 with a path, 0 without$'
prints '^radius +3$'
prints '^verified '
[ "$(sed -n '/^pairs by distance/,$p' "$scratch/out" | tr -s ' ' | tr '\n' ';')" = \
    'pairs by distance; 1 156; 2 530; 3 274; 4 146; 5 16;' ] || fail "other distances"
[ "$(sed -n 2p "$work/vertices.csv")" = 1,33,3,58,0.5689655172413793,23.166666666666668 ] ||
    fail "another first vertex"
for variant in 1 2 3 4 5 6 7 floyd; do
    gives 0 $paths karate.txt --variant $variant
    prints '^mean distance +2\.408199643$'
done
gives 0 $paths --generate line -p n=2000 --sample 640
mean=$(sed -n 's/^mean distance *\([0-9.]*\) +- .*/\1/p' "$scratch/out")
error=$(sed -n 's/^mean distance .* +- \([0-9.]*\), .*/\1/p' "$scratch/out")
# The exact mean is 2001 / 3.  A correct interval misses it for 1 of 20 seeds, three times its width almost never.
awk "BEGIN { off = $mean - 667; exit !(off < 3 * $error && off > -3 * $error && $error > 0 && $error < 100) }" ||
    fail "the mean distance of a line of 2000 is 667, not $mean +- $error"
gives 0 $paths --generate line -p n=2000 --sample 100
prints '^mean distance .* too small for an interval: use 128 or more'
printf '4 0\n\n\n\n\n' >"$work/none.graph"
gives 0 $paths none.graph
prints '^mean distance +none: there are no paths$'
cat >"$work/named.graphml" <<'END'
<graphml><graph edgedefault="undirected"><node id="Carl, C"/><node id='An "x" y'/>
<edge source="Carl, C" target='An "x" y'/></graph></graphml>
END
if gives 0 $paths named.graphml --vertices vertices.csv; then
    [ "$(sed -n 2,3p "$work/vertices.csv" | cut -d, -f1-2)" = '"Carl, C"
"An ""x"" y",1' ] || fail "names with commas are not in quotes"
fi
gives 0 $paths karate.txt --sample 10 --vertices vertices.csv
grep -q radius "$scratch/out" && fail "the radius is told by distances to some of the vertices"
printf '0 1\n1 2\n3 4\n' >"$work/arcs.txt"
gives 0 $paths arcs.txt --directed --verify
prints '^pairs +4 with a path, 16 without$'
gives 0 $paths arcs.txt --dry-run
gives 0 $paths --variant list
gives 0 $paths arcs.txt --directed --matrix m.npy
[ "$(tail -c 100 "$work/m.npy" | od -An -v -t d4 | tr -s ' \n' ' ')" = \
    " 0 1 2 -1 -1 -1 0 1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 0 1 -1 -1 -1 -1 0 " ] || fail "another matrix"
refuses 2 "leave out --sample" $paths arcs.txt --matrix m.npy --sample 2
refuses 2 "must end in .npy" $paths arcs.txt --matrix m.csv
gives 0 $paths --generate line -p n=1000 -v
grep -q 'variant auto: queue, since searches have about [0-9]* levels and queue is faster above' "$scratch/err" ||
    fail "-v does not say why auto takes queue"
refuses 2 "must end in .csv" $paths arcs.txt --vertices vertices.txt
refuses 2 "did you mean bits" $paths arcs.txt --variant bit
# ---- plans ----

# A ring with 4 arcs per vertex: 2 groups of four with their count, 1 without.
for plan in '1 12 4' '3 12 4' '4 12 8' '5 20 4' '6 24 4' '7 20 4'; do
    set -- $plan
    gives 0 $paths --generate ring -p n=100 -p k=4 --variant $1 --dry-run
    prints "^memory +.* $2 bytes per vertex, $3 per arc, and "
done
for plan in '1 4 4' '2 10 4' '3 10 4'; do
    set -- $plan
    gives 0 graph components -d native:serial --generate ring -p n=100 -p k=4 --variant $1 --dry-run
    prints "^memory +.* $2 bytes per vertex, $3 per arc, and "
done
if has_json; then
    gives 0 $paths --generate ring -p n=100 -p k=4 --variant 4 --dry-run --json
    json_has '"memory_bytes":4408,"bytes_per_vertex":12.0,"bytes_per_arc":8.0'
fi
gives 0 $paths --generate ring -p n=100 -p k=4 --variant bits --dry-run
prints '^memory +about .* for arcs, and .* for each search at once$'

finish
