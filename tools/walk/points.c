/* meshwork walk: measured steps and what follows from them: means, exponents, and checkpoint contents. */
#include <inttypes.h>
#include <math.h>

#include "tools/walk/walk.h"

#define MEASUREMENTS_MOST 10000000 /* maximum number of kept values */
#define DECADES 2                  /* default range of the fit: the last decades */
#define EXPONENT_ROUNDING 1e-9
#define HALF_LEAST 4 /* minimum points in half a range */

/* ---- selection ---- */

/* Parses the next whole number, 1 or more, of a comma-separated list. */
static int next_step(const char *option, const char *list, const char **at, uint64_t *step)
{
    const size_t length = strcspn(*at, ",");
    char text[64];
    mw_copy_string(text, length < sizeof(text) ? length + 1 : sizeof(text), *at);
    if (value_count(text, 1, 0, step) || ((*at)[length] && !(*at)[length + 1]))
        return mw_fail(MW_EINVAL, "--%s: '%s' is not a list of steps (1 or more, separated by commas)", option, list);
    *at += length + ((*at)[length] == ',');
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the steps, removes duplicates and steps beyond the last, and adds the last step. */
static void tidy(struct walk_run *own, uint64_t steps)
{
    size_t n = 0;
    own->at[own->at_count++] = steps;
    qsort(own->at, own->at_count, sizeof(*own->at), by_value);
    for (size_t i = 0; i < own->at_count; i++)
        if (own->at[i] <= steps && (n == 0 || own->at[n - 1] != own->at[i]))
            own->at[n++] = own->at[i];
    own->at_count = n;
}

static int read_list(struct walk_run *own, uint64_t steps)
{
    size_t most = 2;
    for (const char *c = own->set->at; *c; c++)
        most += *c == ',';
    TRY_RETURN(mw_new(most, sizeof(*own->at), &own->at));
    for (const char *c = own->set->at; own->at_count == 0 || *c; own->at_count++) {
        TRY_RETURN(next_step("at", own->set->at, &c, &own->at[own->at_count]));
        if (own->at[own->at_count] > steps)
            return mw_fail(MW_EINVAL, "--at: step %" PRIu64 " is after the last one, --steps %" PRIu64,
                           own->at[own->at_count], steps);
    }
    return 0;
}

static int spread(struct walk_run *own, uint64_t steps)
{
    const double each = (double)own->set->points;
    const double count = floor(log10((double)steps) * each) + 1;
    TRY_RETURN(mw_new((size_t)count + 2, sizeof(*own->at), &own->at));
    for (; own->at_count < (size_t)count; own->at_count++)
        own->at[own->at_count] = (uint64_t)nearbyint(pow(10, (double)own->at_count / each));
    return 0;
}

static bool is_listed(const struct walk_run *own) { return strcmp(own->set->at, "none") != 0; }

static int read_fit(struct walk_run *own)
{
    const char *fit = own->set->fit, *at = fit;
    if (!strcmp(fit, "auto"))
        return 0;
    if (next_step("fit", fit, &at, &own->fit_from) || next_step("fit", fit, &at, &own->fit_to) || *at ||
        own->fit_from >= own->fit_to)
        return mw_fail(MW_EINVAL, "--fit: '%s': expected FROM,TO, two steps with FROM < TO", fit);
    return 0;
}

int walk_points(struct run *r)
{
    struct walk_run *own = r->own;
    if (is_listed(own) && option_is_given(r->command, "at") && option_is_given(r->command, "points"))
        return mw_fail(MW_EINVAL, "--at and --points exclude each other: give one of them");
    TRY_RETURN(is_listed(own) && !option_is_given(r->command, "points") ? read_list(own, r->set->steps)
                                                                        : spread(own, r->set->steps));
    tidy(own, r->set->steps);
    if (own->at_count > MEASUREMENTS_MOST / own->runs)
        return mw_fail(MW_ELIMIT,
                       "--runs %zu and %zu steps give too many measurements (maximum: %d): choose fewer "
                       "--runs, --points or steps of --at",
                       own->runs, own->at_count, MEASUREMENTS_MOST);
    TRY_RETURN(read_fit(own));
    TRY_RETURN(mw_new(own->runs * own->at_count, sizeof(*own->measured), &own->measured));
    TRY_RETURN(mw_new(own->runs, sizeof(*own->checksums), &own->checksums));
    for (size_t i = 0; i < own->runs * own->at_count; i++)
        own->measured[i].square_displacement = NAN;
    return 0;
}

/* ---- results ---- */

size_t walk_mean(const struct walk_run *own, size_t point, struct walk_measures *mean)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    *mean = (struct walk_measures){ NAN, NAN, 1 };
    for (size_t run = 0; run < own->runs; run++) {
        const struct walk_measures *m = &own->measured[run * own->at_count + point];
        if (isnan(m->square_displacement))
            continue;
        n++;
        sum += m->square_displacement;
        mean->error = m->error;
        if (fabs(m->total - 1) > fabs(mean->total - 1))
            mean->total = m->total;
    }
    if (n > 0)
        mean->square_displacement = sum / (double)n;
    if (n < 2)
        return n;
    for (size_t run = 0; run < own->runs; run++) {
        const double y = own->measured[run * own->at_count + point].square_displacement;
        if (!isnan(y))
            squares += (y - sum / (double)n) * (y - sum / (double)n);
    }
    mean->error = sqrt(squares / (double)n / (double)(n - 1));
    return n;
}

double walk_local_exponent(const struct walk_run *own, size_t point)
{
    struct walk_measures before, after;
    if (point == 0 || point + 1 >= own->at_count)
        return NAN;
    walk_mean(own, point - 1, &before);
    walk_mean(own, point + 1, &after);
    if (!(before.square_displacement > 0 && after.square_displacement > 0))
        return NAN;
    return log(after.square_displacement / before.square_displacement) /
           log((double)own->at[point + 1] / (double)own->at[point - 1]);
}

/* The data of a fit: per measured point its step, and the sum over the walks with their number, as reals. */
struct points {
    double *t, *y, *errors, *sum, *walks;
};

static bool is_fitted(const struct walk_run *own, const struct walk_fit *fit, size_t point)
{
    return own->at[point] >= fit->from && own->at[point] <= fit->to;
}

static void fit_line(const struct points *p, bool weighted, struct walk_fit *fit)
{
    if (fit->points < 2 ||
        mw_power_law_fit(p->t, p->y, weighted ? p->errors : NULL, fit->points, &fit->exponent, &fit->error) != 0)
        fit->exponent = fit->error = NAN;
}

static void fit_means(const struct walk_run *own, const struct points *p, struct walk_fit *fit)
{
    bool weighted = own->runs == 1; /* errors of the walkers themselves; with several walks the jackknife gives
                                              * better ones */

    fit->points = 0;
    for (size_t i = 0; i < own->at_count; i++) {
        struct walk_measures mean;
        if (!is_fitted(own, fit, i) || !walk_mean(own, i, &mean) || !(mean.square_displacement > 0))
            continue;
        p->t[fit->points] = (double)own->at[i];
        p->y[fit->points] = mean.square_displacement;
        p->errors[fit->points++] = mean.error;
        weighted = weighted && mean.error > 0;
    }
    fit_line(p, weighted, fit);
}

static void add_up(const struct walk_run *own, const struct points *p)
{
    for (size_t run = 0; run < own->runs; run++)
        for (size_t i = 0; i < own->at_count; i++) {
            const double y = own->measured[run * own->at_count + i].square_displacement;
            p->sum[i] += isnan(y) ? 0 : y;
            p->walks[i] += !isnan(y);
        }
}

/* Fits the means of all walks but one. */
static void fit_without(const struct walk_run *own, size_t run, const struct points *p, struct walk_fit *fit)
{
    fit->points = 0;
    for (size_t i = 0; i < own->at_count; i++) {
        const double y = own->measured[run * own->at_count + i].square_displacement;
        const double mean = isnan(y) ? p->sum[i] / p->walks[i] : (p->sum[i] - y) / (p->walks[i] - 1);
        if (!is_fitted(own, fit, i) || !(mean > 0))
            continue;
        p->t[fit->points] = (double)own->at[i];
        p->y[fit->points++] = mean;
    }
    fit_line(p, false, fit);
}

/* Returns whether a walk has measurements in the fit's range.  After a restart with other points, some walks may lack
 * the new ones. */
static bool has_part(const struct walk_run *own, size_t run, const struct walk_fit *fit)
{
    bool has = false;
    for (size_t i = 0; i < own->at_count; i++)
        has |= is_fitted(own, fit, i) && !isnan(own->measured[run * own->at_count + i].square_displacement);
    return has;
}

/* Jackknife error over several walks.  Neighbouring points of one walk deviate together, so the scatter about the
 * fitted line does not measure the error.  If a single walk determines the exponent, there is no error. */
static void jackknife(const struct walk_run *own, const struct points *p, struct walk_fit *fit)
{
    double sum = 0, squares = 0;
    size_t n = 0;
    add_up(own, p);
    for (size_t run = 0; run < own->runs; run++) {
        struct walk_fit part = *fit;
        if (!has_part(own, run, fit))
            continue;
        fit_without(own, run, p, &part);
        sum += part.exponent - fit->exponent;
        squares += (part.exponent - fit->exponent) * (part.exponent - fit->exponent);
        n++;
    }
    /* Not fmax, which would turn NaN into 0. */
    const double variance = (squares - sum * sum / (double)n) * (double)(n - 1) / (double)n;
    if (n > 1)
        fit->error = variance < 0 ? 0 : sqrt(variance);
}

static void fit_range(const struct walk_run *own, const struct points *p, struct walk_fit *fit)
{
    fit->exponent = fit->error = NAN;
    fit_means(own, p, fit);
    if (own->runs > 1) {
        memset(p->sum, 0, own->at_count * sizeof(*p->sum));
        memset(p->walks, 0, own->at_count * sizeof(*p->walks));
        jackknife(own, p, fit);
    }
}

/* The scatter about the line measures its straightness.  Slow oscillations and corrections show in the difference
 * between the two halves of the range, which is added to the error.  A single master equation always gets it, since its
 * scatter is not statistical; walkers and several walks get the part that exceeds their errors. */
static void compare_halves(const struct walk_run *own, const struct points *p, struct walk_fit *fit)
{
    const double scatter = fit->error;
    const uint64_t middle = (uint64_t)nearbyint(sqrt((double)fit->from * (double)fit->to));
    struct walk_fit first = { .from = fit->from, .to = middle }, second = { .from = middle, .to = fit->to };
    fit_range(own, p, &first);
    fit_range(own, p, &second);
    fit->half[0] = first.exponent;
    fit->half[1] = second.exponent;
    const double drift = fabs(second.exponent - first.exponent), error = hypot(first.error, second.error);
    if (!isfinite(drift) || first.points < HALF_LEAST || second.points < HALF_LEAST)
        return;
    fit->compared = true;
    fit->settled = !(drift > MW_DRIFT_ERRORS * error + EXPONENT_ROUNDING);
    if (!fit->settled || (own->runs == 1 && own->set->method == WALK_MASTER && drift > EXPONENT_ROUNDING))
        fit->error = hypot(scatter, drift);
}

void walk_fit(const struct walk_run *own, struct walk_fit *fit)
{
    const uint64_t last = own->ended < own->runs && own->runs == 1 ? own->step : own->at[own->at_count - 1];
    const size_t n = own->at_count;
    double *room = NULL;
    *fit = (struct walk_fit){
        .from = own->fit_from, .to = own->fit_to, .exponent = NAN, .error = NAN, .half = { NAN, NAN }, .settled = true
    };
    if (!fit->from) {
        fit->to = last;
        fit->from = (uint64_t)ceil((double)last * pow(10, -DECADES));
    }
    if (mw_new(5 * n, sizeof(*room), &room) != 0)
        return;
    const struct points p = { room, room + n, room + 2 * n, room + 3 * n, room + 4 * n };
    fit_range(own, &p, fit);
    compare_halves(own, &p, fit);
    free(room);
}

/* ---- checkpoints ---- */

#define ENTRY_WALKS "walks" /* current walks, and the lengths of the following arrays */
#define ENTRY_POINTS "points"
#define ENTRY_MEASURED "measured"
#define ENTRY_CHECKSUMS "checksums"

struct kept {
    uint64_t first, batch, runs, points;
};

int walk_save(struct run *r, struct mw_checkpoint_writer *writer)
{
    const struct walk_run *own = r->own;
    const struct kept kept = { own->first, own->batch, own->runs, own->at_count };
    TRY_RETURN(mw_checkpoint_put(writer, ENTRY_WALKS, &kept, sizeof(kept)));
    TRY_RETURN(mw_checkpoint_put(writer, ENTRY_POINTS, own->at, own->at_count * sizeof(*own->at)));
    TRY_RETURN(
        mw_checkpoint_put(writer, ENTRY_MEASURED, own->measured, own->runs * own->at_count * sizeof(*own->measured)));
    return mw_checkpoint_put(writer, ENTRY_CHECKSUMS, own->checksums, own->runs * sizeof(*own->checksums));
}

int walk_kept(struct run *r)
{
    const char *theirs = mw_checkpoint_setting(r->resume.from, "runs");
    struct walk_run *own = r->own;
    struct kept kept;
    if (theirs && strtoull(theirs, NULL, 10) != own->runs)
        return 0; /* the settings show that it is another run */
    TRY_RETURN(mw_checkpoint_get(r->resume.from, ENTRY_WALKS, &kept, sizeof(kept)));
    if (kept.runs != own->runs || kept.batch < 1 || kept.batch > TEAM_MAX || kept.first >= kept.runs ||
        kept.batch > kept.runs - kept.first || kept.points > SIZE_MAX / sizeof(*own->measured) / kept.runs)
        return mw_fail(MW_EDATA,
                       "checkpoint %s is damaged: it has walks %llu to %llu of %llu: resume from an older one",
                       mw_checkpoint_path(r->resume.from), (unsigned long long)kept.first,
                       (unsigned long long)(kept.first + kept.batch), (unsigned long long)kept.runs);
    own->first = kept.first;
    own->batch = kept.batch;
    return 0;
}

/* The resumed run may have more steps or other points.  Measurements are kept at steps that are requested again. */
int walk_load_points(struct run *r, const struct mw_checkpoint *checkpoint)
{
    struct walk_run *own = r->own;
    struct walk_measures *measured = NULL;
    struct kept kept;
    uint64_t *at = NULL;
    int rc;
    if (own->at_count == 0) /* verification run */
        return 0;
    TRY(mw_checkpoint_get(checkpoint, ENTRY_WALKS, &kept, sizeof(kept)));
    TRY(mw_new(kept.points, sizeof(*at), &at));
    TRY(mw_new(kept.runs * kept.points, sizeof(*measured), &measured));
    TRY(mw_checkpoint_get(checkpoint, ENTRY_POINTS, at, kept.points * sizeof(*at)));
    TRY(mw_checkpoint_get(checkpoint, ENTRY_MEASURED, measured, kept.runs * kept.points * sizeof(*measured)));
    TRY(mw_checkpoint_get(checkpoint, ENTRY_CHECKSUMS, own->checksums, own->runs * sizeof(*own->checksums)));
    for (size_t i = 0, k = 0; i < kept.points && k < own->at_count; i++) {
        while (k < own->at_count && own->at[k] < at[i])
            k++;
        for (size_t run = 0; k < own->at_count && own->at[k] == at[i] && run < own->runs; run++)
            own->measured[run * own->at_count + k] = measured[run * kept.points + i];
    }
out:
    free(at);
    free(measured);
    return rc;
}
/* SPDX-License-Identifier: MIT */
