/* Which variant of distances between all vertices by weights a graph and a device are for. */
#include "graph/distances/lengths_internal.h"

enum { DENSE = 50 };             /* a mean of one arc to so many vertices is worth a matrix on cores */
#define MATRIX_MOST 16384        /* vertices for which other devices are quicker with one */

/* Searches take a time for each target and arc, the matrix one for three vertices. */
static bool is_for_a_matrix(const struct mw_length_share *share)
{
    const struct mw_distance_job *job = &share->search;
    const double n = (double)job->graph->vertices, arcs = (double)job->graph->arcs;
    const double part = n > 0 ? (double)share->of->targets.count / n : 1;
    if (share->of->share_count > 1 || !mw_tiles_fit(job))
        return false;
    return job->native ? arcs * part * DENSE > n * n : n * n <= part * MATRIX_MOST * MATRIX_MOST;
}

enum mw_length_number mw_length_choose(const struct mw_length_share *share)
{
    const struct mw_distance_job *job = &share->search;
    const double n = (double)job->graph->vertices, arcs = (double)job->graph->arcs;
    enum mw_length_number chosen = MW_LENGTH_ROUNDS;
    const char *why = "that the device does not hold at once: rounds over blocks of them";
    if (job->least < 0) {
        chosen = MW_LENGTH_TILES;
        why = "some below 0: tiles of the matrix";
    } else if (is_for_a_matrix(share)) {
        chosen = MW_LENGTH_TILES;
        why = "few vertices for so many arcs and targets: tiles of the matrix";
    } else if (job->native) {
        chosen = MW_LENGTH_DELTA;
        why = "few arcs for so many vertices: a search from each target by a thread, delta";
    } else if (mw_piles_fit(job)) {
        chosen = MW_LENGTH_PILES;
        why = "too many vertices for a matrix: a search from each target, piles";
    }
    mw_log(MW_LOG_INFO, "variant auto, %s: %.3g arcs a vertex, weights from %d to %d, %s",
           mw_device_info(job->device)->id, n > 0 ? arcs / n : 0, (int)job->least, (int)job->most, why);
    return chosen;
}
/* SPDX-License-Identifier: MIT */
