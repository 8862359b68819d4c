/* The correlation of spins a distance apart along each dimension. */
#include <math.h>
#include <stdlib.h>

#include "prim/prim_internal.h"
#include "spin/spin_internal.h"
#include "kernels/native.h"
#include "kernels/spin/correlate.h"

enum { CORE_PARTS = 256, PARTS = 4096 };     /* items of a distance, where these are cores, and where not */

/* Along a dimension: sums of items, then of distances. */
static int correlate(struct mw_spins *s, unsigned d, int64_t stride, size_t range, struct mw_buffer *cells, bool equal,
                     double *values)
{
    static const struct mw_prim_program program = { &kernels_spin_correlate, "", mw_native_spin_correlate, false,
                                                    false };
    struct mw_prim *prim = s->parts[0].prim;
    const int64_t count = s->lattice.cells, length = s->lattice.length[d], lines = count / (d ? stride : length);
    const bool periodic = s->options.boundary[d] == MW_BOUNDARY_PERIODIC;
    const size_t most = prim->cores ? CORE_PARTS : PARTS, parts = lines < (int64_t)most ? (size_t)lines : most;
    const size_t group = prim->cores;
    const struct mw_range items = { .dims = 2, .global = { parts, range }, .group = { group, group } };
    const struct mw_kernel_set *set;
    struct mw_buffer *sums;
    int64_t *all = NULL;
    int rc;
    TRY(mw_new(parts * range, sizeof *all, &all));
    TRY(mw_prim_set(prim, &program, &set));
    TRY(mw_prim_reserve(prim, MW_PRIM_GUEST_1, parts * range, sizeof *all, &sums));
    TRY(launch_spin_correlate(set, items, cells, sums, (int32_t)parts, (int32_t)range, count, (int32_t)length, stride,
                              periodic, equal));
    TRY(mw_buffer_read(sums, 0, parts * range * sizeof *all, all, NULL));
    for (size_t r = 0; r < range; r++) {
        const double pairs = (double)(count / length) * (double)(periodic ? length : length - (int64_t)r - 1);
        double sum = 0;
        for (size_t part = 0; part < parts; part++)
            sum += (double)all[r * parts + part];
        values[r] = (int64_t)r + 1 < length ? sum / pairs : NAN;
    }
out:
    free(all);
    return rc;
}

/* Means over pairs, of products, or of those that are equal. */
static int means_of(struct mw_spins *s, size_t range, bool equal, double *values)
{
    struct mw_buffer *cells = NULL;
    int64_t stride = 1;
    int rc;
    if (s->systems > 1)
        return mw_fail(MW_EINVAL, "correlations are of one system, and there are %zu", s->systems);
    if (range < 1 || range > INT32_MAX / PARTS)
        return mw_fail(MW_EINVAL, "correlations up to a distance of %zu: it lies between 1 and %d", range,
                       INT32_MAX / PARTS);
    TRY(mw_buffer_new(s->parts[0].device, (size_t)s->lattice.cells, &cells));
    TRY(mw_spins_cells(s, cells));
    for (unsigned d = 0; d < s->options.dims; stride *= s->lattice.length[d++])
        TRY(correlate(s, d, stride, range, cells, equal, values + d * range));
out:
    mw_buffer_free(cells);
    return rc;
}

int mw_spins_correlation(struct mw_spins *s, size_t range, double *values)
{
    return means_of(s, range, false, values);
}

/* From the pairs of neighbours that differ. */
int mw_spins_domain_size(struct mw_spins *s, double *size)
{
    const double cells = (double)s->lattice.cells;
    double near[MW_DIMS_MAX], area = 0, wide = 0;
    int rc;
    TRY(means_of(s, 1, true, near));
    for (unsigned d = 0; d < s->options.dims; d++) {
        const double length = (double)s->lattice.length[d];
        const double pairs = s->options.boundary[d] == MW_BOUNDARY_PERIODIC ? cells : cells / length * (length - 1);
        if (s->lattice.length[d] < 2)
            continue;
        wide++;
        area += nearbyint(pairs * (1 - near[d]));
    }
    *size = area > 0 ? wide * cells / area : INFINITY;
out:
    return rc;
}
