/* The CUDA backend: launches that follow each other go to the driver in chains.
 *
 * A launch takes 3 to 4 us of the host, and a change of a kernel in a graph 0.3 us. The device needs 0.8
 * us for a kernel of a graph. Therefore launches are delayed until a chain is full or their results are needed: every
 * other call on the device submits them first (cuda.c). The first launch after that is not delayed. After a wait for
 * the device, the following chains grow in steps, so that the device is busy early.
 *
 * A chain is a graph of 2, 4, 8 or 16 consecutive kernels. It is made once and gets other kernels and arguments each
 * time: the driver copies the arguments of submitted graphs. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <string.h>

/* With fewer launches of a device, making a graph takes longer than it saves. */
enum { CHAINS_AFTER = 64 };

void mw_cuda_chain_begin(struct mw_cuda_chain *chain)
{
    pthread_mutex_init(&chain->lock, NULL);
    chain->most = 2;
    chain->none = !mw_cu.GraphCreate || !mw_cu.GraphDestroy || !mw_cu.GraphAddKernelNode || !mw_cu.GraphInstantiate ||
                  !mw_cu.GraphExecKernelNodeSetParams || !mw_cu.GraphLaunch || !mw_cu.GraphExecDestroy;
}

static void drop_graph(struct mw_cuda_graph *graph)
{
    if (graph->exec)
        (void)mw_cu.GraphExecDestroy(graph->exec);
    if (graph->graph)
        (void)mw_cu.GraphDestroy(graph->graph);
    *graph = (struct mw_cuda_graph){ 0 };
}

void mw_cuda_chain_end(struct mw_cuda_chain *chain)
{
    for (size_t i = 0; i < MW_CUDA_CHAIN_POWERS; i++) {
        drop_graph(&chain->graphs[0][i]);
        drop_graph(&chain->graphs[1][i]);
    }
    pthread_mutex_destroy(&chain->lock);
}

/* ---- graphs ---- */

static struct mw_cu_node_kernel node_of(const struct mw_cuda_launch *launch)
{
    return (struct mw_cu_node_kernel){ .function = launch->function,
                                       .groups = { launch->groups[0], launch->groups[1], launch->groups[2] },
                                       .items = { launch->items[0], launch->items[1], launch->items[2] },
                                       .parameters = launch->values };
}

static mw_cu_result make_graph(struct mw_cuda_graph *graph, const struct mw_cuda_kept *kept, size_t count)
{
    mw_cu_result error = mw_cu.GraphCreate(&graph->graph, 0);
    for (size_t i = 0; !error && i < count; i++) {
        const struct mw_cu_node_kernel kernel = node_of(&kept[i].launch);
        error =
            mw_cu.GraphAddKernelNode(&graph->nodes[i], graph->graph, i ? &graph->nodes[i - 1] : NULL, i > 0, &kernel);
    }
    if (!error)
        error = mw_cu.GraphInstantiate(&graph->exec, graph->graph, 0);
    if (error)
        drop_graph(graph);
    return error;
}

static mw_cu_result change_graph(const struct mw_cuda_graph *graph, const struct mw_cuda_kept *kept, size_t count)
{
    mw_cu_result error = 0;
    for (size_t i = 0; !error && i < count; i++) {
        const struct mw_cu_node_kernel kernel = node_of(&kept[i].launch);
        error = mw_cu.GraphExecKernelNodeSetParams(graph->exec, graph->nodes[i], &kernel);
    }
    return error;
}

/* ---- handing over ---- */

static mw_cu_result launch_now(const struct mw_cuda_device *cuda, const struct mw_cuda_launch *launch)
{
    return mw_cu.LaunchKernel(launch->function, launch->groups[0], launch->groups[1], launch->groups[2],
                              launch->items[0], launch->items[1], launch->items[2], 0, cuda->stream, launch->values,
                              NULL);
}

/* Submits a whole chain; if the driver makes no graph, graphs are no longer used. */
static mw_cu_result hand_over_chain(struct mw_cuda_device *cuda, const struct mw_cuda_kept *kept, unsigned power)
{
    struct mw_cuda_chain *chain = &cuda->chain;
    struct mw_cuda_graph *graph = &chain->graphs[chain->way][power];
    const size_t count = (size_t)1 << power;
    mw_cu_result error = 0;
    if (!chain->none && (graph->exec ? change_graph(graph, kept, count) : make_graph(graph, kept, count)) != 0)
        chain->none = true;
    if (!chain->none)
        return mw_cu.GraphLaunch(graph->exec, cuda->stream);
    for (size_t i = 0; !error && i < count; i++)
        error = launch_now(cuda, &kept[i].launch);
    return error;
}

static mw_cu_result hand_over(struct mw_cuda_device *cuda)
{
    struct mw_cuda_chain *chain = &cuda->chain;
    mw_cu_result error = chain->failed;
    size_t next = 0;
    while (!error && next < chain->waiting) {
        unsigned power = 0;
        while ((size_t)2 << power <= chain->waiting - next)
            power++;
        error =
            power > 0 ? hand_over_chain(cuda, &chain->kept[next], power) : launch_now(cuda, &chain->kept[next].launch);
        next += (size_t)1 << power;
    }
    chain->waiting = 0;
    chain->failed = 0;
    return error;
}

/* The caller holds the lock. */
static mw_cu_result flush(struct mw_cuda_device *cuda)
{
    cuda->chain.launched_since = false;
    return hand_over(cuda);
}

void mw_cuda_chain_restart(struct mw_cuda_device *cuda)
{
    pthread_mutex_lock(&cuda->chain.lock);
    cuda->chain.most = 2;
    pthread_mutex_unlock(&cuda->chain.lock);
}

void mw_cuda_chain_pass(struct mw_device *device)
{
    struct mw_cuda_device *cuda = device->impl;
    pthread_mutex_lock(&cuda->chain.lock);
    cuda->chain.failed = flush(cuda);
    pthread_mutex_unlock(&cuda->chain.lock);
}

int mw_cuda_chain_flush(struct mw_device *device)
{
    struct mw_cuda_device *cuda = device->impl;
    pthread_mutex_lock(&cuda->chain.lock);
    const mw_cu_result error = flush(cuda);
    pthread_mutex_unlock(&cuda->chain.lock);
    return error ? mw_cuda_fail(device, error, "launching kernels") : 0;
}

/* ---- keeping ---- */

static size_t kept_bytes(const size_t *bytes, size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += (bytes[i] + 15) / 16 * 16;
    return all;
}

/* A launch's values are its caller's until the call returns. */
static void cuda_chain_keep(struct mw_cuda_kept *kept, const struct mw_cuda_launch *launch, const size_t *bytes,
                            size_t count)
{
    char *at = kept->bytes;
    kept->launch = *launch;
    kept->launch.values = kept->values;
    for (size_t i = 0; i < count; i++) {
        kept->values[i] = memcpy(at, launch->values[i], bytes[i]);
        at += (bytes[i] + 15) / 16 * 16;
    }
}

static bool may_wait(const struct mw_cuda_chain *chain, const size_t *bytes, size_t count)
{
    return !chain->none && !chain->failed && chain->launched_since && chain->launched >= CHAINS_AFTER &&
           count <= MW_COUNT(chain->kept->values) && kept_bytes(bytes, count) <= sizeof chain->kept->bytes;
}

mw_cu_result mw_cuda_chain_add(struct mw_cuda_device *cuda, const struct mw_cuda_launch *launch, const size_t *bytes,
                               size_t count, bool *others)
{
    struct mw_cuda_chain *chain = &cuda->chain;
    mw_cu_result error = 0;
    *others = true;
    pthread_mutex_lock(&chain->lock);
    if (may_wait(chain, bytes, count)) {
        cuda_chain_keep(&chain->kept[chain->waiting++], launch, bytes, count);
        if (chain->waiting >= chain->most) { /* which another thread may have made less */
            chain->most = 2 * chain->most < MW_CUDA_CHAIN_MOST ? 2 * chain->most : MW_CUDA_CHAIN_MOST;
            error = hand_over(cuda);
        }
    } else {
        error = hand_over(cuda);
        if (!error) {
            *others = false;
            error = launch_now(cuda, launch);
        }
        chain->launched++;
        chain->launched_since = true;
    }
    pthread_mutex_unlock(&chain->lock);
    return error;
}
/* SPDX-License-Identifier: MIT */
