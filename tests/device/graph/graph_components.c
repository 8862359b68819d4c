/* Components of networks on one device, $MESHWORK_TEST_DEVICE, and on several: all variants compared with a plain
 * union-find. */
#include <meshwork/graph_components.h>

#include "graph/components/components_internal.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

static struct mw_device *again;
static bool cores;
static struct mw_arc_limits limits;

/* ---- checking ---- */

/* Variants with images need all arcs on the device; limits.block_most divides them into several images. */
static size_t check_on(struct mw_device *const *devices, size_t device_count, const struct network *n,
                       const char *variant, uint64_t most_arcs)
{
    const uint64_t block_arcs = variant && strstr(variant, "image") ? 0 : most_arcs;
    const struct mw_graph_labelling_options o = { .size = sizeof o, .variant = variant, .block_arcs = block_arcs };
    const size_t bytes = n->vertices * sizeof(uint32_t);
    const uint64_t before = devices[0]->allocated;
    struct mw_graph_labelling *labelling = NULL;
    struct mw_buffer *to = NULL;
    uint32_t *got = room(n->vertices, sizeof *got);
    size_t iterations = 0;
    OK(mw_graph_labelling_new_within(devices, device_count, &n->graph, &o, &limits, &labelling));
    if (variant)
        assert_string_equal(mw_graph_labelling_variant(labelling), variant);
    OK(mw_buffer_new(devices[0], bytes, &to));
    for (int run = 0; run < 2; run++) { /* a second run finds nothing left from the first one */
        if (bytes > 0)
            OK(mw_buffer_fill(to, 0, bytes, 0x5a));
        OK(mw_graph_labelling_run(labelling, to, &iterations));
        if (bytes > 0)
            OK(mw_buffer_read(to, 0, bytes, got, NULL));
        for (size_t v = 0; v < n->vertices; v++)
            if (got[v] != n->expected[v])
                fail_msg("variant %s, %zu devices, blocks of %" PRIu64 " arcs, %zu vertices, %" PRIu64 " arcs%s, run "
                         "%d: vertex %zu has label %" PRIu32 ", not %" PRIu32,
                         variant ? variant : "auto", device_count, block_arcs, n->vertices, n->graph.arcs,
                         n->graph.directed ? " (directed)" : "", run, v, got[v], n->expected[v]);
    }
    mw_buffer_free(to);
    mw_graph_labelling_free(labelling);
    assert_int_equal(devices[0]->allocated, before);
    free(got);
    return iterations;
}

static size_t check(const struct network *n, const char *variant, uint64_t block_arcs)
{
    return check_on(&device, 1, n, variant, block_arcs);
}

/* All variants, and auto, which has no name: whether one device supports each of them, and whether several do. */
enum { VARIANTS_MOST = 16 };
static struct {
    const char *name;
    bool here, for_several;
} all[VARIANTS_MOST];
static size_t all_count;

static bool is_taken(struct mw_device *const *devices, size_t device_count, const char *variant)
{
    static const uint64_t offsets[] = { 0, 1, 2 };
    static const uint32_t heads[] = { 1, 0 };
    const struct mw_graph pair = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    const struct mw_graph_labelling_options o = { .size = sizeof o, .variant = variant };
    struct mw_graph_labelling *labelling = NULL;
    const int rc = mw_graph_labelling_new(devices, device_count, &pair, &o, &labelling);
    mw_graph_labelling_free(labelling);
    return rc != MW_ENOTSUP;
}

static void list_variants(void)
{
    struct mw_device *const two[] = { device, again };
    const struct mw_variant *row;
    do {
        row = mw_graph_component_variants(all_count);
        all[all_count].name = row ? row->name : NULL;
        all[all_count].here = is_taken(&device, 1, all[all_count].name);
        all[all_count].for_several = is_taken(two, 2, all[all_count].name);
        all_count++;
    } while (row && all_count < VARIANTS_MOST);
}

/* Returns whether a variant moves along a line vertex by vertex or round by round; assumed of new variants. */
static bool spreads(const char *variant)
{
    static const char *const joining[] = { "afforest", "ecl", "reference" };
    for (size_t i = 0; i < MW_COUNT(joining); i++)
        if (variant && strcmp(variant, joining[i]) == 0)
            return false;
    return variant != NULL;
}

/* Parts and blocks of few arcs, or the usual sizes. */
static uint64_t random_sizes(uint64_t arcs)
{
    limits.part_least = random_below(2) ? 1 + random_below(40) : mw_arc_limits_usual.part_least;
    limits.block_most = random_below(4) ? mw_arc_limits_usual.block_most : 1 + random_below(arcs + 1);
    limits.vertex_most = random_below(2) ? 1 + random_below(64) : mw_arc_limits_usual.vertex_most;
    return random_below(2) ? 0 : 1 + random_below(arcs + 10);
}

static void usual_sizes(void) { limits = mw_arc_limits_usual; }

/* Blocks of so many arcs that launches do not dominate the time. */
static uint64_t few_blocks(uint64_t arcs)
{
    const uint64_t least = arcs / 8 + 1;
    uint64_t block = random_sizes(arcs);
    limits.block_most = limits.block_most < least ? least : limits.block_most;
    limits.vertex_most = limits.vertex_most < least ? least : limits.vertex_most;
    return block && block < 2 * least ? 2 * least : block;
}

/* ---- tests ---- */

static void random_networks_have_the_labels_of_a_union_find(void **unused)
{
    const size_t rounds = native ? 700 : slow ? 2 : slow_compiler ? 3 : 6;
    for (size_t round = 0; round < rounds; round++) {
        const bool directed = random_below(3) == 0;
        struct network n = native ? random_network(random_below(6), 1 + random_below(60), directed)
                                  : random_network(10, slow ? 12 : 400, directed);
        for (size_t v = 0; v < all_count; v++)
            if (all[v].here)
                check(&n, all[v].name, native ? random_sizes(n.graph.arcs) : few_blocks(n.graph.arcs));
        network_free(&n);
    }
    usual_sizes();
}

static void large_networks_have_the_labels_of_a_union_find(void **unused)
{
    if (slow)
        skip();
    for (size_t round = 0; round < 3; round++) {
        struct network n = random_network(12, 20000, round == 2);
        if (round == 1)
            limits.part_least = 500;
        for (size_t v = 0; v < all_count; v++)
            if (all[v].here && !spreads(all[v].name))
                check(&n, all[v].name, 0);
        network_free(&n);
    }
    usual_sizes();
}

/* With one component that contains nearly all vertices, on one device and on several. */
static void networks_with_a_giant_component_are_labelled(void **unused)
{
    const size_t size = slow ? 60 : native ? 5000 : 2000;
    struct mw_device *const devices[] = { device, again, serial };
    for (size_t round = 0; round < (slow ? 1 : 8); round++) {
        struct network n = { 0 };
        halves(&n, size);
        tree(&n, size / 8);
        isolated(&n, size / 16);
        if (round % 2)
            renumber(&n);
        build(&n, false, round % 4 < 2);
        limits.part_least = 100;
        check(&n, "afforest", 0);
        check(&n, "afforest", n.graph.arcs / 3);
        check_on(devices, 3, &n, "afforest", 0);
        network_free(&n);
    }
    usual_sizes();
}

static void long_lines_are_labelled(void **unused)
{
    /* Drivers end loops after so many rounds, and kernels 1 to 3 move from vertex to vertex. */
    const size_t joining = slow ? 1500 : 1000000, spreading = slow ? 40 : cores ? 20000 : 700;
    for (size_t v = 0; v < all_count; v++)
        for (int shuffled = 0; all[v].here && shuffled < 2; shuffled++) {
            struct network n = { 0 };
            line(&n, !spreads(all[v].name) ? joining : strcmp(all[v].name, "bfs") == 0 ? spreading / 10 : spreading);
            if (shuffled)
                renumber(&n);
            build(&n, false, true);
            check(&n, all[v].name, 0);
            network_free(&n);
        }
}

/* More neighbours than some drivers allow rounds in the loop of an item; and such a vertex at the end of a line, only
 * for variants that do not move along it round by round. */
static void hubs_are_labelled(void **unused)
{
    const size_t size = slow ? 700 : 200000;
    limits.vertex_most = slow ? 100 : limits.vertex_most;
    for (int shuffled = 0; shuffled < 2; shuffled++)
        for (size_t v = 0; v < all_count; v++) {
            struct network n = { 0 };
            star(&n, size);
            if (!spreads(all[v].name))
                kite(&n, size / 2);
            if (shuffled)
                renumber(&n);
            build(&n, false, true);
            if (all[v].here)
                check(&n, all[v].name, 0);
            network_free(&n);
        }
    usual_sizes();
}

static void several_devices_have_the_labels_of_one(void **unused)
{
    struct mw_device *const devices[] = { device, again, serial };
    const size_t rounds = native ? 200 : slow ? 1 : 4;
    for (size_t round = 0; round < rounds; round++) {
        const bool directed = random_below(3) == 0;
        struct network n = native ? random_network(random_below(6), 1 + random_below(60), directed)
                                  : random_network(10, slow ? 12 : 400, directed);
        for (size_t v = 0; v < all_count; v++)
            if (all[v].for_several)
                check_on(devices, slow ? 2 : 2 + random_below(2), &n, all[v].name,
                         native ? random_sizes(n.graph.arcs) : few_blocks(n.graph.arcs));
        network_free(&n);
    }
    usual_sizes();
}

/* An item that may take only few steps often gives up, and nothing is lost. */
static void items_that_give_up_are_sent_again(void **unused)
{
    struct mw_device *const devices[] = { device, again };
    if (cores)
        skip();
    limits.rounds = 4;
    for (size_t round = 0; round < (slow ? 1 : 4); round++) {
        struct network n = random_network(8, slow ? 10 : 300, false);
        check(&n, "afforest", 0);
        check(&n, "ecl", 0);
        check_on(devices, 2, &n, "ecl", 0);
        network_free(&n);
    }
    limits.rounds = 0;
}

static void small_networks_are_labelled(void **unused)
{
    for (size_t v = 0; v < all_count; v++)
        for (size_t vertices = 0; all[v].here && vertices < 4; vertices++)
            for (size_t edges = 0; edges < (vertices && !slow ? 3 : 1); edges++) {
                struct network n = { 0 };
                n.vertices = vertices;
                for (size_t e = 0; e < edges; e++)
                    add(&n, random_below(vertices), random_below(vertices));
                build(&n, false, true);
                check(&n, all[v].name, 0);
                network_free(&n);
            }
}

/* The blocks of a share contain each of its arcs once, and each vertex with such arcs lies between first and last; the
 * blocks of a whole graph contain all vertices. */
static void blocks_tile_their_share(void **unused)
{
    struct mw_owner owner = { 0 };
    const struct mw_arc_worker on = { serial, true, &limits, &owner };
    for (size_t round = 0; round < 2000; round++) {
        struct network n = random_network(1 + random_below(4), 30, random_below(2));
        const struct mw_graph *g = &n.graph;
        const bool whole = random_below(2);
        const uint64_t low = whole ? 0 : random_below(g->arcs + 1);
        const uint64_t high = whole ? g->arcs : low + random_below(g->arcs - low + 1);
        const uint64_t most = 1 + random_below(40), of_vertex = random_below(2) ? 0 : 1 + random_below(10);
        struct mw_arc_blocks b;
        uint64_t at = low;
        OK(mw_arc_blocks_make(&on, g, low, high, most, of_vertex, 0, &b));
        for (size_t i = 0; i < b.count; i++) {
            const struct mw_arc_block *block = &b.block[i];
            assert_int_equal(block->low, at);
            assert_true(block->high >= at && block->high - at <= most);
            at = block->high;
            assert_true(block->first + block->count <= g->vertices);
            if (i > 0)
                assert_int_equal(block->first,
                                 b.block[i - 1].first + b.block[i - 1].count - (b.block[i - 1].cut ? 1 : 0));
            assert_int_equal(block->cut, block->high < g->offsets[block->first + block->count]);
            assert_true(g->offsets[block->first] <= block->low);
            assert_true(g->offsets[block->first + block->count] >= block->high);
            for (size_t v = block->first; of_vertex && v < block->first + block->count; v++) {
                const uint64_t from = g->offsets[v] > block->low ? g->offsets[v] : block->low;
                const uint64_t to = g->offsets[v + 1] < block->high ? g->offsets[v + 1] : block->high;
                assert_true(to <= from || to - from <= of_vertex);
            }
        }
        assert_int_equal(at, high);
        if (whole) {
            assert_int_equal(b.block[0].first, 0);
            assert_int_equal(b.block[b.count - 1].first + b.block[b.count - 1].count, g->vertices);
        }
        mw_owner_drop(&owner);
        network_free(&n);
    }
}

/* Breadth-first search takes a round for each step away from a source, and one to find each source; variants without
 * rounds take one. */
static void iterations_are_told(void **unused)
{
    struct network n = { 0 };
    line(&n, 20);
    line(&n, 7);
    build(&n, false, true);
    assert_int_equal(check(&n, "bfs", 0), 1 + 20 + 7);
    assert_int_equal(check(&n, "afforest", 0), 1);
    assert_int_equal(check(&n, "ecl", 0), 1);
    assert_in_range(check(&n, "edges", 0), 2, 20);
    assert_in_range(check(&n, "frontier", 0), 2, 21);
    if (mw_device_info(device)->images)
        assert_in_range(check(&n, "frontier-image", 0), 2, 21);
    network_free(&n);
}

static void auto_follows_devices_degrees_and_directions(void **unused)
{
    static const struct {
        size_t edges;
        bool directed;
        const char *variant;
    } cases[] = {
        { 12000, false, "afforest" },
        { 12000, true, "ecl" },
        { 20, false, "ecl" },
        { 4000, false, "ecl" },
    };
    for (size_t c = 0; c < MW_COUNT(cases); c++) {
        const struct mw_graph_labelling_options o = MW_INIT(o);
        struct mw_graph_labelling *labelling;
        struct network n = { .vertices = 50 };
        for (size_t e = 0; e < cases[c].edges; e++)
            add(&n, e % 50, random_below(50));
        build(&n, cases[c].directed, true);
        OK(mw_graph_labelling_new(&device, 1, &n.graph, &o, &labelling));
        assert_string_equal(mw_graph_labelling_variant(labelling), cores ? cases[c].variant : "ecl");
        mw_graph_labelling_free(labelling);
        network_free(&n);
    }
}

static void host_memory_is_labelled(void **unused)
{
    const struct mw_graph_labelling_options o = { .size = sizeof o, .variant = "auto" };
    struct network n = random_network(6, 50, false);
    int32_t *got = room(n.vertices, sizeof *got);
    OK(mw_graph_label(&device, 1, &n.graph, &o, got));
    assert_memory_equal(got, n.expected, n.vertices * sizeof *got);
    memset(got, 0x5a, n.vertices * sizeof *got);
    OK(mw_graph_label(&device, 1, &n.graph, NULL, got));
    assert_memory_equal(got, n.expected, n.vertices * sizeof *got);
    free(got);
    network_free(&n);
}

static void refuse_blocks(int status, const char *why, struct mw_device *const *devices, size_t count,
                          const struct network *n, const char *variant, uint64_t block_arcs)
{
    const struct mw_graph_labelling_options o = { .size = sizeof o, .variant = variant, .block_arcs = block_arcs };
    struct mw_graph_labelling *labelling = NULL;
    assert_int_equal(mw_graph_labelling_new(devices, count, &n->graph, &o, &labelling), status);
    if (!strstr(mw_errmsg(), why))
        fail_msg("\"%s\" does not contain \"%s\"", mw_errmsg(), why);
    assert_null(labelling);
}

static void refuse(int status, const char *why, struct mw_device *const *devices, size_t count, const struct network *n,
                   const char *variant)
{
    refuse_blocks(status, why, devices, count, n, variant, 0);
}

/* Numbers and sizes in one call: numbers increase with roots, and sizes are those of the components. */
static void components_in_one_call(void **unused)
{
    for (int r = 0; r < (slow ? 1 : 10); r++) {
        struct network n = random_network(r, 40, r % 2);
        int32_t *labels = room(n.vertices, sizeof *labels);
        uint32_t *sizes, *counted = room(n.vertices, sizeof *counted);
        size_t count, found = 0;
        OK(mw_graph_components(&device, 1, &n.graph, labels, &sizes, &count));
        for (size_t v = 0; v < n.vertices; v++) {
            found += n.expected[v] == v;
            assert_int_equal(labels[v], n.expected[v] == v ? (int32_t)found : labels[n.expected[v]]);
            counted[labels[v] - 1]++;
        }
        assert_int_equal(count, found);
        assert_memory_equal(sizes, counted, count * sizeof *sizes);
        OK(mw_graph_components(&device, 1, &n.graph, NULL, NULL, &found));
        assert_int_equal(count, found);
        free(labels);
        free(sizes);
        free(counted);
        network_free(&n);
    }
}

static void what_cannot_be_done_is_refused(void **unused)
{
    static const char *const for_several[] = { "afforest", "ecl", "edges", "auto" };
    const struct mw_graph_labelling_options o = MW_INIT(o);
    struct mw_device *const two[] = { device, again };
    struct mw_graph_labelling *labelling;
    struct mw_buffer *small, *elsewhere;
    struct network n = { 0 };
    star(&n, 9);
    build(&n, false, true);
    refuse(MW_EINVAL, "no device", two, 0, &n, NULL);
    refuse(MW_EINVAL, "given twice", (struct mw_device *[]){ device, device }, 2, &n, NULL);
    refuse(MW_EINVAL, "'4'; there are afforest, ", two, 1, &n, "4");
    for (size_t i = 0; i < MW_COUNT(for_several); i++)
        assert_true(is_taken(two, 2, for_several[i]));
    refuse(MW_ENOTSUP, "runs on one device only", two, 2, &n, "2");
    refuse(MW_ENOTSUP, "needs a device with images: use frontier", &serial, 1, &n, "frontier-image");
    if (mw_device_info(device)->images) {
        refuse(MW_ENOTSUP, "runs on one device only", two, 2, &n, "frontier-image");
        refuse_blocks(MW_ENOTSUP, "needs all arcs in device memory", two, 1, &n, "frontier-image", 4);
    }
    refuse(MW_ENOTSUP, "runs on one device only", two, 2, &n, "3");
    refuse(MW_ENOTSUP, "runs on one device only", two, 2, &n, "reference");
    if (!native)
        refuse(MW_ENOTSUP, "needs a native device", two, 1, &n, "reference");
    OK(mw_graph_labelling_new(&device, 1, &n.graph, &o, &labelling));
    OK(mw_buffer_new(device, 8 * sizeof(uint32_t), &small));
    OK(mw_buffer_new(again, 9 * sizeof(uint32_t), &elsewhere));
    assert_int_equal(mw_graph_labelling_run(labelling, small, NULL), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "32 bytes"));
    assert_int_equal(mw_graph_labelling_run(labelling, elsewhere, NULL), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "on the first device"));
    mw_buffer_free(small);
    mw_buffer_free(elsewhere);
    mw_graph_labelling_free(labelling);
    mw_graph_labelling_free(NULL);
    ((uint32_t *)n.graph.heads)[5] = 9;
    refuse(MW_EDATA, "arc 5 leads to vertex 9", two, 1, &n, NULL);
    network_free(&n);
}

/* ---- group set-up ---- */

static int open_devices(void **state)
{
    if (open_with_serial(state) != 0)
        return -1;
    OK(mw_device_open_by_name(info->id, NULL, &again));
    cores = info->traits->has_cores;
    usual_sizes();
    list_variants();
    return 0;
}

static int close_devices(void **state)
{
    mw_device_close(again);
    return close_with_serial(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks_are_labelled),
        cmocka_unit_test(random_networks_have_the_labels_of_a_union_find),
        cmocka_unit_test(large_networks_have_the_labels_of_a_union_find),
        cmocka_unit_test(networks_with_a_giant_component_are_labelled),
        cmocka_unit_test(long_lines_are_labelled),
        cmocka_unit_test(hubs_are_labelled),
        cmocka_unit_test(several_devices_have_the_labels_of_one),
        cmocka_unit_test(items_that_give_up_are_sent_again),
        cmocka_unit_test(blocks_tile_their_share),
        cmocka_unit_test(iterations_are_told),
        cmocka_unit_test(auto_follows_devices_degrees_and_directions),
        cmocka_unit_test(host_memory_is_labelled),
        cmocka_unit_test(components_in_one_call),
        cmocka_unit_test(what_cannot_be_done_is_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */
