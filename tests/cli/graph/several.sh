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
    says "^$what: 1 of 2 devices, since more would wait longer than they help"
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
# Variants that run on one device are refused on several of any size.
refuses 2 'on one device only' graph cores karate.txt $both --variant order
refuses 2 'on one device only' graph bridges karate.txt $both --variant search
finish
