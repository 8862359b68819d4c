/* Small meshes, on which launches and turns take longer than cells.
 *
 * On GPUs, groups keep rectangles of cells (in one dimension, pieces of a row) in registers for all steps of a launch.
 * On cores, one work-item processes the whole mesh for several steps; this also suits several systems that are enough
 * for all cores.
 *
 * Expected times follow from a linear model: launch + turns x (turn + cells x cell). */
#include <math.h>

#include "field/program/program.h"

/* Cells per compute unit of a GPU below which rectangles are tried: rolling groups are then too few, and each takes as
 * many dependent turns as rows.  Rectangles take one turn per stage and update. */
#define SMALL_CELLS 8192

/* Model of a large GPU: seconds per launch, per turn, and per single-precision cell of a unit. */
#define LAUNCH_SECONDS 5e-6
#define TURN_SECONDS 1e-7
#define CELL_SECONDS 5e-11

/* Cells up to which one core may be the fastest, and up to which it surely is, since starting other threads takes
 * longer: of an OpenCL driver, and native ones. */
#define ALONE_CELLS 16384
#define START_CELLS_DRIVER 4096
#define START_CELLS_NATIVE 2048

static double units_of(const struct mw_device_info *device)
{
    return device->compute_units ? device->compute_units : 1;
}

static double cells_of(const struct mw_problem *p, const size_t *length)
{
    double cells = 1;
    for (unsigned d = 0; d < p->dims; d++)
        cells *= (double)length[d];
    return cells;
}

bool mw_field_is_rectangle(const struct mw_problem *p, const struct mw_shape *shape)
{
    return strcmp(shape->variant, "registers") == 0 && (p->dims == 1 || (p->dims == 2 && shape->group[1] > 1));
}

bool mw_field_is_alone(const struct mw_shape *shape)
{
    return strcmp(shape->variant, "temporal") == 0 && shape->steps > 0;
}

int mw_field_check_alone(const struct mw_problem *p, const size_t *length, const struct mw_shape *shape)
{
    if (p->integrator != MW_INTEGRATOR_RK2)
        return mw_fail(MW_EINVAL,
                       "steps=%u: above 0, variant temporal supports only integrator rk2: use rk2, or steps=0",
                       shape->steps);
    if (p->model->info.has_noise && shape->steps > 1)
        return mw_fail(MW_EINVAL,
                       "steps=%u: variant temporal takes one step per launch if the model has noise: use steps=0",
                       shape->steps);
    if ((size_t)shape->vec * shape->per_item < length[0] || (p->dims == 3 && shape->rows < length[1]))
        return mw_fail(
            MW_EINVAL,
            "steps=%u,vec=%u,per_item=%u,rows=%u: if steps is above 0 in variant temporal, one work-item computes "
            "the whole mesh, so vec x per_item (and rows, in 3 dimensions) must cover it: increase them, or use "
            "steps=0",
            shape->steps, shape->vec, shape->per_item, shape->rows);
    return 0;
}

bool mw_field_may_be_alone(const struct mw_problem *p, const size_t *length)
{
    return (p->dims == 2 || p->dims == 3) && p->integrator == MW_INTEGRATOR_RK2 && !p->model->info.has_noise &&
           mw_problem_is_endless(p) && cells_of(p, length) <= ALONE_CELLS;
}

/* Returns the cells of all systems. */
static double all_cells(const struct mw_problem *p, const size_t *length)
{
    return cells_of(p, length) * (double)(p->systems ? p->systems : 1);
}

bool mw_field_small_is_worth(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                             const struct mw_shape *shape)
{
    return mw_field_is_alone(shape) ? mw_field_may_be_alone(p, length) && mw_field_check_alone(p, length, shape) == 0
                                    : p->dims == 1 || all_cells(p, length) <= SMALL_CELLS * units_of(device);
}

static double rectangle_seconds(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                                const struct mw_shape *shape)
{
    struct mw_rings r;
    mw_problem_rings(p, shape, &r);
    const double columns = ceil((double)length[0] / r.block_x);
    const double rows = p->dims > 1 ? ceil((double)length[1] / r.block_1) : 1;
    const double words = (double)mw_problem_real_bytes(p) / 4, systems = all_cells(p, length) / cells_of(p, length);
    const double groups = ceil(systems * columns * rows / units_of(device));
    const double cells = groups * words * (double)(shape->group[0] * shape->group[1] * shape->vec * shape->per_item);
    const double turns = (double)r.levels * (double)(1 + p->model->stage_count);
    return (LAUNCH_SECONDS + turns * (TURN_SECONDS + cells * CELL_SECONDS)) / r.levels;
}

double mw_field_small_seconds(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length,
                              const struct mw_shape *shape)
{
    const double start_cells = device->kind == MW_DEVICE_NATIVE ? START_CELLS_NATIVE : START_CELLS_DRIVER;
    if (mw_field_is_alone(shape))
        return cells_of(p, length) <= start_cells || (double)p->systems >= units_of(device) ? 0 : HUGE_VAL;
    return rectangle_seconds(device, p, length, shape);
}
/* SPDX-License-Identifier: MIT */
