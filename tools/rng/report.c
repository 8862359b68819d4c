/* meshwork rng: the plan and the summary. */
#include <math.h>
#include <stdio.h>

#include "tools/report/files.h"
#include "tools/rng/rng.h"

static struct node *start_report(const struct rng *r)
{
    struct node *o = report_object();
    show_value(put_text(o, "generator", r->set->generator), "generator");
    show_value(put_text(o, "distribution", r->distribution), "distribution");
    return o;
}

static void put_stream(const struct rng *r, const char *variant, struct node *o)
{
    show_value(put_text(o, "variant", variant), "variant");
    show_value(put_seed(o, r->set->seed), "seed");
    put_count(o, "first", r->set->first);
}

/* Operations per number of the generator; NaN if the distribution needs more. */
static double operations(const struct rng *r)
{
    /* Threefry 4x32-20: four words take twenty rounds of two sums, rotations and exclusive ors, and six key additions
     * of five words.  Lagged Fibonacci: two differences, a sum and three comparisons. */
    static const struct {
        const char *name;
        double of_word;
    } generators[] = { { "philox", PHILOX_OPERATIONS }, { "threefry", 37.5 }, { "ranmar", 6 } };
    const bool plain =
        r->draw.kind == MW_RANDOM_BITS || r->draw.kind == MW_RANDOM_FLOATS || r->draw.kind == MW_RANDOM_NUMBERS;

    for (size_t i = 0; i < MW_COUNT(generators) && plain; i++)
        if (!strcmp(r->set->generator, generators[i].name))
            return generators[i].of_word;
    return NAN;
}

int rng_summary(void *task)
{
    const struct rng *r = task;
    const struct passes *passes = &r->passes;
    const double rate = passes_rate(passes, (double)r->made);
    const struct timing timings[] = { { "minimum", passes->seconds[0] },
                                      { "maximum", passes->seconds[passes->count - 1] },
                                      { "build", r->build },
                                      { "output", r->write },
                                      { "verify", r->flow.verify },
                                      { "total", mw_now() - r->flow.start } };
    struct node *o = start_report(r);
    char draws[40];
    team_put(&r->devices, o);
    put_stream(r, mw_random_variant(r->random), o);
    /* The sequence depends on the number of alternating streams and the table length. */
    snprintf(draws, sizeof(draws), "%zu streams of %zu", mw_random_streams(r->random),
             (size_t)mw_random_table(r->random));
    put_text(o, "draws", mw_random_table(r->random) ? draws : "numbered");
    if (mw_random_table(r->random)) {
        show_value(put_count(o, "streams", mw_random_streams(r->random)), "streams");
        show_value(put_count(o, "table", mw_random_table(r->random)), "table");
    } else {
        show_value(put_count(o, "stream", r->set->stream), "stream");
    }
    show_value(put_count(o, "samples", r->made), "samples");
    passes_report(passes, o);
    ROW(o, "", "build %s, output %s, total %s", seconds_text(r->build).text, seconds_text(r->write).text,
        seconds_text(mw_now() - r->flow.start).text);
    put_rate(o, rate, "numbers/s");
    put_real(o, "bytes_per_second", rate * (double)r->bytes);
    put_least_bytes(o, (double)r->made * (double)r->bytes);
    put_operations(o, operations(r) * (double)r->made);
    if (!r->endless) {
        show_row(put_checksum(o, "checksum", r->checksum), "checksum", "%s, of the first %llu",
                 checksum_text(r->checksum).text, (unsigned long long)r->checked);
        put_count(o, "checksum_samples", r->checked);
    }
    put_verified(o, r->set->verify, r->flow.verify, "each number agrees with native:serial");
    show_written(o, "written", r->output);
    put_timings(o, timings, MW_COUNT(timings));
    return report_print(o);
}

/* ---- the plan ---- */

/* Numbers per device and chunk, as in src/rng/team.c; tests/lint/command.sh compares both. */
#define PIECE ((size_t)1 << 24)
/* Returns the mean length of a text line for a number of this size. */
#define LINE_BYTES(bytes) (2.5 * (bytes) + 1.5)

static double least_of(double a, double b) { return a < b ? a : b; }

/* Each device has one chunk.  Written numbers are also on the host, as is the beginning for the checksum. */
static void add_phases(const struct rng *r, size_t devices, struct memory_plan *memory)
{
    const struct rng_settings *set = r->set;
    const double bytes = (double)r->bytes, all = r->endless ? INFINITY : (double)set->samples;
    const double tables = 8.0 * (double)set->streams * (double)set->table * (double)devices;
    const double piece = least_of(all, fmax((double)PIECE, tables / 8 / (double)devices));
    const double chunk = least_of(all, CHUNK_TO_WRITE * (double)devices);
    const double made = r->output ? least_of(chunk, piece * (double)devices) : least_of(all, piece * (double)devices);
    const double text = r->output && set->format == FORMAT_TEXT ? chunk * LINE_BYTES(bytes) : 0;
    if (r->output)
        memory_phase(memory, chunk * bytes + text, tables + made * bytes);
    if (!r->endless)
        memory_phase(memory, least_of(all, CHECKED_NUMBERS) * bytes, tables + made * bytes);
    if (set->verify)
        memory_phase(memory, 4 * CHUNK_TO_VERIFY * bytes + tables, tables + fmax(made, CHUNK_TO_VERIFY) * bytes);
}

static int plan_memory(const struct rng *r, struct team_plan *devices, struct memory_plan *memory)
{
    TRY_RETURN(team_plan(&r->set->device, devices));
    devices->first.memory_bytes = devices->memory_bytes;
    add_phases(r, devices->count, memory);
    return 0;
}

int rng_check_memory(const struct rng *r)
{
    struct memory_plan memory = { 0 };
    struct team_plan devices;
    if (!r->set->device.memory_limit)
        return 0;
    TRY_RETURN(plan_memory(r, &devices, &memory));
    return memory_check_limit(&r->set->device, &devices.first, &memory);
}

int rng_plan(void *task)
{
    const struct rng *r = task;
    struct memory_plan memory = { 0 };
    struct team_plan devices;
    struct node *o;
    TRY_RETURN(plan_memory(r, &devices, &memory));
    o = start_report(r);
    team_plan_put(&devices, r->set->device.selector, o);
    put_stream(r, r->set->variant, o);
    show_value(put_count(o, "samples", r->set->samples), "samples");
    memory_put(&memory, &devices.first, o);
    TRY_RETURN(report_print(o));
    return device_holds(&devices.first, memory_planned(&memory, &devices.first));
}
/* SPDX-License-Identifier: MIT */
