/* Files of elements without a header. */
#include <meshwork/io.h>

#include "base/base.h"
#include "io/order.h"

#include <stdlib.h>
#include <string.h>

static int wrong_length(const char *path, size_t offset, size_t have, bool more, const struct mw_array *array,
                        size_t bytes)
{
    struct mw_text shape = { 0 }, after = { 0 };
    int rc;
    for (unsigned i = 0; i < array->dims; i++)
        mw_text_add(&shape, "%s%zu", i ? "x" : "", array->length[i]);
    if (offset)
        mw_text_add(&after, " after a header of %zu", offset);
    TRY(mw_text_ok(&shape));
    if (offset)
        TRY(mw_text_ok(&after));
    rc = mw_fail(MW_EDATA, "%s has %s%zu byte%s, but %s of %s needs %zu%s (check lengths and type)", path,
                 more ? "more than " : "", have, MW_S(have), shape.data, mw_type_name(array->type), bytes,
                 offset ? after.data : "");
out:
    mw_text_free(&after);
    mw_text_free(&shape);
    return rc;
}

int mw_raw_read(const char *path, enum mw_type type, unsigned dims, const size_t *length, struct mw_array *array)
{
    return mw_raw_read_after(path, 0, MW_BIG_HOST, type, dims, length, array);
}

int mw_raw_read_after(const char *path, size_t offset, bool big_endian, enum mw_type type, unsigned dims,
                      const size_t *length, struct mw_array *array)
{
    const bool is_stream = strcmp(path, "-") == 0;
    struct mw_array new = { .type = type, .dims = dims, .count = 1 };
    const size_t part = mw_type_bytes(type) / mw_type_parts(type);
    size_t bytes, all, have = 0;
    char *data = NULL;
    int rc;
    if (mw_type_bytes(type) == 0 || dims == 0 || dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "cannot read %s: needs a valid element type and 1 to %d lengths", path, MW_DIMS_MAX);
    for (unsigned i = 0; i < dims; i++) {
        if (length[i] == 0)
            return mw_fail(MW_EINVAL, "cannot read %s: length %u is 0 (must be 1 or more)", path, i);
        new.length[i] = length[i];
        if (!mw_mul(new.count, length[i], &new.count))
            return mw_fail(MW_ELIMIT, "cannot read %s: the product of the lengths exceeds the address space", path);
    }
    if (!mw_mul(new.count, mw_type_bytes(type), &bytes) || !mw_add(bytes, offset, &all) || all > PTRDIFF_MAX)
        return mw_fail(MW_ELIMIT, "cannot read %s: the product of the lengths exceeds the address space", path);
    rc = mw_file_read(is_stream ? "/dev/stdin" : path, all, &data, &have);
    if (rc == MW_ELIMIT || (rc == 0 && have < all))
        TRY(wrong_length(is_stream ? "standard input" : path, offset, rc ? all : have, rc != 0, &new, bytes));
    TRY(rc);
    if (offset > 0)
        memmove(data, data + offset, bytes);
    if (big_endian != MW_BIG_HOST)
        mw_reverse_parts(data, bytes, part);
    if (type == MW_TYPE_BOOL) /* C allows only 0 and 1 in a bool */
        for (size_t i = 0; i < new.count; i++)
            data[i] = data[i] != 0;
    new.data = data;
    data = NULL;
    *array = new;
out:
    free(data);
    return rc;
}
/* SPDX-License-Identifier: MIT */
