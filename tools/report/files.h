/* Names of files that are to be written: looked at before anything is computed. */
#ifndef TOOLS_FILES_H
#define TOOLS_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/cli/text.h"

/* Whether a file can be written there; looks, and creates nothing.  To be asked once for each file of a command.
 * MW_EIO; MW_EINVAL: it was asked for another file of the same name; -, which is none. */
int file_writable(const char *path);
/* For another command in the same process: it has been asked for nothing yet. */
void files_forget(void);
/* Whether these functions refuse all files from now on. */
void files_forbid(bool forbidden);
bool files_forbidden(void);
/* A file that is read, and that no output is to replace; where there is none, nothing. */
int file_stays(const char *path);
/* As file_writable, a file for each step up to the last, of an option's pattern as below, which is to last as long as
 * the command; and a file with those that stand beside it for a while, .old and .new. */
int file_series_writable(const char *option, const char *pattern, uint64_t last);
int file_generations_writable(const char *path);
/* Where links lead, as files are written there, also if nothing is there yet.  The caller frees it. */
int file_target(const char *path, char **target);
/* An output that goes to standard output: sends results to standard error.  MW_EINVAL: another output goes there too;
 * a terminal, of what is `binary`. */
int file_to_standard_output(bool binary);
/* As file_writable, an array or other bytes, where - is standard output. */
int file_array_writable(const char *path);
/* Likewise text, which may go to a terminal. */
int file_text_writable(const char *path);
/* Likewise a picture. */
int file_picture_writable(const char *path);
/* Likewise an option's file, whose name has to end in its suffix, .csv, .npy or .png; NULL: not given. */
int file_kind_writable(const char *option, const char *path, const char *suffix);
/* Whether there are pictures at all, as `what` (a path, an option) asks for.  MW_ENOTSUP: built without libpng. */
int file_pictures(const char *what);
/* The name of an option's file at a step: replaces a %d or %06d of the pattern; without one, a series gets the step's
 * number before the suffix.  MW_EINVAL: any other use of %.  The caller frees it. */
int file_numbered(const char *option, const char *pattern, uint64_t step, bool series, char **path);
/* Whether a file of a pattern's folder has the name that a series writes at a step up to the last. */
bool file_is_of_series(const char *pattern, uint64_t last, const char *name);
/* Whether a pattern has such a place. */
bool file_has_number(const char *pattern);
/* Whether the command line would find a program of that name. */
bool file_program(const char *program);
/* Writes a file, all or nothing; `synced` as of mw_file_create. */
int file_write(const char *path, bool synced, const char *bytes, size_t n);
/* The path; "-" is "to standard output". */
const char *file_words(const char *path);

/* ---- gnuplot.c: the file of --plot, a picture that gnuplot draws; pages have such pictures too ---- */

/* Whether it can be drawn and written; NULL: it was not given.  `instead`: what has the same numbers. */
int plot_check(const char *plot, const char *instead);
/* Starts a script: the kind of file, missing values as ?, a grid. */
void plot_begin(struct mw_text *script, const char *plot);
/* Adds words in single quotes, as gnuplot has them. */
void plot_quote(struct mw_text *script, const char *words);
/* What is drawn along an axis: how many numbers, from where to where.  0: nothing yet. */
struct plot_range { size_t count; double least, most; };
void plot_range_add(struct plot_range *range, double value);
/* Lets gnuplot choose the range of an axis, or where all numbers are equal, or there are none, which it refuses, sets
 * one. */
void plot_range_set(struct mw_text *script, char axis, const struct plot_range *range);
/* Appends what gnuplot draws of a script; `plot` is what messages call it. */
int plot_draw(const char *plot, const struct mw_text *script, struct mw_text *drawn);
/* The same as a file, whole or not at all. */
int plot_run(const char *plot, const struct mw_text *script);

#endif
/* SPDX-License-Identifier: MIT */
