/* Conditions: whole numbers as the preprocessor reckons them, where some are not known. */
#include "dev/build/macros.h"

#include <errno.h>
#include <stdlib.h>

enum { NESTED_MOST = 64 };

struct sum {
    const struct mw_token *at, *end;
    bool words_are_0;
    bool broken;                 /* this is no expression */
    bool has_unsigned, has_negative;
    unsigned nested;
};

static const struct mw_number not_known = { 0, false };

static struct mw_number number(struct sum *s, int64_t value)
{
    s->has_negative |= value < 0;
    return (struct mw_number){ value, true };
}

static bool take(struct sum *s, const char *operator)
{
    if (s->at == s->end || !mw_token_is(s->at, operator))
        return false;
    s->at++;
    return true;
}

static struct mw_number choice(struct sum *s);

static struct mw_number literal(struct sum *s, const struct mw_token *token)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(token->at, &end, 0);
    for (; end < token->at + token->length; end++) {
        if (!strchr("uUlL", *end))
            s->broken = true;
        s->has_unsigned |= *end == 'u' || *end == 'U';
    }
    return errno || value > INT64_MAX ? not_known : number(s, (int64_t)value);
}

static struct mw_number operand(struct sum *s)
{
    struct mw_number n;
    if (s->at == s->end || s->nested++ == NESTED_MOST) {
        s->broken = true;
        return not_known;
    }
    const struct mw_token *token = s->at++;
    if (mw_token_is(token, "(")) {
        n = choice(s);
        s->broken |= !take(s, ")");
    } else if (strchr("!-+~", *token->at) && token->length == 1) {
        const char sign = *token->at;
        n = operand(s);
        if (n.known && (sign != '-' || n.value != INT64_MIN))
            n = number(s, sign == '!' ? !n.value : sign == '-' ? -n.value : sign == '~' ? ~n.value : n.value);
    } else if (mw_is_digit(*token->at)) {
        n = literal(s, token);
    } else {
        s->broken |= !mw_token_is_word(token);
        n = s->words_are_0 && !mw_token_is(token, MW_UNKNOWN_MACRO) ? number(s, 0) : not_known;
    }
    s->nested--;
    return n;
}

static const struct { const char *name; int level; } operators[] = {
    { "||", 1 }, { "&&", 2 }, { "|", 3 }, { "^", 4 }, { "&", 5 }, { "==", 6 }, { "!=", 6 }, { "<", 7 }, { ">", 7 },
    { "<=", 7 }, { ">=", 7 }, { "<<", 8 }, { ">>", 8 }, { "+", 9 }, { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 },
};

static struct mw_number combine(struct sum *s, const char *operator, struct mw_number a, struct mw_number b)
{
    int64_t result = 0;
    bool fits = true;
    if (strcmp(operator, "||") == 0 && ((a.known && a.value) || (b.known && b.value)))
        return number(s, 1);
    if (strcmp(operator, "&&") == 0 && ((a.known && !a.value) || (b.known && !b.value)))
        return number(s, 0);
    if (!a.known || !b.known)
        return not_known;
    const bool shifts = b.value >= 0 && b.value < 63 && a.value >= 0 && a.value <= INT64_MAX >> b.value;
    const bool divides = b.value != 0 && !(a.value == INT64_MIN && b.value == -1);
    switch (operator[0]) {
    case '|': result = operator[1] ? a.value || b.value : a.value | b.value; break;
    case '&': result = operator[1] ? a.value && b.value : a.value & b.value; break;
    case '^': result = a.value ^ b.value; break;
    case '=': result = a.value == b.value; break;
    case '!': result = a.value != b.value; break;
    case '<': result = operator[1] == '=' ? a.value <= b.value : a.value < b.value; break;
    case '>': result = operator[1] == '=' ? a.value >= b.value : a.value > b.value; break;
    case '+': fits = !__builtin_add_overflow(a.value, b.value, &result); break;
    case '-': fits = !__builtin_sub_overflow(a.value, b.value, &result); break;
    case '*': fits = !__builtin_mul_overflow(a.value, b.value, &result); break;
    case '/': fits = divides; result = fits ? a.value / b.value : 0; break;
    default:  fits = divides; result = fits ? a.value % b.value : 0; break;
    }
    if (strcmp(operator, "<<") == 0 || strcmp(operator, ">>") == 0) {
        fits = shifts || (operator[0] == '>' && a.value >= 0 && b.value >= 0 && b.value < 63);
        result = !fits ? 0 : operator[0] == '<' ? a.value << b.value : a.value >> b.value;
    }
    return fits ? number(s, result) : not_known;
}

/* Operators of that level and above. */
static struct mw_number binary(struct sum *s, int level)
{
    struct mw_number a = operand(s);
    while (s->at < s->end && !s->broken) {
        size_t i = 0;
        while (i < MW_COUNT(operators) && !mw_token_is(s->at, operators[i].name))
            i++;
        if (i == MW_COUNT(operators) || operators[i].level < level)
            break;
        s->at++;
        const struct mw_number b = binary(s, operators[i].level + 1);
        a = combine(s, operators[i].name, a, b);
    }
    return a;
}

static struct mw_number choice(struct sum *s)
{
    const struct mw_number which = binary(s, 1);
    if (s->broken || !take(s, "?"))
        return which;
    s->broken |= s->nested++ == NESTED_MOST;
    const struct mw_number first = choice(s);
    s->broken |= !take(s, ":");
    const struct mw_number second = choice(s);
    s->nested--;
    return !which.known ? not_known : which.value ? first : second;
}

struct mw_number mw_reckon(const struct mw_token *tokens, size_t count, bool words_are_0)
{
    struct sum s = { .at = tokens, .end = tokens + count, .words_are_0 = words_are_0 };
    const struct mw_number result = choice(&s);
    /* Numbers below 0 are others where a number is unsigned. */
    return s.broken || s.at != s.end || (s.has_unsigned && s.has_negative) ? not_known : result;
}

/* `defined NAME` and `defined(NAME)` become numbers, before macros are replaced. */
static void answer(const struct mw_macros *macros, struct mw_tokens *tokens)
{
    static const char *const words[] = { [MW_KNOWN_NOT] = "0", [MW_KNOWN] = "1", [MW_NOT_KNOWN] = MW_UNKNOWN_MACRO };
    size_t n = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        struct mw_token token = tokens->items[i];
        const bool opens = i + 3 < tokens->count && mw_token_is(&tokens->items[i + 1], "(");
        if (mw_token_is(&token, "defined") && i + 1 < tokens->count) {
            const char *word = words[mw_macros_defined(macros, &tokens->items[i + 1 + opens])];
            token = (struct mw_token){ .at = word, .length = (unsigned)strlen(word) };
            i += opens ? 3 : 1;
        }
        tokens->items[n++] = token;
    }
    tokens->count = n;
}

static bool next_of(void *context, struct mw_token *token)
{
    struct mw_tokens *rest = context;
    if (rest->count == 0)
        return false;
    *token = *rest->items++;
    rest->count--;
    return true;
}

enum mw_known mw_condition(struct mw_macros *macros, const char *line)
{
    struct mw_tokens tokens = { 0 }, whole = { 0 };
    struct mw_expansion e = { .macros = macros, .more = next_of };
    struct mw_token token;
    mw_tokens_read(line, &tokens);
    answer(macros, &tokens);
    struct mw_tokens rest = tokens;
    e.context = &rest;
    while (mw_expansion_next(&e, &token)) {
        /* A name that drivers may define. */
        if (mw_token_is_word(&token) && mw_macros_defined(macros, &token) == MW_NOT_KNOWN)
            token = (struct mw_token){ .at = MW_UNKNOWN_MACRO, .length = (unsigned)strlen(MW_UNKNOWN_MACRO) };
        mw_tokens_add(&whole, &token);
    }
    mw_expansion_end(&e);
    const struct mw_number result = tokens.failed || whole.failed ? not_known
                                  : mw_reckon(whole.items, whole.count, true);
    mw_tokens_free(&tokens);
    mw_tokens_free(&whole);
    return !result.known ? MW_NOT_KNOWN : result.value ? MW_KNOWN : MW_KNOWN_NOT;
}
/* SPDX-License-Identifier: MIT */
