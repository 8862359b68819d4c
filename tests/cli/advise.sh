#!/bin/sh
# meshwork advise: the fastest device per range of sizes, and the device of tasks without -d.
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
unset MESHWORK_MEMORY_LIMIT
advice=$MESHWORK_CACHE_DIR/advice.txt

# goes DEVICE FROM ARGUMENT...: --print-config shows this device, chosen by this source.
goes() {
    wanted="$1 +$2"
    shift 2
    gives 0 "$@" --print-config
    prints "^device +$wanted\$"
}

gives 0 advise list
goes - default label --pattern spiral --size 16x16
try "$MESHWORK" advise nosuch
grep -q jansson "$scratch/err" && skip "built without jansson"
[ ! -e "$advice" ] || fail "something is known where nobody measured"

devices=native:serial,native:pthreads
gives 0 advise label --pattern spiral --size 32x32 --devices $devices --rounds 2
prints '^task +label pattern=spiral$'
prints '^ +64 +native:(serial|pthreads) .* native:(serial|pthreads), [0-9.e+]+ times as long$'
prints '^ *1024 +native:'
prints '^the fastest +native:(serial|pthreads)(, from (256|1024) on native:(serial|pthreads))*$'
silent
gives 0 advise rng --samples 256 --devices native:serial --rounds 1 --json
json_keys task unit sizes amount rows device whole seconds fastest
json_has '"task":"rng"'
gives 0 advise rng --samples 256 --devices native:serial --rounds 1
prints '^ +256 +native:serial +[0-9.]+ .s +[0-9.]+ .s *$'
gives 0 advise list
[ "$(grep -c '^label pattern=spiral ' "$scratch/out")" -eq 6 ] || fail "not three sizes of two devices"
prints '^rng +64 '

# Measurements decide, here as if threads were faster from 1024 cells on.  They apply from a quarter of the smallest
# measured size up to four times the largest, and to no other sizes.
awk -F '\t' -v OFS='\t' '$4 == "native:serial" { $6 = $5 / 1e6 } $4 == "native:pthreads" { $6 = 0.0006 }
                         $4 ~ /native/ { $7 = 0 } { print }' "$advice" >"$scratch/edited"
cat "$scratch/edited" >"$advice"
goes native:serial 'meshwork advise' label --pattern spiral --size 4x4
goes native:serial 'meshwork advise' label --pattern spiral --size 16x16
goes native:pthreads 'meshwork advise' label --pattern spiral --size 32x32
goes native:pthreads 'meshwork advise' label --size 64x64 --pattern spiral
goes - default label --pattern spiral --size 65x64
goes - default label --pattern spiral --size 3x5
goes - default label --pattern random --size 16x16
goes - default label --pattern spiral --size 16x16 --connectivity all
goes - default label --pattern spiral --size 16x16 --threads 1
goes native:pthreads option label --pattern spiral --size 16x16 -d native:pthreads
gives 0 label --pattern spiral --size 16x16
prints '^device +native:serial '
gives 0 label --pattern spiral --size 32x32
prints '^device +native:pthreads '
MESHWORK_DEVICE=native:pthreads
export MESHWORK_DEVICE
goes native:pthreads 'environment MESHWORK_DEVICE' label --pattern spiral --size 16x16
unset MESHWORK_DEVICE

# Steps count: a device with a slow start and fast steps is faster from 100 steps on.
head -n 2 "$scratch/edited" >"$advice"
machine=$(sed -n '3s/\t/ /g; 3p' "$scratch/edited" | cut -d ' ' -f 1,2 | tr ' ' '\t')
printf '%s\trun heat\tnative:%s\t1024\t%s\t%s\n' "$machine" serial 0.001 0.0002 "$machine" pthreads 0.011 0.0001 \
    >>"$advice"
goes native:serial 'meshwork advise' run heat --size 32x32 --steps 99
goes native:pthreads 'meshwork advise' run heat --size 32x32 --steps 101
goes - default run heat --size 32x32 --steps 101 --precision double
goes - default run heat --size 16x8x8 --steps 101

# Lines of other machines and versions, and damaged lines, are ignored.
for change in \
    's/^[0-9][^\t]*/0.0.0/' 's/\t[0-9a-f]*\trun/\t0123456789abcdef\trun/' 's/0\.0.*$/x/' 's/^\(.\{40\}\).*/\1/'; do
    sed "$change" "$advice" >"$scratch/other"
    cp "$advice" "$scratch/keep"
    cp "$scratch/other" "$advice"
    goes - default run heat --size 32x32 --steps 99
    cp "$scratch/keep" "$advice"
done
refuses 2 "unexpected operand 'extra'" advise list extra
gives 0 advise clear
[ ! -e "$advice" ] || fail "what was forgotten is still there"
goes - default run heat --size 32x32 --steps 99

refuses 2 'is not measured' advise devices
refuses 2 'is not measured' advise run heat --restart c.ck
refuses 2 'the size of .*--generate' advise graph components --generate ba
refuses 2 'the size of' advise transform flip=0 nosuch.npy
refuses 2 'compare sets -d itself' advise run heat -d native
refuses 2 'no device can run this; .*unknown model' advise run nosuch --size 8x8 --devices native:serial
refuses 3 'nosuch' advise run heat --devices nosuch
[ ! -e "$advice" ] || fail "something is kept of what failed"
finish
