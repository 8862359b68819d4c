#!/bin/sh
# Drivers that are empty or broken: each is one note, and never in the way of the devices that work.
# shellcheck source=tests/fault/fault.sh
. "${srcdir:-.}/tests/fault/fault.sh"

small="run cahn-hilliard --size 32x32 --steps 4 --no-tune"
for behaviour in none empty broken; do
    only_dummy $behaviour
    expect 0 '.' devices
    grep -q native:serial "$scratch/out" || fail "$behaviour: native:serial is not listed"
    grep -q opencl: "$scratch/out" && fail "$behaviour: a device is listed"
    expect 0 '' $small -q
    expect 3 'opencl:0.0' $small -d opencl:0.0
done

# A device that lists and does not open.
only_dummy closed
expect 0 '' devices
grep -q 'opencl:0.0' "$scratch/out" || fail "the dummy device is not listed"
expect 1 'Dummy device' $small -d opencl:0.0
expect 0 '' $small -d native:serial

# Without -d a driver for CPUs is listed, and no more: threads compute as fast, and nothing is compiled for them.
only_dummy cpu
expect 0 '' $small
grep -q '^device *native:pthreads ' "$scratch/out" || fail "the default is not native:pthreads"
finish
