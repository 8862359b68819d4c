/* meshwork label: the memory of a run before it: phases of values, labels and tables by component, as label.c takes and
 * frees them.  How many components there are is counted in a sample of the cells. */
#include <math.h>
#include <stdlib.h>

#include "tools/label/label.h"

/* Up to so many cells are labelled whole; of larger meshes slabs across the slowest dimension. */
#define SAMPLE_CELLS ((size_t)1 << 22)
#define SLABS 8

struct sample { double components, kept, kept_cells; };

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

static int count_slab(const struct label *l, struct mw_device *device, size_t begin, size_t thickness, double weight,
                      struct sample *s)
{
    const unsigned last = l->source.dims - 1;
    const size_t layer = l->source.count / l->source.length[last];
    struct mw_label_options options = l->options;
    struct mw_array slab = l->source, sizes = { 0 };
    size_t count;
    int rc;

    slab.length[last] = thickness;
    slab.count = thickness * layer;
    slab.data = (char *)l->source.data + begin * layer * mw_type_bytes(slab.type);
    options.variant = NULL;
    options.wide = false;
    if (thickness < l->source.length[last])
        options.periodic[last] = false;
    TRY(mw_label_array(device, &options, &slab, NULL, &sizes, &count));
    add_sizes(l, &sizes, weight, s);
out:
    mw_array_free(&sizes);
    return rc;
}

static int take_sample(const struct label *l, struct sample *s)
{
    const unsigned last = l->source.dims - 1;
    const size_t length = l->source.count ? l->source.length[last] : 0;
    const size_t layer = length ? l->source.count / length : 0;
    struct mw_device *device = NULL;
    size_t thickness = length, slabs = 1;
    int rc = 0;

    if (!length)
        goto out;
    TRY(mw_device_open_by_name("native:serial", NULL, &device));
    if (l->source.count > SAMPLE_CELLS) {
        thickness = SAMPLE_CELLS / SLABS / layer;
        thickness = thickness < SLABS ? SLABS : thickness;
        slabs = length / thickness < SLABS ? 1 : SLABS;
        thickness = slabs == 1 ? length : thickness;
    }
    for (size_t i = 0; i < slabs; i++)
        TRY(count_slab(l, device, slabs == 1 ? 0 : i * (length - thickness) / (slabs - 1), thickness,
                       (double)length / (double)(slabs * thickness), s));
out:
    mw_device_close(device);
    return rc;
}

/* ---- phases ---- */

/* Variant runs, on the cores of CPUs. */
static bool is_by_runs(const struct label *l, const struct mw_device_info *device)
{
    return memory_has_cores(device) && (!strcmp(l->set->variant, "auto") || !strcmp(l->set->variant, "runs"));
}

/* Tables of a histogram, one for each part: at most a fourth of the labels' memory. */
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
    memory_phase(p, host + (set->verify ? 16 * n : 0) + fmin(labels, LABEL_SLICE_BYTES), found);
}

int label_memory(const struct label *l, const struct mw_device_info *device, struct memory_plan *memory,
                 uint64_t *components)
{
    const bool runs = is_by_runs(l, device);
    const double n = (double)l->source.count, value = (double)mw_type_bytes(l->source.type);
    const double label = l->set->wide || l->source.count > INT32_MAX ? 8 : 4;
    const double rows = n > 0 ? n / (double)l->source.length[0] : 0;
    const double kept_source = label_keeps_source(l) ? value * n : 0;
    struct sample s = { 0 };
        int rc;

    TRY(take_sample(l, &s));
    memory_phase(memory, (double)l->reading_bytes, 0);
    memory_phase(memory, kept_source, value * n);
    /* Of runs two bits a cell, and the components of strips; others have roots and their numbers. */
    memory_phase(memory, kept_source,
                 (value + label) * n + (runs ? n / 4 + (rows + s.components) * label : 2 * label * n));
    after_labelling(l, device, &s, kept_source, memory);
    *components = (uint64_t)(s.components + 0.5);
out:
    return rc;
}
/* SPDX-License-Identifier: MIT */
