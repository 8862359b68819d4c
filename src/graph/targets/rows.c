/* Distances as rows of a matrix, passed to the caller in the order of the sources. */
#include "graph/targets/targets.h"

int mw_target_rows_give(struct mw_target_rows *rows, size_t first, size_t count, const void *distances)
{
    int rc = 0;
    pthread_mutex_lock(&rows->lock);
    while (rows->next != first && !rows->failed)
        pthread_cond_wait(&rows->taken, &rows->lock);
    if (rows->failed)
        rc = mw_fail(MW_ESTOPPED, "stopped, since an earlier row failed");
    else
        rc = rows->give(rows->context, first, count, distances);
    rows->next = first + count;
    rows->failed = rows->failed || rc != 0;
    pthread_cond_broadcast(&rows->taken);
    pthread_mutex_unlock(&rows->lock);
    return rc;
}
/* SPDX-License-Identifier: MIT */
