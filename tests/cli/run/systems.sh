#!/bin/sh
# Several systems of a field by one run: each is what it is alone; files, means and errors; what does not go together.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
: "${AWK:=awk}"

bytes=$((48 * 32 * 4))

# Each system has the state, and the row of the series, of a run with its seed.
gives 0 $small --systems 3 -o many.npy --series many.csv --every 10 --png many.png --scale 1 --verify
prints '^systems +3, with seeds from 7 on$'
prints '^verified +same bits'
head -c 128 "$work/many.npy" | grep -q "'shape': (3, 32, 48)" || fail "another shape in many.npy"
for i in 0 1 2; do
    gives 0 $small --seed $((7 + i)) -o lone.npy --series lone.csv --every 10
    tail -c $((3 * bytes)) "$work/many.npy" | head -c $(((i + 1) * bytes)) | tail -c $bytes >"$scratch/of-many"
    tail -c $bytes "$work/lone.npy" | cmp -s - "$scratch/of-many" || fail "system $i is another one alone"
    alone=$(tail -n 1 "$work/lone.csv" | cut -d, -f3-)
    [ "$(tail -n 1 "$work/many.csv" | cut -d, -f$((15 + 6 * i))-$((20 + 6 * i)))" = "$alone" ] ||
        fail "the series of system $i ends otherwise"
done
[ "$(head -n 1 "$work/many.csv" | cut -d, -f3-4,15-16)" = c_mean,c_mean_error,c_mean_0,c_variance_0 ] ||
    fail "other titles: $(head -n 1 "$work/many.csv")"
tail -n 1 "$work/many.csv" | $AWK -F, '{ m = ($15 + $21 + $27) / 3
    e = sqrt((($15 - m) ^ 2 + ($21 - m) ^ 2 + ($27 - m) ^ 2) / 6)
    exit !(($3 - m) ^ 2 < 1e-20 && e > 0 && ($4 / e - 1) ^ 2 < 1e-8) }' || fail "no mean and error of all"
# Two next to each other, and one below: PNG has width and height at byte 16.
[ "$(od -An -j16 -N8 -tu1 "$work/many-000020.png" | tr -s ' ')" = ' 0 0 0 98 0 0 0 66' ] || fail "another picture"

# A checkpoint has all systems and their number; an input has all of them, or one for each.
gives 0 $small --systems 3
whole=$(checksum)
gives 0 $small --systems 3 --steps 9 --checkpoint c.ckpt
gives 0 run --restart c.ckpt -d native:serial --no-tune --steps 20
prints '^systems +3,'
[ "$(checksum)" = "$whole" ] || fail "a restart comes to other bits"
gives 2 $small --systems 4 --restart c.ckpt
gives 0 $small --systems 3 --input many.npy --steps 0 -o again.npy
cmp -s "$work/many.npy" "$work/again.npy" || fail "the state of all changes on its way in"
gives 0 $small --systems 3 --input lone.npy --steps 0 -o same.npy
for i in 1 2 3; do
    tail -c $((i * bytes)) "$work/same.npy" | head -c $bytes >"$scratch/of-many"
    tail -c $bytes "$work/lone.npy" | cmp -s - "$scratch/of-many" || fail "a system does not start from the input"
done

# Values of a parameter: so many systems with the first, the second and so on.
gives 0 $small --over K=0.5:1.5:0.5 --systems 2 -o many.npy --series over.csv --verify
prints '^systems +6, '
prints '^over +3 values of K, 2 systems each$'
prints '^K=1.5 +c: mean '
whole=$(checksum)
head -n 1 "$work/over.csv" | grep -q ',c_mean K=1,c_mean_error K=1,' || fail "other titles with --over"
for i in 1 2 5; do
    gives 0 $small --seed $((7 + i)) -p "K=$($AWK "BEGIN { print 0.5 * int($i / 2 + 1) }")" -o lone.npy
    tail -c $((6 * bytes)) "$work/many.npy" | head -c $(((i + 1) * bytes)) | tail -c $bytes >"$scratch/of-many"
    tail -c $bytes "$work/lone.npy" | cmp -s - "$scratch/of-many" || fail "system $i of a sweep is another one alone"
done
gives 0 $small --over K=0.5:1.5:0.5 --systems 2 --steps 9 --checkpoint o.ckpt
gives 0 run --restart o.ckpt -d native:serial --no-tune --steps 20
[ "$(checksum)" = "$whole" ] || fail "a sweep that is restarted comes to other bits"
gives 2 $small --over K=1,2 -p K=1
says 'exclude each other'
gives 2 $small --over KK=1,2
says 'KK'
gives 2 $small --over K=1:2:0
says 'the step must not be 0'

gives 2 $small --systems 3 --label-every 10
says 'label-every needs a single system'
gives 2 $small --systems 3 --vtk a.vti
says 'vtk needs a single system'
gives 2 run ising --systems 3 --size 8x8 --steps 1
says 'requires a model of fields'

finish
