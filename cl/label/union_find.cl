/* Direct union-find: the passes of label_by_union_find (src/label/union_find.c), with a work-item per cell or, with
 * BLOCKS, per block of cells.
 *
 * Parents and roots are k-indices; -1: background.  A root is the smallest k-index of its component. */
#include "label/mesh.clh"
#include "components/union_find.clh"
#include "label/chain.clh"

/* Files are included once, so headers that both need come first. */
#ifdef BLOCKS
#include "label/blocks.clh"
#else
#include "label/single.clh"
#endif

__kernel void label_first(__global label *parents, const __global element *from)
{
    if ((u64)get_global_id(0) < N_ITEMS)
        start_item(parents, from, (kindex)get_global_id(0));
}

__kernel void label_merge(shared_parents parents, const __global element *from)
{
    if ((u64)get_global_id(0) < N_ITEMS)
        unite_item(parents, from, (kindex)get_global_id(0));
}

/* Sets the parent of each cell to its root.  A work-item writes only its own cell: path halving would overwrite roots
 * stored by other work-items with older parents. */
__kernel void label_compress(shared_parents parents)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS)
        return;
    const label parent = LABEL_LOAD(parents + k);
    if (parent < 0)
        return;
    const label root = find_root(parents, parent);
    if (root != parent)
        LABEL_STORE(parents + k, root);
}
/* SPDX-License-Identifier: MIT */
