#!/bin/sh
# meshwork bench: suites of comparisons, continued files of results, and comparisons with earlier results.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

gives 0 bench list
for suite in stream occupancy cahn-hilliard paths carpets components labels differences clustering random philox \
             transforms ising; do
    prints "^$suite "
done
try "$MESHWORK" bench nosuch
grep -q jansson "$scratch/err" && skip "built without jansson"
MESHWORK_MEMORY_LIMIT=64M TMPDIR=$scratch
export MESHWORK_MEMORY_LIMIT TMPDIR

devices=native:serial,native:pthreads

# Rates of devices.
gives 0 bench stream --devices $devices -o s.json -q
prints '^device +copy, GB/s +triad, GB/s .* a launch, us$'
prints '^native:serial +[0-9.e+]+ +[0-9.e+]+ '
grep -q '"launch_waited": ' "$work/s.json" || fail "s.json has not what devices can do"

# At least three sizes, even with a short budget; the file gets the missing cases.
gives 0 bench differences transforms --devices $devices --budget 0.1 --limit 99 -o b.json --rounds 3 -q
[ "$(grep -c '^differences: ' "$scratch/out")" -eq 3 ] || fail "not three sizes of differences"
[ "$(grep -c '^transforms: ' "$scratch/out")" -eq 3 ] || fail "not three sizes of transforms"
prints '^native:pthreads +points .* the same$'
prints '^ +without +native:serial: blocks, local$'
[ "$(grep -c '"seconds_each"' "$work/b.json")" -eq $((3 * 2 + 3 * 2 * 4)) ] || fail "b.json has not all rows"
grep -q "$scratch" "$work/b.json" && fail "b.json has a path in it"
grep -q '"task": "transform crinkle=0:8 FILE"' "$work/b.json" || fail "b.json has not the task of transforms"
for key in format version machine devices speed copy suites cases rows task source x; do
    grep -q "\"$key\": " "$work/b.json" || fail "b.json has no $key"
done
gives 0 bench differences --devices $devices --budget 0.1 --limit 99 -o b.json -q
[ ! -s "$scratch/out" ] || fail "what the file has is measured again"

# Progress on a terminal: suite, size and run with their totals; the remaining budget.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    TERM=xterm COLUMNS=150 script -qec "stty columns 150; $MESHWORK bench labels --devices native:serial \
        --budget 0.1 -o $work/bar.json" /dev/null </dev/null 2>&1 | tr '\r' '\n' >"$scratch/out"
    prints '^bench +0% .*labels, suite 1/1, size 1, run 0/1  (the budget is used up|.* of the budget left)'
    prints '^bench +[0-9]+% .*labels, suite 1/1, size 3, run ([0-9]+)/\1  the budget is used up'
    # With a picture written by the suite's task.
    if has_png && command -v base64 >/dev/null; then
        task=$(sed -n 's/^ *"task": "\(label --pattern random .*\)",*$/\1/p' "$work/bar.json")
        # shellcheck disable=SC2086 # words
        gives 0 $task --png own.png -q
        sed -n 's/^ *"png": "\(.*\)".*/\1/p' "$work/bar.json" | base64 -d >"$work/shown.png"
        cmp -s "$work/own.png" "$work/shown.png" || fail "not the picture of its task"
        gives 0 report bar.json -q
        grep -q '<img alt="Components of meshes" src="data:image/png;' "$work/bar.html" || fail "a page without picture"
    fi
fi

# Comparison with earlier results.
cp "$work/b.json" "$work/old.json"
gives 0 bench differences --devices $devices --budget 0.1 --limit 99 -o b.json --compare old.json -q
prints 'compared +30 rows: 0 faster, 0 slower'
sed 's/^\( *\)[0-9.e-]*\(,\{0,1\}\)$/\1100.0\2/' "$work/b.json" >"$work/slow.json"
gives 0 bench differences --devices $devices --budget 0.1 --limit 99 -o b.json --compare slow.json -q
prints 'compared +30 rows: 30 faster, 0 slower'
# Simulated results of almost unchanged machines: of 240 rows each run scatters by 3 %, each row by another 4 % between
# results, and the machine is 12 % slower today.  Only real changes are reported. noisy FILE SEED FACTOR: rows of the
# suite `random`; those of v0, v40 and so on take FACTOR times as long.
noisy() {
    awk -v version="$(sed -n 's/^ "version": "\(.*\)",$/\1/p' "$work/b.json")" -v seed="$2" -v factor="$3" '
        function even() { seed = (seed * 69069 + 1) % 4294967296; return (seed + 0.5) / 4294967296 }
        function normal() { return sqrt(-2 * log(even())) * cos(6.283185307 * even()) }
        BEGIN {
            printf "{\"format\": 2, \"version\": \"%s\", \"asked\": \"native:serial\", \"devices\": [], ", version
            printf "\"suites\": [{\"name\": \"random\", \"cases\": ["
            for (c = 0; c < 3; c++) {
                printf "%s{\"x\": %d, \"took\": 1e9, \"rows\": [", c ? ", " : "", 262144 * 4 ^ c
                for (v = 0; v < 80; v++) {
                    row = 0.01 * exp(0.04 * normal()) * (v % 40 ? 1 : factor) * (factor == 1 ? 1 : 1.12)
                    printf "%s{\"device\": \"native:serial\", \"variant\": \"v%d\", ", v ? ", " : "", v
                    printf "\"seconds_each\": ["
                    for (i = 0; i < 9; i++)
                        printf "%s%.6g", i ? ", " : "", row * exp(0.03 * normal())
                    printf "]}"
                }
                printf "]}"
            }
            printf "]}]}"
        }' >"$work/$1"
}
noisy before.json 1 1
noisy same.json 2 1
noisy slower.json 3 2
for now in same slower; do
    gives 0 bench random --devices native:serial -o $now.json --compare before.json -q
    if [ $now = same ]; then
        prints 'compared +240 rows: 0 faster, 0 slower'
    else
        prints 'compared +240 rows: 0 faster, 6 slower'
        prints '^random +1\.04858e\+06 +native:serial +v40 +2\.[0-9]+'
    fi
    prints '^ *confidence +9[89](\.[0-9]+)? % that no row'
    prints '^ *noise +native:serial: all rows together [01]\.[0-9]+ times as long'
done

gives 0 bench differences --devices $devices --budget 0.1 --limit 99 -o b.json --json -q
prints '"format": 2'
sed 's/^ "format": 2/ "format": 1/' "$work/b.json" >"$work/first.json"
refuses 1 'first.json has results in another format than 2' bench differences --devices $devices --compare first.json
# A page of them has all sizes and rows.
gives 0 report b.json -q
silent
[ "$(grep -c '<details.* cells</summary>' "$work/b.html")" -eq 6 ] || fail "the page has not all sizes"
[ "$(grep -c '<td class="good">agree</td>' "$work/b.html")" -eq 30 ] || fail "the page has not all rows"
grep -q '<td>two GPUs almost 2x one, ' "$work/b.html" || fail "the page has not what papers state"
[ -z "$(find "$scratch" -name 'meshwork-*.npy' -o -name 'meshwork-??????')" ] || fail "a prepared file is left"

# Bad input leaves files unchanged.
refuses 2 'has results of meshwork .* on the devices' bench differences --devices native:serial -o b.json
cmp -s "$work/b.json" "$work/old.json" || fail "a refused file has changed"
echo '{}' >"$work/other.json"
refuses 1 'holds no results' bench differences --compare other.json
refuses 1 'holds no results' bench differences -o other.json
echo 'x' >"$work/other.json"
refuses 1 'other.json' bench differences -o other.json
refuses 2 "unknown suite 'label': did you mean labels" bench label
refuses 1 'nosuch' bench differences -o nosuch/b.json
finish
