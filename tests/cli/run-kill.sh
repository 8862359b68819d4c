#!/bin/sh
# Runs that are killed at random moments and restarted come to the bits and the series of the uninterrupted run.
# MESHWORK_TEST_SEED repeats the moments, MESHWORK_TEST_KILLS sets their number.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"

kills=${MESHWORK_TEST_KILLS:-30}
seed=${MESHWORK_TEST_SEED:-$(date +%s)}
echo "MESHWORK_TEST_SEED=$seed"
steps=2000
run="run cahn-hilliard -d native:serial --no-tune --size 40x24 --steps $steps --seed 7 --every 10 --series s.csv"
: "${AWK:=awk}"

gives 0 $run
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
mv "$work/s.csv" "$scratch/whole.csv"

# check: the last run came to its end as if it had never been interrupted.
check() {
    [ "$(checksum)" = "$expected" ] || fail "another checksum"
    cmp -s "$work/s.csv" "$scratch/whole.csv" || fail "another series"
}

# start: goes on where there is something to go on from, and begins otherwise.
start() {
    if [ -e "$work/ck" ]; then
        restart='--restart ck'
        restarts=$((restarts + 1))
    else
        restart='--checkpoint ck'
    fi
    (cd "$work" && exec "$MESHWORK" $run $restart --checkpoint-every 7) >"$scratch/out" 2>"$scratch/err" </dev/null &
    process=$!
}

# The moments: most within the time that a run takes to start and write a few checkpoints.
killed=0 writing=0 restarts=0 ends=0
for moment in $($AWK -v seed="$seed" -v n=$((20 * kills)) \
    'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.3f\n", rand() < 0.7 ? 0.1 * rand() : 0.4 * rand() }'); do
    [ $killed -lt "$kills" ] || break
    start
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
echo "$killed kills, $writing while a checkpoint was being written; $restarts restarts, $ends ends meanwhile"
[ $killed -ge "$kills" ] || fail "only $killed kills"
[ $restarts -gt 0 ] || fail "never restarted"
start
wait $process || fail "the last run fails"
check

# Nothing but the files that belong there, in two generations.
folder_holds ck ck.old s.csv
finish
