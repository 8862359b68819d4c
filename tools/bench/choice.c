/* The figures that operands name, and their list. */
#include <stdio.h>

#include "tools/bench/bench.h"
#include "tools/cli/names.h"

/* The rates of devices. */
static const char stream[] = "stream";

static void put_lines(const struct figure *figure, struct node *row)
{
    static const char *const places[] = { "native:serial", "native:pthreads", "native:tbb", "devices", "gpus" };
    struct node *list = put_list(row, "lines");
    for (const struct line *l = figure->lines; l->name; l++) {
        struct node *line = put_object(list, NULL);
        put_text(line, "name", l->name);
        put_text(line, "where", places[l->where]);
        put_text(line, "variant", l->variant ? l->variant : "auto");
        put_text(line, "more", l->more ? l->more : "");
    }
}

static void put_figure(const struct figure *figure, struct node *table)
{
    struct node *row = put_object(table, NULL), *list;
    show_cell(put_text(row, "id", figure_id(figure->suite, figure->name).text), BOLD, "%s",
              figure_id(figure->suite, figure->name).text);
    put_text(row, "suite", figure->suite);
    put_text(row, "figure", figure->name);
    put_text(row, "paper", figure->paper->title);
    CELL(row, "%s %d", figure->paper->authors, figure->paper->year);
    show_value_cell(put_text(row, "grows", figure->x), PLAIN);
    show_value_cell(put_text(row, "title", figure->title), PLAIN);
    put_text(row, "task", figure->task ? figure->task : figure->picture);
    put_text(row, "shows", figure->value ? figure->value : "seconds");
    put_count(row, "samples", figure->samples);
    list = put_list(row, "measured_at");
    for (size_t i = 0; i < figure_sizes(figure); i++)
        put_real(list, NULL, figure->sizes[i].x);
    put_lines(figure, row);
    list = put_list(row, "statements");
    for (const struct claim *c = figure->claims; c->words; c++)
        put_text(list, NULL, c->words);
}

int figures_list(void)
{
    struct node *root = report_object();
    struct node *table = put_table(root, "figures", "suite/figure|paper|grows|~");
    const struct figure *f;
    for (size_t i = 0; (f = figure_at(i)) != NULL; i++)
        put_figure(f, table);
    show_lines(put_words(root), PLAIN, "stream: the rates of devices, as by `meshwork speed`\n");
    return report_print(root);
}

/* Names: all, a suite, or a suite with a figure. */
static bool is_of(const char *name, const struct figure *figure)
{
    return !strcmp(name, "all") || !strcmp(name, figure->suite) ||
           !strcmp(name, figure_id(figure->suite, figure->name).text);
}

bool figure_is_wanted(const struct figure *figure, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (is_of(names->item[i], figure))
            return true;
    return false;
}

bool figures_want_stream(const struct words *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->item[i], stream))
            return true;
    return false;
}

int figures_check_names(const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        struct nearest nearest = { .word = names->item[i] };
        const struct figure *f;
        bool known = !strcmp(names->item[i], stream);
        nearest_offer(&nearest, stream);
        for (size_t k = 0; (f = figure_at(k)) != NULL; k++) {
            known |= is_of(names->item[i], f);
            nearest_offer(&nearest, f->suite);
        }
        if (!known)
            return mw_fail(MW_EINVAL, "unknown suite or figure '%s': %s", names->item[i],
                           nearest_advice(&nearest, "`meshwork bench list` lists them").text);
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
