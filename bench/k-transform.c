/* Figures 11 and 12 of Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs
 * and CUDA" (section 10.1): flip, shift and crinkle of N x N single-precision cells.  Each work-item reads one cell at
 * its k-index and writes it at another, on every OpenCL device:
 *
 *   A  k-indices of any lengths, known to the compiler
 *   B  k-indices of powers of two: equations 16, 21 (with the flip mask of equation 20) and 22
 *   C hand-written two-dimensional kernels, one per operation
 *   D  the k-indices of A in a plain loop of one thread on the host, with lengths unknown to the compiler
 *
 *   bench/k-transform [-s] [-l] [ROUNDS [DEVICE...]]          (7, all OpenCL devices)
 *
 * Milliseconds are of a pass (figure 12).  A/C and B/C are speeds relative to C (figure 11).  "powers" is the cell rate
 * of A relative to B on the nearest power of two: the cost of general lengths.  "copy" is C's bandwidth as a fraction
 * of a copy's.  All lattices and contenders alternate in turns of about 30 ms.  All results are first compared with
 * D's.
 *
 * N grows until a quarter of the device's memory is used; forms that need more than a second have one turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/lattice.h"
#include "bench/common/table.h"
#include "lattice.clh"

#define TURN 0.03
#define SIDE_SMALL 256

/* Definitions shared by devices and host: the flipped dimensions as bits, the shift amounts, the crinkle step, and the
 * new digit for digit x of dimension i.  (A flip of both dimensions would be useless: it is cells - 1 - k, which
 * compilers find out from A, but not from a mask.) */
#define ON_BOTH(...)                                                                                                   \
    static const char digits_text[] = #__VA_ARGS__ "\n";                                                               \
    __VA_ARGS__
ON_BOTH(
    enum { FLIPS = 1, BY_X = 100, BY_Y = -37, STEP = 4 };
    INLINE kindex flip_digit(const kindex x, const int i, const kindex length) {
        return FLIPS >> i & 1 ? length - 1 - x : x;
    } INLINE kindex shift_digit(const kindex x, const int i, const kindex length) {
        return x + k_advance(x, k_rest(i == 0 ? BY_X : BY_Y, length), length);
    } INLINE kindex crinkle_digit(const kindex x, const int i, const kindex length) {
        const ukindex stretch = (ukindex)x % STEP;
        const ukindex longer = (ukindex)length % STEP;
        return (kindex)(stretch * ((ukindex)length / STEP) + (stretch < longer ? stretch : longer) + (ukindex)x / STEP);
    })

/* C: NX by NY are constants. */
static const char hand_text[] =
    "#define BY_HAND(name, to_x, to_y) \\\n"
    "    __kernel void name(__global float *out, const __global float *in) \\\n"
    "    { \\\n"
    "        const u32 x = (u32)get_global_id(0), y = (u32)get_global_id(1); \\\n"
    "        if (x < NX && y < NY) \\\n"
    "            out[(to_y) * NX + (to_x)] = in[y * NX + x]; \\\n"
    "    }\n"
    "#define WOVEN(x, n) (x % STEP * (n / STEP) + (x % STEP < n % STEP ? x % STEP : n % STEP) + x / STEP)\n"
    "BY_HAND(flip, NX - 1 - x, y)\n"
    "BY_HAND(shift, x < NX - BY_X ? x + BY_X : x + BY_X - NX, y < -BY_Y ? y + BY_Y + NY : y + BY_Y)\n"
    "BY_HAND(crinkle, WOVEN(x, NX), WOVEN(y, NY))\n";

/* A and B: `to` starts as 0 and as k; each dimension adds to it or moves it. */
static const char index_text[] =
    "#define BY_K_INDEX(name, start, STEPS) \\\n"
    "    __kernel void name(__global float *out, const __global float *in) \\\n"
    "    { \\\n"
    "        const u64 item = get_global_id(0); \\\n"
    "        if (item >= LATTICE_CELLS) \\\n"
    "            return; \\\n"
    "        const kindex k = (kindex)item; \\\n"
    "        kindex to = start; \\\n"
    "        STEPS \\\n"
    "        out[to] = in[k]; \\\n"
    "    }\n"
    "#ifdef LATTICE_BITS\n"
    "#define FLIP_MASK(i, length, stride, offset) | (FLIPS >> i & 1) * bits_mask(length, offset)\n"
    "#define FLIP to = (~k | ~(0 LATTICE_EACH(FLIP_MASK))) & (k | (0 LATTICE_EACH(FLIP_MASK)));\n"
    "#define SHIFT(i, length, stride, offset) \\\n"
    "    to = lattice_neighbour(to, i, i == 0 ? BY_X : BY_Y, BOUNDARY_PERIODIC);\n"
    "INLINE kindex crinkle_bits(const ukindex k, const ukindex length, const ukindex stride, const kindex mask)\n"
    "{\n"
    "    const ukindex digit = k & (ukindex)mask, step = STEP * stride;\n"
    "    const ukindex rest = k & (ukindex)bits_inverse(LATTICE_CELLS, mask);\n"
    "    return (kindex)(digit % step * (length / STEP) + digit / step * stride + rest);\n"
    "}\n"
    "#define CRINKLE(i, length, stride, offset) to = crinkle_bits(to, length, stride, bits_mask(length, offset));\n"
    "BY_K_INDEX(flip, k, FLIP)\n"
    "BY_K_INDEX(shift, k, LATTICE_EACH(SHIFT))\n"
    "BY_K_INDEX(crinkle, k, LATTICE_EACH(CRINKLE))\n"
    "#else\n"
    "#define FLIP(i, length, stride, offset) to += k_place(flip_digit(lattice_x(k, i), i, length), stride);\n"
    "#define SHIFT(i, length, stride, offset) to += k_place(shift_digit(lattice_x(k, i), i, length), stride);\n"
    "#define CRINKLE(i, length, stride, offset) to += k_place(crinkle_digit(lattice_x(k, i), i, length), stride);\n"
    "BY_K_INDEX(flip, 0, LATTICE_EACH(FLIP))\n"
    "BY_K_INDEX(shift, 0, LATTICE_EACH(SHIFT))\n"
    "BY_K_INDEX(crinkle, 0, LATTICE_EACH(CRINKLE))\n"
    "#endif\n";

enum operation { FLIP, SHIFT, CRINKLE, OPERATIONS };
enum form { GENERAL, BITS, HAND, HOST, FORMS };
static const char form_letters[] = "ABCD";

/* ---- D ---- */

INLINE void host_pass(const struct mw_lattice *l, float *out, const float *in,
                      kindex (*const digit)(kindex x, int i, kindex length))
{
    const kindex cells = (kindex)l->cells, nx = (kindex)l->length[0], ny = (kindex)l->length[1];
    for (kindex k = 0; k < cells; k++)
        out[k_place(digit(k_digit(k, 1, nx), 0, nx), 1) + k_place(digit(k_last(k, nx), 1, ny), nx)] = in[k];
}

static void host_flip(const struct mw_lattice *l, float *out, const float *in) { host_pass(l, out, in, flip_digit); }
static void host_shift(const struct mw_lattice *l, float *out, const float *in) { host_pass(l, out, in, shift_digit); }
static void host_crinkle(const struct mw_lattice *l, float *out, const float *in)
{
    host_pass(l, out, in, crinkle_digit);
}

static const struct {
    const char *name;
    void (*on_host)(const struct mw_lattice *l, float *out, const float *in);
} operations[OPERATIONS] = { { "flip", host_flip }, { "shift", host_shift }, { "crinkle", host_crinkle } };

/* ---- the contest ---- */

/* Contenders to be compared have adjacent turns. */
static const struct {
    int64_t length;
    size_t powers;
} sides[] = {
    { 256, 0 }, { 512, 1 }, { 1024, 2 }, { 1000, 2 }, { 2048, 4 }, { 4096, 5 }, { 4095, 5 }, { 8192, 7 },
};
#define SIDES MW_COUNT(sides)

struct square {
    bool left_out;
    struct mw_lattice lattice;
    struct mw_program *program[HOST];
    struct mw_kernel *kernel[HOST][OPERATIONS];
    struct bench_copy copy;
    size_t copier;                /* indices of the contenders */
    size_t at[OPERATIONS][FORMS]; /* 0: does not take part */
};

/* A form of an operation on a square. */
struct entry {
    struct mw_device *device;
    const struct square *square;
    enum operation operation;
    enum form form;
    char name[64];
};

static struct square squares[SIDES];
static struct entry entries[1 + SIDES * (1 + OPERATIONS * FORMS)];
static struct bench_contender contenders[MW_COUNT(entries)];
static size_t count;
static struct mw_buffer *in, *out;
static float *host_in, *host_out, *host_read;

static int entry_run(void *of, int passes)
{
    const struct entry *e = of;
    const struct square *s = e->square;
    const size_t n = (size_t)s->lattice.length[0];
    const struct mw_range range = e->form == HAND ? (struct mw_range){ .dims = 2, .global = { n, n } }
                                                  : (struct mw_range){ .dims = 1, .global = { n * n } };
    const struct mw_arg args[] = { mw_arg_buffer(out), mw_arg_buffer(in) };
    if (e->form != HOST)
        return bench_launches(s->kernel[e->form][e->operation], &range, args, MW_COUNT(args), passes);
    for (int i = 0; i < passes; i++)
        operations[e->operation].on_host(&s->lattice, host_out, host_in);
    return 0;
}

/* D comes first, and its result is kept. */
static int entry_check(void *of)
{
    const struct entry *e = of;
    const size_t bytes = (size_t)e->square->lattice.cells * sizeof *host_in;
    int rc = 0;
    if (e->form == HOST)
        return 0;
    TRY(mw_buffer_read(out, 0, bytes, host_read, NULL));
    if (memcmp(host_read, host_out, bytes) != 0)
        rc = mw_fail(MW_EVERIFY, "other cells than by D");
    TRY(mw_buffer_fill(out, 0, bytes, 0xff));
out:
    return rc;
}

static void build(struct mw_device *device, struct square *s)
{
    struct mw_text hand = { 0 }, index = { 0 };
    char lengths[80];
    mw_text_add(&hand, "#include \"lattice.clh\"\n%s%s", digits_text, hand_text);
    mw_text_add(&index, "#include \"lattice.clh\"\n%s%s", digits_text, index_text);
    if (mw_text_ok(&hand) != 0 || mw_text_ok(&index) != 0)
        bench_die("kernels");
    snprintf(lengths, sizeof lengths, "#define NX %lldu\n#define NY NX\n", (long long)s->lattice.length[0]);
    s->program[GENERAL] = bench_lattice_program(device, &s->lattice, "", index.data, NULL);
    s->program[HAND] = bench_lattice_program(device, &s->lattice, lengths, hand.data, NULL);
    if (s->lattice.power_of_two)
        s->program[BITS] = bench_lattice_program(device, &s->lattice, "#define LATTICE_BITS 1\n", index.data, NULL);
    for (int form = 0; form < HOST; form++)
        for (int o = 0; s->program[form] && o < OPERATIONS; o++)
            if (mw_kernel_new(s->program[form], operations[o].name, &s->kernel[form][o]) != 0)
                bench_die(operations[o].name);
    mw_text_free(&hand);
    mw_text_free(&index);
}

static void add(struct mw_device *device, struct square *s)
{
    static const enum form order[] = { HOST, GENERAL, BITS, HAND };
    s->copy = (struct bench_copy){
        .device = device, .bytes = (size_t)s->lattice.cells * sizeof *host_in, .from = in, .to = out
    };
    s->copier = count;
    contenders[count] = bench_copier(&s->copy);
    snprintf(entries[count].name, sizeof entries[0].name, "copy of %lld", (long long)s->lattice.length[0]);
    contenders[count].name = entries[count].name;
    count++;
    for (int o = 0; o < OPERATIONS; o++)
        for (size_t f = 0; f < FORMS; f++) {
            const enum form form = order[f];
            if (form != HOST && !s->program[form])
                continue;
            struct entry *e = &entries[count];
            *e = (struct entry){ .device = device, .square = s, .operation = (enum operation)o, .form = form };
            snprintf(e->name, sizeof e->name, "%s %lld %c", operations[o].name, (long long)s->lattice.length[0],
                     form_letters[form]);
            contenders[count] = (struct bench_contender){ .name = e->name,
                                                          .of = e,
                                                          .run = entry_run,
                                                          .check = entry_check,
                                                          .device = device,
                                                          .moved = 2.0 * (double)s->copy.bytes };
            s->at[o][form] = count++;
        }
}

/* Allocates for the largest square used. */
static void prepare(const struct bench *bench, struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    size_t cells = 0;
    for (size_t i = 0; i < SIDES; i++) {
        struct square *s = &squares[i];
        memset(s, 0, sizeof *s);
        if (mw_lattice_make(2, (int64_t[]){ sides[i].length, sides[i].length }, &s->lattice) != 0)
            bench_die("lattice");
        const uint64_t bytes = (uint64_t)s->lattice.cells * sizeof *host_in;
        s->left_out = (bench->small && sides[i].length > SIDE_SMALL) ||
                      (info->memory_bytes && 2 * bytes > info->memory_bytes / 4) ||
                      (info->max_alloc_bytes && bytes > info->max_alloc_bytes);
        if (!s->left_out && (size_t)s->lattice.cells > cells)
            cells = (size_t)s->lattice.cells;
    }
    if (mw_new(cells, sizeof *host_in, &host_in) != 0 || mw_new(cells, sizeof *host_in, &host_out) != 0 ||
        mw_new(cells, sizeof *host_in, &host_read) != 0)
        bench_die("memory");
    for (size_t k = 0; k < cells; k++)
        host_in[k] = (float)((uint32_t)k * 2654435761u >> 8);
    const size_t bytes = cells * sizeof *host_in;
    if (mw_buffer_new(device, bytes, &in) != 0 || mw_buffer_new(device, bytes, &out) != 0 ||
        mw_buffer_write(in, 0, bytes, host_in, NULL) != 0)
        bench_die(info->id);
}

static void clean_up(void)
{
    for (size_t i = 0; i < SIDES; i++)
        for (int form = 0; form < HOST; form++) {
            for (int o = 0; o < OPERATIONS; o++)
                mw_kernel_free(squares[i].kernel[form][o]);
            mw_program_free(squares[i].program[form]);
        }
    mw_buffer_free(in);
    mw_buffer_free(out);
    free(host_in);
    free(host_out);
    free(host_read);
}

/* Returns the ratio of b's seconds to a's, for two forms of an operation. */
static double speed(const struct square *a, enum form of_a, const struct square *b, enum form of_b, enum operation o)
{
    if (!a->at[o][of_a] || !b->at[o][of_b])
        return NAN;
    return bench_ratio(&contenders[b->at[o][of_b]], &contenders[a->at[o][of_a]]).median;
}

static void print_row(struct bench_table *table, const struct square *s, enum operation o)
{
    const struct square *powers = &squares[sides[s - squares].powers];
    bench_text(table, "%s", operations[o].name);
    bench_number(table, (double)s->lattice.length[0]);
    for (int form = 0; form < FORMS; form++)
        bench_number(table, s->at[o][form] ? bench_seconds(&contenders[s->at[o][form]]).median * 1e3 : NAN);
    bench_number(table, speed(s, GENERAL, s, HAND, o));
    bench_number(table, speed(s, BITS, s, HAND, o));
    bench_number(table, (double)s->lattice.cells / (double)powers->lattice.cells * speed(s, GENERAL, powers, BITS, o));
    bench_number(table,
                 s->left_out ? NAN : bench_bandwidth(&contenders[s->at[o][HAND]], &contenders[s->copier]).median);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    static const struct bench_column columns[] = {
        { "", -8, 0 },    { "N", 6, 0 },   { "A ms", 9, 3 }, { "B ms", 9, 3 },   { "C ms", 9, 3 },
        { "D ms", 9, 3 }, { "A/C", 7, 2 }, { "B/C", 7, 2 },  { "powers", 7, 2 }, { "copy", 7, 2 },
    };
    const struct mw_device_info *info = mw_device_info(device);
    if (info->kind == MW_DEVICE_NATIVE)
        return;
    prepare(bench, device);
    count = 1; /* index 0: does not take part */
    for (size_t i = 0; i < SIDES; i++) {
        if (squares[i].left_out)
            continue;
        build(device, &squares[i]);
        add(device, &squares[i]);
    }
    bench_contest(bench, &(struct bench_contest){ .name = info->id, .stretch = TURN }, contenders + 1, count - 1);
    bench_say(bench, "%s, %s\n", info->id, info->name);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (int o = 0; o < OPERATIONS; o++)
        for (size_t i = 0; i < SIDES; i++)
            print_row(&table, &squares[i], (enum operation)o);
    clean_up();
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 7 };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_say(&bench, "Flip, shift and crinkle of N x N cells, single precision; %d rounds\n", bench.rounds);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
