#!/bin/sh
# The command and the examples, as they are compiled, with the next library: make check-abi.
#
# The later library is this one, built in abi below the build folder from headers whose structs have grown at their end.
# These are the callers' structs, which begin with `size`, and the library's own (status.h). The tests fail if a call
# writes beyond the caller's size, or if a program depends on the size of a library's struct. packaging/abi.sh compares
# the declarations of two commits.
#
# Environment: $srcdir, $CC, $CXX, $MAKE; $TESTS: other tests than those of the command.
# SPDX-License-Identifier: MIT
set -u
cd "${srcdir:?}" && source=$PWD && cd - >/dev/null || exit 1
build=$PWD next=$PWD/abi
make=${MAKE:-make}
mkdir -p "$next/include/meshwork" || exit 1

# More than any struct has now: what is written beyond a caller's struct reaches beyond its neighbours.
grown=0
for header in "$source"/include/meshwork/*.h; do
    to=$next/include/meshwork/${header##*/}
    ${AWK:-awk} '
        BEGIN { more = "unsigned char mw_next[1024];" }
        /^struct mw_[a-z0-9_]+ \{/ {
            opened = 1
            grows = / may grow/
            if (/\{ size_t size;.*\};/ || (grows && /\};/)) {
                sub(/ \};/, " " more " };")
                grows = 0
            }
        }
        opened && /^ +size_t size;/ { grows = 1 }
        /^\};/ { if (grows) print "    " more; grows = opened = 0 }
        { print }' "$header" >"$to.new" || exit 1
    grown=$((grown + $(grep -c 'mw_next' "$to.new")))
    # Keep unchanged files, so that they are not compiled again.
    cmp -s "$to.new" "$to" && rm "$to.new" || mv "$to.new" "$to"
done
[ $grown -ge 50 ] || { echo "abi.sh: only $grown structs have grown"; exit 1; }

cd "$next" || exit 1
if [ ! -f config.status ]; then
    "$source/configure" -q CC="$CC -w -I$next/include" CXX="$CXX -w -I$next/include" CFLAGS="-g -O1" CXXFLAGS="-g -O1" \
        mw_cv_target_clones=no || exit 1
fi
$make libmeshwork.la || exit 1
cd "$build" || exit 1
LD_LIBRARY_PATH=$next/.libs ldd tools/.libs/meshwork | grep -q "$next" ||
    { echo "abi.sh: the command does not take the library in $next"; exit 1; }
use="MESHWORK='$build/tools/.libs/meshwork'; LD_LIBRARY_PATH='$next/.libs'; export LD_LIBRARY_PATH;"
if [ -n "${TESTS-}" ]; then
    $make -k check BUILT_COMMAND="$use"
else
    # shellcheck disable=SC2016 # a variable of make's
    $make -k check BUILT_COMMAND="$use" TESTS='$(CLI_TESTS)'
fi || exit 1
echo "$grown structs have grown, and programs did not notice"
