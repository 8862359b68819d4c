/* Tables of the page: the machine and the figures. */
#include <math.h>
#include <stdio.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"
#include "tools/report/numbers.h"

static double number_at(const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- the machine ---- */

static void add_row(const char *title, const char *text, struct mw_text *to)
{
    if (!*text)
        return;
    mw_text_add(to, "<tr><th scope=\"row\">%s</th>", title);
    html_cell(to, "%s", text);
    mw_text_add(to, "</tr>\n");
}

enum measure { PER_SECOND, BYTES, SECONDS };
/* clang-format off */
static const struct { const char *key, *words; enum measure measure; } speeds[] = {
    { "copy", "copy of buffers", BYTES }, { "triad", "triad a = b + s c", BYTES },
    { "single", "arithmetic, single", PER_SECOND }, { "double", "arithmetic, double", PER_SECOND },
    { "atomics_one", "atomic additions, one address", PER_SECOND },
    { "atomics_many", "atomic additions, many addresses", PER_SECOND },
    { "launch", "launch, queued", SECONDS }, { "launch_waited", "launch, waited for", SECONDS },
    { "to_device", "transfer to it", BYTES }, { "to_device_staged", "the same, staged", BYTES },
    { "from_device", "transfer from it", BYTES }, { "from_device_staged", "the same, staged", BYTES },
};
/* clang-format on */

static struct short_text speed_text(double value, enum measure measure)
{
    struct short_text text;
    if (measure == SECONDS)
        snprintf(text.text, sizeof(text.text), "%.3g us", 1e6 * value);
    else if (value < 1e9)
        snprintf(text.text, sizeof(text.text), "%.3g M%s/s", value / 1e6, measure == BYTES ? "B" : "");
    else
        snprintf(text.text, sizeof(text.text), "%.*f G%s/s",
                 value < 9.995e9   ? 2
                 : value < 99.95e9 ? 1
                                   : 0,
                 value / 1e9, measure == BYTES ? "B" : "");
    return text;
}

/* A table of two columns per device, so that pages of any number of devices fit a narrow window. */
static void add_device(const json_t *device, struct mw_text *to)
{
    const double memory = number_at(device, "memory_bytes"), units = number_at(device, "compute_units");
    mw_text_add(to, "<h3>");
    html_text(to, text_at(device, "id"));
    mw_text_add(to, "</h3>\n<div class=\"scroll\"><table>\n<tbody>\n");
    add_row("name", text_at(device, "name"), to);
    add_row("kind", text_at(device, "type"), to);
    add_row("memory", memory >= 0 && memory < 1e18 ? bytes_text((uint64_t)memory).text : "", to);
    add_row("compute units", units >= 0 ? digits_text(units).text : "", to);
    add_row("double precision", json_is_true(json_object_get(device, "fp64")) ? "yes" : "no", to);
    add_row("platform", text_at(device, "platform"), to);
    add_row("driver", text_at(device, "driver"), to);
    for (size_t s = 0; s < MW_COUNT(speeds); s++) {
        const double value = number_at(json_object_get(device, "speed"), speeds[s].key);
        if (value > 0)
            add_row(speeds[s].words, speed_text(value, speeds[s].measure).text, to);
    }
    mw_text_add(to, "</tbody></table></div>\n");
}

void page_machine(const struct results *results, struct mw_text *to)
{
    const json_t *machine = json_object_get(results->root, "machine"), *device;
    const json_t *devices = json_object_get(results->root, "devices");
    size_t i;
    mw_text_add(to, "<section id=\"machine\">\n<h2>The machine</h2>\n<p>");
    html_text(to, text_at(machine, "system"));
    mw_text_add(to, " ");
    html_text(to, text_at(machine, "release"));
    mw_text_add(to, ", ");
    html_text(to, text_at(machine, "processor"));
    mw_text_add(to, "</p>\n");
    json_array_foreach(devices, i, device) add_device(device, to);
    mw_text_add(to, "</section>\n");
}

/* ---- the list of figures ---- */

static void add_summary(const struct measured *figure, struct mw_text *to)
{
    const size_t count = figure->count;
    mw_text_add(to, "<td>");
    if (count) {
        html_text(to, figure->x);
        mw_text_add(to, " %s%s%s", digits_text(figure->cases[0].x).text, count > 1 ? " to " : "",
                    count > 1 ? digits_text(figure->cases[count - 1].x).text : "");
    } else {
        mw_text_add(to, "%s", figure->picture ? "a picture" : "not measured within the budget");
    }
    mw_text_add(to, "</td>");
}

void page_contents(const struct results *results, struct mw_text *to)
{
    const char *paper = "";
    mw_text_add(to, "<nav aria-label=\"Contents\">\n<div class=\"scroll\"><table>\n"
                    "<thead><tr><th>figure</th><th>subject</th><th>measured</th></tr></thead>\n<tbody>\n");
    for (size_t f = 0; f < results->count; f++) {
        const struct measured *figure = &results->figures[f];
        if (strcmp(figure->paper, paper) != 0) {
            paper = figure->paper;
            mw_text_add(to, "<tr><th colspan=\"3\">");
            html_text(to, paper);
            if (figure->known && figure->known->paper->doi) {
                mw_text_add(to, " <span class=\"soft\">doi:");
                html_text(to, figure->known->paper->doi);
                mw_text_add(to, "</span>");
            }
            mw_text_add(to, "</th></tr>\n");
        }
        mw_text_add(to, "<tr><th scope=\"row\"><a href=\"#%s\">", figure_id(figure->suite, figure->name).text);
        html_text(to, figure->name);
        mw_text_add(to, "</a></th>");
        html_cell(to, "%s", figure->title);
        add_summary(figure, to);
        mw_text_add(to, "</tr>\n");
    }
    mw_text_add(to, "</tbody></table></div>\n<p><a href=\"#machine\">The machine</a></p>\n</nav>\n");
}
/* SPDX-License-Identifier: MIT */
