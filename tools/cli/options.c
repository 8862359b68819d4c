/* Options: tables in, settings and --help out. */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/native/executor.h"

#define AT(member) offsetof(struct settings, member)

const struct option general_options[] = {
    { .name = "help", .letter = 'h', .type = OPTION_FLAG, .target = AT(help), .help = "show this help" },
    { .name = "version", .type = OPTION_FLAG, .target = AT(version), .help = "show the version" },
    { .name = "print-config", .type = OPTION_FLAG, .target = AT(print_config),
      .help = "show each setting and where its value came from, and do nothing else" },
    { .name = "json", .type = OPTION_FLAG, .target = AT(json), .help = "print results as JSON" },
    { .name = "quiet", .letter = 'q', .type = OPTION_FLAG, .target = AT(quiet), .help = "no progress and no notes" },
    { .name = "verbose", .letter = 'v', .type = OPTION_FLAG, .target = AT(verbose),
      .help = "say what is built, cached and tuned" },
    { 0 }
};

const struct option device_options[] = {
    { .name = "device", .letter = 'd', .type = OPTION_TEXT, .target = AT(device), .value = "DEVICE",
      .environment = "MESHWORK_DEVICE",
      .help = "cpu, gpu, accelerator, native, an index or id as `meshwork devices` lists it, pci:ADDRESS, uuid:HEX, "
              "or a part of a name (default: the fastest kind present); `run` and `graph components` take several, as in "
              "-d gpu,cpu, or all" },
    { .name = "threads", .type = OPTION_COUNT, .target = AT(threads), .value = "N", .least = 1, .most = MW_THREADS_MAX,
      .environment = "MESHWORK_THREADS", .help = "threads of native devices (default: one a core)" },
    { 0 }
};

const struct option kernel_options[] = {
    { .name = "kernel-path", .type = OPTION_TEXT, .target = AT(kernel_path), .value = "FOLDER",
      .environment = "MESHWORK_KERNEL_PATH",
      .help = "where kernels and models are (default: where they are installed)" },
    { 0 }
};

const struct option mesh_options[] = {
    { .name = "size", .type = OPTION_SIZE, .target = AT(size), .value = "WxH", .fallback = "512x512",
      .help = "cells along each of 1 to 8 dimensions, x first: 4096, 512x512, 64x64x64" },
    { .name = "precision", .type = OPTION_CHOICE, .target = AT(precision), .value = "single|double",
      .fallback = "single", .help = "floating-point numbers" },
    { .name = "integrator", .type = OPTION_CHOICE, .target = AT(integrator), .value = "euler|rk2|rk4",
      .fallback = "rk2", .help = "method of the time step" },
    { .name = "boundary", .type = OPTION_CHOICES, .target = AT(boundary), .value = "periodic|mirror|fixed",
      .fallback = "periodic", .help = "what lies beyond the ends of all dimensions, or of each: mirror,periodic" },
    { .name = "laplacian", .type = OPTION_CHOICE, .target = AT(laplacian), .value = "second|fourth|isotropic",
      .fallback = "second", .help = "order of the Laplacian, or the isotropic one of 2 and 3 dimensions" },
    { .name = "fast-math", .type = OPTION_FLAG, .target = AT(fast_math),
      .help = "let the compiler reorder arithmetic: faster, and other bits on each device" },
    { 0 }
};

static void *target_of(struct command *command, const struct option *option)
{
    return (char *)&command->settings + option->target;
}

/* ---- values ---- */

static int read_count(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;

    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end)
        return mw_fail(MW_EINVAL, "'%s' is not a whole number of %llu or more", text, (unsigned long long)least);
    if (errno || v < least || (most && v > most))
        return mw_fail(MW_EINVAL, "'%s' is out of range: the value lies between %llu and %llu", text,
                       (unsigned long long)least, (unsigned long long)(most ? most : UINT64_MAX));
    *value = v;
    return 0;
}

static int read_real(const char *text, double *value)
{
    char *end;
    double v = strtod(text, &end);

    if (end == text || *end || isspace((unsigned char)text[0]) || !isfinite(v) || v <= 0)
        return mw_fail(MW_EINVAL, "'%s' is not a number above 0", text);
    *value = v;
    return 0;
}

static int read_size(const char *text, struct size *value)
{
    struct size size = { 0 };
    size_t cells = sizeof(double);       /* bytes of the widest element, so that no array of that size overflows */
    const char *at = text;

    for (;;) {
        char *end;
        errno = 0;
        unsigned long long v = strtoull(at, &end, 10);
        if (!isdigit((unsigned char)*at) || (*end && *end != 'x') || (!errno && v == 0))
            return mw_fail(MW_EINVAL, "'%s' is not a size: give a length of 1 or more for each dimension, as in "
                           "512x512", text);
        if (size.dims == MW_DIMS_MAX)
            return mw_fail(MW_EINVAL, "'%s' has too many dimensions: there are at most %d", text, MW_DIMS_MAX);
        if (errno || v > SIZE_MAX || !mw_mul(cells, (size_t)v, &cells))
            return mw_fail(MW_EINVAL, "'%s' has more cells than any memory holds: choose a smaller size", text);
        size.length[size.dims++] = (size_t)v;
        if (!*end)
            break;
        at = end + 1;
    }
    *value = size;
    return 0;
}

/* One of the words; the text ends after `length` characters. */
static int read_choice(const char *text, size_t length, const char *words, int *value)
{
    for (int i = 0; ; i++) {
        size_t n = strcspn(words, "|");
        if (n == length && !strncmp(words, text, n)) {
            *value = i;
            return 0;
        }
        if (!words[n])
            break;
        words += n + 1;
    }
    return MW_EINVAL;
}

static int read_choices(const char *text, const char *words, struct choices *value)
{
    struct choices choices = { 0 };

    for (const char *at = text; ; at++) {
        const size_t n = strcspn(at, ",");
        if (choices.count == MW_DIMS_MAX)
            return mw_fail(MW_EINVAL, "'%s' has too many values: there are at most %d dimensions", text, MW_DIMS_MAX);
        if (read_choice(at, n, words, &choices.item[choices.count++]))
            return mw_fail(MW_EINVAL, "'%.*s' is none of %s", (int)n, at, words);
        at += n;
        if (!*at)
            break;
    }
    *value = choices;
    return 0;
}

static int read_word(struct command *command, const char *text, struct words *words)
{
    if (!words->item) {
        int rc = mw_new(command->arguments, sizeof(*words->item), &words->item);
        if (rc)
            return rc;
    }
    words->item[words->count++] = text;
    return 0;
}

static int read_value(struct command *command, const struct option *option, const char *text)
{
    void *target = target_of(command, option);
    int rc;

    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)target = true;
        return 0;
    case OPTION_TEXT:
        if (!*text)
            return mw_fail(MW_EINVAL, "the value is empty");
        *(const char **)target = text;
        return 0;
    case OPTION_COUNT:
        return read_count(text, option->least, option->most, target);
    case OPTION_REAL:
        return read_real(text, target);
    case OPTION_SIZE:
        return read_size(text, target);
    case OPTION_CHOICE:
        rc = read_choice(text, strlen(text), option->value, target);
        return rc ? mw_fail(rc, "'%s' is none of %s", text, option->value) : 0;
    case OPTION_CHOICES:
        return read_choices(text, option->value, target);
    case OPTION_WORDS:
        return read_word(command, text, target);
    }
    return mw_fail(MW_EINVAL, "this option has no type");
}

static void format_choice(const char *words, int value, struct mw_text *text)
{
    for (; value > 0; value--)
        words += strcspn(words, "|") + 1;
    mw_text_append(text, words, strcspn(words, "|"));
}

void option_format(const struct command *command, const struct option *option, struct mw_text *text)
{
    const void *target = (const char *)&command->settings + option->target;
    const struct words *words = target;
    const struct choices *choices = target;

    switch (option->type) {
    case OPTION_FLAG:
        mw_text_add(text, "%s", *(const bool *)target ? "yes" : "no");
        break;
    case OPTION_TEXT:
        mw_text_add(text, "%s", *(const char *const *)target ? *(const char *const *)target : "");
        break;
    case OPTION_COUNT:
        if (*(const uint64_t *)target >= option->least)
            mw_text_add(text, "%llu", (unsigned long long)*(const uint64_t *)target);
        break;
    case OPTION_REAL:
        if (*(const double *)target != 0)
            mw_text_add(text, "%.15g", *(const double *)target);
        break;
    case OPTION_SIZE:
        mw_text_add(text, "%s", size_text(target, "x").text);
        break;
    case OPTION_CHOICE:
        format_choice(option->value, *(const int *)target, text);
        break;
    case OPTION_CHOICES:
        for (unsigned i = 0; i < choices->count; i++) {
            mw_text_add(text, "%s", i ? "," : "");
            format_choice(option->value, choices->item[i], text);
        }
        break;
    case OPTION_WORDS:
        for (size_t i = 0; i < words->count; i++)
            mw_text_add(text, "%s%s", i ? " " : "", words->item[i]);
        break;
    }
}

/* ---- the tables ---- */

int options_each(struct command *command, option_visit *visit, void *context)
{
    size_t number = 0;

    for (const struct option_group *g = command->subcommand->groups; g->title; g++)
        for (const struct option *o = g->options; o->name; o++, number++) {
            int rc = visit(command, o, number, context);
            if (rc)
                return rc;
        }
    return 0;
}

struct lookup { const char *name; size_t length; char letter; const struct option *option; size_t number; };

static int lookup_visit(struct command *command, const struct option *option, size_t number, void *context)
{
    struct lookup *l = context;

    (void)command;
    if (l->name ? strlen(option->name) == l->length && !strncmp(option->name, l->name, l->length)
                : option->letter == l->letter) {
        l->option = option;
        l->number = number;
    }
    return 0;
}

enum origin options_origin(const struct command *command, const char *name)
{
    struct lookup l = { .name = name, .length = strlen(name) };

    options_each((struct command *)command, lookup_visit, &l);
    return l.option ? command->origin[l.number] : FROM_DEFAULT;
}

int options_assign(struct command *command, const char *name, const char *value)
{
    struct lookup l = { .name = name, .length = strlen(name) };

    options_each(command, lookup_visit, &l);
    if (l.option->type == OPTION_FLAG) {
        *(bool *)target_of(command, l.option) = !strcmp(value, "yes");
        return 0;
    }
    return read_value(command, l.option, value);
}

/* Distance of two words in insertions, deletions, substitutions and swaps of neighbours; case does not count. */
static unsigned distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    unsigned row[3][LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);

    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            unsigned *now = row[i % 3], best;
            if (!i || !j) {
                now[j] = (unsigned)(i + j);
                continue;
            }
            const unsigned *above = row[(i - 1) % 3];
            best = above[j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && row[(i - 2) % 3][j - 2] + 1 < best)
                best = row[(i - 2) % 3][j - 2] + 1;
            now[j] = best;
        }
    return row[n % 3][m];
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->word);
    unsigned limit = length < 3 ? 1 : length < 6 ? 2 : 3;
    unsigned d = distance(nearest->word, candidate);

    if (length >= 3 && !strncmp(candidate, nearest->word, length))
        d = 1;                                   /* a beginning of the word is as good as a slip */
    if (d <= limit && d < length && (!nearest->best || d < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = d;
    }
}

struct advice nearest_advice(const struct nearest *nearest, const char *otherwise)
{
    struct advice advice;

    snprintf(advice.text, sizeof(advice.text), nearest->best ? "did you mean %s?" : "%s",
             nearest->best ? nearest->best : otherwise);
    return advice;
}

static int offer_visit(struct command *command, const struct option *option, size_t number, void *context)
{
    (void)command, (void)number;
    if (option->help)
        nearest_offer(context, option->name);
    return 0;
}

static int unknown_option(struct command *command, const char *argument)
{
    const struct subcommand *sub = command->subcommand;
    char word[64];
    struct nearest nearest = { .word = word };

    mw_copy_string(word, sizeof(word), argument + strspn(argument, "-"));
    word[strcspn(word, "=")] = 0;
    options_each(command, offer_visit, &nearest);
    if (nearest.best)
        return mw_fail(MW_EINVAL, "unknown option '%s': did you mean --%s?", argument, nearest.best);
    return mw_fail(MW_EINVAL, "unknown option '%s': see `meshwork%s%s --help`", argument, *sub->name ? " " : "",
                   sub->name);
}

/* ---- parsing ---- */

static int set_option(struct command *command, const struct lookup *found, const char *value)
{
    int rc = read_value(command, found->option, value);

    if (rc)
        return mw_fail_in(rc, "--%s", found->option->name);
    command->origin[found->number] = FROM_OPTION;
    return 0;
}

/* `--name`, `--name=value` or `--name value` at argv[*i]. */
static int parse_long(struct command *command, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2, *value = strchr(name, '=');
    struct lookup found = { .name = name, .length = strcspn(name, "=") };

    options_each(command, lookup_visit, &found);
    if (!found.option)
        return unknown_option(command, argv[*i]);
    if (found.option->type == OPTION_FLAG) {
        if (value)
            return mw_fail(MW_EINVAL, "--%s takes no value: leave out '%s'", found.option->name, value);
        return set_option(command, &found, "");
    }
    if (!value && found.option->alone)
        return set_option(command, &found, found.option->alone);
    if (!value && *i + 1 == argc)
        return mw_fail(MW_EINVAL, "--%s needs a value: --%s %s", found.option->name, found.option->name,
                       found.option->value);
    return set_option(command, &found, value ? value + 1 : argv[++*i]);
}

/* `-d value`, `-dvalue`, or flags together as in `-qv`. */
static int parse_short(struct command *command, int argc, char **argv, int *i)
{
    const char *argument = argv[*i];

    for (const char *c = argument + 1; *c; c++) {
        struct lookup found = { .letter = *c };
        options_each(command, lookup_visit, &found);
        if (!found.option)
            return unknown_option(command, argument);
        if (found.option->type == OPTION_FLAG) {
            int rc = set_option(command, &found, "");
            if (rc)
                return rc;
            continue;
        }
        if (!c[1] && *i + 1 == argc)
            return mw_fail(MW_EINVAL, "-%c needs a value: -%c %s", *c, *c, found.option->value);
        return set_option(command, &found, c[1] ? c + 1 : argv[++*i]);
    }
    return 0;
}

static int default_visit(struct command *command, const struct option *option, size_t number, void *context)
{
    (void)number, (void)context;
    return option->fallback ? read_value(command, option, option->fallback) : 0;
}

/* An empty variable counts as unset, as with other programs. */
static int environment_visit(struct command *command, const struct option *option, size_t number, void *context)
{
    const char *value = option->environment ? getenv(option->environment) : NULL;
    int rc;

    (void)context;
    if (!value || !*value || command->origin[number] != FROM_DEFAULT)
        return 0;
    if ((rc = read_value(command, option, value)) != 0)
        return mw_fail_in(rc, "environment variable %s", option->environment);
    command->origin[number] = FROM_ENVIRONMENT;
    return 0;
}

static int check_operands(const struct command *command)
{
    const struct subcommand *sub = command->subcommand;

    if (command->operands.count < sub->least_operands)
        return mw_fail(MW_EINVAL, "an operand is missing: meshwork %s %s", sub->name, sub->operands);
    if (command->operands.count > sub->most_operands)
        return mw_fail(MW_EINVAL, "one operand too many, '%s': see `meshwork %s --help`",
                       command->operands.item[sub->most_operands], sub->name);
    return 0;
}

int options_parse(struct command *command, int argc, char **argv)
{
    const struct settings *set = &command->settings;
    bool operands_only = false;
    int rc;

    command->arguments = (size_t)argc + 1;
    TRY(options_each(command, default_visit, NULL));
    for (int i = 0; i < argc && !set->help && !set->version; i++) {
        const char *a = argv[i];
        if (operands_only || a[0] != '-' || !a[1])
            TRY(read_word(command, a, &command->operands));
        else if (!strcmp(a, "--"))
            operands_only = true;
        else
            TRY(a[1] == '-' ? parse_long(command, argc, argv, &i) : parse_short(command, argc, argv, &i));
    }
    if (set->help || set->version)
        goto out;
    TRY(options_each(command, environment_visit, NULL));
    if (!set->print_config)
        TRY(check_operands(command));
    if (set->json)
        TRY(js_available());
out:
    return rc;
}

void options_free(struct command *command)
{
    free(command->operands.item);
    free(command->settings.params.item);
}

/* ---- help ---- */

void text_wrap(struct mw_text *to, size_t column, size_t indent, size_t width, const char *text)
{
    bool first = true;

    while (*text) {
        size_t n = strcspn(text, " \n");
        if (n && !first && column + 1 + n > width) {
            mw_text_add(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        if (n) {
            mw_text_add(to, "%s%.*s", first ? "" : " ", (int)n, text);
            column += n + !first;
            first = false;
        }
        text += n;
        if (*text == '\n') {
            mw_text_add(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        text += *text != 0;
    }
    mw_text_add(to, "\n");
}

static void help_option(struct mw_text *text, const struct option *option, size_t width)
{
    enum { COLUMN = 28 };
    struct mw_text line = { 0 }, help = { 0 };

    if (option->letter)
        mw_text_add(&line, "  -%c, --%s", option->letter, option->name);
    else
        mw_text_add(&line, "      --%s", option->name);
    if (option->type != OPTION_FLAG)
        mw_text_add(&line, option->alone ? "[=%s]" : " %s", option->value);
    mw_text_add(&help, "%s", option->help);
    if (option->fallback)
        mw_text_add(&help, " (default %s)", option->fallback);
    if (option->environment)
        mw_text_add(&help, " [$%s]", option->environment);
    if (mw_text_ok(&line) || mw_text_ok(&help)) {
        text->failed = true;
    } else {
        mw_text_append(text, line.data, line.length);
        if (line.length + 2 > COLUMN)
            mw_text_add(text, "\n%*s", COLUMN, "");
        else
            mw_text_add(text, "%*s", (int)(COLUMN - line.length), "");
        text_wrap(text, COLUMN, COLUMN, width, help.data);
    }
    mw_text_free(&line);
    mw_text_free(&help);
}

size_t help_width(void)
{
    size_t width = terminal_width(stdout, 80);

    return width < 100 ? width : 100;
}

void options_usage(const struct subcommand *sub, struct mw_text *text)
{
    mw_text_add(text, "Usage: meshwork %s%s%s%s[options]\n\n", sub->name, *sub->name ? " " : "", sub->operands,
                *sub->operands ? " " : "");
    text_wrap(text, 0, 0, help_width(), sub->description);
}

void options_help(const struct subcommand *sub, struct mw_text *text)
{
    for (const struct option_group *g = sub->groups; g->title; g++) {
        if (g == sub->groups || strcmp(g->title, g[-1].title) != 0)
            mw_text_add(text, "\n%s%s:%s\n", colour_on(stdout, BOLD), g->title, colour_off(stdout, BOLD));
        for (const struct option *o = g->options; o->name; o++)
            if (o->help)
                help_option(text, o, help_width());
    }
}
