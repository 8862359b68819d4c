#!/bin/sh
# Kernels and models that are missing or do not build.
# shellcheck source=tests/fault/fault.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/fault/fault.sh"

small="run cahn-hilliard --size 32x32 --steps 4 --no-tune -q"
kernels=${MESHWORK_KERNEL_PATH:?}

# A folder that is missing, empty, or a file.
expect 1 "$scratch/nowhere" $small -d native:serial --kernel-path "$scratch/nowhere"
mkdir "$scratch/empty"
expect 1 "$scratch/empty" $small -d native:serial --kernel-path "$scratch/empty"
: >"$scratch/file"
expect 1 "$scratch/file" $small -d native:serial --kernel-path "$scratch/file"
(MESHWORK_KERNEL_PATH=$scratch/nowhere; expect 1 "$scratch/nowhere" $small -d native:serial; finish) ||
    failures=$((failures + 1))
expect 1 "$scratch/nowhere" models --kernel-path "$scratch/nowhere"

# Kernels are never taken from the current folder.
cp -R "$kernels" "$work/cl"
try env MESHWORK_KERNEL_PATH="$scratch/nowhere" "$MESHWORK" $small -d native:serial
[ "$status" -eq 1 ] || fail "the kernels of the current folder were taken"
rm -rf "$work/cl"
folder_holds ''

# Invalid models: the message has file and line.
sed 's/^\/\/@ param .*/\/\/@ parameter x/' "$kernels/models/field/cahn-hilliard.cl" >"$scratch/directive.cl"
expect 4 'directive\.cl:4' run "$scratch/directive.cl" --size 32x32 --steps 4 -q -d native:serial
: >"$scratch/nothing.cl"
expect 4 'nothing\.cl' run "$scratch/nothing.cl" --size 32x32 --steps 4 -q -d native:serial
expect 1 'missing\.cl' run "$scratch/missing.cl" --size 32x32 --steps 4 -q -d native:serial
expect 2 'no-such-model' run no-such-model --size 32x32 --steps 4 -q -d native:serial
finish
