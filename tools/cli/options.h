/* Option tables: they give settings, --help, --print-config and suggestions.
 *
 * A subcommand has a struct of settings and groups of options that fill it.  Subcommands that share a group embed its
 * struct in their own. */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <meshwork/io.h>

#include "tools/cli/text.h"

struct size {
    unsigned dims;
    size_t length[MW_DIMS_MAX];
}; /* x first */
struct words {
    const char **item;
    size_t count;
};
struct choices {
    unsigned count;
    int item[MW_DIMS_MAX];
};

/* Types of options, with the type of the target. */
enum option_type {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char *, NULL: not given */
    OPTION_FILE,    /* const char *, as before: an output file, a file name pattern, or its format */
    OPTION_COUNT,   /* uint64_t: 1000, 1e6, 1.5e6 */
    OPTION_BYTES,   /* uint64_t, above 0: 65536, 64K, 1.5G */
    OPTION_REAL,    /* double, above 0 */
    OPTION_SECONDS, /* double, with `least` above 0: 20, 20s, 5m, 1h30m, 00:10:00 */
    OPTION_SIZE,    /* struct size: 64x64, 64X64, 64,64 */
    OPTION_CHOICE,  /* int: the number of the word, or its value (named) */
    OPTION_CHOICES, /* struct choices */
    OPTION_WORDS    /* struct words: one word per occurrence */
};

struct option {
    const char *name; /* long name */
    char letter;      /* short name; 0: none */
    enum option_type type;
    size_t target;             /* offset in the group's struct */
    const char *value;         /* placeholder in --help; OPTION_CHOICE (one word) and OPTION_CHOICES (several,
                                  * comma-separated): the words, such as "euler|rk2" */
    const char *(*named)(int); /* for choices that are names of an enum (mw_X_name): the target then holds the enum's
                                  * value, not the word's position */
    const char *alias;         /* for choices: other accepted words, "random=noise|..."; NULL: none */
    size_t others;             /* values NAME=VALUE are words of the struct words this far after the target;
                                  * 0: no such values */
    const char *also;          /* for choices: suggestions for words of other programs, "midpoint=rk2|..."; NULL:
                                  * none */
    const char *fallback;      /* default, in the user's form; NULL: zero */
    const char *alone;         /* value if none is given; others then follow =; NULL: a value is required */
    const char *environment;   /* environment variable; NULL: none */
    uint64_t least, most;      /* OPTION_COUNT and OPTION_SECONDS: range; most 0: no upper limit */
    const char *of;            /* requires one of these output options: "figure|sheet"; NULL: none */
    bool once;                 /* reject a second occurrence, which would silently replace the first */
    const char *called;        /* suggestions for names in other programs, also with a value: "cpus",
                                  * "gpu=gpu|cpu=cpu"; NULL: none */
    const char *help;          /* NULL: hidden */
};
/* A group: options that end with an unnamed one, and the offset of their struct in the subcommand's settings.  Adjacent
 * groups of one title form one section of --help. */
struct option_group {
    const char *title;
    const struct option *options;
    size_t at;
};

/* Options of every subcommand; the last group. */
struct general {
    bool help, version, print_config, json, quiet, verbose;
};

enum origin { FROM_DEFAULT, FROM_ENVIRONMENT, FROM_OPTION, FROM_MEASUREMENT };
#define OPTIONS_MAX 128 /* per subcommand; options_each checks it */

struct command;
struct subcommand {
    const char *name;                             /* full name: "graph info" */
    const char *operands, *summary, *description; /* operands NULL: none; no summary: not listed */
    const struct option_group *groups;            /* ends with a NULL title */
    size_t settings_bytes;                        /* size of its struct */
    size_t least_operands, most_operands;
    int (*run)(struct command *command);   /* 0, or a status with its message set */
    const struct subcommand *const *parts; /* its subcommands, NULL-terminated; NULL: none */
};
/* Value of most_operands for any number of words, including the options of another subcommand. */
#define ANOTHERS_WORDS (SIZE_MAX - 1)
struct command {
    const struct subcommand *subcommand;
    struct general general;
    void *settings;                    /* struct of the subcommand */
    unsigned char origin[OPTIONS_MAX]; /* enum origin per option, in the order of the groups */
    struct words operands;
    size_t arguments; /* upper bound of the words in any list */
    int argc;         /* words after the subcommand */
    char **argv;
};

/* Fills settings and operands from arguments, then the environment, then defaults.  Stops at --help and --version.
 * MW_EINVAL: wrong usage. */
int options_parse(struct command *command, int argc, char **argv);
void options_free(struct command *command);
/* Returns the number of leading words that form an option of the subcommand, with its value; 0: not an option of it. */
size_t options_before(const struct subcommand *subcommand, size_t count, const char *const *words);
bool option_exists(const struct command *command, const char *name);
/* Returns whether an option is on the command line. */
bool option_is_given(const struct command *command, const char *name);
/* Returns whether an option exists and is not at its default. */
bool option_is_set(const struct command *command, const char *name);
/* Returns whether an option exists and is at its default. */
bool option_is_free(const struct command *command, const char *name);
/* Returns the target of an existing option, which has its value. */
const void *option_target(const struct command *command, const char *name);
/* Appends the value of an existing option in the user's form. */
void option_format(const struct command *command, const char *name, struct mw_text *text);
/* Sets an existing option from text; flags take "yes" or "no".  `value` must outlive the command. */
int options_assign(struct command *command, const char *name, const char *value);
/* Sets a text option to NULL, if it exists. */
void options_forget(struct command *command, const char *name);
/* Checks that each option on the command line has one of the output options that it needs.  MW_EINVAL. */
int options_check_outputs(struct command *command);
/* Sets all options of type OPTION_FILE to NULL, and the options that need them to their defaults. */
void options_forget_outputs(struct command *command);
/* Copies the value of an option, if it exists, from another command, which must live as long. */
void options_copy(struct command *command, const struct command *from, const char *name);
/* Sets an option like options_assign, and records that a measurement chose the value. */
int options_choose(struct command *command, const char *name, const char *value);

/* An option of a command: its table entry, its target, and its number. */
struct placed {
    const struct option *option;
    void *target;
    size_t number;
};
/* Is called for an option of a command; returns nonzero to end the visits. */
typedef int option_visit(struct command *command, const struct placed *placed, void *context);
/* Visits the options of all groups until a visit returns nonzero; returns that value, otherwise 0. */
int options_each(struct command *command, option_visit *visit, void *context);

/* ---- values.c ---- */

/* Reads a value into an option's target.  `arguments` bounds the number of words.  MW_EINVAL: invalid; the message
 * gives the reason. */
int value_read(const struct placed *placed, size_t arguments, const char *text);
/* Parses a whole number of an option; most 0: no upper limit.  MW_EINVAL. */
int value_count(const char *text, uint64_t least, uint64_t most, uint64_t *value);
/* Appends the value in the user's form. */
void value_format(const struct placed *placed, struct mw_text *text);
/* Returns lengths with a separator, such as "512x512".  Use within one expression. */
struct size_text {
    char text[200];
};
struct size_text size_text(const struct size *size, const char *between);

/* ---- help/help.c, examples.c ---- */

/* Appends the start of --help: usage and description. */
void help_usage(const struct subcommand *subcommand, struct mw_text *text);
/* Appends the options of --help. */
void help_options(const struct subcommand *subcommand, struct mw_text *text);
/* Appends the end of --help: examples and the man page. */
void help_end(const struct subcommand *subcommand, struct mw_text *text);
/* An example of --help: the subcommand, the command line and its explanation. */
struct example {
    const char *of, *command, *text;
};
/* Returns the first example of a subcommand; NULL: none. */
const struct example *example_first(const struct subcommand *subcommand);
/* Returns the following example of the same subcommand; NULL: none. */
const struct example *example_next(const struct example *example);

/* ---- help/config.c ---- */

/* Prints each setting, its value and the source of the value. */
int config_print(struct command *command);

/* ---- help/hints.c ---- */

/* Reports an unknown option: MW_EINVAL.  `next` is the following word, NULL at the end. */
int hint_option(struct command *command, const char *argument, const char *next);
/* If a list of devices is separated by spaces, its later words become operands.  MW_EINVAL: this operand looks like one
 * of them. */
int hint_device(const struct command *command, const char *operand);

#endif
/* SPDX-License-Identifier: MIT */
