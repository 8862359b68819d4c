/* Messages about unknown options and operands. */
#include "tools/cli/options.h"

#include <stdio.h>

#include "tools/cli/names.h"

struct hint {
    char word[64];
    struct nearest nearest;
    const struct option *option;
    const char *value;
};

static int offer_visit(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    struct hint *hint = context;
    if (option->help)
        nearest_offer(&hint->nearest, option->name);
    for (const char *at = option->called; at && !hint->option; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        const size_t length = strcspn(at, "=|");
        if (strlen(hint->word) == length && !strncmp(at, hint->word, length)) {
            hint->option = option;
            hint->value = at[length] == '=' ? at + length + 1 : NULL;
        }
    }
    return 0;
}

/* Reports an option under another program's name. */
static int called(const struct hint *hint, const char *argument)
{
    const struct option *option = hint->option;
    const char letter[] = { option->letter, 0 };
    const size_t length = hint->value ? strcspn(hint->value, "|") : 0;
    return mw_fail(MW_EINVAL, "unknown option '%s': did you mean %s%s%s%.*s?", argument, option->letter ? "-" : "--",
                   option->letter ? letter : option->name, length ? " " : "", (int)length, length ? hint->value : "");
}

/* Reports a model parameter given as an option of one letter: `-T 2`, or `-T2`. */
static int parameter(const char *argument, const char *next)
{
    const char *value = argument[2] ? argument + 2 + (argument[2] == '=') : next;
    char *end;
    if (!value || (strtod(value, &end), end == value || *end))
        value = "VALUE";
    return mw_fail(MW_EINVAL, "unknown option '%s': set parameters with -p, as in -p %c=%s", argument, argument[1],
                   value);
}

int hint_option(struct command *command, const char *argument, const char *next)
{
    const char *name = command->subcommand->name;
    const bool letter = argument[1] != '-' && (!argument[2] || strchr("=-.0123456789", argument[2]));
    struct hint hint = { .nearest = { .word = hint.word } };
    mw_copy_string(hint.word, sizeof(hint.word), argument + strspn(argument, "-"));
    hint.word[letter ? 1 : strcspn(hint.word, "=")] = 0;
    options_each(command, offer_visit, &hint);
    if (hint.option)
        return called(&hint, argument);
    if (hint.nearest.best)
        return mw_fail(MW_EINVAL, "unknown option '%s': did you mean --%s?", argument, hint.nearest.best);
    if (letter && option_exists(command, "param"))
        return parameter(argument, next);
    if (command->subcommand->parts)
        return mw_fail(MW_EINVAL,
                       "unknown option '%s': put options of a subcommand after it, as in meshwork%s%s SUBCOMMAND %s",
                       argument, *name ? " " : "", name, argument);
    return mw_fail(MW_EINVAL, "unknown option '%s': see `meshwork %s --help`", argument, name);
}

int hint_device(const struct command *command, const char *operand)
{
    static const char *const words[] = { "cpu", "gpu", "accelerator", "native", "cuda", "opencl", "all" };
    static const char *const options[] = { "device", "devices" };
    const size_t length = strcspn(operand, ":.");
    bool device = operand[0] && strspn(operand, "0123456789") == strlen(operand);
    for (size_t i = 0; i < MW_COUNT(words); i++)
        device |= strlen(words[i]) == length && !strncmp(operand, words[i], length);
    for (size_t i = 0; device && i < MW_COUNT(options); i++)
        if (option_is_given(command, options[i])) {
            struct mw_text given = { 0 };
            int rc;
            option_format(command, options[i], &given);
            rc = mw_text_ok(&given);
            if (!rc)
                rc =
                    mw_fail(MW_EINVAL, "'%s' looks like a device of --%s: separate devices by commas, as in --%s %s,%s",
                            operand, options[i], options[i], given.data, operand);
            mw_text_free(&given);
            return rc;
        }
    return 0;
}
/* SPDX-License-Identifier: MIT */
