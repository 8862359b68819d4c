/* Words and numbers of text files, and dictionaries of words.  Internal. */
#ifndef MW_GRAPH_FILE_TEXT_H
#define MW_GRAPH_FILE_TEXT_H

#include "graph/file/pieces.h"

static inline bool mw_is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static inline const char *mw_skip_blanks(const char *at)
{
    while (mw_is_blank(*at))
        at++;
    return at;
}

static inline const char *mw_skip_word(const char *at)
{
    while ((unsigned char)*at > ' ' && *at != 0x7f)
        at++;
    return at;
}

/* The value of the digits at `at`, and how many these are; up to 16, more are not looked at. */
static inline unsigned mw_take_digits(const char *at, uint64_t *value)
{
    uint64_t sum = 0;
    for (unsigned taken = 0;; taken += 8) {
        uint64_t word, others;
        __builtin_memcpy(&word, at + taken, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word ^= 0x3030303030303030;
        others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
        const unsigned digits = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
        static const uint64_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
        if (digits > 0) {
            /* Neighbouring digits become numbers of two, these of four, these of eight digits. */
            word <<= 64 - 8 * digits;
            word = word * 10 + (word >> 8);
            word = (((word & 0x000000ff000000ff) * 0x000f424000000064) +
                    (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32;
            sum = sum * power[digits] + word;
        }
        if (digits < 8 || taken == 8) {
            *value = sum;
            return taken + digits;
        }
    }
}

/* What a line's next word is, behind blanks. */
enum mw_word { MW_WORD_NUMBER, MW_WORD_NONE, MW_WORD_LARGE, MW_WORD_OTHER };
/* Takes a whole number without sign of up to 10^16 - 1, that a blank or the line's end follows. */
enum mw_word mw_take_number(const char **at, uint64_t *value);
/* Fails the piece for a word that is none. */
int mw_word_wrong(struct mw_piece *piece, enum mw_word word, const char *at, const char *what);
/* What to do about a word that is no number, for the end of a message, with its colon; "" where it does not tell. */
const char *mw_word_hint(const char *at);
/* Goes to behind the line's newline; false: there is something that no text has. */
bool mw_finish_line(struct mw_piece *piece, const char **at);
/* A word for messages, a text, and what is left of a line: cut where it is long, control characters replaced. */
#define MW_QUOTE_CAPACITY 48
const char *mw_quote(const char *at, char text[MW_QUOTE_CAPACITY]);
const char *mw_quote_text(const char *at, size_t length, char text[MW_QUOTE_CAPACITY]);
const char *mw_quote_line(const char *at, char text[MW_QUOTE_CAPACITY]);
/* Whether there is a tabulator, a line's end or another control character, which no name has: results are columns of
 * lines. */
bool mw_has_control(const char *text, size_t length);
/* Whether a text is a number as it would be written: digits, below 2^64, no needless zeros in front. */
bool mw_plain_number(const char *text, size_t length, uint64_t *value);
/* The bytes of a letter of UTF-8 that XML has; 0 where it is none. */
size_t mw_letter_bytes(const unsigned char *s);
/* What stands for a character in XML; NULL: itself. */
const char *mw_xml_escape(char c);
/* Writes a number; returns its end. */
char *mw_put_number(char *to, uint64_t value);
#define MW_NUMBER_CAPACITY 24
/* Writes a name in quotes, in which two are one; returns its end.  It takes up to 2 bytes a byte, and 2 more. */
char *mw_put_quoted(char *to, const char *name);

/* ---- dictionary.c: words and the order in which they came ---- */

struct mw_entry { uint64_t hash; uint32_t start, number; };
struct mw_dictionary {
    struct mw_entry *entry;      /* in the order of their first coming */
    size_t count, capacity;
    char *bytes;                 /* texts, each ended by a NUL: entry[i].start */
    size_t length, bytes_capacity;
    uint32_t *slot;              /* number + 1 of an entry, 0: free */
    size_t slots;
    bool all_numbers;            /* mw_plain_number of all */
};
/* The number of a word, which is copied where it is new.  Errors: MW_ELIMIT, MW_ENOMEM. */
int mw_dictionary_add(struct mw_dictionary *dictionary, const char *text, size_t length, uint32_t *number);
/* Gives back what only adding needs. */
void mw_dictionary_close(struct mw_dictionary *dictionary);
void mw_dictionary_free(struct mw_dictionary *dictionary);

#endif
/* SPDX-License-Identifier: MIT */
