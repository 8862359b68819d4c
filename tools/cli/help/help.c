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
/* A command in lines that the shell takes for one. */
static void help_command(struct text *text, const char *command, size_t width)
{
    size_t room = width - 4;

    text_add(text, "  ");
    for (const char *at = command; *at; ) {
        size_t n = strlen(at);
        if (n > room)
            for (n = room; n > 0 && (at[n] != ' ' || at[n + 1] != '-'); )
                n--;
        if (!n)
            n = strlen(at);
        text_append(text, at, n);
        at += n;
        text_add(text, *at ? " \\\n   " : "\n");
        room = width - 6;
    }
}

void help_end(const struct subcommand *sub, struct text *text)
{
    const struct example *example = example_first(sub);
    char page[64];

    if (example)
        text_add(text, "\n%sExamples:%s\n", colour_on(stdout, BOLD), colour_off(stdout, BOLD));
    for (; example; example = example_next(example)) {
        text_add(text, "  # ");
        text_wrap(text, 4, 4, help_width(), example->text);
        help_command(text, example->command, help_width());
    }
    snprintf(page, sizeof(page), "meshwork%s%s", *sub->name ? "-" : "", sub->name);
    for (char *c = page; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    text_add(text, "\n%sManual:%s man %s\n", colour_on(stdout, BOLD), colour_off(stdout, BOLD), page);
}
/* SPDX-License-Identifier: MIT */
