/* A string that grows. */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

#include "tools/cli/base.h"

/* Starts with { 0 }.  An append that failed is remembered: text_ok says so once, at the end (MW_ENOMEM).  `data` is
 * NULL while nothing was appended. */
struct text { char *data; size_t length, capacity; bool failed; };
void text_add(struct text *text, const char *format, ...) MW_PRINTF(2, 3);
void text_append(struct text *text, const char *bytes, size_t n);
int text_ok(const struct text *text);
void text_free(struct text *text);
/* Appends text, wrapped between the columns `indent` and `width`; the first line starts at column `column`. */
void text_wrap(struct text *to, size_t column, size_t indent, size_t width, const char *text);

/* A copy, the caller's to free. */
int text_copy(const char *text, char **copy);
/* As much of `from` as fits before size - 1 bytes, always ended. */
void text_fit(char *to, size_t size, const char *from);
/* Whether a file's name ends like that, in letters of either case, and has something before it. */
bool text_ends_in(const char *path, const char *suffix);

#endif
/* SPDX-License-Identifier: MIT */
