/* Computes how many groups of a kernel run at once on a compute unit of NVIDIA's. Limits are from the CUDA C++
 * Programming Guide, "Compute Capabilities". Registers and local memory follow the occupancy calculator. */
#include "dev/core/registers.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS_MOST = 255 }; /* per item */

/* Limits by capability; cl/cuda.clh repeats the number of items (MW_UNIT_ITEMS). Older units allocate registers
 * differently. */
static const struct mw_unit_room rooms[] = {
    { 70, 64, 32, 96 },  { 75, 32, 16, 64 },  { 80, 64, 32, 164 },  { 86, 48, 16, 100 },  { 87, 48, 16, 164 },
    { 89, 48, 24, 100 }, { 90, 64, 32, 228 }, { 110, 48, 24, 228 }, { 120, 48, 24, 100 },
};

const struct mw_unit_room *mw_unit_room(int capability)
{
    const struct mw_unit_room *found = NULL;
    for (size_t i = 0; i < MW_COUNT(rooms) && rooms[i].capability <= capability; i++)
        found = &rooms[i];
    return found;
}

static const char *registers_find(const char *line, size_t n, const char *words)
{
    const char *found = memmem(line, n, words, strlen(words));
    return found ? found + strlen(words) : NULL;
}

/* The lines are
 *     ptxas info    : Compiling entry function 'NAME' for 'sm_90'
 *     ptxas info    : Used 128 registers, used 1 barriers, 8196 bytes smem */
int mw_registers_read(const char *log, char **told)
{
    struct mw_text text = { 0 };
    const char *name = NULL;
    int length = 0, rc;
    for (const char *line = log; *line; line += *line == '\n') {
        const size_t n = strcspn(line, "\n");
        const char *const begins = registers_find(line, n, "entry function '"), *const number =
                                                                                    registers_find(line, n, ": Used ");
        if (begins) {
            name = begins;
            length = (int)strcspn(name, "'\n");
        } else if (name && number) {
            mw_text_add(&text, "%.*s %lu\n", length, name, strtoul(number, NULL, 10));
            name = NULL;
        }
        line += n;
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

size_t mw_unit_groups(const struct mw_unit_room *room, size_t registers, size_t local_bytes, size_t items)
{
    const bool late = room->capability >= 80;
    const size_t local_piece = late ? 128 : 256, drivers_local = late ? 1024 : 0;
    const size_t warp = MW_REGISTERS_AT_ONCE * mw_ceil_div(registers * MW_WARP, MW_REGISTERS_AT_ONCE);
    const size_t warps = mw_min(room->warps, MW_SCHEDULERS * (MW_UNIT_REGISTERS / MW_SCHEDULERS / warp));
    const size_t pieces = mw_ceil_div(local_bytes + drivers_local, local_piece);
    const size_t by_local = pieces ? (size_t)room->local_kib * 1024 / local_piece / pieces : room->groups;
    return mw_min(mw_min(room->groups, warps / mw_ceil_div(items, MW_WARP)), by_local);
}

size_t mw_another_group(size_t registers, size_t items, size_t groups)
{
    /* Each scheduler has a part of a unit's registers, for whole warps. */
    const size_t warps = mw_ceil_div(items, MW_WARP) * (groups + 1), turns = mw_ceil_div(warps, MW_SCHEDULERS);
    const size_t at_once = MW_REGISTERS_AT_ONCE / MW_WARP;
    const size_t room = turns ? MW_UNIT_REGISTERS / (MW_SCHEDULERS * MW_WARP * turns) / at_once * at_once : 0;
    return room < registers && 5 * room >= 4 * registers ? groups + 1 : 0;
}

void mw_registers_limit(const struct mw_unit_room *room, unsigned registers, size_t local_bytes,
                        struct mw_kernel_limits *limits)
{
    const bool known = registers > 0 && registers <= REGISTERS_MOST;
    for (unsigned i = 0; i < MW_COUNT(limits->resident_groups); i++) {
        const size_t items = mw_resident_items(limits, i);
        limits->resident_groups[i] = known && items ? (unsigned)mw_unit_groups(room, registers, local_bytes, items) : 0;
    }
}
/* SPDX-License-Identifier: MIT */
