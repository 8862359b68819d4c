/* MetaImage of ITK (https://itk.org/Wiki/MetaIO/Documentation): lines "KEY = VALUE". The last one is
 * ElementDataFile: LOCAL, with the elements after it, or the name of their file. */
#include "io/formats.h"
#include "io/formats/headed.h"
#include "io/order.h"

#include <string.h>

/* MET_LONG has four bytes in files. */
static const struct mw_type_word words[] = {
    { "MET_CHAR", MW_TYPE_I8 },        { "MET_UCHAR", MW_TYPE_U8 },  { "MET_SHORT", MW_TYPE_I16 },
    { "MET_USHORT", MW_TYPE_U16 },     { "MET_INT", MW_TYPE_I32 },   { "MET_UINT", MW_TYPE_U32 },
    { "MET_LONG", MW_TYPE_I32 },       { "MET_ULONG", MW_TYPE_U32 }, { "MET_LONG_LONG", MW_TYPE_I64 },
    { "MET_ULONG_LONG", MW_TYPE_U64 }, { "MET_FLOAT", MW_TYPE_F32 }, { "MET_DOUBLE", MW_TYPE_F64 },
};

/* Values of the keys of a header.  Pixels with several channels have these as their fastest dimension. */
struct meta {
    struct mw_headed h;
    size_t channels;
    bool has_sizes, text;
};

static bool is_true(const char *value) { return mw_same_word(value, "true") || strcmp(value, "1") == 0; }

static int take_dims(struct meta *m, const char *value)
{
    size_t dims;
    if (!mw_head_lengths(value, 1, &dims) || dims > MW_DIMS_MAX)
        return mw_fail(MW_EDATA, "%s has NDims '%.20s' (must be 1 to %d)", m->h.path, value, MW_DIMS_MAX);
    m->h.dims = (unsigned)dims;
    return 0;
}

static int take_sizes(struct meta *m, const char *value)
{
    m->has_sizes = m->h.dims > 0 && mw_head_lengths(value, m->h.dims, m->h.length);
    return m->has_sizes ? 0
                        : mw_headed_malformed(&m->h, "expected a DimSize of at least 1 for each of NDims, after these");
}

static int take_type(struct meta *m, const char *value)
{
    const struct mw_type_word *word = mw_type_by_word(words, MW_COUNT(words), value);
    if (!word)
        return mw_fail(MW_EDATA, "%s has elements of type '%.40s', which is not supported", m->h.path, value);
    m->h.type = word->type;
    m->h.has_type = true;
    return 0;
}

static int take_channels(struct meta *m, const char *value)
{
    return mw_head_lengths(value, 1, &m->channels)
               ? 0
               : mw_headed_malformed(&m->h, "ElementNumberOfChannels must be 1 or more");
}

static int take_order(struct meta *m, const char *value)
{
    m->h.big_endian = is_true(value);
    return 0;
}

static int take_packed(struct meta *m, const char *value)
{
    m->h.packed = is_true(value);
    return 0;
}

static int take_binary(struct meta *m, const char *value)
{
    m->text = !is_true(value);
    return 0;
}

static int take_header_size(struct meta *m, const char *value)
{
    m->h.last = strcmp(value, "-1") == 0;
    return m->h.last || strcmp(value, "0") == 0 || mw_head_lengths(value, 1, &m->h.offset)
               ? 0
               : mw_headed_malformed(&m->h, "HeaderSize must be -1, 0 or positive");
}

static int take_data(struct meta *m, const char *value)
{
    m->h.data = value;
    return *value && strncmp(value, "LIST", 4) != 0 && !strchr(value, '%')
               ? 0
               : mw_fail(MW_EDATA, "%s names several data files, which are not supported (join them)", m->h.path);
}

static int take_key(struct meta *m, const char *key, const char *value)
{
    static const struct {
        const char *key;
        int (*take)(struct meta *m, const char *value);
    } keys[] = { { "NDims", take_dims },
                 { "DimSize", take_sizes },
                 { "ElementType", take_type },
                 { "ElementNumberOfChannels", take_channels },
                 { "BinaryDataByteOrderMSB", take_order },
                 { "ElementByteOrderMSB", take_order },
                 { "CompressedData", take_packed },
                 { "BinaryData", take_binary },
                 { "HeaderSize", take_header_size },
                 { "ElementDataFile", take_data } };
    for (size_t i = 0; i < MW_COUNT(keys); i++)
        if (strcmp(keys[i].key, key) == 0)
            return keys[i].take(m, value);
    return 0; /* positions and notes do not change the elements */
}

/* Adds the dimension of the channels, and checks that nothing is missing. */
static int meta_complete(struct meta *m, size_t end_of_header)
{
    struct mw_headed *h = &m->h;
    if (!h->has_type || !m->has_sizes || !h->data)
        return mw_headed_malformed(h, "the header lacks DimSize, ElementType or ElementDataFile");
    if (m->text)
        return mw_fail(MW_EDATA, "%s has elements as text, which is not supported (needs BinaryData = True)", h->path);
    if (strcmp(h->data, "LOCAL") == 0 || strcmp(h->data, "local") == 0) {
        h->data = NULL;
        h->last = false;
        h->offset = end_of_header;
    }
    if (m->channels < 2)
        return 0;
    if (h->dims == MW_DIMS_MAX)
        return mw_headed_malformed(h, "too many dimensions");
    memmove(h->length + 1, h->length, h->dims++ * sizeof *h->length);
    h->length[0] = m->channels;
    return 0;
}

int mw_meta_read(const char *path, struct mw_array *array)
{
    struct meta m = { .h = { .path = path, .format = "MetaImage" } };
    struct mw_head *head = NULL;
    char *line, *key, *value;
    int rc;
    TRY(mw_new(1, sizeof *head, &head));
    TRY(mw_head_read(path, head));
    while (!m.h.data && (line = mw_head_line(head)) != NULL) {
        if (!mw_head_divide(line, '=', &key, &value))
            TRY(mw_headed_malformed(&m.h, "expected 'KEY = VALUE' in a line of the header"));
        TRY(take_key(&m, key, value));
    }
    TRY(meta_complete(&m, head->at));
    TRY(mw_headed_read(&m.h, array));
out:
    free(head);
    return rc;
}

/* Adds a header; `data`: the name of the file of the elements; NULL: they follow. */
static void add_header(const struct mw_array *array, const double *spacing, const char *word, const char *data,
                       struct mw_text *t)
{
    mw_text_add(t,
                "ObjectType = Image\nNDims = %u\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
                "CompressedData = False\nElementSpacing =",
                array->dims ? array->dims : 1, MW_BIG_HOST ? "True" : "False");
    for (unsigned d = 0; d < array->dims; d++)
        mw_text_add(t, " %.17g", spacing && spacing[d] > 0 ? spacing[d] : 1);
    mw_text_add(t, "%s\nDimSize =", array->dims ? "" : " 1");
    for (unsigned d = 0; d < array->dims; d++)
        mw_text_add(t, " %zu", array->length[d]);
    mw_text_add(t, "%s\nElementType = %s\nElementDataFile = %s\n", array->dims ? "" : " 1", word,
                data ? data : "LOCAL");
}

int mw_meta_write(const char *path, const struct mw_array *array, const double *spacing)
{
    const struct mw_headed_format format = { "MetaImage", words, MW_COUNT(words), add_header };
    return mw_headed_write(&format, path, array, spacing);
}
/* SPDX-License-Identifier: MIT */
