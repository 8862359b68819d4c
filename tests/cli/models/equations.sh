#!/bin/sh
# Models from the command line: -e, --save-model, their parameters, and restarts.
# shellcheck disable=SC2015 # fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

some='--size 48x32 --steps 30 -q --no-tune -d native:serial'
[ "$(models_device)" = native:serial ] || skip "native devices have no compiler here"

# The saved file is the same model; so is the installed one, written in one line, but for the order of products.
gives 0 run -e 'c: m * lap(u*c*c*c - b*c - K*lap(c))' -p m=1 -p u=1 -p b=1 -p K=1 $some --save-model one.cl
one=$(checksum)
gives 0 run ./one.cl $some
[ "$(checksum)" = "$one" ] || fail "the saved model is another one"
gives 0 run cahn-hilliard $some
[ "$(checksum)" = "$one" ] || fail "an equation in one line is another one than in a file"
gives 0 run heat $some --save-model heat.cl
cmp -s "$work/heat.cl" "$MESHWORK_KERNEL_PATH/models/field/heat.cl" || fail "--save-model changed the text"

# The energy's derivative by the compiler never raises the energy.
gives 0 run -e 'c: lap(variation(c))' -e 'energy = (1 - c^2)^2/4 - K/2 * c * lap(c)' -p K=1 $some --every 5 \
    --series e.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") at = i; if (!at) exit 1; next }
    at && NR > 2 && $at > last { exit 1 } { last = $at }' "$work/e.csv" || fail "the energy rises"

# Several fields, named values, noise, a complex field, a swept parameter.
gives 0 run -e 'u: lap(u) + f - v + a * noise(eta)' -e 'v: 0.1 * (u - v)' -e 'f = u - u^3' -p a=0.1 $some
gives 0 run -e 'psi complex: i * lap(psi) - i * abs2(psi) * psi' $some --dt 0.001
prints '^psi_im '
gives 0 run -e 'u: integral(1)' --start u=0 --size 6x4 --spacing 0.5 --dt 1 --steps 1 -q -d native:serial
prints '^u +mean 6 '
gives 0 run -e 'u: lap(u) / length_x' --start 'u = cos(2 * pi * x / length_x)' --integrator etd2 --dt 5 --steps 1 \
    --size 8 --precision double -q -d native:serial
prints '^u .*to 0.69342[0-9]*$' # exp(-5 (2 - 2 cos(2 pi / 8)) / 8)
gives 0 run -e 'c: -k * c' --over k=1,2 $some
prints '^k=2 '

# A restart needs the same equations.
gives 0 run -e 'c: -c' $some --checkpoint ck
gives 0 run -e 'c: -c' $some --steps 60 --restart ck
found=$(checksum)
gives 0 run -e 'c: -c' $some --steps 60
[ "$(checksum)" = "$found" ] || fail "another state after a restart"
refuses 2 'hash|differs|another' run -e 'c: -2 * c' $some --steps 60 --restart ck

# Starts by place: with a field's noise, or without.
gives 0 run -e 'T: -T' -e 'start(T) = x + 100 * y' --size 3x2 --steps 0 --start constant -q -d native:serial -o s.npy
prints '^T +mean 51 .*from 0 to 102$'
gives 0 run heat -e 'start(T) = x > 2 ? length_x : r' --spacing 0.5 --size 8x4 --steps 0 --start constant -q \
    -d native:serial
prints 'to 4$'
gives 0 run -e 'psi complex: -psi' -e 'start(psi) = cos(x) + i * sin(x)' --size 8x8 --steps 0 -q -d native:serial

# Boundary conditions: a bar between fixed temperatures ends with a straight profile; so does Robin's condition.
gives 0 run heat -e 'boundary(T, x_low) = value(1)' -e 'boundary(T, x_high) = value(0)' --size 10 \
    --steps 4000 --dt 0.4 -q -d native:serial --precision double -o bar.npy
prints '^T +mean 0.5 .*from 0.05 to 0.95$'
gives 0 run heat -e 'boundary(T, x_low) = value(1)' -e 'boundary(T, x_high) = slope(-0.1 * T)' --size 10 --steps 9000 \
    --dt 0.4 -q -d native:serial --precision double
prints '^T +mean 0.75 .*from 0.525 to 0.975$'
# Conditions along missing dimensions: ignored in a file, printed with -v; an error with -e.
printf '%s\n' '//@ model deep "dT/dt = lap T"' '//@ field T noise=1' '//@ dt 0.1' \
    'rate(T) = lap(T);' 'boundary(T) = value(1);' 'boundary(T, y) = value(1);' 'boundary(T, z_low) = value(2);' \
    >"$work/deep.cl"
gives 0 run ./deep.cl --size 48x32 --steps 1 -v --no-tune -d native:serial
grep -q 'conditions of model deep along z are ignored: the mesh has 2 dimensions' "$scratch/err" || fail "no note of z"
grep -q 'along y' "$scratch/err" && fail "a note of y"
gives 0 run ./deep.cl $some -e 'boundary(T, x) = value(2)'
gives 0 run ./deep.cl $some -e 'boundary(T) = value(2)' --size 64
refuses 2 'boundary condition along y, but the mesh has 1 dimension:' run heat -e 'boundary(T, y) = value(2)' $some \
    --size 64
refuses 2 'along z, but the mesh has 2 dimensions: leave it out' \
    run -e 'c: lap(c)' -e 'boundary(c, z_high) = slope(1)' $some
refuses 2 'along z' run ./deep.cl $some -e 'boundary(T, z_high) = value(2)' --start T=x
# -p declares parameters and maps of definitions that -e adds to a model, as without MODEL; --over does so too.
bar="heat -e boundary(T,x_low)=value(hot) -e boundary(T,x_high)=value(hot/4)"
gives 0 run $bar -p hot=3 $some
found=$(checksum)
gives 0 run heat -e 'boundary(T, x_low) = value(3)' -e 'boundary(T, x_high) = value(0.75)' $some
[ "$(checksum)" = "$found" ] || fail "a declared parameter has another value"
gives 0 run $bar -p hot=1 -p D=0.1 -p hot=3 $some --save-model hot.cl
one=$(checksum)
[ "$one" != "$found" ] || fail "-p D has no effect next to a declared parameter"
gives 0 run ./hot.cl -p D=0.1 $some
[ "$(checksum)" = "$one" ] || fail "the saved model lacks the declared parameter"
gives 0 run $bar -p hot=3 --seed 1 $some
found=$(sed -n 's,^T  *mean \([^ ]*\).*,\1,p' "$scratch/out")
gives 0 run $bar --over hot=1,3 $some
prints "^hot=3 +T: mean $found,"
gives 0 run advection -e 'energy = E * c^2' -p 'E = x + w' -e 'w = 2 * v' -p v=3 $some
prints '^maps +E from x [+] w$'
refuses 4 "unknown name 'hot'" run $bar $some
refuses 2 "model heat has no parameter 'cold'" run $bar -p hot=1 -p cold=2 $some
refuses 2 "model heat has no parameter 'cold'" run $bar -p hot=1 -p cold=@cold.npy $some
refuses 2 "map 'q' is in none of the equations" run -e 'c: -c' -p q=x $some
# A checkpoint of conditions is resumed; conditions replace those of the model.
hot="-e boundary(T,x)=value(time)"
# shellcheck disable=SC2086
for integrator in rk2 bs3; do
    gives 0 run heat $hot $some --integrator $integrator --steps 30
    found=$(checksum)
    gives 0 run heat $hot $some --integrator $integrator --steps 20 --checkpoint hot
    gives 0 run heat $hot $some --steps 30 --restart hot
    [ "$(checksum)" = "$found" ] || fail "another state after a restart with conditions and $integrator"
done
gives 0 run heat --boundary mirror $some
found=$(checksum)
printf '%s\n' '//@ model bounded "dT/dt = D lap T"' '//@ field T noise=1' '//@ param D 0.2 ""' '//@ dt 0.1' \
    'rate(T) = D * lap(T);' 'boundary(T) = value(time);' 'boundary(T, x_low) = value(2);' >"$work/bounded.cl"
gives 0 run ./bounded.cl -e 'boundary(T) = slope(0)' $some
[ "$(checksum)" = "$found" ] || fail "-e does not replace a condition of the model"
# Coordinates and the time: c = x + t^2 / 2 after rates x and t, exact by rk2.
gives 0 run -e 'c: time' -e 'start(c) = x' --size 8 --steps 100 --dt 0.25 --start constant -q -d native:serial
prints '^c +mean 316 .*from 312.5 to 319.5$'
gives 0 run -e 'c: x' -e 'start(c) = 0' --size 8x4 --spacing 0.5 --steps 4 --dt 0.25 --start constant -q \
    -d native:serial
prints '^c +mean 1.75 .*from 0 to 3.5$'
refuses 4 'a start or map cannot read fields' run -e 'c: -c' -e 'start(c) = c' $some
refuses 4 'a start or map cannot read fields' run -e 'c: -w' -e 'w = 2 * c' -e 'start(c) = w' $some
refuses 4 'a second start' run -e 'c: -c' -e 'start(c) = 1' -e 'start(c) = 2' $some

refuses 2 'a map of model equations depends on parameter k' run -e 'c: -c' -e 'start(c) = k * x' --over k=1,2 $some
gives 0 run -e 'T: -T' -e 'g = x' -e 'start(T) = g' $some
gives 0 run -e 'T: -T * k' -p k=1 -p k=2 $some
gives 0 run -e 'T: lap(T) + noise ( eta )' $some
refuses 2 'the model was given by -e: repeat' run --restart ck $some --steps 90
# A branch that an energy does not take may be undefined there.
gives 0 run -e 'u: -variation(u)' -e 'energy = u > 0 ? u * log(u) : u^2' -e 'w = u' $some
refuses 4 'nested too deeply' run -e "c: c$(printf '^c%.0s' $(seq 300))" $some

# Spacing: 1 is the default; with h, the time goes as h^2 and the energy of gradients as h^(d-2).
heat='run heat --integrator euler --seed 3'
gives 0 $heat $some
one=$(checksum)
gives 0 $heat $some --spacing 1,1
[ "$(checksum)" = "$one" ] || fail "a spacing of 1 is another one than none"
gives 0 $heat $some --size 48
one=$(checksum)
gives 0 $heat $some --size 48 --spacing 0.5 --dt 0.025
[ "$(checksum)" = "$one" ] || fail "half the spacing and a quarter of the time step is another state"
gives 0 $heat $some --spacing 0.5,2 --checkpoint ck
gives 0 run --restart ck $some --steps 40
prints '^spacing +0.5,2$'
gives 0 run heat --size 8x6 --steps 1 -q -d native:serial --spacing 0.5,2 --vtk h.vti
grep -aq 'Spacing="0.5 2 1"' "$work/h.vti" || fail "the VTK file has another spacing"
refuses 2 'spacing' run --restart ck $some --steps 40 --spacing 2
refuses 2 '--spacing 1,2,3: expected' $heat $some --spacing 1,2,3
refuses 2 '--spacing -1: expected' $heat $some --spacing -1
refuses 2 'isotropic Laplacian needs equal spacing' $heat $some --spacing 1,2 --laplacian isotropic

# Wrong equations, each one line, with at most 60 characters of the text.
long=$(printf 'c*c + %.0s' $(seq 30))
refuses 4 "unknown name 'q'.*, in '[.]{3}.{27}[+]  q.{29}[.]{3}'$" run -e "c: $long q + $long 1" $some
refuses 4 "unknown name 'q'.*, in 'rate.c. = q [+].{47}[.]{3}'$" run -e "c: q + $long 1" $some
refuses 4 "unknown name 'q'.*, in '[.]{3}.{57} q;'$" run heat -e 'w = T' \
    -e "start(T) = $(echo "$long" | tr c x) q" $some
refuses 2 'T=.{60}[.]{3}: expected an expression' run heat --start "T=$long;" $some
refuses 2 'parameter .q. is in none of the equations' run -e 'c: -c' -p q=1 $some
refuses 2 'expected FIELD: RATE' run -e 'c - c' $some
refuses 2 'the model heat has its fields: expected rate.FIELD. = RATE' run heat -e 'T: -T' $some
refuses 1 'the start of field u is not finite, first at x=0, y=0' run -e 'u: lap(u)' --start 'u = 1 / x' $some
refuses 1 'the rate of field u is not finite at the start' run -e 'u: 1 / 0' $some
refuses 2 'no equation gives the rate of a field: expected FIELD: RATE' run -e 'u = lap(u)' $some
refuses 4 "no //@ field line declares 'c'" run heat -e 'rate(c) = c' $some
refuses 2 'has spins' run ising -e 'start(s) = 1' --size 16x16 --steps 1 -q -d native:serial
refuses 2 'quotes, comments and line ends' run -e 'c: -c // no' $some
refuses 4 "unknown name 'K'" run -e 'c: K * c' $some
refuses 4 "expected '\)'" run -e 'c: lap(c' $some
refuses 4 'equations: x is reserved .*[)]$' run -e 'x: lap(x)' $some
refuses 4 'equations: declared twice: c$' run -e 'c: -c' -e 'c: c' $some
refuses 4 'equations: time is reserved .time of the run' run -e 'c: -time * c' -p time=3 $some
refuses 4 'equations:[0-9]+:[0-9]+: time is reserved' run -e 'c: -c' -e 'time = 3' $some
refuses 4 'equations:[0-9]+:1: r is reserved.*, in .r = 3;' run heat -e 'r = 3' $some
refuses 2 '--save-model requires' run --save-model m.cl -q

# The examples of py-pde: each file of examples/py-pde is the problem of one command of models.md, and has its bits.
sed -n '/^## Examples of py-pde/,/^\[/p' "$source_top/doc/models.md" | sed -n '/^```sh/,/^```$/{ /^```/d; p; }' |
    sed ':join; /\\$/ { N; s/ *\\\n */ /; b join; }' >"$scratch/commands"
number=0
for name in diffusion kuramoto-sivashinsky brusselator boundaries diffusivity schroedinger; do
    number=$((number + 1))
    command=$(sed -n "${number}s/^meshwork \(.*\) --until .*/\1/p" "$scratch/commands")
    settings=$(printf '%s\n' "$command" | grep -oE -- '--(size|spacing|dt) [0-9.x]+')
    eval "gives 0 $command --steps 20 -q --no-tune -d native:serial"
    found=$(checksum)
    # shellcheck disable=SC2086
    gives 0 run "$source_top/examples/py-pde/$name.cl" $settings --steps 20 -q --no-tune -d native:serial
    [ -n "$found" ] && [ "$(checksum)" = "$found" ] || fail "$name.cl differs from command $number of models.md"
done
[ "$(wc -l <"$scratch/commands")" -eq $number ] || fail "an example of py-pde has no file"
finish
