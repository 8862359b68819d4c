/* Where words go: results, messages, colours. */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <meshwork/status.h>

enum colour { PLAIN, BOLD, DIM, RED, GREEN, YELLOW };

void output_start(void);
void output_set(bool quiet, bool verbose);
bool output_quiet(void);
bool output_verbose(void);
/* Whether people's terminals are in UTF-8. */
bool output_utf8(void);
/* Sends results to standard error, because standard output carries data. */
void output_results_to_stderr(void);
FILE *results(void);
/* Escape sequences that start a colour, and that end it; "" where the stream wants none. */
const char *colour_on(FILE *stream, enum colour colour);
const char *colour_off(FILE *stream, enum colour colour);
size_t terminal_width(FILE *stream, size_t otherwise);
/* The columns that --help fills. */
size_t help_width(void);
/* A line on standard error that is drawn over and over: it stands there now; it is taken away, so that another can be
 * written. */
void line_drawn(void);
void line_hide(void);
/* Names that files, drivers and users give must not be commands to a terminal, nor turn the text around: bytes of
 * control characters, of marks of direction, and of what is not UTF-8 are written as \xNN.  The length of the
 * character at a place, 0: such a byte. */
size_t printable(const char *at);
/* Writes a text so, with its tabs and ends of lines. */
void put_printable(const char *text, FILE *stream);
/* A copy, in which tabs and ends of lines are control characters; the caller's to free.  MW_ENOMEM. */
int text_printable(const char *from, char **copy);
void say_error(const char *message);             /* one line, "meshwork: ..." */
void say_note(const char *format, ...) MW_PRINTF(1, 2); /* one line to standard error, unless quiet */
/* The same, and keeps the note for the list "notes" of JSON objects, also if quiet: for what a result does not show by
 * itself, as data that were changed on reading.  A note that was given before is dropped.  Any thread may call it. */
void report_note(const char *format, ...) MW_PRINTF(1, 2);
/* The notes that were kept; NULL beyond the last one. */
const char *output_note(size_t i);
/* Flushes standard output.  MW_EIO: something written to it was lost. */
int output_end(void);

#endif
/* SPDX-License-Identifier: MIT */
