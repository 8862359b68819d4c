/* NumPy's .npy (numpy.lib.format): eight bytes that name format and version, the length of the header, the header (a
 * Python dictionary: descr, fortran_order, shape), the elements. */
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

#define MAGIC "\x93NUMPY"
#define MAGIC_LENGTH 6
#define HEADER_MAX 65536
#define HEADER_ALIGNMENT 64
#define CHUNK ((size_t)1 << 20)

/* `part` is what a change of the byte order reverses: each half of a complex number. */
static const struct { char kind; unsigned char bytes, part; enum mw_type type; } descriptions[] = {
    { 'b', 1, 1, MW_TYPE_BOOL }, { 'i', 1, 1, MW_TYPE_I8 },   { 'u', 1, 1, MW_TYPE_U8 },   { 'i', 2, 2, MW_TYPE_I16 },
    { 'u', 2, 2, MW_TYPE_U16 },  { 'i', 4, 4, MW_TYPE_I32 },  { 'u', 4, 4, MW_TYPE_U32 },  { 'i', 8, 8, MW_TYPE_I64 },
    { 'u', 8, 8, MW_TYPE_U64 },  { 'f', 4, 4, MW_TYPE_F32 },  { 'f', 8, 8, MW_TYPE_F64 },  { 'c', 8, 4, MW_TYPE_C64 },
    { 'c', 16, 8, MW_TYPE_C128 }, { 'f', 2, 2, MW_TYPE_F32 }, { '?', 1, 1, MW_TYPE_BOOL },
};
static bool is_half(size_t description)
{
    return descriptions[description].kind == 'f' && descriptions[description].bytes == 2;
}

/* A header as read. */
struct header {
    size_t description; /* index into descriptions */
    bool swapped, fortran;
    unsigned dims;
    size_t shape[MW_DIMS_MAX]; /* in NumPy's order */
    bool has_descr, has_order, has_shape;
};

/* A position in the header's text. */
struct cursor {
    const char *path, *at, *end;
};

static int malformed(const char *path, const char *what)
{
    return mw_fail(MW_EDATA, "%s is not a valid .npy file: %s", path, what);
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && memchr(" \t\n\r", *c->at, 4) != NULL)
        c->at++;
}

/* Takes one character behind blanks, if it is that one. */
static bool take(struct cursor *c, char wanted)
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

/* A quoted string without escapes; what NumPy writes has none. */
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
    return take(c, quote);
}

static bool take_number(struct cursor *c, size_t *number)
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
static int parse_descr(struct cursor *c, struct header *h)
{
    char text[32], kind, order = '=';
    const char *s = text;
    unsigned long bytes;
    char *end;

    skip_blanks(c);
    if (c->at < c->end && (*c->at == '[' || *c->at == '('))
        return mw_fail(MW_EDATA, "%s holds records, which meshwork does not read: save one of their fields by itself",
                       c->path);
    if (!take_string(c, text, sizeof text))
        return malformed(c->path, "its 'descr' is not a string");
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
            h->description = i;
            h->swapped = MW_BIG_HOST ? order == '<' : order == '>';
            h->has_descr = true;
            return 0;
        }
    return mw_fail(MW_EDATA, "%s holds elements of type '%s', which meshwork does not read: convert them to float32 or "
                             "another plain type", c->path, text);
}

static int parse_order(struct cursor *c, struct header *h)
{
    h->fortran = take_word(c, "True");
    h->has_order = true;
    if (!h->fortran && !take_word(c, "False"))
        return malformed(c->path, "its 'fortran_order' is neither True nor False");
    return 0;
}

/* "(3, 4)", "(3,)", "()". */
static int parse_shape(struct cursor *c, struct header *h)
{
    bool comma = true;

    if (!take(c, '('))
        return malformed(c->path, "its 'shape' is not a tuple of whole numbers");
    while (!take(c, ')')) {
        size_t length;
        if (!comma || !take_number(c, &length))
            return malformed(c->path, "its 'shape' is not a tuple of whole numbers that fit into 64 bits");
        if (h->dims == MW_DIMS_MAX)
            return mw_fail(MW_EDATA, "%s has more dimensions than the %d that meshwork reads", c->path, MW_DIMS_MAX);
        h->shape[h->dims++] = length;
        comma = take(c, ',');
    }
    if (h->dims == 1 && !comma)
        return malformed(c->path, "its 'shape' is a number, not a tuple");
    h->has_shape = true;
    return 0;
}

static int parse_header(const char *path, const char *text, size_t length, struct header *h)
{
    static const struct {
        const char *key;
        int (*parse)(struct cursor *c, struct header *h);
        size_t seen;
    } keys[] = {
        { "descr", parse_descr, offsetof(struct header, has_descr) },
        { "fortran_order", parse_order, offsetof(struct header, has_order) },
        { "shape", parse_shape, offsetof(struct header, has_shape) },
    };
    struct cursor c = { path, text, text + length };
    bool comma = true;

    if (!take(&c, '{'))
        return malformed(path, "its header is not a dictionary");
    while (!take(&c, '}')) {
        char key[32];
        size_t k = 0;
        if (!comma || !take_string(&c, key, sizeof key) || !take(&c, ':'))
            return malformed(path, "its header is not a dictionary of short strings");
        while (k < MW_COUNT(keys) && strcmp(key, keys[k].key) != 0)
            k++;
        if (k == MW_COUNT(keys) || *((const bool *)((const char *)h + keys[k].seen)))
            return mw_fail(MW_EDATA, "%s is not a valid .npy file: its header's key '%s' is %s", path, key,
                           k == MW_COUNT(keys) ? "unknown" : "there twice");
        TRY_RETURN(keys[k].parse(&c, h));
        comma = take(&c, ',');
    }
    skip_blanks(&c);
    if (c.at != c.end)
        return malformed(path, "something follows the dictionary of its header");
    for (size_t k = 0; k < MW_COUNT(keys); k++)
        if (!*((const bool *)((const char *)h + keys[k].seen)))
            return mw_fail(MW_EDATA, "%s is not a valid .npy file: its header lacks '%s'", path, keys[k].key);
    return 0;
}

/* Up to n bytes, from a file or from memory. */
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
    return got == n ? 0 : malformed(path, "it ends within its header");
}

static int read_header(struct mw_npy_source *from, struct header *h)
{
    const char *const path = from->path;
    unsigned char start[MAGIC_LENGTH + 2], size[4] = { 0 };
    size_t length;
    char *text = NULL;
    int rc;

    TRY(read_exactly(from, start, sizeof start));
    if (memcmp(start, MAGIC, MAGIC_LENGTH) != 0)
        TRY(malformed(path, "it does not begin with \\x93NUMPY"));
    if (start[MAGIC_LENGTH] < 1 || start[MAGIC_LENGTH] > 3)
        TRY(mw_fail(MW_EDATA, "%s has version %d of the .npy format; meshwork reads 1 to 3", path,
                    start[MAGIC_LENGTH]));
    TRY(read_exactly(from, size, start[MAGIC_LENGTH] == 1 ? 2 : 4));
    length = size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
    if (length > HEADER_MAX)
        TRY(mw_fail(MW_EDATA, "%s is not a valid .npy file: its header has %zu bytes, over %d", path, length,
                    HEADER_MAX));
    TRY(mw_new(length, 1, &text));
    TRY(read_exactly(from, text, length));
    TRY(parse_header(path, text, length, h));
out:
    free(text);
    return rc;
}

/* How many bytes are left; SIZE_MAX for a stream. */
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
    return mw_fail(MW_EDATA, "%s is not a valid .npy file: its shape needs %zu byte%s of elements and %zu are there",
                   path, bytes, MW_S(bytes), have);
}

/* Reads the elements.  What a header promises is allocated when a regular file is as long as that, and otherwise as the
 * bytes come in. */
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
            TRY(mw_fail(MW_ENOMEM, "out of memory: cannot read %s, whose elements take %zu bytes", path, bytes));
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

/* The array that a header describes, without its data, and the number of its bytes. */
static int describe(const char *path, const struct header *h, struct mw_array *array, size_t *bytes)
{
    bool fits = true, empty = false;

    *array = (struct mw_array){ .type = descriptions[h->description].type, .dims = h->dims, .count = 1 };
    for (unsigned i = 0; i < h->dims; i++) {
        size_t length = h->shape[h->dims - 1 - i];
        array->length[i] = length;
        empty = empty || length == 0;
        fits = mw_mul(array->count, length, &array->count) && fits;
    }
    if (empty)
        array->count = 0;
    if (!mw_mul(array->count, descriptions[h->description].bytes, bytes) || (!empty && !fits) ||
        *bytes > PTRDIFF_MAX)
        return malformed(path, "its shape needs more bytes than memory can address");
    return 0;
}

int mw_npy_read_source(struct mw_npy_source *from, struct mw_array *array)
{
    const char *const path = from->path;
    struct header h = { 0 };
    struct mw_array new = { 0 };
    size_t bytes;
    int rc;

    TRY(read_header(from, &h));
    TRY(describe(path, &h, &new, &bytes));
    TRY(read_elements(from, bytes, &new.data));
    if (h.swapped)
        mw_reverse_parts(new.data, bytes, descriptions[h.description].part);
    if (h.fortran && h.dims > 1 && new.count > 1)
        TRY(mw_npy_transpose(h.dims, h.shape, descriptions[h.description].bytes, new.count, &new.data));
    if (is_half(h.description))
        TRY(mw_npy_widen(new.count, &new.data));
    if (new.type == MW_TYPE_BOOL) /* C knows no other values of a bool than these two */
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

static int format_header(const struct mw_array *array, struct mw_text *text)
{
    size_t d = 0, length;

    while (d < MW_COUNT(descriptions) && descriptions[d].type != array->type)
        d++;
    if (d == MW_COUNT(descriptions))
        return mw_fail(MW_EINVAL, "an array of unknown type (%d) cannot be written", (int)array->type);
    mw_text_add(text, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (", descriptions[d].part > 1 ? '<' : '|',
                descriptions[d].kind, descriptions[d].bytes);
    for (unsigned i = array->dims; i-- > 0;)
        mw_text_add(text, "%zu%s", array->length[i], i > 0 ? ", " : array->dims == 1 ? "," : "");
    mw_text_add(text, "), }");
    /* The elements begin at a multiple of 64 bytes, so that they can be mapped. */
    length = MAGIC_LENGTH + 4 + text->length + 1;
    mw_text_add(text, "%*s\n", (int)((HEADER_ALIGNMENT - length % HEADER_ALIGNMENT) % HEADER_ALIGNMENT), "");
    return mw_text_ok(text);
}

int mw_npy_append(struct mw_file *file, enum mw_type type, const void *elements, size_t count)
{
    const size_t bytes = count * mw_type_bytes(type);
    size_t part = 1;
    char piece[4096];

    for (size_t d = 0; d < MW_COUNT(descriptions); d++)
        part = descriptions[d].type == type ? descriptions[d].part : part;
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
    unsigned char size[2];
    size_t bytes;
    int rc;

    if (array->dims > MW_DIMS_MAX || !mw_mul(array->count, mw_type_bytes(array->type), &bytes))
        return mw_fail(MW_EINVAL, "cannot write %s: the array has impossible lengths", path);
    TRY(format_header(array, &header));
    size[0] = (unsigned char)(header.length & 0xFF);
    size[1] = (unsigned char)(header.length >> 8);
    TRY(mw_file_create(path, true, &file));
    TRY(mw_file_write(file, MAGIC "\x01\x00", MAGIC_LENGTH + 2));
    TRY(mw_file_write(file, size, sizeof size));
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
