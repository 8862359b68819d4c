/* The user's work-group size (`group` of struct mw_device_options), on $MESHWORK_TEST_DEVICE: launches have groups of
 * that size, results have the same bits for every size, and invalid sizes are refused. */
#include <meshwork/generate.h>
#include <meshwork/graph_components.h>
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>
#include <meshwork/label.h>
#include <meshwork/model.h>
#include <meshwork/rng.h>
#include <meshwork/spin.h>
#include <meshwork/walk.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/arcs/arcs.h"
#include "kernels/graph/components/propagation.h"

#include "tests/device/device.h"

static const char *test_device(void) { return getenv("MESHWORK_TEST_DEVICE"); }

static int open_with(size_t group, struct mw_device **opened)
{
    return mw_device_open_by_name(test_device(), GIVEN(mw_device_options, .group = group), opened);
}

/* ---- tasks, whose results are put together as bytes ---- */

struct answer {
    unsigned char bytes[1 << 16];
    size_t count;
};

static void put(struct answer *a, const void *bytes, size_t count)
{
    assert_true(count <= sizeof a->bytes - a->count);
    memcpy(a->bytes + a->count, bytes, count);
    a->count += count;
}

static struct mw_graph graph; /* with a hub, and vertices without arcs */

static int paths(struct mw_device *on, const char *variant, struct answer *a)
{
    struct mw_graph_paths p = MW_INIT(p);
    TRY_RETURN(mw_graph_paths(&on, 1, &graph, GIVEN(mw_graph_paths_options, .variant = variant), &p));
    put(a, &p.sum, sizeof p.sum);
    put(a, p.histogram, (p.longest + 1) * sizeof *p.histogram);
    mw_graph_paths_free(&p);
    return 0;
}

static int components(struct mw_device *on, const char *variant, struct answer *a)
{
    int32_t *roots = room(graph.vertices, sizeof *roots);
    int rc;
    TRY(mw_graph_label(&on, 1, &graph, GIVEN(mw_graph_labelling_options, .variant = variant), roots));
    put(a, roots, graph.vertices * sizeof *roots);
out:
    free(roots);
    return rc;
}

static int triangles(struct mw_device *on, const char *variant, struct answer *a)
{
    struct mw_graph_triangles t = MW_INIT(t);
    TRY_RETURN(mw_graph_triangles(&on, 1, &graph, GIVEN(mw_graph_triangles_options, .variant = variant), &t));
    put(a, &t.triangles, sizeof t.triangles);
    put(a, &t.triples, sizeof t.triples);
    mw_graph_triangles_free(&t);
    return 0;
}

static int label(struct mw_device *on, const char *variant, struct answer *a)
{
    const size_t length[] = { 50, 31 };
    struct mw_label_options o = { .size = sizeof o, .variant = variant, .dims = 2, .type = MW_TYPE_U8 };
    struct mw_array cells = { 0 }, labels = { 0 };
    int rc;
    memcpy(o.length, length, sizeof length);
    TRY(mw_array_new(MW_TYPE_U8, 2, length, &cells));
    for (size_t i = 0; i < cells.count; i++)
        ((unsigned char *)cells.data)[i] = i * 2654435761u >> 16 & 1;
    TRY(mw_label_array(&on, 1, &o, &cells, &labels, NULL, NULL));
    put(a, labels.data, labels.count * sizeof(int32_t));
out:
    mw_array_free(&cells);
    mw_array_free(&labels);
    return rc;
}

static int walk(struct mw_device *on, const char *variant, struct answer *a)
{
    struct mw_carpet *carpet = NULL;
    struct mw_walk *w = NULL;
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_carpet_new(GIVEN(mw_carpet_options, .generators = "sc31"), &carpet));
    TRY(mw_walk_new(&on, 1, carpet, GIVEN(mw_walk_options, .variant = variant, .steps = 12, .single = true), &w));
    TRY(mw_walk_advance(w, 12));
    TRY(mw_walk_get(w, &state));
    put(a, state.data, state.count * mw_type_bytes(state.type));
out:
    mw_array_free(&state);
    mw_walk_free(w);
    mw_carpet_free(carpet);
    return rc;
}

static int numbers(struct mw_device *on, const char *variant, struct answer *a)
{
    enum { COUNT = 1000 };
    struct mw_random *random = NULL;
    uint32_t to[COUNT];
    int rc;
    TRY(mw_random_new(&on, 1,
                      GIVEN(mw_random_options, .variant = variant,
                            .generator = strcmp(variant, "tables") ? "philox" : "ranmar",
                            .streams = strcmp(variant, "tables") ? 0 : 64),
                      &random));
    TRY(mw_random_fill_host(random, GIVEN(mw_random_draw, .kind = MW_RANDOM_BITS), 3, COUNT, to));
    put(a, to, sizeof to);
out:
    mw_random_free(random);
    return rc;
}

static int spins(struct mw_device *on, const char *variant, struct answer *a)
{
    struct mw_spin_options o = { .size = sizeof o, .variant = variant, .dims = 2, .length = { 64, 40 } };
    struct mw_model *model = NULL;
    struct mw_spins *s = NULL;
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_model_load("ising", NULL, &model));
    TRY(mw_spins_new(&on, 1, model, &o, &s));
    TRY(mw_spins_advance(s, 3));
    TRY(mw_spins_get(s, &state));
    put(a, state.data, state.count);
out:
    mw_array_free(&state);
    mw_spins_free(s);
    mw_model_free(model);
    return rc;
}

/* powers: only groups of a power of two. */
static const struct task {
    int (*run)(struct mw_device *on, const char *variant, struct answer *a);
    const char *variant;
    bool powers;
} tasks[] = {
    { paths, "private", false },      { paths, "local", false },         { paths, "update", false },
    { paths, "bits", false },         { components, "edges", false },    { components, "frontier", false },
    { components, "bfs", false },     { components, "afforest", false }, { triangles, "sorted", false },
    { triangles, "oriented", false }, { label, "union-find", false },    { label, "neighbour", false },
    { label, "bits", true },          { walk, "diamond", false },        { walk, "blocks", true },
    { spins, "plane", false },        { spins, "bits", false },          { numbers, "blocks", false },
    { numbers, "tables", false },
};

static void make_graph(void)
{
    enum { VERTICES = 90, EDGES = 200 };
    struct mw_edges edges;
    OK(mw_edges_new(VERTICES, EDGES, false, &edges));
    for (size_t e = 0; e < EDGES; e++) {
        edges.ends[2 * e] = (uint32_t)(e < 60 ? 7 : random_below(VERTICES - 10));
        edges.ends[2 * e + 1] = (uint32_t)random_below(VERTICES - 10);
    }
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    mw_edges_free(&edges);
}

/* ---- tests ---- */

static void every_size_has_the_same_bits(void **unused)
{
    static const size_t sizes[] = { 1, 8, 32, 96, 256, 512 };
    static struct answer expected, found;
    struct mw_device *serial;
    if (native)
        return;
    make_graph();
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    for (size_t t = 0; t < MW_COUNT(tasks); t++) {
        const struct task *task = &tasks[t];
        expected.count = 0;
        OK(task->run(task->run == numbers && task->variant[0] == 't' ? device : serial,
                     task->run == label ? "runs" : task->variant, &expected));
        for (size_t i = 0; i < MW_COUNT(sizes); i++) {
            struct mw_device *on;
            if (sizes[i] > info->max_group || left_out(slow || slow_compiler ? 5 : 3))
                continue;
            OK(open_with(sizes[i], &on));
            found.count = 0;
            if (task->run == walk && task->powers && sizes[i] < 64) {
                FAILS(MW_EINVAL, "needs at least 64", task->run(on, task->variant, &found));
            } else if (task->powers && sizes[i] == 96) {
                FAILS(MW_EINVAL, "powers of two", task->run(on, task->variant, &found));
            } else if (task->run(on, task->variant, &found) != 0) {
                /* A driver may support smaller groups per kernel.  Tiles grow with the group. */
                if (!(sizes[i] > 32 && strstr(mw_errmsg(), "at most")) &&
                    !(task->powers && strstr(mw_errmsg(), "local memory")))
                    fail_msg("%s with groups of %zu: %s", task->variant, sizes[i], mw_errmsg());
            } else if (found.count != expected.count || memcmp(found.bytes, expected.bytes, found.count) != 0) {
                fail_msg("%s with groups of %zu: other bits", task->variant, sizes[i]);
            }
            mw_device_close(on);
        }
    }
    mw_device_close(serial);
    mw_graph_free(&graph);
}

/* Kernels that a caller divides into groups of another size are not launched. */
static void launches_have_the_size(void **unused)
{
    const struct mw_kernel_options options = { .wanted = 1 << KERNEL_PROPAGATE_START };
    struct mw_device *on;
    struct mw_owner own = { 0 };
    struct mw_kernel_set *set;
    struct mw_buffer *labels;
    int64_t each;
    if (native)
        return;
    OK(open_with(96, &on));
    assert_false(mw_device_info(on)->cores);
    const struct mw_arc_worker worker = { on, mw_device_info(on)->cores, &mw_arc_limits_usual, &own };
    const int rc = mw_arc_set_new(&worker, &kernels_graph_components_propagation, &options, &set);
    if (rc) {
        assert_int_equal(rc, MW_ELIMIT);
        assert_non_null(strstr(mw_errmsg(), "size 96: kernels of graph/components/propagation.cl support at most"));
        mw_owner_drop(&own);
        mw_device_close(on);
        return;
    }
    assert_int_equal(set->group, 96);
    const struct mw_range range = mw_arc_range(&worker, set, 1000, &each);
    assert_int_equal(range.group[0], 96);
    assert_int_equal(each, 96);
    OK(mw_buffer_new(on, 1000 * sizeof(int32_t), &labels));
    OK(launch_propagate_start(set, range, labels, 1000, each));
    OK(launch_propagate_start(set, mw_items(11 * 96), labels, 1000, each));
    FAILS(MW_EINVAL, "size 96: kernel propagate_start needs groups of 64",
          launch_propagate_start(set, (struct mw_range){ .dims = 1, .global = { 1024 }, .group = { 64 } }, labels, 1000,
                                 each));
    mw_buffer_free(labels);
    mw_owner_drop(&own);
    mw_device_close(on);
}

static void invalid_sizes_are_refused(void **unused)
{
    static const size_t invalid[] = { 3, 5, 24, 33, 48, 100 };
    struct mw_device *on = NULL;
    if (native) {
        FAILS(MW_EINVAL, "OpenCL or CUDA", open_with(32, &on));
        return;
    }
    for (size_t i = 0; i < MW_COUNT(invalid); i++)
        FAILS(MW_EINVAL, "1, 2, 4, 8, 16 or a multiple of 32", open_with(invalid[i], &on));
    FAILS(MW_ELIMIT, "at most", open_with((info->max_group / 32 + 1) * 32, &on));
    assert_null(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_has_the_same_bits),
        cmocka_unit_test(launches_have_the_size),
        cmocka_unit_test(invalid_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
