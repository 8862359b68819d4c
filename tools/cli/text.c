/* A string that grows. */
#include "tools/cli/text.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_CAPACITY 64

/* Makes room for n more bytes and the ending NUL. */
static bool reserve(struct text *t, size_t n)
{
    size_t capacity = t->capacity ? t->capacity : FIRST_CAPACITY;
    char *data;

    if (t->failed || n >= SIZE_MAX / 2 - t->length) {
        t->failed = true;
        return false;
    }
    while (capacity < t->length + n + 1)
        capacity *= 2;
    if (capacity == t->capacity)
        return true;
    data = realloc(t->data, capacity);
    if (!data) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_append(struct text *t, const char *bytes, size_t n)
{
    if (n == 0 || !reserve(t, n))
        return;
    memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = 0;
}

void text_add(struct text *t, const char *format, ...)
{
    va_list ap;
    int length;

    va_start(ap, format);
    length = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    if (length < 0)
        t->failed = true;
    if (length <= 0 || !reserve(t, (size_t)length))
        return;
    va_start(ap, format);
    vsnprintf(t->data + t->length, t->capacity - t->length, format, ap);
    va_end(ap);
    t->length += (size_t)length;
}

int text_ok(const struct text *t)
{
    return t->failed ? mw_fail(MW_ENOMEM, "not enough memory for a text of more than %zu bytes", t->length) : 0;
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){ 0 };
}

void text_wrap(struct text *to, size_t column, size_t indent, size_t width, const char *text)
{
    bool first = true;

    while (*text) {
        size_t n = strcspn(text, " \n");
        if (n && !first && column + 1 + n > width) {
            text_add(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        if (n) {
            text_add(to, "%s%.*s", first ? "" : " ", (int)n, text);
            column += n + !first;
            first = false;
        }
        text += n;
        if (*text == '\n') {
            text_add(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        text += *text != 0;
    }
    text_add(to, "\n");
}

int text_copy(const char *text, char **copy)
{
    const size_t bytes = strlen(text) + 1;
    char *made = NULL;

    TRY_RETURN(allocate(bytes, 1, &made));
    memcpy(made, text, bytes);
    *copy = made;
    return 0;
}

void text_fit(char *to, size_t size, const char *from)
{
    const size_t length = strlen(from), n = length < size - 1 ? length : size - 1;

    memcpy(to, from, n);
    to[n] = 0;
}

bool text_ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);

    return n > m && mw_same_word(path + n - m, suffix);
}
/* SPDX-License-Identifier: MIT */
