/* Devices of commands.  Workers keep theirs open between runs, with the programs that they have loaded. */
#include "tools/cli/groups.h"

/* A device that a run has opened, and what it was opened with. */
struct kept {
    char *selector, *kernel_path, *shape; /* NULL: as in the settings */
    uint64_t threads, memory_limit;
    size_t place; /* among the devices of the selector */
    struct mw_device *device;
    bool used; /* by the current run */
};

static bool keeping;
static struct kept *kept;
static size_t kept_count;

void devices_keep(void) { keeping = true; }

static bool is_same(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

struct mw_device *device_kept(const struct device_settings *settings, size_t place)
{
    for (size_t i = 0; i < kept_count; i++) {
        struct kept *k = &kept[i];
        if (!k->used && k->place == place && is_same(k->selector, settings->selector) &&
            is_same(k->kernel_path, settings->kernel_path) && is_same(k->shape, settings->shape) &&
            k->threads == settings->threads && k->memory_limit == settings->memory_limit) {
            k->used = true;
            return k->device;
        }
    }
    return NULL;
}

/* Without memory for the entry, the device is closed after the run. */
void device_note(const struct device_settings *settings, size_t place, struct mw_device *device)
{
    struct kept k = { .threads = settings->threads,
                      .memory_limit = settings->memory_limit,
                      .place = place,
                      .device = device,
                      .used = true };
    if (!keeping)
        return;
    if ((!settings->selector || mw_strdup(settings->selector, &k.selector) == 0) &&
        (!settings->kernel_path || mw_strdup(settings->kernel_path, &k.kernel_path) == 0) &&
        (!settings->shape || mw_strdup(settings->shape, &k.shape) == 0) &&
        mw_grow(kept_count, sizeof(*kept), &kept) == 0) {
        kept[kept_count++] = k;
        return;
    }
    free(k.selector);
    free(k.kernel_path);
    free(k.shape);
}

void device_give_back(struct mw_device *device)
{
    for (size_t i = 0; i < kept_count; i++)
        if (kept[i].device == device) {
            kept[i].used = false;
            return;
        }
    mw_device_close(device);
}

void devices_drop(void)
{
    for (size_t i = 0; i < kept_count; i++) {
        mw_device_close(kept[i].device);
        free(kept[i].selector);
        free(kept[i].kernel_path);
        free(kept[i].shape);
    }
    free(kept);
    kept = NULL;
    kept_count = 0;
}
/* SPDX-License-Identifier: MIT */
