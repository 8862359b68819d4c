/* meshwork label: predicts the memory of a run, in the phases in which label.c allocates and frees values, labels and
 * tables of components.  The number of components is estimated from a sample of the cells. */
#include <math.h>

#include "tools/label/label.h"

/* Meshes up to this size are labelled completely; of larger ones, slabs across the longest dimension. */
#define SAMPLE_CELLS ((size_t)1 << 22)
#define SLABS 8
#define THICKNESS_LEAST 8

/* As src/label/plan.c and label.c divide a mesh; tests/lint/command.sh compares them. */
#define STRIPS_PER_UNIT 4
#define STRIP_CELLS 16384

struct sample {
    double components, kept, kept_cells;
};

/* ---- the sample ---- */

static void add_sizes(const struct label *l, const struct mw_array *sizes, double weight, struct sample *s)
{
    const uint64_t least = l->set->min_size, most = l->set->max_size ? l->set->max_size : UINT64_MAX;
    s->components += weight * (double)sizes->count;
    for (size_t c = 0; c < sizes->count; c++) {
        const uint32_t size = ((const uint32_t *)sizes->data)[c];
        const bool is_kept = size >= least && size <= most;
        s->kept += is_kept ? weight : 0;
        s->kept_cells += is_kept ? weight * size : 0;
    }
}

/* Returns a slab of a dimension.  Its cells are not contiguous, so they are copied to `room` unless that is NULL. */
static struct mw_array slab_of(const struct mw_array *source, unsigned dim, size_t begin, size_t thickness, void *room)
{
    struct mw_array slab = *source;
    size_t inner = mw_type_bytes(source->type), outer = 1;
    const char *from;
    slab.length[dim] = thickness;
    slab.count = source->count / source->length[dim] * thickness;
    for (unsigned i = 0; i < source->dims; i++)
        *(i < dim ? &inner : &outer) *= i == dim ? 1 : source->length[i];
    from = (const char *)source->data + begin * inner;
    slab.data = room ? room : (char *)source->data + begin * inner;
    for (size_t i = 0; room && i < outer; i++)
        memcpy((char *)room + i * thickness * inner, from + i * source->length[dim] * inner, thickness * inner);
    return slab;
}

static int count_slab(const struct label *l, struct mw_device *device, unsigned dim, const struct mw_array *slab,
                      double weight, struct sample *s)
{
    struct mw_label_options options = l->options;
    struct mw_array sizes = { 0 };
    size_t count;
    int rc;
    options.variant = NULL;
    options.wide = false;
    if (slab->length[dim] < l->source.length[dim])
        options.boundary[dim] = MW_BOUNDARY_FIXED;
    TRY(mw_label_array(&device, 1, &options, slab, NULL, &sizes, &count));
    add_sizes(l, &sizes, weight, s);
out:
    mw_array_free(&sizes);
    return rc;
}

/* Returns the dimension across which slabs are cut: the longest, at a tie the slowest. */
static unsigned longest_of(const struct mw_array *source)
{
    unsigned dim = 0;
    for (unsigned i = 1; i < source->dims; i++)
        dim = source->length[i] >= source->length[dim] ? i : dim;
    return dim;
}

static int take_sample(const struct label *l, struct sample *s)
{
    const unsigned dim = longest_of(&l->source);
    const size_t length = l->source.count ? l->source.length[dim] : 0;
    const size_t layer = length ? l->source.count / length : 0;
    struct mw_device *device = NULL;
    size_t thickness = length, slabs = 1;
    void *room = NULL;
    int rc = 0;
    if (!length)
        goto out;
    TRY(mw_device_open_by_name("native:serial", NULL, &device));
    if (l->source.count > SAMPLE_CELLS) {
        thickness = SAMPLE_CELLS / SLABS / layer;
        thickness = thickness > THICKNESS_LEAST ? thickness : THICKNESS_LEAST;
        thickness = thickness < length ? thickness : length;
        slabs = length / thickness < SLABS ? length / thickness : SLABS;
        if (dim + 1 < l->source.dims)
            TRY(mw_new(thickness * layer, mw_type_bytes(l->source.type), &room));
    }
    for (size_t i = 0; i < slabs; i++) {
        const size_t begin = slabs > 1 ? i * (length - thickness) / (slabs - 1) : (length - thickness) / 2;
        const struct mw_array slab = slab_of(&l->source, dim, begin, thickness, room);
        TRY(count_slab(l, device, dim, &slab, (double)length / (double)(slabs * thickness), s));
    }
out:
    free(room);
    device_give_back(device);
    return rc;
}

/* ---- phases ---- */

/* Variant runs, on the cores of CPUs. */
static bool is_by_runs(const struct label *l, const struct mw_device_info *device)
{
    return memory_has_cores(device) && (!strcmp(l->set->variant, "auto") || !strcmp(l->set->variant, "runs"));
}

/* Strips of rows are labelled separately.  Each needs two bits per cell, in words, and the numbers of its rows and
 * components.  A seam between strips cuts about twice as many components as a row of cells has. */
static double runs_bytes(const struct label *l, const struct mw_device_info *device, double label, double components)
{
    const struct mw_array *a = &l->source;
    const double n = (double)a->count, length = a->count ? (double)a->length[0] : 1, rows = n / length;
    const double share = ceil(rows / (STRIPS_PER_UNIT * fmax(device->compute_units, 1)));
    const double strip = fmin(rows, fmax(share, ceil((double)STRIP_CELLS / length)));
    const double seams = n > 0 ? ceil(rows / strip) - 1 : 0;
    const double seam = a->dims < 3 ? 1 : fmin(strip, rows / (double)a->length[a->dims - 1]);
    const double cut = n > 0 ? 2.2 * seams * seam * length * components / n : 0;
    return 16 * rows * ceil(length / 64) + (rows + components + cut) * label;
}

/* Tables of a histogram, one per part: at most a fourth of the labels' memory. */
static double tables_bytes(const struct mw_device_info *device, double cells, double components)
{
    const double most = components > 0 ? cells / 4 / components : 0, parts = 4.0 * device->compute_units;
    const double tables = most < device->compute_units ? 0 : most < parts ? most : parts;
    return device->compute_units > 1 ? (double)(uint64_t)tables * components * 4 : 0;
}

static void after_labelling(const struct label *l, const struct mw_device_info *device, const struct sample *s,
                            double kept_source, struct memory_plan *p)
{
    const struct label_settings *set = l->set;
    const double n = (double)l->source.count, label = set->wide || l->source.count > INT32_MAX ? 8 : 4;
    const double all = s->components, some = label_drops(l) ? s->kept : all, dims = l->options.dims;
    const double tables = tables_bytes(device, n, all) + (label > 4 ? 4 * n : 0), labels = label * n;
    double host = kept_source, found = labels + 4 * some + (label_drops(l) ? 16 * some : 0) + tables;
    memory_phase(p, host, labels + 4 * all + tables);
    if (label_drops(l))
        memory_phase(p, host, labels + 13 * all + 16 * some + tables);
    if (label_wants_shapes(l)) {
        memory_phase(p, host + 16 * dims * some, found + 24 * dims * some);
        host += 24 * dims * some + 4 * some;
    }
    found -= label > 4 ? 4 * n : 0;
    if (set->components || set->cells) {
        found += 4 * some;
        host += set->components ? 4 * some : 0;
    }
    if (set->cells)
        memory_phase(p, host, found + 4 * some + 4 * s->kept_cells + (device->kind == MW_DEVICE_GPU ? 16 * n : 0));
    /* The labels have been freed: sorted sizes, and their keys and places. */
    if (set->sizes)
        memory_phase(p, host, 22 * some);
    memory_phase(p, host + (set->verify ? 16 * n : 0) + fmin(labels, LABEL_SLICE_BYTES), found);
}

/* Returns the number of devices that label a part: one per slab at most, as in src/label/parts.c. */
static size_t memory_parts(const struct label *l, size_t devices)
{
    const struct mw_array *const a = &l->source;
    unsigned d = a->dims - 1;
    while (d > 0 && a->length[d] == 1)
        d--;
    return a->length[d] < devices ? a->length[d] ? a->length[d] : 1 : devices;
}

int label_memory(const struct label *l, const struct team_plan *team, struct memory_plan *memory, uint64_t *part,
                 uint64_t *components)
{
    const struct mw_device_info *const device = &team->first;
    const bool runs = is_by_runs(l, device);
    const double n = (double)l->source.count, value = (double)mw_type_bytes(l->source.type);
    const double label = l->set->wide || l->source.count > INT32_MAX ? 8 : 4;
    const double kept_source = label_keeps_source(l) ? value * n : 0, parts = (double)memory_parts(l, team->count);
    struct sample s = { 0 };
    double scratch, others, joining;
    TRY_RETURN(take_sample(l, &s));
    /* All variants but runs use roots and their numbers. */
    scratch = (runs ? runs_bytes(l, device, label, s.components) : 2 * label * n) / parts;
    /* Each part has a table of new numbers; the host has a union-find of all labels. */
    others = parts > 1 ? (value + label) * n / parts + scratch + label * s.components / parts : 0;
    joining = parts > 1 ? (8 + label) * s.components : 0;
    *part = (uint64_t)others;
    others *= fmin((double)team->in_host_memory, parts - 1);
    memory_phase(memory, (double)l->reading_bytes, 0);
    memory_phase(memory, kept_source, value * n);
    memory_phase(memory, kept_source + others + joining, (value + label) * n + scratch);
    after_labelling(l, device, &s, kept_source, memory);
    *components = (uint64_t)(s.components + 0.5);
    return 0;
}
/* SPDX-License-Identifier: MIT */
