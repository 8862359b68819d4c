/* Streams of random numbers: tables of generators and variants, and calls for one device. */
#include "dev/core/backend.h"
#include "rng/rng_internal.h"

#define CHUNK ((size_t)1 << 20) /* numbers of ranmar that are converted at once */

static const struct row {
    struct mw_random_generator generator;
    enum mw_random_source source;
} generators[] = {
    { { "philox", "Philox4x32-10, a function of seed and counter (Salmon, Moraes, Dror, Shaw 2011)" },
      MW_SOURCE_PHILOX },
    { { "threefry", "Threefry4x32-20, a function of seed and counter (Salmon, Moraes, Dror, Shaw 2011)" },
      MW_SOURCE_THREEFRY },
    { { "ranmar", "lagged Fibonacci generator of 24 bits (Marsaglia, Zaman, Tsang 1990)" }, MW_SOURCE_STORED },
};

MW_ENUM_NAMES(random_kind,
              "distribution", [MW_RANDOM_BITS] = "bits", [MW_RANDOM_FLOATS] = "float", [MW_RANDOM_DOUBLES] = "double",
              [MW_RANDOM_NORMAL_FLOATS] = "normal", [MW_RANDOM_NORMAL_DOUBLES] = "normal-double",
              [MW_RANDOM_BELOW] = "below", [MW_RANDOM_BERNOULLI] = "bernoulli", [MW_RANDOM_NUMBERS] = "numbers")
MW_ENUM_NAMES(random_interval, "interval", [MW_RANDOM_INTERVAL_LOWER] = "lower", [MW_RANDOM_INTERVAL_UPPER] = "upper",
              [MW_RANDOM_INTERVAL_OPEN] = "open")

const struct mw_random_generator *mw_random_generators(size_t i)
{
    return i < MW_COUNT(generators) ? &generators[i].generator : NULL;
}

static const struct mw_variant variants[] = {
    [MW_WAY_BLOCKS] = { "blocks", "philox, threefry: independent blocks of four words; on CPU cores several at once",
                        NULL },
    [MW_WAY_SERIAL] = { "serial", "ranmar: one number after the other on the host", NULL },
    [MW_WAY_LANES] = { "lanes", "ranmar: tables are lanes of vectors, as on the Cell processor; devices with CPU cores",
                       "cell" },
    [MW_WAY_TABLES] = { "tables",
                        "ranmar: one table per work-item; on CPU cores, 32 or more tables are lanes of vectors",
                        "threads" },
    [MW_WAY_STREAM] = { "stream", "ranmar: one stream with a long table, three launches per round", NULL },
};

const struct mw_variant *mw_random_variants(size_t i) { return i < MW_COUNT(variants) ? &variants[i] : NULL; }

static int find_generator(const char *name, enum mw_random_source *source)
{
    for (size_t i = 0; i < MW_COUNT(generators); i++)
        if (strcmp(generators[i].generator.name, name) == 0) {
            *source = generators[i].source;
            return 0;
        }
    return mw_fail(MW_EINVAL, "unknown generator of random numbers \"%.40s\" (known: philox, threefry, ranmar)", name);
}

/* Chooses the variant of ranmar by its streams and table, and by the device among variants with the same numbers. */
static enum mw_random_way rng_choose(const struct mw_random *random, const struct mw_random_options *o)
{
    const bool cores = mw_device_info(random->device)->traits->has_cores;
    if (o->streams > 1)
        return cores ? MW_WAY_LANES : MW_WAY_TABLES;
    return o->table > 1000 ? MW_WAY_STREAM : MW_WAY_SERIAL;
}

static int choose_way(struct mw_random *random, const struct mw_random_options *o)
{
    const bool counted = random->source != MW_SOURCE_STORED;
    size_t row;
    random->way = counted ? MW_WAY_BLOCKS : rng_choose(random, o);
    if (!o->variant || strcmp(o->variant, "auto") == 0)
        return 0;
    TRY_RETURN(mw_variant_find(mw_random_variants, o->variant, &row));
    random->way = (enum mw_random_way)row;
    if (counted != (row == MW_WAY_BLOCKS))
        return mw_fail(MW_ENOTSUP, "variant %s does not support this generator (use %s)", variants[row].name,
                       counted ? "blocks" : "serial, lanes, tables or stream");
    if (row == MW_WAY_LANES && !mw_device_info(random->device)->traits->has_cores)
        return mw_fail(MW_ENOTSUP, "variant lanes needs CPU cores, which %s lacks (use tables)",
                       mw_device_info(random->device)->id);
    return 0;
}

int mw_random_one_new(struct mw_device *device, const struct mw_random_options *o, struct mw_random **result)
{
    struct mw_random *random = NULL;
    int rc;
    TRY(mw_new(1, sizeof *random, &random));
    random->device = device;
    random->seed = o->seed;
    random->stream = o->stream;
    TRY(find_generator(o->generator ? o->generator : "philox", &random->source));
    TRY(choose_way(random, o));
    if (random->way == MW_WAY_SERIAL && device->options.group)
        TRY(mw_fail(MW_EINVAL, "variant serial runs on the host, without work-groups: give no work-group size"));
    if (random->source == MW_SOURCE_STORED)
        TRY(mw_ranmar_options(random, o));
    *result = random;
    random = NULL;
out:
    mw_random_one_free(random);
    return rc;
}

void mw_random_one_free(struct mw_random *random)
{
    if (!random)
        return;
    mw_owner_drop(&random->owner);
    free(random);
}

const char *mw_random_variant(const struct mw_random *random) { return variants[random->way].name; }

size_t mw_random_streams(const struct mw_random *random)
{
    return random->source == MW_SOURCE_STORED ? random->ranmar.streams : 1;
}

size_t mw_random_table(const struct mw_random *random) { return random->ranmar.table; }

/* ---- distributions ---- */

static bool is_double(enum mw_random_kind kind)
{
    return kind == MW_RANDOM_DOUBLES || kind == MW_RANDOM_NORMAL_DOUBLES;
}

size_t mw_random_bytes(enum mw_random_kind kind) { return is_double(kind) ? 8 : 4; }

int mw_random_check(const struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                    const struct mw_buffer *to, size_t at)
{
    const size_t bytes = mw_random_bytes(draw->kind), room = to ? mw_buffer_bytes(to) / bytes : SIZE_MAX;
    if ((unsigned)draw->kind > MW_RANDOM_NUMBERS || (unsigned)draw->interval > MW_RANDOM_INTERVAL_OPEN)
        return mw_fail(MW_EINVAL, "random numbers: invalid kind or interval (see enum mw_random_kind, "
                                  "mw_random_interval)");
    if (draw->kind == MW_RANDOM_BELOW && (draw->below < 1 || draw->below > (uint64_t)1 << 32))
        return mw_fail(MW_EINVAL, "random numbers below %llu: the bound must be 1 to 4294967296",
                       (unsigned long long)draw->below);
    if (count > room || at > room - count)
        return mw_fail(MW_EINVAL, "%zu random numbers from element %zu on exceed the buffer of %zu elements", count, at,
                       room);
    if (first > ((uint64_t)1 << 60) || count > ((size_t)1 << 60))
        return mw_fail(MW_ELIMIT,
                       "random numbers: position %llu or their count exceeds 2^60: use another stream or seed",
                       (unsigned long long)first);
    if (draw->kind == MW_RANDOM_BERNOULLI && random->source == MW_SOURCE_STORED)
        return mw_fail(MW_ENOTSUP, "Bernoulli bits need a counter-based generator: philox or threefry");
    return 0;
}

/* Fills with numbers that are converted from those of ranmar, chunk by chunk. */
static int fill_by_numbers(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                           struct mw_buffer *to, size_t at)
{
    const bool shifted = draw->kind == MW_RANDOM_FLOATS;
    const uint64_t words = mw_random_bytes(draw->kind) / 4;
    if (!random->stored)
        TRY_RETURN(mw_own_buffer(&random->owner, random->device, (CHUNK * 2 / 3 * 4 + 16) * sizeof(uint32_t),
                                 &random->stored));
    for (size_t done = 0; done < count;) {
        const size_t some = count - done < CHUNK ? count - done : CHUNK;
        const uint64_t word = (first + done) * words, last = word + some * words - 1;
        const uint64_t from = shifted ? word : word / 3 * 4, end = shifted ? last + 1 : last / 3 * 4 + 4;
        TRY_RETURN(mw_ranmar_fill(random, false, from, (size_t)(end - from), random->stored, 0));
        TRY_RETURN(mw_random_launch(random, MW_SOURCE_STORED, draw, first + done, some, to, at + done, random->stored,
                                    shifted ? RNG_SHIFTED : RNG_PACKED));
        done += some;
    }
    return 0;
}

int mw_random_one_fill(struct mw_random *random, const struct mw_random_draw *draw, uint64_t first, size_t count,
                       struct mw_buffer *to, size_t at)
{
    TRY_RETURN(mw_random_check(random, draw, first, count, to, at));
    if (count == 0)
        return 0;
    if (random->source != MW_SOURCE_STORED)
        return mw_random_launch(random, random->source, draw, first, count, to, at, NULL, 0);
    if (draw->kind == MW_RANDOM_NUMBERS ||
        (draw->kind == MW_RANDOM_FLOATS && draw->interval == MW_RANDOM_INTERVAL_LOWER))
        return mw_ranmar_fill(random, draw->kind == MW_RANDOM_FLOATS, first, count, to, at);
    return fill_by_numbers(random, draw, first, count, to, at);
}
/* SPDX-License-Identifier: MIT */
