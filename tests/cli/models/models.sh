#!/bin/sh
# The installed models, and those of the tests: against NumPy, and against what is known of the equations.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && numpy=$python && break
done
[ -n "$numpy" ] || skip "python3-numpy is not installed"
has_json || skip "meshwork was built without JSON"

# The references must agree with each other first.
try "$numpy" "$source_top/tests/cli/models/models.py" - ''
[ "$status" -eq 0 ] || fail "the references are wrong"

# Native devices need a compiler for these models; otherwise a driver is used.
device=native:serial
try "$MESHWORK" run heat -d $device -q --no-tune --size 8x8 --steps 1
[ "$status" -eq 0 ] || device=$(driven)
[ -n "$device" ] || skip "no device builds models"
try "$numpy" "$source_top/tests/cli/models/models.py" "$MESHWORK" "$device"
[ "$status" -eq 0 ] || fail "the models go wrong on $device"
cat "$scratch/out"
finish
