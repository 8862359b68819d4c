/* The OpenCL backend: what is there.  A driver's counts are not trusted, but bounded. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/opencl/opencl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLATFORMS_MAX = 64, DEVICES_MAX = 256, DIMS_MAX = 16 };

static void copy_text(char *from, char *to, size_t size)
{
    mw_copy_string(to, size, from ? from : "");
    free(from);
}

static uint64_t opencl_list_number(cl_device_id device, cl_device_info what, size_t bytes)
{
    union {
        cl_uint u32;
        cl_ulong u64;
    } value = { .u64 = 0 };
    if (clGetDeviceInfo(device, what, bytes, &value, NULL) != CL_SUCCESS)
        return 0;
    return bytes == sizeof(value.u32) ? value.u32 : value.u64;
}

static const struct {
    cl_device_info what;
    size_t offset, size;
} texts[] = {
#define TEXT(what, field)                                                                                              \
    {                                                                                                                  \
        what, offsetof(struct mw_device_info, field), sizeof(((struct mw_device_info *)0)->field)                      \
    }
    TEXT(CL_DEVICE_NAME, name),
    TEXT(CL_DEVICE_VENDOR, vendor),
    TEXT(CL_DRIVER_VERSION, driver),
    TEXT(CL_DEVICE_VERSION, version),
};

/* The kind whose bit a device has; a simulator may have them all. */
static enum mw_device_kind opencl_list_kind_of(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? MW_DEVICE_GPU
           : type & CL_DEVICE_TYPE_ACCELERATOR ? MW_DEVICE_ACCELERATOR
                                               : MW_DEVICE_CPU;
}

/* ---- which hardware it is: by extensions, whose numbers older headers lack ---- */

static void set_pci(struct mw_device_info *info, unsigned domain, unsigned bus, unsigned device, unsigned function)
{
    snprintf(info->pci, sizeof(info->pci), "%04x:%02x:%02x.%x", domain & 0xffff, bus & 0xff, device & 0x1f,
             function & 7);
}

static void identify_uuid(cl_device_id device, struct mw_device_info *info)
{
    enum { DEVICE_UUID_KHR = 0x106A };
    unsigned char uuid[16];
    bool any = false;
    if (clGetDeviceInfo(device, DEVICE_UUID_KHR, sizeof(uuid), uuid, NULL) != CL_SUCCESS)
        return;
    for (size_t i = 0; i < sizeof(uuid); i++) {
        snprintf(info->uuid + 2 * i, 3, "%02x", uuid[i]);
        any = any || uuid[i] != 0;
    }
    if (!any) /* the driver announces the extension without data */
        info->uuid[0] = '\0';
}

static void identify_pci_khr(cl_device_id device, struct mw_device_info *info)
{
    enum { DEVICE_PCI_BUS_INFO_KHR = 0x410F };
    cl_uint where[4]; /* domain, bus, device, function */
    if (clGetDeviceInfo(device, DEVICE_PCI_BUS_INFO_KHR, sizeof(where), where, NULL) == CL_SUCCESS)
        set_pci(info, where[0], where[1], where[2], where[3]);
}

static void identify_nvidia(cl_device_id device, struct mw_device_info *info)
{
    enum { DEVICE_PCI_BUS_ID_NV = 0x4008, DEVICE_PCI_SLOT_ID_NV = 0x4009, DEVICE_PCI_DOMAIN_ID_NV = 0x400A };
    cl_uint bus, slot, domain = 0;
    if (info->pci[0] || clGetDeviceInfo(device, DEVICE_PCI_BUS_ID_NV, sizeof(bus), &bus, NULL) != CL_SUCCESS ||
        clGetDeviceInfo(device, DEVICE_PCI_SLOT_ID_NV, sizeof(slot), &slot, NULL) != CL_SUCCESS)
        return;
    if (clGetDeviceInfo(device, DEVICE_PCI_DOMAIN_ID_NV, sizeof(domain), &domain, NULL) != CL_SUCCESS)
        domain = 0; /* older drivers support one domain only */
    set_pci(info, domain, bus, slot >> 3, slot & 7);
}

static void identify_amd(cl_device_id device, struct mw_device_info *info)
{
    enum { DEVICE_TOPOLOGY_AMD = 0x4037, DEVICE_BOARD_NAME_AMD = 0x4038, TOPOLOGY_PCIE = 1 };
    union {
        cl_uint type;
        struct {
            cl_uint type;
            unsigned char unused[17], bus, device, function;
        } pcie;
    } topology;
    char *board = mw_cl_device_text(device, DEVICE_BOARD_NAME_AMD), code[64];
    if (board && board[0]) { /* the name proper is a code such as gfx1030 */
        mw_copy_string(code, sizeof(code), info->name);
        snprintf(info->name, sizeof(info->name), "%.60s (%s)", board, code);
    }
    free(board);
    if (!info->pci[0] &&
        clGetDeviceInfo(device, DEVICE_TOPOLOGY_AMD, sizeof(topology), &topology, NULL) == CL_SUCCESS &&
        topology.type == TOPOLOGY_PCIE)
        set_pci(info, 0, topology.pcie.bus, topology.pcie.device, topology.pcie.function);
}

static const struct {
    const char *extension;
    void (*identify)(cl_device_id device, struct mw_device_info *info);
} identities[] = {
    { "cl_khr_device_uuid", identify_uuid },
    { "cl_khr_pci_bus_info", identify_pci_khr },
    { "cl_nv_device_attribute_query", identify_nvidia },
    { "cl_amd_device_attribute_query", identify_amd },
};

/* ---- the list ---- */

static void describe_sizes(cl_device_id device, struct mw_device_info *info)
{
    size_t group = 0, dims[DIMS_MAX] = { 0 };
    cl_uint dim_count = 0;
    info->memory_bytes = opencl_list_number(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->max_alloc_bytes = opencl_list_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    info->local_bytes = opencl_list_number(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    info->compute_units = (unsigned)opencl_list_number(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    info->vector_width = (unsigned)opencl_list_number(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, sizeof(cl_uint));
    info->images = opencl_list_number(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(cl_bool)) != 0;
    info->shares_host_memory = opencl_list_number(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_bool)) != 0;
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group), &group, NULL) == CL_SUCCESS)
        info->max_group = group;
    dim_count = (cl_uint)opencl_list_number(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof(cl_uint));
    if (dim_count >= 1 && dim_count <= DIMS_MAX &&
        clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, dim_count * sizeof(size_t), dims, NULL) == CL_SUCCESS)
        memcpy(info->max_group_dims, dims, sizeof(info->max_group_dims));
}

static void opencl_list_describe(cl_device_id device, struct mw_device_info *info)
{
    for (size_t i = 0; i < MW_COUNT(texts); i++)
        copy_text(mw_cl_device_text(device, texts[i].what), (char *)info + texts[i].offset, texts[i].size);
    describe_sizes(device, info);
    info->kind = opencl_list_kind_of(opencl_list_number(device, CL_DEVICE_TYPE, sizeof(cl_device_type)));
    info->fp64 = opencl_list_number(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_device_fp_config)) != 0 ||
                 mw_cl_has_extension(device, "cl_khr_fp64");
    for (size_t i = 0; i < MW_COUNT(identities); i++) {
        if (mw_cl_has_extension(device, identities[i].extension))
            identities[i].identify(device, info);
    }
}

/* Why a device cannot be used, NULL if it can.  Version 1.1 has no fill of buffers: the call would be a jump to
 * NULL. */
static const char *unusable(cl_device_id device, const struct mw_device_info *info)
{
    unsigned major = 0, minor = 0;
    if (sscanf(info->version, "OpenCL %u.%u", &major, &minor) != 2 || major < 1 || (major == 1 && minor < 2))
        return "its version of OpenCL is older than 1.2";
    if (!opencl_list_number(device, CL_DEVICE_AVAILABLE, sizeof(cl_bool)))
        return "the driver reports it as not available";
    if (!opencl_list_number(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)))
        return "the driver has no compiler for it";
    return NULL;
}

static int list_device(const struct mw_backend *self, struct mw_device_list *list, const char *platform, cl_uint p,
                       cl_uint d, cl_device_id device)
{
    struct mw_device_info info = { .id = "" };
    snprintf(info.id, sizeof(info.id), "opencl:%u.%u", (unsigned)p, (unsigned)d);
    mw_copy_string(info.platform, sizeof(info.platform), platform);
    opencl_list_describe(device, &info);
    const char *why = unusable(device, &info);
    if (why) {
        mw_device_list_note(list, "%s (%s): passed over: %s", info.id, info.name, why);
        return 0;
    }
    return mw_device_list_add(list, self, &info, device);
}

/* PoCL builds nothing where it cannot write. */
static void note_unwritable(struct mw_device_list *list, const char *platform)
{
    struct mw_device_info info = { .id = "" };
    const char *why, *folder;
    mw_copy_string(info.platform, sizeof(info.platform), platform);
    mw_traits_detect(&info);
    if (info.traits->keeps_programs && (folder = mw_cl_unwritable(&why)) != NULL)
        mw_device_list_note(list,
                            "PoCL cannot write to POCL_CACHE_DIR=%s: %s; unset that variable, or set it to a "
                            "folder of your own",
                            folder, why);
}

static int list_platform(const struct mw_backend *self, struct mw_device_list *list, cl_uint p, cl_platform_id platform)
{
    cl_device_id devices[DEVICES_MAX];
    char name[128];
    cl_uint count = 0;
    copy_text(mw_cl_platform_text(platform, CL_PLATFORM_NAME), name, sizeof(name));
    if (!name[0])
        mw_copy_string(name, sizeof(name), "unnamed");
    note_unwritable(list, name);
    cl_int error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &count);
    if (error == CL_DEVICE_NOT_FOUND || (error == CL_SUCCESS && count == 0)) {
        const char *remedy = mw_traits_remedy(name);
        mw_device_list_note(list, "OpenCL platform %u (%s) has no devices%s%s", (unsigned)p, name, remedy ? "; " : "",
                            remedy ? remedy : "");
        return 0;
    }
    if (error != CL_SUCCESS) {
        mw_device_list_note(list, "OpenCL platform %u (%s): passed over: %s (%s, %d)", (unsigned)p, name,
                            mw_cl_error_words(error), mw_cl_error_name(error), (int)error);
        return 0;
    }
    for (cl_uint d = 0; d < count && d < DEVICES_MAX; d++)
        TRY_RETURN(list_device(self, list, name, p, d, devices[d]));
    return 0;
}

static int list_platforms(const struct mw_backend *self, struct mw_device_list *list)
{
    enum { PLATFORM_NOT_FOUND_KHR = -1001 };
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint count = 0;
    cl_int error = clGetPlatformIDs(PLATFORMS_MAX, platforms, &count);
    if (error == PLATFORM_NOT_FOUND_KHR || (error == CL_SUCCESS && count == 0)) {
        mw_device_list_note(list, "no OpenCL driver is installed (on Debian: apt install pocl-opencl-icd)");
        return 0;
    }
    if (error != CL_SUCCESS) {
        mw_device_list_note(list, "cannot list the OpenCL platforms: %s (%s, %d)", mw_cl_error_words(error),
                            mw_cl_error_name(error), (int)error);
        return 0;
    }
    for (cl_uint p = 0; p < count && p < PLATFORMS_MAX; p++)
        TRY_RETURN(list_platform(self, list, p, platforms[p]));
    return 0;
}

static int list_all(const struct mw_backend *self, struct mw_device_list *list)
{
    mw_cl_say_listing(true);
    mw_cl_watch_signals(true);
    const int rc = list_platforms(self, list);
    mw_cl_watch_signals(false);
    mw_cl_say_listing(false);
    return rc;
}

int mw_cl_list(const struct mw_backend *self, struct mw_device_list *list)
{
    mw_cl_prepare_environment();
    return mw_process_may(MW_PROCESS_TRIAL) ? mw_cl_list_tried(list_all, self, list) : list_all(self, list);
}
/* SPDX-License-Identifier: MIT */
