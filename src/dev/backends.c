/* The backends, in the order in which their devices are listed. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/core/backend.h"

extern const struct mw_backend mw_backend_cuda, mw_backend_native, mw_backend_opencl;

const struct mw_backend *const mw_backends[] = {
#ifdef HAVE_OPENCL
    &mw_backend_opencl,
#endif
#ifdef HAVE_CUDA
    &mw_backend_cuda,
#endif
    &mw_backend_native, NULL
};
/* SPDX-License-Identifier: MIT */
