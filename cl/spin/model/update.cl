/* Kernels of a spin model; the builder supplies the model file as "model".  Work-items of the first dimension share a
 * row, `each` sites per work-item; the second dimension has the rows, from `begin` on. */
#include "spin/model/update.clh"

#define START_NOISE 1           /* as enum mw_spin_start */
#define START_UP 2

INLINE state start_state(const i32 start, const i64 site, const __global struct model_mesh *mesh, const u64 seed)
{
    const struct philox words = model_words(site, 0, MODEL_DRAW_START, seed);
    const state s = random_state(words, mesh);
    if (start == START_NOISE)
        return s;
#if VALUES == VECTOR
    const state t = { R(0.0), R(0.0), start == START_UP ? R(1.0) : R(-1.0) };
    return t;
#elif VALUES == ANGLE
    return start == START_UP ? R(0.0) : R(0.5);
#elif VALUES == SIGNS
    return start == START_UP ? 1 : -1;
#elif VALUES == WHOLE
    return start == START_UP ? mesh->least + mesh->values - 1 : mesh->least;
#else
    return start == START_UP ? 0 : mesh->values - 1;
#endif
}

/* Sets the initial state. */
__kernel void model_start(__global cell *cells, const __global struct model_mesh *mesh, const i32 begin, const i32 end,
                          const i32 each, const i32 start, const u64 seed)
{
    ITEM_CELLS(begin, end)
    for (i32 x = from; x < stop; x++)
        put_state(start_state(start, GLOBAL_SITE(mesh, row, x), mesh, seed), cells, row.at + x);
}

INLINE real frozen_number(const i32 values, const u32 word)
{
    return values == FROZEN_SIGN ? (word >> 31 ? R(1.0) : R(-1.0))
#ifdef REAL_DOUBLE
         : values == FROZEN_NORMAL ? normal_real((u64)word << 32)
#else
         : values == FROZEN_NORMAL ? normal_real(word)
#endif
                                   : uniform_of(word);
}

/* Draws a plane of frozen numbers: of all sites, or of one pair per site.  All systems get the same ones. */
__kernel void model_freeze(__global real *frozen, const __global struct model_mesh *mesh, const i32 begin,
                           const i32 end, const i32 each, const i32 plane, const i32 values, const u64 seed)
{
    ITEM_CELLS(begin, end)
    for (i32 x = from; x < stop; x++) {
        const i64 site = (i64)(row.number % mesh->system_rows) * length + x;
        const struct philox words = model_words(site, 0, MODEL_DRAW_FROZEN + (u32)plane / 4, seed);
        frozen[plane * ALL_CELLS(mesh) + row.at + x] = frozen_number(values, words.word[plane & 3]);
    }
}

/* Finds the work-item's row; its places are the sites that are updated in the phase. */
#define ITEM_SITES(begin, end)                                                                                       \
    ITEM_ROW(begin, end)                                                                                             \
    const struct model_sites sites = model_phase_sites(mesh, &row, phase);                                           \
    const i32 stop = ITEM_END(sites.n);

/* Updates the sites of a phase. */
__kernel void model_sweep(__global cell *cells, const __global real *params, const __global real *frozen,
                          const __global struct model_mesh *mesh, const i32 begin, const i32 end, const i32 each,
                          const i32 update, const i32 phase, const u64 seed, const u64 step)
{
    ITEM_SITES(begin, end)
    ITEM_PARAMS
    for (i32 i = from; i < stop; i++) {
        const i32 x = sites.first + sites.apart * i;
        const struct philox words = model_words(GLOBAL_SITE(mesh, row, x), step, MODEL_DRAW_UPDATE, seed);
        put_state(updated_state(state_at(cells, row.at + x), update, words, cells, mesh, &row, x, par, frozen,
                                ALL_CELLS(mesh)), cells, row.at + x);
    }
}

/* Updates the sites of a phase by exchange with a neighbour. */
__kernel void model_exchange(__global cell *cells, const __global real *params, const __global real *frozen,
                             const __global struct model_mesh *mesh, const i32 begin, const i32 end, const i32 each,
                             const i32 phase, const u64 seed, const u64 step)
{
    ITEM_SITES(begin, end)
    ITEM_PARAMS
    for (i32 i = from; i < stop; i++) {
        const i32 x = sites.first + sites.apart * i;
        exchange_with_neighbour(cells, model_words(GLOBAL_SITE(mesh, row, x), step, MODEL_DRAW_UPDATE, seed), mesh,
                                &row, x, par, frozen, ALL_CELLS(mesh));
    }
}

/* Updates all sites at once by the model's rule, from `cells` to `next`. */
#ifdef HAS_RULE
__kernel void model_together(__global cell *next, const __global cell *cells, const __global real *params,
                             const __global real *frozen, const __global struct model_mesh *mesh, const i32 begin,
                             const i32 end, const i32 each, const u64 seed, const u64 step)
{
    ITEM_CELLS(begin, end)
    ITEM_PARAMS
    for (i32 x = from; x < stop; x++)
        put_state(model_rule(state_at(cells, row.at + x),
                             model_words(GLOBAL_SITE(mesh, row, x), step, MODEL_DRAW_UPDATE, seed), cells, mesh, &row,
                             x, par, frozen, ALL_CELLS(mesh)), next, row.at + x);
}
#endif

/* ---- sums ---- */

/* Returns a site's share of the energy, in which each pair counts once: half of each pair with another site. */
INLINE real share_of_energy(SURROUNDED)
{
    const i64 at = ROW->at + X;
    const state s = state_at(IN, at);
    real energy = R(0.0);
#ifdef HAS_PAIR
    for (i32 j = 0; j < NEIGHBOURS; j++) {
        const i64 to = model_neighbour(MESH, ROW, X, j), bond = bond_at(at, to, j, CELLS);
        if (to == NO_NEIGHBOUR)
            continue;
        const state t = to >= 0 ? state_at(IN, to) : outside_state(PAR);
        const real pair = model_pair(s, t, PAR, FROZEN, CELLS, bond);
        energy += to >= 0 ? R(0.5) * pair : pair;
    }
#endif
#ifdef HAS_OWN
    energy += model_own(s, PAR, FROZEN, CELLS, at);
#endif
    return energy;
}

/* Returns component `number` of the order: the state itself, whether it has that value, or its vector component. */
INLINE real order_of(const state s, const i32 number)
{
#if VALUES == VECTOR
    return number == 0 ? s.x : number == 1 ? s.y : s.z;
#elif VALUES == ANGLE
    return number == 0 ? cos_turn(s) : sin_turn(s);
#elif VALUES == SIGNS || VALUES == WHOLE
    return (real)s;
#else
    return s == number ? R(1.0) : R(0.0);
#endif
}

/* Sums the energies (`number` -1) or component `number` of the order, in order, for each MODEL_SEGMENT cells of a row.
 * Also stores the rounding error (Knuth's two-sum), so that totals do not depend on the device or the split. */
__kernel void model_sums(__global real *sums, const __global cell *cells, const __global real *params,
                         const __global real *frozen, const __global struct model_mesh *mesh, const i32 begin,
                         const i32 end, const i32 number)
{
    const i32 mine = begin + (i32)get_global_id(1), segment = (i32)get_global_id(0), length = mesh->length[0];
    const i32 segments = (length - 1) / MODEL_SEGMENT + 1, from = segment * MODEL_SEGMENT;
    const i32 stop = length - from < MODEL_SEGMENT ? length : from + MODEL_SEGMENT;
    struct model_row row;
    if (mine >= end || segment >= segments)
        return;
    model_row_find(mesh, mine, &row);
    ITEM_PARAMS
    real sum = R(0.0), lost = R(0.0);
    for (i32 x = from; x < stop; x++) {
        const real value = number < 0 ? share_of_energy(cells, mesh, &row, x, par, frozen, ALL_CELLS(mesh))
                                      : order_of(state_at(cells, row.at + x), number);
        const real both = sum + value, of_value = both - sum;
        lost += (sum - (both - of_value)) + (value - of_value);
        sum = both;
    }
    const i64 at = ((i64)mine * segments + segment) * 2;
    sums[at] = sum;
    sums[at + 1] = lost;
}
/* SPDX-License-Identifier: MIT */
