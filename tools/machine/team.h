/* The devices of one run. */
#ifndef TOOLS_TEAM_H
#define TOOLS_TEAM_H

#include "tools/cli/groups.h"
#include "tools/report/report.h"

/* Maximum number of devices. */
enum { TEAM_MAX = 32 };
/* The open devices of a run. */
struct team {
    struct mw_device *device[TEAM_MAX];
    size_t count;
};

/* Opens the devices of -d: one or several. */
int team_open(const struct device_settings *settings, struct team *team);
/* Closes all devices. */
void team_close(struct team *team);
/* Puts the devices (several: as "devices") and a row for each. */
void team_put(const struct team *team, struct node *to);
/* Puts "device" (several: comma-separated as in -d) and "device_name", and a row of the first. */
void team_put_ids(const struct team *team, const char *title, struct node *to);
/* Puts a device in a list, with its share of the work. */
struct node *team_put_share(struct node *list, const struct mw_device_info *device, double share);
/* The devices of a plan: the first one, their total memory, and whether all support double precision. `least` is
 * the further device with the least memory, `in_host_memory` the number of further devices in the host's memory. */
struct team_plan {
    size_t count;
    char ids[1024]; /* comma-separated */
    struct mw_device_info first, least;
    size_t in_host_memory;
    uint64_t memory_bytes;
    bool fp64;
};
/* Describes the devices of -d without opening them. A memory limit applies to each of them. */
int team_plan(const struct device_settings *settings, struct team_plan *plan);
/* Puts "device", "device_count" and a row; `selector` is the argument of -d. */
void team_plan_put(const struct team_plan *plan, const char *selector, struct node *to);

/* Checks that the first device holds a plan, and another one its part of so many bytes.  MW_ELIMIT: it does not. */
struct memory_plan;
int team_holds(const struct team_plan *team, const struct memory_plan *memory, uint64_t part);

#endif
/* SPDX-License-Identifier: MIT */
