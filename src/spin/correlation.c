/* Correlations of spins at a distance along each dimension, and the size of domains. */
#include <math.h>

#include "model/model.h"
#include "prim/prim_internal.h"
#include "spin/spin_internal.h"
#include "kernels/native.h"
#include "kernels/spin/correlate.h"

/* Work-items per distance and pairs per work-item of one launch.  Some drivers stop loops after 65535 iterations, and
 * launches that take a second on GPUs with a display. */
enum { CORE_PARTS = 256, PARTS = 4096, CORE_PAIRS = 16384, PAIRS = 4096 };

/* How the pairs along a dimension are divided into work-items: arguments of the kernel. */
struct cut {
    int64_t all;
    int32_t each, piece, parts;
};

/* Divides lines into pieces; a work-item gets several if they are short.  A piece costs about three pairs of
 * overhead. */
static struct cut cut_of(int64_t count, int64_t line, bool cores)
{
    const int64_t piece = cores ? CORE_PAIRS : PAIRS, most = cores ? CORE_PARTS : PARTS;
    const int64_t all = count / line * ((line - 1) / piece + 1), each = piece / ((line < piece ? line : piece) + 3) + 1;
    const int64_t items = (all - 1) / each + 1;
    return (struct cut){ all, (int32_t)each, (int32_t)piece, (int32_t)(items < most ? items : most) };
}

/* Sums along one dimension: work-items on the device, then distances on the host. */
static int correlate(struct mw_spins *s, unsigned d, int64_t stride, size_t range, struct mw_buffer *cells, bool equal,
                     double *values)
{
    static const struct mw_prim_program program = {
        &kernels_spin_correlate, "", mw_native_spin_correlate, false, false, NULL
    };
    struct mw_prim *prim = s->parts[0].prim;
    const int64_t count = s->lattice.cells, length = s->lattice.length[d];
    const bool periodic = s->options.boundary[d] == MW_BOUNDARY_PERIODIC;
    const struct cut cut = cut_of(count, stride == 1 ? length : stride, prim->cores);
    const size_t group = prim->cores, parts = (size_t)cut.parts;
    const struct mw_range items = { .dims = 2, .global = { parts, range }, .group = { group, group } };
    const struct mw_kernel_set *set;
    struct mw_buffer *sums;
    int64_t *all = NULL;
    int rc;
    TRY(mw_new(parts * range, sizeof *all, &all));
    TRY(mw_prim_set(prim, &program, &set));
    TRY(mw_prim_reserve(prim, MW_PRIM_GUEST_1, parts * range, sizeof *all, &sums));
    for (int64_t first = 0; first < cut.all; first += (int64_t)cut.parts * cut.each)
        TRY(launch_spin_correlate(set, items, cells, sums, first, cut.each, cut.piece, cut.parts, (int32_t)range, count,
                                  (int32_t)length, stride, periodic, equal));
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

/* Computes means over pairs: of products, or of equality. */
static int means_of(struct mw_spins *s, size_t range, bool equal, double *values)
{
    struct mw_buffer *cells = NULL;
    int64_t stride = 1;
    int rc;
    if (s->systems > 1)
        return mw_fail(MW_EINVAL, "correlations need one system; these spins have %zu", s->systems);
    if (range < 1 || range > INT32_MAX / PARTS)
        return mw_fail(MW_EINVAL, "invalid correlation distance %zu (must be 1 to %d)", range, INT32_MAX / PARTS);
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
    if (s->model->info.spin.values > MW_SPIN_VALUES_WHOLE)
        return mw_fail(MW_EINVAL, "correlations need scalar spins (signs or whole numbers); model %s has none",
                       s->model->info.name);
    return means_of(s, range, false, values);
}

/* Computes the size from the pairs of neighbours that differ. */
int mw_spins_domain_size(struct mw_spins *s, double *size)
{
    const double cells = (double)s->lattice.cells;
    double near[MW_DIMS_MAX], area = 0, wide = 0;
    if (s->options.lattice != MW_LATTICE_HYPERCUBIC)
        return mw_fail(MW_EINVAL, "the domain size needs a hypercubic lattice; this one is %s",
                       mw_lattice_kinds(s->options.lattice)->name);
    TRY_RETURN(means_of(s, 1, true, near));
    for (unsigned d = 0; d < s->options.dims; d++) {
        const double length = (double)s->lattice.length[d];
        const double pairs = s->options.boundary[d] == MW_BOUNDARY_PERIODIC ? cells : cells / length * (length - 1);
        if (s->lattice.length[d] < 2)
            continue;
        wide++;
        area += nearbyint(pairs * (1 - near[d]));
    }
    *size = area > 0 ? wide * cells / area : INFINITY;
    return 0;
}
/* SPDX-License-Identifier: MIT */
