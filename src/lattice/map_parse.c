/* Operations of index maps as text. */
#include <errno.h>

#include "lattice/map_internal.h"

/* Arguments after '=': groups separated by commas, each of up to three numbers separated by colons. */
struct arguments {
    size_t count;
    struct {
        int64_t number[3];
        unsigned numbers;
    } group[MW_AXES_MAX];
};

static int parse_arguments(const char *operation, const char *text, struct arguments *a)
{
    a->count = 0;
    while (*text) {
        char *end;
        if (a->count == MW_AXES_MAX)
            return mw_fail(MW_EINVAL, "%s: too many arguments", operation);
        a->group[a->count].numbers = 0;
        for (;;) {
            errno = 0;
            const long long n = strtoll(text, &end, 10);
            if (end == text || errno || mw_is_space(*text))
                return mw_fail(MW_EINVAL, "%s: expected a number at '%s'", operation, text);
            if (a->group[a->count].numbers == 3)
                return mw_fail(MW_EINVAL, "%s: more than three numbers separated by ':'", operation);
            a->group[a->count].number[a->group[a->count].numbers++] = n;
            text = end;
            if (*text != ':')
                break;
            text++;
        }
        a->count++;
        if (*text == ',' && text[1])
            text++;
        else if (*text)
            return mw_fail(MW_EINVAL, "%s: expected ',' or the end at '%s'", operation, text);
    }
    return 0;
}

/* Each function applies one group of arguments, or all groups if `list` is set. */
static int parse_shift(struct mw_map *m, const struct arguments *a, size_t g)
{
    return mw_map_shift(m, (unsigned)g, a->group[g].number[0]);
}

static int parse_permute(struct mw_map *m, const struct arguments *a, size_t g)
{
    unsigned order[MW_AXES_MAX];
    if (a->count != m->dims)
        return mw_fail(MW_EINVAL, "permute: %zu dimensions given, but the array has %u", a->count, m->dims);
    for (size_t d = 0; d < a->count; d++)
        order[d] = (unsigned)a->group[d].number[0];
    return mw_map_permute(m, order);
}

static int parse_tile(struct mw_map *m, const struct arguments *a, size_t g)
{
    size_t tile[MW_AXES_MAX];
    if (a->count != m->dims)
        return mw_fail(MW_EINVAL, "tile: %zu lengths given, but the array has %u dimensions", a->count, m->dims);
    for (size_t d = 0; d < a->count; d++)
        tile[d] = (size_t)a->group[d].number[0];
    return mw_map_tile(m, tile);
}

static int parse_morton(struct mw_map *m, const struct arguments *a, size_t g) { return mw_map_morton(m); }

static const struct word {
    const char *name, *form;
    unsigned numbers; /* in each group */
    /* Exactly one is set: an operation of one, two or three numbers, or a function of all arguments. */
    int (*one)(struct mw_map *map, unsigned dim);
    int (*two)(struct mw_map *map, unsigned dim, size_t number);
    int (*three)(struct mw_map *map, unsigned dim, size_t first, size_t second);
    int (*apply)(struct mw_map *map, const struct arguments *a, size_t group);
    bool list;     /* all groups belong to one operation */
    bool negative; /* the first number may be negative */
} words[] = {
    { "flip", "flip=DIMENSION,...", 1, .one = mw_map_flip },
    { "shift", "shift=BY,... (one amount per dimension, x first)", 1, .apply = parse_shift, .negative = true },
    { "crinkle", "crinkle=DIMENSION:STEP,...", 2, .two = mw_map_crinkle },
    { "uncrinkle", "uncrinkle=DIMENSION:STEP,...", 2, .two = mw_map_uncrinkle },
    { "permute", "permute=DIMENSION,... (all, in their new order)", 1, .apply = parse_permute, .list = true },
    { "pad", "pad=DIMENSION:BEFORE:AFTER,...", 3, .three = mw_map_pad },
    { "crop", "crop=DIMENSION:FIRST:COUNT,...", 3, .three = mw_map_crop },
    { "split", "split=DIMENSION:RADIX,...", 2, .two = mw_map_split },
    { "merge", "merge=DIMENSION,...", 1, .one = mw_map_merge },
    { "reverse", "reverse=DIMENSION,...", 1, .one = mw_map_reverse_digits },
    { "tile", "tile=LENGTH,... (one per dimension)", 1, .apply = parse_tile, .list = true },
    { "morton", "morton", 0, .apply = parse_morton, .list = true },
};

static int check_groups(const struct word *w, const char *operation, const struct arguments *a, const struct mw_map *m)
{
    if ((w->numbers == 0) != (a->count == 0))
        return mw_fail(MW_EINVAL, "%s: expected the form %s", operation, w->form);
    for (size_t g = 0; g < a->count; g++) {
        if (a->group[g].numbers != w->numbers)
            return mw_fail(MW_EINVAL, "%s: expected the form %s", operation, w->form);
        for (unsigned i = 0; i < w->numbers && !w->negative; i++)
            if (a->group[g].number[i] < 0)
                return mw_fail(MW_EINVAL, "%s: negative number (must be 0 or more)", operation);
        if (!w->negative && w->numbers && a->group[g].number[0] > UINT32_MAX && strcmp(w->name, "tile") != 0)
            return mw_fail(MW_EINVAL, "%s: dimension %lld does not exist", operation, (long long)a->group[g].number[0]);
    }
    if (strcmp(w->name, "shift") == 0 && a->count > m->dims)
        return mw_fail(MW_EINVAL, "%s: %zu amounts given, but the array has %u dimensions", operation, a->count,
                       m->dims);
    return 0;
}

static int apply_group(struct mw_map *map, const struct word *w, const struct arguments *a, size_t g)
{
    const int64_t *n = a->group[g].number;
    return w->one     ? w->one(map, (unsigned)n[0])
           : w->two   ? w->two(map, (unsigned)n[0], (size_t)n[1])
           : w->three ? w->three(map, (unsigned)n[0], (size_t)n[1], (size_t)n[2])
                      : w->apply(map, a, g);
}

/* Applies all groups or none: works on a copy, which replaces the map at the end. */
static int apply_groups(struct mw_map *map, const struct word *w, const struct arguments *a)
{
    struct mw_map *copy = NULL;
    int rc;
    TRY(mw_map_copy(map, &copy));
    for (size_t g = 0; g < (w->list ? 1 : a->count); g++)
        TRY(apply_group(copy, w, a, g));
    const struct mw_map old = *map;
    *map = *copy;
    *copy = old;
out:
    mw_map_free(copy);
    return rc;
}

int mw_map_parse(struct mw_map *map, const char *operation)
{
    const char *equals = strchr(operation, '=');
    const size_t n = equals ? (size_t)(equals - operation) : strlen(operation);
    struct arguments a = { 0 };
    const struct word *w = words;
    while (w < words + MW_COUNT(words) && (strlen(w->name) != n || strncmp(w->name, operation, n) != 0))
        w++;
    if (w == words + MW_COUNT(words))
        return mw_fail(MW_EINVAL,
                       "unknown operation '%.*s' (known: flip, shift, crinkle, uncrinkle, permute, pad, crop, split, "
                       "merge, reverse, tile, morton)",
                       (int)n, operation);
    TRY_RETURN(parse_arguments(operation, equals ? equals + 1 : "", &a));
    TRY_RETURN(check_groups(w, operation, &a, map));
    return apply_groups(map, w, &a);
}
/* SPDX-License-Identifier: MIT */
