/* Checks types of expressions in a model's text: a realv is a vector if a device computes several cells at once, else a
 * number.  Numbers where cells are needed become cells; cells where numbers are needed are rejected on all devices.
 * The compiler decides on macros, members, pointers, elements, unknown functions, and names declared with two types. */
#include <stdlib.h>
#include <string.h>

#include "model/parser.h"

#define NONE ((size_t)-1)
#define ARGUMENTS_MOST 32
#define ASSIGNMENTS "=", "+=", "-=", "*=", "/="
#define COMPARISONS "<", ">", "<=", ">=", "==", "!=", "&&", "||"

enum type { NUMBERS, CELLS, UNKNOWN };

/* clang-format off */
struct token { const char *at; size_t n, partner; int line; unsigned opens, closes; /* splats to insert */ };
/* clang-format on */
/* A name and its type; for functions the returned type.  Bit i of `cells` or `numbers`: argument i has this type. */
/* clang-format off */
struct name { const char *at; size_t n; enum type type; uint32_t cells, numbers; size_t arguments; };
/* clang-format on */

struct lanes {
    struct mw_model_parser *p;
    struct token *token;
    size_t count;
    struct name *names; /* [0, global_count): global names; the others: of the current function */
    struct name *macros, *functions;
    size_t name_count, global_count, macro_count, function_count;
    enum type returns;
};

static const char *const comma[] = { ",", NULL }, *const semicolon[] = { ";", NULL };
static const char *const comma_or_semicolon[] = { ",", ";", NULL };

static bool is(const struct lanes *l, size_t i, const char *word)
{
    return i < l->count && mw_word_is(l->token[i].at, l->token[i].n, word);
}

static bool is_name(const struct lanes *l, size_t i)
{
    return i < l->count && mw_identifier_length(l->token[i].at) > 0;
}

static bool is_one_of(const struct lanes *l, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (is(l, i, *words))
            return true;
    return false;
}

static struct name *lanes_find(struct name *names, size_t count, const struct token *t)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].n == t->n && memcmp(names[i].at, t->at, t->n) == 0)
            return &names[i];
    return NULL;
}

static bool is_operator_of_cells(const struct token *t)
{
    for (size_t i = 0; i < MW_OP_COUNT; i++)
        if (mw_word_is(t->at, t->n, mw_operators[i].name))
            return true;
    return false;
}

static size_t token_length(const char *s)
{
    static const char *const pairs[] = { "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "<<", ">>", "->" };
    const size_t n = mw_identifier_length(s);
    if (n)
        return n;
    if (mw_is_digit(*s) || (*s == '.' && mw_is_digit(s[1]))) {
        const char *end = s;
        while (mw_is_letter_or_digit(*end) || *end == '.' || ((*end == '+' || *end == '-') && strchr("eE", end[-1])))
            end++;
        return (size_t)(end - s);
    }
    for (size_t i = 0; i < MW_COUNT(pairs); i++)
        if (strncmp(s, pairs[i], 2) == 0)
            return 2;
    return 1;
}

/* Skips a preprocessor line with its continuations; stores the name that it defines. */
static const char *pass_define(struct lanes *l, const char *s, int *line)
{
    const char *word = s + 1 + strspn(s + 1, " \t");
    if (strncmp(word, "define", 6) == 0) {
        word += 6 + strspn(word + 6, " \t");
        l->macros[l->macro_count++] = (struct name){ .at = word, .n = mw_identifier_length(word) };
    }
    for (; *s && *s != '\n'; s++)
        if (s[0] == '\\' && s[1 + (s[1] == '\r')] == '\n') {
            s += 1 + (s[1] == '\r');
            ++*line;
        }
    return s;
}

static void lanes_cut(struct lanes *l, const char *s)
{
    int line = 1;
    while (*s) {
        if (*s == '\n' || *s == ' ' || *s == '\t' || *s == '\r') {
            line += *s++ == '\n';
        } else if (*s == '/' && s[1] == '/') {
            s += strcspn(s, "\n");
        } else if (*s == '/' && s[1] == '*') {
            for (s += 2; *s && !(s[0] == '*' && s[1] == '/'); s++)
                line += *s == '\n';
            s += *s ? 2 : 0;
        } else if (*s == '#') {
            s = pass_define(l, s, &line);
        } else {
            const size_t n = token_length(s);
            l->token[l->count++] = (struct token){ s, n, NONE, line, 0, 0 };
            s += n;
        }
    }
}

/* Pairs brackets: an open one refers to the enclosing one.  Returns false if they do not match, as in some #if and
 * #else. */
static bool pair_brackets(struct lanes *l)
{
    size_t open = NONE;
    for (size_t i = 0; i < l->count; i++) {
        const char c = l->token[i].at[0];
        if (strchr("([{", c)) {
            l->token[i].partner = open;
            open = i;
        } else if (strchr(")]}", c)) {
            const size_t first = open;
            if (first == NONE || l->token[first].at[0] != (c == ')' ? '(' : c == ']' ? '[' : '{'))
                return false;
            open = l->token[first].partner;
            l->token[i].partner = first;
            l->token[first].partner = i;
        }
    }
    return open == NONE;
}

/* ---- expressions ---- */

/* Returns the end of the expression at token i: the first of `stops` outside brackets, or the enclosing bracket. */
static size_t end_of(const struct lanes *l, size_t i, const char *const *stops)
{
    for (; i < l->count; i++) {
        if (is_one_of(l, i, stops) || strchr(")]}", l->token[i].at[0]))
            return i;
        if (l->token[i].partner != NONE)
            i = l->token[i].partner;
    }
    return i;
}

/* Returns the first token of the expression that ends before token i. */
static size_t begin_of(const struct lanes *l, size_t i, const char *const *stops)
{
    for (; i > 0; i--) {
        if (is_one_of(l, i - 1, stops) || strchr("([{", l->token[i - 1].at[0]))
            return i;
        if (l->token[i - 1].partner != NONE)
            i = l->token[i - 1].partner + 1;
    }
    return i;
}

static enum type type_of_word(const struct lanes *l, size_t i)
{
    static const char *const numbers[] = { "real",   "float",    "bool",  "char",   "short", "int",
                                           "long",   "unsigned", "uchar", "ushort", "uint",  "ulong",
                                           "size_t", "i32",      "i64",   "u32",    "u64",   NULL };
    if (lanes_find(l->macros, l->macro_count, &l->token[i]))
        return UNKNOWN;
    return is(l, i, "realv") ? CELLS : is_one_of(l, i, numbers) ? NUMBERS : UNKNOWN;
}

/* Returns the type of a call.  Some functions return the type of their arguments. */
static enum type type_of_call(const struct lanes *l, size_t i)
{
    static const char *const numbers[] = { "P", "R", NULL }, *const cells[] = { "splat", "squared", NULL };
    const struct name *f = lanes_find(l->functions, l->function_count, &l->token[i]);
    if (is_one_of(l, i, numbers))
        return NUMBERS;
    if (f)
        return f->type;
    return is_one_of(l, i, cells) || is_operator_of_cells(&l->token[i]) ? CELLS : UNKNOWN;
}

static enum type cells_of(const struct lanes *l, size_t begin, size_t end)
{
    static const char *const harmless[] = { COMPARISONS, "+", "-", "*", "/", "%", "(", ")", "?", ":", "!", ",", NULL };
    static const char *const maths[] = {
        "exp", "log", "sqrt", "sin", "cos", "tanh", "fabs", "fmin", "fmax", "pow", NULL
    };
    enum type all = NUMBERS;
    for (size_t i = begin; i < end; i++) {
        const bool name = is_name(l, i), call = name && is(l, i + 1, "(");
        const struct name *known = name ? lanes_find(l->names, l->name_count, &l->token[i]) : NULL;
        enum type type = NUMBERS;
        if (name && lanes_find(l->macros, l->macro_count, &l->token[i]))
            return UNKNOWN;
        if (call && is_one_of(l, i, maths)) {
            i++;
        } else if (call) {
            type = type_of_call(l, i);
            i = l->token[i + 1].partner;
        } else if (name) {
            type = type_of_word(l, i) == UNKNOWN && known ? known->type : type_of_word(l, i);
        } else if (!is_one_of(l, i, harmless) && !mw_is_digit(l->token[i].at[l->token[i].at[0] == '.'])) {
            return UNKNOWN;
        } else if (is(l, i, "(") && end_of(l, i + 1, comma) != l->token[i].partner) {
            return UNKNOWN;
        }
        if (type == UNKNOWN)
            return UNKNOWN;
        all = type == CELLS ? CELLS : all;
    }
    return all;
}

static int lanes_wrong(const struct lanes *l, size_t i, const char *what)
{
    l->p->line = l->token[i].line;
    return mw_model_wrong(l->p, what, mw_model_keep(l->p, l->token[i].at, l->token[i].n));
}

/* Converts the tokens [begin, end) to cells if they are numbers. */
static void want_cells(struct lanes *l, size_t begin, size_t end)
{
    if (begin == end || cells_of(l, begin, end) != NUMBERS)
        return;
    l->token[begin].opens++;
    l->token[end - 1].closes++;
}

static int look_at_comparison(const struct lanes *l, size_t i)
{
    static const char *const around[] = { ";", ",", ASSIGNMENTS, COMPARISONS, "?", ":", "return", NULL };
    if (cells_of(l, begin_of(l, i, around), i) == CELLS || cells_of(l, i + 1, end_of(l, i + 1, around)) == CELLS)
        return lanes_wrong(l, i, "cells cannot be compared, since several are computed at once:");
    return 0;
}

/* Returns the colon that ends the expression at token i, which may contain ?:, or the expression's end. */
static size_t colon_of(const struct lanes *l, size_t i)
{
    static const char *const stops[] = { ";", ",", "?", ":", NULL };
    size_t open = 0;
    for (; (i = end_of(l, i, stops)) < l->count; i++) {
        open += is(l, i, "?");
        if (!is(l, i, "?") && (!is(l, i, ":") || open-- == 0))
            break;
    }
    return i;
}

static int look_at_choice(struct lanes *l, size_t i)
{
    static const char *const before[] = { ";", ",", ASSIGNMENTS, ":", "?", "return", NULL };
    const size_t colon = colon_of(l, i + 1), end = colon_of(l, colon + 1);
    if (cells_of(l, begin_of(l, i, before), i) == CELLS)
        return lanes_wrong(l, i, "cells cannot decide, since several are computed at once:");
    if (!is(l, colon, ":"))
        return 0;
    if (cells_of(l, colon + 1, end) == CELLS)
        want_cells(l, i + 1, colon);
    else if (cells_of(l, i + 1, colon) == CELLS)
        want_cells(l, colon + 1, end);
    return 0;
}

/* Checks NAME = EXPRESSION, also in declarations, but not for members and pointers. */
static int look_at_assignment(struct lanes *l, size_t i)
{
    static const char *const others[] = { ".", "->", "*", NULL };
    const size_t end = end_of(l, i + 1, comma_or_semicolon);
    const struct name *name = lanes_find(l->names, l->name_count, &l->token[i - 1]);
    if (!name || is_one_of(l, i - 2, others))
        return 0;
    if (name->type == CELLS && is(l, i, "="))
        want_cells(l, i + 1, end);
    else if (name->type == NUMBERS && cells_of(l, i + 1, end) == CELLS)
        return lanes_wrong(l, i - 1, "a single number cannot hold cells: declare it as realv:");
    return 0;
}

static int look_at_return(struct lanes *l, size_t i)
{
    const size_t end = end_of(l, i + 1, semicolon);
    if (l->returns == CELLS)
        want_cells(l, i + 1, end);
    else if (l->returns == NUMBERS && cells_of(l, i + 1, end) == CELLS)
        return lanes_wrong(l, i, "a function that returns cells is declared with realv:");
    return 0;
}

static int look_at_call(struct lanes *l, size_t i)
{
    const struct name *f = lanes_find(l->functions, l->function_count, &l->token[i]);
    size_t at = i + 2, argument = 0;
    for (; f && argument < f->arguments && at < l->token[i + 1].partner; argument++) {
        const size_t end = end_of(l, at, comma);
        if (f->cells >> argument & 1)
            want_cells(l, at, end);
        else if ((f->numbers >> argument & 1) && cells_of(l, at, end) == CELLS)
            return lanes_wrong(l, i, "a function that takes cells declares them as realv:");
        at = end + 1;
    }
    return 0;
}

static int look_at(struct lanes *l, size_t i)
{
    static const char *const comparisons[] = { COMPARISONS, NULL };
    static const char *const assignments[] = { ASSIGNMENTS, NULL }, *const truths[] = { "if", "while", "switch", NULL };
    if (is(l, i, "return"))
        return look_at_return(l, i);
    else if (is(l, i, "?"))
        return look_at_choice(l, i);
    else if (is_one_of(l, i, comparisons))
        return look_at_comparison(l, i);
    else if (is_one_of(l, i, assignments))
        return look_at_assignment(l, i);
    else if (is_one_of(l, i, truths) && is(l, i + 1, "(") && cells_of(l, i + 2, l->token[i + 1].partner) == CELLS)
        return lanes_wrong(l, i, "cells cannot decide, since several are computed at once:");
    else if (is_name(l, i) && is(l, i + 1, "("))
        return look_at_call(l, i);
    return 0;
}

static void declare(struct lanes *l, size_t i, enum type type)
{
    struct name *known = lanes_find(l->names, l->name_count, &l->token[i]);
    if (!known)
        l->names[l->name_count++] = (struct name){ .at = l->token[i].at, .n = l->token[i].n, .type = type };
    else if (known->type != type)
        known->type = UNKNOWN;
}

/* Stores the name declared by the tokens [i, end): of this type, or of unknown type if it is derived from it. */
static void declare_one(struct lanes *l, size_t i, size_t end, enum type type)
{
    const bool plain = is_name(l, i) && (i + 1 == end || is(l, i + 1, "="));
    for (; i < end && !is(l, i, "="); i++)
        if (is_name(l, i))
            declare(l, i, plain ? type : UNKNOWN);
}

/* Returns the type at the beginning of a declaration, UNKNOWN for unknown words, and moves *i past it. */
static enum type pass_type(const struct lanes *l, size_t *i)
{
    static const char *const qualifiers[] = { "const", "volatile", "static", "inline", "INLINE", NULL };
    enum type type = UNKNOWN;
    for (;; ++*i) {
        const enum type word = is_name(l, *i) ? type_of_word(l, *i) : UNKNOWN;
        if (word == UNKNOWN && !is_one_of(l, *i, qualifiers))
            return type;
        type = word != UNKNOWN ? word : type;
    }
}

/* Stores the names of a declaration TYPE NAME, ... if a statement begins at token i. */
static void look_for_declaration(struct lanes *l, size_t i)
{
    static const char *const before[] = { ";", "{", "}", NULL };
    static const char *const others[] = { "return", "goto", "else", "do", "case", NULL };
    size_t at = i;
    enum type type = pass_type(l, &at);
    if (is_one_of(l, i, others) || (!is_one_of(l, i - 1, before) && !(is(l, i - 1, "(") && is(l, i - 2, "for"))))
        return;
    if (at == i && is_name(l, i) && (is_name(l, i + 1) || is(l, i + 1, "*"))) {
        at++; /* a user-defined type */
        pass_type(l, &at);
        type = UNKNOWN;
    }
    for (; at > i; at = is(l, at, ",") ? at + 1 : i) {
        const size_t end = end_of(l, at, comma_or_semicolon);
        declare_one(l, at, end, type);
        at = end;
    }
}

/* ---- definitions ---- */

/* Stores the function TYPE NAME(PARAMETERS) with the name at token i; its types are unknown if it is defined twice. */
static void begin_function(struct lanes *l, size_t begin, size_t i)
{
    struct name f = { .at = l->token[i].at, .n = l->token[i].n };
    struct name *other = lanes_find(l->functions, l->function_count, &l->token[i]);
    f.type = pass_type(l, &begin);
    l->returns = f.type = begin == i ? f.type : UNKNOWN;
    for (size_t at = i + 2, end; at < l->token[i + 1].partner && f.arguments < ARGUMENTS_MOST; at = end + 1) {
        end = end_of(l, at, comma);
        const enum type type = pass_type(l, &at);
        if (at + 1 == end)
            *(type == CELLS ? &f.cells : &f.numbers) |= (uint32_t)(type != UNKNOWN) << f.arguments;
        declare_one(l, at, end, type);
        f.arguments++;
    }
    if (other)
        *other = (struct name){ .at = f.at, .n = f.n, .type = UNKNOWN };
    else
        l->functions[l->function_count++] = f;
}

static int look_at_body(struct lanes *l, size_t begin, size_t name, size_t i)
{
    static const char *const ours[] = { "RATE", "STAGE", "ENERGY", NULL };
    const size_t end = l->token[i].partner;
    int rc = 0;
    l->returns = CELLS;
    if (!is_one_of(l, name, ours))
        begin_function(l, begin, name);
    for (size_t k = i + 1; k < end; k++)
        look_for_declaration(l, k);
    for (size_t k = i + 1; k < end && rc == 0; k++)
        rc = look_at(l, k);
    l->name_count = l->global_count;
    return rc;
}

/* Checks all function bodies. */
static int look_at_all(struct lanes *l)
{
    size_t begin = 0;
    for (size_t i = 0; i < l->count; i++) {
        const bool body = is(l, i, "{") && i > 0 && is(l, i - 1, ")");
        const size_t name = body ? l->token[i - 1].partner - 1 : NONE;
        if (name < i)
            TRY_RETURN(look_at_body(l, begin, name, i));
        if (is_name(l, i)) {
            declare(l, i, UNKNOWN);
            l->global_count = l->name_count;
        }
        if (l->token[i].partner != NONE)
            i = l->token[i].partner;
        if (is(l, i, ";") || is(l, i, "}"))
            begin = i + 1;
    }
    return 0;
}

static void add_word(struct mw_text *text, const char *word, unsigned times, const char **from, const char *to)
{
    for (; times > 0; times--, *from = to)
        mw_text_add(text, "%.*s%s", (int)(to - *from), *from, word);
}

/* Writes the text with splat(...) around numbers that become cells; line numbers do not change. */
static int write_splats(struct lanes *l)
{
    char **to = &l->p->model->text;
    struct mw_text text = { 0 };
    const char *from = *to;
    for (const struct token *t = l->token; t < l->token + l->count; t++) {
        add_word(&text, "splat(", t->opens, &from, t->at);
        add_word(&text, ")", t->closes, &from, t->at + t->n);
    }
    mw_text_add(&text, "%s", from);
    const int rc = mw_text_ok(&text);
    if (rc == 0) {
        free(*to);
        *to = text.data;
        text.data = NULL;
    }
    mw_text_free(&text);
    return rc;
}

int mw_model_check_cells(struct mw_model_parser *p)
{
    const size_t most = strlen(p->model->text) + 1;
    struct lanes l = { .p = p };
    int rc;
    if (p->model->info.kind == MW_MODEL_SPIN)
        return 0;
    TRY(mw_new(most, sizeof *l.token, &l.token));
    TRY(mw_new(most, sizeof *l.names, &l.names));
    TRY(mw_new(most, sizeof *l.macros, &l.macros));
    TRY(mw_new(most, sizeof *l.functions, &l.functions));
    lanes_cut(&l, p->model->text);
    if (pair_brackets(&l)) {
        TRY(look_at_all(&l));
        rc = write_splats(&l);
    }
out:
    free(l.token);
    free(l.names);
    free(l.macros);
    free(l.functions);
    return rc;
}
/* SPDX-License-Identifier: MIT */
