/* Writes SciPy's sparse matrices, as scipy.sparse.save_npz does: a ZIP archive of .npy files, stored. The matrix is
 * csr; an undirected edge has two entries, a loop one. SciPy ignores the additional array `directed`. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "graph/file/formats.h"

#include "io/npy_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>

#define PREFIX_BYTES 10     /* bytes of a .npy file before its header */
#define MOST_ARCS 300000000 /* so that the archive needs no 64-bit sizes */
enum { MEMBERS = 6, LOCAL_BYTES = 30, ENTRY_BYTES = 46, END_BYTES = 22 };

/* A member of the archive: the text of a .npy header, and the elements. */
struct member {
    const char *name;
    struct mw_text header;
    const void *data;
    size_t bytes;
    uint32_t crc;
    uint64_t at; /* position in the archive */
};

static uint64_t member_bytes(const struct member *m) { return PREFIX_BYTES + m->header.length + m->bytes; }

static void put_number(unsigned char **to, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        *(*to)++ = (unsigned char)value;
        value >>= 8;
    }
}

static void make_prefix(const struct member *m, unsigned char prefix[PREFIX_BYTES])
{
    memcpy(prefix, "\x93NUMPY\x01\x00", 8);
    prefix[8] = (unsigned char)m->header.length;
    prefix[9] = (unsigned char)(m->header.length >> 8);
}

static uint32_t checksum_of(const struct member *m)
{
    unsigned char prefix[PREFIX_BYTES];
    uLong crc = crc32(0, NULL, 0);
    make_prefix(m, prefix);
    crc = crc32(crc, prefix, sizeof prefix);
    crc = crc32(crc, (const Bytef *)m->header.data, (uInt)m->header.length);
    for (size_t at = 0; at < m->bytes; at += (size_t)1 << 30) {
        const size_t left = m->bytes - at;
        crc = crc32(crc, (const Bytef *)m->data + at, (uInt)(left < (size_t)1 << 30 ? left : (size_t)1 << 30));
    }
    return (uint32_t)crc;
}

/* Writes the fields that a member has both before its data and in the directory. */
static void put_common(const struct member *m, unsigned char **to)
{
    put_number(to, 20, 2); /* version */
    put_number(to, 0, 4);  /* flags, stored */
    put_number(to, 0, 2);  /* time: 1980-01-01, so that equal graphs have equal files */
    put_number(to, 0x21, 2);
    put_number(to, m->crc, 4);
    put_number(to, member_bytes(m), 4);
    put_number(to, member_bytes(m), 4);
    put_number(to, strlen(m->name), 2);
    put_number(to, 0, 2);
}

static int write_member(struct mw_writing *w, struct member *m, uint64_t *at)
{
    unsigned char local[LOCAL_BYTES], prefix[PREFIX_BYTES], *to = local;
    m->at = *at;
    m->crc = checksum_of(m);
    make_prefix(m, prefix);
    put_number(&to, 0x04034b50, 4);
    put_common(m, &to);
    *at += LOCAL_BYTES + strlen(m->name) + member_bytes(m);
    TRY_RETURN(mw_write_bytes(w, local, sizeof local));
    TRY_RETURN(mw_write_bytes(w, m->name, strlen(m->name)));
    TRY_RETURN(mw_write_bytes(w, prefix, sizeof prefix));
    TRY_RETURN(mw_write_bytes(w, m->header.data, m->header.length));
    return mw_write_bytes(w, m->data, m->bytes);
}

static int write_directory(struct mw_writing *w, const struct member *member, uint64_t at)
{
    uint64_t bytes = 0;
    unsigned char end[END_BYTES] = { 0 }, *to;
    for (size_t i = 0; i < MEMBERS; i++) {
        unsigned char entry[ENTRY_BYTES] = { 0 };
        to = entry;
        put_number(&to, 0x02014b50, 4);
        put_number(&to, 20, 2);
        put_common(&member[i], &to);
        to += 10; /* comment, disk, attributes */
        put_number(&to, member[i].at, 4);
        TRY_RETURN(mw_write_bytes(w, entry, sizeof entry));
        TRY_RETURN(mw_write_bytes(w, member[i].name, strlen(member[i].name)));
        bytes += ENTRY_BYTES + strlen(member[i].name);
    }
    to = end;
    put_number(&to, 0x06054b50, 4);
    put_number(&to, 0, 4);
    put_number(&to, MEMBERS, 2);
    put_number(&to, MEMBERS, 2);
    put_number(&to, bytes, 4);
    put_number(&to, at, 4);
    return mw_write_bytes(w, end, sizeof end);
}

/* ---- the matrix ---- */

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

static int add_member(struct member *m, const char *name, enum mw_type type, unsigned dims, size_t count,
                      const void *data)
{
    const struct mw_array array = { .type = type, .dims = dims, .length = { count }, .count = count };
    *m = (struct member){ .name = name, .data = data, .bytes = count * mw_type_bytes(type) };
    return mw_npy_header_format(&array, &m->header);
}

/* Makes the header of a text of three bytes, which struct mw_array does not have. */
static int add_format(struct member *m)
{
    *m = (struct member){ .name = "format.npy", .data = "csr", .bytes = 3 };
    mw_text_add(&m->header, "%-117s\n", "{'descr': '|S3', 'fortran_order': False, 'shape': (), }");
    return mw_text_ok(&m->header);
}

int mw_graph_write_npz(struct mw_writing *w)
{
    const struct mw_graph *graph = w->graph;
    struct matrix x = { .shape = { (int64_t)graph->vertices, (int64_t)graph->vertices },
                        .is_real = graph->weights && graph->decimals != 0,
                        .directed = graph->directed };
    struct member member[MEMBERS] = { 0 };
    uint64_t at = 0;
    int rc;
    if (graph->arcs > MOST_ARCS || graph->vertices > MOST_ARCS)
        return mw_fail(MW_ENOTSUP, "cannot write %s: more than %d arcs need the binary format or Matrix Market",
                       w->path, MOST_ARCS);
    mw_writing_warn_nameless(w, 0);
    TRY(make_matrix(graph, &x));
    TRY(add_member(&member[0], "indices.npy", MW_TYPE_I32, 1, x.entries, x.indices));
    TRY(add_member(&member[1], "indptr.npy", MW_TYPE_I32, 1, graph->vertices + 1, x.pointers));
    TRY(add_format(&member[2]));
    TRY(add_member(&member[3], "shape.npy", MW_TYPE_I64, 1, 2, x.shape));
    TRY(add_member(&member[4], "data.npy", x.is_real ? MW_TYPE_F64 : MW_TYPE_I32, 1, x.entries, x.values));
    TRY(add_member(&member[5], "directed.npy", MW_TYPE_BOOL, 0, 1, &x.directed));
    for (size_t i = 0; i < MEMBERS; i++)
        TRY(write_member(w, &member[i], &at));
    rc = write_directory(w, member, at);
out:
    for (size_t i = 0; i < MEMBERS; i++)
        mw_text_free(&member[i].header);
    free(x.pointers);
    free(x.indices);
    free(x.values);
    return rc;
}
#else
int mw_graph_write_npz(struct mw_writing *w)
{
    return mw_fail(MW_ENOTSUP, "cannot write %s: this meshwork was built without zlib", w->path);
}
#endif
/* SPDX-License-Identifier: MIT */
