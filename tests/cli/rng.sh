#!/bin/sh
# meshwork rng: known numbers, formats, pieces of streams, rates, endless streams, and where it refuses.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

rng='rng -d native:serial'
marsaglia='--generator ranmar --seed 54217137 --distribution numbers'

# ---- known answers ----

gives 0 $rng --samples 4 --format text --distribution bits
[ "$(tr '\n' ' ' <"$scratch/out")" = '1713891541 3781805453 3159862348 2600524760 ' ] || fail "words of Philox"
gives 0 $rng $marsaglia --first 20000 --samples 6 --format text
[ "$(tr '\n' ' ' <"$scratch/out")" = '6533892 14220222 7275067 6172232 8354498 10633180 ' ] || fail "Marsaglia's six"

# ---- formats ----

gives 0 $rng --samples 1000 -o words.bin
prints '^samples +1000$'
[ "$(wc -c <"$work/words.bin")" -eq 4000 ] || fail "a file of 1000 words"
gives 0 $rng --samples 1000 --format raw
cmp -s "$scratch/out" "$work/words.bin" || fail "standard output and a file differ"
gives 0 $rng --first 300 --samples 700 --format raw
tail -c 2800 "$work/words.bin" | cmp -s - "$scratch/out" || fail "a stream from a place on differs"
gives 0 $rng --samples 50 --format text
${AWK:-awk} '$1 < 0 || $1 >= 1 { bad = 1 } END { exit bad || NR != 50 }' "$scratch/out" || fail "lines of floats"
gives 0 $rng --samples 50 --below 6 --format text
${AWK:-awk} '$1 < 0 || $1 > 5 || $1 != int($1) { bad = 1 } END { exit bad || NR != 50 }' "$scratch/out" ||
    fail "lines of whole numbers"
gives 0 $rng --samples 50 --distribution double --format raw
[ "$(wc -c <"$scratch/out")" -eq 400 ] || fail "doubles"

# ---- endless streams ----

(cd "$work" && "$MESHWORK" $rng --samples 0 --format raw -q; echo $? >status) 2>"$scratch/err" |
    head -c 5000000 | cksum >"$scratch/out"
[ "$(cat "$work/status")" = 0 ] || fail "a stream that nobody reads any more"
(cd "$work" && "$MESHWORK" $rng --samples 1250000 --format raw) 2>/dev/null | cksum | cmp -s - "$scratch/out" ||
    fail "an endless stream begins as others do"

# A truncated finite stream is an error.
(cd "$work" && "$MESHWORK" $rng --samples 1250000 --format raw -q; echo $? >status) 2>"$scratch/err" |
    head -c 100 >"$scratch/out"
[ "$(cat "$work/status")" -ne 0 ] || fail "a stream that was cut off"
grep -q 'closed before all 1250000' "$scratch/err" || fail "no word about a stream that was cut off"

# ---- rates, verification ----

gives 0 $rng --samples 100000 --repeat 3
prints '^rate .* [MG]numbers/s$'
for generator in 'philox --distribution normal' 'threefry --interval open' 'philox --probability 0.3' ranmar \
    'ranmar --variant lanes' 'ranmar --variant tables --streams 64 --distribution normal-double' \
    'ranmar --variant stream --table 1009'; do
    gives 0 rng -d native --threads 2 --samples 30000 --verify --generator $generator
    prints '^verified '
done
gives 0 rng -d native:serial,native:pthreads --threads 2 --samples 300000 --verify
prints '^verified '
prints '^devices '
gives 0 rng -d native:serial,native:pthreads --threads 2 --samples 30000 --generator ranmar
gives 0 $rng --interval open --samples 10
prints '^distribution +float$'
gives 0 $rng --variant list
prints '^lanes '
gives 0 $rng --generator list
prints '^threefry '
gives 0 $rng --samples 10 --dry-run
prints '^generator +philox$'

# ---- errors ----

refuses 2 'unknown generator .dice.' $rng --generator dice --dry-run
refuses 2 'unknown variant .dice.' $rng --variant dice --dry-run
refuses 2 'pipe' $rng --samples 0
refuses 2 'require each other' $rng --distribution below
refuses 2 'below 1' $rng --probability 1.5
refuses 2 'prime' $rng --generator ranmar --table 96
refuses 2 'does not support this generator' $rng --variant lanes
refuses 2 'make other numbers' rng -d native:serial,native:pthreads --generator ranmar --samples 3000 --verify
refuses 2 '.-table requires --generator ranmar' $rng --table 97
refuses 2 'requires philox' $rng --generator ranmar --stream 1
refuses 2 'requires uniform numbers' $rng --distribution normal --interval open
refuses 2 'counter-based' $rng --generator ranmar --distribution bernoulli --probability 0.5
# Random123's known answers for counters and keys of zeros, and a hexadecimal seed.
for answer in 'philox 6627e8d5 e169c58d bc57ac4c 9b00dbd8' 'threefry 9c6ca96a e17eae66 fc10ecd4 5256a7d8'; do
    words=$("$MESHWORK" rng --generator ${answer%% *} --seed 0x0 --samples 4 --format raw -d native:serial |
        od -An -tx1 | awk '{ for (i = 1; i < 16; i += 4) printf " %s%s%s%s", $(i + 3), $(i + 2), $(i + 1), $i }')
    [ "$words" = " ${answer#* }" ] || fail "${answer%% *} gives $words"
done
gives 0 rng --seed 0x2A --samples 9 --format text -d native:serial
cp "$scratch/out" "$scratch/hexadecimal"
gives 0 rng --seed 42 --samples 9 --format text -d native:serial
cmp -s "$scratch/out" "$scratch/hexadecimal" || fail "0x2A is another seed than 42"
refuses 2 '0x' rng --seed 0x --samples 9 --format text -d native:serial
refuses 2 'without the header of .npy' rng --samples 3 -o x.npy
finish
