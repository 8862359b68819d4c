/* --print-config: prints each setting, its value and the source of the value. */
#include <meshwork/file.h>

#include <stdio.h>

#include "tools/cli/options.h"
#include "tools/report/report.h"

static void list_value(struct node *table, const char *name, const char *value, const char *from)
{
    struct node *row = put_object(table, name);
    CELL(row, "%s", name);
    show_cell(put_text(row, "value", value), *value ? PLAIN : DIM, "%s", *value ? value : "-");
    show_value_cell(put_text(row, "from", from), PLAIN);
}

static int config_visit(struct command *command, const struct placed *placed, void *context)
{
    const struct option *option = placed->option;
    const enum origin origin = command->origin[placed->number];
    struct mw_text value = { 0 };
    char from[80];
    int rc;
    if (!option->help || !strcmp(option->name, "help") || !strcmp(option->name, "version") ||
        !strcmp(option->name, "print-config"))
        return 0;
    value_format(placed, &value);
    TRY(mw_text_ok(&value));
    if (origin == FROM_ENVIRONMENT)
        snprintf(from, sizeof(from), "environment %s", option->environment);
    else
        mw_copy_string(from, sizeof(from),
                       origin == FROM_OPTION        ? "option"
                       : origin == FROM_MEASUREMENT ? "meshwork advise"
                                                    : "default");
    list_value(context, option->name, value.data ? value.data : "", from);
out:
    mw_text_free(&value);
    return rc;
}

/* The cache folder has no option.  Its source follows the order documented at mw_cache_folder. */
static void list_cache(struct node *table)
{
    static const char *const variables[] = { "MESHWORK_CACHE_DIR", "XDG_CACHE_HOME", "HOME" };
    char from[80] = "default", *folder = NULL;
    for (size_t i = 0; i < MW_COUNT(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && (value[0] == '/' || (i == 0 && *value))) {
            snprintf(from, sizeof(from), "%s %s", i == 2 ? "default, in" : "environment", variables[i]);
            break;
        }
    }
    if (mw_cache_folder("", &folder) == 0)
        list_value(table, "cache-folder", folder, from);
    else
        list_value(table, "cache-folder", "", mw_errmsg());
    free(folder);
}

int config_print(struct command *command)
{
    struct node *o = report_object(), *table = put_keyed_table(o, "settings", "setting|value|from");
    const char *no_colour = getenv("NO_COLOR");
    int rc;
    TRY(options_each(command, config_visit, table));
    list_cache(table);
    list_value(table, "colour", no_colour && *no_colour ? "no" : "on terminals",
               no_colour && *no_colour ? "environment NO_COLOR" : "default");
out:
    return report_end(o, rc);
}
/* SPDX-License-Identifier: MIT */
