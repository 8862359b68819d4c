/* The devices of one run: -d may name several, which then share the mesh. */
#include "tools/machine/team.h"

static int select_devices(const struct device_settings *settings, struct mw_device_list **list, size_t *chosen,
                          size_t *count)
{
    int rc;
    TRY(mw_device_list_for(settings->selector, list));
    TRY(mw_device_select(*list, settings->selector, TEAM_MAX, chosen, count));
    if (*count > TEAM_MAX)
        rc = mw_fail(MW_ELIMIT, "-d %s names %zu devices: a run takes at most %d", settings->selector, *count,
                     TEAM_MAX);
out:
    return rc;
}

/* Whether a selector may name several devices.  One that does not spares native devices the OpenCL drivers. */
static bool may_name_several(const char *selector)
{
    return selector && (strchr(selector, ',') || !strcmp(selector, "all"));
}

int team_open(const struct device_settings *settings, struct team *team)
{
    const struct mw_device_options options = device_open_options(settings);
    struct mw_device_list *list = NULL;
    size_t chosen[TEAM_MAX], count = 0;
    int rc;

    if (!may_name_several(settings->selector)) {
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

struct node *team_put_share(struct node *list, const struct mw_device_info *device, double share)
{
    struct node *part = put_object(list, NULL);

    put_text(part, "device", device->id);
    put_text(part, "device_name", device->name);
    put_real(part, "share", share);
    return part;
}

void team_put(const struct team *team, struct node *to)
{
    struct node *list;

    for (size_t i = 0; i < team->count; i++) {
        const struct mw_device_info *device = mw_device_info(team->device[i]);
        ROW(to, i ? "" : team->count > 1 ? "devices" : "device", "%s  %s", device->id, device->name);
    }
    put_text(to, "device", mw_device_info(team->device[0])->id);
    put_text(to, "device_name", mw_device_info(team->device[0])->name);
    if (team->count < 2)
        return;
    list = put_list(to, "devices");
    for (size_t i = 0; i < team->count; i++) {
        struct node *one = put_object(list, NULL);
        put_text(one, "device", mw_device_info(team->device[i])->id);
        put_text(one, "device_name", mw_device_info(team->device[i])->name);
    }
}

int team_plan(const struct device_settings *settings, struct team_plan *plan)
{
    struct mw_device_list *list = NULL;
    size_t chosen[TEAM_MAX], count = 0;
    bool known = true;
    int rc;

    TRY(select_devices(settings, &list, chosen, &count));
    *plan = (struct team_plan){ .count = count, .first = *mw_device_list_info(list, chosen[0]), .fp64 = true };
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *device = mw_device_list_info(list, chosen[i]);
        const uint64_t memory = device_memory(settings, device);
        known = known && memory;
        plan->memory_bytes += memory;
        plan->fp64 = plan->fp64 && device->fp64;
    }
    if (!known)
        plan->memory_bytes = 0;
out:
    mw_device_list_free(list);
    return rc;
}

void team_plan_put(const struct team_plan *plan, const char *selector, struct node *to)
{
    if (plan->count > 1)
        ROW(to, "devices", "%zu: %s", plan->count, selector);
    else
        ROW(to, "device", "%s  %s", plan->first.id, plan->first.name);
    put_text(to, "device", plan->first.id);
    put_count(to, "devices", plan->count);
}
/* SPDX-License-Identifier: MIT */
