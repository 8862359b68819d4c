/* Devices: the list of what there is, opening and closing, waiting. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct mw_device_info info;
    const struct mw_backend *backend;
    const void *handle;
};

struct mw_device_list {
    struct entry *entries;
    size_t count, room;
    struct mw_text notes;
};

/* Two platforms may drive the same hardware; within one platform the driver's own word counts, since partitions of one
 * card share its PCI address.  A UUID is the better
 * witness: an address counts only where one of the two devices has no UUID. */
static bool same_hardware(const struct mw_device_info *a, const struct mw_device_info *b)
{
    size_t platform = strcspn(a->id, ".");
    if (platform == strcspn(b->id, ".") && strncmp(a->id, b->id, platform) == 0)
        return false;
    if (a->uuid[0] && b->uuid[0])
        return strcmp(a->uuid, b->uuid) == 0;
    return a->pci[0] && strcmp(a->pci, b->pci) == 0;
}

int mw_device_list_add(struct mw_device_list *list, const struct mw_backend *backend,
                       const struct mw_device_info *info, const void *handle)
{
    for (size_t i = 0; i < list->count; i++) {
        if (same_hardware(&list->entries[i].info, info)) {
            mw_device_list_note(list, "%s (%s): the same hardware as %s, not listed twice", info->id, info->name,
                                list->entries[i].info.id);
            return 0;
        }
    }
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        struct entry *entries = realloc(list->entries, room * sizeof(*entries));
        if (!entries)
            return mw_fail(MW_ENOMEM, "out of memory while listing devices");
        list->entries = entries;
        list->room = room;
    }
    list->entries[list->count++] = (struct entry) { *info, backend, handle };
    return 0;
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
    int rc;
    TRY(mw_new(1, sizeof(*made), &made));
    *list = made;
out:
    return rc;
}

/* Lists the devices of the backends that `wanted` names, of all for NULL. */
static int list_backends(const char *wanted, struct mw_device_list **result)
{
    struct mw_device_list *list = NULL;
    int rc;
    TRY(mw_device_list_empty(&list));
    for (size_t i = 0; mw_backends[i]; i++) {
        if (!wanted || strcmp(mw_backends[i]->name, wanted) == 0)
            TRY(mw_backends[i]->list(list));
    }
#ifndef HAVE_OPENCL
    if (!wanted)
        mw_device_list_note(list, "built without OpenCL: native devices only");
#endif
    TRY(mw_text_ok(&list->notes));
    *result = list;
    list = NULL;
out:
    mw_device_list_free(list);
    return rc;
}

int mw_device_list_new(struct mw_device_list **list)
{
    return list_backends(NULL, list);
}

void mw_device_list_free(struct mw_device_list *list)
{
    if (!list)
        return;
    free(list->entries);
    mw_text_free(&list->notes);
    free(list);
}

size_t mw_device_list_count(const struct mw_device_list *list)
{
    return list->count;
}

const struct mw_device_info *mw_device_list_info(const struct mw_device_list *list, size_t i)
{
    return i < list->count ? &list->entries[i].info : NULL;
}

const char *mw_device_list_notes(const struct mw_device_list *list)
{
    return list->notes.data ? list->notes.data : "";
}

static int copy_kernel_path(const char *from, char **copy)
{
    char *resolved = realpath(from, NULL);
    if (resolved) {
        *copy = resolved;
        return 0;
    }
    /* Not there (yet): the failure belongs to the first program that is looked for in it. */
    return mw_strdup(from, copy);
}

int mw_device_open(const struct mw_device_list *list, size_t position, const struct mw_device_options *options,
                   struct mw_device **result)
{
    struct mw_device *device = NULL;
    int rc;
    if (position >= list->count)
        return mw_fail(MW_EINVAL, "no device at position %zu: the list holds %zu", position, list->count);
    const struct entry *entry = &list->entries[position];
    TRY(mw_new(1, sizeof(*device), &device));
    device->info = entry->info;
    TRY(MW_OPTIONS_TAKE(mw_device_options, options, kernel_path, &device->options));
    if (device->options.kernel_path)
        TRY(copy_kernel_path(device->options.kernel_path, &device->kernel_path));
    device->options.kernel_path = device->kernel_path;
    device->backend = entry->backend;
    rc = device->backend->open(device, entry->handle);
    if (rc != 0) {
        device->backend = NULL; /* nothing to close */
        goto out;
    }
    *result = device;
    device = NULL;
out:
    mw_device_close(device);
    return rc;
}

/* True when every term of a selector can only mean a native executor: then no driver is loaded, which costs more than
 * the start of a small run. */
static bool names_native_only(const char *selector)
{
    if (!selector || !*selector)
        return false;
    for (const char *term = selector;; term++) {
        size_t length = strcspn(term, ",");
        bool native = length >= 6 && strncmp(term, "native", 6) == 0 && (length == 6 || term[6] == ':');
        if (!native)
            return false;
        term += length;
        if (!*term)
            return true;
    }
}

int mw_device_open_by_name(const char *selector, const struct mw_device_options *options, struct mw_device **device)
{
    struct mw_device_list *list = NULL;
    const bool native_only = names_native_only(selector);
    size_t chosen[2], count = 0;
    int rc;
    TRY(list_backends(native_only ? "native" : NULL, &list));
    rc = mw_device_select(list, selector, MW_COUNT(chosen), chosen, &count);
    if (rc == MW_ENODEV && native_only) {
        /* The message lists what there is, each under the index that it has among all. */
        mw_device_list_free(list);
        list = NULL;
        TRY(list_backends(NULL, &list));
        rc = mw_device_select(list, selector, MW_COUNT(chosen), chosen, &count);
    }
    if (rc != 0)
        goto out;
    if (count > 1) {
        rc = mw_fail(MW_EINVAL, "'%s' names several devices, and this takes one: name one of them, for example %s",
                     selector, list->entries[chosen[0]].info.id);
        goto out;
    }
    TRY(mw_device_open(list, chosen[0], options, device));
out:
    mw_device_list_free(list);
    return rc;
}

void mw_device_close(struct mw_device *device)
{
    if (!device)
        return;
    if (device->backend)
        device->backend->close(device);
    free(device->kernel_path);
    free(device);
}

const struct mw_device_info *mw_device_info(const struct mw_device *device)
{
    return &device->info;
}

int mw_device_flush(struct mw_device *device)
{
    return device->backend->flush(device);
}

int mw_device_finish(struct mw_device *device)
{
    return device->backend->finish(device);
}

int mw_event_new(struct mw_device *device, struct mw_event **event)
{
    struct mw_event *made;
    int rc;
    TRY(mw_new(1, sizeof(*made), &made));
    made->device = device;
    *event = made;
out:
    return rc;
}

int mw_event_wait(struct mw_event *event)
{
    return event->impl ? event->device->backend->event_wait(event) : 0;
}

int mw_event_seconds(const struct mw_event *event, double *seconds)
{
    if (event->impl)
        return event->device->backend->event_seconds(event, seconds);
    *seconds = 0.0;
    return 0;
}

void mw_event_free(struct mw_event *event)
{
    if (!event)
        return;
    if (event->impl)
        event->device->backend->event_free(event);
    free(event);
}
