/* Sums and ranges of a field, of the free energy or of a density, reduced on the field's devices.
 *
 * The cells of the whole, in file order, are divided into blocks of VALUES_BLOCK.  A part reduces the blocks that it
 * contains completely.  The host reduces blocks that several parts share, and combines the results of all blocks in
 * order.  The bits of the result therefore depend neither on devices nor on shares, and are the same as for a state in
 * host memory.  If a field streams, its windows are loaded in turn; the host collects a block at the ends of windows
 * until it is complete. */
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"
#include "prim/blocks.clh"

#define HOST_BLOCKS 64 /* blocks read at a time from a device that cannot reduce them */

/* A block that is not yet complete; `count` cells have been read. */
struct mw_open_block {
    size_t count;
    double cells[VALUES_BLOCK];
};

static enum mw_type reduce_type_of(const struct mw_field *f) { return f->problem.fp64 ? MW_TYPE_F64 : MW_TYPE_F32; }

size_t mw_block_count(const struct mw_field *f) { return (f->cells - 1) / VALUES_BLOCK + 1; }

/* Return the range of the part's own cells, as numbers in the whole. */
static size_t first_cell(const struct mw_part *p) { return (size_t)p->array.place.slab * p->array.slab_cells; }

static size_t end_cell(const struct mw_part *p)
{
    return first_cell(p) + (size_t)p->array.place.own * p->array.slab_cells;
}

/* Returns the index in the part's buffer of a cell of the whole. */
static size_t cell_at(const struct mw_part *p, const struct mw_look *look, size_t cell)
{
    return look->field * p->array.cells + (size_t)p->array.place.lower * p->array.slab_cells + cell - first_cell(p);
}

static struct mw_buffer *buffer_of(const struct mw_part *p, const struct mw_look *look)
{
    return look->of == MW_LOOK_FIELD ? p->state : look->of == MW_LOOK_ENERGY ? p->temp : p->density;
}

/* Reads cells of a part. */
static int fetch(const struct mw_part *p, const struct mw_look *look, size_t cell, size_t n, void *to)
{
    const size_t bytes = mw_problem_real_bytes(p->array.problem);
    return mw_buffer_read(buffer_of(p, look), cell_at(p, look, cell) * bytes, n * bytes, to, NULL);
}

/* ---- the blocks of one part ---- */

static int reduce_on_host(struct mw_part *p, const struct mw_look *look, size_t block, size_t end)
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
            mw_block_of(p->host + i * VALUES_BLOCK * bytes, reduce_type_of(f),
                        mw_min(n - i * VALUES_BLOCK, VALUES_BLOCK), look->about, &f->blocks[block + i]);
    }
    return 0;
}

/* Return the first block that begins in the part, and the first that the part does not contain completely. */
static size_t first_block(const struct mw_part *p) { return (first_cell(p) + VALUES_BLOCK - 1) / VALUES_BLOCK; }

static size_t end_block(const struct mw_part *p, const struct mw_field *f)
{
    return end_cell(p) == f->cells ? mw_block_count(f) : end_cell(p) / VALUES_BLOCK;
}

int mw_reduce_part(struct mw_part *p, const struct mw_look *look)
{
    struct mw_field *f = look->whole;
    const size_t end = end_cell(p), first = first_block(p), last = end_block(p, f);
    if (first >= last)
        return 0;
    if (!mw_device_info(p->array.device)->fp64)
        return reduce_on_host(p, look, first, last);
    if (!p->prim)
        TRY_RETURN(mw_prim_new(p->array.device, &p->prim));
    return mw_prim_blocks(p->prim, buffer_of(p, look), cell_at(p, look, first * VALUES_BLOCK),
                          mw_min(end, last * VALUES_BLOCK) - first * VALUES_BLOCK, reduce_type_of(f), look->about,
                          &f->blocks[first]);
}

/* Reduces a block that several parts share. */
static int reduce_shared(struct mw_field *f, const struct mw_look *look, size_t block)
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
    mw_block_of(cells, reduce_type_of(f), end - first, look->about, &f->blocks[block]);
    return 0;
}

int mw_reduce_all_shared(struct mw_field *f, const struct mw_look *look)
{
    size_t done = SIZE_MAX; /* last shared block reduced; small parts may lie in the same one */
    for (size_t i = 0; i + 1 < f->count; i++) {
        const size_t block = end_cell(&f->parts[i]) / VALUES_BLOCK;
        if (end_cell(&f->parts[i]) % VALUES_BLOCK == 0 || block == done)
            continue;
        TRY_RETURN(reduce_shared(f, look, block));
        done = block;
    }
    return 0;
}

/* Adds a window's cells, from `cell` on, to the open block, and reduces it when complete. */
static int add_to_block(struct mw_part *p, const struct mw_look *look, size_t cell, size_t n)
{
    struct mw_field *f = look->whole;
    struct mw_open_block *open = look->open;
    const size_t end = cell + n, block = cell / VALUES_BLOCK, bytes = mw_problem_real_bytes(&f->problem);
    TRY_RETURN(fetch(p, look, cell, n, (char *)open->cells + open->count * bytes));
    open->count += n;
    if (end % VALUES_BLOCK == 0 || end == f->cells) {
        mw_block_of(open->cells, reduce_type_of(f), open->count, look->about, &f->blocks[block]);
        open->count = 0;
    }
    return 0;
}

int mw_reduce_window(struct mw_part *p, const struct mw_look *look)
{
    const size_t first = first_cell(p), end = end_cell(p), begun = mw_min(first_block(p) * VALUES_BLOCK, end);
    const size_t whole = mw_min(end_block(p, look->whole) * VALUES_BLOCK, end);
    TRY_RETURN(mw_reduce_part(p, look));
    if (begun > first)
        TRY_RETURN(add_to_block(p, look, first, begun - first));
    if (whole >= begun && end > whole)
        TRY_RETURN(add_to_block(p, look, whole, end - whole));
    return 0;
}

int mw_reduce_window_begin(struct mw_look *look) { return mw_new(1, sizeof *look->open, &look->open); }

struct mw_block mw_reduce_cells(const struct mw_field *f, const char *cells, const double *about,
                                struct mw_block *blocks)
{
    const size_t bytes = mw_problem_real_bytes(&f->problem);
    for (size_t i = 0; i < mw_block_count(f); i++)
        mw_block_of(cells + i * VALUES_BLOCK * bytes, reduce_type_of(f),
                    mw_min(f->cells - i * VALUES_BLOCK, VALUES_BLOCK), about, &blocks[i]);
    return mw_blocks_join(blocks, mw_block_count(f));
}
/* SPDX-License-Identifier: MIT */
