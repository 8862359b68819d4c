/* Parts of a field: their buffers and their place. */
#include <stdlib.h>

#include "field/evolve/evolve.h"

size_t mw_part_buffers(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATE_RK4 ? 4 : 2;
}

static int make_buffers(struct mw_part *p)
{
    struct mw_buffer **const buffers[] = { &p->state, &p->temp, &p->third, &p->sum };
    int rc = 0;
    for (size_t i = 0; i < mw_part_buffers(p->array.problem->integrator); i++)
        TRY(mw_buffer_new(p->array.device, p->array.bytes, buffers[i]));
out:
    return rc;
}

static void drop_buffers(struct mw_part *p)
{
    struct mw_buffer **const buffers[] = { &p->state, &p->temp, &p->third, &p->sum };
    for (size_t i = 0; i < MW_COUNT(buffers); i++) {
        mw_buffer_free(*buffers[i]);
        *buffers[i] = NULL;
    }
}

int mw_part_new(struct mw_device *device, const struct mw_problem *problem, const struct mw_field_options *options,
                struct mw_part *part)
{
    *part = (struct mw_part){ .seed = options->seed };
    return mw_field_array_new(device, problem, options, &part->array);
}

int mw_part_place(struct mw_part *p, const struct mw_place *place)
{
    int rc;
    drop_buffers(p);
    TRY(mw_field_array_place(&p->array, place));
    TRY(make_buffers(p));
    if (p->plan.kernels)
        TRY(mw_field_plan_fit(&p->plan, &p->array));
    if (p->single.kernels)
        TRY(mw_field_plan_fit(&p->single, &p->array));
    if (p->energy.kernels)
        TRY(mw_field_plan_fit(&p->energy, &p->array));
    p->borders.round = 0;
    p->speed = (struct mw_speed){ 0 };
out:
    return rc;
}

void mw_part_clear(struct mw_part *p)
{
    /* Of a round that failed. */
    for (size_t i = 0; i < p->borders.read_count; i++)
        mw_event_free(p->borders.reads[i]);
    mw_field_plan_clear(&p->plan);
    mw_field_plan_clear(&p->single);
    mw_field_plan_clear(&p->energy);
    mw_kernel_set_free(p->noise);
    mw_prim_free(p->prim);
    free(p->host);
    drop_buffers(p);
    mw_field_array_clear(&p->array);
}
