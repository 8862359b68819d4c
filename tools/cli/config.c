/* --print-config: each setting, its value, and what set it. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

struct listing { struct table table; struct json *json; };

static void list_value(struct listing *list, const char *name, const char *value, const char *from)
{
    if (list->json) {
        struct json *entry = js_object();
        js_text(entry, "value", value);
        js_text(entry, "from", from);
        js_put(list->json, name, entry);
    } else {
        table_add(&list->table, PLAIN, "%s", name);
        table_add(&list->table, *value ? PLAIN : DIM, "%s", *value ? value : "-");
        table_add(&list->table, PLAIN, "%s", from);
    }
}

static int visit(struct command *command, const struct option *option, size_t number, void *context)
{
    struct mw_text value = { 0 };
    char from[80];
    int rc;

    if (!option->help || !strcmp(option->name, "help") || !strcmp(option->name, "version") ||
        !strcmp(option->name, "print-config"))
        return 0;
    option_format(command, option, &value);
    TRY(mw_text_ok(&value));
    if (command->origin[number] == FROM_ENVIRONMENT)
        snprintf(from, sizeof(from), "environment %s", option->environment);
    else
        mw_copy_string(from, sizeof(from), command->origin[number] == FROM_OPTION ? "option" : "default");
    list_value(context, option->name, value.data ? value.data : "", from);
out:
    mw_text_free(&value);
    return rc;
}

/* The folder of caches has no option: where it comes from follows the order that mw_cache_folder documents. */
static void list_cache(struct listing *list)
{
    static const char *const variables[] = { "MESHWORK_CACHE_DIR", "XDG_CACHE_HOME", "HOME" };
    char from[80] = "default", *folder = NULL;

    for (size_t i = 0; i < MW_COUNT(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && (value[0] == '/' || (i == 0 && *value))) {
            snprintf(from, sizeof(from), "%s %s", i == 2 ? "default, below" : "environment", variables[i]);
            break;
        }
    }
    if (mw_cache_folder("", &folder) == 0)
        list_value(list, "cache-folder", folder, from);
    else
        list_value(list, "cache-folder", "", mw_errmsg());
    free(folder);
}

int config_print(struct command *command)
{
    struct listing list = { .json = command->settings.json ? js_object() : NULL };
    const char *no_colour = getenv("NO_COLOR");
    int rc;

    table_start(&list.table, "setting|value|from");
    TRY(options_each(command, visit, &list));
    list_cache(&list);
    list_value(&list, "colour", no_colour && *no_colour ? "no" : "on terminals",
               no_colour && *no_colour ? "environment NO_COLOR" : "default");
    if (list.json) {
        rc = js_print(list.json);
        list.json = NULL;
    } else {
        rc = table_print(&list.table, results());
    }
out:
    js_free(list.json);
    table_free(&list.table);
    return rc;
}
