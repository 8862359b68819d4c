#!/bin/sh
# Runs all tests in builds with sanitizers: make check-sanitizers.
#
# Each build is in sanitizers/NAME below the build folder, with its reports in reports/, and stays there for the next
# time. Prints one line per build at the end; exits 0 only if all tests passed without a report.
#
#   address    outside of memory, after its end, leaks; undefined behaviour
#   thread     data races
#
# Environment: $srcdir, $CC, $CXX, $MAKE; $SANITIZERS: names of those wanted, all of them without it.
# SPDX-License-Identifier: MIT
set -u
cd "${srcdir:?}" && source=$PWD && cd - >/dev/null || exit 1
top=$PWD/sanitizers
make=${MAKE:-make}
failures=0
# With TESTS=... on the command line of make, these alone.
target=check-all
[ -z "${TESTS-}" ] || target=check

# sanitized NAME FLAGS [CXXFLAGS]: configures and builds with these flags, and runs the tests.  C++ has the same flags,
# or its own.
sanitized() {
    name=$1 build=$top/$1
    # Flags are in CC, so that programs of the build and of tests have them; kernels get them by MESHWORK_CC at run
    # time. A clone of a function is chosen before a sanitizer is ready, so there are no clones.
    cc="$CC $2 -fno-sanitize-recover=all -fno-omit-frame-pointer"
    cxx="$CXX ${3:-$2 -fno-sanitize-recover=all} -fno-omit-frame-pointer"
    rm -rf "$build/reports" "$build/test-suite.log"
    mkdir -p "$build/reports" "$top/vendors" || return 1
    if [ ! -f "$build/config.status" ]; then
        (cd "$build" && "$source/configure" CC="$cc" CXX="$cxx" CFLAGS="-g -O1" CXXFLAGS="-g -O1" \
            LDFLAGS="$2" mw_cv_target_clones=no) || return 1
    fi
    # The exit code differs from ours. Reports go to files, since some tests discard the output of processes. Leaks are
    # not searched in the data of TBB's threads, which outlive our arenas and unloaded libraries.
    common=exitcode=99:log_path=$build/reports/report
    ASAN_OPTIONS=$common:allocator_may_return_null=1:intercept_tls_get_addr=0
    UBSAN_OPTIONS=$common:print_stacktrace=1
    TSAN_OPTIONS=$common:allocator_may_return_null=1
    # ThreadSanitizer writes a file there at each start, if it can: not where a test forbids the writing of files.
    TEST_TMPDIR=$build/none
    MESHWORK_CC=$cc
    # OpenCL drivers are not sanitized: tests run only drivers that they select by name.
    OCL_ICD_VENDORS=$top/vendors/
    export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS TEST_TMPDIR MESHWORK_CC OCL_ICD_VENDORS MESHWORK_TEST_ON
    (cd "$build" && $make -k "$target")
}

# count WORD: that line of the last build's summary; 0 where it came to none.
count() {
    found=$(sed -n "s/^# $1: *\([0-9]*\)\$/\1/p" "$build/test-suite.log" 2>/dev/null | head -n 1)
    echo "${found:-0}"
}

# after STATUS: what came of the last build, as a line of the summary.
after() {
    # The logs also report refused memory, and forked processes that end without their parent's threads: tests do both.
    reports=$(grep -rlE 'ERROR: |runtime error: |WARNING: ThreadSanitizer: ' "$build/reports" | wc -l)
    passed=$(count PASS) skipped=$(count SKIP) failed=$(($(count FAIL) + $(count ERROR)))
    [ "$1" -eq 0 ] && [ "$reports" -eq 0 ] || failures=$((failures + 1))
    summary="$summary$name: $passed passed, $skipped skipped, $failed failed, $reports reports"
    [ "$1" -eq 0 ] || summary="$summary; make ended with $1"
    summary="$summary
"
}

summary=
for wanted in ${SANITIZERS:-address thread}; do
    case $wanted in
        address)
            MESHWORK_TEST_ON='serial pthreads tbb pocl'
            sanitized address -fsanitize=address,undefined
            ;;
        thread)
            MESHWORK_TEST_ON='serial pthreads tbb'
            # See executor_tbb.cpp, the one file of C++.
            sanitized thread -fsanitize=thread -DMW_THREAD_SANITIZER
            ;;
        *)
            echo "no sanitizers are called '$wanted': there are address and thread" >&2
            exit 2
            ;;
    esac
    after $?
done
printf '\n%s' "$summary"
[ $failures -eq 0 ] || echo "reports are in $top/*/reports, logs of tests in $top/*/tests"
[ $failures -eq 0 ]
