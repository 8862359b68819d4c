#!/bin/sh
# The commands of the gallery make the pictures next to them.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
has_png || skip "built without libpng"
command -v gnuplot >/dev/null || skip "gnuplot is not installed"
by_numpy ../pictures/gallery.py "$source_top/doc/gallery.md"
