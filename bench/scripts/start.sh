#!/bin/sh
# Time from the start of the command to its first complete step, with warm caches, on each device: the median of nine
# whole runs of one step.  Usage: bench/scripts/start.sh [MESHWORK]
# SPDX-License-Identifier: MIT
set -eu
meshwork=${1:-meshwork}
now() { date +%s%N; }
for device in $("$meshwork" devices --json | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p'); do
    run="$meshwork run cahn-hilliard --size 512x512 --steps 1 -q -d $device"
    $run >/dev/null && $run >/dev/null
    for _ in 1 2 3 4 5 6 7 8 9; do
        start=$(now)
        $run >/dev/null
        echo $((($(now) - start) / 1000))
    done | sort -n | sed -n 5p | awk -v device="$device" '{ printf "%-20s %7.1f ms\n", device, $1 / 1000 }'
done
