/* From a text to its declarations: conditions followed, macros replaced, bodies of functions left out. */
#include "dev/build/interface.h"
#include "dev/build/macros.h"
#include "dev/build/signatures.h"

#include <stdlib.h>

enum { DEPTH_MOST = 64 };

/* What all devices define, and words that OpenCL has two of. */
static const char before[] =
    "#define __OPENCL_VERSION__ " MW_UNKNOWN_MACRO "\n"
    "#define kernel __kernel\n#define global __global\n#define constant __constant\n#define local __local\n"
    "#define private __private\n#define read_only __read_only\n#define write_only __write_only\n";

/* A branch of a condition: its text counts, does not, or does perhaps.  Of those that count perhaps the first one is
 * read, and the others only for the names of macros. */
enum branch { TAKEN, NOT_YET, OVER, PERHAPS, PERHAPS_ELSE };

struct reader {
    const char *at;                    /* in the text without comments */
    bool line_start;
    enum branch branches[DEPTH_MOST];
    size_t depth;
    bool counts, perhaps;              /* the text here */
    bool lost;                         /* nothing is certain from here on */
    struct mw_macros *macros;
    bool declared_perhaps;             /* some of the declaration at hand counts perhaps */
    struct mw_tokens declaration;
    struct mw_text *to;
};

/* ---- directives ---- */

static enum branch branch_of(enum mw_known condition)
{
    return condition == MW_KNOWN ? TAKEN : condition == MW_KNOWN_NOT ? NOT_YET : PERHAPS;
}

/* Whether a line is a guard's, of a macro that is nothing but that: one with a value may be a driver's. */
static bool is_guard(const char *line, size_t n)
{
    if (!mw_is_guard(line, n))
        return false;
    const char *name = mw_skip_space(line + n) + strlen("#define "), *behind = name + mw_word_length(name);
    return *(behind + strspn(behind, " \t\r")) == '\n';
}

/* Behind #if, #ifdef or #ifndef stands `rest`. */
static enum branch first_branch(struct reader *r, const char *line, size_t n, size_t word, const char *rest)
{
    struct mw_token name;
    if (!r->counts)
        return OVER;
    if (word == strlen("if"))
        return branch_of(mw_condition(r->macros, rest));
    mw_token_read(rest, &name);
    const enum mw_known defined = mw_macros_defined(r->macros, &name);
    if (word == strlen("ifdef"))
        return branch_of(defined);
    return defined == MW_KNOWN ? NOT_YET : defined == MW_KNOWN_NOT || is_guard(line, n) ? TAKEN : PERHAPS;
}

static enum branch next_branch(struct reader *r, enum branch branch, bool is_else, const char *rest)
{
    switch (branch) {
    case TAKEN:
        return OVER;
    case NOT_YET:
        return is_else ? TAKEN : branch_of(mw_condition(r->macros, rest));
    case PERHAPS:
        return PERHAPS_ELSE;
    default:
        return branch;
    }
}

/* What the branches mean together: within one that does not count none does. */
static void look_around(struct reader *r)
{
    r->counts = true;
    r->perhaps = false;
    for (size_t i = 0; i < r->depth && r->counts; i++) {
        r->counts = r->branches[i] == TAKEN || r->branches[i] == PERHAPS;
        r->perhaps |= r->branches[i] == PERHAPS || r->branches[i] == PERHAPS_ELSE;
    }
}

/* A line that begins with #; the reader stands behind it then. */
static void directive(struct reader *r)
{
    const char *line = r->at, *word = line + 1 + strspn(line + 1, " \t");
    const size_t n = strcspn(line, "\n"), length = mw_word_length(word);
    const char *rest = word + length + strspn(word + length, " \t");
    r->at = line + n;
    if (length >= 2 && strncmp(word, "if", 2) == 0) {
        r->lost |= r->depth == DEPTH_MOST;
        if (!r->lost)
            r->branches[r->depth++] = first_branch(r, line, n, length, rest);
    } else if (length == 4 && strncmp(word, "el", 2) == 0) {
        r->lost |= r->depth == 0;
        if (!r->lost)
            r->branches[r->depth - 1] = next_branch(r, r->branches[r->depth - 1], word[2] == 's', rest);
    } else if (mw_word_is(word, length, "endif")) {
        r->lost |= r->depth == 0;
        r->depth -= r->depth > 0;
    } else if (r->counts || r->perhaps) {
        if (mw_word_is(word, length, "define"))
            mw_macros_define(r->macros, rest, !r->perhaps);
        else if (mw_word_is(word, length, "undef"))
            mw_macros_undefine(r->macros, rest, !r->perhaps);
        else if (mw_word_is(word, length, "pragma") && mw_word_is(rest, mw_word_length(rest), "pack"))
            r->lost = true;
    }
    look_around(r);
    /* Also where the branch that is read has nothing of it. */
    r->declared_perhaps |= r->perhaps && r->declaration.count > 0;
}

/* ---- tokens ---- */

static bool next_token(void *context, struct mw_token *token)
{
    struct reader *r = context;
    while (!r->lost) {
        r->at += strspn(r->at, " \t\r\f\v");
        if (*r->at == '\0')
            return false;
        if (*r->at == '\n') {
            r->at++;
            r->line_start = true;
        } else if (r->line_start && *r->at == '#') {
            directive(r);
        } else if (!r->counts) {
            r->at += strcspn(r->at, "\n");
        } else {
            r->line_start = false;
            r->at = mw_token_read(r->at, token);
            r->declared_perhaps |= r->perhaps;
            return true;
        }
    }
    return false;
}

/* To behind the brace that closes the one before. */
static void skip_text(struct reader *r)
{
    for (size_t open = 1; open > 0 && *r->at && !r->lost; ) {
        if (r->line_start && *(r->at += strspn(r->at, " \t\r\f\v")) == '#')
            directive(r);
        r->at += strcspn(r->at, r->counts ? "{}\n" : "\n");
        r->line_start = *r->at == '\n';
        open += (*r->at == '{') - (*r->at == '}');
        r->at += *r->at != '\0';
    }
}

static void skip_block(struct reader *r, struct mw_expansion *e)
{
    struct mw_token token;
    size_t open = 1;
    if (mw_expansion_is_text(e)) {
        skip_text(r);
        return;
    }
    while (open > 0 && mw_expansion_next(e, &token))
        open += mw_token_is(&token, "{") - mw_token_is(&token, "}");
}

/* ---- declarations ---- */

static bool has(const struct mw_tokens *tokens, const char *word)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (mw_token_is(&tokens->items[i], word))
            return true;
    return false;
}

/* Types, and kernels with their bodies. */
static bool is_wanted(const struct mw_tokens *declaration, bool is_function)
{
    return is_function ? has(declaration, "__kernel")
                       : has(declaration, "typedef") || has(declaration, "struct") || has(declaration, "union") ||
                         has(declaration, "enum");
}

static void end_declaration(struct reader *r, struct mw_expansion *e, bool is_function)
{
    const struct mw_tokens *d = &r->declaration;
    if (!r->declared_perhaps && !e->unknown && is_wanted(d, is_function)) {
        for (size_t i = 0; i < d->count; i++) {
            mw_text_append(r->to, d->items[i].at, d->items[i].length);
            mw_text_append(r->to, " ", 1);
        }
        mw_text_add(r->to, is_function ? "{};\n" : ";\n");
    }
    r->declaration.count = 0;
    r->declared_perhaps = e->unknown = false;
}

/* Declarations up to the end of the text. */
static void read_declarations(struct reader *r)
{
    struct mw_expansion e = { .macros = r->macros, .more = next_token, .context = r };
    struct mw_tokens *const d = &r->declaration;
    int parentheses = 0, braces = 0;
    struct mw_token token;
    while (!r->lost && mw_expansion_next(&e, &token)) {
        const struct mw_token *last = d->count > 0 ? &d->items[d->count - 1] : NULL;
        const bool outside = parentheses == 0 && braces == 0;
        const bool is_function = last && mw_token_is(last, ")");
        if (outside && mw_token_is(&token, ";")) {
            end_declaration(r, &e, false);
            continue;
        }
        if (outside && mw_token_is(&token, "{") && last && (is_function || mw_token_is(last, "="))) {
            const bool perhaps = r->declared_perhaps;  /* of what stands before the block */
            skip_block(r, &e);
            r->declared_perhaps = perhaps;
            if (is_function)
                end_declaration(r, &e, true);
            continue;
        }
        parentheses += mw_token_is(&token, "(") - mw_token_is(&token, ")");
        braces += mw_token_is(&token, "{") - mw_token_is(&token, "}");
        r->lost |= parentheses < 0 || braces < 0;
        mw_tokens_add(d, &token);
    }
    mw_expansion_end(&e);
}

int mw_resolve(const char *text, struct mw_text *declarations)
{
    struct reader r = { .at = before, .line_start = true, .counts = true, .to = declarations };
    char *plain = NULL;
    int rc;
    TRY(mw_macros_new(&r.macros));
    TRY(mw_plain_text(text, &plain));
    read_declarations(&r);
    r.at = plain;
    r.line_start = true;
    read_declarations(&r);
    TRY(mw_macros_ok(r.macros));
    TRY(r.declaration.failed ? mw_fail(MW_ENOMEM, "out of memory while reading kernels") : 0);
    TRY(mw_text_ok(declarations));
out:
    mw_tokens_free(&r.declaration);
    mw_macros_free(r.macros);
    free(plain);
    return rc;
}
/* SPDX-License-Identifier: MIT */
