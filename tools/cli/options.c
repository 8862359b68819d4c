/* Options: reads settings from arguments, the environment and defaults. */
#include <stdio.h>

#include "tools/cli/groups.h"
#include "tools/cli/options.h"
#include "tools/report/report.h"

/* ---- the tables ---- */

static int each_of_group(struct command *command, const struct option_group *group, void *settings, size_t *number,
                         option_visit *visit, void *context)
{
    for (const struct option *o = group->options; o->name; o++) {
        const struct placed placed = { o, (char *)settings + group->at + o->target, (*number)++ };
        if (placed.number >= OPTIONS_MAX)
            return mw_fail(MW_EINVAL, "internal error: `meshwork %s` has more than %d options: please report this",
                           command->subcommand->name, OPTIONS_MAX);
        TRY_RETURN(visit(command, &placed, context));
    }
    return 0;
}

int options_each(struct command *command, option_visit *visit, void *context)
{
    size_t number = 0;
    for (const struct option_group *g = command->subcommand->groups; g->title; g++)
        TRY_RETURN(each_of_group(command, g, command->settings, &number, visit, context));
    return each_of_group(command, &general_group, &command->general, &number, visit, context);
}

struct lookup {
    const char *name;
    size_t length;
    char letter;
    struct placed found;
};

static int lookup_visit(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    struct lookup *l = context;
    if (l->name ? strlen(option->name) == l->length && !strncmp(option->name, l->name, l->length)
                : option->letter == l->letter)
        l->found = *placed;
    return 0;
}

static struct placed find_option(const struct command *command, const char *name)
{
    struct lookup l = { .name = name, .length = strlen(name) };
    options_each((struct command *)command, lookup_visit, &l);
    return l.found;
}

bool option_exists(const struct command *command, const char *name)
{
    return find_option(command, name).option != NULL;
}

/* Returns the origin of an option's value; -1: the subcommand has no such option. */
static int origin_of(const struct command *command, const char *name)
{
    const struct placed found = find_option(command, name);
    return found.option ? (int)command->origin[found.number] : -1;
}

bool option_is_given(const struct command *command, const char *name)
{
    return origin_of(command, name) == FROM_OPTION;
}

bool option_is_set(const struct command *command, const char *name) { return origin_of(command, name) > FROM_DEFAULT; }

bool option_is_free(const struct command *command, const char *name)
{
    return origin_of(command, name) == FROM_DEFAULT;
}

const void *option_target(const struct command *command, const char *name) { return find_option(command, name).target; }

void option_format(const struct command *command, const char *name, struct mw_text *text)
{
    const struct placed found = find_option(command, name);
    value_format(&found, text);
}

int options_assign(struct command *command, const char *name, const char *value)
{
    const struct placed found = find_option(command, name);
    if (found.option->type == OPTION_FLAG) {
        *(bool *)found.target = !strcmp(value, "yes");
        return 0;
    }
    return value_read(&found, command->arguments, value);
}

static int forget_visit(struct command *command, const struct placed *placed, void *name)
{
    const struct option *option = placed->option;
    if (name ? strcmp(option->name, name) != 0 : option->type != OPTION_FILE && !option->of)
        return 0;
    if (option->type == OPTION_WORDS)
        ((struct words *)placed->target)->count = 0;
    else if (option->type == OPTION_COUNT)
        *(uint64_t *)placed->target = 0;
    else
        *(const char **)placed->target = NULL;
    command->origin[placed->number] = FROM_DEFAULT;
    return 0;
}

void options_forget(struct command *command, const char *name) { options_each(command, forget_visit, (void *)name); }

void options_forget_outputs(struct command *command) { options_each(command, forget_visit, NULL); }

static int check_visit(struct command *command, const struct placed *placed, void *unused)
{
    const struct option *option = placed->option;
    struct mw_text names = { 0 };
    int rc = 0;
    (void)unused;
    if (!option->of || command->origin[placed->number] != FROM_OPTION)
        return 0;
    for (const char *word = option->of; *word; word += *word == '|') {
        char name[32];
        const size_t n = strcspn(word, "|");
        snprintf(name, sizeof(name), "%.*s", (int)n, word);
        const struct placed output = find_option(command, name);
        if (output.option && *(const char *const *)output.target)
            goto out;
        if (output.option)
            mw_text_add(&names, "%s--%s %s", names.length ? " or " : "", name, output.option->value);
        word += n;
    }
    TRY(mw_text_ok(&names));
    rc = mw_fail(MW_EINVAL, "--%s requires %s", option->name, names.data);
out:
    mw_text_free(&names);
    return rc;
}

int options_check_outputs(struct command *command) { return options_each(command, check_visit, NULL); }

void options_copy(struct command *command, const struct command *from, const char *name)
{
    const struct placed to = find_option(command, name), source = find_option(from, name);
    if (!to.option)
        return;
    if (to.option->type == OPTION_TEXT)
        *(const char **)to.target = *(const char *const *)source.target;
    else
        *(uint64_t *)to.target = *(const uint64_t *)source.target;
    command->origin[to.number] = FROM_OPTION;
}

int options_choose(struct command *command, const char *name, const char *value)
{
    command->origin[find_option(command, name).number] = FROM_MEASUREMENT;
    return options_assign(command, name, value);
}

static int add_operand(struct command *command, const char *argument)
{
    static const struct option operand = { .type = OPTION_WORDS };
    const struct placed operands = { &operand, &command->operands, 0 };
    return value_read(&operands, command->arguments, argument);
}

/* ---- parsing ---- */

static int set_option(struct command *command, const struct lookup *found, const char *value)
{
    const struct option *option = found->found.option;
    int rc;
    if (option->once && command->origin[found->found.number] == FROM_OPTION)
        return mw_fail(MW_EINVAL, "--%s is given twice, the second time with '%s': give it once", option->name, value);
    rc = value_read(&found->found, command->arguments, value);
    if (rc)
        return mw_fail_in(rc, "--%s", option->name);
    command->origin[found->found.number] = FROM_OPTION;
    return 0;
}

/* Takes the next word as the option's value, unless that word looks like an option. */
static int take_next(struct command *command, const struct lookup *found, int argc, char **argv, int *i)
{
    const struct option *option = found->found.option;
    const char *name = argv[*i], *value = *i + 1 < argc ? argv[*i + 1] : NULL;
    char *end;
    if (!value)
        return mw_fail(MW_EINVAL, "%s needs a value: %s %s", name, name, option->value);
    if (value[0] == '-' && value[1] && (strtod(value, &end), end == value))
        return mw_fail(MW_EINVAL, "%s needs a value, but '%s' is an option: give %s %s, or --%s=%s if it is the value",
                       name, value, name, option->value, option->name, value);
    ++*i;
    return set_option(command, found, value);
}

static int unknown_option(struct command *command, int argc, char **argv, int i)
{
    if (command->subcommand->most_operands == ANOTHERS_WORDS)
        return add_operand(command, argv[i]);
    return hint_option(command, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
}

/* Parses `--name`, `--name=value` or `--name value` at argv[*i]. */
static int parse_long(struct command *command, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2, *value = strchr(name, '=');
    struct lookup found = { .name = name, .length = strcspn(name, "=") };
    options_each(command, lookup_visit, &found);
    if (!found.found.option)
        return unknown_option(command, argc, argv, *i);
    if (found.found.option->type == OPTION_FLAG) {
        if (value)
            return mw_fail(MW_EINVAL, "--%s takes no value: leave out '%s'", found.found.option->name, value);
        return set_option(command, &found, "");
    }
    if (!value && found.found.option->alone)
        return set_option(command, &found, found.found.option->alone);
    return value ? set_option(command, &found, value + 1) : take_next(command, &found, argc, argv, i);
}

/* Parses `-d value`, `-dvalue`, or combined flags such as `-qv`. */
static int parse_short(struct command *command, int argc, char **argv, int *i)
{
    const char *argument = argv[*i];
    for (const char *c = argument + 1; *c; c++) {
        struct lookup found = { .letter = *c };
        options_each(command, lookup_visit, &found);
        if (!found.found.option)
            return unknown_option(command, argc, argv, *i);
        if (found.found.option->type == OPTION_FLAG) {
            TRY_RETURN(set_option(command, &found, ""));
            continue;
        }
        return c[1] ? set_option(command, &found, c + 1) : take_next(command, &found, argc, argv, i);
    }
    return 0;
}

static int default_visit(struct command *command, const struct placed *placed, void *context)
{
    return placed->option->fallback ? value_read(placed, command->arguments, placed->option->fallback) : 0;
}

/* Reads variables.  An empty variable counts as unset, as in other programs. */
static int environment_visit(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    const char *value = option->environment ? getenv(option->environment) : NULL;
    int rc;
    if (!value || !*value || command->origin[placed->number] != FROM_DEFAULT)
        return 0;
    if ((rc = value_read(placed, command->arguments, value)) != 0)
        return mw_fail_in(rc, "environment variable %s", option->environment);
    command->origin[placed->number] = FROM_ENVIRONMENT;
    return 0;
}

static int check_operands(const struct command *command)
{
    const struct subcommand *sub = command->subcommand;
    const struct words *operands = &command->operands;
    const bool many = operands->count > sub->most_operands, another = sub->most_operands == ANOTHERS_WORDS;
    for (size_t i = 0; i < (many ? operands->count : another && operands->count > 0); i++)
        TRY_RETURN(hint_device(command, operands->item[i]));
    if (command->operands.count < sub->least_operands)
        return mw_fail(MW_EINVAL, "missing operand: meshwork %s %s", sub->name, sub->operands);
    if (many)
        return mw_fail(MW_EINVAL, "unexpected operand '%s': see `meshwork %s --help`",
                       command->operands.item[sub->most_operands], sub->name);
    return 0;
}

static const struct option *find_in(const struct option *options, const char *name, size_t length, char letter)
{
    for (const struct option *o = options; o->name; o++)
        if (name ? strlen(o->name) == length && !strncmp(o->name, name, length) : o->letter == letter)
            return o;
    return NULL;
}

/* Finds an option by name, or by letter if the name is NULL. */
static const struct option *find_of(const struct subcommand *sub, const char *name, size_t length, char letter)
{
    const struct option *found = find_in(general_group.options, name, length, letter);
    for (const struct option_group *g = sub->groups; !found && g->title; g++)
        found = find_in(g->options, name, length, letter);
    return found;
}

size_t options_before(const struct subcommand *sub, size_t count, const char *const *words)
{
    const char *word = count ? words[0] : "";
    const struct option *option;
    if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
        return 0;
    if (word[1] == '-') {
        option = find_of(sub, word + 2, strcspn(word + 2, "="), 0);
        return !option ? 0 : option->type == OPTION_FLAG || option->alone || strchr(word, '=') || count < 2 ? 1 : 2;
    }
    for (const char *c = word + 1; *c; c++) {
        option = find_of(sub, NULL, 0, *c);
        if (!option || option->type != OPTION_FLAG)
            return !option ? 0 : c[1] || count < 2 ? 1 : 2;
    }
    return 1;
}

int options_parse(struct command *command, int argc, char **argv)
{
    const struct general *set = &command->general;
    bool operands_only = false;
    command->arguments = (size_t)argc + 1;
    command->argc = argc;
    command->argv = argv;
    TRY_RETURN(mw_new(command->subcommand->settings_bytes, 1, &command->settings));
    TRY_RETURN(options_each(command, default_visit, NULL));
    for (int i = 0; i < argc && !set->help && !set->version; i++) {
        const char *a = argv[i];
        if (operands_only || a[0] != '-' || !a[1])
            TRY_RETURN(add_operand(command, a));
        else if (!strcmp(a, "--"))
            operands_only = true;
        else
            TRY_RETURN(a[1] == '-' ? parse_long(command, argc, argv, &i) : parse_short(command, argc, argv, &i));
    }
    if (set->help || set->version)
        return 0;
    TRY_RETURN(options_each(command, environment_visit, NULL));
    if (!set->print_config)
        TRY_RETURN(check_operands(command));
    if (set->json)
        TRY_RETURN(report_json_available());
    return 0;
}

static int free_visit(struct command *command, const struct placed *placed, void *context)
{
    const size_t others = placed->option->others;
    if (placed->option->type == OPTION_WORDS || others)
        free(((struct words *)((char *)placed->target + others))->item);
    return 0;
}

void options_free(struct command *command)
{
    if (command->settings)
        options_each(command, free_visit, NULL);
    free(command->operands.item);
    free(command->settings);
}
/* SPDX-License-Identifier: MIT */
