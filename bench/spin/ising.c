/* The Ising model with all variants, as in figure 13 of Hawick and Playne: any lengths, powers of two and the plane,
 * each on plain and on crinkled rows; one bit per spin; a plain C loop over a checkerboard on one core; and, if numba
 * is installed, the same loop with numba on all cores.
 *
 *   bench/ising [-s] [-l] [ROUNDS [DEVICE...]]          (7 rounds, all devices)
 *
 * Metropolis, periodic, at the critical temperature of the plane, starting with all spins up.  A pass is some sweeps of
 * the mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork/model.h>
#include <meshwork/spin.h>

#include "bench/common/table.h"

static const struct mesh {
    unsigned dims;
    size_t length[3];
} meshes[] = {
    { 2, { 256, 256 } }, { 2, { 1024, 1024 } }, { 2, { 4096, 4096 } }, { 2, { 4000, 4000 } }, { 3, { 256, 256, 256 } }
};
static const struct mesh tried = { 2, { 64, 64 } };

static size_t spins_of(const struct mesh *m) { return m->length[0] * m->length[1] * (m->dims > 2 ? m->length[2] : 1); }

/* ---- ours ---- */

struct ours {
    struct mw_device *device;
    struct mw_model *model;
    const struct mesh *mesh;
    const char *variant;
    uint64_t sweeps;
    struct mw_spins *spins;
};

static int prepare(void *of)
{
    struct ours *o = of;
    struct mw_spin_options options = {
        .size = sizeof options, .dims = o->mesh->dims, .start = MW_SPIN_START_UP, .variant = o->variant, .seed = 1
    };
    memcpy(options.length, o->mesh->length, o->mesh->dims * sizeof *options.length);
    const int rc = mw_spins_new(&o->device, 1, o->model, &options, &o->spins);
    return rc == MW_EINVAL ? MW_ENOTSUP : rc; /* a variant that does not support this mesh */
}

static int run(void *of, int passes)
{
    struct ours *o = of;
    return mw_spins_advance(o->spins, o->sweeps * (uint64_t)passes);
}

static void finish(void *of)
{
    struct ours *o = of;
    mw_spins_free(o->spins);
    o->spins = NULL;
}

/* ---- a plain loop ---- */

struct loop {
    const struct mesh *mesh;
    uint64_t sweeps, state;
    signed char *spin;
    uint32_t threshold[3];
};

static int loop_prepare(void *of)
{
    struct loop *l = of;
    const size_t n = spins_of(l->mesh);
    l->spin = malloc(n);
    if (!l->spin)
        return mw_fail(MW_ENOMEM, "no memory for %zu spins", n);
    memset(l->spin, 1, n);
    for (int i = 0; i < 3; i++)
        l->threshold[i] = (uint32_t)(exp(-4.0 * (i + 1) / 2.269185314213022) * 4294967296.0);
    l->state = 88172645463325252u;
    return 0;
}

static uint32_t word(struct loop *l)
{
    l->state ^= l->state << 13;
    l->state ^= l->state >> 7;
    l->state ^= l->state << 17;
    return (uint32_t)(l->state >> 32);
}

static void loop_row(struct loop *l, size_t y, size_t z, size_t colour)
{
    const size_t X = l->mesh->length[0], Y = l->mesh->length[1], Z = l->mesh->dims > 2 ? l->mesh->length[2] : 1;
    signed char *s = l->spin;
    signed char *row = s + (z * Y + y) * X;
    signed char *above = s + (z * Y + (y + 1) % Y) * X, *below = s + (z * Y + (y + Y - 1) % Y) * X;
    signed char *front = s + ((z + 1) % Z * Y + y) * X, *back = s + ((z + Z - 1) % Z * Y + y) * X;
    for (size_t x = (y + z + colour) % 2; x < X; x += 2) {
        int sum = row[x + 1 < X ? x + 1 : 0] + row[x > 0 ? x - 1 : X - 1] + above[x] + below[x];
        if (Z > 1)
            sum += front[x] + back[x];
        sum *= row[x];
        if (sum <= 0 || word(l) < l->threshold[sum / 2 - 1])
            row[x] = (signed char)-row[x];
    }
}

static int loop_run(void *of, int passes)
{
    struct loop *l = of;
    const size_t Z = l->mesh->dims > 2 ? l->mesh->length[2] : 1;
    for (uint64_t sweep = 0; sweep < l->sweeps * (uint64_t)passes; sweep++)
        for (size_t colour = 0; colour < 2; colour++)
            for (size_t z = 0; z < Z; z++)
                for (size_t y = 0; y < l->mesh->length[1]; y++)
                    loop_row(l, y, z, colour);
    return 0;
}

static void loop_finish(void *of)
{
    struct loop *l = of;
    free(l->spin);
    l->spin = NULL;
}

/* ---- the contest ---- */

enum { VARIANTS = 16, OTHERS = 2 };

static void measure_mesh(struct bench *bench, struct mw_device *device, struct mw_model *model, const struct mesh *m)
{
    static const struct bench_column columns[] = { { "", -18, 0 }, { "flips/ns", 9, 3 }, BENCH_TIMES };
    const size_t n = spins_of(m);
    const uint64_t sweeps = n < (size_t)1 << 22 ? ((size_t)1 << 22) / n : 1;
    struct loop loop = { .mesh = m, .sweeps = sweeps };
    struct bench_rival numba = { .python = &bench->python, .name = "numba" };
    struct bench_contender c[VARIANTS + OTHERS] = {
        { .name = "plain C, one core", .of = &loop, .prepare = loop_prepare, .run = loop_run, .finish = loop_finish },
        bench_rival(&numba)
    };
    struct ours ours[VARIANTS];
    char lengths[64], title[160];
    size_t count = 0;
    for (; count < VARIANTS && mw_spin_variants(count); count++) {
        const char *name = mw_spin_variants(count)->name;
        ours[count] = (struct ours){ device, model, m, name, sweeps, NULL };
        c[count + OTHERS] = (struct bench_contender){
            .name = name, .of = &ours[count], .prepare = prepare, .run = run, .finish = finish, .device = device
        };
    }
    snprintf(lengths, sizeof lengths, m->dims > 2 ? "%zux%zux%zu" : "%zux%zu", m->length[0], m->length[1],
             m->length[2]);
    snprintf(numba.line, sizeof numba.line, "ising %s %llu", lengths, (unsigned long long)sweeps);
    snprintf(title, sizeof title, "%s %s", mw_device_info(device)->id, lengths);
    bench_say(bench, "%s, %zu x %zu%s\n", mw_device_info(device)->id, m->length[0], m->length[1],
              m->dims > 2 ? " x as many" : "");
    struct bench_table table = BENCH_TABLE(bench, columns);
    const struct bench_contest contest = { .name = title, .stretch = bench->small ? 0 : 0.1 };
    bench_contest(bench, &contest, c, count + OTHERS);
    for (size_t i = 0; i < count + OTHERS; i++) {
        if (c[i].out)
            continue;
        bench_text(&table, "%s", c[i].name);
        bench_number(&table, (double)n * (double)sweeps / bench_seconds(&c[i]).median * 1e-9);
        bench_times(&table, &c[i]);
    }
}

static void measure(struct bench *bench, struct mw_device *device)
{
    struct mw_model *model;
    if (mw_model_load("ising", NULL, &model) != 0)
        bench_die("ising");
    for (size_t i = 0; i < (bench->small ? 1 : MW_COUNT(meshes)); i++)
        measure_mesh(bench, device, model, bench->small ? &tried : &meshes[i]);
    mw_model_free(model);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 7, .script = "ising.py" };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
