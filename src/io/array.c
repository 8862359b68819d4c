/* Arrays in host memory and their element types. */
#include <meshwork/io.h>

#include "base/base.h"
#include "io/array.h"
#include "io/order.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
} types[] = {
    [MW_TYPE_BOOL] = { "bool", 1 },        [MW_TYPE_I8] = { "int8", 1 },     [MW_TYPE_U8] = { "uint8", 1 },
    [MW_TYPE_I16] = { "int16", 2 },        [MW_TYPE_U16] = { "uint16", 2 },  [MW_TYPE_I32] = { "int32", 4 },
    [MW_TYPE_U32] = { "uint32", 4 },       [MW_TYPE_I64] = { "int64", 8 },   [MW_TYPE_U64] = { "uint64", 8 },
    [MW_TYPE_F32] = { "float32", 4 },      [MW_TYPE_F64] = { "float64", 8 }, [MW_TYPE_C64] = { "complex64", 8 },
    [MW_TYPE_C128] = { "complex128", 16 },
};

size_t mw_type_bytes(enum mw_type type) { return (size_t)type < MW_COUNT(types) ? types[type].bytes : 0; }

const char *mw_type_name(enum mw_type type) { return (size_t)type < MW_COUNT(types) ? types[type].name : "unknown"; }

int mw_type_find(const char *name, enum mw_type *type)
{
    for (size_t i = 0; i < MW_COUNT(types); i++)
        if (strcmp(name, types[i].name) == 0) {
            *type = (enum mw_type)i;
            return 0;
        }
    return mw_fail(MW_EINVAL, "unknown element type '%.40s' (use a name of NumPy's, such as float32 or uint8)", name);
}

int mw_array_new(enum mw_type type, unsigned dims, const size_t *length, struct mw_array *array)
{
    struct mw_array new = { .type = type, .dims = dims, .count = 1 };
    bool fits = true, empty = false;
    size_t bytes;
    int rc;
    if (mw_type_bytes(type) == 0)
        return mw_fail(MW_EINVAL, "invalid element type %d of an array (see enum mw_type)", (int)type);
    if (dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "array has %u dimensions (at most %d)", dims, MW_DIMS_MAX);
    for (unsigned i = 0; i < dims; i++) {
        new.length[i] = length[i];
        empty = empty || length[i] == 0;
        fits = mw_mul(new.count, length[i], &new.count) && fits;
    }
    if (empty)
        new.count = 0;
    else if (!fits || !mw_mul(new.count, mw_type_bytes(type), &bytes))
        return mw_fail(MW_ELIMIT, "array of %s: the product of its lengths exceeds the address space",
                       mw_type_name(type));
    rc = mw_new(new.count, mw_type_bytes(type), &new.data);
    if (rc == 0)
        *array = new;
    return rc;
}

int mw_array_check(const struct mw_array *array, const char *what, enum mw_type type, unsigned dims,
                   const size_t *length)
{
    if (array->type != type)
        return mw_fail(MW_EINVAL, "the array for %s must have type %s, not %s", what, mw_type_name(type),
                       mw_type_name(array->type));
    if (array->dims != dims)
        return mw_fail(MW_EINVAL, "the array for %s must have %u dimension%s, not %u", what, dims, MW_S(dims),
                       array->dims);
    for (unsigned d = 0; d < dims; d++)
        if (array->length[d] != length[d])
            return mw_fail(MW_EINVAL, "the array for %s must have length %zu in dimension %u, not %zu", what, length[d],
                           d, array->length[d]);
    return array->data ? 0 : mw_fail(MW_EINVAL, "the array for %s has no memory: its data are NULL", what);
}

void mw_array_free(struct mw_array *array)
{
    if (array == NULL)
        return;
    free(array->data);
    *array = (struct mw_array){ 0 };
}

struct mw_checksum {
    struct mw_hasher hasher;
};

int mw_checksum_new(struct mw_checksum **checksum)
{
    struct mw_checksum *new = NULL;
    const int rc = mw_new(1, sizeof *new, &new);
    if (rc == 0) {
        mw_hasher_start(&new->hasher, 0);
        *checksum = new;
    }
    return rc;
}

void mw_checksum_add(struct mw_checksum *checksum, enum mw_type type, const void *elements, size_t count)
{
    const size_t parts = mw_type_parts(type);
    mw_hasher_add_words(&checksum->hasher, elements, parts * count, mw_type_bytes(type) / parts);
}

uint64_t mw_checksum_value(const struct mw_checksum *checksum)
{
    struct mw_hasher h = checksum->hasher;
    return mw_hasher_end(&h);
}

uint64_t mw_array_checksum(const struct mw_array *array)
{
    struct mw_checksum checksum;
    mw_hasher_start(&checksum.hasher, 0);
    mw_checksum_add(&checksum, array->type, array->data, array->count);
    return mw_checksum_value(&checksum);
}

void mw_checksum_free(struct mw_checksum *checksum) { free(checksum); }
/* SPDX-License-Identifier: MIT */
