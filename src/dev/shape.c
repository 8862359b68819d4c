/* Shapes as text: variant=NAME,vec=N,per_item=N,rows=N,group=NxN,steps=N. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "dev/shape.h"

#include <meshwork/tune.h>

void mw_shape_format(const struct mw_shape *shape, char *text)
{
    int n = shape->variant[0] ? snprintf(text, MW_SHAPE_TEXT, "variant=%.15s,", shape->variant) : 0;
    n += snprintf(text + n, (size_t)(MW_SHAPE_TEXT - n), "vec=%u,per_item=%u,rows=%u,group=%zux%zu", shape->vec,
                  shape->per_item, shape->rows, shape->group[0], shape->group[1]);
    if (shape->steps)
        snprintf(text + n, (size_t)(MW_SHAPE_TEXT - n), ",steps=%u", shape->steps);
}

/* Reads decimal digits up to `max`; returns the rest, or NULL without digits. */
static const char *read_number(const char *text, uint64_t max, uint64_t *value)
{
    const char *at = text;
    uint64_t v = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (v > (max - digit) / 10)
            return NULL;
        v = 10 * v + digit;
    }
    *value = v;
    return at == text ? NULL : at;
}

static const char *read_unsigned(const char *text, unsigned *value)
{
    uint64_t v;
    const char *end = read_number(text, UINT32_MAX, &v);
    if (end)
        *value = (unsigned)v;
    return end;
}

static const char *read_group(const char *text, struct mw_shape *shape)
{
    uint64_t x, y;
    const char *end = read_number(text, SIZE_MAX, &x);
    y = 1;
    if (!end || (*end == 'x' && !(end = read_number(end + 1, SIZE_MAX, &y))))
        return NULL;
    shape->group[0] = (size_t)x;
    shape->group[1] = (size_t)y;
    return end;
}

static const char *read_variant(const char *text, struct mw_shape *shape)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    if (n == 0 || n >= sizeof shape->variant)
        return NULL;
    memset(shape->variant, 0, sizeof shape->variant);
    memcpy(shape->variant, text, n);
    return text + n;
}

static const char *read_vec(const char *text, struct mw_shape *shape) { return read_unsigned(text, &shape->vec); }

static const char *read_per_item(const char *text, struct mw_shape *shape)
{
    return read_unsigned(text, &shape->per_item);
}

static const char *read_rows(const char *text, struct mw_shape *shape) { return read_unsigned(text, &shape->rows); }

static const char *read_steps(const char *text, struct mw_shape *shape) { return read_unsigned(text, &shape->steps); }

static const struct part {
    const char *name;
    const char *(*read)(const char *text, struct mw_shape *shape);
} parts[] = {
    { "variant=", read_variant }, { "vec=", read_vec },     { "per_item=", read_per_item },
    { "rows=", read_rows },       { "group=", read_group }, { "steps=", read_steps },
};

/* NULL when all was read, else the part that makes no sense. */
const char *mw_shape_read(const char *text, struct mw_shape *shape)
{
    for (;;) {
        const char *end = NULL;
        for (size_t i = 0; i < MW_COUNT(parts) && !end; i++) {
            size_t n = strlen(parts[i].name);
            if (strncmp(text, parts[i].name, n) == 0)
                end = parts[i].read(text + n, shape);
        }
        if (!end || (*end != ',' && *end != '\0'))
            return text;
        if (*end == '\0')
            return NULL;
        text = end + 1;
    }
}

int mw_shape_parse(const char *text, struct mw_shape *shape)
{
    struct mw_shape read = *shape;
    const char *bad = mw_shape_read(text, &read);
    if (bad)
        return mw_fail(MW_EINVAL,
                       "invalid shape \"%.40s\": expected some of "
                       "variant=NAME,vec=N,per_item=N,rows=N,group=N or NxN,steps=N",
                       bad);
    *shape = read;
    return 0;
}
/* SPDX-License-Identifier: MIT */
