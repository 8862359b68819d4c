#!/bin/sh
# Sizes that memory cannot take, and numbers that make no sense.
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

run="run cahn-hilliard --steps 4 --no-tune -q"
expect 1 '[Mm]emory|bytes|iB' $run --size 3000000x3000000 -d native:serial
expect 2 'size' $run --size 4294967296x4294967296 -d native:serial
expect 2 'size' $run --size 99999999999999999999x2 -d native:serial
expect 2 'size' $run --size 0x16 -d native:serial
expect 2 'threads' $run --size 32x32 -d native:pthreads --threads 100000000
finish
