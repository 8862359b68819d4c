# shellcheck shell=sh disable=SC2034,SC2086
# Common functions of the tests of the command line, which source this file. Needs $MESHWORK, the command, as an
# absolute path.
#
# Every command runs in $work, an empty folder, with caches of its own below $scratch. After shares_cache, tests share
# one cache, so that each kernel is compiled once.
# SPDX-License-Identifier: MIT

: "${MESHWORK:?is to be the path of the command}"
source_top=$(cd "${srcdir:-.}" && pwd)
: "${MESHWORK_KERNEL_PATH:=$source_top/cl}"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/meshwork-cli-XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
work=$scratch/work
mkdir "$work" "$scratch/home" "$scratch/json"
MESHWORK_TEST_JSON=$scratch/json
export MESHWORK_TEST_JSON
failures=0

shared_cache=${MESHWORK_CACHE_DIR:-$scratch/cache} shared_pocl=${POCL_CACHE_DIR:-$scratch/cache}
HOME=$scratch/home MESHWORK_CACHE_DIR=$scratch/cache
unset XDG_CACHE_HOME POCL_CACHE_DIR NO_COLOR MESHWORK_DEVICE MESHWORK_THREADS
export HOME MESHWORK_CACHE_DIR MESHWORK_KERNEL_PATH

# A short run on a device that is always available.
small='run cahn-hilliard -d native:serial --no-tune --size 48x32 --steps 20 --seed 7'

shares_cache() {
    MESHWORK_CACHE_DIR=$shared_cache POCL_CACHE_DIR=$shared_pocl
    export POCL_CACHE_DIR
}

skip() { echo "SKIP: $1"; exit 77; }

fail() {
    echo "FAIL: $1"
    sed 's/^/    stdout: /' "$scratch/out" | head -n 20
    sed 's/^/    stderr: /' "$scratch/err" | head -n 20
    failures=$((failures + 1))
}

# can_validate: python3 has jsonschema. validates FILE...: they are JSON according to the schema; otherwise $scratch/out
# has the errors.
can_validate() { python3 -c 'import jsonschema' 2>/dev/null; }
validates() {
    python3 "$source_top/tests/cli/result/validate.py" "$source_top/doc/schema/result.schema.json" "$@" \
        >"$scratch/out" 2>"$scratch/err"
}

# Everything printed with --json conforms to the schema.
finish() {
    if [ -n "$(ls "$scratch/json")" ]; then
        validates "$scratch"/json/*
        case $? in
            0) ;;
            77 | 127) echo "JSON is not validated: python3-jsonschema is missing" ;;
            *) fail "JSON is not as doc/schema has it" ;;
        esac
    fi
    [ "$failures" -eq 0 ]
    exit
}

# keep_json ARGUMENT...: keeps the output of a command with these arguments, if it is JSON.
documents=0
keep_json() {
    for given; do
        [ "$given" = --json ] || continue
        documents=$((documents + 1))
        cp "$scratch/out" "$scratch/json/$documents"
        return
    done
}

# try COMMAND...: runs it in $work.  Sets $status, and stores its output in $scratch/out and $scratch/err, without
# messages about waiting, which depend on time.
try() {
    (cd "$work" && exec "$@") >"$scratch/out" 2>"$scratch/said" </dev/null
    status=$?
    waits='starting the drivers of OpenCL$|tuning [^ ]+ on |compiling \(first run\): |waiting for another process '
    grep -vE "^($waits)" "$scratch/said" >"$scratch/err"
    keep_json "$@"
}

# awaits COMMAND...: repeats it until it succeeds, for at most a minute.
awaits() {
    tries=0
    until "$@" || [ $tries -ge 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# begins ARGUMENT...: starts the command in the background as $process; returns when its loop has begun, as -v reports.
begins() {
    : >"$scratch/err"
    (cd "$work" && exec "$MESHWORK" "$@" -v) >"$scratch/out" 2>"$scratch/err" &
    process=$!
    awaits grep -q '^step 0' "$scratch/err"
}

# driven: prints the first device with a driver that compiles kernels, if there is one.
driven() { "$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\(opencl:[0-9.]*\) .*/\1/p' | head -n 1; }

# models_device: prints a device that builds models: natively, which needs a compiler, or by a driver.
models_device() {
    if "$MESHWORK" run -e 'c: -c' -d native:serial -q --no-tune --size 8x8 --steps 1 >/dev/null 2>&1; then
        echo native:serial
    else
        driven
    fi
}

# with_numpy: prints a Python that has NumPy, if there is one.
with_numpy() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy' 2>/dev/null && echo "$python" && return
    done
}

# by_numpy SCRIPT ARGUMENT...: the whole of a test that compares models by a script of tests/cli/models with NumPy, on a
# device that builds models.
by_numpy() {
    script=$source_top/tests/cli/models/$1
    shift
    shares_cache
    numpy=$(with_numpy)
    [ -n "$numpy" ] || skip "python3-numpy is not installed"
    device=$(models_device)
    [ -n "$device" ] || skip "no device builds models"
    try "$numpy" "$script" "$MESHWORK" "$device" "$@"
    cat "$scratch/out"
    [ "$status" -eq 0 ] || fail "${script##*/} finds a difference on $device"
    finish
}

# array FILE TYPE SHAPE BYTES: makes an array; the bytes are a format of printf.
array() {
    header="{'descr': '$2', 'fortran_order': False, 'shape': ($3), }"
    { printf '\223NUMPY\001\000'
      # shellcheck disable=SC2059 # the bytes are meant as a format
      printf "\\$(printf '%o' ${#header})\\000%s" "$header" && printf "$4"; } >"$work/$1"
}

# numbers FILE TYPE NUMBER...: the file ends with these integers; types are those of od, such as u1 or d8.
numbers() {
    file=$1 type=$2
    shift 2
    there=$(tail -c $(($# * ${type#?})) "$work/$file" | od -An -v -t$type | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')
    [ "$there" = "$*" ] || fail "$file holds '$there' instead of '$*'"
}

# gives CODE ARGUMENT...: the command exits with CODE.
gives() {
    code=$1
    shift
    try "$MESHWORK" "$@"
    [ "$status" -eq "$code" ] || fail "exit code $status instead of $code: meshwork $*"
}

# refuses CODE PATTERN ARGUMENT...: the command exits with CODE, prints nothing on standard output, and prints one line
# on standard error that matches the extended regular expression PATTERN.
refuses() {
    code=$1 pattern=$2
    shift 2
    gives "$code" "$@"
    [ ! -s "$scratch/out" ] || fail "results in spite of a failure: meshwork $*"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line of messages: meshwork $*"
    grep -Eq -- "^meshwork: .*($pattern)" "$scratch/err" || fail "no message like /$pattern/: meshwork $*"
}

# prints PATTERN: the last standard output has a line that matches the extended regular expression.
prints() { grep -Eq -- "$1" "$scratch/out" || fail "no output like /$1/: $MESHWORK"; }

# says PATTERN: compares standard error in the same way.
says() { grep -Eq -- "$1" "$scratch/err" || fail "no message like /$1/: $MESHWORK"; }

silent() { [ ! -s "$scratch/err" ] || fail "messages where none belongs"; }

# folder_holds NAME...: $work contains exactly these files; empties it.
folder_holds() {
    there=$(cd "$work" && find . -type f | sed 's|^\./||' | sort | tr '\n' ' ')
    [ "$there" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ' | sed 's/^ $//')" ] ||
        fail "files are '$there' instead of '$*'"
    rm -rf "$work"
    mkdir "$work"
}

checksum() { sed -n 's/.*checksum[": ]*\([0-9a-f]\{16\}\).*/\1/p' "$scratch/out" | head -n 1; }

has_json() { "$MESHWORK" --print-config --json >/dev/null 2>&1; }

# json_keys KEY...: the last output is valid JSON with these keys.
json_keys() {
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$scratch/out" >/dev/null 2>&1 || fail "not valid JSON"
    elif command -v jq >/dev/null; then
        jq . "$scratch/out" >/dev/null 2>&1 || fail "not valid JSON"
    fi
    for key; do
        grep -q "\"$key\":" "$scratch/out" || fail "JSON without \"$key\""
    done
}

# json_has TEXT: the last output, without spaces, contains this.
json_has() { tr -d ' \n' <"$scratch/out" | grep -Fq -- "$1" || fail "no $1 in the JSON"; }

has_png() { "$MESHWORK" $small -q --png "$scratch/probe.png" >/dev/null 2>&1; }
