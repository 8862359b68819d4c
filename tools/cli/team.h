/* The devices of one run. */
#ifndef TEAM_H
#define TEAM_H

#include "command.h"

enum { TEAM_MAX = 32 };
struct team { struct mw_device *device[TEAM_MAX]; size_t count; };

/* Opens what -d names: one device, or several. */
int team_open(const struct settings *settings, struct team *team);
void team_close(struct team *team);
/* What the summary says of a field on several devices, and nothing of one: a row for each, "device" and its share. */
void team_rows(const struct mw_field *field, struct table *table);
void team_json(const struct mw_field *field, struct json *summary);
/* For a plan: the devices' memory together and the first of them, and whether all have double precision. */
struct team_plan { size_t count; struct mw_device_info first; uint64_t memory_bytes; bool fp64; };
int team_plan(const struct settings *settings, struct team_plan *plan);

#endif
