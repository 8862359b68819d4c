/* The papers' serial algorithms, CPU I and II (section 5.3), on native devices: one launch of one work-item.  For
 * comparison; `runs` is much faster. */
#include <stdlib.h>

#include "label/label_internal.h"

#include "kernels/label/kinds.h"
#include "kernels/label/serial.h"
#include "kernels/native.h"
#include "label/plan.clh"

struct serial {
    struct mw_kernel_set *set, *classify;
    struct mw_buffer *plan, *near, *found;
    struct mw_buffer *kinds; /* with a threshold: whether each cell is above it, used as values */
    struct mw_buffer *list;  /* list of equivalent labels */
    struct label_joining joining;
};

/* By the width of labels. */
#define SERIAL(element)                                                                                                \
    {                                                                                                                  \
        mw_native_serial_##element##_32, mw_native_serial_##element##_64                                               \
    }
static const struct mw_native_kernel *const of_bytes[][2] = {
    [1] = SERIAL(u8), [2] = SERIAL(u16), [4] = SERIAL(u32), [8] = SERIAL(u64)
};
static const struct mw_native_kernel *const of_reals[][2] = { [4] = SERIAL(f32), [8] = SERIAL(f64) };

static int serial_make(struct mw_labelling *labelling, bool wants_list)
{
    const bool thresholds = labelling->options.join == MW_JOIN_THRESHOLD;
    const size_t cells = (size_t)labelling->lattice.cells, bytes = thresholds ? 1 : labelling->element_bytes;
    const struct mw_kernel_options kinds = { .native = mw_native_kinds };
    const struct mw_native_kernel *const(*of)[2] = labelling->options.join == MW_JOIN_TOLERANCE ? of_reals : of_bytes;
    const struct mw_kernel_options options = { .native = of[bytes][labelling->wide] };
    struct mw_owner *const owner = &labelling->owner;
    const int64_t *plan;
    struct serial *s;
    TRY_RETURN(mw_own_new(owner, 1, sizeof *s, &s));
    labelling->state = s;
    mw_label_joining(labelling, &s->joining);
    TRY_RETURN(mw_label_plan_new(labelling, &s->plan, &plan));
    TRY_RETURN(mw_own_kernels(owner, labelling->device, &kernels_label_serial, &options, &s->set));
    TRY_RETURN(
        mw_own_buffer(owner, labelling->device, NEAR_MOST(plan[PLAN_STEPS]) * NEAR_WORDS * sizeof(int64_t), &s->near));
    TRY_RETURN(mw_own_buffer(owner, labelling->device, 2 * sizeof(int64_t), &s->found));
    if (thresholds) {
        TRY_RETURN(mw_own_kernels(owner, labelling->device, &kernels_label_kinds, &kinds, &s->classify));
        TRY_RETURN(mw_own_buffer(owner, labelling->device, cells, &s->kinds));
    }
    return wants_list
               ? mw_own_buffer(owner, labelling->device, cells * mw_type_bytes(mw_labelling_type(labelling)), &s->list)
               : 0;
}

static int raster_make(struct mw_labelling *labelling) { return serial_make(labelling, false); }
static int equivalence_make(struct mw_labelling *labelling) { return serial_make(labelling, true); }

static int serial_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                      size_t *components, size_t *iterations)
{
    static const unsigned char below[8];
    const struct serial *s = labelling->state;
    const struct mw_arg value =
        s->kinds ? mw_arg_struct(below, 1) : mw_arg_struct(s->joining.value, labelling->element_bytes);
    const struct mw_range one = mw_items(1);
    struct mw_buffer *values = s->kinds ? s->kinds : from;
    int64_t found[2];
    if (s->kinds)
        TRY_RETURN(launch_label_kinds(s->classify, one, from, s->kinds, s->plan,
                                      mw_arg_struct(&s->joining, sizeof s->joining)));
    if (s->list)
        TRY_RETURN(launch_label_equivalence(s->set, one, values, labels, s->list, s->plan, s->near, s->found, value));
    else
        TRY_RETURN(launch_label_raster(s->set, one, values, labels, s->plan, s->near, s->found, value));
    TRY_RETURN(mw_buffer_read(s->found, 0, sizeof found, found, NULL));
    *components = (size_t)found[0];
    *iterations = (size_t)found[1];
    return 0;
}

const struct mw_label_variant mw_label_raster = { .make = raster_make, .run = serial_run };
const struct mw_label_variant mw_label_equivalence_serial = { .make = equivalence_make, .run = serial_run };
/* SPDX-License-Identifier: MIT */
