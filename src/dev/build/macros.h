/* Macros: what a text of C says once they are replaced, and conditions.  Internal.
 *
 * Not all is known: drivers define macros of their own (those that is_foreign in macros.c tells), and what a text
 * defines under a condition that is not known is not known either.  UNKNOWN stands for such a macro. */
#ifndef MW_MACROS_H
#define MW_MACROS_H

#include "base/base.h"
#include "base/words.h"

#define MW_UNKNOWN_MACRO "__unknown"

/* A piece of a text: a word, a number, an operator or what stands in quotes. */
struct mw_token {
    const char *at;
    unsigned length;
    bool final;                /* a word that stays, though it names a macro */
};
struct mw_tokens { struct mw_token *items; size_t count, capacity; bool failed; };

static inline bool mw_token_is(const struct mw_token *token, const char *words)
{
    return mw_word_is(token->at, token->length, words);
}
static inline bool mw_token_same(const struct mw_token *a, const struct mw_token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}
static inline bool mw_token_is_word(const struct mw_token *token)
{
    return mw_in_word(*token->at) && !mw_is_digit(*token->at);
}
/* The token at a place that is neither blank nor the end; returns what is behind it. */
const char *mw_token_read(const char *at, struct mw_token *token);
/* The tokens of a line, to its end. */
void mw_tokens_read(const char *line, struct mw_tokens *tokens);
void mw_tokens_add(struct mw_tokens *tokens, const struct mw_token *token);
void mw_tokens_free(struct mw_tokens *tokens);

/* The macros that are defined at a place of a text, which has to outlive them. */
struct mw_macros;
int mw_macros_new(struct mw_macros **macros);
void mw_macros_free(struct mw_macros *macros);
/* MW_ENOMEM, where memory ended in any of the calls below. */
int mw_macros_ok(const struct mw_macros *macros);
/* What follows `#define`, to the end of its line; `known` false: perhaps. */
void mw_macros_define(struct mw_macros *macros, const char *line, bool known);
void mw_macros_undefine(struct mw_macros *macros, const char *name, bool known);
enum mw_known { MW_KNOWN_NOT, MW_KNOWN, MW_NOT_KNOWN };
enum mw_known mw_macros_defined(const struct mw_macros *macros, const struct mw_token *name);

/* Tokens with macros replaced, one after the other.  `more` gives those of the text. */
struct mw_expansion {
    struct mw_macros *macros;
    bool (*more)(void *context, struct mw_token *token);
    void *context;
    bool unknown;              /* a macro was met that is not known; cleared by the caller */
    struct mw_token ahead;     /* of `more`, where it has been looked at */
    bool has_ahead;
    size_t depth, capacity;    /* of a macro that stands for another one, which ... */
    struct mw_replacement {
        const struct mw_token *items;
        size_t count, next;
        struct mw_token *owned;
        struct mw_macro *macro; /* which is not replaced meanwhile */
    } *inside;
};
bool mw_expansion_next(struct mw_expansion *expansion, struct mw_token *token);
/* Has to follow, also when there was no next token. */
void mw_expansion_end(struct mw_expansion *expansion);
/* The text itself comes next, not what stands for a macro. */
bool mw_expansion_is_text(struct mw_expansion *expansion);

/* conditions.c: whole numbers as the preprocessor reckons them. */
struct mw_number { int64_t value; bool known; };
/* `words_are_0`: as in a condition; else they are not known. */
struct mw_number mw_reckon(const struct mw_token *tokens, size_t count, bool words_are_0);
/* What follows #if or #elif. */
enum mw_known mw_condition(struct mw_macros *macros, const char *line);

#endif
/* SPDX-License-Identifier: MIT */
