/* Files of generators: header lines, then rows of # and . (see doc/walks.md). */
#include "walk/carpet_internal.h"

enum { LEVEL_DEFAULT = 3 };

struct reader {
    const char *path;
    int line;
    struct mw_carpet *carpet;
    size_t row, plane; /* next row and plane of the current generator */
    size_t room;       /* allocated words */
};

static int generators_wrong(const struct reader *r, const char *what)
{
    return mw_fail(MW_EDATA, "%s:%d: %s", r->path, r->line, what);
}

static bool is_within(const struct reader *r) { return r->row > 0 || r->plane > 0; }

/* Checks that the current generator is complete. */
static int end_generator(struct reader *r)
{
    struct carpet *c = &r->carpet->view;
    if (!is_within(r))
        return 0;
    if (r->row != (size_t)c->side || (c->dims == 3 && r->plane + 1 != (size_t)c->side))
        return mw_fail(MW_EDATA, "%s:%d: generator ends after %zu row%s%s; expected a %s of side %d", r->path, r->line,
                       r->row, MW_S(r->row), r->plane > 0 ? " of a plane" : "", c->dims == 3 ? "cube" : "square",
                       (int)c->side);
    c->generators++;
    r->row = r->plane = 0;
    return 0;
}

static int end_plane(struct reader *r)
{
    struct carpet *c = &r->carpet->view;
    if (c->dims != 3)
        return generators_wrong(
            r, "unexpected '-', which separates planes of 3 dimensions; this file has 2 (missing 'dims 3'?)");
    if (r->row == 0 || r->row != (size_t)c->side)
        return mw_fail(MW_EDATA, "%s:%d: plane ends after %zu row%s; expected %d", r->path, r->line, r->row,
                       MW_S(r->row), (int)c->side);
    if (++r->plane == (size_t)c->side)
        return mw_fail(MW_EDATA, "%s:%d: too many planes; expected %d per generator", r->path, r->line, (int)c->side);
    r->row = 0;
    return 0;
}

/* Grows the memory for another generator. */
static int begin_generator(struct reader *r)
{
    struct carpet *c = &r->carpet->view;
    const size_t needed = ((size_t)c->generators + 1) * (size_t)c->words;
    if (needed <= r->room)
        return 0;
    uint32_t *more = realloc(r->carpet->generators, 2 * needed * sizeof *more);
    if (!more)
        return mw_fail(MW_ENOMEM, "out of memory for the generators of %s", r->path);
    r->carpet->generators = more;
    r->room = 2 * needed;
    memset(more + needed - (size_t)c->words, 0, (r->room - (needed - (size_t)c->words)) * sizeof *more);
    return 0;
}

static int generators_read_row(struct reader *r, const char *row, size_t n)
{
    struct carpet *c = &r->carpet->view;
    if (c->side == 0) {
        /* A file has at most 2^20 characters, so a side is small. */
        c->side = (i32)n;
        const size_t sites = n * n * (c->dims == 3 ? n : 1);
        c->words = (i32)((sites + 31) / 32);
        if (sites > 1u << 20)
            return generators_wrong(r, "generator has more than 2^20 sites");
    }
    if (n != (size_t)c->side)
        return mw_fail(MW_EDATA, "%s:%d: row has %zu site%s; expected %d as in earlier rows", r->path, r->line, n,
                       MW_S(n), (int)c->side);
    if (r->row == n)
        return mw_fail(MW_EDATA, "%s:%d: too many rows: %s has %zu (separate generators by an empty line)", r->path,
                       r->line, c->dims == 3 ? "a plane" : "a generator", n);
    if (!is_within(r))
        TRY_RETURN(begin_generator(r));
    uint32_t *words = r->carpet->generators + (size_t)c->generators * (size_t)c->words;
    for (size_t x = 0; x < n; x++) {
        const size_t bit = (r->plane * n + r->row) * n + x;
        words[bit / 32] |= (uint32_t)(row[x] == '#') << bit % 32;
        r->carpet->open += row[x] == '#';
    }
    r->row++;
    return 0;
}

/* Reads a whole number from least to most. */
static bool generators_number(const char *text, long least, long most, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return end != text && *end == 0 && *value >= least && *value <= most;
}

static int generators_read_header(struct reader *r, const char *line)
{
    const size_t n = strcspn(line, " \t");
    const char *value = line + n + strspn(line + n, " \t");
    struct mw_carpet *c = r->carpet;
    const bool is_dims = n == 4 && memcmp(line, "dims", n) == 0, is_level = n == 5 && memcmp(line, "level", n) == 0;
    long given = 0;
    if (n == 5 && memcmp(line, "about", n) == 0) {
        free(c->about);
        c->about = NULL;
        return mw_strdup(value, &c->about);
    }
    if (!is_dims && !is_level)
        return generators_wrong(r, "expected a row of # and ., or one of dims, level, about and a value");
    if (c->view.side != 0)
        return generators_wrong(r, "dims and level must come before the first generator");
    if (is_dims && !generators_number(value, 2, 3, &given))
        return generators_wrong(r, "dims must be 2 or 3");
    if (is_level && !generators_number(value, 1, MW_CARPET_LEVEL_MAX, &given))
        return mw_fail(MW_EDATA, "%s:%d: level must be 1 to %d", r->path, r->line, MW_CARPET_LEVEL_MAX);
    *(is_dims ? &c->view.dims : &c->view.level) = (i32)given;
    return 0;
}

static int read_line(struct reader *r, const char *line)
{
    const size_t n = strlen(line);
    if (strncmp(line, "//", 2) == 0)
        return 0;
    if (n == 0)
        return end_generator(r);
    if (strcmp(line, "-") == 0)
        return end_plane(r);
    return strspn(line, "#.") == n ? generators_read_row(r, line, n) : generators_read_header(r, line);
}

int mw_generators_read(const char *path, const char *text, struct mw_carpet *carpet)
{
    struct reader r = { .path = path, .carpet = carpet };
    char *line = NULL;
    int rc;
    carpet->view.dims = 2;
    carpet->view.level = LEVEL_DEFAULT;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t n = strcspn(at, "\n");
        while (n > 0 && strchr(" \t\r", at[n - 1]))
            n--;
        TRY(mw_new(n + 1, 1, &line));
        memcpy(line, at, n);
        r.line++;
        TRY(read_line(&r, line));
        free(line);
        line = NULL;
    }
    TRY(end_generator(&r));
    if (carpet->view.generators == 0)
        rc = mw_fail(MW_EDATA, "%s: no generator found (rows of # for accessible sites and . for others)", path);
    else if (carpet->open == 0)
        rc = mw_fail(MW_EDATA, "%s: the generators have no accessible site (#)", path);
out:
    free(line);
    return rc;
}
/* SPDX-License-Identifier: MIT */
