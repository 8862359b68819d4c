/* The lagged Fibonacci generator (rng/ranmar.clh): its options, tables and rounds, on the host and on devices. */
#include "rng/rng_internal.h"
#include "rng/ranmar.clh"
#include "kernels/native.h"
#include "kernels/rng/ranmar.h"

#define TABLE 97
#define LONG_TABLE 92153
#define CELL_STREAMS 24
#define DEVICE_STREAMS 8192
#define TABLE_MOST ((size_t)1 << 24)
#define SEED_ON_HOST ((size_t)1 << 22)   /* total numbers up to which the host seeds the tables of few streams */
#define WINDOW_LEAST 4096                /* minimum numbers per work-item on CPU cores */
#define HOST_CHUNK ((size_t)1 << 16)     /* numbers that the host computes before it copies them */
#define LAUNCH_STEPS ((uint64_t)1 << 16) /* per table */

/* ---- options ---- */

static bool is_prime(size_t n)
{
    for (size_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

int mw_ranmar_options(struct mw_random *random, const struct mw_random_options *o)
{
    struct mw_ranmar *r = &random->ranmar;
    r->streams = o->streams                     ? o->streams
                 : random->way == MW_WAY_LANES  ? CELL_STREAMS
                 : random->way == MW_WAY_TABLES ? DEVICE_STREAMS
                                                : 1;
    r->table = o->table ? o->table : random->way == MW_WAY_STREAM ? LONG_TABLE : TABLE;
    r->width = r->streams < RANMAR_WIDTH ? r->streams : RANMAR_WIDTH;
    if (r->streams % r->width != 0 || r->streams >= (size_t)1 << 29)
        return mw_fail(MW_EINVAL, "invalid number of streams %zu (must be 1 to %d, or a multiple of %d below 2^29)",
                       r->streams, RANMAR_WIDTH, RANMAR_WIDTH);
    if (r->table < 5 || r->table > TABLE_MOST || !is_prime(r->table))
        return mw_fail(MW_EINVAL, "invalid table length %zu (must be a prime from 5 to %zu)", r->table, TABLE_MOST);
    if (random->way == MW_WAY_STREAM && r->streams != 1)
        return mw_fail(MW_EINVAL, "variant stream supports one stream, not %zu (use tables; on CPU cores also lanes)",
                       r->streams);
    return 0;
}

/* ---- computation on the host, and seeds ---- */

static uint32_t *host_table(const struct mw_ranmar *r, size_t stream)
{
    return r->host + stream / r->width * r->table * r->width + stream % r->width;
}

static int start_on_host(struct mw_random *random)
{
    struct mw_ranmar *r = &random->ranmar;
    if (!r->host)
        TRY_RETURN(mw_own_new(&random->owner, r->streams * r->table, sizeof *r->host, &r->host));
    for (size_t s = 0; s < r->streams; s++) {
        struct ranmar_seed seed = ranmar_begin(random->seed, (uint32_t)s);
        uint32_t *table = host_table(r, s);
        for (size_t i = 0; i < r->table; i++)
            table[i * r->width] = ranmar_entry(&seed);
    }
    return 0;
}

/* Computes a round of one stream with the algorithm of the paper. */
static void round_on_host(const struct mw_ranmar *r, size_t stream, bool reals, uint32_t *to)
{
    const size_t length = r->table, width = r->width, group = stream / width;
    uint32_t *table = host_table(r, stream), c = ranmar_c(r->round * length);
    size_t i = length - 1, j = length / 3;
    to += group * length * width + stream % width;
    for (size_t k = 0; k < length; k++) {
        uint32_t *u = &table[i * width], n;
        *u = (*u - table[j * width]) & RANMAR_MASK;
        i--;
        j = j == 0 ? length - 1 : j - 1;
        c = ranmar_next_c(c);
        n = (*u - c) & RANMAR_MASK;
        if (reals)
            ((float *)to)[k * width] = (float)n * RANMAR_UNIT;
        else
            to[k * width] = n;
    }
}

static int rounds_on_host(struct mw_ranmar *r, bool reals, uint64_t rounds, struct mw_buffer *to, size_t at)
{
    const size_t block = r->streams * r->table, most = block < HOST_CHUNK ? HOST_CHUNK / block : 1;
    uint32_t *numbers = NULL;
    int rc;
    TRY(mw_new((rounds < most ? (size_t)rounds : most) * block, sizeof *numbers, &numbers));
    while (rounds > 0) {
        const size_t some = rounds < most ? (size_t)rounds : most;
        for (size_t n = 0; n < some; n++, r->round++)
            for (size_t s = 0; s < r->streams; s++)
                round_on_host(r, s, reals, numbers + n * block);
        TRY(mw_buffer_write(to, at * sizeof *numbers, some * block * sizeof *numbers, numbers, NULL));
        at += some * block;
        rounds -= some;
    }
out:
    free(numbers);
    return rc;
}

/* ---- computation on devices ---- */

static int find_set(struct mw_random *random, bool reals, const struct mw_kernel_set **set)
{
    const bool cores = mw_device_info(random->device)->traits->has_cores;
    struct mw_kernel_options options = { .native = reals ? mw_native_ranmar_reals : mw_native_ranmar_numbers,
                                         .takes = MW_GROUP_ANY };
    struct mw_text defines = { 0 };
    int rc = 0;
    if (!random->ranmar.sets[reals]) {
        mw_text_add(&defines, "%s%s", cores ? "#define CORES 1\n" : "", reals ? "#define REALS 1\n" : "");
        TRY(mw_text_ok(&defines));
        options.defines = defines.data;
        if (!cores)
            options.wanted = ~((uint64_t)1 << KERNEL_RANMAR_LANES) & 15;
        TRY(mw_own_kernels(&random->owner, random->device, &kernels_rng_ranmar, &options, &random->ranmar.sets[reals]));
    }
    *set = random->ranmar.sets[reals];
out:
    mw_text_free(&defines);
    return rc;
}

static struct ranmar view(const struct mw_ranmar *r)
{
    return (struct ranmar){ .round = r->round,
                            .base = r->round,
                            .length = (uint32_t)r->table,
                            .width = (uint32_t)r->width,
                            .streams = (uint32_t)r->streams };
}

/* Seeds the tables, for round 0. */
static int ranmar_start(struct mw_random *random)
{
    struct mw_ranmar *r = &random->ranmar;
    const size_t bytes = r->streams * r->table * sizeof *r->host;
    const struct mw_kernel_set *set;
    const struct ranmar v = view(r);
    int rc = 0;
    r->round = 0;
    r->holds = false;
    if (random->way == MW_WAY_SERIAL) {
        TRY(start_on_host(random));
        goto out;
    }
    if (!r->tables)
        TRY(mw_own_buffer(&random->owner, random->device, bytes, &r->tables));
    if (r->streams <= RANMAR_WIDTH && r->streams * r->table <= SEED_ON_HOST) {
        TRY(start_on_host(random));
        TRY(mw_buffer_write(r->tables, 0, bytes, r->host, NULL));
    } else {
        TRY(find_set(random, false, &set));
        TRY(launch_ranmar_start(set, mw_items(r->streams), r->tables, &v, random->seed));
    }
out:
    r->started = rc == 0;
    return rc;
}

/* Advances all tables in steps, starting at number 0 of the next round.  Launches are short enough for devices that
 * limit the iterations of loops. */
static int by_tables(struct mw_random *random, const struct mw_kernel_set *set, uint64_t rounds, struct mw_buffer *to,
                     size_t at)
{
    struct mw_ranmar *r = &random->ranmar;
    const bool cores = mw_device_info(random->device)->traits->has_cores;
    const bool lanes = random->way == MW_WAY_LANES || (cores && r->width == RANMAR_WIDTH);
    const uint64_t all = rounds * r->table;
    const uint32_t rounds_of_loop = mw_device_info(random->device)->traits->loop_rounds;
    const uint64_t most = rounds_of_loop && rounds_of_loop < LAUNCH_STEPS ? rounds_of_loop / 2 : LAUNCH_STEPS;
    struct ranmar v = view(r);
    v.past_caches = all >= STREAMED_BYTES / sizeof(uint32_t) / r->streams;
    for (uint64_t done = 0; done < all; done += v.steps) {
        v.round = v.base + done / r->table;
        v.k = (uint32_t)(done % r->table);
        v.steps = (uint32_t)(all - done < most ? all - done : most);
        if (lanes)
            TRY_RETURN(launch_ranmar_lanes(set, mw_items(r->streams / r->width), r->tables, to, at, &v));
        else
            TRY_RETURN(launch_ranmar_tables(set, mw_items(r->streams), r->tables, to, at, &v));
    }
    r->round += rounds;
    return 0;
}

static int by_windows(struct mw_random *random, const struct mw_kernel_set *set, uint64_t rounds, struct mw_buffer *to,
                      size_t at)
{
    struct mw_ranmar *r = &random->ranmar;
    const struct mw_device_info *info = mw_device_info(random->device);
    const uint32_t window = (uint32_t)(r->table / 3 + 1);
    const uint32_t share = window / (info->compute_units ? info->compute_units : 1) + 1;
    const uint32_t each = !info->traits->has_cores ? 1 : share < WINDOW_LEAST ? WINDOW_LEAST : share;
    struct ranmar v = view(r);
    for (uint64_t n = 0; n < rounds; n++, v.round++)
        for (v.k = 0; v.k < v.length; v.k += v.steps) {
            v.steps = v.length - v.k < window ? v.length - v.k : window;
            TRY_RETURN(launch_ranmar_window(set, mw_items((v.steps + each - 1) / each), r->tables, to, at, &v, each));
        }
    r->round += rounds;
    return 0;
}

/* Computes rounds from the current state of the tables. */
static int make_rounds(struct mw_random *random, bool reals, uint64_t rounds, struct mw_buffer *to, size_t at)
{
    struct mw_ranmar *r = &random->ranmar;
    const struct mw_kernel_set *set;
    int rc;
    if (random->way == MW_WAY_SERIAL) {
        TRY(rounds_on_host(r, reals, rounds, to, at));
        goto out;
    }
    TRY(find_set(random, reals, &set));
    if (random->way == MW_WAY_STREAM)
        TRY(by_windows(random, set, rounds, to, at));
    else
        TRY(by_tables(random, set, rounds, to, at));
out:
    r->started = r->started && rc == 0; /* a failed launch may have changed the tables */
    return rc;
}

/* ---- numbers from any position ---- */

/* Advances the tables to a round; `numbers` then holds the numbers of the round before it, if it was computed for
 * this. */
static int go_to(struct mw_random *random, bool reals, uint64_t round)
{
    struct mw_ranmar *r = &random->ranmar;
    if (!r->numbers)
        TRY_RETURN(
            mw_own_buffer(&random->owner, random->device, r->streams * r->table * sizeof(uint32_t), &r->numbers));
    if (!r->started || r->round > round)
        TRY_RETURN(ranmar_start(random));
    while (r->round < round) {
        r->holds = false;
        TRY_RETURN(make_rounds(random, reals, 1, r->numbers, 0));
        r->holds = true;
        r->holds_reals = reals;
        r->held = r->round - 1;
    }
    return 0;
}

static int hold_round(struct mw_random *random, bool reals, uint64_t round)
{
    const struct mw_ranmar *r = &random->ranmar;
    if (r->holds && r->held == round && r->holds_reals == reals)
        return 0;
    if (r->round > round)
        TRY_RETURN(go_to(random, reals, 0));
    return go_to(random, reals, round + 1);
}

int mw_ranmar_fill(struct mw_random *random, bool reals, uint64_t first, size_t count, struct mw_buffer *to, size_t at)
{
    struct mw_ranmar *r = &random->ranmar;
    const size_t block = r->streams * r->table;
    while (count > 0) {
        const uint64_t round = first / block;
        const size_t in = (size_t)(first % block), left = block - in;
        size_t some = count < left ? count : left;
        if (in == 0 && count >= block) {
            TRY_RETURN(go_to(random, reals, round));
            some = count / block * block;
            TRY_RETURN(make_rounds(random, reals, some / block, to, at));
        } else {
            TRY_RETURN(hold_round(random, reals, round));
            TRY_RETURN(mw_buffer_copy(r->numbers, in * sizeof(uint32_t), to, at * sizeof(uint32_t),
                                      some * sizeof(uint32_t), NULL));
        }
        first += some;
        at += some;
        count -= some;
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
