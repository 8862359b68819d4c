#!/bin/bash
# Compares CUDA, OpenCL and native devices of an NVIDIA machine: tests, bits, benches. Run it in the root of the source,
# one part per call:
#
#   bench/scripts/gpu.sh build | tests [PATTERN] | bits | bench [NAME...] | results [NAME...] | launch | peers | trace
#
# Builds in $MW_BUILD (build-gpu) if there is no build; writes results to $OUT (results-gpu). Benches use all devices or
# $BENCH_DEVICES; a bench ends after $BENCH_SECONDS (60).
# shellcheck disable=SC2086,SC2034 # lists of words are meant to split; turns are only counted
# SPDX-License-Identifier: MIT
set -u
parts="build tests bits bench results launch peers trace"
case " $parts " in
    *" ${1:-build} "*) ;;
    *) sed -n '2,/^$/ s/^# \{0,1\}//p' "$0" | sed '/^shellcheck/d; /^SPDX/d' >&2; exit 2 ;;
esac
[ -f bench/scripts/gpu.sh ] || { echo "gpu.sh: call it from the root of the source" >&2; exit 2; }
top=$PWD build=${MW_BUILD:-$PWD/build-gpu} OUT=${OUT:-$PWD/results-gpu}
mkdir -p "$OUT"
export MESHWORK_KERNEL_PATH=$top/cl MESHWORK_CACHE_DIR=$build/cache CUDA_PATH=${CUDA_PATH:-/usr/local/cuda}
jobs=$(nproc)
mw=$build/tools/meshwork

# The first GPU's OpenCL id; the GPU may be listed under its CUDA id.
gpu() {
    "$mw" devices -v | awk '/^[a-z]+:/ { id = $1 } $1 == "also" && $2 == "cuda:0" { print id; exit }
                            $1 == "also" && id == "cuda:0" { print $2; exit }'
}

# made PROGRAM...: builds missing programs.
made() {
    for program; do
        [ -x "$program" ] || { make -j"$jobs" "$@" >>"$OUT/make.log" 2>&1 || { tail -20 "$OUT/make.log"; return 1; }; }
    done
}

part_build() {
    [ -x "$mw" ] && return 0
    [ -x configure ] || ./bootstrap >/dev/null 2>&1 || { echo "bootstrap fails: are the autotools there?"; return 1; }
    mkdir -p "$build" && chmod 700 "$build"
    (cd "$build" && "$top/configure" CFLAGS="-g -O2" >"$OUT/configure.log" 2>&1 &&
        make -j"$jobs" >"$OUT/make.log" 2>&1) || { tail -20 "$OUT/make.log"; return 1; }
    mkdir -p "$MESHWORK_CACHE_DIR" && chmod 700 "$MESHWORK_CACHE_DIR"
    (cd "$build" && make tests/ports/cuda_headers >>"$OUT/make.log" 2>&1 && tests/ports/cuda_headers) &&
        echo "headers agree"
}

# Runs all device tests (PATTERN: field, dev, ...) on cuda:0, then on the GPU's OpenCL; prints failures with their logs.
part_tests() {
    cd "$build" || exit 1
    programs=$(grep -o 'tests/device/[a-z]*/[a-z_]*-cuda.on' "$top/tests/tests.am" | sort -u | sed 's/-cuda.on//' |
        grep "${1:-.}")
    made $programs || exit 1
    export -f one_test
    export OUT top
    for where in cuda:0 $(gpu); do
        printf "$where %s\n" $programs
    done | xargs -P "$jobs" -L 1 bash -c 'one_test "$@"' one_test
    grep -vE ' (0|77) [0-9]+s$' "$OUT/tests.txt"
    wc -l "$OUT/tests.txt"
}

# one_test DEVICE PROGRAM
one_test() {
    start=$(date +%s)
    log=$(srcdir=$top MESHWORK_TEST_DEVICE=$1 timeout 200 "$2" 2>&1)
    rc=$?
    echo "$1 $2 $rc $(($(date +%s) - start))s" >>"$OUT/tests.txt"
    [ $rc = 0 ] || [ $rc = 77 ] || {
        echo "== $1 $2 ($rc)"
        grep -vE 'OK \]|RUN' <<<"$log" | head -40
    } >>"$OUT/failures.txt"
}

# Checksums of all models, variants and vector widths: native:serial, OpenCL, CUDA.
part_bits() {
    export -f one_bits
    export OUT mw
    for m in cahn-hilliard cahn-hilliard-cook ginzburg-landau gray-scott heat lotka-volterra swift-hohenberg wave; do
        for p in single double; do
            for s in registers,vec=1 registers,vec=2 registers,vec=4 fused,vec=1 fused,vec=2 fused,vec=4 staged,vec=4 \
                     tile image image-tile; do
                echo $m $p $s cuda:0 "$(gpu)"
            done
        done
    done | xargs -P "$jobs" -L 1 bash -c 'one_bits "$@"' one_bits
    wc -l "$OUT/bits.txt"
    grep DIFFERS "$OUT/bits.txt"
}

# one_bits MODEL PRECISION SHAPE DEVICE...
one_bits() {
    run="$mw run $1 --size 500x300 --steps 21 --precision $2 --no-tune"
    want=$($run -d native:serial 2>&1 | awk '/^checksum/ { print $2 }')
    echo "$1 $2 $3 $want" >>"$OUT/bits.txt"
    for d in "${@:4}"; do
        sum=$($run --shape variant=$3 -d "$d" 2>&1 | awk '/^checksum/ { print $2 } /^meshwork:/ { print }')
        [ "$sum" = "$want" ] || echo "DIFFERS $1 $2 $3 $d: $sum, not $want" >>"$OUT/bits.txt"
    done
}

# bench_on DEVICE NAME: adds the lines of a bench within a time limit, prefixed by bench and device.  Without loops on
# the host, and without slow labelling and paths (NAME-small has all of these with small inputs).
bench_on() {
    case $2 in
        label) set -- "$@" --variant bits,union-find,equivalence,runs ;;
        paths) set -- "$@" --variant bits,queue ;;
        *-small) set -- "$@" -s ;;
    esac
    timeout "${BENCH_SECONDS:-60}" bench/${2%-small} -l "${@:3}" 3 "$1" 2>>"$OUT/bench.err" | grep -vE 'hand|plain C' |
        sed "s|^|$2\t$1\t|" >>"$OUT/bench.lines"
}

# Runs every bench on CUDA, OpenCL and a native device in turn, without other libraries; bench.tsv has all rows.
part_bench() {
    cd "$build" || exit 1
    [ $# -gt 0 ] || set -- cahn-hilliard label graph build generate paths paths-small distances triangles measures \
        prim transform rng ising walk
    devices=${BENCH_DEVICES:-cuda:0 $(gpu) native:pthreads}
    rm -f "$OUT/bench.lines"
    for b; do made bench/${b%-small} || exit 1; done
    for b; do
        for turn in 1 2; do
            for d in $devices; do MESHWORK_BENCH_RIVALS=/nonexistent bench_on "$d" $b; done
        done
    done
    python3 "$top/bench/scripts/beside.py" $devices <"$OUT/bench.lines" 3>"$OUT/bench.tsv"
}

# The results of a GPU in doc/results, with other libraries in the same rounds, by OpenCL and CUDA.
results_label() {
    made bench/label
    for mesh in 2x4096 3x512; do bench/label --variant bits --mesh $mesh 5 "$1"; done
}
results_prim() { made bench/prim && bench/prim 9 "$1"; }
results_build() { made bench/build && bench/build --rmat 22 3 "$1"; }
results_components() {
    for variant in ecl afforest; do
        echo "rmat scale 22, $variant, $1: $("$mw" graph components --generate rmat -p scale=22 --repeat 9 \
            --variant $variant -d "$1" 2>&1 | awk '/^seconds/ { print $2 }')"
    done
}
# The cost of labelling inside a run: the difference between labelling every 20 and every 200 steps, over 0.1 to 0.3 s.
seconds_labelled() {
    "$mw" run cahn-hilliard --size "$1" --steps "$2" --no-tune --label-every "$3" --label sign -d "$4" -q --json |
        python3 -c 'import json, sys
t = json.load(sys.stdin)["timings"]
print(t["compute"] + t["label"], t["compute"])'
}
results_labelled() {
    for at in 1024x1024:20000 2048x2048:10000 4096x4096:2000 8192x8192:1000 512x512x512:400; do
        size=${at%:*} steps=${at#*:}
        for turn in 1 2 3; do
            echo "$(seconds_labelled $size $steps 20 "$1") $(seconds_labelled $size $steps 200 "$1")"
        done | sort -n | awk -v k="$size" -v n="$steps" 'NR == 2 { cost = ($1 - $3) / (n / 20 - n / 200); step = $4 / n
            printf "%-12s %.3f ms a labelling, %.1f time steps\n", k, cost * 1e3, cost / step }'
    done
}
results_fields() { made bench/results && bench/results 3 "$1"; }
results_models() { made bench/results && bench/results --table models 3 "$1"; }
part_results() {
    cd "$build" || exit 1
    [ $# -gt 0 ] || set -- label labelled prim components build fields models
    for name; do
        [ "$(type -t "results_$name")" = function ] || { echo "no results of that name: $name"; continue; }
        for d in ${BENCH_DEVICES:-$(gpu) cuda:0}; do
            echo "== $name, $d"
            "results_$name" "$d" 2>>"$OUT/results.err"
        done
    done | tee -a "$OUT/results.txt"
}

# Field equations at full size, and the cost of a queued launch (64 x 64: mostly launches).
part_launch() {
    opencl=$(gpu)
    for size in 64x64 256x256 1024x1024 4096x4096 8192x8192 16384x16384; do
        for turn in 1 2 3; do
            for d in cuda:0 "$opencl"; do
                for s in variant=registers,vec=4 variant=registers,vec=2 variant=registers,vec=1; do
                    steps=$([ $size = 64x64 ] && echo 20000 || echo 400)
                    "$mw" run cahn-hilliard --size $size --steps $steps --no-tune --shape $s -d $d 2>&1 |
                        awk -v k="$size $d $s" '/^seconds/ { t = $2 } /^rate/ { r = $2 " " $3 } END { print k, t, r }' |
                        tee -a "$OUT/launch.txt"
                done
            done
        done
    done
}

# one_rate SIZE STEPS DEVICES [ARGUMENTS]: prints rate and checksum of a run.
one_rate() {
    "$mw" run cahn-hilliard --size "$1" --steps "$2" --no-tune -d "$3" "${@:4}" 2>&1 |
        awk -v k="$1 $3 ${*:4}" '/^rate/ { r = $2 " " $3 } /^checksum/ { c = $2 } /^(verif|meshwork:)/ { c = c " " $0 }
                                 END { print k, r, c }' | tee -a "$OUT/peers.txt"
}

# Two GPUs: copies between them, fields on one and both, by CUDA and OpenCL, and equal bits.
part_peers() {
    cd "$build" || exit 1
    made tests/device/dev/memory tests/device/field/split || exit 1
    for program in dev/memory field/split; do
        srcdir=$top MESHWORK_TEST_ALL=1 MESHWORK_TEST_DEVICE=cuda:0 tests/device/$program 2>&1 |
            grep -vE 'OK \]|RUN' | tail -9 | tee -a "$OUT/peers.txt"
    done
    opencl=$(gpu)
    for at in 2048x2048:4000 4096x4096:4000 8192x8192:1600 16384x16384:1000 512x512x512:400; do
        for turn in 1 2 3; do
            for d in cuda:0 cuda:0,cuda:1 "$opencl" "$opencl,${opencl%.*}.$((${opencl##*.} + 1))"; do
                one_rate "${at%:*}" "${at#*:}" "$d"
            done
        done
    done
    for more in "--precision double" "--integrator euler --boundary mirror" "--integrator rk4"; do
        one_rate 1000x1100 100 cuda:0,cuda:1 --verify $more
    done
    one_rate 100x110x90 50 cuda:0,cuda:1 --verify
}

# Invalid accesses and races.
part_trace() {
    for tool in memcheck racecheck; do
        compute-sanitizer --tool $tool "$mw" run cahn-hilliard --size 500x300 --steps 6 --no-tune -d cuda:0 2>&1 |
            tail -15 | tee "$OUT/$tool.txt"
    done
}

what=${1:-build}
shift
part_build >"$OUT/build.txt" 2>&1 || { cat "$OUT/build.txt"; exit 1; }
[ "$what" = build ] && { cat "$OUT/build.txt"; "$mw" devices -v; exec "$mw" doctor; }
"part_$what" "$@"
