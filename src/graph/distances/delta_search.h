/* Delta-stepping with distances of one width. delta.c includes this file for words of 32 and of 64 bits, with the
 * macros:
 *
 * - WORD: an unsigned type.
 * - NAME(x): x with the width appended.
 * - TOO_FAR(d): whether a distance is too large for such words; the search then stops.
 *
 * Bin b has vertices with distances from b * 2^shift to below (b + 1) * 2^shift. */

/* A vertex whose distance has decreased: its arcs are to be followed. Outdated if its distance decreases again. */
struct NAME(entry) {
    WORD distance;
    uint32_t vertex;
};
/* A growing array of entries. */
struct NAME(bin) {
    struct NAME(entry) * entry;
    size_t count, capacity;
};

/* Bins of one thread. */
struct NAME(bins) {
    struct NAME(bin) * bin; /* a circular array of `wheel` bins: bin b is at index b % wheel */
    struct NAME(bin) now;   /* entries of the current bin, being processed */
    bool failed,            /* out of memory */
        too_far;            /* TOO_FAR was true for a distance */
    char padding[64];       /* keeps the threads' bins in separate cache lines */
};

/* A search from job->from by all threads of the job's executor. */
struct NAME(search) {
    const struct mw_distance_job *job;
    WORD *distance;           /* per vertex, shortest so far; all bits set: not reached */
    struct NAME(bins) * bins; /* per thread */
    size_t *begin;            /* [threads + 1] index of each thread's first current entry among those of all threads */
    unsigned threads, shift;  /* bins are 2^shift wide */
    size_t wheel;             /* bins per thread, a power of two; exceeds the largest weight in bins */
    WORD turn;                /* number of the current bin */
};

/* Adds an entry to the thread's bin for its distance. If out of memory, sets own->failed. */
static void NAME(push)(struct NAME(search) * s, struct NAME(bins) * own, uint32_t vertex, WORD distance)
{
    struct NAME(bin) *bin = &own->bin[distance >> s->shift & (s->wheel - 1)];
    if (bin->count == bin->capacity &&
        mw_reserve(bin->count, bin->capacity ? 1 : 256, sizeof *bin->entry, &bin->capacity, &bin->entry) != 0) {
        own->failed = true;
        return;
    }
    bin->entry[bin->count++] = (struct NAME(entry)){ distance, vertex };
}

/* Follows the arcs of an entry's vertex, and adds an entry for each head whose distance decreases. Does nothing for an
 * outdated entry. */
static inline void NAME(visit)(struct NAME(search) * s, struct NAME(bins) * own, struct NAME(entry) e)
{
    const struct mw_graph *g = s->job->graph;
    const int32_t *weights = s->job->weights;
    if (__atomic_load_n(&s->distance[e.vertex], __ATOMIC_RELAXED) != e.distance)
        return; /* its distance has decreased since */
    for (uint64_t i = g->offsets[e.vertex], end = g->offsets[e.vertex + 1]; i < end; i++) {
        const uint32_t head = g->heads[i];
        const WORD distance = e.distance + (uint32_t)weights[i];
        WORD old = __atomic_load_n(&s->distance[head], __ATOMIC_RELAXED);
        while (distance < old) {
            if (!__atomic_compare_exchange_n(&s->distance[head], &old, distance, true, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED))
                continue;
            if (TOO_FAR(distance))
                own->too_far = true;
            else
                NAME(push)(s, own, head, distance);
            break;
        }
    }
}

/* Visits the current entries from `begin` to below `end`. Then visits new entries in the thread's own current bin, as
 * long as these are fewer than FEW. */
static void NAME(visit_range)(void *context, size_t begin, size_t end, unsigned worker)
{
    struct NAME(search) *s = context;
    struct NAME(bins) *own = &s->bins[worker];
    struct NAME(bin) *bin = &own->bin[s->turn & (s->wheel - 1)];
    for (unsigned t = 0; t < s->threads && begin < end; t++)
        for (; begin < end && begin < s->begin[t + 1]; begin++)
            NAME(visit)(s, own, s->bins[t].now.entry[begin - s->begin[t]]);
    while (bin->count > 0 && bin->count < FEW && !own->too_far && !own->failed) {
        const struct NAME(entry) e = bin->entry[--bin->count];
        NAME(visit)(s, own, e);
    }
}

/* Moves the entries of all threads' current bins to `now`, where they are processed; stores their number in *count.
 * MW_ENOMEM: a thread ran out of memory before. */
static int NAME(take)(struct NAME(search) * s, size_t *count)
{
    for (unsigned t = 0; t < s->threads; t++) {
        struct NAME(bins) *own = &s->bins[t];
        const struct NAME(bin) done = own->now;
        if (own->failed)
            return mw_fail(MW_ENOMEM, "out of memory for the bins of a search");
        own->now = own->bin[s->turn & (s->wheel - 1)];
        own->bin[s->turn & (s->wheel - 1)] = done;
        own->bin[s->turn & (s->wheel - 1)].count = 0;
        s->begin[t + 1] = s->begin[t] + own->now.count;
    }
    *count = s->begin[s->threads];
    return 0;
}

/* Advances to the next bin with entries in any thread; returns false if all bins are empty. */
static bool NAME(turn)(struct NAME(search) * s)
{
    for (size_t more = 1; more < s->wheel; more++)
        for (unsigned t = 0; t < s->threads; t++)
            if (s->bins[t].bin[(s->turn + more) & (s->wheel - 1)].count > 0) {
                s->turn += (WORD)more;
                return true;
            }
    return false;
}

/* Computes job->distance. If TOO_FAR was true for a distance, sets *too_far instead. */
static int NAME(run)(struct NAME(search) * s, bool *too_far)
{
    const size_t n = s->job->graph->vertices;
    size_t count = 0;
    memset(s->distance, 0xff, n * sizeof *s->distance);
    s->distance[s->job->from] = 0;
    NAME(push)(s, &s->bins[0], s->job->from, 0);
    do {
        for (;;) {
            TRY_RETURN(NAME(take)(s, &count));
            if (count == 0)
                break;
            mw_parallel_for(s->job->executor, count, GRAIN, NAME(visit_range), s);
            for (unsigned t = 0; t < s->threads; t++)
                *too_far = *too_far || s->bins[t].too_far;
            if (*too_far)
                return 0;
        }
    } while (NAME(turn)(s));
    for (size_t v = 0; v < n; v++)
        s->job->distance[v] = s->distance[v] == (WORD)-1 ? MW_NO_DISTANCE : (int64_t)s->distance[v];
    return 0;
}

/* Frees the arrays of a search; accepts arrays that are NULL. */
static void NAME(drop)(struct NAME(search) * s)
{
    for (unsigned t = 0; s->bins && t < s->threads; t++) {
        for (size_t i = 0; s->bins[t].bin && i < s->wheel; i++)
            free(s->bins[t].bin[i].entry);
        free(s->bins[t].bin);
        free(s->bins[t].now.entry);
    }
    free(s->bins);
    free(s->begin);
    free(s->distance);
}

/* Searches with bins of width 2^shift; stores the time of its start in job->began unless set. Sets *too_far if the
 * distances need wider words; job->distance is then not written. */
static int NAME(search)(struct mw_distance_job *job, unsigned shift, bool *too_far)
{
    struct NAME(search) s = { .job = job, .threads = mw_executor_threads(job->executor), .shift = shift, .wheel = 1 };
    int rc;
    while (s.wheel < ((size_t)job->most >> shift) + 2)
        s.wheel *= 2;
    TRY(mw_new(job->graph->vertices, sizeof *s.distance, &s.distance));
    TRY(mw_new_aligned(s.threads, sizeof *s.bins, &s.bins));
    TRY(mw_new(s.threads + 1, sizeof *s.begin, &s.begin));
    for (unsigned t = 0; t < s.threads; t++)
        TRY(mw_new(s.wheel, sizeof *s.bins[t].bin, &s.bins[t].bin));
    *too_far = false;
    if (job->began == 0)
        job->began = mw_work_now();
    TRY(NAME(run)(&s, too_far));
out:
    NAME(drop)(&s);
    return rc;
}
/* SPDX-License-Identifier: MIT */
