# shellcheck shell=sh
# Common functions of the tests of faults, in addition to cli.sh; each test sources this file.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

# expect CODE PATTERN ARGUMENT...: the command exits with CODE and prints one line on standard error that matches the
# extended regular expression PATTERN, or nothing if PATTERN is empty.  No temporary file is left.
expect() {
    code=$1 pattern=$2
    shift 2
    if [ "$code" -ne 0 ]; then
        refuses "$code" "$pattern" "$@"
    else
        gives 0 "$@"
        if [ -z "$pattern" ]; then
            [ ! -s "$scratch/err" ] || fail "messages where none belongs: meshwork $*"
        else
            [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line of messages: meshwork $*"
            grep -Eq -- "$pattern" "$scratch/err" || fail "no message like /$pattern/: meshwork $*"
        fi
    fi
    folder_holds ''
}

# only_dummy BEHAVIOUR: the test's own OpenCL driver is the only one.
only_dummy() {
    [ "${MESHWORK_BUILT_WITH_OPENCL:-yes}" = yes ] || skip "built without OpenCL"
    [ -f "${MESHWORK_DUMMY_ICD:-}" ] || skip "the dummy driver was not built"
    mkdir -p "$scratch/vendors"
    echo "$MESHWORK_DUMMY_ICD" >"$scratch/vendors/dummy.icd"
    OCL_ICD_VENDORS=$scratch/vendors/ MESHWORK_DUMMY=$1
    export OCL_ICD_VENDORS MESHWORK_DUMMY
}

# on_pocl SCRIPT: restarts the calling script with PoCL only.
on_pocl() {
    [ -z "${MESHWORK_ON_POCL:-}" ] || return
    MESHWORK_ON_POCL=1
    export MESHWORK_ON_POCL
    rm -rf "$scratch"
    exec "$source_top/tests/on" pocl sh "$1"
}
