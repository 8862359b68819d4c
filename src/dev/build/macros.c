/* Macros: defining and replacing them. */
#include "dev/build/macros.h"

#include <stdlib.h>

enum { BUCKETS = 512, PARAMETERS_MOST = 32, NESTED_MOST = 64, DEPTH_MOST = 65536, REPLACED_MOST = 1 << 20 };

/* A macro that is defined again has a new one of these before it: what it stood for may be in use. */
struct mw_macro {
    struct mw_token name;
    bool known, defined;
    const char *text;          /* what follows the name */
    bool ready;                /* `text` was read into what follows here */
    bool takes, variadic;      /* takes arguments; the last one is all the rest */
    unsigned busy;             /* is being replaced */
    struct mw_tokens parameters, body;
    struct mw_macro *next;
};

struct mw_macros {
    struct mw_macro *buckets[BUCKETS];
    struct pasted { struct pasted *next; char text[]; } *pasted;
    unsigned nested;           /* arguments within arguments */
    size_t replaced;           /* tokens that macros stood for: each may double those of the one before */
    bool failed;
};

/* ---- tokens ---- */

const char *mw_token_read(const char *at, struct mw_token *token)
{
    static const char *const pairs[] = { "##", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>" };
    size_t n = mw_word_length(at);
    if (*at == '"' || *at == '\'') {
        n = 1 + strcspn(at + 1, *at == '"' ? "\"\n" : "'\n");
        n += at[n] == *at;
    } else if (mw_is_digit(*at)) {
        while (mw_in_word(at[n]) || at[n] == '.')
            n++;
    }
    for (size_t i = 0; n == 0 && i < MW_COUNT(pairs); i++)
        if (at[0] == pairs[i][0] && at[1] == pairs[i][1])
            n = 2;
    *token = (struct mw_token){ .at = at, .length = (unsigned)(n ? n : 1) };
    return at + token->length;
}

void mw_tokens_add(struct mw_tokens *tokens, const struct mw_token *token)
{
    if (tokens->count == tokens->capacity) {
        const size_t capacity = tokens->capacity ? 2 * tokens->capacity : 8;
        struct mw_token *grown = realloc(tokens->items, capacity * sizeof *grown);
        if (!grown) {
            tokens->failed = true;
            return;
        }
        tokens->items = grown;
        tokens->capacity = capacity;
    }
    tokens->items[tokens->count++] = *token;
}

void mw_tokens_read(const char *line, struct mw_tokens *tokens)
{
    struct mw_token token;
    while (*(line += strspn(line, " \t\r\f\v")) && *line != '\n') {
        line = mw_token_read(line, &token);
        mw_tokens_add(tokens, &token);
    }
}

void mw_tokens_free(struct mw_tokens *tokens)
{
    free(tokens->items);
    *tokens = (struct mw_tokens){ 0 };
}

/* ---- the table ---- */

static struct mw_macro **bucket_of(const struct mw_macros *macros, const struct mw_token *name)
{
    unsigned hash = 2166136261u;
    for (unsigned i = 0; i < name->length; i++)
        hash = (hash ^ (unsigned char)name->at[i]) * 16777619u;
    return (struct mw_macro **)&macros->buckets[hash % BUCKETS];
}

/* NULL: the text does not name it. */
static struct mw_macro *find(const struct mw_macros *macros, const struct mw_token *name)
{
    struct mw_macro *m = *bucket_of(macros, name);
    while (m && !mw_token_same(&m->name, name))
        m = m->next;
    return m;
}

static void put(struct mw_macros *macros, const char *line, bool defined, bool known)
{
    struct mw_macro *m = NULL;
    line += strspn(line, " \t");
    const size_t n = mw_word_length(line);
    if (n == 0)
        return;
    if (mw_new(1, sizeof *m, &m) != 0) {
        macros->failed = true;
        return;
    }
    *m = (struct mw_macro){ .name = { .at = line, .length = (unsigned)n }, .known = known, .defined = defined,
                            .text = line + n };
    struct mw_macro **bucket = bucket_of(macros, &m->name);
    m->next = *bucket;
    *bucket = m;
}

void mw_macros_define(struct mw_macros *macros, const char *line, bool known)
{
    put(macros, line, true, known);
}

void mw_macros_undefine(struct mw_macros *macros, const char *name, bool known)
{
    put(macros, name, false, known);
}

/* Names that drivers may define: those that C and OpenCL reserve, but for other languages', and those of OpenCL's
 * limits and constants. */
static bool is_foreign(const struct mw_token *name)
{
    static const char *const prefixes[] = {
        "_", "cl_", "cles_", "CL_", "CLK_", "FP_", "CHAR_", "SCHAR_", "UCHAR_", "SHRT_", "USHRT_", "INT_", "UINT_",
        "LONG_", "ULONG_", "HALF_", "FLT_", "DBL_", "M_", "MAXFLOAT", "HUGE_VAL", "INFINITY", "NAN", "NULL", "ATOMIC_",
    };
    static const char *const never[] = { "__CUDACC__", "__CUDACC_RTC__", "__cplusplus" };
    for (size_t i = 0; i < MW_COUNT(never); i++)
        if (mw_token_is(name, never[i]))
            return false;
    for (size_t i = 0; i < MW_COUNT(prefixes); i++)
        if (name->length >= strlen(prefixes[i]) && memcmp(name->at, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

enum mw_known mw_macros_defined(const struct mw_macros *macros, const struct mw_token *name)
{
    const struct mw_macro *m = find(macros, name);
    if (m ? !m->known : is_foreign(name))
        return MW_NOT_KNOWN;
    return m && m->defined ? MW_KNOWN : MW_KNOWN_NOT;
}

int mw_macros_new(struct mw_macros **macros)
{
    return mw_new(1, sizeof **macros, macros);
}

void mw_macros_free(struct mw_macros *macros)
{
    if (!macros)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct mw_macro *m = macros->buckets[i], *next; m; m = next) {
            next = m->next;
            mw_tokens_free(&m->parameters);
            mw_tokens_free(&m->body);
            free(m);
        }
    for (struct pasted *p = macros->pasted, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(macros);
}

int mw_macros_ok(const struct mw_macros *macros)
{
    return macros->failed ? mw_fail(MW_ENOMEM, "out of memory while reading kernels") : 0;
}

/* ---- replacing ---- */

/* Takes a definition apart when it is first wanted; one that is not understood is not known. */
static void prepare(struct mw_macros *macros, struct mw_macro *m)
{
    const char *at = m->text;
    struct mw_token token;
    if (m->ready)
        return;
    m->ready = true;
    m->takes = *at == '(';
    while (m->takes && *at != ')') {
        at++;
        at += strspn(at, " \t");
        if (*at == ')' && m->parameters.count == 0)
            break;
        m->variadic = strncmp(at, "...", 3) == 0;
        token = (struct mw_token){ .at = "__VA_ARGS__", .length = (unsigned)strlen("__VA_ARGS__") };
        if (!m->variadic)
            token = (struct mw_token){ .at = at, .length = (unsigned)mw_word_length(at) };
        at += m->variadic ? 3 : token.length;
        at += strspn(at, " \t");
        mw_tokens_add(&m->parameters, &token);
        if (token.length == 0 || (*at != ',' && *at != ')') || m->parameters.count == PARAMETERS_MOST) {
            m->known = false;
            return;
        }
    }
    mw_tokens_read(at + m->takes, &m->body);
    macros->failed |= m->parameters.failed || m->body.failed;
}

static void leave(struct mw_expansion *e)
{
    const struct mw_replacement *r = &e->inside[--e->depth];
    if (r->macro)
        r->macro->busy--;
    free(r->owned);
}

static bool make_room(struct mw_expansion *e)
{
    const size_t capacity = e->capacity ? 2 * e->capacity : 16;
    struct mw_replacement *grown;
    if (e->depth < e->capacity)
        return true;
    if (e->capacity >= DEPTH_MOST)
        return false;
    grown = realloc(e->inside, capacity * sizeof *grown);
    e->macros->failed |= !grown;
    if (!grown)
        return false;
    e->inside = grown;
    e->capacity = capacity;
    return true;
}

static void enter(struct mw_expansion *e, struct mw_macro *m, const struct mw_tokens *tokens, struct mw_token *owned)
{
    e->macros->replaced += tokens->count;
    if (e->macros->replaced > REPLACED_MOST || !make_room(e)) {
        e->unknown = true;
        free(owned);
        return;
    }
    e->inside[e->depth++] = (struct mw_replacement){ .items = tokens->items, .count = tokens->count, .macro = m,
                                                     .owned = owned };
    if (m)
        m->busy++;
}

void mw_expansion_end(struct mw_expansion *e)
{
    while (e->depth > 0)
        leave(e);
    free(e->inside);
    e->inside = NULL;
    e->capacity = 0;
}

bool mw_expansion_is_text(struct mw_expansion *e)
{
    while (e->depth > 0 && e->inside[e->depth - 1].next == e->inside[e->depth - 1].count)
        leave(e);
    return e->depth == 0 && !e->has_ahead;
}

/* The next token as it stands. */
static bool next_plain(struct mw_expansion *e, struct mw_token *token)
{
    if (mw_expansion_is_text(e))
        return e->more && e->more(e->context, token);
    if (e->depth > 0) {
        struct mw_replacement *r = &e->inside[e->depth - 1];
        *token = r->items[r->next++];
    } else {
        *token = e->ahead;
        e->has_ahead = false;
    }
    return true;
}

/* Whether the next token opens a parenthesis; then it is taken. */
static bool opens(struct mw_expansion *e)
{
    struct mw_token token;
    if (!next_plain(e, &token))
        return false;
    if (mw_token_is(&token, "("))
        return true;
    if (e->depth > 0) {
        e->inside[e->depth - 1].next--;
    } else {
        e->ahead = token;
        e->has_ahead = true;
    }
    return false;
}

struct argument { struct mw_tokens plain, whole; bool is_whole; };

/* From behind the opening parenthesis to behind the closing one.  False: they are not as many as it takes. */
static bool read_arguments(struct mw_expansion *e, const struct mw_macro *m, struct argument *arguments)
{
    const size_t most = m->parameters.count;
    size_t i = 0, depth = 1;
    bool some = false;
    struct mw_token token;
    while (next_plain(e, &token)) {
        if (mw_token_is(&token, "("))
            depth++;
        else if (mw_token_is(&token, ")") && --depth == 0)
            return most == 0 ? !some : i + 1 == most || (i + 2 == most && m->variadic);
        some = true;
        if (depth == 1 && mw_token_is(&token, ",") && !(m->variadic && i + 1 == most))
            i++;
        else if (i < most)
            mw_tokens_add(&arguments[i].plain, &token);
    }
    return false;
}

/* An argument with its own macros replaced. */
static const struct mw_tokens *whole(struct mw_expansion *e, struct argument *argument)
{
    struct mw_expansion inner = { .macros = e->macros, .unknown = e->macros->nested == NESTED_MOST };
    struct mw_token token;
    if (argument->is_whole)
        return &argument->whole;
    argument->is_whole = true;
    e->macros->nested++;
    if (!inner.unknown)
        enter(&inner, NULL, &argument->plain, NULL);
    while (mw_expansion_next(&inner, &token))
        mw_tokens_add(&argument->whole, &token);
    mw_expansion_end(&inner);
    e->macros->nested--;
    e->unknown |= inner.unknown;
    return &argument->whole;
}

static struct argument *argument_of(const struct mw_macro *m, struct argument *arguments, const struct mw_token *word)
{
    for (size_t i = 0; i < m->parameters.count; i++)
        if (mw_token_same(&m->parameters.items[i], word))
            return &arguments[i];
    return NULL;
}

/* a##b: the last token and the one that follows become one. */
static void paste(struct mw_expansion *e, struct mw_tokens *to, const struct mw_token *second)
{
    const struct mw_token first = to->items[to->count - 1];
    const size_t n = (size_t)first.length + second->length;
    struct pasted *made = NULL;
    if (mw_new(1, sizeof *made + n + 1, &made) != 0) {
        e->macros->failed = true;
        return;
    }
    memcpy(made->text, first.at, first.length);
    memcpy(made->text + first.length, second->at, second->length);
    made->next = e->macros->pasted;
    e->macros->pasted = made;
    mw_token_read(made->text, &to->items[to->count - 1]);
    e->unknown |= to->items[to->count - 1].length != n;
}

static void add_all(struct mw_expansion *e, struct mw_tokens *to, const struct mw_tokens *from, bool pastes)
{
    for (size_t i = 0; i < from->count; i++)
        if (i == 0 && pastes)
            paste(e, to, &from->items[0]);
        else
            mw_tokens_add(to, &from->items[i]);
}

/* The body with arguments for parameters. */
static void substitute(struct mw_expansion *e, const struct mw_macro *m, struct argument *arguments,
                       struct mw_tokens *to)
{
    const struct mw_tokens *body = &m->body;
    bool pastes = false; /* the token before was ##, with something before it */
    size_t from = 0;     /* where the operand before began */
    for (size_t i = 0; i < body->count; i++) {
        const struct mw_token *token = &body->items[i];
        const bool pasted = i + 1 < body->count && mw_token_is(&body->items[i + 1], "##");
        struct argument *argument = argument_of(m, arguments, token);
        if (mw_token_is(token, "##") && i > 0) {
            pastes = to->count > from;
            continue;
        }
        if (m->takes && mw_token_is(token, "#")) {
            /* Text in quotes is no part of a declaration. */
            static const struct mw_token quoted = { .at = "\"\"", .length = 2 };
            mw_tokens_add(to, &quoted);
            i++;
            continue;
        }
        const struct mw_tokens single = { .items = (struct mw_token *)token, .count = 1 };
        const bool second = i > 0 && mw_token_is(&body->items[i - 1], "##");
        from = pastes ? to->count - 1 : to->count;
        add_all(e, to, !argument ? &single : pasted || second ? &argument->plain : whole(e, argument), pastes);
        pastes = false;
    }
}

/* Replaces a macro that takes arguments, whose parenthesis was opened. */
static void call(struct mw_expansion *e, struct mw_macro *m)
{
    struct argument arguments[PARAMETERS_MOST];
    struct mw_tokens made = { 0 };
    for (size_t i = 0; i < m->parameters.count; i++)
        arguments[i] = (struct argument){ 0 };
    if (read_arguments(e, m, arguments))
        substitute(e, m, arguments, &made);
    else
        e->unknown = true;
    for (size_t i = 0; i < m->parameters.count; i++) {
        e->macros->failed |= arguments[i].plain.failed || arguments[i].whole.failed;
        mw_tokens_free(&arguments[i].plain);
        mw_tokens_free(&arguments[i].whole);
    }
    e->macros->failed |= made.failed;
    enter(e, m, &made, made.items);
}

bool mw_expansion_next(struct mw_expansion *e, struct mw_token *token)
{
    while (next_plain(e, token)) {
        struct mw_macro *m = mw_token_is_word(token) && !token->final ? find(e->macros, token) : NULL;
        if (m && m->defined && m->known)
            prepare(e->macros, m);
        if (m && !m->known) {
            e->unknown = true;
            *token = (struct mw_token){ .at = MW_UNKNOWN_MACRO, .length = (unsigned)strlen(MW_UNKNOWN_MACRO) };
            return true;
        }
        if (!m || !m->defined)
            return true;
        if (m->busy) {
            token->final = true;
            return true;
        }
        if (m->takes && !opens(e))
            return true;
        if (m->takes)
            call(e, m);
        else
            enter(e, m, &m->body, NULL);
    }
    return false;
}
/* SPDX-License-Identifier: MIT */
