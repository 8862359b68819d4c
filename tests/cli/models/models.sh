#!/bin/sh
# The installed models, and those of the tests: against NumPy, and against what is known of the equations.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

numpy=$(with_numpy)
[ -n "$numpy" ] || skip "python3-numpy is not installed"
has_json || skip "meshwork was built without JSON"

# The references must agree with each other first.
try "$numpy" "$source_top/tests/cli/models/models.py" - ''
[ "$status" -eq 0 ] || fail "the references are wrong"

device=$(models_device)
[ -n "$device" ] || skip "no device builds models"
try "$numpy" "$source_top/tests/cli/models/models.py" "$MESHWORK" "$device"
[ "$status" -eq 0 ] || fail "the models go wrong on $device"
cat "$scratch/out"
finish
