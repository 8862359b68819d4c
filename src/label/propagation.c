/* Propagation of labels from cell to cell until nothing changes: kernels A (`neighbour`), B (`tile`) and C (`lines`) of
 * the papers. */
#include "label/label_internal.h"
#include "prim/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kernels/label/propagation.h"

enum { BOTH = 1 << KERNEL_LABEL_START | 1 << KERNEL_LABEL_PROPAGATE }; /* kernels that all need */

/* Cells of a line per launch: some drivers stop the loops of a work-item after 65535 iterations. */
enum { SWEEP_MOST = 16384 };
/* Maximum cells of a tile; at least 2^TILE_X_BITS along x if the mesh is that long, since those are contiguous. */
enum { TILE_CELLS = 256, TILE_X_BITS = 4 };

struct propagation {
    struct mw_kernel_set *set;
    struct mw_buffer *changed;
    struct mw_buffer *own[2];    /* labels that the result's buffer cannot hold */
    struct mw_buffer *labels[2]; /* a run's: current labels first */
    struct mw_arg values;        /* a run's */
    int64_t tiles;               /* for `tile`; otherwise 0 */
    size_t group;                /* work-items of a tile */
    bool sweeps[MW_DIMS_MAX];    /* `lines`: dimensions along which there are neighbours */
    bool steps;                  /* cells compare with each neighbour; needs a second buffer */
};

static struct propagation *propagation_of(const struct mw_labelling *labelling) { return labelling->state; }

/* Makes the parts common to all variants; with `steps` labels move from one buffer to another. */
static int label_propagation_make(struct mw_labelling *labelling, struct propagation *s,
                                  const struct mw_kernel_options *options)
{
    TRY_RETURN(mw_rounds_new(&labelling->owner, labelling->device, &s->changed));
    TRY_RETURN(mw_label_own_roots_new(labelling, &s->own[0]));
    if (s->steps)
        TRY_RETURN(mw_label_roots_new(labelling, &s->own[1]));
    return mw_label_set_new(labelling, &kernels_label_propagation, options, &s->set);
}

static int propagation_new(struct mw_labelling *labelling, struct propagation **propagation)
{
    int rc = mw_own_new(&labelling->owner, 1, sizeof **propagation, propagation);
    labelling->state = rc ? NULL : *propagation;
    return rc;
}

/* Makes variants that step from cell to cell. */
static int make_steps(struct mw_labelling *labelling, const struct mw_kernel_options *options)
{
    struct propagation *s;
    TRY_RETURN(propagation_new(labelling, &s));
    s->steps = true;
    return label_propagation_make(labelling, s, options);
}

/* ---- a round ---- */

/* Steps from cell to cell, or through tiles. */
static int label_propagation_step(struct propagation *s, int64_t cells, int32_t r)
{
    const struct mw_range tiles = { .dims = 1, .global = { (size_t)s->tiles * s->group }, .group = { s->group } };
    struct mw_buffer *in = s->labels[0], *out = s->labels[1];
    s->labels[0] = out;
    s->labels[1] = in;
    if (s->tiles > 0)
        return launch_label_propagate_tile(s->set, tiles, out, in, s->values, s->changed, r);
    return launch_label_propagate(s->set, mw_items((size_t)cells), out, in, s->values, s->changed, r);
}

/* Sweeps along all lines of a dimension, in one direction. */
static int label_propagation_sweep(const struct mw_labelling *labelling, unsigned dim, int32_t way, int32_t r)
{
    const struct propagation *s = propagation_of(labelling);
    const struct mw_lattice *l = &labelling->lattice;
    const struct mw_range lines = mw_items((size_t)(l->cells / l->length[dim]));
    for (int64_t first = 0; first < l->length[dim]; first += SWEEP_MOST) {
        const int64_t left = l->length[dim] - first, count = left < SWEEP_MOST ? left : SWEEP_MOST;
        TRY_RETURN(launch_label_sweep(s->set, lines, s->labels[0], s->values, s->changed, r, l->length[dim],
                                      l->stride[dim], first, count, way, mw_label_wraps(&labelling->options, dim)));
    }
    return 0;
}

/* Sweeps first, so that the step carries over the labels of whole lines. */
static int one_round(void *context, int32_t r)
{
    const struct mw_labelling *labelling = context;
    struct propagation *s = propagation_of(labelling);
    for (unsigned i = 0; i < labelling->lattice.dims; i++) {
        if (!s->sweeps[i])
            continue;
        TRY_RETURN(label_propagation_sweep(labelling, i, 1, r));
        TRY_RETURN(label_propagation_sweep(labelling, i, -1, r));
    }
    return s->steps ? label_propagation_step(s, labelling->lattice.cells, r) : 0;
}

static int label_propagation_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                                 size_t *components, size_t *iterations)
{
    struct propagation *s = propagation_of(labelling);
    struct mw_buffer *const all[] = { s->own[0], s->own[1], labels };
    unsigned found = 0;
    s->values = mw_label_values(labelling, from);
    for (unsigned i = 0; i < MW_COUNT(all) && found < MW_COUNT(s->labels); i++)
        if (all[i])
            s->labels[found++] = all[i];
    TRY_RETURN(launch_label_start(s->set, mw_items((size_t)labelling->lattice.cells), s->labels[0], s->values));
    TRY_RETURN(mw_rounds_repeat(s->changed, one_round, labelling, iterations));
    return mw_label_number(labelling, s->labels[0], labels, components);
}

/* ---- neighbour ---- */

static int make_neighbour(struct mw_labelling *labelling)
{
    static const struct mw_kernel_options options = { .wanted = BOTH };
    return make_steps(labelling, &options);
}

/* ---- tile ---- */

/* Distributes the bits of a work-item's number over the dimensions.  Cubic tiles have the shortest paths; a tile is no
 * longer than the mesh. */
static void cut_tile(struct mw_text *defines, size_t group, void *context)
{
    const struct mw_labelling *labelling = context;
    const struct mw_lattice *l = &labelling->lattice;
    struct propagation *s = propagation_of(labelling);
    unsigned bits[MW_DIMS_MAX] = { 0 };
    for (s->group = 1; s->group < group; s->group *= 2) {
        unsigned least = MW_DIMS_MAX;
        for (unsigned i = 0; i < l->dims; i++) {
            if (l->length[i] <= (int64_t)1 << bits[i])
                continue;
            if (least == MW_DIMS_MAX || bits[i] < bits[least])
                least = i;
            if (i == 0 && bits[0] < TILE_X_BITS)
                break;
        }
        if (least == MW_DIMS_MAX)
            break;
        bits[least]++;
    }
    s->tiles = 1;
    mw_text_add(defines, "#define TILE_ITEMS %zu\n#define TILE_EACH(X)", s->group);
    for (unsigned i = 0, offset = 0; i < l->dims; offset += bits[i++]) {
        const int64_t tiles = ((l->length[i] - 1) >> bits[i]) + 1;
        mw_text_add(defines, " X(%u, %u, %u, %" PRId64 ")", i, bits[i], offset, tiles);
        s->tiles *= tiles;
    }
    mw_text_add(defines, "\n");
}

static int make_tile(struct mw_labelling *labelling)
{
    const struct mw_kernel_options options = { .group = TILE_CELLS,
                                               .takes = MW_GROUP_POWER,
                                               .add_defines = cut_tile,
                                               .context = labelling,
                                               .wanted = BOTH | 1 << KERNEL_LABEL_PROPAGATE_TILE };
    return make_steps(labelling, &options);
}

/* ---- lines ---- */

/* Lines suffice if neighbours share a face.  Other neighbours also need one step per round over all neighbours, which
 * finds diagonal connections. */
static int make_lines(struct mw_labelling *labelling)
{
    static const struct mw_kernel_options options = { .defines = "#define SWEEPS 1\n",
                                                      .wanted = BOTH | 1 << KERNEL_LABEL_SWEEP };
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(labelling->options.lattice);
    struct propagation *s;
    TRY_RETURN(propagation_new(labelling, &s));
    s->steps =
        labelling->options.lattice != MW_LATTICE_HYPERCUBIC || labelling->options.connectivity == MW_CONNECTIVITY_ALL;
    for (unsigned i = 0; i < labelling->lattice.dims; i++)
        s->sweeps[i] = labelling->options.lattice == MW_LATTICE_HYPERCUBIC;
    for (unsigned j = 0; labelling->options.lattice != MW_LATTICE_HYPERCUBIC && j < kind->coordination; j++) {
        unsigned moves = 0, along = 0;
        for (unsigned i = 0; i < kind->dims; i++)
            if (kind->step[j][i]) {
                moves++;
                along = i;
            }
        if (moves == 1)
            s->sweeps[along] = true;
    }
    return label_propagation_make(labelling, s, &options);
}

const struct mw_label_variant mw_label_neighbour = { .make = make_neighbour, .run = label_propagation_run };
const struct mw_label_variant mw_label_tile = { .make = make_tile, .run = label_propagation_run };
const struct mw_label_variant mw_label_lines = { .make = make_lines, .run = label_propagation_run };
/* SPDX-License-Identifier: MIT */
