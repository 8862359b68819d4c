#!/bin/sh
# Random boundary conditions of fields, coordinates and times, against NumPy.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=$(with_numpy)
[ -n "$numpy" ] || skip "python3-numpy is not installed"
device=$(models_device)
[ -n "$device" ] || skip "no device builds models"
try "$numpy" "$source_top/tests/cli/models/edges.py" "$MESHWORK" "$device" "${MESHWORK_TEST_ALL:+4}6"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "a boundary condition differs from NumPy on $device"
finish
