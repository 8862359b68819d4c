/* Messages about long waits for compilers, drivers and measurements.  After half a second of waiting a line names the
 * reason, and after each further half second if the reason has changed.  Short waits print nothing. */
#include "tools/report/waiting.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "base/base.h"
#include "tools/cli/text.h"
#include "tools/report/output.h"

#define PATIENCE 0.5 /* seconds */
#define DEPTH 4      /* maximum nesting of waits with a text */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool started, over, said; /* `said`: the innermost text has been printed */
    unsigned depth;
    double since, waited; /* start of the current wait; seconds waited since the last line */
    char words[DEPTH][512], last[512];
} waiting = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* Prints the innermost text, unless the last line was the same (variants of one program share theirs). */
static void waiting_say(void)
{
    const char *words = waiting.words[waiting.depth < DEPTH ? waiting.depth - 1 : DEPTH - 1];
    if (strcmp(words, waiting.last) != 0)
        print_note("%s", words);
    mw_copy_string(waiting.last, sizeof(waiting.last), words);
    waiting.said = true;
    waiting.waited = 0;
    waiting.since = mw_now();
}

static void sleep_for(double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * 1e9) + 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&waiting.changed, &waiting.lock, &until);
}

static void *watch(void *unused)
{
    pthread_mutex_lock(&waiting.lock);
    while (!waiting.over) {
        const double left = PATIENCE - waiting.waited - (mw_now() - waiting.since);
        if (!waiting.depth || waiting.said)
            pthread_cond_wait(&waiting.changed, &waiting.lock);
        else if (left > 0)
            sleep_for(left);
        else
            waiting_say();
    }
    pthread_mutex_unlock(&waiting.lock);
    return unused;
}

/* Signals go to other threads.  If this thread cannot start, nothing is printed. */
static void waiting_start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    waiting.started = pthread_create(&waiting.thread, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void waiting_begin(const char *what)
{
    pthread_mutex_lock(&waiting.lock);
    if (waiting.depth == 0)
        waiting.since = mw_now();
    if (waiting.depth < DEPTH)
        mw_copy_string(waiting.words[waiting.depth], sizeof(waiting.words[0]), what);
    waiting.depth++;
    waiting.said = false;
    if (!waiting.started)
        waiting_start();
    pthread_cond_signal(&waiting.changed);
    pthread_mutex_unlock(&waiting.lock);
}

void waiting_end(void)
{
    pthread_mutex_lock(&waiting.lock);
    if (--waiting.depth == 0)
        waiting.waited += mw_now() - waiting.since;
    pthread_mutex_unlock(&waiting.lock);
}

void waiting_stop(void)
{
    pthread_mutex_lock(&waiting.lock);
    waiting.over = true;
    pthread_cond_signal(&waiting.changed);
    pthread_mutex_unlock(&waiting.lock);
    if (waiting.started)
        pthread_join(waiting.thread, NULL);
}
/* SPDX-License-Identifier: MIT */
