/* The CUDA backend: what is there. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdio.h>
#include <string.h>

/* Returns an attribute, or 0 if the driver does not report it. */
static int cuda_list_number(mw_cu_device device, unsigned attribute)
{
    int value = 0;
    return mw_cu.DeviceGetAttribute(&value, attribute, device) == 0 && value > 0 ? value : 0;
}

static void identify(mw_cu_device device, struct mw_device_info *info)
{
    struct mw_cu_uuid uuid;
    char pci[sizeof info->pci + 8] = "";
    if (mw_cu.DeviceGetUuid(&uuid, device) == 0)
        for (size_t i = 0; i < sizeof uuid.bytes; i++)
            snprintf(info->uuid + 2 * i, 3, "%02x", (unsigned char)uuid.bytes[i]);
    if (mw_cu.DeviceGetPCIBusId(pci, (int)sizeof pci, device) == 0 && strlen(pci) < sizeof info->pci)
        for (size_t i = 0; pci[i]; i++)
            info->pci[i] = mw_lower(pci[i]);
}

static void cuda_list_describe(mw_cu_device device, struct mw_device_info *info)
{
    size_t bytes = 0;
    if (mw_cu.DeviceGetName(info->name, (int)sizeof info->name, device) != 0)
        mw_copy_string(info->name, sizeof info->name, "unnamed");
    mw_copy_string(info->platform, sizeof info->platform, "CUDA");
    mw_copy_string(info->vendor, sizeof info->vendor, "NVIDIA Corporation");
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", mw_cu.version / 1000, mw_cu.version % 1000 / 10);
    snprintf(info->version, sizeof info->version, "compute capability %d.%d", cuda_list_number(device, MW_CU_MAJOR),
             cuda_list_number(device, MW_CU_MINOR));
    info->kind = MW_DEVICE_GPU;
    if (mw_cu.DeviceTotalMem(&bytes, device) == 0)
        info->memory_bytes = info->max_alloc_bytes = bytes;
    info->local_bytes = (uint64_t)cuda_list_number(device, MW_CU_LOCAL_BYTES);
    info->compute_units = (unsigned)cuda_list_number(device, MW_CU_UNITS);
    info->max_group = (size_t)cuda_list_number(device, MW_CU_GROUP);
    info->max_group_dims[0] = (size_t)cuda_list_number(device, MW_CU_GROUP_X);
    info->max_group_dims[1] = (size_t)cuda_list_number(device, MW_CU_GROUP_Y);
    info->max_group_dims[2] = (size_t)cuda_list_number(device, MW_CU_GROUP_Z);
    info->vector_width = 1;
    info->fp64 = info->images = true;
    info->shares_host_memory = cuda_list_number(device, MW_CU_INTEGRATED) != 0;
    identify(device, info);
}

/* Why a device cannot be used, in words; "" if it can. */
static void print_unusable(mw_cu_device device, char *words, size_t room)
{
    const int architecture = 10 * cuda_list_number(device, MW_CU_MAJOR) + cuda_list_number(device, MW_CU_MINOR);
    const char *why;
    words[0] = '\0';
    if (cuda_list_number(device, MW_CU_COMPUTE_MODE) == MW_CU_MODE_PROHIBITED)
        snprintf(words, room, "the system's administrator has switched off computing on it");
    else if (!mw_rtc_start(mw_cu.version, &why))
        snprintf(words, room, "%s", why);
    else if (architecture < mw_rtc.architectures[0])
        snprintf(words, room,
                 "NVRTC %d.%d compiles for devices of compute capability %d.%d and later; install an "
                 "older one next to it",
                 mw_rtc.major, mw_rtc.minor, mw_rtc.architectures[0] / 10, mw_rtc.architectures[0] % 10);
}

static int list_device(const struct mw_backend *self, struct mw_device_list *list, int ordinal)
{
    struct mw_device_info info = { .id = "" };
    mw_cu_device device;
    char why[400];
    snprintf(info.id, sizeof info.id, "cuda:%d", ordinal);
    const mw_cu_result error = mw_cu.DeviceGet(&device, ordinal);
    if (error) {
        mw_cuda_error_words(error, why, sizeof why);
        mw_device_list_note(list, "%s: passed over: %s", info.id, why);
        return 0;
    }
    cuda_list_describe(device, &info);
    print_unusable(device, why, sizeof why);
    if (*why) {
        mw_device_list_note(list, "%s (%s): passed over: %s", info.id, info.name, why);
        return 0;
    }
    return mw_device_list_add(list, self, &info, (const void *)(intptr_t)ordinal);
}

int mw_cuda_list(const struct mw_backend *self, struct mw_device_list *list)
{
    const char *why;
    char words[300];
    int count = 0;
    if (!mw_cu_start(&why)) {
        if (*why)
            mw_device_list_note(list, "CUDA: passed over: %s", why);
        return 0;
    }
    const mw_cu_result error = mw_cu.DeviceGetCount(&count);
    if (error) {
        mw_cuda_error_words(error, words, sizeof words);
        mw_device_list_note(list, "CUDA: passed over: %s", words);
        return 0;
    }
    for (int i = 0; i < count && i < MW_CUDA_DEVICES_MAX; i++)
        TRY_RETURN(list_device(self, list, i));
    return 0;
}
/* SPDX-License-Identifier: MIT */
