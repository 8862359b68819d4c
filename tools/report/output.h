/* Output: results, messages, colours. */
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
/* Returns whether the terminal uses UTF-8. */
bool output_utf8(void);
/* Sends results to standard error because standard output carries data. */
void output_results_to_stderr(void);
FILE *results(void);
/* Return the escape sequences that start and end a colour; "" if the stream has no colours. */
const char *colour_on(FILE *stream, enum colour colour);
const char *colour_off(FILE *stream, enum colour colour);
size_t terminal_width(FILE *stream, size_t otherwise);
/* Returns the number of columns of --help. */
size_t help_width(void);
/* A progress line on standard error, drawn repeatedly.  Set whether it is visible; erase it before another message. */
void line_drawn(void);
void line_hide(void);
/* Text from files, drivers and users may contain terminal commands.  Control characters, direction marks and invalid
 * UTF-8 are therefore written as \xNN.  Returns the length of the character at a place; 0: such a byte. */
size_t printable(const char *at);
/* Writes a text in this form; keeps tabs and line ends. */
void put_printable(const char *text, FILE *stream);
/* Copies a text in this form, with tabs and line ends escaped.  The caller frees *copy.  MW_ENOMEM. */
int text_printable(const char *from, char **copy);
void print_error(const char *message);                    /* prints "meshwork: ..." on one line */
void print_note(const char *format, ...) MW_PRINTF(1, 2); /* prints one line to standard error, unless quiet */
/* Prints a note and keeps it for "notes" in JSON, also if quiet.  For facts that the result does not show, such as data
 * changed on reading.  Repeated notes are dropped.  Thread-safe. */
void report_note(const char *format, ...) MW_PRINTF(1, 2);
/* Return the kept notes; NULL after the last one. */
const char *output_note(size_t i);
/* Flushes standard output.  MW_EIO: output was lost. */
int output_end(void);

#endif
/* SPDX-License-Identifier: MIT */
