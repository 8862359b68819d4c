/* The papers' serial algorithms, CPU I and II (section 5.3), on native devices: what they are told of a mesh, and their
 * one launch of one item.  For comparison: `runs` is faster by far. */
#include <stdlib.h>
#include <string.h>

#include "label/native_serial.h"

struct serial {
    struct mw_program *program;
    struct mw_kernel *kernel, *classify;
    struct mw_buffer *kinds;     /* with a threshold: of each cell whether it is above it, which is what is labelled */
    struct mw_buffer *list;      /* of equivalence */
    struct mw_label_serial of;
};

/* ---- neighbours ---- */

size_t mw_label_serial_row(const struct mw_label_serial *s, int64_t row)
{
    const struct mw_lattice *l = &s->lattice;
    int64_t x[MW_DIMS_MAX];
    size_t count = 0;
    mw_lattice_x(l, row * l->length[0], x);
    for (size_t j = 0; j < s->step_count; j++) {
        int64_t to = row * l->length[0];
        bool there = true;
        for (unsigned i = 1; i < l->dims; i++) {
            int64_t by = s->step[j][i];
            if (x[i] + by < 0 || x[i] + by >= l->length[i]) {
                there = there && s->periodic[i];
                by -= by * l->length[i];
            }
            to += by * l->stride[i];
        }
        if (there)
            s->near[count++] = (struct mw_label_near){ .row = to, .dx = s->step[j][0] };
    }
    return count;
}

/* All neighbours: the numbers to base 3 of which the digits, less 1, are a step. */
static void all_steps(struct mw_label_serial *s)
{
    for (size_t j = 0; j < s->step_count; j++) {
        size_t rest = j < s->step_count / 2 ? j : j + 1;
        for (unsigned i = 0; i < s->lattice.dims; i++, rest /= 3)
            s->step[j][i] = (signed char)((int)(rest % 3) - 1);
    }
}

static int make_steps(const struct mw_label_options *o, struct mw_label_serial *s)
{
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(o->lattice);
    const bool all = o->lattice == MW_LATTICE_HYPERCUBIC && o->connectivity == MW_CONNECT_ALL;
    int rc;
    s->step_count = kind->coordination ? kind->coordination : 2 * o->dims;
    if (all) {
        s->step_count = 1;
        for (unsigned i = 0; i < o->dims; i++)
            s->step_count *= 3;
        s->step_count--;
    }
    TRY(mw_new(s->step_count, sizeof *s->step, &s->step));
    TRY(mw_new(s->step_count, sizeof *s->near, &s->near));
    if (all)
        all_steps(s);
    else
        memcpy(s->step, kind->step, s->step_count * sizeof *s->step);
out:
    return rc;
}

/* ---- making ---- */

/* With a threshold the values labelled are bytes, 0 and 1. */
static unsigned type_of(const struct mw_label_options *o)
{
    static const unsigned by_bytes[] = { [1] = MW_LABEL_SERIAL_1, [2] = MW_LABEL_SERIAL_2, [4] = MW_LABEL_SERIAL_4,
                                         [8] = MW_LABEL_SERIAL_8 };
    if (o->join == MW_JOIN_THRESHOLD)
        return MW_LABEL_SERIAL_1;
    if (o->join == MW_JOIN_TOLERANCE)
        return o->type == MW_TYPE_F32 ? MW_LABEL_SERIAL_F32 : MW_LABEL_SERIAL_F64;
    return by_bytes[mw_type_bytes(o->type)];
}

static int make(struct mw_labelling *labelling, const char *kernel, bool wants_list)
{
    const struct mw_label_options *o = &labelling->options;
    const size_t label_bytes = labelling->wide ? sizeof(int64_t) : sizeof(int32_t);
    const struct mw_source source = { .file = "label/serial",
                                      .native = mw_label_native_serial[labelling->wide][type_of(o)] };
    struct serial *s = NULL;
    int rc;
    TRY(mw_new(1, sizeof *s, &s));
    labelling->state = s;
    s->of.lattice = labelling->lattice;
    s->of.has_background = o->has_background;
    memcpy(s->of.periodic, o->periodic, sizeof s->of.periodic);
    s->of.cells = mw_label_cells(o->type, o->join);
    s->of.all = labelling->threshold.all;
    mw_label_value(labelling, o->join == MW_JOIN_THRESHOLD ? s->of.threshold : s->of.value);
    TRY(make_steps(o, &s->of));
    TRY(mw_program_new(labelling->device, &source, &s->program));
    TRY(mw_kernel_new(s->program, kernel, &s->kernel));
    if (o->join == MW_JOIN_THRESHOLD) {
        TRY(mw_kernel_new(s->program, "label_kinds", &s->classify));
        TRY(mw_buffer_new(labelling->device, (size_t)labelling->lattice.cells, &s->kinds));
    }
    if (wants_list)
        TRY(mw_buffer_new(labelling->device, (size_t)labelling->lattice.cells * label_bytes, &s->list));
out:
    return rc;
}

static int raster_make(struct mw_labelling *labelling) { return make(labelling, "label_raster", false); }
static int equivalence_make(struct mw_labelling *labelling) { return make(labelling, "label_equivalence", true); }

static void serial_drop(struct mw_labelling *labelling)
{
    struct serial *s = labelling->state;
    if (!s)
        return;
    mw_kernel_free(s->kernel);
    mw_kernel_free(s->classify);
    mw_program_free(s->program);
    mw_buffer_free(s->kinds);
    mw_buffer_free(s->list);
    free(s->of.step);
    free(s->of.near);
    free(s);
    labelling->state = NULL;
}

static int serial_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                      size_t *components, size_t *iterations)
{
    const struct mw_range range = { .dims = 1, .global = { 1 } };
    struct serial *s = labelling->state;
    struct mw_label_serial *of = &s->of;
    const struct mw_arg self = mw_arg_struct(&of, sizeof of);
    const struct mw_arg kinds[] = { mw_arg_buffer(from), mw_arg_buffer(s->kinds), self };
    const struct mw_arg args[] = { mw_arg_buffer(s->kinds ? s->kinds : from), mw_arg_buffer(labels),
                                   mw_arg_buffer(s->list), self };
    int rc;
    if (s->kinds)
        TRY(mw_launch(s->classify, &range, kinds, MW_COUNT(kinds), NULL));
    TRY(mw_launch(s->kernel, &range, args, MW_COUNT(args), NULL));
    *components = of->components;
    *iterations = of->iterations;
out:
    return rc;
}

const struct mw_label_variant mw_label_raster = { NULL, raster_make, serial_drop, serial_run };
const struct mw_label_variant mw_label_equivalence_serial = { NULL, equivalence_make, serial_drop, serial_run };
