/* Candidate shapes on artificial devices: shapes by rule fit, and small meshes get their own shapes. */
#include <string.h>

#include "field/program/program.h"
#include "tests/check.h"

static const struct mw_device_traits no_traits;
static const struct mw_device_info gpu = { .id = "opencl:0.0",
                                           .name = "a large one",
                                           .kind = MW_DEVICE_GPU,
                                           .compute_units = 132,
                                           .local_bytes = 48 << 10,
                                           .max_group = 1024,
                                           .max_group_dims = { 1024, 1024, 64 },
                                           .vector_width = 1,
                                           .fp64 = true,
                                           .traits = &no_traits };
static const struct mw_device_info cores = { .id = "opencl:1.0",
                                             .name = "a processor",
                                             .kind = MW_DEVICE_CPU,
                                             .compute_units = 16,
                                             .local_bytes = 1 << 20,
                                             .max_group = 4096,
                                             .max_group_dims = { 4096, 4096, 4096 },
                                             .vector_width = 16,
                                             .fp64 = true,
                                             .traits = &(const struct mw_device_traits){ .has_cores = true } };
static const struct mw_device_info lanes = { .id = "opencl:2.0",
                                             .name = "a processor's lanes",
                                             .kind = MW_DEVICE_CPU,
                                             .compute_units = 8,
                                             .local_bytes = 16 << 10,
                                             .max_group = 1024,
                                             .max_group_dims = { 1024, 1024, 1024 },
                                             .vector_width = 1,
                                             .traits = &(const struct mw_device_traits){ .items_are_lanes = true,
                                                                                         .lanes_load_alone = true } };
static const enum mw_boundary periodic[MW_DIMS_MAX] = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_PERIODIC };

static bool is_small(const struct mw_problem *problem, const struct mw_shape *shape)
{
    return mw_field_is_rectangle(problem, shape) || mw_field_is_alone(shape);
}

/* Number of shapes for small meshes, and number of them at the beginning.  None may be rejected. */
struct counts {
    size_t all, first;
};
static struct counts propose(const struct mw_device_info *device, const struct mw_problem *problem,
                             const size_t *length, struct mw_shape *shapes)
{
    const size_t count = mw_field_candidates(device, problem, length, shapes);
    struct counts small = { 0 };
    assert_true(count > 0);
    while (small.first < count && is_small(problem, &shapes[small.first]))
        small.first++;
    for (size_t i = 0; i < count; i++) {
        OK(mw_field_check_shape(device, problem, length, &shapes[i]));
        small.all += is_small(problem, &shapes[i]);
    }
    return small;
}

static void check_gpu(const struct mw_problem *problem)
{
    static const size_t small[][2] = { { 64, 64 }, { 255, 257 }, { 512, 512 }, { 1024, 1024 } };
    static const size_t large[] = { 8192, 8192 };
    struct mw_shape shapes[MW_SHAPES_MAX];
    struct mw_problem row = *problem;
    struct counts n;
    for (size_t i = 0; i < MW_COUNT(small); i++) {
        n = propose(&gpu, problem, small[i], shapes);
        /* Local memory and registers cannot hold everything in double precision. */
        assert_true(n.all > 0 || (problem->fp64 && problem->integrator == MW_INTEGRATOR_RK4));
        assert_int_equal(n.all, n.first);
        for (size_t k = 1; k < n.first; k++)
            assert_true(mw_field_small_seconds(&gpu, problem, small[i], &shapes[k - 1]) <=
                        mw_field_small_seconds(&gpu, problem, small[i], &shapes[k]));
    }
    assert_int_equal(propose(&gpu, problem, large, shapes).all, 0);
    assert_string_equal(shapes[0].variant, "registers");
    row.dims = 1;
    for (size_t i = 0; i < 2; i++) {
        n = propose(&gpu, &row, i ? large : small[0], shapes);
        assert_true(n.first > 2 && n.first == n.all);
    }
}

static void check_cores(const struct mw_problem *problem)
{
    static const size_t small[] = { 40, 50 }, middle[] = { 100, 100 }, large[] = { 512, 512 };
    const size_t alone = problem->integrator == MW_INTEGRATOR_RK2 && !mw_model_info(problem->model)->has_noise;
    struct mw_shape shapes[MW_SHAPES_MAX];
    struct counts n = propose(&cores, problem, small, shapes);
    assert_int_equal(n.all, alone);
    assert_int_equal(n.first, alone);
    n = propose(&cores, problem, middle, shapes);
    assert_int_equal(n.all, alone);
    assert_int_equal(n.first, 0);
    assert_int_equal(propose(&cores, problem, large, shapes).all, 0);
}

/* In two dimensions cells stay in registers, for few items; in three none do. */
static void check_lanes(const struct mw_problem *problem)
{
    static const size_t plane[] = { 1024, 1024 }, space[] = { 64, 64, 64 };
    struct mw_shape shapes[MW_SHAPES_MAX];
    struct mw_problem cube = *problem;
    propose(&lanes, problem, plane, shapes);
    assert_string_equal(shapes[0].variant, "registers");
    assert_true(shapes[0].group[0] * shapes[0].group[1] <= 32);
    cube.dims = 3;
    propose(&lanes, &cube, space, shapes);
    assert_string_equal(shapes[0].variant, problem->model->stage_count ? "staged" : "fused");
}

static void check_model(const char *name, bool fp64, enum mw_integrator integrator)
{
    struct mw_model *model;
    struct mw_reach reach;
    OK(mw_model_load(name, NULL, &model));
    mw_model_reach(model, MW_LAPLACIAN_SECOND, &reach);
    const struct mw_problem problem = { .model = model,
                                        .reach = &reach,
                                        .dims = 2,
                                        .boundary = periodic,
                                        .integrator = integrator,
                                        .fp64 = fp64,
                                        .row_lanes = 1 };
    check_gpu(&problem);
    check_cores(&problem);
    if (!fp64)
        check_lanes(&problem);
    mw_model_free(model);
}

static void small_meshes_get_their_shapes(void **unused)
{
    static const char *const models[] = { "cahn-hilliard", "kpz", "gray-scott", "heat", "wave" };
    for (size_t i = 0; i < MW_COUNT(models); i++)
        for (int fp64 = 0; fp64 < 2; fp64++)
            for (int method = 0; method <= MW_INTEGRATOR_RK4; method++)
                check_model(models[i], fp64, (enum mw_integrator)method);
}

/* Registers evaluate stages for many cells at once, which takes compilers minutes if stages call functions. */
static void nested_stages_with_functions_stay_short(void **unused)
{
    static const struct {
        const char *model, *variant;
    } cases[] = {
        { "keller-segel", "registers" }, { "flory-huggins", "tile" }, { "kobayashi", "tile" }, { "thin-film", "tile" }
    };
    static const size_t large[] = { 4096, 4096 };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        struct mw_shape shapes[MW_SHAPES_MAX];
        struct mw_model *model;
        struct mw_reach reach;
        OK(mw_model_load(cases[i].model, NULL, &model));
        mw_model_reach(model, MW_LAPLACIAN_SECOND, &reach);
        const struct mw_problem problem = { .model = model,
                                            .reach = &reach,
                                            .dims = 2,
                                            .boundary = periodic,
                                            .integrator = MW_INTEGRATOR_RK2,
                                            .row_lanes = 16 };
        propose(&gpu, &problem, large, shapes);
        assert_string_equal(shapes[0].variant, cases[i].variant);
        mw_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(small_meshes_get_their_shapes),
                                        cmocka_unit_test(nested_stages_with_functions_stay_short) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
