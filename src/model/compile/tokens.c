/* Tokens of a model's text, and messages that name one.  Header lines are comments here. */
#include <stdio.h>

#include "model/compile/compile.h"

int mw_compile_wrong(const struct mw_compiler *c, int token, const char *what)
{
    struct mw_model_parser *p = c->p;
    const struct mw_token *t = &c->tokens[token];
    struct mw_text text = { 0 };
    mw_model_move(p, (struct mw_text_place){ t->at, t->at - (t->column - 1), t->line });
    mw_text_add(&text, what,
                t->kind == MW_TOKEN_END ? (int)strlen("the end")
                : t->n > 40             ? 40
                                        : (int)t->n,
                t->kind == MW_TOKEN_END ? "the end" : t->at);
    int rc = mw_text_ok(&text);
    if (rc == 0)
        rc = mw_model_wrong(p, text.data, NULL);
    mw_text_free(&text);
    return rc;
}

bool mw_token_is(const struct mw_compiler *c, int token, const char *word)
{
    const struct mw_token *t = &c->tokens[token];
    return t->kind != MW_TOKEN_END && mw_word_is(t->at, t->n, word);
}

bool mw_token_take(struct mw_compiler *c, const char *word)
{
    const bool is = mw_token_is(c, c->at, word);
    c->at += is;
    return is;
}

bool mw_token_take_types(struct mw_compiler *c)
{
    static const char *const words[] = { "const", "static", "inline", "INLINE", "real", "realv" };
    const int begin = c->at;
    for (size_t i = 0; i < MW_COUNT(words); i++)
        if (mw_token_take(c, words[i]))
            i = (size_t)-1; /* from the first word again */
    return c->at > begin;
}

int mw_token_expect(struct mw_compiler *c, const char *word)
{
    char what[64];
    if (mw_token_take(c, word))
        return 0;
    snprintf(what, sizeof what, "expected '%s', found '%%.*s'", word);
    return mw_compile_wrong(c, c->at, what);
}

int mw_compile_enter(struct mw_compiler *c)
{
    if (++c->nesting > MW_NESTING_MAX)
        return mw_compile_wrong(c, c->at, "nested too deeply at '%.*s'");
    return 0;
}

/* ---- reading ---- */

static size_t sign_length(const char *s)
{
    static const char *const pairs[] = { "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=" };
    for (size_t i = 0; i < MW_COUNT(pairs); i++)
        if (strncmp(s, pairs[i], 2) == 0)
            return 2;
    return *s && strchr("+-*/^<>=!?:;,(){}", *s) ? 1 : 0;
}

/* Returns the length of a decimal number, with a suffix f if there is one; 0: it is none. */
static size_t number_length(const char *s)
{
    const char *at = s;
    while (mw_is_digit(*at) || *at == '.')
        at++;
    if ((*at == 'e' || *at == 'E') && mw_is_digit(at[1 + (at[1] == '+' || at[1] == '-')])) {
        at += 2;
        while (mw_is_digit(*at))
            at++;
    }
    char *end;
    mw_number_read(s, &end);
    if (end != at || mw_is_letter_or_digit(at[*at == 'f' || *at == 'F']) || at[*at == 'f' || *at == 'F'] == '.')
        return 0;
    return (size_t)(at - s) + (*at == 'f' || *at == 'F');
}

static int add_token(struct mw_compiler *c, enum mw_token_kind kind, size_t n)
{
    struct mw_model_parser *p = c->p;
    c->tokens[c->token_count++] = (struct mw_token){ kind, p->at, n, p->line, (int)(p->at - p->line_begin) + 1 };
    p->at += n;
    return 0;
}

/* Reads one token at the position, which is no blank. */
static int read_token(struct mw_compiler *c)
{
    struct mw_model_parser *p = c->p;
    const size_t word = mw_identifier_length(p->at);
    if (word)
        return add_token(c, MW_TOKEN_NAME, word);
    if (mw_is_digit(*p->at) || (*p->at == '.' && mw_is_digit(p->at[1]))) {
        const size_t n = number_length(p->at);
        return n ? add_token(c, MW_TOKEN_NUMBER, n)
                 : mw_model_wrong(p, "invalid number (a product needs *: 2 * u)", NULL);
    }
    if (*p->at == '/' && (p->at[1] == '/' || p->at[1] == '*'))
        return mw_model_skip_comment(p);
    const size_t n = sign_length(p->at);
    if (n)
        return add_token(c, MW_TOKEN_SIGN, n);
    return mw_model_wrong(p,
                          *p->at == '#' ? "models have no preprocessor: write a function, or NAME = EXPRESSION;"
                                        : "unexpected character",
                          NULL);
}

int mw_compile_tokens(struct mw_compiler *c)
{
    struct mw_model_parser *p = c->p;
    TRY_RETURN(mw_own_new(&c->owner, strlen(p->at) + 1, sizeof *c->tokens, &c->tokens));
    while (*p->at)
        if (!mw_model_skip_space(p))
            TRY_RETURN(read_token(c));
    return add_token(c, MW_TOKEN_END, 0);
}
/* SPDX-License-Identifier: MIT */
