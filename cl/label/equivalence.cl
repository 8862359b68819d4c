/* Label equivalence, kernel D of Hawick, Leist and Playne: rounds of scanning, analysis and labelling.
 *
 * Labels are k-indices; -1: background.  `equivalent` has for each label the smallest one known to be equivalent. */
#include "label/mesh.clh"
#include "components/union_find.clh"
#include "label/chain.clh"

__kernel void label_start(__global label *labels, __global label *equivalent, VALUES from)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS)
        return;
    labels[k] = IS_BACKGROUND(VALUE_AT(from, k)) ? -1 : (label)k;
    equivalent[k] = (label)k;
}

/* Round r is skipped if changed[r], set by the previous round, is 0. */
__kernel void label_scan(shared_parents equivalent, const __global label *labels, VALUES from,
                         __global i32 *changed, const i32 r)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS || !changed[r] || labels[k] < 0)
        return;
    const element value = VALUE_AT(from, k);
    const label mine = labels[k];
    label least = mine;
    kindex x[LATTICE_DIMS];
    mesh_x((kindex)k, x);
    for (i32 j = 0; j < N_NEIGHBOURS; j++) {
        const kindex n = mesh_neighbour(x, j);
        if (n >= 0 && mesh_joined(from, value, n) && labels[n] < least)
            least = labels[n];
    }
    if (least < mine) {
        changed[r + 1] = 1;
        LABEL_MIN(equivalent + mine, least);
    }
}

/* Algorithm 8 in the paper looks up `label` in each iteration; `ref` is meant.  A chain that is not at its end after
 * CHAIN iterations continues in the next round: each of its labels is valid. */
__kernel void label_analyse(shared_parents equivalent, const __global label *labels, const __global i32 *changed,
                            const i32 r)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS || !changed[r + 1] || labels[k] != (label)k)
        return;
    const label first = LABEL_LOAD(equivalent + k);
    label ref = first, next = LABEL_LOAD(equivalent + ref);
    for (i32 turn = 0; turn < CHAIN && next != ref; turn++) {
        ref = next;
        next = LABEL_LOAD(equivalent + ref);
    }
    if (ref != first)
        LABEL_STORE(equivalent + k, ref);
}

__kernel void label_apply(__global label *labels, const __global label *equivalent, const __global i32 *changed,
                          const i32 r)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS || !changed[r + 1] || labels[k] < 0)
        return;
    labels[k] = equivalent[labels[k]];
}
/* SPDX-License-Identifier: MIT */
