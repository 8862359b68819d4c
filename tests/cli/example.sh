#!/bin/sh
# examples/domain-growth.sh: its table and files, its arithmetic on known series, its errors, and the removal of its
# temporary files after a failure or an interrupt.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

script=$source_top/examples/domain-growth.sh
export MESHWORK
odd='a=1 "b\t'

# files_are PATH...: $work contains exactly these, except for the plot, since gnuplot may be missing.
files_are() {
    there=$(cd "$work" && find . -mindepth 1 ! -name '*.png' | sed 's|^\./||' | sort | tr '\n' ' ')
    [ "$there" = "${*:+$* }" ] || fail "files are '$there' instead of '$*'"
}

# A small run: 21 rows of increasing time, the exponents of the later ones, and that of the last decade.
try "$script" -n 64 -s 2 -t 200 -d native:serial -o "$odd"
[ "$status" -eq 0 ] || fail "exit code $status of a small run"
prints '^ +time +domain size +\+- +exponent +\+-$'
prints '^ +0\.6 +[0-9.]+ +[0-9.]+$'
prints '^ +200\.0( +[0-9.]+){4}$'
[ "$(grep -Ec '^ +[0-9]' "$scratch/out")" -eq 21 ] || fail "not 21 rows"
awk '/^ +[0-9]/ { if ($1 <= last || NF != (++n > 4 ? 5 : 3)) exit 1; last = $1 }' "$scratch/out" || fail "odd rows"
awk '/^exponent/ { found = $2 > 0.1 && $2 < 0.6 && $4 >= 0 && $4 < 0.2 } END { exit !found }' "$scratch/out" ||
    fail "no exponent between 0.1 and 0.6"
prints '^exponent .* over times 20 to 200, 2 seeds, 64x64 cells$'
files_are "$odd" "$odd/domain-growth.csv"
[ "$(wc -l <"$work/$odd/domain-growth.csv")" -eq 22 ] || fail "not 22 lines of values"
if command -v gnuplot >/dev/null; then
    [ "$(head -c 4 "$work/$odd/domain-growth.png" | tail -c 3)" = PNG ] || fail "the plot is no picture"
fi

# The same seeds give the same table; other results replace the first.
cp "$scratch/out" "$scratch/first"
echo old >"$work/$odd/domain-growth.csv"
try "$script" -o "$odd" -d native:serial -t 200 -s 2 -n 64
cmp -s "$scratch/out" "$scratch/first" || fail "another table of the same seeds"
[ "$(wc -l <"$work/$odd/domain-growth.csv")" -eq 22 ] || fail "old values stay"

# Spins, in steps of 1, that is a thousand of them.
try "$script" -m ising -n 256 -s 2 -t 500 -d native:serial -o spins
[ "$status" -eq 0 ] || fail "exit code $status of a small run of spins"
prints '^exponent .* over times 100 to 1000, 2 seeds, 256x256 cells$'
rm -rf "$work/spins"

# A fake command with domains that grow by a known law: 3 time^(0.3 + 0.01 seed).  The exponents of seeds 1, 2, 3 have
# the mean 0.32 and the standard error 0.01 / sqrt 3.  It also checks the requested time.
cat >"$scratch/law" <<'LAW'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        --seed) seed=$2 ;;
        --dt) dt=$2 ;;
        --steps) steps=$2 ;;
        --every) every=$2 ;;
        --series) series=$2 ;;
    esac
    shift
done
awk "BEGIN {
    print \"step,time,energy,domain_size\"
    for (i = 0; i <= $steps; i += $every)
        printf \"%d,%.9g,-1,%.12g\n\", i, i * $dt, 3 * (i * $dt) ^ (0.3 + 0.01 * $seed)
    t = $steps * $dt
    if (t < 2999.999 || t > 3000.001 || $dt > 0.07) exit 1
}" >"$series"
LAW
chmod +x "$scratch/law"
rm -rf "${work:?}"/*
MESHWORK="$scratch/law" try "$script" -s 3 -t 3000
[ "$status" -eq 0 ] || fail "exit code $status of a known law"
prints '^exponent 0\.3200 \+- 0\.0058 over times 300 to 3000, 3 seeds, 512x512 cells$'
prints '^ +3000\.0 +38\.97[0-9] +1\.80[0-9] +0\.320 +0\.006$'
files_are domain-growth domain-growth/domain-growth.csv
rm -rf "${work:?}"/*

# Without a number in the series there is no result.
sed 's/,%.12g/,/' "$scratch/law" >"$scratch/lawless"
chmod +x "$scratch/lawless"
MESHWORK="$scratch/lawless" try "$script" -s 2 -t 3000
[ "$status" -eq 1 ] && [ ! -s "$scratch/out" ] && grep -q 'lacks sizes' "$scratch/err" || fail "a series without sizes"
files_are

# Wrong arguments give one line, exit code 2, and no files.
wrong() {
    pattern=$1
    shift
    try "$script" "$@"
    [ "$status" -eq 2 ] || fail "exit code $status instead of 2: $*"
    [ ! -s "$scratch/out" ] || fail "results in spite of a failure: $*"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -Eq "^domain-growth: .*($pattern)" "$scratch/err" ||
        fail "not one line like /$pattern/: $*"
    files_are
}
for option in s n t; do
    for value in 0 1 -5 x '' 1.5 1e3 08 99999999999999999999 '5 6' "5;"; do
        wrong "-$option takes a whole number" -$option "$value"
    done
    wrong "-$option needs a value" -$option
done
wrong 'no option -z' -z
wrong "unknown model 'heat'" -m heat
wrong "unexpected word 'more'" -s 3 more
wrong 'name of a folder' -o ''

# A missing device or command, and a folder that cannot be made.
try "$script" -d nowhere:7
[ "$status" -eq 3 ] || fail "exit code $status instead of 3 for a device that is not there"
grep -q '^meshwork: ' "$scratch/err" || fail "no word about the device"
files_are
MESHWORK=$scratch/nothing try "$script"
[ "$status" -eq 1 ] && grep -q 'cannot find' "$scratch/err" || fail "exit code $status without a command"
try "$script" -o no/such/folder
[ "$status" -eq 1 ] || fail "exit code $status instead of 1 for a folder that cannot be made"
files_are

# A signal during a run ends it and the command, and removes the folder.
cat >"$scratch/endless" <<'ENDLESS'
#!/bin/sh
echo $$ >"$(dirname "$0")/process"
exec sleep 1000
ENDLESS
chmod +x "$scratch/endless"
for signal in HUP TERM; do
    # A signal ignored from the start, as under nohup, stays ignored.
    [ -z "$(sh -c "kill -$signal \$\$; echo ignored" 2>/dev/null)" ] || continue
    rm -f "$scratch/process"
    (cd "$work" && MESHWORK=$scratch/endless exec "$script") >"$scratch/out" 2>"$scratch/err" </dev/null &
    process=$!
    awaits [ -s "$scratch/process" ]
    kill -$signal $process
    wait $process
    status=$?
    [ $status -gt 128 ] || fail "exit code $status after SIG$signal"
    kill "$(cat "$scratch/process")" 2>/dev/null && fail "the command outlives SIG$signal"
    files_are
done
finish
