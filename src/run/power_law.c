/* Exponent of a power law, by a least-squares fit of logarithms. */
#include "base/base.h"

#include <meshwork/run.h>

#include <math.h>

int mw_power_law_fit(const double *t, const double *y, const double *errors, size_t n, double *exponent, double *error)
{
    double weights = 0, x_mean = 0, z_mean = 0, xx = 0, xz = 0, residuals = 0;
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < n; i++) {
            if (!(t[i] > 0 && y[i] > 0) || (errors && !(errors[i] > 0)))
                return mw_fail(MW_EINVAL,
                               "power law: point %zu (%g at %g) is invalid (values, positions and errors "
                               "must be positive)",
                               i, y[i], t[i]);
            const double x = log(t[i]), z = log(y[i]), w = errors ? y[i] * y[i] / (errors[i] * errors[i]) : 1;
            if (pass == 0) {
                weights += w;
                x_mean += w * x;
                z_mean += w * z;
            } else if (pass == 1) {
                xx += w * (x - x_mean / weights) * (x - x_mean / weights);
                xz += w * (x - x_mean / weights) * (z - z_mean / weights);
            } else {
                const double r = z - z_mean / weights - xz / xx * (x - x_mean / weights);
                residuals += w * r * r;
            }
        }
    if (n < 2 || !(xx > 0))
        return mw_fail(MW_EINVAL, "power law: needs two points at different positions (%zu given)", n);
    const double scatter = n > 2 ? sqrt(residuals / (double)(n - 2) / xx) : NAN, given = errors ? sqrt(1 / xx) : NAN;
    *exponent = xz / xx;
    *error = fmax(scatter, given); /* fmax returns the other one if one is NaN */
    return 0;
}
/* SPDX-License-Identifier: MIT */
