/* Cahn-Hilliard in two or three dimensions, single precision, RK2: every device of this machine, next to hand-written
 * OpenMP loops (bench/rivals/hand-written.c), in one run.
 *
 *   bench/cahn-hilliard [-s] [-l] [--model FILE] [--size SIDE | NXxNY[xNZ]] [ROUNDS [DEVICE...]]
 *                                                                                   (2048, 9, all devices)
 *
 * A turn takes about a quarter of a second.  "hand" is the ratio to the faster of the two hand-written loops.  "copy"
 * is the fraction of the device's copy bandwidth for the minimum traffic: two passes, 20 bytes per cell, step and
 * field.  With --model each device also runs a user's model; "built-in" is its rate as a fraction of the built-in
 * model's. */
#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/common/table.h"
#include "bench/rivals/hand-written.h"

#define STRETCH 0.25
#define COPY_BYTES_MAX ((size_t)256 << 20) /* larger than all caches */
#define FLOOR_BYTES 20
#define DT 0.01f
#define LENGTH_LEAST 4
#define LENGTH_MOST ((size_t)1 << 20)
#define CHECK_STEPS 10

struct mesh {
    unsigned dims;
    size_t length[3], cells;
};

static const struct {
    const char *name;
    void (*step)(struct hand_lattice *lattice, float dt);
} hands[] = {
    { "hand, two passes", hand_two_passes },
    { "hand, four passes", hand_four_passes },
};
#define HANDS MW_COUNT(hands)

static struct hand_lattice lattice_of(const struct mesh *mesh)
{
    struct hand_lattice l = { .nx = (int)mesh->length[0], .ny = (int)mesh->length[1], .nz = (int)mesh->length[2] };
    if (!hand_new(&l)) {
        mw_fail(MW_ENOMEM, "out of memory for three arrays of %zu cells: choose a smaller size", mesh->cells);
        bench_die("by hand");
    }
    return l;
}

/* ---- check of the hand-written loops ---- */

/* Each step adds rounding errors of the order of |c| FLT_EPSILON: of the sum c + dt lap(mu), and of lap(mu), at most 12
 * * 13 |c| times dt.  The compiler may fuse operations in the hand-written loops, but never does in the library.  Long
 * waves grow slowly and short ones shrink, so the difference per step stays in this order.  A wrong neighbour changes c
 * by about dt |c| per step, ten thousand times as much. */
static void compare(const char *name, const float *hand, const float *ours, size_t n)
{
    double most = 0, apart = 0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, fabs((double)ours[k]));
        apart = fmax(apart, fabs((double)hand[k] - (double)ours[k]));
    }
    const double tolerance = 4.0 * CHECK_STEPS * FLT_EPSILON;
    if (apart <= tolerance * most)
        return;
    mw_fail(MW_EVERIFY, "it differs from the library's result by %g of the largest value after %d steps, more than %g",
            apart / most, CHECK_STEPS, tolerance);
    bench_die(name);
}

/* Unequal lengths, so that confused dimensions are detected. */
static void check_hands(const struct mw_model *model, unsigned dims)
{
    const struct mesh mesh = { dims, { 37, 22, dims == 3 ? 13 : 0 }, 37 * 22 * (dims == 3 ? 13 : 1) };
    const struct mw_field_options o = { .size = sizeof o,
                                        .dims = dims,
                                        .length = { mesh.length[0], mesh.length[1], mesh.length[2] },
                                        .dt = DT,
                                        .integrator = MW_INTEGRATOR_RK2,
                                        .seed = 1,
                                        .no_tune = true };
    struct hand_lattice by_hand = lattice_of(&mesh);
    struct mw_device *device = bench_open("native:serial", NULL);
    struct mw_field *field;
    struct mw_array start = { 0 }, end = { 0 };
    if (mw_field_new(&device, 1, model, &o, &field) != 0 || mw_field_get(field, &start) != 0 ||
        mw_field_advance(field, CHECK_STEPS) != 0 || mw_field_get(field, &end) != 0)
        bench_die("check");
    for (size_t i = 0; i < HANDS; i++) {
        for (size_t k = 0; k < mesh.cells; k++)
            by_hand.c[k] = ((const float *)start.data)[k];
        for (int s = 0; s < CHECK_STEPS; s++)
            hands[i].step(&by_hand, DT);
        compare(hands[i].name, by_hand.c, end.data, mesh.cells);
    }
    mw_array_free(&start);
    mw_array_free(&end);
    mw_field_free(field);
    mw_device_close(device);
    hand_free(&by_hand);
}

/* ---- hand-written loops ---- */

struct hand {
    struct hand_lattice *lattice;
    size_t row;
    long copied; /* floats */
};

static int hand_run(void *of, int passes)
{
    const struct hand *h = of;
    for (int i = 0; i < passes; i++)
        hands[h->row].step(h->lattice, DT);
    return 0;
}

static int hand_copy_run(void *of, int passes)
{
    const struct hand *h = of;
    for (int i = 0; i < passes; i++)
        hand_copy(h->lattice->half, h->lattice->mu, h->copied);
    return 0;
}

/* ---- on devices ---- */

struct run {
    const struct mw_model *model;
    const struct mesh *mesh;
    struct mw_device *device;
    bool no_tune;
    struct mw_field *field;
    char name[64], shape[MW_SHAPE_TEXT];
};

static int run_prepare(void *of)
{
    struct run *r = of;
    const struct mesh *m = r->mesh;
    const struct mw_field_options o = { .size = sizeof o,
                                        .dims = m->dims,
                                        .length = { m->length[0], m->length[1], m->length[2] },
                                        .integrator = MW_INTEGRATOR_RK2,
                                        .seed = 1,
                                        .no_tune = r->no_tune,
                                        .tune_budget = r->no_tune ? 0 : 10 };
    struct mw_shape shape;
    const char *how;
    int rc = 0;
    TRY(mw_field_new(&r->device, 1, r->model, &o, &r->field));
    mw_field_shape(r->field, &shape, &how);
    mw_shape_format(&shape, r->shape);
out:
    return rc;
}

static int run_steps(void *of, int passes)
{
    struct run *r = of;
    int rc = 0;
    TRY(mw_field_advance(r->field, (uint64_t)passes));
    TRY(mw_field_sync(r->field));
out:
    return rc;
}

static void run_finish(void *of)
{
    struct run *r = of;
    mw_field_free(r->field);
    r->field = NULL;
}

/* ---- the contest ---- */

/* A row of the table. */
struct row {
    char name[64];
    size_t copy, built_in;
    const char *shape;
};

struct contest {
    const struct mesh *mesh;
    const struct mw_model *built_in, *users; /* user's model; NULL: none */
    struct hand by_hand[HANDS];
    struct run *runs;
    struct bench_copy *copies;
    char (*copy_names)[64];
    struct row *rows; /* by contender; unnamed ones are not printed */
    struct bench_contender *contenders;
    size_t count, run_count;
};

static void *memory(size_t n, size_t size)
{
    void *pointer;
    if (mw_new(n, size, &pointer) != 0)
        bench_die("memory");
    return pointer;
}

static void add_hands(struct contest *all, struct hand_lattice *lattice, size_t bytes)
{
    for (size_t i = 0; i < HANDS; i++)
        all->by_hand[i] = (struct hand){ lattice, i, (long)(bytes / sizeof(float)) };
    all->contenders[all->count++] = (struct bench_contender){
        .name = "copy by hand", .of = &all->by_hand[0], .run = hand_copy_run, .moved = 2.0 * (double)bytes, .warm = true
    };
    for (size_t i = 0; i < HANDS; i++, all->count++) {
        snprintf(all->rows[all->count].name, sizeof all->rows[0].name, "%s", hands[i].name);
        all->contenders[all->count] = (struct bench_contender){ .name = all->rows[all->count].name,
                                                                .of = &all->by_hand[i],
                                                                .run = hand_run,
                                                                .moved = FLOOR_BYTES * (double)all->mesh->cells };
    }
}

static void add_run(struct contest *all, struct mw_device *device, const struct mw_model *model, size_t copy,
                    size_t built_in, bool no_tune)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct run *run = &all->runs[all->run_count++];
    struct row *row = &all->rows[all->count];
    *run = (struct run){ .model = model, .mesh = all->mesh, .device = device, .no_tune = no_tune };
    *row = (struct row){ .copy = copy, .built_in = built_in, .shape = run->shape };
    snprintf(row->name, sizeof row->name, "%s%.16s %.7s", built_in ? "  its own, " : "", info->id,
             info->kind == MW_DEVICE_NATIVE ? "" : info->platform);
    snprintf(run->name, sizeof run->name, "%s on %s", built_in ? "its own" : "built-in", info->id);
    all->contenders[all->count++] =
        (struct bench_contender){ .name = run->name,
                                  .of = run,
                                  .prepare = run_prepare,
                                  .run = run_steps,
                                  .finish = run_finish,
                                  .moved = FLOOR_BYTES * (double)mw_model_info(model)->field_count *
                                           (double)all->mesh->cells };
}

/* In the order of turns: hand-written loops, then per device its copy and its models. */
static void add_all(struct contest *all, struct mw_device **devices, size_t device_count, struct hand_lattice *lattice,
                    bool no_tune)
{
    const size_t bytes =
        all->mesh->cells < COPY_BYTES_MAX / sizeof(float) ? all->mesh->cells * sizeof(float) : COPY_BYTES_MAX;
    const size_t most = 1 + HANDS + 3 * device_count;
    all->contenders = memory(most, sizeof *all->contenders);
    all->rows = memory(most, sizeof *all->rows);
    all->runs = memory(2 * device_count, sizeof *all->runs);
    all->copies = memory(device_count, sizeof *all->copies);
    all->copy_names = memory(device_count, sizeof *all->copy_names);
    add_hands(all, lattice, bytes);
    for (size_t i = 0; i < device_count; i++) {
        const size_t copy = all->count++;
        all->copies[i] = (struct bench_copy){ .device = devices[i], .bytes = bytes };
        all->contenders[copy] = bench_copier(&all->copies[i]);
        snprintf(all->copy_names[i], sizeof *all->copy_names, "copy on %s", mw_device_info(devices[i])->id);
        all->contenders[copy].name = all->copy_names[i];
        add_run(all, devices[i], all->built_in, copy, 0, no_tune);
        if (all->users)
            add_run(all, devices[i], all->users, copy, copy + 1, no_tune);
    }
}

static void print(const struct bench *bench, const struct contest *all)
{
    const struct bench_column columns[] = { { "million cell-steps/s", -34, 0 },
                                            BENCH_SPREAD("median", 8, 0),
                                            { "hand", 8, 2 },
                                            { "copy", 8, 2 },
                                            { all->users ? "built-in" : "", 8, 2 },
                                            { "shape", 0, 0 } };
    struct bench_contender hand = all->contenders[1];
    for (int r = 0; r < hand.rounds; r++)
        hand.second[r] = fmin(hand.second[r], all->contenders[2].second[r]);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; i < all->count; i++) {
        const struct bench_contender *c = &all->contenders[i];
        const struct row *row = &all->rows[i];
        if (!row->name[0])
            continue;
        bench_text(&table, "%s", row->name);
        bench_rates(&table, c, (double)all->mesh->cells);
        bench_number(&table, bench_ratio(&hand, c).median);
        bench_number(&table, bench_bandwidth(c, &all->contenders[row->copy]).median);
        bench_number(&table, row->built_in ? bench_ratio(&all->contenders[row->built_in], c).median : NAN);
        bench_text(&table, "%s", row->shape ? row->shape : "");
    }
}

static void measure(const struct bench *bench, struct contest *all, struct hand_lattice *lattice)
{
    const struct mesh *m = all->mesh;
    struct mw_device **devices;
    const size_t device_count = bench_open_all(bench, &devices);
    char name[80];
    add_all(all, devices, device_count, lattice, bench->small);
    snprintf(name, sizeof name, m->dims == 3 ? "%zux%zux%zu" : "%zux%zu", m->length[0], m->length[1], m->length[2]);
    const struct bench_contest contest = { .name = name, .stretch = STRETCH };
    bench_contest(bench, &contest, all->contenders, all->count);
    bench_say(bench, "Cahn-Hilliard, %s, single precision, RK2; by hand: %d threads; %d rounds\n\n", name,
              hand_threads(), bench->rounds);
    print(bench, all);
    for (size_t i = 0; i < device_count; i++)
        mw_device_close(devices[i]);
    free(devices);
    free(all->contenders);
    free(all->rows);
    free(all->runs);
    free(all->copies);
    free(all->copy_names);
}

/* ---- command line ---- */

static bool read_mesh(const char *text, struct mesh *mesh)
{
    *mesh = (struct mesh){ .cells = 1 };
    for (bool more = true; more; text++) {
        char *end;
        if (mesh->dims == 3 || !isdigit((unsigned char)*text))
            return false;
        mesh->length[mesh->dims++] = strtoul(text, &end, 10);
        text = end;
        more = *text == 'x';
        if (!more && *text != '\0')
            return false;
    }
    if (mesh->dims == 1)
        mesh->length[mesh->dims++] = mesh->length[0];
    for (unsigned d = 0; d < mesh->dims; d++)
        if (mesh->length[d] < LENGTH_LEAST || mesh->length[d] > LENGTH_MOST ||
            !mw_mul(mesh->cells, mesh->length[d], &mesh->cells))
            return false;
    return mesh->cells <= (size_t)LONG_MAX / sizeof(float);
}

int main(int argc, char **argv)
{
    const char *users_file = NULL, *size = NULL;
    const struct bench_option options[] = { { "model", "FILE", &users_file },
                                            { "size", "SIDE | NXxNY[xNZ]", &size },
                                            { NULL, NULL, NULL } };
    const struct bench_setup setup = { .rounds = 9, .options = options };
    struct bench bench;
    struct mesh mesh;
    struct mw_model *built_in, *users = NULL;
    bench_start(argc, argv, &setup, &bench);
    if (!read_mesh(size ? size : bench.small ? "64" : "2048", &mesh))
        bench_wrong("--size takes lengths from %d to %zu, as 2048 or 256x256x256", LENGTH_LEAST, LENGTH_MOST);
    if (mw_model_load("cahn-hilliard", NULL, &built_in) != 0)
        bench_die("model");
    if (users_file && mw_model_load(users_file, NULL, &users) != 0)
        bench_die(users_file);
    check_hands(built_in, mesh.dims);
    struct hand_lattice lattice = lattice_of(&mesh);
    for (size_t k = 0; k < mesh.cells; k++)
        lattice.c[k] = 0.1f * (float)((k * 2654435761u >> 8 & 0xffff) / 32768.0 - 1);
    struct contest all = { .mesh = &mesh, .built_in = built_in, .users = users };
    measure(&bench, &all, &lattice);
    hand_free(&lattice);
    mw_model_free(users);
    mw_model_free(built_in);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
