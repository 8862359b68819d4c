/* Index maps: what map.c, map_ops.c, map_parse.c and transform.c share. */
#ifndef MW_MAP_INTERNAL_H
#define MW_MAP_INTERNAL_H

#include <meshwork/transform.h>

#include "base/base.h"

#define MW_OUTSIDE INT64_MIN     /* in a table: the fill value */
#define MW_AXES_MAX 64

/* A digit of a result's dimension: where its position x lies in the source, beside the other digits' contributions. */
struct mw_axis {
    size_t length;
    int64_t stride;              /* contribution x * stride, where there is no table */
    int64_t *table;              /* contribution table[x], or MW_OUTSIDE; owned; NULL: affine */
};

enum mw_op_kind { MW_OP_FLIP, MW_OP_SHIFT, MW_OP_CRINKLE, MW_OP_UNCRINKLE, MW_OP_PERMUTE, MW_OP_PAD, MW_OP_CROP,
                  MW_OP_SPLIT, MW_OP_MERGE };
/* A primitive operation with the length that its dimension had before: enough to invert it. */
struct mw_op {
    enum mw_op_kind kind;
    unsigned dim;
    size_t length;               /* of the dimension before */
    int64_t a, b;                /* shift: by; crinkle: step; pad: before, after; crop: first, count; split: radix;
                                  * merge: length of the first */
    unsigned char order[MW_AXES_MAX]; /* permute */
};

/* The source index of a cell is base plus the contributions of its digits, or fill where any of them is outside.  Where
 * digits of a dimension cannot be told apart any more, `dense` holds every cell's source index instead. */
struct mw_map {
    unsigned source_dims;
    size_t source_length[MW_DIMS_MAX];
    unsigned dims;
    size_t length[MW_AXES_MAX];
    size_t cells;
    int64_t base;
    struct mw_axis axis[MW_AXES_MAX];   /* all digits, fastest first, dimension by dimension */
    unsigned axis_count[MW_AXES_MAX];   /* of each dimension; at least one */
    int64_t *dense;
    struct mw_op *ops;
    size_t op_count;
};

/* Applies a primitive operation and notes it for the inverse.  Unlike the public functions it allows up to MW_AXES_MAX
 * dimensions on the way. */
int mw_map_apply(struct mw_map *map, const struct mw_op *op);
int mw_map_split_unbounded(struct mw_map *map, unsigned dim, size_t radix);

#endif
/* SPDX-License-Identifier: MIT */
