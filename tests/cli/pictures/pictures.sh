#!/bin/sh
# Pictures, figures and films of runs, against their states.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
has_png || skip "built without libpng"
by_numpy ../pictures/pictures.py
