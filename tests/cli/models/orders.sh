#!/bin/sh
# The orders of operators, boundary conditions and integrators, by solutions that are known.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
by_numpy orders.py
