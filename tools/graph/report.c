/* meshwork graph: what its subcommands say alike. */
#include "tools/graph/graph.h"

int network_report(const struct network *n, struct node *to)
{
    const uint64_t edges = network_edges(&n->graph);
    int rc = 0;

    if (n->generator)
        TRY(generator_report(n->generator, n->values, n->set->generator.seed, to));
    else
        say_row(put_text(to, "input", n->path), "file", "%s", strcmp(n->path, "-") ? n->path : "standard input");
    say_row(put_flag(to, "directed", n->graph.directed), "graph", "%s", n->graph.directed ? "directed" : "undirected");
    say_value(put_count(to, "vertices", n->graph.vertices), "vertices");
    say_value(put_count(to, "edges", edges), n->graph.directed ? "arcs" : "edges");
    if (n->set->self == EDGES_REMOVE || n->set->multi == EDGES_REMOVE)
        say_value(put_count(to, "removed", n->removed), "removed");
out:
    return rc;
}

void graph_summary_report(const struct mw_graph_summary *s, bool directed, struct node *to)
{
    ROW(to, directed ? "out-degrees" : "degrees", "%llu to %llu, mean %.6g", (unsigned long long)s->degree_min,
        (unsigned long long)s->degree_max, s->degree_mean);
    put_count(to, "degree_min", s->degree_min);
    put_real(to, "degree_mean", s->degree_mean);
    put_count(to, "degree_max", s->degree_max);
    say_value(put_count(to, "isolated", s->isolated), "isolated");
    say_value(put_count(to, "loops", s->self), "loops");
    say_value(put_count(to, "multi_edges", s->multiple), "multi-edges");
}
