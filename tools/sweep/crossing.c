/* meshwork sweep: the crossing of the Binder cumulants of two sizes, an estimate of the critical point up to
 * corrections that vanish for large sizes.
 *
 * A cumulant falls from 2/3 to 0 in a step that narrows with the size.  Its logit log(U / (2/3 - U)) is almost a
 * straight line, so points may be far apart.  The sign of the difference of two logits changes at the crossing.  The
 * change is located where the signs, weighted by their certainty, contradict it least.  The zero of a parabola through
 * the nearby points is the crossing. */
#include <math.h>

#include "tools/sweep/sweep.h"

#define ABOUT 3 /* points of the fit on either side */
#define FITTED (2 * ABOUT)
#define TERMS 3

struct difference {
    double x, value, error;
};

static int by_x(const void *a, const void *b)
{
    const struct difference *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Computes the logit with its error; false: the value is out of range or has no error. */
static bool logit(struct mw_spin_estimate u, struct mw_spin_estimate *y)
{
    const double most = 2.0 / 3;
    if (!(u.error > 0) || !(u.value > 0) || !(u.value < most))
        return false;
    *y = (struct mw_spin_estimate){ log(u.value / (most - u.value)), u.error * (1 / u.value + 1 / (most - u.value)) };
    return true;
}

/* Collects the points at which both sizes have an error, in ascending order. */
static size_t differences(const struct sweep *s, const struct sweep_size *a, const struct sweep_size *b,
                          struct difference *d)
{
    size_t count = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        struct mw_spin_estimate u, v;
        if (logit(a->found[i].binder, &u) && logit(b->found[i].binder, &v))
            d[count++] = (struct difference){ s->points[i].value, v.value - u.value, hypot(u.error, v.error) };
    }
    qsort(d, count, sizeof(*d), by_x);
    return count;
}

/* Returns the first point after the change of sign; 0: none. */
static size_t find_change(const struct difference *d, size_t count)
{
    double sum = 0, all = 0, most = 0;
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        all += d[i].value / d[i].error;
    for (size_t i = 0; i + 1 < count; i++) {
        sum += d[i].value / d[i].error;
        /* sum below the change, minus the sum above */
        if (fabs(2 * sum - all) > most) {
            most = fabs(2 * sum - all);
            found = i + 1;
        }
    }
    return most > fabs(all) ? found : 0;
}

/* Solves a positive definite system of `terms` equations; false: it is not positive definite. */
static bool solve(double m[TERMS][TERMS + 1], unsigned terms)
{
    for (unsigned k = 0; k < terms; k++) {
        if (!(m[k][k] > 0))
            return false;
        for (unsigned i = 0; i < terms; i++) {
            const double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (unsigned j = k; j <= terms; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (unsigned k = 0; k < terms; k++)
        m[k][terms] /= m[k][k];
    return true;
}

/* Returns the zero nearest to `middle` of the polynomial fitted to the points; NAN: none. */
static double zero_of(const struct difference *d, size_t count, double middle, double width)
{
    const unsigned terms = count >= 5 ? 3 : 2;
    double m[TERMS][TERMS + 1] = { { 0 } };
    for (size_t i = 0; i < count; i++) {
        const double x = (d[i].x - middle) / width, weight = 1 / (d[i].error * d[i].error);
        const double power[TERMS] = { 1, x, x * x };
        for (unsigned j = 0; j < terms; j++) {
            for (unsigned k = 0; k < terms; k++)
                m[j][k] += weight * power[j] * power[k];
            m[j][terms] += weight * power[j] * d[i].value;
        }
    }
    if (!solve(m, terms) || m[1][terms] == 0)
        return NAN;
    const double a = m[0][terms], b = m[1][terms], c = terms > 2 ? m[2][terms] : 0;
    const double root = b * b - 4 * a * c;
    if (root < 0)
        return NAN;
    /* Chooses the zero at which the slope has the sign of the slope at the middle; this form avoids cancellation. */
    return middle - width * 2 * a / (b + copysign(sqrt(root), b));
}

bool sweep_crossing(const struct sweep *s, const struct sweep_size *a, const struct sweep_size *b,
                    struct mw_spin_estimate *crossing)
{
    struct difference *d = NULL, near[FITTED];
    bool found = false;
    size_t count, change;
    if (mw_new(s->point_count, sizeof(*d), &d) != 0)
        return false;
    count = differences(s, a, b, d);
    change = find_change(d, count);
    if (change) {
        const size_t first = change > ABOUT ? change - ABOUT : 0;
        const size_t n = (count - first < FITTED ? count : first + FITTED) - first;
        const double middle = (d[change - 1].x + d[change].x) / 2, width = d[first + n - 1].x - d[first].x;
        double squares = 0;
        memcpy(near, d + first, n * sizeof(*near));
        crossing->value = zero_of(near, n, middle, width);
        for (size_t i = 0; i < n; i++) {
            near[i].value = d[first + i].value + near[i].error;
            const double above = zero_of(near, n, middle, width);
            near[i].value = d[first + i].value - near[i].error;
            squares += pow((above - zero_of(near, n, middle, width)) / 2, 2);
            near[i].value = d[first + i].value;
        }
        crossing->error = sqrt(squares);
        found = crossing->value >= d[first].x && crossing->value <= d[first + n - 1].x;
    }
    free(d);
    return found;
}
/* Sorts by size, ascending. */
static int by_cells(const void *a, const void *b)
{
    const struct sweep_size *p = *(const struct sweep_size *const *)a, *q = *(const struct sweep_size *const *)b;
    return (p->cells > q->cells) - (p->cells < q->cells);
}

int sweep_sizes_sorted(const struct sweep *s, const struct sweep_size ***sorted)
{
    TRY_RETURN(mw_new(s->size_count, sizeof(**sorted), sorted));
    for (size_t i = 0; i < s->size_count; i++)
        (*sorted)[i] = &s->sizes[i];
    qsort(*sorted, s->size_count, sizeof(**sorted), by_cells);
    return 0;
}
/* SPDX-License-Identifier: MIT */
