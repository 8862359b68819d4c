#!/bin/sh
# Runs that are killed at random moments and restarted have the bits and the series of the uninterrupted run.
# MESHWORK_TEST_SEED repeats the moments, MESHWORK_TEST_KILLS sets their number.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

kills=${MESHWORK_TEST_KILLS:-30}
seed=${MESHWORK_TEST_SEED:-$(date +%s)}
echo "MESHWORK_TEST_SEED=$seed"
# On one device, and for a third of the kills on two that move their border.
devices="native:serial native:serial,native:pthreads"
run="run cahn-hilliard --no-tune --size 40x24 --steps 2000 --seed 7 --every 10 --series s.csv"
: "${AWK:=awk}"

gives 0 $run -d native:serial
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
mv "$work/s.csv" "$scratch/whole.csv"

# check: the last run has the result of an uninterrupted one.
check() {
    [ "$(checksum)" = "$expected" ] || fail "another checksum"
    cmp -s "$work/s.csv" "$scratch/whole.csv" || fail "another series"
}

# start DEVICES: resumes if there is a checkpoint, otherwise begins.
start() {
    if [ -e "$work/ck" ]; then
        restart='--restart ck'
        restarts=$((restarts + 1))
    else
        restart='--checkpoint ck'
    fi
    (cd "$work" && exec "$MESHWORK" $run -d $1 $restart --checkpoint-every 7) \
        >"$scratch/out" 2>"$scratch/err" </dev/null &
    process=$!
}

# killed_series DEVICES KILLS: a run on these that is killed this many times, and then completes.
killed_series() {
    killed=0 writing=0 restarts=0 ends=0
    # The times: mostly within the time in which a run starts and writes a few checkpoints.
    for moment in $($AWK -v seed="$seed" -v n=$((20 * $2)) 'BEGIN {
            srand(seed)
            for (i = 0; i < n; i++)
                printf "%.3f\n", rand() < 0.7 ? 0.1 * rand() : 0.4 * rand()
        }'); do
        # On a busy machine no run may have reached its first checkpoint yet.
        [ $killed -lt "$2" ] || [ $restarts -eq 0 ] || break
        start "$1"
        sleep "$moment"
        if kill -KILL $process 2>/dev/null && { wait $process 2>/dev/null; [ $? -eq 137 ]; }; then
            killed=$((killed + 1))
            [ ! -e "$work/ck.new" ] || writing=$((writing + 1))
            [ ! -s "$scratch/err" ] || fail "messages before the kill"
            continue
        fi
        wait $process
        check
        ends=$((ends + 1))
        rm -f "$work"/*
    done
    echo "$1: $killed kills, $writing while a checkpoint was being written; $restarts restarts, $ends ends meanwhile"
    [ $killed -ge "$2" ] || fail "only $killed kills"
    [ $restarts -gt 0 ] || fail "never restarted"
    start "$1"
    wait $process || fail "the last run fails"
    check
    # Only the expected files, in two generations.
    folder_holds ck ck.old s.csv
    rm -f "$work"/*
}

for each in $devices; do
    killed_series "$each" "$kills"
    kills=$(((kills + 2) / 3))
done
finish
