#!/bin/sh
# meshwork label: kinds of files, transparency, colours, memory.
# shellcheck disable=SC2015,SC2059,SC2086 # lists of words are meant to split, bytes are formats; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

serial='label -d native:serial'
picture='\001\001\000\002\000\002\000\002\003\000\000\001'
array in.npy '|u1' '3, 4' "$picture"
gives 0 $serial in.npy
expected=$(checksum)

# same FILE ARGUMENT...: it has the components of in.npy.
same() {
    gives 0 $serial "$@" --verify
    [ "$(checksum)" = "$expected" ] || fail "another checksum of $1"
}

# ---- raw elements: a header, byte orders ----

{ printf 'a header' && printf "$picture"; } >"$work/late.raw"
same late.raw --size 4x3 --type uint8 --offset 8
printf "$(printf '%s' "$picture" | sed 's/\\/\\000\\/g')" >"$work/big.raw"
for type in uint16be '>u2' '>i2' int16be; do
    same big.raw --size 4x3 --type "$type"
done
printf "$(printf '%s' "$picture" | sed 's/\(\\...\)/\1\\000/g')" >"$work/little.raw"
for type in uint16le '<u2'; do
    same little.raw --size 4x3 --type "$type"
done
refuses 1 'late.raw has more than 12 bytes' $serial late.raw --size 4x3 --type uint8
refuses 1 'needs 12 after a header of 9' $serial late.raw --size 4x3 --type uint8 --offset 9
refuses 2 "unknown type '>u3'" $serial big.raw --size 4x3 --type '>u3'
refuses 2 '--offset is for raw' $serial in.npy --offset 8
refuses 2 '--offset requires' $serial --pattern random --offset 8

# ---- NumPy: 16-bit floats, NumPy's other name for bool, archives ----

# 1, 1, -2, 0.5, the smallest number above 0, NaN
array half.npy '<f2' '6,' '\000\074\000\074\000\300\000\070\001\000\000\176'
gives 0 $serial half.npy -o out.npy --verify
numbers out.npy d4 1 1 0 2 2 0
array bool.npy '?' '4,' '\001\001\000\001'
gives 0 $serial bool.npy -o out.npy
numbers out.npy d4 1 1 0 2
if command -v python3 >/dev/null; then
    (cd "$work" && python3 - <<'PYTHON'
import os, struct, zipfile, zlib
for name, how in ('stored', zipfile.ZIP_STORED), ('packed', zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(name + '.npz', 'w', how) as archive:
        for array in 'in', 'bool':
            with archive.open(array + '.npy', 'w', force_zip64=True) as member:
                member.write(open(array + '.npy', 'rb').read())
whole, member = open('stored.npz', 'rb').read(), open('in.npy', 'rb').read()
open('bad.npz', 'wb').write(whole.replace(member, member[:-1] + b'\7'))
entry, less = whole.index(b'PK\1\2'), len(member) - 1     # a directory of which the first member lacks a byte
sizes = struct.pack('<III', zlib.crc32(member[:less]), less, less)
open('less.npz', 'wb').write(whole[:entry + 16] + sizes + whole[entry + 28:])
# A picture as large as the memory, with a palette of one bit per pixel, starting as a single one.
chunk = lambda kind, data: struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
width, height = 1000000, os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') // 4000000 + 1
with open('large.png', 'wb') as picture:
    picture.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 1, 3, 0, 0, 0)) +
                  chunk(b'PLTE', bytes(6)) + struct.pack('>I', 1000) + b'IDAT')
    picture.truncate(width * height // 8 // 1032 + 1000)
PYTHON
    )
    same stored.npz
    same stored.npz:in
    if gives 0 $serial packed.npz && [ "$status" -eq 0 ]; then
        [ "$(checksum)" = "$expected" ] || fail "another checksum of a deflated array"
        gives 0 $serial packed.npz:bool -o out.npy
        numbers out.npy d4 1 1 0 2
        head -c 90 "$work/packed.npz" >"$work/cut.npz"
        refuses 1 'cut.npz is not a valid .npz' $serial cut.npz
        refuses 1 'wrong checksum of a member' $serial bad.npz
    fi
    if has_png; then
        refuses 1 'like a decompression bomb' $serial large.png --background none
    fi
    refuses 1 'needs 12 bytes of elements, but the file has 11' $serial less.npz
    refuses 1 "no array 'x' .arrays: in, bool" $serial stored.npz:x
fi
refuses 1 'No such file' $serial absent.npz

# ---- names without information: the first bytes decide ----

cp "$work/in.npy" "$work/in.dat"
same in.dat
printf 'P1\n4 3\n1101 0101\n1001\n' >"$work/plain.pbm"
printf 'P4\n4 3\n\320\120\220' >"$work/raw.pbm"
for file in plain.pbm raw.pbm; do
    gives 0 $serial $file -o out.npy
    numbers out.npy d4 1 1 0 2 0 1 0 2 3 0 0 2
done
# foreign NAME BYTES WORDS: the message names the format and a conversion.
foreign() {
    printf "$2" >"$work/$1"
    refuses 1 "$1 is $3, which meshwork does not read: .*\`" $serial $1
}
foreign a.tif '\377\330\377\340' 'a JPEG file'
foreign a.jpg '\377\330\377\340' 'a JPEG file'
foreign a.png '\377\330\377\340' 'a JPEG file'
foreign a.gif 'GIF89a' 'a GIF file'
foreign a.bmp 'BM....' 'a BMP file'
foreign a.ppm 'P6\n1 1 255\nabc' 'a PPM file'

# ---- thresholds of float32 ----

# 0.1 as float32, which is slightly above 0.1, and the next one
array tenth.npy '<f4' '2,' '\315\314\314\075\316\314\314\075'
gives 0 $serial tenth.npy --threshold 0.1 -o out.npy --verify
numbers out.npy d4 0 1

# ---- nearly equal values ----

awk 'BEGIN { print "P2 64 64 255"; for (i = 0; i < 4096; i++) print 253 + i * 7 % 11 % 3 }' >"$work/scan.pgm"
gives 0 $serial scan.pgm
says 'neighbours differ by 2 .*--threshold'
gives 0 $serial scan.pgm --threshold 128
silent

# ---- the plan ----

# planned ARGUMENT...: prints the bytes that a run is planned to need.
planned() {
    gives 0 label -d native:serial --json --dry-run "$@"
    tr -d ' \n' <"$scratch/out" | sed 's/.*"memory_bytes":\([0-9]*\).*/\1/'
}
# About 6 bytes per cell of uint8; more only for tables of components.
cells=$((1000 * 1000))
for words in '' '--min-size 4' '--components c.csv' '--sizes' '-o l.npy'; do
    bytes=$(planned --pattern random --size 1000x1000 $words)
    [ "$bytes" -ge $((5 * cells)) ] && [ "$bytes" -le $((13 * cells)) ] || fail "$bytes bytes are planned with '$words'"
done
gives 0 label -d native:serial --pattern random --size 1000x1000 --memory-limit 9M -q
refuses 1 'native:serial has 5 MiB of memory, but this needs' label -d native:serial --pattern random --size 1000x1000 \
    --memory-limit 5M -o out.npy
rm -f "$work"/*

# ---- pictures ----

has_png || finish
# Each component has its own colour.
gives 0 $serial --pattern random --size 300x200 --background none --png c.png
components=$(sed -n 's/^components *\([0-9]*\)$/\1/p' "$scratch/out")
gives 0 transform -d native:serial flip=0 c.png -o c.npy -q
colours=$(tail -c 180000 "$work/c.npy" | od -An -v -tu1 -w3 | sort -u | wc -l)
[ "$components" -gt 4000 ] && [ "$colours" -eq "$components" ] || fail "$colours colours of $components components"
# Transparent pixels of any colour are background: 2 x 3 pixels of R, G, B, A.
array rgba.npy '|u1' '2, 3, 4' \
    '\001\002\003\377\007\010\011\000\001\002\003\377\001\002\003\377\004\005\006\000\000\000\000\377'
gives 0 transform -d native:serial flip=0 flip=0 rgba.npy -o unused.npy -q
gives 0 transform -d native:serial permute=0,1,2 rgba.npy -o rgba.png -q
gives 0 $serial rgba.png -o out.npy --verify
numbers out.npy d4 1 0 2 1 0 0
gives 0 $serial rgba.png -o out.npy --verify --background '#010203'
numbers out.npy d4 0 0 0 0 0 1
gives 0 $serial rgba.png --background none
prints '^components +5$'
# Gray with alpha: 9 opaque, 9 transparent, 0, 9.
array ga.npy '|u1' '1, 4, 2' '\011\377\011\000\000\377\011\377'
gives 0 transform -d native:serial permute=0,1,2 ga.npy -o ga.png -q
gives 0 $serial ga.png -o out.npy --verify
numbers out.npy d4 1 0 0 2
# Gray stored as RGB is gray.
array rgb.npy '|u1' '1, 3, 3' '\011\011\011\200\200\200\377\377\377'
gives 0 transform -d native:serial permute=0,1,2 rgb.npy -o rgb.png -q
gives 0 $serial rgb.png -o out.npy --threshold 100 --verify
prints '^size +3 x 1 cells, uint8$'
numbers out.npy d4 0 1 1
gives 0 $serial rgb.png --background '#808080'
prints 'colours$'
finish
