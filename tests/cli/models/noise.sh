#!/bin/sh
# Noise that is multiplied by a field, conserved, or correlated between cells, against theory.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
by_numpy noise.py
