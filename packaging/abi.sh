#!/bin/sh
# packaging/abi.sh OLD [NEW]: does what was compiled with OLD's library run with NEW's?  Either is a commit or a tag,
# which is built for it, or a folder in which it was built with -g; NEW is ./build by itself.
#
# Exits with 0 where nothing changed or names were added, with 1 where what was there is gone or another, with 2 where
# that cannot be told.  A struct of options that grew at its end is told as a change, and harms nobody: it begins with
# its size.
# SPDX-License-Identifier: MIT
set -u
[ $# -ge 1 ] || { sed -n '2,7s/^# *//p' "$0" >&2; exit 2; }
command -v abidiff >/dev/null 2>&1 || { echo "abi.sh: no abidiff: install abigail-tools" >&2; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# library NAME WHAT: the library of a folder or a commit, and its public headers, as NAME.so and NAME.
library() {
    if [ -f "$2/.libs/libmeshwork.so" ]; then
        from=$2
        headers=$source/include
    else
        { git clone -q "$source" "$work/$1.git" && cd "$work/$1.git" && git checkout -q "$2" && ./bootstrap &&
            ./configure CFLAGS='-g -O1' mw_cv_target_clones=no && make libmeshwork.la; } >"$work/log" 2>&1 ||
            { tail -n 5 "$work/log" >&2; echo "abi.sh: $2 is no build and no commit that builds" >&2; return 2; }
        from=$work/$1.git
        headers=$from/include
    fi
    cp -L "$from/.libs/libmeshwork.so" "$work/$1.so" && cp -R "$headers" "$work/$1"
}

(library old "$1") && (library new "${2:-$source/build}") || exit 2
abidiff --headers-dir1 "$work/old" --headers-dir2 "$work/new" --drop-private-types --no-added-syms \
    "$work/old.so" "$work/new.so"
status=$?
# Bits: 1 and 2 are errors and wrong usage, 4 is any change, 8 one that breaks for certain.
[ $((status & 3)) -eq 0 ] || exit 2
[ $status -eq 0 ]
