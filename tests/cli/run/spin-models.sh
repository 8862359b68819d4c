#!/bin/sh
# Spins of model files by the command: the example of the documentation, states of reals, checkpoints, what is refused.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
here="-d native:serial --seed 3 --steps 12"

same() {
    gives 0 "$@"
    [ "$(checksum)" = "$expected" ] || fail "checksum $(checksum) instead of $expected: meshwork $*"
}

# The example, word for word.
sed -n '/^```c$/,/^```$/p' "$srcdir/doc/spin-models.md" | sed '1d;/^```$/,$d' >"$work/dipoles.cl"
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

refuses 2 'for spins' run heat $here --size 8x8 --lattice bcc
refuses 2 'for spins' run heat $here --size 8x8 --update wolff
refuses 2 'one of spins' tune potts -d native:serial
refuses 2 'one of fields' sweep heat --over D=1:2:1
refuses 2 'continuous' run xy $here --size 8x8 --update heat-bath
refuses 2 'REFLECT' run ./dipoles.cl $here --size 8x8 --update wolff
refuses 2 'rule of its own' run prisoners $here --size 8x8 --update exchange
refuses 2 '3 dimensions' run ising $here --size 8x8 --lattice fcc
refuses 2 'mirror' run ising $here --size 8x8 --lattice triangular --boundary mirror
refuses 2 'installed model ising' run potts $here --size 8x8 --variant bits
refuses 2 'numbers' run xy $here --size 8x8 --correlation c.csv
refuses 2 'continuous' run xy $here --size 8x8 --label-every 4
refuses 2 'whole numbers' run potts $here --size 8x8 -p q=2.5
printf '//@ model m "e"\n//@ spin s signs\n//@ param T 1 ""\nPAIR(s, t) { return s * u; }\n' >"$work/wrong.cl"
refuses 4 'wrong.cl:4' run ./wrong.cl $here --size 8x8
rm -f "$work"/*.cl
folder_holds
finish
