/* A thread for each of several parts of a job, mostly one a device.  Internal. */
#ifndef MW_TEAM_H
#define MW_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <meshwork/device.h>

/* Replaces NULL and 0 by the default device, as mw_devices_given does. MW_EINVAL also if a device is given twice. */
int mw_team_devices(struct mw_device *const **devices, size_t *count, const char *what);

struct mw_owner;
/* A thread for each part of a job. Belongs to one thread. */
struct mw_team;
/* Processes one part of a job, in the part's thread; returns a status. */
typedef int mw_team_job(void *part, void *context);
/* Makes a team for `parts`, the caller's array of `count` elements of `size` bytes, which must outlive it. With one
 * part there is no further thread. */
int mw_team_new(void *parts, size_t size, size_t count, struct mw_team **team);
/* Makes a team as mw_team_new does, which the owner (base/base.h) frees. */
int mw_own_team(struct mw_owner *owner, void *parts, size_t size, size_t count, struct mw_team **team);
/* Ends the threads of a team and frees it. */
void mw_team_free(struct mw_team *team);
/* Runs a job for all parts concurrently, and waits for all. If parts fail, returns the first status other than
 * MW_ESTOPPED if there is one, since a failed part may stop the others. */
int mw_team_run(struct mw_team *team, mw_team_job *job, void *context);

/* Units of work that the parts of a job share. */
struct mw_team_units {
    atomic_size_t next; /* first unit that is not taken yet */
    size_t all, parts;  /* number of units, and of parts */
    size_t least;       /* a part takes a multiple of this, at least 1 */
    bool alike;         /* all parts are equally fast */
};
/* Takes the next units: *count units from *first on, or 0 at the end. A part takes at most `most` units. If all parts
 * are equally fast, they take equal numbers, as few times as possible. Otherwise a part takes at most half of its fair
 * share of the remaining units. Fast and slow parts then end together (guided self-scheduling: Polychronopoulos and
 * Kuck, IEEE Transactions on Computers C-36 (1987) 1425). Reports progress. If that returns MW_ESTOPPED, no units are
 * left for other parts either. */
int mw_team_take(struct mw_team_units *units, size_t most, size_t *first, size_t *count);
/* Leaves no units for any part. */
void mw_team_stop(struct mw_team_units *units);
/* Returns whether devices are of the same kind and size, and so equally fast. */
bool mw_devices_alike(struct mw_device *const *devices, size_t count);

/* Returns the dimension of a mesh whose slabs devices share: the slowest one that is longer than 1. Its slabs are
 * ranges of memory. */
static inline unsigned mw_team_slabs(unsigned dims, const size_t *length)
{
    unsigned d = dims - 1;
    while (d > 0 && length[d] == 1)
        d--;
    return d;
}

#endif
/* SPDX-License-Identifier: MIT */
