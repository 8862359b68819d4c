/* meshwork sweep: the tables of points, crossings and exchanges; the plan of --dry-run. */
#include <math.h>
#include <stdio.h>

#include "tools/report/files.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

#define LABEL_BYTES 13 /* per cell of a labelled system: its copy, labels, a table and sizes */
#define AT(member) offsetof(struct mw_spin_equilibrium, member)

const struct sweep_column sweep_columns[] = {
    { "energy", ">energy", "energy", AT(energy), false, 0 },
    { "magnetisation_absolute", ">abs. m", "magnetisation |m|", AT(absolute), false, 0 },
    { "magnetisation", NULL, "magnetisation m", AT(magnetisation), false, 0 },
    { "specific_heat", ">heat", "specific heat", AT(specific_heat), false, 0 },
    { "susceptibility", ">suscept.", "susceptibility", AT(susceptibility), false, 0 },
    { "binder", ">Binder", "Binder cumulant", AT(binder), false, 0 },
    { "energy_time", ">tau(e)", "autocorrelation time of the energy", AT(energy_time), true, 0 },
    { "magnetisation_time", ">tau(m)", "autocorrelation time of |m|", AT(absolute_time), true, 0 },
    { "components_mean", ">comp.", "components", 0, false, SWEEP_COMPONENTS + 1 },
    { "largest_fraction", ">largest", "largest component", 0, false, SWEEP_LARGEST + 1 },
    { "largest_minority", ">minority", "largest of the minority phase", 0, false, SWEEP_MINORITY + 1 },
};

size_t sweep_columns_of(const struct sweep *s)
{
    const bool signs = s->model->spin.values == MW_SPIN_VALUES_SIGNS;
    return MW_COUNT(sweep_columns) - (!s->set->label_every ? SWEEP_LABELS : signs ? 0 : 1);
}

struct mw_spin_estimate sweep_estimate(const struct sweep *s, size_t row, size_t column)
{
    const struct sweep_column *c = &sweep_columns[column];
    const struct sweep_size *z = &s->sizes[row / s->point_count];
    const size_t point = row % s->point_count;
    struct mw_spin_estimate e = c->label ? z->components[c->label - 1][point]
                                         : *(const struct mw_spin_estimate *)((const char *)&z->found[point] + c->at);
    if (!(c->label ? z->labelled : z->measured)[point])
        e = (struct mw_spin_estimate){ NAN, NAN };
    if (c->time) {
        e.value *= (double)s->every;
        e.error *= (double)s->every;
    }
    return e;
}

bool sweep_is_measured(const struct sweep *s, size_t row)
{
    return s->sizes[row / s->point_count].measured[row % s->point_count] > 0;
}

const struct spin_settling *sweep_settling(const struct sweep *s, size_t row)
{
    return &s->sizes[row / s->point_count].settling[row % s->point_count];
}

struct short_text estimate_text(struct mw_spin_estimate e)
{
    struct short_text t = { "" };
    int digits;
    if (!isfinite(e.value)) {
        snprintf(t.text, sizeof(t.text), "-");
    } else if (!isfinite(e.error) || e.error <= 0) {
        snprintf(t.text, sizeof(t.text), "%.6g", e.value);
    } else {
        /* two digits of the error */
        digits = 1 - (int)floor(log10(e.error));
        if (digits > 12) /* rounding error only */
            snprintf(t.text, sizeof(t.text), "%.9g", e.value);
        else
            snprintf(t.text, sizeof(t.text), "%.*f(%.0f)", digits < 0 ? 0 : digits, e.value,
                     e.error * pow(10, digits < 0 ? 0 : digits));
    }
    return t;
}

/* ---- common parts of a sweep and its plan ---- */

static void put_setup(const struct sweep *s, struct node *o)
{
    const struct sweep_point *first = &s->points[0], *last = &s->points[s->point_count - 1];
    const char *how = s->set->anneal ? ", one after the other" : s->set->temper ? ", with exchanges" : "";
    struct node *boundary;
    put_text(o, "model", s->model->name);
    put_checksum(o, "model_hash", s->model->hash);
    put_text(o, "update", spin_update_name(s->model, s->set->update));
    show_value(put_text(o, "start", mw_spin_start_name(s->sizes[0].options.start)), "start");
    put_text(o, "over", s->over);
    put_params(o, s->model->params, first->params, s->model->param_count, s->over);
    put_seed(o, s->set->seed);
    put_text(o, "lattice", mw_lattice_kind_name(s->set->lattice));
    boundary = put_list(o, "boundary");
    for (unsigned d = 0; d < s->sizes[0].options.dims; d++)
        put_text(boundary, NULL, mw_boundary_name(s->sizes[0].options.boundary[d]));
    ROW(o, "sweep", "%s, %s of %s from %.9g to %.9g%s", s->model->name, COUNTED(s->value_count, "value"), s->over,
        first->value, last->value, how);
    if (s->set->fraction)
        ROW(o, "", "each at %s of spins up from %.9g to %.9g", COUNTED(s->fraction_count, "fraction"), first->fraction,
            last->fraction);
    for (size_t i = 0; i < s->size_count; i++)
        if (s->sizes[i].size.dims == 1)
            ROW(o, "size", "%s, in one dimension", size_text(&s->sizes[i].size, "").text);
    show_row(put_count(o, "systems", s->copies), "systems", "%zu of each", s->copies);
    put_count(o, "steps", s->samples * s->every);
    put_count(o, "warm_up", s->warm_up);
    put_count(o, "measure_every", s->every);
    if (s->set->label_every)
        show_row(put_count(o, "label_every", s->set->label_every), "components", "of equal spins, every %llu steps",
                 (unsigned long long)s->set->label_every);
    ROW(o, "steps", "%llu, %s, after %llu to warm up, measured every %llu", (unsigned long long)(s->samples * s->every),
        spin_update_name(s->model, s->set->update), (unsigned long long)s->warm_up, (unsigned long long)s->every);
}

/* ---- the report ---- */

static void put_estimate(struct node *row, const struct sweep_column *c, struct mw_spin_estimate e, const char *mark)
{
    struct node *value = spin_put_estimate(row, c->name, e);
    if (c->title)
        show_cell(value, PLAIN, "%s%s", estimate_text(e).text, mark);
}

/* Reports the points not in equilibrium, which the table marks, with the reason of the first. */
static void put_unsettled(const struct sweep *s, struct node *o)
{
    struct mw_text reason = { 0 };
    size_t count = 0, measured = 0;
    for (size_t i = 0; i < sweep_rows(s); i++) {
        struct mw_text again = { 0 };
        if (!sweep_is_measured(s, i))
            continue;
        measured++;
        count += !spin_settled(sweep_settling(s, i), count ? &again : &reason);
        mw_text_free(&again);
    }
    if (count && mw_text_ok(&reason) == 0)
        ROW(o, "", "not in equilibrium: %zu of %zu points, marked *; the first: %s", count, measured, reason.data);
    mw_text_free(&reason);
}

static void put_points(const struct sweep *s, struct node *o, const char *titles)
{
    struct node *table = put_table(o, "points", titles);
    for (size_t i = 0; i < sweep_rows(s); i++) {
        const struct sweep_size *z = &s->sizes[i / s->point_count];
        const struct sweep_point *p = &s->points[i % s->point_count];
        struct node *row = put_object(table, NULL);
        CELL(row, "%s", size_text(&z->size, "x").text);
        put_lengths(row, "size", z->size.dims, z->size.length);
        show_cell(put_real(row, s->over, p->value), BOLD, "%.9g", p->value);
        if (s->set->fraction)
            show_cell(put_real(row, "fraction", p->fraction), BOLD, "%.9g", p->fraction);
        struct mw_text reason = { 0 };
        const bool marked = sweep_is_measured(s, i) && !spin_settled(sweep_settling(s, i), &reason);
        mw_text_free(&reason);
        for (size_t c = 0; c < sweep_columns_of(s); c++)
            put_estimate(row, &sweep_columns[c], sweep_estimate(s, i, c), marked && c < SWEEP_MARKED ? "*" : "");
        put_count(row, "samples", z->measured[i % s->point_count] * s->copies);
        if (sweep_is_measured(s, i))
            spin_put_equilibrium(row, sweep_settling(s, i), false);
        put_text(row, "variant", z->variant);
    }
}

static int put_crossings(const struct sweep *s, struct node *o)
{
    const struct sweep_size **sizes = NULL;
    struct node *list;
    int rc;
    TRY(sweep_sizes_sorted(s, &sizes));
    list = put_list(o, "crossings");
    for (size_t i = 0; i + 1 < s->size_count; i++) {
        struct mw_spin_estimate e;
        struct node *one, *both;
        char error_key[64];
        if (!sweep_crossing(s, sizes[i], sizes[i + 1], &e))
            continue;
        one = put_object(list, NULL);
        both = put_list(one, "sizes");
        put_text(both, NULL, size_text(&sizes[i]->size, "x").text);
        put_text(both, NULL, size_text(&sizes[i + 1]->size, "x").text);
        show_row(put_real(one, s->over, e.value), "crossing", "of the Binder cumulants of %s and %s: %s = %s",
                 size_text(&sizes[i]->size, "x").text, size_text(&sizes[i + 1]->size, "x").text, s->over,
                 estimate_text(e).text);
        snprintf(error_key, sizeof(error_key), "%s_error", s->over);
        put_real(one, error_key, e.error);
    }
out:
    free(sizes);
    return rc;
}

/* The exchange rates at one size, of the pairs that were tried. */
static void put_exchanges_of(const struct sweep *s, const struct sweep_size *z, struct node *one)
{
    const struct sweep_exchanges *e = &z->exchanges;
    struct node *rates = put_list(one, "acceptance"), *trips;
    double least = INFINITY, sum = 0;
    size_t at = 0, tried = 0;
    for (size_t i = 0; i + 1 < s->point_count; i++) {
        const double rate = e->tried[i] ? (double)e->accepted[i] / (double)e->tried[i] : NAN;
        put_real(rates, NULL, rate);
        if (!e->tried[i])
            continue;
        tried++;
        sum += rate;
        at = rate < least ? i : at;
        least = fmin(least, rate);
    }
    put_lengths(one, "size", z->size.dims, z->size.length);
    trips = put_count(one, "round_trips", e->trips);
    if (tried)
        show_row(trips, "exchanges", "%s: %.0f %% accepted, at least %.0f %% (from %.6g to %.6g), %llu round trips",
                 size_text(&z->size, "x").text, 100 * sum / (double)tried, 100 * least, s->points[at].value,
                 s->points[at + 1].value, (unsigned long long)e->trips);
}

static void put_exchanges(const struct sweep *s, struct node *o)
{
    struct node *list = put_list(o, "exchanges");
    for (size_t k = 0; k < s->size_count; k++)
        put_exchanges_of(s, &s->sizes[k], put_object(list, NULL));
}

/* Reports the variant of all sizes, or each change of it. */
static void put_variants(const struct sweep *s, struct node *o)
{
    for (size_t k = 0; k < s->size_count; k++)
        if (k == 0 || strcmp(s->sizes[k].variant, s->sizes[k - 1].variant))
            ROW(o, "variant", "%s%s%s", s->sizes[k].variant, k ? ", from size " : "",
                k ? size_text(&s->sizes[k].size, "x").text : "");
}

static double seconds_of(const struct sweep *s)
{
    double seconds = 0;
    for (size_t i = 0; i < s->size_count; i++)
        seconds += s->sizes[i].seconds;
    return seconds;
}

/* The checksum of all measurements. */
static int put_series_checksum(const struct sweep *s, struct node *o)
{
    uint64_t *sums = NULL;
    int rc;
    TRY(mw_new(s->size_count, sizeof(*sums), &sums));
    for (size_t i = 0; i < s->size_count; i++) {
        const struct sweep_size *z = &s->sizes[i];
        const size_t count = z->energy ? s->point_count * s->copies * s->samples : 0;
        const size_t labels = s->point_count * s->copies * sweep_label_samples(s);
        sums[i] = numbers_checksum((const struct numbers[]){ { z->energy, count },
                                                             { z->magnetisation, count },
                                                             { z->label[SWEEP_COMPONENTS], labels },
                                                             { z->label[SWEEP_LARGEST], labels },
                                                             { z->label[SWEEP_MINORITY], labels } },
                                   s->set->label_every ? 5 : 2);
    }
    put_checksum(o, "checksum", numbers_checksum(&(struct numbers){ sums, s->size_count }, 1));
out:
    free(sums);
    return rc;
}

int sweep_report(const struct sweep *s)
{
    const struct timing timings[] = { { "setup", s->setup_seconds },
                                      { "compute", seconds_of(s) },
                                      { "output", s->output_seconds },
                                      { "total", mw_now() - s->start } };
    struct node *o = report_object();
    char titles[256];
    size_t n = 0;
    int rc;
    put_setup(s, o);
    team_put(&s->team, o);
    put_variants(s, o);
    show_row(put_seconds(o, "seconds", seconds_of(s)), "seconds", "%.4g", seconds_of(s));
    put_rate(o, s->done / fmax(seconds_of(s), 1e-9), "spin-steps/s");
    n += (size_t)snprintf(titles, sizeof(titles), "size|>%.20s%s", s->over, s->set->fraction ? "|>fraction" : "");
    for (size_t c = 0; c < sweep_columns_of(s); c++)
        if (sweep_columns[c].title)
            n += (size_t)snprintf(titles + n, sizeof(titles) - n, "|%s", sweep_columns[c].title);
    put_unsettled(s, o);
    put_points(s, o, titles);
    TRY(put_series_checksum(s, o));
    if (s->size_count > 1 && !s->set->fraction)
        TRY(put_crossings(s, o));
    if (s->set->temper)
        put_exchanges(s, o);
    show_written(o, "written", s->set->output);
    show_written(o, "plot", s->set->plot);
    put_flag(o, "stopped", s->stopped);
    put_timings(o, timings, MW_COUNT(timings));
out:
    return report_end(o, rc);
}

/* ---- the plan ---- */

int sweep_plan(const struct sweep *s)
{
    struct node *o = report_object(), *list;
    uint64_t most = 0, host = 0;
    struct team_plan team;
    int rc;
    TRY(team_plan(&s->set->device, &team));
    put_setup(s, o);
    list = put_list(o, "sizes");
    for (size_t i = 0; i < s->size_count; i++) {
        const struct sweep_size *z = &s->sizes[i];
        uint64_t bytes;
        TRY(mw_spins_bytes(s->file, &z->options, &bytes));
        bytes += s->set->label_every ? z->cells * (z->options.systems + LABEL_BYTES) : 0;
        most = bytes > most ? bytes : most;
        host += sizeof(double) * s->point_count * s->copies * (2 * s->samples + SWEEP_LABELS * sweep_label_samples(s));
        show_row(put_text(list, NULL, size_text(&z->size, "x").text), i ? "" : "sizes", "%s, %s, variant %s",
                 size_text(&z->size, " x ").text, COUNTED(z->options.systems, "system"), z->variant);
    }
    team_plan_put(&team, s->set->device.selector, o);
    show_row(put_bytes(o, "memory_bytes", most), "memory", "%s of %s on the device%s, and %s for series on the host",
             bytes_text(most).text, bytes_text(team.memory_bytes).text, team.count > 1 ? "s" : "",
             bytes_text(host).text);
    put_bytes(o, "host_memory_bytes", host);
    rc = report_print(o);
    o = NULL;
    TRY(rc);
    if (team.memory_bytes && most > team.memory_bytes)
        rc = mw_fail(MW_ELIMIT, "%s has %s of memory, but this needs %s: choose fewer --systems or another device",
                     team.first.id, bytes_text(team.memory_bytes).text, bytes_text(most).text);
    else
        rc = host_holds(host + (team.first.shares_host_memory ? most : 0),
                        "fewer --steps or --systems, or a larger --measure-every");
out:
    report_free(o);
    return rc;
}
/* SPDX-License-Identifier: MIT */
