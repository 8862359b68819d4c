/* Signals: a first one stops the time loop in good order, a second one ends the process; no temporary file stays. */
#include "tools/cli/signals.h"

#include <meshwork/file.h>
#include <meshwork/run.h>

#include <signal.h>
#include <unistd.h>

#include "tools/cli/base.h"

static volatile sig_atomic_t stops_loop, stopped;

static void on_signal(int number)
{
    if (stops_loop && !stopped && number != SIGPIPE) {
        stopped = 1;
        mw_run_stop();
        return;
    }
    mw_file_abandon_all();
    _exit(128 + number);
}

void signals_start(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct sigaction before;
        /* nohup's choice stands.  An ignored SIGINT does not: shells ignore it for every job that a script puts in
         * the background, and an explicit `kill -INT` is meant to stop such a run as well. */
        if (numbers[i] == SIGHUP && !sigaction(SIGHUP, NULL, &before) && before.sa_handler == SIG_IGN)
            continue;
        sigaction(numbers[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);                    /* a write beyond `ulimit -f` fails, and its file is named */
}

void signals_stop_loop(bool loop)
{
    stops_loop = loop;
}

bool signals_stopped(void)
{
    return stopped;
}
/* SPDX-License-Identifier: MIT */
