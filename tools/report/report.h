/* Reports: what came of a subcommand, as one tree that it fills once, and that is printed as text or as JSON.
 *
 * A node has a value under a key, for programs, and words, for people; either may be missing.  As text, nodes with a
 * title become rows of two columns, in the order in which they were put, and tables follow behind an empty line.  As
 * JSON, nodes with a value become what their kind is.
 *
 * put_ functions never fail: where memory runs out, report_print says so.  In a list keys are NULL. */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/report/numbers.h"
#include "tools/report/output.h"

struct node;

/* Whether reports are JSON from now on. */
void report_as_json(bool json);
bool report_is_json(void);
int report_json_available(void);                 /* 0, or MW_ENOTSUP: built without jansson */
/* The run of subcommands that read JSON, where they are built without jansson: refuses. */
struct command;
int run_without_json(struct command *command);

/* The root, whose values have keys, or are a list. */
struct node *report_object(void);
struct node *report_list(void);
/* The root of rows for people, of which each is an object of a list. */
struct node *report_table(const char *titles);
/* Prints it as results, and frees it in every case. */
int report_print(struct node *root);
void report_free(struct node *root);             /* NULL is legal */
/* Ends a function that has put a report together: prints it, or after a failure frees it; the status. */
int report_end(struct node *root, int rc);
/* The same as JSON, owned by the caller; NULL: out of memory.  Only with jansson. */
struct json_t;
struct json_t *report_to_json(const struct node *root);

/* ---- values ---- */

struct node *put_text(struct node *to, const char *key, const char *value);
struct node *put_count(struct node *to, const char *key, uint64_t value);
struct node *put_bytes(struct node *to, const char *key, uint64_t value);
struct node *put_real(struct node *to, const char *key, double value);       /* null where it is not finite */
struct node *put_seconds(struct node *to, const char *key, double value);
struct node *put_flag(struct node *to, const char *key, bool value);
struct node *put_checksum(struct node *to, const char *key, uint64_t value); /* a text of 16 digits */
/* "seed", and "seed_hex" as a text of 16 digits, which has one type whatever its size. */
struct node *put_seed(struct node *to, uint64_t seed);
struct node *put_none(struct node *to, const char *key);                     /* null */
struct node *put_object(struct node *to, const char *key);
struct node *put_list(struct node *to, const char *key);
/* A list that people see as a table; `titles` as of struct table, which are to last as long as it.  Its rows are
 * objects or lists put into it, and their cells what has words in them; tables in rows go on in the same columns. */
struct node *put_table(struct node *to, const char *key, const char *titles);
/* The same, whose rows are put under keys. */
struct node *put_keyed_table(struct node *to, const char *key, const char *titles);
/* A table of more rows than these is that many lines for people: the first rows, "..." and the last; 0: all rows. */
void table_shows(struct node *table, size_t most);
/* For people alone: what follows. */
struct node *put_words(struct node *to);
/* For people alone, behind an empty line: a heading, and the rows that are put into it. */
struct node *put_section(struct node *to, const char *format, ...) MW_PRINTF(2, 3);

/* ---- words ---- */

/* A row: a title, and words. */
void say_row(struct node *node, const char *title, const char *format, ...) MW_PRINTF(3, 4);
/* A row of the value itself: a text, a number, bytes or seconds with their unit. */
void say_value(struct node *node, const char *title);
/* Rows that no program reads. */
#define ROW(to, title, ...) say_row(put_words(to), title, __VA_ARGS__)
/* A cell of a table's row. */
void say_cell(struct node *node, enum colour colour, const char *format, ...) MW_PRINTF(3, 4);
/* A cell of the value itself. */
void say_value_cell(struct node *node, enum colour colour);
#define CELL(row, ...) say_cell(put_words(row), PLAIN, __VA_ARGS__)
/* Whole lines, as they stand. */
void say_lines(struct node *node, enum colour colour, const char *format, ...) MW_PRINTF(3, 4);

/* ---- what many reports have ---- */

/* "verified" and a row by what, if it was; and the seconds that this took. */
void put_verified(struct node *to, bool is_verified, double seconds, const char *format, ...) MW_PRINTF(4, 5);
/* A row of a file that was written; NULL: none. */
void say_written(struct node *to, const char *title, const char *path);
/* An object "timings" of names and seconds; those without a name are left out. */
struct timing { const char *name; double seconds; };
void put_timings(struct node *to, const struct timing *timings, size_t count);
/* A list of lengths. */
void put_lengths(struct node *to, const char *key, unsigned dims, const size_t *length);
/* Values that occur, upwards, and how often each: a list of pairs, and a table of the two titles, with -v all of it. */
struct node *put_occurrences(struct node *to, const char *key, const char *titles);
void put_occurrence(struct node *occurrences, uint64_t value, uint64_t number);
/* KEY, a file that was read, and "KEY_checksum" of its bytes, null of a pipe. */
struct node *put_file(struct node *to, const char *key, const char *path);
/* The checksum of arrays of numbers of 8 bytes, one after the other. */
struct numbers { const void *item; size_t count; };
uint64_t numbers_checksum(const struct numbers *numbers, size_t count);
/* An object of a model's parameters; `but` is left out of it, NULL: none. */
struct mw_model_param;
struct node *put_params(struct node *to, const struct mw_model_param *params, const double *values, size_t count,
                        const char *but);
/* "rate" and "rate_unit", as in "cells/s", the key that says both where scripts know the rate by one
 * ("bytes_per_second"), and a row. */
void put_rate(struct node *to, double rate, const char *unit);
/* "least_bytes": what the work that "seconds" are of has to read and write at least, if it looks at everything once. */
void put_least_bytes(struct node *to, double bytes);
/* Of a word of Philox 4x32-10: of four words, two products of 64 bits, four exclusive ors and two sums ten times. */
#define PHILOX_OPERATIONS 24.5
/* "operations": additions and multiplications of that work, or what is like them; NaN: not known, and not put. */
void put_operations(struct node *to, double operations);
/* "sizes" of components, and how many have each. */
struct mw_components;
int put_component_sizes(struct node *to, struct mw_components *components);
/* "device" and "device_name", and a row of both. */
struct mw_device_info;
void put_device(struct node *to, const struct mw_device_info *device);

#endif
/* SPDX-License-Identifier: MIT */
