/* Variant delta: delta-stepping (Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", Journal of
 * Algorithms 49 (2003) 114) by threads of the host. Each thread's bins are a circular array, since a new distance
 * exceeds the current one by at most the largest weight. Distances are 32-bit words to save memory traffic; if one gets
 * too large, the search restarts with 64 bits. */
#include <stdlib.h>
#include <string.h>

#include "graph/distances/distances_internal.h"

enum { GRAIN = 64, FEW = 1000 };
enum { WHEEL_BITS = 15 }; /* at most 2^15 bins per thread */

#define WORD uint32_t
#define NAME(x) x##_32
#define TOO_FAR(d) ((d) > INT32_MAX)
#include "graph/distances/delta_search.h"
#undef WORD
#undef NAME
#undef TOO_FAR

#define WORD uint64_t
#define NAME(x) x##_64
#define TOO_FAR(d) false
#include "graph/distances/delta_search.h"

static const char *delta_refuses(const struct mw_distance_job *job)
{
    if (!job->native)
        return "needs a native device: use near-far";
    if (!job->weights)
        return "needs weights: use levels";
    return job->least < 0 ? "needs weights of 0 or more: use rounds" : NULL;
}

unsigned mw_distance_shift(const struct mw_distance_job *job, double arcs_within)
{
    const double arcs = (double)job->graph->arcs / (double)job->graph->vertices;
    const double wanted = job->options.delta ? (double)job->options.delta : arcs_within * (double)job->most / arcs;
    unsigned shift = 0;
    while (shift < 31 && (double)((uint64_t)2 << shift) <= wanted)
        shift++;
    while ((uint32_t)job->most >> shift >> WHEEL_BITS > 0)
        shift++;
    return shift;
}

static int delta_search(struct mw_distance_job *job)
{
    const unsigned shift = mw_distance_shift(job, 1);
    bool too_far = false;
    job->delta = (uint64_t)1 << shift;
    TRY_RETURN(search_32(job, shift, &too_far));
    return too_far ? search_64(job, shift, &too_far) : 0;
}

const struct mw_distance_variant mw_distance_delta = { delta_refuses, delta_search };
/* SPDX-License-Identifier: MIT */
