#!/bin/sh
# devices, models, doctor, cache and tune: what they list, for people and as JSON.
# shellcheck disable=SC2086,SC2013,SC2015 # lists of words are meant to split; fail always succeeds
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"

gives 0 devices
prints '^ +index +id +kind +name +memory +units +fp64 +images +driver$'
prints '^[* ] +[0-9]+ +native:serial +native '
prints '^[* ] +[0-9]+ +native:pthreads +native '
[ "$(grep -c '^\*' "$scratch/out")" -eq 1 ] || fail "not one device is the default"
gives 0 devices -d native:serial -v
prints '^\* +[0-9]+ +native:serial '
prints '^ *memory '
gives 0 devices -q
silent

# An index and an id select the same device.
index=$(sed -n 's/^[* ] *\([0-9]*\) *native:serial .*/\1/p' "$scratch/out")
gives 0 run cahn-hilliard --dry-run -d "$index"
prints '^device +native:serial '

# An outdated variable does not prevent the list.
(MESHWORK_DEVICE=nosuchdevice "$MESHWORK" devices) >"$scratch/out" 2>"$scratch/err" || fail "devices without a default"
prints 'native:serial'

gives 0 models
prints '^cahn-hilliard +dc/dt ='
gives 0 models cahn-hilliard
prints '^parameter +default'
prints '^K +[0-9]'
prints '^time step +[0-9]'

gives 0 run cahn-hilliard --variant list
prints '^fused '
gives 0 run cahn-hilliard -d native:serial --dry-run --size 64x64
# At most three states, the third for small meshes with several steps per launch, and one on the host.
prints "^memory +64 KiB at most, with the host's, of "
folder_holds ''

gives 0 cache list
prints '^built kernels +0$'
gives 0 cache warm heat kpz -d native:serial --size 32x32
prints '^kernels of 2 models are ready on native:serial'
refuses 2 'no model is called nosuch' cache warm heat nosuch -d native:serial --size 32x32
refuses 2 "unexpected operand 'heat' after cache list" cache list heat
gives 0 cache clear
prints '^removed [0-9]+ '

gives 0 tune --clear
gives 0 tune --list
prints 'no stored results'
gives 0 tune cahn-hilliard -d native:serial --size 64x64 --budget 0.5
prints '^cahn-hilliard +native:serial +[a-z]+ +variant='
gives 0 tune --list
prints 'native:serial.*cahn-hilliard'
gives 0 tune cahn-hilliard heat -d native:serial,native:pthreads --size 64x64 --budget 0.1
for device in native:serial native:pthreads; do
    prints "^cahn-hilliard +$device +[a-z]+ +variant="
    prints "^heat +$device +[a-z]+ +variant="
done
gives 0 run cahn-hilliard -d native:serial --size 64x64 --steps 1
prints '\(remembered\)'
gives 0 tune --clear
gives 0 tune --list
prints 'no stored results'

has_json || finish
gives 0 devices --json
json_keys id name type backend platform driver memory_bytes compute_units fp64 images
gives 0 models --json
json_keys name equation parameters fields dt
gives 0 cache list --json
json_keys folder entries bytes
gives 0 tune --list --json
json_keys
gives 0 run cahn-hilliard -d native:serial --dry-run --json
json_keys model size device memory_bytes variant
gives 0 run cahn-hilliard --variant list --json
json_keys name description
finish
