/* meshwork transform: reads a file, applies a chain of index maps on a device, writes a file and a summary. */
#include "tools/cli/subcommands.h"
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
