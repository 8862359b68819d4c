#!/bin/sh
# Time steps that choose themselves: against NumPy, ends at a time, checkpoints, reports and wrong options.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache

[ "$(models_device)" = native:serial ] || skip "native devices have no compiler here"
model='run gray-scott -d native:serial --no-tune -q'
base="$model --size 40x30 --integrator bs3"

# The same steps and states as NumPy.
numpy=$(with_numpy)
if [ -n "$numpy" ] && has_json; then
    try "$numpy" "$source_top/tests/cli/models/adaptive.py" "$MESHWORK" native:serial
    [ "$status" -eq 0 ] || fail "NumPy takes other steps, or comes elsewhere"
fi

# A time is hit exactly; outputs count accepted steps, and the times of a series are those of the steps.
gives 0 $base --until 100 --every 10 --series s.csv
prints '^steps +[0-9]+, first dt = 0.5, bs3$'
prints '^time +100$'
prints '^pace +[0-9]+ steps of 0\.[0-9]+ to [0-9.]+, '
whole=$(checksum)
[ "$(tail -n 1 "$work/s.csv" | cut -d , -f 2)" = 100 ] || fail "the series does not end at the time"
sed 1d "$work/s.csv" | awk -F , '{ if (NR > 1 && ($2 <= time || ($2 - time) == ($1 - step) * 0.5)) exit 1
                                  time = $2; step = $1 }' || fail "times of the series are not those of the steps"
gives 0 $base --until 100 --verify
[ "$(checksum)" = "$whole" ] || fail "other bits in a second run"
gives 0 $base --until 100 --tolerance 1e-4,1e-6
[ "$(checksum)" = "$whole" ] || fail "the default of --tolerance is another one"
gives 0 $base --until 100 --tolerance 1e-5
[ "$(checksum)" != "$whole" ] || fail "--tolerance has no effect"
gives 0 $model --size 40x30 --until 50
prints '^steps +100, dt = 0.5, rk2$'
fixed=$(checksum)
gives 0 $model --size 40x30 --steps 100
[ "$(checksum)" = "$fixed" ] || fail "--until is not the same number of steps"

# A resumed run continues with the next step of the checkpoint, its time and its series.
for first in 1 20 37; do
    gives 0 $base --steps $first --every 10 --series part.csv --checkpoint ck
    gives 0 run --restart ck -d native:serial -q --until 100
    [ "$(checksum)" = "$whole" ] || fail "other bits after resuming at step $first"
    cmp -s "$work/part.csv" "$work/s.csv" || fail "another series after resuming at step $first"
    gives 0 run --restart ck -d native:serial -q
    [ "$(checksum)" = "$whole" ] || fail "a run that is at its end went on"
done
gives 0 run --restart ck -d native:serial -q --steps 80
prints '^steps +80,'
refuses 2 'tolerance none' run gray-scott --restart ck --tolerance 1e-5 -q

if has_json; then
    gives 0 $base --until 10 --json
    json_keys rejected_steps evaluations least_step most_step mean_step tolerance tolerance_absolute
    json_has '"time":10.0'
    gives 0 $base --until 10 --dry-run --json
    json_has '"steps":null'
fi
gives 0 run --integrator list
prints '^dp5 +Dormand-Prince'

# Wrong options, and messages that advise these integrators.
refuses 2 'exclude each other' $base --until 10 --steps 5
refuses 2 'REL must be above 0' $base --tolerance 0
refuses 2 'REL must be above 0' $base --tolerance 1e-3,x
refuses 2 'requires an integrator' $model --tolerance 1e-3
refuses 2 'not a multiple' $model --until 100.2
refuses 2 'requires a model of fields' run ising --until 3
refuses 2 'has noise' run cahn-hilliard-cook -d native:serial --integrator dp5 --size 8x8 -q
refuses 1 'exceeds the device' $base --size 512x512 --memory-limit 1M
gives 1 $base --size 512x512 --memory-limit 1M --dry-run
says 'exceeds the device'
refuses 2 'single system' $base --systems 2
refuses 2 'name an integrator' tune gray-scott --integrator list
gives 1 $model --size 8x8 --dt 20 --steps 1000
says 'below --dt 20, or --integrator bs3'
gives 1 run -e 'u: u * u' -e 'start(u) = 1' --start constant --integrator dp5 --until 2 --size 4x4 -d native:serial -q
says 'step from step [0-9]+ \(time 1\) on is short enough.*because of field u'
# A rate that is never finite is reported at once.
pole='-e v:1 -e u:-u/(v-2) -e start(u)=1 -e start(v)=x+4*y --start constant --until 2 --size 4x4 -d native:serial -q'
for integrator in bs3 dp5; do
    gives 1 run $pole --integrator $integrator
    says 'the rate of field u is not finite at step 0 \(time 0\), first at cell \(2, 0\): .*division by 0'
done
finish
