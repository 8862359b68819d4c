/* NRRD (https://teem.sourceforge.net/nrrd/format.html): lines "FIELD: VALUE", a blank line, the elements; or only the
 * lines, with the name of the file of the elements. */
#include "io/formats.h"
#include "io/formats/headed.h"
#include "io/order.h"

#include <math.h>
#include <string.h>

#define MAGIC "NRRD000"

/* The first name of a type is the written one. */
/* clang-format off */
static const struct mw_type_word words[] = {
    { "int8", MW_TYPE_I8 },     { "signed char", MW_TYPE_I8 },         { "int8_t", MW_TYPE_I8 },
    { "uint8", MW_TYPE_U8 },    { "uchar", MW_TYPE_U8 },               { "unsigned char", MW_TYPE_U8 },
    { "uint8_t", MW_TYPE_U8 },  { "int16", MW_TYPE_I16 },              { "short", MW_TYPE_I16 },
    { "short int", MW_TYPE_I16 },  { "signed short", MW_TYPE_I16 },    { "signed short int", MW_TYPE_I16 },
    { "int16_t", MW_TYPE_I16 }, { "uint16", MW_TYPE_U16 },             { "ushort", MW_TYPE_U16 },
    { "unsigned short", MW_TYPE_U16 }, { "unsigned short int", MW_TYPE_U16 }, { "uint16_t", MW_TYPE_U16 },
    { "int32", MW_TYPE_I32 },   { "int", MW_TYPE_I32 },                { "signed int", MW_TYPE_I32 },
    { "int32_t", MW_TYPE_I32 }, { "uint32", MW_TYPE_U32 },             { "uint", MW_TYPE_U32 },
    { "unsigned int", MW_TYPE_U32 }, { "uint32_t", MW_TYPE_U32 },      { "int64", MW_TYPE_I64 },
    { "longlong", MW_TYPE_I64 }, { "long long", MW_TYPE_I64 },         { "long long int", MW_TYPE_I64 },
    { "signed long long", MW_TYPE_I64 }, { "signed long long int", MW_TYPE_I64 }, { "int64_t", MW_TYPE_I64 },
    { "uint64", MW_TYPE_U64 },  { "ulonglong", MW_TYPE_U64 },          { "unsigned long long", MW_TYPE_U64 },
    { "unsigned long long int", MW_TYPE_U64 }, { "uint64_t", MW_TYPE_U64 }, { "float", MW_TYPE_F32 },
    { "double", MW_TYPE_F64 },
};
/* clang-format on */

/* Values of the fields of a header. */
struct nrrd {
    struct mw_headed h;
    bool has_order, has_encoding, has_sizes;
};

static int take_type(struct nrrd *n, const char *value)
{
    const struct mw_type_word *word = mw_type_by_word(words, MW_COUNT(words), value);
    if (!word)
        return mw_fail(MW_EDATA, "%s has elements of type '%.40s', which is not supported", n->h.path, value);
    n->h.type = word->type;
    n->h.has_type = true;
    return 0;
}

static int take_dimension(struct nrrd *n, const char *value)
{
    size_t dims;
    if (!mw_head_lengths(value, 1, &dims) || dims > MW_DIMS_MAX)
        return mw_fail(MW_EDATA, "%s has dimension '%.20s' (must be 1 to %d)", n->h.path, value, MW_DIMS_MAX);
    n->h.dims = (unsigned)dims;
    return 0;
}

static int take_sizes(struct nrrd *n, const char *value)
{
    n->has_sizes = n->h.dims > 0 && mw_head_lengths(value, n->h.dims, n->h.length);
    return n->has_sizes ? 0 : mw_headed_malformed(&n->h, "expected as many sizes of at least 1 as dimensions");
}

static int take_endian(struct nrrd *n, const char *value)
{
    n->has_order = true;
    n->h.big_endian = mw_same_word(value, "big");
    return n->h.big_endian || mw_same_word(value, "little")
               ? 0
               : mw_headed_malformed(&n->h, "endian must be little or big");
}

static int take_encoding(struct nrrd *n, const char *value)
{
    n->has_encoding = true;
    n->h.packed = mw_same_word(value, "gzip") || mw_same_word(value, "gz");
    return n->h.packed || mw_same_word(value, "raw")
               ? 0
               : mw_fail(MW_EDATA, "%s has encoding '%.20s', which is not supported (use raw or gzip)", n->h.path,
                         value);
}

static int take_data(struct nrrd *n, const char *value)
{
    n->h.data = value;
    return *value && !mw_same_start(value, "LIST", 4) && !strchr(value, '%')
               ? 0
               : mw_fail(MW_EDATA, "%s names several data files, which are not supported (join them)", n->h.path);
}

static int take_byte_skip(struct nrrd *n, const char *value)
{
    n->h.last = strcmp(value, "-1") == 0;
    return n->h.last || strcmp(value, "0") == 0 || mw_head_lengths(value, 1, &n->h.offset)
               ? 0
               : mw_headed_malformed(&n->h, "byte skip must be -1, 0 or positive");
}

static int take_line_skip(struct nrrd *n, const char *value)
{
    return strcmp(value, "0") == 0 ? 0 : mw_fail(MW_EDATA, "%s has a line skip, which is not supported", n->h.path);
}

static int take_field(struct nrrd *n, const char *key, const char *value)
{
    static const struct {
        const char *key;
        int (*take)(struct nrrd *n, const char *value);
    } fields[] = { { "type", take_type },           { "dimension", take_dimension }, { "sizes", take_sizes },
                   { "endian", take_endian },       { "encoding", take_encoding },   { "data file", take_data },
                   { "datafile", take_data },       { "byte skip", take_byte_skip }, { "byteskip", take_byte_skip },
                   { "line skip", take_line_skip }, { "lineskip", take_line_skip } };
    for (size_t i = 0; i < MW_COUNT(fields); i++)
        if (mw_same_word(fields[i].key, key))
            return fields[i].take(n, value);
    return 0; /* spacings, origins and notes do not change the elements */
}

int mw_nrrd_read(const char *path, struct mw_array *array)
{
    struct nrrd n = { .h = { .path = path, .format = "NRRD" } };
    struct mw_head *head = NULL;
    char *line, *key, *value;
    int rc;
    TRY(mw_new(1, sizeof *head, &head));
    TRY(mw_head_read(path, head));
    line = mw_head_line(head);
    if (!line || strncmp(line, MAGIC, sizeof MAGIC - 1) != 0)
        TRY(mw_headed_malformed(&n.h, "the file does not begin with " MAGIC));
    while ((line = mw_head_line(head)) != NULL && *line)
        if (*line != '#' && !strstr(line, ":=")) {
            if (!mw_head_divide(line, ':', &key, &value))
                TRY(mw_headed_malformed(&n.h, "expected 'FIELD: VALUE' in a line of the header"));
            TRY(take_field(&n, key, value));
        }
    if (!line && !n.h.data)
        TRY(mw_headed_malformed(&n.h, "the header has no end"));
    if (!n.h.has_type || !n.has_sizes || !n.has_encoding)
        TRY(mw_headed_malformed(&n.h, "the header lacks type, sizes or encoding"));
    if (!n.has_order && mw_type_bytes(n.h.type) > 1)
        TRY(mw_headed_malformed(&n.h, "the header lacks endian"));
    if (!n.h.data && !mw_add(n.h.offset, head->at, &n.h.offset))
        TRY(mw_headed_malformed(&n.h, "byte skip is too large"));
    TRY(mw_headed_read(&n.h, array));
out:
    free(head);
    return rc;
}

/* Adds a header; `data`: the name of the file of the elements; NULL: they follow. */
static void add_header(const struct mw_array *array, const double *spacing, const char *word, const char *data,
                       struct mw_text *t)
{
    mw_text_add(t, MAGIC "4\n# Written by meshwork %s\ntype: %s\ndimension: %u\nsizes:", mw_version(), word,
                array->dims ? array->dims : 1);
    for (unsigned d = 0; d < array->dims; d++)
        mw_text_add(t, " %zu", array->length[d]);
    mw_text_add(t, "%s\n", array->dims ? "" : " 1");
    for (unsigned d = 0; spacing && d < array->dims; d++)
        if (spacing[d] > 0)
            mw_text_add(t, "%s %.17g", d ? "" : "spacings:", spacing[d]);
        else
            mw_text_add(t, "%s nan", d ? "" : "spacings:"); /* not a dimension of space */
    mw_text_add(t, "%sendian: %s\nencoding: raw\n", spacing && array->dims ? "\n" : "", MW_BIG_HOST ? "big" : "little");
    if (data)
        mw_text_add(t, "data file: %s", data);
    mw_text_add(t, "\n");
}

int mw_nrrd_write(const char *path, const struct mw_array *array, const double *spacing)
{
    const struct mw_headed_format format = { "NRRD", words, MW_COUNT(words), add_header };
    return mw_headed_write(&format, path, array, spacing);
}
/* SPDX-License-Identifier: MIT */
