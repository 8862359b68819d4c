/* meshwork walk: reports of a run, its plan and its results; the list of carpets. */
#include <math.h>
#include <stdio.h>

#include "tools/report/files.h"
#include "tools/walk/walk.h"

/* ---- common parts of run and plan ---- */

/* Returns a place as "12,-3".  Use within one expression. */
static struct short_text place_text(const struct walk_run *own, const int64_t *place)
{
    struct short_text t = { "" };
    size_t n = 0;
    for (unsigned d = 0; d < own->info->dims; d++)
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%lld", d ? "," : "", (long long)place[d]);
    return t;
}

const char *walk_method(const struct run *r)
{
    return ((const struct walk_run *)r->own)->set->method == WALK_MASTER ? "master equation" : "walkers";
}

const char *walk_rate_unit(const struct run *r)
{
    return ((const struct walk_run *)r->own)->set->method == WALK_MASTER ? "site-steps/s" : "walker-steps/s";
}

void walk_report_setup(const struct run *r, struct node *to)
{
    const struct walk_run *own = r->own;
    const struct mw_carpet_info *info = own->info;
    put_count(to, "dims", info->dims);
    put_count(to, "level", info->level);
    show_row(put_real(to, "occupancy", info->occupancy), "occupancy",
             "%.4g: iterators of %llu sites per dimension, level %u, by %zu generator%s of side %zu", info->occupancy,
             (unsigned long long)info->period, info->level, info->generators, info->generators == 1 ? "" : "s",
             info->side);
    put_text(to, "method", walk_method(r));
    if (own->set->method == WALK_WALKERS)
        show_row(put_count(to, "walkers", own->set->walkers), "walkers", "%llu", (unsigned long long)own->set->walkers);
    else
        put_text(to, "precision", r->model.fp64 ? "double" : "single");
    if (own->runs > 1)
        show_row(put_count(to, "runs", own->runs), "walks",
                 own->set->average == WALK_STARTS ? "%zu, with random starts on the carpet of seed %llu"
                                                  : "%zu, with seeds from %llu on",
                 own->runs, (unsigned long long)r->set->seed);
    else
        put_count(to, "runs", 1);
    if (own->runs == 1 && own->one[0].carpet)
        show_row(put_text(to, "start", place_text(own, own->one[0].start).text), "start", "%s",
                 place_text(own, own->one[0].start).text);
    else
        show_row(put_text(to, "start", own->random_start ? "random" : own->set->start), "start", "%s",
                 own->random_start ? "random" : own->set->start);
}

void walk_report_device(const struct run *r, struct node *to)
{
    const struct walk_run *own = r->own;
    struct node *list;
    if (own->one[0].walk)
        show_value(put_text(to, "variant", mw_walk_variant(own->one[0].walk)), "variant");
    if (r->step.team.count < 2)
        return;
    list = put_list(to, "devices");
    for (size_t i = 0; i < r->step.team.count; i++) {
        const struct mw_device_info *device = mw_device_info(r->step.team.device[i]);
        struct mw_walk_part parts[TEAM_MAX];
        const size_t count = own->runs == 1 && own->one[0].walk ? mw_walk_parts(own->one[0].walk, TEAM_MAX, parts) : 0;
        double share = count ? 0 : 1 / (double)r->step.team.count;
        for (size_t k = 0; k < count; k++)
            share = parts[k].device == r->step.team.device[i] ? parts[k].share : share;
        show_row(team_put_share(list, device, share),
                 i               ? ""
                 : own->runs > 1 ? "devices"
                                 : "shares",
                 "%.1f %%  %s  %s", 100 * share, device->id, device->name);
    }
}

/* ---- results ---- */

static void put_real_pair(struct node *to, const char *key, const double *pair)
{
    struct node *list = put_list(to, key);
    put_real(list, NULL, pair[0]);
    put_real(list, NULL, pair[1]);
}

static void put_fit(const struct walk_run *own, struct node *to)
{
    struct walk_fit fit;
    struct node *exponent, *dimension, *range;
    double is, error;
    walk_fit(own, &fit);
    is = fit.exponent > 0 ? 2 / fit.exponent : NAN;
    error = 2 * fit.error / (fit.exponent * fit.exponent);
    exponent = put_real(to, "exponent", fit.exponent);
    put_real(to, "exponent_error", fit.error);
    if (fit.compared)
        put_flag(to, "equilibrium", fit.settled);
    else
        put_none(to, "equilibrium");
    if (!fit.compared)
        put_text(to, "equilibrium_reason", "too few points in the halves of the fit");
    else if (fit.settled)
        put_none(to, "equilibrium_reason");
    else
        put_text(to, "equilibrium_reason", "the exponents of the two halves of the fit differ");
    put_real_pair(to, "half_exponents", fit.half);
    dimension = put_real(to, "walk_dimension", is);
    put_real(to, "walk_dimension_error", error);
    range = put_list(to, "fit");
    put_count(range, NULL, fit.from);
    put_count(range, NULL, fit.to);
    if (isnan(fit.exponent)) {
        ROW(to, "exponent", "none: fewer than two points with <r^2> above 0 from step %llu to %llu",
            (unsigned long long)fit.from, (unsigned long long)fit.to);
        return;
    }
    show_row(exponent, "exponent", "%s, of <r^2> ~ t^g, from %zu points of steps %llu to %llu",
             with_error_text(fit.exponent, fit.error).text, fit.points, (unsigned long long)fit.from,
             (unsigned long long)fit.to);
    if (!fit.settled)
        ROW(to, "", "not settled: %.4f and %.4f in the two halves of these steps", fit.half[0], fit.half[1]);
    if (!isnan(is))
        show_row(dimension, "", "%s, the walk dimension 2 / g", with_error_text(is, error).text);
}

/* Puts a cell with a number; empty for NaN. */
static void print_known(struct node *cell, const char *format, double value)
{
    if (isnan(value))
        show_cell(cell, PLAIN, "%s", "");
    else
        show_cell(cell, PLAIN, format, value);
}

static void put_points(const struct walk_run *own, struct node *to)
{
    struct node *msd = put_list(to, "msd");
    /* The master equation has no error, except for a mean over walks. */
    const bool errors = own->runs > 1 || own->set->method == WALK_WALKERS;
    struct node *table = put_table(to, "points",
                                   own->runs > 1 ? ">step|><r^2>|>error|>local exponent|>walks"
                                   : errors      ? ">step|><r^2>|>error|>local exponent"
                                                 : ">step|><r^2>|>local exponent");
    for (size_t i = 0; i < own->at_count; i++) {
        struct walk_measures mean;
        const size_t walks = walk_mean(own, i, &mean);
        const double local = walk_local_exponent(own, i);
        struct node *row, *pair, *value;
        if (!walks)
            continue;
        pair = put_list(msd, NULL);
        put_count(pair, NULL, own->at[i]);
        put_real(pair, NULL, mean.square_displacement);
        row = put_object(table, NULL);
        show_cell(put_count(row, "step", own->at[i]), BOLD, "%llu", (unsigned long long)own->at[i]);
        show_cell(put_real(row, "mean_square_displacement", mean.square_displacement), PLAIN, "%.9g",
                  mean.square_displacement);
        value = put_real(row, "mean_square_displacement_error", mean.error);
        if (errors)
            print_known(value, "%.2g", mean.error);
        value = put_real(row, "local_exponent", local);
        print_known(value, "%.5f", local);
        value = put_count(row, "walks", walks);
        if (own->runs > 1)
            show_cell(value, PLAIN, "%zu", walks);
        put_real(row, "total_probability", mean.total);
    }
}

/* Returns the total probability furthest from 1 at any point. */
static double worst_total(const struct walk_run *own)
{
    double worst = 1;
    for (size_t i = 0; i < own->at_count; i++) {
        struct walk_measures mean;
        if (walk_mean(own, i, &mean) && fabs(mean.total - 1) > fabs(worst - 1))
            worst = mean.total;
    }
    return worst;
}

void walk_report_state(const struct run *r, struct node *to)
{
    const struct walk_run *own = r->own;
    const double total = worst_total(own);
    struct walk_measures end = own->now;
    struct node *last;
    if (own->one[0].walk && own->runs == 1)
        show_row(put_count(to, "sites", r->observe.state.count), "sites", "%zu, where a walker can be",
                 r->observe.state.count);
    /* A single walk may have been stopped between points. */
    if (own->runs > 1 && !walk_mean(own, own->at_count - 1, &end))
        end.square_displacement = NAN;
    last = put_real(to, "mean_square_displacement", end.square_displacement);
    if (isfinite(end.square_displacement))
        show_row(last, "", "<r^2> %.9g at the end", end.square_displacement);
    put_fit(own, to);
    if (own->set->method == WALK_MASTER)
        show_row(put_real(to, "total_probability", total), "total", "1 %c %.2g; rounding explains %.2g",
                 total < 1 ? '-' : '+', fabs(total - 1), walk_rounding(r, r->step.result.steps));
    else
        put_real(to, "total_probability", 1);
    show_written(to, "table", own->set->csv);
    show_written(to, "plot", own->set->plot);
    show_written(to, "carpet's picture", own->set->carpet_png);
    put_points(own, to);
}

/* ---- the plan ---- */

#define RUNS_PLANNED 8 /* the plan examines at most so many runs */

static int bytes_of_run(const struct run *r, size_t run, struct mw_walk_options *options, struct mw_walk_memory *memory)
{
    const struct walk_run *own = r->own;
    struct mw_carpet *carpet = NULL;
    int rc;
    TRY(walk_carpet_make(r, run, &carpet));
    if (own->random_start)
        TRY(mw_carpet_random_site(carpet, own->set->average == WALK_STARTS ? run : 0, options->start));
    rc = mw_walk_bytes(carpet, options, memory);
out:
    mw_carpet_free(carpet);
    return rc;
}

/* Bytes of the largest walk with so many steps. */
static int bytes_of_walk(const struct run *r, const struct team_plan *team, uint64_t steps,
                         struct mw_walk_memory *memory)
{
    const struct walk_run *own = r->own;
    struct mw_walk_options options = {
        .size = sizeof(options), .steps = steps, .single = !r->model.fp64, .variant = r->set->variant
    };
    if (own->set->method == WALK_WALKERS) {
        memory->device = memory->state = own->set->walkers * own->info->dims * sizeof(int32_t);
        memory->host = 2 * memory->device + own->set->walkers * sizeof(double);
        return 0;
    }
    if (!strcmp(r->set->variant, "auto") && (team->count == 1 || own->runs > 1) && memory_has_cores(&team->first))
        options.variant = "rows";
    memcpy(options.start, own->start, sizeof(options.start));
    for (size_t run = 0; run < own->runs && run < RUNS_PLANNED; run++) {
        struct mw_walk_memory of_run = MW_INIT(of_run);
        TRY_RETURN(bytes_of_run(r, run, &options, &of_run));
        memory->device = of_run.device > memory->device ? of_run.device : memory->device;
        memory->host = of_run.host > memory->host ? of_run.host : memory->host;
        memory->state = of_run.state > memory->state ? of_run.state : memory->state;
    }
    return 0;
}

static uint64_t walks_at_once(const struct walk_run *own, const struct team_plan *team)
{
    return own->runs < team->count ? own->runs : own->runs > 1 ? team->count : 1;
}

int walk_device_bytes(const struct run *r, uint64_t *bytes)
{
    const struct walk_run *own = r->own;
    struct mw_walk_memory each = MW_INIT(each);
    struct team_plan team;
    TRY_RETURN(team_plan(&r->set->device, &team));
    TRY_RETURN(bytes_of_walk(r, &team, r->set->steps, &each));
    *bytes = each.device * walks_at_once(own, &team);
    return 0;
}

uint64_t walk_host_bytes(const struct run *r)
{
    struct mw_walk_memory each = MW_INIT(each);
    struct team_plan team;
    if (team_plan(&r->set->device, &team) != 0 || bytes_of_walk(r, &team, r->set->steps, &each) != 0)
        return r->model.state_bytes;
    return each.host * walks_at_once(r->own, &team);
}

static bool walk_report_fits(const struct run *r, const struct team_plan *team, uint64_t steps)
{
    const uint64_t each =
        ((const struct walk_run *)r->own)->runs > 1 ? team->memory_bytes / team->count : team->memory_bytes;
    struct mw_walk_memory walk = MW_INIT(walk);
    return bytes_of_walk(r, team, steps, &walk) == 0 &&
           walk.device + (memory_is_shared(&team->first) ? walk.host : 0) <= each;
}

void walk_report_plan(const struct run *r, struct node *to)
{
    const struct walk_run *own = r->own;
    uint64_t low = 0, high = WALK_STEPS_MOST + 1;
    struct team_plan team;
    ROW(to, "measured", "at %s, from %llu to %llu", COUNTED(own->at_count, "step"), (unsigned long long)own->at[0],
        (unsigned long long)own->at[own->at_count - 1]);
    if (own->set->method == WALK_WALKERS || team_plan(&r->set->device, &team) != 0 || !team.memory_bytes)
        return;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (walk_report_fits(r, &team, middle))
            low = middle;
        else
            high = middle;
    }
    show_row(put_count(to, "steps_that_fit", low), "fits", "walks of up to about %s", COUNTED(low, "step"));
}

int walk_state_bytes(const struct run *r, uint64_t *bytes)
{
    struct mw_walk_memory memory = MW_INIT(memory);
    struct team_plan team;
    TRY_RETURN(team_plan(&r->set->device, &team));
    TRY_RETURN(bytes_of_walk(r, &team, r->set->steps, &memory));
    *bytes = memory.state;
    return 0;
}

/* ---- carpets ---- */

int walk_list_carpets(const char *kernel_path)
{
    struct node *list = report_table("carpet|>dims|>side|>generators|>level|>occupancy|about");
    char **names = NULL;
    int rc;
    TRY(mw_carpet_names(kernel_path, &names));
    for (char **name = names; *name; name++) {
        const struct mw_carpet_options options = { .size = sizeof(options),
                                                   .generators = *name,
                                                   .kernel_path = kernel_path };
        const struct mw_carpet_info *info;
        struct mw_carpet *carpet;
        struct node *row;
        TRY(mw_carpet_new(&options, &carpet));
        info = mw_carpet_info(carpet);
        row = put_object(list, NULL);
        show_cell(put_text(row, "name", info->name), BOLD, "%s", info->name);
        show_value_cell(put_count(row, "dims", info->dims), PLAIN);
        show_value_cell(put_count(row, "side", info->side), PLAIN);
        show_value_cell(put_count(row, "generators", info->generators), PLAIN);
        show_value_cell(put_count(row, "level", info->level), PLAIN);
        show_cell(put_real(row, "occupancy", info->occupancy), PLAIN, "%.3f", info->occupancy);
        show_cell(put_text(row, "about", info->about), PLAIN, "%s", info->about);
        mw_carpet_free(carpet);
    }
    rc = report_print(list);
    list = NULL;
out:
    mw_carpet_names_free(names);
    report_free(list);
    return rc;
}
/* SPDX-License-Identifier: MIT */
