/* The header of .npy files, a Python dictionary: descr, fortran_order, shape. */
#include "base/base.h"
#include "io/npy_internal.h"
#include "io/order.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_ALIGNMENT 64

static const struct mw_npy_type descriptions[] = {
    { 'b', 1, 1, MW_TYPE_BOOL },  { 'i', 1, 1, MW_TYPE_I8 },  { 'u', 1, 1, MW_TYPE_U8 },   { 'i', 2, 2, MW_TYPE_I16 },
    { 'u', 2, 2, MW_TYPE_U16 },   { 'i', 4, 4, MW_TYPE_I32 }, { 'u', 4, 4, MW_TYPE_U32 },  { 'i', 8, 8, MW_TYPE_I64 },
    { 'u', 8, 8, MW_TYPE_U64 },   { 'f', 4, 4, MW_TYPE_F32 }, { 'f', 8, 8, MW_TYPE_F64 },  { 'c', 8, 4, MW_TYPE_C64 },
    { 'c', 16, 8, MW_TYPE_C128 }, { 'f', 2, 2, MW_TYPE_F32 }, { '?', 1, 1, MW_TYPE_BOOL },
};

/* A position in the text of the header. */
struct cursor {
    const char *path, *at, *end;
};

int mw_npy_malformed(const char *path, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid .npy file: %s", path, what);
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && memchr(" \t\n\r", *c->at, 4) != NULL)
        c->at++;
}

/* Skips blanks, then takes one character if it is the wanted one. */
static bool npy_header_take(struct cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(struct cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* Takes a quoted string without escapes; NumPy writes none. */
static bool take_string(struct cursor *c, char *to, size_t size)
{
    size_t length = 0;
    char quote;
    skip_blanks(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    quote = *c->at++;
    while (c->at < c->end && *c->at != quote) {
        if (*c->at == '\\' || *c->at == '\0' || length + 1 == size)
            return false;
        to[length++] = *c->at++;
    }
    to[length] = '\0';
    return npy_header_take(c, quote);
}

static bool npy_header_take_number(struct cursor *c, size_t *number)
{
    size_t value = 0;
    const char *start;
    skip_blanks(c);
    for (start = c->at; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (!mw_mul(value, 10, &value) || !mw_add(value, (size_t)(*c->at - '0'), &value))
            return false;
    if (c->at == start)
        return false;
    if (c->at < c->end && *c->at == 'L') /* Python 2 */
        c->at++;
    *number = value;
    return true;
}

/* "<f4": byte order, kind, bytes. */
static int parse_descr(struct cursor *c, struct mw_npy_header *h)
{
    char text[32], kind, order = '=';
    const char *s = text;
    unsigned long bytes;
    char *end;

    skip_blanks(c);
    if (c->at < c->end && (*c->at == '[' || *c->at == '('))
        return mw_fail(MW_EDATA, "%s contains records, which are not supported (save one field as an array)", c->path);
    if (!take_string(c, text, sizeof text))
        return mw_npy_malformed(c->path, "'descr' is not a string");
    if (*s != '\0' && strchr("<>=|", *s) != NULL)
        order = *s++;
    kind = *s != '\0' ? *s++ : '\0';
    bytes = *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : 0;
    if (kind == '?' && *s == '\0') {
        bytes = 1;
        end = text + strlen(text);
    }
    for (size_t i = 0; i < MW_COUNT(descriptions); i++)
        if (bytes > 0 && *end == '\0' && descriptions[i].kind == kind && descriptions[i].bytes == bytes) {
            h->type = &descriptions[i];
            h->swapped = MW_BIG_HOST ? order == '<' : order == '>';
            h->has_descr = true;
            return 0;
        }
    return mw_fail(MW_EDATA,
                   "%s has elements of type '%s', which is not supported (convert them to float32 or "
                   "another plain type)",
                   c->path, text);
}

static int parse_order(struct cursor *c, struct mw_npy_header *h)
{
    h->fortran = take_word(c, "True");
    h->has_order = true;
    if (!h->fortran && !take_word(c, "False"))
        return mw_npy_malformed(c->path, "'fortran_order' must be True or False");
    return 0;
}

/* "(3, 4)", "(3,)", "()". */
static int parse_shape(struct cursor *c, struct mw_npy_header *h)
{
    bool comma = true;
    if (!npy_header_take(c, '('))
        return mw_npy_malformed(c->path, "'shape' is not a tuple of integers");
    while (!npy_header_take(c, ')')) {
        size_t length;
        if (!comma || !npy_header_take_number(c, &length))
            return mw_npy_malformed(c->path, "'shape' is not a tuple of integers that fit into 64 bits");
        if (h->dims == MW_DIMS_MAX)
            return mw_fail(MW_EDATA, "%s has too many dimensions (at most %d)", c->path, MW_DIMS_MAX);
        h->shape[h->dims++] = length;
        comma = npy_header_take(c, ',');
    }
    if (h->dims == 1 && !comma)
        return mw_npy_malformed(c->path, "'shape' is a number, not a tuple");
    h->has_shape = true;
    return 0;
}

int mw_npy_header_parse(const char *path, const char *text, size_t length, struct mw_npy_header *h)
{
    static const struct {
        const char *key;
        int (*parse)(struct cursor *c, struct mw_npy_header *h);
        size_t seen;
    } keys[] = {
        { "descr", parse_descr, offsetof(struct mw_npy_header, has_descr) },
        { "fortran_order", parse_order, offsetof(struct mw_npy_header, has_order) },
        { "shape", parse_shape, offsetof(struct mw_npy_header, has_shape) },
    };
    struct cursor c = { path, text, text + length };
    bool comma = true;

    if (!npy_header_take(&c, '{'))
        return mw_npy_malformed(path, "the header is not a dictionary");
    while (!npy_header_take(&c, '}')) {
        char key[32];
        size_t k = 0;
        if (!comma || !take_string(&c, key, sizeof key) || !npy_header_take(&c, ':'))
            return mw_npy_malformed(path, "the header is not a dictionary of short strings");
        while (k < MW_COUNT(keys) && strcmp(key, keys[k].key) != 0)
            k++;
        if (k == MW_COUNT(keys) || *((const bool *)((const char *)h + keys[k].seen)))
            return mw_fail(MW_EDATA, "%s is not a valid .npy file: key '%s' of the header is %s", path, key,
                           k == MW_COUNT(keys) ? "unknown" : "repeated");
        TRY_RETURN(keys[k].parse(&c, h));
        comma = npy_header_take(&c, ',');
    }
    skip_blanks(&c);
    if (c.at != c.end)
        return mw_npy_malformed(path, "unexpected text after the dictionary of the header");
    for (size_t k = 0; k < MW_COUNT(keys); k++)
        if (!*((const bool *)((const char *)h + keys[k].seen)))
            return mw_fail(MW_EDATA, "%s is not a valid .npy file: the header lacks '%s'", path, keys[k].key);
    return 0;
}
const struct mw_npy_type *mw_npy_type_of(enum mw_type type)
{
    for (size_t d = 0; d < MW_COUNT(descriptions); d++)
        if (descriptions[d].type == type)
            return &descriptions[d];
    return NULL;
}

int mw_npy_header_format(const struct mw_array *array, struct mw_text *head)
{
    const struct mw_npy_type *type = mw_npy_type_of(array->type);
    struct mw_text text = { 0 };
    size_t length;
    int rc;
    if (!type)
        TRY(mw_fail(MW_EINVAL, "cannot write an array of invalid type %d (see enum mw_type)", (int)array->type));
    mw_text_add(&text, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (", type->part > 1 ? '<' : '|', type->kind,
                type->bytes);
    for (unsigned i = array->dims; i-- > 0;)
        mw_text_add(&text, "%zu%s", array->length[i], i > 0 ? ", " : array->dims == 1 ? "," : "");
    mw_text_add(&text, "), }");
    /* Elements start at a multiple of 64 bytes, so that they can be mapped. */
    length = MW_NPY_MAGIC_LENGTH + 4 + text.length + 1;
    mw_text_add(&text, "%*s\n", (int)((HEADER_ALIGNMENT - length % HEADER_ALIGNMENT) % HEADER_ALIGNMENT), "");
    TRY(mw_text_ok(&text));
    mw_text_append(head, MW_NPY_MAGIC "\x01\x00", MW_NPY_MAGIC_LENGTH + 2);
    mw_text_append(head, (const char[]){ (char)(text.length & 0xFF), (char)(text.length >> 8) }, 2);
    mw_text_append(head, text.data, text.length);
    rc = mw_text_ok(head);
out:
    mw_text_free(&text);
    return rc;
}
/* SPDX-License-Identifier: MIT */
