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

static int image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes)
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
            return mw_image_too_long(device, dims, d, length[d], most);
    }
    return check_format(device, dims, cell_bytes);
}

static int image_new(struct mw_image *image)
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

static void image_free(struct mw_image *image) { clReleaseMemObject(image->impl); }

static int copy_cells(const struct mw_image *image, struct mw_buffer *buffer, size_t offset, bool to_image,
                      struct mw_event *event)
{
    static const size_t origin[3] = { 0, 0, 0 };
    const char *const what = to_image ? "copying to an image" : "copying from an image";
    const struct mw_cl_device *cl = image->device->impl;
    cl_event made = NULL, *const wanted = event ? &made : NULL;
    const cl_int error = to_image ? clEnqueueCopyBufferToImage(cl->queue, buffer->impl, image->impl, offset, origin,
                                                               image->length, 0, NULL, wanted)
                                  : clEnqueueCopyImageToBuffer(cl->queue, image->impl, buffer->impl, origin,
                                                               image->length, offset, 0, NULL, wanted);
    TRY_RETURN(mw_cl_check(image->device, error, what));
    if (!event)
        return mw_cl_check(image->device, clFinish(cl->queue), what);
    event->impl = made;
    return 0;
}

static int image_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event)
{
    return copy_cells(to, from, offset, true, event);
}

static int image_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event)
{
    return copy_cells(from, to, offset, false, event);
}

const struct mw_image_calls mw_cl_images = {
    .check = image_check,
    .new = image_new,
    .free = image_free,
    .from = image_from,
    .to = image_to,
};
/* SPDX-License-Identifier: MIT */
