/* Labellings: checks of options, choice of the variant, execution. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "label/label_internal.h"

/* Variants in order of preference for `auto`, which takes the first that supports the mesh.  It never chooses one that
 * reads images, since the same variant without images supports every such mesh. */
/* clang-format off */
static const struct {
    struct mw_variant shown;
    const struct mw_label_variant *native, *elsewhere; /* by the kind of device; NULL: not available */
    bool from_image;
} table[] = {
    { { "runs", "union-find of runs of cells, strips of rows in parallel; devices with CPU cores", NULL },
      &mw_label_runs, &mw_label_runs, false },
    { { "bits", "union-find of runs in tiles, as words of bits (Hennequin et al. 2018); 1 to 3 dimensions, "
        "devices with work-groups", NULL },
      NULL, &mw_label_bits, false },
    { { "union-find", "union-find by atomic minima, without iterations (Komura 2015; Playne, Hawick 2018); "
        "devices with work-groups", NULL },
      NULL, &mw_label_union_find, false },
    { { "blocks", "as union-find, on blocks of 2 cells per dimension; connectivity all, 1 to 3 dimensions, "
        "devices with work-groups", NULL },
      NULL, &mw_label_blocks, false },
    { { "neighbour",
        "copies the smallest label of the neighbours, until nothing changes: kernel A; devices with work-groups", "a" },
      NULL, &mw_label_neighbour, false },
    { { "tile", "as neighbour, in local memory until a tile is stable: kernel B; devices with work-groups", "b" },
      NULL, &mw_label_tile, false },
    { { "lines", "copies the smallest label along lines in each direction: kernel C; devices with work-groups", "c" },
      NULL, &mw_label_lines, false },
    { { "equivalence",
        "builds, resolves and applies a list of equivalent labels: kernel D; on native devices one thread", "d" },
      &mw_label_equivalence_serial, &mw_label_equivalence, false },
    { { "neighbour-image", "as neighbour, with values from an image; 2 or more dimensions, devices with images",
        "a-image" },
      NULL, &mw_label_neighbour, true },
    { { "tile-image", "as tile, with values from an image; 2 or more dimensions, devices with images", "b-image" },
      NULL, &mw_label_tile, true },
    { { "lines-image", "as lines, with values from an image; 2 or more dimensions, devices with images", "c-image" },
      NULL, &mw_label_lines, true },
    { { "equivalence-image",
        "as equivalence, with values from an image; 2 or more dimensions, devices with images", "d-image" },
      NULL, &mw_label_equivalence, true },
    { { "raster", "scans forwards and backwards until nothing changes; one native thread", NULL },
      &mw_label_raster, NULL, false },
};
/* clang-format on */

const struct mw_variant *mw_label_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

#define STRIP_CELLS 16384
static const struct mw_label_limits usual_limits = { .strip_cells = STRIP_CELLS };

/* ---- types ---- */

static const struct {
    bool taken, real, is_unsigned;
    int64_t least;
    uint64_t most;
} types[] = {
    [MW_TYPE_BOOL] = { true, false, true, 0, UINT8_MAX }, [MW_TYPE_I8] = { true, false, false, INT8_MIN, INT8_MAX },
    [MW_TYPE_U8] = { true, false, true, 0, UINT8_MAX },   [MW_TYPE_I16] = { true, false, false, INT16_MIN, INT16_MAX },
    [MW_TYPE_U16] = { true, false, true, 0, UINT16_MAX }, [MW_TYPE_I32] = { true, false, false, INT32_MIN, INT32_MAX },
    [MW_TYPE_U32] = { true, false, true, 0, UINT32_MAX }, [MW_TYPE_I64] = { true, false, false, INT64_MIN, INT64_MAX },
    [MW_TYPE_U64] = { true, false, true, 0, UINT64_MAX }, [MW_TYPE_F32] = { true, true, false, 0, 0 },
    [MW_TYPE_F64] = { true, true, false, 0, 0 },
};

bool mw_label_is_real(enum mw_type type) { return types[type].real; }
bool mw_label_is_unsigned(enum mw_type type) { return types[type].is_unsigned; }

bool mw_label_step_is_later(const signed char *step, unsigned dims)
{
    int sign = 0;
    for (unsigned i = 0; i < dims; i++)
        sign = step[i] ? step[i] : sign;
    return sign > 0;
}

/* ---- options ---- */

static int check_values(struct mw_label_options *o)
{
    if ((size_t)o->type >= MW_COUNT(types) || !types[o->type].taken)
        return mw_fail(MW_EINVAL, "values of type %s are not supported (must be integers, booleans or reals)",
                       mw_type_name(o->type));
    if (o->join == MW_JOIN_DEFAULT)
        o->join = types[o->type].real ? MW_JOIN_THRESHOLD : MW_JOIN_EQUAL;
    switch (o->join) {
    case MW_JOIN_EQUAL:
        if (types[o->type].real)
            return mw_fail(MW_EINVAL,
                           "joining equal values needs integers or booleans: reals need a threshold or a tolerance");
        break;
    case MW_JOIN_THRESHOLD:
        if (!isfinite(o->threshold))
            return mw_fail(MW_EINVAL, "invalid threshold %g (must be finite)", o->threshold);
        break;
    case MW_JOIN_TOLERANCE:
        if (!types[o->type].real)
            return mw_fail(MW_EINVAL, "a tolerance needs reals, but the values are %s (use a threshold, or neither)",
                           mw_type_name(o->type));
        if (!isfinite(o->tolerance) || o->tolerance < 0)
            return mw_fail(MW_EINVAL, "invalid tolerance %g (must be finite and 0 or more)", o->tolerance);
        o->no_background = true;
        break;
    default: return mw_fail(MW_EINVAL, "invalid way to join cells %d (see enum mw_join)", (int)o->join);
    }
    return 0;
}

static int check_neighbours(struct mw_label_options *o)
{
    if (o->dims < 1 || o->dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "mesh has %u dimensions (must be 1 to %d)", o->dims, MW_DIMS_MAX);
    if ((unsigned)o->lattice > MW_LATTICE_TRIANGULAR)
        return mw_fail(MW_EINVAL, "invalid lattice %d (see enum mw_lattice_kind)", (int)o->lattice);
    if (o->connectivity != MW_CONNECTIVITY_FACES && o->connectivity != MW_CONNECTIVITY_ALL)
        return mw_fail(MW_EINVAL, "invalid connectivity %d (see enum mw_connectivity)", (int)o->connectivity);
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(o->lattice);
    if (kind->dims != 0 && kind->dims != o->dims)
        return mw_fail(MW_EINVAL, "a %s lattice needs %u dimensions, not %u", kind->name, kind->dims, o->dims);
    return mw_label_boundaries_take(o->boundary, o->dims, o->boundary);
}

static int make_lattice(const struct mw_label_options *o, struct mw_lattice *lattice)
{
    int64_t length[MW_DIMS_MAX] = { 0 };
    for (unsigned i = 0; i < o->dims; i++) {
        if (o->length[i] > INT64_MAX)
            return mw_fail(MW_ELIMIT, "dimension %u has %zu cells; the maximum is %" PRId64, i, o->length[i],
                           INT64_MAX);
        length[i] = (int64_t)o->length[i];
    }
    return mw_lattice_make(o->dims, length, lattice);
}

/* Rounds as the caller means it: for float32 cells 0.1 is the nearest float32.  Larger values than the finite ones
 * become the largest finite one, so that infinity is above; smaller ones become -infinity, so that all finite cells are
 * above. */
static double as_element(double value, enum mw_type type)
{
    if (type != MW_TYPE_F32)
        return value;
    return value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -INFINITY : (double)(float)value;
}

/* 2^63 and 2^64 are the first values that do not fit into the integers. */
static struct mw_label_threshold threshold_of(double t, enum mw_type type)
{
    if (types[type].real)
        return (struct mw_label_threshold){ .real = as_element(t, type) };
    t = floor(t);
    if (t < (double)types[type].least)
        return (struct mw_label_threshold){ .all = true };
    if (t >= (double)types[type].most)
        return (struct mw_label_threshold){ .integer = (int64_t)types[type].most };
    return (struct mw_label_threshold){ .integer = t < 0x1p63 ? (int64_t)t : (int64_t)(uint64_t)t };
}

/* Replaces values that no element can have, so that variants need not handle them. */
static void normalise(struct mw_labelling *l)
{
    struct mw_label_options *o = &l->options;
    if (o->join == MW_JOIN_THRESHOLD)
        l->threshold = threshold_of(o->threshold, o->type);
    else if (o->join == MW_JOIN_TOLERANCE)
        l->tolerance = as_element(o->tolerance, o->type);
    else
        o->no_background |= o->background < types[o->type].least ||
                            (o->background >= 0 && (uint64_t)o->background > types[o->type].most);
}

/* Comparisons with a threshold need no arithmetic; a tolerance does. */
static int without_doubles(struct mw_labelling *l)
{
    l->ordered = l->options.join == MW_JOIN_THRESHOLD;
    return l->ordered ? 0
                      : mw_fail(MW_ENOTSUP,
                                "%s has no double precision, which a tolerance of float64 needs "
                                "(use a native device, or convert the values to float32)",
                                mw_device_info(l->device)->id);
}

static int label_check_options(struct mw_labelling *l)
{
    size_t bytes;
    TRY_RETURN(check_neighbours(&l->options));
    TRY_RETURN(check_values(&l->options));
    TRY_RETURN(make_lattice(&l->options, &l->lattice));
    l->element_bytes = mw_type_bytes(l->options.type);
    l->wide = l->options.wide || l->lattice.cells > INT32_MAX;
    if (!mw_mul((size_t)l->lattice.cells, sizeof(int64_t), &bytes))
        return mw_fail(MW_ELIMIT, "labels of %" PRId64 " cells exceed the address space", l->lattice.cells);
    normalise(l);
    return l->options.type == MW_TYPE_F64 && !mw_device_info(l->device)->fp64 ? without_doubles(l) : 0;
}

/* ---- choice of the variant ---- */

/* Selects a row of the table; returns the reason if it does not support the mesh, like `refuses`. */
static const char *label_take(struct mw_labelling *l, size_t v)
{
    const bool native = mw_device_info(l->device)->kind == MW_DEVICE_NATIVE;
    l->options.variant = table[v].shown.name;
    l->variant = native ? table[v].native : table[v].elsewhere;
    l->from_image = table[v].from_image;
    if (l->from_image && l->options.dims < 2)
        return "reads images, which have 2 or more dimensions (use neighbour)";
    if (l->from_image && l->ordered)
        return "reads images, but this device has no double precision (use union-find)";
    if (!l->variant)
        return native ? "needs a device with work-groups (use runs)" : "needs a native device (use union-find)";
    return l->variant->refuses ? l->variant->refuses(l) : NULL;
}

static int label_choose(struct mw_labelling *l)
{
    const char *name = l->options.variant, *why;
    const bool any = !name || strcmp(name, "auto") == 0;
    size_t wanted = 0;
    if (!any)
        TRY_RETURN(mw_variant_find(mw_label_variants, name, &wanted));
    for (size_t v = wanted; v < MW_COUNT(table); v++) {
        why = label_take(l, v);
        if (!why)
            return 0;
        if (!any)
            return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(l->device)->id, l->options.variant, why);
    }
    return mw_fail(MW_ENOTSUP, "%s: no variant supports this mesh (use a native device)",
                   mw_device_info(l->device)->id);
}

/* Above three dimensions, the image has all volumes, one after the other along z. */
static int label_make_image(struct mw_labelling *l)
{
    const size_t *n = l->options.length;
    const size_t length[] = { n[0], n[1], (size_t)l->lattice.cells / n[0] / n[1] };
    return mw_image_new(l->device, l->options.dims > 2 ? 3 : 2, length, l->element_bytes, &l->image);
}

static int label_make(struct mw_labelling *l)
{
    int rc = 0;
    if (l->from_image)
        rc = label_make_image(l);
    return rc ? mw_fail_in(rc, "variant %s", l->options.variant) : l->variant->make(l);
}

int mw_labelling_new_within(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                            const struct mw_label_limits *limits, struct mw_labelling **labelling)
{
    struct mw_labelling *l = NULL;
    const char *wanted;
    size_t parts;
    int rc;
    TRY(mw_team_devices(&devices, &count, "a labelling"));
    TRY(mw_new(1, sizeof *l, &l));
    l->device = devices[0];
    l->limits = limits ? *limits : usual_limits;
    TRY(MW_OPTIONS_TAKE(mw_label_options, options, variant, &l->options));
    TRY(label_check_options(l));
    wanted = l->options.variant;
    TRY(label_choose(l));
    parts = mw_label_part_count(l, count);
    if (l->lattice.cells > 0)
        TRY(parts > 1 ? mw_label_parts_make(l, devices, parts, wanted) : label_make(l));
    *labelling = MW_PASS(l);
out:
    mw_labelling_free(l);
    return rc;
}

int mw_labelling_new(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                     struct mw_labelling **labelling)
{
    return mw_labelling_new_within(devices, count, options, NULL, labelling);
}

void mw_labelling_free(struct mw_labelling *labelling)
{
    if (!labelling)
        return;
    mw_owner_drop(&labelling->owner);
    mw_image_free(labelling->image);
    free(labelling);
}

const char *mw_labelling_variant(const struct mw_labelling *labelling) { return labelling->options.variant; }

enum mw_type mw_labelling_type(const struct mw_labelling *labelling)
{
    return labelling->wide ? MW_TYPE_I64 : MW_TYPE_I32;
}

/* ---- execution ---- */

static int fill_image(struct mw_labelling *l, struct mw_buffer *from)
{
    struct mw_event *queued = NULL;
    int rc = mw_image_copy_from(l->image, from, 0, &queued);
    mw_event_free(queued);
    return rc;
}

static int check_buffer(const struct mw_labelling *l, const struct mw_buffer *from)
{
    const size_t needed = (size_t)l->lattice.cells * l->element_bytes;
    if (mw_buffer_bytes(from) < needed)
        return mw_fail(MW_EINVAL, "the buffer of values has %zu bytes, but the mesh needs %zu", mw_buffer_bytes(from),
                       needed);
    return 0;
}

/* Counts of larger meshes need 64 bits. */
static bool variant_summarises(const struct mw_labelling *l)
{
    return l->variant->begin && l->lattice.cells > 0 && l->lattice.cells <= INT32_MAX;
}

bool mw_labelling_summary_waits(const struct mw_labelling *l)
{
    return !(variant_summarises(l) && l->variant->concurrent && l->variant->concurrent(l));
}

static int end_summary(struct mw_labelling *l, struct mw_components_summary *summary)
{
    l->begun = false;
    if (variant_summarises(l))
        return l->variant->end(l, summary);
    if (summary)
        *summary = l->summary;
    return 0;
}

int mw_labelling_summary_end(struct mw_labelling *l, struct mw_components_summary *summary)
{
    struct mw_components_summary found = MW_INIT(found);
    if (!l->begun)
        return mw_fail(MW_EINVAL, "no summary was started: call mw_labelling_summary_begin first");
    TRY_RETURN(MW_RESULT_GIVE(mw_components_summary, NULL, largest_below, summary));
    TRY_RETURN(end_summary(l, &found));
    return MW_RESULT_GIVE(mw_components_summary, &found, largest_below, summary);
}

/* Waits for a summary that still uses the buffers. */
static int drop_summary(struct mw_labelling *l) { return l->begun ? end_summary(l, NULL) : 0; }

int mw_labelling_pass(struct mw_labelling *l, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
                      size_t *iterations)
{
    if (l->image)
        TRY_RETURN(fill_image(l, from));
    return l->variant->run(l, from, labels, components, iterations);
}

int mw_labelling_run(struct mw_labelling *l, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
                     size_t *iterations)
{
    const size_t cells = (size_t)l->lattice.cells;
    size_t count = 0, passes = 1;
    TRY_RETURN(check_buffer(l, from));
    if (mw_buffer_bytes(labels) < cells * mw_type_bytes(mw_labelling_type(l)))
        return mw_fail(MW_EINVAL, "the buffer of labels has %zu bytes, but the mesh needs %zu", mw_buffer_bytes(labels),
                       cells * mw_type_bytes(mw_labelling_type(l)));
    if (from == labels)
        return mw_fail(MW_EINVAL, "values and labels need separate buffers");
    TRY_RETURN(drop_summary(l));
    TRY_RETURN(mw_progress(0, 1));
    if (cells > 0)
        TRY_RETURN(mw_labelling_pass(l, from, labels, &count, &passes));
    if (components)
        *components = count;
    if (iterations)
        *iterations = passes;
    return mw_progress(1, 1);
}

static int summarise_labels(struct mw_labelling *l, struct mw_buffer *from, struct mw_components_summary *summary)
{
    struct mw_components *components = NULL;
    size_t count;
    int rc;
    TRY(mw_labelling_run(l, from, l->labels, &count, NULL));
    TRY(mw_components_new(l->prim, l->labels, (size_t)l->lattice.cells, mw_labelling_type(l), count, &components));
    summary->size = sizeof *summary;
    TRY(mw_components_summarise(components, summary));
    if (l->options.join == MW_JOIN_THRESHOLD)
        TRY(mw_label_sides(l, components, from, summary));
out:
    mw_components_free(components);
    return rc;
}

int mw_labelling_reserve(struct mw_labelling *l)
{
    const size_t bytes = (size_t)l->lattice.cells * mw_type_bytes(mw_labelling_type(l));
    if (!l->labels)
        TRY_RETURN(mw_own_buffer(&l->owner, l->device, bytes, &l->labels));
    return mw_label_prim(l);
}

int mw_labelling_summary_begin(struct mw_labelling *l, struct mw_buffer *from)
{
    TRY_RETURN(check_buffer(l, from));
    TRY_RETURN(mw_labelling_reserve(l));
    TRY_RETURN(drop_summary(l));
    if (variant_summarises(l))
        TRY_RETURN(l->variant->begin(l, from, l->labels));
    else
        TRY_RETURN(summarise_labels(l, from, &l->summary));
    l->begun = true;
    return 0;
}

int mw_labelling_summarise(struct mw_labelling *l, struct mw_buffer *from, struct mw_components_summary *summary)
{
    int rc;
    TRY_RETURN(MW_RESULT_GIVE(mw_components_summary, NULL, largest_below, summary));
    l->at_once = true;
    TRY(mw_labelling_summary_begin(l, from));
    rc = mw_labelling_summary_end(l, summary);
out:
    l->at_once = false;
    return rc;
}
/* SPDX-License-Identifier: MIT */
