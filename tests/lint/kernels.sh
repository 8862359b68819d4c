#!/bin/sh
# tools/lint-cl finds nothing in the kernels.
# SPDX-License-Identifier: MIT
exec "${srcdir:-.}/tools/lint-cl" "${srcdir:-.}/cl"
