/* The OpenCL backend: what error codes mean. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

static const struct {
    cl_int error;
    enum mw_status status;
    const char *name, *words;
} errors[] = {
    { CL_DEVICE_NOT_FOUND, MW_ENODEV, "CL_DEVICE_NOT_FOUND", "there is no such device" },
    { CL_DEVICE_NOT_AVAILABLE, MW_EDEVICE, "CL_DEVICE_NOT_AVAILABLE",
      "the device is in use or gone: try again, or take another" },
    { CL_COMPILER_NOT_AVAILABLE, MW_EDEVICE, "CL_COMPILER_NOT_AVAILABLE", "the driver has no compiler" },
    { CL_MEM_OBJECT_ALLOCATION_FAILURE, MW_ELIMIT, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
      "the device's memory is full: make the problem smaller, or end what else uses the device" },
    { CL_OUT_OF_RESOURCES, MW_EDEVICE, "CL_OUT_OF_RESOURCES",
      "the driver ran out of resources, or a kernel of this run crashed or ran too long: no more can be done on it" },
    { CL_OUT_OF_HOST_MEMORY, MW_ENOMEM, "CL_OUT_OF_HOST_MEMORY", "the driver ran out of the host's memory" },
    { CL_PROFILING_INFO_NOT_AVAILABLE, MW_ENOTSUP, "CL_PROFILING_INFO_NOT_AVAILABLE",
      "no times are recorded: open the device with profiling, and wait for the event first" },
    { CL_BUILD_PROGRAM_FAILURE, MW_EBUILD, "CL_BUILD_PROGRAM_FAILURE", "the compiler refused the kernels" },
    { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, MW_EDEVICE, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
      "the work that was waited for failed" },
    { CL_INVALID_VALUE, MW_EDEVICE, "CL_INVALID_VALUE", "the driver refused a value" },
    { CL_INVALID_DEVICE, MW_EDEVICE, "CL_INVALID_DEVICE", "the device is not there any more" },
    { CL_INVALID_CONTEXT, MW_EDEVICE, "CL_INVALID_CONTEXT",
      "the driver has given up the device's context: close the device" },
    { CL_INVALID_COMMAND_QUEUE, MW_EDEVICE, "CL_INVALID_COMMAND_QUEUE",
      "the device was lost, often by a kernel that crashed or ran too long: close the device" },
    { CL_INVALID_MEM_OBJECT, MW_EDEVICE, "CL_INVALID_MEM_OBJECT", "invalid buffer" },
    { CL_INVALID_BUILD_OPTIONS, MW_EBUILD, "CL_INVALID_BUILD_OPTIONS", "the compiler rejects an option" },
    { CL_INVALID_KERNEL_NAME, MW_EINVAL, "CL_INVALID_KERNEL_NAME", "the program has no kernel of that name" },
    { CL_INVALID_KERNEL_ARGS, MW_EINVAL, "CL_INVALID_KERNEL_ARGS", "not all arguments are set" },
    { CL_INVALID_ARG_INDEX, MW_EINVAL, "CL_INVALID_ARG_INDEX", "the kernel has fewer arguments" },
    { CL_INVALID_ARG_VALUE, MW_EINVAL, "CL_INVALID_ARG_VALUE", "the argument has another type" },
    { CL_INVALID_ARG_SIZE, MW_EINVAL, "CL_INVALID_ARG_SIZE", "the argument has another size" },
    { CL_INVALID_WORK_GROUP_SIZE, MW_ELIMIT, "CL_INVALID_WORK_GROUP_SIZE",
      "the device does not take this work-group: choose a smaller one" },
    { CL_INVALID_WORK_ITEM_SIZE, MW_ELIMIT, "CL_INVALID_WORK_ITEM_SIZE",
      "the device does not take this work-group: choose a smaller one" },
    { CL_INVALID_GLOBAL_WORK_SIZE, MW_ELIMIT, "CL_INVALID_GLOBAL_WORK_SIZE",
      "the device does not take so many work-items" },
    { CL_INVALID_BUFFER_SIZE, MW_ELIMIT, "CL_INVALID_BUFFER_SIZE", "the device does not take a buffer of that size" },
    { CL_INVALID_IMAGE_SIZE, MW_ELIMIT, "CL_INVALID_IMAGE_SIZE", "the device does not take an image of that size" },
    { CL_IMAGE_FORMAT_NOT_SUPPORTED, MW_ENOTSUP, "CL_IMAGE_FORMAT_NOT_SUPPORTED",
      "the device has no images of that type" },
    { CL_INVALID_PLATFORM, MW_EDEVICE, "CL_INVALID_PLATFORM", "the driver rejects its own platform" },
    { CL_INVALID_OPERATION, MW_EDEVICE, "CL_INVALID_OPERATION", "the driver refused the operation" },
    { -9999, MW_EDEVICE, "NVIDIA's -9999", "a kernel read or wrote outside of its buffers: close the device" },
};

static size_t find_error(cl_int error)
{
    size_t i = 0;
    while (i < MW_COUNT(errors) && errors[i].error != error)
        i++;
    return i;
}

bool mw_cl_error_is_known(cl_int error) { return find_error(error) < MW_COUNT(errors); }

const char *mw_cl_error_name(cl_int error)
{
    size_t i = find_error(error);
    return i < MW_COUNT(errors) ? errors[i].name : "OpenCL error";
}

const char *mw_cl_error_words(cl_int error)
{
    size_t i = find_error(error);
    return i < MW_COUNT(errors) ? errors[i].words : "the driver refused a call";
}

int mw_cl_fail(const struct mw_device *device, cl_int error, const char *what)
{
    size_t i = find_error(error);
    return mw_fail(i < MW_COUNT(errors) ? errors[i].status : MW_EDEVICE, "%s (%s): %s failed: %s (%s, %d)",
                   device->info.id, device->info.name, what, mw_cl_error_words(error), mw_cl_error_name(error),
                   (int)error);
}
/* SPDX-License-Identifier: MIT */
