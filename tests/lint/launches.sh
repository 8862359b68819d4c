#!/bin/sh
# A launch whose arguments are not those of the kernel's prototype does not compile in the library.
# SPDX-License-Identifier: MIT
set -u
source=$(cd "${srcdir:-.}" && pwd)
build=$PWD
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0
[ -f kernels/prim/scan.h ] || { echo "kernels/prim/scan.h was not made"; exit 1; }

# compiles ARGUMENTS: compiles a call of launch_scan_sums with the set and these arguments.
compiles() {
    cat >"$folder/launch.c" <<END_C
#include "kernels/prim/scan.h"
int launch(struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *from, struct mw_buffer *sums,
           double *numbers);
int launch(struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *from, struct mw_buffer *sums,
           double *numbers)
{
    (void)range, (void)from, (void)sums, (void)numbers;
    return launch_scan_sums(set, $1);
}
END_C
    # shellcheck disable=SC2086 # CC may hold options
    ${CC:-cc} -std=gnu11 -Werror -fsyntax-only -I"$source/include" -I"$source/src" -I"$source/cl" -I"$build" \
        -I"$build/kernels" "$folder/launch.c" >"$folder/said" 2>&1
}

compiles 'range, from, sums, 0, 10, 4' || {
    echo "the right arguments do not compile:"
    cat "$folder/said"
    failures=1
}
for arguments in 'range, from, sums, 0, 10' 'range, from, sums, 0, 10, 4, 4' 'range, sums, 0, 10, 4, from' \
    'range, from, numbers, 0, 10, 4' 'range, from, 1, 0, 10, 4' 'range, from, sums, from, 10, 4' \
    'from, range, sums, 0, 10, 4' 'range, from, sums, 0, 10, range'; do
    compiles "$arguments" && {
        echo "wrong arguments compile: $arguments"
        failures=$((failures + 1))
    }
done
[ $failures -eq 0 ]
