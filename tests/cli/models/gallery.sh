#!/bin/sh
# The installed models of fields, against NumPy, by a second reader of their files.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=$(with_numpy)
[ -n "$numpy" ] || skip "python3-numpy is not installed"
device=$(models_device)
[ -n "$device" ] || skip "no device builds models"
try "$numpy" "$source_top/tests/cli/models/gallery.py" "$MESHWORK" "$device" "$MESHWORK_KERNEL_PATH"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "a model differs from NumPy on $device"
finish
