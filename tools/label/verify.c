/* meshwork label --verify: a flood fill on the host, independent of the library's kernels. */
#include <float.h>
#include <math.h>

#include "tools/label/label.h"

struct flood {
    const struct label *l;
    struct mw_lattice lattice;
    signed char (*step)[MW_DIMS_MAX];
    size_t step_count;
    int64_t *labels, *stack;
    size_t components;
};

/* Offsets from any cell to its neighbours. */
static int make_steps(struct flood *f)
{
    const struct mw_label_options *o = &f->l->options;
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(o->lattice);
    size_t count = 1;
    for (unsigned i = 0; i < o->dims; i++)
        count *= 3;
    TRY_RETURN(mw_new(count, sizeof(*f->step), &f->step));
    if (o->lattice != MW_LATTICE_HYPERCUBIC) {
        f->step_count = kind->coordination;
        memcpy(f->step, kind->step, kind->coordination * sizeof(*f->step));
        return 0;
    }
    for (size_t n = 0; n < count; n++) {
        signed char step[MW_DIMS_MAX] = { 0 };
        unsigned moves = 0;
        size_t digits = n;
        for (unsigned i = 0; i < o->dims; i++, digits /= 3) {
            step[i] = (signed char)(digits % 3) - 1;
            moves += step[i] != 0;
        }
        if (moves == 1 || (moves && o->connectivity == MW_CONNECTIVITY_ALL))
            memcpy(f->step[f->step_count++], step, sizeof(step));
    }
    return 0;
}

/* Returns the nearest float32, or one that separates the same numbers. */
static float single(double value) { return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -INFINITY : (float)value; }

/* Returns whether an element is above the threshold; exact for 64-bit integers. */
static bool is_above(const struct mw_array *a, size_t k, double threshold)
{
    const double t = floor(threshold);
    switch (a->type) {
    case MW_TYPE_I8: return ((const int8_t *)a->data)[k] > threshold;
    case MW_TYPE_I16: return ((const int16_t *)a->data)[k] > threshold;
    case MW_TYPE_U16: return ((const uint16_t *)a->data)[k] > threshold;
    case MW_TYPE_I32: return ((const int32_t *)a->data)[k] > threshold;
    case MW_TYPE_U32: return ((const uint32_t *)a->data)[k] > threshold;
    case MW_TYPE_I64: return t < -0x1p63 || (t < 0x1p63 && ((const int64_t *)a->data)[k] > (int64_t)t);
    case MW_TYPE_U64: return t < 0 || (t < 0x1p64 && ((const uint64_t *)a->data)[k] > (uint64_t)t);
    case MW_TYPE_F32: return ((const float *)a->data)[k] > single(threshold);
    case MW_TYPE_F64: return ((const double *)a->data)[k] > threshold;
    default: return ((const uint8_t *)a->data)[k] > threshold;
    }
}

static bool are_joined(const struct label *l, size_t a, size_t b)
{
    const size_t bytes = mw_type_bytes(l->source.type);
    const char *cells = l->source.data;
    switch (l->options.join) {
    case MW_JOIN_EQUAL: return !memcmp(cells + a * bytes, cells + b * bytes, bytes);
    case MW_JOIN_THRESHOLD:
        return is_above(&l->source, a, l->options.threshold) == is_above(&l->source, b, l->options.threshold);
    default:
        if (l->source.type == MW_TYPE_F32)
            return fabsf(((const float *)l->source.data)[a] - ((const float *)l->source.data)[b]) <=
                   single(l->options.tolerance);
        return fabs(((const double *)l->source.data)[a] - ((const double *)l->source.data)[b]) <= l->options.tolerance;
    }
}

static bool is_background(const struct label *l, size_t k)
{
    const size_t bytes = mw_type_bytes(l->source.type);
    if (l->options.no_background)
        return false;
    return l->options.join == MW_JOIN_THRESHOLD
               ? !is_above(&l->source, k, l->options.threshold)
               : !memcmp((const char *)l->source.data + k * bytes, l->background, bytes);
}

/* Returns the k-index of a neighbour; -1: none. */
static int64_t neighbour(const struct flood *f, const int64_t *x, const signed char *step)
{
    int64_t at[MW_DIMS_MAX];
    for (unsigned i = 0; i < f->lattice.dims; i++) {
        const int64_t n = f->lattice.length[i];
        at[i] = x[i] + step[i];
        if (f->l->options.boundary[i] == MW_BOUNDARY_PERIODIC)
            at[i] = (at[i] + n) % n;
        else if (at[i] < 0 || at[i] >= n)
            return -1;
    }
    return mw_lattice_k(&f->lattice, at);
}

static void fill_from(struct flood *f, int64_t first, int64_t label)
{
    size_t depth = 0;
    f->labels[first] = label;
    f->stack[depth++] = first;
    while (depth) {
        const int64_t k = f->stack[--depth];
        int64_t x[MW_DIMS_MAX];
        mw_lattice_x(&f->lattice, k, x);
        for (size_t s = 0; s < f->step_count; s++) {
            const int64_t other = neighbour(f, x, f->step[s]);
            if (other < 0 || f->labels[other] || is_background(f->l, (size_t)other) ||
                !are_joined(f->l, (size_t)k, (size_t)other))
                continue;
            f->labels[other] = label;
            f->stack[depth++] = other;
        }
    }
}

/* Drops components outside --min-size and --max-size, and renumbers the rest. */
static int verify_drop(struct flood *f)
{
    const struct label_settings *set = f->l->set;
    int64_t *renamed = NULL;
    size_t kept = 0;
    int rc;
    TRY(mw_new(f->components + 1, sizeof(*renamed), &renamed));
    for (int64_t k = 0; k < f->lattice.cells; k++)
        renamed[f->labels[k]]++;
    renamed[0] = 0;
    for (size_t c = 1; c <= f->components; c++) {
        const uint64_t size = (uint64_t)renamed[c];
        const bool is_kept = size >= set->min_size && (!set->max_size || size <= set->max_size);
        renamed[c] = is_kept ? (int64_t)++kept : 0;
    }
    for (int64_t k = 0; k < f->lattice.cells; k++)
        f->labels[k] = renamed[f->labels[k]];
    f->components = kept;
out:
    free(renamed);
    return rc;
}

struct comparison {
    const struct flood *f;
    size_t differing, first;
};

static int compare_slice(void *context, size_t first, size_t count, const void *labels)
{
    struct comparison *c = context;
    for (size_t i = 0; i < count; i++)
        if (label_at(labels, c->f->l->label_type, i) != c->f->labels[first + i] && c->differing++ == 0)
            c->first = first + i;
    return 0;
}

static int compare(const struct flood *f)
{
    struct comparison c = { .f = f };
    TRY_RETURN(label_each_slice(f->l, compare_slice, &c));
    if (c.differing || f->components != f->l->summary.components)
        return mw_fail(MW_EVERIFY,
                       "verification failed: %zu components on %s and %zu by a flood fill, %zu of %zu "
                       "labels differ, the first at k=%zu: please report this with `meshwork devices -v`",
                       f->l->summary.components, mw_device_info(f->l->team.device[0])->id, f->components, c.differing,
                       f->l->source.count, c.first);
    return 0;
}

int label_verify(void *task)
{
    struct label *l = task;
    int64_t length[MW_DIMS_MAX] = { 0 };
    struct flood f = { .l = l };
    int rc;
    for (unsigned i = 0; i < l->options.dims; i++)
        length[i] = (int64_t)l->options.length[i];
    TRY(mw_lattice_make(l->options.dims, length, &f.lattice));
    TRY(make_steps(&f));
    TRY(mw_new(l->source.count, sizeof(*f.labels), &f.labels));
    TRY(mw_new(l->source.count, sizeof(*f.stack), &f.stack));
    for (int64_t k = 0; k < f.lattice.cells; k++)
        if (!f.labels[k] && !is_background(l, (size_t)k))
            fill_from(&f, k, (int64_t)++f.components);
    if (label_drops(l))
        TRY(verify_drop(&f));
    TRY(compare(&f));
out:
    free(f.step);
    free(f.labels);
    free(f.stack);
    return rc;
}
/* SPDX-License-Identifier: MIT */
