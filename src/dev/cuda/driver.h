/* Our own declarations of NVIDIA's driver library and of NVRTC, its compiler, so that no toolkit is needed to build the
 * backend. The libraries are opened at the first use, so that programs also run without them.
 * tests/ports/cuda_headers.c compares with a toolkit's headers.
 *
 * The functions are members of `mw_cu` and `mw_rtc`, with NVIDIA's names without "cu" or "nvrtc" and version. */
#ifndef MW_CUDA_DRIVER_H
#define MW_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

typedef unsigned mw_cu_result;
typedef int mw_cu_device;
typedef struct CUctx_st *mw_cu_context;
typedef struct CUstream_st *mw_cu_stream;
typedef struct CUevent_st *mw_cu_event;
typedef struct CUmod_st *mw_cu_module;
typedef struct CUfunc_st *mw_cu_function;
typedef struct CUarray_st *mw_cu_array;
typedef struct CUgraph_st *mw_cu_graph;
typedef struct CUgraphNode_st *mw_cu_node;
typedef struct CUgraphExec_st *mw_cu_graph_exec;
typedef struct CUmemPoolHandle_st *mw_cu_pool;
typedef struct CUlinkState_st *mw_cu_link;
typedef unsigned long long mw_cu_address, mw_cu_texture;

/* ---- numbers ---- */

/* Results of functions (CUresult). */
enum { MW_CU_INVALID_VALUE = 1, MW_CU_NO_DEVICE = 100, MW_CU_NOT_FOUND = 500, MW_CU_PEER_ALREADY_ENABLED = 704 };
enum { /* device attributes (CUdevice_attribute) */
       MW_CU_GROUP = 1,
       MW_CU_GROUP_X = 2,
       MW_CU_GROUP_Y = 3,
       MW_CU_GROUP_Z = 4,
       MW_CU_LOCAL_BYTES = 8,
       MW_CU_WARP = 10,
       MW_CU_UNITS = 16,
       MW_CU_INTEGRATED = 18,
       MW_CU_COMPUTE_MODE = 20,
       MW_CU_IMAGE2D_X = 22,
       MW_CU_IMAGE2D_Y = 23,
       MW_CU_IMAGE3D_X = 24,
       MW_CU_IMAGE3D_Y = 25,
       MW_CU_IMAGE3D_Z = 26,
       MW_CU_MAJOR = 75,
       MW_CU_MINOR = 76
};
/* Compute mode of a GPU on which no context may be made (CU_COMPUTEMODE_PROHIBITED). */
enum { MW_CU_MODE_PROHIBITED = 2 };
/* Attributes of a kernel (CUfunction_attribute): largest group, local bytes per group, private bytes and registers per
 * item. */
enum { MW_CU_FUNCTION_GROUP = 0, MW_CU_FUNCTION_LOCAL = 1, MW_CU_FUNCTION_PRIVATE = 3, MW_CU_FUNCTION_REGISTERS = 4 };
/* Kind of input of LinkAddData: PTX text (CU_JIT_INPUT_PTX). */
enum { MW_CU_LINK_TEXT = 1 };
/* Flags: a stream that does not wait for the default stream; an event without time; host memory for all contexts. */
enum { MW_CU_STREAM_CONCURRENT = 1, MW_CU_EVENT_UNTIMED = 2, MW_CU_HOST_PORTABLE = 1 };
/* Formats of an array's channels (CUarray_format). */
enum { MW_CU_U8 = 1, MW_CU_U16 = 2, MW_CU_U32 = 3 };
/* Kinds of memory in a copy (CUmemorytype). */
enum { MW_CU_IN_DEVICE = 2, MW_CU_IN_ARRAY = 3 };
/* Values for memory pools: the attribute for the bytes that a pool keeps; a location on a device; access to it. */
enum { MW_CU_LEAST_KEPT = 4, MW_CU_ON_DEVICE = 1, MW_CU_READ_WRITE = 3 };
/* Flags of a texture: integers are not converted to floats; coordinates are 0 to 1. */
enum { MW_CU_AS_WHOLE_NUMBERS = 1, MW_CU_FROM_0_TO_1 = 2 };
/* Results of NVRTC: an unknown option; the program does not compile. */
enum { MW_RTC_INVALID_OPTION = 5, MW_RTC_REFUSED = 6 };

/* ---- structs, as the driver lays them out ---- */

/* CUuuid. */
struct mw_cu_uuid {
    char bytes[16];
};
/* CUDA_ARRAY3D_DESCRIPTOR. */
struct mw_cu_array_shape {
    size_t width, height, depth;
    unsigned format, channels, flags;
};
/* One side of CUDA_MEMCPY3D: source or destination. */
struct mw_cu_place {
    size_t x, y, z, level;
    unsigned kind;
    const void *host;
    mw_cu_address device;
    mw_cu_array array;
    void *reserved;
    size_t pitch, height;
};
/* CUDA_MEMCPY3D. */
struct mw_cu_copy {
    struct mw_cu_place from, to;
    size_t width, height, depth;
};
/* CUDA_RESOURCE_DESC: the memory of a texture. */
struct mw_cu_resource {
    unsigned kind; /* 0: an array */
    union {
        mw_cu_array array;
        int reserved[32];
    } is;
    unsigned flags;
};
/* CUDA_TEXTURE_DESC. */
struct mw_cu_sampling {
    unsigned address[3], filter, flags, anisotropy, mip_filter;
    float bias, least, most, border[4];
    int reserved[12];
};

/* CUmemLocation. */
struct mw_cu_location {
    int kind, device;
};
/* CUmemAccessDesc. */
struct mw_cu_access {
    struct mw_cu_location location;
    int flags;
};

struct mw_cu_node_kernel { /* CUDA_KERNEL_NODE_PARAMS: a kernel as a graph's node */
    mw_cu_function function;
    unsigned groups[3], items[3], dynamic_bytes;
    void **parameters, **extra;
    void *kernel;          /* in place of a function */
    mw_cu_context context; /* NULL: the current one */
};

/* ---- functions: X(member, symbol, parameters) ---- */

/* clang-format off */
#define MW_CU_FUNCTIONS(X)                                                                                           \
    X(Init, cuInit, (unsigned flags))                                                                                \
    X(DriverGetVersion, cuDriverGetVersion, (int *version))                                                          \
    X(GetErrorName, cuGetErrorName, (mw_cu_result error, const char **name))                                         \
    X(DeviceGetCount, cuDeviceGetCount, (int *count))                                                                \
    X(DeviceGet, cuDeviceGet, (mw_cu_device *device, int ordinal))                                                   \
    X(DeviceGetName, cuDeviceGetName, (char *name, int room, mw_cu_device device))                                   \
    X(DeviceTotalMem, cuDeviceTotalMem_v2, (size_t *bytes, mw_cu_device device))                                     \
    X(DeviceGetAttribute, cuDeviceGetAttribute, (int *value, unsigned attribute, mw_cu_device device))               \
    X(DeviceGetPCIBusId, cuDeviceGetPCIBusId, (char *id, int room, mw_cu_device device))                             \
    X(DeviceCanAccessPeer, cuDeviceCanAccessPeer, (int *can, mw_cu_device device, mw_cu_device peer))                \
    X(DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (mw_cu_context *context, mw_cu_device device))               \
    X(DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (mw_cu_device device))                                  \
    X(CtxPushCurrent, cuCtxPushCurrent_v2, (mw_cu_context context))                                                  \
    X(CtxPopCurrent, cuCtxPopCurrent_v2, (mw_cu_context *context))                                                   \
    X(CtxGetDevice, cuCtxGetDevice, (mw_cu_device *device))                                                          \
    X(CtxEnablePeerAccess, cuCtxEnablePeerAccess, (mw_cu_context peer, unsigned flags))                              \
    X(StreamCreate, cuStreamCreate, (mw_cu_stream *stream, unsigned flags))                                          \
    X(StreamDestroy, cuStreamDestroy_v2, (mw_cu_stream stream))                                                      \
    X(StreamGetCtx, cuStreamGetCtx, (mw_cu_stream stream, mw_cu_context *context))                                   \
    X(StreamSynchronize, cuStreamSynchronize, (mw_cu_stream stream))                                                 \
    X(StreamWaitEvent, cuStreamWaitEvent, (mw_cu_stream stream, mw_cu_event event, unsigned flags))                  \
    X(EventCreate, cuEventCreate, (mw_cu_event *event, unsigned flags))                                              \
    X(EventDestroy, cuEventDestroy_v2, (mw_cu_event event))                                                          \
    X(EventRecord, cuEventRecord, (mw_cu_event event, mw_cu_stream stream))                                          \
    X(EventSynchronize, cuEventSynchronize, (mw_cu_event event))                                                     \
    X(EventElapsedTime, cuEventElapsedTime, (float *milliseconds, mw_cu_event start, mw_cu_event end))               \
    X(MemAlloc, cuMemAlloc_v2, (mw_cu_address *address, size_t bytes))                                               \
    X(MemFree, cuMemFree_v2, (mw_cu_address address))                                                                \
    X(MemGetAddressRange, cuMemGetAddressRange_v2, (mw_cu_address *begin, size_t *bytes, mw_cu_address address))     \
    X(MemHostAlloc, cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                                   \
    X(MemFreeHost, cuMemFreeHost, (void *memory))                                                                    \
    X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                                         \
      (mw_cu_address to, const void *from, size_t bytes, mw_cu_stream stream))                                       \
    X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void *to, mw_cu_address from, size_t bytes, mw_cu_stream stream))      \
    X(MemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                                                         \
      (mw_cu_address to, mw_cu_address from, size_t bytes, mw_cu_stream stream))                                     \
    X(MemcpyPeerAsync, cuMemcpyPeerAsync,                                                                            \
      (mw_cu_address to, mw_cu_context to_context, mw_cu_address from, mw_cu_context from_context, size_t bytes,     \
       mw_cu_stream stream))                                                                                         \
    X(MemsetD8Async, cuMemsetD8Async, (mw_cu_address to, unsigned char value, size_t n, mw_cu_stream stream))        \
    X(MemsetD32Async, cuMemsetD32Async, (mw_cu_address to, unsigned value, size_t n, mw_cu_stream stream))           \
    X(ModuleLoadData, cuModuleLoadData, (mw_cu_module *module, const void *image))                                   \
    X(ModuleUnload, cuModuleUnload, (mw_cu_module module))                                                           \
    X(ModuleGetFunction, cuModuleGetFunction, (mw_cu_function *function, mw_cu_module module, const char *name))     \
    X(ModuleGetGlobal, cuModuleGetGlobal_v2,                                                                         \
      (mw_cu_address *address, size_t *bytes, mw_cu_module module, const char *name))                                \
    X(FuncGetAttribute, cuFuncGetAttribute, (int *value, unsigned attribute, mw_cu_function function))               \
    X(OccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,                        \
      (int *groups, mw_cu_function function, int items, size_t dynamic_bytes))                                       \
    X(LaunchKernel, cuLaunchKernel,                                                                                  \
      (mw_cu_function function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned items_x,           \
       unsigned items_y, unsigned items_z, unsigned dynamic_bytes, mw_cu_stream stream, void **parameters,           \
       void **extra))                                                                                                \
    X(ArrayDestroy, cuArrayDestroy, (mw_cu_array array))                                                             \
    X(TexObjectDestroy, cuTexObjectDestroy, (mw_cu_texture texture))

/* Functions of the driver that take the structs above. */
#define MW_CU_FUNCTIONS_OF_STRUCTS(X)                                                                                \
    X(DeviceGetUuid, cuDeviceGetUuid_v2, (struct mw_cu_uuid *uuid, mw_cu_device device))                             \
    X(Array3DCreate, cuArray3DCreate_v2, (mw_cu_array *array, const struct mw_cu_array_shape *shape))                \
    X(Memcpy3DAsync, cuMemcpy3DAsync_v2, (const struct mw_cu_copy *copy, mw_cu_stream stream))                       \
    X(TexObjectCreate, cuTexObjectCreate,                                                                            \
      (mw_cu_texture *texture, const struct mw_cu_resource *resource, const struct mw_cu_sampling *sampling,         \
       const void *view))

/* Functions that are NULL in drivers older than CUDA 12.4. */
#define MW_CU_LATER_FUNCTIONS(X)                                                                                     \
    X(FuncGetParamInfo, cuFuncGetParamInfo, (mw_cu_function function, size_t i, size_t *offset, size_t *bytes))

/* Functions of graphs, some or all NULL in drivers older than CUDA 12.0. Those with structs follow. */
#define MW_CU_GRAPH_FUNCTIONS(X)                                                                                     \
    X(GraphCreate, cuGraphCreate, (mw_cu_graph *graph, unsigned flags))                                              \
    X(GraphDestroy, cuGraphDestroy, (mw_cu_graph graph))                                                             \
    X(GraphInstantiate, cuGraphInstantiateWithFlags,                                                                 \
      (mw_cu_graph_exec *exec, mw_cu_graph graph, unsigned long long flags))                                         \
    X(GraphExecDestroy, cuGraphExecDestroy, (mw_cu_graph_exec exec))                                                 \
    X(GraphLaunch, cuGraphLaunch, (mw_cu_graph_exec exec, mw_cu_stream stream))
#define MW_CU_GRAPH_FUNCTIONS_OF_STRUCTS(X)                                                                          \
    X(GraphAddKernelNode, cuGraphAddKernelNode_v2,                                                                   \
      (mw_cu_node *node, mw_cu_graph graph, const mw_cu_node *dependencies, size_t count,                             \
       const struct mw_cu_node_kernel *kernel))                                                                      \
    X(GraphExecKernelNodeSetParams, cuGraphExecKernelNodeSetParams_v2,                                               \
      (mw_cu_graph_exec exec, mw_cu_node node, const struct mw_cu_node_kernel *kernel))

/* Functions that assemble PTX, NULL in drivers older than CUDA 6.5. Those with enums follow. */
#define MW_CU_LINK_FUNCTIONS(X)                                                                                      \
    X(LinkComplete, cuLinkComplete, (mw_cu_link link, void **code, size_t *bytes))                                   \
    X(LinkDestroy, cuLinkDestroy, (mw_cu_link link))
#define MW_CU_LINK_FUNCTIONS_OF_STRUCTS(X)                                                                           \
    X(LinkCreate, cuLinkCreate_v2, (unsigned count, int *options, void **values, mw_cu_link *link))                  \
    X(LinkAddData, cuLinkAddData_v2,                                                                                 \
      (mw_cu_link link, int kind, void *text, size_t bytes, const char *name, unsigned count, int *options,          \
       void **values))

/* Functions of memory pools, NULL in drivers older than CUDA 11.2. Those with structs or enums follow. */
#define MW_CU_POOL_FUNCTIONS(X)                                                                                      \
    X(DeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, (mw_cu_pool *pool, mw_cu_device device))                   \
    X(MemPoolTrimTo, cuMemPoolTrimTo, (mw_cu_pool pool, size_t kept))                                                \
    X(MemAllocFromPoolAsync, cuMemAllocFromPoolAsync,                                                                \
      (mw_cu_address *address, size_t bytes, mw_cu_pool pool, mw_cu_stream stream))                                  \
    X(MemFreeAsync, cuMemFreeAsync, (mw_cu_address address, mw_cu_stream stream))
#define MW_CU_POOL_FUNCTIONS_OF_STRUCTS(X)                                                                           \
    X(MemPoolGetAttribute, cuMemPoolGetAttribute, (mw_cu_pool pool, int attribute, void *value))                     \
    X(MemPoolSetAttribute, cuMemPoolSetAttribute, (mw_cu_pool pool, int attribute, void *value))                     \
    X(MemPoolSetAccess, cuMemPoolSetAccess, (mw_cu_pool pool, const struct mw_cu_access *access, size_t count))

typedef struct _nvrtcProgram *mw_rtc_program;

#define MW_RTC_FUNCTIONS(X)                                                                                          \
    X(Version, nvrtcVersion, (int *major, int *minor))                                                               \
    X(GetNumSupportedArchs, nvrtcGetNumSupportedArchs, (int *count))                                                 \
    X(GetSupportedArchs, nvrtcGetSupportedArchs, (int *known))                                                       \
    X(CreateProgram, nvrtcCreateProgram,                                                                             \
      (mw_rtc_program *program, const char *text, const char *name, int headers, const char *const *header_texts,    \
       const char *const *header_names))                                                                             \
    X(DestroyProgram, nvrtcDestroyProgram, (mw_rtc_program *program))                                                \
    X(CompileProgram, nvrtcCompileProgram, (mw_rtc_program program, int count, const char *const *options))          \
    X(GetProgramLogSize, nvrtcGetProgramLogSize, (mw_rtc_program program, size_t *n))                                \
    X(GetProgramLog, nvrtcGetProgramLog, (mw_rtc_program program, char *log))                                        \
    X(GetCUBINSize, nvrtcGetCUBINSize, (mw_rtc_program program, size_t *n))                                          \
    X(GetCUBIN, nvrtcGetCUBIN, (mw_rtc_program program, char *bytes))                                                \
    X(GetPTXSize, nvrtcGetPTXSize, (mw_rtc_program program, size_t *n))                                              \
    X(GetPTX, nvrtcGetPTX, (mw_rtc_program program, char *bytes))
/* clang-format on */

/* Declares the pointer to a function of the lists above, as a member. */
#define MW_CU_MEMBER(name, symbol, parameters) mw_cu_result(*name) parameters;

/* The functions of the driver library. */
struct mw_cu_driver {
    MW_CU_FUNCTIONS(MW_CU_MEMBER)
    MW_CU_FUNCTIONS_OF_STRUCTS(MW_CU_MEMBER)
    MW_CU_LATER_FUNCTIONS(MW_CU_MEMBER)
    MW_CU_GRAPH_FUNCTIONS(MW_CU_MEMBER)
    MW_CU_GRAPH_FUNCTIONS_OF_STRUCTS(MW_CU_MEMBER)
    MW_CU_LINK_FUNCTIONS(MW_CU_MEMBER)
    MW_CU_LINK_FUNCTIONS_OF_STRUCTS(MW_CU_MEMBER)
    MW_CU_POOL_FUNCTIONS(MW_CU_MEMBER)
    MW_CU_POOL_FUNCTIONS_OF_STRUCTS(MW_CU_MEMBER)
    int version; /* version of CUDA: 12040 is 12.4 */
};
/* The functions of NVRTC. */
struct mw_rtc {
    MW_RTC_FUNCTIONS(MW_CU_MEMBER)
    int major, minor;
    int *architectures, architecture_count; /* supported ones, ascending: 75, 80, ... */
};

/* The driver, valid after mw_cu_start has succeeded, until the process ends. */
extern struct mw_cu_driver mw_cu;
/* NVRTC, valid after mw_rtc_start has succeeded, until the process ends. */
extern struct mw_rtc mw_rtc;

/* Opens the driver's library at the first call, and initialises it. On failure returns false; `why` has the reason, or
 * is "" without a driver or device. */
bool mw_cu_start(const char **why);
/* Opens the newest NVRTC that is not newer than the driver (0: any). On failure returns false; `why` lists the names
 * tried. */
bool mw_rtc_start(int driver_version, const char **why);

#endif
/* SPDX-License-Identifier: MIT */
