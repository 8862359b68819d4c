/* Index maps: representation by digits, and primitive operations. */
#include "lattice/transform_internal.h"

#define TABLE_MAX ((size_t)1 << 32) /* entries (32 GiB): larger sizes are probably a mistake */

static unsigned first_axis(const struct mw_map *m, unsigned dim)
{
    unsigned first = 0;
    for (unsigned d = 0; d < dim; d++)
        first += m->axis_count[d];
    return first;
}

static unsigned all_axes(const struct mw_map *m) { return first_axis(m, m->dims); }

static int64_t contribution(const struct mw_axis *a, size_t x)
{
    return a->table ? a->table[x] : (int64_t)x * a->stride;
}

static int make_dense(struct mw_map *m, size_t cells);

/* ---- construction ---- */

int mw_map_new(unsigned dims, const size_t *length, struct mw_map **result)
{
    struct mw_map *m = NULL;
    size_t cells = 1, stride = 1;
    int rc;
    if (dims == 0 || dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "map has %u dimensions (must be 1 to %d)", dims, MW_DIMS_MAX);
    TRY(mw_new(1, sizeof *m, &m));
    m->source_dims = m->dims = dims;
    for (unsigned d = 0; d < dims; d++) {
        m->source_length[d] = m->length[d] = length[d];
        m->axis[d] = (struct mw_axis){ length[d], (int64_t)stride, NULL };
        m->axis_count[d] = 1;
        if (!mw_mul(cells, length[d], &cells) || !mw_mul(stride, length[d] ? length[d] : 1, &stride) ||
            stride > INT64_MAX / 64)
            TRY(mw_fail(MW_ELIMIT, "the map has too many cells (at most 2^57 - 1): use smaller lengths"));
    }
    m->cells = cells;
    if (cells == 0)
        TRY(make_dense(m, 0));
    *result = m;
    m = NULL;
out:
    mw_map_free(m);
    return rc;
}

void mw_map_free(struct mw_map *map)
{
    if (!map)
        return;
    for (unsigned a = 0; a < MW_AXES_MAX; a++)
        free(map->axis[a].table);
    free(map->dense);
    free(map->ops);
    free(map);
}

static int copy_bytes(const void *from, size_t n, size_t size, void *pointer_to_pointer)
{
    void *copy;
    const int rc = mw_new(n, size, &copy);
    if (rc == 0) {
        memcpy(copy, from, n * size);
        memcpy(pointer_to_pointer, &copy, sizeof copy);
    }
    return rc;
}

int mw_map_copy(const struct mw_map *map, struct mw_map **result)
{
    struct mw_map *m = NULL;
    int rc;
    TRY(mw_new(1, sizeof *m, &m));
    *m = *map;
    m->dense = NULL;
    m->ops = NULL;
    for (unsigned a = 0; a < MW_AXES_MAX; a++)
        m->axis[a].table = NULL;
    for (unsigned a = 0; a < all_axes(map); a++)
        if (map->axis[a].table)
            TRY(copy_bytes(map->axis[a].table, map->axis[a].length, sizeof(int64_t), &m->axis[a].table));
    if (map->dense)
        TRY(copy_bytes(map->dense, map->cells, sizeof(int64_t), &m->dense));
    if (map->op_count)
        TRY(copy_bytes(map->ops, map->op_count, sizeof *map->ops, &m->ops));
    *result = m;
    m = NULL;
out:
    mw_map_free(m);
    return rc;
}

void mw_map_lengths(const struct mw_map *map, unsigned *dims, size_t *length)
{
    *dims = map->dims;
    memcpy(length, map->length, map->dims * sizeof *length);
}

void mw_map_source_lengths(const struct mw_map *map, unsigned *dims, size_t *length)
{
    *dims = map->source_dims;
    memcpy(length, map->source_length, map->source_dims * sizeof *length);
}

int64_t mw_map_source(const struct mw_map *map, int64_t k)
{
    int64_t at = map->base;
    size_t rest = (size_t)k;
    if (map->dense)
        return map->dense[k] == MW_OUTSIDE ? -1 : map->dense[k];
    for (unsigned a = 0; a < all_axes(map); a++) {
        const int64_t c = contribution(&map->axis[a], rest % map->axis[a].length);
        if (c == MW_OUTSIDE)
            return -1;
        at += c;
        rest /= map->axis[a].length;
    }
    return at;
}

bool mw_map_is_involution(const struct mw_map *map)
{
    if (map->dims != map->source_dims || memcmp(map->length, map->source_length, map->dims * sizeof *map->length) != 0)
        return false;
    struct mw_plan plan;
    mw_plan_make(map, 1, &plan);
    const bool is = mw_plan_points(&plan, false) == 0 && mw_plan_is_involution(&plan);
    mw_plan_free(&plan);
    return is;
}

/* ---- changes of representation ---- */

static int new_table(size_t length, int64_t **table)
{
    if (length > TABLE_MAX)
        return mw_fail(MW_ELIMIT, "the operations need a table of %zu cells (at most 2^32)", length);
    return mw_new(length, sizeof **table, table);
}

/* Replaces the digits of a dimension by one digit with a table.  A single affine digit stays unless `to_table`. */
static int flatten(struct mw_map *m, unsigned dim, bool to_table)
{
    const unsigned first = first_axis(m, dim), count = m->axis_count[dim], all = all_axes(m);
    int64_t *table;
    if (count == 1 && (m->axis[first].table || !to_table))
        return 0;
    TRY_RETURN(new_table(m->length[dim], &table));
    for (size_t x = 0; x < m->length[dim]; x++) {
        size_t rest = x;
        for (unsigned a = first; a < first + count && table[x] != MW_OUTSIDE; a++) {
            const int64_t c = contribution(&m->axis[a], rest % m->axis[a].length);
            table[x] = c == MW_OUTSIDE ? c : table[x] + c;
            rest /= m->axis[a].length;
        }
    }
    for (unsigned a = first; a < first + count; a++)
        free(m->axis[a].table);
    memmove(&m->axis[first + 1], &m->axis[first + count], (all - first - count) * sizeof *m->axis);
    memset(&m->axis[all - count + 1], 0, (count - 1) * sizeof *m->axis);
    m->axis[first] = (struct mw_axis){ m->length[dim], 0, table };
    m->axis_count[dim] = 1;
    return 0;
}

/* Switches to the dense form of `cells` cells: all of them, or 0. */
static int make_dense(struct mw_map *m, size_t cells)
{
    int64_t *dense;
    if (m->dense)
        return 0;
    TRY_RETURN(new_table(cells, &dense));
    for (size_t k = 0; k < cells; k++) {
        const int64_t at = mw_map_source(m, (int64_t)k);
        dense[k] = at < 0 ? MW_OUTSIDE : at;
    }
    for (unsigned a = 0; a < all_axes(m); a++)
        free(m->axis[a].table);
    memset(m->axis, 0, sizeof m->axis);
    memset(m->axis_count, 0, sizeof m->axis_count);
    m->dense = dense;
    return 0;
}

/* ---- one-dimensional operations ---- */

/* Applies an operation if all digits stay affine; otherwise returns false. */
static bool stays_affine(struct mw_map *m, const struct mw_op *op)
{
    struct mw_axis *axis = &m->axis[first_axis(m, op->dim)];
    const unsigned count = m->axis_count[op->dim];
    for (unsigned a = 0; a < count; a++)
        if (axis[a].table)
            return false;
    if (op->kind == MW_OP_FLIP) {
        for (unsigned a = 0; a < count && m->cells; a++) {
            m->base += (int64_t)(axis[a].length - 1) * axis[a].stride;
            axis[a].stride = -axis[a].stride;
        }
        return true;
    }
    if (op->kind == MW_OP_CROP && count == 1) {
        m->base += op->a * axis->stride;
        axis->length = (size_t)op->b;
        return true;
    }
    return false;
}

static int apply_along(struct mw_map *m, const struct mw_op *op)
{
    const size_t after = mw_op_length_after(op);
    int64_t *table;
    if (stays_affine(m, op))
        return 0;
    TRY_RETURN(flatten(m, op->dim, true));
    struct mw_axis *axis = &m->axis[first_axis(m, op->dim)];
    TRY_RETURN(new_table(after, &table));
    for (size_t x = 0; x < after; x++) {
        const size_t before = mw_op_position_before(op, x);
        table[x] = before == SIZE_MAX ? MW_OUTSIDE : axis->table[before];
    }
    free(axis->table);
    *axis = (struct mw_axis){ after, 0, table };
    return 0;
}

/* ---- operations on dimensions ---- */

static void permute_axes(struct mw_map *m, const unsigned char *order)
{
    struct mw_axis axis[MW_AXES_MAX];
    unsigned count[MW_AXES_MAX], n = 0;
    for (unsigned d = 0; d < m->dims; d++) {
        const unsigned first = first_axis(m, order[d]);
        count[d] = m->axis_count[order[d]];
        memcpy(&axis[n], &m->axis[first], count[d] * sizeof *axis);
        n += count[d];
    }
    memcpy(m->axis, axis, n * sizeof *axis);
    memcpy(m->axis_count, count, m->dims * sizeof *count);
}

/* Splits digit `a` into one of `radix` positions and the rest; *cut is false if its table does not allow it. */
static int cut_axis(struct mw_map *m, unsigned a, size_t radix, bool *cut)
{
    struct mw_axis *axis = &m->axis[a], low = { radix, axis->stride, NULL }, high = { 0, 0, NULL };
    const unsigned all = all_axes(m);
    int rc = 0;
    *cut = false;
    if (all == MW_AXES_MAX)
        return mw_fail(MW_ELIMIT, "the map has more than %d digits: split fewer dimensions, or merge some",
                       MW_AXES_MAX);
    high.length = axis->length / radix;
    high.stride = axis->stride * (int64_t)radix;
    if (axis->table) {
        for (size_t j = 0; j < high.length; j++)
            for (size_t i = 0; i < radix; i++) {
                const int64_t t = axis->table[i + radix * j], start = axis->table[radix * j];
                if (t == MW_OUTSIDE || start == MW_OUTSIDE || t - start != axis->table[i] - axis->table[0])
                    return 0;
            }
        TRY(new_table(radix, &low.table));
        TRY(new_table(high.length, &high.table));
        for (size_t i = 0; i < radix; i++)
            low.table[i] = axis->table[i] - axis->table[0];
        for (size_t j = 0; j < high.length; j++)
            high.table[j] = axis->table[radix * j];
        free(axis->table);
    }
    memmove(axis + 2, axis + 1, (all - a - 1) * sizeof *axis);
    axis[0] = low;
    axis[1] = high;
    low.table = NULL;
    *cut = true;
out:
    free(low.table);
    return rc;
}

/* Finds or makes a boundary between digits after `radix` positions of a dimension, with `count` digits before it.
 * *found is false if only the dense form can represent it. */
static int find_boundary(struct mw_map *m, unsigned dim, size_t radix, unsigned *count, bool *found)
{
    const unsigned first = first_axis(m, dim);
    size_t left = radix;
    *found = false;
    for (unsigned a = 0; a < m->axis_count[dim]; a++) {
        const size_t n = m->axis[first + a].length;
        if (left == 1 && a > 0) {
            *count = a;
            *found = true;
            return 0;
        }
        if (left % n == 0 && left > 1 && a + 1 < m->axis_count[dim]) {
            left /= n;
            continue;
        }
        if (n % left != 0)
            return 0;
        TRY_RETURN(cut_axis(m, first + a, left, found));
        if (*found) {
            m->axis_count[dim]++;
            *count = a + 1;
        }
        return 0;
    }
    return 0;
}

static int split_dim(struct mw_map *m, const struct mw_op *op)
{
    unsigned before = 0;
    bool found;
    TRY_RETURN(find_boundary(m, op->dim, (size_t)op->a, &before, &found));
    if (!found) {
        TRY_RETURN(flatten(m, op->dim, true));
        TRY_RETURN(find_boundary(m, op->dim, (size_t)op->a, &before, &found));
    }
    if (!found) {
        TRY_RETURN(make_dense(m, m->cells));
        before = 0;
    }
    memmove(&m->axis_count[op->dim + 1], &m->axis_count[op->dim], (m->dims - op->dim) * sizeof *m->axis_count);
    m->axis_count[op->dim + 1] -= before;
    m->axis_count[op->dim] = before;
    return 0;
}

/* ---- the dense form ---- */

/* Fills `to` with the source indices after an operation on the dense map. */
static void apply_dense(const struct mw_map *m, const struct mw_op *op, const size_t *length_to, size_t cells,
                        int64_t *to)
{
    size_t stride[MW_AXES_MAX], product = 1;
    for (unsigned d = 0; d < m->dims; d++) {
        stride[d] = product;
        product *= m->length[d];
    }
    for (size_t k = 0; k < cells; k++) {
        size_t rest = k, at = 0;
        for (unsigned d = 0; d < m->dims; d++) {
            const size_t x = rest % length_to[d];
            const size_t old = op->kind != MW_OP_PERMUTE && d == op->dim ? mw_op_position_before(op, x) : x;
            if (old == SIZE_MAX) {
                at = SIZE_MAX;
                break;
            }
            at += old * stride[op->kind == MW_OP_PERMUTE ? op->order[d] : d];
            rest /= length_to[d];
        }
        to[k] = at == SIZE_MAX ? MW_OUTSIDE : m->dense[at];
    }
}

/* ---- application ---- */

/* Computes the dimensions and lengths after an operation. */
static int lengths_after(const struct mw_map *m, const struct mw_op *op, unsigned *dims, size_t *length, size_t *cells)
{
    size_t n = 1;
    *dims = m->dims;
    memcpy(length, m->length, m->dims * sizeof *length);
    if (op->kind == MW_OP_PERMUTE) {
        for (unsigned d = 0; d < m->dims; d++)
            length[d] = m->length[op->order[d]];
    } else if (op->kind == MW_OP_SPLIT) {
        if (m->dims == MW_AXES_MAX)
            return mw_fail(MW_ELIMIT, "the map has more than %d digits: split fewer dimensions, or merge some",
                           MW_AXES_MAX);
        memmove(&length[op->dim + 1], &length[op->dim], (m->dims - op->dim) * sizeof *length);
        length[op->dim] = (size_t)op->a;
        length[op->dim + 1] = op->length / (size_t)op->a;
        ++*dims;
    } else if (op->kind == MW_OP_MERGE) {
        if (!mw_mul(length[op->dim], length[op->dim + 1], &length[op->dim]))
            return mw_fail(MW_ELIMIT, "the map has too many cells (at most 2^57 - 1): use smaller lengths");
        memmove(&length[op->dim + 1], &length[op->dim + 2], (m->dims - op->dim - 2) * sizeof *length);
        --*dims;
    } else {
        length[op->dim] = mw_op_length_after(op);
    }
    for (unsigned d = 0; d < *dims; d++)
        if (!mw_mul(n, length[d], &n) || n > INT64_MAX / 64)
            return mw_fail(MW_ELIMIT, "the map has too many cells (at most 2^57 - 1): use smaller lengths");
    *cells = n;
    return 0;
}

static int change(struct mw_map *m, const struct mw_op *op, const size_t *length, size_t cells)
{
    int64_t *dense;
    if (cells == 0)
        TRY_RETURN(make_dense(m, 0));
    if (m->dense && op->kind != MW_OP_SPLIT && op->kind != MW_OP_MERGE) {
        TRY_RETURN(new_table(cells, &dense));
        apply_dense(m, op, length, cells, dense);
        free(m->dense);
        m->dense = dense;
    } else if (m->dense) {
        ; /* splitting and merging do not renumber cells */
    } else if (op->kind == MW_OP_PERMUTE) {
        permute_axes(m, op->order);
    } else if (op->kind == MW_OP_SPLIT) {
        TRY_RETURN(split_dim(m, op));
    } else if (op->kind == MW_OP_MERGE) {
        m->axis_count[op->dim] += m->axis_count[op->dim + 1];
        memmove(&m->axis_count[op->dim + 1], &m->axis_count[op->dim + 2],
                (m->dims - op->dim - 2) * sizeof *m->axis_count);
    } else {
        TRY_RETURN(apply_along(m, op));
    }
    return 0;
}

int mw_map_apply(struct mw_map *m, const struct mw_op *op)
{
    size_t length[MW_AXES_MAX + 1], cells = 0;
    struct mw_op *ops;
    unsigned dims;
    TRY_RETURN(lengths_after(m, op, &dims, length, &cells));
    TRY_RETURN(mw_new(m->op_count + 1, sizeof *ops, &ops));
    const int rc = change(m, op, length, cells);
    if (rc != 0) {
        free(ops);
        return rc;
    }
    if (m->op_count)
        memcpy(ops, m->ops, m->op_count * sizeof *ops);
    ops[m->op_count++] = *op;
    free(m->ops);
    m->ops = ops;
    m->dims = dims;
    memcpy(m->length, length, dims * sizeof *length);
    m->cells = cells;
    return 0;
}
/* SPDX-License-Identifier: MIT */
