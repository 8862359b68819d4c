/* The functions compare and classify of cl/label/cells.clh, for all types of cells. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "label/label_internal.h"

#include "native.clh"
#include "label/cells.clh"

/* Adapt the functions to struct label_cells. */
#define PLACED(name, type)                                                                                             \
    CLONES static uint64_t name##_placed(const void *from, int64_t a, int64_t b, int32_t n, const void *value)         \
    {                                                                                                                  \
        const type *cells = from;                                                                                      \
        return name(cells + a, cells + b, n, *(const type *)value);                                                    \
    }
#define ROWS(name, type, ZERO)                                                                                         \
    CLONES static int32_t name##_rows(const void *from, int64_t row, int64_t n, const void *value, i32 background,     \
                                      i32 all, int64_t *other, uint64_t *to)                                           \
    {                                                                                                                  \
        (void)background;                                                                                              \
        return name(from, row, n, ZERO(type), all, other, to);                                                         \
    }
#define VALUE(type) (*(const type *)value)
#define VALUE_OR_FIRST(type) (background ? VALUE(type) : *(const type *)from)

#define EQUAL(type)                                                                                                    \
    COMPARE(label_equal_##type, type, JOINS_EQUAL)                                                                     \
    PLACED(label_equal_##type, type)                                                                                   \
    CLASSIFY_EQUAL(label_kinds_##type, type)                                                                           \
    ROWS(label_kinds_##type, type, VALUE_OR_FIRST)
#define TOLERANCE(type)                                                                                                \
    COMPARE(label_near_##type, type, JOINS_TOLERANCE)                                                                  \
    PLACED(label_near_##type, type)                                                                                    \
    CLASSIFY_NOTHING(label_none_##type, type)                                                                          \
    ROWS(label_none_##type, type, VALUE)
#define THRESHOLD(type)                                                                                                \
    CLASSIFY_THRESHOLD(label_above_##type, type)                                                                       \
    ROWS(label_above_##type, type, VALUE)

EQUAL(uint8_t)
EQUAL(uint16_t)
EQUAL(uint32_t)
EQUAL(uint64_t)
TOLERANCE(float)
TOLERANCE(double)
THRESHOLD(int8_t)
THRESHOLD(uint8_t)
THRESHOLD(int16_t)
THRESHOLD(uint16_t)
THRESHOLD(int32_t)
THRESHOLD(uint32_t)
THRESHOLD(int64_t)
THRESHOLD(uint64_t)
THRESHOLD(float)
THRESHOLD(double)

#define IF_EQUAL(type)                                                                                                 \
    {                                                                                                                  \
        label_equal_##type##_placed, label_kinds_##type##_rows                                                         \
    }
#define IF_NEAR(type)                                                                                                  \
    {                                                                                                                  \
        label_near_##type##_placed, label_none_##type##_rows                                                           \
    }
/* With a threshold cells are of two kinds and need no comparison. */
#define IF_ABOVE(type)                                                                                                 \
    {                                                                                                                  \
        NULL, label_above_##type##_rows                                                                                \
    }

static const struct label_cells cells[][MW_JOIN_TOLERANCE + 1] = {
    [MW_TYPE_BOOL] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint8_t), IF_ABOVE(uint8_t) },
    [MW_TYPE_I8] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint8_t), IF_ABOVE(int8_t) },
    [MW_TYPE_U8] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint8_t), IF_ABOVE(uint8_t) },
    [MW_TYPE_I16] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint16_t), IF_ABOVE(int16_t) },
    [MW_TYPE_U16] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint16_t), IF_ABOVE(uint16_t) },
    [MW_TYPE_I32] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint32_t), IF_ABOVE(int32_t) },
    [MW_TYPE_U32] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint32_t), IF_ABOVE(uint32_t) },
    [MW_TYPE_I64] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint64_t), IF_ABOVE(int64_t) },
    [MW_TYPE_U64] = { [MW_JOIN_EQUAL] = IF_EQUAL(uint64_t), IF_ABOVE(uint64_t) },
    [MW_TYPE_F32] = { [MW_JOIN_THRESHOLD] = IF_ABOVE(float), [MW_JOIN_TOLERANCE] = IF_NEAR(float) },
    [MW_TYPE_F64] = { [MW_JOIN_THRESHOLD] = IF_ABOVE(double), [MW_JOIN_TOLERANCE] = IF_NEAR(double) },
};

void mw_label_joining(const struct mw_labelling *labelling, struct label_joining *joining)
{
    joining->of = &cells[labelling->options.type][labelling->options.join];
    mw_label_value(labelling, joining->value);
}
/* SPDX-License-Identifier: MIT */
