/* meshwork rng: writes streams of random numbers to a file or a pipe, or measures the rate. */
#include <meshwork/io.h>

#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/rng/rng.h"

#define AT(member) offsetof(struct rng_settings, member)

/* auto, then the words of enum mw_random_kind in order. */
#define DISTRIBUTIONS "auto|bits|float|double|normal|normal-double|below|bernoulli|numbers"

/* clang-format off */
static const struct option options[] = {
    { .name = "generator", .type = OPTION_TEXT, .target = AT(generator), .value = "philox|threefry|ranmar|list",
      .fallback = "philox", .help = "generator: Philox4x32-10, Threefry4x32-20, or Marsaglia's lagged Fibonacci "
                                    "generator" },
    { .name = "samples", .type = OPTION_COUNT, .target = AT(samples), .value = "N", .fallback = "67108864",
      .most = (uint64_t)1 << 59, .help = "number of samples; 0, to a pipe: until the reader ends" },
    { .name = "first", .type = OPTION_COUNT, .target = AT(first), .value = "N", .fallback = "0",
      .most = (uint64_t)1 << 59, .help = "position of the first number in the stream, at most 2^59" },
    { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0",
      .help = "seed, decimal or hexadecimal (0x2a); for ranmar, ij * 30082 + kl with its authors' ij and kl" },
    { .name = "stream", .type = OPTION_COUNT, .target = AT(stream), .value = "N", .fallback = "0",
      .most = UINT32_MAX, .help = "stream of philox and threefry" },
    { .name = "streams", .type = OPTION_COUNT, .target = AT(streams), .value = "N",
      .help = "alternating streams of ranmar: 1 to 32, or a multiple of 32 (default: 1; variant lanes: 24, variant "
              "tables: 8192)" },
    { .name = "table", .type = OPTION_COUNT, .target = AT(table), .value = "N",
      .help = "table length of ranmar, a prime (default: 97; variant stream: 92153)" },
    { .name = "distribution", .type = OPTION_CHOICE, .target = AT(distribution), .value = DISTRIBUTIONS,
      .also = "normal-float=normal|integers=below", .fallback = "auto",
      .help = "distribution: 32-bit words, uniform or normal numbers, whole numbers below --below, words whose bits "
              "are 1 with --probability, 24-bit numbers; auto: below or bernoulli with N or P, float with --interval "
              "and --format float or text, otherwise bits" },
    { .name = "interval", .type = OPTION_CHOICE, .target = AT(interval), .value = "lower|upper|open",
      .named = mw_random_interval_name, .fallback = "lower", .help = "interval of uniform numbers: [0, 1), (0, 1] or "
                                                                     "(0, 1)" },
    { .name = "below", .type = OPTION_COUNT, .target = AT(below), .value = "N", .least = 1,
      .most = (uint64_t)1 << 32, .help = "upper limit of whole numbers, excluded" },
    { .name = "probability", .type = OPTION_REAL, .target = AT(probability), .value = "P",
      .help = "probability that a bit is 1, below 1" },
    { .name = "format", .type = OPTION_CHOICE, .target = AT(format), .value = "raw|float|text", .fallback = "raw",
      .help = "output format: numbers as in memory, single precision, or lines of text; without -o, to standard "
              "output" },
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE",
      .help = "write numbers to FILE; - is standard output, with the summary on standard error (default: measure the "
              "rate without output)" },
    VARIANT_OPTION(struct rng_settings, "variant that makes the numbers; all give the same ones"),
    PASS_OPTIONS(struct rng_settings, "without output: time N passes after one warm-up pass; report the median",
                 "compare with the numbers of native:serial"),
    { 0 }
};
/* clang-format on */

/* Returns the options of the requested generator. */
static struct mw_random_options rng_options(const struct rng_settings *set, const char *variant)
{
    return (struct mw_random_options){ .size = sizeof(struct mw_random_options),
                                       .generator = set->generator,
                                       .variant = variant,
                                       .seed = set->seed,
                                       .stream = (uint32_t)set->stream,
                                       .streams = set->streams,
                                       .table = set->table };
}

static int generators_list_random(void)
{
    struct node *table = report_table("generator|description");
    for (size_t i = 0; mw_random_generators(i); i++) {
        struct node *row = put_object(table, NULL);
        show_value_cell(put_text(row, "name", mw_random_generators(i)->name), BOLD);
        show_value_cell(put_text(row, "description", mw_random_generators(i)->description), PLAIN);
    }
    return report_print(table);
}

static int generator_check(const char *name)
{
    for (size_t i = 0; mw_random_generators(i); i++)
        if (!strcmp(mw_random_generators(i)->name, name))
            return 0;
    return mw_fail(MW_EINVAL, "--generator: unknown generator '%s': --generator list lists them", name);
}

/* Determines the distribution.  MW_EINVAL: options of another distribution, or missing ones. */
static int choose_draw(struct rng *r, const struct command *command)
{
    const struct rng_settings *set = r->set;
    enum mw_random_kind kind = MW_RANDOM_FLOATS;
    if (set->distribution > 0)
        kind = (enum mw_random_kind)(set->distribution - 1);
    else if (option_is_given(command, "below"))
        kind = MW_RANDOM_BELOW;
    else if (option_is_given(command, "probability"))
        kind = MW_RANDOM_BERNOULLI;
    else if (!option_is_given(command, "interval") && set->format == FORMAT_RAW)
        kind = MW_RANDOM_BITS;
    r->distribution = mw_random_kind_name(kind);
    r->draw = (struct mw_random_draw){
        .size = sizeof(r->draw), .kind = kind, .interval = (enum mw_random_interval)set->interval, .below = set->below
    };
    r->bytes = mw_random_bytes(r->draw.kind);
    if ((r->draw.kind == MW_RANDOM_BELOW) != option_is_given(command, "below"))
        return mw_fail(MW_EINVAL, "--below N and --distribution below require each other");
    if ((r->draw.kind == MW_RANDOM_BERNOULLI) != option_is_given(command, "probability"))
        return mw_fail(MW_EINVAL, "--probability P and --distribution bernoulli require each other");
    if (r->draw.kind == MW_RANDOM_BERNOULLI && set->probability >= 1)
        return mw_fail(MW_EINVAL, "--probability %g: must be below 1", set->probability);
    r->draw.probability = (uint32_t)(set->probability * 0x1p32);
    if (set->format == FORMAT_FLOAT && r->draw.kind != MW_RANDOM_FLOATS && r->draw.kind != MW_RANDOM_NORMAL_FLOATS)
        return mw_fail(MW_EINVAL, "--format float needs single precision: use raw for %s", r->distribution);
    return 0;
}

/* Rejects options that would have no effect with this generator or distribution. */
static int rng_check_options(const struct rng *r, const struct command *command)
{
    static const char *const of_tables[] = { "streams", "table" };
    const bool tables = !strcmp(r->set->generator, "ranmar");
    const bool uniform = r->draw.kind == MW_RANDOM_FLOATS || r->draw.kind == MW_RANDOM_DOUBLES;
    for (size_t i = 0; i < MW_COUNT(of_tables); i++)
        if (!tables && option_is_given(command, of_tables[i]))
            return mw_fail(MW_EINVAL, "--%s requires --generator ranmar; the generator is %s", of_tables[i],
                           r->set->generator);
    if (tables && option_is_given(command, "stream"))
        return mw_fail(MW_EINVAL, "--stream requires philox or threefry: use another --seed for ranmar");
    if (!uniform && option_is_given(command, "interval"))
        return mw_fail(MW_EINVAL, "--interval requires uniform numbers, not %s: use --distribution float or double",
                       r->distribution);
    return 0;
}

static int rng_prepare(void *task)
{
    struct rng *r = task;
    const struct command *command = r->flow.command;
    const struct rng_settings *set = r->set;
    const struct mw_array_format *format;
    TRY_RETURN(variant_check(set->variant, mw_random_variants));
    TRY_RETURN(generator_check(set->generator));
    r->output = set->output ? set->output : option_is_given(command, "format") && !files_forbidden() ? "-" : NULL;
    r->endless = set->samples == 0;
    TRY_RETURN(choose_draw(r, command));
    TRY_RETURN(rng_check_options(r, command));
    if (r->endless && (!r->output || strcmp(r->output, "-") != 0 || set->verify))
        return mw_fail(MW_EINVAL, "--samples 0 needs a pipe, as in meshwork rng --samples 0 -o - | dieharder -g 200 "
                                  "-a");
    if (r->output && set->repeat > 1)
        return mw_fail(MW_EINVAL, "--repeat measures rates: leave out --repeat or the output");
    if (r->output && strcmp(r->output, "-") != 0 &&
        (mw_array_format_find(r->output, false, &format) == 0 || mw_array_format_find(r->output, true, &format) == 0))
        return mw_fail(MW_EINVAL,
                       "%s: numbers are written without the header of %s: use a name such as x.raw, and "
                       "read it with numpy.fromfile",
                       r->output, format->suffix);
    if (r->output)
        TRY_RETURN(set->format == FORMAT_TEXT ? file_text_writable(r->output) : file_array_writable(r->output));
    TRY_RETURN(passes_new(set->repeat, &r->passes));
    return 0;
}

/* ---- rates ---- */

/* Consecutive passes continue the stream.  The first one is a warm-up pass: drivers compile in it, and tables are
 * made. */
static int rng_measure(struct rng *r)
{
    const double start = mw_now();
    uint64_t first = r->set->first;
    TRY_RETURN(mw_random_fill_host(r->random, &r->draw, first, (size_t)r->set->samples, NULL));
    r->build += mw_now() - start;
    for (size_t i = 0; i < r->passes.count; i++) {
        const struct phase pass = phase_begin();
        first += r->set->samples;
        TRY_RETURN(mw_random_fill_host(r->random, &r->draw, first, (size_t)r->set->samples, NULL));
        r->passes.seconds[i] = phase_end(&pass, &r->build);
    }
    passes_sort(&r->passes);
    r->made = r->set->samples;
    return 0;
}

/* Numbers per write: whole rounds of all streams and whole turns of all devices, so that no number is made twice. */
static size_t choose_chunk(const struct rng *r)
{
    const size_t round = mw_random_streams(r->random) * mw_random_table(r->random);
    const size_t devices = r->devices.count, turn = devices * mw_random_piece(r->random);
    const size_t chunk = devices > 1 && turn ? turn : devices * CHUNK_TO_WRITE;
    return r->set->samples && r->set->samples < chunk ? (size_t)r->set->samples
           : round && chunk > round                   ? chunk / round * round
                                                      : chunk;
}

static int open_generator(struct rng *r)
{
    const double start = mw_now();
    const struct mw_random_options how = rng_options(r->set, r->set->variant);
    TRY_RETURN(team_open(&r->set->device, &r->devices));
    TRY_RETURN(mw_random_new(r->devices.device, r->devices.count, &how, &r->random));
    r->chunk = choose_chunk(r);
    r->build = mw_now() - start;
    return 0;
}

/* ---- verification ---- */

/* The checksum of the beginning identifies the stream; the other numbers stay on the device. */
static int check_beginning(struct rng *r)
{
    struct mw_array array = { .type = MW_TYPE_U8, .dims = 1 };
    int rc;
    if (r->endless)
        return 0;
    r->checked = r->set->samples < CHECKED_NUMBERS ? r->set->samples : CHECKED_NUMBERS;
    array.count = array.length[0] = (size_t)r->checked * r->bytes;
    TRY(mw_new((size_t)r->checked, r->bytes, &array.data));
    TRY(mw_random_fill_host(r->random, &r->draw, r->set->first, (size_t)r->checked, array.data));
    r->checksum = mw_array_checksum(&array);
out:
    free(array.data);
    return rc;
}

static int compare(const struct rng *r, struct mw_random *expected, unsigned char *here, unsigned char *there)
{
    const struct rng_settings *set = r->set;
    for (uint64_t done = 0; done < set->samples; done += CHUNK_TO_VERIFY) {
        const uint64_t left = set->samples - done, first = set->first + done;
        const size_t some = left < CHUNK_TO_VERIFY ? (size_t)left : CHUNK_TO_VERIFY;
        size_t i = 0;
        TRY_RETURN(mw_random_fill_host(r->random, &r->draw, first, some, here));
        TRY_RETURN(mw_random_fill_host(expected, &r->draw, first, some, there));
        while (i < some && !memcmp(here + i * r->bytes, there + i * r->bytes, r->bytes))
            i++;
        if (i < some)
            return mw_fail(MW_EVERIFY,
                           "verification failed: number %llu on %s differs from native:serial: please "
                           "report this with `meshwork devices -v`",
                           (unsigned long long)(first + i), mw_device_info(r->devices.device[0])->id);
    }
    return 0;
}

static int rng_verify(void *task)
{
    struct rng *r = task;
    const struct mw_device_options on = { .size = sizeof on, .threads = 1, .kernel_path = r->set->device.kernel_path };
    struct mw_random_options how = rng_options(r->set, mw_random_table(r->random) ? "serial" : "blocks");
    unsigned char *here = NULL, *there = NULL;
    struct mw_device *serial = NULL;
    struct mw_random *expected = NULL;
    int rc;

    how.streams = mw_random_table(r->random) ? mw_random_streams(r->random) : 0;
    how.table = mw_random_table(r->random);
    TRY(mw_device_open_by_name("native:serial", &on, &serial));
    TRY(mw_random_new(&serial, 1, &how, &expected));
    TRY(mw_new(CHUNK_TO_VERIFY, r->bytes, &here));
    TRY(mw_new(CHUNK_TO_VERIFY, r->bytes, &there));
    TRY(compare(r, expected, here, there));
out:
    free(here);
    free(there);
    mw_random_free(expected);
    device_give_back(serial);
    return rc;
}

static int rng_compute(void *task)
{
    struct rng *r = task;
    TRY_RETURN(rng_check_memory(r));
    TRY_RETURN(open_generator(r));
    if (r->set->verify && r->devices.count > 1 && mw_random_piece(r->random))
        return mw_fail(MW_ENOTSUP,
                       "--verify: several devices with a table each make other numbers than one device: leave "
                       "out --verify, or use one device");
    TRY_RETURN(r->output ? rng_write(r) : rng_measure(r));
    return check_beginning(r);
}

static void rng_free(void *task)
{
    struct rng *r = task;
    mw_random_free(r->random);
    team_close(&r->devices);
    free(r->passes.seconds);
}

static const struct workflow_kind rng_kind = { rng_prepare, rng_plan,    rng_compute, rng_verify,
                                               NULL,        rng_summary, rng_free };

static int rng_run(struct command *command)
{
    struct rng r = { .flow.command = command, .set = command->settings };
    if (!strcmp(r.set->variant, "list"))
        return variant_list(mw_random_variants);
    if (!strcmp(r.set->generator, "list"))
        return generators_list_random();
    return workflow_run(&r, &rng_kind, r.set->dry_run, r.set->verify);
}

static const struct option_group groups[] = { { "Random numbers", options, 0 },
                                              DEVICES_SHAPE_GROUPS(struct rng_settings, device),
                                              { 0 } };

const struct subcommand rng_subcommand = {
    .name = "rng",
    .summary = "write random numbers, or measure their rate",
    .description =
        "Makes random numbers on devices. With -o or --format it writes them; otherwise it measures the rate per "
        "second. Number k of a stream depends only on generator, seed, stream and k. Exception: on several devices "
        "ranmar has a table per device, used in turn.",
    .groups = groups,
    .settings_bytes = sizeof(struct rng_settings),
    .run = rng_run,
};
/* SPDX-License-Identifier: MIT */
