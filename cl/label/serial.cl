/* The serial algorithms of Hawick, Leist and Playne (section 5.3), for one work-item.
 *
 *   ELEMENT_BYTES  bytes of a value, 1, 2, 4 or 8: equal cells join; `value` is the background, if there is one
 *                  (PLAN_BACKGROUND).  Undefined: values are reals that join within a tolerance, `value`
 *   LABEL_64       labels have 64 bits
 *
 * `near` has two words per neighbour of the cells of a row, for at most NEAR_MOST(steps) neighbours.  `found` receives
 * the numbers of components and of iterations. */
#include "label/plan.clh"

NATIVE_PROGRAM(serial_u8_32, ELEMENT_BYTES=1)
NATIVE_PROGRAM(serial_u8_64, ELEMENT_BYTES=1 LABEL_64)
NATIVE_PROGRAM(serial_u16_32, ELEMENT_BYTES=2)
NATIVE_PROGRAM(serial_u16_64, ELEMENT_BYTES=2 LABEL_64)
NATIVE_PROGRAM(serial_u32_32, ELEMENT_BYTES=4)
NATIVE_PROGRAM(serial_u32_64, ELEMENT_BYTES=4 LABEL_64)
NATIVE_PROGRAM(serial_u64_32, ELEMENT_BYTES=8)
NATIVE_PROGRAM(serial_u64_64, ELEMENT_BYTES=8 LABEL_64)
NATIVE_PROGRAM(serial_f32_32, )
NATIVE_PROGRAM(serial_f32_64, LABEL_64)
NATIVE_PROGRAM(serial_f64_32, REAL_DOUBLE)
NATIVE_PROGRAM(serial_f64_64, REAL_DOUBLE LABEL_64)

#if !defined(ELEMENT_BYTES)
typedef real element;
/* Equality is tested separately because of infinities. */
#define SERIAL_JOINED(a, b) ((a) == (b) || ((a) - (b) <= value && (b) - (a) <= value))
#else
#if ELEMENT_BYTES == 1
typedef unsigned char element;
#elif ELEMENT_BYTES == 2
typedef unsigned short element;
#elif ELEMENT_BYTES == 4
typedef u32 element;
#else
typedef u64 element;
#endif
#define SERIAL_JOINED(a, b) ((a) == (b))
#endif

#ifdef LABEL_64
typedef i64 label;
#else
typedef i32 label;
#endif

/* ---- neighbours of the cells of a row ---- */

INLINE i32 near_add(__global i64 *near, const i32 count, const i64 cell, const i64 dx)
{
    near[NEAR_WORDS * count + NEAR_ROW] = cell;
    near[NEAR_WORDS * count + NEAR_DX] = dx;
    return count + 1;
}

/* Adds the neighbours in the row of a step, or of its opposite, in which the next cell is the previous one. */
INLINE i32 near_step(const __global i64 *plan, const __global i64 *step, const i64 way, const i64 row,
                     const __private i64 *x, __global i64 *near, i32 count)
{
    const i64 to = row_step(plan, step, way, row, x), cell = to * plan[PLAN_LENGTH], dx = step[STEP_DX];
    if (to < 0)
        return count;
    if (dx & DX_BEFORE)
        count = near_add(near, count, cell, -way);
    if (dx & DX_SAME)
        count = near_add(near, count, cell, 0);
    if (dx & DX_AFTER)
        count = near_add(near, count, cell, way);
    return count;
}

/* Adds all of them; returns their number. */
INLINE i32 near_row(const __global i64 *plan, const i64 row, __global i64 *near)
{
    const __global i64 *step = plan_steps(plan);
    i64 x[PLAN_DIMS_MAX];
    i32 count = near_add(near, 0, row * plan[PLAN_LENGTH], -1);
    count = near_add(near, count, row * plan[PLAN_LENGTH], 1);
    row_find(plan, row, x);
    for (i64 i = 0; i < plan[PLAN_STEPS]; i++, NEXT_STEP(plan, step)) {
        count = near_step(plan, step, 1, row, x, near, count);
        count = near_step(plan, step, -1, row, x, near, count);
    }
    return count;
}

/* Returns the smallest label of a cell and its neighbours of the same component. */
INLINE label least_near(const __global element *from, const __global label *labels, const __global i64 *near,
                        const i32 count, const i64 row, const i64 x, const i64 length, const i64 wraps,
                        const element value)
{
    const element cell = from[row + x];
    label least = labels[row + x];
    (void)value;
    for (i32 j = 0; j < count; j++) {
        i64 to = x + near[NEAR_WORDS * j + NEAR_DX];
        if (to < 0 || to >= length) {
            if (!wraps)
                continue;
            to += to < 0 ? length : -length;
        }
        to += near[NEAR_WORDS * j + NEAR_ROW];
        if (labels[to] < least && SERIAL_JOINED(cell, from[to]))
            least = labels[to];
    }
    return least;
}

/* ---- first and last steps of both algorithms ---- */

/* Gives every cell its k-index as label; background: -1. */
INLINE void start_cells(const __global element *from, __global label *labels, const __global i64 *plan,
                        const element value)
{
    const i64 cells = plan[PLAN_ROWS] * plan[PLAN_LENGTH], background = plan[PLAN_BACKGROUND];
    for (i64 k = 0; k < cells; k++)
        labels[k] = background && from[k] == value ? -1 : (label)k;
}

/* Replaces the k-indices of components' first cells by numbers; first cells precede the others of their component. */
INLINE i64 number_cells(__global label *labels, const __global i64 *plan)
{
    const i64 cells = plan[PLAN_ROWS] * plan[PLAN_LENGTH];
    label number = 0;
    for (i64 k = 0; k < cells; k++) {
        const label root = labels[k];
        labels[k] = root < 0 ? 0 : root == (label)k ? ++number : labels[root];
    }
    return number;
}

/* ---- CPU I ---- */

/* Makes one raster scan, down or up; returns whether it changed a label. */
INLINE i32 scan_cells(const __global element *from, __global label *labels, const __global i64 *plan,
                      __global i64 *near, const i32 upwards, const element value)
{
    const i64 length = plan[PLAN_LENGTH], rows = plan[PLAN_ROWS], wraps = plan[PLAN_WRAPS_X];
    i32 changed = 0;
    for (i64 i = 0; i < rows; i++) {
        const i64 row = upwards ? rows - 1 - i : i;
        const i32 count = near_row(plan, row, near);
        for (i64 j = 0; j < length; j++) {
            const i64 x = upwards ? length - 1 - j : j;
            const label least = least_near(from, labels, near, count, row * length, x, length, wraps, value);
            changed |= least < labels[row * length + x];
            labels[row * length + x] = least;
        }
    }
    return changed;
}

__kernel void label_raster(const __global element *from, __global label *labels, const __global i64 *plan,
                           __global i64 *near, __global i64 *found, const element value)
{
    i64 iterations = 0;
    if (get_global_id(0) > 0)
        return;
    start_cells(from, labels, plan, value);
    while (scan_cells(from, labels, plan, near, iterations++ % 2 == 1, value)) {
    }
    found[0] = number_cells(labels, plan);
    found[1] = iterations;
}

/* ---- CPU II ---- */

/* Finds for each label the smallest one that it touches; returns whether there is any. */
INLINE i32 scan_labels(const __global element *from, const __global label *labels, __global label *list,
                       const __global i64 *plan, __global i64 *near, const element value)
{
    const i64 length = plan[PLAN_LENGTH], rows = plan[PLAN_ROWS], wraps = plan[PLAN_WRAPS_X];
    i32 any = 0;
    for (i64 row = 0; row < rows; row++) {
        const i32 count = near_row(plan, row, near);
        for (i64 x = 0; x < length; x++) {
            const label own = labels[row * length + x];
            const label least = least_near(from, labels, near, count, row * length, x, length, wraps, value);
            if (least == own)
                continue;
            any = 1;
            if (least < list[own])
                list[own] = least;
        }
    }
    return any;
}

/* The three phases of kernel D.  Algorithm 8 as printed looks up R[label] in its chain; R[ref] is meant.  Labels only
 * decrease, so in ascending order a chain has at most two links. */
__kernel void label_equivalence(const __global element *from, __global label *labels, __global label *list,
                                const __global i64 *plan, __global i64 *near, __global i64 *found,
                                const element value)
{
    const i64 cells = plan[PLAN_ROWS] * plan[PLAN_LENGTH];
    i64 iterations = 1;
    if (get_global_id(0) > 0)
        return;
    start_cells(from, labels, plan, value);
    for (i64 k = 0; k < cells; k++)
        list[k] = (label)k;
    for (; scan_labels(from, labels, list, plan, near, value); iterations++) {
        for (i64 k = 0; k < cells; k++) {
            label ref = list[k];
            if (labels[k] != (label)k)
                continue;
            while (ref != list[ref])
                ref = list[ref];
            list[k] = ref;
        }
        for (i64 k = 0; k < cells; k++)
            if (labels[k] >= 0)
                labels[k] = list[labels[k]];
    }
    found[0] = number_cells(labels, plan);
    found[1] = iterations;
}
/* SPDX-License-Identifier: MIT */
