/* Writes the description of a mesh for kernels that process rows (cl/label/plan.clh). */
#include <stdlib.h>
#include <string.h>

#include "label/label_internal.h"

#include "label/plan.clh"

/* Strips per thread, so that threads stay busy if strips take different times. */
#define STRIPS_PER_UNIT 4

/* The growing words of a plan. */
struct words {
    int64_t *word;
    size_t count;
};

static int words_add(struct words *w, int64_t value)
{
    TRY_RETURN(mw_grow(w->count, sizeof *w->word, &w->word));
    w->word[w->count++] = value;
    return 0;
}

/* Adds a step to another row: the first coordinate is left out. */
static int add_step(struct words *plan, const struct mw_lattice *l, unsigned dx, const signed char *digit)
{
    int64_t back = 0;
    TRY_RETURN(words_add(plan, dx));
    for (unsigned i = 1; i < l->dims; i++) {
        TRY_RETURN(words_add(plan, digit[i]));
        back -= digit[i] * (l->stride[i] / l->stride[1]);
    }
    plan->word[PLAN_STEPS]++;
    if (back > plan->word[PLAN_REACH])
        plan->word[PLAN_REACH] = back;
    return 0;
}

/* Returns whether the step leads to an earlier row (x is ignored). */
static bool goes_back(const signed char *digit, unsigned dims)
{
    int sign = 0;
    for (unsigned i = 1; i < dims; i++)
        sign = digit[i] ? digit[i] : sign;
    return sign < 0;
}

/* Adds the neighbours of a kind of lattice; neighbours in one row share a step. */
static int add_kind(struct words *plan, const struct mw_lattice *l, const struct mw_lattice_kind_info *kind)
{
    static const unsigned bits[] = { DX_BEFORE, DX_SAME, DX_AFTER };
    const unsigned count = kind->coordination ? kind->coordination : 2 * l->dims;
    const size_t others = l->dims - 1;
    for (unsigned j = 0; j < count; j++) {
        const signed char *digit = kind->step[j];
        unsigned dx = 0;
        bool done = false;
        if (!goes_back(digit, l->dims))
            continue;
        for (unsigned i = 0; i < count; i++) {
            if (memcmp(kind->step[i] + 1, digit + 1, others) != 0)
                continue;
            dx |= bits[kind->step[i][0] + 1];
            done = done || i < j;
        }
        if (!done)
            TRY_RETURN(add_step(plan, l, dx, digit));
    }
    return 0;
}

/* Adds all neighbours: base-3 numbers with digits that, less 1, are steps to earlier rows. */
static int add_all(struct words *plan, const struct mw_lattice *l)
{
    unsigned count = 1;
    for (unsigned i = 1; i < l->dims; i++)
        count *= 3;
    for (unsigned j = 0; j < count / 2; j++) {
        signed char digit[MW_DIMS_MAX] = { 0 };
        unsigned rest = j;
        for (unsigned i = 1; i < l->dims; i++, rest /= 3)
            digit[i] = (signed char)(rest % 3) - 1;
        TRY_RETURN(add_step(plan, l, DX_BEFORE | DX_SAME | DX_AFTER, digit));
    }
    return 0;
}

static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

static int make_plan(const struct mw_labelling *labelling, struct words *plan)
{
    const struct mw_label_options *o = &labelling->options;
    const struct mw_lattice *l = &labelling->lattice;
    const int64_t rows = l->cells / l->length[0], units = (int64_t)mw_device_info(labelling->device)->compute_units;
    const int64_t least = ((int64_t)labelling->limits.strip_cells - 1) / l->length[0] + 1;
    const int64_t share = (rows - 1) / (most_of(units, 1) * STRIPS_PER_UNIT) + 1;
    const int64_t strip_rows = mw_min(most_of(share, least), rows);
    int64_t wraps = 0;
    for (unsigned i = 1; i < l->dims; i++)
        wraps = wraps || mw_label_wraps(o, i);
    /* clang-format off */
    const int64_t head[PLAN_AXES] = {
        [PLAN_ROWS] = rows, [PLAN_LENGTH] = l->length[0], [PLAN_WORDS] = (l->length[0] - 1) / 64 + 1,
        [PLAN_STRIPS] = (rows - 1) / strip_rows + 1, [PLAN_STRIP_ROWS] = strip_rows,
        [PLAN_WRAPS_X] = mw_label_wraps(o, 0),
        [PLAN_WRAPS] = wraps, [PLAN_BACKGROUND] = !o->no_background, [PLAN_ALL] = labelling->threshold.all,
        [PLAN_ROOMY] = l->cells <= MW_LABEL_ROOMY, [PLAN_DIMS] = (int64_t)l->dims - 1,
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(head); i++)
        TRY_RETURN(words_add(plan, head[i]));
    for (unsigned i = 1; i < l->dims; i++) {
        TRY_RETURN(words_add(plan, l->length[i]));
        TRY_RETURN(words_add(plan, l->stride[i] / l->stride[1]));
        TRY_RETURN(words_add(plan, mw_label_wraps(o, i)));
    }
    return o->lattice == MW_LATTICE_HYPERCUBIC && o->connectivity == MW_CONNECTIVITY_ALL
               ? add_all(plan, l)
               : add_kind(plan, l, mw_lattice_kinds(o->lattice));
}

int mw_label_plan_new(struct mw_labelling *labelling, struct mw_buffer **plan, const int64_t **words)
{
    struct words made = { 0 };
    const int rc = make_plan(labelling, &made);
    TRY_RETURN(mw_own(&labelling->owner, made.word, free));
    TRY_RETURN(rc);
    *words = made.word;
    return mw_own_copy(&labelling->owner, labelling->device, made.count * sizeof *made.word, made.word, plan);
}
/* SPDX-License-Identifier: MIT */
