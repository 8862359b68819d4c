/* What index arithmetic costs: the sum of the 2 d neighbours of every cell of a periodic lattice, by k-indices of any
 * length (A: remainders of lengths that the compiler knows), by those of powers of two (B: masks), and by a loop over
 * rows written by hand that needs neither.  Single precision; every device of this machine, in one run.
 *
 *   bench/k-index [ROUNDS [DEVICE...]]          (7, all devices)
 *
 * The contestants take turns, a stretch of about 50 ms each a round; medians over the rounds are printed, with the
 * smallest and largest.  "hand" is the median over the rounds of the ratio to the loop by hand, which has all threads,
 * on the same lattice; "powers" that of the rate of cells to B's on the same device, on the lattice with powers of two
 * that is nearest; "copy" the fraction of the device's copy bandwidth that 8 bytes a cell, the floor, would take.  All
 * sums have the same bits, which is checked first. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lattice.clh"
#include "native.clh"

#define STRETCH 0.05
#define DEVICES_MAX 16
#define CONTESTANTS_MAX 256
#define FLOOR_BYTES 8

enum form { GENERAL, BITS, HAND };
static const char *const form_names[] = { "A", "B", "hand" };

/* For devices the lattice comes as macros, by mw_lattice_macros. */
static const char kernel_text[] =
    "#include \"lattice.clh\"\n"
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
#define CELLS_OF(i, length, stride, offset) * (length)
#define ONE_OF(i, length, stride, offset) + 1

#define DIGIT(i, length, stride) (i == dims - 1 ? k_last(k, stride) : k_digit(k, stride, length))
#define ADD_GENERAL(i, length, stride, offset)                                                                       \
    sum += in[k_neighbour(k, DIGIT(i, length, stride), -1, length, stride, BOUNDARY_PERIODIC)];                      \
    sum += in[k_neighbour(k, DIGIT(i, length, stride), 1, length, stride, BOUNDARY_PERIODIC)];
#define MASK(length, offset) bits_mask(length, offset), bits_inverse(cells, bits_mask(length, offset))
#define ADD_BITS(i, length, stride, offset)                                                                          \
    sum += in[bits_neighbour(k, -1, stride, MASK(length, offset))];                                                  \
    sum += in[bits_neighbour(k, 1, stride, MASK(length, offset))];

#define SUM_OF_NEIGHBOURS(name, EACH, ADD)                                                                           \
    CLONES static void name(const struct mw_native_call *call)                                                       \
    {                                                                                                                \
        float *out = NATIVE_BUFFER(float, 0);                                                                        \
        const float *in = NATIVE_BUFFER(float, 1);                                                                   \
        const kindex cells = 1 EACH(CELLS_OF), dims = 0 EACH(ONE_OF);                                                \
        const kindex end = call->end < (size_t)cells ? (kindex)call->end : cells;                                    \
        (void)dims;                                                                                                  \
        for (kindex k = (kindex)call->begin; k < end; k++) {                                                         \
            float sum = 0.0f;                                                                                        \
            EACH(ADD)                                                                                                \
            out[k] = sum;                                                                                            \
        }                                                                                                            \
    }

SUM_OF_NEIGHBOURS(sum_flat_general, FLAT, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_flat_bits, FLAT, ADD_BITS)
SUM_OF_NEIGHBOURS(sum_flat_odd, FLAT_ODD, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_cube_general, CUBE, ADD_GENERAL)
SUM_OF_NEIGHBOURS(sum_cube_bits, CUBE, ADD_BITS)
SUM_OF_NEIGHBOURS(sum_cube_odd, CUBE_ODD, ADD_GENERAL)

/* By hand: rows, whose neighbours along x are beside one another but at the ends. */

static inline const float *row_at(const float *in, int nx, int ny, int y, int z)
{
    return in + ((long)z * ny + y) * nx;
}

CLONES static void sum_flat_by_hand(const struct mw_native_call *call)
{
    float *out = NATIVE_BUFFER(float, 0);
    const float *in = NATIVE_BUFFER(float, 1);
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
    float *out = NATIVE_BUFFER(float, 0);
    const float *in = NATIVE_BUFFER(float, 1);
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

static const struct task {
    const char *name;
    unsigned dims;
    int64_t length[3];
    size_t powers;               /* the task with powers of two that is nearest */
    struct mw_native_kernel native[3][2];  /* by form */
} tasks[] = {
    { "4096 x 4096", 2, { 4096, 4096 }, 0,
      { { { "neighbour_sum", sum_flat_general } }, { { "neighbour_sum", sum_flat_bits } },
        { { "neighbour_sum", sum_flat_by_hand } } } },
    { "4095 x 4097", 2, { 4095, 4097 }, 0,
      { { { "neighbour_sum", sum_flat_odd } }, { { NULL, NULL } }, { { "neighbour_sum", sum_flat_by_hand } } } },
    { "256 x 256 x 256", 3, { 256, 256, 256 }, 2,
      { { { "neighbour_sum", sum_cube_general } }, { { "neighbour_sum", sum_cube_bits } },
        { { "neighbour_sum", sum_cube_by_hand } } } },
    { "255 x 257 x 253", 3, { 255, 257, 253 }, 2,
      { { { "neighbour_sum", sum_cube_odd } }, { { NULL, NULL } }, { { "neighbour_sum", sum_cube_by_hand } } } },
};

struct place {
    char name[64];
    struct mw_device *device;
    struct mw_buffer *in, *out;
    double copy_bytes_per_second;
};

struct contestant {
    const struct place *place;
    size_t task;
    enum form form;
    struct mw_lattice lattice;
    struct mw_program *program;
    struct mw_kernel *kernel;
    const struct contestant *hand, *powers;  /* whom it is compared with; `powers` may be NULL */
    int passes;                  /* of a stretch */
    double rate[BENCH_ROUNDS_MAX];     /* cells a second */
};

static struct place places[DEVICES_MAX + 1];
static struct contestant contestants[CONTESTANTS_MAX];
static size_t place_count, count;

static double stretch(struct contestant *c, int passes)
{
    const struct mw_lattice *l = &c->lattice;
    const struct mw_arg args[] = { mw_arg_buffer(c->place->out), mw_arg_buffer(c->place->in),
                                   mw_arg_i32((int32_t)l->length[0]), mw_arg_i32((int32_t)l->length[1]),
                                   mw_arg_i32((int32_t)l->length[2]) };
    const size_t items = (size_t)(c->form == HAND ? l->cells / l->length[0] : l->cells);
    const struct mw_range range = { .dims = 1, .global = { items } };
    return bench_launch_seconds(c->place->device, c->kernel, &range, args, c->form == HAND ? MW_COUNT(args) : 2,
                                passes);
}

static void add_contestant(const struct place *place, size_t task, enum form form)
{
    const struct task *t = &tasks[task];
    if (!t->native[form]->name || count == CONTESTANTS_MAX)
        return;
    struct contestant *c = &contestants[count++];
    *c = (struct contestant){ .place = place, .task = task, .form = form };
    if (mw_lattice_make(t->dims, t->length, &c->lattice) != 0)
        bench_die(t->name);
    c->program = bench_lattice_program(place->device, &c->lattice, form == BITS ? "#define LATTICE_BITS 1\n" : "",
                                       kernel_text, t->native[form]);
    if (mw_kernel_new(c->program, "neighbour_sum", &c->kernel) != 0)
        bench_die(place->name);
}

static struct contestant *find(const struct place *place, size_t task, enum form form)
{
    for (size_t i = 0; i < count; i++)
        if (contestants[i].place == place && contestants[i].task == task && contestants[i].form == form)
            return &contestants[i];
    return NULL;
}

/* Runs each contestant once, compares its bits with those of the loop by hand, and finds the passes of a stretch. */
static void check_all(size_t cells)
{
    float *expected = malloc(cells * sizeof *expected), *sums = malloc(cells * sizeof *sums);
    if (!expected || !sums)
        bench_die("out of memory");
    for (size_t t = 0; t < MW_COUNT(tasks); t++)
        for (size_t i = 0; i < count; i++) {
            struct contestant *c = &contestants[i];
            const size_t bytes = (size_t)c->lattice.cells * sizeof *sums;
            if (c->task != t)
                continue;
            stretch(c, 1);
            if (mw_buffer_read(c->place->out, 0, bytes, c->form == HAND ? expected : sums, NULL) != 0)
                bench_die(c->place->name);
            if (c->form != HAND && memcmp(sums, expected, bytes) != 0) {
                fprintf(stderr, "k-index: %s, %s, %s: wrong sums\n", c->place->name, tasks[t].name,
                        form_names[c->form]);
                exit(1);
            }
            c->passes = 1 + (int)(STRETCH / stretch(c, 1));
            c->hand = find(&places[0], t, HAND);
            c->powers = find(c->place, tasks[t].powers, BITS);
        }
    free(expected);
    free(sums);
}

static void open_place(const char *selector, const float *in, size_t cells)
{
    const size_t bytes = cells * sizeof *in;
    struct place *p = &places[place_count++];
    double best = INFINITY;
    if (mw_device_open_by_name(selector, NULL, &p->device) != 0 || mw_buffer_new(p->device, bytes, &p->in) != 0 ||
        mw_buffer_new(p->device, bytes, &p->out) != 0 || mw_buffer_write(p->in, 0, bytes, in, NULL) != 0)
        bench_die(selector);
    for (int i = 0; i < 6; i++)
        best = fmin(best, bench_copy_seconds(p->device, p->in, p->out, bytes, 1));
    p->copy_bytes_per_second = 2 * (double)bytes / best;
    const struct mw_device_info *info = mw_device_info(p->device);
    snprintf(p->name, sizeof p->name, "%.16s %.7s", info->id, info->kind == MW_DEVICE_NATIVE ? "" : info->platform);
}

/* The loop by hand runs on the first place, native:pthreads. */
static void open_all(char **selectors, int selector_count, const float *in, size_t cells)
{
    struct mw_device_list *list;
    mw_process_prepare(MW_PROCESS_ENVIRONMENT);
    if (mw_device_list_new(&list) != 0)
        bench_die("devices");
    const size_t n = selector_count ? (size_t)selector_count : mw_device_list_count(list);
    open_place("native:pthreads", in, cells);
    for (size_t i = 0; i < n && i < DEVICES_MAX; i++)
        open_place(selector_count ? selectors[i] : mw_device_list_info(list, i)->id, in, cells);
    mw_device_list_free(list);
    for (size_t t = 0; t < MW_COUNT(tasks); t++) {
        add_contestant(&places[0], t, HAND);
        for (size_t p = 1; p < place_count; p++) {
            add_contestant(&places[p], t, GENERAL);
            add_contestant(&places[p], t, BITS);
        }
    }
}

static void print(const struct contestant *c, int rounds)
{
    const struct bench_spread rate = bench_spread(c->rate, rounds);
    printf("%-16s %-24s %-5s %8.2f %8.0f %8.0f %8.0f %8.2f", tasks[c->task].name, c->place->name, form_names[c->form],
           (double)c->lattice.cells / rate.median * 1e3, rate.median / 1e6, rate.least / 1e6, rate.most / 1e6,
           bench_median_ratio(c->rate, c->hand->rate, rounds));
    if (c->powers)
        printf(" %8.2f", bench_median_ratio(c->rate, c->powers->rate, rounds));
    else
        printf(" %8s", "");
    printf(" %8.2f\n", rate.median * FLOOR_BYTES / c->place->copy_bytes_per_second);
}

int main(int argc, char **argv)
{
    const size_t cells = (size_t)4096 * 4096;  /* of the largest lattice */
    const int rounds = bench_rounds(argc, argv, 7);
    float *in = malloc(cells * sizeof *in);
    if (!in)
        bench_die("out of memory");
    for (size_t k = 0; k < cells; k++)
        in[k] = (float)(k * 2654435761u >> 8 & 0xffff) / 65536.0f;
    open_all(argv + 2, argc > 2 ? argc - 2 : 0, in, cells);
    free(in);
    check_all(cells);
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < count; i++) {
            struct contestant *c = &contestants[i];
            c->rate[r] = (double)c->lattice.cells * c->passes / stretch(c, c->passes);
        }
    printf("Sum of the nearest neighbours, single precision; %d rounds\n\n", rounds);
    printf("%-16s %-24s %-5s %8s %8s %8s %8s %8s %8s %8s\n", "million cells/s", "", "", "ms", "median", "min", "max",
           "hand", "powers", "copy");
    for (size_t i = 0; i < count; i++) {
        print(&contestants[i], rounds);
        mw_kernel_free(contestants[i].kernel);
        mw_program_free(contestants[i].program);
    }
    for (size_t p = 0; p < place_count; p++) {
        mw_buffer_free(places[p].in);
        mw_buffer_free(places[p].out);
        mw_device_close(places[p].device);
    }
    return 0;
}
