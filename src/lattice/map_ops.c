/* Public operations of index maps, and the inverse. */
#include "lattice/map_internal.h"

static int check_dim(const struct mw_map *map, const char *name, unsigned dim)
{
    if (dim < map->dims)
        return 0;
    return mw_fail(MW_EINVAL, "%s: dimension %u does not exist (the array has %u, counted from 0)", name, dim,
                   map->dims);
}

/* ---- along a dimension ---- */

static int along(struct mw_map *map, const char *name, enum mw_op_kind kind, unsigned dim, int64_t a, int64_t b)
{
    TRY_RETURN(check_dim(map, name, dim));
    return mw_map_apply(map, &(struct mw_op){ .kind = kind, .dim = dim, .length = map->length[dim], .a = a, .b = b });
}

int mw_map_flip(struct mw_map *map, unsigned dim) { return along(map, "flip", MW_OP_FLIP, dim, 0, 0); }

int mw_map_shift(struct mw_map *map, unsigned dim, int64_t by)
{
    const int64_t n = dim < map->dims && map->length[dim] ? (int64_t)map->length[dim] : 1;
    return along(map, "shift", MW_OP_SHIFT, dim, (by % n + n) % n, 0);
}

/* A step of the length or more moves no cell; 1 has the same effect and avoids overflow. */
static int64_t useful_step(const struct mw_map *map, unsigned dim, size_t step)
{
    return (int64_t)(dim < map->dims && step >= map->length[dim] ? 1 : step);
}

int mw_map_crinkle(struct mw_map *map, unsigned dim, size_t step)
{
    if (step == 0)
        return mw_fail(MW_EINVAL, "crinkle: step is 0 (must be 1 or more)");
    TRY_RETURN(check_dim(map, "crinkle", dim));
    const size_t useful = (size_t)useful_step(map, dim, step), n = map->length[dim];
    if (n == 0 || n % useful != 0)
        return along(map, "crinkle", MW_OP_CRINKLE, dim, (int64_t)useful, 0);
    /* Two digits exchange places: both stay affine. */
    unsigned order[MW_AXES_MAX];
    for (unsigned d = 0; d <= map->dims; d++)
        order[d] = d == dim ? dim + 1 : d == dim + 1 ? dim : d;
    TRY_RETURN(mw_map_split_unbounded(map, dim, useful));
    TRY_RETURN(mw_map_permute(map, order));
    return mw_map_merge(map, dim);
}

int mw_map_uncrinkle(struct mw_map *map, unsigned dim, size_t step)
{
    if (step == 0)
        return mw_fail(MW_EINVAL, "uncrinkle: step is 0 (must be 1 or more)");
    TRY_RETURN(check_dim(map, "uncrinkle", dim));
    const size_t useful = (size_t)useful_step(map, dim, step), n = map->length[dim];
    if (n == 0 || n % useful != 0)
        return along(map, "uncrinkle", MW_OP_UNCRINKLE, dim, (int64_t)useful, 0);
    return mw_map_crinkle(map, dim, n / useful);
}

int mw_map_pad(struct mw_map *map, unsigned dim, size_t before, size_t after)
{
    size_t sum;
    if (!mw_add(before, after, &sum) || sum > INT64_MAX / 64 || (dim < map->dims && sum + map->length[dim] < sum))
        return mw_fail(MW_ELIMIT, "pad: too many cells (at most 2^57 - 1)");
    return along(map, "pad", MW_OP_PAD, dim, (int64_t)before, (int64_t)after);
}

int mw_map_crop(struct mw_map *map, unsigned dim, size_t first, size_t count)
{
    size_t end;
    if (dim < map->dims && (!mw_add(first, count, &end) || end > map->length[dim]))
        return mw_fail(MW_EINVAL, "crop: %zu cells from %zu exceed dimension %u, which has %zu cells", count, first,
                       dim, map->length[dim]);
    return along(map, "crop", MW_OP_CROP, dim, (int64_t)first, (int64_t)count);
}

/* ---- operations on dimensions ---- */

int mw_map_permute(struct mw_map *map, const unsigned *order)
{
    struct mw_op op = { .kind = MW_OP_PERMUTE };
    bool seen[MW_AXES_MAX] = { false };
    for (unsigned d = 0; d < map->dims; d++) {
        TRY_RETURN(check_dim(map, "permute", order[d]));
        if (seen[order[d]])
            return mw_fail(MW_EINVAL, "permute: dimension %u is given twice", order[d]);
        seen[order[d]] = true;
        op.order[d] = (unsigned char)order[d];
    }
    return mw_map_apply(map, &op);
}

int mw_map_split_unbounded(struct mw_map *map, unsigned dim, size_t radix)
{
    TRY_RETURN(check_dim(map, "split", dim));
    if (radix == 0 || map->length[dim] % radix != 0)
        return mw_fail(MW_EINVAL, "split: %zu does not divide the length %zu of dimension %u", radix, map->length[dim],
                       dim);
    return along(map, "split", MW_OP_SPLIT, dim, (int64_t)radix, 0);
}

int mw_map_split(struct mw_map *map, unsigned dim, size_t radix)
{
    if (map->dims == MW_DIMS_MAX)
        return mw_fail(MW_ELIMIT, "split: the result would have more than %d dimensions", MW_DIMS_MAX);
    return mw_map_split_unbounded(map, dim, radix);
}

int mw_map_merge(struct mw_map *map, unsigned dim)
{
    TRY_RETURN(check_dim(map, "merge", dim));
    TRY_RETURN(check_dim(map, "merge", dim + 1));
    return along(map, "merge", MW_OP_MERGE, dim, (int64_t)map->length[dim], 0);
}

/* ---- digits ---- */

static size_t smallest_factor(size_t n)
{
    for (size_t f = 2; f * f <= n; f++)
        if (n % f == 0)
            return f;
    return n;
}

/* Merges `count` dimensions into one, starting at `dim`. */
static int merge_all(struct mw_map *map, unsigned dim, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        TRY_RETURN(mw_map_merge(map, dim));
    return 0;
}

int mw_map_reverse_digits(struct mw_map *map, unsigned dim)
{
    unsigned order[MW_AXES_MAX], digits = 1;
    size_t left;
    TRY_RETURN(check_dim(map, "reverse", dim));
    for (left = map->length[dim]; left > 1 && smallest_factor(left) < left; digits++) {
        const size_t factor = smallest_factor(left);
        TRY_RETURN(mw_map_split_unbounded(map, dim + digits - 1, factor));
        left /= factor;
    }
    for (unsigned d = 0; d < map->dims; d++)
        order[d] = d < dim || d >= dim + digits ? d : 2 * dim + digits - 1 - d;
    TRY_RETURN(mw_map_permute(map, order));
    return merge_all(map, dim, digits);
}

int mw_map_tile(struct mw_map *map, const size_t *tile)
{
    const unsigned dims = map->dims;
    unsigned order[MW_AXES_MAX];
    if (2 * dims > MW_DIMS_MAX)
        return mw_fail(MW_ELIMIT, "tile: the result would have %u dimensions (at most %d)", 2 * dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < dims; d++)
        if (tile[d] == 0 || map->length[d] % tile[d] != 0)
            return mw_fail(MW_EINVAL, "tile: %zu does not divide the length %zu of dimension %u", tile[d],
                           map->length[d], d);
    for (unsigned d = 0; d < dims; d++) {
        TRY_RETURN(mw_map_split_unbounded(map, 2 * d, tile[d]));
        order[d] = 2 * d;
        order[dims + d] = 2 * d + 1;
    }
    return mw_map_permute(map, order);
}

int mw_map_morton(struct mw_map *map)
{
    unsigned order[MW_AXES_MAX] = { 0 }, bits[MW_DIMS_MAX] = { 0 }, first[MW_DIMS_MAX], all = 0, most = 0, n = 0;
    const unsigned dims = map->dims;
    for (unsigned d = 0; d < dims; d++) {
        if (map->length[d] == 0 || (map->length[d] & (map->length[d] - 1)))
            return mw_fail(MW_EINVAL, "morton: the length %zu of dimension %u is not a power of two", map->length[d],
                           d);
        while (map->length[d] >> bits[d] > 1)
            bits[d]++;
        first[d] = all;
        all += bits[d] ? bits[d] : 1;
        most = bits[d] > most ? bits[d] : most;
    }
    if (all > MW_AXES_MAX)
        return mw_fail(MW_ELIMIT, "morton: the lengths have %u bits (at most %d)", all, MW_AXES_MAX);
    for (unsigned d = 0; d < dims; d++)
        for (unsigned b = 1; b < bits[d]; b++)
            TRY_RETURN(mw_map_split_unbounded(map, first[d] + b - 1, 2));
    for (unsigned b = 0; b < (most ? most : 1); b++)
        for (unsigned d = 0; d < dims; d++)
            if (b < (bits[d] ? bits[d] : 1))
                order[n++] = first[d] + b;
    TRY_RETURN(mw_map_permute(map, order));
    return merge_all(map, 0, all);
}

/* ---- positions before and after an operation along a dimension ---- */

/* Position of cell x after a crinkle: stretches of equal residue, each in order. */
static size_t crinkled(size_t x, size_t length, size_t step)
{
    const size_t residue = x % step, longer = length % step;
    return residue * (length / step) + (residue < longer ? residue : longer) + x / step;
}

/* Cell at position p after a crinkle. */
static size_t uncrinkled(size_t p, size_t length, size_t step)
{
    const size_t longer = length % step, whole = length / step, long_part = longer * (whole + 1);
    const size_t residue = p < long_part ? p / (whole + 1) : longer + (p - long_part) / whole;
    const size_t turn = p < long_part ? p % (whole + 1) : (p - long_part) % whole;
    return turn * step + residue;
}

size_t mw_op_length_after(const struct mw_op *op)
{
    return op->kind == MW_OP_PAD    ? op->length + (size_t)op->a + (size_t)op->b
           : op->kind == MW_OP_CROP ? (size_t)op->b
                                    : op->length;
}

size_t mw_op_position_before(const struct mw_op *op, size_t x)
{
    const size_t n = op->length;
    switch (op->kind) {
    case MW_OP_FLIP: return n - 1 - x;
    case MW_OP_SHIFT: return (x + n - (size_t)op->a) % n;
    case MW_OP_CRINKLE: return uncrinkled(x, n, (size_t)op->a);
    case MW_OP_UNCRINKLE: return crinkled(x, n, (size_t)op->a);
    case MW_OP_PAD: return x < (size_t)op->a || x - (size_t)op->a >= n ? SIZE_MAX : x - (size_t)op->a;
    case MW_OP_CROP: return x + (size_t)op->a;
    default: return x;
    }
}

/* ---- the inverse ---- */

static struct mw_op inverse_of(const struct mw_op *op, unsigned dims)
{
    struct mw_op inverse = *op;
    switch (op->kind) {
    case MW_OP_FLIP: break;
    case MW_OP_SHIFT: inverse.a = op->length ? ((int64_t)op->length - op->a) % (int64_t)op->length : 0; break;
    case MW_OP_CRINKLE: inverse.kind = MW_OP_UNCRINKLE; break;
    case MW_OP_UNCRINKLE: inverse.kind = MW_OP_CRINKLE; break;
    case MW_OP_PERMUTE:
        for (unsigned d = 0; d < dims; d++)
            inverse.order[op->order[d]] = (unsigned char)d;
        break;
    case MW_OP_PAD:
        inverse.kind = MW_OP_CROP;
        inverse.length = op->length + (size_t)(op->a + op->b);
        inverse.b = (int64_t)op->length;
        break;
    case MW_OP_CROP:
        inverse.kind = MW_OP_PAD;
        inverse.length = (size_t)op->b;
        inverse.b = (int64_t)op->length - op->a - op->b;
        break;
    case MW_OP_SPLIT: inverse.kind = MW_OP_MERGE; break;
    case MW_OP_MERGE: inverse.kind = MW_OP_SPLIT; break;
    }
    return inverse;
}

int mw_map_inverse(const struct mw_map *map, struct mw_map **result)
{
    struct mw_map *inverse = NULL;
    int rc;
    TRY(mw_map_new(map->dims, map->length, &inverse));
    for (size_t i = map->op_count; i-- > 0;) {
        struct mw_op op = inverse_of(&map->ops[i], inverse->dims);
        if (op.kind == MW_OP_SPLIT)
            op.length = inverse->length[op.dim];
        TRY(mw_map_apply(inverse, &op));
    }
    *result = inverse;
    inverse = NULL;
out:
    mw_map_free(inverse);
    return rc;
}
/* SPDX-License-Identifier: MIT */
