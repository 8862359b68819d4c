#!/bin/sh
# --json: what every document has, whatever the subcommand, also of a command that fails.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
has_json || skip "built without jansson"

# failed CODE STATUS PATTERN ARGUMENT...: one document with the error, and the line on standard error.
failed() {
    code=$1 name=$2 pattern=$3
    shift 3
    gives "$code" "$@"
    says "^meshwork: .*$pattern"
    json_keys schema version command error status exit_code message
    prints "\"status\": \"$name\""
    prints "\"exit_code\": $code"
    prints "\"message\": \".*$pattern"
    [ "$(grep -c '"schema"' "$scratch/out")" -eq 1 ] || fail "not one document: meshwork $*"
}

# The arguments, with what the environment has set, and a rate.
MESHWORK_DEVICE=native:serial MESHWORK_THREADS=1
export MESHWORK_DEVICE MESHWORK_THREADS
gives 0 rng --samples 1000 --json -q
json_has '"schema":"meshwork-1","version":"'
json_has '"subcommand":"rng","command":["rng","--device=native:serial","--threads=1","--kernel-path='
json_has '"--samples","1000","--json","-q"],'
json_has '"rate_unit":"numbers/s","samples_per_second":'
unset MESHWORK_DEVICE MESHWORK_THREADS
gives 0 graph generate ring -p n=10 --json -d native:serial -q
json_has '"subcommand":"graphgenerate","command":["graph","generate","--kernel-path='
gives 0 run heat --dry-run -d native:serial --json
json_has '"dry_run":true'

# Lists stay lists.
gives 0 models --json
[ "$(head -n 1 "$scratch/out")" = '[' ] || fail "models are no list"

failed 2 MW_EINVAL 'unknown option' run heat --nosuch --json
failed 2 MW_EINVAL 'unknown subcommand' ruun --json
failed 2 MW_EINVAL 'no subcommand of graph' graph --json
failed 2 MW_EINVAL 'there is no variant' run heat --json --variant nosuch -d native:serial
failed 3 MW_ENODEV 'nosuch' rng -d nosuch --json
failed 1 MW_EIO 'nosuch.png' label nosuch.png -d native:serial --json
failed 1 MW_ELIMIT 'of memory' run ising -d native:serial --size 4096x4096 --memory-limit 1M --dry-run --json
# A result that comes with a failure is in the same document.
json_keys size memory_bytes
# What stands behind -- or is another option's value asks for nothing.
gives 2 run heat --nosuch -- --json
[ ! -s "$scratch/out" ] || fail "JSON that nobody asked for"
finish
