/* CUDA emulation on the host: devices, contexts, memory; calls that fail on request; the report at the end. */
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROTOTYPE(name, symbol, parameters) mw_cu_result symbol parameters;
MW_CU_FUNCTIONS(PROTOTYPE)
MW_CU_FUNCTIONS_OF_STRUCTS(PROTOTYPE)
MW_CU_LATER_FUNCTIONS(PROTOTYPE)
MW_CU_POOL_FUNCTIONS(PROTOTYPE)
MW_CU_POOL_FUNCTIONS_OF_STRUCTS(PROTOTYPE)

static const size_t memory_bytes = (size_t)1 << 28;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int alive[KINDS];
static struct CUctx_st primary[DEVICES_MAX];
static struct memory *memories;
static bool started;

/* ---- calls ---- */

void host_report(const char *format, ...)
{
    const char *log = getenv("MESHWORK_CUDA_LOG");
    FILE *file = log ? fopen(log, "a") : stderr;
    va_list values;
    va_start(values, format);
    if (file) {
        vfprintf(file, format, values);
        fputc('\n', file);
    }
    va_end(values);
    if (file && log)
        fclose(file);
}

void host_count(enum kind kind, int change)
{
    alive[kind] += change;
    if (alive[kind] < 0)
        host_report("freed twice: kind %d", (int)kind);
}

__attribute__((destructor)) static void give_account(void)
{
    static const char *const names[] = { "contexts", "streams",  "events",   "buffers", "page-locked memory", "modules",
                                         "arrays",   "textures", "programs", "graphs",  "graphs to launch",   "links" };
    for (int k = 0; k < KINDS; k++) {
        if (alive[k])
            host_report("never freed: %s (%d)", names[k], alive[k]);
    }
}

static void trace(const char *name)
{
    const char *path = getenv("MESHWORK_CUDA_CALLS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s\n", name);
    fclose(file);
}

mw_cu_result host_begin(const char *name)
{
    static unsigned long seen;
    const char *wanted = getenv("MESHWORK_CUDA_FAIL");
    const size_t length = strlen(name);
    pthread_mutex_lock(&turn);
    trace(name);
    if (!wanted || strncmp(wanted, name, length) != 0 || wanted[length] != ':')
        return 0;
    char *behind;
    const unsigned long first = strtoul(wanted + length + 1, &behind, 10);
    seen++;
    return seen == first || (*behind == '+' && seen > first) ? OUT_OF_MEMORY : 0;
}

void host_end(const char *const *name) { pthread_mutex_unlock(&turn); }

mw_cu_result cuInit(unsigned flags)
{
    TRY_BEGIN(cuInit);
    started = true;
    return flags ? INVALID_VALUE : 0;
}

mw_cu_result cuDriverGetVersion(int *version)
{
    TRY_BEGIN(cuDriverGetVersion);
    *version = 12080;
    return 0;
}

mw_cu_result cuGetErrorName(mw_cu_result error, const char **name)
{
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR";
    return 0;
}

/* ---- devices ---- */

static int device_count(void)
{
    const char *wanted = getenv("MESHWORK_CUDA_DEVICES");
    const int n = wanted ? atoi(wanted) : 1;
    return n < DEVICES_MAX ? n : DEVICES_MAX;
}

mw_cu_result cuDeviceGetCount(int *count)
{
    TRY_BEGIN(cuDeviceGetCount);
    *count = device_count();
    return started ? 0 : NO_DEVICE;
}

mw_cu_result cuDeviceGet(mw_cu_device *device, int ordinal)
{
    TRY_BEGIN(cuDeviceGet);
    if (ordinal < 0 || ordinal >= device_count())
        return NO_DEVICE;
    *device = ordinal;
    return 0;
}

mw_cu_result cuDeviceGetName(char *name, int room, mw_cu_device device)
{
    TRY_BEGIN(cuDeviceGetName);
    snprintf(name, (size_t)room, "host %d", device);
    return 0;
}

mw_cu_result cuDeviceGetUuid_v2(struct mw_cu_uuid *uuid, mw_cu_device device)
{
    TRY_BEGIN(cuDeviceGetUuid_v2);
    memset(uuid, 0x11 * (device + 1), sizeof *uuid);
    return 0;
}

mw_cu_result cuDeviceGetPCIBusId(char *id, int room, mw_cu_device device)
{
    TRY_BEGIN(cuDeviceGetPCIBusId);
    snprintf(id, (size_t)room, "0000:0%X:00.0", 10 + device % 6);
    return 0;
}

mw_cu_result cuDeviceTotalMem_v2(size_t *bytes, mw_cu_device device)
{
    TRY_BEGIN(cuDeviceTotalMem_v2);
    *bytes = memory_bytes;
    return 0;
}

/* Memory of all kernels of a program together, since they cannot be distinguished (modules.c). */
enum { LOCAL_BYTES = 4 * 49152 };

mw_cu_result cuDeviceGetAttribute(int *value, unsigned attribute, mw_cu_device device)
{
    /* clang-format off */
    static const struct { unsigned attribute; int value; } rows[] = {
        { MW_CU_GROUP, 1024 }, { MW_CU_GROUP_X, 1024 }, { MW_CU_GROUP_Y, 1024 }, { MW_CU_GROUP_Z, 64 },
        { MW_CU_LOCAL_BYTES, LOCAL_BYTES }, { MW_CU_WARP, 32 }, { MW_CU_UNITS, 4 }, { MW_CU_INTEGRATED, 0 },
        { MW_CU_COMPUTE_MODE, 0 }, { MW_CU_IMAGE2D_X, 131072 }, { MW_CU_IMAGE2D_Y, 65536 },
        { MW_CU_IMAGE3D_X, 16384 }, { MW_CU_IMAGE3D_Y, 16384 }, { MW_CU_IMAGE3D_Z, 16384 },
        { MW_CU_MAJOR, 9 }, { MW_CU_MINOR, 0 },
    };
    /* clang-format on */
    TRY_BEGIN(cuDeviceGetAttribute);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].attribute == attribute) {
            *value = rows[i].value;
            return 0;
        }
    }
    host_report("cuDeviceGetAttribute: %u is not known", attribute);
    return INVALID_VALUE;
}

mw_cu_result cuDeviceCanAccessPeer(int *can, mw_cu_device device, mw_cu_device peer)
{
    TRY_BEGIN(cuDeviceCanAccessPeer);
    *can = device != peer && device < 3 && peer < 3;
    return 0;
}

/* ---- contexts ---- */

static _Thread_local mw_cu_context stack[8];
static _Thread_local unsigned depth;

mw_cu_context host_context(const char *call)
{
    if (depth == 0)
        host_report("%s: no context is current", call);
    return depth ? stack[depth - 1] : NULL;
}

mw_cu_result cuDevicePrimaryCtxRetain(mw_cu_context *context, mw_cu_device device)
{
    TRY_BEGIN(cuDevicePrimaryCtxRetain);
    *context = &primary[device];
    primary[device].device = device;
    primary[device].users++;
    host_count(CONTEXT, 1);
    return 0;
}

mw_cu_result cuDevicePrimaryCtxRelease_v2(mw_cu_device device)
{
    BEGIN(cuDevicePrimaryCtxRelease_v2);
    primary[device].users--;
    host_count(CONTEXT, -1);
    return failure;
}

mw_cu_result cuCtxPushCurrent_v2(mw_cu_context context)
{
    TRY_BEGIN(cuCtxPushCurrent_v2);
    if (!context || !context->users || depth == sizeof stack / sizeof stack[0]) {
        host_report("cuCtxPushCurrent: a context that is not there, or one too many");
        return INVALID_CONTEXT;
    }
    stack[depth++] = context;
    return 0;
}

mw_cu_result cuCtxPopCurrent_v2(mw_cu_context *context)
{
    BEGIN(cuCtxPopCurrent_v2);
    if (!host_context(held))
        return INVALID_CONTEXT;
    *context = stack[--depth];
    return failure;
}

mw_cu_result cuCtxGetDevice(mw_cu_device *device)
{
    TRY_BEGIN(cuCtxGetDevice);
    const mw_cu_context context = host_context(held);
    if (!context)
        return INVALID_CONTEXT;
    *device = context->device;
    return 0;
}

mw_cu_result cuCtxEnablePeerAccess(mw_cu_context peer, unsigned flags)
{
    TRY_BEGIN(cuCtxEnablePeerAccess);
    const mw_cu_context own = host_context(held);
    return !own || flags || peer == own || !peer->users ? INVALID_VALUE : 0;
}

/* ---- memory ---- */

const struct memory *host_memory_of(const void *at, size_t bytes)
{
    const struct memory *m = memories;
    while (m && !((const char *)at >= m->at && (const char *)at + bytes <= m->at + m->bytes))
        m = m->next;
    return m;
}

static struct memory *memory_new(size_t bytes, mw_cu_context context, bool locked)
{
    struct memory *m = calloc(1, sizeof *m);
    if (m && !(m->at = aligned_alloc(256, (bytes + 255) / 256 * 256))) {
        free(m);
        m = NULL;
    }
    if (!m)
        return NULL;
    memset(m->at, 0xa5, bytes < (1 << 20) ? bytes : 1 << 20);
    m->bytes = bytes;
    m->context = context;
    m->locked = locked;
    m->next = memories;
    memories = m;
    host_count(locked ? HOST_MEMORY : MEMORY, 1);
    return m;
}

static mw_cu_result memory_free(const char *at, bool locked)
{
    for (struct memory **m = &memories; *m; m = &(*m)->next) {
        struct memory *const it = *m;
        if (it->at != at || it->locked != locked)
            continue;
        if (host_is_in_use(it->at, it->bytes))
            host_report("memory is freed that queued work uses");
        it->context->used -= locked ? 0 : it->bytes;
        *m = it->next;
        free(it->at);
        free(it);
        host_count(locked ? HOST_MEMORY : MEMORY, -1);
        return 0;
    }
    host_report("memory is freed that is not there");
    return INVALID_VALUE;
}

bool host_take(mw_cu_context context, size_t bytes)
{
    if (bytes > memory_bytes - context->used)
        return false;
    context->used += bytes;
    return true;
}

void host_give(mw_cu_context context, size_t bytes) { context->used -= bytes; }

static mw_cu_result give_memory(mw_cu_context context, mw_cu_address *address, size_t bytes, bool pooled)
{
    if (!context || bytes == 0)
        return context ? INVALID_VALUE : INVALID_CONTEXT;
    if (!host_take(context, bytes))
        return OUT_OF_MEMORY;
    struct memory *m = memory_new(bytes, context, false);
    if (!m) {
        host_give(context, bytes);
        return OUT_OF_MEMORY;
    }
    m->pooled = pooled;
    *address = (mw_cu_address)(uintptr_t)m->at;
    return 0;
}

mw_cu_result cuMemGetAddressRange_v2(mw_cu_address *begin, size_t *bytes, mw_cu_address address)
{
    TRY_BEGIN(cuMemGetAddressRange_v2);
    const struct memory *m = host_memory_of((const char *)(uintptr_t)address, 1);
    if (!m || m->locked || m->context != host_context(held))
        return INVALID_VALUE;
    *begin = (mw_cu_address)(uintptr_t)m->at;
    *bytes = m->bytes;
    return 0;
}

mw_cu_result cuMemAlloc_v2(mw_cu_address *address, size_t bytes)
{
    TRY_BEGIN(cuMemAlloc_v2);
    return give_memory(host_context(held), address, bytes, false);
}

mw_cu_result cuMemFree_v2(mw_cu_address address)
{
    BEGIN(cuMemFree_v2);
    host_context(held);
    const mw_cu_result freed = memory_free((const char *)(uintptr_t)address, false);
    return failure ? failure : freed;
}

/* A pool counts bytes that were freed, but keeps no memory: nothing is reused. */
struct CUmemPoolHandle_st {
    size_t kept;
    unsigned long long least;
    bool open[DEVICES_MAX];
};
static struct CUmemPoolHandle_st pools[DEVICES_MAX];

bool host_pool_is_open(mw_cu_context to, mw_cu_context from) { return pools[to->device].open[from->device]; }

mw_cu_result cuDeviceGetDefaultMemPool(mw_cu_pool *pool, mw_cu_device device)
{
    TRY_BEGIN(cuDeviceGetDefaultMemPool);
    *pool = &pools[device];
    return 0;
}

mw_cu_result cuMemPoolGetAttribute(mw_cu_pool pool, int attribute, void *value)
{
    TRY_BEGIN(cuMemPoolGetAttribute);
    memcpy(value, &pool->least, sizeof pool->least);
    return attribute == MW_CU_LEAST_KEPT ? 0 : INVALID_VALUE;
}

mw_cu_result cuMemPoolSetAttribute(mw_cu_pool pool, int attribute, void *value)
{
    TRY_BEGIN(cuMemPoolSetAttribute);
    memcpy(&pool->least, value, sizeof pool->least);
    return attribute == MW_CU_LEAST_KEPT ? 0 : INVALID_VALUE;
}

mw_cu_result cuMemPoolSetAccess(mw_cu_pool pool, const struct mw_cu_access *access, size_t count)
{
    TRY_BEGIN(cuMemPoolSetAccess);
    const struct mw_cu_location at = access->location;
    if (count != 1 || at.kind != MW_CU_ON_DEVICE || at.device < 0 || at.device >= device_count() ||
        pool == &pools[at.device] || access->flags != MW_CU_READ_WRITE)
        return INVALID_VALUE;
    pool->open[at.device] = true;
    return 0;
}

mw_cu_result cuMemPoolTrimTo(mw_cu_pool pool, size_t kept)
{
    TRY_BEGIN(cuMemPoolTrimTo);
    host_give(&primary[pool - pools], pool->kept);
    pool->kept = 0;
    return kept == 0 ? 0 : INVALID_VALUE;
}

mw_cu_result cuMemAllocFromPoolAsync(mw_cu_address *address, size_t bytes, mw_cu_pool pool, mw_cu_stream stream)
{
    TRY_BEGIN(cuMemAllocFromPoolAsync);
    const mw_cu_context context = host_context(held);
    if (!stream || !context || stream->context != context || pool != &pools[context->device])
        return INVALID_HANDLE;
    const size_t again = bytes < pool->kept ? bytes : pool->kept;
    host_give(context, again);
    pool->kept -= again;
    return give_memory(context, address, bytes, true);
}

mw_cu_result cuMemFreeAsync(mw_cu_address address, mw_cu_stream stream)
{
    BEGIN(cuMemFreeAsync);
    const struct memory *m = host_memory_of((const char *)(uintptr_t)address, 1);
    const size_t bytes = m ? m->bytes : 0;
    const mw_cu_result freed = stream ? memory_free((const char *)(uintptr_t)address, false) : INVALID_HANDLE;
    if (!freed && host_take(stream->context, bytes))
        pools[stream->context->device].kept += bytes;
    return failure ? failure : freed;
}

mw_cu_result cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    TRY_BEGIN(cuMemHostAlloc);
    const mw_cu_context context = host_context(held);
    const struct memory *m = context && flags == MW_CU_HOST_PORTABLE ? memory_new(bytes, context, true) : NULL;
    if (!m)
        return OUT_OF_MEMORY;
    *memory = m->at;
    return 0;
}

mw_cu_result cuMemFreeHost(void *memory)
{
    BEGIN(cuMemFreeHost);
    const mw_cu_result freed = memory_free(memory, true);
    return failure ? failure : freed;
}
/* SPDX-License-Identifier: MIT */
