/* The variants that `auto` chooses for components, by the structure of graphs: many small components, or one that
 * contains most vertices. */
#include <stdlib.h>
#include <string.h>

#include <meshwork/graph_components.h>

#include "tests/check.h"

/* `parts` complete graphs of `size` vertices. */
static void assert_takes(size_t parts, size_t size, const char *variant)
{
    const size_t n = parts * size;
    uint64_t *offsets = calloc(n + 1, sizeof *offsets);
    uint32_t *heads = calloc(n * (size - 1), sizeof *heads);
    struct mw_graph graph = { .vertices = n, .offsets = offsets, .heads = heads };
    struct mw_graph_labelling *labelling;
    struct mw_device *device;
    assert_true(offsets && heads);
    for (size_t v = 0; v < n; v++) {
        for (size_t k = 0; k < size; k++)
            if (k != v % size)
                heads[graph.arcs++] = (uint32_t)(v - v % size + k);
        offsets[v + 1] = graph.arcs;
    }
    OK(mw_device_open_by_name("native:serial", NULL, &device));
    OK(mw_graph_labelling_new(&device, 1, &graph, NULL, &labelling));
    assert_string_equal(mw_graph_labelling_variant(labelling), variant);
    mw_graph_labelling_free(labelling);
    mw_device_close(device);
    free(offsets);
    free(heads);
}

static void auto_asks_for_a_giant_component(void **unused)
{
    assert_takes(40, 20, "ecl");
    assert_takes(4000, 12, "ecl");
    assert_takes(1, 150, "afforest");
    assert_takes(2, 150, "afforest"); /* each has half of all vertices */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(auto_asks_for_a_giant_component) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
