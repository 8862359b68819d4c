/* Spins of one bit, in words of one colour: the kernels of cl/spin/bits.cl. */
#include <string.h>

#include "spin/spin_internal.h"
#include "kernels/native.h"
#include "kernels/spin/bits.h"

enum { CORE_WORDS = 4096 };      /* of an item, at most: some drivers end an item's loops after 65535 rounds */

/* Words of a vector, and the native program for them. */
static const struct { int32_t vec; const struct mw_native_kernel *native; } widths[] = {
    { 16, mw_native_spin_bits_16 }, { 4, mw_native_spin_bits_4 }, { 1, mw_native_spin_bits_1 } };

static int32_t words_of(const struct mw_spin_device *p) { return (p->mesh.length[0] / 2 + 31) / 32; }

/* The widest vectors that do not stay empty by more than a third.  By these all devices have their rows padded, since
 * they give each other some; where items are not cores, these are the lanes. */
static size_t width_of(const struct mw_spin_device *p)
{
    const int32_t words = words_of(p);
    size_t i = 0;
    while (widths[i].vec > 1 && 3 * ((words - 1) / widths[i].vec + 1) * widths[i].vec > 4 * words)
        i++;
    return i;
}

/* From a probability of being up to one of a change. */
static uint32_t change_of(uint32_t up, bool was_up)
{
    return !was_up ? up : up == 0 ? UINT32_MAX : up == UINT32_MAX ? 0 : (uint32_t)-up;
}

/* The probabilities of a change, by the sum of the neighbours times the spin.  The same for spins up and down where
 * there is no field, but for what was rounded, which goes: a system does not depend on whether others have a field. */
static int32_t table_of(unsigned dims, const uint32_t *rule, uint32_t *table)
{
    const int sums = SPIN_SUMS((int)dims);
    int32_t signs = 1;
    for (int i = 0; i < sums; i++) {
        const uint32_t down = change_of(rule[sums - 1 - i], false), up = change_of(rule[sums + i], true);
        table[i] = down;
        table[sums + i] = up;
        if ((down > up ? down - up : up - down) > 1)
            signs = 2;
    }
    if (signs == 1)
        memcpy(table + sums, table, (size_t)sums * sizeof *table);
    return signs;
}

static int build(struct mw_spin_device *p)
{
    const bool cores = mw_device_info(p->device)->traits.has_cores;
    const size_t padding = width_of(p), width = cores ? padding : MW_COUNT(widths) - 1;
    const int32_t vec = widths[width].vec, vectors = (words_of(p) - 1) / vec + 1;
    const int32_t padded = ((words_of(p) - 1) / widths[padding].vec + 1) * widths[padding].vec;
    struct mw_kernel_options options = { .native = widths[width].native };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "#define VEC %d\n", vec);
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(p->device, &kernels_spin_bits, &options, &p->set));
    p->mesh.pitch = 2 * padded;
    p->row_bytes = (size_t)p->mesh.pitch * sizeof(uint32_t);
    p->each = !cores ? vec : vectors < CORE_WORDS / vec ? vectors * vec : CORE_WORDS;
    p->items = (vectors * vec - 1) / p->each + 1;
    p->measurable = words_of(p);
out:
    mw_text_free(&defines);
    return rc;
}

static int start(struct mw_spin_device *p)
{
    return launch_bits_start(p->set, mw_spin_device_range(p, words_of(p)), p->cells, p->plan, (int32_t)p->rows,
                             p->whole->options.seed);
}

static int pack(struct mw_spin_device *p, struct mw_buffer *plain)
{
    return launch_bits_pack(p->set, mw_spin_device_range(p, words_of(p)), p->cells, plain, p->plan, (int32_t)p->rows);
}

static int unpack(struct mw_spin_device *p, struct mw_buffer *plain)
{
    return launch_bits_unpack(p->set, mw_spin_device_range(p, words_of(p)), p->cells, plain, p->plan,
                              (int32_t)p->rows);
}

static int sweep(struct mw_spin_device *p, int32_t colour, uint64_t step)
{
    return launch_bits_sweep(p->set, mw_spin_device_range(p, p->items), p->cells, p->rule, p->plan, (int32_t)p->rows,
                             p->each, p->whole->signs, colour, p->whole->options.seed, step);
}

static int measure(struct mw_spin_device *p)
{
    return launch_bits_measure(p->set, mw_spin_device_range(p, p->measurers), p->cells, p->sums[0], p->sums[1],
                               p->plan, (int32_t)p->rows, p->measurers);
}

const struct mw_spin_form mw_spin_bits = {
    .build = build, .start = start, .pack = pack, .unpack = unpack, .sweep = sweep, .measure = measure,
    .table = table_of, .up = 0xFF, .down = 0 };
