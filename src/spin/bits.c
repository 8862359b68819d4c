/* The form with one bit per spin, in words of one colour: the kernels of cl/spin/bits.cl and bits_state.cl. */
#include "spin/spin_internal.h"
#include "kernels/native.h"
#include "kernels/spin/bits.h"
#include "kernels/spin/bits_state.h"

enum {
    VECTOR = 16,       /* words of a vector on CPU cores */
    QUAD = 4,          /* words whose undecided spins are settled together, and words per GPU work-item */
    CORE_WORDS = 4096, /* maximum per row of a work-item: some drivers stop loops after 65535 iterations */
    CORE_LEAST = 1024, /* words per work-item if rows are short */
    CORE_ITEMS = 8,    /* minimum per CPU core, so that all cores finish together */
    LANE_ROWS = 4,     /* maximum per work-item: values common to its rows are computed once */
    LANES = 2048,      /* minimum per compute unit before a work-item gets several rows */
    GROUP = 128,
    GROUP_WIDTH = 32
};

/* Native programs; those built for a shape come first. */
static const struct {
    int32_t vec, rows, shape;
    const struct mw_native_kernel *native;
} programs[] = { { VECTOR, 0, BITS_PLANE, mw_native_spin_bits_16_plane },
                 { VECTOR, 0, BITS_SPACE, mw_native_spin_bits_16_space },
                 { VECTOR, 0, 0, mw_native_spin_bits_16 },
                 { VECTOR, 1, BITS_PLANE, mw_native_spin_bits_rows_plane },
                 { VECTOR, 1, BITS_SPACE, mw_native_spin_bits_rows_space },
                 { VECTOR, 1, 0, mw_native_spin_bits_rows },
                 { QUAD, 0, 0, mw_native_spin_bits_4 },
                 { 1, 0, 0, mw_native_spin_bits_1 } };

static int32_t words_of(const struct mw_spin_device *p) { return (p->mesh.length[0] / 2 + 31) / 32; }

/* Returns whether several whole rows fit into a vector of a CPU core. */
static bool rows_fill_vectors(const struct mw_spin_device *p)
{
    const int32_t words = words_of(p);
    const struct spin_mesh *m = &p->mesh;
    return words < VECTOR && VECTOR % words == 0 && m->dims > 1 && m->boundary[1] == BOUNDARY_PERIODIC &&
           m->length[1] % (VECTOR / words) == 0 && !(m->dims == 2 && m->halo);
}

/* Words from row to row.  The same on all devices, since parts exchange rows.  Rows are padded to whole vectors if that
 * adds at most a third. */
static int32_t stride_of(const struct mw_spin_device *p)
{
    const int32_t words = words_of(p), vectors = (words - 1) / VECTOR + 1;
    return words == 1 || rows_fill_vectors(p)  ? words
           : 3 * vectors * VECTOR <= 4 * words ? vectors * VECTOR
                                               : ((words - 1) / QUAD + 1) * QUAD;
}

/* Converts a probability of being up to the probability of a flip. */
static uint32_t change_of(uint32_t up, bool was_up)
{
    return !was_up ? up : up == 0 ? UINT32_MAX : up == UINT32_MAX ? 0 : (uint32_t)-up;
}

/* Fills the probabilities of a flip, by the sum of the neighbours times the spin.  Without a field they differ between
 * spins up and down only by rounding: those are made equal, so that a system does not depend on the fields of
 * others. */
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

/* ---- shapes of programs ---- */

/* Considers spins with `equal` equal neighbours and up to `absent` absent ones: whether all flip with certainty, and
 * whether some do. */
static void look_at(const struct mw_spin_device *p, int32_t equal, int32_t absent, bool *all, bool *some)
{
    const struct mw_spins *s = p->whole;
    const int32_t sums = SPIN_SUMS(p->mesh.dims), last = 2 * equal + absent < sums ? 2 * equal + absent : sums - 1;
    *all = true;
    *some = false;
    for (size_t part = 0; part < 2 * s->systems; part++)
        for (int32_t sum = 2 * equal; sum <= last; sum++) {
            const bool certain = s->table[part * (size_t)sums + (size_t)sum] == UINT32_MAX;
            *all &= certain;
            *some |= certain;
        }
}

/* Finds free boundaries along x and in any dimension, and whether all dimensions are periodic and longer than one
 * cell. */
static void inspect_ends(const struct mw_spin_device *p, bool *along_x, bool *any, bool *periodic)
{
    const struct spin_mesh *m = &p->mesh;
    bool outside = true;
    *along_x = *any = false;
    *periodic = true;
    for (size_t system = 0; system < p->whole->systems; system++)
        outside &= p->whole->outside[system] != 0;
    for (int32_t i = 0; i < m->dims; i++) {
        const bool is_free = m->boundary[i] == BOUNDARY_MIRROR || (m->boundary[i] == BOUNDARY_FIXED && !outside);
        *periodic &= m->boundary[i] == BOUNDARY_PERIODIC && m->length[i] > 1;
        *any |= is_free || m->length[i] == 1;
        *along_x |= is_free && i == 0;
    }
}

/* Returns the shape (cl/spin/sizes.clh) for the current rules, which also covers the shape `before` if not 0. */
static int32_t shape_of(const struct mw_spin_device *p, int32_t vec, int32_t before)
{
    const struct spin_mesh *m = &p->mesh;
    const int32_t spins = 32 * (m->words < vec ? m->words : vec);
    int32_t from = before ? BITS_SHAPE_FROM(before) : 1, to = before ? BITS_SHAPE_TO(before) : 0;
    bool ends, absent, periodic, sure = before && BITS_SHAPE_SURE(before), all, some;
    inspect_ends(p, &ends, &absent, &periodic);
    for (int32_t equal = 2 * m->dims; equal >= 0; equal--) {
        look_at(p, equal, absent ? 2 * m->dims : 0, &all, &some);
        if (!all) {
            const bool first = from > to;
            to = first || equal > to ? equal : to;
            from = first || equal < from ? equal : from;
        }
    }
    for (int32_t equal = from; equal <= to; equal++) {
        look_at(p, equal, absent ? 2 * m->dims : 0, &all, &some);
        sure |= some;
    }
    return BITS_SHAPE_OF(m->dims, from, to, p->whole->signs, ends || (before && BITS_SHAPE_ENDS(before)), sure,
                         periodic && m->length[0] / 2 % spins == 0, m->rows > 0);
}

/* Sets the work of a work-item.  On a CPU core: several rows, packed into vectors or split into them.  On a GPU: one
 * vector of up to LANE_ROWS rows. */
static void spin_bits_cut(struct mw_spin_device *p, bool cores)
{
    const struct mw_device_info *info = mw_device_info(p->device);
    const int32_t words = words_of(p), vec = p->vec, whole = ((words - 1) / vec + 1) * vec;
    const size_t units = info->compute_units ? info->compute_units : 1;
    p->each = !cores ? vec : whole < CORE_WORDS ? whole : CORE_WORDS;
    p->items = (words - 1) / p->each + 1;
    p->column = p->mesh.dims < 3 && p->systems == 1 ? (int32_t)mw_spin_device_rows(p)
                : p->mesh.dims > 1                  ? p->mesh.length[1]
                                                    : 1;
    p->tall = cores && vec > p->mesh.words ? vec / p->mesh.words : 1;
    const size_t items = p->rows * (size_t)p->items;
    while (cores ? p->tall * p->mesh.words < CORE_LEAST && items >= 2 * (size_t)p->tall * CORE_ITEMS * units
                 : p->tall < LANE_ROWS && items >= 2 * (size_t)p->tall * LANES * units)
        p->tall *= 2;
}

/* Builds the kernels for p->shape. */
static int build_set(struct mw_spin_device *p)
{
    const bool cores = mw_device_info(p->device)->traits->has_cores, rows = cores && p->mesh.words < p->vec;
    struct mw_kernel_options options = { .takes = MW_GROUP_ANY };
    struct mw_kernel_set *set = NULL;
    struct mw_text defines = { 0 };
    size_t i = 0;
    int rc;
    const int32_t any_systems = p->shape | BITS_SHAPE_OF(0, 0, 0, 0, 0, 0, 0, 1);
    while (!(programs[i].vec == p->vec && programs[i].rows == rows &&
             (programs[i].shape == any_systems || programs[i].shape == 0)) &&
           i < MW_COUNT(programs) - 1)
        i++;
    options.native = programs[i].native;
    mw_text_add(&defines, "#define VEC %d\n#define BITS_SHAPE %d\n%s%s", p->vec, p->shape,
                cores ? "" : "#define BITS_LANES 1\n", rows ? "#define BITS_ROWS 1\n" : "");
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(p->device, &kernels_spin_bits, &options, &set));
    mw_kernel_set_free(p->set);
    p->set = set;
    TRY(mw_spin_tile_build(p));
out:
    mw_text_free(&defines);
    return rc;
}

static int spin_bits_build(struct mw_spin_device *p)
{
    const bool cores = mw_device_info(p->device)->traits->has_cores;
    const struct mw_kernel_options state = { .native = mw_native_spin_bits_state, .takes = MW_GROUP_ANY };
    p->mesh.pitch = 1;
    p->mesh.words = stride_of(p);
    p->row_bytes = 2 * (size_t)p->mesh.words * sizeof(uint32_t);
    p->measurable = words_of(p);
    p->vec = cores && (rows_fill_vectors(p) || p->mesh.words % VECTOR == 0) ? VECTOR
             : p->mesh.words < QUAD                                         ? p->mesh.words
                                                                            : QUAD;
    p->shape = shape_of(p, p->vec, 0);
    spin_bits_cut(p, cores);
    mw_spin_tile_choose(p);
    TRY_RETURN(mw_own_kernels(&p->owner, p->device, &kernels_spin_bits_state, &state, &p->state));
    return build_set(p);
}

/* Copies the rules; rebuilds the kernels if the rules no longer fit the shape, as with a field or at infinite
 * temperature. */
static int bring(struct mw_spin_device *p)
{
    const int32_t before = p->shape;
    int rc = 0;
    p->shape = shape_of(p, p->vec, before);
    if (p->shape != before && (rc = build_set(p)) != 0)
        p->shape = before;
    TRY_RETURN(rc);
    return mw_spin_device_write_rule(p);
}

static int spin_bits_start(struct mw_spin_device *p)
{
    return launch_bits_start(p->state, mw_spin_device_range(p, words_of(p)), p->cells, p->plan, (int32_t)p->rows,
                             p->whole->options.seed);
}

static int pack(struct mw_spin_device *p, struct mw_buffer *plain)
{
    return launch_bits_pack(p->state, mw_spin_device_range(p, words_of(p)), p->cells, plain, p->plan, (int32_t)p->rows);
}

static int unpack(struct mw_spin_device *p, struct mw_buffer *plain)
{
    return launch_bits_unpack(p->state, mw_spin_device_range(p, words_of(p)), p->cells, plain, p->plan,
                              (int32_t)p->rows);
}

static size_t power_from(size_t n, size_t most)
{
    size_t power = 1;
    while (power < n && power < most)
        power *= 2;
    return power;
}

static int spin_bits_sweep(struct mw_spin_device *p, int32_t colour, uint64_t step, int32_t begin, int32_t end)
{
    const int32_t first = begin + p->mesh.halo, stop = end + p->mesh.halo, rows = end - begin;
    struct mw_range range = { .dims = 2,
                              .global = { (size_t)p->items, (size_t)((rows - 1) / p->tall + 1) },
                              .group = { 1, 1, 1 } };
    if (!mw_device_info(p->device)->traits->has_cores) {
        const size_t most = mw_kernel_set_group(p->set, GROUP);
        const int32_t of_column = rows < p->column ? rows : p->column;
        const size_t tall = (size_t)((of_column - 1) / p->tall + 1);
        range.dims = 3;
        range.global[1] = tall;
        range.global[2] = (size_t)(rows / of_column);
        range.group[0] = power_from((size_t)p->items, most < GROUP_WIDTH ? most : GROUP_WIDTH);
        range.group[1] = power_from(tall, most / range.group[0]);
        if (p->set->given)
            memset(range.group, 0, sizeof range.group);
    }
    return launch_bits_sweep(p->set, range, p->cells, p->rule, p->plan, (int32_t)p->rows, first % p->column,
                             first / p->column, stop, p->column, p->each, p->tall, p->shape, colour,
                             p->whole->options.seed, step);
}

static int spin_bits_measure(struct mw_spin_device *p)
{
    return launch_bits_measure(p->state, mw_spin_device_range(p, p->measurers), p->cells, p->sums[0], p->sums[1],
                               p->plan, (int32_t)p->rows, p->measurers);
}

const struct mw_spin_form mw_spin_bits = { .build = spin_bits_build,
                                           .start = spin_bits_start,
                                           .pack = pack,
                                           .unpack = unpack,
                                           .sweep = spin_bits_sweep,
                                           .rate = { 8, 1500 },
                                           .several = mw_spin_tile_steps,
                                           .measure = spin_bits_measure,
                                           .table = table_of,
                                           .bring = bring,
                                           .up = 0xFF,
                                           .down = 0 };
/* SPDX-License-Identifier: MIT */
