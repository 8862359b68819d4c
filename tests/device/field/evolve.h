/* Runs two-dimensional fields for some steps on the device of a test. */
#ifndef MW_TESTS_EVOLVE_H
#define MW_TESTS_EVOLVE_H

#include "base/base.h"

#include "tests/device/device.h"
#include "tests/device/field/models.h"

static inline struct mw_field_options options_of(size_t nx, size_t ny, const char *shape, bool fp64)
{
    return (struct mw_field_options){ .size = sizeof(struct mw_field_options),
                                      .dims = 2,
                                      .length = { nx, ny },
                                      .integrator = MW_INTEGRATOR_RK2,
                                      .fp64 = fp64,
                                      .seed = 7,
                                      .shape = shape,
                                      .no_tune = true };
}

/* Runs on `count` devices from `start` (NULL: from noise) and returns the final state; without data if the shape
 * exceeds the devices' limits. */
static inline struct mw_array evolve_on(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                                        const struct mw_field_options *o, const struct mw_array *start, uint64_t steps)
{
    struct mw_field *field = NULL;
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_field_new(devices, count, model, o, &field));
    if (start)
        TRY(mw_field_set(field, start));
    TRY(mw_field_advance(field, steps));
    TRY(mw_field_get(field, &state));
out:
    if (rc != 0 && !(rc == MW_ELIMIT && o->shape))
        fail_msg("%s, %zux%zu, %s: %s", mw_model_info(model)->name, o->length[0], o->length[1],
                 o->shape ? o->shape : "auto", mw_errmsg());
    mw_field_free(field);
    return state;
}

static inline struct mw_array evolve(const struct mw_model *model, const struct mw_field_options *o,
                                     const struct mw_array *start, uint64_t steps)
{
    return evolve_on(&device, 1, model, o, start, steps);
}

#endif
/* SPDX-License-Identifier: MIT */
