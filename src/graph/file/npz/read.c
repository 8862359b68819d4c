/* SciPy's sparse matrices in .npz archives (scipy.sparse.save_npz): csr, csc or coo. An entry is an arc from its row to
 * its column, and its value is the weight. If the array `directed`, which meshwork writes, is missing, a matrix that
 * equals its transpose is an undirected graph. */
#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"

#include "io/npy_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct mw_input *input;
    struct mw_array row, column, data; /* int64_t indices; `row` may be pointers of rows */
    uint64_t vertices, entries;
    uint32_t *ends; /* per entry: row and column */
    bool weighted, directed;
};

static int npz_wrong(const struct reading *r, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid sparse matrix: %s", r->input->name, what);
}

/* Returns element i of an array of integers. */
static int64_t integer_at(const struct mw_array *a, size_t i)
{
    return a->type == MW_TYPE_I32 ? ((const int32_t *)a->data)[i] : ((const int64_t *)a->data)[i];
}

/* Reads a one-dimensional array of 32-bit or 64-bit integers. */
static int read_integers(const struct reading *r, const char *name, struct mw_array *array)
{
    TRY_RETURN(mw_npz_read_array(r->input->name, name, array));
    if (array->dims != 1 || (array->type != MW_TYPE_I32 && array->type != MW_TYPE_I64))
        return mw_fail(MW_EDATA, "%s: expected '%s' to be a list of int32 or int64", r->input->name, name);
    return 0;
}

static int read_shape(struct reading *r)
{
    struct mw_array shape = { 0 };
    int64_t rows = 0, columns = 0;
    int rc;
    TRY(read_integers(r, "shape", &shape));
    if (shape.count != 2)
        TRY(npz_wrong(r, "its shape must be two integers"));
    rows = integer_at(&shape, 0);
    columns = integer_at(&shape, 1);
    if (rows != columns || rows < 0)
        TRY(mw_fail(MW_EDATA,
                    "%s: a matrix of %" PRId64 " rows and %" PRId64 " columns is not a graph: it must be "
                    "square",
                    r->input->name, rows, columns));
    r->vertices = (uint64_t)rows;
    rc = mw_vertices_check(r->vertices);
out:
    mw_array_free(&shape);
    return rc;
}

/* Stores indices in the ends, `side` 0 or 1. */
static int take_indices(struct reading *r, const struct mw_array *from, unsigned side)
{
    for (size_t i = 0; i < r->entries; i++) {
        const int64_t value = integer_at(from, i);
        if (value < 0 || (uint64_t)value >= r->vertices)
            return mw_fail(MW_EDATA, "%s: index %" PRId64 " of entry %zu is not below %" PRIu64, r->input->name, value,
                           i, r->vertices);
        r->ends[2 * i + side] = (uint32_t)value;
    }
    return 0;
}

static int take_pointers(struct reading *r, const struct mw_array *from, unsigned side)
{
    int64_t last = 0;
    if (from->count != r->vertices + 1 || integer_at(from, 0) != 0 ||
        (uint64_t)integer_at(from, r->vertices) != r->entries)
        return npz_wrong(r, "'indptr' does not fit the shape and the number of indices");
    for (size_t v = 0; v < r->vertices; v++) {
        const int64_t next = integer_at(from, v + 1);
        if (next < last || (uint64_t)next > r->entries)
            return npz_wrong(r, "'indptr' decreases");
        for (; last < next; last++)
            r->ends[2 * last + side] = (uint32_t)v;
    }
    return 0;
}

static int read_entries(struct reading *r)
{
    char format[8];
    TRY_RETURN(mw_npz_read_word(r->input->name, "format", format, sizeof format));
    const bool is_coo = strcmp(format, "coo") == 0, is_csc = strcmp(format, "csc") == 0;
    if (!is_coo && !is_csc && strcmp(format, "csr") != 0)
        return mw_fail(MW_ENOTSUP, "%s: a sparse matrix of format \"%s\" is not supported: save it as csr, csc or coo",
                       r->input->name, format);
    TRY_RETURN(read_shape(r));
    TRY_RETURN(read_integers(r, is_coo ? "row" : "indptr", &r->row));
    TRY_RETURN(read_integers(r, is_coo ? "col" : "indices", &r->column));
    r->entries = r->column.count;
    TRY_RETURN(mw_npz_read_array(r->input->name, "data", &r->data));
    if (r->data.dims != 1 || r->data.count != r->entries || (is_coo && r->row.count != r->entries))
        return npz_wrong(r, "its arrays differ in length");
    TRY_RETURN(mw_new(2 * r->entries + 1, sizeof *r->ends, &r->ends));
    TRY_RETURN(take_indices(r, &r->column, !is_csc));
    return is_coo ? take_indices(r, &r->row, 0) : take_pointers(r, &r->row, is_csc);
}

/* ---- values ---- */

/* Writes a value as text; returns false if it is not a number. */
static bool value_text(const struct mw_array *a, size_t i, char text[40])
{
    double real = 0;
    switch (a->type) {
    case MW_TYPE_BOOL: snprintf(text, 40, "%d", ((const unsigned char *)a->data)[i]); return true;
    case MW_TYPE_I8: snprintf(text, 40, "%d", ((const int8_t *)a->data)[i]); return true;
    case MW_TYPE_U8: snprintf(text, 40, "%u", ((const uint8_t *)a->data)[i]); return true;
    case MW_TYPE_I16: snprintf(text, 40, "%d", ((const int16_t *)a->data)[i]); return true;
    case MW_TYPE_U16: snprintf(text, 40, "%u", ((const uint16_t *)a->data)[i]); return true;
    case MW_TYPE_I32: snprintf(text, 40, "%" PRId32, ((const int32_t *)a->data)[i]); return true;
    case MW_TYPE_U32: snprintf(text, 40, "%" PRIu32, ((const uint32_t *)a->data)[i]); return true;
    case MW_TYPE_I64: snprintf(text, 40, "%" PRId64, ((const int64_t *)a->data)[i]); return true;
    case MW_TYPE_U64: snprintf(text, 40, "%" PRIu64, ((const uint64_t *)a->data)[i]); return true;
    case MW_TYPE_F32: real = ((const float *)a->data)[i]; break;
    case MW_TYPE_F64: real = ((const double *)a->data)[i]; break;
    default: return false;
    }
    snprintf(text, 40, a->type == MW_TYPE_F32 ? "%.7g" : "%.15g", real);
    return isfinite(real);
}

/* Reads the values as weights. A matrix of ones is a graph without weights. */
static int read_weights(struct reading *r, mw_decimal *weight)
{
    bool differ = false;
    mw_decimal one;
    char text[40];
    mw_decimal_read("1", &one);
    for (size_t i = 0; i < r->entries; i++) {
        if (!value_text(&r->data, i, text) || !mw_decimal_read(text, &weight[i]))
            return mw_fail(MW_EDATA, "%s: the value of entry %zu is not a weight (a real number below 1e280)",
                           r->input->name, i);
        differ = differ || weight[i] != one;
    }
    r->weighted = differ;
    return 0;
}

/* ---- direction ---- */

/* Orders entries by column, and keeps the order of entries of equal columns. */
static int order_by(const struct reading *r, unsigned side, const size_t *from, size_t *to)
{
    size_t *start = NULL;
    TRY_RETURN(mw_new(r->vertices + 1, sizeof *start, &start));
    for (size_t i = 0; i < r->entries; i++)
        start[r->ends[2 * i + side] + 1]++;
    for (size_t v = 0; v < r->vertices; v++)
        start[v + 1] += start[v];
    for (size_t i = 0; i < r->entries; i++) {
        const size_t entry = from ? from[i] : i;
        to[start[r->ends[2 * entry + side]]++] = entry;
    }
    free(start);
    return 0;
}

/* Compares the entries ordered by row and column with those ordered by column and row. */
static int compare_transposed(struct reading *r, const mw_decimal *weight, bool *equal)
{
    size_t *first = NULL, *second = NULL, *third = NULL;
    int rc;
    TRY(mw_new(r->entries, sizeof *first, &first));
    TRY(mw_new(r->entries, sizeof *second, &second));
    TRY(mw_new(r->entries, sizeof *third, &third));
    TRY(order_by(r, 1, NULL, third));
    TRY(order_by(r, 0, third, first));
    TRY(order_by(r, 0, NULL, third));
    TRY(order_by(r, 1, third, second));
    *equal = true;
    for (size_t i = 0; *equal && i < r->entries; i++) {
        const uint32_t *a = r->ends + 2 * first[i], *b = r->ends + 2 * second[i];
        *equal = a[0] == b[1] && a[1] == b[0] && weight[first[i]] == weight[second[i]];
    }
out:
    free(first);
    free(second);
    free(third);
    return rc;
}

/* Chooses the direction, and of an undirected graph keeps the entries on and above the diagonal. */
static int choose_direction(struct reading *r, bool wants_directed, mw_decimal *weight)
{
    struct mw_array stated = { 0 };
    size_t kept = 0;
    bool equal;
    int rc;
    if (mw_npz_read_array(r->input->name, "directed", &stated) == 0 && stated.count == 1 &&
        stated.type == MW_TYPE_BOOL) {
        r->directed = *(const unsigned char *)stated.data;
        wants_directed = wants_directed && r->directed;
    }
    const bool is_stated = stated.data != NULL;
    mw_array_free(&stated);
    TRY_RETURN(compare_transposed(r, weight, &equal));
    if (is_stated && !r->directed && !equal)
        return npz_wrong(r, "it is stated to be undirected, but differs from its transpose");
    if (!is_stated)
        r->directed = wants_directed || !equal;
    rc = 0;
    for (size_t i = 0; !r->directed && i < r->entries; i++)
        if (r->ends[2 * i] <= r->ends[2 * i + 1]) {
            memmove(r->ends + 2 * kept, r->ends + 2 * i, 2 * sizeof *r->ends);
            weight[kept++] = weight[i];
        }
    r->entries = r->directed ? r->entries : kept;
    return rc;
}

/* ---- the edges ---- */

int mw_edges_read_npz(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .input = input };
    struct mw_edge_piece piece = { 0 };
    void *pieces[] = { &piece };
    int rc;
    if (!input->is_file || input->start > 0)
        return mw_fail(MW_ENOTSUP, "cannot read %s: sparse matrices are read from regular files, without gzip",
                       input->name);
    TRY(read_entries(&r));
    TRY(mw_new(r.entries, sizeof *piece.weights, &piece.weights));
    TRY(read_weights(&r, piece.weights));
    TRY(choose_direction(&r, options->directed, piece.weights));
    r.weighted = r.weighted && !options->no_weights;
    piece.ends = r.ends;
    piece.count = r.entries;
    r.ends = NULL;
    TRY(mw_pieces_keep(NULL, input->name, pieces, 1, 0, r.vertices, r.weighted, r.directed, edges));
out:
    mw_array_free(&r.row);
    mw_array_free(&r.column);
    mw_array_free(&r.data);
    free(r.ends);
    free(piece.ends);
    free(piece.weights);
    return rc;
}
/* SPDX-License-Identifier: MIT */
