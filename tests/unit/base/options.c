/* Option structs of other versions: shorter ones are accepted, longer ones if their additional members are unset. */
#include <meshwork.h>

#include "base/base.h"
#include "tests/check.h"

#include <string.h>

/* A struct of the library, and of programs of other versions. */
struct mw_sample {
    size_t size;
    int a;
    const char *b;
    double c;
};
struct older {
    size_t size;
    int a;
};
struct newer {
    struct mw_sample now;
    double d;
};

static int take(const void *given, struct mw_sample *taken)
{
    memset(taken, 0xff, sizeof *taken);
    return MW_OPTIONS_TAKE(mw_sample, (const struct mw_sample *)given, b, taken);
}

static void none_and_zeros_are_the_defaults(void **unused)
{
    const struct mw_sample zeros = { 0 };
    struct mw_sample s;
    for (int i = 0; i < 2; i++) {
        OK(take(i == 0 ? NULL : &zeros, &s));
        assert_int_equal(s.size, sizeof s);
        assert_int_equal(s.a, 0);
        assert_null(s.b);
        assert_true(s.c == 0);
    }
}

static void all_that_a_whole_struct_has_is_taken(void **unused)
{
    const struct mw_sample whole = { .size = sizeof whole, .a = 3, .b = "text", .c = 0.5 };
    struct mw_sample s;
    OK(take(&whole, &s));
    assert_int_equal(s.a, 3);
    assert_ptr_equal(s.b, whole.b);
    assert_true(s.c == 0.5);
}

/* A missing size is an error, not a request for the defaults. */
static void without_a_size_all_members_are_zero(void **unused)
{
    const struct mw_sample forgotten[] = { { .a = 3 }, { .b = "text" } };
    struct mw_sample later = { .c = 0.5 }, s;
    for (size_t i = 0; i < MW_COUNT(forgotten); i++) {
        assert_int_equal(take(&forgotten[i], &s), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), "sizeof(struct mw_sample)"));
    }
    OK(take(&later, &s));
    assert_true(s.c == 0); /* members missing in the first version are not read */
}

static void a_shorter_struct_is_taken_and_nothing_beyond_it_read(void **unused)
{
    const struct {
        struct older old;
        char beyond[sizeof(struct mw_sample)];
    } program = {
        { .size = sizeof(struct older), .a = 3 },
        "what else the program has there",
    };
    struct mw_sample s;
    OK(take(&program, &s));
    assert_int_equal(s.a, 3);
    assert_null(s.b);
    assert_true(s.c == 0);
}

static void a_longer_struct_is_taken_unless_it_asks_for_what_is_unknown(void **unused)
{
    struct newer program = { { .size = sizeof program, .a = 3, .c = 0.5 }, 0 };
    struct mw_sample s;
    OK(take(&program, &s));
    assert_int_equal(s.size, sizeof s);
    assert_int_equal(s.a, 3);
    assert_true(s.c == 0.5);
    program.d = 1;
    assert_int_equal(take(&program, &s), MW_ENOTSUP);
    assert_non_null(strstr(mw_errmsg(), "mw_sample"));
    assert_non_null(strstr(mw_errmsg(), mw_version()));
}

static void sizes_that_make_no_sense_are_refused(void **unused)
{
    const size_t sizes[] = { 1, sizeof(size_t) - 1, 1 << 20, SIZE_MAX };
    struct mw_sample s;
    for (size_t i = 0; i < MW_COUNT(sizes); i++)
        assert_int_equal(take(&sizes[i], &s), MW_EINVAL);
}

/* ---- results ---- */

static int give(const struct mw_sample *known, void *given)
{
    return MW_RESULT_GIVE(mw_sample, known, b, (struct mw_sample *)given);
}

static void a_result_fills_the_struct_that_the_caller_has(void **unused)
{
    const struct mw_sample known = { .size = 1, .a = 3, .b = "text", .c = 0.5 };
    struct mw_sample same = MW_INIT(same);
    struct newer later = { { .size = sizeof later }, 7 };
    const size_t before_c = offsetof(struct mw_sample, c);
    struct {
        struct mw_sample old;
        char beyond[8];
    } first = { { .size = before_c, .c = 9 }, "kept" };
    OK(give(&known, &same));
    assert_true(same.size == sizeof same && same.a == 3 && same.b == known.b && same.c == 0.5);
    OK(give(&known, &later));
    assert_true(later.now.size == sizeof later && later.now.c == 0.5 && later.d == 0);
    OK(give(&known, &first));
    assert_true(first.old.a == 3 && first.old.b == known.b && first.old.c == 9);
    assert_string_equal(first.beyond, "kept");
    mw_result_clear(&first);
    assert_true(first.old.size == before_c && first.old.a == 0 && !first.old.b && first.old.c == 9);
    OK(give(&known, NULL));
    OK(give(NULL, &same));
    assert_int_equal(same.a, 3);
}

static void a_result_without_its_size_is_refused(void **unused)
{
    const struct mw_sample known = { .a = 3 };
    const size_t sizes[] = { 0, 1, sizeof(size_t), sizeof(struct older) - 1, 1 << 20, SIZE_MAX };
    for (size_t i = 0; i < MW_COUNT(sizes); i++) {
        struct mw_sample s = { .size = sizes[i], .a = 77 };
        assert_int_equal(give(NULL, &s), MW_EINVAL);
        assert_int_equal(give(&known, &s), MW_EINVAL);
        assert_int_equal(s.a, 77);
        assert_non_null(strstr(mw_errmsg(), "mw_sample"));
    }
}

/* ---- every call of the library that takes options ---- */

static struct mw_device *device;
static struct mw_model *model;
static struct mw_graph graph;
static const struct mw_edges edges = { .vertices = 2 };
static struct mw_array array;

static int nothing(void *context) { return 0; }
static int no_steps(void *context, uint64_t steps) { return 0; }

static int open_device(const void *options)
{
    struct mw_device *d = NULL;
    const int rc = mw_device_open_by_name("native:serial", options, &d);
    mw_device_close(d);
    return rc;
}

static int field(const void *options)
{
    struct mw_field *f = NULL;
    const int rc = mw_field_new(&device, 1, model, options, &f);
    mw_field_free(f);
    return rc;
}

static int field_bytes(const void *options)
{
    uint64_t bytes;
    return mw_field_bytes(model, options, &bytes);
}

static int labelling(const void *options)
{
    struct mw_labelling *l = NULL;
    const int rc = mw_labelling_new(&device, 1, options, &l);
    mw_labelling_free(l);
    return rc;
}

static int label_array(const void *options)
{
    struct mw_array labels = { 0 };
    const int rc = mw_label_array(&device, 1, options, &array, &labels, NULL, NULL);
    mw_array_free(&labels);
    return rc;
}

static int run(const void *options)
{
    const struct mw_run_simulation simulation = {
        .size = sizeof simulation, .init = nothing, .advance = no_steps, .observe = no_steps
    };
    return mw_run(&simulation, options, NULL);
}

static int run_simulation(const void *simulation)
{
    const struct mw_run_options options = { .size = sizeof options, .steps = 0 };
    return mw_run(simulation, &options, NULL);
}

static int new_graph(const void *options)
{
    struct mw_graph g = { 0 };
    const int rc = mw_graph_new(device, &edges, options, &g, NULL);
    mw_graph_free(&g);
    return rc;
}

static int read_edges(const void *options)
{
    struct mw_edges e = { 0 };
    const int rc = mw_edges_read("/dev/null", options, &e);
    mw_edges_free(&e);
    return rc;
}

static int write_graph(const void *options) { return mw_graph_write(&graph, "/no/such/folder/a.el", options); }
static int write_check(const void *options) { return mw_graph_write_check("a.el", options); }

static int graph_labelling(const void *options)
{
    struct mw_graph_labelling *l = NULL;
    const int rc = mw_graph_labelling_new(&device, 1, &graph, options, &l);
    mw_graph_labelling_free(l);
    return rc;
}

static int graph_label(const void *options)
{
    int32_t labels[2];
    return mw_graph_label(&device, 1, &graph, options, labels);
}

static int carpet(const void *options)
{
    struct mw_carpet *c = NULL;
    const int rc = mw_carpet_new(options, &c);
    mw_carpet_free(c);
    return rc;
}

static int walk(const void *options)
{
    struct mw_carpet *c = NULL;
    struct mw_walk *w = NULL;
    int rc = mw_carpet_new(NULL, &c);
    if (rc == 0)
        rc = mw_walk_new(&device, 1, c, options, &w);
    mw_walk_free(w);
    mw_carpet_free(c);
    return rc;
}

static int program(const void *source)
{
    struct mw_program *p = NULL;
    const int rc = mw_program_new(device, source, &p);
    mw_program_free(p);
    return rc;
}

static int tune(const void *tuning)
{
    struct mw_shape best;
    return mw_tune(tuning, &best, NULL, NULL);
}

/* `shortest`: the result of the call for a struct that has only its size. */
static const struct {
    const char *name;
    int (*call)(const void *);
    size_t bytes;
    int shortest;
} calls[] = {
    { "mw_device_open_by_name", open_device, sizeof(struct mw_device_options), MW_OK },
    { "mw_field_new", field, sizeof(struct mw_field_options), MW_EINVAL },
    { "mw_field_bytes", field_bytes, sizeof(struct mw_field_options), MW_EINVAL },
    { "mw_labelling_new", labelling, sizeof(struct mw_label_options), MW_EINVAL },
    { "mw_label_array", label_array, sizeof(struct mw_label_options), MW_OK },
    { "mw_run", run, sizeof(struct mw_run_options), MW_OK },
    { "mw_run (simulation)", run_simulation, sizeof(struct mw_run_simulation), MW_EINVAL },
    { "mw_graph_new", new_graph, sizeof(struct mw_graph_options), MW_OK },
    { "mw_edges_read", read_edges, sizeof(struct mw_graph_file_options), MW_OK },
    { "mw_graph_write", write_graph, sizeof(struct mw_graph_file_options), MW_EIO },
    { "mw_graph_write_check", write_check, sizeof(struct mw_graph_file_options), MW_OK },
    { "mw_graph_labelling_new", graph_labelling, sizeof(struct mw_graph_labelling_options), MW_OK },
    { "mw_graph_label", graph_label, sizeof(struct mw_graph_labelling_options), MW_OK },
    { "mw_carpet_new", carpet, sizeof(struct mw_carpet_options), MW_OK },
    { "mw_walk_new", walk, sizeof(struct mw_walk_options), MW_OK },
    { "mw_program_new", program, sizeof(struct mw_source), MW_EINVAL },
    { "mw_tune", tune, sizeof(struct mw_tuning), MW_EINVAL },
};

static void every_call_takes_shorter_structs_and_refuses_unknown_options(void **unused)
{
    for (size_t i = 0; i < MW_COUNT(calls); i++) {
        const size_t longer = calls[i].bytes + 64, only_size = sizeof(size_t);
        unsigned char *given = room(longer, 1);
        memset(given, 0xff, longer);
        memcpy(given, &only_size, sizeof only_size);
        int rc = calls[i].call(given);
        if (rc != calls[i].shortest)
            fail_msg("%s with a struct of its size alone: %d, %s", calls[i].name, rc, mw_errmsg());
        memset(given, 0, longer);
        memcpy(given, &longer, sizeof longer);
        rc = calls[i].call(given);
        if (rc != calls[i].shortest)
            fail_msg("%s with a longer struct of zeros: %d, %s", calls[i].name, rc, mw_errmsg());
        given[longer - 1] = 1;
        rc = calls[i].call(given);
        if (rc != MW_ENOTSUP)
            fail_msg("%s with an unknown option: %d", calls[i].name, rc);
        free(given);
    }
}

static int make(void **unused)
{
    const size_t length = 4;
    OK(mw_device_open_by_name("native:serial", NULL, &device));
    OK(mw_model_load("cahn-hilliard", NULL, &model));
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    OK(mw_array_new(MW_TYPE_U8, 1, &length, &array));
    return 0;
}

static int drop(void **unused)
{
    mw_array_free(&array);
    mw_graph_free(&graph);
    mw_model_free(model);
    mw_device_close(device);
    return 0;
}

/* ---- variants ---- */

/* `--variant auto` and `--variant list` are special, and each word belongs to one row. */
static void names_of_variants_are_their_own(void **unused)
{
    static mw_variant_table *const tables[] = { mw_field_variants,
                                                mw_graph_component_variants,
                                                mw_graph_strong_variants,
                                                mw_graph_bridge_variants,
                                                mw_graph_triangle_variants,
                                                mw_graph_core_variants,
                                                mw_graph_betweenness_variants,
                                                mw_graph_path_variants,
                                                mw_graph_distance_variants,
                                                mw_graph_length_variants,
                                                mw_label_variants,
                                                mw_random_variants,
                                                mw_spin_variants,
                                                mw_transform_variants,
                                                mw_walk_variants };
    for (size_t t = 0; t < MW_COUNT(tables); t++) {
        assert_non_null(tables[t](0));
        for (size_t i = 0, row; tables[t](i); i++) {
            const struct mw_variant *v = tables[t](i);
            assert_string_not_equal(v->name, "auto");
            assert_string_not_equal(v->name, "list");
            assert_int_equal(mw_variant_find(tables[t], v->name, &row), 0);
            assert_int_equal(row, i);
            if (v->alias) {
                assert_int_equal(mw_variant_find(tables[t], v->alias, &row), 0);
                assert_int_equal(row, i);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_and_zeros_are_the_defaults),
        cmocka_unit_test(all_that_a_whole_struct_has_is_taken),
        cmocka_unit_test(without_a_size_all_members_are_zero),
        cmocka_unit_test(a_shorter_struct_is_taken_and_nothing_beyond_it_read),
        cmocka_unit_test(a_longer_struct_is_taken_unless_it_asks_for_what_is_unknown),
        cmocka_unit_test(sizes_that_make_no_sense_are_refused),
        cmocka_unit_test(a_result_fills_the_struct_that_the_caller_has),
        cmocka_unit_test(a_result_without_its_size_is_refused),
        cmocka_unit_test_setup_teardown(every_call_takes_shorter_structs_and_refuses_unknown_options, make, drop),
        cmocka_unit_test(names_of_variants_are_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
