/* The devices of one run: -d may name several, which share the mesh. */
#include "tools/machine/team.h"

#include "tools/cli/memory.h"

#include <stdio.h>

static int select_devices(const struct device_settings *settings, struct mw_device_list **list, size_t *chosen,
                          size_t *count)
{
    TRY_RETURN(mw_device_list_for(settings->selector, list));
    TRY_RETURN(mw_device_select(*list, settings->selector, TEAM_MAX, chosen, count));
    if (*count > TEAM_MAX)
        return mw_fail(MW_ELIMIT, "-d %s names %zu devices: the maximum is %d", settings->selector, *count, TEAM_MAX);
    return 0;
}

/* Returns whether a selector may name several devices.  For others, native devices open without loading OpenCL
 * drivers. */
static bool may_name_several(const char *selector)
{
    return selector && (strchr(selector, ',') || !strcmp(selector, "all"));
}

int team_open(const struct device_settings *settings, struct team *team)
{
    struct mw_device_options options;
    struct mw_device_list *list = NULL;
    size_t chosen[TEAM_MAX], count = 0;
    int rc;
    if (!may_name_several(settings->selector)) {
        TRY(device_find(settings, &team->device[0]));
        team->count = 1;
        goto out;
    }
    TRY(device_open_options(settings, &options));
    TRY(select_devices(settings, &list, chosen, &count));
    for (; team->count < count; team->count++) {
        struct mw_device **device = &team->device[team->count];
        *device = device_kept(settings, team->count);
        if (*device)
            continue;
        TRY(mw_device_open(list, chosen[team->count], &options, device));
        device_note(settings, team->count, *device);
    }
out:
    mw_device_list_free(list);
    return rc;
}

void team_close(struct team *team)
{
    for (size_t i = 0; i < team->count; i++)
        device_give_back(team->device[i]);
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

void team_put_ids(const struct team *team, const char *title, struct node *to)
{
    const struct mw_device_info *first = mw_device_info(team->device[0]);
    struct mw_text ids = { 0 }, names = { 0 };
    for (size_t i = 0; i < team->count; i++) {
        mw_text_add(&ids, "%s%s", i ? "," : "", mw_device_info(team->device[i])->id);
        mw_text_add(&names, "%s%s", i ? ", " : "", mw_device_info(team->device[i])->name);
    }
    show_row(put_text(to, "device", ids.data ? ids.data : ""), title, "%s  %s", first->id, first->name);
    put_text(to, "device_name", names.data ? names.data : "");
    mw_text_free(&ids);
    mw_text_free(&names);
}

void team_put(const struct team *team, struct node *to)
{
    struct node *list;
    team_put_ids(team, team->count > 1 ? "devices" : "device", to);
    if (team->count < 2)
        return;
    list = put_list(to, "devices");
    for (size_t i = 0; i < team->count; i++) {
        const struct mw_device_info *device = mw_device_info(team->device[i]);
        struct node *one = put_object(list, NULL);
        if (i > 0)
            ROW(one, "", "%s  %s", device->id, device->name);
        put_text(one, "device", device->id);
        put_text(one, "device_name", device->name);
    }
}

int team_plan(const struct device_settings *settings, struct team_plan *plan)
{
    struct mw_device_list *list = NULL;
    size_t chosen[TEAM_MAX], count = 0;
    bool known = true;
    int rc;
    TRY(select_devices(settings, &list, chosen, &count));
    *plan = (struct team_plan){ .count = count, .fp64 = true };
    for (size_t i = 0; i < count; i++) {
        struct mw_device_info device = *mw_device_list_info(list, chosen[i]);
        const uint64_t memory = device_memory(settings, &device);
        const size_t used = strlen(plan->ids);
        snprintf(plan->ids + used, sizeof(plan->ids) - used, "%s%s", i ? "," : "", device.id);
        device.memory_bytes = memory;
        if (i == 0)
            plan->first = device;
        else if (i == 1 || (memory && (!plan->least.memory_bytes || memory < plan->least.memory_bytes)))
            plan->least = device;
        plan->in_host_memory += i > 0 && memory_is_shared(&device);
        known = known && memory;
        plan->memory_bytes += memory;
        plan->fp64 = plan->fp64 && device.fp64;
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
    put_text(to, "device", plan->ids);
    put_count(to, "device_count", plan->count);
}

int team_holds(const struct team_plan *team, const struct memory_plan *memory, uint64_t part)
{
    TRY_RETURN(device_holds(&team->first, memory_planned(memory, &team->first)));
    return team->count > 1 ? device_holds(&team->least, part) : 0;
}
/* SPDX-License-Identifier: MIT */
