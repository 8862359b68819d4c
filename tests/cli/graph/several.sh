#!/bin/sh
# Graphs on several devices: further ones take part only if they help, and results are the same.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
unset MESHWORK_ALL_DEVICES
cp "$source_top/tests/graphs/karate.txt" "$work"
both='-d native:pthreads,native:serial'

# A small graph: one device.
while read -r command what; do
    gives 0 graph $command karate.txt $both -v
    says "^$what: 1 of 2 devices, since more would take longer"
    expected=$(checksum)
    MESHWORK_ALL_DEVICES=1
    export MESHWORK_ALL_DEVICES
    gives 0 graph $command karate.txt $both -v
    ! grep -q 'of 2 devices' "$scratch/said" || fail "graph $command: not all devices take part"
    [ -n "$expected" ] && [ "$(checksum)" = "$expected" ] || fail "graph $command: another result"
    unset MESHWORK_ALL_DEVICES
done <<END
components components
paths searches
clustering triangles
pagerank PageRank
cores core numbers
betweenness betweenness
bridges bridges
END
# Kernels for groups on a CPU, in a graph with hubs: PoCL miscompiled returns before barriers.
awk 'BEGIN {
    for (v = 6; v < 700; v++) {
        for (h = 0; h < 6; h++)
            if ((v * 7 + h) % 3)
                print h, v
        print v, v * v % 700
    }
}' >"$work/hubs.txt"
pocl=$("$MESHWORK" devices 2>/dev/null | awk '/ pthread-/ { print $2; exit }')
for command in 'paths --sample 64' clustering components 'components --strong'; do
    [ -z "$pocl" ] || gives 0 graph $command hubs.txt -d "$pocl" --shape group=64 --verify
done
# Variants that run on one device are refused on several of any size.
refuses 2 'on one device only' graph cores karate.txt $both --variant order
refuses 2 'on one device only' graph bridges karate.txt $both --variant search
finish
