#!/bin/sh
# Programs that a device's compiler, or the library before it, refuses: one message with the user's file and line.
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"
on_pocl "$0"

small="--size 32x32 --steps 4 --no-tune -q -d opencl:0.0"
kernels=${MESHWORK_KERNEL_PATH:?}

# An equation with an unknown name in a user's file; a spin model, whose text the device's compiler gets.
sed 's/lap(mu)/lap(mu) + unknown_name/' "$kernels/models/field/cahn-hilliard.cl" >"$scratch/typo.cl"
line=$(grep -n unknown_name "$scratch/typo.cl" | cut -d: -f1)
expect 4 "typo\.cl:$line:[0-9]+: .*unknown_name" run "$scratch/typo.cl" $small

# The compiler's lines about the origin of a macro are omitted.
sed 's/^PAIR/#define NOTHING unknown_name\n&/; s/return /return NOTHING + /' "$kernels/models/spin/potts.cl" \
    >"$scratch/macro.cl"
expect 4 "macro\.cl:[0-9]+: [^<]*unknown_name" run "$scratch/macro.cl" --size 32x32 --steps 4 -q -d opencl:0.0

# A damaged kernel of the package.
cp -R "$kernels" "$scratch/cl"
chmod -R u+w "$scratch/cl"
awk '{ print } END { print "this is not C;" }' "$kernels/field/update.cl" >"$scratch/cl/field/update.cl"
line=$(wc -l <"$scratch/cl/field/update.cl")
expect 4 "update\.cl:$line" run cahn-hilliard $small --kernel-path "$scratch/cl"

# A missing include.
awk '{ print } /field\/view.clh/ { print "#include \"field/gone.clh\"" }' "$kernels/field/update.cl" \
    >"$scratch/cl/field/update.cl"
line=$(grep -n gone.clh "$scratch/cl/field/update.cl" | cut -d: -f1)
expect 4 "update\.cl:$line.*gone\.clh" run cahn-hilliard $small --kernel-path "$scratch/cl"
finish
