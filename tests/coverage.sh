#!/bin/sh
# Lines that tests execute: make coverage.  Builds everything again in coverage below the build folder, without
# optimisation and with gcc's counters, and runs the tests.  Prints the number of executed lines per folder of src and
# tools; lines.txt there has each file.  Kernels are not counted.  Lines of tests that fail count, too.
#
# Environment: $srcdir, $CC, $CXX, $MAKE; $GCOV: that of the compiler (gcov).  With TESTS=... on the command line of
# make, these alone.
# SPDX-License-Identifier: MIT
set -u
cd "${srcdir:?}" && source=$PWD && cd - >/dev/null || exit 1
gcov=${GCOV:-gcov} build=$PWD/coverage
make=${MAKE:-make}
command -v "$gcov" >/dev/null 2>&1 || { echo "coverage.sh: no $gcov: give that of the compiler as GCOV" >&2; exit 1; }
mkdir -p "$build" && cd "$build" || exit 1
if [ ! -f config.status ]; then
    # In CC, so that links have it as well.  Threads share counters.
    "$source/configure" -q CC="$CC --coverage -fprofile-update=atomic" CXX="$CXX --coverage -fprofile-update=atomic" \
        CFLAGS="-g -O0" CXXFLAGS="-g -O0" mw_cv_target_clones=no || exit 1
fi
# Counters of an earlier build or run.
find . -name '*.gcda' -exec rm -f {} +
# Models that are compiled at run time have no counters.
MESHWORK_CC=$CC
export MESHWORK_CC
$make -k check || echo "some tests failed: see $build/test-suite.log"
find . -name '*.gcda' -exec "$gcov" -n -r -s "$source" {} + 2>/dev/null | ${AWK:-awk} '
    /^File / { file = $0 ~ /^File .(src|tools)\// ? substr($0, 7, length($0) - 7) : "" }
    /^Lines executed:/ && file != "" {
        split($0, part, /[:% ]+/)
        printf "%s %d %d\n", file, part[5], part[3] * part[5] / 100 + 0.5
        file = "" # the sum of all follows the last one
    }' | sort >lines.txt
[ -s lines.txt ] || { echo "coverage.sh: $gcov has found nothing" >&2; exit 1; }
printf '%-28s %7s %7s %6s\n' folder lines run %
${AWK:-awk} '
    function add(folder) { lines[folder] += $2; run[folder] += $3 }
    { folder = $1; sub(/\/[^\/]*$/, "", folder); add(folder); add("all") }
    END { for (folder in lines) printf "%-28s %7d %7d %6.1f\n", folder, lines[folder], run[folder],
                                       100 * run[folder] / lines[folder] }' lines.txt | sort
