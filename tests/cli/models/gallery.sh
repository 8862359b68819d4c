#!/bin/sh
# The installed models of fields, against NumPy, by a second reader of their files.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && numpy=$python && break
done
[ -n "$numpy" ] || skip "python3-numpy is not installed"
device=native:serial
try "$MESHWORK" run -e 'c: -c' -d $device -q --no-tune --size 8x8 --steps 1
[ "$status" -eq 0 ] || device=$(driven)
[ -n "$device" ] || skip "no device builds models"
try "$numpy" "$source_top/tests/cli/models/gallery.py" "$MESHWORK" "$device" "$MESHWORK_KERNEL_PATH"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "a model differs from NumPy on $device"
finish
