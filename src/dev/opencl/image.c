/* The OpenCL backend: images.
 *
 * Cells are unsigned words (two for 8 bytes), and kernels reinterpret them: images of type CL_FLOAT may lose subnormal
 * numbers, and OpenCL has no images of doubles. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <stdlib.h>

static cl_image_format format_of(size_t cell_bytes)
{
    return (cl_image_format){
        cell_bytes == 8 ? CL_RG : CL_R,
        cell_bytes == 1   ? CL_UNSIGNED_INT8
        : cell_bytes == 2 ? CL_UNSIGNED_INT16
                          : CL_UNSIGNED_INT32,
    };
}

static cl_mem_object_type opencl_image_type_of(unsigned dims)
{
    return dims == 2 ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_IMAGE3D;
}

static int check_format(const struct mw_device *device, unsigned dims, size_t cell_bytes)
{
    const struct mw_cl_device *cl = device->impl;
    const cl_image_format wanted = format_of(cell_bytes);
    cl_image_format *formats = NULL;
    cl_uint count = 0;
    bool found = false;
    int rc = 0;
    TRY(mw_cl_check(device,
                    clGetSupportedImageFormats(cl->context, CL_MEM_READ_ONLY, opencl_image_type_of(dims), 0, NULL,
                                               &count),
                    "asking for its types of images"));
    TRY(mw_new(count, sizeof(*formats), &formats));
    TRY(mw_cl_check(device,
                    clGetSupportedImageFormats(cl->context, CL_MEM_READ_ONLY, opencl_image_type_of(dims), count,
                                               formats, NULL),
                    "asking for its types of images"));
    for (cl_uint i = 0; i < count; i++)
        found = found || (formats[i].image_channel_order == wanted.image_channel_order &&
                          formats[i].image_channel_data_type == wanted.image_channel_data_type);
    if (!found)
        rc = mw_fail(MW_ENOTSUP,
                     "%s (%s) has no images with cells of %zu byte%s in %u dimensions: choose a variant "
                     "without images, or values of another size",
                     device->info.id, device->info.name, cell_bytes, MW_S(cell_bytes), dims);
out:
    free(formats);
    return rc;
}

int mw_cl_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes)
{
    static const cl_device_info limits[2][3] = {
        { CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT },
        { CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH },
    };
    const struct mw_cl_device *cl = device->impl;
    for (unsigned d = 0; d < dims; d++) {
        size_t most = 0;
        TRY_RETURN(mw_cl_check(device, clGetDeviceInfo(cl->id, limits[dims - 2][d], sizeof(most), &most, NULL),
                               "asking how large its images may be"));
        if (length[d] > most)
            return mw_fail(MW_ELIMIT,
                           "%s (%s) has images of at most %zu cells in dimension %u (from 0) of %u, but %zu are "
                           "needed: make it smaller, or choose a variant without images",
                           device->info.id, device->info.name, most, d, dims, length[d]);
    }
    return check_format(device, dims, cell_bytes);
}

int mw_cl_image_new(struct mw_image *image)
{
    const struct mw_cl_device *cl = image->device->impl;
    const cl_image_format format = format_of(image->cell_bytes);
    const cl_image_desc shape = {
        .image_type = opencl_image_type_of(image->dims),
        .image_width = image->length[0],
        .image_height = image->length[1],
        .image_depth = image->length[2],
    };
    cl_int error = CL_SUCCESS;
    cl_mem made = clCreateImage(cl->context, CL_MEM_READ_ONLY, &format, &shape, NULL, &error);
    TRY_RETURN(mw_cl_check(image->device, error, "making an image"));
    image->impl = made;
    return 0;
}

void mw_cl_image_free(struct mw_image *image) { clReleaseMemObject(image->impl); }

static const size_t origin[3] = { 0, 0, 0 };

int mw_cl_image_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event)
{
    const struct mw_cl_device *cl = to->device->impl;
    cl_event made = NULL;
    TRY_RETURN(mw_cl_check(to->device,
                           clEnqueueCopyBufferToImage(cl->queue, from->impl, to->impl, offset, origin, to->length, 0,
                                                      NULL, event ? &made : NULL),
                           "copying to an image"));
    if (event)
        event->impl = made;
    else
        TRY_RETURN(mw_cl_check(to->device, clFinish(cl->queue), "copying to an image"));
    return 0;
}

int mw_cl_image_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event)
{
    const struct mw_cl_device *cl = from->device->impl;
    cl_event made = NULL;
    TRY_RETURN(mw_cl_check(from->device,
                           clEnqueueCopyImageToBuffer(cl->queue, from->impl, to->impl, origin, from->length, offset, 0,
                                                      NULL, event ? &made : NULL),
                           "copying from an image"));
    if (event)
        event->impl = made;
    else
        TRY_RETURN(mw_cl_check(from->device, clFinish(cl->queue), "copying from an image"));
    return 0;
}
/* SPDX-License-Identifier: MIT */
