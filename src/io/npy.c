/* NumPy's .npy (numpy.lib.format): eight bytes for format and version, the length of the header, the header (a Python
 * dictionary: descr, fortran_order, shape), the elements. */
#include <meshwork/io.h>

#include "base/base.h"
#include "io/npy_internal.h"
#include "io/order.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_MAX 65536
#define CHUNK ((size_t)1 << 20)

/* Reads up to n bytes, from a file or from memory. */
static int take_bytes(struct mw_npy_source *from, void *to, size_t n, size_t *got)
{
    *got = n = n < from->left ? n : from->left;
    if (from->bytes) {
        memcpy(to, from->bytes, n);
        from->bytes += n;
    } else if (!mw_read_fully(from->fd, to, n, got)) {
        return mw_fail(MW_EIO, "cannot read %s: %s", from->path, strerror(errno));
    }
    from->left -= from->left < SIZE_MAX ? *got : 0;
    return 0;
}

/* Reads exactly n bytes. */
static int read_exactly(struct mw_npy_source *from, void *to, size_t n)
{
    const char *const path = from->path;
    size_t got;
    TRY_RETURN(take_bytes(from, to, n, &got));
    return got == n ? 0 : mw_npy_malformed(path, "unexpected end in the header");
}

static int npy_read_header(struct mw_npy_source *from, struct mw_npy_header *h)
{
    const char *const path = from->path;
    unsigned char start[MW_NPY_MAGIC_LENGTH + 2], size[4] = { 0 };
    size_t length;
    char *text = NULL;
    int rc;

    TRY(read_exactly(from, start, sizeof start));
    if (memcmp(start, MW_NPY_MAGIC, MW_NPY_MAGIC_LENGTH) != 0)
        TRY(mw_npy_malformed(path, "the file does not begin with \\x93NUMPY"));
    if (start[MW_NPY_MAGIC_LENGTH] < 1 || start[MW_NPY_MAGIC_LENGTH] > 3)
        TRY(mw_fail(MW_EDATA, "%s has version %d of the .npy format (must be 1 to 3)", path,
                    start[MW_NPY_MAGIC_LENGTH]));
    TRY(read_exactly(from, size, start[MW_NPY_MAGIC_LENGTH] == 1 ? 2 : 4));
    length = size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
    if (length > HEADER_MAX)
        TRY(mw_fail(MW_EDATA, "%s is not a valid .npy file: the header has %zu bytes (at most %d)", path, length,
                    HEADER_MAX));
    TRY(mw_new(length, 1, &text));
    TRY(read_exactly(from, text, length));
    TRY(mw_npy_header_parse(path, text, length, h));
out:
    free(text);
    return rc;
}

/* Returns the number of bytes left; SIZE_MAX for a stream. */
static size_t bytes_left(const struct mw_npy_source *from)
{
    struct stat st;
    off_t at;
    if (from->left < SIZE_MAX)
        return from->left;
    if (fstat(from->fd, &st) != 0 || !S_ISREG(st.st_mode) || (at = lseek(from->fd, 0, SEEK_CUR)) < 0)
        return SIZE_MAX;
    return st.st_size > at ? (size_t)(st.st_size - at) : 0;
}

static int too_short(const char *path, size_t have, size_t bytes)
{
    return mw_fail(MW_EDATA,
                   "%s is not a valid .npy file: the shape needs %zu byte%s of elements, but the file has %zu", path,
                   bytes, MW_S(bytes), have);
}

/* Reads the elements.  Allocates the size that the header gives if a regular file has it; for streams, memory grows
 * with the bytes read. */
static int read_elements(struct mw_npy_source *from, size_t bytes, void **data)
{
    const char *const path = from->path;
    size_t left = bytes_left(from), have = 0, capacity, got;
    char *all = NULL;
    int rc = 0;
    if (left < bytes)
        return too_short(path, left, bytes);
    capacity = left != SIZE_MAX || bytes < CHUNK ? bytes : CHUNK;
    do {
        char *grown = realloc(all, capacity > 0 ? capacity : 1);
        if (grown == NULL)
            TRY(mw_fail(MW_ENOMEM, "out of memory: cannot read %s with %zu bytes of elements", path, bytes));
        all = grown;
        TRY(take_bytes(from, all + have, capacity - have, &got));
        have += got;
        if (have < capacity)
            TRY(too_short(path, have, bytes));
        capacity = bytes / 2 < capacity ? bytes : 2 * capacity;
    } while (have < bytes);
    *data = all;
    all = NULL;
out:
    free(all);
    return rc;
}

/* Derives the array from a header, without its data, and the number of its bytes. */
static int npy_describe(const char *path, const struct mw_npy_header *h, struct mw_array *array, size_t *bytes)
{
    bool fits = true, empty = false;
    *array = (struct mw_array){ .type = h->type->type, .dims = h->dims, .count = 1 };
    for (unsigned i = 0; i < h->dims; i++) {
        size_t length = h->shape[h->dims - 1 - i];
        array->length[i] = length;
        empty = empty || length == 0;
        fits = mw_mul(array->count, length, &array->count) && fits;
    }
    if (empty)
        array->count = 0;
    if (!mw_mul(array->count, h->type->bytes, bytes) || (!empty && !fits) || *bytes > PTRDIFF_MAX)
        return mw_npy_malformed(path, "the shape exceeds the address space");
    return 0;
}

int mw_npy_read_source(struct mw_npy_source *from, struct mw_array *array)
{
    const char *const path = from->path;
    struct mw_npy_header h = { 0 };
    struct mw_array new = { 0 };
    size_t bytes;
    int rc;
    TRY(npy_read_header(from, &h));
    TRY(npy_describe(path, &h, &new, &bytes));
    TRY(read_elements(from, bytes, &new.data));
    if (h.swapped)
        mw_reverse_parts(new.data, bytes, h.type->part);
    if (h.fortran && h.dims > 1 && new.count > 1)
        TRY(mw_npy_transpose(h.dims, h.shape, h.type->bytes, new.count, &new.data));
    if (h.type->kind == 'f' && h.type->bytes == 2)
        TRY(mw_npy_widen(new.count, &new.data));
    if (new.type == MW_TYPE_BOOL) /* C allows only 0 and 1 in a bool */
        for (size_t i = 0; i < new.count; i++)
            ((unsigned char *)new.data)[i] = ((unsigned char *)new.data)[i] != 0;
    *array = new;
    new.data = NULL;
out:
    free(new.data);
    return rc;
}

int mw_npy_read(const char *path, struct mw_array *array)
{
    struct mw_npy_source from = { .path = path, .left = SIZE_MAX };
    int rc;
    if (strcmp(path, "-") == 0) {
        from = (struct mw_npy_source){ .path = "standard input", .fd = STDIN_FILENO, .left = SIZE_MAX };
        return mw_npy_read_source(&from, array);
    }
    if (mw_npz_is(path))
        return mw_npz_read(path, array);
    from.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (from.fd < 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno));
    rc = mw_npy_read_source(&from, array);
    close(from.fd);
    return rc;
}

int mw_npy_append(struct mw_file *file, enum mw_type type, const void *elements, size_t count)
{
    const size_t bytes = count * mw_type_bytes(type);
    const size_t part = mw_npy_type_of(type)->part;
    char piece[4096];
    if (!MW_BIG_HOST || part == 1)
        return mw_file_write(file, elements, bytes);
    for (size_t at = 0; at < bytes; at += sizeof piece) {
        size_t n = bytes - at < sizeof piece ? bytes - at : sizeof piece;
        memcpy(piece, (const char *)elements + at, n);
        mw_reverse_parts(piece, n, part);
        TRY_RETURN(mw_file_write(file, piece, n));
    }
    return 0;
}

int mw_npy_create(const char *path, const struct mw_array *array, struct mw_file **created)
{
    struct mw_text header = { 0 };
    struct mw_file *file = NULL;
    size_t bytes;
    int rc;
    if (array->dims > MW_DIMS_MAX || !mw_mul(array->count, mw_type_bytes(array->type), &bytes))
        return mw_fail(MW_EINVAL, "cannot write %s: the array has too many dimensions or elements", path);
    TRY(mw_npy_header_format(array, &header));
    TRY(mw_file_create(path, true, &file));
    TRY(mw_file_write(file, header.data, header.length));
    *created = file;
    file = NULL;
out:
    mw_file_abandon(file);
    mw_text_free(&header);
    return rc;
}

int mw_npy_write(const char *path, const struct mw_array *array)
{
    struct mw_file *file = NULL;
    int rc;
    if (array->count > 0 && array->data == NULL)
        return mw_fail(MW_EINVAL, "cannot write %s: the array has no data", path);
    TRY(mw_npy_create(path, array, &file));
    TRY(mw_npy_append(file, array->type, array->data, array->count));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}
/* SPDX-License-Identifier: MIT */
