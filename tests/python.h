/* Scripts that a test or a bench compares itself with: a Python process of its own that reads lines, and the bytes that
 * they announce, from standard input, and answers each by a line. */
#ifndef TEST_PYTHON_H
#define TEST_PYTHON_H

#include <stdbool.h>
#include <stdio.h>

#include <sys/types.h>

struct python {
    FILE *to, *from;
    pid_t child;
};

/* Starts a script, which says "ready" once it has all that it needs; false where no Python has that.  To be called
 * before any driver has started threads.  From here on a reader that is gone is an error of writing, no signal. */
bool python_start(struct python *python, const char *script);
/* The same for tests: where srcdir is told by make, and says which package is missing. */
bool python_for_test(struct python *python, const char *script, const char *package);
/* Legal for one that never started or has been stopped. */
void python_stop(struct python *python);

/* For benches: sends a line and `n` bytes behind it (NULL: none), and gives the seconds that the answer says; NaN where
 * it says "nan", and where there is no script.  One that is gone is said so once, and stopped. */
double python_seconds(struct python *python, const char *line, const void *bytes, size_t n);

#endif
/* SPDX-License-Identifier: MIT */
