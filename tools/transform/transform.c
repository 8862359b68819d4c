/* meshwork transform: from a file through a chain of index maps on a device to a file, and a summary. */
#include "tools/cli/subcommands.h"
#include "tools/transform/transform.h"

#define AT(member) offsetof(struct transform_settings, member)

static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE",
      .help = "write the result, .npy or .png by its name; - is .npy on standard output, and the summary then goes to "
              "standard error" },
    { .name = "inverse", .type = OPTION_FLAG, .target = AT(inverse), .help = "undo the chain" },
    { .name = "size", .type = OPTION_SIZE, .target = AT(size), .value = "WxHx...",
      .help = "with --inverse: the lengths that the chain started from, where they are not the input's" },
    { .name = "in-place", .type = OPTION_FLAG, .target = AT(in_place),
      .help = "take half the memory of the device: the chain undoes itself, as flips do, and its cells change places" },
    { .name = "fill", .type = OPTION_TEXT, .target = AT(fill), .value = "VALUE",
      .help = "value of cells that come from outside: a number (RE,IM of complex ones), of pictures also #RRGGBB or "
              "#RRGGBBAA (default: zeros)" },
    VARIANT_OPTION(struct transform_settings, "how cells are moved; auto takes what suits the chain and the device"),
    PASS_OPTIONS(struct transform_settings,
                 "time N passes and give their median; if N is above 1, or a driver compiles, behind passes that are "
                 "not timed",
                 "compare each cell with the chain's definition, on the host"),
    { 0 }
};

/* Passes that are not timed: they are for drivers that compile when a kernel is launched first, and to warm up.  In
 * place each pass undoes the one before it: there is an odd number of them in all. */
static size_t untimed_passes(const struct transform *t)
{
    if (t->set->repeat == 1 && mw_device_info(t->device)->kind == MW_DEVICE_NATIVE)
        return 0;
    return t->set->in_place && t->set->repeat % 2 ? 2 : 1;
}

/* --verify reads it again. */
static void drop_source(struct transform *t)
{
    if (t->set->verify)
        return;
    free(t->source.data);
    t->source.data = NULL;
}

/* Each array is freed before the next is made: transform_memory counts them so. */
static int move(struct transform *t)
{
    const size_t width = mw_type_bytes(t->source.type);
    struct memory_plan memory = { 0 };
    struct mw_buffer *from = NULL, *other = NULL, *to;
    double start = mw_now();
    int rc;

    memory_give_back_early();
    transform_memory(t, &memory);
    TRY(device_find(&t->set->device, &t->device));
    TRY(memory_check_limit(&t->set->device, mw_device_info(t->device), &memory));
    TRY(mw_transform_new(t->device, t->map, width, t->set->variant, &t->transform));
    t->build = mw_now() - start;
    start = mw_now();
    TRY(mw_buffer_new(t->device, t->source.count * width, &from));
    if (t->source.count)
        TRY(mw_buffer_write(from, 0, t->source.count * width, t->source.data, NULL));
    drop_source(t);
    if (!t->set->in_place)
        TRY(mw_buffer_new(t->device, transform_cells(&t->to) * width, &other));
    to = t->set->in_place ? from : other;
    t->upload = mw_now() - start;
    start = mw_now();
    for (size_t i = 0; i < untimed_passes(t); i++)
        TRY(mw_transform_run(t->transform, from, to, t->fill));
    TRY(mw_device_finish(t->device));
    t->build += mw_now() - start;
    for (size_t i = 0; i < t->set->repeat; i++) {
        TRY(mw_device_finish(t->device));
        start = mw_now();
        TRY(mw_transform_run(t->transform, from, to, t->fill));
        TRY(mw_device_finish(t->device));
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

/* Looks each cell up by the map's definition. */
static int verify(struct transform *t)
{
    const size_t width = mw_type_bytes(t->source.type);
    const char *source = t->source.data, *result = t->result.data;
    const double start = mw_now();
    size_t differing = 0, first = 0;

    for (size_t k = 0; k < t->result.count; k++) {
        const int64_t at = mw_map_source(t->map, (int64_t)k);
        if (memcmp(result + k * width, at < 0 ? (const char *)t->fill : source + (size_t)at * width, width) != 0) {
            first = differing ? first : k;
            differing++;
        }
    }
    t->verify = mw_now() - start;
    if (differing)
        return mw_fail(MW_EVERIFY, "verification failed: %zu of %zu cells on %s are not the chain's, the first at "
                       "k=%zu: please report this with `meshwork devices -v`", differing, t->result.count,
                       mw_device_info(t->device)->id, first);
    return 0;
}

static int write_output(struct transform *t)
{
    const double start = mw_now();
    struct mw_array pixels = { 0 };
    enum mw_png_kind kind;
    int rc = 0;

    if (t->from_picture && t->kind != MW_PNG_GRAY)
        TRY(mw_png_to_channels(&t->result, t->kind, &t->channels));
    if (!t->set->output)
        goto out;
    if (!t->to_picture) {
        TRY(mw_npy_write(t->set->output, transform_file_array(t)));
    } else if (t->from_picture) {
        TRY(mw_png_write_pixels(t->set->output, &t->result, t->kind));
    } else {
        TRY(mw_png_from_channels(&t->result, &pixels, &kind));
        TRY(mw_png_write_pixels(t->set->output, &pixels, kind));
    }
out:
    t->output = mw_now() - start;
    mw_array_free(&pixels);
    return rc;
}

static int run(struct command *command)
{
    struct transform t = { .set = command->settings, .start = mw_now() };
    int rc;

    if (!strcmp(t.set->variant, "list"))
        return variant_list(mw_transform_variants);
    TRY(transform_prepare(&t, &command->operands));
    if (t.set->dry_run) {
        TRY(transform_plan(&t));
        goto out;
    }
    TRY(move(&t));
    if (t.set->verify)
        TRY(verify(&t));
    TRY(write_output(&t));
    TRY(transform_summary(&t));
out:
    mw_transform_free(t.transform);
    mw_device_close(t.device);
    mw_map_free(t.map);
    mw_array_free(&t.source);
    mw_array_free(&t.result);
    mw_array_free(&t.channels);
    mw_text_free(&t.chain);
    free(t.passes.seconds);
    return rc;
}

static const struct option_group groups[] = {
    { "Transform", options, 0 }, DEVICE_GROUPS(struct transform_settings, device), { 0 } };

const struct subcommand transform_subcommand = {
    "transform", "OP... IN", "rearrange an array or a picture",
    "Rearranges the cells of an array (.npy) or a picture (.png) by operations that take effect one after the other "
    "and are computed as one. Dimensions count from 0, which is x, the contiguous one.\n\n"
    "flip=DIM,...\nshift=BY,... (one amount a dimension, x first)\n"
    "crinkle=DIM:STEP,... (every STEP-th cell, then their neighbours) and uncrinkle\n"
    "permute=DIM,... (all of them, in their new order)\npad=DIM:BEFORE:AFTER,...\ncrop=DIM:FIRST:COUNT,...\n"
    "split=DIM:RADIX,... (into two dimensions)\nmerge=DIM,... (with the next one)\n"
    "tile=LENGTH,... (one a dimension: cells of a tile stand together)\n"
    "reverse=DIM,... (the digits of its index)\nmorton (interleaves the bits of all dimensions)",
    groups, sizeof(struct transform_settings), 0, SIZE_MAX, run, NULL };
/* SPDX-License-Identifier: MIT */
