/* Cells and single numbers in a model's text.  A realv is a vector where devices compute several cells at once, and one
 * number where they do not.  Compilers of the first kind refuse what those of the second take: numbers where cells are
 * wanted, which become cells here, and cells where a number is wanted, which are refused here, on all devices alike.
 *
 * What a macro stands for is not looked at: expressions with one are left to the compiler. */
#include <stdlib.h>
#include <string.h>

#include "model/parser.h"

#define NONE ((size_t)-1)
#define ARGUMENTS_MOST 32

struct token { const char *at; size_t n, partner; int line; };
struct name { const char *at; size_t n; };

/* An expression's type: numbers are what is known to have no cells. */
enum type { NUMBERS, CELLS, UNKNOWN };

struct lanes {
    struct mw_model_parser *p;
    struct token *token;
    size_t count;
    struct name *cells, *macros; /* names of realv in the present definition, and functions of the type; of #define */
    size_t cell_count, function_count, macro_count; /* cells[0 ... function_count) are functions */
    struct function { struct name name; uint32_t cells; size_t arguments; } *functions;
    size_t functions_count;
    bool returns_cells;
    size_t *splats;              /* pairs of tokens, the first and the one behind the last */
    size_t splat_count;
};

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

static bool knows(const struct name *names, size_t count, const struct token *t)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].n == t->n && memcmp(names[i].at, t->at, t->n) == 0)
            return true;
    return false;
}

static bool is_operator_of_cells(const struct token *t)
{
    for (size_t i = 0; i < MW_OP_COUNT; i++)
        if (mw_word_is(t->at, t->n, mw_operators[i].name))
            return true;
    return false;
}

/* ---- tokens ---- */

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

/* Past a line of the preprocessor and those that continue it; what it defines is kept. */
static const char *pass_define(struct lanes *l, const char *s, int *line)
{
    const char *word = s + 1 + strspn(s + 1, " \t");
    if (strncmp(word, "define", 6) == 0) {
        word += 6 + strspn(word + 6, " \t");
        l->macros[l->macro_count++] = (struct name){ word, mw_identifier_length(word) };
    }
    for (; *s && *s != '\n'; s++)
        if (s[0] == '\\' && s[1 + (s[1] == '\r')] == '\n') {
            s += 1 + (s[1] == '\r');
            ++*line;
        }
    return s;
}

static void cut(struct lanes *l, const char *s)
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
            l->token[l->count++] = (struct token){ s, n, NONE, line };
            s += n;
        }
    }
}

/* False where brackets do not pair, as with two beginnings in #if and #else. */
static bool pair_brackets(struct lanes *l, size_t *open)
{
    size_t depth = 0;
    for (size_t i = 0; i < l->count; i++) {
        const char c = l->token[i].at[0];
        if (strchr("([{", c)) {
            open[depth++] = i;
        } else if (strchr(")]}", c)) {
            if (depth == 0 || l->token[open[--depth]].at[0] != (c == ')' ? '(' : c == ']' ? '[' : '{'))
                return false;
            l->token[i].partner = open[depth];
            l->token[open[depth]].partner = i;
        }
    }
    return depth == 0;
}

/* ---- expressions ---- */

/* The end of what begins at token i: the first of `stops` outside of brackets, or the bracket that closes around it. */
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

/* The first token of what ends before token i. */
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

static enum type type_of(const struct lanes *l, size_t begin, size_t end)
{
    enum type type = NUMBERS;
    for (size_t i = begin; i < end; i++) {
        const struct token *t = &l->token[i];
        if (is(l, i, "P") && is(l, i + 1, "("))
            i = l->token[i + 1].partner;
        else if (is_name(l, i) && knows(l->macros, l->macro_count, t))
            type = UNKNOWN;
        else if (is(l, i, "realv") || is(l, i, "splat") ||
                 (is_name(l, i) && (is_operator_of_cells(t) || knows(l->cells, l->cell_count, t))))
            return CELLS;
    }
    return type;
}

static int wrong(const struct lanes *l, size_t i, const char *what)
{
    l->p->line = l->token[i].line;
    return mw_model_wrong(l->p, what, mw_model_keep(l->p, l->token[i].at, l->token[i].n));
}

/* Cells are wanted of the tokens [begin, end). */
static void want_cells(struct lanes *l, size_t begin, size_t end)
{
    if (begin == end || type_of(l, begin, end) != NUMBERS)
        return;
    l->splats[l->splat_count++] = begin;
    l->splats[l->splat_count++] = end;
}

/* ---- what is looked at ---- */

static int look_at_comparison(const struct lanes *l, size_t i)
{
    static const char *const around[] = { ";", ",", "=", "?", ":", "&&", "||", "return", "<", ">", "<=", ">=", "==",
                                          "!=", NULL };
    if (type_of(l, begin_of(l, i, around), i) == CELLS || type_of(l, i + 1, end_of(l, i + 1, around)) == CELLS)
        return wrong(l, i, "cells cannot be compared, since several are computed at once:");
    return 0;
}

static int look_at_choice(struct lanes *l, size_t i)
{
    static const char *const before[] = { ";", ",", "=", ":", "?", "return", NULL };
    static const char *const behind[] = { ";", ",", NULL };
    const size_t begin = begin_of(l, i, before);
    size_t colon = i + 1, end, open = 0;
    if (type_of(l, begin, i) == CELLS)
        return wrong(l, i, "cells cannot decide, since several are computed at once:");
    for (; colon < l->count && !(open == 0 && is(l, colon, ":")); colon++) {
        open += is(l, colon, "?");
        open -= is(l, colon, ":");
        if (l->token[colon].partner != NONE && l->token[colon].partner > colon)
            colon = l->token[colon].partner;
    }
    end = end_of(l, colon + 1, behind);
    if (type_of(l, colon + 1, end) == CELLS)
        want_cells(l, i + 1, colon);
    else if (type_of(l, i + 1, colon) == CELLS)
        want_cells(l, colon + 1, end);
    return 0;
}

/* NAME = EXPRESSION, of a declaration as well. */
static int look_at_assignment(struct lanes *l, size_t i)
{
    static const char *const behind[] = { ";", ",", NULL };
    const size_t end = end_of(l, i + 1, behind);
    if (!is_name(l, i - 1))
        return 0;
    if (knows(l->cells, l->cell_count, &l->token[i - 1])) {
        if (is(l, i, "="))
            want_cells(l, i + 1, end);
    } else if (type_of(l, i + 1, end) == CELLS && !knows(l->macros, l->macro_count, &l->token[i - 1])) {
        return wrong(l, i - 1, "a single number cannot hold cells: declare it as realv:");
    }
    return 0;
}

static int look_at_return(struct lanes *l, size_t i)
{
    static const char *const behind[] = { ";", NULL };
    const size_t end = end_of(l, i + 1, behind);
    if (l->returns_cells)
        want_cells(l, i + 1, end);
    else if (type_of(l, i + 1, end) == CELLS)
        return wrong(l, i, "a function that returns cells is declared with realv:");
    return 0;
}

static int look_at_call(struct lanes *l, size_t i)
{
    static const char *const comma[] = { ",", NULL };
    size_t at = i + 2, argument = 0;
    const struct function *f = NULL;
    for (size_t k = 0; k < l->functions_count; k++)
        if (knows(&l->functions[k].name, 1, &l->token[i]))
            f = &l->functions[k];
    for (; f && argument < f->arguments && at < l->token[i + 1].partner; argument++) {
        const size_t end = end_of(l, at, comma);
        if (f->cells >> argument & 1)
            want_cells(l, at, end);
        else if (type_of(l, at, end) == CELLS)
            return wrong(l, i, "a function that takes cells declares them as realv:");
        at = end + 1;
    }
    return 0;
}

/* realv NAME, in a body: also the names behind its commas. */
static void look_at_declaration(struct lanes *l, size_t i)
{
    static const char *const behind[] = { ";", ",", NULL };
    do {
        i += 1 + is(l, i + 1, "const");
        if (!is_name(l, i))
            return;
        l->cells[l->cell_count++] = (struct name){ l->token[i].at, l->token[i].n };
        i = end_of(l, i, behind);
    } while (is(l, i, ","));
}

static int look_at(struct lanes *l, size_t i)
{
    static const char *const comparisons[] = { "<", ">", "<=", ">=", "==", "!=", "&&", "||", NULL };
    static const char *const assignments[] = { "=", "+=", "-=", "*=", "/=", NULL };
    static const char *const truths[] = { "if", "while", "switch", NULL };
    if (is(l, i, "realv"))
        look_at_declaration(l, i);
    else if (is(l, i, "return"))
        return look_at_return(l, i);
    else if (is(l, i, "?"))
        return look_at_choice(l, i);
    else if (is_one_of(l, i, comparisons))
        return look_at_comparison(l, i);
    else if (is_one_of(l, i, assignments))
        return look_at_assignment(l, i);
    else if (is_one_of(l, i, truths) && is(l, i + 1, "(") &&
             type_of(l, i + 2, l->token[i + 1].partner) == CELLS)
        return wrong(l, i, "cells cannot decide, since several are computed at once:");
    else if (is_name(l, i) && is(l, i + 1, "("))
        return look_at_call(l, i);
    return 0;
}

/* ---- definitions ---- */

/* TYPE NAME(PARAMETERS), whose name is token i: what is of cells. */
static void begin_function(struct lanes *l, size_t begin, size_t i)
{
    static const char *const comma[] = { ",", NULL };
    struct function f = { .name = { l->token[i].at, l->token[i].n } };
    for (size_t k = begin; k < i; k++)
        l->returns_cells = l->returns_cells || is(l, k, "realv");
    if (l->returns_cells)
        l->cells[l->function_count++] = f.name;
    l->cell_count = l->function_count;
    for (size_t at = i + 2, end; at < l->token[i + 1].partner && f.arguments < ARGUMENTS_MOST; at = end + 1) {
        end = end_of(l, at, comma);
        for (size_t k = at; k + 1 < end; k++)
            if (is(l, k, "realv") && is_name(l, end - 1)) {
                f.cells |= (uint32_t)1 << f.arguments;
                l->cells[l->cell_count++] = (struct name){ l->token[end - 1].at, l->token[end - 1].n };
            }
        f.arguments++;
    }
    l->functions[l->functions_count++] = f;
}

/* From one body to the next. */
static int look_at_all(struct lanes *l)
{
    static const char *const ours[] = { "RATE", "STAGE", "ENERGY", NULL };
    size_t begin = 0;
    int rc = 0;
    for (size_t i = 0; i < l->count && rc == 0; i++) {
        const size_t end = l->token[i].partner;
        const bool body = is(l, i, "{") && i > 0 && is(l, i - 1, ")");
        const size_t name = body ? l->token[i - 1].partner - 1 : 0;
        if (body && name < i) {
            l->cell_count = l->function_count;
            l->returns_cells = is_one_of(l, name, ours);
            if (!l->returns_cells)
                begin_function(l, begin, name);
            for (size_t k = i + 1; k < end && rc == 0; k++)
                rc = look_at(l, k);
        }
        if (end != NONE)
            i = end;
        if (is(l, i, ";") || is(l, i, "}"))
            begin = i + 1;
    }
    return rc;
}

static int compare_places(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* The text with splat(...) around what has to become cells: of one place each, and in the same lines. */
static int write_splats(struct lanes *l)
{
    struct mw_model *m = l->p->model;
    struct mw_text text = { 0 };
    size_t *places = NULL;
    const char *from = m->text;
    int rc;
    TRY(mw_new(l->splat_count + 1, sizeof *places, &places));
    /* Beginnings are odd, ends even: two that meet, as of nested ones, are of one kind. */
    for (size_t i = 0; i < l->splat_count; i += 2) {
        const struct token *first = &l->token[l->splats[i]], *last = &l->token[l->splats[i + 1] - 1];
        places[i] = 2 * (size_t)(first->at - m->text) + 1;
        places[i + 1] = 2 * (size_t)(last->at + last->n - m->text);
    }
    qsort(places, l->splat_count, sizeof *places, compare_places);
    for (size_t i = 0; i < l->splat_count; i++) {
        const char *to = m->text + places[i] / 2;
        mw_text_add(&text, "%.*s%s", (int)(to - from), from, places[i] % 2 ? "splat(" : ")");
        from = to;
    }
    mw_text_add(&text, "%s", from);
    TRY(mw_text_ok(&text));
    free(m->text);
    m->text = text.data;
    text.data = NULL;
out:
    mw_text_free(&text);
    free(places);
    return rc;
}

int mw_model_tell_cells(struct mw_model_parser *p)
{
    const size_t most = strlen(p->model->text) + 1;
    struct lanes l = { .p = p };
    size_t *open = NULL;
    int rc;
    if (p->model->info.kind == MW_MODEL_SPIN)
        return 0;
    TRY(mw_new(most, sizeof *l.token, &l.token));
    TRY(mw_new(most, sizeof *l.cells, &l.cells));
    TRY(mw_new(most, sizeof *l.macros, &l.macros));
    TRY(mw_new(most, sizeof *l.functions, &l.functions));
    TRY(mw_new(2 * most, sizeof *l.splats, &l.splats));
    TRY(mw_new(most, sizeof *open, &open));
    cut(&l, p->model->text);
    if (!pair_brackets(&l, open))
        goto out;
    TRY(look_at_all(&l));
    rc = write_splats(&l);
out:
    free(l.token);
    free(l.cells);
    free(l.macros);
    free(l.functions);
    free(l.splats);
    free(open);
    return rc;
}
/* SPDX-License-Identifier: MIT */
