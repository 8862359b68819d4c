#!/bin/sh
# Exponential time steps by the command: one checksum after a restart and by another device, the domains of small steps,
# and refusals.
# shellcheck disable=SC2086,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

run='run cahn-hilliard -d native:serial --size 48x40 --integrator etd4 --dt 1 --no-tune'
gives 0 $run --steps 30
expected=$(checksum)
[ -n "$expected" ] || fail "no checksum"
gives 0 $run --steps 30 --verify
prints '^verified '
gives 0 $run --steps 13 --checkpoint c.ckpt
gives 0 run --restart c.ckpt -d native:pthreads --steps 30
[ "$(checksum)" = "$expected" ] || fail "a restart comes to other bits"
gives 0 $run --steps 30 --integrator etd2
[ "$(checksum)" != "$expected" ] || fail "etd2 is etd4"

# The same states as NumPy, and the orders of the methods.
numpy=$(with_numpy)
if [ -n "$numpy" ]; then
    try "$numpy" "$source_top/tests/cli/models/spectral.py" "$MESHWORK" native:serial
    [ "$status" -eq 0 ] || fail "NumPy comes to other states: $(cat "$scratch/out")"
fi

# The domains at t = 100 are those of rk2 with a fiftieth of the step.
domains() { sed -n 's/^domains *\([0-9.]*\) .*/\1/p' "$scratch/out"; }
size='run cahn-hilliard -d native:serial --size 96x96 --no-tune'
gives 0 $size --integrator rk2 --dt 0.02 --steps 5000
fine=$(domains)
gives 0 $size --integrator etd4 --dt 1 --steps 100
awk "BEGIN { exit !($fine > 5 && ($(domains) / $fine - 1) ^ 2 < 0.02 ^ 2) }" || fail "domains of $(domains), not $fine"

refuses 2 'rk4.*etd2.*etd4.*strang' $run --integrator etd3
for other in '--boundary fixed' '--systems 2' '-d native:serial,native:pthreads'; do
    try "$MESHWORK" $run --steps 5 $other
    [ "$status" -ne 0 ] || fail "$other is not refused"
    grep -q 'integrator etd4' "$scratch/err" "$scratch/out" || fail "$other: $(cat "$scratch/err")"
done
finish
