/* ASCII letters, digits and spaces in every locale: in a Turkish one the lower case of I is not i.  Internal; the
 * command includes it as well. */
#ifndef MW_BASE_ASCII_H
#define MW_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool mw_is_digit(char c) { return c >= '0' && c <= '9'; }

static inline bool mw_is_lower(char c) { return c >= 'a' && c <= 'z'; }

static inline bool mw_is_upper(char c) { return c >= 'A' && c <= 'Z'; }

static inline bool mw_is_letter(char c) { return mw_is_lower(c) || mw_is_upper(c); }

static inline bool mw_is_letter_or_digit(char c) { return mw_is_letter(c) || mw_is_digit(c); }

static inline bool mw_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Returns whether a byte is a control character of ASCII: below 32, or 127. */
static inline bool mw_is_control(char c) { return (unsigned char)c < ' ' || c == 127; }

static inline char mw_lower(char c) { return mw_is_upper(c) ? (char)(c - 'A' + 'a') : c; }

static inline char mw_upper(char c) { return mw_is_lower(c) ? (char)(c - 'a' + 'A') : c; }

/* Returns whether the first n characters are equal, ignoring case. The comparison ends after a terminating NUL. */
static inline bool mw_same_start(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (mw_lower(a[i]) != mw_lower(b[i]))
            return false;
        if (!a[i])
            break;
    }
    return true;
}

/* Returns whether two strings are equal, ignoring case. */
static inline bool mw_same_word(const char *a, const char *b) { return mw_same_start(a, b, (size_t)-1); }

/* Returns the first occurrence of `word` in a text, ignoring case, or NULL. */
static inline const char *mw_find_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (; !mw_same_start(text, word, n); text++)
        if (!*text)
            return NULL;
    return text;
}

#endif
/* SPDX-License-Identifier: MIT */
