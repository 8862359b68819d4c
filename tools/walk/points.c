/* meshwork walk: at which steps walks are measured, and what follows: means, exponents, and what checkpoints keep. */
#include <errno.h>
#include <math.h>

#include "tools/walk/walk.h"

#define POINTS_MOST 100000
#define DECADES 2                /* that are fitted by default: the last ones */

/* ---- which ---- */

/* The next whole number, 1 or more, of a list with commas. */
static int next_step(const char *option, const char *list, const char **at, uint64_t *step)
{
    char *end;

    errno = 0;
    *step = **at >= '0' && **at <= '9' ? strtoull(*at, &end, 10) : 0;
    if (*step == 0 || errno || (*end && *end != ','))
        return mw_fail(MW_EINVAL, "--%s: '%s' is not a list of steps, 1 or more, with commas between them", option,
                       list);
    *at = end + (*end == ',');
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sorted, each once, none beyond the last step, which is one of them. */
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

static int read_list(struct walk_run *own)
{
    size_t most = 2;
    int rc;

    for (const char *c = own->set->at; *c; c++)
        most += *c == ',';
    TRY(allocate(most, sizeof(*own->at), &own->at));
    for (const char *c = own->set->at; own->at_count == 0 || *c; own->at_count++)
        TRY(next_step("at", own->set->at, &c, &own->at[own->at_count]));
out:
    return rc;
}

static int spread(struct walk_run *own, uint64_t steps)
{
    const double each = (double)own->set->points;
    const double count = floor(log10((double)steps) * each) + 1;
    int rc;

    TRY(allocate((size_t)count + 2, sizeof(*own->at), &own->at));
    for (; own->at_count < (size_t)count; own->at_count++)
        own->at[own->at_count] = (uint64_t)nearbyint(pow(10, (double)own->at_count / each));
out:
    return rc;
}

static bool is_listed(const struct walk_run *own) { return strcmp(own->set->at, "none") != 0; }

static int read_fit(struct walk_run *own)
{
    const char *fit = own->set->fit, *at = fit;

    if (!strcmp(fit, "auto"))
        return 0;
    if (next_step("fit", fit, &at, &own->fit_from) || next_step("fit", fit, &at, &own->fit_to) || *at ||
        own->fit_from >= own->fit_to)
        return mw_fail(MW_EINVAL, "--fit: '%s' is to be FROM,TO, two steps of which the second is larger", fit);
    return 0;
}

int walk_points(struct run *r)
{
    struct walk_run *own = r->own;
    const double measurements = (double)own->set->points * log10((double)r->set->steps) * (double)own->set->runs;
    int rc;

    if (is_listed(own) && option_is_given(r->command, "at") && option_is_given(r->command, "points"))
        return mw_fail(MW_EINVAL, "--at and --points contradict each other: leave out one of them");
    if (measurements > POINTS_MOST * 100.0)
        return mw_fail(MW_ELIMIT, "--points %llu a decade of --runs %llu are too many to keep",
                       (unsigned long long)own->set->points, (unsigned long long)own->set->runs);
    TRY(is_listed(own) && !option_is_given(r->command, "points") ? read_list(own) : spread(own, r->set->steps));
    tidy(own, r->set->steps);
    TRY(read_fit(own));
    TRY(allocate(own->runs * own->at_count, sizeof(*own->measured), &own->measured));
    TRY(allocate(own->runs, sizeof(*own->checksums), &own->checksums));
    for (size_t i = 0; i < own->runs * own->at_count; i++)
        own->measured[i].square_displacement = NAN;
out:
    return rc;
}

/* ---- what follows ---- */

/* Without one of the walks, by its number; own->runs: with all. */
static size_t mean_without(const struct walk_run *own, size_t without, size_t point, struct walk_measures *mean)
{
    double sum = 0, squares = 0;
    size_t n = 0;

    *mean = (struct walk_measures){ NAN, NAN, 1 };
    for (size_t run = 0; run < own->runs; run++) {
        const struct walk_measures *m = &own->measured[run * own->at_count + point];
        if (run == without || isnan(m->square_displacement))
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
        if (run != without && !isnan(y))
            squares += (y - sum / (double)n) * (y - sum / (double)n);
    }
    mean->error = sqrt(squares / (double)n / (double)(n - 1));
    return n;
}

size_t walk_mean(const struct walk_run *own, size_t point, struct walk_measures *mean)
{
    return mean_without(own, own->runs, point, mean);
}

double walk_local_exponent(const struct walk_run *own, size_t point)
{
    struct walk_measures before, behind;

    if (point == 0 || point + 1 >= own->at_count)
        return NAN;
    walk_mean(own, point - 1, &before);
    walk_mean(own, point + 1, &behind);
    return log(behind.square_displacement / before.square_displacement) /
           log((double)own->at[point + 1] / (double)own->at[point - 1]);
}

/* The points of a fit that have been measured, by the means of all walks but one. */
static size_t collect(const struct walk_run *own, size_t without, const struct walk_fit *fit, double *t, double *y,
                      double *errors, bool *weighted)
{
    size_t n = 0;

    *weighted = own->runs == 1;              /* walkers' own errors; of several walks the jackknife knows better */
    for (size_t i = 0; i < own->at_count; i++) {
        struct walk_measures mean;
        if (own->at[i] < fit->from || own->at[i] > fit->to || !mean_without(own, without, i, &mean) ||
            !(mean.square_displacement > 0))
            continue;
        t[n] = (double)own->at[i];
        y[n] = mean.square_displacement;
        errors[n++] = mean.error;
        *weighted = *weighted && mean.error > 0;
    }
    return n;
}

static void fit_without(const struct walk_run *own, size_t without, double *room, struct walk_fit *fit)
{
    double *t = room, *y = t + own->at_count, *errors = y + own->at_count;
    bool weighted;

    fit->exponent = fit->error = NAN;
    fit->points = collect(own, without, fit, t, y, errors, &weighted);
    if (fit->points < 2 ||
        mw_power_law_fit(t, y, weighted ? errors : NULL, fit->points, &fit->exponent, &fit->error) != 0)
        fit->exponent = fit->error = NAN;
}

/* The jackknife over walks: points of one walk are as far off as those beside them, so that their scatter about the
 * fitted line says nothing of the error. */
static double jackknife(const struct walk_run *own, double *room, const struct walk_fit *whole)
{
    double sum = 0, squares = 0;
    size_t n = 0;

    for (size_t run = 0; run < own->runs; run++) {
        struct walk_fit part = *whole;
        if (isnan(own->measured[run * own->at_count].square_displacement))
            continue;
        fit_without(own, run, room, &part);
        sum += part.exponent;
        squares += part.exponent * part.exponent;
        n++;
    }
    return n < 2 ? NAN : sqrt(fmax(0, (double)(n - 1) / (double)n * (squares - sum * sum / (double)n)));
}

void walk_fit(const struct walk_run *own, struct walk_fit *fit)
{
    const uint64_t last = own->ended < own->runs && own->runs == 1 ? own->step : own->at[own->at_count - 1];
    double *room = NULL, error;

    *fit = (struct walk_fit){ .from = own->fit_from, .to = own->fit_to, .exponent = NAN, .error = NAN };
    if (!fit->from) {
        fit->to = last;
        fit->from = (uint64_t)ceil((double)last * pow(10, -DECADES));
    }
    if (allocate(3 * own->at_count, sizeof(*room), &room) != 0)
        return;
    fit_without(own, own->runs, room, fit);
    error = own->runs > 1 ? jackknife(own, room, fit) : NAN;
    fit->error = isnan(error) ? fit->error : fmax(error, 0);
    free(room);
}

/* ---- checkpoints ---- */

#define ENTRY_WALKS "walks"              /* which are under way, and the lengths of what follows */
#define ENTRY_POINTS "points"
#define ENTRY_MEASURED "measured"
#define ENTRY_CHECKSUMS "checksums"

struct kept { uint64_t first, batch, runs, points; };

int walk_save(struct run *r, struct mw_checkpoint_writer *writer)
{
    const struct walk_run *own = r->own;
    const struct kept kept = { own->first, own->batch, own->runs, own->at_count };
    int rc;

    TRY(mw_checkpoint_put(writer, ENTRY_WALKS, &kept, sizeof(kept)));
    TRY(mw_checkpoint_put(writer, ENTRY_POINTS, own->at, own->at_count * sizeof(*own->at)));
    TRY(mw_checkpoint_put(writer, ENTRY_MEASURED, own->measured,
                          own->runs * own->at_count * sizeof(*own->measured)));
    TRY(mw_checkpoint_put(writer, ENTRY_CHECKSUMS, own->checksums, own->runs * sizeof(*own->checksums)));
out:
    return rc;
}

int walk_kept(struct run *r)
{
    const char *theirs = mw_checkpoint_setting(r->restart, "runs");
    struct walk_run *own = r->own;
    struct kept kept;
    int rc;

    if (theirs && strtoull(theirs, NULL, 10) != own->runs)
        return 0;                            /* another run, which the settings tell */
    TRY(mw_checkpoint_get(r->restart, ENTRY_WALKS, &kept, sizeof(kept)));
    if (kept.runs != own->runs || kept.batch < 1 || kept.batch > TEAM_MAX || kept.first >= kept.runs ||
        kept.batch > kept.runs - kept.first || kept.points > SIZE_MAX / sizeof(*own->measured) / kept.runs)
        return mw_fail(MW_EDATA, "checkpoint %s: walks %llu to %llu of %llu make no sense",
                       mw_checkpoint_path(r->restart), (unsigned long long)kept.first,
                       (unsigned long long)(kept.first + kept.batch), (unsigned long long)kept.runs);
    own->first = kept.first;
    own->batch = kept.batch;
out:
    return rc;
}

/* Steps may have been added, and other points be asked for: what was measured stays where it is asked for again. */
int walk_load_points(struct run *r, const struct mw_checkpoint *checkpoint)
{
    struct walk_run *own = r->own;
    struct walk_measures *measured = NULL;
    struct kept kept;
    uint64_t *at = NULL;
    int rc;

    if (own->at_count == 0)                  /* of a verification */
        return 0;
    TRY(mw_checkpoint_get(checkpoint, ENTRY_WALKS, &kept, sizeof(kept)));
    TRY(allocate(kept.points, sizeof(*at), &at));
    TRY(allocate(kept.runs * kept.points, sizeof(*measured), &measured));
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
