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
