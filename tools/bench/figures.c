/* The list of all figures, and the words of their tasks. */
#include "tools/bench/figures.h"

#include <stdio.h>

#include "tools/cli/text.h"

/* Finds the n-th word of a text, counted from 1: its start and length. */
static const char *word_of(const char *words, unsigned n, size_t *length)
{
    for (; n > 1; n--)
        words += strcspn(words, " ") + 1;
    *length = strcspn(words, " ");
    return words;
}

int figure_word(const char *word, const struct figure_size *of, const char *file, const char *picture, char **made)
{
    struct mw_text text = { 0 };
    size_t length;
    for (const char *c = word; *c; c++) {
        if (*c != '%') {
            mw_text_append(&text, c, 1);
        } else if (*++c == 'F' || *c == 'P') {
            const char *name = *c == 'F' ? file : picture;
            mw_text_add(&text, "%s", name ? name : "");
        } else {
            const char *part = word_of(of->words, (unsigned)(*c - '0'), &length);
            mw_text_append(&text, part, length);
        }
    }
    return text_take(&text, made);
}

struct short_text figure_id(const char *suite, const char *name)
{
    struct short_text id;
    snprintf(id.text, sizeof(id.text), "%s/%s", suite, name);
    for (char *from = id.text, *to = id.text; (*to = *from) != 0; from++, to += *to != ',')
        *to = *to == ' ' ? '-' : *to;
    return id;
}

const struct figure *figure_at(size_t i)
{
    static const struct figure *const papers[] = { figures_exploiting, figures_carpets, figures_labelling,
                                                   figures_mixing, figures_storage };
    for (size_t p = 0; p < MW_COUNT(papers); p++)
        for (const struct figure *f = papers[p]; f->suite; f++)
            if (i-- == 0)
                return f;
    return NULL;
}

const struct figure *figure_find(const char *suite, const char *name)
{
    const struct figure *f;
    for (size_t i = 0; (f = figure_at(i)) != NULL; i++)
        if (!strcmp(f->suite, suite) && !strcmp(f->name, name))
            return f;
    return NULL;
}

size_t figure_sizes(const struct figure *figure)
{
    size_t count = 0;
    while (figure->sizes[count].words)
        count++;
    return count;
}

const struct line *figure_line(const struct figure *figure, const char *name)
{
    for (const struct line *l = figure->lines; l->name; l++)
        if (!strcmp(l->name, name))
            return l;
    return NULL;
}
/* SPDX-License-Identifier: MIT */
