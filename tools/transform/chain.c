/* meshwork transform: reads the arguments: a file, and a chain of operations that becomes one map. */
#include "tools/cli/groups.h"
#include "tools/report/files.h"
#include "tools/transform/transform.h"

/* The last operand is the file, the previous ones are operations. */
static int read_operands(struct transform *t, const struct words *operands)
{
    const struct mw_array_format *format;
    int rc;
    if (operands->count == 0)
        return mw_fail(MW_EINVAL, "missing operands: meshwork transform OP... IN, as in flip=0 in.npy -o out.npy");
    t->ops = operands->item;
    t->op_count = operands->count - 1;
    t->input = operands->item[t->op_count];
    if ((rc = mw_array_format_find(t->input, false, &format)) != 0)
        return strchr(t->input, '=') || operands->count == 1
                   ? mw_fail(MW_EINVAL, "missing input file: put it after the operations; '%s' is an operation",
                             t->input)
                   : rc;
    if (t->op_count == 0)
        return mw_fail(MW_EINVAL, "missing operation before '%s', such as flip=0: see `meshwork transform --help`",
                       t->input);
    for (size_t i = 0; i < t->op_count; i++)
        mw_text_add(&t->chain, "%s%s", i ? " " : "", t->ops[i]);
    return mw_text_ok(&t->chain);
}

static int check_output(struct transform *t)
{
    const char *path = t->set->output;
    if (!path)
        return 0;
    t->to_picture = text_ends_in(path, ".png");
    TRY_RETURN(file_stays(t->input));
    return file_of_arrays_writable("output", path, true);
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

/* Some operations do not determine the original lengths from the result's.  Guessing the input's lengths could be wrong
 * even where they fit. */
static int check_lengths_given(const struct transform *t)
{
    static const char *const words[] = { "crop", "merge", "morton" };
    if (t->set->size.dims && !t->set->inverse)
        return mw_fail(MW_EINVAL, "--size requires --inverse: leave it out, the lengths are those of %s", t->input);
    for (size_t i = 0; i < t->op_count && t->set->inverse && !t->set->size.dims; i++)
        for (size_t w = 0; w < MW_COUNT(words); w++)
            if (strlen(words[w]) == strcspn(t->ops[i], "=") && !strncmp(words[w], t->ops[i], strlen(words[w])))
                return mw_fail(MW_EINVAL,
                               "--inverse: %s does not determine the original lengths: give the lengths "
                               "before the whole chain with --size",
                               words[w]);
    return 0;
}

/* Inverts the chain for the lengths `from`; checks that the inverse takes the input. */
static int invert(struct transform *t, const struct size *input)
{
    const struct size gives = result_lengths(t->map);
    struct mw_map *inverse;
    if (!same_lengths(&gives, input))
        return mw_fail(MW_EINVAL,
                       "--inverse: the chain turns %s into %s, but %s is %s: give the lengths before the "
                       "chain with --size",
                       size_text(&t->from, "x").text, size_text(&gives, "x").text, t->input,
                       size_text(input, "x").text);
    TRY_RETURN(mw_map_inverse(t->map, &inverse));
    mw_map_free(t->map);
    t->map = inverse;
    return 0;
}

/* Neither NumPy's roll without an axis nor a shift of all dimensions is meant here. */
static void note_short_shift(const struct mw_map *map, const char *operation)
{
    const struct size size = result_lengths(map);
    size_t amounts = 1;
    for (const char *at = operation; (at = strchr(at, ',')) != NULL; at++)
        amounts++;
    if (!strncmp(operation, "shift=", strlen("shift=")) && amounts < size.dims)
        report_note("%s: %u dimensions, and %zu amount%s: the other dimensions are not shifted", operation, size.dims,
                    amounts, amounts == 1 ? " for x" : "s, x first");
}

static int make_map(struct transform *t)
{
    const struct transform_settings *set = t->set;
    struct size input = { .dims = t->source.dims };
    int rc;
    TRY_RETURN(check_lengths_given(t));
    if (t->source.dims == 0)
        return mw_fail(MW_EINVAL, "%s holds a single number, which has no dimensions to transform", t->input);
    memcpy(input.length, t->source.length, sizeof(input.length));
    t->from = set->size.dims ? set->size : input;
    TRY_RETURN(mw_map_new(t->from.dims, t->from.length, &t->map));
    for (size_t i = 0; i < t->op_count; i++) {
        note_short_shift(t->map, t->ops[i]);
        if ((rc = mw_map_parse(t->map, t->ops[i])) != 0)
            return set->inverse && !set->size.dims ? mw_fail_in(rc, "--inverse without --size") : rc;
    }
    if (set->inverse)
        TRY_RETURN(invert(t, &input));
    t->from = input;
    t->to = result_lengths(t->map);
    return 0;
}

static int check_in_place(const struct transform *t)
{
    if (strcmp(t->set->variant, "auto") != 0)
        return mw_fail(MW_EINVAL, "--in-place: cells move in place in only one way: leave out --variant %s",
                       t->set->variant);
    if (!mw_map_is_involution(t->map))
        return mw_fail(MW_EINVAL, "--in-place: '%s' is not its own inverse: leave out --in-place", t->chain.data);
    return 0;
}

/* Rejects before the computation a result that a picture cannot hold. */
static int check_picture(const struct transform *t)
{
    const enum mw_type type = t->source.type;
    const bool channels = !t->from_picture && t->to.dims == 3 && t->to.length[0] >= 1 && t->to.length[0] <= 4;
    if (!t->from_picture && type != MW_TYPE_U8 && type != MW_TYPE_U16)
        return mw_fail(MW_EINVAL, "%s: pixels are uint8 or uint16, but %s holds %s: write .npy", t->set->output,
                       t->input, mw_type_name(type));
    if (t->to.dims > 2 && !channels)
        return mw_fail(MW_EINVAL, "%s: the result has %u dimensions, but a picture has 2: write .npy, or merge some",
                       t->set->output, t->to.dims);
    return 0;
}

/* Returns whether a format has planes of numbers, without a dimension for channels. */
static bool is_planes(const char *path) { return text_ends_in(path, ".tif") || text_ends_in(path, ".tiff"); }

int transform_prepare(void *task)
{
    struct transform *t = task;
    const struct words *operands = &t->flow.command->operands;
    const struct transform_settings *set = t->set;
    int rc;
    TRY_RETURN(variant_check(set->variant, mw_transform_variants));
    TRY_RETURN(read_operands(t, operands));
    TRY_RETURN(check_output(t));
    TRY_RETURN(mw_array_load_pixels(t->input, NULL, &t->source, &t->kind));
    t->from_picture = text_ends_in(t->input, ".png") || t->kind != MW_PNG_GRAY;
    TRY_RETURN(make_map(t));
    if (set->in_place)
        TRY_RETURN(check_in_place(t));
    if (t->to_picture)
        TRY_RETURN(check_picture(t));
    else if (set->output && t->kind != MW_PNG_GRAY && is_planes(set->output))
        return mw_fail(MW_EINVAL, "%s: pixels with channels are written as .png or .npy: choose one of these",
                       set->output);
    if (set->fill &&
        (rc = element_parse(set->fill, t->source.type, t->from_picture && t->kind != MW_PNG_GRAY, t->fill)) != 0)
        return mw_fail_in(rc, "--fill");
    return passes_new(set->repeat, &t->passes);
}
/* SPDX-License-Identifier: MIT */
