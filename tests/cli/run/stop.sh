#!/bin/sh
# Runs that end early: what was asked for is written, and the exit code is 5.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

endless='run cahn-hilliard -d native:pthreads --no-tune --size 256x256 --steps 1000000000000'

gives 5 $endless --time-limit 0.2 -o state.npy
prints '^steps +[0-9]+ \(of 1000000000000\)'
grep -q '^meshwork: stopped by --time-limit' "$scratch/err" || fail "no word of the time limit"
folder_holds state.npy

# stop SIGNAL CODE TIMES: sends the signal when -v reports the start of the loop.
stop() {
    begins $endless --every 1000000000 -o state.npy
    kill -"$1" $process
    wait $process
    status=$?
}

for signal in INT TERM USR1; do
    stop $signal
    [ $status -eq 5 ] || fail "exit code $status instead of 5 after SIG$signal"
    grep -q '^meshwork: stopped by a signal at step' "$scratch/err" || fail "no word of the signal"
    [ -n "$(checksum)" ] || fail "no summary after SIG$signal"
    folder_holds state.npy
done

# LLVM, with which drivers compile, replaces the handler of USR1.
endless_there=$(echo "$endless" | sed 's/-d [^ ]*//')
device=$(driven)
for there in "" ${device:+"-d $device"}; do
    begins $endless_there $there --every 1000000000 --checkpoint there.ck
    kill -USR1 $process
    wait $process
    status=$?
    [ $status -eq 5 ] && [ -f "$work/there.ck" ] || fail "exit code $status after SIGUSR1 with '$there'"
    rm -f "$work/there.ck"
done

# Before the loop the process ends at once, with the same code.  A FIFO stops it there. early SIGNAL CODE FIFO
# ARGUMENT...
early() {
    signal=$1 code=$2 fifo=$3
    shift 3
    mkfifo "$work/$fifo" || return
    (cd "$work" && exec "$MESHWORK" "$@") >"$scratch/out" 2>"$scratch/err" &
    process=$!
    exec 9>"$work/$fifo"
    # ThreadSanitizer delays signals while a process reads, so the FIFO ends after some time.
    sleep 20 >&9 &
    holder=$!
    exec 9>&-
    kill -"$signal" $process
    wait $process
    status=$?
    kill -KILL $holder           # which may not have left this shell's traps yet
    wait $holder 2>/dev/null
    [ $status -eq "$code" ] || fail "exit code $status instead of $code before the loop: $*"
    [ "$code" -ne 5 ] || says '^meshwork: stopped by a signal before the first step: nothing was written$'
    rm "$work/$fifo"
    folder_holds ''
}
for signal in INT TERM USR2; do
    early $signal 5 input.npy $endless --input input.npy -o state.npy
done
early TERM 5 carpet.txt walk --carpet ./carpet.txt --steps 1000000000 --checkpoint ck
early TERM 143 in.npy label in.npy -d native:serial -o labels.npy
finish
