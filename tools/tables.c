/* meshwork tables: prints all subcommands, options and variants as tab-separated lines.  The build makes man pages and
 * shell completions from them.
 *
 *     subcommand NAME OPERANDS SUMMARY          the command itself has no name
 *     example    COMMAND TEXT
 *     option     NAME LETTER GROUP TYPE VALUE DEFAULT ENVIRONMENT HELP
 *     variant    CHAPTER SECTION NAME ALIAS DESCRIPTION
 *
 * Each subcommand is followed by its examples and its options.  TYPE is flag, value, several (it may be repeated), or
 * alone (the value is optional).  SECTION of the manual's CHAPTER has a table with a row for the variant
 * (tests/cli/words/variants.sh).  Missing entries are empty. */
#include <stdio.h>

#include <meshwork.h>

#include "tools/cli/groups.h"
#include "tools/cli/subcommands.h"

static const char *or_empty(const char *text) { return text ? text : ""; }

static void print_group(const struct option_group *group)
{
    for (const struct option *o = group->options; o->name; o++) {
        const char letter[] = { o->letter, 0 };
        if (o->help)
            printf("option\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o->name, letter, group->title,
                   o->type == OPTION_FLAG    ? "flag"
                   : o->type == OPTION_WORDS ? "several"
                   : o->alone                ? "alone"
                                             : "value",
                   o->type == OPTION_FLAG ? "" : or_empty(o->value), or_empty(o->fallback), or_empty(o->environment),
                   o->help);
    }
}

static void print_subcommand(const struct subcommand *sub)
{
    printf("subcommand\t%s\t%s\t%s\n", sub->name, or_empty(sub->operands), sub->summary);
    for (const struct example *e = example_first(sub); e; e = example_next(e))
        printf("example\t%s\t%s\n", e->command, e->text);
    for (const struct option_group *g = sub->groups; g->title; g++)
        print_group(g);
    print_group(&general_group);
    for (const struct subcommand *const *p = sub->parts; p && *p; p++)
        if ((*p)->summary)
            print_subcommand(*p);
}

#define MESHES "algorithms.md"
#define NETWORKS "network-algorithms.md"
static const struct {
    const char *chapter, *section;
    mw_variant_table *variants;
} sections[] = {
    { MESHES, "Fields", mw_field_variants },
    { MESHES, "Time integration", mw_integrators },
    { MESHES, "Labelling", mw_label_variants },
    { MESHES, "Spins", mw_spin_variants },
    { MESHES, "Walks", mw_walk_variants },
    { MESHES, "Transforms", mw_transform_variants },
    { MESHES, "Random numbers", mw_random_variants },
    { NETWORKS, "Connected components", mw_graph_component_variants },
    { NETWORKS, "Strong components", mw_graph_strong_variants },
    { NETWORKS, "Bridges", mw_graph_bridge_variants },
    { NETWORKS, "Distances from one vertex", mw_graph_distance_variants },
    { NETWORKS, "Weighted distances between all vertices", mw_graph_length_variants },
    { NETWORKS, "Distances in edges between all vertices", mw_graph_path_variants },
    { NETWORKS, "Clustering", mw_graph_triangle_variants },
    { NETWORKS, "Cores", mw_graph_core_variants },
    { NETWORKS, "Betweenness", mw_graph_betweenness_variants },
};

static void print_variants(void)
{
    const struct mw_random_generator *g;
    const struct mw_variant *v;
    for (size_t s = 0; s < MW_COUNT(sections); s++)
        for (size_t i = 0; (v = sections[s].variants(i)) != NULL; i++)
            printf("variant\t%s\t%s\t%s\t%s\t%s\n", sections[s].chapter, sections[s].section, v->name,
                   or_empty(v->alias), v->description);
    for (size_t i = 0; (g = mw_random_generators(i)) != NULL; i++)
        printf("variant\trandom-numbers.md\tRandom numbers\t%s\t\t%s\n", g->name, g->description);
}

static int tools_tables_run(struct command *command)
{
    const struct subcommand *top;
    size_t named;
    TRY_RETURN(subcommand_find(NULL, 0, &top, &named));
    print_subcommand(top);
    print_variants();
    return 0;
}

static const struct option_group groups[] = { { 0 } };

const struct subcommand tables_subcommand = {
    .name = "tables",
    .description = "Prints all subcommands, options and variants, for the manual and shell completions.",
    .groups = groups,
    .run = tools_tables_run,
};
/* SPDX-License-Identifier: MIT */
