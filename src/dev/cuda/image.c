/* The CUDA backend: images, which are arrays of unsigned words (of 8 bytes: of two of them).
 *
 * The values beyond an image's ends are a property of the texture object. An image therefore has one texture per
 * address mode that its kernels use. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdlib.h>

/* By the numbers of image.clh: the driver's, and whether coordinates run from 0 to 1. */
static const struct {
    unsigned address;
    bool from_0_to_1;
} answers[] = {
    { 1, false }, /* IMAGE_CLAMP */
    { 0, true },  /* IMAGE_REPEAT */
    { 2, true },  /* IMAGE_MIRROR */
};

/* A mw_image's impl. */
struct image {
    mw_cu_array array;
    mw_cu_texture textures[MW_COUNT(answers)];
};

static int image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes)
{
    static const unsigned limits[2][3] = {
        { MW_CU_IMAGE2D_X, MW_CU_IMAGE2D_Y },
        { MW_CU_IMAGE3D_X, MW_CU_IMAGE3D_Y, MW_CU_IMAGE3D_Z },
    };
    const struct mw_cuda_device *cuda = device->impl;
    (void)cell_bytes; /* all sizes there are */
    for (unsigned d = 0; d < dims; d++) {
        int most = 0;
        TRY_RETURN(mw_cuda_check(device, mw_cu.DeviceGetAttribute(&most, limits[dims - 2][d], cuda->device),
                                 "asking how large its images may be"));
        if (length[d] > (size_t)most)
            return mw_image_too_long(device, dims, d, length[d], (size_t)most);
    }
    return 0;
}

static int image_new(struct mw_image *image)
{
    const size_t cell = image->cell_bytes;
    const struct mw_cu_array_shape shape = {
        .width = image->length[0],
        .height = image->length[1],
        .depth = image->dims == 3 ? image->length[2] : 0,
        .format = cell == 1   ? MW_CU_U8
                  : cell == 2 ? MW_CU_U16
                              : MW_CU_U32,
        .channels = cell == 8 ? 2 : 1,
    };
    struct image *made = NULL;
    int rc;
    TRY(mw_new(1, sizeof *made, &made));
    /* Freed buffers may still be in the pool. */
    if (mw_cu.Array3DCreate(&made->array, &shape)) {
        mw_cuda_pool_trim(image->device->impl);
        TRY(mw_cuda_check(image->device, mw_cu.Array3DCreate(&made->array, &shape), "making an image"));
    }
    image->impl = MW_PASS(made);
out:
    free(made);
    return rc;
}

static void image_free(struct mw_image *image)
{
    struct image *it = image->impl;
    (void)mw_cuda_finish(image->device);
    for (size_t i = 0; i < MW_COUNT(it->textures); i++) {
        if (it->textures[i])
            (void)mw_cu.TexObjectDestroy(it->textures[i]);
    }
    (void)mw_cu.ArrayDestroy(it->array);
    free(it);
}

int mw_cuda_image_texture(struct mw_image *image, unsigned address, mw_cu_texture *texture)
{
    struct image *it = image->impl;
    const unsigned beyond = answers[address].address;
    const struct mw_cu_resource resource = { .is.array = it->array };
    const struct mw_cu_sampling sampling = {
        .address = { beyond, beyond, beyond },
        .flags = MW_CU_AS_WHOLE_NUMBERS | (answers[address].from_0_to_1 ? MW_CU_FROM_0_TO_1 : 0),
    };
    if (!it->textures[address])
        TRY_RETURN(mw_cuda_check(image->device,
                                 mw_cu.TexObjectCreate(&it->textures[address], &resource, &sampling, NULL),
                                 "preparing an image to be read"));
    *texture = it->textures[address];
    return 0;
}

static int cuda_image_copy(const struct mw_image *image, const struct mw_buffer *buffer, size_t offset, bool to_image,
                           struct mw_event *event)
{
    struct mw_device *const device = image->device;
    const struct mw_cuda_device *cuda = device->impl;
    const size_t row = image->length[0] * image->cell_bytes;
    const struct mw_cu_place array = { .kind = MW_CU_IN_ARRAY, .array = ((const struct image *)image->impl)->array };
    const struct mw_cu_place plain = {
        .kind = MW_CU_IN_DEVICE, .device = mw_cuda_address(buffer, offset), .pitch = row, .height = image->length[1]
    };
    const struct mw_cu_copy what = {
        .from = to_image ? plain : array,
        .to = to_image ? array : plain,
        .width = row,
        .height = image->length[1],
        .depth = image->length[2],
    };
    const char *const words = to_image ? "copying to an image" : "copying from an image";
    TRY_RETURN(mw_cuda_event_start(device, cuda->stream, event));
    TRY_RETURN(mw_cuda_event_queued(device, cuda->stream, event, mw_cu.Memcpy3DAsync(&what, cuda->stream), words));
    return event ? 0 : mw_cuda_check(device, mw_cu.StreamSynchronize(cuda->stream), words);
}

static int image_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event)
{
    return cuda_image_copy(to, from, offset, true, event);
}

static int image_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event)
{
    return cuda_image_copy(from, to, offset, false, event);
}

const struct mw_image_calls mw_cuda_images = {
    .check = image_check,
    .new = image_new,
    .free = image_free,
    .from = image_from,
    .to = image_to,
};
/* SPDX-License-Identifier: MIT */
