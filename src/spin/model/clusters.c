/* Cluster steps: bonds, clusters by union-find, flips. */
#include "spin/model/form.h"
#include "kernels/spin/model/clusters.h"

int mw_spin_model_turn_clusters(struct mw_spin_device *p, uint64_t step)
{
    const struct mw_spins *s = p->whole;
    const struct mw_spin_model_part *own = mw_spin_model_part(p);
    const int32_t rows = (int32_t)p->rows, n = rows * p->mesh.length[0];
    const uint64_t seed = s->options.seed;
    int32_t each;
    const struct mw_range range = mw_spin_model_range(p, p->mesh.length[0], rows, &each);
    TRY_RETURN(launch_cluster_start(p->clusters, mw_items((size_t)n), own->parent, own->held, n));
    TRY_RETURN(launch_cluster_join(p->clusters, range, own->parent, p->cells, p->rule, own->frozen, p->plan, rows, each,
                                   seed, step));
    TRY_RETURN(launch_cluster_hold(p->clusters, range, own->held, own->parent, p->cells, p->rule, own->frozen, p->plan,
                                   rows, each, seed, step));
    return launch_cluster_turn(p->clusters, range, p->cells, own->parent, own->held, p->rule, p->plan, rows, each,
                               s->options.update == MW_SPIN_UPDATE_WOLFF, seed, step);
}
/* SPDX-License-Identifier: MIT */
