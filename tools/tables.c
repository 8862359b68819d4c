/* meshwork tables: prints all subcommands and options as tab-separated lines.  The build makes man pages and shell
 * completions from them.
 *
 *     subcommand NAME OPERANDS SUMMARY          the command itself has no name
 *     example    COMMAND TEXT
 *     option     NAME LETTER GROUP TYPE VALUE DEFAULT ENVIRONMENT HELP
 *
 * Each subcommand is followed by its examples and its options.  TYPE is flag, value, several (it may be repeated), or
 * alone (the value is optional).  Missing entries are empty. */
#include <stdio.h>

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
    printf("subcommand\t%s\t%s\t%s\n", sub->name, sub->operands, sub->summary);
    for (const struct example *e = example_first(sub); e; e = example_next(e))
        printf("example\t%s\t%s\n", e->command, e->text);
    for (const struct option_group *g = sub->groups; g->title; g++)
        print_group(g);
    print_group(&general_group);
    for (const struct subcommand *const *p = sub->parts; p && *p; p++)
        if ((*p)->summary)
            print_subcommand(*p);
}

static int tools_tables_run(struct command *command)
{
    const struct subcommand *top;
    size_t named;
    TRY_RETURN(subcommand_find(NULL, 0, &top, &named));
    print_subcommand(top);
    return 0;
}

static const struct option_group groups[] = { { 0 } };

const struct subcommand tables_subcommand = {
    "tables",         "",  NULL, "Prints all subcommands and options, for the manual and shell completions.",
    groups,           0,   0,    0,
    tools_tables_run, NULL
};
/* SPDX-License-Identifier: MIT */
