/* meshwork graph components: the plan and the summary. */
#include <meshwork/io.h>

#include "tools/graph/components.h"
#include "tools/report/files.h"

/* Heads of 4 bytes; offsets, labels and what variants work with, 4 bytes a vertex each. */
static uint64_t memory_bytes(const struct mw_graph *graph)
{
    return 4 * graph->arcs + 16 * (uint64_t)graph->vertices;
}

static double rate(const struct grouping *g)
{
    return passes_rate(&g->passes, (double)network_edges(&g->n.graph));
}

static void put_components(const struct grouping *g, struct node *o)
{
    const struct mw_components_summary *s = &g->summary;
    char digits[MW_NAME_CAPACITY];

    say_value(put_count(o, "components", s->components), "components");
    put_count(o, "largest", s->largest_size);
    if (s->components) {
        const char *label = mw_name(g->n.graph.names, g->largest_root, digits);
        say_row(put_text(o, "largest_vertex", label), "largest", "%s, label %s",
                COUNTED(s->largest_size, "vertex|vertices"), label);
        ROW(o, "mean size", "%.6g vertices", s->mean_size);
    } else {
        put_none(o, "largest_vertex");
    }
    put_real(o, "mean_size", s->mean_size);
    put_count(o, "iterations", g->iterations);
    if (output_verbose()) {
        ROW(o, "iterations", "%zu", g->iterations);
        ROW(o, "memory", "about %s", bytes_text(memory_bytes(&g->n.graph)).text);
    }
    say_value(put_checksum(o, "checksum", mw_array_checksum(&g->labels)), "checksum");
    if (g->set->verify)
        say_row(put_flag(o, "verified", true), "verified", "each label is that of a %s, in %s",
                g->set->strong ? "depth-first search" : "union-find", seconds_text(g->verify).text);
    if (g->set->output)
        ROW(o, "written", "%s", file_words(g->set->output));
    if (g->set->largest)
        ROW(o, "largest in", "%s", file_words(g->set->largest));
}

int grouping_summary(const struct grouping *g)
{
    const struct network_seconds seconds = { g->open, g->build, g->verify, g->output };
    struct node *o = report_object();
    int rc;

    TRY(network_report_on(&g->n, &g->team, g->variant, o));
    network_passes_say(&g->n, &g->passes, &seconds, o);
    put_rate(o, rate(g), "edges/s");
    put_least_bytes(o, 4.0 * ((double)g->n.graph.arcs + 2.0 * (double)g->n.graph.vertices));
    put_components(g, o);
    if (g->set->sizes)
        TRY(put_component_sizes(o, g->components));
    network_timings(&g->n, &g->passes, &seconds, o);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}

/* ---- the plan ---- */

int grouping_plan(struct grouping *g)
{
    struct node *o = report_object();
    struct team_plan team;
    uint64_t bytes;
    int rc;

    TRY(network_plan(&g->n, g->set->variant, &team, o));
    bytes = memory_bytes(&g->n.graph);
    say_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s for arcs and labels, of %s%s",
            bytes_text(bytes).text, bytes_text(team.memory_bytes).text,
            team.memory_bytes && bytes > team.memory_bytes ? ": arcs are sent in blocks" : "");
    put_bytes(o, "device_memory_bytes", team.memory_bytes);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}
/* SPDX-License-Identifier: MIT */
