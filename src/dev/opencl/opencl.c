/* The OpenCL backend: its table.  Nothing else in this folder names it. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

const struct mw_backend mw_backend_opencl = {
    .name = "opencl",
    .list = mw_cl_list,
    .open = mw_cl_open,
    .close = mw_cl_close,
    .flush = mw_cl_flush,
    .finish = mw_cl_finish,
    .buffer_new = mw_cl_buffer_new,
    .buffer_free = mw_cl_buffer_free,
    .write = mw_cl_write,
    .read = mw_cl_read,
    .copy = mw_cl_copy,
    .fill = mw_cl_fill,
    .map = mw_cl_map,
    .unmap = mw_cl_unmap,
    .staging_new = mw_cl_staging_new,
    .staging_free = mw_cl_staging_free,
    .image_check = mw_cl_image_check,
    .image_new = mw_cl_image_new,
    .image_free = mw_cl_image_free,
    .image_from = mw_cl_image_from,
    .image_to = mw_cl_image_to,
    .compiles = true,
    .identify = mw_cl_identify,
    .compile = mw_cl_compile,
    .load = mw_cl_load,
    .unload = mw_cl_unload,
    .kernel_new = mw_cl_kernel_new,
    .kernel_free = mw_cl_kernel_free,
    .launch = mw_cl_launch,
    .event_wait = mw_cl_event_wait,
    .event_seconds = mw_cl_event_seconds,
    .event_free = mw_cl_event_free,
};
