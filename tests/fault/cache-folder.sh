#!/bin/sh
# Cache folders that cannot be used are done without.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

device=$(driven)
: "${device:=native:pthreads}"
# The first command writes the tuning file, the second the cache of built programs, if there is one.
tuned="tune heat --size 32x32 --budget 0.2 -q -d native:serial"
small="run heat --size 32x32 --steps 4 -q --no-tune -d $device"
expect 0 '' $tuned
expect 0 '' $small
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"

# without WHAT: the runs succeed silently with the same result.
without() {
    expect 0 '' $tuned
    expect 0 '' $small
    [ "$(checksum)" = "$expected" ] || fail "another result with $1, on $device"
}

# Root may write everywhere, but cannot make a folder below a file.
: >"$scratch/file"
MESHWORK_CACHE_DIR=$scratch/file/below
without "a cache that cannot be made"
MESHWORK_CACHE_DIR=$scratch/file
without "a file in the cache's place"

mkdir "$scratch/shared"
chmod 777 "$scratch/shared"
MESHWORK_CACHE_DIR=$scratch/shared
without "a cache that others may write to"
[ -z "$(ls -A "$scratch/shared")" ] || fail "a cache that others may write to is used: $(ls -A "$scratch/shared")"

if [ "$(id -u)" -eq 0 ]; then
    mkdir -m 700 "$scratch/foreign"
    chown 65534 "$scratch/foreign"
    MESHWORK_CACHE_DIR=$scratch/foreign
    without "somebody else's cache"
    [ -z "$(ls -A "$scratch/foreign")" ] || fail "somebody else's cache is used: $(ls -A "$scratch/foreign")"
else
    mkdir -m 500 "$scratch/locked"
    MESHWORK_CACHE_DIR=$scratch/locked
    without "a cache without the right to write"
fi

# Without HOME and other variables.
mkdir "$scratch/tmp"
before=$(ls -Ad /tmp/pocl* /tmp/_cache* 2>/dev/null)
try env -i PATH="$PATH" LD_LIBRARY_PATH="${LD_LIBRARY_PATH-}" TMPDIR="$scratch/tmp" \
    ${OCL_ICD_VENDORS:+"OCL_ICD_VENDORS=$OCL_ICD_VENDORS"} \
    MESHWORK_KERNEL_PATH="$MESHWORK_KERNEL_PATH" "$MESHWORK" $small
[ "$status" -eq 0 ] || fail "without HOME: exit code $status"
[ -s "$scratch/err" ] && fail "without HOME: messages"
[ "$(checksum)" = "$expected" ] || fail "another result without HOME"
[ "$(ls -Ad /tmp/pocl* /tmp/_cache* 2>/dev/null)" = "$before" ] ||
    fail "without HOME, a cache in /tmp that all can write to"
[ -z "$(ls -A "$scratch/tmp")" ] || fail "without HOME, left in TMPDIR: $(ls -A "$scratch/tmp")"
folder_holds ''

# A read-only folder is used for reading.
MESHWORK_CACHE_DIR=$scratch/readonly
gives 0 $tuned
# shellcheck disable=SC2016 # for the inner shell
read_only='mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
if unshare -rm sh -c "$read_only" "$MESHWORK_CACHE_DIR" true 2>/dev/null; then
    for list in 'cache list' 'tune --list'; do
        try unshare -rm sh -c "$read_only" "$MESHWORK_CACHE_DIR" "$MESHWORK" $list
        [ "$status" -eq 0 ] || fail "exit code $status of $list"
        grep -q "$MESHWORK_CACHE_DIR\|heat" "$scratch/out" || fail "$list of a read-only cache says nothing"
    done
fi

# HOME does not exist.
HOME=$scratch/nobody
unset MESHWORK_CACHE_DIR
expect 0 '' $small
rm -rf "$scratch/nobody"
HOME=relative
expect 0 '' $small
finish
