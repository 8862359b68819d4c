/* Cluster updates: clusters of spins are reflected as a whole.
 *
 * After Swendsen and Wang, Phys. Rev. Lett. 58 (1987) 86, and Wolff, Phys. Rev. Lett. 62 (1989) 361; Wolff's
 * reflections extend the method to any model that defines one.  Two neighbours are joined with probability 1 - exp(-dE
 * / T), where dE is the cost of reflecting only one of them.  A site's own energy joins it to a ghost spin in the same
 * way; a cluster that contains such a site is not reflected. */
#include "components/union_find.clh"
#include "spin/model/language.clh"

#define CLUSTERS_ALL 0           /* each with probability one half */
#define CLUSTERS_ONE 1           /* the cluster of a random site */

/* Random words of a step of a system: its reflection, or the site of its single cluster. */
INLINE struct philox system_words(const __global struct model_mesh *mesh, const __private struct model_row *row,
                                  const u64 step, const u32 purpose, const u64 seed)
{
    return model_words(row->number / mesh->system_rows, step, purpose, seed);
}
#define AXIS system_words(mesh, &row, step, MODEL_DRAW_AXIS, seed)

__kernel void cluster_start(__global label *parent, __global i32 *held, const i32 n)
{
    const i32 i = (i32)get_global_id(0);
    if (i < n) {
        parent[i] = i;
        held[i] = 0;
    }
}

/* Returns whether a cost joins two sites. */
INLINE i32 binds(const real cost, const u32 word, const __global real *par)
{
    return cost > R(0.0) && exponential_of(word) < cost * par[BETA_PARAM];
}

/* Joins pairs of neighbours, each at the site from which the first of two opposite steps leads to the other. */
__kernel void cluster_join(__global label *parent, const __global cell *cells, const __global real *params,
                           const __global real *frozen, const __global struct model_mesh *mesh, const i32 rows,
                           const i32 each, const u64 seed, const u64 step)
{
    ITEM_CELLS(0, rows)
    const i64 all = ALL_CELLS(mesh);
    ITEM_PARAMS
    const struct philox axis = AXIS;
    for (i32 x = from; x < stop; x++) {
        const i64 at = row.at + x;
        const state s = state_at(cells, at), turned_s = model_reflect(s, axis, par);
        struct philox words;
        for (i32 j = 0; j < NEIGHBOURS; j += 2) {
            const i64 to = model_neighbour(mesh, &row, x, j);
            if (j % 8 == 0)
                words = model_words(GLOBAL_SITE(mesh, row, x), step, MODEL_DRAW_BONDS + (u32)j / 8, seed);
            if (to < 0)
                continue;
#ifdef HAS_PAIR
            const state t = state_at(cells, to);
            const i64 bond = bond_at(at, to, j, all);
            const real cost = model_pair(turned_s, t, par, frozen, all, bond) -
                              model_pair(s, t, par, frozen, all, bond);
            if (binds(cost, words.word[j / 2 & 3], par))
                unite(parent, (label)at, (label)to);
#endif
        }
    }
}

/* Marks clusters that a site's own energy, or the spin beyond fixed boundaries, prevents from being reflected. */
__kernel void cluster_hold(__global i32 *held, const __global label *parent, const __global cell *cells,
                           const __global real *params, const __global real *frozen,
                           const __global struct model_mesh *mesh, const i32 rows, const i32 each, const u64 seed,
                           const u64 step)
{
    ITEM_CELLS(0, rows)
    const i64 all = ALL_CELLS(mesh);
    ITEM_PARAMS
    const struct philox axis = AXIS;
    for (i32 x = from; x < stop; x++) {
        const i64 at = row.at + x;
        const state s = state_at(cells, at), t = model_reflect(s, axis, par);
        real cost = R(0.0);
#ifdef HAS_OWN
        cost += model_own(t, par, frozen, all, at) - model_own(s, par, frozen, all, at);
#endif
#ifdef OUTSIDE_PARAM
        for (i32 j = 0; j < NEIGHBOURS; j++)
            if (model_neighbour(mesh, &row, x, j) == OUTSIDE)
                cost += model_pair(t, outside_state(par), par, frozen, all, bond_at(at, OUTSIDE, j, all)) -
                        model_pair(s, outside_state(par), par, frozen, all, bond_at(at, OUTSIDE, j, all));
#endif
        if (binds(cost, model_words(GLOBAL_SITE(mesh, row, x), step, MODEL_DRAW_HOLD, seed).word[0], par))
            ATOMIC_STORE_32(&held[find_root((shared_parents)parent, (label)at)], 1);
    }
}

__kernel void cluster_turn(__global cell *cells, const __global label *parent, const __global i32 *held,
                           const __global real *params, const __global struct model_mesh *mesh, const i32 rows,
                           const i32 each, const i32 which, const u64 seed, const u64 step)
{
    ITEM_CELLS(0, rows)
    ITEM_PARAMS
    const struct philox axis = AXIS, site_words = system_words(mesh, &row, step, MODEL_DRAW_SITE, seed);
    const i64 first = (i64)row.system * mesh->system_rows * length, sites = (i64)mesh->system_rows * length;
    const i64 chosen = first + (i64)mul_high_u64((u64)site_words.word[0] << 32 | site_words.word[1], (u64)sites);
    const label one = which == CLUSTERS_ONE ? find_root((shared_parents)parent, (label)chosen) : 0;
    for (i32 x = from; x < stop; x++) {
        const i64 at = row.at + x;
        const label root = find_root((shared_parents)parent, (label)at);
        /* Roots are numbered within their system, so that its random numbers do not depend on other systems. */
        const i64 site = (i64)(row.number / mesh->system_rows) * sites + (root - first);
        const i32 turns = which == CLUSTERS_ONE ? root == one
                        : (i32)(model_words(site, step, MODEL_DRAW_FLIP, seed).word[0] >> 31);
        if (turns && !held[root])
            put_state(model_reflect(state_at(cells, at), axis, par), cells, at);
    }
}
/* SPDX-License-Identifier: MIT */
