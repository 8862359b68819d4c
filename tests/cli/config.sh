#!/bin/sh
# --print-config: option beats environment beats default.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

gives 0 --print-config
prints '^device +- +default'
prints "^kernel-path +.* +environment MESHWORK_KERNEL_PATH"
prints "^cache-folder +$scratch/cache +environment MESHWORK_CACHE_DIR"
prints '^colour +on terminals +default'
silent

MESHWORK_DEVICE=native MESHWORK_THREADS=3 NO_COLOR=1
export MESHWORK_DEVICE MESHWORK_THREADS NO_COLOR
gives 0 run --print-config --threads=5 --size 7x9 -p a=1 -p b=2
prints '^device +native +environment MESHWORK_DEVICE'
prints '^threads +5 +option'
prints '^size +7x9 +option'
prints '^param +a=1 b=2 +option'
prints '^precision +single +default'
prints '^colour +no +environment NO_COLOR'

# Sizes, counts and times have several forms.
is() { gives 0 run --print-config --"$1" "$2"; prints "^$1 +$3 +option"; }
for size in 64x32 64X32 64,32 64×32 6.4e1x32; do is size $size 64x32; done
is steps 1e6 1000000
is steps 1.5e3 1500
is steps 1E+2 100
is steps 0.5e1 5
is steps 100.0 100
is steps 0e99 0
is seed 18446744073709551615 18446744073709551615
is seed 1.8446744073709551615e19 18446744073709551615
for time in 5400 5400s 90m 1h30m 1.5h 1h1800s 01:30:00 90:00 5400.0 5.4e3; do is time-limit $time 5400s; done
is time-limit 2d 172800s
is time-limit 1d1h1m1.5s 90061.5s
is time-limit 0.25 0.25s
gives 0 tune --print-config
prints '^budget +30s +default'
gives 0 graph info --print-config --budget 0
prints '^budget +0s +option'
gives 0 walk --print-config --at 10,1e3
prints '^at +10,1e3 +option'

# General options may precede the subcommand, with the same effect.
for before in '-q' '-d cpu' '-dcpu' '--device=cpu' '-q --threads 2' '-qd cpu'; do
    gives 0 $before graph info --print-config
    cp "$scratch/out" "$scratch/before"
    gives 0 graph $before info --print-config
    cmp -s "$scratch/out" "$scratch/before" || fail "other settings: graph $before info"
    gives 0 graph info --print-config $before
    cmp -s "$scratch/out" "$scratch/before" || fail "other settings: graph info $before"
done

# The forms of an option, and an empty variable, which counts as unset.
MESHWORK_DEVICE=
for form in '-d cpu' '-dcpu' '--device cpu' '--device=cpu' '-q -d cpu' '-qvdcpu'; do
    gives 0 --print-config $form
    prints '^device +cpu +option'
done
gives 0 --print-config
prints '^device +- +default'
gives 0 run --print-config -- --not-an-option
if has_json; then
    gives 0 --print-config --json
    json_keys device threads kernel-path cache-folder value from
fi
finish
