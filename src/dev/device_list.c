/* The list of devices: what backends add to it. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/core/backend.h"
#include "dev/host/host.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { BACKENDS_MOST = 8 };

struct rows {
    struct mw_listed *entries;
    size_t count;
};
struct mw_device_list {
    struct rows shown, seconds; /* second ids of shown hardware: after the others, not counted */
    struct mw_text notes;
};

/* Two platforms may drive the same hardware; within one platform the driver's own word counts, since partitions of one
 * card share its PCI address.  A UUID is the better witness: an address counts only where one of the two devices has no
 * UUID. */
static bool same_hardware(const struct mw_device_info *a, const struct mw_device_info *b)
{
    size_t platform = strcspn(a->id, ".");
    if (platform == strcspn(b->id, ".") && strncmp(a->id, b->id, platform) == 0)
        return false;
    if (a->uuid[0] && b->uuid[0])
        return strcmp(a->uuid, b->uuid) == 0;
    return a->pci[0] && strcmp(a->pci, b->pci) == 0;
}

static int device_list_append(struct rows *rows, const struct mw_listed *row)
{
    TRY_RETURN(mw_grow(rows->count, sizeof *rows->entries, &rows->entries));
    rows->entries[rows->count++] = *row;
    return 0;
}

/* Hardware of two backends has two ids, and the position of the first. */
static int add_second(struct mw_device_list *list, struct mw_listed *shown, struct mw_listed *second)
{
    mw_copy_string(shown->info.also, sizeof(shown->info.also), second->info.id);
    mw_copy_string(second->info.also, sizeof(second->info.also), shown->info.id);
    if (second->backend->priority > shown->backend->priority) {
        const struct mw_listed first = *shown;
        *shown = *second;
        *second = first;
    }
    return device_list_append(&list->seconds, second);
}

/* A driver reports the machine's memory, of which a control group may leave less to this process. */
static void limit_to_host(struct mw_device_info *info)
{
    const uint64_t most = info->shares_host_memory ? mw_host_bytes() : 0;
    uint64_t *const sizes[] = { &info->memory_bytes, &info->max_alloc_bytes };
    for (size_t i = 0; i < MW_COUNT(sizes) && most; i++)
        *sizes[i] = *sizes[i] && *sizes[i] < most ? *sizes[i] : most;
}

int mw_device_list_add(struct mw_device_list *list, const struct mw_backend *backend, const struct mw_device_info *info,
                       const void *handle)
{
    struct mw_listed row = { *info, backend, handle, getpid() };
    row.info.backend = backend->name;
    limit_to_host(&row.info);
    mw_traits_detect(&row.info);
    for (size_t i = 0; i < list->shown.count; i++) {
        struct mw_listed *const shown = &list->shown.entries[i];
        if (!same_hardware(&shown->info, info))
            continue;
        if (shown->backend != backend && !shown->info.also[0])
            return add_second(list, shown, &row);
        mw_device_list_note(list, "%s (%s): the same hardware as %s, not listed twice", info->id, info->name,
                            shown->info.id);
        return 0;
    }
    return device_list_append(&list->shown, &row);
}

void mw_device_list_note(struct mw_device_list *list, const char *format, ...)
{
    char line[512];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof(line), format, values);
    va_end(values);
    mw_text_add(&list->notes, "%s%s", list->notes.length ? "\n" : "", line);
}

int mw_device_list_empty(struct mw_device_list **list)
{
    struct mw_device_list *made;
    TRY_RETURN(mw_new(1, sizeof(*made), &made));
    *list = made;
    return 0;
}

/* Whether the drivers of a backend were started by the parent of this process, which fork() has made. */
static bool is_lost(size_t backend)
{
    static _Atomic pid_t first[BACKENDS_MOST];
    pid_t process = 0;
    if (mw_backends[backend]->survives_fork || atomic_compare_exchange_strong(&first[backend], &process, getpid()))
        return false;
    return process != getpid();
}

static int list_backend(struct mw_device_list *list, size_t i)
{
    const struct mw_backend *const backend = mw_backends[i];
    if (!is_lost(i))
        return backend->list(backend, list);
    mw_device_list_note(list,
                        "%s: passed over: the parent of this process started its drivers before fork(), and they "
                        "do not work in the child; start the child by posix_spawn()",
                        backend->name);
    return 0;
}

int mw_device_list_of(const char *wanted, struct mw_device_list **result)
{
    struct mw_device_list *list = NULL;
    int rc;
    TRY(mw_device_list_empty(&list));
    for (size_t i = 0; mw_backends[i]; i++) {
        if (!wanted || strcmp(mw_backends[i]->name, wanted) == 0)
            TRY(list_backend(list, i));
    }
#ifndef HAVE_OPENCL
    if (!wanted)
        mw_device_list_note(list, "built without OpenCL");
#endif
    TRY(mw_text_ok(&list->notes));
    *result = MW_PASS(list);
out:
    mw_device_list_free(list);
    return rc;
}

int mw_device_list_new(struct mw_device_list **list) { return mw_device_list_of(NULL, list); }

void mw_device_list_free(struct mw_device_list *list)
{
    if (!list)
        return;
    free(list->shown.entries);
    free(list->seconds.entries);
    mw_text_free(&list->notes);
    free(list);
}

size_t mw_device_list_count(const struct mw_device_list *list) { return list->shown.count; }

const struct mw_listed *mw_device_listed(const struct mw_device_list *list, size_t i)
{
    const size_t shown = list->shown.count;
    return i < shown                         ? &list->shown.entries[i]
           : i - shown < list->seconds.count ? &list->seconds.entries[i - shown]
                                             : NULL;
}

const struct mw_device_info *mw_device_list_info(const struct mw_device_list *list, size_t i)
{
    const struct mw_listed *const listed = mw_device_listed(list, i);
    return listed ? &listed->info : NULL;
}

const char *mw_device_list_notes(const struct mw_device_list *list) { return list->notes.data ? list->notes.data : ""; }
/* SPDX-License-Identifier: MIT */
