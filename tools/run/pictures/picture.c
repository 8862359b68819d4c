/* Quantities of states as planes, their ranges and maps. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/files.h"
#include "tools/run/pictures/picture.h"

#define FREE SIZE_MAX /* a dimension without an index in --slice */

/* ---- quantities ---- */

void shown_free(struct shown *shown)
{
    free(shown->owned);
    *shown = (struct shown){ 0 };
}

size_t shown_count(const struct run *r) { return r->set->show.count ? r->set->show.count : 1; }

const char *shown_name(const struct run *r, size_t i) { return r->set->show.count ? r->set->show.item[i] : NULL; }

enum { PART = 512 }; /* values at a time */

#define COPY_VALUES(type)                                                                                              \
    for (size_t i = 0; i < n; i++)                                                                                     \
    to[i] = (double)((const type *)data)[first + i * stride]

/* Copies n values of a system, `stride` apart. */
static void copy_values(const struct shown *shown, size_t system, size_t first, size_t stride, size_t n, double *to)
{
    const void *data = (const char *)shown->values.data + system * shown->stride;
    switch (shown->values.type) {
    case MW_TYPE_I8: COPY_VALUES(int8_t); break;
    case MW_TYPE_F32: COPY_VALUES(float); break;
    default: COPY_VALUES(double);
    }
}

/* Makes those of n values NaN that are outside the domain. */
static void leave_holes(const struct shown *shown, size_t system, size_t first, size_t n, double *values)
{
    const struct shown domain = { .values = { .type = shown->values.type, .data = (void *)shown->domain } };
    double inside[PART];
    copy_values(&domain, 0, system * shown->values.count + first, 1, n, inside);
    for (size_t i = 0; i < n; i++)
        values[i] = inside[i] > 0 ? values[i] : NAN;
}

int shown_leave_holes(struct shown *shown)
{
    double values[PART], *all;
    const size_t count = shown->values.count;
    if (!shown->domain)
        return 0;
    TRY_RETURN(mw_new(shown->systems * count, sizeof(*all), &all));
    for (size_t s = 0; s < shown->systems; s++)
        for (size_t i = 0; i < count; i += PART) {
            const size_t n = mw_min(count - i, PART);
            copy_values(shown, s, i, 1, n, values);
            leave_holes(shown, s, i, n, values);
            memcpy(all + s * count + i, values, n * sizeof(*values));
        }
    free(shown->owned);
    shown->owned = shown->values.data = all;
    shown->values.type = MW_TYPE_F64;
    shown->stride = count * sizeof(*all);
    shown->domain = NULL;
    shown->has_holes = true;
    return 0;
}

void shown_range(const struct shown *shown, double *lo, double *hi)
{
    enum { LANES = 8 };
    double values[PART], least[LANES], most[LANES];
    for (size_t k = 0; k < LANES; k++) {
        least[k] = INFINITY;
        most[k] = -INFINITY;
    }
    for (size_t s = 0; s < shown->systems; s++)
        for (size_t i = 0; i < shown->values.count; i += PART) {
            const size_t n = shown->values.count - i < PART ? shown->values.count - i : PART;
            copy_values(shown, s, i, 1, n, values);
            if (shown->domain)
                leave_holes(shown, s, i, n, values);
            for (size_t k = n; k % LANES; k++)
                values[k] = values[0];
            for (size_t k = 0; k < n; k += LANES)
                for (size_t l = 0; l < LANES; l++) { /* without fmin, which no compiler makes a vector of */
                    const double v = values[k + l];
                    least[l] = v < least[l] && v >= -DBL_MAX ? v : least[l];
                    most[l] = v > most[l] && v <= DBL_MAX ? v : most[l];
                }
        }
    *lo = least[0];
    *hi = most[0];
    for (size_t k = 1; k < LANES; k++) {
        *lo = fmin(*lo, least[k]);
        *hi = fmax(*hi, most[k]);
    }
    if (*lo > *hi) /* no value is finite */
        *lo = *hi = 0;
}

/* ---- the range ---- */

enum { RANGE_EACH, RANGE_FIRST, RANGE_ALL, RANGE_GIVEN };

static int read_range(struct run *r)
{
    struct run_picture *p = &r->observe.picture;
    const char *text = r->set->range;
    p->range = RANGE_EACH;
    if (!text)
        return 0;
    p->range = !strcmp(text, "first") ? RANGE_FIRST : !strcmp(text, "all") ? RANGE_ALL : RANGE_GIVEN;
    if (p->range == RANGE_ALL && r->set->every && r->set->figure && file_has_number(r->set->figure))
        return mw_fail(MW_EINVAL,
                       "--range all is for --png, --film and --sheet: figures are written before the range of all is "
                       "known; give LO,HI or first");
    if (p->range != RANGE_GIVEN)
        return 0;
    if (text_range(text, &p->lo, &p->hi) && p->lo < p->hi)
        return 0;
    return mw_fail(MW_EINVAL, "--range: '%s': expected LO,HI with LO below HI, as in -1,1, or first or all", text);
}

bool picture_waits(const struct run *r)
{
    return r->observe.picture.range == RANGE_ALL && r->set->every && strcmp(r->set->png, "-") != 0;
}

bool picture_is_fixed(const struct run *r)
{
    return r->observe.picture.range == RANGE_FIRST || r->observe.picture.range == RANGE_GIVEN;
}

/* Returns whether a quantity is the one of plain pictures and films, which have one map. */
static bool is_first(const struct run *r, const struct shown *shown)
{
    return !r->set->show.count || !strcmp(shown->name, r->set->show.item[0]);
}

const char *picture_colours(struct run *r, const struct shown *shown)
{
    struct run_picture *p = &r->observe.picture;
    if (r->set->colours)
        return r->set->colours;
    if (!is_first(r, shown))
        return shown->colours;
    if (!p->colours)
        p->colours = shown->colours;
    return p->colours;
}

/* A diverging map has 0 in its middle, unless it is that of kinds or of a plane. */
static void own_range(struct run *r, const struct shown *shown, double *lo, double *hi)
{
    *lo = shown->lo;
    *hi = shown->hi;
    if (*lo == *hi)
        shown_range(shown, lo, hi);
    if (!strcmp(picture_colours(r, shown), "coolwarm") && !shown->is_plane && !shown->is_discrete) {
        *hi = fmax(fabs(*lo), fabs(*hi));
        *lo = -*hi;
    }
}

void picture_range(struct run *r, const struct shown *shown, double *lo, double *hi)
{
    struct run_picture *p = &r->observe.picture;
    const bool mine = is_first(r, shown);
    if (mine && (p->range == RANGE_GIVEN || (p->range == RANGE_FIRST && p->known))) {
        *lo = p->lo;
        *hi = p->hi;
        return;
    }
    own_range(r, shown, lo, hi);
    if (mine && p->range == RANGE_FIRST) {
        p->lo = *lo;
        p->hi = *hi;
        p->known = true;
    }
}

/* ---- planes ---- */

/* Reads --slice: NAME=INDEX,... */
static int read_slice(struct run *r)
{
    struct run_picture *p = &r->observe.picture;
    const struct size *size = &r->set->mesh.size;
    char name[64];
    for (unsigned d = 0; d < MW_DIMS_MAX; d++)
        p->at[d] = FREE;
    for (const char *word = r->set->slice; word && *word;) {
        const size_t n = strcspn(word, ",");
        const char *equal = memchr(word, '=', n);
        char *end = NULL;
        unsigned d = 0;
        snprintf(name, sizeof(name), "%.*s", equal ? (int)(equal - word) : 0, word);
        while (d < size->dims && strcmp(axis_names[d], name) != 0)
            d++;
        const unsigned long long at = equal && mw_is_digit(equal[1]) ? strtoull(equal + 1, &end, 10) : 0;
        if (d == size->dims || end != word + n || at >= size->length[d] || p->at[d] != FREE)
            return mw_fail(MW_EINVAL,
                           "--slice: '%.*s': expected a dimension of the mesh once, and an index below its length, "
                           "as in z=20",
                           (int)n, word);
        p->at[d] = at;
        word += n + (word[n] == ',');
    }
    unsigned free_dims = 0;
    for (unsigned d = 0; d < size->dims; d++)
        free_dims += p->at[d] == FREE;
    if (r->set->slice && free_dims < 2)
        return mw_fail(MW_EINVAL, "--slice %s leaves no plane of the mesh: fix fewer dimensions", r->set->slice);
    return 0;
}

struct plane picture_plane(const struct run *r, const struct shown *shown)
{
    const struct run_picture *p = &r->observe.picture;
    const struct size *size = &r->set->mesh.size;
    struct plane plane = { .across = size->dims, .down = size->dims };
    if (shown->is_plane)
        return (struct plane){ .down = 1 };
    for (unsigned d = 0; d < size->dims; d++) {
        plane.at[d] = p->at[d] == FREE ? size->length[d] / 2 : p->at[d];
        if (p->at[d] == FREE && plane.across == size->dims)
            plane.across = plane.down = d;
        else if (p->at[d] == FREE && plane.down == plane.across)
            plane.down = d;
    }
    return plane;
}

/* Rectangles of cells become the mean of their finite values, or their first cell. */
static int cut_rectangles(const struct shown *shown, size_t system, const struct plane *plane, size_t most,
                          struct mw_array *cells)
{
    const size_t *length = shown->values.length;
    const bool line = plane->across == plane->down;
    const size_t nx = length[plane->across], ny = line ? 1 : length[plane->down], longest = nx > ny ? nx : ny;
    const size_t wide = most ? ((plane->in_squares ? longest : nx) - 1) / most + 1 : 1;
    const size_t high = most ? ((plane->in_squares ? longest : ny) - 1) / most + 1 : 1;
    const bool means = wide * high > 1 && !shown->is_discrete;
    const size_t across = (nx - 1) / wide + 1, down = (ny - 1) / high + 1;
    size_t stride[MW_DIMS_MAX + 1] = { 1 }, first = 0;
    for (unsigned d = 0; d < shown->values.dims; d++) {
        stride[d + 1] = stride[d] * length[d];
        first += d == plane->across || d == plane->down ? 0 : plane->at[d] * stride[d];
    }
    double *row = NULL, *finite = NULL;
    int rc;
    TRY(mw_array_new(MW_TYPE_F64, 2, (size_t[]){ across, down }, cells));
    TRY(mw_new(nx, sizeof(*row), &row));
    TRY(mw_new(means ? across * down : 1, sizeof(*finite), &finite)); /* numbers of finite values */
    for (size_t y = 0; y < ny; y++) {
        double *to = (double *)cells->data + y / high * across;
        const size_t start = first + (line ? 0 : y * stride[plane->down]);
        if (shown->is_discrete && y % high)
            continue;
        copy_values(shown, system, start, stride[plane->across], nx, wide * high == 1 ? to : row);
        for (size_t x = 0; wide * high > 1 && x < nx; x++)
            if (!means && x % wide == 0) {
                to[x / wide] = row[x];
            } else if (means && isfinite(row[x])) {
                to[x / wide] += row[x];
                finite[y / high * across + x / wide]++;
            }
    }
    for (size_t i = 0; means && i < across * down; i++)
        ((double *)cells->data)[i] = finite[i] > 0 ? ((double *)cells->data)[i] / finite[i] : NAN;
out:
    free(finite);
    free(row);
    return rc;
}

/* ---- lattices in space ---- */

/* A lattice in the form of its primitive vectors and their inverse. */
struct space {
    unsigned dims;
    double basis[3][3], inverse[3][3]; /* row: vector; inverse: coordinates = point times it */
};

static void invert(struct space *s)
{
    double m[3][6] = { { 0 } };
    for (unsigned i = 0; i < s->dims; i++) {
        memcpy(m[i], s->basis[i], sizeof(s->basis[i]));
        m[i][3 + i] = 1;
    }
    for (unsigned i = 0; i < s->dims; i++) {
        unsigned pivot = i;
        for (unsigned k = i + 1; k < s->dims; k++)
            pivot = fabs(m[k][i]) > fabs(m[pivot][i]) ? k : pivot;
        for (unsigned c = 0; c < 6; c++) {
            const double swapped = m[i][c];
            m[i][c] = m[pivot][c];
            m[pivot][c] = swapped;
        }
        for (unsigned c = 6; c-- > 0;)
            m[i][c] /= m[i][i];
        for (unsigned k = 0; k < s->dims; k++)
            for (unsigned c = 6; k != i && c-- > 0;)
                m[k][c] -= m[k][i] * m[i][c];
    }
    for (unsigned i = 0; i < s->dims; i++)
        memcpy(s->inverse[i], &m[i][3], sizeof(s->inverse[i]));
}

static struct space space_of(const struct mw_lattice_kind_info *lattice)
{
    struct space s = { .dims = lattice->dims };
    for (unsigned i = 0; i < s.dims; i++)
        memcpy(s.basis[i], lattice->basis[i], s.dims * sizeof(double));
    invert(&s);
    return s;
}

/* Returns the cell nearest to a point, of the periodic lattice: the nearest of the corners of the parallelepiped that
 * contains it, and their neighbours. */
static size_t nearest(const struct space *s, const size_t *length, const double *point)
{
    double best = INFINITY;
    size_t cell = 0;
    long base[3] = { 0 };
    for (unsigned i = 0; i < s->dims; i++) {
        double x = 0;
        for (unsigned k = 0; k < s->dims; k++)
            x += point[k] * s->inverse[k][i];
        base[i] = (long)floor(x);
    }
    for (unsigned corner = 0; corner < (s->dims == 2 ? 16u : 64u); corner++) {
        double distance = 0;
        size_t at = 0, stride = 1;
        long c[3];
        for (unsigned i = 0; i < s->dims; i++) {
            const long n = (long)length[i];
            c[i] = base[i] + (long)(corner >> 2 * i & 3) - 1;
            at += (size_t)((c[i] % n + n) % n) * stride;
            stride *= length[i];
        }
        for (unsigned k = 0; k < s->dims; k++) {
            double x = -point[k];
            for (unsigned i = 0; i < s->dims; i++)
                x += (double)c[i] * s->basis[i][k];
            distance += x * x;
        }
        if (distance < best - 1e-9) {
            best = distance;
            cell = at;
        }
    }
    return cell;
}

/* The plane at a height of `at[2]` layers; its sides are those of the mesh if its vectors were orthogonal. */
static int cut_space(const struct shown *shown, size_t system, const struct plane *plane, size_t most,
                     struct mw_array *cells, double extent[2])
{
    enum { SAMPLES = 4 }; /* per unit */
    const struct space s = space_of(shown->lattice);
    const size_t *length = shown->values.length;
    double layer = 0;
    for (unsigned i = 0; i < s.dims && s.dims == 3; i++)
        layer = fmax(layer, fabs(s.basis[i][2]));
    for (unsigned i = 0; i < 2; i++)
        extent[i] =
            (double)length[i] *
            (s.dims == 2 && i == 1
                 ? fabs(s.basis[1][1])
                 : sqrt(s.basis[i][0] * s.basis[i][0] + s.basis[i][1] * s.basis[i][1] + s.basis[i][2] * s.basis[i][2]));
    const double longest = fmax(extent[0], extent[1]), limit = most ? (double)most : 8192;
    const double per_unit = fmin(fmax(SAMPLES, PICTURE_PIXELS / longest), limit / longest);
    TRY_RETURN(mw_array_new(MW_TYPE_F64, 2,
                            (size_t[]){ (size_t)fmax(1, extent[0] * per_unit), (size_t)fmax(1, extent[1] * per_unit) },
                            cells));
    for (size_t y = 0; y < cells->length[1]; y++)
        for (size_t x = 0; x < cells->length[0]; x++) {
            const double point[] = { ((double)x + 0.5) / per_unit, ((double)y + 0.5) / per_unit,
                                     s.dims == 3 ? layer * (double)plane->at[2] : 0 };
            copy_values(shown, system, nearest(&s, length, point), 1, 1,
                        (double *)cells->data + y * cells->length[0] + x);
        }
    return 0;
}

int picture_cut(const struct run *r, const struct shown *shown, size_t system, const struct plane *plane, size_t most,
                struct mw_array *cells, double extent[2])
{
    if (shown->lattice)
        return cut_space(shown, system, plane, most, cells, extent);
    for (int i = 0; i < 2; i++) {
        const unsigned d = i ? plane->down : plane->across;
        extent[i] = (double)shown->values.length[d] * run_spacing(r, d);
    }
    return cut_rectangles(shown, system, plane, most, cells);
}

int picture_prepare(struct run *r)
{
    const double zero = 0;
    const struct mw_array one = { .type = MW_TYPE_F64, .dims = 1, .length = { 1 }, .count = 1, .data = (void *)&zero };
    unsigned char rgb[3];
    int rc;
    if (r->set->colours && (rc = mw_colour_pixels(&one, r->set->colours, 0, 1, rgb)) != 0)
        return mw_fail_in(rc, "--colours");
    TRY_RETURN(options_check_outputs(r->command));
    TRY_RETURN(read_range(r));
    TRY_RETURN(read_slice(r));
    for (size_t i = 0; i < shown_count(r); i++)
        TRY_RETURN(r->kind->observe.show(r, shown_name(r, i), NULL));
    TRY_RETURN(figure_prepare(r));
    return film_prepare(r);
}
/* SPDX-License-Identifier: MIT */
