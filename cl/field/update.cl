/* Updates of a model's fields, for the model that the builder provides as "model".
 *
 * Without rings an item owns `block_x` cells along x of `block_1` rows; rows `first` to `end` - 1 are counted over all
 * dimensions.  In one dimension it owns `block_x` of the cells `first` to `end` - 1.
 *
 * RINGED: an item owns BLOCK_X cells along x (and BLOCK_1 rows of y, in three dimensions) of `strip` slices of the
 * slowest dimension.  All items together have slices `first` to `end` - 1.  An item is a group of its own.  TOGETHER:
 * a group of GROUP_X by GROUP_Y items owns these cells, and the range has whole groups.
 *
 * With several systems (systems.clh), kernels get the memory of all. */
#include "prelude.clh"
#include "field/view.clh"
#include "field/systems.clh"
#ifdef MODEL_MATH
#include "math.clh"
#endif
#include "model"
#include "field/strip.clh"
#if REGISTERS
#include "field/registers/updates.clh"
#if FLAT
#include "field/registers/tile.clh"
#else
#include "field/registers/roll.clh"
#endif
#elif RINGED
#include "field/roll.clh"
#endif
#if ASYNC
#include "field/async.clh"
#endif

#if TOGETHER
#define OF_GROUP OF_ITEMS(GROUP_X, GROUP_Y)
#else
#define OF_GROUP
#endif

#if RINGED
/* Declares the rings, or edges with REGISTERS, in local memory; natively they are a thread's part of `aux`. */
#if REGISTERS
#define RINGS_HERE                                                                                                   \
    SHARED real edge_cells[EDGE_CELLS];                                                                              \
    SHARED realv edge_rows[SIDE_ROWS];
#elif defined(MW_HOST)
#define RINGS_HERE real *rings = aux + WORKER * RINGS;
#elif ASYNC
#define RINGS_HERE SHARED real rings[RINGS + 2 * OWN_CELLS];
#else
#define RINGS_HERE SHARED real rings[RINGS];
#endif

/* Returns the item's strip, which may be empty.  The strips of a native share are joined. */
INLINE struct strip strip_of_item(const struct launch l)
{
    const int column = (int)(get_global_id(0) / GROUP_X), place = (int)(get_global_id(1) / GROUP_Y);
    const int places = (int)((ITEMS_END(1) - 1) / GROUP_Y) + 1 - place;
    const int row_end = DIMS == 1 ? l.end : l.mesh.n[0];
    struct strip s = { 0, 0, 0, 1, 0, 1 };
#if DIMS == 3
    const int blocks = (l.mesh.n[0] + BLOCK_X - 1) / BLOCK_X;
    s.x0 = column % blocks * BLOCK_X;
    s.b0 = column / blocks * BLOCK_1;
    s.b1 = min_i32(l.mesh.n[1], s.b0 + BLOCK_1);
#else
    s.x0 = (DIMS == 1 ? l.first : 0) + column * BLOCK_X;
#endif
    s.x1 = min_i32(row_end, s.x0 + BLOCK_X);
#if !FLAT
    s.r0 = l.first + place * l.strip;
    s.r1 = l.end - s.r0 < places * l.strip ? l.end : s.r0 + places * l.strip;
#elif DIMS == 2
    s.b0 = l.first + place * BLOCK_1;
    s.b1 = min_i32(l.end, s.b0 + BLOCK_1);
#endif
    return s;
}

#else

/* Returns `at`, at most `end`. */
INLINE int before(const size_t at, const int end) { return at < (size_t)end ? (int)at : end; }
/* Returns the item's run: rows of `width` cells, or in one dimension cells of the row.  The runs of a native share are
 * joined. */
INLINE struct run run_of_item(const struct launch l, const int width)
{
    const size_t first = (size_t)l.first, x = (size_t)l.block_x, y = (size_t)l.block_1;
    struct run r = { 0, width, 0, 1 };
#if DIMS == 1
    r.x0 = before(first + get_global_id(0) * x, l.end);
    r.x1 = before(first + ITEMS_END(0) * x, l.end);
#else
    r.y0 = before(first + get_global_id(1) * y, l.end);
    r.y1 = before(first + ITEMS_END(1) * y, l.end);
#if defined(MW_HOST)
    /* Whole rows: with constant ends, compilers remove half of the code. */
    r.y1 = get_global_id(0) > 0 ? r.y0 : r.y1;
#else
    r.x0 = before(get_global_id(0) * x, width);
    r.x1 = before(ITEMS_END(0) * x, width);
#endif
#endif
    return r;
}
#endif

/* Returns the item's block, whose first cell and row are x and c1. */
INLINE struct block block_at(const int x, const int c1)
{
    const struct block b = { x, c1, (int)(get_global_id(0) % GROUP_X), (int)(get_global_id(1) % GROUP_Y) };
    return b;
}

#if !defined(ENERGY_ALONE) && !(REGISTERS && METHOD)
/* Makes one update: out = base + h rate(in), and adds w rate to `acc` by launch.acc_mode. */
__kernel SHARES OF_GROUP
void field_update(__global real *out, const __global real *base, const __global real *in, __global real *aux,
                  __global real *acc, const __global i16 *noises, const PARAMS lone, const __global struct system *each,
                  const real h, const real w, const struct launch launch IMAGE_PARAMS)
{
    const struct arrays all = { out, base, in, aux, acc, noises };
#if RINGED
    RINGS_HERE
    const struct strip s = strip_of_item(launch);
#else
    const struct run r = run_of_item(launch, launch.mesh.n[0]);
#endif
    EACH_SYSTEM(launch.mesh) {
        const struct arrays a = arrays_of_system(all, launch, system);
        const struct update u = { a.out, a.base, a.acc, h, h, w, h, h, h, launch.acc_mode, launch.stream, 0 };
#if REGISTERS
        const struct mesh_data data = mesh_of_system(a, 0, block_at(s.x0, s.b0), lone, each, launch, system);
        registers_run(u, draws_of_system(each, launch, system), edge_cells, edge_rows, s, data);
#elif RINGED
        struct mesh_data data = mesh_of_system(a, rings, block_at(s.x0, s.b0), lone, each, launch, system);
        struct site HERE = first_site(RING_ORIGIN(s.r0));
        MESH_PARAM = &data;
#if ASYNC
        async_update(u, rings, s, SITE_ARGS);
#else
        if (TOGETHER || (s.x0 < MESH->n[0] && s.r0 < launch.end))
            roll_update(u, rings, s, SITE_ARGS);
#endif
#else
        struct mesh_data data = mesh_of_system(a, a.aux, block_at(r.x0, r.y0), lone, each, launch, system);
        struct site HERE = first_site(0);
        MESH_PARAM = &data;
        update_rows(u, r, SITE_ARGS);
#endif
    }
    STREAMS_DONE;
}
#endif

#if REGISTERS && METHOD
/* Makes STEPS time steps of length dt from `in` to `out`, by METHOD; dt_2, dt_3 and dt_6 are dt / 2, dt / 3, dt / 6. */
__kernel OF_GROUP
void field_steps(__global real *out, const __global real *in, const PARAMS lone, const __global struct system *each,
                 const real dt, const real dt_2, const real dt_3, const real dt_6, const struct launch launch)
{
    const struct arrays all = { out, 0, in, 0, 0, 0 };
    RINGS_HERE
    const struct strip s = strip_of_item(launch);
    EACH_SYSTEM(launch.mesh) {
        const struct arrays a = arrays_of_system(all, launch, system);
        const struct update u = { a.out, a.in, 0, dt, dt, dt, dt_2, dt_3, dt_6, 0, 0, 0 };
        const struct mesh_data data = mesh_of_system(a, 0, block_at(s.x0, s.b0), lone, each, launch, system);
        registers_run(u, draws_of_system(each, launch, system), edge_cells, edge_rows, s, data);
    }
}
#endif

#if RINGED && LEVELS == 2 && !REGISTERS
/* Makes launch.count pairs of updates from `in` to `out`, by steps h1 and h; with several, results alternate between
 * `out` and `other`.  More than one pair needs an item that has the whole mesh. */
__kernel SHARES void field_step(__global real *out, __global real *other, const __global real *in, __global real *aux,
                                const __global i16 *noises, const PARAMS lone, const __global struct system *each,
                                const real h1, const real h, const struct launch launch)
{
    const struct arrays all = { out, 0, in, 0, other, noises };
    RINGS_HERE
    const struct strip s = strip_of_item(launch);
    EACH_SYSTEM(launch.mesh) {
        const struct arrays a = arrays_of_system(all, launch, system);
        struct update u = { a.out, a.in, 0, h, h1, h, h, h, h, 0, launch.stream, launch.from_level };
        struct mesh_data data = mesh_of_system(a, rings, block_at(s.x0, s.b0), lone, each, launch, system);
        struct site HERE = first_site(RING_ORIGIN(s.r0));
        MESH_PARAM = &data;
        for (int left = s.x0 < MESH->n[0] && s.r0 < launch.end ? launch.count : 0; left > 0; left--) {
            u.out = left % 2 ? a.out : a.acc;
            roll_step(u, rings, s, SITE_ARGS);
            data.in = u.out;
        }
    }
    STREAMS_DONE;
}
#endif

#if STAGED
/* Evaluates stage number launch.which in every cell. */
__kernel SHARES void field_stage(const __global real *in, __global real *aux, const __global i16 *noises,
                                 const PARAMS lone, const __global struct system *each, const struct launch launch)
{
    const struct arrays all = { 0, 0, in, aux, 0, noises };
    struct run r = run_of_item(launch, launch.mesh.n[0] + 2 * GHOST_0);
    r.x0 -= GHOST_0;
    r.x1 -= GHOST_0;
    EACH_SYSTEM(launch.mesh) {
        const struct arrays a = arrays_of_system(all, launch, system);
        struct mesh_data data = mesh_of_system(a, a.aux, block_at(r.x0, r.y0), lone, each, launch, system);
        struct site HERE = first_site(0);
        MESH_PARAM = &data;
        stage_rows(launch.which, a.aux, r, SITE_ARGS);
    }
}
#endif

/* Computes a density in every cell: number launch.which, or of the free energy.  Programs of updates leave it out: it
 * takes as long to compile as an update, which would have to wait. */
#if IN_REGISTERS && !defined(USE_IMAGE) && defined(ENERGY_REACH) && defined(ENERGY_ALONE)
__kernel SHARES void field_energy(__global real *out, const __global real *in, const PARAMS lone,
                                  const __global struct system *each, const struct launch launch)
{
    const struct arrays all = { 0, 0, in, 0, 0, 0 };
    const struct run r = run_of_item(launch, launch.mesh.n[0]);
    EACH_SYSTEM(launch.mesh) {
        const struct arrays a = arrays_of_system(all, launch, system);
        struct mesh_data data = mesh_of_system(a, a.aux, block_at(r.x0, r.y0), lone, each, launch, system);
        struct site HERE = first_site(0);
        MESH_PARAM = &data;
        energy_rows(launch.which, OF_SYSTEM(out, system, CELLS_OF(1, LENGTH)), r, SITE_ARGS);
    }
}
#endif
/* SPDX-License-Identifier: MIT */
