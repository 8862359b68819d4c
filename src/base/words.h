/* Words in a text of C or of a model: letters, digits and underscores.  Internal. */
#ifndef MW_BASE_WORDS_H
#define MW_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"

static inline bool mw_in_word(char c) { return mw_is_letter_or_digit(c) || c == '_'; }

static inline const char *mw_skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

static inline size_t mw_word_length(const char *at)
{
    size_t n = 0;
    while (mw_in_word(at[n]))
        n++;
    return n;
}

/* Returns whether n characters are this word. */
static inline bool mw_word_is(const char *at, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(at, word, n) == 0;
}

#endif
/* SPDX-License-Identifier: MIT */
