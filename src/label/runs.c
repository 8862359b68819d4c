/* Labelling by runs of cells, for all kinds of CPUs: buffers and launches. */
#include <stdlib.h>

#include "dev/core/backend.h"
#include "label/label_internal.h"
#include "prim/rounds.h"

#include "kernels/label/runs.h"
#include "kernels/native.h"
#include "label/plan.clh"

enum { STARTS, KINDS, FIRST, STRIPS, COMPONENTS, BUFFERS };

struct runs {
    struct mw_kernel_set *set;
    struct mw_buffer *plan, *table, *buffer[BUFFERS];
    struct label_joining joining;
    size_t strips, table_bytes; /* bytes of an entry of the table */
    int64_t *results;           /* per strip, on the host */
    bool roomy;
};

/* The loops of a strip need a CPU core, not a GPU thread. */
static const char *runs_refuses(const struct mw_labelling *labelling)
{
    const bool lanes = mw_device_info(labelling->device)->traits->items_are_lanes;
    return lanes                ? "needs CPU cores (use union-find)"
           : labelling->ordered ? "needs double precision for float64 (use union-find)"
                                : NULL;
}

/* ---- construction ---- */

static int make_set(struct mw_labelling *labelling, struct runs *r)
{
    const struct mw_kernel_options options = { .fp64 = labelling->options.type == MW_TYPE_F64,
                                               .native = labelling->wide ? mw_native_runs_64 : mw_native_runs_32 };
    struct mw_text defines = { 0 };
    mw_label_cell_defines(labelling, &defines);
    if (labelling->wide)
        mw_text_add(&defines, "#define LABEL_64 1\n");
    return mw_own_kernels_text(&labelling->owner, labelling->device, &kernels_label_runs, &options, &defines, &r->set);
}

static int runs_make_buffers(struct mw_labelling *labelling, const int64_t *plan, struct runs *r)
{
    const size_t label_bytes = labelling->wide ? sizeof(int64_t) : sizeof(int32_t);
    const size_t rows = (size_t)plan[PLAN_ROWS], words = (size_t)plan[PLAN_WORDS];
    const struct mw_label_need needs[BUFFERS] = {
        [STARTS] = { rows * words, sizeof(uint64_t) },
        [KINDS] = { rows * words, sizeof(uint64_t) },
        [FIRST] = { rows, label_bytes },
        [STRIPS] = { r->strips * STRIP_WORDS, sizeof(int64_t) },
        [COMPONENTS] = { 1, sizeof(int64_t) },
    };
    TRY_RETURN(mw_label_buffers(labelling, needs, BUFFERS, r->buffer));
    /* Unless roomy, it grows with the number of components in strips. */
    return mw_buffer_new(labelling->device, (r->roomy ? (size_t)labelling->lattice.cells : 1) * label_bytes, &r->table);
}

static void drop_table(void *state) { mw_buffer_free(((struct runs *)state)->table); }

static int runs_make(struct mw_labelling *labelling)
{
    const int64_t *plan;
    struct runs *r;
    TRY_RETURN(mw_own_new(&labelling->owner, 1, sizeof *r, &r));
    labelling->state = r;
    TRY_RETURN(mw_own(&labelling->owner, r, drop_table));
    mw_label_joining(labelling, &r->joining);
    TRY_RETURN(mw_label_plan_new(labelling, &r->plan, &plan));
    r->strips = (size_t)plan[PLAN_STRIPS];
    r->roomy = plan[PLAN_ROOMY];
    r->table_bytes = labelling->wide ? sizeof(int64_t) : sizeof(int32_t);
    TRY_RETURN(mw_own_new(&labelling->owner, r->strips, STRIP_WORDS * sizeof *r->results, &r->results));
    TRY_RETURN(make_set(labelling, r));
    return runs_make_buffers(labelling, plan, r);
}

/* ---- execution ---- */

/* A strip is a work-group of its own, so that no core waits for the last group of another. */
static struct mw_range groups_of_one(size_t items)
{
    return (struct mw_range){ .dims = 1, .global = { items }, .group = { 1 } };
}

/* Assigns each strip its part of the table, and grows the table to hold all components. */
static int share_table(struct mw_labelling *labelling, struct runs *r)
{
    const size_t bytes = r->strips * STRIP_WORDS * sizeof *r->results;
    int64_t count = 0;
    TRY_RETURN(mw_buffer_read(r->buffer[STRIPS], 0, bytes, r->results, NULL));
    for (size_t s = 0; s < r->strips; s++) {
        r->results[s * STRIP_WORDS + STRIP_TABLE] = count;
        count += r->results[s * STRIP_WORDS + STRIP_COMPONENTS];
    }
    TRY_RETURN(mw_buffer_reserve(labelling->device, (size_t)count * r->table_bytes, &r->table));
    TRY_RETURN(mw_buffer_write(r->buffer[STRIPS], 0, bytes, r->results, NULL));
    return launch_label_table(r->set, groups_of_one(r->strips), r->table, r->buffer[STRIPS], r->plan);
}

static int runs_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                    size_t *components, size_t *iterations)
{
    const bool native = mw_device_info(labelling->device)->kind == MW_DEVICE_NATIVE;
    struct runs *r = labelling->state;
    struct mw_buffer *const *b = r->buffer;
    const struct mw_range strips = groups_of_one(r->strips);
    const struct mw_arg joining = native ? mw_arg_struct(&r->joining, sizeof r->joining)
                                         : mw_arg_struct(r->joining.value, labelling->element_bytes);
    int64_t found;
    TRY_RETURN(launch_label_strips(r->set, strips, from, labels, r->table, b[STARTS], b[KINDS], b[FIRST], b[STRIPS],
                                   r->plan, joining));
    if (!r->roomy)
        TRY_RETURN(share_table(labelling, r));
    if (r->strips > 1)
        TRY_RETURN(launch_label_seams(r->set, strips, from, labels, r->table, b[STARTS], b[KINDS], b[FIRST], b[STRIPS],
                                      r->plan, joining));
    TRY_RETURN(launch_label_numbers(r->set, groups_of_one(1), r->table, b[STRIPS], r->plan, b[COMPONENTS]));
    TRY_RETURN(launch_label_fill(r->set, strips, from, labels, r->table, b[STARTS], b[KINDS], b[FIRST], b[STRIPS],
                                 r->plan, joining));
    TRY_RETURN(mw_buffer_read(b[COMPONENTS], 0, sizeof found, &found, NULL));
    *components = (size_t)found;
    *iterations = 1;
    return 0;
}

const struct mw_label_variant mw_label_runs = { .refuses = runs_refuses, .make = runs_make, .run = runs_run };
/* SPDX-License-Identifier: MIT */
