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
        TRY(mw_team_take(&t->left, share->at_once, &first, &count));
        if (count == 0)
            break;
        TRY(run->calls->run(share, first, count));
    }
    TRY(run->calls->finish(share));
out:
    /* Stops the other devices. */
    if (rc)
        mw_team_stop(&t->left);
    if (rc && t->rows)
        fail_rows(t->rows);
    return rc;
}

size_t mw_targets_deal(struct mw_targets *targets, struct mw_device *const *devices, size_t count, double visits,
                       size_t batch)
{
    const size_t batches = (targets->count + batch - 1) / batch;
    const struct mw_worth work = { .what = "searches", .visits = (double)batches * visits, .batches = batches };
    count = mw_devices_worth(devices, count, &work);
    targets->left.alike = mw_devices_alike(devices, count);
    targets->left.least = mw_devices_all() ? MW_TARGET_GROUP : batch;
    return count;
}

int mw_targets_run(struct mw_owner *own, struct mw_targets *targets, void *shares, size_t size, size_t count,
                   const struct mw_target_calls *calls, double *began)
{
    struct run run = { targets, calls };
    struct mw_team *team;
    targets->left.all = targets->count;
    targets->left.parts = count;
    for (size_t s = 0; s < count; s++)
        ((struct mw_target_share *)((char *)shares + s * size))->of = targets;
    TRY_RETURN(mw_own_team(own, shares, size, count, &team));
    TRY_RETURN(mw_team_run(team, targets_shares_make, &run));
    *began = mw_work_now();
    return mw_team_run(team, targets_shares_work, &run);
}
/* SPDX-License-Identifier: MIT */
