/* Labelling on several devices: each labels a part of the mesh, some slabs of the slowest dimension. The last slab of a
 * part and the first one of the next are a mesh of two slabs. Its components on the host name the labels of both parts
 * that a union-find has to join, with all joining rules, lattices and boundaries. As labels are numbered by first
 * cells, also across parts, the smallest label of a set gives the order of the joined components. */
#include "label/label_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/progress.h"
#include "components/components_internal.h"
#include "dev/core/team.h"

/* One device's part of the mesh. */
struct part {
    struct mw_labelling *labelling;
    size_t first, cells;                 /* its cells in the mesh */
    struct mw_buffer *own_from, *own_to; /* NULL until needed: the first part may use the caller's buffers */
    struct mw_buffer *from, *to;         /* buffers of the current run */
    const char *values;                  /* its values in host memory; NULL: `from` has them */
    char *labels;                        /* host memory for its labels; NULL: they stay in `to` */
    struct mw_array sizes;               /* sizes of its own components, if the caller wants sizes */
    size_t components, iterations;       /* results of the last run */
    size_t before;                       /* components of earlier parts: label c of this part is number before + c */
    const int64_t *numbers;              /* number in the mesh of each of its components, from label 1 on */
};

struct parts {
    size_t count, slab; /* parts; cells of a slab */
    bool wide, sized;   /* labels are i64; the current run needs sizes */
    struct part *part;
    struct mw_team *team;
    struct mw_device *host;      /* labels seams */
    struct mw_labelling *seam;   /* a mesh of two slabs */
    struct mw_buffer *from, *to; /* values and labels of a seam */
    char *values, *ids;          /* two slabs: values; labels of their parts, then of the seam */
    int64_t *parent;             /* the union-find of all labels of parts, later their numbers */
};

/* ---- construction ---- */

static unsigned cut_dimension(const struct mw_labelling *l)
{
    return mw_team_slabs(l->options.dims, l->options.length);
}

size_t mw_label_part_count(const struct mw_labelling *labelling, size_t devices)
{
    return mw_min(devices, labelling->options.length[cut_dimension(labelling)]);
}

static void parts_drop(void *state)
{
    struct parts *s = state;
    for (size_t d = 0; s->part && d < s->count; d++) {
        mw_labelling_free(s->part[d].labelling);
        mw_buffer_free(s->part[d].own_from);
        mw_buffer_free(s->part[d].own_to);
    }
    mw_labelling_free(s->seam);
    mw_buffer_free(s->from);
    mw_buffer_free(s->to);
    mw_device_close(s->host);
}

/* Makes a labelling of some slabs of the mesh, with labels of the same type. */
static int make_slabs(const struct mw_labelling *l, struct mw_device *device, const char *variant, size_t slabs,
                      struct mw_labelling **made)
{
    const unsigned d = cut_dimension(l);
    struct mw_label_options o = l->options;
    o.length[d] = slabs;
    o.boundary[d] = MW_BOUNDARY_FIXED;
    o.variant = variant;
    o.wide = l->wide;
    return mw_labelling_new_within(&device, 1, &o, &l->limits, made);
}

static int make_seam(const struct mw_labelling *l, struct parts *s)
{
    const size_t label = mw_type_bytes(mw_labelling_type(l)), cells = 2 * s->slab;
    struct mw_owner *const own = (struct mw_owner *)&l->owner;
    TRY_RETURN(mw_device_open_by_name("native:serial", NULL, &s->host));
    TRY_RETURN(make_slabs(l, s->host, NULL, 2, &s->seam));
    TRY_RETURN(mw_buffer_new(s->host, cells * l->element_bytes, &s->from));
    TRY_RETURN(mw_buffer_new(s->host, cells * label, &s->to));
    TRY_RETURN(mw_own_new(own, cells, l->element_bytes, &s->values));
    return mw_own_new(own, 2 * cells, label, &s->ids);
}

int mw_label_parts_make(struct mw_labelling *l, struct mw_device *const *devices, size_t count, const char *variant)
{
    const size_t slabs = l->options.length[cut_dimension(l)], slab = (size_t)l->lattice.cells / slabs;
    struct parts *s;
    TRY_RETURN(mw_own_new(&l->owner, 1, sizeof *s, &s));
    TRY_RETURN(mw_own_new(&l->owner, count, sizeof *s->part, &s->part));
    TRY_RETURN(mw_own(&l->owner, s, parts_drop));
    s->count = count;
    s->slab = slab;
    s->wide = l->wide;
    for (size_t d = 0, first = 0; d < count; d++) {
        struct part *const part = &s->part[d];
        const size_t mine = slabs / count + (d < slabs % count);
        part->first = first * slab;
        part->cells = mine * slab;
        first += mine;
        TRY_RETURN(make_slabs(l, devices[d], variant, mine, &part->labelling));
    }
    TRY_RETURN(make_seam(l, s));
    TRY_RETURN(mw_own_team(&l->owner, s->part, sizeof *s->part, count, &s->team));
    l->options.variant = mw_labelling_variant(s->part[0].labelling);
    l->variant = &mw_label_parts;
    l->state = s;
    return 0;
}

/* ---- jobs of the devices ---- */

static size_t label_bytes(const struct parts *s) { return s->wide ? sizeof(int64_t) : sizeof(int32_t); }

static int need_buffers(const struct parts *s, struct part *part)
{
    struct mw_labelling *const l = part->labelling;
    if (!part->from && !part->own_from)
        TRY_RETURN(mw_buffer_new(l->device, part->cells * l->element_bytes, &part->own_from));
    if (!part->to && !part->own_to)
        TRY_RETURN(mw_buffer_new(l->device, part->cells * label_bytes(s), &part->own_to));
    part->from = part->from ? part->from : part->own_from;
    part->to = part->to ? part->to : part->own_to;
    return 0;
}

static int label_part(void *of, void *context)
{
    const struct parts *s = context;
    struct part *part = of;
    struct mw_labelling *const l = part->labelling;
    if (part->values)
        TRY_RETURN(mw_buffer_write(part->from, 0, part->cells * l->element_bytes, part->values, NULL));
    TRY_RETURN(mw_labelling_pass(l, part->from, part->to, &part->components, &part->iterations));
    return s->sized ? mw_label_sizes(l, part->to, part->components, &part->sizes) : 0;
}

/* Writes the numbers of a part's labels to its device, as a table with 0 for the background. */
static int send_numbers(const struct parts *s, const struct part *part, struct mw_buffer **table)
{
    const size_t count = part->components + 1;
    void *words = NULL;
    int rc;
    TRY(mw_new(count, label_bytes(s), &words));
    for (size_t c = 1; c < count; c++)
        if (s->wide)
            ((int64_t *)words)[c] = part->numbers[c - 1];
        else
            ((int32_t *)words)[c] = (int32_t)part->numbers[c - 1];
    TRY(mw_buffer_new(part->labelling->device, count * label_bytes(s), table));
    TRY(mw_buffer_write(*table, 0, count * label_bytes(s), words, NULL));
out:
    free(words);
    return rc;
}

static int number_part(void *of, void *context)
{
    const struct parts *s = context;
    struct part *part = of;
    struct mw_labelling *const l = part->labelling;
    struct mw_buffer *table = NULL;
    int rc;
    TRY(mw_label_prim(l));
    TRY(send_numbers(s, part, &table));
    TRY(mw_components_rename(l->prim, part->to, part->cells, mw_labelling_type(l), table));
    TRY(mw_device_finish(l->device));
    if (part->labels)
        TRY(mw_buffer_read(part->to, 0, part->cells * label_bytes(s), part->labels, NULL));
out:
    mw_buffer_free(table);
    return rc;
}

/* ---- seams ---- */

static int64_t id_at(const struct parts *s, const void *labels, size_t k)
{
    return s->wide ? ((const int64_t *)labels)[k] : ((const int32_t *)labels)[k];
}

static int64_t find_root(int64_t *parent, int64_t id)
{
    while (parent[id] != id)
        id = parent[id] = parent[parent[id]];
    return id;
}

/* The smaller root remains: it has the earlier first cell. */
static void join(int64_t *parent, int64_t a, int64_t b)
{
    a = find_root(parent, a);
    b = find_root(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

/* Copies the values and labels of one slab, number `side` of a seam, from a part. */
static int read_slab(struct parts *s, const struct part *part, size_t first, size_t side)
{
    const size_t value = part->labelling->element_bytes, label = label_bytes(s), at = side * s->slab;
    TRY_RETURN(mw_buffer_read(part->from, first * value, s->slab * value, s->values + at * value, NULL));
    return mw_buffer_read(part->to, first * label, s->slab * label, s->ids + at * label, NULL);
}

/* Joins the labels of two parts within each component of the seam between them. */
static int join_seam(struct parts *s, const struct part *low, const struct part *high)
{
    const size_t cells = 2 * s->slab, label = label_bytes(s), value = low->labelling->element_bytes;
    char *const labels = s->ids + cells * label;
    int64_t *seen = NULL;
    size_t count, iterations;
    int rc;
    TRY(read_slab(s, low, low->cells - s->slab, 0));
    TRY(read_slab(s, high, 0, 1));
    TRY(mw_buffer_write(s->from, 0, cells * value, s->values, NULL));
    TRY(mw_labelling_pass(s->seam, s->from, s->to, &count, &iterations));
    TRY(mw_buffer_read(s->to, 0, cells * label, labels, NULL));
    TRY(mw_new(count + 1, sizeof *seen, &seen));
    for (size_t k = 0; k < cells; k++) {
        const int64_t of = id_at(s, labels, k);
        const int64_t id = (int64_t)(k < s->slab ? low : high)->before + id_at(s, s->ids, k);
        if (of > 0 && seen[of])
            join(s->parent, seen[of], id);
        seen[of] = id;
    }
out:
    free(seen);
    return rc;
}

/* Replaces the parent of each label by its number in the mesh; parents are smaller, and are numbered first. */
static size_t number_labels(int64_t *parent, size_t count)
{
    int64_t numbers = 0;
    for (size_t id = 1; id <= count; id++)
        parent[id] = parent[id] == (int64_t)id ? ++numbers : parent[parent[id]];
    return (size_t)numbers;
}

static int join_parts(struct mw_labelling *l, struct parts *s, size_t *components)
{
    const unsigned cut = cut_dimension(l);
    size_t count = 0;
    for (size_t d = 0; d < s->count; d++) {
        s->part[d].before = count;
        count += s->part[d].components;
    }
    TRY_RETURN(mw_new(count + 1, sizeof *s->parent, &s->parent));
    for (size_t id = 0; id <= count; id++)
        s->parent[id] = (int64_t)id;
    for (size_t d = 1; d < s->count; d++)
        TRY_RETURN(join_seam(s, &s->part[d - 1], &s->part[d]));
    if (mw_label_wraps(&l->options, cut))
        TRY_RETURN(join_seam(s, &s->part[s->count - 1], &s->part[0]));
    *components = number_labels(s->parent, count);
    for (size_t d = 0; d < s->count; d++)
        s->part[d].numbers = s->parent + 1 + s->part[d].before;
    return 0;
}

/* Labels all parts, whose values and buffers have been set. */
static int run_all(struct mw_labelling *l, struct parts *s, size_t *components)
{
    TRY_RETURN(mw_team_run(s->team, label_part, s));
    TRY_RETURN(join_parts(l, s, components));
    return mw_team_run(s->team, number_part, s);
}

/* Forgets the caller's memory. */
static void end_run(struct parts *s)
{
    free(s->parent);
    s->parent = NULL;
    for (size_t d = 0; d < s->count; d++) {
        struct part *const part = &s->part[d];
        part->from = part->to = NULL;
        part->values = NULL;
        part->labels = NULL;
        mw_array_free(&part->sizes);
    }
}

/* ---- runs ---- */

/* The first part works in the caller's buffers, which are on its device. */
static int parts_run(struct mw_labelling *l, struct mw_buffer *from, struct mw_buffer *labels, size_t *components,
                     size_t *iterations)
{
    struct parts *s = l->state;
    const size_t value = l->element_bytes, label = label_bytes(s);
    int rc;
    s->sized = false;
    s->part[0].from = from;
    s->part[0].to = labels;
    for (size_t d = 0; d < s->count; d++)
        TRY(need_buffers(s, &s->part[d]));
    for (size_t d = 1; d < s->count; d++) {
        const struct part *part = &s->part[d];
        TRY(mw_buffer_copy(from, part->first * value, part->from, 0, part->cells * value, NULL));
    }
    TRY(run_all(l, s, components));
    *iterations = 1;
    for (size_t d = 0; d < s->count; d++) {
        const struct part *part = &s->part[d];
        *iterations = mw_max(*iterations, part->iterations);
        if (d > 0)
            TRY(mw_buffer_copy(part->to, 0, labels, part->first * label, part->cells * label, NULL));
    }
out:
    end_run(s);
    return rc;
}

/* Sums the sizes of the parts' components. */
static int sum_sizes(const struct parts *s, size_t components, struct mw_array *sizes)
{
    TRY_RETURN(mw_array_new(MW_TYPE_U32, 1, &components, sizes));
    for (size_t d = 0; d < s->count; d++)
        for (size_t c = 0; c < s->part[d].components; c++)
            ((uint32_t *)sizes->data)[s->part[d].numbers[c] - 1] += ((const uint32_t *)s->part[d].sizes.data)[c];
    return 0;
}

int mw_label_parts_array(struct mw_labelling *l, const void *values, void *labels, struct mw_array *sizes,
                         size_t *components)
{
    struct parts *s = l->state;
    int rc;
    if (sizes && l->lattice.cells > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "sizes of components: the mesh has %zu cells, the maximum is %" PRIu32,
                       (size_t)l->lattice.cells, UINT32_MAX);
    TRY(mw_progress(0, 1));
    s->sized = sizes;
    for (size_t d = 0; d < s->count; d++) {
        struct part *const part = &s->part[d];
        TRY(need_buffers(s, part));
        part->values = (const char *)values + part->first * l->element_bytes;
        part->labels = labels ? (char *)labels + part->first * label_bytes(s) : NULL;
    }
    TRY(run_all(l, s, components));
    if (sizes)
        TRY(sum_sizes(s, *components, sizes));
    rc = mw_progress(1, 1);
out:
    end_run(s);
    return rc;
}

const struct mw_label_variant mw_label_parts = { .run = parts_run };
/* SPDX-License-Identifier: MIT */
