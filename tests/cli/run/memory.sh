#!/bin/sh
# Plans of memory: --dry-run's bytes are the measured peak within a tenth, without what an idle process takes; and
# --memory-limit refuses before work starts.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}${LSAN_OPTIONS-}" ] || skip "sanitizers have memory of their own"
[ -e /proc/self/status ] || skip "peaks are measured on Linux only"

# peak COMMAND...: writes the kilobytes that it had at most, and ends as it does.
cat >"$scratch/peak.c" <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (argc < 2 || child < 0 || wait4(child, &status, 0, &used) < 0)
        return 127;
    fprintf(stderr, "peak %ld\n", used.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
C
${CC:-cc} -o "$scratch/peak" "$scratch/peak.c" 2>"$scratch/err" || skip "no C compiler"

peak_kilobytes() {
    try "$scratch/peak" "$MESHWORK" "$@" -q
    [ "$status" -eq 0 ] || fail "exit code $status: meshwork $*"
    sed -n 's/^peak //p' "$scratch/err"
}
field_of() { tr -d ' \n' <"$scratch/out" | sed "s/.*\"$1\":\\([0-9]*\\).*/\\1/"; }

# plans WORDS SMALL LARGE: a subcommand's plan for WORDS with the options LARGE; with SMALL it takes next to nothing.
# What is planned is refused where there is a tenth less, before anything is made.
plans() {
    idle=$(peak_kilobytes $1 $2) || return
    peak=$(($(peak_kilobytes $1 $3) - idle))
    gives 0 $1 $3 --dry-run --json
    planned=$(($(field_of memory_bytes) / 1024))
    [ $((10 * planned)) -ge $((9 * peak)) ] && [ $((9 * planned)) -le $((10 * peak)) ] ||
        fail "$planned KiB are planned and $peak taken: meshwork $1 $3"
}
# refused WORDS: after plans(), the same with less memory than is planned.
refused() { refuses 1 'of memory and this' "$@" --memory-limit $((planned * 9 / 10))K; }

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

finish
