/* Arguments that may be NULL according to the headers are accepted as NULL. */
#include <meshwork.h>

#include "base/base.h"
#include "tests/check.h"

#include <pthread.h>
#include <string.h>

static void nothing_can_be_freed(void **unused)
{
    mw_array_free(NULL);
    mw_buffer_free(NULL);
    mw_carpet_free(NULL);
    mw_carpet_names_free(NULL);
    mw_checkpoint_close(NULL);
    mw_components_free(NULL);
    mw_device_close(NULL);
    mw_device_list_free(NULL);
    mw_edges_free(NULL);
    mw_event_free(NULL);
    mw_field_free(NULL);
    mw_file_abandon(NULL);
    mw_geometry_free(NULL);
    mw_graph_free(NULL);
    mw_graph_groups_free(NULL);
    mw_graph_betweenness_free(NULL);
    mw_graph_bridges_free(NULL);
    mw_graph_cores_free(NULL);
    mw_graph_distances_free(NULL);
    mw_graph_labelling_free(NULL);
    mw_graph_lengths_free(NULL);
    mw_graph_pagerank_free(NULL);
    mw_graph_paths_free(NULL);
    mw_graph_strong_free(NULL);
    mw_graph_triangles_free(NULL);
    mw_random_free(NULL);
    mw_image_free(NULL);
    mw_kernel_free(NULL);
    mw_labelling_free(NULL);
    mw_map_free(NULL);
    mw_model_free(NULL);
    mw_model_names_free(NULL);
    mw_neighbours_free(NULL);
    mw_prim_free(NULL);
    mw_program_free(NULL);
    mw_series_free(NULL);
    mw_staging_free(NULL);
    mw_transform_free(NULL);
    mw_walk_free(NULL);
    mw_walkers_free(NULL);
}

/* ---- unwanted results ---- */

static struct mw_device *device;
static struct mw_array array;

static int make(void **unused)
{
    const size_t length = 5;
    OK(mw_device_open_by_name("native:serial", NULL, &device));
    OK(mw_array_new(MW_TYPE_U8, 1, &length, &array));
    memcpy(array.data, "aabba", 5);
    return 0;
}

static int drop(void **unused)
{
    mw_array_free(&array);
    mw_device_close(device);
    return 0;
}

static void transforms_need_not_be_timed(void **unused)
{
    struct mw_array result;
    struct mw_map *map;
    OK(mw_map_new(1, array.length, &map));
    OK(mw_map_flip(map, 0));
    OK(mw_transform_array(&device, 1, map, &array, NULL, &result, NULL));
    assert_memory_equal(result.data, "abbaa", 5);
    mw_array_free(&result);
    mw_map_free(map);
}

static void labellings_need_tell_no_numbers(void **unused)
{
    const struct mw_label_options options = { .size = sizeof options, .dims = 1, .length = { 5 }, .type = MW_TYPE_U8 };
    struct mw_labelling *labelling;
    struct mw_buffer *from, *to;
    OK(mw_label_array(&device, 1, &options, &array, NULL, NULL, NULL));
    OK(mw_labelling_new(&device, 1, &options, &labelling));
    OK(mw_buffer_new(device, 5, &from));
    OK(mw_buffer_new(device, 5 * sizeof(int32_t), &to));
    OK(mw_buffer_write(from, 0, 5, array.data, NULL));
    OK(mw_labelling_run(labelling, from, to, NULL, NULL));
    mw_labelling_free(labelling);
    mw_buffer_free(from);
    mw_buffer_free(to);
}

static void graphs_need_tell_no_numbers(void **unused)
{
    uint32_t ends[] = { 0, 1 };
    const struct mw_edges edges = { .vertices = 3, .count = 1, .ends = ends };
    struct mw_graph_labelling *labelling;
    struct mw_buffer *roots;
    struct mw_graph graph;
    char name[MW_NAME_CAPACITY];
    assert_string_equal(mw_name(NULL, 7, name), "7");
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    OK(mw_graph_labelling_new(&device, 1, &graph, NULL, &labelling));
    OK(mw_buffer_new(device, 3 * sizeof(int32_t), &roots));
    OK(mw_graph_labelling_run(labelling, roots, NULL));
    OK(mw_graph_components(&device, 1, &graph, NULL, NULL, NULL));
    mw_buffer_free(roots);
    mw_graph_labelling_free(labelling);
    mw_graph_free(&graph);
}

static void *default_of_a_thread(void *device) { return mw_device_default(device) == 0 ? device : NULL; }

static void no_device_is_the_default_one(void **unused)
{
    uint32_t ends[] = { 0, 1 };
    struct mw_graph graph;
    struct mw_array image, labels;
    struct mw_device *first, *again, *other;
    struct mw_buffer *buffer;
    size_t components;
    pthread_t thread;
    void *opened;
    OK(mw_device_default(&first));
    OK(mw_device_default(&again));
    assert_ptr_equal(again, first);
    assert_int_equal(pthread_create(&thread, NULL, default_of_a_thread, &other), 0);
    assert_int_equal(pthread_join(thread, &opened), 0);
    assert_non_null(opened);
    assert_ptr_not_equal(other, first);
    OK(mw_buffer_new(NULL, 4, &buffer));
    OK(mw_buffer_fill(buffer, 0, 4, 1));
    OK(mw_device_finish(first));
    OK(mw_graph_from_edges(NULL, 3, ends, 1, false, NULL, &graph));
    OK(mw_graph_components(NULL, 0, &graph, NULL, NULL, &components));
    assert_int_equal(components, 2);
    assert_int_equal(mw_graph_components(&first, 0, &graph, NULL, NULL, NULL), MW_EINVAL);
    assert_int_equal(mw_graph_components(NULL, 1, &graph, NULL, NULL, NULL), MW_EINVAL);
    mw_graph_free(&graph);
    OK(mw_array_new(MW_TYPE_F32, 2, (size_t[]){ 4, 1 }, &image));
    memcpy(image.data, (const float[]){ 1, -1, 0.5f, 2 }, 4 * sizeof(float));
    OK(mw_label_image(NULL, 0, &image, &labels, &components));
    assert_int_equal(components, 2);
    assert_memory_equal(labels.data, ((const int32_t[]){ 1, 0, 2, 2 }), 4 * sizeof(int32_t));
    mw_array_free(&image);
    mw_array_free(&labels);
    OK(mw_array_new(MW_TYPE_F64, 1, (size_t[]){ 4 }, &image));
    memcpy(image.data, (const double[]){ 1, 2, -1, 3 }, 4 * sizeof(double));
    OK(mw_label_image(NULL, 0, &image, &labels, &components));
    assert_memory_equal(labels.data, ((const int32_t[]){ 1, 1, 0, 2 }), 4 * sizeof(int32_t));
    mw_array_free(&image);
    mw_array_free(&labels);
    /* Whole numbers are joined where they are equal. */
    OK(mw_array_new(MW_TYPE_U8, 1, (size_t[]){ 4 }, &image));
    memcpy(image.data, (const unsigned char[]){ 1, 2, 2, 0 }, 4);
    OK(mw_label_image(NULL, 0, &image, &labels, &components));
    assert_memory_equal(labels.data, ((const int32_t[]){ 1, 2, 2, 0 }), 4 * sizeof(int32_t));
    mw_array_free(&image);
    mw_array_free(&labels);
    mw_buffer_free(buffer);
    mw_device_close(first);
    OK(mw_device_default(&again));
    mw_device_close(again);
}

static int nothing(void *context) { return 0; }
static int no_steps(void *context, uint64_t steps) { return 0; }

static void runs_need_tell_no_result(void **unused)
{
    const struct mw_run_simulation simulation = {
        .size = sizeof simulation, .init = nothing, .advance = no_steps, .observe = no_steps
    };
    const struct mw_run_options options = { .size = sizeof options, .steps = 2 };
    OK(mw_run(&simulation, &options, NULL));
}

static void sums_need_not_come_back(void **unused)
{
    const uint32_t values[] = { 1, 2, 3 };
    uint32_t sums[3];
    struct mw_buffer *buffer;
    struct mw_prim *prim;
    OK(mw_prim_new(device, &prim));
    OK(mw_buffer_new(device, sizeof values, &buffer));
    OK(mw_buffer_write(buffer, 0, sizeof values, values, NULL));
    OK(mw_prim_scan(prim, buffer, buffer, 3, MW_TYPE_U32, true, NULL));
    OK(mw_prim_sort(prim, buffer, MW_TYPE_U32, 32, NULL, 0, 3));
    OK(mw_buffer_read(buffer, 0, sizeof sums, sums, NULL));
    assert_int_equal(sums[2], 6);
    mw_buffer_free(buffer);
    mw_prim_free(prim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_can_be_freed),         cmocka_unit_test(no_device_is_the_default_one),
        cmocka_unit_test(transforms_need_not_be_timed), cmocka_unit_test(labellings_need_tell_no_numbers),
        cmocka_unit_test(graphs_need_tell_no_numbers),  cmocka_unit_test(runs_need_tell_no_result),
        cmocka_unit_test(sums_need_not_come_back),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
/* SPDX-License-Identifier: MIT */
