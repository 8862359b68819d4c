/* Direct union-find: the passes of label_by_union_find (src/label/union_find.c), an item for a cell or, with BLOCKS,
 * for a block of cells.
 *
 * Parents and roots are k-indices, -1 of background; a root is the least k-index of its component. */
#include "label/mesh.clh"
#include "components/union_find.clh"
#include "label/chain.clh"

/* Where each file comes once, what both need comes before them. */
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

/* Each cell gets its root for a parent.  Each item writes its own cell only: path halving on the way would put back
 * older parents where other items have stored roots. */
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
