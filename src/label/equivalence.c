/* Label equivalence: kernel D of the papers, for devices with work-groups. */
#include "label/label_internal.h"
#include "prim/rounds.h"

#include <stdlib.h>

#include "kernels/label/equivalence.h"

struct equivalence {
    struct mw_kernel_set *set;
    struct mw_buffer *own; /* labels, if they are narrower than those of the result; otherwise its buffer has them */
    struct mw_buffer *equivalent, *changed; /* equivalent of each label; whether rounds changed anything */
    struct mw_buffer *labels;               /* a run's, like the values */
    struct mw_arg values;
    struct mw_range cells;
};

static int label_equivalence_make(struct mw_labelling *labelling)
{
    struct equivalence *s;
    TRY_RETURN(mw_own_new(&labelling->owner, 1, sizeof *s, &s));
    labelling->state = s;
    s->cells = mw_items((size_t)labelling->lattice.cells);
    TRY_RETURN(mw_label_own_roots_new(labelling, &s->own));
    TRY_RETURN(mw_label_roots_new(labelling, &s->equivalent));
    TRY_RETURN(mw_rounds_new(&labelling->owner, labelling->device, &s->changed));
    return mw_label_set_new(labelling, &kernels_label_equivalence, NULL, &s->set);
}

/* The three phases of the paper: scanning, analysis, labelling. */
static int one_round(void *context, int32_t r)
{
    const struct equivalence *s = context;
    TRY_RETURN(launch_label_scan(s->set, s->cells, s->equivalent, s->labels, s->values, s->changed, r));
    TRY_RETURN(launch_label_analyse(s->set, s->cells, s->equivalent, s->labels, s->changed, r));
    return launch_label_apply(s->set, s->cells, s->labels, s->equivalent, s->changed, r);
}

static int equivalence_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                           size_t *components, size_t *iterations)
{
    struct equivalence *s = labelling->state;
    s->values = mw_label_values(labelling, from);
    s->labels = s->own ? s->own : labels;
    TRY_RETURN(launch_label_start(s->set, s->cells, s->labels, s->equivalent, s->values));
    TRY_RETURN(mw_rounds_repeat(s->changed, one_round, s, iterations));
    return mw_label_number(labelling, s->labels, labels, components);
}

const struct mw_label_variant mw_label_equivalence = { .make = label_equivalence_make, .run = equivalence_run };
/* SPDX-License-Identifier: MIT */
