/* VTK image data: the XML format with values appended as raw bytes ("VTK File Formats", Kitware). */
#include <meshwork/io.h>

#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define VTK_DIMS 3
#define ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian")

/* Returns NULL if VTK has no such type. */
static const char *type_name(enum mw_type type)
{
    static const char *const names[] = {
        [MW_TYPE_BOOL] = "UInt8", [MW_TYPE_I8] = "Int8",     [MW_TYPE_U8] = "UInt8",   [MW_TYPE_I16] = "Int16",
        [MW_TYPE_U16] = "UInt16", [MW_TYPE_I32] = "Int32",   [MW_TYPE_U32] = "UInt32", [MW_TYPE_I64] = "Int64",
        [MW_TYPE_U64] = "UInt64", [MW_TYPE_F32] = "Float32", [MW_TYPE_F64] = "Float64"
    };
    return (size_t)type < MW_COUNT(names) ? names[type] : NULL;
}

static void add_escaped(struct mw_text *text, const char *name)
{
    static const struct {
        char c;
        const char *entity;
    } entities[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" } };

    for (; *name != '\0'; name++) {
        size_t e = 0;
        while (e < MW_COUNT(entities) && entities[e].c != *name)
            e++;
        if (e < MW_COUNT(entities))
            mw_text_add(text, "%s", entities[e].entity);
        else
            mw_text_append(text, name, 1);
    }
}

/* Writes everything before the bytes of the arrays. */
static int format_head(const struct mw_array *array, unsigned dims, const char *const *names, size_t count,
                       size_t bytes, double time, const double *spacing, struct mw_text *t)
{
    size_t last[VTK_DIMS] = { 0 };
    double h[VTK_DIMS] = { 1, 1, 1 };
    for (unsigned d = 0; d < dims; d++) {
        last[d] = array->length[d] - 1;
        h[d] = spacing ? spacing[d] : 1;
    }
    mw_text_add(t,
                "<?xml version=\"1.0\"?>\n"
                "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
                "  <ImageData WholeExtent=\"0 %zu 0 %zu 0 %zu\" Origin=\"0 0 0\" Spacing=\"%.17g %.17g %.17g\">\n",
                ORDER, last[0], last[1], last[2], h[0], h[1], h[2]);
    if (isfinite(time))
        mw_text_add(t,
                    "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                    "format=\"ascii\">%.17g</DataArray>\n    </FieldData>\n",
                    time);
    mw_text_add(t, "    <Piece Extent=\"0 %zu 0 %zu 0 %zu\">\n      <PointData Scalars=\"", last[0], last[1], last[2]);
    add_escaped(t, names[0]);
    mw_text_add(t, "\">\n");
    for (size_t i = 0; i < count; i++) {
        mw_text_add(t, "        <DataArray type=\"%s\" Name=\"", type_name(array->type));
        add_escaped(t, names[i]);
        mw_text_add(t, "\" format=\"appended\" offset=\"%" PRIu64 "\"/>\n", (uint64_t)i * (bytes + sizeof(uint64_t)));
    }
    mw_text_add(t, "      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_");
    return mw_text_ok(t);
}

static int vti_check(const char *path, const struct mw_array *array, size_t count, unsigned *dims)
{
    const bool several = count > 1;
    if (count == 0 || array->count == 0 || array->data == NULL)
        return mw_fail(MW_EINVAL, "cannot write %s: the array has no values", path);
    if (several && (array->dims == 0 || array->length[array->dims - 1] != count))
        return mw_fail(MW_EINVAL, "cannot write %s: the slowest dimension must have %zu fields", path, count);
    if (type_name(array->type) == NULL)
        return mw_fail(MW_EINVAL, "cannot write %s: VTK files do not support %s", path, mw_type_name(array->type));
    *dims = array->dims - several;
    if (*dims > VTK_DIMS)
        return mw_fail(MW_EINVAL,
                       "cannot write %s: VTK images have at most %d dimensions, this array has %u (write a "
                       ".npy file instead)",
                       path, VTK_DIMS, *dims);
    return 0;
}

int mw_vti_write(const char *path, const struct mw_array *array, const char *const *names, size_t count, double time,
                 const double *spacing)
{
    static const char tail[] = "\n  </AppendedData>\n</VTKFile>\n";
    struct mw_text text = { 0 };
    struct mw_file *file = NULL;
    unsigned dims = 0;
    uint64_t length;
    size_t bytes;
    int rc;
    TRY(vti_check(path, array, count, &dims));
    bytes = array->count / count * mw_type_bytes(array->type);
    length = bytes;
    TRY(format_head(array, dims, names, count, bytes, time, spacing, &text));
    TRY(mw_file_create(path, true, &file));
    TRY(mw_file_write(file, text.data, text.length));
    for (size_t i = 0; i < count; i++) {
        TRY(mw_file_write(file, &length, sizeof length)); /* in the byte order named in the file, like all numbers */
        TRY(mw_file_write(file, (const char *)array->data + i * bytes, bytes));
    }
    TRY(mw_file_write(file, tail, sizeof tail - 1));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    mw_text_free(&text);
    return rc;
}
/* SPDX-License-Identifier: MIT */
