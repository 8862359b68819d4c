/* Measures of spins.  Segments of rows are summed and added in order, so results do not depend on the split. */
#include <math.h>

#include "model/model.h"
#include "spin/model/form.h"
#include "kernels/spin/model/update.h"

/* Copies the sums of all segments of one part, as written by the kernel. */
static int sum_part(struct mw_spin_device *p, int32_t number, double *sums)
{
    const struct mw_spins *s = p->whole;
    const size_t n = p->rows * mw_spin_model_segments(s) * 2;
    int32_t each;
    struct mw_range range = mw_spin_model_range(p, 1, (int32_t)p->rows, &each);
    range.global[0] = mw_spin_model_segments(s);
    TRY_RETURN(launch_model_sums(p->set, range, mw_spin_model_part(p)->sums, p->cells, p->rule,
                                 mw_spin_model_part(p)->frozen, p->plan, 0, (int32_t)p->rows, number));
    TRY_RETURN(mw_buffer_read(mw_spin_model_part(p)->sums, 0, n * mw_spin_model_real(s), sums, NULL));
    mw_spin_model_widen(s, sums, n);
    return 0;
}

/* Computes the sums of each system: of the energy (number -1) or of one component of the order. */
static int sum_all(struct mw_spins *s, int32_t number, double *scratch, double *of_systems)
{
    const size_t segments = mw_spin_model_segments(s) * 2 * (size_t)(s->lattice.cells / s->lattice.length[0]);
    for (size_t i = 0; i < s->count; i++) {
        TRY_RETURN(mw_spin_device_rule(&s->parts[i]));
        TRY_RETURN(
            sum_part(&s->parts[i], number, scratch + (size_t)s->parts[i].mesh.first * mw_spin_model_segments(s) * 2));
    }
    for (size_t system = 0; system < s->systems; system++) {
        of_systems[system] = 0;
        for (size_t i = 0; i < segments; i++)
            of_systems[system] += scratch[system * segments + i];
    }
    return 0;
}

/* Computes the order parameter per site from the sums of its components.  Signs and whole numbers: the mean.  Labels:
 * the share of the most frequent one, scaled so that chance gives 0.  Directions: the length of the mean. */
static double order(const struct mw_spins *s, size_t system, int count, const double *sums)
{
    const double cells = (double)s->lattice.cells;
    const enum mw_spin_values values = s->model->info.spin.values;
    double x = 0, y = 0, z = 0, most = 0;
    if (values == MW_SPIN_VALUES_SIGNS || values == MW_SPIN_VALUES_WHOLE)
        return sums[system] / cells;
    for (int i = 0; i < count; i++) {
        const double part = sums[(size_t)i * s->systems + system] / cells;
        most = fmax(most, part);
        x += values == MW_SPIN_VALUES_CLOCK ? part * cos(2 * M_PI * i / count) : i == 0 ? part : 0;
        y += values == MW_SPIN_VALUES_CLOCK ? part * sin(2 * M_PI * i / count) : i == 1 ? part : 0;
        z += values == MW_SPIN_VALUES_VECTOR && i == 2 ? part : 0;
    }
    return values != MW_SPIN_VALUES_LABELS ? sqrt(x * x + y * y + z * z)
           : count > 1                     ? (count * most - 1) / (count - 1)
                                           : 1;
}

int mw_spin_model_measure(struct mw_spins *s, struct mw_spin_measures *measures)
{
    const enum mw_spin_values values = s->model->info.spin.values;
    const int parts = values == MW_SPIN_VALUES_LABELS || values == MW_SPIN_VALUES_CLOCK ? s->values
                      : values == MW_SPIN_VALUES_ANGLE                                  ? 2
                      : values == MW_SPIN_VALUES_VECTOR                                 ? 3
                                                                                        : 1;
    double *scratch = NULL, *sums = NULL;
    int rc;
    const size_t rows = s->systems * (size_t)(s->lattice.cells / s->lattice.length[0]);
    TRY(mw_new(rows * mw_spin_model_segments(s) * 2, sizeof *scratch, &scratch));
    TRY(mw_new(s->systems * ((size_t)parts + 1), sizeof *sums, &sums));
    for (int i = -1; i < parts; i++)
        TRY(sum_all(s, i, scratch, sums + (size_t)(i + 1) * s->systems));
    for (size_t i = 0; i < s->systems; i++) {
        measures[i].energy = sums[i] / (double)s->lattice.cells;
        measures[i].magnetisation = order(s, i, parts, sums + s->systems);
    }
out:
    free(scratch);
    free(sums);
    return rc;
}
/* SPDX-License-Identifier: MIT */
