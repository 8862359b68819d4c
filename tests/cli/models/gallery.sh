#!/bin/sh
# The installed models of fields, against NumPy, by a second reader of their files.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
by_numpy gallery.py "$MESHWORK_KERNEL_PATH"
