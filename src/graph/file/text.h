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

/* Converts the digits at `at`, up to 16; returns their number. */
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
            /* Adjacent digits are combined to numbers of two, then four, then eight digits. */
            word <<= 64 - 8 * digits;
            word = word * 10 + (word >> 8);
            word = (((word & 0x000000ff000000ff) * 0x000f424000000064) +
                    (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >>
                   32;
            sum = sum * power[digits] + word;
        }
        if (digits < 8 || taken == 8) {
            *value = sum;
            return taken + digits;
        }
    }
}

/* Kind of the next word of a line, after blanks. */
enum mw_word { MW_WORD_NUMBER, MW_WORD_NONE, MW_WORD_LARGE, MW_WORD_OTHER };
/* Takes an unsigned integer up to 10^16 - 1 that is followed by a blank or the end of the line. */
enum mw_word mw_take_number(const char **at, uint64_t *value);
/* Fails the piece because of a word that is not a number. */
int mw_word_wrong(struct mw_piece *piece, enum mw_word word, const char *at, const char *what);
/* Returns advice about a word that is not a number, to end a message, beginning with a colon, or "". */
const char *mw_word_hint(const char *at);
/* Advances past the line's newline; returns false, and fails the piece, at a byte that is not text. */
bool mw_finish_line(struct mw_piece *piece, const char **at);
/* Quote a word, a text, or the rest of a line for messages: shortened if long, control characters replaced. */
#define MW_QUOTE_CAPACITY 48
const char *mw_quote(const char *at, char text[MW_QUOTE_CAPACITY]);
const char *mw_quote_text(const char *at, size_t length, char text[MW_QUOTE_CAPACITY]);
const char *mw_quote_line(const char *at, char text[MW_QUOTE_CAPACITY]);
/* Returns whether a text has a control character, such as a tab or newline. Names must not: results are tab-separated
 * lines. */
bool mw_has_control(const char *text, size_t length);
/* Parses a number in canonical form: digits, below 2^64, no leading zeros. Returns whether it is one. */
bool mw_plain_number(const char *text, size_t length, uint64_t *value);
/* Returns the bytes of a UTF-8 character that XML allows; 0 if it is not one. */
size_t mw_letter_bytes(const unsigned char *s);
/* Returns the escape of a character in XML, or NULL if it needs none. */
const char *mw_xml_escape(char c);
/* Writes a number; returns its end. */
char *mw_put_number(char *to, uint64_t value);
#define MW_NUMBER_CAPACITY 24
/* Writes a name in quotes, with quotes doubled; returns its end. Needs up to 2 bytes per byte, and 2 more. */
char *mw_put_quoted(char *to, const char *name);

/* ---- dictionary.c: words in the order of first occurrence ---- */

struct mw_entry {
    uint64_t hash;
    uint32_t start, number;
};
struct mw_dictionary {
    struct mw_entry *entry; /* in the order of first occurrence */
    size_t count, capacity;
    char *bytes; /* texts, each ended by a NUL, at entry[i].start */
    size_t length, bytes_capacity;
    uint32_t *slot; /* entry number + 1; 0: free */
    size_t slots;
    bool all_numbers; /* all satisfy mw_plain_number */
};
/* Stores the number of a word; copies new words. Errors: MW_ELIMIT, MW_ENOMEM. */
int mw_dictionary_add(struct mw_dictionary *dictionary, const char *text, size_t length, uint32_t *number);
/* Frees the memory that only adding needs. */
void mw_dictionary_close(struct mw_dictionary *dictionary);
void mw_dictionary_free(struct mw_dictionary *dictionary);

/* Takes the first line that does not begin with % and, if `skips_empty`, is not empty; *at is after its blanks.
 * MW_EDATA: the file ends before `expected`. */
int mw_input_data_line(struct mw_input *input, bool skips_empty, const char *expected, const char **at,
                       const char **end);

#endif
/* SPDX-License-Identifier: MIT */
