/* Direct union-find, by cells and by blocks of cells. */
#include "label/label_internal.h"

#include <stdlib.h>

#include "kernels/label/union_find.h"

enum { BLOCK_DIMS_MAX = 3 };

struct union_find {
    struct mw_kernel_set *set;
    struct mw_buffer *own;        /* roots, if they are narrower than labels; otherwise the result's buffer has them */
    struct mw_range cells, items; /* ranges of passes: of compression (cells); of joining (cells or blocks) */
};

static int union_find_make(struct mw_labelling *labelling, const char *defines, int64_t items)
{
    const struct mw_kernel_options options = { .defines = defines };
    struct union_find *s;
    TRY_RETURN(mw_own_new(&labelling->owner, 1, sizeof *s, &s));
    labelling->state = s;
    s->cells = mw_items((size_t)labelling->lattice.cells);
    s->items = mw_items((size_t)items);
    TRY_RETURN(mw_label_own_roots_new(labelling, &s->own));
    return mw_label_set_new(labelling, &kernels_label_union_find, &options, &s->set);
}

static int make_cells(struct mw_labelling *labelling)
{
    return union_find_make(labelling, NULL, labelling->lattice.cells);
}

static int union_find_make_blocks(struct mw_labelling *labelling)
{
    int64_t blocks = 1;
    for (unsigned i = 0; i < labelling->lattice.dims; i++)
        blocks *= labelling->lattice.length[i] - labelling->lattice.length[i] / 2;
    return union_find_make(labelling, "#define BLOCKS 1\n", blocks);
}

static const char *blocks_refuse(const struct mw_labelling *labelling)
{
    const struct mw_label_options *o = &labelling->options;
    if (o->lattice != MW_LATTICE_HYPERCUBIC || o->connectivity != MW_CONNECTIVITY_ALL)
        return "needs connectivity all (use union-find)";
    if (o->join == MW_JOIN_TOLERANCE)
        return "does not support a tolerance (use union-find)";
    if (o->dims > BLOCK_DIMS_MAX)
        return "supports only one to three dimensions (use union-find)";
    return NULL;
}

/* Komura's direct labelling (Comput. Phys. Commun. 194 (2015) 54) without the pairs that neighbours imply (Playne and
 * Hawick, IEEE Trans. Parallel Distrib. Syst. 29 (2018) 1217): four passes, no iteration. */
static int label_by_union_find(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                               size_t *components, size_t *iterations)
{
    const struct union_find *s = labelling->state;
    struct mw_buffer *roots = s->own ? s->own : labels;
    *iterations = 1;
    /* Initialisation: each cell's parent is an earlier neighbour it joins; without one it is a root. */
    TRY_RETURN(launch_label_first(s->set, s->items, roots, from));
    /* Analysis: each cell's parent becomes its root. */
    TRY_RETURN(launch_label_compress(s->set, s->cells, roots));
    /* Reduction: the roots of a cell and of its other earlier neighbours are united, by atomic minima. */
    TRY_RETURN(launch_label_merge(s->set, s->items, roots, from));
    /* Analysis again, of the complete trees. */
    TRY_RETURN(launch_label_compress(s->set, s->cells, roots));
    /* In the papers roots are the labels; here labels number the components in the order of roots. */
    return mw_label_number(labelling, roots, labels, components);
}

const struct mw_label_variant mw_label_union_find = { .make = make_cells, .run = label_by_union_find };
const struct mw_label_variant mw_label_blocks = { .refuses = blocks_refuse,
                                                  .make = union_find_make_blocks,
                                                  .run = label_by_union_find };
/* SPDX-License-Identifier: MIT */
