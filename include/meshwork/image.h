/* Images: device memory that kernels read through the texture units, by coordinates instead of addresses. The texture
 * units have a cache and address modes of their own (cl/image.clh).
 *
 * Kernels only read images; a copy from a buffer fills an image. A cell has 1, 2, 4 or 8 bytes, copied unchanged.
 * Kernels read it as unsigned integers. Some devices do not support some of these sizes. Native devices have no images:
 * see mw_device_info.images.
 *
 * Threads: an image belongs to the thread of its device (device.h). */
#ifndef MESHWORK_IMAGE_H
#define MESHWORK_IMAGE_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handle of an image on a device. */
struct mw_image;
/* Checks that a device supports an image: 2 or 3 dimensions, their lengths (x first, x contiguous) and the bytes per
 * cell. Allocates nothing. mw_image_new makes the same check. Errors: MW_EINVAL (number of dimensions, bytes per
 * cell, length 0); MW_ENOTSUP (a device without images, or without cells of this size); MW_ELIMIT (longer than the
 * device supports). */
MW_API int mw_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
/* Makes an image with undefined contents. The caller frees it by mw_image_free. Errors: those of mw_image_check;
 * MW_ELIMIT (more than the free device memory), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_image_new(struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes,
                        struct mw_image **image);
/* Frees an image; NULL is allowed. */
MW_API void mw_image_free(struct mw_image *image);
/* Returns the number of bytes of all cells: the size that a buffer needs for the copies below. */
MW_API size_t mw_image_bytes(const struct mw_image *image);
/* Copies a buffer to all cells of an image on the same device. The cells are contiguous in the buffer from byte
 * `offset` on, x fastest. `done`: see device.h. Errors: MW_EINVAL (the range exceeds the buffer, or another device),
 * MW_EDEVICE. */
MW_API int mw_image_copy_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event **done);
/* Copies all cells of an image to a buffer. Layout, `done` and errors: those of mw_image_copy_from. */
MW_API int mw_image_copy_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event **done);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
