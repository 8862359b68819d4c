#!/bin/sh
# Checkpoints and series that cannot be written any more: one line, exit code 1, and what was good stays.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

run="run cahn-hilliard -d native:serial --no-tune --size 64x64 --steps 1000000000000"

# kept WHAT: both generations are unchanged, and a run can resume from them.
kept() {
    cmp -s "$work/ck" "$scratch/ck" && cmp -s "$work/ck.old" "$scratch/ck.old" || fail "the generations changed: $1"
    [ ! -e "$work/ck.new" ] || fail "half a checkpoint is left: $1"
    gives 0 run cahn-hilliard -d native:serial --no-tune -q --restart ck --steps 20 --checkpoint other
}

gives 0 run cahn-hilliard -d native:serial --no-tune --size 64x64 --steps 20 --checkpoint ck --checkpoint-every 10
cp "$work/ck" "$work/ck.old" "$scratch"

# limited BLOCKS ARGUMENT...: runs the command with a limit of file size in blocks (of 512 or 1024 bytes), instead of a
# full disk.  Its messages go through a pipe.
limited() {
    : >"$scratch/out"
    {
        (cd "$work" && ulimit -f "$1" && shift && exec "$MESHWORK" "$@") 2>&1 >/dev/null
        echo "status $?"
    } | cat >"$scratch/messages"
    grep -v '^status ' "$scratch/messages" >"$scratch/err"
    status=$(sed -n 's/^status //p' "$scratch/messages")
}

# The checkpoint has slightly over 16 KiB.
for blocks in 0 3 15; do
    limited $blocks $run --restart ck --checkpoint-every 5
    [ "$status" -eq 1 ] || fail "exit code $status instead of 1 with $blocks blocks"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
        grep -q "^meshwork: cannot write checkpoint ck: .* [0-9]* bytes at most" "$scratch/err" ||
        fail "no line, or more, with $blocks blocks"
    kept "with $blocks blocks"
done
rm -f "$work/other"

# The series reaches the limit: whole rows remain.
gives 0 run cahn-hilliard -d native:serial --no-tune --size 64x64 --steps 20 --checkpoint ck --series s.csv
limited 1 $run --restart ck --series s.csv --every 1 --checkpoint-every 1000000000
[ "$status" -eq 1 ] && grep -q '^meshwork: cannot write series s.csv: .*ulimit -f' "$scratch/err" ||
    fail "exit code $status and no line of the series"
[ "$(tail -c 1 "$work/s.csv" | od -An -tx1)" = ' 0a' ] || fail "half a row is left"
commas=$(sed 's/[^,]//g' "$work/s.csv" | sort -u | wc -l)
[ "$commas" -eq 1 ] || fail "a row with other columns"
gives 0 run cahn-hilliard -d native:serial --no-tune --restart ck --series s.csv --steps 30
rm -f "$work"/*

# So do results: the message names file and limit, and nothing is half written.
limited 3 run cahn-hilliard -d native:serial --no-tune -q --size 64x64 --steps 20 -o out.npy
[ "$status" -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
    grep -q '^meshwork: cannot write out.npy: .*[0-9] bytes at most, by .ulimit -f' "$scratch/err" ||
    fail "exit code $status and no line of the result"
folder_holds ''

# Links are followed, also to missing targets.
mkdir "$work/sub"
ln -s sub/out.npy "$work/out.npy"
ln -s sub/ck "$work/ck"
gives 0 run cahn-hilliard -d native:serial --no-tune -q --size 64x64 --steps 20 --checkpoint ck -o out.npy
[ -L "$work/ck" ] && [ -L "$work/out.npy" ] || fail "links were replaced"
folder_holds sub/ck sub/out.npy

# The folder vanishes.
mkdir "$work/gone"
begins $run --every 1000000000 --checkpoint gone/ck --checkpoint-every 1000
mv "$work/gone" "$scratch/gone"  # at once: while its files are removed one by one, the run writes new ones
rm -rf "${scratch:?}/gone"
wait $process
status=$?
[ $status -eq 1 ] && [ "$(grep -c '^meshwork: ' "$scratch/err")" -eq 1 ] &&
    grep -q '^meshwork: cannot write checkpoint gone/ck: No such file' "$scratch/err" ||
    fail "exit code $status when the folder has vanished"
rm -rf "${work:?}"/*

# The folder is not writable, or no longer; root may write everywhere.
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$work/closed"
    chmod 500 "$work/closed"
    refuses 1 'closed' $run --checkpoint closed/ck
    chmod 700 "$work/closed"
    begins $run --every 1000000000 --checkpoint closed/ck --checkpoint-every 1000
    awaits [ -e "$work/closed/ck.old" ]
    chmod 500 "$work/closed"
    wait $process
    status=$?
    [ $status -eq 1 ] || fail "exit code $status when the folder is closed"
    chmod 700 "$work/closed"
    gives 5 $run --restart closed/ck --time-limit 0.01
    rm -rf "$work/closed"
fi

# A folder in place of the file, of the new one, and of the old one.
gives 0 run cahn-hilliard -d native:serial --no-tune --size 64x64 --steps 20 --checkpoint ck --checkpoint-every 10
for name in ck.new ck.old; do
    mv "$work/$name" "$scratch" 2>/dev/null
    mkdir "$work/$name"
    refuses 2 "$name (exists and belongs to another user|is not a checkpoint)" $run --restart ck --checkpoint-every 10
    rmdir "$work/$name"
done
refuses 1 'is a folder' $run --checkpoint .
rm -f "$work/ck"
folder_holds ''

# Two runs, one file: the second gets an error, and the first continues.
begins $run --every 1000000000 --checkpoint ck --series s.csv
refuses 1 'series s.csv: another run is writing it' $run --series s.csv --checkpoint other
kill -TERM $process
wait $process
status=$?
[ $status -eq 5 ] || fail "exit code $status of the first of two runs"
folder_holds ck s.csv
finish
