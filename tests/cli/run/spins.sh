#!/bin/sh
# Spins by the command: options, series, pictures, checkpoints, devices, what is refused.
# shellcheck disable=SC2086,SC2013 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
ising='run ising -d native:serial --size 48x32 --steps 60 --seed 7 -p T=2.5'

same() {
    gives 0 "$@"
    [ "$(checksum)" = "$expected" ] || fail "checksum $(checksum) instead of $expected: meshwork $*"
}
"$MESHWORK" devices -q >"$scratch/devices" 2>&1
for variant in lengths bits; do
    gives 0 $ising --variant $variant
    expected=$(checksum)
    [ -n "$expected" ] || fail "no checksum"
    prints '^energy +-[01]\.'
    prints '^magnetisation '
    for id in $(sed -n 's/^[* ] *[0-9]* *\([a-z]*:[0-9a-z.]*\) .*/\1/p' "$scratch/devices"); do
        same $ising --variant $variant -d "$id"
        [ "$id" = native:serial ] || same $ising --variant $variant -d "$id,native:serial"
        echo "checked on $id"
    done
    same $ising --variant $variant --verify
    prints '^verified '
done
same $ising
gives 0 $ising --variant lengths
expected=$(checksum)
for variant in $("$MESHWORK" run ising --variant list | awk 'NR > 1 && $1 != "bits" && $1 != "model" { print $1 }'); do
    "$MESHWORK" $ising --variant "$variant" 2>&1 | grep -Eq 'use auto|has no images' || same $ising --variant "$variant"
done
gives 0 $ising
expected=$(checksum)
for other in '--seed 8' '-p T=2.4' '-p h=0.1' '-p J=0.9' '--update heat-bath' '--start noise' '--boundary mirror'; do
    gives 0 $ising $other
    [ "$(checksum)" != "$expected" ] || fail "$other changes nothing"
done

# Through a file and a checkpoint; a series of all measurements.
same $ising --series whole.csv --measure-every 10 -o whole.npy
[ "$(head -n 1 "$work/whole.csv")" = 'step,time,energy,magnetisation,domain_size' ] || fail "other columns"
[ "$(wc -l <"$work/whole.csv")" -eq 8 ] || fail "other rows"
gives 0 $ising --steps 20 --series part.csv --measure-every 10 --checkpoint half.check
same run --restart half.check -d native:serial --steps 60
cmp -s "$work/whole.csv" "$work/part.csv" || fail "another series after a restart"
refuses 2 'belongs|T ' run --restart half.check -d native:serial --steps 60 -p T=3
gives 0 $ising --input whole.npy --steps 0
[ "$(checksum)" = "$expected" ] || fail "another state from a file"
gives 0 run ising -d native:serial --size 8x8 --steps 600 --series part.csv --checkpoint half.check
gives 0 run --restart half.check -d native:serial --steps 1200
awk -F, 'NR > 3 && $1 - last != step { exit 1 } NR > 1 { step = $1 - last; last = $1 }' "$work/part.csv" ||
    fail "rows further apart after a restart"
rm -f "$work"/*.check "$work"/*.old "$work"/*.csv
if has_png; then
    gives 0 $ising --every 30 --png 'p%d.png' --vtk 'v%d.vti'
    folder_holds whole.npy p0.png p30.png p60.png v.pvd v0.vti v30.vti v60.vti
else
    folder_holds whole.npy
fi

# The mean product of neighbours is the energy; at larger distances it is smaller.
gives 0 $ising --steps 400 --start up --correlation c.csv --correlation-range 5
prints '^specific heat +[0-9.]+ \+- '
prints '^correlation +c.csv, up to a distance of 5$'
energy=$(sed -n 's/^energy *\([-0-9.]*\) .*/\1/p' "$scratch/out") least=1e-4
if has_json; then            # which has all digits
    gives 0 $ising --steps 400 --start up --correlation c.csv --correlation-range 5 --json
    energy=$(sed -n 's/.*"energy": *\([-0-9.e]*\).*/\1/p' "$scratch/out") least=1e-15
fi
LC_ALL=C awk -F, "NR == 2 { first = -\$2 - \$4 } NR == 6 { last = \$2 }
    END { exit !(NR == 6 && (first - ($energy)) ^ 2 < $least && last < -first / 2) }" "$work/c.csv" ||
    fail "another correlation of neighbours"
rm -f "$work/c.csv"

# Without temperature all spins stay up: exact values.
if has_json; then
    gives 0 run ising -d native:serial --size 12x10x4 --steps 8 -p T=0 -p h=0.5 --start up --json
    json_keys model size steps energy energy_error magnetisation magnetisation_error checksum means samples
    prints '"energy": -3.5,'
    prints '"magnetisation": 1(\.0)?,'
    prints '"specific_heat": null,'
fi
gives 0 run ising -d native:serial --size 12x10x4 --steps 8 -p T=0 --start up
grep -Ew 'nan|inf' "$scratch/out" && fail "a number that is none"
gives 0 models
prints '^ising '
gives 0 models ising
prints 'temperature'
gives 0 $ising --dry-run
prints '^measured '

# A fraction of spins up: 307 of 1536, at the same places in every form of storage; exchange keeps it.
gives 0 $ising --fraction 0.2 --steps 0
prints '^start +0.2 of the spins up'
prints '^magnetisation +-0\.60026'
expected=$(checksum)
for variant in bits lengths crinkled model; do
    same $ising --fraction 0.2 --steps 0 --variant $variant
    same $ising --fraction 0.2 --steps 0 --variant $variant -d native:serial,native:pthreads
done
gives 0 $ising --fraction 0.2 --steps 0 --seed 8
[ "$(checksum)" != "$expected" ] || fail "the same places with another seed"
gives 0 $ising --fraction 0.2 --update exchange --steps 20 --series f.csv --checkpoint half.check
[ "$(awk -F, 'NR > 1 { print substr($4, 1, 8) }' "$work/f.csv" | sort -u)" = -0.60026 ] || fail "exchange loses spins"
refuses 2 'restart and --fraction exclude' run --restart half.check -d native:serial --steps 30 --fraction 0.2
refuses 2 'requires a model of spins' run cahn-hilliard -d native:serial --fraction 0.2
refuses 2 'spins of two values' run potts -d native:serial --fraction 0.2
refuses 2 'whole clusters' $ising --update wolff --fraction 0.2
refuses 2 'excludes --start' $ising --start up --fraction 0.2
refuses 2 'one fraction' $ising --fraction 0.1,0.2
for wrong in 1.01 -0.1 nan; do refuses 2 'fraction .*(0 to 1|not a number)' $ising --fraction=$wrong; done

refuses 2 'requires a model of fields' $ising --dt 0.1
refuses 2 'no double precision' $ising --precision double --variant bits
refuses 2 'from noise, up or down' $ising --start constant
refuses 2 'spins from noise' $small --start up
refuses 2 "no parameter 'TT'" $ising -p TT=1
refuses 2 'T=-1 .must be 0 or more' $ising -p T=-1
refuses 2 'did you mean ising' run isin -d native:serial
refuses 2 'two dimensions' $ising --size 4x4x4 --variant plane
refuses 2 'native:serial .* has no images' $ising --variant lengths-image
refuses 2 'at most 47' $ising --correlation c.csv --correlation-range 48
refuses 2 'make one a multiple' $ising --every 7 --measure-every 3
finish
