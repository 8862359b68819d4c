#!/bin/sh
# The schema of --json refuses invalid documents, one per kind. Other tests validate their own output
# (tests/cli/cli.sh).
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
has_json || skip "built without jansson"
can_validate || skip "python3-jsonschema is missing"

gives 0 run heat -d native:serial --size 16x8 --steps 2 --no-tune --json -q
cp "$scratch/out" "$scratch/good.json"
gives 2 run heat --nosuch --json
cp "$scratch/out" "$scratch/failed.json"
validates "$scratch/good.json" "$scratch/failed.json" || fail "the schema refuses what is right"

# wrong FILE SED: the file with this change is rejected.
wrong() {
    sed "$2" "$scratch/$1.json" >"$scratch/wrong.json"
    cmp -s "$scratch/$1.json" "$scratch/wrong.json" && fail "nothing is changed by $2"
    validates "$scratch/wrong.json" && fail "the schema takes $2"
}
for key in schema version model model_hash params seed seed_hex start boundary size device seconds rate rate_unit \
           energy checksum stopped timings; do
    wrong good "s/^  \"$key\":/  \"other_$key\":/"
done
wrong good 's/"meshwork-1"/"meshwork-0"/'
wrong good 's/"seed": 0/"seed": "0"/'
wrong good 's/"seed": 0/"seed": -1/'
wrong good 's/"seed": 0/"seed": 0.5/'
wrong good 's/"stopped": false/"stopped": 0/'
wrong good 's/"device": "native:serial"/"device": ["native:serial"]/'
wrong good 's/"checksum": "./"checksum": "X/'
wrong good 's/"energy": [^,]*/"energy": []/'
wrong good 's/"start": "noise"/"start": 1/'
wrong failed 's/"message": /"text": /'
wrong failed 's/"exit_code": 2/"exit_code": "2"/'
wrong failed 's/"MW_EINVAL"/"usage"/'
finish
