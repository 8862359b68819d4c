#!/bin/sh
# Times README's commands at the first use, in seconds: each runs from an empty cache, and once more. MESHWORK_DEVICE
# selects the device. Usage: bench/scripts/first-use.sh MESHWORK [PATTERN]; the pattern selects commands. Columns: the
# first run; the second run; the time until the first run's work began; the time until its first output; the command.
# The work begins after `setup` and the first step of a run's timings; for other commands the difference of both runs is
# printed.
# SPDX-License-Identifier: MIT
set -eu
meshwork=$(realpath "$1")
pattern=${2:-.}
top=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/meshwork-first-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
unset XDG_CACHE_HOME POCL_CACHE_DIR
HOME=$scratch
export HOME MESHWORK_CACHE_DIR
cd "$scratch"
mkfifo messages

now() { date +%s%N; }

# once ARGUMENT...: runs the command; sets $seconds, and $heard to the time of its first message.
once() {
    start=$(now)
    { IFS= read -r line && echo "$(now) $line"; cat; } <messages >said &
    status=0
    "$meshwork" "$@" >out 2>messages || status=$?
    seconds=$(($(now) - start))
    wait
    [ $status -eq 0 ] || [ $status -eq 5 ] || { echo "exit code $status: $*"; cat said; }
    heard=$(sed -n '1s/ .*//p' said)
    heard=${heard:+$((heard - start))}
}

# before ARGUMENT...: prints the nanoseconds before the first step, as reported by the run.
before() {
    sed -n 's/.*"\(setup\|first_step\)": *\([0-9.e-]*\).*/\2/p' out | awk '{ s += $1 } END { printf "%.0f", s * 1e9 }'
}

# makes ARGUMENT...: makes an input file, with a separate cache.
makes() { MESHWORK_CACHE_DIR=$scratch/other "$meshwork" "$@" -q -d native:pthreads >out; }

makes run cahn-hilliard --steps 1000 -o end.npy
makes label --pattern domains --save-pattern spots.png
makes run gray-scott --size 512x512 --steps 1000 --checkpoint old.ck
head -c 16777216 /dev/urandom >scan.raw
printf 'ann bob\nbob cid\ndan eve\nfay fay\n' >friends.txt
printf '%%%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 2\n2 3\n3 1\n4 4\n' | gzip >roads.mtx.gz
makes graph generate ws -p n=1000000 -p k=10 -p p=0.1 --seed 1 -o small-world.mwg
sed -n '/^\/\/@ model swift-hohenberg/,/^}/p' "$top/README.md" >swift-hohenberg.cl

MESHWORK_CACHE_DIR=$scratch/cache
printf '%7s %7s %7s %7s\n' first second before heard
{ grep -v '^#' | grep -e "$pattern" || true; } >commands <<COMMANDS
devices
run cahn-hilliard --size 256x256 --dt 0.02 --seed 1 --steps 2000 --png field.png
run cahn-hilliard --size 512x512 --steps 20000 --png field.png
run cahn-hilliard --size 192x128 --steps 200 --seed 7
run cahn-hilliard -p K=2 --every 100 --png frame-%06d.png -o ended.npy
run ginzburg-landau --size 64x64x64 --boundary mirror,periodic,periodic --integrator rk4 --vtk psi-%d.vti --every 500
run gray-scott --size 512x512 --steps 100000 --checkpoint new.ck --checkpoint-every 10000 --series gs.csv --every 500
run gray-scott --restart gs.ck --steps 200000
run cahn-hilliard -d cpu,native:pthreads --size 1024x1024
run cahn-hilliard --size 1024x1024 --steps 16384 --label-every 128 --series s.csv
run ./swift-hohenberg.cl --size 256x256 --steps 20000 --png stripes.png
transform crinkle=0:2,1:2 $top/doc/pictures/cahn-hilliard-20000.png -o crinkled.png
transform flip=0 shift=3,-1 end.npy -o moved.npy
transform --inverse flip=0 shift=3,-1 end.npy -o back.npy
label end.npy --threshold 0 --periodic --png domains.png
label --pattern domains --save-pattern new.png --components parts.csv
label spots.png --threshold 128 -o labels.npy --png coloured.png --sizes
label scan.raw --size 256x256x128 --type uint16 --threshold 1000 --connectivity all --min-size 50 -o parts.npy
label --pattern random --size 2048x2048 --density 0.6 --verify
graph generate ws -p n=1000000 -p k=10 -p p=0.1 --seed 1 -o ws.mwg
graph info small-world.mwg --degrees
graph components friends.txt --sizes -o labels.txt --largest core.graphml
graph convert roads.mtx.gz roads.graph --undirected --self remove --multi remove
COMMANDS
while read -r line; do
    rm -rf cache
    cp old.ck gs.ck
    case $line in run*) more='--time-limit 1' ;; *) more= ;; esac
    # shellcheck disable=SC2086 # words of a command
    once $line $more --json </dev/null
    first=$seconds said=$heard began=$(before)
    # shellcheck disable=SC2086
    cp old.ck gs.ck && once $line $more --json </dev/null
    awk -v first="$first" -v second="$seconds" -v began="${began:-0}" -v heard="${said:-}" -v line="$line" 'BEGIN {
        began = began > 0 ? began : first - second
        printf "%7.2f %7.2f %7.2f %7s  %s\n", first / 1e9, second / 1e9, began / 1e9,
               heard == "" ? "" : sprintf("%.2f", heard / 1e9), line }'
done <commands
