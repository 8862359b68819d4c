#!/bin/sh
# All C and C++ is formatted by .clang-format, and no blank line follows the declarations that begin a block. Skipped
# without clang-format 14: other versions format differently.
# SPDX-License-Identifier: MIT
set -u
cd "${srcdir:-.}" || exit 1
files=$(find bench examples include src tests tools \
    \( -path tests/home -o -name .libs -o -path 'src/field/program/native-*' \) -prune \
    -o -type f \( -name '*.[ch]' -o -name '*.cpp' \) -print | sort)
# shellcheck disable=SC2086 # names without spaces
${AWK:-awk} -f tests/lint/blank.awk $files || exit 1
for format in clang-format-14 clang-format; do
    $format --version 2>/dev/null | grep -q 'version 14\.' || continue
    # shellcheck disable=SC2086 # names without spaces
    $format --dry-run --Werror -ferror-limit=1 $files 2>&1 | sed -n "s/: error: .*/: run clang-format -i/p" | head |
        grep . && exit 1
    exit 0
done
echo "SKIP: clang-format 14 is not installed (Debian package clang-format)"
exit 77
