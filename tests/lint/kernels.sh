#!/bin/sh
# No kernel walks into a trap that tools/lint-cl knows.
exec "${srcdir:-.}/tools/lint-cl" "${srcdir:-.}/cl"
