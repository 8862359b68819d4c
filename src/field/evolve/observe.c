/* Statistics and free energy of a field, reduced on its devices.
 *
 * The cells of the whole, in file order, are divided into blocks of VALUES_BLOCK.  A part reduces the blocks that it
 * contains completely.  The host reduces blocks that several parts share, and combines the results of all blocks in
 * order.  The bits of the result therefore depend neither on devices nor on shares, and are the same as for a state in
 * host memory.  If a field streams, its windows are loaded in turn; the host collects a block at the ends of windows
 * until it is complete. */
#include <stdlib.h>

#include "dev/core/backend.h"
#include "field/evolve/evolve.h"
#include "prim/blocks.clh"

#define HOST_BLOCKS 64 /* blocks read at a time from a device that cannot reduce them */

/* A reduction of a field of the state, or of the free energy density, which is in the other buffer (`energy`).
 * Computes sums and ranges, or, with `about`, squared differences from these means. */
struct look {
    struct mw_field *whole;
    bool energy;
    size_t field;
    const double *about;
    struct open_block *open;
};

/* A block that is not yet complete; `count` cells have been read. */
struct open_block {
    size_t count;
    double cells[VALUES_BLOCK];
};

static enum mw_type observe_type_of(const struct mw_field *f) { return f->problem.fp64 ? MW_TYPE_F64 : MW_TYPE_F32; }

static size_t block_count(const struct mw_field *f) { return (f->cells - 1) / VALUES_BLOCK + 1; }

/* Return the range of the part's own cells, as numbers in the whole. */
static size_t first_cell(const struct mw_part *p) { return (size_t)p->array.place.slab * p->array.slab_cells; }

static size_t end_cell(const struct mw_part *p)
{
    return first_cell(p) + (size_t)p->array.place.own * p->array.slab_cells;
}

/* Returns the index in the part's buffer of a cell of the whole. */
static size_t cell_at(const struct mw_part *p, const struct look *look, size_t cell)
{
    return look->field * p->array.cells + (size_t)p->array.place.lower * p->array.slab_cells + cell - first_cell(p);
}

static struct mw_buffer *buffer_of(const struct mw_part *p, const struct look *look)
{
    return look->energy ? p->temp : p->state;
}

/* Reads cells of a part. */
static int fetch(const struct mw_part *p, const struct look *look, size_t cell, size_t n, void *to)
{
    const size_t bytes = mw_problem_real_bytes(p->array.problem);
    return mw_buffer_read(buffer_of(p, look), cell_at(p, look, cell) * bytes, n * bytes, to, NULL);
}

/* ---- the blocks of one part ---- */

static int reduce_on_host(struct mw_part *p, const struct look *look, size_t block, size_t end)
{
    struct mw_field *f = look->whole;
    const size_t bytes = mw_problem_real_bytes(&f->problem);
    if (!p->host)
        TRY_RETURN(mw_new(HOST_BLOCKS * VALUES_BLOCK, bytes, &p->host));
    for (; block < end; block += HOST_BLOCKS) {
        const size_t first = block * VALUES_BLOCK, count = mw_min(end - block, HOST_BLOCKS);
        const size_t n = mw_min(f->cells - first, count * VALUES_BLOCK);
        TRY_RETURN(fetch(p, look, first, n, p->host));
        for (size_t i = 0; i < count; i++)
            mw_block_of(p->host + i * VALUES_BLOCK * bytes, observe_type_of(f),
                        mw_min(n - i * VALUES_BLOCK, VALUES_BLOCK), look->about, &f->blocks[block + i]);
    }
    return 0;
}

/* Computes the energy density of the part's own cells in the buffer that the next step overwrites. */
static int energy_density(const struct mw_field *f, struct mw_part *p)
{
    if (!p->energy.kernels)
        TRY_RETURN(mw_field_plan_make_energy(&p->array, &p->energy));
    TRY_RETURN(mw_field_array_set_time(&p->array, mw_field_time(f), NULL)); /* an energy reads no means */
    return mw_field_plan_energy(&p->energy, &p->array, -1, p->temp, p->state, mw_place_own(&p->array.place));
}

/* Return the first block that begins in the part, and the first that the part does not contain completely. */
static size_t first_block(const struct mw_part *p) { return (first_cell(p) + VALUES_BLOCK - 1) / VALUES_BLOCK; }

static size_t end_block(const struct mw_part *p, const struct mw_field *f)
{
    return end_cell(p) == f->cells ? block_count(f) : end_cell(p) / VALUES_BLOCK;
}

static int reduce_part(void *part, void *context)
{
    struct mw_part *p = part;
    const struct look *look = context;
    struct mw_field *f = look->whole;
    const size_t end = end_cell(p), first = first_block(p), last = end_block(p, f);
    if (look->energy)
        TRY_RETURN(energy_density(f, p));
    if (first >= last)
        return 0;
    if (!mw_device_info(p->array.device)->fp64) {
        TRY_RETURN(reduce_on_host(p, look, first, last));
        return 0;
    }
    if (!p->prim)
        TRY_RETURN(mw_prim_new(p->array.device, &p->prim));
    return mw_prim_blocks(p->prim, buffer_of(p, look), cell_at(p, look, first * VALUES_BLOCK),
                          mw_min(end, last * VALUES_BLOCK) - first * VALUES_BLOCK, observe_type_of(f), look->about,
                          &f->blocks[first]);
}

/* ---- all blocks ---- */

/* Reduces a block that several parts share. */
static int reduce_shared(struct mw_field *f, const struct look *look, size_t block)
{
    const size_t first = block * VALUES_BLOCK, end = mw_min(first + VALUES_BLOCK, f->cells);
    const size_t bytes = mw_problem_real_bytes(&f->problem);
    double cells[VALUES_BLOCK];
    for (size_t i = 0; i < f->count; i++) {
        const size_t from = first_cell(&f->parts[i]) > first ? first_cell(&f->parts[i]) : first;
        const size_t to = mw_min(end_cell(&f->parts[i]), end);
        if (from < to)
            TRY_RETURN(fetch(&f->parts[i], look, from, to - from, (char *)cells + (from - first) * bytes));
    }
    mw_block_of(cells, observe_type_of(f), end - first, look->about, &f->blocks[block]);
    return 0;
}

/* Adds a window's cells, from `cell` on, to the open block, and reduces it when complete. */
static int add_to_block(struct mw_part *p, const struct look *look, size_t cell, size_t n)
{
    struct mw_field *f = look->whole;
    struct open_block *open = look->open;
    const size_t end = cell + n, block = cell / VALUES_BLOCK, bytes = mw_problem_real_bytes(&f->problem);
    TRY_RETURN(fetch(p, look, cell, n, (char *)open->cells + open->count * bytes));
    open->count += n;
    if (end % VALUES_BLOCK == 0 || end == f->cells) {
        mw_block_of(open->cells, observe_type_of(f), open->count, look->about, &f->blocks[block]);
        open->count = 0;
    }
    return 0;
}

static int reduce_window(struct mw_part *p, void *context)
{
    const struct look *look = context;
    const size_t first = first_cell(p), end = end_cell(p), begun = mw_min(first_block(p) * VALUES_BLOCK, end);
    const size_t whole = mw_min(end_block(p, look->whole) * VALUES_BLOCK, end);
    TRY_RETURN(reduce_part(p, context));
    if (begun > first)
        TRY_RETURN(add_to_block(p, look, first, begun - first));
    if (whole >= begun && end > whole)
        TRY_RETURN(add_to_block(p, look, whole, end - whole));
    return 0;
}

static int reduce_windows(struct mw_field *f, struct look *look)
{
    int rc;
    TRY(mw_new(1, sizeof *look->open, &look->open));
    TRY(mw_stream_show(f, reduce_window, look));
out:
    free(look->open);
    return rc;
}

static int reduce(struct mw_field *f, struct look look, struct mw_block *result)
{
    size_t done = SIZE_MAX; /* last shared block reduced; small parts may lie in the same one */
    look.whole = f;
    if (!f->blocks)
        TRY_RETURN(mw_new(block_count(f), sizeof *f->blocks, &f->blocks));
    TRY_RETURN(f->streams ? reduce_windows(f, &look) : mw_field_each_part(f, reduce_part, &look));
    for (size_t i = 0; i + 1 < f->count && !f->streams; i++) {
        const size_t block = end_cell(&f->parts[i]) / VALUES_BLOCK;
        if (end_cell(&f->parts[i]) % VALUES_BLOCK == 0 || block == done)
            continue;
        TRY_RETURN(reduce_shared(f, &look, block));
        done = block;
    }
    *result = mw_blocks_join(f->blocks, block_count(f));
    return 0;
}

/* ---- several systems: each is read and reduced on the host ---- */

/* Results for systems: statistics of all fields, or, if that is NULL, energies.  `cells` has room for one system. */
struct systems_look {
    struct mw_field *whole;
    struct mw_statistics *statistics;
    double *energies;
    char *cells;
};

/* Computes sums, or squared differences, of a field's cells in host memory. */
static struct mw_block join_cells(const struct mw_field *f, const char *cells, const double *about)
{
    const size_t bytes = mw_problem_real_bytes(&f->problem);
    for (size_t i = 0; i < block_count(f); i++)
        mw_block_of(cells + i * VALUES_BLOCK * bytes, observe_type_of(f),
                    mw_min(f->cells - i * VALUES_BLOCK, VALUES_BLOCK), about, &f->blocks[i]);
    return mw_blocks_join(f->blocks, block_count(f));
}

static int systems_of_part(struct mw_part *p, void *context)
{
    const struct systems_look *look = context;
    const struct mw_field *f = look->whole;
    const size_t fields = look->statistics ? f->model->info.field_count : 1;
    const size_t stored = look->statistics ? mw_model_quantities(f->model) : 1; /* per system in memory */
    const size_t bytes = f->cells * mw_problem_real_bytes(&f->problem), first = (size_t)p->array.place.lower;
    const double cells = (double)f->cells;
    if (!look->statistics)
        TRY_RETURN(energy_density(f, p));
    for (size_t i = 0; i < (size_t)p->array.place.own * fields; i++) {
        const size_t at = (size_t)p->array.place.slab * fields + i;
        TRY_RETURN(mw_buffer_read(look->statistics ? p->state : p->temp,
                                  ((first + i / fields) * stored + i % fields) * bytes, bytes, look->cells, NULL));
        const struct mw_block sum = join_cells(f, look->cells, NULL);
        const double mean = sum.sum / cells;
        if (look->statistics)
            look->statistics[at] =
                (struct mw_statistics){ mean, join_cells(f, look->cells, &mean).sum / cells, sum.least, sum.most };
        else
            look->energies[at] = mean * cells * mw_problem_volume(&f->problem);
    }
    return 0;
}

/* Visits all parts, or their windows, in turn. */
static int inspect_systems(struct mw_field *f, struct systems_look look)
{
    int rc = 0;
    look.whole = f;
    if (!f->blocks)
        TRY(mw_new(block_count(f), sizeof *f->blocks, &f->blocks));
    TRY(mw_new(f->cells, mw_problem_real_bytes(&f->problem), &look.cells));
    if (f->streams)
        TRY(mw_stream_show(f, systems_of_part, &look));
    for (size_t i = 0; i < f->count && !f->streams; i++)
        TRY(systems_of_part(&f->parts[i], &look));
out:
    free(look.cells);
    return rc;
}

/* ---- public calls ---- */

int mw_field_statistics(struct mw_field *f, struct mw_statistics *statistics)
{
    const double cells = (double)f->cells;
    struct mw_block sum, squares;
    TRY_RETURN(mw_exchange_check(f->exchange));
    if (mw_field_has_systems(&f->problem))
        return inspect_systems(f, (struct systems_look){ .statistics = statistics });
    for (size_t i = 0; i < f->model->info.field_count; i++) {
        TRY_RETURN(reduce(f, (struct look){ .field = i }, &sum));
        const double mean = sum.sum / cells;
        TRY_RETURN(reduce(f, (struct look){ .field = i, .about = &mean }, &squares));
        statistics[i] = (struct mw_statistics){ mean, squares.sum / cells, sum.least, sum.most };
    }
    return 0;
}

int mw_field_energy(struct mw_field *f, double *energy)
{
    const double cells = (double)f->cells;
    struct mw_block sum;
    if (!f->model->info.has_energy)
        return mw_fail(MW_EINVAL, "model %s defines no energy: add a line energy = ... to it", f->model->info.name);
    TRY_RETURN(mw_exchange_check(f->exchange));
    if (mw_field_has_systems(&f->problem))
        return inspect_systems(f, (struct systems_look){ .energies = energy });
    TRY_RETURN(reduce(f, (struct look){ .energy = true }, &sum));
    /* The mean times the number of cells: this keeps the last bit of earlier versions. */
    *energy = sum.sum / cells * cells * mw_problem_volume(&f->problem);
    return 0;
}
/* SPDX-License-Identifier: MIT */
