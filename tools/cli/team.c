/* The devices of one run: -d may name several, which then share the mesh. */
#include "team.h"

#include <string.h>

static int select_devices(const struct settings *settings, struct mw_device_list **list, size_t *chosen, size_t *count)
{
    int rc;
    TRY(mw_device_list_new(list));
    TRY(mw_device_select(*list, settings->device, TEAM_MAX, chosen, count));
    if (*count > TEAM_MAX)
        rc = mw_fail(MW_ELIMIT, "-d %s names %zu devices: a run takes at most %d", settings->device, *count, TEAM_MAX);
out:
    return rc;
}

/* Whether a selector may name several devices.  One that does not spares native devices the OpenCL drivers. */
static bool may_name_several(const char *selector)
{
    return selector && (strchr(selector, ',') || !strcmp(selector, "all"));
}

int team_open(const struct settings *settings, struct team *team)
{
    const struct mw_device_options options = {
        .threads = (unsigned)settings->threads, .kernel_path = settings->kernel_path, .profile = settings->verbose };
    struct mw_device_list *list = NULL;
    size_t chosen[TEAM_MAX], count = 0;
    int rc;

    if (!may_name_several(settings->device)) {
        TRY(device_find(settings, &team->device[0]));
        team->count = 1;
        goto out;
    }
    TRY(select_devices(settings, &list, chosen, &count));
    for (; team->count < count; team->count++)
        TRY(mw_device_open(list, chosen[team->count], &options, &team->device[team->count]));
out:
    mw_device_list_free(list);
    return rc;
}

void team_close(struct team *team)
{
    for (size_t i = 0; i < team->count; i++)
        mw_device_close(team->device[i]);
    team->count = 0;
}

void team_rows(const struct mw_field *field, struct table *table)
{
    struct mw_field_part parts[TEAM_MAX];
    const size_t count = mw_field_parts(field, TEAM_MAX, parts);
    char shape[MW_SHAPE_TEXT];

    for (size_t i = 0; i < count && count > 1; i++) {
        const struct mw_device_info *device = mw_device_info(parts[i].device);
        mw_shape_format(&parts[i].shape, shape);
        table_add(table, DIM, "%s", i ? "" : "shares");
        table_add(table, PLAIN, "%.1f %%  %s  %s, %s a step, %s (%s)", 100 * parts[i].share, device->id, device->name,
                  parts[i].step_seconds > 0 ? seconds_text(parts[i].step_seconds).text : "-", shape, parts[i].how);
    }
}

void team_json(const struct mw_field *field, struct json *summary)
{
    struct mw_field_part parts[TEAM_MAX];
    const size_t count = mw_field_parts(field, TEAM_MAX, parts);
    struct json *array;
    char shape[MW_SHAPE_TEXT];

    if (count < 2)
        return;
    array = js_array();
    for (size_t i = 0; i < count; i++) {
        struct json *part = js_object();
        mw_shape_format(&parts[i].shape, shape);
        js_text(part, "device", mw_device_info(parts[i].device)->id);
        js_text(part, "device_name", mw_device_info(parts[i].device)->name);
        js_real(part, "share", parts[i].share);
        js_real(part, "step_seconds", parts[i].step_seconds);
        js_text(part, "shape", shape);
        js_text(part, "chosen", parts[i].how);
        js_put(array, NULL, part);
    }
    js_put(summary, "devices", array);
}

int team_plan(const struct settings *settings, struct team_plan *plan)
{
    struct mw_device_list *list = NULL;
    size_t chosen[TEAM_MAX], count = 0;
    bool known = true;
    int rc;

    TRY(select_devices(settings, &list, chosen, &count));
    *plan = (struct team_plan){ .count = count, .first = *mw_device_list_info(list, chosen[0]), .fp64 = true };
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *device = mw_device_list_info(list, chosen[i]);
        known = known && device->memory_bytes;
        plan->memory_bytes += device->memory_bytes;
        plan->fp64 = plan->fp64 && device->fp64;
    }
    if (!known)
        plan->memory_bytes = 0;
out:
    mw_device_list_free(list);
    return rc;
}
