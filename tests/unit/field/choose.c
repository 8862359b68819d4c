/* The shapes worth trying on GPUs that are not here: what the rule proposes fits, and small meshes get rectangles. */
#include <string.h>

#include "field/program/program.h"
#include "tests/check.h"

static const struct mw_device_info gpu = { .id = "opencl:0.0", .name = "a large one", .kind = MW_DEVICE_GPU,
                                           .compute_units = 132, .local_bytes = 48 << 10, .max_group = 1024,
                                           .max_group_dims = { 1024, 1024, 64 }, .vector_width = 1, .fp64 = true };
static const enum mw_boundary periodic[MW_DIMS_MAX];

/* How many rectangles come first: none may follow later.  Each shape must be one that is not refused. */
static size_t rectangles(const struct mw_problem *problem, const size_t *length, struct mw_shape *shapes)
{
    const size_t count = mw_field_candidates(&gpu, problem, length, shapes);
    size_t first = 0;
    assert_true(count > 0);
    while (first < count && mw_field_is_rectangle(problem, &shapes[first]))
        first++;
    for (size_t i = 0; i < count; i++) {
        OK(mw_field_check_shape(&gpu, problem, length, &shapes[i]));
        assert_true(i < first || !mw_field_is_rectangle(problem, &shapes[i]));
    }
    return first;
}

static void check_model(const char *name, bool fp64, enum mw_integrator integrator)
{
    static const size_t small[][2] = { { 64, 64 }, { 255, 257 }, { 512, 512 }, { 1024, 1024 } };
    static const size_t large[] = { 8192, 8192 };
    struct mw_shape shapes[MW_SHAPES_MAX];
    struct mw_model *model;
    struct mw_reach reach;
    OK(mw_model_load(name, NULL, &model));
    mw_model_reach(model, MW_LAPLACIAN_SECOND, &reach);
    const struct mw_problem problem = { .model = model, .reach = &reach, .dims = 2, .boundary = periodic,
                                        .integrator = integrator, .fp64 = fp64, .row_lanes = 1,
                                        .steps_most = mw_model_info(model)->has_noise };
    for (size_t i = 0; i < MW_COUNT(small); i++) {
        const size_t count = rectangles(&problem, small[i], shapes);
        /* Local memory and registers have no room for all there is in double precision. */
        assert_true(count > 0 || (fp64 && integrator == MW_INTEGRATE_RK4));
        for (size_t k = 1; k < count; k++)
            assert_true(mw_field_rectangle_seconds(&gpu, &problem, small[i], &shapes[k - 1]) <=
                        mw_field_rectangle_seconds(&gpu, &problem, small[i], &shapes[k]));
    }
    assert_int_equal(rectangles(&problem, large, shapes), 0);
    assert_string_equal(shapes[0].variant, "registers");
    mw_model_free(model);
}

static void small_meshes_get_rectangles(void **unused)
{
    static const char *const models[] = { "cahn-hilliard", "cahn-hilliard-cook", "gray-scott", "heat", "wave" };
    (void)unused;
    for (size_t i = 0; i < MW_COUNT(models); i++)
        for (int fp64 = 0; fp64 < 2; fp64++)
            for (int method = MW_INTEGRATE_EULER; method <= MW_INTEGRATE_RK4; method++)
                check_model(models[i], fp64, (enum mw_integrator)method);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(small_meshes_get_rectangles) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
