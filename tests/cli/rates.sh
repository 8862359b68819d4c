#!/bin/sh
# Loading and compiling are no part of times and rates. With empty caches, also of PoCL, which compiles kernels at their
# first launch, commands report about the same seconds as in later runs. So they do on two devices, which compile at the
# same time. Compiling takes many times as long as these tasks.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
POCL_DEVICES='pthread pthread' MESHWORK_ALL_DEVICES=1
export POCL_DEVICES MESHWORK_ALL_DEVICES
found=$("$MESHWORK" devices 2>/dev/null | awk '/ pthread-/ { printf "%s%s", n++ ? "," : "", $2 }')
[ -n "$found" ] || skip "PoCL is not installed"
one=${found%%,*}
"$MESHWORK" graph generate rmat -p scale=14 -d native:serial -o "$work/rmat.mwg" -q >"$scratch/out" || exit 99
"$MESHWORK" run gray-scott -d native:serial --size 64x64 --steps 1 -o "$work/field.npy" -q >"$scratch/out" || exit 99

# Prints the seconds that a command reports; nothing after a failure.
seconds_of() {
    (cd "$work" && "$MESHWORK" "$@" --json 2>"$scratch/err") | tr ',' '\n' |
        sed -n 's/.*"seconds": *\([-0-9.e+]*\).*/\1/p' | head -n 1
}

MESHWORK_CACHE_DIR=$scratch/empty/meshwork POCL_CACHE_DIR=$scratch/empty/pocl
export MESHWORK_CACHE_DIR POCL_CACHE_DIR
empties() {
    rm -rf "$scratch/empty"
    mkdir -m 700 "$scratch/empty" "$scratch/empty/meshwork" "$scratch/empty/pocl"
}

# Commands have kernels of their own, which are not in the caches yet. A machine that is busy with other work delays any
# run: then another attempt with empty caches decides.
similar() { # COMMAND...
    for attempt in 1 2 3; do
        [ $attempt -eq 1 ] || empties
        first=$(seconds_of "$@")
        second=$(seconds_of "$@")
        third=$(seconds_of "$@")
        # Below some milliseconds, single launches and the clock matter.
        awk -v a="$first" -v b="$second" -v c="$third" 'BEGIN {
            most = b + 0 > c + 0 ? b : c
            exit !(a + 0 > 0 && b + 0 > 0 && a + 0 <= 1.5 * most + 0.005) }' && return
    done
    fail "$first s at first, then $second s and $third s: meshwork $*"
}

empties
while read -r command; do
    similar $command -d $one
done <<END
run gray-scott --size 256x256 --steps 400 --no-tune
run ising --size 256x256 --steps 400
rng --samples 2e7
walk --carpet sc31 --start 0,0 --steps 1000
transform flip=0 field.npy
label field.npy
graph generate ws -p n=1e5 -p k=10 -p p=0.1
graph components rmat.mwg
graph paths rmat.mwg --sample 512
graph clustering rmat.mwg
graph pagerank rmat.mwg
graph cores rmat.mwg
graph betweenness rmat.mwg --sample 64
graph bridges rmat.mwg
END
case $found in *,*)
    empties
    for command in 'paths --sample 1024' clustering 'betweenness --sample 64' pagerank; do
        similar graph $command rmat.mwg -d $found
    done ;;
esac
finish
