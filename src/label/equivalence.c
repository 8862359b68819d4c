/* Label equivalence: the papers' kernel D, on devices that go through the mesh in passes. */
#include "label/passes.h"
#include "prim/rounds.h"

#include <stdlib.h>

enum { START, SCAN, ANALYSE, APPLY };

struct equivalence {
    struct mw_label_program program;
    struct mw_buffer *own;       /* labels, where the result's buffer cannot serve for them: they may be narrower */
    struct mw_buffer *equivalent, *changed; /* each label's, and the rounds' */
    struct mw_buffer *labels;    /* of a run, as are the values */
    struct mw_arg values;
    int64_t cells;
};

static void drop(struct mw_labelling *labelling)
{
    struct equivalence *s = labelling->state;
    if (!s)
        return;
    mw_label_program_drop(&s->program);
    mw_buffer_free(s->own);
    mw_buffer_free(s->equivalent);
    mw_buffer_free(s->changed);
    free(s);
    labelling->state = NULL;
}

static int make(struct mw_labelling *labelling)
{
    static const char *const names[] = { [START] = "label_start", [SCAN] = "label_scan",
                                         [ANALYSE] = "label_analyse", [APPLY] = "label_apply" };
    struct equivalence *s;
    int rc;
    TRY(mw_new(1, sizeof *s, &s));
    labelling->state = s;
    s->cells = labelling->lattice.cells;
    TRY(mw_label_own_roots_new(labelling, &s->own));
    TRY(mw_label_roots_new(labelling, &s->equivalent));
    TRY(mw_rounds_new(labelling->device, &s->changed));
    TRY(mw_label_program_make(labelling, "label/equivalence.cl", NULL, names, &s->program));
out:
    return rc;
}

/* The paper's three phases: scanning, analysis, labelling. */
static int one_round(void *context, int32_t r)
{
    const struct equivalence *s = context;
    const struct mw_arg labels = mw_arg_buffer(s->labels), equivalent = mw_arg_buffer(s->equivalent),
                        changed = mw_arg_buffer(s->changed), round = mw_arg_i32(r);
    int rc;
    TRY(mw_label_launch(&s->program, SCAN, s->cells,
                        (struct mw_arg[]){ equivalent, labels, s->values, changed, round }, 5));
    TRY(mw_label_launch(&s->program, ANALYSE, s->cells, (struct mw_arg[]){ equivalent, labels, changed, round }, 4));
    TRY(mw_label_launch(&s->program, APPLY, s->cells, (struct mw_arg[]){ labels, equivalent, changed, round }, 4));
out:
    return rc;
}

static int run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
               size_t *iterations)
{
    struct equivalence *s = labelling->state;
    int rc;
    s->values = mw_label_values(labelling, from);
    s->labels = s->own ? s->own : labels;
    TRY(mw_label_launch(&s->program, START, s->cells, (struct mw_arg[]){
        mw_arg_buffer(s->labels), mw_arg_buffer(s->equivalent), s->values }, 3));
    TRY(mw_rounds_repeat(s->changed, one_round, s, iterations));
    TRY(mw_label_number(labelling, s->labels, labels, components));
out:
    return rc;
}

const struct mw_label_variant mw_label_equivalence = { NULL, make, drop, run };
