/* Index maps: declarations shared by map.c, map_ops.c, map_parse.c and transform.c.  Internal. */
#ifndef MW_MAP_INTERNAL_H
#define MW_MAP_INTERNAL_H

#include <meshwork/transform.h>

#include "base/base.h"

#define MW_OUTSIDE INT64_MIN /* table entry of a cell with the fill value */
#define MW_AXES_MAX 64       /* maximum number of digits of all dimensions together */

/* A digit of a dimension of the result, with its contribution to the source index. A dimension that is not split into
 * several digits (mixed radix) is one digit. */
struct mw_axis {
    size_t length;
    int64_t stride; /* contribution x * stride, if there is no table */
    int64_t *table; /* contribution table[x], or MW_OUTSIDE; owned; NULL: affine */
};

/* Kinds of primitive operations; the others of transform.h are sequences of these. */
enum mw_op_kind {
    MW_OP_FLIP,
    MW_OP_SHIFT,
    MW_OP_CRINKLE,
    MW_OP_UNCRINKLE,
    MW_OP_PERMUTE,
    MW_OP_PAD,
    MW_OP_CROP,
    MW_OP_SPLIT,
    MW_OP_MERGE
};
/* A primitive operation, with the previous length of its dimension, which is enough to invert it. */
struct mw_op {
    enum mw_op_kind kind;
    unsigned dim;
    size_t length; /* length of the dimension, before the operation */
    /* Parameters. shift: distance; crinkle, uncrinkle: step; pad: before, after; crop: first, count; split: radix;
     * merge: length of the first of the two dimensions. */
    int64_t a, b;
    unsigned char order[MW_AXES_MAX]; /* permute */
};

/* An index map. The source index of a cell is `base` plus the contributions of its digits; a cell with a contribution
 * MW_OUTSIDE gets the fill value.
 * If the digits of a dimension are no longer independent, `dense` holds the source index of every cell instead. */
struct mw_map {
    unsigned source_dims;
    size_t source_length[MW_DIMS_MAX];
    unsigned dims;
    size_t length[MW_AXES_MAX];
    size_t cells;
    int64_t base;
    struct mw_axis axis[MW_AXES_MAX]; /* all digits, fastest first, dimension by dimension */
    unsigned axis_count[MW_AXES_MAX]; /* digits of each dimension; at least one */
    int64_t *dense;
    struct mw_op *ops;
    size_t op_count;
};

/* Applies a primitive operation and records it for the inverse.  Unlike the public functions it allows up to
 * MW_AXES_MAX dimensions in between. */
int mw_map_apply(struct mw_map *map, const struct mw_op *op);
/* Returns the length of the dimension of an operation along it, after the operation. */
size_t mw_op_length_after(const struct mw_op *op);
/* Returns the position before an operation along a dimension, from the one after it; SIZE_MAX if it was outside. */
size_t mw_op_position_before(const struct mw_op *op, size_t x);
/* Splits a dimension as mw_map_split does, up to MW_AXES_MAX dimensions. */
int mw_map_split_unbounded(struct mw_map *map, unsigned dim, size_t radix);

#endif
/* SPDX-License-Identifier: MIT */
