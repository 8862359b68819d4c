#!/bin/sh
# The CUDA backend where things go wrong, on CUDA on the host: no NVRTC, and each function of the driver failing once.
# Each time: the right answer or one line, and nothing that is never freed.
# shellcheck disable=SC2086 # $small is several words
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

if [ -z "${MESHWORK_CUDA_LOG:-}" ]; then
    rm -rf "$scratch"
    exec sh "${srcdir:-.}/tests/on" hostcuda sh "$0"
fi

small="run heat --size 64x48 --steps 3 --no-tune --variant fused"

# Only the driver, without NVRTC: the device is passed over with advice.
MESHWORK_CUDA_ONLY=driver
export MESHWORK_CUDA_ONLY
"$MESHWORK" devices >"$scratch/out" 2>"$scratch/err" || fail "devices fails without NVRTC"
grep -q 'cuda:0' "$scratch/out" && fail "a device that cannot be used is listed"
grep -q 'cuda:0 .*passed over: NVRTC.*CUDA_PATH' "$scratch/err" || fail "nothing says that NVRTC is missing"
"$MESHWORK" $small -d cuda:0 >"$scratch/out" 2>"$scratch/err"
[ $? -eq 3 ] || fail "a device without NVRTC is used"
grep -q 'NVRTC' "$scratch/err" || fail "nothing says why cuda:0 is not there"
unset MESHWORK_CUDA_ONLY

# Vectors in registers are structs, and images are textures: the same bits.
while read -r boundary shape; do
    "$MESHWORK" run cahn-hilliard --size 70x48 --steps 3 --no-tune --shape "$shape" --boundary "$boundary" -d cuda:0 \
        --verify >"$scratch/out" 2>"$scratch/err" || fail "$shape, $boundary: $(cat "$scratch/err")"
    grep -q '^verified' "$scratch/out" || fail "$shape, $boundary: not verified"
done <<'END'
periodic variant=registers,vec=4,per_item=1,rows=16,group=32x1
mirror variant=registers,vec=4,per_item=1,rows=0,group=16x1,steps=2
mirror variant=registers,vec=2,rows=1,group=16x8
mirror variant=image
periodic variant=image
END

# each DEVICES: makes each function called by the run fail the first time.
each() {
    MESHWORK_CUDA_CALLS=$scratch/calls
    export MESHWORK_CUDA_CALLS
    "$MESHWORK" $small -q -d "$1" >"$scratch/out" 2>"$scratch/err" || fail "it does not run on $1"
    unset MESHWORK_CUDA_CALLS
    expected=$(checksum)
    [ -n "$expected" ] || fail "no checksum"
    sort -u "$scratch/calls" >"$scratch/names"
    [ "$(wc -l <"$scratch/names")" -ge "$2" ] || fail "only few functions are called: $(cat "$scratch/names")"
    while read -r name; do
        MESHWORK_CUDA_FAIL=$name:1 "$MESHWORK" $small -d "$1" >"$scratch/out" 2>"$scratch/err"
        code=$?
        case $code in
            0) [ "$(checksum)" = "$expected" ] || fail "$name fails once, and the answer is another one" ;;
            1|3) [ "$(grep -c '^meshwork: ' "$scratch/err")" -eq 1 ] || fail "$name fails: not one line" ;;
            *) fail "$name fails: exit $code" ;;
        esac
        [ ! -s "$MESHWORK_CUDA_LOG" ] || fail "$name fails: $(cat "$MESHWORK_CUDA_LOG")"
    done <"$scratch/names"
}
each cuda:0 25
# No memory for any request.
MESHWORK_CUDA_FAIL=cuMemAllocFromPoolAsync:2+ "$MESHWORK" $small -d cuda:0 >"$scratch/out" 2>"$scratch/err"
[ $? -eq 1 ] || fail "it runs without memory: $(cat "$scratch/err")"
[ "$(grep -c '^meshwork: ' "$scratch/err")" -eq 1 ] || fail "no memory: not one line"
[ ! -s "$MESHWORK_CUDA_LOG" ] || fail "no memory: $(cat "$MESHWORK_CUDA_LOG")"
# Enough launches to be submitted as graphs.
short=$small
small="run heat --size 32x16 --steps 60 --no-tune --variant fused"
each cuda:0 32
# Kernels for exact groups are assembled, and again for another group of a unit.
small="run heat --size 64x24 --steps 4 --no-tune --shape variant=registers,vec=4,per_item=1,rows=0,group=16x1,steps=2"
each cuda:0 30
[ "$(grep -c '^cuLinkComplete' "$scratch/calls")" -ge 2 ] || fail "kernels of exact groups are not assembled twice"
grep -q '^cuGraphExecKernelNodeSetParams' "$scratch/names" || fail "launches do not go in graphs"
small=$short
MESHWORK_CUDA_DEVICES=2
export MESHWORK_CUDA_DEVICES
each cuda:0,cuda:1 28
grep -q '^cuMemcpyPeerAsync' "$scratch/names" || fail "borders do not go from device to device"

# Borders are copied between devices, and through the host if the driver has no direct path.
MESHWORK_CUDA_DEVICES=4
while read -r run; do
    for devices in cuda:0,cuda:1,cuda:2 cuda:0,cuda:3; do
        "$MESHWORK" $run -d $devices --verify >"$scratch/out" 2>"$scratch/err" ||
            fail "$run on $devices: $(cat "$scratch/err")"
        grep -q '^verified' "$scratch/out" || fail "$run on $devices: not verified"
        [ ! -s "$MESHWORK_CUDA_LOG" ] || fail "$run on $devices: $(cat "$MESHWORK_CUDA_LOG")"
    done
done <<'END'
run heat --size 64x48 --steps 30 --no-tune --variant fused
run ising --size 64x96 --steps 12 --variant crinkled
run heat --size 65536x40 --steps 1 --no-tune --variant fused --memory-limit 16MiB
END
finish
