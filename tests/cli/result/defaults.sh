#!/bin/sh
# Options of the library that are 0 select the command's defaults: the enums of --print-config, and the same files.
# shellcheck disable=SC2086 # lists of words are meant to split
# shellcheck source=tests/cli/cli.sh
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/cli.sh"
shares_cache
build=${MESHWORK%/tools/*}
[ -e "$build/.libs/libmeshwork.so" ] && command -v pkg-config >/dev/null ||
    skip "a program is linked with the shared library, by pkg-config"

# Reads lines "SETTING VALUE", of which each value of an enum is to be 0; runs what has files in this folder.
cat >"$work/zero.c" <<'END'
#include <meshwork.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call) do { if ((call) != 0) return fprintf(stderr, "%s: %s\n", #call, mw_errmsg()), 1; } while (0)
#define ZERO(setting, noun, usual) \
    if (strcmp(name, setting) == 0) { \
        enum mw_##noun found; \
        CHECK(mw_##noun##_find(value, &found)); \
        known++; \
        if (found != (usual) && (int)found != 0) \
            return fprintf(stderr, "%s %s is not 0\n", name, value), 1; \
    }

static int run_field(struct mw_device *device)
{
    const struct mw_field_options options = {
        .size = sizeof options, .dims = 2, .length = { 32, 24 }, .no_tune = true };
    struct mw_array state = { 0 };
    struct mw_model *model;
    struct mw_field *field;

    CHECK(mw_model_load("cahn-hilliard", NULL, &model));
    CHECK(mw_field_new(&device, 1, model, &options, &field));
    CHECK(mw_field_advance(field, 20));
    CHECK(mw_field_get(field, &state));
    CHECK(mw_array_save("field-zero.npy", &state));
    mw_array_free(&state);
    mw_field_free(field);
    mw_model_free(model);
    return 0;
}

static int run_spins(struct mw_device *device, const char *name, const char *path)
{
    const struct mw_spin_options options = { .size = sizeof options, .dims = 2, .length = { 24, 16 } };
    struct mw_array state = { 0 };
    struct mw_model *model;
    struct mw_spins *spins;

    CHECK(mw_model_load(name, NULL, &model));
    CHECK(mw_spins_new(&device, 1, model, &options, &spins));
    CHECK(mw_spins_advance(spins, 5));
    CHECK(mw_spins_get(spins, &state));
    CHECK(mw_array_save(path, &state));
    mw_array_free(&state);
    mw_spins_free(spins);
    mw_model_free(model);
    return 0;
}

static int run_label(struct mw_device *device, const char *from, const char *to)
{
    const struct mw_label_options options = { .size = sizeof options };
    struct mw_array cells = { 0 }, labels = { 0 };

    CHECK(mw_array_load(from, &cells));
    CHECK(mw_label_array(&device, 1, &options, &cells, &labels, NULL, NULL));
    CHECK(mw_array_save(to, &labels));
    mw_array_free(&labels);
    mw_array_free(&cells);
    return 0;
}

static int run_walk(struct mw_device *device)
{
    const struct mw_walk_options options = { .size = sizeof options, .steps = 30 };
    struct mw_array state = { 0 };
    struct mw_carpet *carpet;
    struct mw_walk *walk;

    CHECK(mw_carpet_new(NULL, &carpet));
    CHECK(mw_walk_new(&device, 1, carpet, &options, &walk));
    CHECK(mw_walk_advance(walk, 30));
    CHECK(mw_walk_get(walk, &state));
    CHECK(mw_array_save("walk-zero.npy", &state));
    mw_array_free(&state);
    mw_walk_free(walk);
    mw_carpet_free(carpet);
    return 0;
}

int main(void)
{
    struct mw_device *device;
    char name[80], value[80];
    int known = 0;

    while (scanf("%79s %79s %*[^\n]", name, value) == 2) {
        ZERO("integrator", integrator, 0)
        ZERO("laplacian", laplacian, 0)
        ZERO("boundary", boundary, MW_BOUNDARY_PERIODIC)
        ZERO("start", spin_start, 0)
        ZERO("update", spin_update, 0)
        ZERO("lattice", lattice_kind, 0)
        ZERO("connectivity", connectivity, 0)
        ZERO("interval", random_interval, 0)
    }
    if (known != 13)
        return fprintf(stderr, "%d enums in --print-config\n", known), 1;
    CHECK(mw_device_open_by_name("native:serial", NULL, &device));
    CHECK(run_field(device));
    CHECK(run_spins(device, "ising", "ising-zero.npy"));
    CHECK(run_spins(device, "blume-capel", "blume-capel-zero.npy"));
    CHECK(run_walk(device));
    CHECK(run_label(device, "field.npy", "label-field-zero.npy"));
    CHECK(run_label(device, "cells.npy", "label-cells-zero.npy"));
    mw_device_close(device);
    return 0;
}
END

run='run -d native:serial --no-tune -q'
gives 0 $run cahn-hilliard --size 32x24 --steps 20 -o field.npy
gives 0 $run ising --size 24x16 --steps 5 -o ising.npy
gives 0 $run blume-capel --size 24x16 --steps 5 -o blume-capel.npy
gives 0 walk -d native:serial --steps 30 -q -o walk.npy
array cells.npy '|u1' '3, 4' '\001\001\000\002\000\002\000\002\003\000\000\001'
gives 0 label -d native:serial -q field.npy -o label-field.npy
gives 0 label -d native:serial -q cells.npy -o label-cells.npy

# run and sweep have settings of fields and of spins.
for words in 'run ising' 'sweep ising --over T=1:2:3' 'label cells.npy' rng; do
    gives 0 $words --print-config
    cat "$scratch/out" >>"$scratch/settings"
done
cd "$work" || exit 99
# shellcheck disable=SC2016 # it is the other shell's
try sh "$source_top/doc/make/with-built.sh" "$source_top" "$build" "$scratch/bin" sh -c \
    'cc -std=c11 -Wall -Wextra zero.c -o zero $(pkg-config --cflags --libs meshwork) && ./zero <"$1"' \
    sh "$scratch/settings"
[ "$status" -eq 0 ] || fail "the library's defaults are not the command's"
for name in field ising blume-capel label-field label-cells; do
    cmp "$name.npy" "$name-zero.npy" >"$scratch/out" 2>&1 || fail "$name: other results by options of 0"
done
# The files of walks differ in shape: sites in a list or in a box.
for name in walk walk-zero; do
    head -c 30 "$name.npy" | grep -q "'descr': '<f8'" || fail "$name.npy is not in double precision"
done

finish
