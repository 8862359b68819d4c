/* Buffers and kernels that an owner frees (struct mw_owner). Internal. */
#ifndef MW_DEV_OWN_H
#define MW_DEV_OWN_H

#include "dev/kernel_set.h"

/* Makes a buffer as mw_buffer_new does, which the owner frees. */
int mw_own_buffer(struct mw_owner *owner, struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* The same for a buffer of zeros. */
int mw_own_zeros(struct mw_owner *owner, struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* The same for a buffer with a copy of `bytes` bytes of the host's. */
int mw_own_copy(struct mw_owner *owner, struct mw_device *device, size_t bytes, const void *from,
                struct mw_buffer **buffer);
/* Builds kernels as mw_kernel_set_new does, which the owner frees. */
int mw_own_kernels(struct mw_owner *owner, struct mw_device *device, const struct mw_kernel_list *list,
                   const struct mw_kernel_options *options, struct mw_kernel_set **set);
/* The same with the lines of mw_strict_atomics before options->defines, and those of a text after it. Frees the
 * text. */
int mw_own_kernels_text(struct mw_owner *owner, struct mw_device *device, const struct mw_kernel_list *list,
                        const struct mw_kernel_options *options, struct mw_text *text, struct mw_kernel_set **set);
/* Ensures that a buffer, NULL at first, has at least `bytes` bytes. If it has fewer, another one without its contents
 * replaces it. */
int mw_buffer_reserve(struct mw_device *device, size_t bytes, struct mw_buffer **buffer);
/* Returns "#define STRICT_ATOMICS 1" (cl/prim/atomics.clh) for devices with that trait, otherwise "": plain loads are
 * then never torn, and much faster. */
const char *mw_strict_atomics(const struct mw_device *device);

#endif
/* SPDX-License-Identifier: MIT */
