#!/bin/sh
# The exports of the library, the declarations of the public headers and src/libmeshwork.symbols are the same. The diff
# of that list shows each added or removed name. `tests/lint/symbols.sh list` prints the names of the headers. A name
# added after 0.1 is followed by its release ("mw_name 0.2"), which the linker records as its version.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
source=${srcdir:-.}
list=$source/src/libmeshwork.symbols
library=.libs/libmeshwork.so

# Prints each MW_API declaration of the headers: "function NAME", or "data TEXT".
declared() {
    ${AWK:-awk} -f "$source/tests/lint/declared.awk" "$source"/include/meshwork.h "$source"/include/meshwork/*.h |
        ${AWK:-awk} '
            !/\(/ { print "data", $0; next }
            { sub(/ *\(.*/, ""); sub(/.*[ *]/, ""); print "function", $0 }'
}

if [ "${1:-}" = list ]; then
    declared | sed -n 's/^function //p' | sort
    exit
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0
fail() { echo "$1"; failures=$((failures + 1)); }

declared >"$folder/all"
sed -n 's/^function //p' "$folder/all" | sort >"$folder/declared"
[ "$(wc -l <"$folder/declared")" -gt 100 ] || fail "found only $(wc -l <"$folder/declared") declarations in the headers"
if grep '^data' "$folder/all"; then
    fail "exported data cannot grow: let a function give it"
fi
sed 's/ .*//' "$list" >"$folder/list"
sort -u "$folder/list" | diff "$folder/list" - || fail "$list is not sorted, or has a name twice"
if ! diff "$folder/list" "$folder/declared"; then
    fail "$list (<) is not what the headers declare (>): tests/lint/symbols.sh list prints that.  Where a name goes, \
or what one takes changes, -version-info in src/library.am changes, too"
fi
if [ -f $library ]; then
    ${NM:-nm} -D --defined-only $library | sed 's/.* //' |
        grep -vx '_init\|_fini\|_edata\|_end\|__bss_start\|MESHWORK_[0-9.]*' | sort >"$folder/exported"
    # Where the linker gives versions, each name has its own.
    if grep -q @ "$folder/exported"; then
        ${AWK:-awk} '{ print $1 "@@MESHWORK_" (NF > 1 ? $2 : "0.1") }' "$list" | sort >"$folder/list"
    fi
    diff "$folder/list" "$folder/exported" || fail "$library exports other names (>) than $list has (<)"
else
    echo "no shared library: what it exports is left untested"
fi
[ $failures -eq 0 ]
