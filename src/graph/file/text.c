/* Words and numbers of text files. */
#include "graph/file/text.h"

#include <stdio.h>
#include <string.h>

enum mw_word mw_take_number(const char **at, uint64_t *value)
{
    const char *s = mw_skip_blanks(*at);
    const unsigned digits = mw_take_digits(s, value);
    *at = s;
    s += digits;
    if (mw_is_blank(*s) || *s == '\n' || *s == '\r') {
        if (digits == 0)
            return MW_WORD_NONE;
        *at = s;
        return MW_WORD_NUMBER;
    }
    while (*s >= '0' && *s <= '9')
        s++;
    return digits > 0 && (mw_is_blank(*s) || *s == '\n' || *s == '\r') ? MW_WORD_LARGE : MW_WORD_OTHER;
}

const char *mw_word_hint(const char *at)
{
    const size_t length = (size_t)(mw_skip_word(at) - at);
    if (*at == '#')
        return ": comments are lines that begin with %";
    if (memchr(at, ';', length) || memchr(at, ',', length))
        return ": separate numbers by blanks only";
    return "";
}

int mw_word_wrong(struct mw_piece *piece, enum mw_word word, const char *at, const char *what)
{
    char text[MW_QUOTE_CAPACITY];
    if (word == MW_WORD_NONE)
        return mw_piece_wrong(piece, "the %s is missing", what);
    return mw_piece_wrong(piece, "\"%s\" is %s, expected a %s%s", mw_quote(at, text),
                          word == MW_WORD_LARGE ? "too large" : "not a whole number", what, mw_word_hint(at));
}

bool mw_finish_line(struct mw_piece *piece, const char **at)
{
    const char *s = *at;
    for (;; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '\n')
            break;
        if ((c >= ' ' && c != 0x7f) || mw_is_blank((char)c) || (c == '\r' && s[1] == '\n'))
            continue;
        mw_piece_wrong(piece,
                       c == '\r' ? "carriage return within the line: lines must end with a newline"
                                 : "byte 0x%02x is not text: this is another kind of file",
                       c);
        return false;
    }
    *at = s + 1;
    return true;
}

const char *mw_quote_text(const char *at, size_t length, char text[MW_QUOTE_CAPACITY])
{
    const size_t most = MW_QUOTE_CAPACITY - 8;
    size_t n = length < most ? length : most;
    while (n < length && n > 0 && ((unsigned char)at[n] & 0xc0) == 0x80)
        n--; /* do not cut a UTF-8 character */
    for (size_t i = 0; i < n; i++)
        text[i] = (unsigned char)at[i] < ' ' || at[i] == 0x7f ? '?' : at[i];
    strcpy(text + n, n < length ? "..." : "");
    return text;
}

const char *mw_quote(const char *at, char text[MW_QUOTE_CAPACITY])
{
    const size_t length = (size_t)(mw_skip_word(at) - at);
    if (length > 0)
        return mw_quote_text(at, length, text);
    snprintf(text, MW_QUOTE_CAPACITY, "\\x%02x", (unsigned char)*at); /* a control character: not part of a word */
    return text;
}

const char *mw_quote_line(const char *at, char text[MW_QUOTE_CAPACITY])
{
    size_t length = strcspn(at, "\r\n");
    while (length > 0 && mw_is_blank(at[length - 1]))
        length--;
    return mw_quote_text(at, length, text);
}

char *mw_put_quoted(char *to, const char *name)
{
    *to++ = '"';
    for (; *name; name++) {
        if (*name == '"')
            *to++ = '"';
        *to++ = *name;
    }
    *to++ = '"';
    return to;
}

bool mw_has_control(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return true;
    return false;
}

bool mw_plain_number(const char *text, size_t length, uint64_t *value)
{
    const size_t safe = length < 20 ? length : 19; /* so many digits are below 2^64 */
    uint64_t sum = 0;
    if (length == 0 || length > 20 || (text[0] == '0' && length > 1))
        return false;
    for (size_t i = 0; i < safe; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        sum = 10 * sum + (uint64_t)(text[i] - '0');
    }
    if (length == 20 && (text[19] < '0' || text[19] > '9' || __builtin_mul_overflow(sum, 10, &sum) ||
                         __builtin_add_overflow(sum, (uint64_t)(text[19] - '0'), &sum)))
        return false;
    *value = sum;
    return true;
}

char *mw_put_number(char *to, uint64_t value)
{
    static const char pairs[] =
        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
        "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
    char digits[MW_NUMBER_CAPACITY], *first = digits + sizeof digits;
    while (value >= 100) {
        first -= 2;
        memcpy(first, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        first -= 2;
        memcpy(first, pairs + 2 * value, 2);
    } else {
        *--first = (char)('0' + value);
    }
    memcpy(to, first, (size_t)(digits + sizeof digits - first));
    return to + (digits + sizeof digits - first);
}

size_t mw_letter_bytes(const unsigned char *s)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = { { 0x80, 0x00, 0x20 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
    if (*s == '\t' || *s == '\n' || *s == '\r')
        return 1;
    for (size_t i = 0; i < MW_COUNT(forms); i++) {
        uint32_t letter = *s & (unsigned char)~forms[i].mask;
        if ((*s & forms[i].mask) != forms[i].lead)
            continue;
        for (size_t k = 1; k <= i; k++) {
            if ((s[k] & 0xc0) != 0x80)
                return 0;
            letter = letter << 6 | (s[k] & 0x3f);
        }
        return letter < forms[i].least || letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000) ||
                       letter == 0xfffe || letter == 0xffff
                   ? 0
                   : i + 1;
    }
    return 0;
}

const char *mw_xml_escape(char c)
{
    static const struct {
        char c;
        const char *text;
    } escapes[] = { { '&', "&amp;" }, { '<', "&lt;" },   { '>', "&gt;" },  { '"', "&quot;" },
                    { '\t', "&#9;" }, { '\n', "&#10;" }, { '\r', "&#13;" } };
    for (size_t i = 0; i < MW_COUNT(escapes); i++)
        if (c == escapes[i].c)
            return escapes[i].text;
    return NULL;
}

int mw_input_data_line(struct mw_input *input, bool skips_empty, const char *expected, const char **at,
                       const char **end)
{
    do {
        TRY_RETURN(mw_input_line(input, at, end));
        if (!*at)
            return mw_input_malformed(input, input->lines, "the file ends before %s", expected);
        *at = mw_skip_blanks(*at);
    } while (**at == '%' || (skips_empty && *at >= *end));
    return 0;
}
/* SPDX-License-Identifier: MIT */
