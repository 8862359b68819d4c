#!/bin/sh
# Where spins start, and whether means are marked where they are not of equilibrium: energies with known exact values.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
run='run -d native:serial'
cold='ising --size 256x256 --steps 400 -p T=1.5'

# `random` and `noise` are synonyms, in runs and in sweeps.
gives 0 $run ising --size 32x32 --steps 20 --start noise
expected=$(checksum)
gives 0 $run ising --size 32x32 --steps 20 --start random
[ "$(checksum)" = "$expected" ] || fail "another start at random"
for word in noise random; do
    gives 0 sweep ising -d native:serial --over T=2,3 --size 8x8 --steps 200 --start $word
    prints '^start +noise$'
done

# The default: up if the model declares it and its coupling is above 0, otherwise noise.
starts() {
    word=$1
    shift
    gives 0 $run "$@" --size 16x16 --steps 20
    prints "^start +$word\$"
}
starts up ising
starts noise ising -p J=-1
starts noise ising --update exchange
starts down ising --start down
starts noise random-field
sed 's,^//@ start up J$,,' "${srcdir:-.}/cl/models/spin/potts.cl" >"$work/plain.cl"
starts noise ./plain.cl
rm -f "$work/plain.cl"
gives 0 sweep ising -d native:serial --over J=-1,1 --size 8x8 --steps 200
prints '^start +noise$'

# A uniform state does not change by exchange.
refuses 2 'use --start noise' $run ising --update exchange --start up
refuses 2 'use --start noise' sweep ising --over T=2,3 --update exchange --start down

# EXACT: the energy equals it within so many errors.
energy_is() {
    LC_ALL=C awk -v exact="$1" -v most="$2" '/^energy / { d = ($2 - exact) / $4; found = d < most && -d < most }
        END { exit !found }' "$scratch/out" || fail "an energy that is not $1: $(grep '^energy ' "$scratch/out")"
}
# By default the cold lattice is in equilibrium; from noise it has domains, and is reported as not in equilibrium.
gives 0 $run $cold
energy_is -1.951116573 4
grep -q 'not in equilibrium' "$scratch/out" && fail "marked in equilibrium"
for seed in 1 2 3; do
    gives 0 $run $cold --start noise --seed $seed
    prints 'not in equilibrium: the energy (drifted|has)|not in equilibrium: the (run|energy)'
    energy_is -1.951116573 6
done
# At the critical point a thousand steps are too few for a large lattice.
gives 0 $run ising --size 512x512
prints 'not in equilibrium: '
energy_is -1.414213562 6
gives 0 $run ising --size 16x16 --steps 8
prints 'not in equilibrium: fewer than 16 states were measured'

# Most of ten seeds have means within one error of the exact value, and at most one is marked.
marked=0 within=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
    gives 0 $run ising --size 64x64 -p T=2 --seed $seed
    grep -q 'not in equilibrium' "$scratch/out" && marked=$((marked + 1))
    LC_ALL=C awk '/^energy / { d = ($2 + 1.745564575) / $4; exit !(d < 1 && -d < 1) }' "$scratch/out" &&
        within=$((within + 1))
done
[ $marked -le 1 ] && [ $within -ge 5 ] || fail "$marked of 10 marked, $within within one error"

# within WORD EXACT: whether a mean of the last output is within one error.
within() {
    LC_ALL=C awk -v word="$1" -v exact="$2" '$1 == word { d = ($2 - exact) / $4; found = d < 1 && -d < 1 }
        END { exit !found }' "$scratch/out"
}
# With few values, and at a first-order transition: 60 % are within one error, or marked.
set -f
while read -r seeds energy absolute ensemble; do
    energies=0 absolutes=0 seed=0
    while [ $((seed += 1)) -le "$seeds" ]; do
        gives 0 $run $ensemble --seed $seed
        marked=$(grep -c 'not in equilibrium' "$scratch/out")
        { [ "$marked" -gt 0 ] || within energy $energy; } && energies=$((energies + 1))
        { [ "$marked" -gt 0 ] || within absolute $absolute; } && absolutes=$((absolutes + 1))
    done
    [ $((10 * energies)) -ge $((6 * seeds)) ] && [ $((10 * absolutes)) -ge $((6 * seeds)) ] ||
        fail "$energies energies and $absolutes magnetisations of $seeds within one error or marked: $ensemble"
done <<'END'
100 -1.5465 0.7848 ising --size 64x64 -p T=2.2
10 -1.606 0.818 potts -p q=8 -p T=0.744904 --update swendsen-wang --size 8x8 --steps 2500
10 -1.606 0.818 potts -p q=8 -p T=0.744904 --update swendsen-wang --size 8x8 --steps 12000
END
set +f
# Straight stripes at a low temperature never change.  Uniform spins do not either, but are the ground state.
frozen='ising --size 32x32 -p T=0.2 --start noise --steps 4000'
gives 0 $run $frozen --seed 2
prints '^energy +-1\.86 \+- 0\.14'
prints 'not in equilibrium: the state is frozen: all energies are equal, 0\.14 above the state with all spins up$'
gives 0 $run $frozen --seed 1
prints '^energy +-2$'
grep -q 'not in equilibrium' "$scratch/out" && fail "a ground state is marked"
gives 0 sweep ising -d native:serial --over T=0.2 --size 32x32 --systems 1 --start noise --warm-up 2000 \
    --steps 2000 --seed 2
prints 'not in equilibrium: .*the state is frozen'

if has_json; then
    gives 0 $run $cold --json
    json_keys start equilibrium equilibrium_reason
    prints '"equilibrium": true'
    prints '"equilibrium_reason": null'
    gives 0 $run $cold --start noise --json
    prints '"equilibrium": false'
    prints '"equilibrium_reason": "the '
fi
# A sweep marks its points, also in its file.
gives 0 sweep ising -d native:serial --over T=1.5,3 --size 64x64 --systems 2 --steps 1000 --start noise -o sweep.csv
prints 'not in equilibrium: 1 of 2 points, marked \*; the first: '
prints '^64x64 +1\.5 .*\)\* '
[ "$(cut -d, -f 20- "$work/sweep.csv" | tr '\n' ' ')" = 'equilibrium 0 1 ' ] ||
    fail "the file has $(cut -d, -f 20- "$work/sweep.csv")"
rm -f "$work/sweep.csv"
finish
