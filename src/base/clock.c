/* Time without compiling. Threads of several devices compile at the same time, which takes that time only once. */
#include <pthread.h>
#include <string.h>

#include "base/base.h"

/* The last spans in which some thread compiled, in order and apart. Earlier ones end before a new one begins. */
enum { SPANS = 32 };
static struct span {
    double begin, end;
} spans[SPANS];
static size_t span_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double compiled;

double mw_compile_seconds(void)
{
    pthread_mutex_lock(&lock);
    const double seconds = compiled;
    pthread_mutex_unlock(&lock);
    return seconds;
}

void mw_compile_seconds_add(double seconds)
{
    if (!(seconds > 0))
        return;
    pthread_mutex_lock(&lock);
    struct span s = { .end = mw_now() };
    s.begin = s.end - seconds;
    /* No span ends later than this one. */
    while (span_count > 0 && spans[span_count - 1].end > s.begin) {
        const struct span last = spans[--span_count];
        compiled -= last.end - last.begin;
        s.begin = last.begin < s.begin ? last.begin : s.begin;
    }
    if (span_count == SPANS)
        memmove(spans, spans + 1, --span_count * sizeof *spans);
    spans[span_count++] = s;
    compiled += s.end - s.begin;
    pthread_mutex_unlock(&lock);
}

double mw_work_now(void) { return mw_now() - mw_compile_seconds(); }
/* SPDX-License-Identifier: MIT */
