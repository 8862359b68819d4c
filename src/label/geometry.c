/* Geometry of components: launches, and from exact integers to what callers see. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label/geometry_internal.h"
#include "prim/prim_internal.h"

#include "label/geometry.clh"

size_t mw_geometry_part_cells;

/* Items that devices other than cores get at most, and cells that one does at least. */
enum { PARTS_MOST = 8192, PART_LEAST = 64 };

enum { MEASURE, JOIN, MARK, RANK, KEYS, GAPS, UNWRAP, KERNELS };
static const char *const names[KERNELS] = { "geometry_measure", "geometry_join", "geometry_mark", "geometry_rank",
                                            "geometry_keys", "geometry_gaps", "geometry_unwrap" };

/* What was found: planes of `count`, as geometry.clh says. */
struct found {
    size_t count;
    uint32_t *sizes, *bounds;
    uint64_t *sums;
};

struct mw_geometry {
    struct mw_prim *prim;
    unsigned dims;
    size_t length[MW_DIMS_MAX], cells;
    bool periodic[MW_DIMS_MAX];
    struct mw_program *program;
    struct mw_kernel *kernel[KERNELS];
    struct found found;
};

/* ---- making ---- */

static int check_mesh(unsigned dims, const size_t *length, size_t *cells)
{
    size_t product = 1;
    bool fits = true;
    if (dims < 1 || dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "geometry of a mesh of %u dimensions: give it 1 to %d lengths", dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < dims; d++)
        if (length[d] == 0)
            product = 0;
    for (unsigned d = 0; d < dims && product > 0; d++)
        fits = fits && mw_mul(product, length[d], &product) && product <= UINT32_MAX;
    if (!fits)
        return mw_fail(MW_ELIMIT, "geometry of a mesh of 2^32 cells or more: take a part of the mesh at a time");
    *cells = product;
    return 0;
}

static int make_program(struct mw_geometry *g)
{
    char defines[32];
    const struct mw_source source = { .file = "label/geometry.cl", .defines = defines,
                                      .native = mw_label_native_geometry };
    int rc;
    snprintf(defines, sizeof defines, "#define DIMS %u\n", g->dims);
    TRY(mw_program_new(g->prim->device, &source, &g->program));
    for (unsigned i = 0; i < KERNELS; i++)
        TRY(mw_kernel_new(g->program, names[i], &g->kernel[i]));
out:
    return rc;
}

int mw_geometry_new(struct mw_prim *prim, unsigned dims, const size_t *length, const bool *periodic,
                    struct mw_geometry **geometry)
{
    struct mw_geometry *g = NULL;
    size_t cells = 0;
    int rc;
    TRY(check_mesh(dims, length, &cells));
    TRY(mw_new(1, sizeof *g, &g));
    g->prim = prim;
    g->dims = dims;
    g->cells = cells;
    memcpy(g->length, length, dims * sizeof *length);
    for (unsigned d = 0; d < dims; d++)
        g->periodic[d] = periodic && periodic[d];
    TRY(make_program(g));
    *geometry = g;
    g = NULL;
out:
    mw_geometry_free(g);
    return rc;
}

static void found_clear(struct found *f)
{
    free(f->sizes);
    free(f->bounds);
    free(f->sums);
    *f = (struct found){ 0 };
}

void mw_geometry_free(struct mw_geometry *geometry)
{
    if (!geometry)
        return;
    found_clear(&geometry->found);
    for (unsigned i = 0; i < KERNELS; i++)
        mw_kernel_free(geometry->kernel[i]);
    mw_program_free(geometry->program);
    free(geometry);
}

/* ---- running ---- */

/* The components of one run, and memory for it. */
struct work {
    struct mw_geometry *g;
    size_t count, total, each, parts;
    struct mw_buffer *cells, *offsets;                  /* the components' */
    struct mw_buffer *sums, *bounds, *piece_sums, *piece_bounds;
    struct geometry_mesh mesh;
};

static int launch(const struct work *w, unsigned kernel, size_t items, const struct mw_arg *args, size_t count)
{
    const struct mw_range range = { .dims = 1, .global = { items } };
    return mw_launch(w->g->kernel[kernel], &range, args, count, NULL);
}

static size_t cells_of_part(const struct mw_prim *prim, size_t total)
{
    if (mw_geometry_part_cells)
        return mw_geometry_part_cells;
    if (prim->cores)
        return mw_prim_each(prim, total, sizeof(uint32_t));
    const size_t share = (total + PARTS_MOST - 1) / PARTS_MOST;
    return share < PART_LEAST ? PART_LEAST : share;
}

static int prepare(struct work *w, struct mw_components *components)
{
    struct mw_geometry *g = w->g;
    size_t planes;
    int rc;
    TRY(mw_components_buffer(components, MW_COMPONENTS_OFFSETS, &w->offsets, &w->count));
    TRY(mw_components_buffer(components, MW_COMPONENTS_CELLS, &w->cells, &w->total));
    if (mw_buffer_bytes(w->cells) != g->cells * sizeof(uint32_t)) {
        rc = mw_fail(MW_EINVAL, "geometry of components of %zu cells, on a mesh of %zu: give those of a labelling of "
                     "this mesh", mw_buffer_bytes(w->cells) / sizeof(uint32_t), g->cells);
        goto out;
    }
    w->mesh.dims = g->dims;
    for (unsigned d = 0; d < g->dims; d++)
        w->mesh.length[d] = (uint32_t)g->length[d];
    w->each = w->total ? cells_of_part(g->prim, w->total) : 1;
    w->parts = mw_prim_parts(w->total, w->each);
    planes = 2 * g->dims;
    TRY(mw_buffer_new(g->prim->device, w->count * planes * sizeof(uint64_t), &w->sums));
    TRY(mw_buffer_new(g->prim->device, w->count * planes * sizeof(uint32_t), &w->bounds));
    TRY(mw_buffer_new(g->prim->device, w->parts * 2 * planes * sizeof(uint64_t), &w->piece_sums));
    TRY(mw_buffer_new(g->prim->device, w->parts * 2 * planes * sizeof(uint32_t), &w->piece_bounds));
out:
    return rc;
}

static int measure(struct work *w)
{
    const struct mw_arg count = mw_arg_u32((uint32_t)w->count), total = mw_arg_u32((uint32_t)w->total);
    const struct mw_arg each = mw_arg_u32((uint32_t)w->each), mesh = mw_arg_struct(&w->mesh, sizeof w->mesh);
    const struct mw_arg parts[] = { mw_arg_buffer(w->cells), mw_arg_buffer(w->offsets), mw_arg_buffer(w->sums),
                                    mw_arg_buffer(w->bounds), mw_arg_buffer(w->piece_sums),
                                    mw_arg_buffer(w->piece_bounds), count, total, each, mesh };
    const struct mw_arg joined[] = { mw_arg_buffer(w->offsets), mw_arg_buffer(w->piece_sums),
                                     mw_arg_buffer(w->piece_bounds), mw_arg_buffer(w->sums), mw_arg_buffer(w->bounds),
                                     count, total, each, mesh };
    int rc;
    TRY(launch(w, MEASURE, w->parts, parts, MW_COUNT(parts)));
    if (w->parts > 1)
        TRY(launch(w, JOIN, w->count, joined, MW_COUNT(joined)));
out:
    return rc;
}

/* The components that touch both ends of a dimension: `places`, of which there are `n`. */
static int touching(struct work *w, unsigned d, struct mw_buffer **places, size_t *n)
{
    struct mw_buffer *flags = NULL, *made = NULL;
    int rc;
    TRY(mw_buffer_new(w->g->prim->device, w->count, &flags));
    TRY(mw_buffer_new(w->g->prim->device, w->count * sizeof(uint32_t), &made));
    const struct mw_arg args[] = { mw_arg_buffer(w->offsets), mw_arg_buffer(w->bounds), mw_arg_buffer(flags),
                                   mw_arg_u32((uint32_t)w->count), mw_arg_u32((uint32_t)w->total),
                                   mw_arg_u32(w->mesh.length[d]), mw_arg_i32((int32_t)d) };
    TRY(launch(w, MARK, w->count, args, MW_COUNT(args)));
    TRY(mw_prim_select(w->g->prim, flags, w->count, made, n));
    *places = made;
    made = NULL;
out:
    mw_buffer_free(flags);
    mw_buffer_free(made);
    return rc;
}

/* The histograms of their coordinates, one after the other.  Each of the n has cells on the face of the mesh, so that
 * together they have no more bins than the mesh has cells. */
static int count_coordinates(struct work *w, unsigned d, struct mw_buffer *places, size_t n, struct mw_buffer *counts)
{
    struct mw_device *device = w->g->prim->device;
    const size_t bins = n * w->g->length[d];
    struct mw_buffer *ranks = NULL, *keys = NULL;
    uint32_t stride = 1;
    int rc;
    for (unsigned i = 0; i < d; i++)
        stride *= w->mesh.length[i];
    TRY(mw_buffer_new(device, w->count * sizeof(uint32_t), &ranks));
    TRY(mw_buffer_new(device, w->total * sizeof(uint32_t), &keys));
    const struct mw_arg rank[] = { mw_arg_buffer(places), mw_arg_buffer(ranks), mw_arg_u32((uint32_t)n) };
    const struct mw_arg key[] = { mw_arg_buffer(w->cells), mw_arg_buffer(w->offsets), mw_arg_buffer(ranks),
                                  mw_arg_buffer(keys), mw_arg_u32((uint32_t)w->count), mw_arg_u32((uint32_t)w->total),
                                  mw_arg_u32((uint32_t)w->each), mw_arg_u32((uint32_t)bins), mw_arg_u32(stride),
                                  mw_arg_u32(w->mesh.length[d]) };
    TRY(mw_buffer_fill(ranks, 0, w->count * sizeof(uint32_t), 0xff));
    TRY(launch(w, RANK, n, rank, MW_COUNT(rank)));
    TRY(launch(w, KEYS, w->parts, key, MW_COUNT(key)));
    TRY(mw_prim_histogram(w->g->prim, keys, w->total, bins, counts));
out:
    mw_buffer_free(ranks);
    mw_buffer_free(keys);
    return rc;
}

static int unwrap_touching(struct work *w, unsigned d, struct mw_buffer *places, size_t n)
{
    struct mw_device *device = w->g->prim->device;
    const size_t length = w->g->length[d], stretches = (length + GEOMETRY_STRETCH - 1) / GEOMETRY_STRETCH;
    const size_t stored = stretches > 1 ? n * stretches : 0;
    const struct mw_arg across = mw_arg_u32((uint32_t)length), cuts = mw_arg_u32((uint32_t)stretches);
    struct mw_buffer *counts = NULL, *gaps = NULL;
    int rc;
    TRY(mw_buffer_new(device, n * length * sizeof(uint32_t), &counts));
    TRY(mw_buffer_new(device, (stored + 1) * sizeof(struct geometry_gaps), &gaps));
    const struct mw_arg find[] = { mw_arg_buffer(counts), mw_arg_buffer(gaps), across, cuts,
                                   mw_arg_u32((uint32_t)stored) };
    const struct mw_arg unwrap[] = { mw_arg_buffer(places), mw_arg_buffer(counts), mw_arg_buffer(gaps),
                                     mw_arg_buffer(w->offsets), mw_arg_buffer(w->sums), mw_arg_buffer(w->bounds),
                                     mw_arg_u32((uint32_t)w->count), mw_arg_u32((uint32_t)w->total), across, cuts,
                                     mw_arg_i32((int32_t)d), mw_arg_u32((uint32_t)n) };
    TRY(count_coordinates(w, d, places, n, counts));
    TRY(launch(w, GAPS, stored, find, MW_COUNT(find)));
    TRY(launch(w, UNWRAP, n, unwrap, MW_COUNT(unwrap)));
out:
    mw_buffer_free(counts);
    mw_buffer_free(gaps);
    return rc;
}

/* Around one cell there is nothing to unwrap. */
static int unwrap_all(struct work *w)
{
    int rc = 0;
    for (unsigned d = 0; d < w->g->dims; d++) {
        struct mw_buffer *places = NULL;
        size_t n = 0;
        if (!w->g->periodic[d] || w->g->length[d] < 2)
            continue;
        rc = touching(w, d, &places, &n);
        if (rc == 0 && n > 0)
            rc = unwrap_touching(w, d, places, n);
        mw_buffer_free(places);
        TRY(rc);
    }
out:
    return rc;
}

/* What the host keeps. */
static int fetch(const struct work *w, struct mw_components *components, struct found *found)
{
    const size_t planes = 2 * w->g->dims;
    const uint32_t *sizes;
    struct found f = { 0 };
    int rc;
    TRY(mw_components_array(components, MW_COMPONENTS_SIZES, &sizes, &f.count));
    TRY(mw_new(f.count, sizeof *f.sizes, &f.sizes));
    TRY(mw_new(f.count, planes * sizeof *f.bounds, &f.bounds));
    TRY(mw_new(f.count, planes * sizeof *f.sums, &f.sums));
    if (w->total > 0) {
        memcpy(f.sizes, sizes, f.count * sizeof *f.sizes);
        TRY(mw_buffer_read(w->bounds, 0, f.count * planes * sizeof *f.bounds, f.bounds, NULL));
        TRY(mw_buffer_read(w->sums, 0, f.count * planes * sizeof *f.sums, f.sums, NULL));
    }
    *found = f;
    f = (struct found){ 0 };
out:
    found_clear(&f);
    return rc;
}

int mw_geometry_run(struct mw_geometry *geometry, struct mw_components *components)
{
    struct work w = { .g = geometry };
    int rc;
    found_clear(&geometry->found);
    TRY(prepare(&w, components));
    if (w.total > 0) {
        TRY(measure(&w));
        TRY(unwrap_all(&w));
    }
    TRY(fetch(&w, components, &geometry->found));
out:
    mw_buffer_free(w.sums);
    mw_buffer_free(w.bounds);
    mw_buffer_free(w.piece_sums);
    mw_buffer_free(w.piece_bounds);
    return rc;
}

/* ---- from integers to shapes ---- */

/* n times the variance, of which the part below the mean's whole number is exact. */
static double squares_about_mean(uint64_t n, uint64_t sum, uint64_t squares)
{
    const uint64_t whole = sum / n, rest = sum % n;
    return (double)(squares - 2 * whole * sum + n * whole * whole) - (double)rest * ((double)rest / (double)n);
}

/* Whether n squares below extent^2 may leave 64 bits together. */
static bool too_long(uint64_t n, uint64_t extent)
{
    uint64_t square;
    return __builtin_mul_overflow(extent, extent, &square) || __builtin_mul_overflow(n, square, &square);
}

int mw_geometry_shape(const struct mw_geometry *g, size_t label, struct mw_component_shape *shape)
{
    const struct found *f = &g->found;
    const size_t c = label - 1;
    struct mw_component_shape s = { .gyration = NAN };
    double squares = 0;
    if (label < 1 || label > f->count)
        return mw_fail(MW_EINVAL, "geometry: there is no component %zu among %zu: labels go from 1", label, f->count);
    s.size = f->sizes[c];
    for (unsigned d = 0; d < g->dims && s.size > 0; d++) {
        const size_t at = 2 * d * f->count + c;
        const uint64_t sum = f->sums[at], n = s.size;
        s.first[d] = f->bounds[at];
        s.extent[d] = f->bounds[at + f->count];
        s.spans[d] = s.extent[d] == g->length[d];
        if (s.spans[d] && g->periodic[d] && g->length[d] > 1) {
            s.centre[d] = squares = NAN;
            continue;
        }
        s.centre[d] = (double)(s.first[d] + sum / n) + (double)(sum % n) / (double)n;
        if (s.centre[d] >= (double)g->length[d])
            s.centre[d] -= (double)g->length[d];
        squares += too_long(n, s.extent[d]) ? NAN : squares_about_mean(n, sum, f->sums[at + f->count]);
    }
    if (s.size > 0)
        s.gyration = sqrt(squares / (double)s.size);
    *shape = s;
    return 0;
}
