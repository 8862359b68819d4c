#!/bin/sh
# Noise that is multiplied by a field, conserved, or correlated between cells, against theory.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=$(with_numpy)
[ -n "$numpy" ] || skip "python3-numpy is not installed"
device=$(models_device)
[ -n "$device" ] || skip "no device builds models"
try "$numpy" "$source_top/tests/cli/models/noise.py" "$MESHWORK" "$device"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "noise differs from theory on $device"
finish
