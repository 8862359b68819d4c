/* Workers: child processes that execute commands repeatedly. */
#include "tools/compare/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/cli/signals.h"

extern char **environ;

#define ITSELF "/proc/self/exe"
#define GRACE 5.0       /* seconds between a request to end and killing the worker */
#define SAID_MOST 65536 /* bytes kept of messages from drivers and the command */

enum { OUT, SAID, STREAMS };

struct worker {
    char *name;
    bool keep;
    pid_t process;                /* 0: not running */
    int to, from[STREAMS];        /* -1: closed */
    struct mw_text text[STREAMS]; /* output of the current run */
};

/* A current run. */
struct turn {
    double limit, end, killed; /* deadline; time of the request to end, 0: none */
};

/* ---- start and end ---- */

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* The worker's input is a socket: writing after the reader has ended then raises no signal. */
static int open_ends(struct worker *w, int theirs[1 + STREAMS])
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return mw_fail(MW_EIO, "cannot make a socket to a worker: %s", strerror(errno));
    w->to = ends[0];
    theirs[0] = ends[1];
    for (int i = 0; i < STREAMS; i++) {
        if (pipe2(ends, O_CLOEXEC) != 0)
            return mw_fail(MW_EIO, "cannot make a pipe to a worker: %s", strerror(errno));
        w->from[i] = ends[0];
        theirs[1 + i] = ends[1];
    }
    return 0;
}

static int worker_start(struct worker *w)
{
    const char *const arguments[] = { "meshwork", "worker", w->keep ? "keep" : NULL, NULL };
    posix_spawn_file_actions_t actions;
    int theirs[1 + STREAMS] = { -1, -1, -1 }, failed, rc;
    posix_spawn_file_actions_init(&actions);
    TRY(open_ends(w, theirs));
    for (int i = 0; i <= STREAMS; i++)
        posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
    failed = posix_spawn(&w->process, ITSELF, &actions, NULL, (char *const *)arguments, environ);
    if (failed) {
        w->process = 0;
        rc = mw_fail(MW_EIO, "meshwork cannot run itself (%s): %s", ITSELF, strerror(failed));
    }
out:
    posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i <= STREAMS; i++)
        close_end(&theirs[i]);
    return rc;
}

/* Waits for a process that is ending. */
static int worker_status(struct worker *w)
{
    const double start = mw_now();
    int status = 0;
    while (w->process && waitpid(w->process, &status, WNOHANG) == 0) {
        poll(NULL, 0, 1);
        if (mw_now() > start + GRACE)
            kill(w->process, SIGKILL);
    }
    w->process = 0;
    return status;
}

static int worker_stop(struct worker *w)
{
    int status;
    close_end(&w->to);
    status = worker_status(w);
    for (int i = 0; i < STREAMS; i++)
        close_end(&w->from[i]);
    return status;
}

static int worker_find(struct workers *workers, const char *name, struct worker **found)
{
    struct worker *w = NULL;
    int rc;
    for (size_t i = 0; i < workers->count; i++)
        if (!strcmp(workers->item[i]->name, name)) {
            *found = workers->item[i];
            return 0;
        }
    TRY(mw_new(1, sizeof(*w), &w));
    w->to = w->from[OUT] = w->from[SAID] = -1;
    w->keep = workers->keep;
    TRY(mw_strdup(name, &w->name));
    TRY(mw_grow(workers->count, sizeof(*workers->item), &workers->item));
    *found = workers->item[workers->count++] = w;
    w = NULL;
out:
    if (w)
        free(w->name);
    free(w);
    return rc;
}

void workers_end(struct workers *workers)
{
    for (size_t i = 0; i < workers->count; i++) {
        struct worker *w = workers->item[i];
        worker_stop(w);
        for (int k = 0; k < STREAMS; k++)
            mw_text_free(&w->text[k]);
        free(w->name);
        free(w);
    }
    free(workers->item);
    *workers = (struct workers){ 0 };
}

/* ---- a run ---- */

static bool send_word(const struct worker *w, const char *word)
{
    const size_t n = strlen(word) + 1;
    size_t sent = 0;
    while (sent < n) {
        const ssize_t now = send(w->to, word + sent, n - sent, MSG_NOSIGNAL);
        if (now < 0 && errno != EINTR)
            return false;
        sent += now > 0 ? (size_t)now : 0;
    }
    return true;
}

/* False: the worker has ended. */
static bool send_run(const struct worker *w, const char *const *arguments)
{
    char number[24];
    size_t n = 0;
    bool sent;
    while (arguments[n])
        n++;
    snprintf(number, sizeof(number), "%zu", n);
    sent = send_word(w, number);
    for (size_t i = 0; sent && i < n; i++)
        sent = send_word(w, arguments[i]);
    return sent;
}

/* Replaces a worker that has ended since its last run. */
static int workers_begin(struct worker *w, const char *const *arguments)
{
    for (int i = 0; i < STREAMS; i++)
        mw_text_free(&w->text[i]);
    for (int tries = 0; tries < 2; tries++) {
        if (!w->process)
            TRY_RETURN(worker_start(w));
        if (send_run(w, arguments))
            return 0;
        worker_stop(w);
    }
    return mw_fail(MW_EIO, "a worker ended before it received its arguments");
}

static void workers_take(struct worker *w, int stream)
{
    char bytes[4096];
    const ssize_t n = read(w->from[stream], bytes, sizeof(bytes));
    if (n > 0 && (stream == OUT || w->text[SAID].length < SAID_MOST))
        mw_text_append(&w->text[stream], bytes, (size_t)n);
    if (w->text[stream].failed || n == 0 || (n < 0 && errno != EINTR))
        close_end(&w->from[stream]);
}

/* Requests the end of a worker, later kills it. */
static void hurry(const struct worker *w, struct turn *turn)
{
    const double now = mw_now();
    if (signals_stopped())
        turn->end = fmin(turn->end, now);
    if (now < turn->end)
        return;
    if (!turn->killed) {
        kill(w->process, SIGTERM);
        turn->killed = now;
    } else if (now > turn->killed + GRACE) {
        kill(w->process, SIGKILL);
    }
}

/* Finds the two marks of the run's end in the output so far. */
static bool find_end(const struct mw_text *out, char **first, char **second)
{
    *first = out->length ? memchr(out->data, WORKER_MARK, out->length) : NULL;
    *second = *first ? memchr(*first + 1, WORKER_MARK, (size_t)(out->data + out->length - *first - 1)) : NULL;
    return *second != NULL;
}

/* Reads until the end of the run or of the worker. */
static bool listen_to(struct worker *w, struct turn *turn)
{
    char *first, *second;
    while (w->from[OUT] >= 0 && !find_end(&w->text[OUT], &first, &second)) {
        struct pollfd streams[STREAMS];
        for (int i = 0; i < STREAMS; i++)
            streams[i] = (struct pollfd){ .fd = w->from[i], .events = POLLIN };
        if (poll(streams, STREAMS, 100) > 0)
            for (int i = 0; i < STREAMS; i++)
                if (streams[i].revents)
                    workers_take(w, i);
        hurry(w, turn);
    }
    return w->from[OUT] >= 0;
}

/* Parses the text after the first mark: "0 0.123 ", "2 0.01 unknown option ...". */
static int read_end(struct worker *w, struct outcome *outcome)
{
    char *first, *second, *at;
    find_end(&w->text[OUT], &first, &second);
    *first = *second = 0;
    outcome->code = (int)strtol(first + 1, &at, 10);
    outcome->seconds = strtod(at, &at);
    if (outcome->code)
        TRY_RETURN(mw_strdup(*at ? at + 1 : "", &outcome->reason));
    outcome->out = w->text[OUT].data;
    w->text[OUT] = (struct mw_text){ 0 };
    return 0;
}

/* Returns the last message. */
static const char *last_line(struct mw_text *said)
{
    const char *line;
    while (said->length > 0 && said->data[said->length - 1] == '\n')
        said->data[--said->length] = 0;
    line = said->length ? strrchr(said->data, '\n') : NULL;
    return line ? line + 1 : said->length ? said->data : "";
}

/* Describes the abnormal end of a run. */
static int print_end(struct worker *w, const struct turn *turn, struct outcome *outcome)
{
    const int status = worker_stop(w);
    struct mw_text text = { 0 };
    if (turn->killed && !signals_stopped())
        mw_text_add(&text, "it took more than %g s", turn->limit);
    else if (WIFSIGNALED(status))
        mw_text_add(&text, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        mw_text_add(&text, "ended by its driver with exit code %d", WEXITSTATUS(status));
    if (*last_line(&w->text[SAID]))
        mw_text_add(&text, ": %s", last_line(&w->text[SAID]));
    return text_take(&text, &outcome->reason);
}

int workers_run(struct workers *workers, const char *name, const char *const *arguments, double limit,
                struct outcome *outcome)
{
    struct turn turn = { .limit = limit, .end = mw_now() + limit };
    struct worker *w = NULL;
    *outcome = (struct outcome){ .code = -1 };
    TRY_RETURN(worker_find(workers, name, &w));
    TRY_RETURN(workers_begin(w, arguments));
    return listen_to(w, &turn) && !turn.killed ? read_end(w, outcome) : print_end(w, &turn, outcome);
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->reason);
    *outcome = (struct outcome){ 0 };
}
/* SPDX-License-Identifier: MIT */
