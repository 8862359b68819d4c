/* A thread for each of several parts of a job, mostly one a device.  Internal. */
#ifndef MW_TEAM_H
#define MW_TEAM_H

#include <stdatomic.h>
#include <stddef.h>

#include <meshwork/device.h>

/* mw_devices_given; MW_EINVAL also where a device is given twice. */
int mw_team_devices(struct mw_device *const **devices, size_t *count, const char *what);

/* A team belongs to one thread; its parts are the caller's and stay where they are: `count` elements of an array, of
 * `size` bytes each.  A single part is done by the caller's thread. */
struct mw_team;
typedef int mw_team_job(void *part, void *context);
int mw_team_new(void *parts, size_t size, size_t count, struct mw_team **team);
void mw_team_free(struct mw_team *team);
/* Does a job for all parts at once, and returns when it is done.  If several parts fail, it returns the first status
 * that is not MW_ESTOPPED, which is only a consequence. */
int mw_team_run(struct mw_team *team, mw_team_job *job, void *context);

/* Takes the next of `all` units of work that `parts` parts share: *count units from *first on, or 0 at the end. A part
 * takes at most `most` units. If there are several parts, it takes at most half of its fair share of the remaining
 * units, rounded up to a multiple of `least`. Fast and slow parts then end together (guided self-scheduling:
 * Polychronopoulos and Kuck, IEEE Transactions on Computers C-36 (1987) 1425). Reports progress; MW_ESTOPPED: takes all
 * units. */
int mw_team_take(atomic_size_t *next, size_t all, size_t parts, size_t most, size_t least, size_t *first,
                 size_t *count);

#endif
/* SPDX-License-Identifier: MIT */
