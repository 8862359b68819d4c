/* Writes SciPy's sparse matrices, as scipy.sparse.save_npz does. The matrix is csr; an undirected edge has two entries,
 * a loop one. SciPy ignores the additional array `directed`. */
#include "graph/file/formats.h"

#include "io/npy_internal.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ARCS 300000000 /* so that indices are of 32 bits */

struct matrix {
    int64_t shape[2];
    uint64_t entries;
    int32_t *pointers, *indices;
    void *values; /* int32_t, or double for weights that are not whole */
    bool is_real;
    bool directed;
};

/* Fills in the arrays. Each second arc of a loop of an undirected graph is left out. */
static int make_matrix(const struct mw_graph *graph, struct matrix *m)
{
    const double unit = pow(10, graph->decimals);
    TRY_RETURN(mw_new(graph->vertices + 1, sizeof *m->pointers, &m->pointers));
    TRY_RETURN(mw_new(graph->arcs, sizeof *m->indices, &m->indices));
    TRY_RETURN(mw_new(graph->arcs, m->is_real ? sizeof(double) : sizeof(int32_t), &m->values));
    for (size_t v = 0; v < graph->vertices; v++) {
        bool second = false;
        for (uint64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            if (!graph->directed && graph->heads[i] == v && (second = !second))
                continue;
            m->indices[m->entries] = (int32_t)graph->heads[i];
            if (m->is_real)
                ((double *)m->values)[m->entries] = graph->weights[i] / unit;
            else
                ((int32_t *)m->values)[m->entries] = graph->weights ? graph->weights[i] : 1;
            m->entries++;
        }
        m->pointers[v + 1] = (int32_t)m->entries;
    }
    return 0;
}

static int put_in_graph(void *writing, const void *bytes, size_t n) { return mw_write_bytes(writing, bytes, n); }

static struct mw_array list_of(enum mw_type type, size_t count, void *data)
{
    return (struct mw_array){ .type = type, .dims = 1, .length = { count }, .count = count, .data = data };
}

int mw_graph_write_npz(struct mw_writing *w)
{
    const struct mw_graph *graph = w->graph;
    struct matrix x = { .shape = { (int64_t)graph->vertices, (int64_t)graph->vertices },
                        .is_real = graph->weights && graph->decimals != 0,
                        .directed = graph->directed };
    int rc;
    if (graph->arcs > MOST_ARCS || graph->vertices > MOST_ARCS)
        return mw_fail(MW_ENOTSUP, "cannot write %s: more than %d arcs need the binary format or Matrix Market",
                       w->path, MOST_ARCS);
    mw_writing_warn_nameless(w, 0);
    TRY(make_matrix(graph, &x));
    const char *const names[] = { "indices", "indptr", "shape", "data", "directed" };
    const struct mw_array arrays[] = { list_of(MW_TYPE_I32, x.entries, x.indices),
                                       list_of(MW_TYPE_I32, graph->vertices + 1, x.pointers),
                                       list_of(MW_TYPE_I64, 2, x.shape),
                                       list_of(x.is_real ? MW_TYPE_F64 : MW_TYPE_I32, x.entries, x.values),
                                       { .type = MW_TYPE_BOOL, .count = 1, .data = &x.directed } };
    rc = mw_npz_put(put_in_graph, w, arrays, names, MW_COUNT(arrays), "format", "csr");
out:
    free(x.pointers);
    free(x.indices);
    free(x.values);
    return rc;
}
/* SPDX-License-Identifier: MIT */
