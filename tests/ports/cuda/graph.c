/* CUDA emulation on the host: graphs of kernels in sequence. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#define PROTOTYPE(name, symbol, parameters) mw_cu_result symbol parameters;
MW_CU_GRAPH_FUNCTIONS(PROTOTYPE)
MW_CU_GRAPH_FUNCTIONS_OF_STRUCTS(PROTOTYPE)

enum { NODES_MAX = 64 };
struct CUgraphNode_st {
    struct CUgraph_st *graph;
    size_t place;
};
struct CUgraph_st {
    size_t count;
    struct CUgraphNode_st nodes[NODES_MAX];
    struct mw_cu_node_kernel kernels[NODES_MAX];
};
struct CUgraphExec_st {
    struct CUgraph_st *graph;
    size_t count;
    struct mw_cu_node_kernel kernels[NODES_MAX];
};

/* Values are copied when a kernel is set. */
static void drop_kernel(struct mw_cu_node_kernel *kernel)
{
    for (size_t i = 0; kernel->parameters && kernel->parameters[i]; i++)
        free(kernel->parameters[i]);
    free(kernel->parameters);
    kernel->parameters = NULL;
}

static mw_cu_result take_kernel(struct mw_cu_node_kernel *to, const struct mw_cu_node_kernel *from)
{
    size_t count = 0;
    if (from->extra || from->kernel || from->context || !from->function)
        return INVALID_VALUE;
    while (host_value_bytes(from->function, count))
        count++;
    void **values = calloc(count + 1, sizeof *values);
    for (size_t i = 0; values && i < count; i++) {
        const size_t bytes = host_value_bytes(from->function, i);
        values[i] = malloc(bytes);
        if (values[i])
            memcpy(values[i], from->parameters[i], bytes);
    }
    drop_kernel(to);
    *to = *from;
    to->parameters = values;
    return values ? 0 : OUT_OF_MEMORY;
}

mw_cu_result cuGraphCreate(mw_cu_graph *graph, unsigned flags)
{
    TRY_BEGIN(cuGraphCreate);
    mw_cu_graph made = flags ? NULL : calloc(1, sizeof *made);
    if (!made)
        return INVALID_VALUE;
    host_count(GRAPH, 1);
    *graph = made;
    return 0;
}

mw_cu_result cuGraphDestroy(mw_cu_graph graph)
{
    BEGIN(cuGraphDestroy);
    for (size_t i = 0; i < graph->count; i++)
        drop_kernel(&graph->kernels[i]);
    free(graph);
    host_count(GRAPH, -1);
    return failure;
}

mw_cu_result cuGraphAddKernelNode_v2(mw_cu_node *node, mw_cu_graph graph, const mw_cu_node *dependencies,
                                     size_t dependency_count, const struct mw_cu_node_kernel *kernel)
{
    TRY_BEGIN(cuGraphAddKernelNode_v2);
    const size_t at = graph->count;
    if (at == NODES_MAX || dependency_count != (at > 0) || (at > 0 && *dependencies != &graph->nodes[at - 1]))
        return INVALID_VALUE;
    const mw_cu_result taken = take_kernel(&graph->kernels[at], kernel);
    if (taken)
        return taken;
    graph->nodes[at] = (struct CUgraphNode_st){ graph, at };
    graph->count++;
    *node = &graph->nodes[at];
    return 0;
}

mw_cu_result cuGraphInstantiateWithFlags(mw_cu_graph_exec *exec, mw_cu_graph graph, unsigned long long flags)
{
    TRY_BEGIN(cuGraphInstantiateWithFlags);
    mw_cu_graph_exec made = flags ? NULL : calloc(1, sizeof *made);
    if (!made)
        return INVALID_VALUE;
    made->graph = graph;
    made->count = graph->count;
    mw_cu_result error = 0;
    for (size_t i = 0; !error && i < made->count; i++)
        error = take_kernel(&made->kernels[i], &graph->kernels[i]);
    host_count(GRAPH_EXEC, 1);
    *exec = made;
    return error;
}

mw_cu_result cuGraphExecDestroy(mw_cu_graph_exec exec)
{
    BEGIN(cuGraphExecDestroy);
    for (size_t i = 0; i < exec->count; i++)
        drop_kernel(&exec->kernels[i]);
    free(exec);
    host_count(GRAPH_EXEC, -1);
    return failure;
}

mw_cu_result cuGraphExecKernelNodeSetParams_v2(mw_cu_graph_exec exec, mw_cu_node node,
                                               const struct mw_cu_node_kernel *kernel)
{
    TRY_BEGIN(cuGraphExecKernelNodeSetParams_v2);
    if (node->graph != exec->graph || !host_context(held))
        return INVALID_VALUE;
    return take_kernel(&exec->kernels[node->place], kernel);
}

/* Queues all of it, or as much as possible. */
mw_cu_result cuGraphLaunch(mw_cu_graph_exec exec, mw_cu_stream stream)
{
    TRY_BEGIN(cuGraphLaunch);
    mw_cu_result error = 0;
    for (size_t i = 0; !error && i < exec->count; i++)
        error = host_launch(held, stream, &exec->kernels[i]);
    return error;
}
/* SPDX-License-Identifier: MIT */
