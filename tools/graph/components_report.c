/* meshwork graph components: the plan and the summary. */
#include <meshwork/io.h>

#include "tools/graph/components.h"

/* Heads of 4 bytes; offsets, labels and work space, 4 bytes per vertex each. */
static uint64_t memory_bytes(const struct mw_graph *graph) { return 4 * graph->arcs + 16 * (uint64_t)graph->vertices; }

/* Puts the memory of the papers' kernels, if one device with so much memory (0: unknown) holds all arcs. Returns
 * whether it does. */
static bool put_exact_memory(const struct grouping *g, size_t devices, uint64_t room, struct node *o)
{
    struct mw_graph_footprint memory = MW_INIT(memory);
    if (g->set->strong || devices > 1 || g->t.set->block_arcs ||
        mw_graph_labelling_memory(&g->t.n.graph, g->t.set->variant, &memory) != 0 ||
        (room && memory.vertices + memory.arcs + memory.rest > room))
        return false;
    graph_memory_put(&memory, &g->t.n.graph, o);
    return true;
}

static void put_components(const struct grouping *g, struct node *o)
{
    const struct mw_components_summary *s = &g->summary;
    char digits[MW_NAME_CAPACITY];
    show_value(put_count(o, "components", s->components), "components");
    put_count(o, "largest", s->largest_size);
    if (s->components) {
        const char *label = mw_name(g->t.n.graph.names, g->largest_root, digits);
        show_row(put_text(o, "largest_vertex", label), "largest", "%s, label %s",
                 COUNTED(s->largest_size, "vertex|vertices"), label);
        ROW(o, "mean size", "%.6g vertices", s->mean_size);
    } else {
        put_none(o, "largest_vertex");
    }
    put_real(o, "mean_size", s->mean_size);
    put_count(o, "iterations", g->iterations);
    if (output_verbose())
        ROW(o, "iterations", "%zu", g->iterations);
    if (!put_exact_memory(g, g->t.team.count, mw_device_info(g->t.team.device[0])->memory_bytes, o) && output_verbose())
        ROW(o, "memory", "about %s", bytes_text(memory_bytes(&g->t.n.graph)).text);
    show_value(put_checksum(o, "checksum", mw_array_checksum(&g->labels)), "checksum");
    course_report_verified(&g->t, o, "each label is that of a %s",
                           g->set->strong ? "depth-first search" : "union-find");
    show_written(o, "written", g->set->output);
    show_written(o, "largest in", g->set->largest);
}

int grouping_report(const void *course, struct node *o)
{
    const struct grouping *g = course;
    const struct mw_graph *graph = &g->t.n.graph;
    course_report_variant(g->variant, o);
    course_report_passes(&g->t, o);
    course_report_rate(&g->t, 1, "edges/s", o);
    put_least_bytes(o, 4.0 * ((double)graph->arcs + 2.0 * (double)graph->vertices));
    put_components(g, o);
    return g->set->sizes ? put_component_sizes(o, g->components) : 0;
}

/* ---- the plan ---- */

void grouping_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const struct grouping *g = course;
    const uint64_t bytes = memory_bytes(&g->t.n.graph);
    put_bytes(o, "device_memory_bytes", team->memory_bytes);
    if (put_exact_memory(g, team->count, team->memory_bytes, o))
        return;
    show_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s for arcs and labels, of %s%s",
             bytes_text(bytes).text, bytes_text(team->memory_bytes).text,
             team->memory_bytes && bytes > team->memory_bytes ? ": arcs are sent in blocks" : "");
}
/* SPDX-License-Identifier: MIT */
