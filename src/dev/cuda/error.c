/* The CUDA backend: what error codes mean. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdio.h>

#define CRASHED ": close the device, and run this again under compute-sanitizer to find out where"

static const struct {
    mw_cu_result error;
    enum mw_status status;
    const char *words;
} errors[] = {
    { 1, MW_EDEVICE, "the driver refused a value" },
    { 2, MW_ELIMIT, "the device's memory is full: make the problem smaller, or end what else uses the device" },
    { 3, MW_EDEVICE, "CUDA is not started, as in a child process of one that has used it" },
    { 34, MW_EDEVICE, "the library is a toolkit's stub: take its folder out of LD_LIBRARY_PATH" },
    { 46, MW_EDEVICE, "another process has the device for itself: try again, or take another" },
    { 100, MW_ENODEV, "there is no such device" },
    { 101, MW_ENODEV, "there is no such device" },
    { 200, MW_EDEVICE, "the driver does not take the compiled kernels" },
    { 201, MW_EDEVICE, "the driver has given up the device's context: close the device" },
    { 209, MW_EDEVICE, "the kernels were compiled for other devices" },
    { 214, MW_EDEVICE, "the device's memory has failed: take another device" },
    { 218, MW_EBUILD, "the driver does not compile the kernels" },
    { 222, MW_EBUILD, "NVRTC is newer than the driver: update the driver" },
    { 400, MW_EDEVICE, "invalid handle" },
    { 500, MW_EINVAL, "there is nothing of that name" },
    { 700, MW_EDEVICE, "a kernel read or wrote outside of its buffers" CRASHED },
    { 701, MW_ELIMIT, "the device has too few registers for this work-group: choose a smaller one" },
    { 702, MW_EDEVICE, "a kernel ran too long for a device that also draws a screen: close the device" },
    { 709, MW_EDEVICE, "the driver has given up the device's context: close the device" },
    { 715, MW_EDEVICE, "a kernel ran into an instruction that the device does not have" CRASHED },
    { 716, MW_EDEVICE, "a kernel read or wrote at an address that is not aligned" CRASHED },
    { 718, MW_EDEVICE, "a kernel crashed" CRASHED },
    { 719, MW_EDEVICE, "a kernel crashed" CRASHED },
    { 800, MW_EDEVICE, "the system does not allow it" },
    { 801, MW_ENOTSUP, "the device does not have it" },
    { 802, MW_EDEVICE, "the system is not ready yet: see whether NVIDIA's fabric manager runs" },
    { 803, MW_EDEVICE, "the driver's library and its kernel module are of different versions: restart the machine" },
    { 804, MW_EDEVICE, "the driver is too old for its library" },
};

static size_t find_error(mw_cu_result error)
{
    size_t i = 0;
    while (i < MW_COUNT(errors) && errors[i].error != error)
        i++;
    return i;
}

void mw_cuda_error_words(mw_cu_result error, char *words, size_t room)
{
    const size_t i = find_error(error);
    const char *name = NULL;
    if (mw_cu.GetErrorName(error, &name) != 0 || !name)
        name = "CUDA error";
    snprintf(words, room, "%s (%.60s, %u)", i < MW_COUNT(errors) ? errors[i].words : "the driver refused a call", name,
             error);
}

int mw_cuda_fail(const struct mw_device *device, mw_cu_result error, const char *what)
{
    const size_t i = find_error(error);
    char words[320];
    mw_cuda_error_words(error, words, sizeof words);
    return mw_fail(i < MW_COUNT(errors) ? errors[i].status : MW_EDEVICE, "%s (%s): %s failed: %s", device->info.id,
                   device->info.name, what, words);
}
/* SPDX-License-Identifier: MIT */
