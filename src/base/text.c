/* A string that grows, and numbers as text. */
#include "base/base.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64

/* Makes room for n more bytes and the terminating NUL. */
static bool reserve(struct mw_text *t, size_t n)
{
    size_t need, capacity = t->capacity > 0 ? t->capacity : FIRST_CAPACITY;
    char *data;
    if (t->failed)
        return false;
    if (!mw_add(t->length, n, &need) || !mw_add(need, 1, &need)) {
        t->failed = true;
        return false;
    }
    if (need <= t->capacity)
        return true;
    while (capacity < need)
        if (!mw_mul(capacity, 2, &capacity))
            capacity = need;
    data = realloc(t->data, capacity);
    if (data == NULL) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

void mw_text_add_stem(struct mw_text *t, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    mw_text_append(t, path, dot && dot > name ? (size_t)(dot - path) : strlen(path));
}

void mw_text_append(struct mw_text *t, const char *bytes, size_t n)
{
    if (n == 0 || !reserve(t, n))
        return;
    memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = '\0';
}

/* Moves a position back to the first byte of its character in UTF-8. */
static size_t begin_of_character(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
        at--;
    return at;
}

struct mw_excerpt mw_excerpt(const char *text, size_t n, size_t at)
{
    static const char dots[] = "...";
    const size_t most = 60, half = most / 2;
    struct mw_excerpt e;
    size_t begin = n <= most || at <= half ? 0 : at - half < n - most ? at - half : n - most;
    begin = begin_of_character(text, begin);
    const size_t end = n - begin <= most ? n : begin_of_character(text, begin + most);
    snprintf(e.text, sizeof e.text, "%s%.*s%s", begin > 0 ? dots : "", (int)(end - begin), text + begin,
             end < n ? dots : "");
    return e;
}

/* The calling program may use a locale with decimal commas.  If the plain locale cannot be created, the program's is
 * used. */
static locale_t plain;

static void make_plain(void) { plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0); }

static locale_t begin_plain(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return uselocale(plain);
}

double mw_number_read(const char *text, char **end)
{
    const locale_t before = begin_plain();
    const double value = strtod(text, end);
    uselocale(before);
    return value;
}

static void base_text_add(struct mw_text *t, const char *format, va_list args, va_list again)
{
    const int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        t->failed = true;
    if (length <= 0 || !reserve(t, (size_t)length))
        return;
    vsnprintf(t->data + t->length, t->capacity - t->length, format, again);
    t->length += (size_t)length;
}

void mw_text_add(struct mw_text *t, const char *format, ...)
{
    const locale_t before = begin_plain();
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    base_text_add(t, format, args, again);
    va_end(again);
    va_end(args);
    uselocale(before);
}

int mw_text_ok(const struct mw_text *t)
{
    if (t->failed)
        return mw_fail(MW_ENOMEM, "out of memory: a text of %zu bytes cannot grow", t->length);
    return 0;
}

void mw_text_free(struct mw_text *t)
{
    if (t == NULL)
        return;
    free(t->data);
    *t = (struct mw_text){ 0 };
}

int mw_value_find(const char *what, const char *(*name_of)(int value), const char *name, int *value)
{
    struct mw_text names = { 0 };
    int i = 0, rc;
    while (name_of(i) != NULL && strcmp(name_of(i), name) != 0) {
        mw_text_add(&names, "%s%s", i > 0 ? ", " : "", name_of(i));
        i++;
    }
    if (name_of(i) != NULL)
        *value = i;
    rc = name_of(i) != NULL ? 0
                            : mw_fail(MW_EINVAL, "no %s is called '%.40s': there are %s", what, name,
                                      names.data ? names.data : "none");
    mw_text_free(&names);
    return rc;
}

struct mw_amount mw_amount(uint64_t bytes)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    struct mw_amount a;
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024.0 && unit + 1 < MW_COUNT(units)) {
        value /= 1024.0;
        unit++;
    }
    snprintf(a.text, sizeof(a.text), unit ? "%.2f %s" : "%.0f %s", value, units[unit]);
    return a;
}
/* SPDX-License-Identifier: MIT */
