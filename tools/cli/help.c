/* --help, from the tables. */
#include <stdio.h>

#include "tools/cli/options.h"
#include "tools/cli/groups.h"
#include "tools/report/output.h"

static void help_option(struct text *text, const struct option *option, size_t width)
{
    enum { COLUMN = 28 };
    struct text line = { 0 }, help = { 0 };

    if (option->letter)
        text_add(&line, "  -%c, --%s", option->letter, option->name);
    else
        text_add(&line, "      --%s", option->name);
    if (option->type != OPTION_FLAG)
        text_add(&line, option->alone ? "[=%s]" : " %s", option->value);
    text_add(&help, "%s", option->help);
    if (option->fallback)
        text_add(&help, " (default %s)", option->fallback);
    if (option->environment)
        text_add(&help, " [$%s]", option->environment);
    if (text_ok(&line) || text_ok(&help)) {
        text->failed = true;
    } else {
        text_append(text, line.data, line.length);
        if (line.length + 2 > COLUMN)
            text_add(text, "\n%*s", COLUMN, "");
        else
            text_add(text, "%*s", (int)(COLUMN - line.length), "");
        text_wrap(text, COLUMN, COLUMN, width, help.data);
    }
    text_free(&line);
    text_free(&help);
}

void help_usage(const struct subcommand *sub, struct text *text)
{
    text_add(text, "Usage: meshwork %s%s%s%s[options]\n\n", sub->name, *sub->name ? " " : "", sub->operands,
                *sub->operands ? " " : "");
    text_wrap(text, 0, 0, help_width(), sub->description);
}

static void help_group(struct text *text, const struct option_group *group, bool titled)
{
    if (titled)
        text_add(text, "\n%s%s:%s\n", colour_on(stdout, BOLD), group->title, colour_off(stdout, BOLD));
    for (const struct option *o = group->options; o->name; o++)
        if (o->help)
            help_option(text, o, help_width());
}

void help_options(const struct subcommand *sub, struct text *text)
{
    const struct option_group *g = sub->groups;

    for (; g->title; g++)
        help_group(text, g, g == sub->groups || strcmp(g->title, g[-1].title) != 0);
    help_group(text, &general_group, true);
}
/* SPDX-License-Identifier: MIT */
