#!/bin/sh
# doctor: one line per check, JSON, and the exit code of a failure.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

gives 0 doctor -d native:pthreads
prints '^ok +kernels '
prints '^ok +cache '
prints '^ok +known answer +native:pthreads .*same bits'
if grep -Evq '^(ok|none|warn|fail) ' "$scratch/out"; then
    fail "a line that is not a check"
fi

gives 1 doctor -d native:serial --kernel-path "$scratch/nowhere"
prints '^fail +kernels .*--kernel-path'
[ "$(grep -c '^meshwork: ' "$scratch/err")" -eq 1 ] || fail "not one line of error"

MESHWORK_CACHE_DIR=/dev/null/cache
gives 0 doctor -d native:serial
prints '^warn +cache '
MESHWORK_CACHE_DIR=$scratch/cache

if has_json; then
    gives 0 doctor -d native:serial --json
    json_keys checks name status remedy
fi

# Without any driver there is a warning, not a failure.
mkdir "$scratch/no-drivers"
OCL_ICD_VENDORS=$scratch/no-drivers/
export OCL_ICD_VENDORS
gives 0 doctor
prints '^warn +driver files .*pocl-opencl-icd'
finish
