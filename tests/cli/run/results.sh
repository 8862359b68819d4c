#!/bin/sh
# bench/results and bench/tuned: their tables, with rivals that agree or are omitted.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
bench=$PWD/bench/results tuned=$PWD/bench/tuned
for program in "$bench" "$tuned"; do [ -x "$program" ] || skip "$program is not built"; done

# rows COLUMNS: the number of rows of tables with so many columns.
rows() {
    awk -F '|' -v columns="$1" '/^\| [a-z]/ { n++; if (NF != columns + 2) bad++ } END { print bad ? "bad" : n }' \
        "$scratch/out"
}

try "$bench" --small --rivals none 1 native:serial
[ "$status" -eq 0 ] || fail "exit code $status"
[ "$(rows 7)" = 5 ] || fail "'$(rows 7)' rows of seven columns"
prints '^\| cahn-hilliard, 12 x 12 x 12 \| \|( [0-9.]+ \|){4} variant=[a-z=0-9,_]+ \|$'
try "$bench" --small --lines --rivals none --only heat 1 native:serial native:pthreads
[ "$(sed 's/.*: //; s/\t.*//' "$scratch/out" | tr '\n' ' ')" = 'copy rule tuned ' ] || fail "other contenders"
try "$bench" --small --rivals none --only 'cahn-hilliard, 24' 1 native:serial native:pthreads
prints '^\| \| one step .*\| on 2 devices \| of one \|'
prints '^\| cahn-hilliard, 24 x 24 \| \|( [0-9.]+ \|){6} variant'

try "$tuned" --small 1 native:serial
[ "$status" -eq 0 ] || fail "exit code $status"
prints '^cahn-hilliard, 40 x 20 +([0-9.]+ +){3}'
prints '^[0-2] of 2 slower'

# A wrong result ends the contest; NumPy is right, if installed.
if command -v python3 >/dev/null; then
    mkdir "$scratch/rivals"
    cat >"$scratch/rivals/fields.py" <<'END'
import sys
print('ready', flush=True)
for line in sys.stdin.buffer:
    words = line.split()
    if words[0] == b'check':
        sys.stdin.buffer.read(2 * 4 * 37 * 22)
    print(1e-3, flush=True)
END
    MESHWORK_BENCH_RIVALS=$scratch/rivals try "$bench" --small --only 'heat, 24' --rivals numpy 1 native:serial
    [ "$status" -eq 1 ] || fail "exit code $status with a rival who is wrong"
    says 'NumPy.* differs from our result'
    try "$bench" --small --only 'heat, 24' --rivals numpy 1 native:serial
    [ "$status" -eq 0 ] || fail "exit code $status with NumPy"
    if grep -q NumPy "$scratch/err"; then
        prints 'of copy \| shape'
    else
        prints 'of copy \| NumPy \| shape'
        prints '^\| heat, 24 x 24, Euler \| \|( [0-9.]+ \|){5} variant'
    fi
fi
finish
