#!/bin/sh
# Spins of model files by the command: the example of the documentation, states of reals, checkpoints, what is refused.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
here="-d native:serial --seed 3 --steps 12"

same() {
    gives 0 "$@"
    [ "$(checksum)" = "$expected" ] || fail "checksum $(checksum) instead of $expected: meshwork $*"
}

# The example, unchanged.
sed -n '/^```c dipoles.cl$/,/^```$/p' "$srcdir/doc/spin-models.md" | sed '1d;/^```$/,$d' >"$work/dipoles.cl"
gives 0 models ./dipoles.cl
prints '0 to m'
gives 0 run ./dipoles.cl $here --size 12x10x4 --update heat-bath --verify
prints '^verified '
prints '^magnetisation '
gives 0 run ./dipoles.cl $here --size 12x10 --lattice triangular -p m=7 --start up --png moments.png --label-every 6
rm -f "$work/moments.png"

# Vectors: a file, a checkpoint, the three components of a picture's data.
vectors="run heisenberg $here --size 9x8x6 --lattice bcc"
gives 0 $vectors -o state.npy --vtk state.vti
expected=$(checksum)
grep -q 'Name="spin_z"' "$work/state.vti" || fail "no component z"
gives 0 $vectors --steps 5 --checkpoint half.check
same run --restart half.check -d native:serial --steps 12
same run heisenberg -d native:serial --lattice bcc --input state.npy --steps 0
refuses 2 'belongs|lattice' run --restart half.check -d native:serial --steps 12 --lattice fcc
gives 0 $vectors --precision double -o double.npy
[ "$(checksum)" != "$expected" ] || fail "the same bits in double precision"
refuses 1 'float32' run heisenberg -d native:serial --lattice bcc --input double.npy --steps 0
rm -f "$work"/*.check "$work"/*.old "$work"/*.npy "$work"/*.vti

# Several steps keep valid angles.
gives 0 run xy $here --size 8x6 -p width=7 -p T=4 -o state.npy --checkpoint half.check
expected=$(checksum)
same run --restart half.check -d native:serial --steps 12
same run xy -d native:serial --input state.npy --steps 0
rm -f "$work"/*.check "$work"/*.old "$work"/*.npy

# The maximum number of kinds; a modified ising uses the file instead of the built-in kernels.
sed 's/labels q/labels 128/; s/^.*param q.*$//; s/(i32)P(q)/128/' "$srcdir/cl/models/spin/potts.cl" >"$work/many.cl"
gives 0 run ./many.cl $here --size 8x6 --update wolff
cp -R "$srcdir/cl" "$scratch/cl"
sed 's/? R(0.0) - P(J) : s + t == 0 ? P(J)/? P(J) : s + t == 0 ? R(0.0) - P(J)/' "$srcdir/cl/models/spin/ising.cl" \
    >"$scratch/cl/models/spin/ising.cl"
gives 0 run ising $here --size 8x8 -p T=0.1 --steps 50 --kernel-path "$scratch/cl"
expected=$(checksum)
prints '^variant +model'
gives 0 run ising $here --size 8x8 -p T=0.1 --steps 50 --variant model -p J=-1
[ "$(checksum)" = "$expected" ] || fail "not by the file of another ising"
refuses 2 'installed model ising' run ising $here --size 8x8 --variant bits --kernel-path "$scratch/cl"

# Means: of signs and of components, not of kinds.
if has_json; then
    gives 0 run heisenberg $here --size 8x8 --json
    json_keys means spin_x spin_z
    gives 0 run potts $here --size 8x8 --json
    grep -q '"means"' "$scratch/out" && fail "a mean of kinds"
fi

refuses 2 'outside=5: must be a valid spin' run ising $here --size 8x8 --variant model --boundary fixed -p outside=5
refuses 2 'requires a model of spins' run heat $here --size 8x8 --lattice bcc
refuses 2 'requires a model of spins' run heat $here --size 8x8 --update wolff
refuses 2 'is a spin model' tune potts -d native:serial
refuses 2 'has fields, not spins' sweep heat --over D=1:2:1
refuses 2 'continuous' run xy $here --size 8x8 --update heat-bath
refuses 2 'REFLECT' run ./dipoles.cl $here --size 8x8 --update wolff
refuses 2 'updated by its RULE' run prisoners $here --size 8x8 --update exchange
refuses 2 '3 dimensions' run ising $here --size 8x8 --lattice fcc
refuses 2 'mirror' run ising $here --size 8x8 --lattice triangular --boundary mirror
refuses 2 'installed model ising' run potts $here --size 8x8 --variant bits
refuses 2 'scalar spins' run xy $here --size 8x8 --correlation c.csv
refuses 2 'continuous' run xy $here --size 8x8 --label-every 4
refuses 2 'whole numbers' run potts $here --size 8x8 -p q=2.5
printf '//@ model m "e"\n//@ spin s signs\n//@ param T 1 ""\nPAIR(s, t) { return s * u; }\n' >"$work/wrong.cl"
refuses 4 'wrong.cl:4' run ./wrong.cl $here --size 8x8
printf '//@ model m "e"\n//@ spin s labels 3\nRULE(s) { return 77; }\n' >"$work/wrong.cl"
refuses 2 'is an input file' run ./wrong.cl $here --size 8x8 --checkpoint wrong.cl
refuses 1 'step 3: the state has value 77' run ./wrong.cl $here --size 8x8 --steps 3
refuses 1 'energy of model ising is not' run ising $here --size 8x8 -p J=1e308
rm -f "$work"/*.cl
folder_holds
finish
