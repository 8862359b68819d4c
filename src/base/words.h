/* Words in a text of C or of a model: letters, digits and underscores.  Internal. */
#ifndef MW_BASE_WORDS_H
#define MW_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"

/* Returns whether a character can be part of a word. */
static inline bool mw_in_word(char c) { return mw_is_letter_or_digit(c) || c == '_'; }

/* Returns the first position from `at` on that is not a space, a tab or a line break. */
static inline const char *mw_skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Returns the length of the word that begins at `at`; 0 if none does. */
static inline size_t mw_word_length(const char *at)
{
    size_t n = 0;
    while (mw_in_word(at[n]))
        n++;
    return n;
}

/* Returns whether the n characters at `at` are `word`. */
static inline bool mw_word_is(const char *at, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(at, word, n) == 0;
}

/* Returns whether a word occurs in a text. */
static inline bool mw_word_in(const char *text, const char *word)
{
    for (const char *at = text; *at; at += mw_word_length(at) ? mw_word_length(at) : 1)
        if (mw_word_is(at, mw_word_length(at), word))
            return true;
    return false;
}

#endif
/* SPDX-License-Identifier: MIT */
