/* meshwork report: makes a page of results of `meshwork bench`. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/file.h>

#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/report/report.h"

struct page_settings {
    const char *output;
    bool statements;
};

static const struct option options[] = { { .name = "output",
                                           .letter = 'o',
                                           .type = OPTION_TEXT,
                                           .target = offsetof(struct page_settings, output),
                                           .value = "FILE.html",
                                           .help = "output page (default: FILE.html next to FILE.json)" },
                                         { .name = "statements",
                                           .type = OPTION_FLAG,
                                           .target = offsetof(struct page_settings, statements),
                                           .help = "print the papers' statements next to our numbers instead of "
                                                   "making a page" },
                                         { 0 } };

#ifdef HAVE_JANSSON
#include "tools/bench/bench.h"
#include "tools/page/page.h"

/* The first line: when and how the numbers were measured. */
static void add_conditions(const struct results *results, struct mw_text *to)
{
    const json_t *machine = json_object_get(results->root, "machine");
    const double load = json_number_value(json_object_get(machine, "load"));
    mw_text_add(to, "<p class=\"soft\">");
    html_text(to, text_at(machine, "date"));
    mw_text_add(to, ", %d rounds, load of the machine ",
                (int)json_integer_value(json_object_get(results->root, "rounds")));
    if (load >= 0)
        mw_text_add(to, "%.2f", load);
    else
        mw_text_add(to, "unknown");
    mw_text_add(to, ", seeds from 1, meshwork ");
    html_text(to, results->version);
    mw_text_add(to, " (");
    html_text(to, text_at(machine, "build"));
    mw_text_add(to, ")</p>\n");
}

static int make_page(const struct results *results, bool plots, struct mw_text *to)
{
    html_begin(to, "meshwork bench");
    mw_text_add(to, "<header>\n<h1>meshwork bench</h1>\n");
    add_conditions(results, to);
    mw_text_add(to, "<p>Figures and tables of five papers, repeated on this machine.</p>\n%s</header>\n<main>\n",
                plots ? "" : "<p>Without plots: gnuplot was not installed.</p>\n");
    page_contents(results, to);
    page_choices(results, to);
    for (size_t f = 0; f < results->count; f++)
        TRY_RETURN(page_figure(results, f + 1, plots, to));
    page_machine(results, to);
    mw_text_add(to, "</main>\n");
    html_end(to);
    return mw_text_ok(to);
}

/* FILE.json becomes FILE.html. */
static int name_page(const char *input, const char *output, char **path)
{
    const size_t length = strlen(input) - (text_ends_in(input, ".json") ? strlen(".json") : 0);
    struct mw_text text = { 0 };
    int rc;
    if (output)
        return mw_strdup(output, path);
    mw_text_append(&text, input, length);
    mw_text_add(&text, ".html");
    rc = mw_text_ok(&text);
    if (!rc)
        rc = mw_strdup(text.data, path);
    mw_text_free(&text);
    return rc;
}

/* Prints a row per statement. */
static int print_statements(const struct results *results)
{
    struct node *table = report_table("figure|statement|here|~here, " LINE_TODAY);
    int rc = 0;
    for (size_t f = 0; f < results->count && !rc; f++) {
        const struct measured *figure = &results->figures[f];
        const struct claim *c = figure->known ? figure->known->claims : NULL;
        for (; c && c->words && !rc; c++) {
            struct node *row = put_object(table, NULL);
            struct mw_text ours = { 0 }, today = { 0 };
            rc = claim_ours(results, figure, c, &ours);
            rc = rc ? rc : claim_today(results, figure, c, &today);
            put_text(row, "id", figure_id(figure->suite, figure->name).text);
            put_text(row, "suite", figure->suite);
            show_cell(put_text(row, "figure", figure->name), PLAIN, "%s, %s", figure->suite, figure->name);
            show_cell(put_text(row, "statement", c->words), PLAIN, "%s (%s)", c->words, c->place);
            put_text(row, "place", c->place);
            put_text(row, "kind", claim_kind_name(c->kind));
            if (c->least || c->most) {
                put_real(row, "least", c->least);
                if (c->most < NO_LIMIT)
                    put_real(row, "most", c->most);
            }
            show_value_cell(put_text(row, "here", ours.data ? ours.data : ""), PLAIN);
            show_value_cell(put_text(row, "today", today.data ? today.data : ""), PLAIN);
            mw_text_free(&ours);
            mw_text_free(&today);
        }
    }
    return report_end(table, rc);
}

static int page_run(struct command *command)
{
    const struct page_settings *set = command->settings;
    const char *input = command->operands.item[0];
    const bool plots = file_program("gnuplot");
    struct results results = { 0 };
    struct mw_text page = { 0 };
    char *path = NULL;
    int rc;
    if (set->statements && set->output)
        return mw_fail(MW_EINVAL, "--statements makes no page: leave out --output");
    TRY(name_page(input, set->output, &path));
    TRY(file_stays(input));
    if (!set->statements)
        TRY(file_text_writable(path));
    TRY(results_read(input, &results));
    if (set->statements) {
        rc = print_statements(&results);
        goto out;
    }
    if (!plots)
        print_note("no plots: gnuplot is not installed (package gnuplot-nox on Debian and Ubuntu)");
    TRY(make_page(&results, plots, &page));
    rc = file_write(path, true, page.data, page.length);
out:
    mw_text_free(&page);
    results_free(&results);
    free(path);
    return rc;
}

#else
#define page_run run_without_json
#endif

static const struct option_group groups[] = { { "Report", options, 0 }, { 0 } };

const struct subcommand report_subcommand = {
    "report",
    "FILE.json",
    "make an HTML page from bench results",
    "Makes one HTML page from results of `meshwork bench -o FILE.json`: per figure a plot (drawn by gnuplot), the "
    "paper's statements next to ours, exponents and all rows; then the machine. The page needs no other files and no "
    "scripts.",
    groups,
    sizeof(struct page_settings),
    1,
    1,
    page_run,
    NULL
};
/* SPDX-License-Identifier: MIT */
