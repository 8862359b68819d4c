#!/bin/sh
# Files of arrays in all formats: other programs read ours, and commands read theirs.
# shellcheck disable=SC2015,SC2059,SC2086 # lists of words are meant to split, bytes are formats; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

serial='label -d native:serial'
array in.npy '|u1' '3, 4' '\001\001\000\002\000\002\000\002\003\000\000\001'
gives 0 $serial in.npy
expected=$(checksum)

# A file converted to each format has the components of the original, also if its suffix does not name the format.
for format in npz tif TIFF nrrd nhdr mha mhd; do
    gives 0 transform shift=0,0 in.npy -o c.$format -d native:serial -q
    try "$MESHWORK" $serial c.$format --verify
    if [ "$status" -ne 0 ] && grep -q 'built without' "$scratch/err"; then
        echo "reading .$format is not built: no comparison"
        continue
    fi
    [ "$status" -eq 0 ] && [ "$(checksum)" = "$expected" ] || fail ".$format has other components"
done
for format in nrrd tif; do
    cp "$work/c.$format" "$work/c.dat"
    try "$MESHWORK" $serial c.dat
    grep -q 'built without' "$scratch/err" || [ "$(checksum)" = "$expected" ] ||
        fail "the bytes of .$format are not recognised"
done
gives 0 $serial c.npz:arr_0
refuses 1 "no array 'b' \(arrays: arr_0\)" $serial c.npz:b

# States: what -o writes, --input reads, with the spacing of the mesh in formats that have it.
model='run allen-cahn -d native:serial --no-tune --seed 3'
gives 0 $model --size 12x8x4 --spacing 0.5 --steps 3 -o a.npy -q
for format in npz tif nrrd nhdr mha mhd; do
    gives 0 $model --size 12x8x4 --spacing 0.5 --steps 3 -o s.$format -q
    try "$MESHWORK" $model --input s.$format --spacing 0.5 --steps 0 -o b.npy -q
    grep -q 'built without' "$scratch/err" || cmp "$work/a.npy" "$work/b.npy" ||
        fail "-o and --input of .$format differ"
done
grep -aq '^spacings: 0.5 0.5 0.5$' "$work/s.nrrd" || fail "no spacing in NRRD"
grep -aq '^ElementSpacing = 0.5 0.5 0.5$' "$work/s.mha" || fail "no spacing in MetaImage"
gives 0 $serial a.npy -o l.tif --cells l.npz -q

# Outputs replace neither inputs nor each other, also by their second files and names of members.
refuses 2 's.raw is the file of two outputs' $model --size 8 --steps 1 -o s.mhd --series s.raw
refuses 2 'c.npz is an input file' transform flip=0 c.npz:arr_0 -o c.npz
refuses 2 'c.raw is an input file' $serial c.raw --size 4x3 --type uint8 -o c.mhd

# Unknown suffixes are refused with the known ones.
known='.npy, .npz.*\.tif, .*\.nrrd'
refuses 2 "cannot read in.txt: unknown suffix \(known: $known" transform flip=0 in.txt
refuses 2 "'out.txt' must end in $known" transform flip=0 in.npy -o out.txt
refuses 2 "'out.vti' must end in $known" $serial in.npy -o out.vti
refuses 2 "unknown suffix \(known: $known" $model --input in.txt
refuses 2 "unknown suffix \(known: $known" run ising -d native:serial --input in.txt
refuses 2 "must be a file with suffix $known" walk --steps 3 -o out.txt
refuses 2 'x.tif: numbers are written without the header of .tif' rng --samples 4 -o x.tif

# ---- other programs ----

python=$(with_numpy)
[ -n "$python" ] || { echo "python3-numpy is not installed: no comparison with other programs"; finish; }
try "$python" "$source_top/tests/cli/files/formats.py" "$MESHWORK" "${MESHWORK_TEST_SEED:-1}"
cat "$scratch/out"
[ "$status" -eq 0 ] || fail "other programs read or write other values"
finish
