/* Turns compilers' logs into one sentence. */
#include "dev/core/backend.h"

#include <stdlib.h>
#include <string.h>

/* It may go to a terminal. */
static void clean(char *log)
{
    for (char *c = log; *c; c++) {
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 127)
            *c = ' ';
    }
}

/* A compiler's message and its place in a source. */
struct complaint {
    char path[256];
    size_t line; /* 0: without a place */
    const char *what;
    size_t length;
};

static size_t skip_prefix(const char *text, size_t n)
{
    static const char *const prefixes[] = { "fatal error: ", "error: ", "error : " };
    for (size_t i = 0; i < MW_COUNT(prefixes); i++) {
        size_t length = strlen(prefixes[i]);
        if (n >= length && mw_same_start(text, prefixes[i], length))
            return length;
    }
    return 0;
}

static size_t skip_digits(const char *text, size_t n, size_t i)
{
    while (i < n && mw_is_digit(text[i]))
        i++;
    return i;
}

/* Reads `OPEN number CLOSE` at position i; returns the position after it, or 0. */
static size_t read_place(const char *text, size_t n, size_t i, const char *open, const char *close, size_t *number)
{
    if (n - i < strlen(open) || strncmp(text + i, open, strlen(open)) != 0)
        return 0;
    size_t start = i + strlen(open), end = skip_digits(text, n, start);
    if (end == start || end - start > 9 || n - end < strlen(close) || strncmp(text + end, close, strlen(close)) != 0)
        return 0;
    *number = strtoul(text + start, NULL, 10);
    return end + strlen(close);
}

/* Takes a line of a log apart: "PATH:LINE:COLUMN: error: WHAT" (clang), "error: PATH:LINE:COLUMN: WHAT" (PoCL),
 * "PATH(LINE): error: WHAT" (NVRTC), "\"PATH\", line LINE: error: WHAT" (EDG); anything else is WHAT alone. */
static struct complaint take_apart(const char *text, size_t n)
{
    static const struct {
        const char *open, *close;
    } forms[] = { { ":", ":" }, { "(", "):" }, { ", line ", ":" } };
    struct complaint c = { .what = text, .length = n };
    size_t start = skip_prefix(text, n), end = 0, i;
    for (i = start + 1; i < n && !end; i++) {
        for (size_t f = 0; f < MW_COUNT(forms) && !end; f++)
            end = read_place(text, n, i, forms[f].open, forms[f].close, &c.line);
    }
    if (end) {
        size_t length = i - 1 - start;
        if (length >= 2 && text[start] == '"' && text[start + length - 1] == '"') {
            start++;
            length -= 2;
        }
        if (length >= sizeof(c.path))
            length = sizeof(c.path) - 1;
        memcpy(c.path, text + start, length);
        size_t column = skip_digits(text, n, end);
        /* PoCL: where the words of a macro come from, "LINE:COLUMN <Spelling=PATH:LINE:COLUMN>: WHAT". */
        if (column > end && n - column > 2 && strncmp(text + column, " <Spelling=", 11) == 0) {
            const char *closed = memchr(text + column, '>', n - column);
            column = closed ? (size_t)(closed - text) + 1 : column;
        }
        if (column > end && column < n && text[column] == ':')
            end = column + 1;
    }
    size_t from = end ? end : start;
    while (from < n && mw_is_space(text[from]))
        from++;
    from += skip_prefix(text + from, n - from);
    c.what = text + from;
    c.length = n - from;
    return c;
}

/* 2: an error at a place, 1: an error, 0: other words, -1: a warning or the like. */
static int rank_of(const char *text, size_t n, struct complaint *c)
{
    static const char *const others[] = { "warning", "note:", "remark:", "ptxas info" };
    char line[512];
    size_t length = n < sizeof(line) ? n : sizeof(line) - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    const char *error = mw_find_word(line, "error");
    if (!error)
        error = strstr(line, "ptxas fatal");
    for (size_t i = 0; i < MW_COUNT(others); i++) {
        const char *other = mw_find_word(line, others[i]);
        if (other && (!error || other < error))
            return -1;
    }
    if (!error)
        return 0;
    *c = take_apart(text, n);
    return c->line ? 2 : 1;
}

/* gcc places an error within a macro in the macro, and notes where the macro was used, which is the author's line. The
 * last such note of the first error is the outermost one. */
static void find_use(struct complaint *c)
{
    const char *at = c->what + c->length;
    for (at += strspn(at, "\r\n"); *at; at += strspn(at, "\r\n")) {
        const size_t n = strcspn(at, "\r\n");
        const struct complaint note = take_apart(at, n);
        struct complaint other;
        if (rank_of(at, n, &other) > 0)
            return;
        if (note.line && note.length >= 6 && memmem(note.what, note.length, "in expansion of macro", 21)) {
            memcpy(c->path, note.path, sizeof(c->path));
            c->line = note.line;
        }
        at += n;
    }
}

/* The first error of a log; failing that, its first line, unless that is a warning: what follows belongs to it. */
static struct complaint first_error(const char *log)
{
    struct complaint best = { .what = log }, c;
    int best_rank = -1;
    bool warned = false;
    for (const char *at = log; *at && best_rank < 2;) {
        size_t n = strcspn(at, "\r\n");
        int rank = n ? rank_of(at, n, &c) : -1;
        warned = warned || (n && rank < 0);
        if (rank > best_rank && !(rank == 0 && warned)) {
            best_rank = rank;
            if (rank == 0)
                best = (struct complaint){ .what = at, .length = n };
            else
                best = c;
        }
        at += n;
        at += strspn(at, "\r\n");
    }
    if (best_rank == 2)
        find_use(&best);
    return best;
}

/* Reads a mark that mw_flatten made: `#line NUMBER "PATH"`. */
static bool read_mark(const char *line, size_t n, char *path, size_t size, size_t *number)
{
    size_t end = read_place(line, n, 0, "#line ", " \"", number), to = 0;
    if (!end)
        return false;
    for (size_t i = end; i < n && line[i] != '"' && to + 1 < size; i++) {
        if (line[i] == '\\' && i + 1 < n)
            i++;
        path[to++] = line[i];
    }
    path[to] = '\0';
    return true;
}

static bool ends_with_path(const char *whole, const char *end)
{
    size_t n = strlen(whole), m = strlen(end);
    return n >= m && strcmp(whole + n - m, end) == 0 && (n == m || whole[n - m - 1] == '/');
}

/* Not every compiler follows #line (Oclgrind's counts the lines of its input). If a message names none of our files,
 * its line is looked up in the flattened text. */
static void find_place(const struct mw_build *build, struct complaint *c)
{
    char path[sizeof(c->path)] = "", mark[sizeof(c->path)];
    size_t number = 1, there = 0, physical = 1;
    char there_path[sizeof(c->path)] = "";
    for (const char *at = build->text, *end = at + build->length; at < end; physical++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t n = feed ? (size_t)(feed - at) : (size_t)(end - at), marked;
        if (physical == c->line) {
            there = number;
            mw_copy_string(there_path, sizeof(there_path), path);
        }
        if (read_mark(at, n, mark, sizeof(mark), &marked)) {
            if (ends_with_path(c->path, mark))
                return;
            mw_copy_string(path, sizeof(path), mark);
            number = marked;
        } else {
            number++;
        }
        at += n + (feed != NULL);
    }
    if (there && there_path[0]) {
        c->line = there;
        mw_copy_string(c->path, sizeof(c->path), there_path);
    }
}

/* Returns whether a C or C++ compiler complains about a word of OpenCL C, or about CUDA's vectors used as OpenCL's. */
static bool is_unknown_word(const struct complaint *c)
{
    static const char *const words[] = { "undeclared",
                                         "unknown type name",
                                         "implicit declaration",
                                         "is undefined",
                                         "not declared",
                                         "does not name a type",
                                         "has not been declared",
                                         "does not apply here",
                                         "no suitable constructor",
                                         "no operator" };
    for (size_t i = 0; i < MW_COUNT(words); i++)
        if (memmem(c->what, c->length, words[i], strlen(words[i])))
            return true;
    return false;
}

int mw_build_failed(const struct mw_device *device, const struct mw_build *build, char *log)
{
    enum { WHAT_MAX = 400 };
    const struct mw_device_info *info = &device->info;
    clean(log);
    mw_build_log_give(strdup(log));
    struct complaint c = first_error(log);
    int length = c.length < WHAT_MAX ? (int)c.length : WHAT_MAX;
    if (length == 0)
        return mw_fail(MW_EBUILD, "%s: the compiler of %s (%s) rejected the program without a message", build->label,
                       info->id, info->name);
    if (c.line == 0)
        return mw_fail(MW_EBUILD, "%s: %.*s (compiled for %s, %s)", build->label, length, c.what, info->id, info->name);
    find_place(build, &c);
    const bool dialect = device->backend->compile->preamble && is_unknown_word(&c);
    return mw_fail(MW_EBUILD, "%s:%zu: %.*s (compiled for %s, %s)%s", c.path, c.line, length, c.what, info->id,
                   info->name,
                   dialect ? "; devices without OpenCL support only the words that \"Kernels of your own\" in "
                             "doc/library.md lists"
                           : "");
}
/* SPDX-License-Identifier: MIT */
