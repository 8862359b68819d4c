#!/bin/sh
# Work-groups and sizes that an OpenCL device cannot take.
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"
on_pocl "$0"

run="run cahn-hilliard --steps 4 --no-tune -q -d opencl:0.0"
expect 1 'work-group|[Gg]roup' $run --size 65536x512 --shape variant=fused,group=65536x1
expect 1 'work-group' $run --size 300x300 --shape variant=fused,vec=16,group=64x64
expect 1 '[Mm]emory|bytes|iB' $run --size 3000000x3000000
finish
