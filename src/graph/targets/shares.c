/* Targets, which devices take from a shared counter. */
#include <stdlib.h>

#include "dev/core/team.h"
#include "graph/targets/targets.h"

struct run {
    struct mw_targets *targets;
    const struct mw_target_calls *calls;
};

static int targets_shares_make(void *part, void *context)
{
    const struct run *run = context;
    struct mw_target_share *share = part;
    return run->calls->make(share, &share->at_once);
}

/* Ends all waits for rows. */
static void fail_rows(struct mw_target_rows *rows)
{
    pthread_mutex_lock(&rows->lock);
    rows->failed = true;
    pthread_cond_broadcast(&rows->taken);
    pthread_mutex_unlock(&rows->lock);
}

static int targets_shares_work(void *part, void *context)
{
    const struct run *run = context;
    struct mw_target_share *share = part;
    struct mw_targets *t = run->targets;
    size_t first, count;
    int rc = 0;
    for (;;) {
        TRY(mw_team_take(&t->next, t->count, t->shares, share->at_once, MW_TARGET_GROUP, &first, &count));
        if (count == 0)
            break;
        TRY(run->calls->run(share, first, count));
    }
    TRY(run->calls->finish(share));
out:
    /* Stops the other devices. */
    if (rc)
        atomic_store(&t->next, t->count);
    if (rc && t->rows)
        fail_rows(t->rows);
    return rc;
}

int mw_targets_run(struct mw_targets *targets, void *shares, size_t size, size_t count,
                   const struct mw_target_calls *calls, double *began)
{
    struct run run = { targets, calls };
    struct mw_team *team = NULL;
    int rc = 0;
    targets->shares = count;
    for (size_t s = 0; s < count; s++)
        ((struct mw_target_share *)((char *)shares + s * size))->of = targets;
    TRY(mw_team_new(shares, size, count, &team));
    TRY(mw_team_run(team, targets_shares_make, &run));
    *began = mw_work_now();
    TRY(mw_team_run(team, targets_shares_work, &run));
out:
    mw_team_free(team);
    return rc;
}
/* SPDX-License-Identifier: MIT */
