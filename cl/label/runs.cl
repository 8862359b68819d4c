/* Labelling by runs on CPU cores: one strip per work-item, four or five launches.
 *
 *   ELEMENT   the C type of a cell's value
 *   JOIN      JOIN_EQUAL, JOIN_THRESHOLD or JOIN_TOLERANCE
 *   LABEL_64  labels have 64 bits
 * Everything else is in the plan, so a program supports any mesh; native programs also support any type of cells.
 * JOINING is the background, the threshold (rounded down to an element) or the tolerance. */
#include "label/cells.clh"
#include "label/joining.clh"

NATIVE_PROGRAM(runs_32, )
NATIVE_PROGRAM(runs_64, LABEL_64)

#if defined(MW_HOST)

typedef unsigned char element;
#define JOINING struct label_joining
#define CELLS_COMPARE(c, a, b, n) (c).joining.of->compare((c).from, a, b, n, (c).joining.value)
#define CELLS_CLASSIFY(c, row, n, background, all, other, to)                                                        \
    (c).joining.of->classify((c).from, row, n, (c).joining.value, (background) != 0, (all) != 0, other, to)

#else

typedef ELEMENT element;
#define JOINING element

#define JOIN_EQUAL 0
#define JOIN_THRESHOLD 1
#define JOIN_TOLERANCE 2
#if JOIN == JOIN_EQUAL
COMPARE(compare_cells, element, JOINS_EQUAL)
CLASSIFY_EQUAL(classify_cells, element)
#define ZERO(c, background) ((background) ? (c).joining : (c).from[0])
#elif JOIN == JOIN_THRESHOLD
COMPARE(compare_cells, element, JOINS_EQUAL)
CLASSIFY_THRESHOLD(classify_cells, element)
#define ZERO(c, background) ((c).joining)
#else
COMPARE(compare_cells, element, JOINS_TOLERANCE)
CLASSIFY_NOTHING(classify_cells, element)
#define ZERO(c, background) ((c).joining)
#endif
#define CELLS_COMPARE(c, a, b, n) compare_cells((c).from + (a), (c).from + (b), n, (c).joining)
#define CELLS_CLASSIFY(c, row, n, background, all, other, to)                                                        \
    classify_cells((c).from, row, n, ZERO(c, background), (i32)(all), other, to)

#endif

struct cells {
    const __global element *from;
    JOINING joining;
};

#include "label/runs.clh"

#define ARGUMENTS                                                                                                    \
    const __global element *from, __global label *labels, __global label *table, __global u64 *starts,               \
        __global u64 *kinds, __global label *first, __global i64 *strips, const __global i64 *plan,                  \
        const JOINING joining

#define RUNS                                                                                                         \
    const i64 s = (i64)get_global_id(0);                                                                             \
    struct runs c;                                                                                                   \
    if (s >= plan[PLAN_STRIPS])                                                                                      \
        return;                                                                                                      \
    c.cells.from = from, c.cells.joining = joining, c.labels = labels, c.table = table, c.starts = starts,           \
    c.kinds = kinds, c.first = first, c.strips = strips, c.plan = plan

__kernel void label_strips(ARGUMENTS)
{
    RUNS;
    runs_strip(&c, s);
}

__kernel void label_seams(ARGUMENTS)
{
    RUNS;
    runs_seam(&c, s);
}

__kernel void label_fill(ARGUMENTS)
{
    RUNS;
    runs_fill(&c, s);
}

__kernel void label_table(__global label *table, const __global i64 *strips, const __global i64 *plan)
{
    const i64 s = (i64)get_global_id(0);
    if (s < plan[PLAN_STRIPS])
        runs_table(table, strips + s * STRIP_WORDS);
}

/* One work-item. */
__kernel void label_numbers(__global label *table, const __global i64 *strips, const __global i64 *plan,
                            __global i64 *components)
{
    if (get_global_id(0) == 0)
        components[0] = runs_number(table, strips, plan);
}
/* SPDX-License-Identifier: MIT */
