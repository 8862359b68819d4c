/* Letters, digits and spaces of ASCII, whatever the program's locale: in a Turkish one, C's functions give I
 * another lower case than i.  Internal; the command includes it as well. */
#ifndef MW_BASE_ASCII_H
#define MW_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool mw_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool mw_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool mw_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool mw_is_letter(char c)
{
    return mw_is_lower(c) || mw_is_upper(c);
}

static inline bool mw_is_letter_or_digit(char c)
{
    return mw_is_letter(c) || mw_is_digit(c);
}

static inline bool mw_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A control character of one byte. */
static inline bool mw_is_control(char c)
{
    return (unsigned char)c < ' ' || c == 127;
}

static inline char mw_lower(char c)
{
    return mw_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char mw_upper(char c)
{
    return mw_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

/* Whether the first n characters are equal, in letters of either case; an end counts as a character. */
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

/* Whether two words are equal, in letters of either case. */
static inline bool mw_same_word(const char *a, const char *b)
{
    return mw_same_start(a, b, (size_t)-1);
}

/* The first place of a word in a text, in letters of either case; NULL: none. */
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
