#!/bin/sh
# meshwork walk: closed forms, the exponent of the standard carpet, the same bits on every device, averages, files,
# pictures, checkpoints, signals, what is refused.
# shellcheck disable=SC2086,SC2016,SC2013 # lists of words are meant to split; dollars are awk's
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
walk='walk -d native:serial'

# Without obstacles <r^2> is the number of steps.
for carpet in full full3; do
    gives 0 $walk --carpet $carpet --steps 60 --csv full.csv
    LC_ALL=C awk -F, 'NR > 1 { d = $2 - $1; bad += d > 1e-12 * $1 || -d > 1e-12 * $1 }
        END { exit bad || NR < 10 }' "$work/full.csv" || fail "<r^2> of $carpet is not the number of steps"
    prints '^exponent +1(\.0+)?( |,)'
    prints '^total +1 [-+] '
    prints '^steps +60, master equation$'
    prints '^rate .* [MG]site-steps/s$'
done
gives 0 $walk --carpet full --method walkers --walkers 20000 --steps 100 --at 100 --csv full.csv
LC_ALL=C awk -F, 'NR == 2 { d = ($2 - 100) / $3; good = $1 == 100 && d < 4 && d > -4 } END { exit !good }' \
    "$work/full.csv" || fail "<r^2> of walkers is not the number of steps"
folder_holds full.csv

# The standard carpet, within 1 % of 0.954.
gives 0 $walk --carpet sc31 --start 0,0 --steps 1000 --fit 100,1000
exponent=$(sed -n 's/^exponent *\([0-9.]*\) .*/\1/p' "$scratch/out")
LC_ALL=C awk "BEGIN { exit !(\"$exponent\" + 0 > 0.9445 && \"$exponent\" + 0 < 0.9635) }" ||
    fail "an exponent of $exponent on SC(3,1)"
# By default one walk starts in the corner.  The error includes the exact exponent there, and for most of six random
# starts.
contains() {
    LC_ALL=C awk '/^exponent / { d = ($2 - 0.9538) / $4 } END { exit !(d < 1 && -d < 1) }' "$scratch/out"
}
for steps in 300 1000; do
    gives 0 $walk --carpet sc31 --steps $steps
    prints '^start +0,0$'
    contains || fail "an error without the exponent of SC(3,1): $(grep '^exponent' "$scratch/out")"
done
within=0
for seed in 1 2 3 4 5 6; do
    gives 0 $walk --carpet sc31 --start random --steps 300 --seed $seed
    contains && within=$((within + 1))
done
[ $within -ge 4 ] || fail "only $within of 6 starts within one error"
gives 0 $walk --carpet sc31 --start random --steps 1000
prints 'not settled: 0\.[0-9]+ and 0\.[0-9]+ in the two halves'
gives 0 $walk --carpet full --steps 100
grep -q 'not settled' "$scratch/out" && fail "<r^2> = t is not settled"
for other in '--carpet sc31 --runs 2' '--carpet vicsek --runs 2'; do
    gives 0 $walk $other --steps 20
    prints '^start +random$'
done

# The same on all devices, on two by walks, and by area; the seed matters.
one='walk --steps 60 --seed 5' many='walk --steps 40 --runs 3 --seed 5'
gives 0 $one -d native:serial
first=$(checksum)
gives 0 $many -d native:serial --csv first.csv
first_many=$(checksum)
"$MESHWORK" devices -q >"$scratch/devices" 2>&1
for id in $(sed -n 's/^[* ] *[0-9]* *\([a-z]*:[0-9a-z.]*\) .*/\1/p' "$scratch/devices"); do
    for precision in double single; do
        gives 0 $one -d "$id" --precision $precision --verify
    done
    gives 0 $one -d "$id"
    [ "$(checksum)" = "$first" ] || fail "other bits on $id"
    gives 0 $many -d "$id" --csv other.csv
    [ "$(checksum)" = "$first_many" ] || fail "other bits of three walks on $id"
    cmp -s "$work/first.csv" "$work/other.csv" || fail "other numbers on $id"
    gives 0 $one -d "$id" --method walkers --walkers 500 --verify
    echo "checked on $id"
done
gives 0 $many -d native:serial,native:pthreads --csv other.csv
[ "$(checksum)" = "$first_many" ] || fail "other bits of three walks on two devices"
cmp -s "$work/first.csv" "$work/other.csv" || fail "other numbers on two devices"
# Over starts on one carpet.  In a square of four sites all starts are equivalent, and for a single site; on other
# carpets walks differ.
gives 0 $many -d native:serial --average starts --csv starts.csv
prints '^walks +3, with random starts on the carpet of seed 5$'
starts=$(checksum)
! cmp -s "$work/first.csv" "$work/starts.csv" || fail "averages over starts are those over carpets"
gives 0 $many -d native:serial,native:pthreads --average starts
[ "$(checksum)" = "$starts" ] || fail "other bits of three starts on two devices"
refuses 2 'exclude each other' $many --average starts --start 56,0
printf '##\n##\n\n#.\n..\n' >"$work/two.txt"
two='--carpet ./two.txt --level 1 --extent 1x1 --runs 9 --steps 5 --at 5'
gives 0 $walk $two --average starts
prints '^ +5 +[0-9.]+ +0 +9$'
gives 0 $walk $two --average carpets
prints '^ +5 +0[.][0-9]+ +0[.][0-9]+ +9$'
rm "$work/starts.csv" "$work/two.txt"
gives 0 $one -d native:serial --seed 6
[ "$(checksum)" != "$first" ] || fail "the seed changes nothing"
folder_holds first.csv other.csv

# Walkers agree with the master equation.
gives 0 $one -d native:serial --at 60 --csv exact.csv
gives 0 $one -d native:serial --at 60 --csv drawn.csv --method walkers --walkers 20000
LC_ALL=C awk -F, 'FNR == 2 { y[++n] = $2; e = $3 } END { d = (y[1] - y[2]) / e; exit !(d < 4 && d > -4) }' \
    "$work/exact.csv" "$work/drawn.csv" || fail "walkers do not agree with the master equation"
folder_holds drawn.csv exact.csv

# A walker may stay at its start, or at the same distance: nothing is infinite.
for seed in 3 6; do
    gives 0 $walk --method walkers --walkers 1 --steps 3 --at 1,2,3 --seed $seed
    prints "^ +1 +$((seed == 3)) "
    prints '^exponent '
    ! grep -q inf "$scratch/out" || fail "infinite: exponents of seed $seed"
done

# A resumed run has the bits of an uninterrupted one, for one walk and for several.
for how in '' '--method walkers --walkers 300' '--runs 3' '--runs 3 --average starts'; do
    gives 0 $walk --steps 60 $how --csv whole.csv
    whole=$(checksum)
    gives 5 $walk --steps 60 $how --checkpoint walk.ck --time-limit 1e-9
    gives 0 $walk --restart walk.ck --csv again.csv --verify
    [ "$(checksum)" = "$whole" ] || fail "other bits after a restart, $how"
    cmp -s "$work/whole.csv" "$work/again.csv" || fail "another table after a restart, $how"
    rm -f "$work"/*
done
gives 0 $walk --steps 40 --checkpoint walk.ck
gives 0 $walk --steps 60 --csv whole.csv
gives 0 $walk --restart walk.ck --steps 60 --at 10,40,60
prints '^restarted +at step 40'
[ "$(checksum)" = "$(cd "$work" && "$MESHWORK" $walk --steps 60 -q | sed -n 's/^checksum *//p')" ] ||
    fail "other bits of more steps"
gives 0 $walk --steps 40 --runs 3 --at 10,20 --checkpoint runs.ck
exponent=$(grep '^exponent' "$scratch/out")
# A restart continues the files of the first part; one command may serve both.
rm -f "$work/part.csv" "$work/line.ck"
gives 0 $walk --steps 30 --csv part.csv --checkpoint walk.ck -q
rm "$work/part.csv"
gives 0 $walk --restart walk.ck --steps 40 -q
grep -q '^40,' "$work/part.csv" || fail "the table of the first part is not written after a restart"
for steps in 20 40; do gives 0 $walk --steps $steps --restart-or-start line.ck -q; done
prints '^restarted +at step 20, from line.ck'
gives 0 $walk --restart runs.ck --at 5,10,20
[ "$(grep '^exponent' "$scratch/out")" = "$exponent" ] || fail "another error of what was measured before a restart"
refuses 2 'other run' $walk --restart walk.ck --seed 9
refuses 2 'other run.*runs 1 .here 2' $walk --restart walk.ck --runs 2
refuses 2 'belongs to meshwork walk' run --restart walk.ck
rm -f "$work"/*

# A signal ends it cleanly.
begins $walk --carpet full --method walkers --walkers 1000 --steps 100000000 --every 1000000000 --checkpoint walk.ck
kill -TERM $process
wait $process
status=$?
[ "$status" -eq 5 ] || fail "exit code $status of a walk that was stopped"
folder_holds walk.ck

# Files and pictures.
if has_png; then
    rm -f "$scratch/probe.png"
    gives 0 $walk --steps 40 --every 20 -o p-%d.npy --png 'p-%d.png' --carpet-png carpet.png --vtk p.vti --series s.csv
    grep -q '^step,time,msd,total_probability' "$work/s.csv" || fail "no series"
    # Pictures of short walks are enlarged equally: to about 512 pixels, with whole pixels per site.
    for picture in p-20.png p-40.png carpet.png; do
        side=$(od -An -tu1 -j16 -N8 "$work/$picture" |
            awk '{ w = 256 * $3 + $4; h = 256 * $7 + $8; print (w > h ? w : h) }')
        [ "$side" -gt 256 ] && [ "$side" -le 512 ] || fail "the longer side of $picture has $side pixels"
    done
    folder_holds carpet.png p-0.npy p-0.png p-000000.vti p-000020.vti p-000040.vti p-20.npy p-20.png p-40.npy p-40.png \
        p.pvd s.csv
    gives 0 $walk --carpet menger --steps 20 --png m.png --carpet-png c.png --method walkers --walkers 100 -o w.npy
    folder_holds c.png m.png w.npy
    # A walker outside the plane of the start is not drawn, without errors.
    gives 0 $walk --carpet full3 --start 0,0,0 --method walkers --walkers 1 --steps 501 --png none.png
    folder_holds none.png
fi
if command -v gnuplot >/dev/null; then
    printf '#.\n..\n' >"$work/closed.txt"
    for few in '--steps 1' '--steps 2 --at 1' '--steps 9 --carpet ./closed.txt --level 1 --extent 1x1' \
        '--carpet full --steps 200'; do
        gives 0 $walk $few --plot few.svg
        ! grep -q . "$scratch/err" || fail "gnuplot complains of $few"
    done
    printf '##\n#.\n' >"$work/it's.txt"
    gives 0 $walk --carpet "./it's.txt" --steps 9 --plot few.svg
    ! grep -q . "$scratch/err" || fail "gnuplot complains of the carpet's name"
    rm "$work/it's.txt"
    refuses 2 'is an input file' $walk --carpet ./closed.txt --checkpoint closed.txt
    rm "$work/closed.txt" "$work/few.svg"
    gives 0 $walk --steps 40 --plot walk.svg
    grep -q 'local exponent' "$work/walk.svg" || fail "no plot"
    folder_holds walk.svg
fi
if has_json; then
    gives 0 $walk --steps 40 --json
    json_keys carpet steps occupancy msd equilibrium half_exponents
    json_keys exponent exponent_error total_probability seconds variant device checksum
    json_has '"msd":[[1,'
    gives 0 $walk --steps 40 --json --dry-run
    json_keys memory_bytes steps_that_fit
fi
# One of two walks cannot move: without the other there is no exponent, and so it has no error.
if has_json; then
    printf '#..\n...\n...\n\n###\n###\n###\n' >"$work/half.txt"
    gives 0 $walk --carpet ./half.txt --level 1 --extent 1x1 --runs 2 --seed 5 --steps 50 --json
    json_has '"exponent":0.4'
    json_has '"exponent_error":null'
    gives 0 $walk --steps 2 --json
    json_has '"equilibrium":null'
    json_has '"equilibrium_reason":"toofewpoints'
    rm "$work/half.txt"
fi
# A file of generators is read once for any number of walks.
printf '##\n#.\n' | "$MESHWORK" $walk --carpet /dev/stdin --runs 3 --steps 9 -q >"$scratch/piped" &&
    grep -q '^checksum' "$scratch/piped" || fail "generators cannot come through a pipe"
gives 0 $walk --carpet list
prints '^sc31 +2 +3 +1 '
gives 0 walk --variant list
gives 0 $walk --steps 100 --dry-run
prints '^fits +walks of up to about [1-9][0-9]* steps'
gives 1 $walk --carpet full --steps 1000000 --dry-run
says 'choose fewer --steps'

printf '##\n#\n' >"$work/broken.txt"
refuses 1 'broken.txt:2: row has 1 site;' $walk --carpet ./broken.txt
rm "$work/broken.txt"
refuses 2 'no carpet is called sc32; there are: full' $walk --carpet sc32
refuses 1 'no/such.txt' $walk --carpet no/such.txt
refuses 2 'not accessible' $walk --carpet sc31 --start 1,1
refuses 2 'expected auto, random, or 2' $walk --start 1,2,3
refuses 2 'out of range' $walk --start 2147483648,0
refuses 2 'steps' $walk --steps 0
refuses 1 'too many measurements' $walk --runs 1000000
refuses 1 'memory|fit' $walk --carpet full --steps 1000000
refuses 2 'exclude each other' $walk --at 1,2 --points 3
refuses 2 'step 5000 is after the last one, --steps 100' $walk --steps 100 --at 5,5000
refuses 2 'not a list' $walk --at 1,x
refuses 2 'not a list' $walk --at 1,2,
refuses 1 '1000000 and 11 steps' $walk --runs 1000000 --at 1,2,3,4,5,6,7,8,9,10 --dry-run
refuses 2 '56,0 is not accessible on the carpet of seed [1-9]' $walk --start 56,0 --runs 30 --dry-run
refuses 2 'FROM < TO' $walk --fit 10,5
refuses 2 'expected FROM,TO' $walk --fit 10
refuses 2 '--method walkers' $walk --walkers 10
refuses 2 'requires a single walk' $walk --runs 2 --png p.png
refuses 2 'requires --method master' $walk --method walkers --precision single
refuses 2 'has 3 dimensions' $walk --extent 2x2x2
refuses 1 '3\^31' $walk --carpet sc31 --level 31
refuses 2 'unknown variant|no variant|did you mean|there is no' $walk --variant nonsense
finish
