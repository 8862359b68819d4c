#!/bin/sh
# No kernel walks into a trap that tools/lint-cl knows.
# SPDX-License-Identifier: MIT
exec "${srcdir:-.}/tools/lint-cl" "${srcdir:-.}/cl"
