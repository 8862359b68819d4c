#!/bin/sh
# The command takes and prints the same words in every locale: Turkish has another lower case of I, German a decimal
# comma.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

command -v localedef >/dev/null || skip "there is no localedef (package libc-bin)"
for name in tr_TR de_DE; do
    # Its warnings about definitions of other versions do not matter.
    localedef -i $name -f UTF-8 "$scratch/$name.UTF-8" >/dev/null 2>&1
    [ -d "$scratch/$name.UTF-8" ] || skip "localedef does not make $name (package locales)"
done
LOCPATH=$scratch
# The C library does not free what it reads from $LOCPATH.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export LOCPATH ASAN_OPTIONS

printf '%%%%MATRIXMARKET MATRIX COORDINATE INTEGER GENERAL\n3 3 2\n1 2 4\n2 3 5\n' >"$work/I.MTX"
for locale in C tr_TR.UTF-8 de_DE.UTF-8; do
    gives 0 graph info I.MTX -d NATIVE:SERIAL --json
    json_has '"edges":2'
    LC_ALL=$locale
    export LC_ALL
    gives 0 graph info I.MTX -d NATIVE
    prints '^vertices +3$'
    gives 0 graph paths I.MTX -d NATIVE:SERIAL
    prints '^mean distance +6\.0*$|^mean distance +6$'
    gives 0 run cahn-hilliard -d NATIVE:SERIAL --no-tune --size 8x8 --steps 2 --dt 0.02 -p K=0.5 \
        -o STATE.NPY --vtk STATE.VTI --series SERIES.CSV --memory-limit 1.5gib
    prints 'dt = 0\.02'
    grep -q '^2,0\.04,' "$work/SERIES.CSV" || fail "numbers of a series in $locale"
    gives 0 label -d NATIVE:SERIAL STATE.NPY --threshold 0.25
    rm "$work/STATE.NPY" "$work/STATE.VTI" "$work/SERIES.CSV"
done
finish
