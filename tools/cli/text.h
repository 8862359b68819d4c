/* Text layout, and suffixes of file names. */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

#include "base/base.h"

/* Appends text wrapped between columns `indent` and `width`; the first line starts at `column`. */
void text_wrap(struct mw_text *to, size_t column, size_t indent, size_t width, const char *text);
/* Appends a word, quoted for the shell if necessary. */
void text_shell_word(struct mw_text *to, const char *word);
/* Moves a text to *to, which free() frees.  If an append has failed, frees it: MW_ENOMEM. */
int text_take(struct mw_text *text, char **to);
/* Makes a copy of a text, which the owner frees.  MW_ENOMEM. */
int text_own(struct mw_owner *owner, const char *text, char **copy);
/* Returns whether a file name has more than this suffix and ends with it, ignoring case. */
bool text_ends_in(const char *path, const char *suffix);
/* Reads two finite numbers with a comma between them; returns false for another text. */
bool text_range(const char *text, double *lo, double *hi);

#endif
/* SPDX-License-Identifier: MIT */
