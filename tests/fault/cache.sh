#!/bin/sh
# Damaged entries in the cache of built programs are built again, without a word and with the same result.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"
on_pocl "$0"

# This cache keeps the output of the system's C compiler; PoCL keeps its own. tests/device/dev/program.c tests other
# drivers.
small="run heat --size 32x32 --steps 4 --no-tune -q -d native:serial"
programs=$MESHWORK_CACHE_DIR/programs

expect 0 '' $small
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
set -- "$programs"/*
[ -f "$1" ] || { fail "nothing was cached in $programs"; finish; }
mode=$(stat -c %a "$MESHWORK_CACHE_DIR" "$programs" | sort -u)
[ "$mode" = 700 ] || fail "the cache folder has mode $mode"

# damaged FILE WHAT: a run with FILE changed gives the same result, and rebuilds FILE.
damaged() {
    cp "$1" "$scratch/damaged"
    cmp -s "$1" "$scratch/whole" && fail "$2: nothing was changed"
    expect 0 '' $small
    [ "$(checksum)" = "$expected" ] || fail "another result after $2"
    cmp -s "$1" "$scratch/damaged" && fail "not made anew: ${1##*/} after $2"
    [ "$(ls -A "$programs")" = "$entries" ] || fail "other files in the cache after $2"
}

# flip OFFSET FILE: inverts all bits of a byte.
flip() {
    byte=$(od -An -tu1 -j "$1" -N 1 "$2" | tr -d ' ')
    # shellcheck disable=SC2059 # the byte as an escape is the format
    printf "\\$(printf %03o $((255 - byte)))" | dd of="$2" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

entries=$(ls -A "$programs")
for file in "$programs"/*; do
    # Magic, versions, lengths and key come first; then the program, with its checksum at the end.
    for at in 0 8 12 16 24 third half last; do
        size=$(wc -c <"$file")
        case $at in
            third) at=$((size / 3)) ;;
            half) at=$((size / 2)) ;;
            last) at=$((size - 1)) ;;
        esac
        cp "$file" "$scratch/whole"
        flip $at "$file"
        damaged "$file" "byte $at of $size flipped"
    done
    cp "$file" "$scratch/whole"
    dd if="$scratch/whole" of="$file" bs=512 count=8 2>/dev/null
    damaged "$file" "the end of the entry lost"
    cp "$file" "$scratch/whole"
    : >"$file"
    damaged "$file" "the entry emptied"
done

# A folder in place of an entry.
file=$(ls "$programs" | head -n 1)
rm "$programs/$file"
mkdir "$programs/$file"
expect 0 '' $small
[ "$(checksum)" = "$expected" ] || fail "another result after a folder in an entry's place"

# Damaged files of PoCL, with which PoCL would end the process at each start.
small="run heat --size 32x32 --steps 4 --no-tune -d opencl:0.0"
pocl=$MESHWORK_CACHE_DIR/pocl
expect 0 '' $small
expected=$(checksum)
for damage in '*.so 0' '*.so 3000' '*.so byte' '*.so kept' 'program.bc 1000' 'program.bc 4096'; do
    expect 0 '' $small                           # what was made anew is known from now on
    file=$(find "$pocl" -name '*.so' | sort | head -n 1)
    [ "${damage%% *}" = '*.so' ] || file=${file%/*/*/*}/program.bc
    case $damage in
        *byte) flip 2000 "$file" ;;
        *kept)                                   # by a program that leaves size and time as they were
            touch -r "$file" "$scratch/time"
            flip 2000 "$file"
            touch -r "$scratch/time" "$file" ;;
        *) truncate -s "${damage##* }" "$file" ;;
    esac
    if [ "${damage#'*.so '[bk]}" = "$damage" ]; then
        gives 0 doctor -d native:serial
        prints "^warn +files of PoCL +1 of .*${file##*/}; .*cache clear"
    fi
    expect 0 "PoCL's files of 1 program in .* made anew" $small
    [ "$(checksum)" = "$expected" ] || fail "another result after $damage"
done
gives 0 doctor -d native:serial
prints '^ok +files of PoCL '

# Truncated new files, without earlier information about them.
rm -f "$MESHWORK_CACHE_DIR/drivers/pocl.files"
find "$pocl" -name '*.so' -exec truncate -s 0 {} +
expect 0 "PoCL's files of [0-9]+ programs? in .* made anew" $small

# Undetected damage: PoCL calls abort(), and the next run rebuilds all files.
# shellcheck disable=SC2044 # names without spaces
for file in $(find "$pocl" -name '*.so'); do
    size=$(wc -c <"$file")
    { head -c 64 "$file" && head -c $((size - 64)) /dev/zero; } >"$scratch/zeros"
    cp "$scratch/zeros" "$file"
done
rm -f "$MESHWORK_CACHE_DIR/drivers/pocl.files"
gives 4 $small
says "^meshwork: opencl:0.0 .* the driver ended the program; files .* in $pocl may be damaged: run it again"
expect 0 "PoCL's files of [0-9]+ programs? in .* made anew" $small
[ "$(checksum)" = "$expected" ] || fail "another result after PoCL called abort()"

# Files that another process is making or loading are not removed.  The linker waits until the other process has waited
# for the lock, which is the file that it has open, or has cleared the cache.
mkdir "$scratch/bin"
cat >"$scratch/bin/ld" <<EOF
#!/bin/sh
mkdir "$scratch/once" 2>/dev/null && {
    "$MESHWORK" cache clear >"$scratch/cleared" 2>&1 &
    looks=0 tries=0
    until [ \$looks -ge 5 ] || [ \$tries -ge 600 ] || grep -q ^removed "$scratch/cleared"; do
        sleep 0.1
        ls -l /proc/\$!/fd 2>/dev/null | grep -q "$MESHWORK_CACHE_DIR/.*lock" && looks=\$((looks + 1))
        tries=\$((tries + 1))
    done
    echo "\$looks" >"$scratch/looks"
}
exec $(command -v ld) "\$@"
EOF
chmod +x "$scratch/bin/ld"
"$MESHWORK" cache clear -q >/dev/null
try env PATH="$scratch/bin:$PATH" "$MESHWORK" $small
[ -d "$scratch/once" ] || fail "PoCL links with another program"
[ "$(cat "$scratch/looks")" -ge 5 ] || fail "another process did not wait to clear the cache"
[ "$status" -eq 0 ] && [ "$(checksum)" = "$expected" ] ||
    fail "exit code $status where another process clears the cache"
awaits grep -q '^removed .* [1-9][0-9]* files of PoCL' "$scratch/cleared"
grep -q '^removed .* [1-9][0-9]* files of PoCL' "$scratch/cleared" || fail "the cache was not cleared"

expect 0 '' $small
gives 0 cache clear
prints '^removed [0-9]+ built kernels, .* and [1-9][0-9]* files of PoCL, [0-9.]+ .?i?B'

# A folder chosen by the user is not cleared; if it is not writable, the message names it.
POCL_CACHE_DIR=$scratch/chosen
export POCL_CACHE_DIR
expect 0 '' $small
find "$scratch/chosen" -name '*.so' -exec truncate -s 0 {} +
gives 0 doctor -d native:serial
prints '^warn +files of PoCL .*/chosen are damaged: .*remove that folder'
gives 4 $small
says "^meshwork: .* the driver ended the program; files .* in $scratch/chosen may be damaged: remove that folder"
: >"$scratch/file"
for POCL_CACHE_DIR in "$scratch/file/below" /proc/meshwork; do
    try "$MESHWORK" $small
    [ "$status" -eq 3 ] && grep -q 'meshwork doctor' "$scratch/err" ||
        fail "exit code $status with a folder that cannot be made: $POCL_CACHE_DIR"
    gives 0 doctor -d native:serial
    prints "^warn +platform .*POCL_CACHE_DIR=$POCL_CACHE_DIR: .*unset that variable"
done
unset POCL_CACHE_DIR

# A full disk, in a mount namespace of the command: the driver's files go elsewhere.  If there is no space either, one
# line gives the reason of the driver's failure.
small="run cahn-hilliard --size 32x32 --steps 4 --no-tune -q -d opencl:0.0"
expect 0 '' $small
expected=$(checksum)
mkdir "$scratch/disk"
# shellcheck disable=SC2016 # for the inner shell
mounts='mount -t tmpfs -o size=100k none "$0" && exec "$@"'
unshare -rm sh -c "$mounts" "$scratch/disk" true 2>/dev/null || finish
# shellcheck disable=SC2016 # for the inner shell
try env POCL_CACHE_DIR="$scratch/disk" unshare -rm sh -c 'mount -t tmpfs -o ro none "$0" && exec "$@"' "$scratch/disk" \
    "$MESHWORK" $small
[ "$status" -eq 1 ] && grep -q "^meshwork: .*POCL_CACHE_DIR=$scratch/disk: Read-only.*unset" "$scratch/err" ||
    fail "exit code $status with a folder that cannot be written to"
MESHWORK_CACHE_DIR=$scratch/disk
try unshare -rm sh -c "$mounts" "$scratch/disk" "$MESHWORK" $small
[ "$status" -eq 0 ] && [ "$(checksum)" = "$expected" ] || fail "exit code $status with a full disk"
silent
try env TMPDIR="$scratch/disk" unshare -rm sh -c "$mounts" "$scratch/disk" "$MESHWORK" $small
[ "$status" -eq 1 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q '^meshwork: .*No space left' "$scratch/err" ||
    fail "exit code $status and no line, or more, where all disks are full"
finish
