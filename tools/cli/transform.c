/* meshwork transform: from a file through a chain of index maps on a device to a file, and a summary. */
#include "command.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define AT(member) offsetof(struct settings, member)

const struct option transform_options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_TEXT, .target = AT(output), .value = "FILE",
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
    { .name = "variant", .type = OPTION_TEXT, .target = AT(variant), .value = "NAME|auto|list", .fallback = "auto",
      .help = "how cells are moved; auto takes what suits the chain and the device" },
    { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000, .help = "time N passes and give their median; if N is above 1, behind passes that are not timed" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare each cell with the chain's definition, on the host" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), .help = "show the plan, and compute nothing" },
    { 0 }
};

struct transform {
    const struct settings *set;
    const char *const *ops;
    size_t op_count;
    const char *input;
    struct mw_text chain;                /* the operations as one text */
    bool from_picture, to_picture;
    enum mw_png_kind kind;               /* of the pixels that came from a picture */
    struct mw_array source, result;
    struct mw_array channels;            /* of a result of pixels: what a file holds of it */
    struct mw_map *map;
    struct size from, to;
    _Alignas(16) unsigned char fill[16]; /* of any element */
    struct mw_device *device;
    struct mw_transform *transform;
    struct passes passes;
    double start, build, upload, download, verify, output;
};

/* ---- before anything is computed ---- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);

    return n > m && !strcasecmp(name + n - m, suffix);
}

static int format_of(const char *path, bool *picture)
{
    if (strcmp(path, "-") != 0 && !ends_with(path, ".npy") && !ends_with(path, ".png"))
        return mw_fail(MW_EINVAL, "'%s' is no file that can be transformed: its name ends in .npy or .png, or it is -",
                       path);
    *picture = ends_with(path, ".png");
    return 0;
}

/* The last operand is the file, those before it are the operations. */
static int read_operands(struct transform *t, const struct words *operands)
{
    int rc;

    if (operands->count == 0)
        return mw_fail(MW_EINVAL, "operands are missing: meshwork transform OP... IN, as in flip=0 in.npy -o out.npy");
    t->ops = operands->item;
    t->op_count = operands->count - 1;
    t->input = operands->item[t->op_count];
    if (format_of(t->input, &t->from_picture) != 0)
        return strchr(t->input, '=') || operands->count == 1
            ? mw_fail(MW_EINVAL, "the input file is missing: it stands behind the operations, and '%s' is none",
                      t->input) : MW_EINVAL;
    if (t->op_count == 0)
        return mw_fail(MW_EINVAL, "an operation such as flip=0 is missing before '%s': see `meshwork transform --help`",
                       t->input);
    for (size_t i = 0; i < t->op_count; i++)
        mw_text_add(&t->chain, "%s%s", i ? " " : "", t->ops[i]);
    TRY(mw_text_ok(&t->chain));
out:
    return rc;
}

static int check_output(struct transform *t)
{
    const char *path = t->set->output;
    int rc = 0;

    if (!path)
        return 0;
    TRY(format_of(path, &t->to_picture));
#ifndef HAVE_LIBPNG
    if (t->to_picture)
        return mw_fail(MW_ENOTSUP, "%s: meshwork was built without libpng: install libpng-dev and build it again",
                       path);
#endif
    if (strcmp(path, "-") != 0)
        return output_writable(path);
    if (isatty(STDOUT_FILENO))
        rc = mw_fail(MW_EINVAL, "-o -: standard output is a terminal: send it to a file or a program");
    output_results_to_stderr();
out:
    return rc;
}

static void add_lengths(struct mw_text *text, const struct size *size)
{
    for (unsigned i = 0; i < size->dims; i++)
        mw_text_add(text, "%s%zu", i ? "x" : "", size->length[i]);
}

static bool same_lengths(const struct size *a, const struct size *b)
{
    return a->dims == b->dims && !memcmp(a->length, b->length, a->dims * sizeof(*a->length));
}

static struct size result_lengths(const struct mw_map *map)
{
    struct size size = { 0 };

    mw_map_lengths(map, &size.dims, size.length);
    return size;
}

/* Of some operations the result's lengths leave open what they started from: those of the input would be a guess, and
 * even one that fits may be wrong. */
static int check_lengths_given(const struct transform *t)
{
    static const char *const words[] = { "crop", "merge", "morton" };

    if (t->set->size.dims && !t->set->inverse)
        return mw_fail(MW_EINVAL, "--size belongs to --inverse: leave it out, the lengths are those of %s", t->input);
    for (size_t i = 0; i < t->op_count && t->set->inverse && !t->set->size.dims; i++)
        for (size_t w = 0; w < MW_COUNT(words); w++)
            if (strlen(words[w]) == strcspn(t->ops[i], "=") && !strncmp(words[w], t->ops[i], strlen(words[w])))
                return mw_fail(MW_EINVAL, "--inverse: %s does not tell the lengths that it started from: give those of "
                               "the whole chain's original with --size", words[w]);
    return 0;
}

/* Turns the chain on the lengths `from` into its inverse, which takes the input. */
static int invert(struct transform *t, const struct size *input)
{
    const struct size gives = result_lengths(t->map);
    struct mw_text text = { 0 };
    struct mw_map *inverse;
    int rc = 0;

    if (!same_lengths(&gives, input)) {
        mw_text_add(&text, "--inverse: the chain turns ");
        add_lengths(&text, &t->from);
        mw_text_add(&text, " into ");
        add_lengths(&text, &gives);
        mw_text_add(&text, ", and %s is ", t->input);
        add_lengths(&text, input);
        TRY(mw_text_ok(&text));
        rc = mw_fail(MW_EINVAL, "%s: give the lengths of the chain's original with --size", text.data);
        goto out;
    }
    TRY(mw_map_inverse(t->map, &inverse));
    mw_map_free(t->map);
    t->map = inverse;
out:
    mw_text_free(&text);
    return rc;
}

static int make_map(struct transform *t)
{
    const struct settings *set = t->set;
    struct size input = { .dims = t->source.dims };
    int rc;

    TRY(check_lengths_given(t));
    if (t->source.dims == 0)
        return mw_fail(MW_EINVAL, "%s holds a single number, which has no dimensions to transform", t->input);
    memcpy(input.length, t->source.length, sizeof(input.length));
    t->from = set->size.dims ? set->size : input;
    TRY(mw_map_new(t->from.dims, t->from.length, &t->map));
    for (size_t i = 0; i < t->op_count; i++)
        if ((rc = mw_map_parse(t->map, t->ops[i])) != 0)
            return set->inverse && !set->size.dims ? mw_fail_in(rc, "--inverse without --size") : rc;
    if (set->inverse)
        TRY(invert(t, &input));
    t->from = input;
    t->to = result_lengths(t->map);
out:
    return rc;
}

static int check_in_place(const struct transform *t)
{
    if (strcmp(t->set->variant, "auto") != 0)
        return mw_fail(MW_EINVAL, "--in-place: there is one way to move cells in place: leave out --variant %s",
                       t->set->variant);
    if (!mw_map_is_involution(t->map))
        return mw_fail(MW_EINVAL, "--in-place: '%s' done twice does not give back what there was, as a chain in "
                       "place has to: leave out --in-place", t->chain.data);
    return 0;
}

/* What a picture cannot hold is refused before it is computed. */
static int check_picture(const struct transform *t)
{
    const enum mw_type type = t->source.type;
    const bool channels = !t->from_picture && t->to.dims == 3 && t->to.length[0] >= 1 && t->to.length[0] <= 4;

    if (!t->from_picture && type != MW_TYPE_U8 && type != MW_TYPE_U16)
        return mw_fail(MW_EINVAL, "%s: pixels are uint8 or uint16, and %s holds %s: write .npy", t->set->output,
                       t->input, mw_type_name(type));
    if (t->to.dims > 2 && !channels)
        return mw_fail(MW_EINVAL, "%s: the result has %u dimensions, and a picture 2: write .npy, or merge some",
                       t->set->output, t->to.dims);
    return 0;
}

static int prepare(struct transform *t, const struct command *command)
{
    const struct settings *set = t->set;
    int rc;

    TRY(variant_check(set->variant, mw_transform_variants));
    TRY(read_operands(t, &command->operands));
    TRY(check_output(t));
    TRY(t->from_picture ? mw_png_read(t->input, &t->source, &t->kind) : mw_npy_read(t->input, &t->source));
    TRY(make_map(t));
    if (set->in_place)
        TRY(check_in_place(t));
    if (t->to_picture)
        TRY(check_picture(t));
    if (set->fill && (rc = fill_parse(set->fill, t->source.type, t->from_picture && t->kind != MW_PNG_GRAY,
                                      t->fill)) != 0)
        return mw_fail_in(rc, "--fill");
    TRY(passes_new(set->repeat, &t->passes));
out:
    return rc;
}

/* ---- computing ---- */

/* Passes that are not timed.  In place each pass undoes the one before it: there is an odd number of them in all. */
static size_t untimed_passes(const struct settings *set)
{
    if (set->repeat == 1)
        return 0;
    return set->in_place && set->repeat % 2 ? 2 : 1;
}

static int move(struct transform *t)
{
    const size_t width = mw_type_bytes(t->source.type);
    struct mw_buffer *from = NULL, *other = NULL, *to;
    double start = mw_now();
    int rc;

    TRY(device_find(t->set, &t->device));
    TRY(mw_transform_new(t->device, t->map, width, t->set->variant, &t->transform));
    t->build = mw_now() - start;
    TRY(mw_array_new(t->source.type, t->to.dims, t->to.length, &t->result));
    start = mw_now();
    TRY(mw_buffer_new(t->device, t->source.count * width, &from));
    if (!t->set->in_place)
        TRY(mw_buffer_new(t->device, t->result.count * width, &other));
    to = t->set->in_place ? from : other;
    if (t->source.count)
        TRY(mw_buffer_write(from, 0, t->source.count * width, t->source.data, NULL));
    t->upload = mw_now() - start;
    for (size_t i = 0; i < untimed_passes(t->set); i++)
        TRY(mw_transform_run(t->transform, from, to, t->fill));
    for (size_t i = 0; i < t->set->repeat; i++) {
        TRY(mw_device_finish(t->device));
        start = mw_now();
        TRY(mw_transform_run(t->transform, from, to, t->fill));
        TRY(mw_device_finish(t->device));
        t->passes.seconds[i] = mw_now() - start;
    }
    passes_sort(&t->passes);
    start = mw_now();
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

/* What a file holds of the result: of pixels their channels. */
static const struct mw_array *file_array(const struct transform *t)
{
    return t->channels.data ? &t->channels : &t->result;
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
        TRY(mw_npy_write(t->set->output, file_array(t)));
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

/* ---- what it came to ---- */

/* Every cell of the result is written, and read unless it is filled. */
static double bytes_moved(const struct transform *t)
{
    const size_t read = t->result.count < t->source.count ? t->result.count : t->source.count;

    return ((double)t->result.count + (double)read) * (double)mw_type_bytes(t->source.type);
}

static double rate(const struct transform *t)
{
    return passes_median(&t->passes) > 0 ? bytes_moved(t) / passes_median(&t->passes) : 0;
}

static const char *cell_name(const struct transform *t)
{
    static const char *const pixels[][2] = {
        [MW_PNG_GRAY] = { "gray", "16-bit gray" }, [MW_PNG_GRAY_ALPHA] = { "gray and alpha", "16-bit gray and alpha" },
        [MW_PNG_RGB] = { "RGB", "16-bit RGB" }, [MW_PNG_RGBA] = { "RGBA", "16-bit RGBA" } };

    if (!t->from_picture)
        return mw_type_name(t->source.type);
    return pixels[t->kind][t->source.type == MW_TYPE_U16 || t->source.type == MW_TYPE_U64];
}

/* The variant that was chosen; of a plan, what was asked for. */
static const char *variant_name(const struct transform *t, const char *in_place)
{
    return t->set->in_place ? in_place : t->transform ? mw_transform_variant(t->transform) : t->set->variant;
}

static struct json *size_json(const struct size *size)
{
    struct json *array = js_array();

    for (unsigned i = 0; i < size->dims; i++)
        js_count(array, NULL, size->length[i]);
    return array;
}

/* What a plan and a summary have in common. */
static struct json *chain_json(const struct transform *t, const struct mw_device_info *device)
{
    struct json *o = js_object(), *lengths = js_object();

    js_text(o, "op", t->chain.data);
    js_flag(o, "inverse", t->set->inverse);
    js_text(o, "input", t->input);
    js_text(o, "cells", cell_name(t));
    js_put(lengths, "from", size_json(&t->from));
    js_put(lengths, "to", size_json(&t->to));
    js_put(o, "lengths", lengths);
    js_text(o, "device", device->id);
    js_text(o, "device_name", device->name);
    js_text(o, "variant", variant_name(t, "in-place"));
    return o;
}

static int summary_json(const struct transform *t)
{
    const struct { const char *name; double value; } timings[] = {
        { "minimum", t->passes.seconds[0] }, { "maximum", t->passes.seconds[t->passes.count - 1] }, { "build", t->build },
        { "upload", t->upload }, { "download", t->download }, { "verify", t->verify }, { "output", t->output },
        { "total", mw_now() - t->start } };
    struct json *o = chain_json(t, mw_device_info(t->device)), *times = js_object();
    char checksum[20];

    snprintf(checksum, sizeof(checksum), "%016llx", (unsigned long long)mw_array_checksum(file_array(t)));
    js_count(o, "repeat", t->set->repeat);
    js_real(o, "seconds", passes_median(&t->passes));
    js_real(o, "bytes_per_second", rate(t));
    js_text(o, "checksum", checksum);
    if (t->set->verify)
        js_flag(o, "verified", true);
    for (size_t i = 0; i < MW_COUNT(timings); i++)
        js_real(times, timings[i].name, timings[i].value);
    js_put(o, "timings", times);
    return js_print(o);
}

#define ROW(title, ...) (table_add(&table, DIM, "%s", title), table_add(&table, PLAIN, __VA_ARGS__))

/* On the device: the input and the result, or one that becomes the other. */
static uint64_t memory_bytes(const struct transform *t)
{
    return (uint64_t)(t->source.count + (t->set->in_place ? 0 : t->result.count)) * mw_type_bytes(t->source.type);
}

static int summary_table(const struct transform *t, const struct mw_device_info *device, bool plan)
{
    struct mw_text from = { 0 }, to = { 0 };
    struct table table;
    int rc;

    table_start(&table, "|");
    add_lengths(&from, &t->from);
    add_lengths(&to, &t->to);
    TRY(mw_text_ok(&from));
    TRY(mw_text_ok(&to));
    ROW("op", "%s%s", t->set->inverse ? "inverse of " : "", t->chain.data);
    ROW("lengths", "%s -> %s, %s", from.data, to.data, cell_name(t));
    ROW("device", "%s  %s", device->id, device->name);
    ROW("variant", "%s", variant_name(t, "in place"));
    if (plan) {
        ROW("memory", "%s of %s", bytes_text(memory_bytes(t)).text, bytes_text(device->memory_bytes).text);
    } else {
        ROW("seconds", "%.4g", passes_median(&t->passes));
        if (t->set->repeat > 1)
            ROW("", "median of %llu, between %s and %s", (unsigned long long)t->set->repeat,
                seconds_text(t->passes.seconds[0]).text, seconds_text(t->passes.seconds[t->passes.count - 1]).text);
        ROW("", "build %s, upload %s, download %s, output %s, total %s", seconds_text(t->build).text,
            seconds_text(t->upload).text, seconds_text(t->download).text, seconds_text(t->output).text,
            seconds_text(mw_now() - t->start).text);
        ROW("rate", "%.3g GB/s", rate(t) / 1e9);
        ROW("checksum", "%016llx", (unsigned long long)mw_array_checksum(file_array(t)));
        if (t->set->verify)
            ROW("verified", "each cell is the chain's, in %s", seconds_text(t->verify).text);
        if (t->set->output)
            ROW("written", "%s", strcmp(t->set->output, "-") ? t->set->output : "to standard output");
    }
    TRY(table_print(&table, results()));
out:
    table_free(&table);
    mw_text_free(&from);
    mw_text_free(&to);
    return rc;
}

/* --dry-run: nothing is opened but the input, nothing is written. */
static int plan(struct transform *t)
{
    const struct mw_device_info *device;
    struct mw_device_list *list = NULL;
    size_t chosen, count;
    uint64_t bytes;
    int rc;

    t->result.count = 1;
    for (unsigned i = 0; i < t->to.dims; i++)
        t->result.count *= t->to.length[i];
    bytes = memory_bytes(t);
    TRY(mw_device_list_new(&list));
    TRY(mw_device_select(list, t->set->device, 1, &chosen, &count));
    device = mw_device_list_info(list, chosen);
    if (t->set->json) {
        struct json *o = chain_json(t, device);
        js_count(o, "memory_bytes", bytes);
        js_count(o, "device_memory_bytes", device->memory_bytes);
        TRY(js_print(o));
    } else {
        TRY(summary_table(t, device, true));
    }
    if (device->memory_bytes && bytes > device->memory_bytes)
        rc = mw_fail(MW_ELIMIT, "%s has %s of memory and this takes %s: choose another device", device->id,
                     bytes_text(device->memory_bytes).text, bytes_text(bytes).text);
out:
    mw_device_list_free(list);
    return rc;
}

int transform_run(struct command *command)
{
    struct transform t = { .set = &command->settings, .start = mw_now() };
    int rc;

    if (!strcmp(t.set->variant, "list"))
        return list_variants(t.set, mw_transform_variants);
    TRY(prepare(&t, command));
    if (t.set->dry_run) {
        TRY(plan(&t));
        goto out;
    }
    TRY(move(&t));
    if (t.set->verify)
        TRY(verify(&t));
    TRY(write_output(&t));
    TRY(t.set->json ? summary_json(&t) : summary_table(&t, mw_device_info(t.device), false));
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
