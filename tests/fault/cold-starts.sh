#!/bin/sh
# Eight processes start together on one empty cache: each succeeds, all with the same result.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"
on_pocl "$0"

small="run heat --size 32x32 --steps 4 --no-tune -q -d opencl:0.0"
for round in 1 2; do
    MESHWORK_CACHE_DIR=$scratch/cache$round
    processes=
    for i in 1 2 3 4 5 6 7 8; do
        "$MESHWORK" $small >"$scratch/out$i" 2>"$scratch/err$i" &
        processes="$processes $!"
    done
    i=1
    for process in $processes; do
        wait $process
        status=$?
        cp "$scratch/out$i" "$scratch/out"
        cp "$scratch/err$i" "$scratch/err"
        [ $status -eq 0 ] || fail "round $round, start $i: exit code $status"
        [ -n "$(checksum)" ] && [ "$(checksum)" = "${expected=$(checksum)}" ] ||
            fail "round $round, start $i: another result than $expected"
        i=$((i + 1))
    done
done
finish
