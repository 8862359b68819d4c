/* Words and numbers of text files, and dictionaries of words.  Internal. */
#ifndef MW_GRAPH_FILE_TEXT_H
#define MW_GRAPH_FILE_TEXT_H

#include "graph/file/pieces.h"

/* Returns whether a character is a blank, which separates words within a line. */
static inline bool mw_is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* Returns the first character from `at` on that is not a blank. */
static inline const char *mw_skip_blanks(const char *at)
{
    while (mw_is_blank(*at))
        at++;
    return at;
}

/* Returns the end of the word at `at`: the first blank or control character. */
static inline const char *mw_skip_word(const char *at)
{
    while ((unsigned char)*at > ' ' && *at != 0x7f)
        at++;
    return at;
}

/* Converts the decimal digits at `at`, at most 16, to *value; returns their number (0: *value is 0). Reads up to 16
 * bytes. */
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

/* Kind of the next word of a line, as found by mw_take_number. */
enum mw_word {
    MW_WORD_NUMBER, /* an unsigned integer below 10^16 */
    MW_WORD_NONE,   /* no word: the line ends */
    MW_WORD_LARGE,  /* a larger unsigned integer */
    MW_WORD_OTHER   /* not an unsigned integer */
};
/* Skips blanks, then takes an unsigned integer below 10^16 that is followed by a blank or the end of the line. If there
 * is another word, or none, *at becomes its begin. */
enum mw_word mw_take_number(const char **at, uint64_t *value);
/* Marks the piece as failed, because a `what` was expected but the word at `at`, of kind `word`, is not a number.
 * Returns MW_EDATA. */
int mw_word_wrong(struct mw_piece *piece, enum mw_word word, const char *at, const char *what);
/* Returns advice about a word that is not a number, as the end of a message beginning with a colon, or "". */
const char *mw_word_hint(const char *at);
/* Moves *at to the begin of the next line, and returns true. At a byte that is not text, marks the piece as failed, and
 * returns false. */
bool mw_finish_line(struct mw_piece *piece, const char **at);
/* Size of the buffer for a quotation, in bytes. */
#define MW_QUOTE_CAPACITY 48
/* Copies the word at `at` to `text` for a message, and returns `text`. A long word is shortened; a control character
 * becomes \xNN. */
const char *mw_quote(const char *at, char text[MW_QUOTE_CAPACITY]);
/* Copies `length` bytes at `at` to `text` for a message, and returns `text`. Shortens a long text, and replaces control
 * characters by question marks. */
const char *mw_quote_text(const char *at, size_t length, char text[MW_QUOTE_CAPACITY]);
/* Copies the rest of the line at `at`, without trailing blanks, to `text` for a message, and returns `text`. Shortens
 * it and replaces control characters as mw_quote_text does. */
const char *mw_quote_line(const char *at, char text[MW_QUOTE_CAPACITY]);
/* Returns whether a text has a control character, such as a tab or newline. Names must not: results are tab-separated
 * lines. */
bool mw_has_control(const char *text, size_t length);
/* Returns whether a text is a number in canonical form: digits, below 2^64, no leading zeros. Stores it in *value. */
bool mw_plain_number(const char *text, size_t length, uint64_t *value);
/* Returns the number of bytes of the UTF-8 character at `s`, or 0 if XML does not allow it. */
size_t mw_letter_bytes(const unsigned char *s);
/* Returns the escape of a character in XML, such as "&lt;", or NULL if it needs none. */
const char *mw_xml_escape(char c);
/* Writes the decimal digits of a number without a NUL; returns their end. */
char *mw_put_number(char *to, uint64_t value);
/* Most bytes that mw_put_number writes, and a few more. */
#define MW_NUMBER_CAPACITY 24
/* Writes a name in double quotes, with quotes in it doubled, without a NUL; returns the end. Writes at most two bytes
 * per byte of the name, and two more. */
char *mw_put_quoted(char *to, const char *name);

/* ---- dictionary.c: words in the order of first occurrence ---- */

/* A word of a struct mw_dictionary. */
struct mw_entry {
    uint64_t hash;  /* hash of the word */
    uint32_t start, /* index of the word in `bytes` */
        number;     /* the entry's own number; merging changes it */
};
/* A set of different words, numbered from 0; a hash table with open addressing. Zeroed: empty. */
struct mw_dictionary {
    struct mw_entry *entry;        /* in the order of first occurrence */
    size_t count;                  /* number of entries */
    char *bytes;                   /* the words, each ended by a NUL */
    size_t length, bytes_capacity; /* bytes used; bytes for which there is room */
    uint32_t *slot;                /* number of an entry + 1; 0: free */
    size_t slots;                  /* number of slots, a power of two */
    bool all_numbers;              /* all words are numbers by mw_plain_number */
};
/* Stores a word's number in *number; adds a copy of the word if it is new. MW_ELIMIT: too many words or bytes for 32
 * bits. */
int mw_dictionary_add(struct mw_dictionary *dictionary, const char *text, size_t length, uint32_t *number);
/* Frees the slots, after which words can no longer be added. */
void mw_dictionary_close(struct mw_dictionary *dictionary);
/* Frees the memory of a dictionary, which is then empty. */
void mw_dictionary_free(struct mw_dictionary *dictionary);

/* Takes the next line that is not a comment (first character after blanks: %) and, if `skips_empty`, not empty. Stores
 * its first non-blank character in *at and its end in *end. MW_EDATA: the file ends before `expected`. */
int mw_input_data_line(struct mw_input *input, bool skips_empty, const char *expected, const char **at,
                       const char **end);

#endif
/* SPDX-License-Identifier: MIT */
