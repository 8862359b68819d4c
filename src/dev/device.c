/* Devices: opening and closing. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/core/backend.h"
#include "dev/core/given.h"
#include "dev/kernel_set.h"
#include "dev/memory/pieces.h"

#include <meshwork/interop.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Reduces the reported memory, which plans use. */
static void limit_memory(struct mw_device_info *info, uint64_t limit)
{
    if (limit && (!info->memory_bytes || info->memory_bytes > limit))
        info->memory_bytes = limit;
    if (limit && (!info->max_alloc_bytes || info->max_alloc_bytes > limit))
        info->max_alloc_bytes = limit;
}

/* Checks the work-group size of the options. */
static int check_group(const struct mw_device_info *info, size_t group)
{
    if (group == 0)
        return 0;
    if (info->kind == MW_DEVICE_NATIVE)
        return mw_fail(MW_EINVAL,
                       "a work-group size needs a device with work-groups (OpenCL or CUDA); %s is native: choose "
                       "another device or no size",
                       info->id);
    if (!MW_GROUP_IS_VALID(group))
        return mw_fail(MW_EINVAL, "invalid work-group size %zu: must be 1, 2, 4, 8, 16 or a multiple of 32", group);
    for (unsigned i = 0; i < 2; i++) {
        const size_t most = i ? info->max_group_dims[0] : info->max_group;
        if (most && group > most)
            return mw_fail(MW_ELIMIT, "invalid work-group size %zu: %s (%s) supports at most %zu work-items", group,
                           info->id, info->name, most);
    }
    return 0;
}

/* With a work-group size, CPUs also run the kernels for work-groups. */
static void use_groups(struct mw_device *device)
{
    if (device->options.group == 0)
        return;
    device->traits = *device->info.traits;
    device->traits.has_cores = false;
    device->traits.items_are_lanes = true;
    device->info.traits = &device->traits;
    device->info.cores = false;
}

static int open_listed(const struct mw_listed *listed, const struct mw_device_options *options, void *queue,
                       struct mw_device **result)
{
    struct mw_device *device = NULL;
    int rc;
    if (!listed->backend->survives_fork && listed->process != getpid())
        return mw_fail(MW_EDEVICE,
                       "%s (%s) was listed before this process was forked, and its driver and threads do "
                       "not work in the child: list devices after fork(), or start the child by posix_spawn()",
                       listed->info.id, listed->info.name);
    TRY(mw_new(1, sizeof(*device), &device));
    device->info = listed->info;
    TRY(MW_OPTIONS_TAKE(mw_device_options, options, kernel_path, &device->options));
    TRY(check_group(&device->info, device->options.group));
    if (device->options.kernel_path)
        TRY(copy_kernel_path(device->options.kernel_path, &device->kernel_path));
    device->options.kernel_path = device->kernel_path;
    device->backend = listed->backend;
    device->queue = queue;
    rc = device->backend->open(device, listed->handle);
    if (rc != 0) {
        device->backend = NULL; /* nothing to close */
        goto out;
    }
    limit_memory(&device->info, device->options.memory_limit);
    use_groups(device);
    mw_device_opened(device);
    *result = MW_PASS(device);
out:
    mw_device_close(device);
    return rc;
}

int mw_device_open(const struct mw_device_list *list, size_t position, const struct mw_device_options *options,
                   struct mw_device **device)
{
    const struct mw_listed *listed = mw_device_listed(list, position);
    if (!listed)
        return mw_fail(MW_EINVAL, "no device is at position %zu (from 0): the list has %zu devices", position,
                       mw_device_list_count(list));
    return open_listed(listed, options, NULL, device);
}

/* Finds a backend by name; it must be able to use a queue of the caller. */
static int find_backend(const char *name, const struct mw_backend **backend)
{
    for (size_t i = 0; mw_backends[i]; i++)
        if (strcmp(mw_backends[i]->name, name) == 0 && mw_backends[i]->device_of) {
            *backend = mw_backends[i];
            return 0;
        }
    return mw_fail(strcmp(name, "opencl") == 0 || strcmp(name, "cuda") == 0 ? MW_ENOTSUP : MW_EINVAL,
                   "backend \"%.40s\" cannot use queues of the caller: name \"opencl\" or \"cuda\", and build "
                   "meshwork with it",
                   name);
}

int mw_device_from_queue(const char *name, void *queue, const struct mw_device_options *options,
                         struct mw_device **device)
{
    const struct mw_backend *backend = NULL;
    struct mw_device_list *list = NULL;
    const struct mw_listed *listed;
    const void *handle = NULL;
    int rc;
    TRY(find_backend(name, &backend));
    if (!queue)
        TRY(mw_fail(MW_EINVAL, "the queue of %s is NULL: pass a valid one", name));
    TRY(mw_device_list_of(name, &list));
    TRY(backend->device_of(queue, &handle));
    for (size_t i = 0; (listed = mw_device_listed(list, i)) != NULL; i++)
        if (listed->handle == handle)
            break;
    TRY(listed ? open_listed(listed, options, queue, device)
               : mw_fail(MW_ENODEV,
                         "the device of this %s queue is not in the list of devices (see "
                         "mw_device_list_notes): %s",
                         name, mw_device_list_notes(list)));
out:
    mw_device_list_free(list);
    return rc;
}

int mw_device_open_by_name(const char *selector, const struct mw_device_options *options, struct mw_device **device)
{
    struct mw_device_list *list = NULL;
    size_t chosen[2], count = 0;
    int rc;
    TRY(mw_device_list_for(selector, &list));
    TRY(mw_device_select(list, selector, MW_COUNT(chosen), chosen, &count));
    if (count > 1) {
        rc = mw_fail(MW_EINVAL, "'%s' selects several devices, but one is needed: name one of them, for example %s",
                     selector, mw_device_list_info(list, chosen[0])->id);
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
    mw_device_closed(device);
    mw_device_default_closed(device);
    mw_staging_free(device->pieces);
    mw_copy_pool_free(device->copy_pool);
    mw_objects_forget(device);
    if (device->backend)
        device->backend->close(device);
    free(device->kernel_path);
    free(device);
}

const struct mw_device_info *mw_device_info(const struct mw_device *device) { return &device->info; }
/* SPDX-License-Identifier: MIT */
