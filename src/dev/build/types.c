/* Types by their names: the numbers and vectors of OpenCL C, and what a text declares, laid out as it says. */
#include "dev/build/macros.h"
#include "dev/build/signatures.h"

#include <stdio.h>
#include <stdlib.h>

enum { NESTED_MOST = 32 };

/* What a parameter of it takes, and its place among the members of a struct: 0 where that is not known. */
struct type {
    struct mw_parameter of;
    size_t align;
    const struct mw_token *open;         /* the name, of a struct whose members are being read */
};

struct mw_types {
    struct named {
        char *name;                  /* of a struct or union: "struct NAME" */
        struct type type;
        struct named *next;
    } *named;
};

/* On the way through a declaration. */
struct reader {
    struct mw_types *types;
    const struct mw_token *at, *end;
    unsigned pointer;                /* what a pointer is to a kernel, as bits of enum mw_arg_type */
    bool is_typedef;
    bool broken;                     /* this is not understood */
    bool strange;                    /* attributes, which may change sizes */
    unsigned nested;
    struct { bool is_union; const struct mw_token *name; } open[NESTED_MOST]; /* those around */
    int rc;
};

static const struct type unknown = { { 0 }, 0, NULL };

/* ---- names ---- */

static const struct named *find(const struct mw_types *types, const char *prefix, const struct mw_token *name)
{
    const size_t n = strlen(prefix);
    const struct named *row = types->named;
    while (row && (strncmp(row->name, prefix, n) != 0 || !mw_token_is(name, row->name + n)))
        row = row->next;
    return row;
}

static void declare(struct reader *r, const char *prefix, const struct mw_token *name, struct type type)
{
    const size_t n = strlen(prefix);
    struct named *row = NULL;
    int rc;
    TRY(mw_new(1, sizeof *row, &row));
    TRY(mw_new(n + name->length + 1, 1, &row->name));
    memcpy(row->name, prefix, n);
    memcpy(row->name + n, name->at, name->length);
    row->type = type;
    row->next = r->types->named;
    r->types->named = row;
    return;
out:
    free(row);
    r->rc = rc;
}

/* ---- the types of OpenCL C ---- */

static struct type value(unsigned types, size_t bytes)
{
    return (struct type){ { .types = types, .bytes = bytes }, bytes, NULL };
}

static struct type whole_number(size_t bytes, bool is_signed)
{
    const unsigned type = bytes == 8 ? (is_signed ? MW_ARG_I64 : MW_ARG_U64)
                        : bytes == 4 ? (is_signed ? MW_ARG_I32 : MW_ARG_U32) : MW_ARG_STRUCT;
    return value(MW_TAKES(type), bytes);
}

/* One of OpenCL's words for a type, vectors too. */
static bool find_word(const struct mw_token *word, struct type *type)
{
    static const struct { const char *name; unsigned type; size_t bytes; } words[] = {
        { "char", MW_ARG_STRUCT, 1 }, { "uchar", MW_ARG_STRUCT, 1 }, { "short", MW_ARG_STRUCT, 2 },
        { "ushort", MW_ARG_STRUCT, 2 }, { "half", MW_ARG_STRUCT, 2 }, { "int", MW_ARG_I32, 4 },
        { "uint", MW_ARG_U32, 4 }, { "long", MW_ARG_I64, 8 }, { "ulong", MW_ARG_U64, 8 }, { "float", MW_ARG_F32, 4 },
        { "double", MW_ARG_F64, 8 },
    };
    static const struct { const char *name; unsigned dims; } images[] = { { "image2d_t", 2 }, { "image3d_t", 3 } };
    static const struct { const char *digits; size_t places; } lanes[] = {
        { "2", 2 }, { "3", 4 }, { "4", 4 }, { "8", 8 }, { "16", 16 },
    };
    for (size_t i = 0; i < MW_COUNT(images); i++)
        if (mw_token_is(word, images[i].name)) {
            *type = (struct type){ { .types = MW_TAKES(MW_ARG_IMAGE), .image_dims = images[i].dims }, 0, NULL };
            return true;
        }
    for (size_t i = 0; i < MW_COUNT(words); i++) {
        const size_t n = strlen(words[i].name);
        if (word->length < n || memcmp(word->at, words[i].name, n) != 0)
            continue;
        *type = value(MW_TAKES(words[i].type), words[i].bytes);
        if (word->length == n)
            return true;
        for (size_t l = 0; l < MW_COUNT(lanes); l++)
            if (mw_word_is(word->at + n, word->length - n, lanes[l].digits)) {
                *type = value(MW_TAKES(MW_ARG_STRUCT), words[i].bytes * lanes[l].places);
                return true;
            }
    }
    return false;
}

/* ---- declarations ---- */

static bool take(struct reader *r, const char *word)
{
    if (r->at == r->end || !mw_token_is(r->at, word))
        return false;
    r->at++;
    return true;
}

/* From an opening one to behind the one that closes it. */
static void skip_parentheses(struct reader *r)
{
    int open = 0;
    do {
        open += take(r, "(");
        if (open > 0 && r->at < r->end && !mw_token_is(r->at, "("))
            open -= mw_token_is(r->at++, ")");
    } while (open > 0 && r->at < r->end);
}

/* Words that stand around a type. */
static bool take_qualifier(struct reader *r)
{
    static const struct { const char *word; unsigned pointer; } words[] = {
        { "const", 0 }, { "volatile", 0 }, { "restrict", 0 }, { "__restrict", 0 }, { "static", 0 },
        { "__read_only", 0 }, { "__write_only", 0 }, { "__private", 0 },
        { "__global", MW_TAKES(MW_ARG_BUFFER) }, { "__constant", MW_TAKES(MW_ARG_BUFFER) },
        { "__local", MW_TAKES(MW_ARG_LOCAL) },
    };
    for (size_t i = 0; i < MW_COUNT(words); i++)
        if (take(r, words[i].word)) {
            r->pointer |= words[i].pointer;
            return true;
        }
    if (take(r, "typedef"))
        return r->is_typedef = true;
    if (!take(r, "__attribute__"))
        return false;
    skip_parentheses(r);
    return true;
}

static struct type read_type(struct reader *r);
static struct type read_declarator(struct reader *r, struct type type, const struct mw_token **name);

enum { SIZES_MOST = 8 };

/* What `sizeof (TYPE)` is, where `open` is the parenthesis; *close: the one that closes it.  0: not known. */
static size_t size_of(const struct reader *r, const struct mw_token *open, const struct mw_token *end,
                      const struct mw_token **close)
{
    struct reader inner = { .types = r->types, .at = open, .nested = r->nested + 1 };
    const struct mw_token *name;
    inner.end = end;
    skip_parentheses(&inner);
    *close = inner.at - 1;
    if (inner.nested >= NESTED_MOST)
        return 0;
    inner.at = open + 1;
    inner.end = *close;
    const struct type type = read_declarator(&inner, read_type(&inner), &name);
    return inner.broken || name || inner.at != inner.end || type.align == 0 ? 0 : type.of.bytes;
}

/* A length in brackets. */
static struct mw_number length_of(const struct reader *r, const struct mw_token *first, const struct mw_token *end)
{
    char digits[SIZES_MOST][24];
    size_t sizes = 0, bytes;
    struct mw_tokens whole = { 0 };
    for (const struct mw_token *at = first; at < end; at++) {
        const struct mw_token *close;
        struct mw_token token = *at;
        if (mw_token_is(at, "sizeof") && at + 1 < end && mw_token_is(at + 1, "(")) {
            /* One that is not known leaves the whole unknown; those inside it are not looked at again. */
            bytes = sizes < SIZES_MOST ? size_of(r, at + 1, end, &close) : 0;
            whole.failed |= bytes == 0;
            if (bytes == 0)
                break;
            token = (struct mw_token){ .at = digits[sizes] };
            token.length = (unsigned)snprintf(digits[sizes++], sizeof *digits, "%zuu", bytes);
            at = close;
        }
        mw_tokens_add(&whole, &token);
    }
    const struct mw_number n = whole.failed ? (struct mw_number){ 0, false }
                                            : mw_reckon(whole.items, whole.count, false);
    mw_tokens_free(&whole);
    return n;
}

/* What stands behind a type: stars, a name (NULL without one), lengths. */
static struct type read_declarator(struct reader *r, struct type type, const struct mw_token **name)
{
    *name = NULL;
    for (;;) {
        if (take(r, "*"))
            type = (struct type){ { .types = r->pointer }, 0, NULL };
        else if (!take_qualifier(r))
            break;
    }
    if (r->at < r->end && mw_token_is_word(r->at))
        *name = r->at++;
    while (take(r, "[")) {
        const struct mw_token *first = r->at;
        for (int open = 0; r->at < r->end && (open > 0 || !mw_token_is(r->at, "]")); r->at++)
            open += mw_token_is(r->at, "[") - mw_token_is(r->at, "]");
        const struct mw_number n = length_of(r, first, r->at);
        r->broken |= !take(r, "]");
        type.of.types = 0;
        if (!n.known || n.value < 0 || !mw_mul(type.of.bytes, (size_t)n.value, &type.of.bytes))
            type = unknown;
    }
    while (take_qualifier(r))
        continue;
    return type;
}

/* Lays out what stands from behind an opening brace to behind the closing one, of a struct of that name, if any. */
static struct type read_members(struct reader *r, bool is_union, const struct mw_token *name)
{
    size_t bytes = 0, align = 1;
    bool known = !r->strange;
    if (r->nested == NESTED_MOST) {
        r->broken = true;
        return unknown;
    }
    r->open[r->nested].is_union = is_union;
    r->open[r->nested++].name = name;
    while (!r->broken && !take(r, "}")) {
        const struct type type = read_type(r);
        do {
            const struct mw_token *of;
            const struct type member = read_declarator(r, type, &of);
            size_t at = is_union ? 0 : bytes, end = 0;
            if (member.open)
                r->rc = mw_fail(MW_EBUILD, "%s %.*s has itself for a member", is_union ? "union" : "struct",
                                (int)member.open->length, member.open->at);
            known = known && of && member.align > 0 && mw_add(at, member.align - 1, &at) &&
                    mw_add(at - (known ? at % member.align : 0), member.of.bytes, &end);
            bytes = end > bytes ? end : bytes;
            align = member.align > align ? member.align : align;
        } while (take(r, ","));
        r->broken |= !take(r, ";");
    }
    r->nested--;
    known = known && !r->broken && bytes > 0 && mw_add(bytes, align - 1, &bytes);
    return (struct type){ { .types = MW_TAKES(MW_ARG_STRUCT), .bytes = known ? bytes - bytes % align : 0 },
                          known ? align : 0, NULL };
}

/* Whether a struct is one of those whose members are being read: compilers take that for an error, but PoCL's never
 * ends when a kernel takes one. */
static bool is_open(const struct reader *r, bool is_union, const struct mw_token *name)
{
    for (unsigned i = 0; i < r->nested; i++)
        if (r->open[i].name && r->open[i].is_union == is_union && mw_token_same(r->open[i].name, name))
            return true;
    return false;
}

/* Behind the word struct or union. */
static struct type read_struct(struct reader *r, bool is_union)
{
    const char *const prefix = is_union ? "union " : "struct ";
    const unsigned pointer = r->pointer;
    const struct mw_token *name = NULL;
    while (take_qualifier(r))
        continue;
    if (r->at < r->end && mw_token_is_word(r->at))
        name = r->at++;
    if (take(r, "{")) {
        const struct type type = read_members(r, is_union, name);
        r->pointer = pointer;
        if (name && !r->broken)
            declare(r, prefix, name, type);
        return type;
    }
    if (name && is_open(r, is_union, name))
        return (struct type){ { .types = MW_TAKES(MW_ARG_STRUCT) }, 0, name };
    const struct named *named = name ? find(r->types, prefix, name) : NULL;
    return named ? named->type : (struct type){ { .types = MW_TAKES(MW_ARG_STRUCT) }, 0, NULL };
}

/* Behind the word enum.  Compilers take 32 bits, with a sign where a value has one. */
static struct type read_enum(struct reader *r)
{
    struct type type = whole_number(4, false);
    const struct mw_token *name = r->at < r->end && mw_token_is_word(r->at) ? r->at++ : NULL;
    if (!take(r, "{")) {
        const struct named *named = name ? find(r->types, "enum ", name) : NULL;
        return named ? named->type : unknown;
    }
    bool known = !r->strange, negative = false;
    while (r->at < r->end && !take(r, "}")) {
        const struct mw_token *first = ++r->at;
        while (r->at < r->end && !mw_token_is(r->at, ",") && !mw_token_is(r->at, "}"))
            r->at++;
        if (r->at > first) {
            const struct mw_number n = length_of(r, first + 1, r->at);
            known = known && mw_token_is(first, "=") && n.known && n.value >= INT32_MIN && n.value <= INT32_MAX;
            negative |= n.value < 0;
        }
        take(r, ",");
    }
    type = !known ? unknown : whole_number(4, negative);
    if (name)
        declare(r, "enum ", name, type);
    return type;
}

/* int, unsigned, short int and their like: whether the next word is one. */
struct whole { bool is_unsigned; size_t bytes; };
static bool take_whole(struct reader *r, struct whole *w)
{
    static const struct { const char *word; size_t bytes; } words[] = {
        { "char", 1 }, { "short", 2 }, { "long", 8 }, { "int", 0 }, { "signed", 0 }, { "unsigned", 0 },
    };
    size_t i = 0;
    while (i < MW_COUNT(words) && !take(r, words[i].word))
        i++;
    if (i == MW_COUNT(words))
        return false;
    w->bytes = words[i].bytes ? words[i].bytes : w->bytes ? w->bytes : 4;
    w->is_unsigned |= strcmp(words[i].word, "unsigned") == 0;
    return true;
}

static struct type read_type(struct reader *r)
{
    struct type type = unknown;
    struct whole whole = { 0 };
    bool found = false;
    r->pointer = 0;
    while (r->at < r->end && !r->broken && mw_token_is_word(r->at)) {
        if (take_qualifier(r))
            continue;
        if (!found && take_whole(r, &whole))
            continue;
        if (found || whole.bytes)
            break;
        found = true;
        if (take(r, "struct")) {
            type = read_struct(r, false);
        } else if (take(r, "union")) {
            type = read_struct(r, true);
        } else if (take(r, "enum")) {
            type = read_enum(r);
        } else if (!find_word(r->at++, &type)) {
            const struct named *named = find(r->types, "", r->at - 1);
            type = named ? named->type : unknown;
        }
    }
    return whole.bytes ? whole_number(whole.bytes, !whole.is_unsigned) : type;
}

static bool has_attributes(const struct mw_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (mw_token_is(&tokens->items[i], "__attribute__"))
            return true;
    return false;
}

int mw_types_declare(struct mw_types *types, const char *declaration)
{
    struct mw_tokens tokens = { 0 };
    mw_tokens_read(declaration, &tokens);
    struct reader r = { .types = types, .at = tokens.items, .end = tokens.items + tokens.count,
                        .strange = has_attributes(&tokens) };
    const struct type type = read_type(&r);
    do {
        const struct mw_token *name;
        const struct type named = read_declarator(&r, type, &name);
        if (r.is_typedef && name && !r.broken)
            declare(&r, "", name, r.strange ? unknown : named);
    } while (take(&r, ",") && r.rc == 0);
    if (tokens.failed)
        r.rc = mw_fail(MW_ENOMEM, "out of memory while reading kernels");
    mw_tokens_free(&tokens);
    return r.rc;
}

int mw_types_find(struct mw_types *types, const char *type, struct mw_parameter *parameter)
{
    struct mw_tokens tokens = { 0 };
    const struct mw_token *name;
    mw_tokens_read(type, &tokens);
    struct reader r = { .types = types, .at = tokens.items, .end = tokens.items + tokens.count };
    const struct type found = read_declarator(&r, read_type(&r), &name);
    *parameter = r.broken || name || r.at != r.end || has_attributes(&tokens) ? unknown.of : found.of;
    if (tokens.failed)
        r.rc = mw_fail(MW_ENOMEM, "out of memory while reading kernels");
    mw_tokens_free(&tokens);
    return r.rc;
}

int mw_types_new(struct mw_types **types)
{
    return mw_new(1, sizeof **types, types);
}

void mw_types_free(struct mw_types *types)
{
    if (!types)
        return;
    for (struct named *row = types->named, *next; row; row = next) {
        next = row->next;
        free(row->name);
        free(row);
    }
    free(types);
}
/* SPDX-License-Identifier: MIT */
