/* Options and subcommands: tables in, settings, --help, --print-config and advice out.
 *
 * A subcommand has a struct of settings of its own, and groups of options that fill it.  A group that several
 * subcommands share has a struct too, which each of them embeds in its own. */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <meshwork/io.h>

#include "tools/cli/text.h"

struct size { unsigned dims; size_t length[MW_DIMS_MAX]; };      /* x first */
struct words { const char **item; size_t count; };
struct choices { unsigned count; int item[MW_DIMS_MAX]; };

/* With the type of what an option's target is. */
enum option_type {
    OPTION_FLAG,                 /* bool */
    OPTION_TEXT,                 /* const char *, NULL: not given */
    OPTION_FILE,                 /* the same: a file that is written, a pattern of several, its format */
    OPTION_COUNT,                /* uint64_t: 1000, 1e6, 1.5e6 */
    OPTION_BYTES,                /* uint64_t, above 0: 65536, 64K, 1.5G */
    OPTION_REAL,                 /* double, above 0 */
    OPTION_SECONDS,              /* double, with `least` above 0: 20, 20s, 5m, 1h30m, 00:10:00 */
    OPTION_SIZE,                 /* struct size: 64x64, 64X64, 64,64 */
    OPTION_CHOICE,               /* int: the number of the word, or its value (named) */
    OPTION_CHOICES,              /* struct choices */
    OPTION_WORDS                 /* struct words: one for each time that it is given */
};

struct option {
    const char *name;            /* long name */
    char letter;                 /* short name; 0: none */
    enum option_type type;
    size_t target;               /* offset in the group's struct */
    const char *value;           /* what help calls the value; of OPTION_CHOICE (one of them) and OPTION_CHOICES
                                  * (several, with commas) the words themselves: "euler|rk2" */
    const char *(*named)(int);   /* of these, where the words are names of an enum's values: mw_X_name.  The target is
                                  * the value then, instead of the number of the word */
    const char *alias;           /* of these, words that are taken as well: "random=noise|..."; NULL: none */
    const char *also;            /* of these, what others call them, for advice: "midpoint=rk2|..."; NULL: nothing */
    const char *fallback;        /* default, as a user would write it; NULL: zero of its type */
    const char *alone;           /* value of the option by itself, others stand behind =; NULL: it needs one */
    const char *environment;     /* variable that sets it too; NULL: none */
    uint64_t least, most;        /* of OPTION_COUNT and OPTION_SECONDS; most 0: no bound */
    bool once;                   /* given twice it is refused, since the second would replace what it seems to add to */
    const char *called;          /* what others call it, or it with a value: "cpus", "gpu=gpu|cpu=cpu"; NULL: nothing */
    const char *help;            /* NULL: not shown */
};
/* Options, ended by one without a name, and where their struct lies in the subcommand's.  Groups of the same title that
 * follow each other share it in --help. */
struct option_group { const char *title; const struct option *options; size_t at; };

/* What every subcommand takes; the group that comes last. */
struct general { bool help, version, print_config, json, quiet, verbose; };

enum origin { FROM_DEFAULT, FROM_ENVIRONMENT, FROM_OPTION, FROM_MEASUREMENT };
#define OPTIONS_MAX 64

struct command;
struct subcommand {
    const char *name;                    /* all of it: "graph info" */
    const char *operands, *summary, *description;  /* without a summary no list shows it */
    const struct option_group *groups;   /* ended by a NULL title */
    size_t settings_bytes;               /* of its struct */
    size_t least_operands, most_operands;
    int (*run)(struct command *command); /* 0 or a status whose sentence is set */
    const struct subcommand *const *parts; /* subcommands below it, ended by NULL; NULL: none */
};
/* As most_operands: any number of words, options among them that are not its own, for another subcommand. */
#define ANOTHERS_WORDS (SIZE_MAX - 1)
struct command {
    const struct subcommand *subcommand;
    struct general general;
    void *settings;                      /* the subcommand's struct */
    unsigned char origin[OPTIONS_MAX];   /* enum origin, in the order of the groups */
    struct words operands;
    size_t arguments;                    /* bound on the number of words in any list */
};

/* Fills settings and operands from the arguments, then the environment, then the defaults.  Stops at --help and
 * --version.  MW_EINVAL: wrong usage. */
int options_parse(struct command *command, int argc, char **argv);
void options_free(struct command *command);
/* How many words at the beginning make up an option of a subcommand, with its value; 0: none that it has. */
size_t options_before(const struct subcommand *subcommand, size_t count, const char *const *words);
bool option_exists(const struct command *command, const char *name);
/* Whether an option stands on the command line. */
bool option_is_given(const struct command *command, const char *name);
/* Whether there is such an option, and it is not left at its default. */
bool option_is_set(const struct command *command, const char *name);
/* Whether there is such an option, which nothing has set yet. */
bool option_is_free(const struct command *command, const char *name);
/* The value of an option that exists; and as a user would write it. */
const void *option_target(const struct command *command, const char *name);
void option_format(const struct command *command, const char *name, struct mw_text *text);
/* Gives an option that exists a value, as a user would write it; a flag is "yes" or "no".  `value` is to last as long
 * as the command. */
int options_assign(struct command *command, const char *name, const char *value);
/* Leaves an option at NULL, if there is one; all that are OPTION_FILE. */
void options_forget(struct command *command, const char *name);
void options_forget_outputs(struct command *command);
/* Gives an option, if there is one, the value of another command's, which is to last as long. */
void options_copy(struct command *command, const struct command *from, const char *name);
/* The same, remembered as a choice by measurement. */
int options_choose(struct command *command, const char *name, const char *value);

/* An option of a command: in its table, in its settings, and its number. */
struct placed { const struct option *option; void *target; size_t number; };
/* Visits the options of all groups until one returns what is not 0. */
typedef int option_visit(struct command *command, const struct placed *placed, void *context);
int options_each(struct command *command, option_visit *visit, void *context);

/* ---- values.c ---- */

/* Reads a value into an option's target; `arguments` bounds the number of words.  MW_EINVAL: what is wrong with it. */
int value_read(const struct placed *placed, size_t arguments, const char *text);
/* A whole number as options take it; most 0: no bound.  MW_EINVAL. */
int value_count(const char *text, uint64_t least, uint64_t most, uint64_t *value);
/* The value as a user would write it. */
void value_format(const struct placed *placed, struct mw_text *text);
/* "512x512": lengths with something between them; use within one expression. */
struct size_text { char text[200]; };
struct size_text size_text(const struct size *size, const char *between);

/* ---- help/help.c, examples.c ---- */

/* The parts of --help: usage and description; all options; examples, and where there is more. */
void help_usage(const struct subcommand *subcommand, struct mw_text *text);
void help_options(const struct subcommand *subcommand, struct mw_text *text);
void help_end(const struct subcommand *subcommand, struct mw_text *text);
/* A command, and what it shows; the first of a subcommand's, and the one after it.  NULL: there is none. */
struct example { const char *of, *command, *text; };
const struct example *example_first(const struct subcommand *subcommand);
const struct example *example_next(const struct example *example);

/* ---- help/config.c ---- */

/* --print-config: each setting, its value, and what set it. */
int config_print(struct command *command);

#endif
/* SPDX-License-Identifier: MIT */
