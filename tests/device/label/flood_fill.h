/* Expected labels of arrays, by a flood fill from the definition. */
#ifndef MW_TESTS_FLOOD_FILL_H
#define MW_TESTS_FLOOD_FILL_H

#include <meshwork/label.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static double value_at(const struct mw_array *a, size_t k)
{
/* clang-format off */
#define VALUE(type_, c_type) case type_: return (double)((const c_type *)a->data)[k];
    switch (a->type) {
    VALUE(MW_TYPE_BOOL, uint8_t) VALUE(MW_TYPE_I8, int8_t) VALUE(MW_TYPE_U8, uint8_t) VALUE(MW_TYPE_I16, int16_t)
    VALUE(MW_TYPE_U16, uint16_t) VALUE(MW_TYPE_I32, int32_t) VALUE(MW_TYPE_U32, uint32_t) VALUE(MW_TYPE_F32, float)
    VALUE(MW_TYPE_F64, double)
    default: fail_msg("type %d", (int)a->type); return 0;
    }
    /* clang-format on */
}

/* A double cannot hold all 8-byte integers. */
static int64_t integer_at(const struct mw_array *a, size_t k)
{
    return a->type == MW_TYPE_I64 || a->type == MW_TYPE_U64 ? ((const int64_t *)a->data)[k] : (int64_t)value_at(a, k);
}

static bool is_above(const struct mw_label_options *o, const struct mw_array *a, size_t k)
{
    switch (a->type) {
    case MW_TYPE_I64: return (long double)((const int64_t *)a->data)[k] > (long double)o->threshold;
    case MW_TYPE_U64: return (long double)((const uint64_t *)a->data)[k] > (long double)o->threshold;
    case MW_TYPE_F32: /* a threshold within the range of the type is rounded to it */
        return value_at(a, k) > (fabs(o->threshold) < 3.4e38 ? (double)(float)o->threshold : o->threshold);
    default: return value_at(a, k) > o->threshold;
    }
}

static bool is_background(const struct mw_label_options *o, const struct mw_array *a, size_t k)
{
    if (o->no_background || o->join == MW_JOIN_TOLERANCE)
        return false;
    if (o->join == MW_JOIN_THRESHOLD)
        return !is_above(o, a, k);
    if (a->type == MW_TYPE_U64)
        return o->background >= 0 && ((const uint64_t *)a->data)[k] == (uint64_t)o->background;
    return integer_at(a, k) == o->background;
}

static bool joined(const struct mw_label_options *o, const struct mw_array *a, size_t k, size_t l)
{
    if (is_background(o, a, k) || is_background(o, a, l))
        return false;
    if (o->join == MW_JOIN_THRESHOLD)
        return is_above(o, a, k) == is_above(o, a, l);
    if (o->join <= MW_JOIN_EQUAL)
        return integer_at(a, k) == integer_at(a, l);
    if (a->type == MW_TYPE_F32) {
        const float x = ((const float *)a->data)[k], y = ((const float *)a->data)[l];
        return x == y || fabsf(x - y) <= o->tolerance;
    }
    return value_at(a, k) == value_at(a, l) || fabs(value_at(a, k) - value_at(a, l)) <= o->tolerance;
}

/* The steps to all neighbours. */
struct steps {
    size_t count;
    signed char step[6561][MW_DIMS_MAX];
};

static void find_steps(const struct mw_label_options *o, struct steps *s)
{
    size_t all = 1;
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < o->dims; i++)
        all *= 3;
    if (o->lattice != MW_LATTICE_HYPERCUBIC) {
        s->count = mw_lattice_kinds(o->lattice)->coordination;
        memcpy(s->step, mw_lattice_kinds(o->lattice)->step, s->count * sizeof s->step[0]);
        return;
    }
    for (size_t j = 0; j < all; j++) {
        size_t rest = j, moved = 0;
        for (unsigned i = 0; i < o->dims; i++, rest /= 3) {
            s->step[s->count][i] = (signed char)((int)(rest % 3) - 1);
            moved += rest % 3 != 1;
        }
        s->count += o->connectivity == MW_CONNECTIVITY_ALL ? moved > 0 : moved == 1;
    }
}

static bool step_to(const struct mw_label_options *o, const signed char *step, size_t k, size_t *to)
{
    size_t stride = 1;
    *to = 0;
    for (unsigned i = 0; i < o->dims; i++) {
        const size_t length = o->length[i];
        size_t x = k % length;
        k /= length;
        if ((step[i] < 0 && x == 0) || (step[i] > 0 && x == length - 1)) {
            if (o->boundary[i] != MW_BOUNDARY_PERIODIC)
                return false;
            x = step[i] < 0 ? length - 1 : 0;
        } else {
            x += (size_t)step[i];
        }
        *to += x * stride;
        stride *= length;
    }
    return true;
}

static size_t flood_fill(const struct mw_label_options *o, const struct mw_array *a, int64_t *labels)
{
    static struct steps steps;
    size_t *stack = malloc((a->count + 1) * sizeof *stack), components = 0;
    assert_non_null(stack);
    find_steps(o, &steps);
    memset(labels, 0, a->count * sizeof *labels);
    for (size_t k = 0; k < a->count; k++) {
        size_t depth = 0;
        if (labels[k] != 0 || is_background(o, a, k))
            continue;
        labels[k] = (int64_t)++components;
        stack[depth++] = k;
        while (depth > 0) {
            const size_t cell = stack[--depth];
            for (size_t j = 0; j < steps.count; j++) {
                size_t to;
                if (!step_to(o, steps.step[j], cell, &to) || labels[to] != 0 || !joined(o, a, cell, to))
                    continue;
                labels[to] = (int64_t)components;
                stack[depth++] = to;
            }
        }
    }
    free(stack);
    return components;
}

#endif
/* SPDX-License-Identifier: MIT */
