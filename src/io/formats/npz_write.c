/* Writes NumPy's .npz: a ZIP archive of .npy files, with 64-bit sizes throughout (PKWARE's APPNOTE, 4.3 and 4.5.3). */
#include "io/formats/deflate.h"
#include "io/npy_internal.h"
#include "io/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".npy"
#define VERSION 45      /* version of the format: the first with 64-bit sizes */
#define WIDE UINT32_MAX /* in place of a size: it is in the extra field */
#define DOS_DAY 0x21    /* 1 January 1980, so that equal arrays give equal files */

/* The archive being written: where it goes, the directory of the members so far, and the position in the file. */
struct writing {
    mw_npz_sink *write;
    void *to;
    struct mw_text directory;
    uint64_t at;
    size_t members;
};

static void npz_put(struct mw_text *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        mw_text_append(to, (const char[]){ (char)(value >> 8 * i & 0xFF) }, 1);
}

static int write_text(struct writing *w, const struct mw_text *text)
{
    TRY_RETURN(mw_text_ok(text));
    w->at += text->length;
    return w->write(w->to, text->data, text->length);
}

/* Appends the fields that the local header and the directory share: from the version to the length of the name. */
static void put_common(struct mw_text *to, unsigned method, uint32_t crc, size_t name)
{
    npz_put(to, VERSION, 2);
    npz_put(to, 1u << 11, 2); /* names are UTF-8 */
    npz_put(to, method, 2);
    npz_put(to, (uint64_t)DOS_DAY << 16, 4);
    npz_put(to, crc, 4);
    npz_put(to, WIDE, 4);
    npz_put(to, WIDE, 4);
    npz_put(to, name + sizeof SUFFIX - 1, 2);
}

static void put_sizes(struct mw_text *to, size_t bytes, size_t size, size_t packed)
{
    npz_put(to, MW_ZIP_64, 2);
    npz_put(to, bytes, 2);
    npz_put(to, size, 8);
    npz_put(to, packed, 8);
}

static void put_entry(struct writing *w, const char *name, unsigned method, uint32_t crc, size_t size, size_t packed)
{
    struct mw_text *d = &w->directory;
    mw_text_append(d, "PK\1\2", 4);
    npz_put(d, VERSION, 2);
    put_common(d, method, crc, strlen(name));
    npz_put(d, 28, 2); /* the extra field */
    npz_put(d, 0, 2);
    npz_put(d, 0, 4);
    npz_put(d, 0, 4);
    npz_put(d, WIDE, 4);
    mw_text_add(d, "%s" SUFFIX, name);
    put_sizes(d, 24, size, packed);
    npz_put(d, w->at, 8);
    w->members++;
}

/* Writes a .npy file: its header, and `bytes` bytes of elements. */
static int write_member(struct writing *w, const char *name, const struct mw_text *head, const void *elements,
                        size_t bytes)
{
    const struct mw_piece pieces[] = { { head->data, head->length }, { elements, bytes } };
    const size_t size = head->length + bytes;
    const uint32_t crc = mw_crc32(mw_crc32(0, head->data, head->length), elements, bytes);
    struct mw_text local = { 0 };
    void *packed = NULL;
    size_t n = size;
    int rc = mw_deflate(pieces, MW_COUNT(pieces), &packed, &n);
    if (rc != MW_ENOTSUP) /* stored if built without zlib */
        TRY(rc);
    put_entry(w, name, packed ? MW_ZIP_DEFLATED : MW_ZIP_STORED, crc, size, n);
    mw_text_append(&local, "PK\3\4", 4);
    put_common(&local, packed ? MW_ZIP_DEFLATED : MW_ZIP_STORED, crc, strlen(name));
    npz_put(&local, 20, 2); /* the extra field */
    mw_text_add(&local, "%s" SUFFIX, name);
    put_sizes(&local, 16, size, n);
    TRY(write_text(w, &local));
    if (packed) {
        TRY(w->write(w->to, packed, n));
    } else {
        TRY(w->write(w->to, head->data, head->length));
        TRY(w->write(w->to, elements, bytes));
    }
    w->at += n;
out:
    free(packed);
    mw_text_free(&local);
    return rc;
}

/* Elements are little-endian in the file. */
static int write_ordered(struct writing *w, const char *name, const struct mw_array *array)
{
    const size_t bytes = array->count * mw_type_bytes(array->type);
    struct mw_text head = { 0 };
    void *reversed = NULL;
    int rc;
    TRY(mw_npy_header_format(array, &head));
    if (MW_BIG_HOST) {
        TRY(mw_new(bytes, 1, &reversed));
        if (bytes)
            memcpy(reversed, array->data, bytes);
        mw_reverse_parts(reversed, bytes, mw_type_bytes(array->type) / mw_type_parts(array->type));
    }
    TRY(write_member(w, name, &head, reversed ? reversed : array->data, bytes));
out:
    free(reversed);
    mw_text_free(&head);
    return rc;
}

/* Writes one text, an element of NumPy's type S, which struct mw_array does not have. */
static int write_word(struct writing *w, const char *name, const char *word)
{
    struct mw_text head = { 0 };
    char description[80];
    int rc;
    snprintf(description, sizeof description, "{'descr': '|S%zu', 'fortran_order': False, 'shape': (), }",
             strlen(word));
    mw_text_append(&head, MW_NPY_MAGIC "\x01\x00\x76\x00", MW_NPY_MAGIC_LENGTH + 4); /* 118 bytes follow */
    mw_text_add(&head, "%-117s\n", description);
    TRY(mw_text_ok(&head));
    TRY(write_member(w, name, &head, word, strlen(word)));
out:
    mw_text_free(&head);
    return rc;
}

static int write_end(struct writing *w)
{
    const uint64_t start = w->at, length = w->directory.length, end = start + length;
    struct mw_text t = { 0 };
    int rc;
    TRY(write_text(w, &w->directory));
    mw_text_append(&t, "PK\6\6", 4);
    npz_put(&t, 44, 8); /* bytes of this record that follow */
    npz_put(&t, VERSION, 2);
    npz_put(&t, VERSION, 2);
    npz_put(&t, 0, 8);
    npz_put(&t, w->members, 8);
    npz_put(&t, w->members, 8);
    npz_put(&t, length, 8);
    npz_put(&t, start, 8);
    mw_text_append(&t, "PK\6\7", 4);
    npz_put(&t, 0, 4);
    npz_put(&t, end, 8);
    npz_put(&t, 1, 4);
    mw_text_append(&t, "PK\5\6", 4);
    npz_put(&t, 0, 4);
    npz_put(&t, UINT16_MAX, 2);
    npz_put(&t, UINT16_MAX, 2);
    npz_put(&t, WIDE, 4);
    npz_put(&t, WIDE, 4);
    npz_put(&t, 0, 2);
    TRY(write_text(w, &t));
out:
    mw_text_free(&t);
    return rc;
}

/* A name becomes that of a file if the archive is unpacked. */
static int check_name(const char *path, const char *const *names, size_t i)
{
    const size_t n = strlen(names[i]);
    if (n == 0 || n > 255 || strchr(names[i], '/') || strchr(names[i], '\\') || names[i][0] == '.')
        return mw_fail(MW_EINVAL,
                       "cannot write %s: the name '%.40s' of an array must have 1 to 255 bytes, no slashes, and no dot "
                       "at its start",
                       path, names[i]);
    for (size_t k = 0; k < i; k++)
        if (strcmp(names[k], names[i]) == 0)
            return mw_fail(MW_EINVAL, "cannot write %s: two arrays are called '%.40s'", path, names[i]);
    return 0;
}

int mw_npz_put(mw_npz_sink *write, void *to, const struct mw_array *arrays, const char *const *names, size_t count,
               const char *word_name, const char *word)
{
    struct writing w = { .write = write, .to = to };
    int rc = 0;
    for (size_t i = 0; i < count; i++)
        TRY(write_ordered(&w, names[i], &arrays[i]));
    if (word)
        TRY(write_word(&w, word_name, word));
    rc = write_end(&w);
out:
    mw_text_free(&w.directory);
    return rc;
}

static int put_in_file(void *file, const void *bytes, size_t n) { return mw_file_write(file, bytes, n); }

int mw_npz_write(const char *path, const struct mw_array *arrays, const char *const *names, size_t count)
{
    struct mw_file *file = NULL;
    int rc;
    for (size_t i = 0; i < count; i++) {
        TRY(check_name(path, names, i));
        if (arrays[i].dims > MW_DIMS_MAX || (arrays[i].count > 0 && arrays[i].data == NULL))
            TRY(mw_fail(MW_EINVAL, "cannot write %s: array '%.40s' has no data, or more than %d dimensions", path,
                        names[i], MW_DIMS_MAX));
    }
    TRY(mw_file_create(path, true, &file));
    TRY(mw_npz_put(put_in_file, file, arrays, names, count, NULL, NULL));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}

int mw_npz_save(const char *path, const struct mw_array *array)
{
    const size_t length = mw_npz_length(path);
    const char *name = path[length] ? path + length + 1 : "arr_0"; /* NumPy's name of an unnamed array */
    char *file = strndup(path, length);
    const int rc =
        file ? mw_npz_write(file, array, &name, 1) : mw_fail(MW_ENOMEM, "out of memory: cannot write %s", path);
    free(file);
    return rc;
}
/* SPDX-License-Identifier: MIT */
