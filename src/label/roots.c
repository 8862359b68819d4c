/* Roots of cells by equivalent labels: the papers' kernel D, and direct union-find by cells and by blocks. */
#include "label/passes.h"
#include "prim/rounds.h"

#include <stdlib.h>

struct roots {
    struct mw_label_program program;
    struct mw_buffer *own;       /* where the result's buffer cannot serve for roots, which may be narrower */
    struct mw_buffer *equivalent, *changed; /* D: each label's, and the rounds' */
    struct mw_buffer *labels;    /* of a run, as are the values */
    struct mw_arg values;
    int64_t items;               /* of a pass that joins: cells or blocks */
};

static struct roots *roots_of(const struct mw_labelling *labelling)
{
    return labelling->state;
}

static void drop(struct mw_labelling *labelling)
{
    struct roots *s = roots_of(labelling);
    if (!s)
        return;
    mw_label_program_drop(&s->program);
    mw_buffer_free(s->own);
    mw_buffer_free(s->equivalent);
    mw_buffer_free(s->changed);
    free(s);
    labelling->state = NULL;
}

static int make(struct mw_labelling *labelling, const char *file, const char *defines, const char *const *names,
                struct roots **roots)
{
    struct roots *s;
    int rc;
    TRY(mw_new(1, sizeof *s, &s));
    labelling->state = *roots = s;
    s->items = labelling->lattice.cells;
    if (mw_label_root_bytes(labelling) < (labelling->wide ? sizeof(int64_t) : sizeof(int32_t)))
        TRY(mw_label_roots_new(labelling, &s->own));
    TRY(mw_label_program_make(labelling, file, defines, names, &s->program));
out:
    return rc;
}

/* ---- D ---- */

enum { START, SCAN, ANALYSE, APPLY };

static int make_d(struct mw_labelling *labelling)
{
    static const char *const names[] = { [START] = "label_start", [SCAN] = "label_scan",
                                         [ANALYSE] = "label_analyse", [APPLY] = "label_apply" };
    struct roots *s;
    int rc;
    TRY(make(labelling, "label/roots.cl", "#define EQUIVALENCE 1\n", names, &s));
    TRY(mw_label_roots_new(labelling, &s->equivalent));
    TRY(mw_rounds_new(labelling->device, &s->changed));
out:
    return rc;
}

static int round_d(void *context, int32_t r)
{
    const struct roots *s = context;
    const struct mw_arg labels = mw_arg_buffer(s->labels), equivalent = mw_arg_buffer(s->equivalent),
                        changed = mw_arg_buffer(s->changed), round = mw_arg_i32(r);
    int rc;
    TRY(mw_label_launch(&s->program, SCAN, s->items,
                        (struct mw_arg[]){ equivalent, labels, s->values, changed, round }, 5));
    TRY(mw_label_launch(&s->program, ANALYSE, s->items, (struct mw_arg[]){ equivalent, labels, changed, round }, 4));
    TRY(mw_label_launch(&s->program, APPLY, s->items, (struct mw_arg[]){ labels, equivalent, changed, round }, 4));
out:
    return rc;
}

static int run_d(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
                 size_t *iterations)
{
    struct roots *s = roots_of(labelling);
    int rc;
    s->values = mw_label_values(labelling, from);
    s->labels = s->own ? s->own : labels;
    TRY(mw_label_launch(&s->program, START, s->items, (struct mw_arg[]){
        mw_arg_buffer(s->labels), mw_arg_buffer(s->equivalent), s->values }, 3));
    TRY(mw_rounds_repeat(s->changed, round_d, s, iterations));
    TRY(mw_label_number(labelling, s->labels, labels, components));
out:
    return rc;
}

/* ---- union-find ---- */

enum { FIRST, MERGE, COMPRESS };

static int make_union_find(struct mw_labelling *labelling)
{
    static const char *const names[] = { [FIRST] = "label_first", [MERGE] = "label_merge",
                                         [COMPRESS] = "label_compress", NULL };
    struct roots *s;
    return make(labelling, "label/roots.cl", NULL, names, &s);
}

static int make_blocks(struct mw_labelling *labelling)
{
    static const char *const names[] = { [FIRST] = "label_block_first", [MERGE] = "label_block_merge",
                                         [COMPRESS] = "label_compress", NULL };
    const struct mw_lattice *l = &labelling->lattice;
    struct roots *s;
    int rc;
    TRY(make(labelling, "label/blocks.cl", NULL, names, &s));
    s->items = 1;
    for (unsigned i = 0; i < l->dims; i++)
        s->items *= l->length[i] - l->length[i] / 2;
out:
    return rc;
}

enum { BLOCK_DIMS_MAX = 3 };

static const char *blocks_refuse(const struct mw_labelling *labelling)
{
    const struct mw_label_options *o = &labelling->options;
    if (o->lattice != MW_LATTICE_HYPERCUBIC || o->connectivity != MW_CONNECT_ALL)
        return "is for connectivity all, by which the cells of a block are neighbours: use union-find";
    if (o->join == MW_JOIN_TOLERANCE)
        return "is for cells that are equal or on one side of a threshold: use union-find";
    if (o->dims > BLOCK_DIMS_MAX)
        return "is for meshes of one to three dimensions: use union-find";
    return mw_label_needs_opencl(labelling);
}

/* Cells hang below the cell where they start; what is left to join then goes from root to root. */
static int run_union_find(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                          size_t *components, size_t *iterations)
{
    struct roots *s = roots_of(labelling);
    const int64_t cells = labelling->lattice.cells;
    struct mw_arg args[2];
    int rc;
    s->labels = s->own ? s->own : labels;
    args[0] = mw_arg_buffer(s->labels);
    args[1] = mw_arg_buffer(from);
    *iterations = 1;
    TRY(mw_label_launch(&s->program, FIRST, s->items, args, 2));
    TRY(mw_label_launch(&s->program, COMPRESS, cells, args, 1));
    TRY(mw_label_launch(&s->program, MERGE, s->items, args, 2));
    TRY(mw_label_launch(&s->program, COMPRESS, cells, args, 1));
    TRY(mw_label_number(labelling, s->labels, labels, components));
out:
    return rc;
}

const struct mw_label_variant mw_label_d = { mw_label_needs_opencl, make_d, drop, run_d };
const struct mw_label_variant mw_label_union_find = { mw_label_needs_opencl, make_union_find, drop, run_union_find };
const struct mw_label_variant mw_label_blocks = { blocks_refuse, make_blocks, drop, run_union_find };
