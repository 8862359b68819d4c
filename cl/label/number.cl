/* From roots to labels (number.clh).  `labels` of label_write may be `roots`, where they are of one type.
 *
 *   GROUP  items of a work-group that numbers a chunk together, of PER_ITEM cells an item; not defined: an item numbers
 *          a chunk by itself, on cores */
#include "label/number.clh"

#ifdef GROUP

#define CHUNK (GROUP * PER_ITEM)

#ifdef MW_OPENCL
#define OF_GROUP __attribute__((reqd_work_group_size(GROUP, 1, 1)))
#else
#define OF_GROUP
#endif

/* Local memory has banks, which an item's successive cells would share with its neighbours'. */
#define SLOT(at) ((at) + (at) / 32)

__kernel OF_GROUP void label_count(__global label *counts, const __global label *labels, const i64 cells,
                                   const i64 chunk)
{
    SHARED i32 roots[GROUP];
    const i32 id = (i32)get_local_id(0);
    const i64 begin = (i64)get_group_id(0) * CHUNK;
    i32 mine = 0;
    for (i64 k = begin + id; k < begin + CHUNK && k < cells; k += GROUP)
        mine += labels[k] == (label)k;
    roots[id] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 others = GROUP / 2; others > 0; others /= 2) { /* uniform */
        if (id < others)
            roots[id] += roots[id + others];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        counts[get_group_id(0)] = roots[0];
}

/* Cells are read by the group one behind the other; then an item numbers the roots of PER_ITEM successive ones. */
__kernel OF_GROUP void label_assign(__global label *numbers, const __global label *labels,
                                    const __global label *counts, const i64 cells, const i64 chunk)
{
    SHARED i32 is_root[SLOT(CHUNK)];
    SHARED i32 before[GROUP];
    const i32 id = (i32)get_local_id(0);
    const i64 begin = (i64)get_group_id(0) * CHUNK;
    for (i32 at = id; at < CHUNK; at += GROUP)
        is_root[SLOT(at)] = begin + at < cells && labels[begin + at] == (label)(begin + at);
    barrier(CLK_LOCAL_MEM_FENCE);
    i32 mine = 0;
    for (i32 j = 0; j < PER_ITEM; j++)
        mine += is_root[SLOT(id * PER_ITEM + j)];
    before[id] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 reach = 1; reach < GROUP; reach *= 2) { /* uniform */
        const i32 more = id >= reach ? before[id - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        before[id] += more;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    label number = counts[get_group_id(0)] + (label)(before[id] - mine) + 1;
    for (i32 j = 0; j < PER_ITEM; j++)
        if (is_root[SLOT(id * PER_ITEM + j)])
            numbers[begin + id * PER_ITEM + j] = number++;
}

__kernel void label_write(__global result *labels, const __global label *roots, const __global label *numbers,
                          const i64 cells, const i64 chunk)
{
    const i64 k = (i64)get_global_id(0);
    if (k < cells)
        labels[k] = numbered(numbers, roots[k]);
}

#else

__kernel void label_count(__global label *counts, const __global label *labels, const i64 cells, const i64 chunk)
{
    const i64 begin = (i64)get_global_id(0) * chunk;
    if (begin < cells)
        counts[get_global_id(0)] = count_roots(labels, begin, begin + chunk < cells ? begin + chunk : cells);
}

__kernel void label_assign(__global label *numbers, const __global label *labels, const __global label *counts,
                           const i64 cells, const i64 chunk)
{
    const i64 begin = (i64)get_global_id(0) * chunk;
    if (begin < cells)
        number_roots(numbers, labels, counts[get_global_id(0)] + 1, begin,
                     begin + chunk < cells ? begin + chunk : cells);
}

__kernel void label_write(__global result *labels, const __global label *roots, const __global label *numbers,
                          const i64 cells, const i64 chunk)
{
    const i64 begin = (i64)get_global_id(0) * chunk;
    const i64 end = begin + chunk < cells ? begin + chunk : cells;
    for (i64 k = begin; k < end; k++)
        labels[k] = numbered(numbers, roots[k]);
}

#endif
