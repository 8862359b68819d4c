/* Geometry of components: launches, and results from exact integers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "components/components_internal.h"
#include "label/label_internal.h"
#include "prim/prim_internal.h"

#include "label/geometry.clh"

#include "kernels/label/geometry.h"
#include "kernels/native.h"

/* Maximum number of work-items on GPUs, and minimum cells per work-item. */
enum { PARTS_MOST = 8192, PART_LEAST = 64 };

/* Buffers of a run by contents; kept, since allocation costs more than their use. */
enum { SUMS, BOUNDS, FLAGS, PLACES, RANKS, COUNTS, GAPS_OF_STRETCHES, BUFFERS };

/* Results: planes of `count` numbers, see geometry.clh. */
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
    size_t part_cells;            /* cells per work-item; 0: depends on the device */
    struct mw_owner owner;        /* frees the kernels */
    struct mw_kernel_set *set[2]; /* for labels of i32 and i64; NULL: not built yet */
    struct mw_buffer *buffer[BUFFERS];
    struct found found;
};

/* ---- construction ---- */

static int check_mesh(unsigned dims, const size_t *length, size_t *cells)
{
    size_t product = 1;
    bool fits = true;
    if (dims < 1 || dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "geometry: mesh has %u dimensions (must be 1 to %d)", dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < dims; d++)
        if (length[d] == 0)
            product = 0;
    for (unsigned d = 0; d < dims && product > 0; d++)
        fits = fits && mw_mul(product, length[d], &product) && product <= UINT32_MAX;
    if (!fits)
        return mw_fail(MW_ELIMIT, "geometry: mesh has 2^32 cells or more (use a part of the mesh)");
    *cells = product;
    return 0;
}

static int make_set(struct mw_geometry *g, bool wide)
{
    const struct mw_kernel_options options = { .native = wide ? mw_native_geometry_64 : mw_native_geometry_32 };
    struct mw_text defines = { 0 };
    if (g->set[wide])
        return 0;
    mw_text_add(&defines, "#define DIMS %u\n%s", g->dims, wide ? "#define LABEL_64 1\n" : "");
    return mw_own_kernels_text(&g->owner, g->prim->device, &kernels_label_geometry, &options, &defines, &g->set[wide]);
}

int mw_geometry_new(struct mw_prim *prim, unsigned dims, const size_t *length, const enum mw_boundary *boundary,
                    struct mw_geometry **geometry)
{
    enum mw_boundary taken[MW_DIMS_MAX];
    struct mw_geometry *g;
    size_t cells = 0;
    TRY_RETURN(check_mesh(dims, length, &cells));
    TRY_RETURN(mw_label_boundaries_take(boundary, dims, taken));
    TRY_RETURN(mw_new(1, sizeof *g, &g));
    g->prim = prim;
    g->dims = dims;
    g->cells = cells;
    memcpy(g->length, length, dims * sizeof *length);
    for (unsigned d = 0; d < dims; d++)
        g->periodic[d] = taken[d] == MW_BOUNDARY_PERIODIC;
    *geometry = g;
    return 0;
}

static void found_clear(struct found *f)
{
    free(f->sizes);
    free(f->bounds);
    free(f->sums);
    *f = (struct found){ 0 };
}

void mw_geometry_limit(struct mw_geometry *geometry, size_t part_cells) { geometry->part_cells = part_cells; }

void mw_geometry_free(struct mw_geometry *geometry)
{
    if (!geometry)
        return;
    found_clear(&geometry->found);
    mw_owner_drop(&geometry->owner);
    for (unsigned i = 0; i < BUFFERS; i++)
        mw_buffer_free(geometry->buffer[i]);
    free(geometry);
}

/* ---- execution ---- */

/* Data of one run. */
struct work {
    struct mw_geometry *g;
    const struct mw_kernel_set *set;
    size_t count, each, parts;
    struct mw_buffer *labels, *sizes; /* the components' */
    struct geometry_mesh mesh;
};

/* Reserves a buffer for n elements of `bytes`; its contents are lost if it grows. */
static int reserve(struct mw_geometry *g, unsigned kind, size_t n, size_t bytes)
{
    return mw_buffer_reserve(g->prim->device, n * bytes, &g->buffer[kind]);
}

static size_t cells_of_part(const struct mw_geometry *g)
{
    const struct mw_prim *prim = g->prim;
    if (g->part_cells)
        return g->part_cells;
    if (prim->cores)
        return mw_prim_each(prim, g->cells, sizeof(uint32_t));
    const size_t share = (g->cells + PARTS_MOST - 1) / PARTS_MOST;
    return share < PART_LEAST ? PART_LEAST : share;
}

static int geometry_prepare(struct work *w, struct mw_components *components)
{
    struct mw_geometry *g = w->g;
    struct mw_components_view view;
    size_t planes;
    TRY_RETURN(mw_components_buffer(components, MW_COMPONENTS_SIZES, &w->sizes, &w->count));
    mw_components_view(components, &view);
    if (view.n != g->cells)
        return mw_fail(MW_EINVAL, "geometry: the components label %zu cells, but the mesh has %zu", view.n, g->cells);
    w->labels = view.labels;
    TRY_RETURN(make_set(g, view.type == MW_TYPE_I64));
    w->set = g->set[view.type == MW_TYPE_I64];
    w->mesh.dims = g->dims;
    for (unsigned d = 0; d < g->dims; d++)
        w->mesh.length[d] = (uint32_t)g->length[d];
    w->each = g->cells ? cells_of_part(g) : 1;
    w->parts = mw_prim_parts(g->cells, w->each);
    planes = 2 * g->dims;
    TRY_RETURN(reserve(g, SUMS, w->count * planes, sizeof(uint64_t)));
    TRY_RETURN(reserve(g, BOUNDS, w->count * planes, sizeof(uint32_t)));
    TRY_RETURN(mw_buffer_fill(g->buffer[SUMS], 0, w->count * planes * sizeof(uint64_t), 0));
    return mw_buffer_fill(g->buffer[BOUNDS], 0, w->count * planes * sizeof(uint32_t), 0xff);
}

static int geometry_measure(struct work *w)
{
    struct mw_buffer *const *b = w->g->buffer;
    const uint32_t count = (uint32_t)w->count;
    if (w->g->cells > 0)
        TRY_RETURN(launch_geometry_measure(w->set, mw_items(w->parts), w->labels, b[SUMS], b[BOUNDS], count,
                                           (uint32_t)w->g->cells, (uint32_t)w->each, &w->mesh));
    return launch_geometry_finish(w->set, mw_items(w->count), w->sizes, b[SUMS], b[BOUNDS], count, &w->mesh);
}

/* Finds the components that touch both ends of a dimension: the first *n elements of PLACES. */
static int find_touching(struct work *w, unsigned d, size_t *n)
{
    struct mw_buffer *const *b = w->g->buffer;
    TRY_RETURN(reserve(w->g, FLAGS, w->count, 1));
    TRY_RETURN(reserve(w->g, PLACES, w->count, sizeof(uint32_t)));
    TRY_RETURN(launch_geometry_mark(w->set, mw_items(w->count), w->sizes, b[BOUNDS], b[FLAGS], (uint32_t)w->count,
                                    w->mesh.length[d], (int32_t)d));
    return mw_prim_select(w->g->prim, b[FLAGS], w->count, b[PLACES], n);
}

/* Computes the histograms of the coordinates of n components in COUNTS.  Each component has cells on the face of the
 * mesh, so together they have no more bins than the mesh has cells. */
static int count_coordinates(struct work *w, unsigned d, size_t n)
{
    struct mw_buffer *const *b = w->g->buffer;
    const size_t bins = n * w->g->length[d];
    uint32_t stride = 1;
    for (unsigned i = 0; i < d; i++)
        stride *= w->mesh.length[i];
    TRY_RETURN(reserve(w->g, RANKS, w->count, sizeof(uint32_t)));
    TRY_RETURN(reserve(w->g, COUNTS, bins, sizeof(uint32_t)));
    TRY_RETURN(mw_buffer_fill(b[RANKS], 0, w->count * sizeof(uint32_t), 0xff));
    TRY_RETURN(mw_buffer_fill(b[COUNTS], 0, bins * sizeof(uint32_t), 0));
    TRY_RETURN(launch_geometry_rank(w->set, mw_items(n), b[PLACES], b[RANKS], (uint32_t)n));
    return launch_geometry_count(w->set, mw_items(w->parts), w->labels, b[RANKS], b[COUNTS], (uint32_t)w->count,
                                 (uint32_t)w->g->cells, (uint32_t)w->each, stride, w->mesh.length[d]);
}

static int unwrap_touching(struct work *w, unsigned d, size_t n)
{
    struct mw_buffer *const *b = w->g->buffer;
    const uint32_t length = w->mesh.length[d], stretches = (length - 1) / GEOMETRY_STRETCH + 1;
    const size_t stored = stretches > 1 ? n * stretches : 0;
    TRY_RETURN(count_coordinates(w, d, n));
    TRY_RETURN(reserve(w->g, GAPS_OF_STRETCHES, stored + 1, sizeof(struct geometry_gaps)));
    TRY_RETURN(launch_geometry_gaps(w->set, mw_items(stored), b[COUNTS], b[GAPS_OF_STRETCHES], length, stretches,
                                    (uint32_t)stored));
    return launch_geometry_unwrap(w->set, mw_items(n), b[PLACES], b[COUNTS], b[GAPS_OF_STRETCHES], w->sizes, b[SUMS],
                                  b[BOUNDS], (uint32_t)w->count, length, stretches, (int32_t)d, (uint32_t)n);
}

/* Dimensions of length 1 need no unwrapping. */
static int unwrap_all(struct work *w)
{
    for (unsigned d = 0; d < w->g->dims; d++) {
        size_t n = 0;
        if (!w->g->periodic[d] || w->g->length[d] < 2)
            continue;
        TRY_RETURN(find_touching(w, d, &n));
        if (n > 0)
            TRY_RETURN(unwrap_touching(w, d, n));
    }
    return 0;
}

/* Moves results to the host: frees the device's copy. */
static int fetch_numbers(struct mw_geometry *g, unsigned kind, size_t bytes, void *to)
{
    TRY_RETURN(mw_buffer_read(g->buffer[kind], 0, bytes, to, NULL));
    mw_buffer_free(MW_PASS(g->buffer[kind]));
    return 0;
}

static int fetch(const struct work *w, struct found *found)
{
    const size_t planes = 2 * w->g->dims;
    struct found f = { .count = w->count };
    int rc;
    TRY(mw_new(f.count, planes * sizeof *f.sums, &f.sums));
    TRY(fetch_numbers(w->g, SUMS, f.count * planes * sizeof *f.sums, f.sums));
    TRY(mw_new(f.count, planes * sizeof *f.bounds, &f.bounds));
    TRY(fetch_numbers(w->g, BOUNDS, f.count * planes * sizeof *f.bounds, f.bounds));
    TRY(mw_new(f.count, sizeof *f.sizes, &f.sizes));
    TRY(mw_buffer_read(w->sizes, 0, f.count * sizeof *f.sizes, f.sizes, NULL));
    *found = MW_PASS(f);
out:
    found_clear(&f);
    return rc;
}

int mw_geometry_run(struct mw_geometry *geometry, struct mw_components *components)
{
    struct work w = { .g = geometry };
    found_clear(&geometry->found);
    TRY_RETURN(geometry_prepare(&w, components));
    if (w.count > 0) {
        TRY_RETURN(geometry_measure(&w));
        TRY_RETURN(unwrap_all(&w));
    }
    return fetch(&w, &geometry->found);
}

/* ---- results from integers ---- */

/* Returns n times the variance; the integer part of the mean is subtracted exactly. */
static double squares_about_mean(uint64_t n, uint64_t sum, uint64_t squares)
{
    const uint64_t whole = sum / n, rest = sum % n;
    return (double)(squares - 2 * whole * sum + n * whole * whole) - (double)rest * ((double)rest / (double)n);
}

/* Returns whether the sum of n squares below extent^2 may exceed 64 bits. */
static bool too_long(uint64_t n, uint64_t extent)
{
    uint64_t square;
    return __builtin_mul_overflow(extent, extent, &square) || __builtin_mul_overflow(n, square, &square);
}

int mw_geometry_component(const struct mw_geometry *g, size_t label, struct mw_component_geometry *component)
{
    const struct found *f = &g->found;
    const size_t c = label - 1;
    struct mw_component_geometry s = { .size = sizeof s, .gyration = NAN };
    double squares = 0;
    if (label < 1 || label > f->count)
        return mw_fail(MW_EINVAL, "geometry: label %zu is out of range (must be 1 to %zu)", label, f->count);
    s.cells = f->sizes[c];
    for (unsigned d = 0; d < g->dims && s.cells > 0; d++) {
        const size_t at = 2 * d * f->count + c;
        const uint64_t sum = f->sums[at], n = s.cells;
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
    if (s.cells > 0)
        s.gyration = sqrt(squares / (double)s.cells);
    return MW_RESULT_GIVE(mw_component_geometry, &s, gyration, component);
}
/* SPDX-License-Identifier: MIT */
