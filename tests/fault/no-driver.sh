#!/bin/sh
# Without any OpenCL driver, the native devices remain, with one message.
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

mkdir "$scratch/vendors"
OCL_ICD_VENDORS=$scratch/vendors/
export OCL_ICD_VENDORS
small="run cahn-hilliard --size 32x32 --steps 4 --no-tune"

expect 0 'OpenCL' devices
grep -q native:serial "$scratch/out" || fail "native:serial is not listed"
grep -q opencl: "$scratch/out" && fail "an OpenCL device is listed"
expect 0 'OpenCL' $small
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
expect 0 '' $small -d native:serial
[ "$(checksum)" = "$expected" ] || fail "native:serial and the default differ"
expect 0 '' $small -q
expect 3 'gpu' $small -d gpu
expect 3 'opencl:0.0' $small -d opencl:0.0
finish
