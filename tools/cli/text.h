/* Text for people, and suffixes of names. */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

#include "base/base.h"

/* Appends text, wrapped between the columns `indent` and `width`; the first line starts at column `column`. */
void text_wrap(struct mw_text *to, size_t column, size_t indent, size_t width, const char *text);
/* Whether a file's name ends like that, in letters of either case, and has something before it. */
bool text_ends_in(const char *path, const char *suffix);

#endif
/* SPDX-License-Identifier: MIT */
