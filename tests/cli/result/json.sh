#!/bin/sh
# --json: what every document has, whatever the subcommand, also of a command that fails.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
has_json || skip "built without jansson"

# failed CODE STATUS PATTERN ARGUMENT...: prints one document with the error, and the line on standard error.
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

# The arguments, with options set by the environment, and a rate.
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
# General options may precede the subcommand; in the document the subcommand comes first.
gives 0 --json -d native:serial rng --samples 1000 -q
json_has '"subcommand":"rng","command":["rng","--kernel-path='
json_has '"--json","-d","native:serial","--samples","1000","-q"],'
gives 0 graph -d native:serial generate ring -p n=10 --json -q
json_has '"command":["graph","generate","--kernel-path='
gives 0 run heat --dry-run -d native:serial --json
json_has '"dry_run":true'

# The data that reproduce a result: model with hash, parameters, seed, start, boundary conditions, inputs, checksum.
gives 0 run heat -d native:serial --size 16x8 --steps 2 --no-tune -p D=0.5 --boundary mirror,periodic --seed 3 --json -q
json_keys model model_hash params seed start boundary precision shape variant device checksum
json_has '"seed":3,' && json_has '"start":"noise"' && json_has '"boundary":["mirror","periodic"]'
json_has '"params":{"D":0.5'
gives 0 run ising -d native:serial,native:pthreads --size 64x64 --steps 2 -p T=2 --start up --json -q
json_has '"device":"native:serial,native:pthreads"' && json_has '"start":"up"'
json_keys model_hash params seed lattice boundary energy
gives 0 run cahn-hilliard -d native:serial --size 16x8 --steps 4 --every 2 --no-tune --series s.csv --json -q
grep -Eq '^  "energy": -?[0-9]' "$scratch/out" || fail "the energy is no number"
json_keys energies
# Jansson's integers end at 2^63 - 1: larger ones are texts.
gives 0 rng -d native:serial --samples 10 --seed 18446744073709551615 --json -q
json_has '"seed_hex":"ffffffffffffffff"'
json_has '"seed":"18446744073709551615"'
gives 0 rng -d native:serial --samples 10 --seed 9223372036854775807 --json -q
json_has '"seed":9223372036854775807,'
gives 0 rng -d native:serial --samples 10 --seed 0xffffffffffffffff --json -q
json_has '"seed_hex":"ffffffffffffffff"'
gives 0 sweep ising -d native:serial --size 8x8 --over T=2,3 --steps 20 --systems 2 --json -q
json_keys model_hash params seed start boundary lattice rate checksum
gives 0 walk -d native:serial --steps 10 --json -q
json_keys carpet carpet_hash seed start checksum
printf '1 2\n2 3\n' >"$work/g.el"
for measure in info paths clustering pagerank cores betweenness bridges components; do
    gives 0 graph $measure -d native:serial g.el --json -q
    json_keys input input_checksum checksum seconds device device_name
done
if command -v xxhsum >/dev/null; then
    json_has "\"input_checksum\":\"$(xxhsum -H64 "$work/g.el" | cut -d ' ' -f 1)\""
fi
rm "$work/g.el"

# Lists stay lists.
gives 0 models --json
[ "$(head -n 1 "$scratch/out")" = '[' ] || fail "models are no list"

failed 2 MW_EINVAL 'unknown option' run heat --nosuch --json
failed 2 MW_EINVAL 'unknown subcommand' ruun --json
failed 2 MW_EINVAL 'missing subcommand of graph' graph --json
failed 2 MW_EINVAL 'unknown variant' run heat --json --variant nosuch -d native:serial
failed 3 MW_ENODEV 'nosuch' rng -d nosuch --json
failed 1 MW_EIO 'nosuch.png' label nosuch.png -d native:serial --json
failed 1 MW_ELIMIT 'of memory' run ising -d native:serial --size 4096x4096 --memory-limit 1M --dry-run --json
# A result of a failing command is in the same document.
json_keys size memory_bytes
# --json after -- or as the value of another option has no effect.
gives 2 run heat --nosuch -- --json
[ ! -s "$scratch/out" ] || fail "JSON that nobody asked for"
finish
