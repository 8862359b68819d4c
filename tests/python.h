/* Runs scripts with which a test or a bench compares results. A script is a Python process that reads lines, and the
 * bytes that they announce, from standard input, and answers each with a line. */
#ifndef TEST_PYTHON_H
#define TEST_PYTHON_H

#include <stdbool.h>
#include <stdio.h>

#include <sys/types.h>

struct python {
    FILE *to, *from;
    pid_t child;
};

/* Starts a script, which prints "ready" when it has its packages; returns false if no Python has them. Call it before
 * any driver has started threads. From then on, writing to a script that has ended is an error instead of a signal. */
bool python_start(struct python *python, const char *script);
/* The same for tests: $srcdir is set by make, and a message names the missing package. */
bool python_for_test(struct python *python, const char *script, const char *package);
/* Legal for one that never started or has been stopped. */
void python_stop(struct python *python);

/* For benches: sends a line and `n` bytes (NULL: no bytes), and returns the seconds of the answer, which may be NaN.
 * Returns NaN without a script. If the script has ended, reports that once and stops it. */
double python_seconds(struct python *python, const char *line, const void *bytes, size_t n);

#endif
/* SPDX-License-Identifier: MIT */
