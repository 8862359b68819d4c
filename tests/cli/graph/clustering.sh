#!/bin/sh
# meshwork graph clustering: triangles and triples.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
clustering='graph clustering -d native:serial'

# Known graphs: triangles, triples, Newman's coefficient.
while read -r graph triangles triples coefficient; do
    cp "$source_top/tests/graphs/$graph.txt" "$work"
    gives 0 $clustering $graph.txt --verify
    prints "^triangles +$triangles\$"
    prints "^triples +$triples\$"
    prints "^clustering +$coefficient"
    prints '^verified '
done <<END
petersen 0 30 0
florentine 3 47 0\.191489
karate 45 528 0\.255681
lesmis 467 2808 0\.498931
END

# The variant chosen by auto.
gives 0 $clustering --generate line -p n=1000 --verify -v
prints '^variant +vertices$'
says 'variant auto: 2 arcs per vertex, at most 2, mean 2 at the heads of arcs: vertices, since walks are few'
gives 0 $clustering --generate line -p n=1000 --local
prints '^variant +oriented$'
gives 0 $clustering karate.txt -v
prints '^variant +oriented$'
says 'variant auto: 4\.59 arcs per vertex, at most 17, mean 7\.77 at the heads of arcs: oriented, since'

# Each vertex and edge of the karate club; its mean local coefficient is 0.587930 (igraph).
gives 0 $clustering karate.txt --vertices vertices.csv --arcs arcs.csv --verify
prints '^local +0\.58793[0-9]*, the mean of 33 vertices with triples$'
[ "$(sed -n 1,2p "$work/vertices.csv")" = "vertex,triangles,triples,coefficient
1,18,120,0.15" ] || fail "another first vertex"
[ "$(sed -n 1,2p "$work/arcs.csv")" = "tail,head,triangles
1,2,7" ] || fail "another first edge"
[ "$(wc -l <"$work/arcs.csv")" -eq 79 ] || fail "another number of edges"
awk -F, 'NR > 1 { sum += $3 } END { exit sum != 3 * 45 }' "$work/arcs.csv" || fail "each triangle has three sides"
for variant in vertices 1 2; do
    gives 0 $clustering lesmis.txt --variant $variant
    prints '^triangles +467$'
    prints '^triples +2808$'
done
refuses 2 "use oriented for counts per vertex or arc" $clustering karate.txt --variant 1 --local
refuses 2 "needs a device with images" $clustering karate.txt --variant image
refuses 2 "needs a device with local memory" $clustering karate.txt --variant cell
# Blocks as small as a vertex's list.
gives 0 $clustering karate.txt --block-arcs 1 --local --verify
prints '^triangles +45$'

# A ring in which each vertex is connected to 50 others: 3 (k - 2) / (4 (k - 1)).
gives 0 $clustering --generate ring -p n=1000 -p k=50
prints '^clustering +0\.734693877'

# Cycles of arcs, and other triangles; loops, and repeated arcs.
printf '0 1\n1 2\n2 0\n2 3\n3 2\n' >"$work/arcs.txt"
gives 0 $clustering arcs.txt --directed --verify
prints '^triangles +1$'
prints '^triples +5$'
gives 0 $clustering arcs.txt
prints '^triples +5$'
prints '^clustering +0\.6$'
printf '0 1\n0 1\n1 2\n0 2\n2 2\n' >"$work/multi.txt"
gives 0 $clustering multi.txt --verify
prints '^triangles +1$'
prints '^clustering +1$'

# Integers beyond 2^32: a star.
gives 0 $clustering --generate ba -p n=100001 -p m=1 --seed 1
prints '^triangles +0$'
awk 'BEGIN { for (i = 1; i <= 100000; i++) print 0, i }' >"$work/star.el"
gives 0 $clustering star.el --json
prints '"triples": *4999950000[,}]*'

gives 0 $clustering arcs.txt --dry-run
# With cores, 8 bytes per arc and 16 per vertex; for a directed graph in both directions.
gives 0 $clustering --generate ws -p n=1000 -p k=10 -p p=0 --dry-run --json
prints '"memory_bytes": *96000[,}]*'
gives 0 $clustering --variant list
refuses 2 "must end in .csv" $clustering arcs.txt --vertices vertices.txt
refuses 2 "did you mean oriented" $clustering arcs.txt --variant oriente
finish
