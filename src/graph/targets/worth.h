/* How many of several devices take part in a call on a graph. Internal. */
#ifndef MW_GRAPH_WORTH_H
#define MW_GRAPH_WORTH_H

#include "graph/graph_internal.h"

/* Estimated work of a call. A visit is an access to a vertex along an arc. */
struct mw_worth {
    const char *what; /* the task, for messages */
    double visits,    /* visits that the devices share */
        repeated,     /* visits that each device makes */
        waits,        /* number of times that devices wait for each other */
        bytes;        /* bytes that are moved for each device after the first */
    size_t batches;   /* indivisible parts, which devices take from a counter; 0: devices have equal shares */
};
/* Returns how many of the devices take part, from the first on: the fewest that are predicted to be the fastest. Logs
 * the number if it is not `count`. With MESHWORK_ALL_DEVICES=1 in the environment, all take part. */
size_t mw_devices_worth(struct mw_device *const *devices, size_t count, const struct mw_worth *work);
/* Returns whether all given devices take part in any case. */
bool mw_devices_all(void);

#endif
/* SPDX-License-Identifier: MIT */
