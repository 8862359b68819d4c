/* meshwork graph: common parts of the reports of its subcommands. */
#include "tools/graph/graph.h"

#include "tools/cli/text.h"

int network_report(const struct network *n, struct node *to)
{
    static const char *const uses[] = { [WEIGHTS_CARRIED] = "",
                                        [WEIGHTS_USED] = "",
                                        [WEIGHTS_UNUSED] = ", not used by this measure",
                                        [WEIGHTS_LEFT_OUT] = ", not used (--hops)" };
    const uint64_t edges = network_edges(&n->graph);
    char unit[MW_WEIGHT_CAPACITY];
    struct node *weighted;
    if (n->generator)
        TRY_RETURN(generator_report(n->generator, n->values, n->seed, to));
    else
        show_row(put_file(to, "input", n->path), "file", "%s", strcmp(n->path, "-") ? n->path : "standard input");
    show_row(put_flag(to, "directed", n->graph.directed), "graph", "%s", n->graph.directed ? "directed" : "undirected");
    show_value(put_count(to, "vertices", n->graph.vertices), "vertices");
    show_value(put_count(to, "edges", edges), n->graph.directed ? "arcs" : "edges");
    weighted = put_flag(to, "weighted", n->graph.weights != NULL);
    if (n->graph.weights)
        show_row(weighted, "weights", "%s%s%s", n->graph.decimals ? "multiples of " : "whole numbers",
                 n->graph.decimals ? mw_weight_text(1, n->graph.decimals, unit) : "", uses[n->weights]);
    if (n->weights != WEIGHTS_CARRIED)
        put_flag(to, "weights_used", network_is_weighed(n));
    if (n->set->self == EDGES_REMOVE || n->set->multi == EDGES_REMOVE)
        show_value(put_count(to, "removed", n->removed), "removed");
    return 0;
}

int network_plan(struct network *n, const char *variant, struct team_plan *team, struct node *to)
{
    const struct mw_device_options options = { .size = sizeof options, .threads = (unsigned)n->on->threads };
    struct mw_device *device = NULL;
    int rc;
    TRY(team_plan(n->on, team));
    TRY(mw_device_open_by_name("native", &options, &device));
    TRY(network_open(n, device));
    TRY(network_report(n, to));
    team_plan_put(team, n->on->selector, to);
    if (variant)
        show_value(put_text(to, "variant", variant), "variant");
out:
    device_give_back(device);
    return rc;
}

static double share_of(uint64_t bytes, uint64_t n) { return n ? (double)bytes / (double)n : 0; }

void graph_memory_put(const struct mw_graph_footprint *m, const struct mw_graph *graph, struct node *to)
{
    const uint64_t all = m->vertices + m->arcs + m->rest;
    const double vertex = share_of(m->vertices, graph->vertices), arc = share_of(m->arcs, graph->arcs);
    show_row(put_bytes(to, "memory_bytes", all), "memory", "%s: %.4g bytes per vertex, %.4g per arc, and %s",
             bytes_text(all).text, vertex, arc, bytes_text(m->rest).text);
    put_real(to, "bytes_per_vertex", vertex);
    put_real(to, "bytes_per_arc", arc);
}

void network_took(struct network *n, const char *phase, double seconds)
{
    n->others[n->other_count++] = (struct timing){ phase, seconds };
}

void graph_summary_report(const struct mw_graph_summary *s, bool directed, struct node *to)
{
    char least[MW_WEIGHT_CAPACITY], most[MW_WEIGHT_CAPACITY];
    ROW(to, directed ? "out-degrees" : "degrees", "%llu to %llu, mean %.6g", (unsigned long long)s->degree_min,
        (unsigned long long)s->degree_max, s->degree_mean);
    put_count(to, "degree_min", s->degree_min);
    put_real(to, "degree_mean", s->degree_mean);
    put_count(to, "degree_max", s->degree_max);
    show_value(put_count(to, "isolated", s->isolated), "isolated");
    show_value(put_count(to, "loops", s->self), "loops");
    show_value(put_count(to, "multi_edges", s->multiple), "multi-edges");
    if (!s->weighted) {
        put_none(to, "weight_min");
        put_none(to, "weight_max");
        return;
    }
    mw_weight_text(s->weight_min, s->decimals, least);
    mw_weight_text(s->weight_max, s->decimals, most);
    ROW(to, "range", "%s to %s, of the weights", least, most);
    put_real(to, "weight_min", strtod(least, NULL));
    put_real(to, "weight_max", strtod(most, NULL));
}
/* SPDX-License-Identifier: MIT */
