#!/bin/sh
# Maps, starts and lengths of fields, against NumPy, on native devices and one other.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=$(with_numpy)
[ -n "$numpy" ] || skip "python3-numpy is not installed"
has_json || skip "meshwork was built without JSON"
device=$(models_device)
[ -n "$device" ] || skip "no device builds models"
devices=$device
[ "$device" = native:pthreads ] || [ "$device" = native ] || devices="$device native:pthreads"
try "$numpy" "$source_top/tests/cli/models/maps.py" "$MESHWORK" "$devices"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "maps go wrong on $devices"
finish
