/* Reports: a subcommand fills one tree with its results, which is printed as text or JSON.
 *
 * A node has a value under a key, for programs, and words, for people; either may be missing.  As text, nodes with a
 * title become rows of two columns in order, and tables follow after an empty line.  As JSON, nodes with a value become
 * members or elements by their kind.
 *
 * put_ functions never fail: report_print reports a lack of memory.  In a list, keys are NULL. */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/report/numbers.h"
#include "tools/report/output.h"

struct node;

/* Sets whether reports are printed as JSON. */
void report_as_json(bool json);
bool report_is_json(void);
int report_json_available(void); /* MW_ENOTSUP: built without jansson */
/* Fails: replaces subcommands that read JSON if meshwork was built without jansson. */
struct command;
int run_without_json(struct command *command);

/* Return the root, an object or a list. */
struct node *report_object(void);
struct node *report_list(void);
/* Returns the root of rows for people; each row is an object in a list. */
struct node *report_table(const char *titles);
/* Prints the report as the result, and frees it in every case. */
int report_print(struct node *root);
void report_free(struct node *root); /* NULL is allowed */
/* Ends a report: prints it if `rc` is 0, otherwise frees it.  Returns the status. */
int report_end(struct node *root, int rc);
/* Returns the report as JSON, which the caller owns; NULL: out of memory.  Only with jansson. */
struct json_t;
struct json_t *report_to_json(const struct node *root);

/* ---- values ---- */

struct node *put_text(struct node *to, const char *key, const char *value);
struct node *put_count(struct node *to, const char *key, uint64_t value);
struct node *put_bytes(struct node *to, const char *key, uint64_t value);
struct node *put_real(struct node *to, const char *key, double value); /* null if not finite */
struct node *put_seconds(struct node *to, const char *key, double value);
struct node *put_flag(struct node *to, const char *key, bool value);
struct node *put_checksum(struct node *to, const char *key, uint64_t value); /* text of 16 digits */
/* Puts "seed", and "seed_hex" as a text of 16 digits, whose type is the same for all seeds. */
struct node *put_seed(struct node *to, uint64_t seed);
struct node *put_none(struct node *to, const char *key); /* null */
struct node *put_object(struct node *to, const char *key);
struct node *put_list(struct node *to, const char *key);
/* Puts a list shown as a table.  `titles` as in struct table; it must outlive the report.  Rows are objects or lists
 * put into it, cells their nodes with words.  Tables in rows continue in the same columns. */
struct node *put_table(struct node *to, const char *key, const char *titles);
/* Like put_table, with rows under keys. */
struct node *put_keyed_table(struct node *to, const char *key, const char *titles);
/* Limits the printed rows of a table to `most`: the first rows, "..." and the last ones; 0: all rows. */
void table_shows(struct node *table, size_t most);
/* Puts a node for people only. */
struct node *put_words(struct node *to);
/* Puts a heading after an empty line, for people only; rows are put into it. */
struct node *put_section(struct node *to, const char *format, ...) MW_PRINTF(2, 3);

/* ---- words ---- */

/* Makes a row: a title and words. */
void show_row(struct node *node, const char *title, const char *format, ...) MW_PRINTF(3, 4);
/* Makes a row of the value: text, number, bytes or seconds with the unit. */
void show_value(struct node *node, const char *title);
/* Makes a row for people only. */
#define ROW(to, title, ...) show_row(put_words(to), title, __VA_ARGS__)
/* Makes a cell of a table's row. */
void show_cell(struct node *node, enum colour colour, const char *format, ...) MW_PRINTF(3, 4);
/* Makes a cell of the value. */
void show_value_cell(struct node *node, enum colour colour);
#define CELL(row, ...) show_cell(put_words(row), PLAIN, __VA_ARGS__)
/* Makes lines, printed as they are. */
void show_lines(struct node *node, enum colour colour, const char *format, ...) MW_PRINTF(3, 4);

/* ---- common parts of reports ---- */

/* Puts "verified", the reference and the seconds, if the result was verified. */
void put_verified(struct node *to, bool is_verified, double seconds, const char *format, ...) MW_PRINTF(4, 5);
/* Makes a row for a written file; NULL: none. */
void show_written(struct node *to, const char *title, const char *path);
/* Puts an object "timings" of names and seconds; entries without a name are left out. */
struct timing {
    const char *name;
    double seconds;
};
void put_timings(struct node *to, const struct timing *timings, size_t count);
/* Puts a list of lengths. */
void put_lengths(struct node *to, const char *key, unsigned dims, const size_t *length);
/* Put values in ascending order with their counts: a list of pairs, shown as a table with two titles (-v:
 * untruncated). */
struct node *put_occurrences(struct node *to, const char *key, const char *titles);
void put_occurrence(struct node *occurrences, uint64_t value, uint64_t number);
/* Puts KEY, an input file, and "KEY_checksum", which is null for a pipe. */
struct node *put_file(struct node *to, const char *key, const char *path);
/* Returns the checksum of consecutive arrays of 8-byte numbers. */
struct numbers {
    const void *item;
    size_t count;
};
uint64_t numbers_checksum(const struct numbers *numbers, size_t count);
/* Puts an object of a model's parameters without the parameter `but` (NULL: none). */
struct mw_model_param;
struct node *put_params(struct node *to, const struct mw_model_param *params, const double *values, size_t count,
                        const char *but);
/* Puts "rate" and "rate_unit", such as "cells/s", and a row; for some units also a key that names both
 * ("bytes_per_second"). */
void put_rate(struct node *to, double rate, const char *unit);
/* Puts "least_bytes": the minimum traffic of the work timed by "seconds", if all data are read and written once. */
void put_least_bytes(struct node *to, double bytes);
/* Operations per word of Philox 4x32-10: four words take ten rounds of two 64-bit products, four exclusive ors and two
 * sums. */
#define PHILOX_OPERATIONS 24.5
/* Puts "operations": additions, multiplications and similar operations of that work; NaN: unknown, not put. */
void put_operations(struct node *to, double operations);
/* Puts "sizes": component sizes with their counts. */
struct mw_components;
int put_component_sizes(struct node *to, struct mw_components *components);
/* Puts "device" and "device_name", and a row of both. */
struct mw_device_info;
void put_device(struct node *to, const struct mw_device_info *device);

#endif
/* SPDX-License-Identifier: MIT */
