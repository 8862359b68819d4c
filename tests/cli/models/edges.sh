#!/bin/sh
# Random boundary conditions of fields, coordinates and times, against NumPy.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
by_numpy edges.py "${MESHWORK_TEST_ALL:+4}6"
