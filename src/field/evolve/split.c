/* A field on several devices: parts, a host thread for each, and how much of the whole each of them has. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "field/evolve/split.h"

/* Rounds are timed from the third on, since drivers compile in the first: some at once, for a first impression, and
 * then a few, since a device is waited for before and after. */
#define COLD_ROUNDS 2
#define FIRST_ROUNDS 10
#define TIMED_EVERY 8
#define ROUNDS_NEEDED 4

#define CHUNK_SECONDS 0.25           /* of advancing between two looks at the balance, */
#define CHUNK_GROWTH 4               /* each at most so many times as long as the one before */
#define FIRST_WINDOW 0.1             /* seconds before parts move for the first time, */
#define WINDOW 1.0                   /* and after that, doubled with each move up to */
#define WINDOW_MAX 60.0
#define WORTH_MOVING 1.05            /* expected gain */

struct worker {
    struct mw_split *split;
    struct mw_field *field;
    struct mw_borders borders;
    pthread_t thread;
    uint64_t rounds, timed_rounds, timed_steps;
    double seconds;                  /* of the timed steps */
    int rc;
    char message[512];
};

struct mw_split {
    size_t count, started;           /* parts; threads */
    int halo;
    struct mw_field **parts;
    struct worker *workers;
    struct mw_exchange *exchange;
    bool kept;                       /* shares were given */
    uint64_t chunk;                  /* rounds */
    double window, elapsed;          /* since parts were last looked at */
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t job, steps;             /* the number of the job, and what it is: guarded by the lock */
    size_t at_work;
    bool stop;
};

/* ---- what a thread does ---- */

static bool is_timed(uint64_t round)
{
    return round >= COLD_ROUNDS && (round < FIRST_ROUNDS || round % TIMED_EVERY == 0);
}

static int one_round(struct worker *w, unsigned steps)
{
    struct mw_field *f = w->field;
    const bool timed = is_timed(w->rounds++);
    double start = 0;
    int rc;
    if (timed) {
        TRY(mw_device_finish(f->device));
        start = mw_now();
    }
    TRY(mw_field_round(f, steps));
    if (timed) {
        TRY(mw_device_finish(f->device));
        w->seconds += mw_now() - start;
        w->timed_steps += steps;
        w->timed_rounds++;
    }
    TRY(mw_borders_receive(f));
out:
    return rc;
}

static int advance_part(struct worker *w, uint64_t steps)
{
    const unsigned each = mw_field_round_steps(w->field->options.integrator);
    int rc = 0;
    for (uint64_t done = 0; done < steps; done += each)
        TRY(one_round(w, steps - done < each ? (unsigned)(steps - done) : each));
    TRY(mw_device_flush(w->field->device));
out:
    return rc;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct mw_split *s = w->split;
    uint64_t job = 0;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (s->job == job && !s->stop)
            pthread_cond_wait(&s->start, &s->lock);
        if (s->stop)
            break;
        job = s->job;
        pthread_mutex_unlock(&s->lock);
        w->rc = advance_part(w, s->steps);
        if (w->rc != 0) {
            mw_copy_string(w->message, sizeof w->message, mw_errmsg());
            mw_exchange_break(s->exchange);
        }
        pthread_mutex_lock(&s->lock);
        if (--s->at_work == 0)
            pthread_cond_signal(&s->done);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int start_threads(struct mw_split *s)
{
    sigset_t all, before;
    int failed = 0;
    /* Signals are for the program's own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (s->started < s->count && !failed) {
        failed = pthread_create(&s->workers[s->started].thread, NULL, work, &s->workers[s->started]);
        s->started += !failed;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? mw_fail(MW_ENOMEM, "the system has no thread for each of %zu devices: use fewer", s->count) : 0;
}

/* The failure that came first names the reason; the others only stopped because of it. */
static int first_failure(const struct mw_split *s)
{
    const struct worker *found = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const struct worker *w = &s->workers[i];
        if (w->rc != 0 && (!found || (found->rc == MW_ESTOPPED && w->rc != MW_ESTOPPED)))
            found = w;
    }
    return found ? mw_fail(found->rc, "%s", found->message) : 0;
}

static int advance_all(struct mw_split *s, uint64_t steps)
{
    pthread_mutex_lock(&s->lock);
    s->steps = steps;
    s->at_work = s->count;
    s->job++;
    pthread_cond_broadcast(&s->start);
    while (s->at_work > 0)
        pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return first_failure(s);
}

/* ---- shares ---- */

/* Weights become shares of `slabs` where none is above its limit: what one cannot take the others do. */
static int limit_shares(size_t count, double slabs, const double *most, double *shares)
{
    for (bool again = true; again;) {
        double free_weight = 0, rest = slabs;
        again = false;
        for (size_t i = 0; i < count; i++)
            if (most && shares[i] >= most[i])
                rest -= most[i];
            else
                free_weight += shares[i];
        if (rest > 0 && free_weight <= 0)
            return mw_fail(MW_ELIMIT, "the devices together have too little memory for the field: make it smaller, or "
                           "take more devices");
        for (size_t i = 0; i < count; i++) {
            const bool full = most && shares[i] >= most[i];
            shares[i] = full ? most[i] : shares[i] / free_weight * rest;
            again = again || (!full && most && shares[i] >= most[i]);
        }
    }
    return 0;
}

int mw_split_share(size_t count, int slabs, int least, const double *weights, const double *most, int *shares)
{
    double *share = NULL, sum = 0;
    int *end = NULL, rc;
    TRY(mw_new(count, sizeof *share, &share));
    TRY(mw_new(count, sizeof *end, &end));
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++)
        share[i] = weights[i] / sum * slabs;
    TRY(limit_shares(count, slabs, most, share));
    sum = 0;
    for (size_t i = 0; i < count; i++) {
        const int lowest = (i > 0 ? end[i - 1] : 0) + least, highest = slabs - (int)(count - 1 - i) * least;
        sum += share[i];
        end[i] = i + 1 == count ? slabs : (int)(sum + 0.5);
        end[i] = end[i] < lowest ? lowest : end[i] > highest ? highest : end[i];
    }
    for (size_t i = 0; i < count; i++)
        shares[i] = end[i] - (i > 0 ? end[i - 1] : 0);
out:
    free(share);
    free(end);
    return rc;
}

/* How many slabs a device has memory for, the part that it has now given back. */
static double slabs_in_memory(const struct mw_field *whole, const struct mw_device *device, const struct mw_field *part,
                              int halo)
{
    const double slabs = whole->place.slabs, state = (double)whole->bytes / slabs;
    const double own = part ? part->place.lower + part->place.own + part->place.upper : 0;
    uint64_t all = 0;
    if (mw_field_bytes(whole->model, &whole->options, &all) != 0)
        return slabs;
    const double each = (double)all / slabs, used = (double)device->allocated - own * each;
    double most = slabs;
    if (device->info.memory_bytes)
        most = fmin(most, ((double)device->info.memory_bytes - used) / each - 2 * halo);
    if (device->info.max_alloc_bytes)
        most = fmin(most, (double)device->info.max_alloc_bytes / state - 2 * halo);
    return fmax(most, 0);
}

/* Where each part lies. */
static void set_places(const struct mw_field *whole, const struct mw_split *s, const int *shares,
                       struct mw_place *places)
{
    const bool ring = whole->options.boundary[whole->options.dims - 1] == MW_BOUNDARY_PERIODIC;
    int slab = 0;
    for (size_t i = 0; i < s->count; i++) {
        places[i] = (struct mw_place){ ring || i > 0 ? s->halo : 0, shares[i], ring || i + 1 < s->count ? s->halo : 0,
                                       slab, whole->place.slabs };
        slab += shares[i];
    }
}

static void measure_anew(struct mw_split *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct worker *w = &s->workers[i];
        w->rounds = w->timed_rounds = w->timed_steps = w->borders.round = 0;
        w->seconds = 0;
    }
    s->elapsed = 0;
}

int mw_split_move(struct mw_field *whole, const int *shares)
{
    struct mw_split *s = whole->split;
    struct mw_place *places = NULL;
    char *cells = NULL;
    int rc;
    TRY(mw_new(s->count, sizeof *places, &places));
    TRY(mw_new_aligned(1, whole->bytes, &cells));
    set_places(whole, s, shares, places);
    TRY(mw_field_read_cells(whole, cells));
    for (size_t i = 0; i < s->count; i++)
        TRY(mw_field_move(s->parts[i], &places[i]));
    TRY(mw_field_write_cells(whole, cells));
    mw_exchange_restart(s->exchange);
    measure_anew(s);
out:
    if (rc != 0 && places && cells)
        mw_exchange_break(s->exchange);
    free(places);
    free(cells);
    return rc;
}

/* ---- balance ---- */

static void say_shares(const struct mw_field *whole, const int *shares)
{
    const struct mw_split *s = whole->split;
    struct mw_text t = { 0 };
    for (size_t i = 0; i < s->count; i++)
        mw_text_add(&t, "%s%s %.1f %%", i ? ", " : "", mw_device_info(s->parts[i]->device)->id,
                    100.0 * shares[i] / whole->place.slabs);
    mw_log(MW_LOG_INFO, "parts move: %s", t.data ? t.data : "");
    mw_text_free(&t);
}

/* Slabs a second of each part; false while too few rounds were timed. */
static bool measured_speeds(const struct mw_split *s, double *speed)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct worker *w = &s->workers[i];
        if (w->timed_rounds < ROUNDS_NEEDED || w->seconds <= 0)
            return false;
        speed[i] = s->parts[i]->place.own * (double)w->timed_steps / w->seconds;
    }
    return true;
}

static int balance(struct mw_field *whole)
{
    struct mw_split *s = whole->split;
    double *speed = NULL, *most = NULL, now = 0, then = 0;
    int *shares = NULL, rc;
    TRY(mw_new(s->count, sizeof *speed, &speed));
    TRY(mw_new(s->count, sizeof *most, &most));
    TRY(mw_new(s->count, sizeof *shares, &shares));
    if (!measured_speeds(s, speed))
        goto out;
    for (size_t i = 0; i < s->count; i++)
        most[i] = slabs_in_memory(whole, s->parts[i]->device, s->parts[i], s->halo);
    TRY(mw_split_share(s->count, whole->place.slabs, s->halo, speed, most, shares));
    for (size_t i = 0; i < s->count; i++) {
        now = fmax(now, s->parts[i]->place.own / speed[i]);
        then = fmax(then, shares[i] / speed[i]);
    }
    if (now > then * WORTH_MOVING) {
        say_shares(whole, shares);
        TRY(mw_split_move(whole, shares));
        s->window = s->window < WINDOW ? WINDOW : fmin(2 * s->window, WINDOW_MAX);
    } else {
        /* The past counts half, so that a device that changes its speed is noticed. */
        for (size_t i = 0; i < s->count; i++) {
            s->workers[i].seconds /= 2;
            s->workers[i].timed_steps /= 2;
        }
        s->window = fmax(s->window, WINDOW);
    }
    s->elapsed = 0;
out:
    free(speed);
    free(most);
    free(shares);
    return rc;
}

int mw_split_advance(struct mw_field *whole, uint64_t steps)
{
    struct mw_split *s = whole->split;
    const unsigned each = mw_field_round_steps(whole->options.integrator);
    int rc = 0;
    if (mw_exchange_is_broken(s->exchange))
        return mw_fail(MW_EDEVICE, "the field cannot go on since one of its devices failed: make a new one");
    for (uint64_t done = 0, n; done < steps; done += n) {
        const double start = mw_now();
        n = steps - done < s->chunk * each ? steps - done : s->chunk * each;
        TRY(advance_all(s, n));
        const double took = mw_now() - start, wanted = took > 0 ? CHUNK_SECONDS / took * (double)n / each : 1;
        s->elapsed += took;
        const double most = CHUNK_GROWTH * (double)s->chunk;
        s->chunk = wanted > most ? CHUNK_GROWTH * s->chunk : wanted > 1 ? (uint64_t)wanted : 1;
        if (!s->kept && s->elapsed >= s->window)
            TRY(balance(whole));
    }
out:
    return rc;
}

/* ---- making ---- */

size_t mw_split_most(const struct mw_field *whole, size_t devices)
{
    const size_t slabs = (size_t)whole->place.slabs;
    const size_t most = slabs / (size_t)mw_field_halo(whole->options.integrator, &whole->reach);
    return most < 1 ? 1 : most < devices ? most : devices;
}

static int given_weights(const struct mw_split *s, const double *shares, double *weights)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        weights[i] = shares ? shares[i] : 1;
        sum += weights[i];
        if (!(weights[i] > 0) || !isfinite(sum))
            return mw_fail(MW_EINVAL, "a share of %g: the shares of devices are positive numbers", weights[i]);
    }
    return 0;
}

/* What each part's thread needs: the channels to and from its neighbours, of which each part has two, by sides. */
static void join_neighbours(struct mw_split *s)
{
    for (size_t i = 0; i < s->count; i++) {
        struct worker *w = &s->workers[i];
        const size_t below = (i + s->count - 1) % s->count, above = (i + 1) % s->count;
        w->split = s;
        w->field = s->parts[i];
        w->borders = (struct mw_borders){ .exchange = s->exchange,
                                    .send = { MW_SIDES * i + MW_LOWER, MW_SIDES * i + MW_UPPER },
                                    .receive = { MW_SIDES * below + MW_UPPER, MW_SIDES * above + MW_LOWER } };
        w->field->borders = &w->borders;
    }
}

static int make_parts(struct mw_split *s, struct mw_device *const *devices, const struct mw_field *whole,
                      const struct mw_field_options *options)
{
    struct mw_place *places = NULL;
    double *weights = NULL, *most = NULL;
    int *shares = NULL, rc;
    TRY(mw_new(s->count, sizeof *places, &places));
    TRY(mw_new(s->count, sizeof *weights, &weights));
    TRY(mw_new(s->count, sizeof *most, &most));
    TRY(mw_new(s->count, sizeof *shares, &shares));
    TRY(given_weights(s, options->shares, weights));
    for (size_t i = 0; i < s->count; i++)
        most[i] = slabs_in_memory(whole, devices[i], NULL, s->halo);
    TRY(mw_split_share(s->count, whole->place.slabs, s->halo, weights, most, shares));
    set_places(whole, s, shares, places);
    for (size_t i = 0; i < s->count; i++)
        TRY(mw_field_part_new(devices[i], whole->model, &whole->options, &places[i], &s->parts[i]));
out:
    free(places);
    free(weights);
    free(most);
    free(shares);
    return rc;
}

int mw_split_new(struct mw_device *const *devices, size_t count, const struct mw_field *whole,
                 const struct mw_field_options *options, struct mw_split **split)
{
    struct mw_split *s = NULL;
    int rc;
    TRY(mw_new(1, sizeof *s, &s));
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->start, NULL);
    pthread_cond_init(&s->done, NULL);
    s->count = count;
    s->halo = mw_field_halo(whole->options.integrator, &whole->reach);
    s->kept = options->shares != NULL;
    s->window = FIRST_WINDOW;
    s->chunk = FIRST_ROUNDS;
    TRY(mw_new(count, sizeof *s->parts, &s->parts));
    TRY(mw_new(count, sizeof *s->workers, &s->workers));
    TRY(make_parts(s, devices, whole, options));
    TRY(mw_exchange_new(count * MW_SIDES, whole->bytes / (size_t)whole->place.slabs * (size_t)s->halo, &s->exchange));
    join_neighbours(s);
    TRY(start_threads(s));
    *split = s;
    s = NULL;
out:
    mw_split_free(s);
    return rc;
}

void mw_split_free(struct mw_split *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->start);
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < s->started; i++)
        pthread_join(s->workers[i].thread, NULL);
    /* A part that failed may have left work that writes to blocks. */
    for (size_t i = 0; i < s->count && s->parts; i++)
        if (s->parts[i])
            (void)mw_device_finish(s->parts[i]->device);
    for (size_t i = 0; i < s->count && s->parts; i++)
        mw_field_free(s->parts[i]);
    mw_exchange_free(s->exchange);
    pthread_cond_destroy(&s->start);
    pthread_cond_destroy(&s->done);
    pthread_mutex_destroy(&s->lock);
    free(s->parts);
    free(s->workers);
    free(s);
}

struct mw_field *const *mw_split_parts(const struct mw_split *split, size_t *count)
{
    if (count)
        *count = split->count;
    return split->parts;
}

double mw_split_step_seconds(const struct mw_split *split, size_t part)
{
    const struct worker *w = &split->workers[part];
    return w->timed_steps ? w->seconds / (double)w->timed_steps : 0;
}
