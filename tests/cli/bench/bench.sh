#!/bin/sh
# meshwork bench: figures of the papers, continued files of results, and comparisons with earlier results.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

try "$MESHWORK" bench nosuch
grep -q jansson "$scratch/err" && skip "built without jansson"
# The figures are the papers': networks, sizes, lines, statements.
if command -v python3 >/dev/null; then
    gives 0 bench list --json
    python3 "${srcdir:-.}/tests/cli/bench/bench.py" <"$scratch/out" >"$scratch/err" 2>&1 ||
        fail "figures differ from the papers"
fi
gives 0 bench list
prints '^components/figure-15 +Hawick et al. 2010 +vertices +Scale-free networks, k = 10$'
MESHWORK_MEMORY_LIMIT=64M TMPDIR=$scratch
export MESHWORK_MEMORY_LIMIT TMPDIR

# Rates of devices.
gives 0 bench stream -o s.json -q
prints '^device +copy, GB/s +triad, GB/s .* a launch, us$'
prints '^native:serial +[0-9.e+]+ +[0-9.e+]+ '
grep -q '"launch_waited": ' "$work/s.json" || fail "s.json has not what devices can do"

# A row per line and device, and what meshwork chooses; the file gets the missing sizes.
threads="--devices native:pthreads --rounds 3 --limit 99"
# shellcheck disable=SC2086 # words
gives 0 bench components/figure-14 transforms/figure-12-flip $threads --budget 4 -o b.json
prints '^components, figure 14: Lines, vertices 4000$'
prints '^kernel 3 +native:pthreads +bfs .* the same$'
prints '^meshwork today +native:pthreads +auto: [a-z]+ .* the same$'
says '2 figures, about 4 s'
grep -q "$scratch" "$work/b.json" && fail "b.json has a path in it"
grep -q '"task": "transform flip=0 FILE"' "$work/b.json" || fail "b.json has not the task of transforms"
for key in format version machine devices rounds date load build figures suite cases rows series task x shows left_out \
           seconds_lower seconds_upper; do
    grep -q "\"$key\": " "$work/b.json" || fail "b.json has no $key"
done
grep -A 9 '"left_out": \[$' "$work/b.json" | grep -q ' 1000000.0' ||
    fail "sizes of the paper are not listed as left out"
rows=$(grep -c '"seconds_each"' "$work/b.json")
# shellcheck disable=SC2086 # words
gives 0 bench components/figure-14 $threads --budget 1 -o b.json -q
[ "$(grep -c '"seconds_each"' "$work/b.json")" -ge "$rows" ] || fail "results are lost"
[ "$(grep -c '"x": 4000.0' "$work/b.json")" -eq 1 ] || fail "what the file has is measured again"

# A line on devices that are missing has a reason and no times.
gives 0 bench clustering/figure-14 --devices native:serial --budget 3 --limit 99 --rounds 1 -o none.json
"$MESHWORK" devices | grep -q ' gpu ' || prints 'several GPUs, kernel 1 .* no GPU here'

# Every seed is another network; a value is shown instead of seconds.
gives 0 bench paths/figure-14.1 --devices native:serial --budget 2 --rounds 4 -o v.json -q
grep -A 5 '"values": \[$' "$work/v.json" | sed -n 's/^ *\([0-9.]*\),*$/\1/p' | sort -u >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -ge 4 ] || fail "not four networks"

# Progress on a terminal: figure, size and run with their totals; the remaining budget.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    TERM=xterm COLUMNS=150 script -qec "stty columns 150; $MESHWORK bench labels --devices native:serial \
        --budget 2 --rounds 1 -o $work/bar.json" /dev/null </dev/null 2>&1 | tr '\r' '\n' >"$scratch/out"
    prints '^bench +0% .*labels, figure 18, figure 1/2, size 1, run 0/1  (the budget is used up|.* of the budget left)'
fi
# With a picture written by the figure's task.
if has_png && command -v base64 >/dev/null; then
    gives 0 bench cahn-hilliard/figure-1-right -o p.json --budget 60 -q
    task=$(sed -n 's/^ *"task": "\(run cahn-hilliard .*\)",*$/\1/p' "$work/p.json")
    (cd "$work" && eval "$MESHWORK $task --png own.png -q -d native:serial") >"$scratch/out" 2>&1 ||
        fail "the task of a picture does not run"
    sed -n 's/^ *"png": "\(.*\)".*/\1/p' "$work/p.json" | base64 -d >"$work/shown.png"
    cmp -s "$work/own.png" "$work/shown.png" || fail "not the picture of its task"
    gives 0 report p.json -q
    grep -q '<img alt="Droplets .*" src="data:image/png;' "$work/p.html" || fail "a page without picture"
fi

# Comparison with earlier results.
cp "$work/b.json" "$work/old.json"
# shellcheck disable=SC2086 # words
gives 0 bench components/figure-14 $threads --budget 1 -o b.json --compare old.json -q
prints "compared +$(grep -c '"seconds_each"' "$work/b.json") rows: 0 faster, 0 slower"
sed 's/^\( *\)[0-9.e-]*\(,\{0,1\}\)$/\1100.0\2/' "$work/b.json" >"$work/slow.json"
# shellcheck disable=SC2086 # words
gives 0 bench components/figure-14 $threads --budget 1 -o b.json --compare slow.json -q
prints 'compared +([0-9]+) rows: \1 faster, 0 slower'
# Rows that differ are measured again, in new processes. In results that were fast in one process, both speeds show.
grep -q '"seconds_again"' "$work/b.json" || fail "rows that differ are not measured again"
grep -q '"marked"' "$work/b.json" && fail "cases are still marked"
sed '/"seconds_again"/,/\]/s/^\( *\)[0-9.e-]*\(,\{0,1\}\)$/\1100.0\2/' "$work/b.json" >"$work/both.json"
# shellcheck disable=SC2086 # words
gives 0 bench components/figure-14 $threads --budget 1 -o both.json --compare slow.json -q
prints 'compared +([0-9]+) rows: 0 faster, 0 slower'
# Simulated results of almost unchanged machines: of 240 rows each run scatters by 3 %, each row by another 4 % between
# results, and the machine is 12 % slower today.  Only real changes are reported. noisy FILE SEED FACTOR: rows of the
# table `random`; those of v0, v40 and so on take FACTOR times as long.
noisy() {
    awk -v version="$(sed -n 's/^ "version": "\(.*\)",$/\1/p' "$work/b.json")" -v seed="$2" -v factor="$3" '
        function even() { seed = (seed * 69069 + 1) % 4294967296; return (seed + 0.5) / 4294967296 }
        function normal() { return sqrt(-2 * log(even())) * cos(6.283185307 * even()) }
        BEGIN {
            printf "{\"format\": 3, \"version\": \"%s\", \"asked\": \"native:serial\", \"devices\": [], ", version
            printf "\"figures\": [{\"suite\": \"random\", \"name\": \"table 1\", \"cases\": ["
            for (c = 0; c < 3; c++) {
                printf "%s{\"x\": %d, \"took\": 1e9, \"rows\": [", c ? ", " : "", 262144 * 4 ^ c
                for (v = 0; v < 80; v++) {
                    row = 0.01 * exp(0.04 * normal()) * (v % 40 ? 1 : factor) * (factor == 1 ? 1 : 1.12)
                    printf "%s{\"device\": \"native:serial\", \"series\": \"v%d\", ", v ? ", " : "", v
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
    gives 0 bench random --devices native:serial -o $now.json --budget 1 --compare before.json -q
    if [ $now = same ]; then
        prints 'compared +240 rows: 0 faster, 0 slower'
    else
        prints 'compared +240 rows: 0 faster, 6 slower'
        prints '^random, table 1 +1\.04858e\+06 +v40 +native:serial +2\.[0-9]+'
    fi
    prints '^ *confidence +9[89](\.[0-9]+)? % that no row'
    prints '^ *noise +native:serial: all rows together [01]\.[0-9]+ times as long'
done

# shellcheck disable=SC2086 # words
gives 0 bench components/figure-14 $threads --budget 1 -o b.json --json -q
prints '"format": 3'
sed 's/^ "format": 3/ "format": 1/' "$work/b.json" >"$work/first.json"
refuses 1 'first.json has results in another format than 3' bench components --compare first.json
# A page of them has all sizes and rows.
gives 0 report b.json -q
silent
[ "$(grep -c '<details' "$work/b.html")" -eq "$(grep -c '"x": [0-9]' "$work/b.json")" ] ||
    fail "the page has not all sizes"
[ "$(grep -c '<th class="n">exponent</th>' "$work/b.html")" -le 2 ] || fail "exponents twice"
grep -q '<td>exponent 1.76: kernel 1 ' "$work/b.html" || fail "the page has not what papers state"
[ -z "$(find "$scratch" -name 'meshwork-*.npy' -o -name 'meshwork-??????')" ] || fail "a prepared file is left"

# Bad input leaves files unchanged.
cp "$work/b.json" "$work/old.json"
refuses 2 'has results of meshwork .* on the devices' bench components --devices native:serial -o b.json
cmp -s "$work/b.json" "$work/old.json" || fail "a refused file has changed"
echo '{}' >"$work/other.json"
refuses 1 'holds no results' bench components --compare other.json
refuses 1 'holds no results' bench components -o other.json
echo 'x' >"$work/other.json"
refuses 1 'other.json' bench components -o other.json
refuses 2 "unknown suite or figure 'label': did you mean labels" bench label
refuses 2 "unknown suite or figure 'labels/figure-20'" bench labels/figure-20
refuses 2 'is not a time' bench labels --budget 20x
refuses 1 'nosuch' bench components -o nosuch/b.json
finish
