/* A thread for each of several parts of a job, mostly one a device.  Internal. */
#ifndef MW_TEAM_H
#define MW_TEAM_H

#include <stddef.h>

/* A team belongs to one thread; its parts are the caller's and stay where they are: `count` elements of an array, of
 * `size` bytes each.  A single part is done by the caller's thread. */
struct mw_team;
typedef int mw_team_job(void *part, void *context);
int mw_team_new(void *parts, size_t size, size_t count, struct mw_team **team);
void mw_team_free(struct mw_team *team);
/* Does a job for all parts at once, and returns when it is done.  Of several failures the first that is not
 * MW_ESTOPPED: the others only stopped because of it. */
int mw_team_run(struct mw_team *team, mw_team_job *job, void *context);

#endif
