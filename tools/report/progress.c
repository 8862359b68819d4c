/* Progress of a run. */
#include "tools/report/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/cli/text.h"
#include "tools/report/numbers.h"
#include "tools/report/output.h"

#define BAR_EVERY 0.1 /* seconds */

static struct {
    char what[80];
    const char *unit;
    double cells, start, last;
    double from; /* when the first word came, of so many parts; 0: none came */
    uint64_t first;
    uint64_t over, all; /* completed runs and all runs; all 0: one run */
    double begun;       /* part that was done at the start */
    bool bar;
} progress;

void progress_start(const char *what, double cells, const char *unit)
{
    char *shown = NULL;
    mw_copy_string(progress.what, sizeof(progress.what), text_printable(what, &shown) == 0 ? shown : "");
    free(shown);
    progress.cells = cells;
    progress.unit = unit;
    progress.all = 0;
    progress.from = 0;
    progress.start = progress.last = mw_now();
    progress.bar = isatty(STDERR_FILENO);
}

static void draw_bar(double part, const char *tail)
{
    size_t width = terminal_width(stderr, 80), bar, used = strlen(progress.what) + strlen(tail) + 10;
    const char *full = output_utf8() ? "\u2501" : "=", *rest = output_utf8() ? "\u2500" : "-";
    bar = width > used + 8 ? width - used : 0;
    bar = bar > 40 ? 40 : bar;
    fprintf(stderr, "\r%s %3.0f%% ", progress.what, floor(100 * part));
    fputs(colour_on(stderr, GREEN), stderr);
    size_t filled = (size_t)(part * (double)bar);
    for (size_t i = 0; i < bar; i++) {
        if (i == filled)
            fprintf(stderr, "%s%s", colour_off(stderr, GREEN), colour_on(stderr, DIM));
        fputs(i < filled ? full : rest, stderr);
    }
    fprintf(stderr, "%s %.*s\033[K", colour_off(stderr, DIM), (int)(width - strlen(progress.what) - 8), tail);
    fflush(stderr);
    line_drawn();
}

/* Draws a bar, or if standard error is no terminal prints a line now and then. */
static void show(double part, const char *counted, const char *tail)
{
    const double time = mw_now();
    if (output_quiet() || (!progress.bar && time - progress.last < 10))
        return;
    progress.last = time;
    if (progress.bar)
        draw_bar(part, tail);
    else
        fprintf(stderr, "%s %.0f%%  %s%s\n", progress.what, floor(100 * part), counted, tail);
}

/* Progress over several runs; `part` is the fraction of the current one. */
static void show_several(double part)
{
    const double all = (double)progress.all, whole = ((double)progress.over + part) / all;
    const double here = whole - progress.begun, time = mw_now() - progress.start;
    char tail[128];
    snprintf(tail, sizeof(tail), "%llu/%llu runs  %s left", (unsigned long long)progress.over,
             (unsigned long long)progress.all, seconds_text(here > 0 ? time * (1 - whole) / here : 0).text);
    show(whole, "", tail);
}

void progress_several(uint64_t over, uint64_t all)
{
    const bool begins = progress.all == 0;
    progress.over = over;
    progress.all = all;
    if (begins)
        progress.begun = (double)over / (double)all;
    else if (mw_now() - progress.last >= BAR_EVERY) /* for runs shorter than the interval */
        show_several(0);
}

int progress_show(void *context, uint64_t done, uint64_t all)
{
    const double part = all ? (double)done / (double)all : 1, now = mw_now();
    char tail[128];
    if (progress.all) {
        show_several(part);
        return 0;
    }
    if (!progress.from) {
        progress.from = progress.unit ? now : progress.start;
        progress.first = progress.unit ? done : 0;
    }
    const double each = done > progress.first ? (now - progress.from) / (double)(done - progress.first) : 0;
    snprintf(tail, sizeof(tail), "%llu/%llu  %s%s%s left", (unsigned long long)done, (unsigned long long)all,
             progress.unit ? rate_text(each > 0 ? progress.cells / each : 0, progress.unit).text : "",
             progress.unit ? "  " : "", seconds_text(each * (double)(all - done)).text);
    show(part, progress.unit ? "step " : "", tail);
    return 0;
}

void progress_part(double part, const char *words) { show(part, "", words); }

void progress_end(void)
{
    line_hide();
    fflush(stderr);
}
/* SPDX-License-Identifier: MIT */
