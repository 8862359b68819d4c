/* The log of a thread's last failed build. */
#include "dev/core/backend.h"

#include <pthread.h>
#include <stdlib.h>

/* A key rather than a thread-local, so that it is freed with its thread. */
static pthread_key_t log_key;
static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static bool log_ready;

static void make_log_key(void) { log_ready = pthread_key_create(&log_key, free) == 0; }

const char *mw_build_log(void)
{
    pthread_once(&log_once, make_log_key);
    const char *log = log_ready ? pthread_getspecific(log_key) : NULL;
    return log ? log : "";
}

char *mw_build_log_take(void)
{
    pthread_once(&log_once, make_log_key);
    char *log = log_ready ? pthread_getspecific(log_key) : NULL;
    return log && pthread_setspecific(log_key, NULL) == 0 ? log : NULL;
}

void mw_build_log_give(char *log)
{
    free(mw_build_log_take());
    if (!log_ready || pthread_setspecific(log_key, log) != 0)
        free(log);
}
/* SPDX-License-Identifier: MIT */
