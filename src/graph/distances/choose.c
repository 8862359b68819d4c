/* Choice of variant auto for weighted distances between all vertices. */
#include "graph/distances/lengths_internal.h"

enum { DENSE = 50 };      /* on cores, a matrix pays with one arc per so many vertices and more */
#define MATRIX_MOST 16384 /* most vertices for which other devices are faster with a matrix */

/* Searches cost time per target and arc, the matrix per vertex cubed. */
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
    const char *why = "arcs exceed the device's memory: rounds over blocks";
    if (job->least < 0) {
        chosen = MW_LENGTH_TILES;
        why = "negative weights: tiles";
    } else if (is_for_a_matrix(share)) {
        chosen = MW_LENGTH_TILES;
        why = "few vertices for so many arcs and targets: tiles";
    } else if (job->native) {
        chosen = MW_LENGTH_DELTA;
        why = "few arcs for so many vertices: delta, one search per target and thread";
    } else if (mw_near_far_fit(job)) {
        chosen = MW_LENGTH_NEAR_FAR;
        why = "too many vertices for a matrix: use near-far, one search per target";
    }
    mw_log(MW_LOG_INFO, "variant auto, %s: %.3g arcs per vertex, weights %d to %d; %s", mw_device_info(job->device)->id,
           n > 0 ? arcs / n : 0, (int)job->least, (int)job->most, why);
    return chosen;
}
/* SPDX-License-Identifier: MIT */
