/* What the files of the command `meshwork` share: options, output, signals, and one entry a subcommand. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <meshwork.h>

#include "base/base.h"

/* ---- options (options.c, config.c) ---- */

struct size { unsigned dims; size_t length[MW_DIMS_MAX]; };      /* x first */
struct words { const char **item; size_t count; };
struct choices { unsigned count; int item[MW_DIMS_MAX]; };

/* The value of every option of every subcommand; each subcommand reads those that its own groups of options set. */
struct settings {
    bool help, version, print_config, json, quiet, verbose;
    const char *device, *kernel_path;
    uint64_t threads;
    struct size size;
    uint64_t steps, seed, every, label_every, checkpoint_every;
    double dt, time_limit, budget;
    int integrator, laplacian, precision, start, join;
    struct choices boundary;
    const char *variant, *shape;
    bool fast_math, no_tune, verify, dry_run;
    struct words params;
    const char *input, *input_range, *output, *png, *colours, *vtk, *series, *checkpoint, *restart;
    bool list, clear, inverse, in_place;
    const char *fill;
    uint64_t repeat;
    const char *background, *threshold, *tolerance, *periodic, *type, *pattern, *density, *save_pattern;
    int connectivity, lattice;
    bool sizes, wide, spanning;
    uint64_t min_size, max_size;
    const char *components, *cells;
    const char *answer;
    const char *generate, *format, *from, *to, *largest;
    bool directed, undirected, degrees;
    int self, multi;
    uint64_t block_arcs;
};

enum option_type { OPTION_FLAG, OPTION_TEXT, OPTION_COUNT, OPTION_REAL, OPTION_SIZE, OPTION_CHOICE, OPTION_CHOICES,
                   OPTION_WORDS };
enum { PRECISION_SINGLE, PRECISION_DOUBLE };
enum { START_NOISE, START_CONSTANT };
enum { JOIN_SIGN, JOIN_VALUE };
enum { EDGES_KEEP, EDGES_REMOVE };

struct option {
    const char *name;            /* long name */
    char letter;                 /* short name; 0: none */
    enum option_type type;
    size_t target;               /* offset in struct settings */
    const char *value;           /* what help calls the value; of OPTION_CHOICE (one of them) and OPTION_CHOICES
                                  * (several, with commas) the words themselves: "euler|rk2" */
    const char *fallback;        /* default, as a user would write it; NULL: zero of its type */
    const char *alone;           /* value of the option by itself, others stand behind =; NULL: it needs one */
    const char *environment;     /* variable that sets it too; NULL: none */
    uint64_t least, most;        /* of OPTION_COUNT; most 0: no bound */
    const char *help;            /* NULL: not shown */
};
/* Ended by an option without a name.  Groups of the same title that follow each other share it in --help. */
struct option_group { const char *title; const struct option *options; };

enum origin { FROM_DEFAULT, FROM_ENVIRONMENT, FROM_OPTION };
#define OPTIONS_MAX 64

struct command;
struct subcommand {
    const char *name;                    /* all of it: "graph info" */
    const char *operands, *summary, *description;
    const struct option_group *groups;   /* ended by a NULL title */
    size_t least_operands, most_operands;
    int (*run)(struct command *command); /* 0 or a status whose sentence is set */
    const struct subcommand *parts;      /* subcommands below it, ended by a NULL name; NULL: none */
};
struct command {
    const struct subcommand *subcommand;
    struct settings settings;
    unsigned char origin[OPTIONS_MAX];   /* enum origin, in the order of the groups */
    struct words operands;
    size_t arguments;                    /* bound on the number of words in any list */
};

extern const struct option general_options[], device_options[], kernel_options[], mesh_options[];

/* Fills command->settings and operands from the arguments, then the environment, then the defaults.  Stops at --help
 * and --version.  MW_EINVAL: wrong usage. */
int options_parse(struct command *command, int argc, char **argv);
void options_free(struct command *command);
/* Where an option's value came from. */
enum origin options_origin(const struct command *command, const char *name);
/* Gives an option that exists a value, as a user would write it; a flag is "yes" or "no".  `value` is to last as long
 * as the command. */
int options_assign(struct command *command, const char *name, const char *value);
/* Visits the options of all groups with their number. */
typedef int option_visit(struct command *command, const struct option *option, size_t number, void *context);
int options_each(struct command *command, option_visit *visit, void *context);
/* The value of an option as a user would write it. */
void option_format(const struct command *command, const struct option *option, struct mw_text *text);
/* The two parts of --help: usage and description; all options. */
void options_usage(const struct subcommand *subcommand, struct mw_text *text);
void options_help(const struct subcommand *subcommand, struct mw_text *text);
/* The columns that --help fills. */
size_t help_width(void);
/* Appends text, wrapped between the columns `indent` and `width`; the first line starts at column `column`. */
void text_wrap(struct mw_text *to, size_t column, size_t indent, size_t width, const char *text);

/* The nearest of some words to a misspelt one: start with { .word = ... }, offer all, then read `best` (NULL: none is
 * near). */
struct nearest { const char *word, *best; unsigned distance; };
void nearest_offer(struct nearest *nearest, const char *candidate);
/* "did you mean WORD?", or where none is near another sentence; use within one expression. */
struct advice { char text[160]; };
struct advice nearest_advice(const struct nearest *nearest, const char *otherwise);

int config_print(struct command *command);

/* ---- output (output.c) ---- */

enum colour { PLAIN, BOLD, DIM, RED, GREEN, YELLOW };

void output_start(void);
void output_set(bool quiet, bool verbose);
bool output_verbose(void);
/* Sends results to standard error, because standard output carries data. */
void output_results_to_stderr(void);
FILE *results(void);
/* Escape sequences that start a colour, and that end it; "" where the stream wants none. */
const char *colour_on(FILE *stream, enum colour colour);
const char *colour_off(FILE *stream, enum colour colour);
size_t terminal_width(FILE *stream, size_t otherwise);
void say_error(const char *message);             /* one line, "meshwork: ..." */
void say_note(const char *format, ...) MW_PRINTF(1, 2); /* one line to standard error, unless quiet */
/* Flushes standard output.  MW_EIO: something written to it was lost. */
int output_end(void);

/* Whether a file can be written there; looks, and creates nothing.  MW_EIO. */
int output_writable(const char *path);
/* The name of an option's file at a step: replaces a %d or %06d of the pattern; without one, a series gets the step's
 * number before the suffix.  MW_EINVAL: any other use of %.  The caller frees it. */
int output_numbered(const char *option, const char *pattern, uint64_t step, bool series, char **path);

/* Numbers for people; use within one expression: bytes_text(n).text. */
struct short_text { char text[40]; };
struct short_text bytes_text(uint64_t bytes);
struct short_text seconds_text(double seconds);
struct short_text rate_text(double cell_steps_per_second);
struct short_text size_text(const struct size *size, const char *between);

/* A table: columns in one text separated by |, with > before a title for alignment to the right and ~ for the column
 * that gives way when a terminal is too narrow.  Titles that are all empty are not printed. */
struct table_cell { char *text; enum colour colour; };
struct table { const char *titles; size_t columns, count, room; struct table_cell *cells; bool failed; };
void table_start(struct table *table, const char *titles);
void table_add(struct table *table, enum colour colour, const char *format, ...) MW_PRINTF(3, 4);
int table_print(struct table *table, FILE *stream); /* also frees it */
/* What `--variant list` prints. */
int list_variants(const struct settings *set, mw_variant_table *variants);
void table_free(struct table *table);

/* JSON.  A failed allocation is remembered until js_print, which prints the value and frees it. */
struct json;
int js_available(void);                            /* 0, or MW_ENOTSUP: built without jansson */
struct json *js_object(void);
struct json *js_array(void);
/* Put a value into an object, or with a NULL key behind an array's last. */
void js_put(struct json *to, const char *key, struct json *value); /* takes the value over */
void js_text(struct json *to, const char *key, const char *value);
void js_count(struct json *to, const char *key, uint64_t value);
void js_real(struct json *to, const char *key, double value);  /* null where it is not finite */
void js_flag(struct json *to, const char *key, bool value);
int js_print(struct json *value);
void js_free(struct json *value);

void progress_start(const char *what, double cells);
void progress_show(void *context, const struct mw_run_progress *progress);
void progress_end(void);

/* ---- signals (signals.c) ---- */

/* From now on a signal removes temporary files and ends the process with 128 + its number. */
void signals_start(void);
/* While `loop` is true, the first SIGINT or SIGTERM asks the time loop to stop instead. */
void signals_stop_loop(bool loop);
bool signals_stopped(void);

/* ---- passes (passes.c) ---- */

/* Seconds of passes that are timed one after the other. */
struct passes { double *seconds; size_t count; };
int passes_new(size_t count, struct passes *passes);
/* To be called once all are there: from then on the first is the shortest and the last the longest. */
void passes_sort(struct passes *passes);
double passes_median(const struct passes *passes);
/* --variant NAME|auto: MW_EINVAL with a suggestion where there is none of that name. */
int variant_check(const char *name, mw_variant_table *variants);

/* ---- subcommands ---- */

int devices_run(struct command *command);
int doctor_run(struct command *command);
int models_run(struct command *command);
int run_run(struct command *command);
int tune_run(struct command *command);
int cache_run(struct command *command);
int transform_run(struct command *command);
int label_run(struct command *command);
int graph_generate_run(struct command *command);
int graph_info_run(struct command *command);
int graph_convert_run(struct command *command);
int graph_components_run(struct command *command);
/* Beside their subcommand. */
extern const struct option run_options[], doctor_options[], tune_options[], transform_options[], label_options[],
    graph_generate_options[], graph_input_options[], graph_source_options[], graph_info_options[],
    graph_convert_options[], graph_components_options[];

const char *kind_name(enum mw_device_kind kind);   /* devices.c */
/* Loads a model, with a suggestion when there is none of that name (models.c). */
int model_find(const char *name, const char *kernel_path, struct mw_model **model);
/* The model's parameters in its order: defaults, then words NAME=VALUE; malloc'ed (models.c). */
int model_params(const struct mw_model_info *model, const struct words *words, double **params);
/* Opens the one device that was asked for (run.c). */
int device_find(const struct settings *settings, struct mw_device **device);
/* The bytes of an element from a user's words: a number of that type, or where elements are pixels with colour, a
 * colour or a gray value.  MW_EINVAL (fill.c). */
int fill_parse(const char *text, enum mw_type type, bool colour, void *element);
/* The options of a field from those of the command line, without parameters; `field` points into `settings`.
 * MW_EINVAL: boundaries that do not fit the size (run.c). */
int field_settings(const struct settings *settings, struct mw_field_options *field);

#endif
