/* Files whose elements follow a header of text lines, or are in a file next to it. */
#include "io/formats/headed.h"

#include "dev/host/host.h"
#include "io/formats/deflate.h"
#include "io/order.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- headers ---- */

int mw_head_read(const char *path, struct mw_head *head)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool fine;
    if (fd < 0)
        return mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno));
    *head = (struct mw_head){ .path = path };
    fine = mw_read_fully(fd, head->text, sizeof head->text - 1, &head->length);
    if (!fine)
        mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno));
    close(fd);
    return fine ? 0 : MW_EIO;
}

char *mw_head_line(struct mw_head *head)
{
    char *line = head->text + head->at, *end = memchr(line, '\n', head->length - head->at);
    if (!end)
        return NULL;
    head->at += (size_t)(end - line) + 1;
    if (end > line && end[-1] == '\r')
        end--;
    *end = 0;
    return line;
}

bool mw_head_divide(char *line, char separator, char **key, char **value)
{
    char *at = strchr(line, separator), *end;
    if (!at)
        return false;
    *key = line;
    *value = at + 1 + strspn(at + 1, " \t");
    *at = 0;
    for (end = at; end > line && (end[-1] == ' ' || end[-1] == '\t');)
        *--end = 0;
    for (end = *value + strlen(*value); end > *value && (end[-1] == ' ' || end[-1] == '\t');)
        *--end = 0;
    return true;
}

bool mw_head_lengths(const char *text, unsigned count, size_t *length)
{
    unsigned n = 0;
    for (; *text; text += strspn(text, " \t")) {
        size_t value = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            if (!mw_mul(value, 10, &value) || !mw_add(value, (size_t)(*text - '0'), &value))
                return false;
        if (value == 0 || n == count || (*text && *text != ' ' && *text != '\t'))
            return false;
        length[n++] = value;
    }
    return n == count;
}

/* ---- reading ---- */

int mw_headed_malformed(const struct mw_headed *h, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid %s file: %s", h->path, h->format, what);
}

static int data_path(const struct mw_headed *h, char **path)
{
    const char *slash = strrchr(h->path, '/');
    struct mw_text text = { 0 };
    if (!h->data)
        return mw_strdup(h->path, path);
    mw_text_add(&text, "%.*s%s", slash && h->data[0] != '/' ? (int)(slash - h->path + 1) : 0, h->path, h->data);
    TRY_RETURN(mw_text_ok(&text));
    *path = text.data;
    return 0;
}

static int headed_size(const struct mw_headed *h, size_t *bytes)
{
    *bytes = mw_type_bytes(h->type);
    for (unsigned d = 0; d < h->dims; d++)
        if (!mw_mul(*bytes, h->length[d], bytes))
            return mw_headed_malformed(h, "the sizes exceed the address space");
    return 0;
}

/* Compares the compressed bytes with the size of the elements before it allocates memory for these. */
static int read_packed(const struct mw_headed *h, const char *path, size_t bytes, struct mw_array *array)
{
    struct mw_array new = { 0 };
    char *packed = NULL;
    size_t n;
    int rc;
    TRY(mw_file_read(path, SIZE_MAX, &packed, &n));
    if (h->offset > n || bytes / MW_DEFLATE_RATIO > n - h->offset)
        TRY(mw_headed_malformed(h, "the sizes exceed the compressed data"));
    TRY(mw_host_takes_unpacked(path, n, bytes, 0));
    TRY(mw_array_new(h->type, h->dims, h->length, &new));
    TRY(mw_inflate(path, MW_DEFLATE_WRAPPED, packed + h->offset, n - h->offset, new.data, bytes));
    if (h->big_endian != MW_BIG_HOST)
        mw_reverse_parts(new.data, bytes, mw_type_bytes(h->type));
    *array = new;
    new.data = NULL;
out:
    mw_array_free(&new);
    free(packed);
    return rc;
}

int mw_headed_read(const struct mw_headed *h, struct mw_array *array)
{
    size_t bytes, offset = h->offset;
    struct stat status;
    char *path = NULL;
    int rc;
    TRY(headed_size(h, &bytes));
    TRY(data_path(h, &path));
    if (h->last && (stat(path, &status) != 0 || (size_t)status.st_size < bytes))
        TRY(mw_headed_malformed(h, "the file has fewer bytes than the elements"));
    if (h->last)
        offset = (size_t)status.st_size - bytes;
    TRY(h->packed ? read_packed(h, path, bytes, array)
                  : mw_raw_read_after(path, offset, h->big_endian, h->type, h->dims, h->length, array));
out:
    free(path);
    return rc;
}

/* ---- writing ---- */

const struct mw_type_word *mw_type_by_word(const struct mw_type_word *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].word, word) == 0)
            return &words[i];
    return NULL;
}

static const struct mw_type_word *word_by_type(const struct mw_type_word *words, size_t count, enum mw_type type)
{
    if (type == MW_TYPE_BOOL)
        type = MW_TYPE_U8;
    for (size_t i = 0; i < count; i++)
        if (words[i].type == type)
            return &words[i];
    return NULL;
}

/* Returns in *data the file of the elements, with its name without folder; NULL: they follow the header. */
static int headed_data(const char *path, char **data, const char **name)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    struct mw_text text = { 0 };
    if (!dot || (!mw_same_word(dot, ".mhd") && !mw_same_word(dot, ".nhdr")))
        return 0;
    mw_text_add_stem(&text, path);
    mw_text_add(&text, ".raw");
    TRY_RETURN(mw_text_ok(&text));
    *data = text.data;
    *name = text.data + (slash ? slash + 1 - path : 0);
    return 0;
}

int mw_headed_write(const struct mw_headed_format *format, const char *path, const struct mw_array *array,
                    const double *spacing)
{
    const struct mw_type_word *word = word_by_type(format->words, format->count, array->type);
    const size_t bytes = array->count * mw_type_bytes(array->type);
    struct mw_file *file = NULL;
    struct mw_text head = { 0 };
    const char *name = NULL;
    char *data = NULL;
    int rc;
    if (array->count == 0 || array->data == NULL)
        TRY(mw_fail(MW_EINVAL, "cannot write %s: the array has no values", path));
    if (!word)
        TRY(mw_fail(MW_EINVAL, "cannot write %s: %s files do not support %s (write a .npy file instead)", path,
                    format->name, mw_type_name(array->type)));
    TRY(headed_data(path, &data, &name));
    format->add(array, spacing, word->word, name, &head);
    TRY(mw_text_ok(&head));
    for (unsigned pass = data ? 0 : 1; pass < 2; pass++) { /* the header last: it refers to the elements */
        TRY(mw_file_create(pass == 0 ? data : path, true, &file));
        if (pass == 1)
            TRY(mw_file_write(file, head.data, head.length));
        if (pass == 0 || !data)
            TRY(mw_file_write(file, array->data, bytes));
        rc = mw_file_commit(file);
        file = NULL;
        TRY(rc);
    }
out:
    mw_file_abandon(file);
    mw_text_free(&head);
    free(data);
    return rc;
}
/* SPDX-License-Identifier: MIT */
