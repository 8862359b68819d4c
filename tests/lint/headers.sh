#!/bin/sh
# Each public header compiles by itself, as strict C11 and, if there is a C++ compiler, as C++11. A program that
# includes all of them and initialises every struct with a size compiles as well.
# SPDX-License-Identifier: MIT
set -u
include=${srcdir:-.}/include
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

# structs: writes a program with one of each struct that begins with `size`. It fails if MW_INIT leaves a size unset.
structs() {
    echo '#include <meshwork.h>'
    echo 'int main(void) {'
    echo '    int good = 1;'
    awk '
        opened != "" { if ($0 ~ /^ *size_t size;/) print opened
                       opened = "" }
        /^struct mw_[a-z0-9_]+ \{/ { if (/\{ size_t size;/) print $2; else opened = $2 }' meshwork/*.h |
    while read -r name; do
        echo "    { struct $name all = MW_INIT(all); good = good && all.size == sizeof all; }"
    done
    echo '    return !good;'
    echo '}'
}

# compile SUFFIX COMMAND...
compile() {
    suffix=$1
    shift
    for header in meshwork.h meshwork/*.h; do
        echo "#include <$header>" >"$folder/header.$suffix"
        "$@" -Wall -Wextra -Wshadow -Werror -pedantic -I. -c -o "$folder/header.o" "$folder/header.$suffix" || {
            echo "$header does not compile by itself: $*"
            failures=$((failures + 1))
        }
    done
    structs >"$folder/structs.$suffix"
    "$@" -Wall -Wextra -Wshadow -Werror -pedantic -I. -o "$folder/structs" "$folder/structs.$suffix" &&
        "$folder/structs" || {
        echo "structs are not initialised: $*"
        failures=$((failures + 1))
    }
    [ "$(grep -c MW_INIT "$folder/structs.$suffix")" -gt 40 ] || {
        echo "found only $(grep -c MW_INIT "$folder/structs.$suffix") structs with a size"
        failures=$((failures + 1))
    }
}

cd "$include" || exit 1
# shellcheck disable=SC2086 # CC may hold options
compile c ${CC:-cc} -std=c11
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
    compile cpp "${CXX:-c++}" -std=c++11
fi
[ $failures -eq 0 ]
