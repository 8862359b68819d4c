#!/bin/sh
# Runs that end early: what was asked for is written, and the exit code is 5.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

endless='run cahn-hilliard -d native:pthreads --no-tune --size 256x256 --steps 1000000000000'

gives 5 $endless --time-limit 0.2 -o state.npy
prints '^steps +[0-9]+ \(of 1000000000000\)'
grep -q '^meshwork: stopped by --time-limit' "$scratch/err" || fail "no word of the time limit"
folder_holds state.npy

# stop SIGNAL CODE TIMES: the signal arrives when the run says with -v that the loop has begun.
stop() {
    begins $endless --every 1000000000 -o state.npy
    kill -"$1" $process
    wait $process
    status=$?
}

for signal in INT TERM; do
    stop $signal
    [ $status -eq 5 ] || fail "exit code $status instead of 5 after SIG$signal"
    grep -q '^meshwork: stopped by a signal at step' "$scratch/err" || fail "no word of the signal"
    [ -n "$(checksum)" ] || fail "no summary after SIG$signal"
    folder_holds state.npy
done

# Before the loop nothing is promised: the process ends at once with the signal's code.  A FIFO holds it there.
if mkfifo "$work/input.npy"; then
    (cd "$work" && exec "$MESHWORK" $endless --input input.npy -o state.npy) >"$scratch/out" 2>"$scratch/err" &
    process=$!
    exec 9>"$work/input.npy"
    # ThreadSanitizer holds signals back while a process reads: so the FIFO ends some time.
    sleep 20 >&9 &
    holder=$!
    exec 9>&-
    kill -INT $process
    wait $process
    status=$?
    kill $holder
    [ $status -eq 130 ] || fail "exit code $status instead of 130 before the loop"
    rm "$work/input.npy"
    folder_holds ''
fi
finish
