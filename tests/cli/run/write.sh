#!/bin/sh
# Outputs during a run: states, pictures and VTK images by patterns, a series; and its input.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

model='run cahn-hilliard -d native:serial --no-tune'
python=$(with_numpy)
python=${python:-$(command -v python3 || command -v /usr/bin/python3)}
python=${python:-true}
: "${AWK:=awk}"

# image VTI NPY TIME FIELD...: the file has that state.
image() {
    try "$python" "$source_top/tests/cli/run/vti.py" "$@"
    [ "$status" -eq 0 ] || fail "a VTK image of other contents: $*"
}

# The schedule: step 0, every 8, and the end.
gives 0 $small --every 8 -o 'state-%04d.npy' --vtk 'f.vti' --series s.csv
prints '^written +4, state-%04d.npy$'
prints '^vtk +4, f.vti$'
prints '^series +s.csv$'
cp "$work/s.csv" "$scratch"
[ "$(cut -d, -f1 "$work/s.csv" | tr '\n' ' ')" = 'step 0 8 16 20 ' ] || fail "the series has other rows"
for step in 0 8 16 20; do
    image "$(printf 'f-%06d.vti' $step)" "$(printf 'state-%04d.npy' $step)" "$($AWK "BEGIN { print 0.01 * $step }")" c
done
gives 0 $small --vtk end.vti -o end.npy
cmp -s "$work/end.npy" "$work/state-0020.npy" || fail "another state at the end"
image end.vti end.npy 0.2 c
gives 0 $small --steps 8 -o end.npy
cmp -s "$work/end.npy" "$work/state-0008.npy" || fail "another state at step 8"
gives 0 $small -o 'at-%d.npy' --precision double --vtk 'at-%d.vti'
image at-20.vti at-20.npy 0.2 c
folder_holds at-20.npy at-20.vti end.npy end.vti f-000000.vti f-000008.vti f-000016.vti f-000020.vti f.pvd s.csv \
    state-0000.npy state-0008.npy state-0016.npy state-0020.npy

# A model of two fields; its names in the file, and columns in the series.
cp "$source_top/tests/device/models/chain.cl" "$work"
device=$("$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\(opencl:[0-9.]*\) .*/\1/p' | head -n 1)
if [ -n "$device" ]; then
    gives 0 run ./chain.cl -d "$device" --no-tune --size 24x16 --steps 2 --dt 0.01 --vtk a.vti -o a.npy --series s.csv
    image a.vti a.npy 0.02 a b
    [ "$(head -n 1 "$work/s.csv")" = \
        step,time,a_mean,a_variance,a_least,a_most,b_mean,b_variance,b_least,b_most,domain_size ] ||
        fail "other titles: $(head -n 1 "$work/s.csv")"
fi
rm -rf "${work:?}"/*

# The series agrees with the summary.
if has_json; then
    gives 0 $small --every 8 --series s.csv --json
    last=$(tail -n 1 "$work/s.csv")
    mean=$(sed -n '/"means"/,/}/s/.*"c": \([^,]*\).*/\1/p' "$scratch/out")
    domain=$(sed -n 's/.*"domain_size": \([^,]*\).*/\1/p' "$scratch/out")
    $AWK -v row="$last" -v mean="$mean" -v domain="$domain" 'BEGIN {
        n = split(row, v, ","); exit !(v[1] == 20 && v[2] == 0.2 && v[3] == mean && v[n] == domain) }' ||
        fail "the series ends with $last, and JSON has mean $mean and size $domain"
    cmp -s "$work/s.csv" "$scratch/s.csv" || fail "another series with --json"
fi

# Without --every there is a row at the start, every thousand steps, and at the end.
gives 0 $small --steps 2500 --size 16x16 --series s.csv
[ "$(cut -d, -f1 "$work/s.csv" | tr '\n' ' ')" = 'step 0 1000 2000 2500 ' ] || fail "other rows without --every"
folder_holds s.csv

# The plan names the files, and writes none.
gives 0 $small --every 8 -o 'n%d.npy' --vtk 'f%d.vti' --series s.csv --checkpoint ck --checkpoint-every 5 --dry-run
for row in 'written +4 files, n%d.npy' 'vtk +4 files, f%d.vti' 'series +4 rows, s.csv' 'memory +.*host' \
    'checkpoint +every 5 steps and at the end, ck and ck.old, each of 6 KiB'; do
    prints "^$row"
done
folder_holds ''

# Impossible files are rejected before the computation.
long="$model --size 2048x2048 --steps 1000000000"
for option in --vtk --series --checkpoint; do
    refuses 1 'folder nowhere does not exist' $long $option nowhere/file
    refuses 1 'is a folder' $long $option /
done
refuses 2 '--checkpoint needs a file' $long --checkpoint -
refuses 1 'folder nowhere does not exist' $long -o 'nowhere/a%d.npy'
# A suffix of another format; names without a suffix, or with an unknown one, are accepted.
for name in v.h5 v.png 'v%d.vti' a.npy/v.txt v.JPG; do
    refuses 2 "--output: $name must be .* suffix .npy, .npz.*pictures as .png.*images as .vti" $small -o $name
done
! has_png || refuses 2 '--png: a.jpeg must be a file with suffix .png' $small --png a.jpeg
refuses 2 '--vtk: a.vtk must be a file with suffix .vti' $small --vtk a.vtk
for name in state .h5 a.b/state state.0001 state.%d tmp.AbCdEfGhIj state.NPY state.x-y state.TIF state.mhd; do
    mkdir -p "$work/a.b"
    gives 0 $small -o $name --dry-run
done
rm -r "$work/a.b"
for name in 'a%s' 'a%d%d' 'a%'; do
    refuses 2 '--vtk' $small --vtk "$name"
    refuses 2 '--output' $small -o "$name"
done
folder_holds ''

# Boundary conditions and other choices.
refuses 2 'expected periodic\|mirror\|fixed' $model --boundary open
refuses 2 'expected periodic\|mirror\|fixed' $model --boundary periodic,
refuses 2 'has 3 boundaries, but the mesh has 2 dimensions' $model --boundary mirror,mirror,mirror
refuses 2 'the maximum is 8' $model --boundary fixed,fixed,fixed,fixed,fixed,fixed,fixed,fixed,fixed
refuses 2 'second\|fourth\|isotropic' $model --laplacian third
refuses 2 'euler\|rk2\|rk4' $model --integrator rk3
refuses 2 'noise.*constant' $model --start zero

# A field that diverges within a thousand steps: the message has step and cell, nothing is half written, and earlier
# files stay.
gives 0 $small --dt 0.05 --steps 3 --checkpoint ck
cp "$work/ck" "$scratch/ck"
# A rate that is not finite at the start is not attributed to the time step; a field that is not conserved is reported.
cat >"$work/source.cl" <<'END'
//@ model source "du/dt = lap u + k / d"
//@ field u noise=0.1 mean=0.5
//@ param k 0.01 "source"
//@ param d 1 "divisor"
//@ dt 0.1
//@ conserve u
RATE(u) { return LAP(u) + AT(u) * P(k) / P(d); }
END
refuses 1 'the rate of field u is not finite at the start, first at x=0, y=0: .*division by 0' \
    run ./source.cl -d native:serial --no-tune --size 16x16 --steps 20 -p d=0
gives 0 run ./source.cl -d native:serial --no-tune --size 16x16 --steps 20
prints 'u is not conserved, as the model declares: its mean was 0\.'
gives 0 run ./source.cl -d native:serial --no-tune --size 16x16 --steps 20 -p k=0
grep -q 'not conserved' "$scratch/out" && fail "heat is not conserved"
# At the end all values are small, but rounding is relative to the start.
gives 0 run heat -d native:serial --size 64x64 --steps 100000
grep -q 'not conserved' "$scratch/out" && fail "heat is not conserved in the long run"
if has_json; then
    gives 0 run ./source.cl -d native:serial --no-tune --size 16x16 --steps 20 --json
    json_has '"conserved":false'
    gives 0 $small --steps 200 --json
    json_has '"conserved":true'
fi
rm "$work/source.cl"
# Scalars where values differ between cells: returned, chosen, assigned, passed to a function.  The same bits, and the
# same message for a mistake, on all devices.
for device in native:serial $(driven); do
    for value in 'P(k)' 'R(1.0)' '(P(k) + 2.5) * 2' '0' '0.5'; do
        cat >"$work/plain.cl" <<END
//@ model plain "du/dt = constant"
//@ field u mean=0.5
//@ param k 1.5 "constant"
RATE(u)
{
    return $value;
}
END
        gives 0 run ./plain.cl -d "$device" --no-tune --size 16x16 --steps 2 --verify
    done
    sed 's/return .*/return LAP(u) + P(k) * nothing;/' "$work/plain.cl" >"$work/wide.cl"
    refuses 4 "\./wide\.cl:6:28: unknown name 'nothing'" run ./wide.cl -d "$device" --no-tune --size 16x16 --steps 2
    cat >"$work/mixed.cl" <<'END'
//@ model mixed "numbers among cells"
//@ field u mean=0.5
//@ field v mean=0.25
//@ param k 1.5 "constant"
INLINE real twice(const real x) { return R(2.0) * x; }
INLINE realv cube(const realv c, const real a) { return a > 3 ? c^3 : 0.5; }
STAGE(w)
{
    if (P(k) > R(2.0))
        return R(-0.0);
    return -AT(u);
}
RATE(u)
{
    const real n = 3;
    realv q = P(k) * R(2.0), s;
    s = n;
    return P(k) < R(1.0) ? q * AT(u) : cube(R(0.25), twice(P(k))) + s * LAP(w) + cube(cube(1, 4), R(4.0));
}
RATE(v)
{
    real q = 0;
    q += 0.375;
    if (u < v || !(k > 1))
        q = v / u;
    return k > 1 ? q : v;
}
ENERGY() { real e = P(k); return e; }
END
    gives 0 run ./mixed.cl -d "$device" --no-tune --size 48x16 --steps 2 --verify
    sed -n 's/^checksum *//p' "$scratch/out" >>"$scratch/mixed"
done
[ "$(sort -u "$scratch/mixed" | wc -l)" -eq 1 ] || fail "numbers among cells have other bits elsewhere"
rm "$work/plain.cl" "$work/wide.cl" "$work/mixed.cl"
refuses 1 'no longer finite at step 1000 \(it was at step 0\), field c first at x=[0-9]+, y=[0-9]+: .*--dt 1, or ' \
    $small --dt 1 --steps 100000000 -o state.npy --checkpoint ck
cmp -s "$work/ck" "$scratch/ck" || fail "a bad state in the checkpoint"
refuses 1 'no longer finite at step [0-9]+ \(it was at step [0-9]+\)' $small --dt 0.05 --restart ck --steps 100000000 \
    --every 10 --series s.csv --checkpoint-every 7 -o 'n%d.npy'
grep -Eq ',,|nan|inf' "$work/s.csv" && fail "a bad row in the series"
[ "$(tail -c 1 "$work/s.csv" | od -An -tx1)" = ' 0a' ] || fail "a row that is cut off"
gives 0 $model --restart ck --dry-run
rm -f "$work"/n*.npy
folder_holds ck ck.old s.csv

# Starts: constants, and pictures.
gives 0 $small --start constant --steps 1
prints '^c +mean 0 .*from 0 to 0$'
refuses 2 'exclude each other' $small --start noise --input a.npy
refuses 2 '--input-range' $small --input-range 0,1
if has_png; then
    gives 0 $small --png gray.png --scale 1 --colours gray -o gray.npy
    gives 0 $model --input gray.png --steps 0
    prints '^size +48 x 32 cells, single'
    prints '^c .*from -1 to 1$'
    gives 0 $model --input gray.png --steps 0 --input-range 0.25,-2 --precision double
    prints '^size +48 x 32 cells, double'
    prints '^c .*from -2 to 0.25$'
    gives 0 $model --input gray.png --size 48x32 --steps 0 -o back.npy
    refuses 2 'leave out --size' $model --input gray.png --size 48x33
    for range in 1 '1,' ,1 1,2,3 a,b 1,inf nan,0; do
        refuses 2 '--input-range' $model --input gray.png --input-range "$range"
    done
    : >"$work/empty.png"
    refuses 1 'empty.png' $model --input empty.png
    refuses 1 'nowhere.png' $model --input nowhere.png
    folder_holds back.npy empty.png gray.npy gray.png
fi

# Other dimensions: a strip, the middle slice, no VTK images of four.  A small model, since these are compiled here.
cp "$source_top/tests/device/models/heat.cl" "$work"
for device in native:serial $(driven) none; do
    other="run ./heat.cl -d $device --no-tune --seed 7 -q --steps 2"
    try "$MESHWORK" $other --size 40 --boundary mirror --png line.png --scale 1 --vtk line.vti -o line.npy
    [ "$status" -ne 0 ] || break
done
if [ "$device" = none ]; then
    echo "no device here runs models of a user's own"
    finish
fi
prints '^size +40 cells, .*, in one dimension$'
image line.vti line.npy 0.2 T
gives 0 $other --size 12x10x8 --boundary fixed,mirror,periodic --png box.png --scale 1 --vtk box.vti -o box.npy
prints '^boundary +fixed,mirror,periodic$'
image box.vti box.npy 0.2 T
refuses 2 '--vtk.*maximum is 3 dimensions' $small --size 6x5x4x3 --vtk a.vti
gives 0 $other --size 6x5x4x3 --png four.png --scale 1 -o four.npy --checkpoint ck
gives 0 $other --restart ck --steps 4 -o again.npy
gives 0 $other --size 6x5x4x3 --steps 4 -o four.npy
cmp -s "$work/again.npy" "$work/four.npy" || fail "another state in four dimensions after a restart"
refuses 1 'field T first at x=[0-9], y=[0-9], z=[0-9], x3=[0-9]:' $other --size 6x5x4x3 --dt 10 --steps 2000
if has_png; then
    # Width and height are in bytes 16 to 23 of a PNG.
    for picture in 'line 40 32' 'box 12 10' 'four 6 5'; do
        set -- $picture
        [ "$(od -An -tu1 -j 16 -N 8 "$work/$1.png" | tr -s ' ')" = " 0 0 0 $2 0 0 0 $3" ] || fail "$1.png is not $2x$3"
    done
fi
finish
