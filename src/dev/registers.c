/* How many groups of a kernel a compute unit of NVIDIA's runs at once: what the numbers of its compute capability say
 * (CUDA C++ Programming Guide, "Compute Capabilities"), and how its occupancy calculator gives out registers and local
 * memory. */
#include "dev/registers.h"

#include <stdlib.h>
#include <string.h>

#include "dev/kernel_set.h"

enum {
    WARP = 32,
    SCHEDULERS = 4,                     /* each with a part of the registers and of the warps */
    REGISTERS = 65536 / SCHEDULERS,
    REGISTERS_AT_ONCE = 256,            /* a warp has a multiple of these */
    LOCAL_AT_ONCE = 128,
    DRIVERS_LOCAL = 1024,               /* that a group has beside its own, from capability 8.0 on */
};

/* By capability. */
static const struct mw_unit_room rooms[] = {
    { 50, 64, 32, 64 },  { 52, 64, 32, 96 },   { 53, 64, 32, 64 },   { 60, 64, 32, 64 },   { 61, 64, 32, 96 },
    { 62, 64, 32, 64 },  { 70, 64, 32, 96 },   { 75, 32, 16, 64 },   { 80, 64, 32, 164 },  { 86, 48, 16, 100 },
    { 87, 48, 16, 164 }, { 89, 48, 24, 100 },  { 90, 64, 32, 228 },  { 110, 48, 24, 228 }, { 120, 48, 24, 100 },
};

const struct mw_unit_room *mw_unit_room(int capability)
{
    const struct mw_unit_room *found = NULL;
    for (size_t i = 0; i < MW_COUNT(rooms) && rooms[i].capability <= capability; i++)
        found = &rooms[i];
    return found;
}

/* The lines are
 *     ptxas info    : Compiling entry function 'NAME' for 'sm_90'
 *     ptxas info    : Used 128 registers, used 1 barriers, 8196 bytes smem */
int mw_registers_read(const char *log, char **told)
{
    static const char entry[] = "entry function '", used[] = ": Used ";
    struct mw_text text = { 0 };
    const char *name = NULL;
    int length = 0, rc;
    for (const char *line = log, *next; *line; line = next) {
        const size_t n = strcspn(line, "\n");
        const char *const end = line + n, *const begins = strstr(line, entry), *const number = strstr(line, used);
        next = end + (*end == '\n');
        if (begins && begins < end) {
            name = begins + sizeof entry - 1;
            length = (int)strcspn(name, "'\n");
        } else if (name && number && number < end) {
            mw_text_add(&text, "%.*s %lu\n", length, name, strtoul(number + sizeof used - 1, NULL, 10));
            name = NULL;
        }
    }
    TRY(mw_text_ok(&text));
    TRY(mw_strdup(text.data ? text.data : "", told));
out:
    mw_text_free(&text);
    return rc;
}

unsigned mw_registers_of(const char *told, const char *kernel)
{
    const size_t n = strlen(kernel);
    for (const char *line = told; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, kernel, n) == 0 && line[n] == ' ')
            return (unsigned)strtoul(line + n, NULL, 10);
    return 0;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t groups_at_once(const struct mw_unit_room *room, size_t registers, size_t local, size_t items)
{
    const size_t each = REGISTERS_AT_ONCE * mw_ceil_div(registers * WARP, REGISTERS_AT_ONCE);
    const size_t by_registers = least(room->warps, SCHEDULERS * (REGISTERS / each)) / mw_ceil_div(items, WARP);
    const size_t local_each = mw_ceil_div(local + (room->capability >= 80 ? DRIVERS_LOCAL : 0), LOCAL_AT_ONCE);
    const size_t by_local = local_each ? (size_t)room->local_kib * 1024 / LOCAL_AT_ONCE / local_each : room->groups;
    return least(least(room->groups, by_registers), by_local);
}

void mw_registers_limit(const struct mw_unit_room *room, unsigned registers, struct mw_kernel_limits *limits)
{
    for (unsigned i = 0; i < MW_COUNT(limits->resident_groups); i++) {
        const size_t items = mw_resident_items(limits, i);
        limits->resident_groups[i] = registers && items
            ? (unsigned)groups_at_once(room, registers, (size_t)limits->local_bytes, items) : 0;
    }
}
/* SPDX-License-Identifier: MIT */
