/* An OpenCL driver that misbehaves on request, for tests. $MESHWORK_DUMMY selects the behaviour:
 *   none     no platform
 *   empty    a platform without devices
 *   broken   a platform with calls that all fail
 *   closed   a GPU that is listed, but for which no context can be made
 *   cpu      the same for a CPU
 *   aborts   ends the process listing its platform; exits does so by exit(), crashes when devices are listed
 *   hangs    hangs as soon as it is loaded */
#define CL_TARGET_OPENCL_VERSION 120
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#define EXPORT __attribute__((visibility("default")))

static cl_icd_dispatch dispatch;

/* The loader reads the first word of every object. */
struct _cl_platform_id {
    cl_icd_dispatch *dispatch;
};
struct _cl_device_id {
    cl_icd_dispatch *dispatch;
};
static struct _cl_platform_id platform = { &dispatch };
static struct _cl_device_id device = { &dispatch };

static int behaves(const char *name)
{
    const char *wanted = getenv("MESHWORK_DUMMY");
    return wanted && strcmp(wanted, name) == 0;
}

__attribute__((constructor)) static void hang(void)
{
    while (behaves("hangs"))
        pause();
}

static cl_int give(const void *value, size_t bytes, size_t room, void *to, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (to && room < bytes)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id id, cl_platform_info name, size_t room, void *to,
                                            size_t *needed)
{
    /* clang-format off */
    static const struct { cl_platform_info name; const char *text; } rows[] = {
        { CL_PLATFORM_PROFILE, "FULL_PROFILE" }, { CL_PLATFORM_VERSION, "OpenCL 1.2 dummy" },
        { CL_PLATFORM_NAME, "Dummy" }, { CL_PLATFORM_VENDOR, "Nobody" },
        { CL_PLATFORM_EXTENSIONS, "cl_khr_icd" }, { CL_PLATFORM_ICD_SUFFIX_KHR, "DUMMY" },
    };
    /* clang-format on */
    /* Without these two the loader itself rejects the driver. */
    if (behaves("broken") && name != CL_PLATFORM_EXTENSIONS && name != CL_PLATFORM_ICD_SUFFIX_KHR)
        return CL_OUT_OF_RESOURCES;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].name == name)
            return give(rows[i].text, strlen(rows[i].text) + 1, room, to, needed);
    }
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id id, cl_device_type type, cl_uint room, cl_device_id *devices,
                                         cl_uint *count)
{
    if (behaves("crashes"))
        raise(SIGSEGV);
    if (behaves("broken"))
        return CL_OUT_OF_HOST_MEMORY;
    if (!(behaves("closed") || behaves("cpu")) || !(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
        return CL_DEVICE_NOT_FOUND;
    if (devices && room > 0)
        devices[0] = &device;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_device_info(cl_device_id id, cl_device_info name, size_t room, void *to, size_t *needed)
{
    /* clang-format off */
    static const struct { cl_device_info name; const char *text; } texts[] = {
        { CL_DEVICE_NAME, "Dummy device" }, { CL_DEVICE_VENDOR, "Nobody" }, { CL_DRIVER_VERSION, "0" },
        { CL_DEVICE_VERSION, "OpenCL 1.2 dummy" }, { CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 dummy" },
        { CL_DEVICE_PROFILE, "FULL_PROFILE" }, { CL_DEVICE_EXTENSIONS, "" },
    };
    /* clang-format on */
    static const struct {
        cl_device_info name;
        cl_ulong value;
        size_t bytes;
    } numbers[] = {
        { CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU, sizeof(cl_device_type) },
        { CL_DEVICE_AVAILABLE, CL_TRUE, sizeof(cl_bool) },
        { CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE, sizeof(cl_bool) },
        { CL_DEVICE_MAX_COMPUTE_UNITS, 1, sizeof(cl_uint) },
        { CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3, sizeof(cl_uint) },
        { CL_DEVICE_MAX_WORK_GROUP_SIZE, 64, sizeof(size_t) },
        { CL_DEVICE_GLOBAL_MEM_SIZE, 1 << 30, sizeof(cl_ulong) },
        { CL_DEVICE_MAX_MEM_ALLOC_SIZE, 1 << 28, sizeof(cl_ulong) },
        { CL_DEVICE_LOCAL_MEM_SIZE, 1 << 15, sizeof(cl_ulong) },
    };
    static const size_t group[3] = { 64, 64, 64 };
    const cl_device_type type = CL_DEVICE_TYPE_CPU;
    if (name == CL_DEVICE_TYPE && behaves("cpu"))
        return give(&type, sizeof type, room, to, needed);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].name == name)
            return give(texts[i].text, strlen(texts[i].text) + 1, room, to, needed);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cl_uint narrow = (cl_uint)numbers[i].value;
        if (numbers[i].name == name)
            return numbers[i].bytes == sizeof narrow ? give(&narrow, sizeof narrow, room, to, needed)
                                                     : give(&numbers[i].value, numbers[i].bytes, room, to, needed);
    }
    if (name == CL_DEVICE_MAX_WORK_ITEM_SIZES)
        return give(group, sizeof group, room, to, needed);
    if (name == CL_DEVICE_PLATFORM) {
        cl_platform_id home = &platform;
        return give(&home, sizeof home, room, to, needed);
    }
    return CL_INVALID_VALUE;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *status)
{
    if (status)
        *status = CL_DEVICE_NOT_AVAILABLE;
    return NULL;
}

static cl_int CL_API_CALL icd_get_platform_ids(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    if (behaves("aborts"))
        abort();
    if (behaves("exits"))
        exit(1);
    if (behaves("none"))
        return CL_PLATFORM_NOT_FOUND_KHR;
    dispatch.clGetPlatformInfo = get_platform_info;
    dispatch.clGetDeviceIDs = get_device_ids;
    dispatch.clGetDeviceInfo = get_device_info;
    dispatch.clCreateContext = create_context;
    if (platforms && room > 0)
        platforms[0] = &platform;
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

EXPORT CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)icd_get_platform_ids;
    if (strcmp(name, "clGetPlatformInfo") == 0)
        return (void *)get_platform_info;
    return NULL;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info name, size_t room,
                                                         void *to, size_t *needed)
{
    return get_platform_info(id, name, room, to, needed);
}
/* SPDX-License-Identifier: MIT */
