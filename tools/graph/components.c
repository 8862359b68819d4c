/* meshwork graph components: from a graph to the labels of its vertices, and what there is of components. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static int prepare(struct grouping *g)
{
    const struct settings *set = g->n.set;
    int rc;

    TRY(variant_check(set->variant, mw_graph_component_variants));
    TRY(network_choose(&g->n, &g->n.command->operands));
    TRY(grouping_check_outputs(g));
    TRY(passes_new(set->repeat, &g->passes));
out:
    return rc;
}

/* The devices are opened first: what is wrong with them is known before a large file is read. */
static int open_graph(struct grouping *g)
{
    const double start = mw_now();
    struct mw_device *device, *opened = NULL;
    int rc;

    TRY(team_open(g->n.set, &g->team));
    g->open = mw_now() - start;
    TRY(network_device(g->n.set, g->team.device[0], &device, &opened));
    TRY(network_open(&g->n, device));
out:
    mw_device_close(opened);
    return rc;
}

static int time_pass(struct grouping *g, double *seconds)
{
    const double start = mw_now();
    int rc;

    TRY(mw_graph_labelling_run(g->labelling, g->roots, &g->iterations));
    *seconds = mw_now() - start;
out:
    return rc;
}

/* Before the passes that are timed: programs, arcs on their way to the devices, and a first pass. */
static int find(struct grouping *g)
{
    const struct settings *set = g->n.set;
    const struct mw_graph_labelling_options options = { .variant = set->variant, .block_arcs = set->block_arcs };
    const double start = mw_now();
    double first;
    int rc;

    TRY(mw_graph_labelling_new(g->team.device, g->team.count, &g->n.graph, &options, &g->labelling));
    TRY(mw_buffer_new(g->team.device[0], g->n.graph.vertices * sizeof(int32_t), &g->roots));
    TRY(time_pass(g, &first));
    g->build = mw_now() - start;
    for (size_t i = 0; i < g->passes.count; i++)
        TRY(time_pass(g, &g->passes.seconds[i]));
    passes_sort(&g->passes);
out:
    return rc;
}

static int size_up(struct grouping *g)
{
    const size_t n = g->n.graph.vertices;
    const double start = mw_now();
    size_t count;
    int rc;

    TRY(mw_prim_new(g->team.device[0], &g->prim));
    TRY(mw_buffer_new(g->team.device[0], n * sizeof(int32_t), &g->numbers));
    TRY(mw_components_number(g->prim, g->roots, n, MW_TYPE_I32, g->numbers, MW_TYPE_I32, &count));
    TRY(mw_components_new(g->prim, g->numbers, n, MW_TYPE_I32, count, &g->components));
    TRY(mw_components_summarise(g->components, &g->summary));
    g->sizing = mw_now() - start;
out:
    return rc;
}

/* The vertex whose number is a label: the root that so many come before. */
static size_t root_of(const struct mw_array *labels, size_t number)
{
    const int32_t *root = labels->data;
    size_t v = 0;

    for (size_t roots = 0; v < labels->count; v++) {
        roots += (size_t)root[v] == v;
        if (roots == number)
            break;
    }
    return v;
}

static int download(struct grouping *g)
{
    const size_t n = g->n.graph.vertices;
    const double start = mw_now();
    int rc;

    TRY(mw_array_new(MW_TYPE_I32, 1, &n, &g->labels));
    if (n)
        TRY(mw_buffer_read(g->roots, 0, n * sizeof(int32_t), g->labels.data, NULL));
    g->download = mw_now() - start;
    g->largest_root = root_of(&g->labels, g->summary.largest_label);
out:
    return rc;
}

static void grouping_free(struct grouping *g)
{
    mw_components_free(g->components);
    mw_prim_free(g->prim);
    mw_graph_labelling_free(g->labelling);
    mw_buffer_free(g->roots);
    mw_buffer_free(g->numbers);
    team_close(&g->team);
    mw_array_free(&g->labels);
    network_free(&g->n);
    free(g->passes.seconds);
}

int graph_components_run(struct command *command)
{
    struct grouping g = { .n = { .set = &command->settings, .command = command, .start = mw_now() } };
    const struct settings *set = g.n.set;
    int rc;

    if (!strcmp(set->variant, "list"))
        return list_variants(set, mw_graph_component_variants);
    if (set->generate && !strcmp(set->generate, "list"))
        return generators_list(set);
    TRY(prepare(&g));
    if (set->dry_run) {
        TRY(grouping_plan(&g));
        goto out;
    }
    TRY(open_graph(&g));
    TRY(find(&g));
    TRY(size_up(&g));
    TRY(download(&g));
    if (set->verify)
        TRY(grouping_verify(&g));
    TRY(grouping_write(&g));
    TRY(grouping_summary(&g));
out:
    grouping_free(&g);
    return rc;
}
