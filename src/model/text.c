/* Reads a spin model's text from the first to the last line, word by word. */
#include "model/parser.h"

/* Skips a preprocessor line with its continuations. */
static int pass_directive(struct mw_model_parser *p)
{
    const char *word = p->at + 1 + strspn(p->at + 1, " \t");
    p->conditional = p->conditional || strncmp(word, "if", 2) == 0;
    while (*p->at && *p->at != '\n' && !(p->at[0] == '/' && (p->at[1] == '*' || p->at[1] == '/'))) {
        const size_t n = mw_identifier_length(p->at), skipped = n ? n : 1;
        if (mw_word_is(p->at, n, "LOCAL_OF")) /* the compiler counts its uses */
            return mw_model_wrong(p, "not allowed in macros:", "LOCAL_OF");
        if (p->at[0] == '\\' && p->at[1 + (p->at[1] == '\r')] == '\n') {
            p->at += 1 + (p->at[1] == '\r');
            mw_model_skip_space(p);
        } else {
            p->at += skipped;
        }
    }
    return 0;
}

/* Skips a string or character. */
static void skip_quoted(struct mw_model_parser *p)
{
    const char *s = p->at + 1;
    for (; *s && *s != *p->at && *s != '\n'; s++)
        s += s[0] == '\\' && s[1];
    p->at = *s == *p->at ? s + 1 : s;
}

size_t mw_model_parenthesised(struct mw_model_parser *p, const char **name)
{
    const char *s = p->at + strspn(p->at, " \t");
    if (*s != '(')
        return 0;
    s += 1 + strspn(s + 1, " \t");
    const size_t n = mw_identifier_length(s);
    const char *end = s + n + strspn(s + n, " \t");
    if (n == 0 || *end != ')')
        return 0;
    *name = s;
    p->at = end + 1;
    return n;
}

/* Checks P(name).  For unknown names compilers report a missing struct member, some at a line of generated code. */
static int note_parameter(struct mw_model_parser *p)
{
    const char *name;
    const size_t n = mw_model_parenthesised(p, &name);
    for (size_t i = 0; n && i < p->wanted_count; i++)
        if (p->wanted[i].length == n && memcmp(p->wanted[i].name, name, n) == 0)
            return 0;
    if (n && p->wanted_count < MW_COUNT(p->wanted))
        p->wanted[p->wanted_count++] = (struct mw_wanted){ name, n, mw_model_place(p) };
    return 0;
}

/* Skips R(0.5), whose number is converted to the precision of the run. */
static void pass_real(struct mw_model_parser *p)
{
    const char *s = p->at + strspn(p->at, " \t");
    if (*s != '(')
        return;
    s += 1 + strspn(s + 1, "0123456789.eE+-*/ \t");
    if (*s == ')')
        p->at = s + 1;
}

/* Reads a number and rejects double-precision constants: next to single-precision values, some compilers reject them,
 * or only for some values. */
static int read_constant(struct mw_model_parser *p)
{
    const char *begin = p->at, *s = begin;
    const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    bool real = false;
    for (; mw_is_letter_or_digit(*s) || *s == '.' || (!hexadecimal && (*s == '+' || *s == '-') && strchr("eE", s[-1]));
         s++)
        real = real || (!hexadecimal && (*s == '.' || *s == 'e' || *s == 'E'));
    if (real && s[-1] != 'f' && s[-1] != 'F')
        return mw_model_wrong(p, "double-precision constant: write R(...) around it, or add the suffix f:",
                              mw_model_keep(p, begin, (size_t)(s - begin)));
    p->at = s;
    return 0;
}

/* Reads a word of n characters: the beginning of a definition, or an operator. */
static int read_word(struct mw_model_parser *p, size_t n, int depth)
{
    const char *word = p->at;
    if (mw_word_is(word, n, "double"))
        return mw_model_wrong(p, "type not supported by all devices: use real, the precision of the run, instead of",
                              "double");
    p->at += n;
    if (mw_word_is(word, n, "P"))
        return note_parameter(p);
    if (!mw_word_is(word, n, "R"))
        return mw_model_spin_word(p, word, n, depth);
    pass_real(p);
    return 0;
}

int mw_model_read_text(struct mw_model_parser *p)
{
    struct mw_text_place brace = mw_model_place(p);
    int depth = 0;
    while (*p->at) {
        const size_t n = mw_identifier_length(p->at);
        if (mw_model_skip_space(p))
            continue;
        if (n) {
            TRY_RETURN(read_word(p, n, depth));
        } else if (mw_is_digit(*p->at) || (*p->at == '.' && mw_is_digit(p->at[1]))) {
            TRY_RETURN(read_constant(p));
        } else if (*p->at == '#') {
            TRY_RETURN(pass_directive(p));
        } else if (*p->at == '/' && (p->at[1] == '*' || p->at[1] == '/')) {
            TRY_RETURN(mw_model_skip_comment(p));
        } else if (*p->at == '"' || *p->at == '\'') {
            skip_quoted(p);
        } else {
            if (*p->at == '{' && depth == 0)
                brace = mw_model_place(p);
            depth += (*p->at == '{') - (*p->at == '}');
            if (depth < 0 && !p->conditional)
                return mw_model_wrong(p, "} without {", NULL);
            p->at++;
        }
    }
    if (depth == 0 || p->conditional)
        return 0;
    mw_model_move(p, brace);
    return mw_model_wrong(p, "this { is not closed", NULL);
}
/* SPDX-License-Identifier: MIT */
