/* The CUDA backend: buffers' memory, from the pool that the driver has of each GPU, which keeps what is given back.
 *
 * On an H100, the driver takes 45 to 200 us to allocate memory and as long to free it. A call that sends a graph and
 * fetches results makes four buffers or more. A pool with free memory takes 2 us.
 *
 * Pools allocate memory in the order of a stream.  Here that stream has no other work and is waited for, so that all
 * streams may use the memory.  All devices of the process that are one GPU share its pool. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

/* By default, a pool keeps unused memory up to a quarter of the device's memory. */
enum { KEPT_PART = 4 };

static bool has_functions(void)
{
    return mw_cu.DeviceGetDefaultMemPool && mw_cu.MemPoolGetAttribute && mw_cu.MemPoolSetAttribute &&
           mw_cu.MemPoolSetAccess && mw_cu.MemPoolTrimTo && mw_cu.MemAllocFromPoolAsync && mw_cu.MemFreeAsync;
}

static bool keep_some(mw_cu_pool pool, mw_cu_device device)
{
    unsigned long long kept;
    size_t bytes;
    if (mw_cu.MemPoolGetAttribute(pool, MW_CU_LEAST_KEPT, &kept) || mw_cu.DeviceTotalMem(&bytes, device))
        return false;
    if (kept > 0)
        return true;
    kept = bytes / KEPT_PART;
    return mw_cu.MemPoolSetAttribute(pool, MW_CU_LEAST_KEPT, &kept) == 0;
}

/* Without one, buffers get memory from the driver each by itself. */
void mw_cuda_pool_begin(struct mw_cuda_device *cuda)
{
    struct mw_cuda_pool *p = &cuda->pool;
    mw_cu_pool pool;
    if (has_functions() && mw_cu.DeviceGetDefaultMemPool(&pool, cuda->device) == 0 && keep_some(pool, cuda->device) &&
        mw_cu.StreamCreate(&p->stream, MW_CU_STREAM_CONCURRENT) == 0)
        p->pool = pool;
}

void mw_cuda_pool_end(struct mw_cuda_device *cuda)
{
    mw_cuda_pool_trim(cuda);
    if (cuda->pool.stream)
        (void)mw_cu.StreamDestroy(cuda->pool.stream);
    cuda->pool = (struct mw_cuda_pool){ 0 };
}

void mw_cuda_pool_trim(struct mw_cuda_device *cuda)
{
    if (cuda->pool.pool)
        (void)mw_cu.MemPoolTrimTo(cuda->pool.pool, 0);
}

/* Waits: what is not known to be free is not trimmed. */
static void give_to(const struct mw_cuda_pool *p, mw_cu_address address)
{
    (void)mw_cu.MemFreeAsync(address, p->stream);
    (void)mw_cu.StreamSynchronize(p->stream);
}

static mw_cu_result take_from(const struct mw_cuda_pool *p, size_t bytes, mw_cu_address *address)
{
    mw_cu_result error = mw_cu.MemAllocFromPoolAsync(address, bytes, p->pool, p->stream);
    if (error)
        return error;
    error = mw_cu.StreamSynchronize(p->stream);
    if (error)
        give_to(p, *address);
    return error;
}

mw_cu_result mw_cuda_pool_take(struct mw_cuda_device *cuda, size_t bytes, mw_cu_address *address)
{
    if (!cuda->pool.pool)
        return mw_cu.MemAlloc(address, bytes);
    mw_cu_result error = take_from(&cuda->pool, bytes, address);
    if (error) {
        /* The kept memory may be in pieces that are too small. */
        mw_cuda_pool_trim(cuda);
        error = take_from(&cuda->pool, bytes, address);
    }
    return error;
}

void mw_cuda_pool_give(struct mw_cuda_device *cuda, mw_cu_address address)
{
    if (cuda->pool.pool)
        give_to(&cuda->pool, address);
    else
        (void)mw_cu.MemFree(address);
}

bool mw_cuda_pool_reach(const struct mw_cuda_device *from, const struct mw_cuda_device *to)
{
    const struct mw_cu_access access = { .location = { MW_CU_ON_DEVICE, from->device }, .flags = MW_CU_READ_WRITE };
    return !to->pool.pool || mw_cu.MemPoolSetAccess(to->pool.pool, &access, 1) == 0;
}
/* SPDX-License-Identifier: MIT */
