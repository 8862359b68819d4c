/* meshwork transform: the plan and the summary. */
#include <meshwork/io.h>

#include "tools/report/files.h"
#include "tools/transform/transform.h"

/* Traffic: every cell of the result is written, and read unless it is filled. */
static double bytes_moved(const struct transform *t)
{
    const size_t read = t->result.count < t->source.count ? t->result.count : t->source.count;
    return ((double)t->result.count + (double)read) * (double)mw_type_bytes(t->source.type);
}

const struct mw_array *transform_file_array(const struct transform *t)
{
    return t->channels.data ? &t->channels : &t->result;
}

static struct short_text cell_name(const struct transform *t)
{
    const bool deep = t->source.type == MW_TYPE_U16 || t->source.type == MW_TYPE_U64;
    struct short_text name;
    snprintf(name.text, sizeof(name.text), "%s%s", t->from_picture && deep ? "16-bit " : "",
             t->from_picture ? mw_png_kind_name(t->kind) : mw_type_name(t->source.type));
    return name;
}

/* Returns the chosen variant; in a plan, the requested one. */
static const char *variant_name(const struct transform *t, const char *in_place)
{
    return t->set->in_place ? in_place : t->transform ? mw_transform_variant(t->transform) : t->set->variant;
}

/* Common parts of plan and summary; `plan` NULL: a summary. */
static struct node *start_report(const struct transform *t, const struct team_plan *plan)
{
    struct node *o = report_object(), *lengths;
    show_row(put_text(o, "op", t->chain.data), "op", "%s%s", t->set->inverse ? "inverse of " : "", t->chain.data);
    put_flag(o, "inverse", t->set->inverse);
    put_file(o, "input", t->input);
    put_text(o, "cells", cell_name(t).text);
    lengths = put_object(o, "lengths");
    show_row(lengths, "lengths", "%s -> %s, %s", size_text(&t->from, "x").text, size_text(&t->to, "x").text,
             cell_name(t).text);
    put_lengths(lengths, "before", t->from.dims, t->from.length);
    put_lengths(lengths, "after", t->to.dims, t->to.length);
    if (plan)
        team_plan_put(plan, t->set->device.selector, o);
    else
        team_put(&t->team, o);
    show_row(put_text(o, "variant", variant_name(t, "in-place")), "variant", "%s", variant_name(t, "in place"));
    return o;
}

size_t transform_cells(const struct size *size)
{
    size_t count = 1;
    for (unsigned i = 0; i < size->dims; i++)
        count *= size->length[i];
    return count;
}

void transform_memory(const struct transform *t, const struct team_plan *team, struct memory_plan *memory,
                      uint64_t *part)
{
    const bool is_colour = t->from_picture && t->kind != MW_PNG_GRAY;
    const double width = (double)mw_type_bytes(t->source.type);
    const double source = (double)transform_cells(&t->from) * width, result = (double)transform_cells(&t->to) * width;
    const double kept = t->set->verify ? source : 0, each = source + result / (double)team->count;
    const double others = each * (double)team->in_host_memory;
    *part = (uint64_t)each;
    memory_phase(memory, source, source);
    memory_phase(memory, kept + others, source + (t->set->in_place ? 0 : result));
    memory_phase(memory, kept + others + result, result);
    if (is_colour || t->to_picture)
        memory_phase(memory, kept + others + 2 * result, 0);
}

int transform_summary(void *task)
{
    const struct transform *t = task;
    const struct passes *passes = &t->passes;
    const struct timing timings[] = { { "minimum", passes->seconds[0] },
                                      { "maximum", passes->seconds[passes->count - 1] },
                                      { "build", t->build },
                                      { "upload", t->upload },
                                      { "download", t->download },
                                      { "verify", t->flow.verify },
                                      { "output", t->flow.output },
                                      { "total", mw_now() - t->flow.start } };
    struct node *o = start_report(t, NULL);
    put_count(o, "repeat", t->set->repeat);
    passes_report(passes, o);
    ROW(o, "", "build %s, upload %s, download %s, output %s, total %s", seconds_text(t->build).text,
        seconds_text(t->upload).text, seconds_text(t->download).text, seconds_text(t->flow.output).text,
        seconds_text(mw_now() - t->flow.start).text);
    put_rate(o, passes_rate(passes, bytes_moved(t)), "B/s");
    put_least_bytes(o, bytes_moved(t));
    show_value(put_checksum(o, "checksum", mw_array_checksum(transform_file_array(t))), "checksum");
    put_verified(o, t->set->verify, t->flow.verify, "each cell is the chain's");
    show_written(o, "written", t->set->output);
    put_timings(o, timings, MW_COUNT(timings));
    return report_print(o);
}

int transform_check_count(const struct transform *t, size_t devices)
{
    return t->set->in_place && devices > 1
               ? mw_fail(MW_EINVAL, "--in-place: cells move in place on one device: leave it out, or give one device")
               : 0;
}

int transform_plan(void *task)
{
    struct transform *t = task;
    struct memory_plan memory = { 0 };
    struct team_plan team;
    uint64_t part;
    struct node *o;
    TRY_RETURN(team_plan(&t->set->device, &team));
    TRY_RETURN(transform_check_count(t, team.count));
    transform_memory(t, &team, &memory, &part);
    o = start_report(t, &team);
    memory_put(&memory, &team.first, o);
    TRY_RETURN(report_print(o));
    return team_holds(&team, &memory, part);
}
/* SPDX-License-Identifier: MIT */
