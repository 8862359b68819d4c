/* The function of mw_progress_to in all kinds of calls that take long, on one device, $MESHWORK_TEST_DEVICE; natively
 * on two as well.  The reported part never decreases and ends at the whole.  A stopped call leaves its results
 * unchanged. */
#include <meshwork.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"

static struct mw_device *both[2];
static struct {
    uint64_t calls, done, all, stop_at;
    bool wrong;
} seen;

static int listen(void *context, uint64_t done, uint64_t all)
{
    seen.wrong |= context != &seen || all == 0 || done > all;
    seen.wrong |= seen.calls > 0 && (done < seen.done || all != seen.all);
    seen.calls++;
    seen.done = done;
    seen.all = all;
    return done >= seen.stop_at;
}

static void start(uint64_t stop_at)
{
    memset(&seen, 0, sizeof seen);
    seen.stop_at = stop_at;
    mw_progress_to(listen, &seen);
}

static void came_to_all(int rc)
{
    mw_progress_to(NULL, NULL);
    OK(rc);
    assert_true(seen.calls > 0 && seen.done == seen.all && !seen.wrong);
}

static void was_stopped(int rc)
{
    mw_progress_to(NULL, NULL);
    assert_int_equal(rc, MW_ESTOPPED);
    assert_non_null(strstr(mw_errmsg(), "stopped on request"));
    assert_true(seen.calls > 0 && seen.done >= seen.stop_at && seen.done < seen.all && !seen.wrong);
}

/* ---- simulations: what there is after a stop is the state of that step ---- */

struct kind {
    int (*make)(size_t devices, void **made);
    int (*advance)(void *made, uint64_t steps);
    uint64_t (*step)(const void *made);
    int (*get)(void *made, struct mw_array *state);
    void (*drop)(void *made);
    uint64_t steps; /* per call; 0: unlimited */
};

static int make_field(size_t devices, void **made)
{
    const struct mw_field_options options = { .size = sizeof options, .dims = 2, .length = { 24, 16 }, .seed = 1 };
    struct mw_model *model = NULL;
    OK(mw_model_load("heat", NULL, &model));
    const int rc = mw_field_new(both, devices, model, &options, (struct mw_field **)made);
    mw_model_free(model);
    return rc;
}
static int advance_field(void *f, uint64_t steps) { return mw_field_advance(f, steps); }
static uint64_t step_field(const void *f) { return mw_field_step(f); }
static int get_field(void *f, struct mw_array *state) { return mw_field_get(f, state); }
static void drop_field(void *f) { mw_field_free(f); }

static int make_spins(size_t devices, void **made)
{
    const struct mw_spin_options options = { .size = sizeof options, .dims = 2, .length = { 32, 16 }, .seed = 1 };
    struct mw_model *model = NULL;
    OK(mw_model_load("ising", NULL, &model));
    const int rc = mw_spins_new(both, devices, model, &options, (struct mw_spins **)made);
    mw_model_free(model);
    return rc;
}
static int advance_spins(void *s, uint64_t steps) { return mw_spins_advance(s, steps); }
static uint64_t step_spins(const void *s) { return mw_spins_step(s); }
static int get_spins(void *s, struct mw_array *state) { return mw_spins_get(s, state); }
static void drop_spins(void *s) { mw_spins_free(s); }

static int make_walk(size_t devices, void **made)
{
    const struct mw_walk_options options = {
        .size = sizeof options, .steps = 60, .single = true, .variant = devices > 1 ? NULL : "square"
    };
    struct mw_carpet *carpet = NULL;
    OK(mw_carpet_new(NULL, &carpet));
    const int rc = mw_walk_new(both, devices, carpet, &options, (struct mw_walk **)made);
    mw_carpet_free(carpet);
    return rc;
}
static int advance_walk(void *w, uint64_t steps) { return mw_walk_advance(w, steps); }
static uint64_t step_walk(const void *w) { return mw_walk_step(w); }
static int get_walk(void *w, struct mw_array *state) { return mw_walk_get(w, state); }
static void drop_walk(void *w) { mw_walk_free(w); }

static int make_walkers(size_t devices, void **made)
{
    const struct mw_walkers_options options = { .size = sizeof options, .walkers = 40, .seed = 2 };
    struct mw_carpet *carpet = NULL;
    OK(mw_carpet_new(NULL, &carpet));
    const int rc = mw_walkers_new(both, devices, carpet, &options, (struct mw_walkers **)made);
    mw_carpet_free(carpet);
    return rc;
}
static int advance_walkers(void *w, uint64_t steps) { return mw_walkers_advance(w, steps); }
static uint64_t step_walkers(const void *w) { return mw_walkers_step(w); }
static int get_walkers(void *w, struct mw_array *state) { return mw_walkers_get(w, state); }
static void drop_walkers(void *w) { mw_walkers_free(w); }

static const struct kind field = { make_field, advance_field, step_field, get_field, drop_field, 0 };
static const struct kind spins = { make_spins, advance_spins, step_spins, get_spins, drop_spins, 0 };
static const struct kind walk = { make_walk, advance_walk, step_walk, get_walk, drop_walk, 60 };
static const struct kind walkers = { make_walkers, advance_walkers, step_walkers, get_walkers, drop_walkers, 0 };

/* As of one that comes to that step at once. */
static void check_state(const struct kind *kind, size_t devices, void *made, uint64_t step)
{
    struct mw_array state = { 0 }, expected = { 0 };
    void *other = NULL;
    assert_int_equal(kind->step(made), step);
    OK(kind->make(devices, &other));
    OK(kind->advance(other, step));
    OK(kind->get(made, &state));
    OK(kind->get(other, &expected));
    assert_int_equal(state.count, expected.count);
    assert_memory_equal(state.data, expected.data, state.count * mw_type_bytes(state.type));
    mw_array_free(&state);
    mw_array_free(&expected);
    kind->drop(other);
}

static void simulate(const struct kind *kind, size_t devices)
{
    const uint64_t steps = kind->steps ? kind->steps : 37, half = steps / 2;
    void *made = NULL;
    OK(kind->make(devices, &made));
    start(UINT64_MAX);
    came_to_all(kind->advance(made, half));
    check_state(kind, devices, made, half);
    start(0);
    was_stopped(kind->advance(made, steps - half));
    check_state(kind, devices, made, half);
    if (!kind->steps) { /* in the midst, when a tenth of a second is over */
        start(1);
        was_stopped(kind->advance(made, 500000000));
        assert_int_equal(kind->step(made), half + seen.done);
        check_state(kind, devices, made, half + seen.done);
    } else {
        start(UINT64_MAX);
        came_to_all(kind->advance(made, steps - half));
        check_state(kind, devices, made, steps);
    }
    kind->drop(made);
}

static void simulations(void **kind)
{
    simulate(*kind, 1);
    if (native)
        simulate(*kind, 2);
}

/* ---- calls with a result ---- */

static struct mw_graph graph;

/* Computes the result of a call of that kind. With `into` NULL the call must fail and leave its result unchanged. */
struct result {
    uint64_t words[4];
};

static int paths(size_t devices, struct result *into)
{
    struct mw_graph_paths found = MW_INIT(found);
    const struct mw_graph_paths untouched = found;
    const int rc = mw_graph_paths(both, devices, &graph, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { found.pairs, found.longest } };
    mw_graph_paths_free(&found);
    return rc;
}

static int triangles(size_t devices, struct result *into)
{
    struct mw_graph_triangles found = MW_INIT(found);
    const struct mw_graph_triangles untouched = found;
    const int rc = mw_graph_triangles(both, devices, &graph, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { found.triangles } };
    mw_graph_triangles_free(&found);
    return rc;
}

static int betweenness(size_t devices, struct result *into)
{
    struct mw_graph_betweenness found = MW_INIT(found);
    const struct mw_graph_betweenness untouched = found;
    const int rc = mw_graph_betweenness(both, devices, &graph, NULL, &found);
    if (rc) {
        assert_memory_equal(&found, &untouched, sizeof found);
        return rc;
    }
    double sum = 0;
    for (size_t v = 0; v < found.vertices; v++)
        sum += found.betweenness[v];
    *into = (struct result){ { found.sources, (uint64_t)(1000 * sum + 0.5) } };
    mw_graph_betweenness_free(&found);
    return 0;
}

static int components(size_t devices, struct result *into)
{
    int32_t *label = malloc(graph.vertices * sizeof *label);
    uint32_t *sizes = NULL;
    size_t count = 77;
    memset(label, 0x55, graph.vertices * sizeof *label);
    const int rc = mw_graph_components(both, devices, &graph, label, &sizes, &count);
    if (rc)
        assert_true(count == 77 && !sizes && label[0] == 0x55555555);
    else
        *into = (struct result){ { count, sizes[0], (uint64_t)label[graph.vertices - 1] } };
    free(sizes);
    free(label);
    return rc;
}

static int labels(size_t devices, struct result *into)
{
    const struct mw_label_options options = { .size = sizeof options };
    struct mw_array image = { 0 }, label = { 0 }, sizes = { 0 };
    size_t count = 77;
    OK(mw_array_new(MW_TYPE_U8, 2, (const size_t[]){ 40, 30 }, &image));
    for (size_t i = 0; i < image.count; i++)
        ((uint8_t *)image.data)[i] = (uint8_t)(i * i % 7 > 3);
    const int rc = mw_label_array(&device, 1, &options, &image, &label, &sizes, &count);
    if (rc)
        assert_true(count == 77 && !label.data && !sizes.data);
    else
        *into = (struct result){ { count, ((uint32_t *)sizes.data)[0] } };
    mw_array_free(&image);
    mw_array_free(&label);
    mw_array_free(&sizes);
    return rc;
}

static int pagerank(size_t devices, struct result *into)
{
    struct mw_graph_pagerank found = MW_INIT(found);
    const struct mw_graph_pagerank untouched = found;
    const int rc = mw_graph_pagerank(&device, 1, &graph, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { found.rounds, (uint64_t)(1e15 * found.ranks[7]) } };
    mw_graph_pagerank_free(&found);
    return rc;
}

static int cores(size_t devices, struct result *into)
{
    struct mw_graph_cores found = MW_INIT(found);
    const struct mw_graph_cores untouched = found;
    const int rc = mw_graph_cores(&device, 1, &graph, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { found.cores[7], found.cores[100] } };
    mw_graph_cores_free(&found);
    return rc;
}

static int strong(size_t devices, struct result *into)
{
    struct mw_graph_strong found = MW_INIT(found);
    const struct mw_graph_strong untouched = found;
    const int rc = mw_graph_strong(&device, 1, &graph, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { (uint64_t)found.roots[299] } };
    mw_graph_strong_free(&found);
    return rc;
}

static int bridges(size_t devices, struct result *into)
{
    struct mw_graph_bridges found = MW_INIT(found);
    const struct mw_graph_bridges untouched = found;
    const int rc = mw_graph_bridges(both, devices, &graph, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { found.bridges, found.components, found.articulations, found.largest } };
    mw_graph_bridges_free(&found);
    return rc;
}

static int distances(size_t devices, struct result *into)
{
    struct mw_graph_distances found = MW_INIT(found);
    const struct mw_graph_distances untouched = found;
    const int rc = mw_graph_distances(device, &graph, 5, NULL, &found);
    if (rc)
        assert_memory_equal(&found, &untouched, sizeof found);
    else
        *into = (struct result){ { (uint64_t)found.distance[150], found.predecessor[150] } };
    mw_graph_distances_free(&found);
    return rc;
}

struct call {
    int (*call)(size_t devices, struct result *into);
    bool several;
};
static const struct call all_paths = { paths, true }, all_triangles = { triangles, true },
                         all_betweenness = { betweenness, true }, all_components = { components, true },
                         all_labels = { labels, false }, all_ranks = { pagerank, false }, all_cores = { cores, false },
                         all_strong = { strong, false }, all_bridges = { bridges, true },
                         all_distances = { distances, false };

static void calls_with_a_result(void **which)
{
    const struct call *c = *which;
    const size_t most = c->several && native ? 2 : 1;
    for (size_t devices = 1; devices <= most; devices++) {
        struct result expected = { { 0 } }, found = { { 0 } };
        OK(c->call(devices, &expected));
        start(UINT64_MAX);
        came_to_all(c->call(devices, &found));
        assert_memory_equal(&found, &expected, sizeof found);
        /* Several devices are asked by their own threads, which may be done before the answer. */
        start(0);
        const int rc = c->call(devices, &found);
        if (devices == 1 || rc != 0)
            was_stopped(rc);
        else
            came_to_all(rc);
        OK(c->call(devices, &found));
        assert_memory_equal(&found, &expected, sizeof found);
    }
}

/* ---- */

static int begin(void **state)
{
    const struct mw_value given[] = { { "n", 300 }, { "k", 6 }, { "p", 0.2 } };
    struct mw_edges edges = { 0 };
    if (open_device(state) != 0)
        return -1;
    both[0] = device;
    OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &both[1]));
    OK(mw_generate(device, "ws", given, 3, 1, &edges));
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    mw_edges_free(&edges);
    return 0;
}

static int end(void **state)
{
    mw_graph_free(&graph);
    mw_device_close(both[1]);
    return close_device(state);
}

#define WITH(test, what)                                                                                               \
    {                                                                                                                  \
#what, test, NULL, NULL, (void *)&(what)                                                                       \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(simulations, field),
        WITH(simulations, spins),
        WITH(simulations, walk),
        WITH(simulations, walkers),
        WITH(calls_with_a_result, all_paths),
        WITH(calls_with_a_result, all_triangles),
        WITH(calls_with_a_result, all_betweenness),
        WITH(calls_with_a_result, all_components),
        WITH(calls_with_a_result, all_labels),
        WITH(calls_with_a_result, all_ranks),
        WITH(calls_with_a_result, all_cores),
        WITH(calls_with_a_result, all_strong),
        WITH(calls_with_a_result, all_bridges),
        WITH(calls_with_a_result, all_distances),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
/* SPDX-License-Identifier: MIT */
