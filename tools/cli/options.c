/* Options: from arguments, environment and defaults to a subcommand's settings. */
#include <stdio.h>

#include "tools/cli/groups.h"
#include "tools/cli/names.h"
#include "tools/cli/options.h"
#include "tools/report/report.h"

/* ---- the tables ---- */

static int each_of_group(struct command *command, const struct option_group *group, void *settings, size_t *number,
                         option_visit *visit, void *context)
{
    for (const struct option *o = group->options; o->name; o++) {
        const struct placed placed = { o, (char *)settings + group->at + o->target, (*number)++ };
        int rc = visit(command, &placed, context);
        if (rc)
            return rc;
    }
    return 0;
}

int options_each(struct command *command, option_visit *visit, void *context)
{
    size_t number = 0;
    int rc = 0;

    for (const struct option_group *g = command->subcommand->groups; g->title; g++)
        TRY(each_of_group(command, g, command->settings, &number, visit, context));
    TRY(each_of_group(command, &general_group, &command->general, &number, visit, context));
out:
    return rc;
}

struct lookup { const char *name; size_t length; char letter; struct placed found; };

static int lookup_visit(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    struct lookup *l = context;

    (void)command;
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

bool option_is_given(const struct command *command, const char *name)
{
    const struct placed found = find_option(command, name);

    return found.option && command->origin[found.number] == FROM_OPTION;
}

bool option_is_set(const struct command *command, const char *name)
{
    const struct placed found = find_option(command, name);

    return found.option && command->origin[found.number] != FROM_DEFAULT;
}

bool option_is_free(const struct command *command, const char *name)
{
    const struct placed found = find_option(command, name);

    return found.option && command->origin[found.number] == FROM_DEFAULT;
}

const void *option_target(const struct command *command, const char *name)
{
    return find_option(command, name).target;
}

void option_format(const struct command *command, const char *name, struct text *text)
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

int options_choose(struct command *command, const char *name, const char *value)
{
    command->origin[find_option(command, name).number] = FROM_MEASUREMENT;
    return options_assign(command, name, value);
}

static int offer_visit(struct command *command, const struct placed *placed, void *context)
{
    (void)command;
    if (placed->option->help)
        nearest_offer(context, placed->option->name);
    return 0;
}

static int add_operand(struct command *command, const char *argument)
{
    static const struct option operand = { .type = OPTION_WORDS };
    const struct placed operands = { &operand, &command->operands, 0 };

    return value_read(&operands, command->arguments, argument);
}

static int unknown_option(struct command *command, const char *argument)
{
    const struct subcommand *sub = command->subcommand;
    char word[64];
    struct nearest nearest = { .word = word };

    if (sub->most_operands == ANOTHERS_WORDS)
        return add_operand(command, argument);
    text_fit(word, sizeof(word), argument + strspn(argument, "-"));
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
    int rc = value_read(&found->found, command->arguments, value);

    if (rc)
        return mw_fail_in(rc, "--%s", found->found.option->name);
    command->origin[found->found.number] = FROM_OPTION;
    return 0;
}

/* `--name`, `--name=value` or `--name value` at argv[*i]. */
static int parse_long(struct command *command, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2, *value = strchr(name, '=');
    struct lookup found = { .name = name, .length = strcspn(name, "=") };

    options_each(command, lookup_visit, &found);
    if (!found.found.option)
        return unknown_option(command, argv[*i]);
    if (found.found.option->type == OPTION_FLAG) {
        if (value)
            return mw_fail(MW_EINVAL, "--%s takes no value: leave out '%s'", found.found.option->name, value);
        return set_option(command, &found, "");
    }
    if (!value && found.found.option->alone)
        return set_option(command, &found, found.found.option->alone);
    if (!value && *i + 1 == argc)
        return mw_fail(MW_EINVAL, "--%s needs a value: --%s %s", found.found.option->name, found.found.option->name,
                       found.found.option->value);
    return set_option(command, &found, value ? value + 1 : argv[++*i]);
}

/* `-d value`, `-dvalue`, or flags together as in `-qv`. */
static int parse_short(struct command *command, int argc, char **argv, int *i)
{
    const char *argument = argv[*i];

    for (const char *c = argument + 1; *c; c++) {
        struct lookup found = { .letter = *c };
        options_each(command, lookup_visit, &found);
        if (!found.found.option)
            return unknown_option(command, argument);
        if (found.found.option->type == OPTION_FLAG) {
            int rc = set_option(command, &found, "");
            if (rc)
                return rc;
            continue;
        }
        if (!c[1] && *i + 1 == argc)
            return mw_fail(MW_EINVAL, "-%c needs a value: -%c %s", *c, *c, found.found.option->value);
        return set_option(command, &found, c[1] ? c + 1 : argv[++*i]);
    }
    return 0;
}

static int default_visit(struct command *command, const struct placed *placed, void *context)
{
    (void)context;
    return placed->option->fallback ? value_read(placed, command->arguments, placed->option->fallback) : 0;
}

/* An empty variable counts as unset, as with other programs. */
static int environment_visit(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    const char *value = option->environment ? getenv(option->environment) : NULL;
    int rc;

    (void)context;
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

    if (command->operands.count < sub->least_operands)
        return mw_fail(MW_EINVAL, "an operand is missing: meshwork %s %s", sub->name, sub->operands);
    if (command->operands.count > sub->most_operands)
        return mw_fail(MW_EINVAL, "one operand too many, '%s': see `meshwork %s --help`",
                       command->operands.item[sub->most_operands], sub->name);
    return 0;
}

int options_parse(struct command *command, int argc, char **argv)
{
    const struct general *set = &command->general;
    bool operands_only = false;
    int rc;

    command->arguments = (size_t)argc + 1;
    TRY(allocate(command->subcommand->settings_bytes, 1, &command->settings));
    TRY(options_each(command, default_visit, NULL));
    for (int i = 0; i < argc && !set->help && !set->version; i++) {
        const char *a = argv[i];
        if (operands_only || a[0] != '-' || !a[1])
            TRY(add_operand(command, a));
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
        TRY(report_json_available());
out:
    return rc;
}

static int free_visit(struct command *command, const struct placed *placed, void *context)
{
    (void)command, (void)context;
    if (placed->option->type == OPTION_WORDS)
        free(((struct words *)placed->target)->item);
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
