#!/bin/sh
# Plans of memory: --dry-run's bytes equal the measured peak within a tenth, without the memory of an idle process.
# --memory-limit refuses before work starts.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}${LSAN_OPTIONS-}" ] || skip "sanitizers have memory of their own"
[ -e /proc/self/status ] || skip "peaks are measured on Linux only"

# A library that makes the command write its peak in kilobytes, without that of compilers.
cat >"$scratch/peak.c" <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
static int is_command;
__attribute__((constructor)) static void begin(void)
{
    is_command = strstr(program_invocation_short_name, "meshwork") != NULL;
    if (is_command)
        unsetenv("LD_PRELOAD");
}
__attribute__((destructor)) static void end(void)
{
    struct rusage used;
    if (is_command && getrusage(RUSAGE_SELF, &used) == 0)
        fprintf(stderr, "peak %ld\n", used.ru_maxrss);
}
C
${CC:-cc} -shared -fPIC -o "$scratch/peak.so" "$scratch/peak.c" 2>"$scratch/err" || skip "no C compiler"

# peak_of ARGUMENT...: sets $kilobytes to the peak of a run.
peak_of() {
    try env LD_PRELOAD="$scratch/peak.so" "$MESHWORK" "$@" -q
    [ "$status" -eq 0 ] || fail "exit code $status: meshwork $*"
    kilobytes=$(sed -n 's/^peak //p' "$scratch/err")
}
field_of() { tr -d ' \n' <"$scratch/out" | sed "s/.*\"$1\":\\([0-9]*\\).*/\\1/"; }

# plans WORDS SMALL LARGE: a subcommand's plan for WORDS with the options LARGE; with SMALL it needs almost nothing.
# With a tenth less than planned it is rejected at the start.
plans() {
    peak_of $1 $2
    idle=$kilobytes
    peak_of $1 $3
    peak=$((kilobytes - idle))
    gives 0 $1 $3 --dry-run --json
    planned=$(($(field_of memory_bytes) / 1024))
    { [ $((10 * planned)) -ge $((9 * peak)) ] && [ $((9 * planned)) -le $((10 * peak)) ]; } ||
        fail "$planned KiB are planned and $peak taken: meshwork $1 $3"
}
# refused WORDS: after plans(), the same with less memory than planned.
refused() { refuses 1 'of memory, but this (run )?needs' "$@" --memory-limit $((planned * 9 / 10))K; }

has_json || skip "plans are read as JSON"

# zeros FILE DESCR SHAPE BYTES: an array of zeros.
zeros() {
    array "$1" "$2" "$3" ''
    head -c "$4" /dev/zero >>"$work/$1"
}

# ---- transform ----

zeros large.npy '|u1' '5000, 6000' 30000000
array small.npy '|u1' '2, 3' '\001\002\003\004\005\006'
transform='transform -d native:serial'
plans "$transform" 'flip=0 small.npy' 'flip=0 large.npy'
refused $transform flip=0 large.npy
plans "$transform" 'permute=1,0 small.npy' 'permute=1,0 large.npy -o out.npy --verify'
plans "$transform" 'flip=0 small.npy' 'flip=0 --in-place large.npy'
rm -f "$work"/*.npy

# ---- label ----

# Wide and low, and narrow and high: sampled in slabs across the longest dimension; and more sizes than labels.
label='label -d native:serial --pattern random'
plans "$label" '--size 10x10' '--size 600000x10'
plans "$label" '--size 10x10' '--size 10x600000'
refused $label --size 10x600000 -o none.npy
zeros noise.npy '|u1' '3000, 2000' 0
head -c 6000000 /dev/urandom >>"$work/noise.npy"
array small.npy '|u1' '2, 3' '\001\002\003\004\005\006'
plans 'label -d native:serial --sizes' small.npy noise.npy
rm -f "$work"/*.npy

# ---- run ----

run='run -d native:serial --no-tune'
plans "$run cahn-hilliard --steps 1" '--size 16x16' '--size 2500x2000'
plans "$run cahn-hilliard --steps 1 --verify" '--size 16x16' '--size 2500x2500'
plans "$run ising --steps 1" '--size 64x64' '--size 8192x4096'
refused $run ising --steps 1 --size 8192x4096 --series none.csv
folder_holds ''
# Spins stored as bits, as bytes, and by the model's functions.
plans "$run ising --steps 1 --verify" '--size 64x64' '--size 8192x4096'
plans "$run ising --steps 1 --verify --variant crinkled" '--size 64x64' '--size 4096x4096'
plans "$run potts --steps 1 --verify" '--size 64x64' '--size 4096x4096'
plans "$run potts --steps 1" '--size 64x64' '--size 4096x4096'
plans "$run heisenberg --steps 1" '--size 64x64' '--size 1500x1500'

# ---- walk ----

walk='walk -d native:serial --carpet'
plans "$walk full" '--steps 20' '--steps 1500'
refused $walk full --steps 1500
plans "$walk sc31" '--steps 20' '--steps 1500'
plans "$walk random59" '--steps 20' '--steps 2000'
plans "$walk random35" '--steps 20' '--steps 2000'
plans "$walk random59 --runs 3" '--steps 20' '--steps 1500'
plans "$walk full --method walkers --steps 2" '--walkers 10' '--walkers 2000000'

# ---- graph generate ----

generate='graph generate -d native:serial'
plans "$generate er" '-p n=100 -p m=300' '-p n=500000 -p m=3000000'
refused $generate er -p n=500000 -p m=3000000 -o none.mtx
plans "$generate ba" '-p n=100 -p m=8 -p weights=9' '-p n=200000 -p m=8 -p weights=9'
folder_holds ''

# Memory freed by earlier passes returns to the system.
plans "$generate ws --repeat 3" '-p n=100 -p k=10' '-p n=300000 -p k=10'

# ---- rng ----

plans 'rng -d native:serial' '--samples 10' '--samples 17000000'
refused rng -d native:serial --samples 17000000
plans 'rng -d native:serial --distribution double' '--samples 10' '--samples 17000000'

finish
