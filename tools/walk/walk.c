/* meshwork walk: options, setup, steps, verification, and the function table. */
#include <inttypes.h>
#include <stdio.h>

#include "tools/cli/names.h"
#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/walk/walk.h"

struct all_settings {
    struct run_settings run;
    struct walk_settings walk;
};
#define RUN(member) offsetof(struct all_settings, run.member)
#define AT(member) offsetof(struct all_settings, walk.member)

/* clang-format off */
static const struct option options[] = {
    { .name = "carpet", .type = OPTION_TEXT, .target = AT(carpet), .value = "NAME|FILE|list", .fallback = "random",
      .help = "generators of the carpet: a name, or the path of your own file; list: list the names" },
    { .name = "level", .type = OPTION_COUNT, .target = AT(level), .value = "N", .least = 1, .most = 31,
      .help = "level of the iterators (default: from the generators' file)" },
    { .name = "extent", .type = OPTION_SIZE, .target = AT(extent), .value = "WxH",
      .help = "iterators along each dimension, from the origin on, with nothing around them (default: unbounded)" },
    { .name = "start", .type = OPTION_TEXT, .target = AT(start), .value = "X,Y|random|auto", .fallback = "auto",
      .help = "starting site; random: an accessible site of the iterator at the origin; auto: the corner for a single "
              "walk on a carpet of one generator if it is accessible, otherwise random" },
    { .name = "steps", .type = OPTION_COUNT, .target = RUN(steps), .value = "N", .fallback = "1000", .least = 1,
      .most = WALK_STEPS_MOST, .help = "steps of each walk, counted from its start even after a restart" },
    { .name = "runs", .type = OPTION_COUNT, .target = AT(runs), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000,
      .help = "number of walks to average over, with consecutive seeds; each device runs one walk at a time" },
    { .name = "average", .type = OPTION_CHOICE, .target = AT(average), .value = "carpets|starts",
      .fallback = "carpets",
      .help = "average of --runs: over carpets, each with its own start, or over starts on the carpet of the seed" },
    { .name = "seed", .type = OPTION_COUNT, .target = RUN(seed), .value = "N", .fallback = "0",
      .help = "seed of random carpets, starts and walkers" },
    { .name = "method", .type = OPTION_CHOICE, .target = AT(method), .value = "master|walkers",
      .also = "master-equation=master|monte-carlo=walkers", .fallback = "master",
      .help = "method: the exact master equation, or random walkers" },
    { .name = "walkers", .type = OPTION_COUNT, .target = AT(walkers), .value = "N", .fallback = "100000", .least = 1,
      .most = 1000000000, .help = "number of walkers of --method walkers" },
    { .name = "precision", .type = OPTION_CHOICE, .target = RUN(mesh.precision), .value = "single|double",
      .also = "float32=single|float64=double|float=single", .fallback = "double",
      .help = "floating-point precision of probabilities" },
    { .name = "at", .type = OPTION_TEXT, .target = AT(at), .value = "LIST|none", .fallback = "none",
      .once = true,
      .help = "measure <r^2> at these steps, such as 10,100,1000, and at the last one" },
    { .name = "points", .type = OPTION_COUNT, .target = AT(points), .value = "N", .fallback = "10", .least = 1,
      .most = 1000, .help = "number of measured steps per decade, without --at" },
    { .name = "fit", .type = OPTION_TEXT, .target = AT(fit), .value = "FROM,TO|auto", .fallback = "auto",
      .help = "fit the exponent between these two steps; auto: over the last two decades" },
    { .name = "csv", .type = OPTION_FILE, .target = AT(csv), .value = "FILE.csv",
      .help = "write the table of measurements" },
    { .name = "plot", .type = OPTION_FILE, .target = AT(plot), .value = "FILE.png|svg|pdf",
      .help = "plot the table with gnuplot" },
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = RUN(output), .value = "FILE.npy",
      .help = "write the probabilities as a field: at the end, or every N steps if the name has %d or %06d for the "
              "step; - is standard output" },
    { .name = "png", .type = OPTION_FILE, .target = RUN(png), .value = "PATTERN",
      .help = "write a picture of the probabilities on a logarithmic scale of twelve decades, at the end or every N "
              "steps" },
    { .name = "carpet-png", .type = OPTION_FILE, .target = AT(carpet_png), .value = "FILE.png",
      .help = "write a picture of the carpet around the start, which is red" },
    { .name = "series", .type = OPTION_FILE, .target = RUN(series), .value = "FILE.csv",
      .help = "write <r^2> and the total probability (walkers: the error) every N steps (default: 1000); a restart "
              "continues the checkpoint's file, or none with `none`" },
    { 0 }
};
/* clang-format on */
static const struct option variant_options[] = { VARIANT_OPTION(struct run_settings, "variant of the master equation"),
                                                 { 0 } };
static const struct option_group groups[] = { { "Walk", options, 0 },
                                              { "Walk", variant_options, offsetof(struct all_settings, run) },
                                              { "Run", loop_options, offsetof(struct all_settings, run) },
                                              DEVICES_SHAPE_GROUPS(struct all_settings, run.device),
                                              { 0 } };

/* ---- setup ---- */

/* Reads the generators; more follows when the settings of a checkpoint are known. */
static int walk_choose(struct run *r, const char *model)
{
    const struct mw_carpet_options carpet_options = { .size = sizeof(carpet_options),
                                                      .generators = model,
                                                      .kernel_path = r->set->device.kernel_path };
    struct walk_settings *set = r->own_settings;
    struct walk_run *own = r->own;
    set->carpet = model;
    own->set = set;
    TRY_RETURN(mw_carpet_new(&carpet_options, &own->carpet));
    own->info = mw_carpet_info(own->carpet);
    TRY_RETURN(file_stays(own->info->path));
    setting_add(&r->resume.settings, false, "generators", "%s", own->info->name);
    return 0;
}

static int walk_check_options(const struct run *r)
{
    static const char *const of_one[] = { "output", "png", "vtk", "hdf5", "carpet-png", "series" };
    static const char *const of_master[] = { "variant", "precision" };
    const struct walk_settings *set = r->own_settings;
    for (size_t i = 0; set->runs > 1 && i < MW_COUNT(of_one); i++)
        if (option_is_given(r->command, of_one[i]))
            return mw_fail(MW_EINVAL, "--%s requires a single walk, but --runs is %llu: leave out one of them",
                           of_one[i], (unsigned long long)set->runs);
    for (size_t i = 0; set->method == WALK_WALKERS && i < MW_COUNT(of_master); i++)
        if (option_is_given(r->command, of_master[i]))
            return mw_fail(MW_EINVAL, "--%s requires --method master, but --method is walkers: leave out one of them",
                           of_master[i]);
    if (r->set->hdf5 && option_is_given(r->command, "every"))
        return mw_fail(MW_EINVAL,
                       "--hdf5 of a walk has its last state, since the area grows with time: leave out --every");
    if (set->average == WALK_STARTS && strcmp(set->start, "random") != 0 && strcmp(set->start, "auto") != 0)
        return mw_fail(MW_EINVAL, "--average starts and --start %s exclude each other: leave out one of them",
                       set->start);
    if (set->method == WALK_MASTER && option_is_given(r->command, "walkers"))
        return mw_fail(MW_EINVAL, "--walkers requires --method walkers");
    return 0;
}

/* Checks before the first long walk that all walks can begin at the given start. */
static int check_start(const struct run *r)
{
    const struct walk_run *own = r->own;
    const bool differ = own->info->generators > 1 && own->set->average == WALK_CARPETS;
    const size_t carpets = differ ? own->set->runs : 1;
    for (size_t run = 0; run < carpets; run++) {
        struct mw_carpet *carpet;
        int rc = 0;
        TRY_RETURN(walk_carpet_make(r, run, &carpet));
        if (!mw_carpet_accessible(carpet, own->start))
            rc = mw_fail(MW_EINVAL,
                         "--start %s is not accessible on the carpet of seed %llu: choose another start, or "
                         "random",
                         own->set->start, (unsigned long long)(r->set->seed + run));
        mw_carpet_free(carpet);
        TRY_RETURN(rc);
    }
    return 0;
}

/* A carpet of one generator looks the same at all scales from its corner, so a walk from there has the carpet's
 * exponent. */
static bool starts_in_corner(const struct walk_run *own)
{
    static const int64_t corner[MW_CARPET_DIMS_MAX] = { 0 };
    return own->set->runs == 1 && own->set->average == WALK_CARPETS && own->info->generators == 1 &&
           mw_carpet_accessible(own->carpet, corner);
}

/* Parses "X,Y" with as many coordinates as the carpet has dimensions. */
static int read_start(const struct run *r)
{
    struct walk_run *own = r->own;
    const char *at = own->set->start;
    own->random_start = !strcmp(at, "random") || (!strcmp(at, "auto") && !starts_in_corner(own));
    if (own->random_start || !strcmp(at, "auto"))
        return 0;
    for (unsigned d = 0; d < own->info->dims; d++) {
        char *end;
        own->start[d] = strtoll(at, &end, 10);
        if (end == at || *end != (d + 1 < own->info->dims ? ',' : 0))
            return mw_fail(MW_EINVAL,
                           "--start: '%s' is invalid: expected auto, random, or %u whole numbers separated "
                           "by commas",
                           own->set->start, own->info->dims);
        if (own->start[d] != (int32_t)own->start[d])
            return mw_fail(MW_EINVAL, "--start: '%s' is out of range: coordinates have 32 bits", own->set->start);
        at = end + 1;
    }
    return check_start(r);
}

static int make_first_carpet(struct run *r)
{
    struct walk_run *own = r->own;
    const struct size *extent = &own->set->extent;
    struct mw_carpet *carpet;
    if (extent->dims && extent->dims != own->info->dims)
        return mw_fail(MW_EINVAL, "--extent %s has %s, but carpet %s has %u", size_text(extent, "x").text,
                       COUNTED(extent->dims, "dimension"), own->info->name, own->info->dims);
    TRY_RETURN(walk_carpet_make(r, 0, &carpet));
    mw_carpet_free(own->carpet);
    own->carpet = carpet;
    own->info = mw_carpet_info(carpet);
    r->model.name = own->info->name;
    r->model.words = r->model.about = own->info->about;
    r->model.hash = own->info->hash;
    return 0;
}

static int walk_prepare(struct run *r)
{
    struct walk_run *own = r->own;
    TRY_RETURN(walk_check_options(r));
    TRY_RETURN(make_first_carpet(r));
    TRY_RETURN(read_start(r));
    own->runs = own->set->runs;
    own->name = own->set->method == WALK_MASTER ? "probability" : "walkers";
    r->model.names = &own->name;
    r->model.name_count = 1;
    r->model.fp64 = own->set->method == WALK_MASTER && r->set->mesh.precision == PRECISION_DOUBLE;
    r->model.dt = 1;
    r->model.cells = 1;
    snprintf(own->steps_text, sizeof(own->steps_text), "%llu", (unsigned long long)r->set->steps);
    TRY_RETURN(walk_points(r));
    if (r->resume.from)
        TRY_RETURN(walk_kept(r));
    TRY_RETURN(walk_state_bytes(r, &r->model.state_bytes));
    return walk_write_check(r);
}

static void settings(const struct run *r, struct setting_list *list)
{
    static const char *const methods[] = { [WALK_MASTER] = "master", [WALK_WALKERS] = "walkers" };
    static const char *const averages[] = { [WALK_CARPETS] = "carpets", [WALK_STARTS] = "starts" };
    const struct walk_run *own = r->own;
    const struct walk_settings *set = own->set;
    setting_add(list, false, "sites", "%016" PRIx64, own->info->hash);
    setting_add(list, false, "level", "%u", own->info->level);
    if (set->extent.dims)
        setting_add(list, false, "extent", "%s", size_text(&set->extent, "x").text);
    setting_add(list, false, "start", "%s", set->start);
    setting_add(list, false, "seed", "%llu", (unsigned long long)r->set->seed);
    setting_add(list, false, "runs", "%llu", (unsigned long long)set->runs);
    setting_add(list, false, "average", "%s", averages[set->average]);
    setting_add(list, false, "method", "%s", methods[set->method]);
    if (set->method == WALK_WALKERS)
        setting_add(list, false, "walkers", "%llu", (unsigned long long)set->walkers);
    else
        setting_add(list, false, "precision", "%s", r->model.fp64 ? "double" : "single");
    setting_add(list, true, "at", "%s", set->at);
    setting_add(list, true, "points", "%llu", (unsigned long long)set->points);
    setting_add(list, true, "fit", "%s", set->fit);
}

/* A single walk uses all devices; of several walks each uses one. */
static int walk_make(struct run *r)
{
    struct walk_run *own = r->own;
    struct team *team = &r->step.team;
    double updates = 0;
    if (!own->batch)
        own->batch = own->runs - own->first < team->count ? own->runs - own->first : team->count;
    own->step = 0;
    for (size_t i = 0; i < own->batch; i++)
        TRY_RETURN(walk_one_make(r, own->first + i, team->device + (own->runs > 1 ? i % team->count : 0),
                                 own->runs > 1 ? 1 : team->count, &own->one[i]));
    /* For progress: the mean number of updates per step. */
    for (size_t i = 0; i < own->batch; i++)
        updates += walk_one_updates(r, &own->one[i], 0, r->set->steps);
    r->model.cells = (size_t)(updates / (double)r->set->steps) + 1;
    return 0;
}

static void unmake(struct run *r)
{
    struct walk_run *own = r->own;
    for (size_t i = 0; i < TEAM_MAX; i++)
        walk_one_free(&own->one[i]);
}

static void walk_free(struct run *r)
{
    struct walk_run *own = r->own;
    mw_carpet_free(own->carpet);
    free(own->at);
    free(own->measured);
    free(own->checksums);
}

static bool more(const struct run *r)
{
    const struct walk_run *own = r->own;
    return own->first + own->batch < own->runs;
}

static int next(struct run *r)
{
    struct walk_run *own = r->own;
    walk_note_checksums(r);
    unmake(r);
    own->first = own->ended = own->first + own->batch;
    own->batch = 0;
    own->loaded = false;
    return 0;
}

static void runs(const struct run *r, uint64_t *over, uint64_t *all)
{
    const struct walk_run *own = r->own;
    *over = own->first;
    *all = own->runs;
}

/* ---- steps ---- */

static int measure_all(struct run *r, size_t point)
{
    struct walk_run *own = r->own;
    for (size_t i = 0; i < own->batch; i++)
        TRY_RETURN(walk_one_measure(r, &own->one[i], &own->measured[(own->first + i) * own->at_count + point]));
    return 0;
}

/* Advances to the next measured step, and continues from there. */
static int command_walk_advance(struct run *r, uint64_t steps)
{
    struct walk_run *own = r->own;
    for (size_t point = 0; steps > 0;) {
        while (point < own->at_count && own->at[point] <= own->step)
            point++;
        const uint64_t left = point < own->at_count ? own->at[point] - own->step : steps;
        const uint64_t n = left < steps ? left : steps;
        for (size_t i = 0; i < own->batch; i++)
            TRY_RETURN(walk_one_advance(&own->one[i], n));
        for (size_t i = 0; i < own->batch; i++) {
            TRY_RETURN(walk_one_sync(&own->one[i]));
            own->updates += walk_one_updates(r, &own->one[i], own->step, own->step + n);
        }
        own->step += n;
        own->done += n;
        steps -= n;
        if (point < own->at_count && own->at[point] == own->step)
            TRY_RETURN(measure_all(r, point));
    }
    r->model.cells = own->done ? (size_t)(own->updates / (double)own->done) : 1;
    return 0;
}

static uint64_t walk_step(const struct run *r) { return ((const struct walk_run *)r->own)->step; }

/* Repeats the current walks with the plainest variant that any walk has memory for. */
static void plainly(struct run *again)
{
    struct walk_run *own = again->own;
    memset(own->one, 0, sizeof(own->one));
    own->at_count = 0; /* verify without measurements */
    again->set->variant = "near";
    if (!own->loaded)
        again->resume.from = NULL;
}

/* clang-format off */
const struct simulation walk_simulation = {
    .bytes = sizeof(struct walk_run), .subject = "carpet", .advice = "fewer --steps or --walkers",
    .variants = mw_walk_variants,
    .model = { .choose = walk_choose, .prepare = walk_prepare, .settings = settings, .device_bytes = walk_device_bytes,
               .host_bytes = walk_host_bytes, .make = walk_make, .unmake = unmake, .free = walk_free, .more = more,
               .next = next, .runs = runs },
    .step = { .init = walk_init, .advance = command_walk_advance, .step = walk_step, .load = walk_load,
              .save = walk_save, .plainly = plainly },
    .observe = { .read = walk_read, .field = walk_field, .measure = walk_measure, .print = walk_print, .row = walk_row,
                 .show = walk_show, .write = walk_write },
    .report = { .rate_unit = walk_rate_unit, .setup = walk_report_setup, .method = walk_method,
                .device = walk_report_device, .state = walk_report_state, .checksum = walk_checksum,
                .plan = walk_report_plan },
};
/* clang-format on */

/* ---- the subcommand ---- */

static int run_walk(struct command *command)
{
    struct all_settings *set = command->settings;
    struct run r = { .command = command,
                     .set = &set->run,
                     .kind = &walk_simulation,
                     .own_settings = &set->walk,
                     .seconds.start = mw_now() };
    if (!strcmp(set->walk.carpet, "list"))
        return walk_list_carpets(set->run.device.kernel_path);
    if (!strcmp(set->run.variant, "list"))
        return variant_list(mw_walk_variants);
    TRY_RETURN(restart_decide(&r));
    if (!set->run.restart || option_is_given(command, "carpet"))
        r.model.name = set->walk.carpet;
    return run_whole(&r);
}

const struct subcommand walk_subcommand = {
    .name = "walk",
    .summary = "random walks on Sierpinski carpets",
    .description =
        "Runs random walks on standard or random carpets in two or three dimensions, by the master equation or with "
        "walkers. Prints the mean square displacement and the exponent of its growth.",
    .groups = groups,
    .settings_bytes = sizeof(struct all_settings),
    .run = run_walk,
};
/* SPDX-License-Identifier: MIT */
