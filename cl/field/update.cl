/* Updates of a model's fields, for the model that the builder gives as "model".
 *
 * Without rings an item owns `block_x` cells along x of `block_1` rows, rows counted through all dimensions from
 * `first` to `end`; in one dimension `block_x` cells of those from `first` to `end`.  RINGED: an item, a group of its
 * own, owns BLOCK_X cells along x (and BLOCK_1 rows of y, in three dimensions) of `strip` slices of the slowest
 * dimension, from `first` to `end`; where it is TOGETHER a group of GROUP_X by GROUP_Y items does, and the range is
 * whole groups.
 *
 * Of several systems (systems.clh) kernels get what all have: all_in and so on. */
#include "prelude.clh"
#include "field/view.clh"
#include "field/systems.clh"
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
#if RINGED
#if ASYNC
#include "field/async.clh"
#endif

#if TOGETHER
#define OF_GROUP OF_ITEMS(GROUP_X, GROUP_Y)
#define COLUMN (int)(get_global_id(0) / GROUP_X)
#define PLACE (int)(get_global_id(1) / GROUP_Y)
#define PLACE_END (PLACE + 1)
#define BLOCK_OF(x, c1, roll) { x, c1, roll, (int)(get_global_id(0) % GROUP_X), (int)(get_global_id(1) % GROUP_Y), 0 }
#else
#define OF_GROUP
#define COLUMN (int)get_global_id(0)
#define PLACE (int)get_global_id(1)
#define PLACE_END (int)ITEMS_END(1)
#define BLOCK_OF(x, c1, roll) { x, c1, roll }
#endif
/* Where rings are: in local memory, natively in a thread's own part of `aux`. */
#if defined(MW_HOST)
#define RINGS_HERE(cells) real *AUX = aux + WORKER * RINGS
#else
#define RINGS_HERE(cells) SHARED real AUX[cells]
#endif
/* The item's block and strip; nothing is left to do where these are empty.  The strips of a native share are one. */
#if DIMS == 3
#define ITEM_BLOCK_1                                                                                                 \
    const int blocks = (N0 + BLOCK_X - 1) / BLOCK_X, b0 = COLUMN / blocks * BLOCK_1, x0 = COLUMN % blocks * BLOCK_X; \
    const int b1 = N1 - b0 < BLOCK_1 ? N1 : b0 + BLOCK_1;
#elif DIMS == 1
#define ITEM_BLOCK_1 const int b0 = 0, b1 = 1, x0 = launch.first + COLUMN * BLOCK_X;
#elif FLAT
#define ITEM_BLOCK_1                                                                                                 \
    const int b0 = launch.first + PLACE * BLOCK_1, x0 = COLUMN * BLOCK_X;                                            \
    const int b1 = launch.end - b0 < BLOCK_1 ? launch.end : b0 + BLOCK_1;
#else
#define ITEM_BLOCK_1 const int b0 = 0, b1 = 1, x0 = COLUMN * BLOCK_X;
#endif
#if FLAT
#define ITEM_ROLL const int r0 = 0, r1 = 1;
#else
#define ITEM_ROLL                                                                                                    \
    const int r0 = launch.first + PLACE * launch.strip, share = (PLACE_END - PLACE) * launch.strip;                  \
    const int r1 = launch.end - r0 < share ? launch.end : r0 + share;
#endif
#define ITEM_STRIP                                                                                                   \
    MESH_LENGTHS(launch.mesh)                                                                                        \
    ITEM_BLOCK_1                                                                                                     \
    ITEM_ROLL                                                                                                        \
    const int x1 = ROW_END - x0 < BLOCK_X ? ROW_END : x0 + BLOCK_X;                                                  \
    const struct block BLOCK = BLOCK_OF(x0, b0, RING_ORIGIN(r0))
#define ROW_END (DIMS == 1 ? launch.end : N0)
#define STRIP_ARGS x0, x1, b0, b1, r0, r1

#if REGISTERS
/* The item's cells, of which its group's border only computes.  Groups are as wide as they have items, and overlap. */
#define BORDER_X ((LEAD + VEC - 1) / VEC * VEC)
#define ITEM_C1 (WITH_C1 ? b0 - LEAD + BLOCK.item_y * OWN_ROWS : 0)
#define ITEM_CELLS                                                                                                   \
    SHARED real edge_cells[EDGE_CELLS];                                                                              \
    SHARED realv edge_rows[SIDE_ROWS];                                                                               \
    ITEM_STRIP;                                                                                                      \
    const struct edges edges = edges_of(edge_cells, edge_rows, BLOCK.item_x, BLOCK.item_y);                          \
    const int x = x0 - BORDER_X + VEC * BLOCK.item_x;                                                                \
    const struct item item = { x, ITEM_C1, BLOCK.item_x, BLOCK.item_y, x >= x0 && x < x1, x1 - x, b0, b1, r0, r1 };
#define ITEM_ARGS edges, item, N0 OUTER(PASS_LENGTH, 0, 0, 0, 0)
#endif

#if REGISTERS && METHOD == UPDATE
__kernel OF_GROUP
void field_update(__global real *all_out, const __global real *all_base, const __global real *all_in,
                  __global real *aux, __global real *all_acc, const __global i16 *all_noises, const PARAMS lone,
                  const __global struct system *each, const real h, const real w,
                  const struct launch launch IMAGE_PARAMS)
{
    ITEM_CELLS
    EACH_SYSTEM
    SYSTEM_UPDATE
    registers_run(out, base, acc, h, w, launch.acc_mode, IN, SYSTEM_DRAWS, PAR, ITEM_ARGS);
}
#elif REGISTERS
/* STEPS time steps. */
__kernel OF_GROUP
void field_steps(__global real *all_out, const __global real *all_in, const PARAMS lone,
                 const __global struct system *each, const real dt, const real dt_2, const real dt_3, const real dt_6,
                 const struct launch launch)
{
    const struct times times = { dt, dt_2, dt_3, dt_6 };
    ITEM_CELLS
    EACH_SYSTEM
    SYSTEM_IN
    __global real *out = OF_SYSTEM(all_out, STATE_CELLS);
    registers_run(out, times, IN, SYSTEM_DRAWS, PAR, ITEM_ARGS);
}
#else
__kernel SHARES OF_GROUP
void field_update(__global real *all_out, const __global real *all_base, const __global real *all_in,
                  __global real *aux, __global real *all_acc, const __global i16 *all_noises, const PARAMS lone,
                  const __global struct system *each, const real h, const real w,
                  const struct launch launch IMAGE_PARAMS)
{
#if ASYNC
    SHARED real AUX[RINGS + 2 * OWN_CELLS];
#else
    RINGS_HERE(RINGS);
#endif
    ITEM_STRIP;
    EACH_SYSTEM {
        SYSTEM_UPDATE
        SYSTEM_NOISES
#if ASYNC
        async_update(out, base, acc, h, w, launch.acc_mode, AUX, MESH_ARGS, STRIP_ARGS);
#else
        if (TOGETHER || (x0 < N0 && r0 < launch.end))
            roll_update(out, base, acc, h, w, launch.acc_mode, launch.stream, AUX, MESH_ARGS, STRIP_ARGS);
#endif
    }
    STREAMS_DONE;
}

#endif

#if LEVELS == 2 && !REGISTERS
/* `count` times, from the state to `out`, in turns by way of `other`: more than once where an item has the whole
 * mesh. */
__kernel SHARES void field_step(__global real *all_out, __global real *all_other, const __global real *all_in,
                                __global real *aux, const __global i16 *all_noises, const PARAMS lone,
                                const __global struct system *each, const real h1, const real h,
                                const struct launch launch)
{
    RINGS_HERE(RINGS);
    ITEM_STRIP;
    EACH_SYSTEM {
        SYSTEM_IN
        SYSTEM_NOISES
        __global real *out = OF_SYSTEM(all_out, STATE_CELLS), *other = OF_SYSTEM(all_other, STATE_CELLS);
        for (int left = x0 < N0 && r0 < launch.end ? launch.count : 0; left > 0; left--) {
            roll_step(left % 2 ? out : other, h1, h, launch.from_level, launch.stream, AUX, MESH_ARGS, STRIP_ARGS);
            IN = left % 2 ? out : other;
        }
    }
    STREAMS_DONE;
}
#endif

#else

/* The item's rows, of `width` cells, or its cells of the only row; those of a native share are one run. */
#if DIMS == 1
#define ITEM_ROWS(width)                                                                                             \
    MESH_LENGTHS(launch.mesh)                                                                                        \
    const size_t x_first = (size_t)launch.first + get_global_id(0) * (size_t)launch.block_x;                         \
    const size_t x_end = (size_t)launch.first + ITEMS_END(0) * (size_t)launch.block_x;                               \
    if (x_first >= (size_t)launch.end)                                                                               \
        return;                                                                                                      \
    const int x0 = (int)x_first, x1 = x_end < (size_t)launch.end ? (int)x_end : launch.end, y0 = 0, y1 = 1;          \
    const struct block BLOCK = { 0, 0, 0 }
#elif defined(MW_HOST)
/* Whole rows: with constant ends, half of the code is never compiled. */
#define ITEM_ROWS(width)                                                                                             \
    MESH_LENGTHS(launch.mesh)                                                                                        \
    const size_t y_first = (size_t)launch.first + get_global_id(1) * (size_t)launch.block_1;                         \
    const size_t y_end = (size_t)launch.first + ITEMS_END(1) * (size_t)launch.block_1;                               \
    if (get_global_id(0) > 0 || y_first >= (size_t)launch.end)                                                       \
        return;                                                                                                      \
    const int x0 = 0, x1 = (width), y0 = (int)y_first, y1 = y_end < (size_t)launch.end ? (int)y_end : launch.end;    \
    const struct block BLOCK = { 0, 0, 0 }
#else
#define ITEM_ROWS(width)                                                                                             \
    MESH_LENGTHS(launch.mesh)                                                                                        \
    const size_t x_first = get_global_id(0) * (size_t)launch.block_x;                                                \
    const size_t y_first = (size_t)launch.first + get_global_id(1) * (size_t)launch.block_1;                         \
    const size_t y_end = (size_t)launch.first + ITEMS_END(1) * (size_t)launch.block_1;                               \
    if (x_first >= (size_t)(width) || y_first >= (size_t)launch.end)                                                 \
        return;                                                                                                      \
    const int x0 = (int)x_first, x1 = (width) - x0 < launch.block_x ? (width) : x0 + launch.block_x;                 \
    const int y0 = (int)y_first, y1 = y_end < (size_t)launch.end ? (int)y_end : launch.end;                          \
    const struct block BLOCK = { 0, 0, 0 }
#endif

#ifndef ENERGY_ALONE
__kernel SHARES
void field_update(__global real *all_out, const __global real *all_base, const __global real *all_in,
                  __global real *aux, __global real *all_acc, const __global i16 *all_noises, const PARAMS lone,
                  const __global struct system *each, const real h, const real w,
                  const struct launch launch IMAGE_PARAMS)
{
    ITEM_ROWS(N0);
    EACH_SYSTEM {
        SYSTEM_UPDATE
        SYSTEM_NOISES
        const __global real *AUX = OF_SYSTEM(aux, STAGES_CELLS);
        update_rows(out, base, acc, h, w, launch.acc_mode, MESH_ARGS, x0, x1, y0, y1);
    }
}
#endif

#if STAGED
/* Evaluates stage `which` at every cell. */
__kernel SHARES void field_stage(const __global real *all_in, __global real *aux, const __global i16 *all_noises,
                                 const PARAMS lone, const __global struct system *each, const struct launch launch)
{
    ITEM_ROWS(STAGES_N(0));
    EACH_SYSTEM {
        SYSTEM_IN
        SYSTEM_NOISES
        __global real *AUX = OF_SYSTEM(aux, STAGES_CELLS);
        stage_rows(launch.which, AUX, MESH_ARGS, x0 - GHOST_0, x1 - GHOST_0, y0, y1);
    }
}
#endif

/* The density of the free energy at every cell.  Programs of updates leave it out: compilers take as long for it as for
 * an update, which then waits. */
#if IN_REGISTERS && !defined(USE_IMAGE) && defined(HAS_ENERGY) && defined(ENERGY_ALONE)
__kernel SHARES void field_energy(__global real *all_out, const __global real *all_in, const PARAMS lone,
                                  const __global struct system *each, const struct launch launch)
{
    ITEM_ROWS(N0);
    EACH_SYSTEM {
        SYSTEM_IN
        const __global real *AUX = IN;
        const __global i16 *NOISES = 0;
        energy_rows(OF_SYSTEM(all_out, CELLS_OF(1)), MESH_ARGS, x0, x1, y0, y1);
    }
}
#endif

#endif
/* SPDX-License-Identifier: MIT */
