#!/bin/sh
# Each public header compiles by itself, as strict C11 and, where there is a compiler for it, as C++.
# SPDX-License-Identifier: MIT
set -u
include=${srcdir:-.}/include
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

# compile SUFFIX COMMAND...
compile() {
    suffix=$1
    shift
    for header in meshwork.h meshwork/*.h; do
        echo "#include <$header>" >"$folder/header.$suffix"
        "$@" -Wall -Wextra -Werror -pedantic -I. -c -o "$folder/header.o" "$folder/header.$suffix" || {
            echo "$header does not compile by itself: $*"
            failures=$((failures + 1))
        }
    done
}

cd "$include" || exit 1
# shellcheck disable=SC2086 # CC may hold options
compile c ${CC:-cc} -std=c11
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    compile cpp "${CXX:-c++}" -std=c++11
fi
[ $failures -eq 0 ]
