/* Roots of cells by equivalent labels: kernel D of Hawick, Leist and Playne (EQUIVALENCE), and direct union-find.
 *
 * Labels, parents and roots are k-indices, -1 of background; a root is the least k-index of its component. */
#include "label/mesh.clh"
#include "components/union_find.clh"
#include "label/chain.clh"

#ifdef EQUIVALENCE

__kernel void label_start(__global label *labels, __global label *equivalent, VALUES from)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS)
        return;
    labels[k] = IS_BACKGROUND(VALUE_AT(from, k)) ? -1 : (label)k;
    equivalent[k] = (label)k;
}

/* Round r has nothing to do where changed[r], of the round before it, is 0. */
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

/* The paper's algorithm 8 looks up `label` in each turn, where it means to follow `ref`.  A chain that is not at its
 * end after CHAIN turns goes on in the next round: each of its labels is as good. */
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

#else

/* The earlier neighbour that is asked first: straight back in the last dimension, the one that most of the others are
 * neighbours of. */
#if defined(NEIGHBOURS_ALL)
#define STRAIGHT (((N_NEIGHBOURS + 1) / 3 - 1) / 2)
#elif defined(NEIGHBOUR_STEPS)
#define STRAIGHT 0
#else
#define STRAIGHT (LATTICE_DIMS - 1)
#endif

/* Which earlier neighbour the cell starts under, -1 of none, and its k-index. */
INLINE i32 first_joined(const __global element *from, const kindex k, const __private kindex *x, const element value,
                        __private kindex *first)
{
    for (i32 turn = -1; turn < N_EARLIER; turn++) {
        const i32 j = turn < 0 ? STRAIGHT : turn;
        const kindex n = mesh_neighbour(x, j);
        if (n >= 0 && n < k && JOINED(value, from[n]) && !is_cut(x, j)) {
            *first = n;
            return j;
        }
    }
    *first = k;
    return -1;
}

/* Every cell under an earlier neighbour, if there is one that it joins. */
__kernel void label_first(__global label *parents, const __global element *from)
{
    const kindex k = (kindex)get_global_id(0);
    kindex x[LATTICE_DIMS], first = -1;
    if ((u64)get_global_id(0) >= LATTICE_CELLS)
        return;
    const element value = from[k];
    if (!IS_BACKGROUND(value)) {
        mesh_x(k, x);
        first_joined(from, k, x, value, &first);
    }
    parents[k] = first;
}

/* Whether neighbour j, n, is joined with the cell k without being told, since both join neighbour m, `first`, and n
 * joins that one: as its neighbour, or by a cell that n and `first` both are neighbours of.  All of these joins are
 * between cells before k. */
INLINE i32 is_implied(const __global element *from, const kindex k, const i32 m, const kindex first, const i32 j,
                      const kindex n)
{
#if defined(NEIGHBOURS_ALL)
#define APART(i, length, stride, offset)                                                                             \
    if (mesh_step(j, i) - mesh_step(m, i) > 1 || mesh_step(m, i) - mesh_step(j, i) > 1)                              \
        return 0;
    LATTICE_EACH(APART)
    return JOIN != JOIN_TOLERANCE || JOINED(from[first], from[n]);
#elif defined(NEIGHBOUR_STEPS)
    return 0;
#else
    const element corner = from[n + first - k];
    return JOINED(from[first], corner) && JOINED(from[n], corner);
#endif
}

/* The other earlier neighbours that the cell joins. */
__kernel void label_merge(shared_parents parents, const __global element *from)
{
    const kindex k = (kindex)get_global_id(0);
    kindex x[LATTICE_DIMS], first;
    if ((u64)get_global_id(0) >= LATTICE_CELLS)
        return;
    const element value = from[k];
    if (IS_BACKGROUND(value))
        return;
    mesh_x(k, x);
    const i32 m = first_joined(from, k, x, value, &first);
    for (i32 j = 0; j < N_EARLIER; j++) {
        const kindex n = mesh_neighbour(x, j);
        if (j != m && n >= 0 && n != k && JOINED(value, from[n]) &&
            !(m >= 0 && n < k && is_implied(from, k, m, first, j, n)))
            unite(parents, k, n);
    }
}

#include "label/compress.clh"

#endif
