/* meshwork graph: what its subcommands say alike. */
#include "tools/graph/graph.h"

#include "tools/cli/text.h"

int network_report(const struct network *n, struct node *to)
{
    static const char *const uses[] = { [WEIGHTS_CARRIED] = "", [WEIGHTS_USED] = "",
                                        [WEIGHTS_UNUSED] = ", not used by this measure",
                                        [WEIGHTS_LEFT_OUT] = ", not used (--hops)" };
    const uint64_t edges = network_edges(&n->graph);
    char unit[MW_WEIGHT_CAPACITY];
    struct node *weighted;

    if (n->generator)
        TRY_RETURN(generator_report(n->generator, n->values, n->set->generator.seed, to));
    else
        say_row(put_file(to, "input", n->path), "file", "%s", strcmp(n->path, "-") ? n->path : "standard input");
    say_row(put_flag(to, "directed", n->graph.directed), "graph", "%s", n->graph.directed ? "directed" : "undirected");
    say_value(put_count(to, "vertices", n->graph.vertices), "vertices");
    say_value(put_count(to, "edges", edges), n->graph.directed ? "arcs" : "edges");
    weighted = put_flag(to, "weighted", n->graph.weights != NULL);
    if (n->graph.weights)
        say_row(weighted, "weights", "%s%s%s", n->graph.decimals ? "multiples of " : "whole numbers",
                n->graph.decimals ? mw_weight_text(1, n->graph.decimals, unit) : "", uses[n->weights]);
    if (n->weights != WEIGHTS_CARRIED)
        put_flag(to, "weights_used", network_is_weighed(n));
    if (n->set->self == EDGES_REMOVE || n->set->multi == EDGES_REMOVE)
        say_value(put_count(to, "removed", n->removed), "removed");
    return 0;
}

int network_report_on(const struct network *n, const struct team *team, const char *variant, struct node *to)
{
    TRY_RETURN(network_report(n, to));
    team_put(team, to);
    say_value(put_text(to, "variant", variant), "variant");
    return 0;
}

int network_plan(struct network *n, const char *variant, struct team_plan *team, struct node *to)
{
    const struct mw_device_options options = { .threads = (unsigned)n->on->threads };
    struct mw_device *device = NULL;
    int rc;

    TRY(team_plan(n->on, team));
    TRY(network_check_count(n, team->count));
    TRY(mw_device_open_by_name("native", &options, &device));
    TRY(network_open(n, device));
    TRY(network_report(n, to));
    team_plan_put(team, n->on->selector, to);
    if (variant)
        say_value(put_text(to, "variant", variant), "variant");
out:
    mw_device_close(device);
    return rc;
}

void network_took(struct network *n, const char *phase, double seconds)
{
    n->others[n->other_count++] = (struct timing){ phase, seconds };
}

void network_passes_say(const struct network *n, const struct passes *passes, const struct network_seconds *seconds,
                        struct node *to)
{
    struct mw_text others = { 0 };

    for (size_t i = 0; i < n->other_count; i++)
        mw_text_add(&others, ", %s %s", n->others[i].name, seconds_text(n->others[i].seconds).text);
    put_count(to, "repeat", passes->count);
    passes_say(passes, to);
    ROW(to, "", "%s %s, graph %s, build %s%s, output %s, total %s", n->generator ? "generate" : "read",
        seconds_text(n->reading).text, seconds_text(n->building).text, seconds_text(seconds->build).text,
        others.data ? others.data : "", seconds_text(seconds->output).text,
        seconds_text(mw_now() - n->start).text);
    mw_text_free(&others);
}

void network_timings(const struct network *n, const struct passes *passes, const struct network_seconds *seconds,
                     struct node *to)
{
    const struct timing first[] = {
        { "minimum", passes->seconds[0] }, { "maximum", passes->seconds[passes->count - 1] },
        { "open", seconds->open }, { "read", n->reading }, { "graph", n->building }, { "build", seconds->build },
        { "compute", passes_median(passes) } };
    const struct timing last[] = { { "verify", seconds->verify }, { "output", seconds->output },
                                   { "total", mw_now() - n->start } };
    struct timing timings[MW_COUNT(first) + NETWORK_OTHERS + MW_COUNT(last)];

    memcpy(timings, first, sizeof(first));
    memcpy(timings + MW_COUNT(first), n->others, n->other_count * sizeof(*timings));
    memcpy(timings + MW_COUNT(first) + n->other_count, last, sizeof(last));
    put_timings(to, timings, MW_COUNT(first) + n->other_count + MW_COUNT(last));
}

void graph_summary_report(const struct mw_graph_summary *s, bool directed, struct node *to)
{
    char least[MW_WEIGHT_CAPACITY], most[MW_WEIGHT_CAPACITY];

    ROW(to, directed ? "out-degrees" : "degrees", "%llu to %llu, mean %.6g", (unsigned long long)s->degree_min,
        (unsigned long long)s->degree_max, s->degree_mean);
    put_count(to, "degree_min", s->degree_min);
    put_real(to, "degree_mean", s->degree_mean);
    put_count(to, "degree_max", s->degree_max);
    say_value(put_count(to, "isolated", s->isolated), "isolated");
    say_value(put_count(to, "loops", s->self), "loops");
    say_value(put_count(to, "multi_edges", s->multiple), "multi-edges");
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
