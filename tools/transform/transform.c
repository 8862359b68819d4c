/* meshwork transform: reads a file, applies a chain of index maps on a device, writes a file and a summary. */
#include <meshwork/io.h>

#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/transform/transform.h"

#define AT(member) offsetof(struct transform_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE",
      .help = "write the result to FILE: an array (.npy, .npz, .tif, .nrrd, .mha) or a .png; - is .npy on standard "
              "output, with the summary on standard error" },
    { .name = "inverse", .type = OPTION_FLAG, .target = AT(inverse), .help = "undo the chain" },
    { .name = "size", .type = OPTION_SIZE, .target = AT(size), .value = "WxHx...",
      .help = "with --inverse: lengths before the chain, if they differ from the input's" },
    { .name = "in-place", .type = OPTION_FLAG, .target = AT(in_place),
      .help = "use half the device memory; needs a chain that is its own inverse, such as flips" },
    { .name = "fill", .type = OPTION_TEXT, .target = AT(fill), .value = "VALUE",
      .help = "value of cells from outside: a number (RE,IM for complex types), for pictures also #RRGGBB or #RRGGBBAA "
              "(default: zeros)" },
    VARIANT_OPTION(struct transform_settings, "variant that moves cells; auto chooses for the chain and the device"),
    PASS_OPTIONS(struct transform_settings,
                 "time N passes and report the median; with N above 1, or if a driver compiles, after warm-up passes",
                 "compare each cell with the definition of the chain, on the host"),
    { 0 }
};
/* clang-format on */

/* ---- the plan and the summary ---- */

/* Traffic: every cell of the result is written, and read unless it is filled. */
static double bytes_moved(const struct transform *t)
{
    const size_t read = t->result.count < t->source.count ? t->result.count : t->source.count;
    return ((double)t->result.count + (double)read) * (double)mw_type_bytes(t->source.type);
}

/* Returns the result as written to a file: pixels by channels. */
static const struct mw_array *transform_file_array(const struct transform *t)
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

static size_t transform_cells(const struct size *size)
{
    size_t count = 1;
    for (unsigned i = 0; i < size->dims; i++)
        count *= size->length[i];
    return count;
}

/* Adds the phases of transform_compute() and transform_write(), with the memory of the first device.  Stores in *part
 * the memory of each further device. */
static void transform_memory(const struct transform *t, const struct team_plan *team, struct memory_plan *memory,
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

static int transform_summary(void *task)
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

/* Checks that --in-place has a single device.  MW_EINVAL: it has several. */
static int transform_check_count(const struct transform *t, size_t devices)
{
    return t->set->in_place && devices > 1
               ? mw_fail(MW_EINVAL, "--in-place: cells move in place on one device: leave it out, or give one device")
               : 0;
}

static int transform_plan(void *task)
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

/* Returns the number of warm-up passes, for drivers that compile at the first launch.  In place, each pass undoes the
 * previous one, so the total must be odd. */
static size_t untimed_passes(const struct transform *t)
{
    bool native = true;
    for (size_t d = 0; d < t->team.count; d++)
        native = native && mw_device_info(t->team.device[d])->kind == MW_DEVICE_NATIVE;
    if (t->set->repeat == 1 && native)
        return 0;
    return t->set->in_place && t->set->repeat % 2 ? 2 : 1;
}

/* Frees the source unless --verify needs it. */
static void drop_source(struct transform *t)
{
    if (t->set->verify)
        return;
    free(t->source.data);
    t->source.data = NULL;
}

/* Checks the plan against --memory-limit before the computation. */
static int check_memory(const struct transform *t)
{
    struct memory_plan memory = { 0 };
    struct team_plan team;
    uint64_t part;
    if (!t->set->device.memory_limit)
        return 0;
    TRY_RETURN(team_plan(&t->set->device, &team));
    transform_memory(t, &team, &memory, &part);
    return team_holds(&team, &memory, part);
}

/* Frees each array before the next is allocated, as transform_memory assumes. */
static int transform_compute(void *task)
{
    struct transform *t = task;
    const size_t width = mw_type_bytes(t->source.type);
    struct mw_buffer *from = NULL, *other = NULL, *to;
    struct mw_device *device;
    double start = mw_now();
    int rc;
    memory_give_back_early();
    TRY(team_open(&t->set->device, &t->team));
    TRY(transform_check_count(t, t->team.count));
    device = t->team.device[0];
    TRY(check_memory(t));
    TRY(mw_transform_new(t->team.device, t->team.count, t->map, width, t->set->variant, &t->transform));
    t->build = mw_now() - start;
    start = mw_now();
    TRY(mw_buffer_new(device, t->source.count * width, &from));
    if (t->source.count)
        TRY(mw_buffer_write(from, 0, t->source.count * width, t->source.data, NULL));
    drop_source(t);
    if (!t->set->in_place)
        TRY(mw_buffer_new(device, transform_cells(&t->to) * width, &other));
    to = t->set->in_place ? from : other;
    t->upload = mw_now() - start;
    start = mw_now();
    for (size_t i = 0; i < untimed_passes(t); i++)
        TRY(mw_transform_run(t->transform, from, to, t->fill));
    TRY(mw_device_finish(device));
    t->build += mw_now() - start;
    for (size_t i = 0; i < t->set->repeat; i++) {
        TRY(mw_device_finish(device));
        start = mw_now();
        TRY(mw_transform_run(t->transform, from, to, t->fill));
        TRY(mw_device_finish(device));
        t->passes.seconds[i] = mw_now() - start;
    }
    passes_sort(&t->passes);
    if (other) {
        mw_buffer_free(from);
        from = NULL;
    }
    start = mw_now();
    TRY(mw_array_new(t->source.type, t->to.dims, t->to.length, &t->result));
    if (t->result.count)
        TRY(mw_buffer_read(to, 0, t->result.count * width, t->result.data, NULL));
    t->download = mw_now() - start;
out:
    mw_buffer_free(from);
    mw_buffer_free(other);
    return rc;
}

/* Looks up each cell by the definition of the map. */
static int transform_verify(void *task)
{
    struct transform *t = task;
    const size_t width = mw_type_bytes(t->source.type);
    const char *source = t->source.data, *result = t->result.data;
    size_t differing = 0, first = 0;
    for (size_t k = 0; k < t->result.count; k++) {
        const int64_t at = mw_map_source(t->map, (int64_t)k);
        if (memcmp(result + k * width, at < 0 ? (const char *)t->fill : source + (size_t)at * width, width) != 0) {
            first = differing ? first : k;
            differing++;
        }
    }
    if (differing)
        return mw_fail(
            MW_EVERIFY,
            "verification failed: %zu of %zu cells computed on %s differ from the definition of the map, the "
            "first at index %zu of the result: please report this with `meshwork devices -v`",
            differing, t->result.count, mw_device_info(t->team.device[0])->id, first);
    return 0;
}

static int transform_write(void *task)
{
    struct transform *t = task;
    struct mw_array pixels = { 0 };
    enum mw_png_kind kind;
    int rc = 0;
    if (t->from_picture && t->kind != MW_PNG_GRAY)
        TRY(mw_png_to_channels(&t->result, t->kind, &t->channels));
    if (!t->set->output)
        goto out;
    if (!t->to_picture) {
        TRY(mw_array_save(t->set->output, transform_file_array(t)));
    } else if (t->from_picture) {
        TRY(mw_png_write_pixels(t->set->output, &t->result, t->kind));
    } else {
        TRY(mw_png_from_channels(&t->result, &pixels, &kind));
        TRY(mw_png_write_pixels(t->set->output, &pixels, kind));
    }
out:
    mw_array_free(&pixels);
    return rc;
}

static void transform_free(void *task)
{
    struct transform *t = task;
    mw_transform_free(t->transform);
    team_close(&t->team);
    mw_map_free(t->map);
    mw_array_free(&t->source);
    mw_array_free(&t->result);
    mw_array_free(&t->channels);
    mw_text_free(&t->chain);
    free(t->passes.seconds);
}

static const struct workflow_kind transform_kind = { transform_prepare, transform_plan,  transform_compute,
                                                     transform_verify,  transform_write, transform_summary,
                                                     transform_free };

static int transform_run(struct command *command)
{
    struct transform t = { .flow.command = command, .set = command->settings };
    if (!strcmp(t.set->variant, "list"))
        return variant_list(mw_transform_variants);
    return workflow_run(&t, &transform_kind, t.set->dry_run, t.set->verify);
}

static const struct option_group groups[] = { { "Transform", options, 0 },
                                              DEVICES_GROUPS(struct transform_settings, device),
                                              { 0 } };

const struct subcommand transform_subcommand = {
    .name = "transform",
    .operands = "OP... IN",
    .summary = "rearrange an array or a picture",
    .description =
        "Rearranges the cells of an array (.npy, .npz, .tif, .nrrd, .mha, .h5) or a picture (.png, .pgm). "
        "Operations take effect one after the other and are computed as one. Dimensions count from 0, which is x, "
        "the contiguous one.\n\nflip=DIM,...\nshift=BY,... (one amount per dimension, x "
        "first)\ncrinkle=DIM:STEP,... (every STEP-th cell, then their neighbours) and uncrinkle\npermute=DIM,... "
        "(all of them, in their new order)\npad=DIM:BEFORE:AFTER,...\ncrop=DIM:FIRST:COUNT,...\nsplit=DIM:RADIX,... "
        "(into two dimensions)\nmerge=DIM,... (with the next one)\ntile=LENGTH,... (one per dimension: cells of a "
        "tile are contiguous)\nreverse=DIM,... (the digits of its index)\nmorton (interleaves the bits of all "
        "dimensions)",
    .groups = groups,
    .settings_bytes = sizeof(struct transform_settings),
    .most_operands = SIZE_MAX,
    .run = transform_run,
};
/* SPDX-License-Identifier: MIT */
