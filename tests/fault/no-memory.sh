#!/bin/sh
# Allocations that fail, one alone or all from one on, anywhere in every subcommand. The command reports that it is out
# of memory, with exit code 1, or has its usual result. Each run tests some random places per subcommand.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

[ -f "${MESHWORK_NO_MEMORY:-}" ] || skip "the library that lets allocations fail was not built"
mkdir "$scratch/vendors"
OCL_ICD_VENDORS=$scratch/vendors/
export OCL_ICD_VENDORS
places=${MESHWORK_TEST_PLACES:-8}
seed=${MESHWORK_TEST_SEED:-$(date +%s)}
echo "MESHWORK_TEST_SEED=$seed"

# starved VARIABLE N ARGUMENT...: one run.
starved() {
    how=$1=$2
    shift 2
    try env LD_PRELOAD="$MESHWORK_NO_MEMORY" $how "$MESHWORK" "$@"
    case $status in
        0) [ "$(checksum)" = "$expected" ] || fail "another result with $how: meshwork $*" ;;
        1) [ "$(grep -c '^meshwork: ' "$scratch/err")" -eq 1 ] && grep -q '^meshwork: .*out of memory' "$scratch/err" ||
            fail "no line about memory with $how: meshwork $*" ;;
        *) fail "exit code $status with $how: meshwork $*" ;;
    esac
}

# starve ARGUMENT...: a command that succeeds, with failures at some of its allocations.
starve() {
    gives 0 "$@"
    expected=$(checksum)
    try env LD_PRELOAD="$MESHWORK_NO_MEMORY" MESHWORK_FAIL_COUNT="$scratch/count" "$MESHWORK" "$@"
    [ -s "$scratch/count" ] || skip "allocations cannot be made to fail here"
    count=$(cat "$scratch/count")
    step=$((count / places + 1))
    n=$((seed % step + 1))
    while [ $n -le "$count" ]; do
        starved MESHWORK_FAIL_AT $n "$@"
        starved MESHWORK_FAIL_FROM $n "$@"
        n=$((n + step))
    done
}

serial='-d native:serial' threads='-d native:pthreads --threads 2'
field="run cahn-hilliard --size 48x32 --steps 6 --no-tune"
files=$scratch/files
mkdir "$files"
gives 0 $field $serial -o "$files/in.npy" --checkpoint "$files/ck"
for suffix in edges mtx; do
    gives 0 graph generate ws -p n=300 -p k=4 -p p=0.1 $serial -o "$files/g.$suffix"
done
awk 'BEGIN { for (i = 0; i < 200; i++) print "v" i, "w" (i * 7) % 50 }' >"$files/names.edges"
awk 'BEGIN { print "from;to;weight"; for (i = 0; i < 200; i++) print "v" i ";" (i * 7) % 50 ";" i; print "lone;;" }' \
    >"$files/table.csv"
awk 'BEGIN { print "# meshwork vertex x"; for (i = 0; i < 200; i++) print i, i + 1, "{\"weight\": " i "}" }' \
    >"$files/weights.edges"

starve devices
starve models
starve models cahn-hilliard
starve tune --list
starve cache list
starve cache clear
starve doctor $serial
starve run --help
starve run --print-config
starve $field $serial --every 2 -o o.npy --series s.csv --checkpoint ck --checkpoint-every 2 --vtk o.vti
starve $field $threads --verify
starve $field -d native:serial,native:pthreads --threads 2
starve $field $serial --label-every 2
starve run cahn-hilliard $serial --restart "$files/ck" --output "$files/out.npy" --steps 8 --no-tune
starve run ising --size 24x16 --steps 6 $serial --every 2 --series s.csv --correlation c.csv -o o.npy
starve run potts --size 12x8 --steps 3 $threads --update wolff
starve sweep ising --size 8x6 --over T=3,2 --systems 2 --steps 20 --temper 5 $threads -o s.csv
starve walk --steps 30 $serial --every 20 --series walk.csv --checkpoint walk.ck --csv w.csv -o o.npy
starve walk --steps 20 --runs 3 -d native:serial,native:pthreads --threads 2 --precision single
starve walk --steps 20 -d native:serial,native:pthreads --threads 2 --verify
for variant in square iterators blocks; do starve walk --steps 20 $serial --variant $variant; done
starve walk --carpet menger --method walkers --walkers 50 --steps 20 $threads -o o.npy
starve rng --samples 5000 $threads -o r.raw
starve label "$files/in.npy" $serial --threshold 0 -o l.npy --sizes
starve transform flip=1 crinkle=0:8 "$files/in.npy" -o t.npy $threads
starve graph generate ba -p n=200 -p m=3 $threads -o o.mtx
starve graph info "$files/names.edges" $threads
starve graph components "$files/names.edges" $threads --sizes -o c.txt --largest l.edges
starve graph components "$files/g.mtx" -d native:serial,native:pthreads --threads 2 --sizes
starve graph paths "$files/names.edges" $threads --directed --vertices o.csv
starve graph paths "$files/g.edges" -d native:serial,native:pthreads --threads 2 --sample 64 --verify
starve graph clustering "$files/names.edges" $threads --directed --vertices o.csv --arcs a.csv
starve graph clustering "$files/g.edges" -d native:serial,native:pthreads --threads 2 --local --block-arcs 8
starve graph convert "$files/g.edges" o.mwg $serial
starve graph convert "$files/table.csv" o.tsv $serial
starve graph convert "$files/weights.edges" o.edges $threads
if has_png; then
    starve $field $serial --png 'f-%d.png' --every 3
    gives 0 $field $serial --png "$files/in.png"
    starve label "$files/in.png" $serial -o l.npy --png c.png
    starve transform shift=3,0 "$files/in.png" -o t.png $serial
fi
# A temporary lack of memory does not destroy the older generation.
gives 0 $field $serial --checkpoint ck
cp "$work/ck" "$scratch/first"
try env LD_PRELOAD="$MESHWORK_NO_MEMORY" MESHWORK_FAIL_COUNT="$scratch/count" "$MESHWORK" $field $serial --checkpoint ck
n=$(($(cat "$scratch/count") - 400))
while [ $n -le "$(cat "$scratch/count")" ]; do
    cp "$scratch/first" "$work/ck"
    rm -f "$work/ck.old"
    try env LD_PRELOAD="$MESHWORK_NO_MEMORY" MESHWORK_FAIL_AT=$n "$MESHWORK" $field $serial --checkpoint ck
    [ $status -ne 0 ] || cmp -s "$work/ck.old" "$scratch/first" || fail "no older generation without memory at $n"
    n=$((n + 5))
done
rm "$work/ck" "$work/ck.old"

# Formats of libraries that a build may lack.
if "$MESHWORK" graph convert "$files/g.edges" "$files/g.graphml" >/dev/null 2>&1 &&
    "$MESHWORK" graph info "$files/g.graphml" >/dev/null 2>&1; then
    starve graph info "$files/g.graphml" $serial
fi
finish
