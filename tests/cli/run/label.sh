#!/bin/sh
# Components in a run: the series equals a flood fill of the states. It is the same on all devices, split over some, and
# after a resume. Invalid options are refused.
# shellcheck disable=SC2086,SC2013,SC2015,SC2016 # lists of words are meant to split; fail always succeeds; awk's $
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

model='run cahn-hilliard -d native:serial --no-tune --seed 3'
python=$(command -v python3 || command -v /usr/bin/python3)
python=${python:-true}
: "${AWK:=awk}"
devices=$("$MESHWORK" devices -q | sed -n 's/^[* ] *[0-9]* *\(opencl:[0-9.]*\) .*/\1/p')

# agrees EVERY PERIODIC sign|value: s.csv agrees with the written states.
agrees() {
    try "$python" "$source_top/tests/cli/run/label.py" s.csv 'c%d.npy' "$@"
    [ "$status" -eq 0 ] || fail "another flood fill: $*"
}
steps() { cut -d, -f1 "$work/s.csv" | tr '\n' ' '; }

# ---- contents of the series ----

# The last step is on no schedule: it is observed and labelled as well.
planar="$model --size 48x33 --steps 65"
gives 0 $planar --label-every 20 --every 10 --series s.csv -o 'c%d.npy'
silent
[ "$(steps)" = 'step 0 10 20 30 40 50 60 65 ' ] || fail "other rows: $(steps)"
[ "$($AWK -F, '{ n = n ($(NF - 5) == "" ? "-" : "c") } END { print n }' "$work/s.csv")" = cc-c-c-cc ] ||
    fail "other rows have components"
head -n 1 "$work/s.csv" |
    grep -q ',domain_size,components,largest,mean_size,largest_above,largest_below,largest_minority$' ||
    fail "other titles"
last=$(tail -n 1 "$work/s.csv" | cut -d, -f9,10 | tr , ' ')
prints "^components +${last% *} by the sign of c, the largest of ${last#* } cells, [0-9.]+ on average\$"
sides=$(tail -n 1 "$work/s.csv" | cut -d, -f12,13 | tr , ' ')
prints "^largest +${sides% *} cells above 0, ${sides#* } cells not above\$"
agrees 20 11 sign
cp "$work/s.csv" "$scratch/planar.csv"

# A labelling by a named variant is timed alone, and gives the same components.
gives 0 $planar --label-every 20 --every 10 --series v.csv --label-variant equivalence
prints '^labelling +[0-9.]+ [um]?s by equivalence, mean of 5$'
cut -d, -f1,9-13 "$work/s.csv" >"$scratch/steps"
cut -d, -f1,9-13 "$work/v.csv" | cmp -s - "$scratch/steps" || fail "other components by equivalence"
rm "$work/v.csv"
refuses 2 'requires --label-every' $planar --label-variant runs
refuses 2 "no variant is called 'walls'" $planar --label-every 5 --label-variant walls

# Labels more often than states are written.
gives 0 $planar --label-every 10 --every 20 --series s.csv -o 'd%d.npy'
[ "$(steps)" = 'step 0 10 20 30 40 50 60 65 ' ] || fail "other rows with more labellings: $(steps)"
[ "$(cd "$work" && echo d*.npy)" = 'd0.npy d20.npy d40.npy d60.npy d65.npy' ] || fail "other states"
agrees 10 11 sign

# Without --every: one row per labelling.
rm -f "$work"/*
gives 0 $planar --label-every 20 --series s.csv
[ "$(steps)" = 'step 0 20 40 60 65 ' ] || fail "other rows without --every: $(steps)"
for row in $(cat "$work/s.csv"); do
    grep -qxF -- "$row" "$scratch/planar.csv" || fail "another row without --every: $row"
done
folder_holds s.csv

# Other boundary conditions and dimensions, double precision, equal values.
for case in '1 --size 257' '01 --size 32x21 --boundary mirror,periodic --precision double' \
    '000 --size 12x9x7 --boundary fixed' '110 --size 9x12x7 --boundary periodic,periodic,mirror'; do
    gives 0 $model ${case#* } --steps 20 --label-every 10 --every 10 --series s.csv -o 'c%d.npy'
    agrees 10 ${case%% *} sign
done
gives 0 $model --size 24x16 --steps 10 --start constant --label value --label-every 5 --every 5 --series s.csv \
    -o 'c%d.npy'
prints '^components +1 by the value of c, the largest of 384 cells, 384 on average$'
agrees 5 11 value

# The first of two fields.
gives 0 run gray-scott -d native:serial --no-tune --size 24x16 --steps 4 --label-every 2 --every 2 --series s.csv \
    -o 'c%d.npy'
agrees 2 11 sign
rm -f "$work"/*

# ---- the summary ----

if has_json; then
    gives 0 $planar --label-every 20 --json
    json_keys components largest mean_size largest_above largest_below largest_minority checksum
    numbers=$(sed -n 's/^ *"\(components\|largest\|largest_above\|largest_below\)": \([0-9]*\),$/\2/p' "$scratch/out" |
        tr '\n' ' ')
    [ "$numbers" = "$last $sides " ] || fail "JSON has $numbers, and the series $last"
    gives 0 $planar --json
    grep -q '"components"' "$scratch/out" && fail "components that nobody asked for"
fi
gives 0 $planar --label-every 20 --dry-run --series s.csv
prints '^components +by the sign of c, every 20 steps and at the end$'
prints '^series +5 rows, s.csv$'
folder_holds ''

# ---- the same everywhere ----

for id in native:pthreads native:serial,native:pthreads $devices; do
    gives 0 $planar -d $id --label-every 20 --every 10 --series s.csv
    cmp -s "$work/s.csv" "$scratch/planar.csv" || fail "another series on $id"
done

# In parts: the end of the first is on the schedule of rows, but not on that of labels.
for first in 0 30 33 40; do
    gives 0 $model --size 48x33 --steps $first --label-every 20 --every 10 --series s.csv --checkpoint ck
    prints '^components '
    gives 0 $model --restart ck --steps 65 --series s.csv
    cmp -s "$work/s.csv" "$scratch/planar.csv" || fail "another series from step $first"
done
gives 0 $model --restart ck --label-every 5 --series s.csv

# ---- errors ----

# Spins: equal ones, as bytes or bits, measured more often.
for case in '11 --size 24x18' '00 --size 15x12 --boundary mirror,fixed' '111 --size 6x8x4 --variant crinkled'; do
    gives 0 run ising -d native:serial ${case#* } --steps 25 --label-every 10 --every 5 --series s.csv -o 'c%d.npy'
    prints '^components +[0-9]+ of equal spins, the largest of '
    agrees 10 ${case%% *} sign
    rm -f "$work"/c*.npy
done
for case in '11 periodic' '01 fixed,periodic'; do
    gives 0 run ising -d native:serial --size 14x12 --lattice triangular --boundary ${case#* } --steps 4 \
        --label-every 2 --every 2 --series s.csv -o 'c%d.npy'
    head -n 1 "$work/s.csv" | grep -q domain_size && fail "domains along the axes of a triangular lattice"
    agrees 2 ${case%% *} sign triangular
    rm -f "$work"/c*.npy
done
refuses 2 'one a multiple of the other' run ising --size 8x8 --measure-every 4 --label-every 6

refuses 2 'one a multiple of the other' $planar --every 10 --label-every 15
refuses 2 'requires --label-every' $planar --label value
refuses 2 'label-every' $planar --label-every 0
refuses 2 "sign" $planar --label-every 5 --label size
gives 0 $model --size 48x33 --steps 30 --every 10 --series s.csv --checkpoint ck
refuses 1 'other columns' $model --restart ck --steps 65 --label-every 10 --series s.csv

finish
