/* The installed models of fields on one device, $MESHWORK_TEST_DEVICE: the bits of native:serial, in two and three
 * dimensions and both precisions, by the rule's shape, by another variant, and next to native:serial.
 *
 * Each run tries some cases, as compilers take seconds for each.  Known variants are in shapes.c, parts in split.c. */
#include "tests/device/field/evolve.h"

enum { PRECISIONS = 2, LEAST_DIMS = 2, DIMS = 2, CASES_PER_MODEL = PRECISIONS * DIMS };

static char **names;
static size_t name_count;
static unsigned compared, differing;

/* ---- a case: a model on a random mesh ---- */

static struct mw_field_options random_options(unsigned dims, bool fp64, const struct mw_model_info *model)
{
    struct mw_field_options o = options_of(0, 0, NULL, fp64);
    const size_t most = dims == 2 ? (slow ? 6 : 40) : (slow ? 1 : 9);
    const double dt = model->dt * 0.5; /* stable also in three dimensions */
    o.dims = dims;
    o.seed = random_below(1000);
    o.dt = dt;
    for (unsigned d = 0; d < dims; d++) {
        o.length[d] = (d + 1 == dims ? 25 : 5) + random_below(most);
        o.boundary[d] = random_below(2) ? MW_BOUNDARY_PERIODIC : (enum mw_boundary)random_below(4);
    }
    o.integrator = (enum mw_integrator)random_below(3);
    return o;
}

static void same(const struct mw_array *expected, struct mw_array *got, const struct mw_model *model,
                 const struct mw_field_options *o, const char *where)
{
    if (!got->data) /* beyond the device's limits */
        return;
    compared++;
    if (memcmp(expected->data, got->data, expected->count * mw_type_bytes(expected->type)) != 0) {
        print_error("%s, %u dimensions, %s, %s, boundaries %d %d %d, %s, %s, %s: other bits\n",
                    mw_model_info(model)->name, o->dims, o->fp64 ? "double" : "single",
                    mw_integrator_name((int)o->integrator), (int)o->boundary[0], (int)o->boundary[1],
                    (int)o->boundary[2], o->variant ? o->variant : "auto", o->shape ? o->shape : "", where);
        differing++;
    }
    mw_array_free(got);
}

/* Returns whether the model has this shape on the device. */
static bool is_possible(const struct mw_model *model, const struct mw_field_options *o)
{
    struct mw_field *field = NULL;
    const int rc = mw_field_new(&device, 1, model, o, &field);
    mw_field_free(field);
    if (rc != 0 && rc != MW_EINVAL && rc != MW_ELIMIT)
        fail_msg("%s, %s, %s: %s", mw_model_info(model)->name, o->variant, o->shape, mw_errmsg());
    return rc == 0;
}

/* Chooses a variant and a number of lanes that compilers finish in seconds: without stages in place,
 * and without rows in registers in three dimensions. */
static bool other_shape(const struct mw_model *model, struct mw_field_options *o)
{
    static const char *const variants[] = { "staged", "rolling", "tile", "registers" };
    static const char *const lanes[] = { "vec=1", "vec=2", "vec=4", "vec=8" };
    const size_t count = native || o->dims == 3 ? 2 : slow_compiler ? 1 : MW_COUNT(variants);
    const size_t first = random_below(count);
    o->shape = native ? "rows=3" : lanes[slow_compiler ? 0 : random_below(MW_COUNT(lanes))];
    for (size_t i = 0; i < count; i++) {
        o->variant = variants[(first + i) % count];
        if (is_possible(model, o))
            return true;
    }
    return false;
}

static void check(const char *name, unsigned dims, bool fp64)
{
    struct mw_model *model = load(name);
    struct mw_device *const both[] = { device, serial };
    struct mw_field_options o = random_options(dims, fp64, mw_model_info(model));
    const uint64_t steps = slow ? 1 : 3;
    const double shares[] = { 1 + (double)random_below(3), 1 + (double)random_below(3) };
    struct mw_array expected = evolve_on(&serial, 1, model, &o, NULL, steps), got;
    if (!are_numbers(&expected)) { /* a field that must be positive is 0 beyond fixed boundaries */
        mw_array_free(&expected);
        for (unsigned d = 0; d < dims; d++)
            o.boundary[d] = o.boundary[d] == MW_BOUNDARY_FIXED ? MW_BOUNDARY_MIRROR : o.boundary[d];
        expected = evolve_on(&serial, 1, model, &o, NULL, steps);
    }
    print_message("%s, %u dimensions, %s\n", name, dims, fp64 ? "double" : "single");
    must_be_numbers(&expected);
    if (strcmp(info->id, "native:serial") != 0) {
        got = evolve(model, &o, NULL, steps);
        same(&expected, &got, model, &o, "one device");
    }
    if (strstr(mw_model_info(model)->text, "mean(") == NULL) { /* needs one device */
        o.shares = shares;
        got = evolve_on(both, 2, model, &o, NULL, steps);
        same(&expected, &got, model, &o, "two devices");
        o.shares = NULL;
    }
    if (other_shape(model, &o)) {
        got = evolve(model, &o, NULL, steps);
        same(&expected, &got, model, &o, "one device");
    }
    mw_array_free(&expected);
    mw_model_free(model);
}

static void models_have_the_bits_of_one_core(void **unused)
{
    const size_t each = one_in(native ? 15 : slow || slow_compiler ? 40 : 15), count = name_count * CASES_PER_MODEL;
    for (size_t i = random_below(each); i < count; i += each) {
        const bool fp64 = i / name_count % PRECISIONS;
        if (!fp64 || info->fp64)
            check(names[i % name_count], LEAST_DIMS + (unsigned)(i / name_count / PRECISIONS), fp64);
    }
    print_message("%u comparisons\n", compared);
    assert_int_equal(differing, 0);
}

static int open_all(void **unused)
{
    if (open_with_serial(unused) != 0 || mw_model_names(NULL, MW_MODEL_FIELD, &names) != 0)
        return -1;
    while (names[name_count])
        name_count++;
    return 0;
}

static int close_all(void **unused)
{
    mw_model_names_free(names);
    return close_with_serial(unused);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(models_have_the_bits_of_one_core) };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
/* SPDX-License-Identifier: MIT */
