/* meshwork label: the plan and the summary. */
#include <meshwork/io.h>

#include <stdio.h>

#include "tools/label/label.h"
#include "tools/report/files.h"

static const char *cell_name(const struct label *l)
{
    const bool is_deep = l->source.type == MW_TYPE_U64;
    return l->is_colour ? is_deep ? "16-bit colours" : "colours" : mw_type_name(l->source.type);
}

/* ---- words ---- */

static void add_background(const struct label *l, struct mw_text *text)
{
    const struct label_settings *set = l->set;
    if (l->options.no_background)
        mw_text_add(text, ", no background");
    else if (l->options.join == MW_JOIN_EQUAL)
        mw_text_add(text, ", background %s", set->background ? set->background : l->is_colour ? "black" : "0");
}

/* Returns the joining rule as text. */
static void add_join(const struct label *l, struct mw_text *text)
{
    const struct mw_label_options *o = &l->options;
    switch (o->join) {
    default: mw_text_add(text, "equal values"); break;
    case MW_JOIN_THRESHOLD:
        mw_text_add(text, o->no_background ? "values on the same side of %g" : "values above %g", o->threshold);
        break;
    case MW_JOIN_TOLERANCE: mw_text_add(text, "values that differ by at most %g", o->tolerance); break;
    }
    add_background(l, text);
}

struct short_text label_axis(unsigned dim)
{
    struct short_text axis;
    snprintf(axis.text, sizeof(axis.text), dim < 3 ? "%c" : "%d", dim < 3 ? "xyz"[dim] : (int)dim);
    return axis;
}

static unsigned neighbours(const struct label *l)
{
    const struct mw_label_options *o = &l->options;
    unsigned all = 1;
    if (o->lattice != MW_LATTICE_HYPERCUBIC)
        return mw_lattice_kinds(o->lattice)->coordination;
    for (unsigned i = 0; i < o->dims; i++)
        all *= 3;
    return o->connectivity == MW_CONNECTIVITY_ALL ? all - 1 : 2 * o->dims;
}

static void add_connectivity(const struct label *l, struct mw_text *text)
{
    const struct mw_label_options *o = &l->options;
    const char *before = ", periodic along ";
    mw_text_add(text, "%s, %u neighbours",
                o->lattice != MW_LATTICE_HYPERCUBIC ? mw_lattice_kind_name(o->lattice)
                                                    : mw_connectivity_name(o->connectivity),
                neighbours(l));
    for (unsigned i = 0; i < o->dims; i++) {
        if (o->boundary[i] != MW_BOUNDARY_PERIODIC)
            continue;
        mw_text_add(text, "%s%s", before, label_axis(i).text);
        before = ", ";
    }
}

/* ---- the report ---- */

static void put_source(const struct label *l, struct node *o)
{
    if (l->input)
        show_row(put_file(o, "input", l->input), "file", "%s", strcmp(l->input, "-") ? l->input : "standard input");
    else if (l->pattern->has_density)
        show_row(put_text(o, "pattern", l->pattern->name), "pattern", "%s, density %g, seed %llu", l->pattern->name,
                 l->density, (unsigned long long)l->set->seed);
    else
        show_value(put_text(o, "pattern", l->pattern->name), "pattern");
    if (l->pattern && l->pattern->has_density) {
        put_real(o, "density", l->density);
        put_seed(o, l->set->seed);
    }
}

/* Common parts of plan and summary; `plan` NULL: a summary. */
static int start_report(const struct label *l, const struct team_plan *plan, const char *variant, struct node *o)
{
    const struct mw_label_options *options = &l->options;
    struct size size = { .dims = options->dims };
    struct mw_text join = { 0 }, connectivity = { 0 };
    struct node *periodic;
    int rc;
    add_join(l, &join);
    add_connectivity(l, &connectivity);
    TRY(mw_text_ok(&join));
    TRY(mw_text_ok(&connectivity));
    memcpy(size.length, options->length, sizeof(size.length));
    put_source(l, o);
    ROW(o, "size", "%s cells, %s", size_text(&size, " x ").text, cell_name(l));
    put_lengths(o, "size", options->dims, options->length);
    put_text(o, "cells", cell_name(l));
    show_value(put_text(o, "join", join.data), "joined");
    show_row(put_text(o, "connectivity", mw_connectivity_name(options->connectivity)), "connectivity", "%s",
             connectivity.data);
    put_text(o, "lattice", mw_lattice_kind_name(options->lattice));
    periodic = put_list(o, "periodic");
    for (unsigned i = 0; i < options->dims; i++)
        put_flag(periodic, NULL, options->boundary[i] == MW_BOUNDARY_PERIODIC);
    if (plan)
        team_plan_put(plan, l->set->device.selector, o);
    else
        team_put(&l->team, o);
    show_value(put_text(o, "variant", variant), "variant");
out:
    mw_text_free(&join);
    mw_text_free(&connectivity);
    return rc;
}

static void put_times(const struct label *l, struct node *o)
{
    put_count(o, "repeat", l->set->repeat);
    passes_report(&l->passes, o);
    ROW(o, "", "build %s, upload %s, sizes %s, download %s, output %s, total %s", seconds_text(l->build).text,
        seconds_text(l->upload).text, seconds_text(l->sizing).text, seconds_text(l->download).text,
        seconds_text(l->flow.output).text, seconds_text(mw_now() - l->flow.start).text);
    put_rate(o, passes_rate(&l->passes, (double)l->source.count), "cells/s");
    put_least_bytes(o,
                    (double)l->source.count * (double)(mw_type_bytes(l->source.type) + mw_type_bytes(l->label_type)));
}

/* Puts for each dimension the number of components that span it, and the first label. */
static void put_spanning(const struct label *l, struct node *o)
{
    struct node *spanning = put_list(o, "spanning");
    for (unsigned i = 0; i < l->options.dims; i++) {
        const size_t count = l->spanning[i].count, first = l->spanning[i].first;
        struct node *pair = put_list(spanning, NULL);
        put_count(pair, NULL, count);
        put_count(pair, NULL, first);
        if (count == 0)
            show_row(pair, i ? "" : "spanning", "%s: none", label_axis(i).text);
        else
            show_row(pair, i ? "" : "spanning", "%s: %s, first label %zu", label_axis(i).text,
                     COUNTED(count, "component"), first);
    }
}

static void put_components(const struct label *l, struct node *o)
{
    const struct mw_components_summary *s = &l->summary;
    struct node *components = put_count(o, "components", s->components);
    put_count(o, "found", l->found);
    if (label_drops(l))
        show_row(components, "components", "%zu of the %zu found", s->components, l->found);
    else
        show_value(components, "components");
    put_count(o, "labelled_cells", s->cells);
    put_count(o, "largest", s->largest_size);
    put_count(o, "largest_label", s->largest_label);
    put_real(o, "mean_size", s->mean_size);
    if (s->components) {
        ROW(o, "largest", "%s, label %zu", COUNTED(s->largest_size, "cell"), s->largest_label);
        ROW(o, "mean size", "%.6g cells", s->mean_size);
    }
    if (l->geometry)
        put_spanning(l, o);
    put_count(o, "iterations", l->iterations);
    put_text(o, "labels", mw_type_name(l->label_type));
    if (output_verbose()) {
        ROW(o, "background", "%s of %zu", COUNTED(l->source.count - s->cells, "cell"), l->source.count);
        ROW(o, "iterations", "%zu", l->iterations);
        ROW(o, "labels", "%s", mw_type_name(l->label_type));
    }
    show_value(put_checksum(o, "checksum", l->checksum), "checksum");
    put_verified(o, l->set->verify, l->flow.verify, "each label is that of a flood fill");
}

static void print_files(const struct label *l, struct node *o)
{
    const struct label_settings *set = l->set;
    const struct {
        const char *title, *path;
    } files[] = { { "pattern in", set->save_pattern },
                  { "written", set->output },
                  { "picture", set->png },
                  { "table", set->components },
                  { "cells", set->cells } };

    for (size_t i = 0; i < MW_COUNT(files); i++)
        show_written(o, files[i].title, files[i].path);
}

int label_summary(void *task)
{
    const struct label *l = task;
    const struct timing timings[] = { { "minimum", l->passes.seconds[0] },
                                      { "maximum", l->passes.seconds[l->passes.count - 1] },
                                      { "build", l->build },
                                      { "upload", l->upload },
                                      { "sizes", l->sizing },
                                      { "shapes", l->measuring },
                                      { "download", l->download },
                                      { "verify", l->flow.verify },
                                      { "output", l->flow.output },
                                      { "total", mw_now() - l->flow.start } };
    struct node *o = report_object();
    int rc;
    TRY(start_report(l, NULL, l->found_by, o));
    put_times(l, o);
    put_components(l, o);
    print_files(l, o);
    if (l->set->sizes)
        TRY(put_component_sizes(o, l->components));
    put_timings(o, timings, MW_COUNT(timings));
out:
    return report_end(o, rc);
}

/* --dry-run opens only the input and writes nothing. */
int label_plan(void *task)
{
    struct label *l = task;
    struct memory_plan memory = { 0 };
    struct team_plan team;
    uint64_t part, components;
    struct node *o = report_object();
    int rc;
    TRY(team_plan(&l->set->device, &team));
    TRY(label_memory(l, &team, &memory, &part, &components));
    TRY(start_report(l, &team, l->set->variant, o));
    show_row(put_count(o, "planned_components", components), "planned for", "%llu components",
             (unsigned long long)components);
    memory_put(&memory, &team.first, o);
    rc = report_print(o);
    o = NULL;
    TRY(rc);
    TRY(team_holds(&team, &memory, part));
out:
    report_free(o);
    return rc;
}
/* SPDX-License-Identifier: MIT */
