#!/bin/sh
# Work-groups and sizes that an OpenCL device cannot take.
# shellcheck disable=SC2015,SC2086 # fail always succeeds; lists of words are meant to split
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"
on_pocl "$0"

run="run cahn-hilliard --steps 4 --no-tune -q -d opencl:0.0"
expect 1 'work-group|[Gg]roup' $run --size 65536x512 --shape variant=fused,group=65536x1
expect 1 'work-group' $run --size 300x300 --shape variant=fused,vec=16,group=64x64
expect 1 '[Mm]emory|bytes|iB' $run --size 3000000x3000000

# A control group that leaves less than the machine has, of either version, in a mount namespace of the command's own.
# shellcheck disable=SC2016 # for the inner shell
grouped='mount -t tmpfs none /sys/fs/cgroup && mkdir -p "/sys/fs/cgroup/$1/above/below" &&
    echo 104857600 >"/sys/fs/cgroup/$1/above/$2" && echo "$3" >"/sys/fs/cgroup/$1/above/below/$2" &&
    mount --bind "$0" /proc/$$/cgroup && shift 3 && exec "$@"'
for version in '0::/above/below . memory.max max' \
        '4:memory:/above/below memory memory.limit_in_bytes 9223372036854771712'; do
    set -- $version
    echo "$1" >"$scratch/group"
    unshare -rm sh -c "$grouped" "$scratch/group" "$2" "$3" "$4" true 2>/dev/null || continue
    try unshare -rm sh -c "$grouped" "$scratch/group" "$2" "$3" "$4" "$MESHWORK" devices
    [ "$(grep -c ' 100 MiB ' "$scratch/out")" -eq "$(($(wc -l <"$scratch/out") - 1))" ] ||
        fail "not all devices keep to the limit of their control group: $3"
    try unshare -rm sh -c "$grouped" "$scratch/group" "$2" "$3" "$4" "$MESHWORK" $run --size 8192x8192
    [ "$status" -eq 1 ] && grep -q 'enough memory' "$scratch/err" || fail "exit code $status beyond the group's memory"
done
finish
