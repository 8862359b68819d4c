/* Compares our declarations of the CUDA driver and of NVRTC (src/dev/cuda/driver.h) with the vendor's at compile time:
 * types of functions, numbers, the layout of structs.  Nothing is called. */
#define __CUDA_API_VERSION_INTERNAL 1 /* the names of functions are those of their symbols, old ones included */
#include <cuda.h>
#include <nvrtc.h>

#include "dev/cuda/driver.h"

/* ---- functions: pointers to ours point to theirs ---- */

#define UNUSED __attribute__((unused))
#define COMPARE(name, symbol, parameters)                                                                              \
    UNUSED static inline void compare_##name(void)                                                                     \
    {                                                                                                                  \
        mw_cu_result(*ours) parameters = symbol;                                                                       \
        (void)ours;                                                                                                    \
    }
MW_CU_FUNCTIONS(COMPARE)
MW_CU_LINK_FUNCTIONS(COMPARE)
#if CUDA_VERSION >= 12040
MW_CU_LATER_FUNCTIONS(COMPARE)
#endif
#if CUDA_VERSION >= 12000
MW_CU_GRAPH_FUNCTIONS(COMPARE)
#endif
#if CUDA_VERSION >= 11020
MW_CU_POOL_FUNCTIONS(COMPARE)
#endif
#define RTC_COMPARE(name, symbol, parameters) COMPARE(rtc_##name, symbol, parameters)
MW_RTC_FUNCTIONS(RTC_COMPARE)

UNUSED static inline void compare_those_of_structs(void)
{
    mw_cu_result (*uuid)(CUuuid *, mw_cu_device) = cuDeviceGetUuid_v2;
    mw_cu_result (*array)(mw_cu_array *, const CUDA_ARRAY3D_DESCRIPTOR *) = cuArray3DCreate_v2;
    mw_cu_result (*copy)(const CUDA_MEMCPY3D *, mw_cu_stream) = cuMemcpy3DAsync_v2;
    mw_cu_result (*texture)(mw_cu_texture *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *,
                            const CUDA_RESOURCE_VIEW_DESC *) = cuTexObjectCreate;
    mw_cu_result (*link)(unsigned, CUjit_option *, void **, mw_cu_link *) = cuLinkCreate_v2;
    mw_cu_result (*data)(mw_cu_link, CUjitInputType, void *, size_t, const char *, unsigned, CUjit_option *, void **) =
        cuLinkAddData_v2;
    (void)uuid, (void)array, (void)copy, (void)texture, (void)link, (void)data;
#if CUDA_VERSION >= 12000
    mw_cu_result (*add)(mw_cu_node *, mw_cu_graph, const mw_cu_node *, size_t, const CUDA_KERNEL_NODE_PARAMS_v2 *) =
        cuGraphAddKernelNode_v2;
    mw_cu_result (*set)(mw_cu_graph_exec, mw_cu_node, const CUDA_KERNEL_NODE_PARAMS_v2 *) =
        cuGraphExecKernelNodeSetParams_v2;
    (void)add, (void)set;
#endif
#if CUDA_VERSION >= 11020
    mw_cu_result (*ask)(mw_cu_pool, CUmemPool_attribute, void *) = cuMemPoolGetAttribute;
    mw_cu_result (*attribute)(mw_cu_pool, CUmemPool_attribute, void *) = cuMemPoolSetAttribute;
    mw_cu_result (*access)(mw_cu_pool, const CUmemAccessDesc *, size_t) = cuMemPoolSetAccess;
    (void)ask, (void)attribute, (void)access;
#endif
}

/* ---- structs ---- */

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(struct ours) == sizeof(theirs), #ours)
#define SAME_PLACE(ours, member, theirs, their_member)                                                                 \
    _Static_assert(offsetof(struct ours, member) == offsetof(theirs, their_member), #ours "." #member)

SAME_SIZE(mw_cu_uuid, CUuuid);
SAME_SIZE(mw_cu_array_shape, CUDA_ARRAY3D_DESCRIPTOR);
SAME_PLACE(mw_cu_array_shape, height, CUDA_ARRAY3D_DESCRIPTOR, Height);
SAME_PLACE(mw_cu_array_shape, depth, CUDA_ARRAY3D_DESCRIPTOR, Depth);
SAME_PLACE(mw_cu_array_shape, format, CUDA_ARRAY3D_DESCRIPTOR, Format);
SAME_PLACE(mw_cu_array_shape, channels, CUDA_ARRAY3D_DESCRIPTOR, NumChannels);
SAME_SIZE(mw_cu_copy, CUDA_MEMCPY3D);
SAME_PLACE(mw_cu_copy, from.kind, CUDA_MEMCPY3D, srcMemoryType);
SAME_PLACE(mw_cu_copy, from.host, CUDA_MEMCPY3D, srcHost);
SAME_PLACE(mw_cu_copy, from.device, CUDA_MEMCPY3D, srcDevice);
SAME_PLACE(mw_cu_copy, from.array, CUDA_MEMCPY3D, srcArray);
SAME_PLACE(mw_cu_copy, from.pitch, CUDA_MEMCPY3D, srcPitch);
SAME_PLACE(mw_cu_copy, from.height, CUDA_MEMCPY3D, srcHeight);
SAME_PLACE(mw_cu_copy, to, CUDA_MEMCPY3D, dstXInBytes);
SAME_PLACE(mw_cu_copy, to.array, CUDA_MEMCPY3D, dstArray);
SAME_PLACE(mw_cu_copy, width, CUDA_MEMCPY3D, WidthInBytes);
SAME_PLACE(mw_cu_copy, depth, CUDA_MEMCPY3D, Depth);
SAME_SIZE(mw_cu_resource, CUDA_RESOURCE_DESC);
SAME_PLACE(mw_cu_resource, is.array, CUDA_RESOURCE_DESC, res.array.hArray);
SAME_PLACE(mw_cu_resource, flags, CUDA_RESOURCE_DESC, flags);
SAME_SIZE(mw_cu_sampling, CUDA_TEXTURE_DESC);
SAME_PLACE(mw_cu_sampling, filter, CUDA_TEXTURE_DESC, filterMode);
SAME_PLACE(mw_cu_sampling, flags, CUDA_TEXTURE_DESC, flags);
SAME_PLACE(mw_cu_sampling, border, CUDA_TEXTURE_DESC, borderColor);

#if CUDA_VERSION >= 12000
SAME_SIZE(mw_cu_node_kernel, CUDA_KERNEL_NODE_PARAMS_v2);
SAME_PLACE(mw_cu_node_kernel, groups, CUDA_KERNEL_NODE_PARAMS_v2, gridDimX);
SAME_PLACE(mw_cu_node_kernel, items, CUDA_KERNEL_NODE_PARAMS_v2, blockDimX);
SAME_PLACE(mw_cu_node_kernel, dynamic_bytes, CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes);
SAME_PLACE(mw_cu_node_kernel, parameters, CUDA_KERNEL_NODE_PARAMS_v2, kernelParams);
SAME_PLACE(mw_cu_node_kernel, kernel, CUDA_KERNEL_NODE_PARAMS_v2, kern);
SAME_PLACE(mw_cu_node_kernel, context, CUDA_KERNEL_NODE_PARAMS_v2, ctx);
#endif

#if CUDA_VERSION >= 11020
SAME_SIZE(mw_cu_location, CUmemLocation);
SAME_PLACE(mw_cu_location, device, CUmemLocation, id);
SAME_SIZE(mw_cu_access, CUmemAccessDesc);
SAME_PLACE(mw_cu_access, flags, CUmemAccessDesc, flags);
#endif

/* ---- numbers ---- */

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)

SAME(MW_CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME(MW_CU_NOT_FOUND, CUDA_ERROR_NOT_FOUND);
SAME(MW_CU_PEER_ALREADY_ENABLED, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
SAME(MW_CU_GROUP, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(MW_CU_GROUP_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(MW_CU_GROUP_Y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
SAME(MW_CU_GROUP_Z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(MW_CU_LOCAL_BYTES, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(MW_CU_WARP, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(MW_CU_UNITS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(MW_CU_INTEGRATED, CU_DEVICE_ATTRIBUTE_INTEGRATED);
SAME(MW_CU_COMPUTE_MODE, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
SAME(MW_CU_IMAGE2D_X, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH);
SAME(MW_CU_IMAGE2D_Y, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
SAME(MW_CU_IMAGE3D_X, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH);
SAME(MW_CU_IMAGE3D_Y, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT);
SAME(MW_CU_IMAGE3D_Z, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH);
SAME(MW_CU_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(MW_CU_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(MW_CU_FUNCTION_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(MW_CU_LINK_TEXT, CU_JIT_INPUT_PTX);
SAME(MW_CU_MODE_PROHIBITED, CU_COMPUTEMODE_PROHIBITED);
SAME(MW_CU_FUNCTION_GROUP, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(MW_CU_FUNCTION_LOCAL, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(MW_CU_FUNCTION_PRIVATE, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(MW_CU_STREAM_CONCURRENT, CU_STREAM_NON_BLOCKING);
SAME(MW_CU_EVENT_UNTIMED, CU_EVENT_DISABLE_TIMING);
SAME(MW_CU_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
#if CUDA_VERSION >= 11020
SAME(MW_CU_LEAST_KEPT, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME(MW_CU_ON_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(MW_CU_READ_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
#endif
SAME(MW_CU_U8, CU_AD_FORMAT_UNSIGNED_INT8);
SAME(MW_CU_U16, CU_AD_FORMAT_UNSIGNED_INT16);
SAME(MW_CU_U32, CU_AD_FORMAT_UNSIGNED_INT32);
SAME(MW_CU_IN_DEVICE, CU_MEMORYTYPE_DEVICE);
SAME(MW_CU_IN_ARRAY, CU_MEMORYTYPE_ARRAY);
SAME(0, CU_RESOURCE_TYPE_ARRAY);
SAME(0, CU_TR_ADDRESS_MODE_WRAP);
SAME(1, CU_TR_ADDRESS_MODE_CLAMP);
SAME(2, CU_TR_ADDRESS_MODE_MIRROR);
SAME(0, CU_TR_FILTER_MODE_POINT);
SAME(MW_CU_AS_WHOLE_NUMBERS, CU_TRSF_READ_AS_INTEGER);
SAME(MW_CU_FROM_0_TO_1, CU_TRSF_NORMALIZED_COORDINATES);
SAME(MW_RTC_INVALID_OPTION, NVRTC_ERROR_INVALID_OPTION);
SAME(MW_RTC_REFUSED, NVRTC_ERROR_COMPILATION);

int main(void) { return 0; }
/* SPDX-License-Identifier: MIT */
