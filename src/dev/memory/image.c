/* Images: checks, the budget, and the call of the backend. */
#include "dev/core/backend.h"
#include "dev/core/given.h"

#include <stdlib.h>

int mw_image_too_long(const struct mw_device *device, unsigned dims, unsigned d, size_t length, size_t most)
{
    return mw_fail(MW_ELIMIT,
                   "%s (%s) has images of at most %zu cells in dimension %u (from 0) of %u, but %zu are needed: make "
                   "it smaller, or choose a variant without images",
                   device->info.id, device->info.name, most, d, dims, length);
}

int mw_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes)
{
    const struct mw_device_info *info = &device->info;
    if (dims < 2 || dims > 3)
        return mw_fail(MW_EINVAL, "images must have 2 or 3 dimensions, not %u: use a buffer", dims);
    if (cell_bytes != 1 && cell_bytes != 2 && cell_bytes != 4 && cell_bytes != 8)
        return mw_fail(MW_EINVAL, "cells of an image must have 1, 2, 4 or 8 bytes, not %zu: use a buffer", cell_bytes);
    for (unsigned d = 0; d < dims; d++) {
        if (length[d] == 0)
            return mw_fail(MW_EINVAL, "image dimension %u has length 0 (must be 1 or more)", d);
    }
    if (!info->images || !device->backend->images)
        return mw_fail(MW_ENOTSUP, "%s (%s) has no images: choose a variant without them, or another device", info->id,
                       info->name);
    return device->backend->images->check(device, dims, length, cell_bytes);
}

static int count_bytes(struct mw_image *image)
{
    size_t bytes = image->cell_bytes;
    for (unsigned d = 0; d < image->dims; d++) {
        if (!mw_mul(bytes, image->length[d], &bytes))
            return mw_fail(MW_ELIMIT, "the image exceeds the address space: make it smaller");
    }
    image->bytes = bytes;
    return 0;
}

int mw_image_new(struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes,
                 struct mw_image **result)
{
    struct mw_image *image = NULL;
    int rc;
    TRY(mw_device_given(&device));
    TRY(mw_image_check(device, dims, length, cell_bytes));
    TRY(mw_new(1, sizeof(*image), &image));
    image->device = device;
    image->dims = dims;
    image->cell_bytes = cell_bytes;
    for (unsigned d = 0; d < MW_COUNT(image->length); d++)
        image->length[d] = d < dims ? length[d] : 1;
    TRY(count_bytes(image));
    TRY(mw_budget_check(device, "image", image->bytes));
    TRY(MW_CALL(device, device->backend->images->new (image)));
    device->allocated += image->bytes;
    *result = MW_PASS(image);
out:
    free(image);
    return rc;
}

void mw_image_free(struct mw_image *image)
{
    if (!image)
        return;
    MW_CALL_FREE(image->device, image->device->backend->images->free(image));
    image->device->allocated -= image->bytes;
    free(image);
}

size_t mw_image_bytes(const struct mw_image *image) { return image->bytes; }

typedef int copy_fn(struct mw_image *image, struct mw_buffer *buffer, size_t offset, struct mw_event *event);

static int memory_image_copy(struct mw_image *image, struct mw_buffer *buffer, size_t offset, copy_fn *how,
                             struct mw_event **done)
{
    const char *id = image->device->info.id;
    struct mw_event *event = NULL;
    int rc;
    if (image->device != buffer->device)
        return mw_fail(MW_EINVAL, "an image of %s and a buffer of %s must be on the same device to be copied", id,
                       buffer->device->info.id);
    if (offset > buffer->bytes || image->bytes > buffer->bytes - offset)
        return mw_fail(MW_EINVAL, "%s: %zu bytes of an image at offset %zu exceed a buffer of %zu bytes", id,
                       image->bytes, offset, buffer->bytes);
    if (done)
        TRY(mw_event_new(image->device, &event));
    TRY(MW_CALL(image->device, how(image, buffer, offset, event)));
    if (done)
        *done = MW_PASS(event);
out:
    free(event);
    return rc;
}

int mw_image_copy_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event **done)
{
    return memory_image_copy(to, from, offset, to->device->backend->images->from, done);
}

int mw_image_copy_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event **done)
{
    return memory_image_copy(from, to, offset, from->device->backend->images->to, done);
}
/* SPDX-License-Identifier: MIT */
