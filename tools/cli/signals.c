/* Signals: the first one stops the time loop cleanly, a second one ends the process.  Temporary files are removed. */
#include "tools/cli/signals.h"

#include <meshwork/device.h>
#include <meshwork/file.h>
#include <meshwork/run.h>

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/base.h"

enum phase { WITHOUT_LOOP, BEFORE_LOOP, IN_LOOP };

static volatile sig_atomic_t phase = WITHOUT_LOOP, stopped, interrupted, waits, said_so;

#define PATIENCE 1 /* seconds until a message reports that the loop waits for the device */

/* Signals of schedulers, and SIGXCPU, which repeats every second beyond the limit of processor time. */
static bool only_asks(int number) { return number == SIGUSR1 || number == SIGUSR2 || number == SIGXCPU; }

/* The device has not returned in time. */
static void on_alarm(int number)
{
    static const char words[] = "meshwork: waiting for the device; a second signal ends at once\n";
    if (waits && !said_so) {
        said_so = 1;
        (void)!write(STDERR_FILENO, words, sizeof(words) - 1);
    }
}

/* A driver is about to end the process. */
static void on_abort(const char *words)
{
    static const char name[] = "meshwork: ";
    mw_file_abandon_all();
    (void)!write(STDERR_FILENO, name, sizeof(name) - 1);
    (void)!write(STDERR_FILENO, words, strlen(words));
    (void)!write(STDERR_FILENO, "\n", 1);
    _exit(4);
}

static void on_signal(int number)
{
    static const char early[] = "meshwork: stopped by a signal before the first step: nothing was written\n";
    if (phase == IN_LOOP && number != SIGPIPE && (only_asks(number) || (!interrupted && !said_so))) {
        interrupted |= !only_asks(number);
        if (!stopped) {
            stopped = 1;
            mw_run_stop();
            if (waits)
                alarm(PATIENCE);
        }
        return;
    }
    mw_file_abandon_all();
    if (phase == BEFORE_LOOP && number != SIGPIPE) {
        const ssize_t written = write(STDERR_FILENO, early, sizeof(early) - 1);
        (void)written;
        _exit(5);
    }
    _exit(128 + number);
}

void signals_start(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU };
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < MW_COUNT(numbers); i++) {
        struct sigaction before;
        /* Keep SIGHUP and scheduler signals ignored, as set by nohup.  SIGINT is caught even if ignored: shells ignore
         * it in background jobs of scripts, and `kill -INT` should still stop such a run. */
        if ((numbers[i] == SIGHUP || only_asks(numbers[i])) && !sigaction(numbers[i], NULL, &before) &&
            before.sa_handler == SIG_IGN)
            continue;
        sigaction(numbers[i], &action, NULL);
    }
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    mw_process_when_aborted(on_abort);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond `ulimit -f` then fails with a message */
}

void signals_before_loop(void) { phase = BEFORE_LOOP; }

void signals_stop_loop(void) { phase = IN_LOOP; }

void signals_wait_begin(double time_limit)
{
    const double longest = 1e9;
    struct itimerval timer = { .it_value = { .tv_sec = PATIENCE } };
    said_so = 0;
    waits = 1;
    if (!stopped && time_limit > 0)
        timer.it_value.tv_sec += (time_t)(time_limit < longest ? time_limit : longest) + 1;
    if (stopped || time_limit > 0)
        setitimer(ITIMER_REAL, &timer, NULL);
}

void signals_wait_end(void)
{
    waits = 0;
    alarm(0);
}

bool signals_stopped(void) { return stopped; }
/* SPDX-License-Identifier: MIT */
