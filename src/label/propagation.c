/* Labels that go from cell to cell until nothing changes: the papers' kernels A (`neighbour`), B (`tile`) and C
 * (`lines`). */
#include "label/passes.h"
#include "prim/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

enum { START, PROPAGATE, OWN };   /* and the kernel of `tile` or `lines` */

/* Cells of a line for one launch: some drivers end an item's loops after 65535 rounds. */
enum { SWEEP_MOST = 16384 };
/* Cells of a tile, at most; along x at least 2^TILE_X_BITS where the mesh is as long, since those lie together. */
enum { TILE_BITS = 8, TILE_X_BITS = 4 };

struct propagation {
    struct mw_label_program program;
    struct mw_buffer *changed;
    struct mw_buffer *own[2];    /* labels, as many of them as the result's buffer cannot serve for */
    struct mw_buffer *labels[2]; /* of a run: the present ones first */
    struct mw_arg values;        /* of a run */
    int64_t tiles;               /* of `tile`; else 0 */
    size_t group;                /* items of a tile */
    bool sweeps[MW_DIMS_MAX];    /* `lines`: dimensions along which there are neighbours */
    bool steps;                  /* neighbours are looked at one by one */
};

static struct propagation *propagation_of(const struct mw_labelling *labelling)
{
    return labelling->state;
}

static void drop(struct mw_labelling *labelling)
{
    struct propagation *s = propagation_of(labelling);
    if (!s)
        return;
    mw_label_program_drop(&s->program);
    mw_buffer_free(s->changed);
    for (unsigned i = 0; i < MW_COUNT(s->own); i++)
        mw_buffer_free(s->own[i]);
    free(s);
    labelling->state = NULL;
}

/* What all of them need; labels go from one buffer to another where they are looked at one by one. */
static int make_buffers(const struct mw_labelling *labelling, struct propagation *s)
{
    int rc;
    TRY(mw_rounds_new(labelling->device, &s->changed));
    TRY(mw_label_own_roots_new(labelling, &s->own[0]));
    if (s->steps)
        TRY(mw_label_roots_new(labelling, &s->own[1]));
out:
    return rc;
}

static int propagation_new(struct mw_labelling *labelling, struct propagation **propagation)
{
    int rc = mw_new(1, sizeof **propagation, propagation);
    labelling->state = rc ? NULL : *propagation;
    return rc;
}

/* ---- a round ---- */

/* By PROPAGATE or the kernel of `tile`, whose arguments are the same. */
static int step(struct propagation *s, int64_t cells, int32_t r)
{
    const struct mw_arg args[] = { mw_arg_buffer(s->labels[1]), mw_arg_buffer(s->labels[0]), s->values,
                                   mw_arg_buffer(s->changed), mw_arg_i32(r) };
    const struct mw_range range = { .dims = 1, .global = { (size_t)s->tiles * s->group }, .group = { s->group } };
    struct mw_buffer *present = s->labels[1];
    s->labels[1] = s->labels[0];
    s->labels[0] = present;
    if (s->tiles > 0)
        return mw_launch(s->program.kernel[OWN], &range, args, MW_COUNT(args), NULL);
    return mw_label_launch(&s->program, PROPAGATE, cells, args, MW_COUNT(args));
}

/* Along all lines of a dimension, one way. */
static int sweep(const struct mw_labelling *labelling, unsigned dim, int32_t way, int32_t r)
{
    const struct propagation *s = propagation_of(labelling);
    const struct mw_lattice *l = &labelling->lattice;
    const bool wide = mw_label_root_bytes(labelling) == sizeof(int64_t);
    int rc = 0;
    for (int64_t first = 0; first < l->length[dim]; first += SWEEP_MOST) {
        const int64_t left = l->length[dim] - first;
        const int64_t numbers[] = { l->length[dim], l->stride[dim], first, left < SWEEP_MOST ? left : SWEEP_MOST };
        struct mw_arg args[10] = { mw_arg_buffer(s->labels[0]), s->values, mw_arg_buffer(s->changed), mw_arg_i32(r) };
        for (unsigned i = 0; i < MW_COUNT(numbers); i++)
            args[4 + i] = wide ? mw_arg_i64(numbers[i]) : mw_arg_i32((int32_t)numbers[i]);
        args[8] = mw_arg_i32(way);
        args[9] = mw_arg_i32(labelling->options.periodic[dim]);
        TRY(mw_label_launch(&s->program, OWN, l->cells / l->length[dim], args, MW_COUNT(args)));
    }
out:
    return rc;
}

/* Sweeps first: a step that finds a neighbour with a smaller label then carries over what whole lines have. */
static int one_round(void *context, int32_t r)
{
    const struct mw_labelling *labelling = context;
    struct propagation *s = propagation_of(labelling);
    int rc = 0;
    for (unsigned i = 0; i < labelling->lattice.dims; i++) {
        if (!s->sweeps[i])
            continue;
        TRY(sweep(labelling, i, 1, r));
        TRY(sweep(labelling, i, -1, r));
    }
    if (s->steps)
        TRY(step(s, labelling->lattice.cells, r));
out:
    return rc;
}

static int run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
               size_t *iterations)
{
    struct propagation *s = propagation_of(labelling);
    struct mw_buffer *const all[] = { s->own[0], s->own[1], labels };
    unsigned found = 0;
    int rc;
    s->values = mw_label_values(labelling, from);
    for (unsigned i = 0; i < MW_COUNT(all) && found < MW_COUNT(s->labels); i++)
        if (all[i])
            s->labels[found++] = all[i];
    TRY(mw_label_launch(&s->program, START, labelling->lattice.cells,
                        (struct mw_arg[]){ mw_arg_buffer(s->labels[0]), s->values }, 2));
    TRY(mw_rounds_repeat(s->changed, one_round, labelling, iterations));
    TRY(mw_label_number(labelling, s->labels[0], labels, components));
out:
    return rc;
}

/* ---- neighbour ---- */

static int make_neighbour(struct mw_labelling *labelling)
{
    static const char *const names[] = { [START] = "label_start", [PROPAGATE] = "label_propagate", NULL };
    struct propagation *s;
    int rc;
    TRY(propagation_new(labelling, &s));
    s->steps = true;
    TRY(make_buffers(labelling, s));
    TRY(mw_label_program_make(labelling, "label/propagation.cl", NULL, names, &s->program));
out:
    return rc;
}

/* ---- tile ---- */

/* Shares the bits of an item's number among the dimensions: a tile that is as long as wide has the shortest way in, and
 * is no longer than the mesh. */
static int cut_tile(const struct mw_labelling *labelling, unsigned most, struct propagation *s, struct mw_text *defines)
{
    const struct mw_lattice *l = &labelling->lattice;
    unsigned bits[MW_DIMS_MAX] = { 0 }, all = 0;
    for (; all < most; all++) {
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
    s->group = (size_t)1 << all;
    s->tiles = 1;
    mw_text_add(defines, "#define TILE_ITEMS %zu\n#define TILE_EACH(X)", s->group);
    for (unsigned i = 0, offset = 0; i < l->dims; offset += bits[i++]) {
        const int64_t tiles = ((l->length[i] - 1) >> bits[i]) + 1;
        mw_text_add(defines, " X(%u, %u, %u, %" PRId64 ")", i, bits[i], offset, tiles);
        s->tiles *= tiles;
    }
    mw_text_add(defines, "\n");
    return mw_text_ok(defines);
}

static int build_tile(const struct mw_labelling *labelling, unsigned bits, struct propagation *s)
{
    static const char *const names[] = { [START] = "label_start", [PROPAGATE] = "label_propagate",
                                         [OWN] = "label_propagate_tile", NULL };
    struct mw_text defines = { 0 };
    int rc;
    TRY(cut_tile(labelling, bits, s, &defines));
    TRY(mw_label_program_make(labelling, "label/propagation.cl", defines.data, names, &s->program));
out:
    mw_text_free(&defines);
    return rc;
}

static unsigned bits_within(size_t limit)
{
    unsigned bits = 0;
    while (bits < TILE_BITS && (size_t)2 << bits <= limit)
        bits++;
    return bits;
}

/* Groups as large as the device has them; where a kernel turns out to take smaller ones, it is made again for those. */
static int make_tile(struct mw_labelling *labelling)
{
    const struct mw_device_info *info = mw_device_info(labelling->device);
    const size_t along = info->max_group_dims[0];
    struct mw_kernel_limits limits;
    struct propagation *s;
    int rc;
    TRY(propagation_new(labelling, &s));
    s->steps = true;
    TRY(make_buffers(labelling, s));
    TRY(build_tile(labelling, bits_within(along && along < info->max_group ? along : info->max_group), s));
    mw_kernel_limits(s->program.kernel[OWN], &limits);
    if (limits.max_group && limits.max_group < s->group) {
        mw_label_program_drop(&s->program);
        TRY(build_tile(labelling, bits_within(limits.max_group), s));
    }
out:
    return rc;
}

/* ---- lines ---- */

/* Lines along the dimensions are all there is to see where neighbours share a face.  Others get there by a step in each
 * round that looks at all neighbours, so that what is connected by diagonals alone is found as well. */
static int make_lines(struct mw_labelling *labelling)
{
    static const char *const names[] = { [START] = "label_start", [PROPAGATE] = "label_propagate",
                                         [OWN] = "label_sweep", NULL };
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(labelling->options.lattice);
    struct propagation *s;
    int rc;
    TRY(propagation_new(labelling, &s));
    s->steps = labelling->options.lattice != MW_LATTICE_HYPERCUBIC || labelling->options.connectivity == MW_CONNECT_ALL;
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
    TRY(make_buffers(labelling, s));
    TRY(mw_label_program_make(labelling, "label/propagation.cl", "#define SWEEPS 1\n", names, &s->program));
out:
    return rc;
}

const struct mw_label_variant mw_label_neighbour = { NULL, make_neighbour, drop, run };
const struct mw_label_variant mw_label_tile = { NULL, make_tile, drop, run };
const struct mw_label_variant mw_label_lines = { NULL, make_lines, drop, run };
