/* Variant copies: the papers' algorithms 21 to 25 for the Cell processor. They are in Hawick, Leist and Playne, "Mixing
 * multi-core CPUs and GPUs for scientific simulation software", section 5.6. They are for processors with local memory
 * instead of caches. A group processes one vertex i at a time. All lists are copied to local memory first: the list of
 * i, of each j in it, and of each k in the list of j, TRIANGLES_COPIES at once. While all work-items compare these with
 * i, the next ones are being copied. For the counts see walks.clh. */
#include "graph/triangles/walks.clh"
#include "prim/copies.clh"

#ifdef GROUP

#define COPIED TRIANGLES_COPIED
INLINE u32 length_of(const __global u32 *offsets, const u32 v) { return offsets[v + 1] - offsets[v]; }
INLINE u32 first_part(const u32 length) { return length < COPIED ? length : COPIED; }

/* Starts copying the lists of TRIANGLES_COPIES vertices of `of_j`, from `base` on, unless they are not needed. */
#define REQUEST(base, side, event)                                                                                   \
    for (u32 b = 0; b < TRIANGLES_COPIES && (base) + b < in_j; b++) { /* uniform */                                  \
        const u32 k = of_j[(base) + b], n = first_part(length_of(offsets, k));                                       \
        if (k < i && n > 0)                                                                                          \
            COPY_IN(of_k + ((side) * TRIANGLES_COPIES + b) * COPIED, heads + offsets[k], n, event);                  \
    }

/* Returns whether REQUEST started a copy, so that there is an event to wait for. */
INLINE int any_asked(const __global u32 *offsets, const IN_LOCAL u32 *of_j, const u32 base, const u32 in_j, const u32 i)
{
    int any = 0;
    for (u32 b = 0; b < TRIANGLES_COPIES && base + b < in_j; b++)
        any |= of_j[base + b] < i && length_of(offsets, of_j[base + b]) > 0;
    return any;
}

/* Returns the work-item's part of the arcs from k to i; `of_k` has the first part of k's list. */
INLINE u32 arcs_between(const __global u32 *offsets, const __global u32 *heads, const IN_LOCAL u32 *of_k, const u32 k,
                        const u32 i)
{
    const u32 length = k < i ? length_of(offsets, k) : 0;
    u32 arcs = 0;
    ROLLED for (u32 at = ITEM; at < first_part(length); at += GROUP)
        arcs += of_k[at] == i;
    ROLLED for (u32 at = COPIED + ITEM; at < length; at += GROUP)
        arcs += heads[offsets[k] + at] == i;
    return arcs;
}

__kernel void triangles_by_copies(const __global u32 *offsets, const __global u32 *heads, __global u32 *sums,
                                  const i64 begin, const i64 end)
{
    SHARED u32 of_i[COPIED], of_j[COPIED], of_k[2 * TRIANGLES_COPIES * COPIED], of_group[4];
    struct walked w = { 0, 0 };
    const COPY_EVENT none = 0;       /* assigned values must have the type of an event */
    const u32 i = (u32)(begin + PART_NUMBER), length_i = length_of(offsets, i);
    for (int word = ITEM; word < 4; word += GROUP)
        of_group[word] = 0;
    for (u32 part_i = 0; part_i < length_i; part_i += COPIED) { /* uniform */
        const u32 in_i = first_part(length_i - part_i);
        COPY_EVENT arrived = 0;
        GROUP_BARRIER;
        COPY_IN(of_i, heads + offsets[i] + part_i, in_i, arrived);
        COPY_WAIT(arrived);
        for (u32 at_i = 0; at_i < in_i; at_i++) { /* uniform */
            const u32 j = of_i[at_i], length_j = length_of(offsets, j);
            w.triples += ITEM == 0 ? length_j : 0;
            for (u32 part_j = 0; j < i && part_j < length_j; part_j += COPIED) { /* uniform */
                const u32 in_j = first_part(length_j - part_j);
                COPY_EVENT even = 0, odd = 0, came = 0;
                GROUP_BARRIER;
                COPY_IN(of_j, heads + offsets[j] + part_j, in_j, came);
                COPY_WAIT(came);
                ROLLED for (u32 at = ITEM; at < in_j; at += GROUP)
                    w.triples -= of_j[at] == i ? 2 : 0;
                REQUEST(0, 0, even);
                COPY_ASKED;
                for (u32 base = 0, side = 0; base < in_j; base += TRIANGLES_COPIES, side = 1 - side) { /* uniform */
                    const int asked = any_asked(offsets, of_j, base, in_j, i);
                    if (side) {
                        even = none;
                        REQUEST(base + TRIANGLES_COPIES, 0, even);
                        COPY_ASKED;
                        if (asked)
                            COPY_WAIT_BUT_ONE(odd);
                    } else {
                        odd = none;
                        REQUEST(base + TRIANGLES_COPIES, 1, odd);
                        COPY_ASKED;
                        if (asked)
                            COPY_WAIT_BUT_ONE(even);
                    }
                    for (u32 b = 0; b < TRIANGLES_COPIES && base + b < in_j; b++)
                        w.triangles += arcs_between(offsets, heads, of_k + (side * TRIANGLES_COPIES + b) * COPIED,
                                                    of_j[base + b], i);
                    GROUP_BARRIER;
                }
            }
        }
    }
    GROUP_BARRIER;
    halves_add_local(of_group, w.triangles);
    halves_add_local(of_group + 2, w.triples);
    GROUP_BARRIER;
    if (ITEM == 0) {
        halves_add(sums, (u64)of_group[1] << 32 | of_group[0]);
        halves_add(sums + 2, (u64)of_group[3] << 32 | of_group[2]);
    }
    (void)end;
}

#endif
/* SPDX-License-Identifier: MIT */
