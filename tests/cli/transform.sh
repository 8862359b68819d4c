#!/bin/sh
# meshwork transform: known answers, NumPy's answers if NumPy is installed, inverses, pictures, and refused input.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

serial='transform -d native:serial'

# becomes "NUMBER..."  ARGUMENT...: the result of the arguments for 2 rows of 4: 0 1 2 3, 4 5 6 7.
becomes() {
    expected=$1
    shift
    array in.npy '|u1' '2, 4' '\000\001\002\003\004\005\006\007'
    gives 0 $serial "$@" in.npy -o out.npy --verify
    prints '^verified '
    silent
    numbers out.npy u1 $expected
    folder_holds in.npy out.npy
}

# ---- known answers ----

becomes '3 2 1 0 7 6 5 4' flip=0
becomes '7 6 5 4 3 2 1 0' flip=0,1
becomes '3 0 1 2 7 4 5 6' shift=1,0
becomes '5 6 7 4 1 2 3 0' shift=-1,1
becomes '0 2 1 3 4 6 5 7' crinkle=0:2
becomes '0 3 1 2 4 7 5 6' crinkle=0:3
becomes '0 2 3 1 4 6 7 5' uncrinkle=0:3
becomes '0 4 1 5 2 6 3 7' permute=1,0
becomes '9 0 1 2 3 9 9 4 5 6 7 9' pad=0:1:1 --fill 9
becomes '1 2 5 6 0 0' crop=0:1:2 pad=1:0:1
becomes '0 1 4 5 2 3 6 7' tile=2,2
becomes '7 6 5 4 3 2 1 0' merge=0 flip=0
becomes '0 2 1 3 4 6 5 7' split=0:2 permute=1,0,2
becomes '0 2 1 3 4 6 5 7' reverse=0
becomes '0 1 4 5 2 3 6 7' morton
becomes '0 3 2 1 4 7 6 5' flip=0 shift=1,0
becomes '0 2 3 1 4 6 7 5' --inverse crinkle=0:3
becomes '0 4 1 5 2 6 3 7' --inverse permute=1,0 --size 2x4
becomes '8 0 1 2 3 8 8 4 5 6 7 8' --inverse crop=0:1:4 --size 6x2 --fill 8
becomes '0 1 4 5 2 3 6 7' --inverse morton split=0:4 --size 4x2

# in_place "NUMBER..."  ARGUMENT...: the same in place, with any number of passes.
in_place() {
    expected=$1
    shift
    for repeat in 1 2 3 4; do
        becomes "$expected" "$@" --in-place --repeat $repeat
        prints '^variant +in place$'
    done
}

in_place '3 2 1 0 7 6 5 4' flip=0
in_place '7 6 5 4 3 2 1 0' flip=0,1
in_place '4 5 6 7 0 1 2 3' shift=0,-1
in_place '4 7 6 5 0 3 2 1' flip=0 shift=1,0 shift=0,1
in_place '0 2 1 3 4 6 5 7' --inverse crinkle=0:2
in_place '0 1 2 3 4 5 6 7' crop=1:0:2

# ---- streams, JSON, plans ----

array in.npy '|u1' '2, 4' '\000\001\002\003\004\005\006\007'
(cd "$work" && "$MESHWORK" $serial flip=0 - -o - <in.npy >out.npy 2>"$scratch/err") || fail "no stream is transformed"
grep -q '^checksum ' "$scratch/err" || fail "no summary on standard error"
numbers out.npy u1 3 2 1 0 7 6 5 4
gives 0 $serial flip=0 in.npy -o again.npy -q
prints '^op +flip=0$'
prints '^lengths +4x2 -> 4x2, uint8$'
prints '^written +again.npy$'
cmp -s "$work/out.npy" "$work/again.npy" || fail "-o - gives other bytes than -o FILE"
gives 0 $serial permute=1,0 in.npy --dry-run -o plan.npy
prints '^lengths +4x2 -> 2x4, uint8$'
prints "^memory +16 B at most, with the host's, of "
gives 0 $serial flip=0 in.npy --dry-run --in-place
prints "^memory +16 B at most, with the host's, of "
prints '^variant +in place$'
gives 0 $serial flip=0 in.npy --repeat 4
prints 'median of 4'
gives 0 transform --variant list
[ "$(wc -l <"$scratch/out")" -ge 2 ] || fail "no variants are listed"
if has_json; then
    gives 0 $serial shift=1 in.npy --json
    json_has 'theotherdimensionsarenotshifted'
    gives 0 $serial permute=1,0 flip=1 in.npy --json --verify --repeat 3
    json_keys op inverse lengths device variant seconds bytes_per_second checksum verified timings
    silent
    gives 0 $serial flip=0 in.npy --json --dry-run
    json_keys op lengths device device_count variant memory_bytes
    prints '"memory_bytes": 16'
    gives 0 $serial flip=0 in.npy --json --dry-run --in-place
    prints '"memory_bytes": 16'
    prints '"variant": "in-place"'
    gives 0 $serial flip=0 in.npy --json --in-place
    prints '"variant": "in-place"'
    silent
fi
folder_holds in.npy out.npy again.npy

# A checksum independent of device and variant; few long rows, and many short ones.
array in.npy '|u1' '20, 2, 5' "$(seq 1000 1049 | tr -d '\n')"
array long.npy '|u1' '131072,' "$(seq 10000 36999 | tr -d '\n' | head -c 131072)"
short='crinkle=0:2 flip=2 permute=1,2,0 pad=0:1:2 in.npy'
long='flip=0 crinkle=0:100 shift=12345 long.npy'
bits='reverse=0 long.npy'
turned='flip=0,2 shift=0,1 in.npy'
gives 0 $serial $short
of_short=$(checksum)
gives 0 $serial $long
of_long=$(checksum)
gives 0 $serial $bits
of_bits=$(checksum)
gives 0 $serial $turned
of_turned=$(checksum)
[ -n "$of_short" ] && [ -n "$of_long" ] && [ -n "$of_bits" ] && [ -n "$of_turned" ] || fail "no checksum"
RUSTICL_ENABLE=${RUSTICL_ENABLE:-llvmpipe}
export RUSTICL_ENABLE
for devices in native:serial,native:pthreads native:pthreads,native:serial; do
    gives 0 transform -d $devices $short -q --verify
    prints '^devices +native'
    [ "$(checksum)" = "$of_short" ] || fail "another checksum of short rows on $devices"
    gives 0 transform -d $devices $bits -q --verify
    [ "$(checksum)" = "$of_bits" ] || fail "another checksum of reversed bits on $devices"
    gives 0 transform -d $devices $bits --dry-run
    prints '^devices +2: '
    refuses 2 "in place on one device" transform -d $devices $bits --in-place
    refuses 2 "in place on one device" transform -d $devices $bits --in-place --dry-run
    refuses 2 "needs a single device" transform -d $devices $bits --variant lengths
done
for device in $("$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\([a-z]*:[a-z0-9.]*\) .*/\1/p'); do
    gives 0 transform -d $device $short -q --verify
    [ "$(checksum)" = "$of_short" ] || fail "another checksum of short rows on $device"
    gives 0 transform -d $device $long -q --verify
    [ "$(checksum)" = "$of_long" ] || fail "another checksum of long rows on $device"
    gives 0 transform -d $device $bits -q --verify
    [ "$(checksum)" = "$of_bits" ] || fail "another checksum of reversed bits on $device"
    gives 0 transform -d $device $bits -q --verify --in-place
    [ "$(checksum)" = "$of_bits" ] || fail "another checksum of bits reversed in place on $device"
    gives 0 transform -d $device $turned -q --verify --in-place --repeat 2
    [ "$(checksum)" = "$of_turned" ] || fail "another checksum in place on $device"
done
for variant in $("$MESHWORK" transform --variant list | sed -n '2,$s/^\([^ ]*\).*/\1/p'); do
    try "$MESHWORK" $serial $short -q --verify --variant $variant
    # If a variant does not support a chain, an error reports it.
    [ "$status" -eq 2 ] && grep -q '^meshwork: ' "$scratch/err" && continue
    [ "$status" -eq 0 ] && [ "$(checksum)" = "$of_short" ] || fail "another checksum with variant $variant"
done
folder_holds in.npy long.npy

# ---- errors ----

array in.npy '|u1' '2, 4' '\000\001\002\003\004\005\006\007'
array short.npy '|u1' '3, 4' '\000\001\002\003\004\005\006\007'
array empty.npy '|u1' '0, 4' ''
array one.npy '|u1' '' '\001'
echo 'this is no picture' >"$work/not.png"
refuses 2 'missing operands.*OP' transform
refuses 2 'missing input file' $serial flip=0
refuses 2 'missing operation before' $serial in.npy
refuses 2 '.npy, .npz, .png' $serial flip=0 in.txt
refuses 2 '.npy, .npz, .png' $serial flip=0 in.npy -o out.txt
refuses 2 'flop' $serial flop=0 in.npy -o out.npy
refuses 2 'dimension 2' $serial flip=2 in.npy -o out.npy
refuses 2 'step' $serial crinkle=0:0 in.npy -o out.npy
refuses 2 'crinkle' $serial crinkle=0 in.npy -o out.npy
refuses 2 'crinkle' $serial crinkle=0:x in.npy -o out.npy
refuses 2 'shift' $serial shift=1,2,3 in.npy -o out.npy
refuses 2 'permute' $serial permute=0,0 in.npy -o out.npy
refuses 2 'permute' $serial permute=1 in.npy -o out.npy
refuses 2 'crop' $serial crop=0:2:3 in.npy -o out.npy
refuses 2 'split' $serial split=0:3 in.npy -o out.npy
refuses 2 'merge' $serial merge=1 in.npy -o out.npy
refuses 2 'morton' $serial pad=0:1:0 morton in.npy -o out.npy
refuses 2 'morton' $serial morton=1 in.npy -o out.npy
refuses 2 'in.npy' $serial flip=0 in.npy flip=1 in.npy -o out.npy
refuses 2 'single number' $serial flip=0 one.npy -o out.npy
refuses 2 '--size' $serial flip=0 in.npy --size 4x2 -o out.npy
refuses 2 '--size' $serial --inverse permute=1,0 in.npy -o out.npy
refuses 2 'crop .*--size' $serial --inverse crop=0:0:4 in.npy -o out.npy
refuses 2 '4x4.*4x2.*--size' $serial --inverse pad=1:1:1 in.npy --size 4x2 -o out.npy
refuses 2 '--inverse without --size.*tile' $serial --inverse tile=2 in.npy -o out.npy
refuses 2 '--variant' $serial --variant nosuch flip=0 in.npy
for chain in shift=1,0 crinkle=0:3 permute=1,0 crop=0:0:2 'pad=0:1:0 crop=0:0:4' 'flip=0 permute=1,0'; do
    refuses 2 '--in-place.*own inverse' $serial --in-place $chain in.npy -o out.npy
done
refuses 2 '--in-place.*own inverse' $serial --in-place --dry-run shift=1,0 in.npy
refuses 2 '--in-place.*--variant rows' $serial --in-place --variant rows flip=0 in.npy -o out.npy
refuses 2 '--repeat' $serial --repeat 0 flip=0 in.npy
for fill in 256 -1 x 1.5 '' 0x1 ' 1' '#ff0000' 99999999999999999999; do
    refuses 2 '--fill' $serial pad=0:1:1 in.npy --fill "$fill"
done
refuses 1 'No such file' $serial flip=0 absent.npy -o out.npy
refuses 1 'short.npy.*12 bytes' $serial flip=0 short.npy -o out.npy
refuses 1 'folder nowhere does not exist' $serial flip=0 in.npy -o nowhere/out.npy
mkdir "$work/folder.npy"
refuses 1 'is a folder' $serial flip=0 in.npy -o folder.npy
refuses 3 'no device' transform -d nosuchdevice flip=0 in.npy
if [ -w /dev/full ]; then
    ln -s /dev/full "$work/full.npy"
    refuses 1 'No space' $serial flip=0 in.npy -o full.npy
    rm -f "$work/full.npy"
fi
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$work/closed"
    chmod 500 "$work/closed"
    refuses 1 'closed' $serial flip=0 in.npy -o closed/out.npy
    chmod 700 "$work/closed"
fi
gives 0 $serial flip=0,1 empty.npy -o out.npy --in-place
gives 0 $serial flip=0,1 shift=3 empty.npy -o out.npy
says 'shift=3: 2 dimensions, and 1 amount for x'
[ "$(wc -c <"$work/out.npy")" -eq 128 ] || fail "an empty array does not stay empty"
folder_holds in.npy short.npy empty.npy one.npy not.png out.npy

# ---- pictures ----

if has_png; then
    gives 0 run cahn-hilliard -d native:serial --no-tune -q --size 40x24 --steps 20 --png colour.png --scale 1
    for chain in flip=0,1 shift=-7,30 crinkle=0:8,1:3 permute=1,0 'pad=0:3:2 crinkle=1:5'; do
        gives 0 $serial $chain colour.png -o there.png --verify
        gives 0 $serial --inverse --size 40x24 $chain there.png -o back.npy
        back=$(checksum)
        gives 0 $serial shift=0 colour.png -o same.npy
        [ "$(checksum)" = "$back" ] || fail "a picture is not what it was behind $chain and back"
        cmp -s "$work/back.npy" "$work/same.npy" || fail "two files of one checksum differ"
    done
    gives 0 $serial flip=0,1 colour.png -o there.png --in-place --verify
    gives 0 $serial flip=0,1 there.png -o back.npy
    gives 0 $serial shift=0 colour.png -o same.npy
    cmp -s "$work/back.npy" "$work/same.npy" || fail "a picture turned in place and back is another"
    # A pixel moves as a whole: (height, width, channels), with dimension 1 as dimension 0 of the picture.
    gives 0 $serial flip=0 colour.png -o a.png
    prints '^lengths +40x24 -> 40x24, RGB$'
    expected=$(checksum)
    gives 0 $serial flip=1 same.npy -o b.png
    prints '^lengths +3x40x24 -> 3x40x24, uint8$'
    [ "$(checksum)" = "$expected" ] || fail "another checksum of the picture as an array"
    cmp -s "$work/a.png" "$work/b.png" || fail "another picture from the picture as an array"
    array gray.npy '|u1' '2, 3' '\000\177\377\010\011\012'
    gives 0 $serial flip=1 gray.npy -o gray.png
    gives 0 $serial flip=0 gray.png -o turned.npy
    prints ', gray$'
    numbers turned.npy u1 10 9 8 255 127 0
    gives 0 $serial crop=0:0:1 crop=1:0:1 pad=0:1:0 colour.png --fill '#1020ff' -o filled.npy
    there=$(tail -c 6 "$work/filled.npy" | od -An -tu1 | tr -s ' ' | cut -d' ' -f2-4)
    [ "$there" = '16 32 255' ] || fail "filled with '$there' instead of 16 32 255"
    rm -f "$work"/*.npy
    folder_holds a.png b.png colour.png gray.png there.png
    gives 0 run cahn-hilliard -d native:serial --no-tune -q --size 40x24 --steps 2 --png colour.png -o field.npy
    head -c 300 "$work/colour.png" >"$work/cut.png"
    echo 'this is no picture' >"$work/not.png"
    refuses 1 'not.png is not a valid PNG' $serial flip=0 not.png
    refuses 1 'cut.png is not a valid PNG' $serial flip=0 cut.png -o out.png
    refuses 2 'out.png.*2: write .npy' $serial tile=4,4 colour.png -o out.png
    refuses 2 'out.png.*float32: write .npy' $serial flip=0 field.npy -o out.png
    for fill in '#12345' '#1234567' '#12345g' '#123456789' 256 red; do
        refuses 2 '--fill' $serial pad=0:1:1 colour.png --fill "$fill"
    done
    folder_holds colour.png cut.png not.png field.npy
else
    array in.npy '|u1' '2, 2' '\000\001\002\003'
    refuses 2 'libpng' $serial flip=0 in.npy -o out.png
    : >"$work/in.png"
    refuses 2 'libpng' $serial flip=0 in.png
    folder_holds in.npy in.png
fi

# ---- timing ----

# A driver may compile during the first pass, which is a warm-up pass.
device=$(driven)
if [ -n "$device" ]; then
    array in.npy '|u1' '2, 4' '\000\001\002\003\004\005\006\007'
    for chain in flip=0 'flip=1 --in-place'; do
        gives 0 transform -d $device $chain in.npy -v
        grep -Eq '^kernel [a-z_]*: [23] launches' "$scratch/err" || fail "a first pass on $device is timed"
    done
    rm "$work/in.npy"
fi

# ---- NumPy ----

# Random chains; tests/device/lattice/transform.c has thousands of maps on every device.

numpy=$(with_numpy)
if [ -n "$numpy" ]; then
    try "$numpy" "$source_top/tests/cli/transform.py" "$MESHWORK" native:serial 60
    [ "$status" -eq 0 ] || fail "NumPy disagrees on native:serial"
    try "$numpy" "$source_top/tests/cli/transform.py" "$MESHWORK" native:pthreads 10
    [ "$status" -eq 0 ] || fail "NumPy disagrees on native:pthreads"
    try "$numpy" "$source_top/tests/cli/transform.py" "$MESHWORK" "$(driven)" 3
    [ "$status" -eq 0 ] || fail "NumPy disagrees on $(driven)"
else
    echo "python3-numpy is not installed: no comparison with NumPy"
fi
finish
