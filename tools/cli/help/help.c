/* Prints --help from the option tables. */
#include <stdio.h>

#include "tools/cli/options.h"
#include "tools/cli/groups.h"
#include "tools/report/output.h"

static void help_option(struct mw_text *text, const struct option *option, size_t width)
{
    enum { COLUMN = 28 };
    struct mw_text line = { 0 }, help = { 0 };

    if (option->letter)
        mw_text_add(&line, "  -%c, --%s", option->letter, option->name);
    else
        mw_text_add(&line, "      --%s", option->name);
    if (option->type != OPTION_FLAG)
        mw_text_add(&line, option->alone ? "[=%s]" : " %s", option->value);
    mw_text_add(&help, "%s", option->help);
    if (option->fallback)
        mw_text_add(&help, " (default: %s)", option->fallback);
    if (option->environment)
        mw_text_add(&help, " [$%s]", option->environment);
    if (mw_text_ok(&line) || mw_text_ok(&help)) {
        text->failed = true;
    } else {
        mw_text_append(text, line.data, line.length);
        if (line.length + 2 > COLUMN)
            mw_text_add(text, "\n%*s", COLUMN, "");
        else
            mw_text_add(text, "%*s", (int)(COLUMN - line.length), "");
        text_wrap(text, COLUMN, COLUMN, width, help.data);
    }
    mw_text_free(&line);
    mw_text_free(&help);
}

void help_usage(const struct subcommand *sub, struct mw_text *text)
{
    const char *operands = sub->operands ? sub->operands : "";
    mw_text_add(text, "Usage: meshwork %s%s%s%s[options]\n\n", sub->name, *sub->name ? " " : "", operands,
                *operands ? " " : "");
    text_wrap(text, 0, 0, help_width(), sub->description);
}

static void help_group(struct mw_text *text, const struct option_group *group, bool titled)
{
    if (titled)
        mw_text_add(text, "\n%s%s:%s\n", colour_on(stdout, BOLD), group->title, colour_off(stdout, BOLD));
    for (const struct option *o = group->options; o->name; o++)
        if (o->help)
            help_option(text, o, help_width());
}

void help_options(const struct subcommand *sub, struct mw_text *text)
{
    const struct option_group *g = sub->groups;
    for (; g->title; g++)
        help_group(text, g, g == sub->groups || strcmp(g->title, g[-1].title) != 0);
    help_group(text, &general_group, true);
}
/* Appends a command, broken into shell continuation lines. */
static void help_command(struct mw_text *text, const char *command, size_t width)
{
    size_t room = width - 4;
    mw_text_add(text, "  ");
    for (const char *at = command; *at;) {
        size_t n = strlen(at);
        if (n > room)
            for (n = room; n > 0 && (at[n] != ' ' || at[n + 1] != '-');)
                n--;
        if (!n)
            n = strlen(at);
        mw_text_append(text, at, n);
        at += n;
        mw_text_add(text, *at ? " \\\n   " : "\n");
        room = width - 6;
    }
}

void help_end(const struct subcommand *sub, struct mw_text *text)
{
    const struct example *example = example_first(sub);
    char page[64];
    if (example)
        mw_text_add(text, "\n%sExamples:%s\n", colour_on(stdout, BOLD), colour_off(stdout, BOLD));
    for (; example; example = example_next(example)) {
        mw_text_add(text, "  # ");
        text_wrap(text, 4, 4, help_width(), example->text);
        help_command(text, example->command, help_width());
    }
    snprintf(page, sizeof(page), "meshwork%s%s", *sub->name ? "-" : "", sub->name);
    for (char *c = page; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    mw_text_add(text, "\n%sManual:%s man %s\n", colour_on(stdout, BOLD), colour_off(stdout, BOLD), page);
}
/* SPDX-License-Identifier: MIT */
