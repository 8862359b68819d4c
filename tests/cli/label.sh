#!/bin/sh
# meshwork label: known answers, formats, patterns, pictures, devices and variants, and where it refuses; and
# examples/percolation.sh.
# shellcheck disable=SC2013,SC2015,SC2086 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

serial='label -d native:serial'

# labels "NUMBER..."  ARGUMENT...: the labels of in.npy in file order.
labels() {
    expected=$1
    shift
    rm -f "$work/out.npy"
    gives 0 $serial in.npy -o out.npy --verify "$@"
    prints '^verified '
    silent
    numbers out.npy d4 $expected
}

# ---- known answers ----

# 1 1 0 2
# 0 2 0 2
# 3 0 0 1
array in.npy '|u1' '3, 4' '\001\001\000\002\000\002\000\002\003\000\000\001'
labels '1 1 0 2 0 3 0 2 4 0 0 5'
prints '^components +5$'
prints '^largest +2 cells, label 1$'
prints '^mean size +1\.4 cells$'
prints '^joined +equal values, background 0$'
prints '^connectivity +faces, 4 neighbours$'
prints '^variant +[a-z]'

picture='\001\001\000\002\000\002\000\002\003\000\000\001'
array in.npy '|u1' '3, 4' "$picture"
labels '1 1 0 2 0 3 0 2 4 0 0 5' --connectivity all
labels '1 1 2 3 4 5 2 3 6 2 2 7' --background none
prints '^largest +4 cells, label 2$'
prints '^joined +equal values, no background$'
labels '1 1 2 3 4 5 2 3 6 2 2 7' --background 9
labels '1 1 2 0 3 0 2 0 4 2 2 5' --background 2
labels '1 1 0 2 0 0 0 2 0 0 0 0' --min-size 2
prints '^components +2 of the 5 found$'
prints '^mean size +2 cells$'
labels '0 0 0 0 0 1 0 0 2 0 0 3' --max-size 1
labels '0 0 1 0 0 0 1 0 0 1 1 0' --min-size 3 --max-size 4 --background none
labels '0 0 0 0 0 0 0 0 0 0 0 0' --min-size 3
prints '^components +0 of the 5 found$'
labels '1 1 0 2 0 1 0 2 3 0 0 2' --threshold 0
prints '^joined +values above 0$'
labels '1 1 0 2 0 1 0 2 1 0 0 2' --threshold 0.5 --connectivity all
prints '^connectivity +all, 8 neighbours$'
labels '1 1 0 2 0 1 0 2 1 0 0 2' --threshold 0 --lattice triangular
prints '^connectivity +triangular, 6 neighbours$'
labels '1 1 0 1 0 1 0 1 1 0 0 1' --threshold 0 --periodic
prints '^connectivity +faces, 4 neighbours, periodic along x, y$'
labels '1 1 0 1 0 1 0 1 1 0 0 1' --threshold 0 --periodic=all
labels '1 1 0 1 0 1 0 1 1 0 0 1' --threshold 0 --periodic=x
labels '1 1 0 2 0 1 0 2 1 0 0 2' --threshold 0 --periodic=1
labels '1 1 0 2 0 1 0 2 3 0 0 2' --threshold 0 --periodic=none
labels '0 0 0 1 0 2 0 1 3 0 0 0' --threshold 1
labels '0 0 0 0 0 0 0 0 0 0 0 0' --threshold 255
labels '1 1 1 1 1 1 1 1 1 1 1 1' --threshold -1
labels '1 1 2 3 4 1 2 3 5 2 2 3' --threshold 0 --background none
prints '^joined +values on the same side of 0, no background$'
gives 0 $serial in.npy -o out.npy --wide
numbers out.npy d8 1 1 0 2 0 3 0 2 4 0 0 5

# ---- shapes and cells ----

# 1 1 0 2
# 0 1 0 2
# 3 1 0 2
array in.npy '|u1' '3, 4' '\001\001\000\001\000\001\000\001\001\001\000\001'
gives 0 $serial in.npy --spanning
prints '^spanning +x: none$'
prints '^ +y: 2 components, first label 1$'
gives 0 $serial in.npy --components out.csv --cells cells.npy
prints '^ +y: 2 components, first label 1$'
prints '^table +out\.csv$'
prints '^cells +cells\.npy$'
numbers cells.npy d4 0 1 5 8 9 3 7 11
head='label,size,offset,first_x,extent_x,centre_x,first_y,extent_y,centre_y,gyration,spans_x,spans_y'
[ "$(sed -n 1p "$work/out.csv")" = "$head" ] || fail "the table begins with '$(sed -n 1p "$work/out.csv")'"
# The second: (3, 0), (3, 1), (3, 2), with a mean square distance of 2/3 from the centre.
grep -Eq '^2,3,5,3,1,3,0,3,1,0\.8164965809[0-9]*,0,1$' "$work/out.csv" ||
    fail "the table holds '$(cat "$work/out.csv")'"
# The first: (0, 0), (1, 0), (1, 1), (0, 2), (1, 2).
grep -Eq '^1,5,0,0,2,0\.(6|59999)[0-9]*,0,3,1,1\.0198039[0-9]*,0,1$' "$work/out.csv" ||
    fail "the table holds '$(cat "$work/out.csv")'"
gives 0 $serial in.npy --components out.csv --periodic
# One component around x, with column 2 empty; and one completely around y, where it has neither centre nor radius.
prints '^spanning +x: none$'
prints '^ +y: 1 component, first label 1$'
[ "$(sed -n 2p "$work/out.csv")" = '1,8,0,3,3,0,0,3,,,0,1' ] || fail "the table holds '$(cat "$work/out.csv")'"
gives 0 $serial in.npy --spanning --json
json_has '"spanning":[[0,0],[2,1]]'
gives 0 $serial in.npy --components out.csv --min-size 9
[ "$(wc -l <"$work/out.csv")" -eq 1 ] || fail "a table of no components has rows"
gives 2 $serial in.npy --components out.txt
gives 2 $serial in.npy --cells out.txt
gives 1 $serial in.npy --components nowhere/out.csv
rm -f "$work/out.csv" "$work/cells.npy"

array in.npy '|i1' '4,' '\377\377\000\003'
labels '1 1 0 2'
labels '0 0 1 2' --background -1
labels '0 0 1 1' --threshold -0.5
array in.npy '|b1' '4,' '\001\001\000\001'
labels '1 1 0 2'
labels '1 1 2 3' --background none
# 1 2 -1 0 1 and NaN
array in.npy '<f4' '6,' \
    '\000\000\200\077\000\000\000\100\000\000\200\277\000\000\000\000\000\000\200\077\000\000\300\177'
labels '1 1 0 0 2 0'
labels '0 1 0 0 0 0' --threshold 1
labels '1 1 2 2 3 4' --background none
labels '1 1 2 2 2 3' --tolerance 1
prints '^joined +values that differ by at most 1, no background$'
labels '1 2 3 4 5 6' --tolerance 0.5
array empty.npy '|u1' '0, 4' ''
gives 0 $serial empty.npy -o out.npy --sizes
prints '^components +0$'
[ "$(wc -c <"$work/out.npy")" -eq 128 ] || fail "an empty array does not stay empty"

# ---- formats: the same picture gives the same checksum from each ----

array in.npy '|u1' '3, 4' "$picture"
gives 0 $serial in.npy
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
# shellcheck disable=SC2059 # the bytes are meant as a format
printf "$picture" >"$work/in.raw"
echo 'P2 # plain
4 3 7
1 1 0 2  0 2 0 2  3 0 0 1' >"$work/plain.pgm"
{ printf 'P5\n4 3\n255\n' && cat "$work/in.raw"; } >"$work/raw.pgm"
{ printf 'P5 4 3 300\n' && sed 's/./&/g' "$work/in.raw" | od -An -v -tu1 | tr -s ' ' '\n' | grep . |
    while read -r value; do printf '\000%b' "\\00$value"; done; } >"$work/deep.PGM"
for file in plain.pgm raw.pgm deep.PGM 'in.raw --size 4x3 --type uint8'; do
    gives 0 $serial $file
    [ "$(checksum)" = "$expected" ] || fail "another checksum of $file"
done
(cd "$work" && "$MESHWORK" $serial - -q <in.npy) >"$scratch/out" 2>"$scratch/err"
[ "$(checksum)" = "$expected" ] || fail "another checksum from standard input"
(cd "$work" && "$MESHWORK" $serial - --size 4x3 --type uint8 -q <in.raw) >"$scratch/out" 2>"$scratch/err"
[ "$(checksum)" = "$expected" ] || fail "another checksum of raw elements on standard input"
(cd "$work" && "$MESHWORK" $serial in.npy -o - >out.npy) 2>"$scratch/err" || fail "no labels on standard output"
grep -q '^checksum ' "$scratch/err" || fail "no summary on standard error"
numbers out.npy d4 1 1 0 2 0 3 0 2 4 0 0 5
gives 0 $serial in.raw --size 2x2x3 --type uint8
prints '^size +2 x 2 x 3 cells, uint8$'
prints '^connectivity +faces, 6 neighbours$'

# ---- plans, JSON, sizes ----

gives 0 $serial in.npy --dry-run -o plan.npy --min-size 2
prints "^memory +[0-9]+ B at most, with the host's, of "
prints '^planned for +5 components$'
gives 0 $serial in.npy --repeat 5 -v
prints 'median of 5'
prints '^background +5 cells of 12$'
prints '^iterations +[1-9]'
gives 0 $serial in.npy --sizes
prints '^ *1 +3$'
prints '^ *2 +2$'
gives 0 $serial --pattern random --size 300x300 --sizes
[ "$(sed '1,/^ *size  *components/d' "$scratch/out" | wc -l)" -eq 21 ] || fail "not ten rows of sizes at each end"
prints '^ *1 +[0-9]+$'
prints '\.\.\.'
gives 0 label --variant list
for variant in runs bits union-find 'neighbour +a' 'tile +b' 'lines +c' 'equivalence +d' 'neighbour-image +a-image' \
    'tile-image +b-image' 'lines-image +c-image' 'equivalence-image +d-image' raster; do
    prints "^$variant "
done
if has_json; then
    gives 0 $serial in.npy --json --sizes --verify
    json_keys components largest sizes seconds device variant iterations checksum verified timings
    json_has '"components":5,'
    json_has '"largest":2,"largest_label":1,'
    json_has '"sizes":[[1,3],[2,2]]'
    json_has '"size":[4,3]'
    silent
    gives 0 $serial in.npy --json --dry-run
    json_keys size cells join device device_count variant memory_bytes
    json_has '"planned_components":5,'
fi
folder_holds empty.npy in.npy out.npy in.raw plain.pgm raw.pgm deep.PGM

# ---- patterns ----

gives 0 $serial --pattern spiral --size 7x5 --save-pattern spiral.npy --background none --verify
prints '^components +2$'
numbers spiral.npy d1 1 1 1 1 1 1 1  0 0 0 0 0 0 1  1 1 1 1 1 0 1  1 0 0 0 0 0 1  1 1 1 1 1 1 1
gives 0 $serial --pattern spiral --size 200x301 --verify
prints '^components +1$'
# A seed gives the numbers of Philox on every machine.
gives 0 $serial --pattern random --size 6x4 --seed 7 --save-pattern random.npy
prints '^pattern +random, density 0.5, seed 7$'
numbers random.npy d1 0 0 1 1 1 0  1 0 1 1 0 0  1 1 1 1 1 0  0 0 1 1 0 0
for pattern in random domains; do
    gives 0 $serial --pattern $pattern --size 20x10x5 --density 0
    prints '^components +0$'
    gives 0 $serial --pattern $pattern --size 20x10x5 --density 1
    prints '^largest +1000 cells, label 1$'
    gives 0 $serial --pattern $pattern --size 3x1 --verify
    for density in 0.1 0.6; do
        gives 0 $serial --pattern $pattern --size 100x80 --density $density -v -q
        awk -v wanted=$density '$1 == "background" { share = 1 - $2 / $5 }
            END { exit !(share > wanted - 0.03 && share < wanted + 0.03) }' "$scratch/out" ||
            fail "another density than $density of $pattern"
    done
done
gives 0 $serial --pattern random --size 64x64 --seed 1
one=$(checksum)
gives 0 $serial --pattern random --size 64x64 --seed 2
[ "$(checksum)" != "$one" ] || fail "seeds make no difference"
# Smoothed noise has fewer components than noise.
gives 0 $serial --pattern domains --size 256x256 --seed 3 --verify
awk '$1 == "components" { n = $2 } END { exit !(n > 2 && n < 100) }' "$scratch/out" || fail "no domains"
folder_holds spiral.npy random.npy

# ---- devices and variants ----

gives 0 $serial --pattern random --size 83x61 --density 0.6 --seed 5 --periodic=y --save-pattern in.npy
expected=$(checksum)
gives 0 $serial --pattern random --size 83x61 --density 0.6 --seed 5 --min-size 2 --max-size 9
kept=$(checksum)
RUSTICL_ENABLE=${RUSTICL_ENABLE:-llvmpipe}
export RUSTICL_ENABLE
for device in $("$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\([a-z]*:[a-z0-9.]*\) .*/\1/p'); do
    gives 0 label -d $device in.npy --periodic=y -q --verify
    [ "$(checksum)" = "$expected" ] || fail "another checksum on $device"
    gives 0 label -d $device in.npy -q --min-size 2 --max-size 9 --sizes --verify
    [ "$(checksum)" = "$kept" ] || fail "another checksum of the components that $device keeps"
done
for devices in native:serial,native:pthreads native:pthreads,native:serial; do
    gives 0 label -d $devices in.npy --periodic=y -q --verify
    prints '^devices +native'
    [ "$(checksum)" = "$expected" ] || fail "another checksum on $devices"
    gives 0 label -d $devices in.npy -q --min-size 2 --max-size 9 --sizes --verify
    [ "$(checksum)" = "$kept" ] || fail "another checksum of the components that $devices keep"
    gives 0 label -d $devices in.npy --dry-run
    prints '^devices +2: '
done
refuses 2 'needs a device with work-groups' label -d native:serial,native:pthreads in.npy --variant union-find
for variant in $("$MESHWORK" label --variant list | sed -n '2,$s/^\([^ ]*\).*/\1/p'); do
    try "$MESHWORK" $serial in.npy --periodic=y -q --verify --variant $variant
    # If a variant does not support the device, the message names the variant.
    [ "$status" -eq 2 ] && grep -q "^meshwork: .*$variant" "$scratch/err" && continue
    [ "$status" -eq 0 ] && [ "$(checksum)" = "$expected" ] || fail "another checksum with variant $variant"
done
for alias in a=neighbour b=tile c=lines a-image=neighbour-image d-image=equivalence-image; do
    refuses 2 "variant ${alias#*=} needs a device with work-groups" $serial in.npy --variant ${alias%=*}
done
gives 0 $serial in.npy --variant d
prints '^variant +equivalence$'
folder_holds in.npy

# ---- errors ----

array in.npy '|u1' '3, 4' "$picture"
array short.npy '|u1' '9, 4' "$picture"
array one.npy '|u1' '' '\001'
array complex.npy '<c8' '1,' '\000\000\000\000\000\000\000\000'
array real.npy '<f4' '1,' '\000\000\000\000'
array long.npy '<u8' '1,' '\000\000\000\000\000\000\000\000'
printf 'P5 1000000 1000000 255\nabc' >"$work/lying.pgm"
printf 'P2 2 2 99 10 20 30' >"$work/cut.pgm"
echo abcdefghijk >"$work/in.raw"
refuses 2 'missing operand.*--pattern' label
refuses 2 'unexpected operand' $serial in.npy in.npy
refuses 2 'leave out .in.npy' $serial in.npy --pattern spiral
refuses 2 "unknown pattern 'spirol': did you mean spiral" $serial --pattern spirol
refuses 2 'two dimensions' $serial --pattern spiral --size 4x4x4
refuses 2 'leave out --seed' $serial --pattern spiral --seed 1
refuses 2 'leave out --density' $serial --pattern spiral --density 0.5
refuses 2 '--type' $serial --pattern random --type uint8
for density in -0.1 1.1 nan x ''; do
    refuses 2 '--density' $serial --pattern random --density "$density"
done
refuses 2 '--seed requires --pattern' $serial in.npy --seed 1
refuses 2 '--save-pattern requires' $serial in.npy --save-pattern a.npy
refuses 2 '--size is for raw' $serial in.npy --size 4x3
refuses 2 '--type is for raw' $serial in.npy --type uint8
refuses 2 '--size .*--type' $serial in.raw
refuses 2 '--size .*--type' $serial in.raw --size 4x3
refuses 2 "unknown type 'uint9'" $serial in.raw --size 4x3 --type uint9
printf x >"$work/one.raw"
refuses 1 'one.raw has 1 byte, but 4x3 of uint16 needs 24' $serial one.raw --size 4x3 --type uint16 -o out.npy
rm "$work/one.raw"
refuses 1 'in.raw has 12 bytes, but 4x3 of uint16 needs 24' $serial in.raw --size 4x3 --type uint16 -o out.npy
refuses 1 'more than 8 bytes' $serial in.raw --size 4x2 --type int8 -o out.npy
refuses 1 'No such file' $serial absent.npy
refuses 1 'No such file' $serial absent.pgm
refuses 1 'short.npy.*the file has 12' $serial short.npy -o out.npy
refuses 1 'lying.pgm.*gives 1000000x1000000' $serial lying.pgm -o out.npy
refuses 1 'cut.pgm.*pixel 3 of 4' $serial cut.pgm -o out.npy
refuses 1 'complex64' $serial complex.npy
refuses 2 'single number' $serial one.npy
refuses 2 'must end in .npy' $serial in.npy -o out.txt
refuses 2 'must end in .png' $serial in.npy --png out.jpg
refuses 2 "--save-pattern: 'a.txt' must end in .npy, .npz, .png" $serial --pattern random --save-pattern a.txt
refuses 2 'same.npy is the file of two outputs' $serial --pattern random -o same.npy --save-pattern same.npy
refuses 1 'folder nowhere does not exist' $serial in.npy -o nowhere/out.npy
refuses 2 'exclude each other' $serial real.npy --threshold 1 --tolerance 1
for value in x '' nan inf 1x ' 1'; do
    refuses 2 '--threshold' $serial in.npy --threshold "$value"
    refuses 2 '--tolerance' $serial real.npy --tolerance "$value"
done
refuses 2 '--tolerance.*at least 0' $serial real.npy --tolerance -1
refuses 2 'tolerance needs reals' $serial in.npy --tolerance 1
for value in 256 -1 x 1.5 ''; do
    refuses 2 '--background' $serial in.npy --background "$value"
done
refuses 2 '2\^63 - 1' $serial long.npy --background 18446744073709551615
refuses 2 'joined by threshold' $serial real.npy --background 0
refuses 2 'joined by tolerance' $serial real.npy --tolerance 1 --background 0
for value in w 2 x,x,2 'x,' ,x xy 8 -1; do
    refuses 2 '--periodic' $serial in.npy --periodic="$value"
done
refuses 2 'faces\|all' $serial in.npy --connectivity edges
refuses 2 'hypercubic' $serial in.npy --lattice square
refuses 2 'leave out --connectivity' $serial in.npy --lattice triangular --connectivity all
refuses 2 '3 dimensions' $serial in.npy --lattice fcc
refuses 2 'no component would be left' $serial in.npy --min-size 3 --max-size 2
refuses 2 '--min-size' $serial in.npy --min-size 0
refuses 2 "unknown variant 'nosuch'" $serial in.npy --variant nosuch
refuses 2 'needs a device with work-groups|native:serial' $serial in.npy --variant union-find
for variant in neighbour-image equivalence-image; do
    refuses 2 "native:serial: variant $variant needs a device with work-groups" $serial in.npy --variant $variant \
        -o out.npy
    refuses 2 "variant $variant reads images, which have 2 or more dimensions .use neighbour" \
        $serial --pattern random --size 40 --variant $variant -o out.npy
done
refuses 2 '--repeat' $serial in.npy --repeat 0
refuses 3 'no device' label -d nosuchdevice in.npy
if [ -w /dev/full ]; then
    ln -s /dev/full "$work/full.npy"
    refuses 1 'No space' $serial in.npy -o full.npy
    rm -f "$work/full.npy"
fi
folder_holds in.npy short.npy one.npy complex.npy real.npy long.npy lying.pgm cut.pgm in.raw

# ---- pictures ----

array in.npy '|u1' '3, 4' "$picture"
if has_png; then
    # Black and white are background and the largest component on every device; the others differ.
    gives 0 $serial in.npy --png a.png
    prints '^picture +a.png$'
    gives 0 label -d native:pthreads in.npy --png b.png
    cmp -s "$work/a.png" "$work/b.png" || fail "other colours on another device"
    gives 0 transform -d native:serial shift=0 a.png -o a.npy -q
    pixels=$(tail -c 36 "$work/a.npy" | od -An -v -tu1 -w3 | tr -s ' ' ',')
    [ "$(printf '%s\n' "$pixels" | sort -u | wc -l)" -eq 6 ] || fail "not a colour for each component"
    [ "$(printf '%s\n' "$pixels" | sed -n '1p;3p')" = ',255,255,255
,0,0,0' ] || fail "the first component is not white, or the background not black"
    # Gray and coloured pictures as input: the picture of the labels has the same components.
    gives 0 $serial in.npy
    expected=$(checksum)
    gives 0 $serial a.png
    prints '^size +4 x 3 cells, colours$'
    prints '^joined +equal values, background black$'
    [ "$(checksum)" = "$expected" ] || fail "another checksum of the coloured picture"
    gives 0 $serial a.png --background '#ffffff' --verify
    prints '^joined +equal values, background #ffffff$'
    prints '^components +6$'
    gives 0 $serial --pattern random --size 40x30 --save-pattern gray.png
    expected=$(checksum)
    gives 0 $serial gray.png
    prints '^size +40 x 30 cells, uint8$'
    [ "$(checksum)" = "$expected" ] || fail "another checksum of the gray picture"
    gives 0 $serial --pattern random --size 8x6x4 --png volume.png
    gives 0 $serial --pattern random --size 50 --png line.png
    refuses 2 'colours have no order' $serial a.png --threshold 1
    head -c 60 "$work/a.png" >"$work/cut.png"
    refuses 1 'cut.png is not a valid PNG' $serial cut.png -o out.npy
    folder_holds in.npy a.png b.png a.npy gray.png volume.png line.png cut.png
else
    refuses 2 'libpng' $serial in.npy --png out.png
    refuses 2 'libpng' $serial --pattern random --save-pattern out.png
    : >"$work/in.png"
    refuses 2 'libpng' $serial in.png
    folder_holds in.npy in.png
fi

# ---- examples/percolation.sh ----

script=$source_top/examples/percolation.sh
export MESHWORK
try "$script" -s 2 -n 64 -d native:serial
[ "$status" -eq 0 ] || fail "exit code $status of a small percolation"
[ "$(grep -Ec '^ +0\.[0-9]{3}( +[01]\.[0-9]{4}){4}$' "$scratch/out")" -eq 10 ] || fail "not 10 rows"
prints '^(threshold 0\.[56]|no threshold)'

# A fake command with a known largest cluster: the scaled shares are 0.5 + 20 (density - 0.592) and 0.5 + 5 (density -
# 0.592), and both vary with the seed.
cat >"$scratch/law" <<'LAW'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        --size) side=${2%x*} ;;
        --density) density=$2 ;;
        --seed) seed=$2 ;;
    esac
    shift
done
awk "BEGIN {
    share = 0.5 + ($side > 2000 ? 20 : 5) * ($density - 0.592) + ($seed % 2 ? 0.01 : -0.01)
    printf \"largest     %d cells, label 1\n\", share * $side ^ (2 - 5 / 48) + 0.5
}"
LAW
chmod +x "$scratch/law"
MESHWORK=$scratch/law try "$script" -n 4096 -s 2
[ "$status" -eq 0 ] || fail "exit code $status of a known law"
prints '^threshold 0\.5920 \+- 0\.0000, 2 seeds, 4096x4096 and 1024x1024 cells$'
for words in '-s 1' '-n 63' '-n x' '-z' '-s' 'more'; do
    try "$script" $words
    [ "$status" -eq 2 ] && [ ! -s "$scratch/out" ] && grep -q '^percolation: ' "$scratch/err" ||
        fail "exit code $status of percolation.sh $words"
done
try "$script" -d nosuchdevice
[ "$status" -eq 3 ] || fail "exit code $status instead of 3 for a device that is not there"
folder_holds ''
finish
