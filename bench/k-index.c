/* The cost of index arithmetic: sums the 2 d neighbours of every cell of a periodic lattice.  Form A uses k-indices of
 * any length (remainders by lengths known to the compiler), form B those of powers of two (masks).  A hand-written loop
 * over rows needs neither.  Single precision; every device of this machine, in one run.
 *
 *   bench/k-index [-s] [-l] [ROUNDS [DEVICE...]]          (7, all devices)
 *
 * A turn takes about 50 ms.  "hand" is the ratio to the hand-written loop with all threads on the same lattice.
 * "powers" is the cell rate relative to B's on the same device, on the nearest lattice with powers of two.  "copy" is
 * the fraction of the device's copy bandwidth for the minimum of 8 bytes per cell.  All sums are first checked to have
 * the same bits. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/lattice.h"
#include "bench/common/table.h"
#include "lattice.clh"
#include "native.clh"

#define STRETCH 0.05
#define FLOOR_BYTES 8

enum form { GENERAL, BITS, HAND };
static const char *const form_names[] = { "A", "B", "hand" };

/* Devices get the lattice as macros from mw_lattice_macros. */
static const char kernel_text[] = "#include \"lattice.clh\"\n"
                                  "__kernel void neighbour_sum(__global float *out, const __global float *in)\n"
                                  "{\n"
                                  "    const u64 item = get_global_id(0);\n"
                                  "    if (item >= LATTICE_CELLS)\n"
                                  "        return;\n"
                                  "    const kindex k = (kindex)item;\n"
                                  "    float sum = 0.0f;\n"
                                  "#define ADD(i, length, stride, offset) \\\n"
                                  "    sum += in[lattice_neighbour(k, i, -1, BOUNDARY_PERIODIC)]; \\\n"
                                  "    sum += in[lattice_neighbour(k, i, 1, BOUNDARY_PERIODIC)];\n"
                                  "    LATTICE_EACH(ADD)\n"
                                  "    out[k] = sum;\n"
                                  "}\n";

/* ---- the same in C: X(i, length, stride, offset), as LATTICE_EACH ---- */

#define FLAT(X) X(0, 4096, 1, 0) X(1, 4096, 4096, 12)
#define FLAT_ODD(X) X(0, 4095, 1, 0) X(1, 4097, 4095, 0)
#define CUBE(X) X(0, 256, 1, 0) X(1, 256, 256, 8) X(2, 256, 65536, 16)
#define CUBE_ODD(X) X(0, 255, 1, 0) X(1, 257, 255, 0) X(2, 253, 65535, 0)
#define SMALL(X) X(0, 64, 1, 0) X(1, 64, 64, 6)
#define SMALL_ODD(X) X(0, 63, 1, 0) X(1, 65, 63, 0)
#define CELLS_OF(i, length, stride, offset) *(length)
#define ONE_OF(i, length, stride, offset) +1

#define DIGIT(i, length, stride) (i == dims - 1 ? k_last(k, stride) : k_digit(k, stride, length))
#define ADD_GENERAL(i, length, stride, offset)                                                                         \
    sum += in[k_neighbour(k, DIGIT(i, length, stride), -1, length, stride, BOUNDARY_PERIODIC)];                        \
    sum += in[k_neighbour(k, DIGIT(i, length, stride), 1, length, stride, BOUNDARY_PERIODIC)];
#define MASK(length, offset) bits_mask(length, offset), bits_inverse(cells, bits_mask(length, offset))
#define ADD_BITS(i, length, stride, offset)                                                                            \
    sum += in[bits_neighbour(k, -1, stride, MASK(length, offset))];                                                    \
    sum += in[bits_neighbour(k, 1, stride, MASK(length, offset))];

#define SUM_OF_NEIGHBOURS(name, EACH, ADD)                                                                             \
    CLONES static void name(const struct mw_native_call *call)                                                         \
    {                                                                                                                  \
        float *out = NATIVE_POINTER(0);                                                                                \
        const float *in = NATIVE_POINTER(1);                                                                           \
        const kindex cells = 1 EACH(CELLS_OF), dims = 0 EACH(ONE_OF);                                                  \
        const kindex end = call->end < (size_t)cells ? (kindex)call->end : cells;                                      \
        (void)dims;                                                                                                    \
        for (kindex k = (kindex)call->begin; k < end; k++) {                                                           \
            float sum = 0.0f;                                                                                          \
            EACH(ADD)                                                                                                  \
            out[k] = sum;                                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    static const struct mw_native_parameter name##_takes[] = { { 0, 2 }, NATIVE_TAKES_BUFFER, NATIVE_TAKES_BUFFER };

SUM_OF_NEIGHBOURS(sum_flat_general, FLAT, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_flat_bits, FLAT, ADD_BITS)
SUM_OF_NEIGHBOURS(sum_flat_odd, FLAT_ODD, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_cube_general, CUBE, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_cube_bits, CUBE, ADD_BITS)
SUM_OF_NEIGHBOURS(sum_cube_odd, CUBE_ODD, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_small_general, SMALL, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_small_bits, SMALL, ADD_BITS)
SUM_OF_NEIGHBOURS(sum_small_odd, SMALL_ODD, ADD_GENERAL)

/* Hand-written: rows, with adjacent neighbours along x except at the ends. */

static inline const float *row_at(const float *in, int nx, int ny, int y, int z)
{
    return in + ((long)z * ny + y) * nx;
}

static const struct mw_native_parameter sum_flat_by_hand_takes[] = {
    { 0, 5 }, NATIVE_TAKES_BUFFER, NATIVE_TAKES_BUFFER, NATIVE_TAKES(i32), NATIVE_TAKES(i32), NATIVE_TAKES(i32),
};
#define sum_cube_by_hand_takes sum_flat_by_hand_takes

CLONES static void sum_flat_by_hand(const struct mw_native_call *call)
{
    float *out = NATIVE_POINTER(0);
    const float *in = NATIVE_POINTER(1);
    const int nx = NATIVE_VALUE(i32, 2), ny = NATIVE_VALUE(i32, 3);
    for (int y = (int)call->begin; y < (int)call->end; y++) {
        const float *row = row_at(in, nx, ny, y, 0), *south = row_at(in, nx, ny, y > 0 ? y - 1 : ny - 1, 0);
        const float *north = row_at(in, nx, ny, y < ny - 1 ? y + 1 : 0, 0);
        float *to = out + (long)y * nx;
        to[0] = row[nx - 1] + row[1] + south[0] + north[0];
        for (int x = 1; x < nx - 1; x++)
            to[x] = row[x - 1] + row[x + 1] + south[x] + north[x];
        to[nx - 1] = row[nx - 2] + row[0] + south[nx - 1] + north[nx - 1];
    }
}

CLONES static void sum_cube_by_hand(const struct mw_native_call *call)
{
    float *out = NATIVE_POINTER(0);
    const float *in = NATIVE_POINTER(1);
    const int nx = NATIVE_VALUE(i32, 2), ny = NATIVE_VALUE(i32, 3), nz = NATIVE_VALUE(i32, 4);
    for (int r = (int)call->begin; r < (int)call->end; r++) {
        const int y = r % ny, z = r / ny;
        const float *row = row_at(in, nx, ny, y, z), *south = row_at(in, nx, ny, y > 0 ? y - 1 : ny - 1, z);
        const float *north = row_at(in, nx, ny, y < ny - 1 ? y + 1 : 0, z);
        const float *below = row_at(in, nx, ny, y, z > 0 ? z - 1 : nz - 1);
        const float *above = row_at(in, nx, ny, y, z < nz - 1 ? z + 1 : 0);
        float *to = out + (long)r * nx;
        to[0] = row[nx - 1] + row[1] + south[0] + north[0] + below[0] + above[0];
        for (int x = 1; x < nx - 1; x++)
            to[x] = row[x - 1] + row[x + 1] + south[x] + north[x] + below[x] + above[x];
        to[nx - 1] = row[nx - 2] + row[0] + south[nx - 1] + north[nx - 1] + below[nx - 1] + above[nx - 1];
    }
}

/* ---- the contest ---- */

#define SUM(function)                                                                                                  \
    {                                                                                                                  \
        {                                                                                                              \
            "neighbour_sum", function, function##_takes                                                                \
        }                                                                                                              \
    }
#define NO_SUM                                                                                                         \
    {                                                                                                                  \
        {                                                                                                              \
            NULL, NULL, NULL                                                                                           \
        }                                                                                                              \
    }
static const struct task {
    const char *name;
    bool small;
    unsigned dims;
    int64_t length[3];
    size_t powers;                        /* index of the nearest task with powers of two */
    struct mw_native_kernel native[3][2]; /* by form */
} tasks[] = {
    { "4096 x 4096",
      false,
      2,
      { 4096, 4096 },
      0,
      { SUM(sum_flat_general), SUM(sum_flat_bits), SUM(sum_flat_by_hand) } },
    { "4095 x 4097", false, 2, { 4095, 4097 }, 0, { SUM(sum_flat_odd), NO_SUM, SUM(sum_flat_by_hand) } },
    { "256 x 256 x 256",
      false,
      3,
      { 256, 256, 256 },
      2,
      { SUM(sum_cube_general), SUM(sum_cube_bits), SUM(sum_cube_by_hand) } },
    { "255 x 257 x 253", false, 3, { 255, 257, 253 }, 2, { SUM(sum_cube_odd), NO_SUM, SUM(sum_cube_by_hand) } },
    { "64 x 64", true, 2, { 64, 64 }, 4, { SUM(sum_small_general), SUM(sum_small_bits), SUM(sum_flat_by_hand) } },
    { "63 x 65", true, 2, { 63, 65 }, 4, { SUM(sum_small_odd), NO_SUM, SUM(sum_flat_by_hand) } },
};

/* A device; the hand-written loop runs on the first. */
struct place {
    char name[64], copy_name[80];
    struct bench_copy copy;
    size_t copier; /* its index among the contenders */
};

/* A form of a task on a device. */
struct entry {
    const struct place *place;
    size_t task;
    enum form form;
    char name[120];
    struct mw_lattice lattice;
    struct mw_program *program;
    struct mw_kernel *kernel;
    float *sums;
    const float *expected; /* result of the hand-written loop; NULL: this is it */
};

struct contest {
    size_t cells; /* in the largest lattice */
    struct place *places;
    size_t place_count;
    struct entry *entries; /* by contender; not used for copies */
    struct bench_contender *contenders;
    size_t count;
};

static int entry_prepare(void *of)
{
    struct entry *e = of;
    const struct task *t = &tasks[e->task];
    int rc = 0;
    TRY(mw_lattice_make(t->dims, t->length, &e->lattice));
    e->program =
        bench_lattice_program(e->place->copy.device, &e->lattice, e->form == BITS ? "#define LATTICE_BITS 1\n" : "",
                              kernel_text, t->native[e->form]);
    TRY(mw_kernel_new(e->program, "neighbour_sum", &e->kernel));
out:
    return rc;
}

static int entry_run(void *of, int passes)
{
    const struct entry *e = of;
    const struct mw_lattice *l = &e->lattice;
    const struct mw_arg args[] = { mw_arg_buffer(e->place->copy.to), mw_arg_buffer(e->place->copy.from),
                                   mw_arg_i32((int32_t)l->length[0]), mw_arg_i32((int32_t)l->length[1]),
                                   mw_arg_i32((int32_t)l->length[2]) };
    const size_t items = (size_t)(e->form == HAND ? l->cells / l->length[0] : l->cells);
    const struct mw_range range = { .dims = 1, .global = { items } };
    return bench_launches(e->kernel, &range, args, e->form == HAND ? MW_COUNT(args) : 2, passes);
}

static int entry_check(void *of)
{
    const struct entry *e = of;
    const size_t bytes = (size_t)e->lattice.cells * sizeof *e->sums;
    int rc = 0;
    TRY(mw_buffer_read(e->place->copy.to, 0, bytes, e->sums, NULL));
    if (e->expected && memcmp(e->sums, e->expected, bytes) != 0)
        rc = mw_fail(MW_EVERIFY, "it has other sums than the loop by hand");
out:
    return rc;
}

static void entry_finish(void *of)
{
    struct entry *e = of;
    mw_kernel_free(e->kernel);
    mw_program_free(e->program);
}

/* ---- contenders ---- */

static void *memory(size_t n, size_t size)
{
    void *pointer;
    if (mw_new(n, size, &pointer) != 0)
        bench_die("memory");
    return pointer;
}

static void open_place(struct contest *all, struct mw_device *device, const float *in)
{
    const struct mw_device_info *info = mw_device_info(device);
    const size_t bytes = all->cells * sizeof *in;
    struct place *p = &all->places[all->place_count++];
    p->copy = (struct bench_copy){ .device = device, .bytes = bytes };
    if (mw_buffer_new(device, bytes, &p->copy.from) != 0 || mw_buffer_new(device, bytes, &p->copy.to) != 0 ||
        mw_buffer_write(p->copy.from, 0, bytes, in, NULL) != 0)
        bench_die(info->id);
    snprintf(p->name, sizeof p->name, "%.16s %.7s", info->id, info->kind == MW_DEVICE_NATIVE ? "" : info->platform);
}

static void open_places(struct contest *all, const struct bench *bench)
{
    struct mw_device **devices;
    const size_t n = bench_open_all(bench, &devices);
    for (size_t t = 0; t < MW_COUNT(tasks); t++) {
        size_t cells = 1;
        for (unsigned d = 0; d < tasks[t].dims; d++)
            cells *= (size_t)tasks[t].length[d];
        all->cells = tasks[t].small == bench->small && cells > all->cells ? cells : all->cells;
    }
    float *in = memory(all->cells, sizeof *in);
    for (size_t k = 0; k < all->cells; k++)
        in[k] = (float)(k * 2654435761u >> 8 & 0xffff) / 65536.0f;
    all->places = memory(n + 1, sizeof *all->places);
    open_place(all, bench_open("native:pthreads", NULL), in);
    for (size_t i = 0; i < n; i++)
        open_place(all, devices[i], in);
    free(in);
    free(devices);
}

static const struct entry *find(const struct contest *all, const struct place *place, size_t task, enum form form)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->entries[i].place == place && all->entries[i].task == task && all->entries[i].form == form)
            return &all->entries[i];
    return NULL;
}

static void add(struct contest *all, const struct place *place, size_t task, enum form form, float *sums,
                const float *expected)
{
    const struct task *t = &tasks[task];
    if (!t->native[form]->run)
        return;
    struct entry *e = &all->entries[all->count];
    *e = (struct entry){ .place = place, .task = task, .form = form, .sums = sums, .expected = expected };
    snprintf(e->name, sizeof e->name, "%s %s %s", t->name, place->name, form_names[form]);
    all->contenders[all->count++] =
        (struct bench_contender){ .name = e->name,
                                  .of = e,
                                  .prepare = entry_prepare,
                                  .run = entry_run,
                                  .check = entry_check,
                                  .finish = entry_finish,
                                  .device = place->copy.device,
                                  .moved = (double)(t->length[0] * t->length[1] * (t->dims == 3 ? t->length[2] : 1)) *
                                           FLOOR_BYTES };
}

/* In the order of turns: copies, then per task the hand-written loop and every device's forms. */
static void add_all(struct contest *all, bool small, float *expected[MW_COUNT(tasks)], float *sums)
{
    const size_t most = all->place_count + MW_COUNT(tasks) * (1 + 2 * (all->place_count - 1));
    all->contenders = memory(most, sizeof *all->contenders);
    all->entries = memory(most, sizeof *all->entries);
    for (size_t p = 0; p < all->place_count; p++) {
        all->places[p].copier = all->count;
        all->contenders[all->count] = bench_copier(&all->places[p].copy);
        snprintf(all->places[p].copy_name, sizeof all->places[p].copy_name, "copy on %s%s", all->places[p].name,
                 p == 0 ? "for the loop by hand" : "");
        all->contenders[all->count++].name = all->places[p].copy_name;
    }
    for (size_t t = 0; t < MW_COUNT(tasks); t++) {
        if (tasks[t].small != small)
            continue;
        expected[t] = memory(all->cells, sizeof **expected);
        add(all, &all->places[0], t, HAND, expected[t], NULL);
        for (size_t p = 1; p < all->place_count; p++) {
            add(all, &all->places[p], t, GENERAL, sums, expected[t]);
            add(all, &all->places[p], t, BITS, sums, expected[t]);
        }
    }
}

static void print_row(struct bench_table *table, const struct contest *all, const struct entry *e)
{
    const struct bench_contender *c = &all->contenders[e - all->entries];
    const struct entry *hand = find(all, &all->places[0], e->task, HAND);
    const struct entry *powers = find(all, e->place, tasks[e->task].powers, BITS);
    const double cells = (double)e->lattice.cells;
    bench_text(table, "%s", tasks[e->task].name);
    bench_text(table, "%s", e->place->name);
    bench_text(table, "%s", form_names[e->form]);
    bench_number(table, bench_seconds(c).median * 1e3);
    bench_rates(table, c, cells);
    bench_number(table, bench_ratio(&all->contenders[hand - all->entries], c).median);
    bench_number(table, powers ? bench_ratio(&all->contenders[powers - all->entries], c).median * cells /
                                     (double)powers->lattice.cells
                               : NAN);
    bench_number(table, bench_bandwidth(c, &all->contenders[e->place->copier]).median);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 7 };
    static const struct bench_column columns[] = {
        { "million cells/s", -16, 0 }, { "", -24, 0 },   { "", -5, 0 },      { "ms", 8, 2 },
        BENCH_SPREAD("median", 8, 0),  { "hand", 8, 2 }, { "powers", 8, 2 }, { "copy", 8, 2 },
    };
    struct contest all = { 0 };
    struct bench bench;
    float *expected[MW_COUNT(tasks)] = { NULL };
    bench_start(argc, argv, &setup, &bench);
    open_places(&all, &bench);
    float *sums = memory(all.cells, sizeof *sums);
    add_all(&all, bench.small, expected, sums);
    const struct bench_contest contest = { .name = "sum", .stretch = STRETCH };
    bench_contest(&bench, &contest, all.contenders, all.count);
    bench_say(&bench, "Sum of the nearest neighbours, single precision; %d rounds\n\n", bench.rounds);
    struct bench_table table = BENCH_TABLE(&bench, columns);
    for (size_t i = 0; i < all.count; i++)
        if (all.entries[i].place)
            print_row(&table, &all, &all.entries[i]);
    for (size_t p = 0; p < all.place_count; p++) {
        mw_buffer_free(all.places[p].copy.from);
        mw_buffer_free(all.places[p].copy.to);
        mw_device_close(all.places[p].copy.device);
    }
    for (size_t t = 0; t < MW_COUNT(tasks); t++)
        free(expected[t]);
    free(sums);
    free(all.places);
    free(all.entries);
    free(all.contenders);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
