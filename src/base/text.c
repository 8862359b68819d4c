/* A string that grows. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64

/* Makes room for n more bytes and the ending NUL. */
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

void mw_text_append(struct mw_text *t, const char *bytes, size_t n)
{
    if (n == 0 || !reserve(t, n))
        return;
    memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = '\0';
}

void mw_text_add(struct mw_text *t, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        t->failed = true;
    if (length <= 0 || !reserve(t, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(t->data + t->length, t->capacity - t->length, format, args);
    va_end(args);
    t->length += (size_t)length;
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
