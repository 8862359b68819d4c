/* Random numbers on one device or several, which fill pieces of a stream. */
#include "dev/core/team.h"
#include "rng/draw.clh"
#include "rng/rng_internal.h"

#define PIECE ((size_t)1 << 24) /* numbers per fill of a device */
#define TURN ((size_t)1 << 22)  /* numbers per turn of ranmar on several devices */
#define PIECE_LEAST ((size_t)1 << 14)
#define SEED_PURPOSE 1u /* purpose of draws for seeds; streams have purpose 0 at first */

struct part {
    struct mw_random *random;
    struct mw_buffer *buffer;
    size_t number;
};

struct mw_random_parts {
    size_t count, piece;
    struct part *parts;
    struct mw_team *team;
};

/* A request. */
struct job {
    struct mw_random_parts *parts;
    struct mw_random_draw draw;
    uint64_t first;
    size_t count, bytes;
    char *to; /* NULL: numbers stay on the devices */
    struct mw_team_units units;
};

/* ---- construction ---- */

/* The first device has the given seed; others get seeds from a counter-based generator. */
static uint64_t seed_of(uint64_t seed, size_t device)
{
    const struct philox r = draw_words(device, 0, SEED_PURPOSE, seed);
    return device == 0 ? seed : (uint64_t)r.word[1] << 32 | r.word[0];
}

static void rng_team_drop(struct mw_random_parts *t)
{
    if (!t)
        return;
    mw_team_free(t->team);
    for (size_t i = 0; t->parts && i < t->count; i++) {
        mw_buffer_free(t->parts[i].buffer);
        mw_random_one_free(t->parts[i].random);
    }
    free(t->parts);
    free(t);
}

int mw_random_new(struct mw_device *const *devices, size_t count, const struct mw_random_options *given,
                  struct mw_random **random)
{
    struct mw_random_options o;
    struct mw_random_parts *t = NULL;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_random_options, given, table, &o));
    TRY(mw_team_devices(&devices, &count, "random numbers"));
    TRY(mw_new(1, sizeof *t, &t));
    TRY(mw_new(count, sizeof *t->parts, &t->parts));
    for (; t->count < count; t->count++) {
        struct part *p = &t->parts[t->count];
        struct mw_random_options own = o;
        p->number = t->count;
        if (o.generator && strcmp(o.generator, "ranmar") == 0) {
            own.seed = seed_of(o.seed, t->count);
            /* All devices use the streams and table of the first one. */
            own.streams = t->count ? mw_random_streams(t->parts[0].random) : o.streams;
            own.table = t->count ? mw_random_table(t->parts[0].random) : o.table;
        }
        TRY(mw_random_one_new(devices[t->count], &own, &p->random));
    }
    const size_t round = mw_random_streams(t->parts[0].random) * mw_random_table(t->parts[0].random);
    const size_t piece = round && count > 1 ? TURN : PIECE;
    t->piece = round == 0 ? piece : round >= piece ? round : piece / round * round;
    TRY(mw_team_new(t->parts, sizeof *t->parts, count, &t->team));
    t->parts[0].random->parts = t;
    *random = t->parts[0].random;
    t = NULL;
out:
    rng_team_drop(t);
    return rc;
}

void mw_random_free(struct mw_random *random)
{
    if (random)
        rng_team_drop(random->parts);
}

size_t mw_random_piece(const struct mw_random *random)
{
    return random->source == MW_SOURCE_STORED && random->parts->count > 1 ? random->parts->piece : 0;
}

/* ---- filling ---- */

/* Draws `count` numbers from number `place` of the part's generator; they are numbers `at` on of the request. */
static int rng_team_make(struct part *p, const struct job *job, uint64_t place, size_t count, size_t at)
{
    TRY_RETURN(mw_random_one_fill(p->random, &job->draw, place, count, p->buffer, 0));
    if (job->to)
        TRY_RETURN(mw_buffer_read(p->buffer, 0, count * job->bytes, job->to + at * job->bytes, NULL));
    else if (job->parts->count > 1) /* so that faster devices get more pieces */
        TRY_RETURN(mw_device_finish(p->random->device));
    return 0;
}

/* Counter-based generators: parts take pieces as they finish. */
static int take_pieces(struct part *p, struct job *job)
{
    size_t at, count;
    for (;;) {
        TRY_RETURN(mw_team_take(&job->units, PIECE, &at, &count));
        if (count == 0)
            return 0;
        TRY_RETURN(rng_team_make(p, job, job->first + at, count, at));
    }
}

/* The lagged Fibonacci generator: parts take pieces in turn. */
static int take_turns(struct part *p, struct job *job)
{
    const size_t piece = job->parts->piece, parts = job->parts->count;
    for (uint64_t n = job->first / piece; n * piece < job->first + job->count; n++) {
        const uint64_t begin = n * piece < job->first ? job->first : n * piece;
        const uint64_t end = (n + 1) * piece < job->first + job->count ? (n + 1) * piece : job->first + job->count;
        if (n % parts == p->number)
            TRY_RETURN(rng_team_make(p, job, n / parts * piece + (begin - n * piece), (size_t)(end - begin),
                                     (size_t)(begin - job->first)));
    }
    return 0;
}

static int rng_team_work(void *part, void *context)
{
    struct job *job = context;
    struct part *p = part;
    const size_t room = (job->count < job->parts->piece ? job->count : job->parts->piece) * job->bytes;
    int rc;
    if (p->buffer && mw_buffer_bytes(p->buffer) < room) {
        mw_buffer_free(p->buffer);
        p->buffer = NULL;
    }
    if (!p->buffer)
        TRY(mw_buffer_new(p->random->device, room, &p->buffer));
    if (p->random->source == MW_SOURCE_STORED)
        TRY(take_turns(p, job));
    else
        TRY(take_pieces(p, job));
    TRY(mw_device_finish(p->random->device));
out:
    /* Stops the other parts. */
    if (rc != 0)
        mw_team_stop(&job->units);
    return rc;
}

int mw_random_fill(struct mw_random *random, const struct mw_random_draw *given, uint64_t first, size_t count,
                   struct mw_buffer *to, size_t at)
{
    struct mw_random_draw draw;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_random_draw, given, probability, &draw));
    if (mw_random_piece(random))
        return mw_fail(
            MW_ENOTSUP,
            "ranmar on several devices cannot fill a device's buffer, since the devices make pieces of %zu numbers "
            "in turn: fill host memory, or use one device",
            mw_random_piece(random));
    return mw_random_one_fill(random, &draw, first, count, to, at);
}

int mw_random_fill_host(struct mw_random *random, const struct mw_random_draw *given, uint64_t first, size_t count,
                        void *to)
{
    struct job job = { .parts = random->parts,
                       .first = first,
                       .count = count,
                       .to = to,
                       .units = { .all = count, .parts = random->parts->count, .least = PIECE_LEAST } };
    TRY_RETURN(MW_OPTIONS_TAKE(mw_random_draw, given, probability, &job.draw));
    TRY_RETURN(mw_random_check(random, &job.draw, first, count, NULL, 0));
    if (count == 0)
        return 0;
    job.bytes = mw_random_bytes(job.draw.kind);
    return mw_team_run(random->parts->team, rng_team_work, &job);
}
/* SPDX-License-Identifier: MIT */
