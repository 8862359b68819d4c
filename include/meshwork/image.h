/* Images: device memory that kernels read through the texture units, by coordinates instead of addresses, with the
 * units' cache and address modes (cl/image.clh).
 *
 * Kernels only read images: an image is filled from a buffer.  A cell has 1, 2, 4 or 8 bytes of any type, transferred
 * unchanged as unsigned words.  Some devices lack some of these sizes.  Native devices have no images;
 * mw_device_info.images is set for devices with images.
 *
 * Threads: images belong to their device's thread (device.h). */
#ifndef MESHWORK_IMAGE_H
#define MESHWORK_IMAGE_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An image on a device. */
struct mw_image;
/* Checks that a device takes an image of 2 or 3 dimensions with these lengths (x first, x contiguous) and cells of so
 * many bytes. mw_image_new makes the same check first; this call allocates nothing.  Errors: MW_EINVAL (number of
 * dimensions, size of cells, length 0); MW_ENOTSUP (a device without images, or without cells of this size); MW_ELIMIT
 * (longer than the device's limit). */
MW_API int mw_image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes);
/* Makes an image, uninitialised.  Errors: those of mw_image_check; MW_ELIMIT (more memory than is left), MW_EDEVICE. */
MW_API int mw_image_new(struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes,
                        struct mw_image **image);
/* Frees an image. */
MW_API void mw_image_free(struct mw_image *image);
/* Returns the bytes of all cells, which the copies below move. */
MW_API size_t mw_image_bytes(const struct mw_image *image);
/* Copies all cells of an image from a buffer of the same device, where they are contiguous from byte `offset` on, x
 * fastest. `done`: see device.h.  Errors: MW_EINVAL (the range, or another device), MW_EDEVICE. */
MW_API int mw_image_copy_from(struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event **done);
/* Copies all cells of an image to a buffer, in the layout and with the errors of mw_image_copy_from. */
MW_API int mw_image_copy_to(struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event **done);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
