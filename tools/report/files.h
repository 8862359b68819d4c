/* Output files.  Names are checked before the computation starts. */
#ifndef TOOLS_FILES_H
#define TOOLS_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdint.h>

#include "tools/cli/text.h"

/* Checks that a file can be written, without creating it.  Call it once per file of a command.  MW_EIO; MW_EINVAL:
 * another output has the same name, or the name is -. */
int file_writable(const char *path);
/* Forgets the files of the previous command in the same process. */
void files_forget(void);
/* Sets whether the functions of this header reject all output files from now on. */
void files_forbid(bool forbidden);
/* Returns whether output files are rejected. */
bool files_forbidden(void);
/* Registers an input file, which no output may replace.  A missing file is ignored. */
int file_stays(const char *path);
/* Checks like file_writable that the files of a series can be written, one per step up to `last`.  The pattern must
 * outlive the command. */
int file_series_writable(const char *option, const char *pattern, uint64_t last);
/* Checks like file_writable that a file and its temporary siblings .old and .new can be written. */
int file_generations_writable(const char *path);
/* Resolves links like the writing functions, also if the target does not exist.  The caller frees *target. */
int file_target(const char *path, char **target);
/* Claims standard output for an output; results then go to standard error.  MW_EINVAL: another output uses it, or it is
 * a terminal and the output is `binary`. */
int file_to_standard_output(bool binary);
/* Checks like file_writable; - is standard output for binary data. */
int file_array_writable(const char *path);
/* Checks like file_writable; - is standard output for text, which may go to a terminal. */
int file_text_writable(const char *path);
/* Checks like file_writable; - is standard output for a picture. */
int file_picture_writable(const char *path);
/* Checks the output file of an option like file_writable; its name must end in `suffix`.  A NULL path (the option was
 * not given) is accepted. */
int file_kind_writable(const char *option, const char *path, const char *suffix);
/* Checks the output file of an option for an array, NULL included.  Its suffix must be one that mw_array_save and
 * mw_array_load support, not of a picture unless `pictures`. */
int file_of_arrays_writable(const char *option, const char *path, bool pictures);
/* Returns whether a path has the suffix of such a file, not of a picture. */
bool file_is_of_arrays(const char *path);
/* Checks like file_writable the second file of formats whose elements are not in the first one. */
int file_companion_writable(const char *path);
/* Appends the suffixes of such files: ".npy, .npz, ...". */
void file_add_suffixes(struct mw_text *text, bool pictures);
/* Returns 0 if pictures can be written; MW_ENOTSUP: built without libpng.  `what` (a path or an option) names the
 * request in the message. */
int file_pictures(const char *what);
/* Makes the file name for a step: replaces %d or %06d in the pattern.  Without one, a series gets the number before the
 * suffix.  MW_EINVAL: other uses of %.  The caller frees *path. */
int file_numbered(const char *option, const char *pattern, uint64_t step, bool series, char **path);
/* Returns whether `name` is a name of the series, at a step up to `last`. */
bool file_is_of_series(const char *pattern, uint64_t last, const char *name);
/* Returns whether a pattern has a place for the step. */
bool file_has_number(const char *pattern);
/* Returns whether a program is on PATH. */
bool file_program(const char *program);
/* Starts a shell command, as popen does, in a process group of its own: Ctrl-C on the terminal then ends only meshwork,
 * which stops in order.  MW_EIO. */
struct piped {
    FILE *pipe;
    int process;
};
int program_start(const char *command, const char *mode, struct piped *piped);
/* Closes the pipe and returns the status of the command, as pclose does.  Not started: -1. */
int program_end(struct piped *piped);
/* Writes a file completely or not at all; `synced` as in mw_file_create. */
int file_write(const char *path, bool synced, const char *bytes, size_t n);
/* Returns the path, or "to standard output" for -. */
const char *file_words(const char *path);

/* ---- gnuplot.c: the picture of --plot, drawn by gnuplot; pages use it too ---- */

/* Checks the suffix of the file of an option, and that gnuplot is available; NULL: not given.  `instead` names another
 * output, for the message. */
int plot_possible(const char *option, const char *path, const char *instead);
/* Checks the same of --plot, and that the file can be written. */
int plot_check(const char *plot, const char *instead);
/* Starts a script with the terminal, by the suffix; the size is in pixels, 96 per inch. */
void plot_terminal(struct mw_text *script, const char *path, double width, double height);
/* Starts the script of a plot: the terminal, ? for missing values, a grid. */
void plot_begin(struct mw_text *script, const char *plot, double width, double height);
enum { PLOT_WIDTH = 1200, PLOT_HEIGHT = 800 };
/* Appends words in single quotes for gnuplot. */
void plot_quote(struct mw_text *script, const char *words);
/* Number and range of the values along an axis.  0: none yet. */
struct plot_range {
    size_t count;
    double least, most;
};
void plot_range_add(struct plot_range *range, double value);
/* Lets gnuplot choose the range of an axis.  Sets one if all values are equal or missing, which gnuplot rejects. */
void plot_range_set(struct mw_text *script, char axis, const struct plot_range *range);
/* Appends the output of gnuplot for a script.  `plot` names it in messages. */
int plot_draw(const char *plot, const struct mw_text *script, struct mw_text *drawn);
/* Writes the output to a file, completely or not at all. */
int plot_run(const char *plot, const struct mw_text *script);

#endif
/* SPDX-License-Identifier: MIT */
