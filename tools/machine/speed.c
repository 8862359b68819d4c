/* meshwork speed: measures the rates of devices. */
#include <meshwork/speed.h>

#include "tools/cli/groups.h"
#include "tools/cli/subcommands.h"
#include "tools/report/report.h"

struct speed_settings {
    struct choices parts;
    uint64_t bytes;
    struct device_settings device;
};

#define AT(member) offsetof(struct speed_settings, member)

/* In the order of the option's words. */
static const unsigned parts[] = { MW_SPEED_COPY,    MW_SPEED_TRIAD,    MW_SPEED_ARITHMETIC,
                                  MW_SPEED_ATOMICS, MW_SPEED_LAUNCHES, MW_SPEED_TRANSFERS };

static const struct option options[] = { { .name = "only",
                                           .type = OPTION_CHOICES,
                                           .target = AT(parts),
                                           .value = "copy|triad|arithmetic|atomics|launches|transfers",
                                           .help = "measure only these (default: all)" },
                                         { .name = "bytes",
                                           .type = OPTION_BYTES,
                                           .target = AT(bytes),
                                           .value = "BYTES",
                                           .help = "buffer size (default: 256M, or an eighth of the device's memory)" },
                                         { 0 } };

static unsigned wanted(const struct speed_settings *set)
{
    unsigned sum = set->parts.count ? 0 : MW_SPEED_ALL;
    for (unsigned i = 0; i < set->parts.count; i++)
        sum |= parts[set->parts.item[i]];
    return sum;
}

static void put_part(struct node *to, const char *key, const char *title, double rate, const char *words)
{
    if (rate > 0)
        show_row(put_real(to, key, rate), title, "%.4g G%s", rate / 1e9, words);
}

static void put_launches(struct node *to, const struct mw_speed *s)
{
    show_row(put_seconds(to, "launch", s->launch), "launch", "%.3g us queued", 1e6 * s->launch);
    show_row(put_seconds(to, "launch_waited", s->launch_waited), "", "%.3g us waited for", 1e6 * s->launch_waited);
}

static void put_speed(struct node *to, const struct mw_speed *s)
{
    put_part(to, "copy", "copy", s->copy, "B/s");
    put_part(to, "triad", "triad", s->triad, "B/s");
    put_part(to, "single", "single", s->single, " additions and multiplications/s");
    put_part(to, "double", "double", s->twice, " additions and multiplications/s");
    put_part(to, "atomics_one", "atomics", s->atomics_one, " additions to one word/s");
    put_part(to, "atomics_many", "", s->atomics_many, " additions to many words/s");
    if (s->launch > 0)
        put_launches(to, s);
    put_part(to, "to_device", "to the device", s->to_device, "B/s");
    put_part(to, "to_device_staged", "", s->to_device_staged, "B/s from page-locked memory");
    put_part(to, "from_device", "from the device", s->from_device, "B/s");
    put_part(to, "from_device_staged", "", s->from_device_staged, "B/s to page-locked memory");
}

static int machine_speed_run(struct command *command)
{
    const struct speed_settings *set = command->settings;
    struct mw_device *device = NULL;
    struct mw_speed speed = MW_INIT(speed);
    struct node *o;
    int rc;
    TRY(device_find(&set->device, &device));
    TRY(mw_speed_measure(device, wanted(set), (size_t)set->bytes, &speed));
    o = report_object();
    put_device(o, mw_device_info(device));
    put_speed(o, &speed);
    rc = report_print(o);
out:
    device_give_back(device);
    return rc;
}

static const struct option_group groups[] = { { "Speed", options, 0 },
                                              DEVICE_GROUPS(struct speed_settings, device),
                                              { 0 } };

const struct subcommand speed_subcommand = {
    .name = "speed",
    .summary = "measure the rates of a device: memory, arithmetic, atomics, launches, transfers",
    .description =
        "Measures the reference rates of a device: a copy and STREAM's triad of buffers larger than all caches "
        "(bytes read and written); multiplications and additions in registers; atomic additions; the time of a "
        "launch; transfers between host and device. Prints medians of five turns.",
    .groups = groups,
    .settings_bytes = sizeof(struct speed_settings),
    .run = machine_speed_run,
};
/* SPDX-License-Identifier: MIT */
