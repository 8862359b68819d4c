/* meshwork cache: the built kernels kept on disk. */
#include <meshwork/field.h>
#include <meshwork/file.h>

#include "tools/cli/groups.h"
#include "tools/cli/subcommands.h"
#include "tools/field/model.h"
#include "tools/report/report.h"

struct cache_settings {
    struct mesh_settings mesh;
    struct device_settings device;
};

/* PoCL's own files in the cache folder. */
static int inspect_pocl(struct mw_kept_stats *stats)
{
    char *folder = NULL;
    int rc;
    TRY(mw_cache_folder_look("pocl", &folder));
    rc = mw_kept_look(folder, stats);
out:
    free(folder);
    return rc;
}

static int list_programs(const struct command *command)
{
    struct mw_cache_stats stats = MW_INIT(stats);
    struct mw_kept_stats pocl = MW_INIT(pocl);
    struct node *o = report_object();
    char *folder = NULL;
    int rc;
    TRY(mw_cache_folder_look("", &folder));
    TRY(mw_cache_stats(&stats));
    TRY(inspect_pocl(&pocl));
    show_value(put_text(o, "folder", folder), "folder");
    show_value(put_count(o, "entries", stats.entries), "built kernels");
    show_value(put_bytes(o, "bytes", stats.bytes), "size");
    show_value(put_count(o, "pocl_files", pocl.files), "files of PoCL");
    show_value(put_bytes(o, "pocl_bytes", pocl.bytes), "size");
out:
    rc = report_end(o, rc);
    free(folder);
    return rc;
}

static int clear_programs(const struct command *command)
{
    struct mw_cache_stats before = MW_INIT(before), after = MW_INIT(after);
    struct mw_kept_stats pocl = MW_INIT(pocl), left = MW_INIT(left);
    struct node *o;
    TRY_RETURN(mw_cache_stats(&before));
    TRY_RETURN(inspect_pocl(&pocl));
    TRY_RETURN(mw_cache_clear());
    TRY_RETURN(mw_cache_stats(&after));
    TRY_RETURN(inspect_pocl(&left));
    if (after.entries > before.entries || after.bytes > before.bytes)
        after = before; /* another process may be filling it */
    if (left.files > pocl.files || left.bytes > pocl.bytes)
        left = pocl;
    o = report_object();
    put_count(o, "pocl_removed", pocl.files - left.files);
    show_lines(put_count(o, "removed", before.entries - after.entries), PLAIN,
               "removed %zu built kernels, %s, and %zu files of PoCL, %s\n", before.entries - after.entries,
               bytes_text(before.bytes - after.bytes).text, pocl.files - left.files,
               bytes_text(pocl.bytes - left.bytes).text);
    return report_print(o);
}

/* Also runs a step: some drivers compile for a work-group only at the first launch. */
static int warm_model(const struct cache_settings *set, struct mw_device *device, const char *name)
{
    struct mw_field_options options;
    struct mw_model *model = NULL;
    struct mw_field *field = NULL;
    int rc;
    TRY(mesh_of_field(&set->mesh, &options));
    TRY(mw_model_load(name, set->device.kernel_path, &model));
    TRY(mw_field_new(&device, 1, model, &options, &field));
    TRY(mw_field_advance(field, 1));
    TRY(mw_field_sync(field));
out:
    mw_field_free(field);
    mw_model_free(model);
    return rc ? mw_fail_in(rc, "model %s", name) : 0;
}

/* The operands after the word are the models; without them, all installed ones. */
static int warm_programs(const struct command *command)
{
    const struct cache_settings *set = command->settings;
    const double start = mw_now();
    struct mw_device *device = NULL;
    const char *const *models = command->operands.item + 1;
    char **names = NULL;
    struct node *o;
    size_t count = command->operands.count - 1;
    int rc;
    TRY(device_find(&set->device, &device));
    if (count == 0) {
        TRY(mw_model_names(set->device.kernel_path, MW_MODEL_FIELD, &names));
        models = (const char *const *)names;
        while (names[count])
            count++;
    }
    for (size_t i = 0; i < count; i++)
        TRY(warm_model(set, device, models[i]));
    o = report_object();
    put_text(o, "device", mw_device_info(device)->id);
    put_count(o, "models", count);
    put_seconds(o, "seconds", mw_now() - start);
    show_lines(put_words(o), PLAIN, "kernels of %s are ready on %s, in %s\n", COUNTED(count, "model"),
               mw_device_info(device)->id, seconds_text(mw_now() - start).text);
    rc = report_print(o);
out:
    mw_model_names_free(names);
    device_give_back(device);
    return rc;
}

static int machine_cache_run(struct command *command)
{
    static const struct {
        const char *name;
        int (*run)(const struct command *command);
        bool takes_models;
    } actions[] = { { "list", list_programs, false },
                    { "clear", clear_programs, false },
                    { "warm", warm_programs, true } };
    const char *word = command->operands.item[0];

    for (size_t i = 0; i < MW_COUNT(actions); i++)
        if (!strcmp(word, actions[i].name)) {
            if (command->operands.count > 1 && !actions[i].takes_models)
                return mw_fail(MW_EINVAL, "unexpected operand '%s' after cache %s", command->operands.item[1], word);
            return actions[i].run(command);
        }
    return mw_fail(MW_EINVAL, "unknown action '%s' (must be list, clear or warm)", word);
}

static const struct option_group groups[] = { { "Kernels of warm", mesh_options,
                                                offsetof(struct cache_settings, mesh) },
                                              DEVICE_GROUPS(struct cache_settings, device),
                                              { 0 } };

const struct subcommand cache_subcommand = {
    .name = "cache",
    .operands = "list|clear|warm [MODEL...]",
    .summary = "list, clear or fill the cache of built kernels",
    .description =
        "list: show number, size and place of the built kernels. clear: remove them. warm: build the kernels of all "
        "models of fields, or of some, for the device, so that later runs start at once.",
    .groups = groups,
    .settings_bytes = sizeof(struct cache_settings),
    .least_operands = 1,
    .most_operands = SIZE_MAX,
    .run = machine_cache_run,
};
/* SPDX-License-Identifier: MIT */
