/* Output: results, messages, colours. */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <meshwork/status.h>

enum colour { PLAIN, BOLD, DIM, RED, GREEN, YELLOW };

/* Prepares output: determines colours and the character set of the terminal. */
void output_start(void);
/* Sets whether -q or -v was given. */
void output_set(bool quiet, bool verbose);
/* Returns whether -q was given. */
bool output_quiet(void);
/* Returns whether -v was given. */
bool output_verbose(void);
/* Returns whether the terminal uses UTF-8. */
bool output_utf8(void);
/* Sends results to standard error because standard output carries data. */
void output_results_to_stderr(void);
/* Returns the stream of results: standard output or standard error. */
FILE *results(void);
/* Returns the escape sequence that starts a colour; "" if the stream has no colours. */
const char *colour_on(FILE *stream, enum colour colour);
/* Returns the escape sequence that ends a colour; "" if the stream has no colours. */
const char *colour_off(FILE *stream, enum colour colour);
/* Returns the columns of the terminal; `otherwise` if the stream is no terminal. */
size_t terminal_width(FILE *stream, size_t otherwise);
/* Returns the number of columns of --help. */
size_t help_width(void);
/* Records that a progress line is visible on standard error. */
void line_drawn(void);
/* Erases the progress line if it is visible; call it before another message. */
void line_hide(void);
/* Returns the length of the character at a place; 0: a byte to be written as \xNN.  These are control characters,
 * direction marks and invalid UTF-8, since texts from files, drivers and users may contain terminal commands. */
size_t printable(const char *at);
/* Writes a text with unprintable bytes as \xNN (see printable); keeps tabs and line ends. */
void put_printable(const char *text, FILE *stream);
/* Copies a text with unprintable bytes, tabs and line ends escaped (see printable).  The caller frees *copy.
 * MW_ENOMEM. */
int text_printable(const char *from, char **copy);
void print_error(const char *message);                    /* prints "meshwork: ..." on one line */
void print_note(const char *format, ...) MW_PRINTF(1, 2); /* prints one line to standard error, unless quiet */
/* Prints a note and keeps it for "notes" in JSON, also if quiet.  For facts that the result does not show, such as data
 * changed on reading.  Repeated notes are dropped.  Thread-safe. */
void report_note(const char *format, ...) MW_PRINTF(1, 2);
/* Returns note i of those kept by report_note; NULL after the last one. */
const char *output_note(size_t i);
/* Flushes standard output.  MW_EIO: output was lost. */
int output_end(void);

#endif
/* SPDX-License-Identifier: MIT */
