/* Images: device memory that kernels read through the texture units, by coordinates instead of addresses. The texture
 * units have a cache and address modes of their own (cl/image.clh).
 *
 * Kernels only read images; mw_image_copy_from writes them. A cell has 1, 2, 4 or 8 bytes, which are copied unchanged.
 * Kernels read a cell of 1, 2 or 4 bytes as one unsigned integer, and a cell of 8 bytes as two. Some devices do not
 * support all four sizes.
 * Native devices have no images (mw_device_info.images).
 *
 * Threads: an image belongs to the thread of its device (device.h). */
#ifndef MESHWORK_IMAGE_H
#define MESHWORK_IMAGE_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handle of an image: a 2-D or 3-D array of cells in device memory, which kernels read. */
struct mw_image;
/* Checks whether a device supports an image of a given size; returns 0 if it does. It allocates nothing, and
 * mw_image_new makes the same check.
 * - dims: number of dimensions, 2 or 3.
 * - length: number of cells along each dimension, x first.
 * - cell_bytes: bytes per cell: 1, 2, 4 or 8.
 * Errors: MW_EINVAL (invalid `dims` or `cell_bytes`, or a length of 0), MW_ENOTSUP (no images, or no cells of this
 * size), MW_ELIMIT (a length exceeds the device's maximum). */
MW_API int mw_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
/* Makes an image with undefined contents. `dims`, `length` and `cell_bytes` are those of mw_image_check; `device` may
 * be NULL. The caller frees the image by mw_image_free. Errors: those of mw_image_check; MW_ELIMIT (too much memory, as
 * for mw_buffer_new), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_image_new(struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes,
                        struct mw_image **image);
/* Frees an image; NULL is allowed. */
MW_API void mw_image_free(struct mw_image *image);
/* Returns the number of bytes of all cells of an image, which is also the number of bytes that a copy moves. */
MW_API size_t mw_image_bytes(const struct mw_image *image);
/* Copies cells from a buffer to all cells of an image on the same device. In the buffer the cells are contiguous from
 * byte `offset` on, in the order x, y, z with x fastest. The call waits if `done` is NULL: see the top of device.h.
 * Errors: MW_EINVAL (the cells exceed the buffer, or the buffer is on another device), MW_EDEVICE. */
MW_API int mw_image_copy_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event **done);
/* Copies all cells of an image to a buffer on the same device, from byte `offset` on. The order of cells, `done` and
 * the errors are those of mw_image_copy_from. */
MW_API int mw_image_copy_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event **done);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
