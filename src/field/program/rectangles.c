/* Small meshes on GPUs: rectangles of cells that groups keep in registers, for as many steps as a launch takes. */
#include <math.h>
#include <string.h>

#include "field/program/program.h"

/* Cells of a compute unit: with fewer, groups that roll are too few, and wait for one turn after the other, as many as
 * rows; rectangles take a turn a stage and update. */
#define SMALL_CELLS 8192

/* What a launch takes on a large GPU beside its turns, what a turn does, and what each of a unit's cells of single
 * precision adds. */
#define LAUNCH_SECONDS 5e-6
#define TURN_SECONDS 1e-7
#define CELL_SECONDS 5e-11

static double units_of(const struct mw_device_info *device)
{
    return device->compute_units ? device->compute_units : 1;
}

bool mw_field_is_small(const struct mw_device_info *device, const struct mw_problem *p, const size_t *length)
{
    double cells = 1;
    for (unsigned d = 0; d < p->dims; d++)
        cells *= (double)length[d];
    return cells <= SMALL_CELLS * units_of(device);
}

bool mw_field_is_rectangle(const struct mw_problem *p, const struct mw_shape *shape)
{
    return strcmp(shape->variant, "registers") == 0 && p->dims == 2 && shape->group[1] > 1;
}

double mw_field_rectangle_seconds(const struct mw_device_info *device, const struct mw_problem *p,
                                  const size_t *length, const struct mw_shape *shape)
{
    struct mw_rings r;
    mw_problem_rings(p, shape, &r);
    const double columns = ceil((double)length[0] / r.block_x), rows = ceil((double)length[1] / r.block_1);
    const double groups = ceil(columns * rows / units_of(device));
    const double words = (double)mw_problem_real_bytes(p) / 4;
    const double cells = groups * words * (double)(shape->group[0] * shape->group[1] * shape->vec * shape->per_item);
    const double turns = (double)r.levels * (double)(1 + p->model->stage_count);
    return (LAUNCH_SECONDS + turns * (TURN_SECONDS + cells * CELL_SECONDS)) / r.levels;
}
