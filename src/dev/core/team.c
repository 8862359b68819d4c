/* A host thread for each of several devices: drivers compute and wait within their calls. */
#include "dev/core/given.h"
#include "dev/core/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "dev/core/backend.h"

struct member {
    struct mw_team *team;
    void *part;
    pthread_t thread;
    int rc; /* the job's status, with this thread's messages: */
    char message[512];
    char *build_log; /* NULL: none */
};

struct mw_team {
    size_t count, started; /* members; threads */
    struct member *members;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t number; /* the job's number; the lock guards this and the following members */
    mw_team_job *job;
    void *context;
    struct mw_listener *listener; /* the caller's */
    size_t at_work;
    bool stop;
    pid_t process; /* that has the threads, and no child of it */
};

static void *core_team_work(void *argument)
{
    struct member *m = argument;
    struct mw_team *t = m->team;
    uint64_t number = 0;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->number == number && !t->stop)
            pthread_cond_wait(&t->start, &t->lock);
        if (t->stop)
            break;
        number = t->number;
        pthread_mutex_unlock(&t->lock);
        mw_progress_give(t->listener);
        m->rc = t->job(m->part, t->context);
        if (m->rc != 0) {
            mw_copy_string(m->message, sizeof m->message, mw_errmsg());
            free(m->build_log);
            m->build_log = m->rc == MW_EBUILD ? mw_build_log_take() : NULL;
        }
        pthread_mutex_lock(&t->lock);
        if (--t->at_work == 0)
            pthread_cond_signal(&t->done);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static int start_threads(struct mw_team *t)
{
    sigset_t all, before;
    int failed = 0;
    /* Signals are for the program's own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (t->started < t->count && !failed) {
        failed = pthread_create(&t->members[t->started].thread, NULL, core_team_work, &t->members[t->started]);
        t->started += !failed;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? mw_fail(MW_ENOMEM,
                            "out of memory or processes: cannot start a thread for each of %zu devices (%s): use "
                            "fewer, or raise `ulimit -u`",
                            t->count, strerror(failed))
                  : 0;
}

int mw_team_devices(struct mw_device *const **devices, size_t *count, const char *what)
{
    TRY_RETURN(mw_devices_given(devices, count, what));
    for (size_t i = 0; i < *count; i++)
        for (size_t k = 0; k < i; k++)
            if ((*devices)[i] == (*devices)[k])
                return mw_fail(MW_EINVAL, "device %s is given twice: give each device of %s once",
                               (*devices)[i]->info.id, what);
    return 0;
}

int mw_team_new(void *parts, size_t size, size_t count, struct mw_team **team)
{
    struct mw_team *t = NULL;
    int rc;
    TRY(mw_new(1, sizeof *t, &t));
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->start, NULL);
    pthread_cond_init(&t->done, NULL);
    t->count = count;
    t->process = getpid();
    TRY(mw_new(count, sizeof *t->members, &t->members));
    for (size_t i = 0; i < count; i++)
        t->members[i] = (struct member){ .team = t, .part = (char *)parts + i * size };
    if (count > 1)
        TRY(start_threads(t));
    *team = MW_PASS(t);
out:
    mw_team_free(t);
    return rc;
}

static void team_drop(void *team) { mw_team_free(team); }

int mw_own_team(struct mw_owner *owner, void *parts, size_t size, size_t count, struct mw_team **team)
{
    struct mw_team *made = NULL;
    TRY_RETURN(mw_team_new(parts, size, count, &made));
    TRY_RETURN(mw_own(owner, made, team_drop));
    *team = made;
    return 0;
}

void mw_team_free(struct mw_team *t)
{
    if (!t || (t->started && t->process != getpid()))
        return;
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
    for (size_t i = 0; i < t->started; i++) {
        pthread_join(t->members[i].thread, NULL);
        free(t->members[i].build_log);
    }
    pthread_cond_destroy(&t->start);
    pthread_cond_destroy(&t->done);
    pthread_mutex_destroy(&t->lock);
    free(t->members);
    free(t);
}

/* Copies the messages of the part's thread to the caller's. */
static int first_failure(struct mw_team *t)
{
    struct member *found = NULL;
    for (size_t i = 0; i < t->count; i++) {
        struct member *m = &t->members[i];
        if (m->rc != 0 && (!found || (found->rc == MW_ESTOPPED && m->rc != MW_ESTOPPED)))
            found = m;
    }
    if (!found)
        return 0;
    if (found->build_log)
        mw_build_log_give(found->build_log);
    found->build_log = NULL;
    return mw_fail(found->rc, "%s", found->message);
}

/* Waits until all threads are done, and passes their reports to the caller's listener. */
static void await(struct mw_team *t)
{
    const double each = 0.05;
    while (t->at_work > 0 && t->listener) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(each * 1e9);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&t->done, &t->lock, &until);
        pthread_mutex_unlock(&t->lock);
        mw_progress_pass(t->listener);
        pthread_mutex_lock(&t->lock);
    }
    while (t->at_work > 0)
        pthread_cond_wait(&t->done, &t->lock);
}

int mw_team_run(struct mw_team *t, mw_team_job *job, void *context)
{
    if (t->count == 1)
        return job(t->members[0].part, context);
    if (t->process != getpid())
        return mw_fail(MW_EDEVICE,
                       "the threads of several devices were started before this process was forked, and do "
                       "not work in the child: open devices after fork(), or start the child by posix_spawn()");
    pthread_mutex_lock(&t->lock);
    t->job = job;
    t->context = context;
    t->at_work = t->count;
    t->number++;
    t->listener = mw_progress_begin();
    pthread_cond_broadcast(&t->start);
    await(t);
    pthread_mutex_unlock(&t->lock);
    return first_failure(t);
}

/* Returns the largest number of units for one turn of a part. Parts that are alike divide all units, so that turns are
 * equal; others divide the `left` ones. */
static size_t fair_turn(const struct mw_team_units *u, size_t most, size_t left)
{
    size_t turns, each;
    if (u->parts < 2)
        return left;
    turns = 2 * u->parts;
    if (u->alike)
        turns = ((u->all - 1) / most / u->parts + 1) * u->parts;
    each = u->alike ? (u->all - 1) / turns + 1 : left / turns + 1;
    return (each - 1) / u->least * u->least + u->least;
}

int mw_team_take(struct mw_team_units *u, size_t most, size_t *first, size_t *count)
{
    int rc = 0;
    *first = atomic_load(&u->next);
    do {
        const size_t left = u->all > *first ? u->all - *first : 0, fair = left ? fair_turn(u, most, left) : 0;
        *count = most < fair ? most : fair;
        *count = *count < left ? *count : left;
    } while (*count > 0 && !atomic_compare_exchange_weak(&u->next, first, *first + *count));
    if (u->all > 0 && (rc = mw_progress(*count > 0 ? *first : u->all, u->all)) != 0)
        mw_team_stop(u);
    return rc;
}

void mw_team_stop(struct mw_team_units *u) { atomic_store(&u->next, u->all); }

bool mw_devices_alike(struct mw_device *const *devices, size_t count)
{
    const struct mw_device_info *one = mw_device_info(devices[0]);
    for (size_t d = 1; d < count; d++) {
        const struct mw_device_info *other = mw_device_info(devices[d]);
        if (one->kind != other->kind || one->compute_units != other->compute_units ||
            strcmp(one->backend, other->backend) != 0 || strcmp(one->name, other->name) != 0)
            return false;
    }
    return true;
}
/* SPDX-License-Identifier: MIT */
