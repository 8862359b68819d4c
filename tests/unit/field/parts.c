/* Fields of two parts on native single-threaded devices, with failures or slow operations. */
#include <meshwork/field.h>

#include <stdlib.h>
#include <string.h>

#include "dev/core/backend.h"
#include "field/evolve/evolve.h"
#include "tests/check.h"

#define HEADER "//@ model two \"dc/dt = lap c\"\n//@ field c noise=1\nRATE(c)\n{\n    return LAP(c);\n}\n"

static struct mw_device *device[2];

/* NULL: no program is available without a compiler. */
static struct mw_field *new_field(const struct mw_model *model)
{
    const struct mw_field_options o = { .size = sizeof o,
                                        .dims = 2,
                                        .length = { 32, 40 },
                                        .variant = "fused",
                                        .no_tune = true,
                                        .integrator = MW_INTEGRATOR_RK2 };
    struct mw_field *field = NULL;
    const int rc = mw_field_new(device, 2, model, &o, &field);
    if (rc == MW_ENOTSUP && strstr(mw_errmsg(), "native"))
        return NULL;
    OK(rc);
    return field;
}

static struct mw_model *load(void)
{
    struct mw_model *model;
    OK(mw_model_load("cahn-hilliard", NULL, &model));
    return model;
}

static void refused(int rc)
{
    if (rc != MW_EDEVICE || !strstr(mw_errmsg(), "make a new one"))
        fail_msg("%d: %s", rc, mw_errmsg());
}

/* A part that lost its cells and found no memory for the new ones is empty. */
static void after_a_move_that_failed_a_field_only_says_so(void **unused)
{
    struct mw_model *model = load();
    struct mw_field *field = new_field(model);
    struct mw_statistics statistics;
    struct mw_array state = { 0 }, other = { 0 };
    double energy;
    assert_non_null(field);
    OK(mw_field_get(field, &state));
    device[1]->info.max_alloc_bytes = 1;
    assert_int_equal(mw_balance_move(field, (const int[]){ 16, 24 }), MW_ELIMIT);
    device[1]->info.max_alloc_bytes = 0;
    refused(mw_field_advance(field, 1));
    refused(mw_field_get(field, &other));
    refused(mw_field_get_into(field, &state));
    refused(mw_field_set(field, &state));
    refused(mw_field_statistics(field, &statistics));
    refused(mw_field_energy(field, &energy));
    assert_null(other.data);
    OK(mw_field_sync(field));
    mw_array_free(&state);
    mw_field_free(field);
    mw_model_free(model);
}

/* Each part builds the energy kernel in its own thread. */
static void the_log_of_a_build_is_the_callers(void **unused)
{
    static const char text[] = HEADER "ENERGY() { return AT(c); }\n",
                      compiled[] = "RATE(f_c) { return LAP(f_c); }\nENERGY()\n{\n#ifdef ENERGY_ALONE\n"
                                   "    return no_such_name;\n#endif\n    return AT(f_c);\n}\n";
    struct mw_model *model;
    OK(mw_model_from_text("two.cl", text, &model));
    free(model->text);
    OK(mw_strdup(compiled, &model->text));
    struct mw_field *field = new_field(model);
    double energy;
    if (!field) {
        mw_model_free(model);
        skip();
    }
    assert_int_equal(mw_field_energy(field, &energy), MW_EBUILD);
    assert_non_null(strstr(mw_errmsg(), "two.cl:5"));
    assert_non_null(strstr(mw_build_log(), "no_such_name"));
    mw_field_free(field);
    mw_model_free(model);
}

/* Few of the rounds longer than the interval of the balancing are timed; each new measurement halves the weight of
 * earlier ones. */
static void what_was_measured_stays_a_speed(void **unused)
{
    struct mw_model *model = load();
    struct mw_field *field = new_field(model);
    struct mw_field_part part[2];
    assert_non_null(field);
    for (size_t i = 0; i < 2; i++)
        field->parts[i].speed = (struct mw_part_speed){
            .rounds = 10, .timed_rounds = 8, .timed_steps = 8, .seconds = 16, .timed_at = mw_now() + 3600
        };
    for (int looks = 0; looks < 5; looks++) {
        field->window = field->elapsed = 0;
        OK(mw_field_advance(field, 1));
    }
    assert_int_equal(mw_field_parts(field, 2, part), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(part[i].share == 0.5);
        assert_true(part[i].step_seconds == 2);
    }
    mw_field_free(field);
    mw_model_free(model);
}

/* Other allocations on the devices do not end a run. */
static void without_room_to_move_parts_stay(void **unused)
{
    struct mw_model *model = load();
    struct mw_field *field = new_field(model);
    struct mw_field_part part[2];
    assert_non_null(field);
    for (size_t i = 0; i < 2; i++) {
        field->parts[i].speed =
            (struct mw_part_speed){ .rounds = 10, .timed_rounds = 8, .timed_steps = 8, .seconds = 1 + 9.0 * (double)i };
        device[i]->info.max_alloc_bytes = 1;
    }
    field->window = field->elapsed = 0;
    OK(mw_field_advance(field, 1));
    assert_int_equal(mw_field_parts(field, 2, part), 2);
    for (size_t i = 0; i < 2; i++) {
        device[i]->info.max_alloc_bytes = 0;
        assert_true(part[i].share == 0.5);
    }
    mw_field_free(field);
    mw_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_move_that_failed_a_field_only_says_so),
        cmocka_unit_test(the_log_of_a_build_is_the_callers),
        cmocka_unit_test(what_was_measured_stays_a_speed),
        cmocka_unit_test(without_room_to_move_parts_stay),
    };
    for (size_t i = 0; i < 2; i++)
        if (mw_device_open_by_name("native:serial", NULL, &device[i]) != 0) {
            fprintf(stderr, "%s\n", mw_errmsg());
            return 1;
        }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < 2; i++)
        mw_device_close(device[i]);
    return failed;
}
/* SPDX-License-Identifier: MIT */
