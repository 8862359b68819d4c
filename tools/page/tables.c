/* Tables of the page: the machine, the suites, the results. */
#include <math.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"
#include "tools/report/numbers.h"

static double number_at(const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* ---- the machine ---- */

static void add_device(const json_t *device, struct mw_text *to)
{
    const double memory = number_at(device, "memory_bytes"), units = number_at(device, "compute_units");
    mw_text_add(to, "<tr><th scope=\"row\">");
    html_text(to, text_at(device, "id"));
    mw_text_add(to, "</th>");
    html_cell(to, "%s", text_at(device, "type"));
    html_cell(to, "%s", text_at(device, "name"));
    html_number(to, "%s", memory >= 0 && memory < 1e18 ? bytes_text((uint64_t)memory).text : "");
    html_number(to, "%s", units >= 0 ? digits_text(units).text : "");
    html_cell(to, "%s", json_is_true(json_object_get(device, "fp64")) ? "yes" : "no");
    html_cell(to, "%s", text_at(device, "platform"));
    html_cell(to, "%s", text_at(device, "driver"));
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

static void add_speed(double value, enum measure measure, struct mw_text *to)
{
    if (!(value > 0))
        html_number(to, "%s", "");
    else if (measure == SECONDS)
        html_number(to, "%.3g us", 1e6 * value);
    else if (value < 1e9)
        html_number(to, "%.3g M%s/s", value / 1e6, measure == BYTES ? "B" : "");
    else
        html_number(to, "%.*f G%s/s",
                    value < 9.995e9   ? 2
                    : value < 99.95e9 ? 1
                                      : 0,
                    value / 1e9, measure == BYTES ? "B" : "");
}

/* Adds a row if any device has the value; returns whether it did. */
static bool add_speed_row(const json_t *devices, size_t s, struct mw_text *to)
{
    struct mw_text cells = { 0 };
    const json_t *device;
    bool any = false;
    size_t i;
    json_array_foreach(devices, i, device)
    {
        const double value = number_at(json_object_get(device, "speed"), speeds[s].key);
        any |= value > 0;
        add_speed(value, speeds[s].measure, &cells);
    }
    if (any)
        mw_text_add(to, "<tr><th scope=\"row\">%s</th>%s</tr>\n", speeds[s].words, cells.data);
    to->failed |= cells.failed;
    mw_text_free(&cells);
    return any;
}

static void add_speeds(const json_t *devices, struct mw_text *to)
{
    const json_t *device;
    bool any = false;
    size_t i;
    mw_text_add(to, "<h3>Rates of each device</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th></th>");
    json_array_foreach(devices, i, device)
    {
        mw_text_add(to, "<th class=\"n\">");
        html_text(to, text_at(device, "id"));
        mw_text_add(to, "</th>");
    }
    mw_text_add(to, "</tr></thead>\n<tbody>\n");
    for (size_t s = 0; s < MW_COUNT(speeds); s++)
        any |= add_speed_row(devices, s, to);
    mw_text_add(to, "</tbody></table></div>\n%s",
                any ? "" : "<p>Measuring took longer than the limit of one row.</p>\n");
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
    mw_text_add(to, "</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>device</th><th>kind</th><th>name</th><th "
                    "class=\"n\">memory</th><th "
                    "class=\"n\">units</th><th>double</th><th>platform</th><th>driver</th></tr></thead>\n<tbody>\n");
    json_array_foreach(devices, i, device) add_device(device, to);
    mw_text_add(to, "</tbody></table></div>\n");
    add_speeds(devices, to);
    mw_text_add(to, "</section>\n");
}

/* ---- the list of suites ---- */

static bool is_serial(const struct measured *suite, const struct result *r, const void *context)
{
    return !strcmp(suite->devices[r->device], "native:serial");
}

static void add_summary(const struct measured *suite, struct mw_text *to)
{
    const struct sized *of = suite->count ? &suite->cases[suite->count - 1] : NULL;
    const struct result *best = of ? fastest_of(suite, of, false, NULL, NULL) : NULL;
    const struct result *serial = of ? fastest_of(suite, of, false, is_serial, NULL) : NULL;
    mw_text_add(to, "<td>%s ", of ? digits_text(of->x).text : "");
    html_text(to, suite->x);
    mw_text_add(to, "</td><td>");
    if (best)
        page_name(suite, best, to);
    mw_text_add(to, "</td>");
    html_number(to, "%s", best ? seconds_text(best->seconds.median).text : "");
    if (best && serial && best->seconds.median > 0)
        html_number(to, "%.3g", serial->seconds.median / best->seconds.median);
    else
        html_number(to, "%s", "");
}

void page_contents(const struct results *results, struct mw_text *to)
{
    mw_text_add(to, "<nav aria-label=\"Contents\">\n<p>The fastest result at the largest size of each suite, with its "
                    "speed-up over the fastest on native:serial:</p>\n<div class=\"scroll\"><table>\n"
                    "<thead><tr><th>suite</th><th>largest</th><th>fastest</th><th class=\"n\">seconds</th><th "
                    "class=\"n\">speed-up</th></tr></thead>\n<tbody>\n");
    for (size_t s = 0; s < results->count; s++) {
        mw_text_add(to, "<tr><th scope=\"row\"><a href=\"#suite-%zu\">", s + 1);
        html_text(to, results->suites[s].title);
        mw_text_add(to, "</a></th>");
        add_summary(&results->suites[s], to);
        mw_text_add(to, "</tr>\n");
    }
    mw_text_add(to, "</tbody></table></div>\n<p><a href=\"#machine\">The machine</a></p>\n</nav>\n");
}
/* SPDX-License-Identifier: MIT */
