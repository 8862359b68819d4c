#!/bin/sh
# A device that hangs: after a signal, or the time limit, one message names the device, and the next signal ends the
# run. The earlier checkpoint stays.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"
[ -f "${MESHWORK_HANG:-}" ] || skip "the library that lets clFinish hang was not built"
on_pocl "$0"

MESHWORK_TEST_HANG=$scratch/hang
export MESHWORK_TEST_HANG
said='waiting for the device; a second signal ends at once'
long="run heat -d opencl:0.0 --size 64x64 --steps 1000000000 --every 1000 --no-tune --checkpoint $scratch/state
    --checkpoint-every 1000"

# hangs OPTION...: a run, as $process, whose device hangs once a checkpoint is there.
hangs() {
    rm -f "$scratch/hang" "$scratch/state"
    : >"$scratch/err"
    (cd "$work" && LD_PRELOAD=$MESHWORK_HANG exec "$MESHWORK" $long "$@" -q) >"$scratch/out" 2>"$scratch/err" &
    process=$!
    awaits [ -s "$scratch/state" ]
    : >"$scratch/hang"
}

# ends CODE: another signal ends the run with this code; there was one message, and the checkpoint is complete.
ends() {
    awaits grep -q "$said" "$scratch/err"
    kill -TERM $process
    wait $process
    status=$?
    [ "$status" -eq "$1" ] || fail "exit code $status instead of $1"
    [ "$(grep -c "$said" "$scratch/err")" -eq 1 ] || fail "not one line of what is waited for"
    rm "$scratch/hang"
    gives 0 run --restart "$scratch/state" -d native:serial --steps 1000000000 --dry-run -q
}

gives 0 run heat -d opencl:0.0 --size 64x64 --steps 1 --no-tune -q
: >"$scratch/hang"
try timeout -s KILL 3 env LD_PRELOAD="$MESHWORK_HANG" "$MESHWORK" run heat -d opencl:0.0 --size 64x64 --steps 1 \
    --no-tune
[ "$status" -ne 0 ] || skip "clFinish cannot be made to hang here"

hangs
kill -TERM $process
ends 143

hangs --time-limit 5
ends 143
finish
