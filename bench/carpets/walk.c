/* Random walks on Sierpinski carpets by all variants, as figures 11 and 12 and table I of Hoffmann et al. 2010 have
 * them: on carpets of three occupancies, a in t = a s^3 fitted to walks of s steps; and SciPy's product of a sparse
 * matrix and a vector, s times.
 *
 *   bench/walk [-s] [-l] [--precision single|double] [--steps N] [ROUNDS [DEVICE...]]      (3 rounds, all devices)
 *
 * A pass is a whole walk, without what is made before it: how long that takes is said in the last column.  "Of copy" is
 * the bandwidth as a fraction of a plain copy's: each update of a site is counted as reading and writing it and reading
 * the numbers of its neighbours, 4 bytes each, whatever a variant really moves.
 * --steps: walks of that many steps only, on the first carpet, without the paper's variants and SciPy, which take
 * long. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/table.h"
#include "walk/walk_internal.h"

enum { OCCUPANCIES = 3, LENGTHS = 3, VARIANTS = 12 };

static const char *const carpets[OCCUPANCIES] = { "random", "random35", "random59" };
static const uint64_t lengths[2][LENGTHS] = { { 500, 1000, 2000 }, { 10, 20, 40 } };
/* The longest ones take the paper's variants a minute, and are for one carpet. */
static uint64_t one_length;       /* of --steps; 0: all of `lengths` */
static size_t occupancies(void) { return one_length ? 1 : OCCUPANCIES; }
static size_t lengths_of(size_t occupancy) { return one_length ? 1 : occupancy == 0 ? LENGTHS : LENGTHS - 1; }
static uint64_t length_at(const struct bench *bench, size_t i)
{
    return one_length ? one_length : lengths[bench->small][i];
}

static const char *precision = "single", *steps_wanted = "";

static bool fp64(void) { return strcmp(precision, "double") == 0; }

/* Those that look at places without a site as well. */
static bool is_papers(const char *variant) { return strcmp(variant, "square") == 0 || strcmp(variant, "diamond") == 0; }

/* In walks of many steps: the paper's, and those whose items do so much one after the other that they need cores. */
static bool takes_long(const struct mw_device *device, const char *variant)
{
    return is_papers(variant) || strcmp(variant, "compact") == 0 ||
           (strcmp(variant, "iterators") == 0 && !mw_device_info(device)->traits.has_cores);
}

/* ---- ours ---- */

struct ours {
    struct mw_device *device;
    const struct mw_carpet *carpet;
    struct mw_walk_options options;
    struct mw_walk *walk;
    double made;                 /* seconds */
    double moved;                /* bytes */
};

/* Bytes of all updates of a walk; NaN of variants that look at places without a site as well. */
static double moved_by(const struct ours *o)
{
    const struct mw_walk_sites *sites = &o->walk->sites;
    const bool whole = o->walk->variant->whole;
    const double each = 2.0 * (fp64() ? sizeof(double) : sizeof(float)) + 2.0 * sites->dims * sizeof(int32_t);
    double updates = 0;
    if (is_papers(o->options.variant))
        return NAN;
    for (uint64_t step = 1; step <= o->options.steps; step++)
        updates += (double)mw_walk_sites_within(sites, whole ? step : mw_walk_reach(step, fp64()));
    return updates * each;
}

static int prepare(void *of)
{
    struct ours *o = of;
    const double start = mw_now(), built = mw_build_seconds();
    const int rc = mw_walk_new(&o->device, 1, o->carpet, &o->options, &o->walk);
    o->made = mw_now() - start - (mw_build_seconds() - built);
    o->moved = rc == 0 ? moved_by(o) : NAN;
    return rc;
}

static double seconds(void *of)
{
    struct ours *o = of;
    const size_t one = 1;
    struct mw_array state;
    if (mw_array_new(fp64() ? MW_TYPE_F64 : MW_TYPE_F32, 1, &one, &state) != 0)
        bench_die("a state");
    if (fp64())
        *(double *)state.data = 1;
    else
        *(float *)state.data = 1;
    if (mw_walk_set(o->walk, 0, &state) != 0)
        bench_die("a state");
    mw_array_free(&state);
    const double start = mw_now();
    if (mw_walk_advance(o->walk, o->options.steps) != 0 || mw_walk_sync(o->walk) != 0)
        bench_die("a walk");
    return mw_now() - start;
}

static int check(void *of)
{
    struct ours *o = of;
    struct mw_walk_measures measures;
    if (mw_walk_measure(o->walk, &measures) != 0)
        bench_die("a walk");
    if (!(fabs(measures.total - 1) < (fp64() ? 1e-12 : 1e-4)))
        bench_wrong("variant %s: the total probability is %.17g", mw_walk_variant(o->walk), measures.total);
    return 0;
}

static void finish(void *of)
{
    struct ours *o = of;
    mw_walk_free(o->walk);
    o->walk = NULL;
}

/* ---- the contests ---- */

/* What a contender took, by occupancy and length; `of_copy`: the last walk on the first carpet. */
struct row { char name[48]; double second[OCCUPANCIES][LENGTHS], made, of_copy; };

static struct mw_carpet *carpet_of(const char *name, int64_t *start)
{
    const struct mw_carpet_options options = { .generators = name, .level = 3, .seed = 1 };
    struct mw_carpet *carpet;
    if (mw_carpet_new(&options, &carpet) != 0 || mw_carpet_random_site(carpet, 0, start) != 0)
        bench_die(name);
    return carpet;
}

static void send_table(struct bench *bench, const struct mw_carpet *carpet, const int64_t *start, uint64_t steps)
{
    struct mw_walk_sites sites;
    char line[80];
    if (mw_walk_sites_find(carpet, start, steps, &sites) != 0)
        bench_die("sites");
    snprintf(line, sizeof line, "table %zu %u", sites.count, 2 * sites.dims);
    python_seconds(&bench->python, line, sites.beside, 2 * sites.dims * sites.count * sizeof *sites.beside);
    bench_say(bench, "%llu steps reach %zu sites, %zu of them near enough to count\n", (unsigned long long)steps,
              sites.count, mw_walk_sites_within(&sites, mw_walk_reach(steps, fp64())));
    mw_walk_sites_clear(&sites);
}

static void keep(struct row *row, const struct bench_contender *c, size_t occupancy, size_t length)
{
    snprintf(row->name, sizeof row->name, "%s", c->name);
    row->second[occupancy][length] = bench_seconds(c).median;
    if (occupancy == 0)
        row->made = row->of_copy = NAN;
}

/* Fills a column of the rows: the variants', then SciPy's. */
static size_t measure_length(struct bench *bench, struct mw_device *device, size_t occupancy, size_t length,
                             struct row *rows)
{
    struct ours ours[VARIANTS];
    struct bench_contender c[VARIANTS + 2] = { { .name = NULL } };
    struct bench_rival rival = { .python = &bench->python, .name = "scipy" };
    struct bench_copy copy = { .device = device, .bytes = (size_t)(bench->small ? 1 : 256) << 20 };
    struct mw_walk_options options = { .steps = length_at(bench, length), .fp64 = fp64() };
    struct mw_carpet *carpet = carpet_of(carpets[occupancy], options.start);
    char name[80];
    size_t count = 0;
    snprintf(name, sizeof name, "%s %s %llu", mw_device_info(device)->id, carpets[occupancy],
             (unsigned long long)options.steps);
    if (!one_length)
        send_table(bench, carpet, options.start, options.steps);
    for (size_t i = 0; count < VARIANTS && mw_walk_variants(i); i++) {
        options.variant = mw_walk_variants(i)->name;
        if (one_length && takes_long(device, options.variant))
            continue;
        ours[count] = (struct ours){ device, carpet, options, NULL, 0, 0 };
        c[count] = (struct bench_contender){ .name = options.variant, .of = &ours[count], .prepare = prepare,
                                             .seconds = seconds, .check = check, .finish = finish };
        count++;
    }
    snprintf(rival.line, sizeof rival.line, "scipy %s %llu", fp64() ? "float64" : "float32",
             (unsigned long long)options.steps);
    c[count] = bench_copier(&copy);
    if (!one_length)
        c[count + 1] = bench_rival(&rival);
    bench_contest(bench, &(struct bench_contest){ .name = name }, c, count + 1 + !one_length);
    for (size_t i = 0; i < count; i++) {
        c[i].moved = ours[i].moved;
        keep(&rows[i], &c[i], occupancy, length);
        if (occupancy == 0) {
            rows[i].made = ours[i].made;
            rows[i].of_copy = bench_bandwidth(&c[i], &c[count]).median;
        }
    }
    if (!one_length)
        keep(&rows[count], &c[count + 1], occupancy, length);
    mw_carpet_free(carpet);
    return count + !one_length;
}

/* a in t = a s^3 by least squares, in thousand millionths of a second. */
static double fitted(const struct bench *bench, const double *second, size_t count)
{
    double above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        const double cube = pow((double)length_at(bench, i), 3);
        above += second[i] * cube;
        below += cube * cube;
    }
    return above / below * 1e9;
}

static void print(struct bench *bench, const struct row *rows, size_t count)
{
    static const struct bench_column all[] = {
        { "", -12, 0 }, { "a, 0.093", 10, 5 }, { "0.35", 9, 5 }, { "0.59", 9, 5 }, { "s: 500", 10, 3 },
        { "1000", 10, 3 }, { "2000", 10, 3 }, { "of copy", 8, 2 }, { "making, ms", 12, 1 } };
    static const struct bench_column one[] = {
        { "", -12, 0 }, { "a, ns", 10, 5 }, { "ms", 10, 3 }, { "of copy", 8, 2 }, { "making, ms", 12, 1 } };
    struct bench_table table = one_length ? BENCH_TABLE(bench, one) : BENCH_TABLE(bench, all);
    for (size_t i = 0; i < count; i++) {
        bench_text(&table, "%s", rows[i].name);
        for (size_t occupancy = 0; occupancy < occupancies(); occupancy++)
            bench_number(&table, fitted(bench, rows[i].second[occupancy], lengths_of(occupancy)));
        for (size_t length = 0; length < lengths_of(0); length++)
            bench_number(&table, rows[i].second[0][length] * 1e3);
        bench_number(&table, rows[i].of_copy);
        bench_number(&table, rows[i].made * 1e3);
    }
}

static void measure(struct bench *bench, struct mw_device *device)
{
    struct row rows[VARIANTS + 1];
    size_t count = 0;
    if (fp64() && !mw_device_info(device)->fp64)
        return;
    bench_say(bench, "%s, %s precision: a in t = a s^3, in ns, by occupancy; ms of a walk of s steps at 0.093\n",
              mw_device_info(device)->id, precision);
    for (size_t occupancy = 0; occupancy < occupancies(); occupancy++)
        for (size_t length = 0; length < lengths_of(occupancy); length++)
            count = measure_length(bench, device, occupancy, length, rows);
    print(bench, rows, count);
}

int main(int argc, char **argv)
{
    static const struct bench_option options[] = {
        { "precision", "single|double", &precision }, { "steps", "N", &steps_wanted }, { NULL, NULL, NULL } };
    static const struct bench_setup setup = { .rounds = 3, .script = "walk.py", .options = options };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    one_length = strtoull(steps_wanted, NULL, 10);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
