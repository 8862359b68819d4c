/* Reads prototypes: follows directives and takes parameters apart. */
#include "dev/build/interface.h"
#include "base/words.h"

#include <stdlib.h>

enum { DEPTH_MOST = 64, LISTS_MOST = 8 };

/* A position in a text, with the enclosing directives. */
struct reader {
    const char *label;
    const char *text; /* without comments */
    struct frame {
        size_t begin, end; /* its directives in `said`, one per line */
        bool guard;        /* include guard: always true */
        int group;         /* 1: only with GROUP, -1: only without, 0: neither */
    } frames[DEPTH_MOST];
    size_t depth;
    struct mw_text said;
    struct mw_interface *found;
};

/* ---- directives ---- */

/* Returns 1 for the beginning of a part with GROUP, -1 for one without, else 0. */
static int group_test(const char *line, size_t n)
{
    return mw_word_is(line, n, "#ifdef GROUP") - mw_word_is(line, n, "#ifndef GROUP");
}

/* Whether a line of n bytes is `#ifndef X`, followed by `#define X`. */
static bool is_guard(const char *line, size_t n)
{
    const char *name = line + strlen("#ifndef "), *next = line + n;
    if (n <= strlen("#ifndef ") || strncmp(line, "#ifndef ", strlen("#ifndef ")) != 0)
        return false;
    next = mw_skip_space(next);
    if (strncmp(next, "#define ", strlen("#define ")) != 0)
        return false;
    const size_t length = mw_word_length(name);
    next += strlen("#define ");
    return length > 0 && mw_word_length(next) == length && memcmp(name, next, length) == 0;
}

static void interface_say(struct reader *r, struct frame *frame, const char *line, size_t n)
{
    mw_text_append(&r->said, line, n);
    mw_text_append(&r->said, "\n", 1);
    frame->end = r->said.length;
}

static int directive(struct reader *r, const char *line, size_t n)
{
    const char *word = mw_skip_space(line + 1);
    const size_t length = mw_word_length(word);
    while (n > 0 && mw_is_space(line[n - 1]))
        n--;
    if (length >= 2 && strncmp(word, "if", 2) == 0) {
        if (r->depth == DEPTH_MOST)
            return mw_fail(MW_EINVAL, "%s: conditions (#if) are nested more than %d deep", r->label, DEPTH_MOST);
        struct frame *frame = &r->frames[r->depth++];
        *frame = (struct frame){ .begin = r->said.length, .guard = is_guard(line, n), .group = group_test(line, n) };
        interface_say(r, frame, line, n);
    } else if (r->depth > 0 && (mw_word_is(word, length, "else") || mw_word_is(word, length, "elif"))) {
        struct frame *frame = &r->frames[r->depth - 1];
        frame->group = length == 4 && word[2] == 's' ? -frame->group : 0;
        interface_say(r, frame, line, n);
    } else if (r->depth > 0 && mw_word_is(word, length, "endif")) {
        r->said.length = r->frames[--r->depth].begin;
    }
    return 0;
}

/* ---- parameters ---- */

/* Returns the replacement of `#define NAME`, or NULL. */
static const char *defined_as(const char *text, const char *name, size_t n, size_t *length)
{
    for (const char *at = text; (at = strstr(at, "#define ")) != NULL; at++) {
        const char *word = at + strlen("#define ");
        if (mw_word_length(word) == n && memcmp(word, name, n) == 0 && word[n] == ' ') {
            *length = strcspn(word + n, "\n");
            return word + n;
        }
    }
    return NULL;
}

/* Whether NAME is a typedef or macro of a pointer. */
static bool is_pointer_name(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += n) {
        const char *before = at;
        if (mw_in_word(at[n]) || (at > text && mw_in_word(at[-1])))
            continue;
        while (before > text && mw_is_space(before[-1]))
            before--;
        if (before > text && before[-1] == '*' && *mw_skip_space(at + n) == ';')
            return true;
    }
    size_t length;
    const char *stands_for = defined_as(text, name, n, &length);
    return stands_for && memchr(stands_for, '*', length);
}

static bool in_capitals(const char *word)
{
    bool letters = false;
    for (; *word; word++) {
        if (mw_is_lower(*word))
            return false;
        letters |= mw_is_upper(*word);
    }
    return letters;
}

enum mw_parameter_kind mw_parameter_kind_of(const char *type)
{
    static const struct {
        const char *type;
        enum mw_parameter_kind kind;
    } kinds[] = {
        { "i32", MW_PARAMETER_I32 },   { "int", MW_PARAMETER_I32 },          { "u32", MW_PARAMETER_U32 },
        { "uint", MW_PARAMETER_U32 },  { "unsigned int", MW_PARAMETER_U32 }, { "i64", MW_PARAMETER_I64 },
        { "long", MW_PARAMETER_I64 },  { "u64", MW_PARAMETER_U64 },          { "ulong", MW_PARAMETER_U64 },
        { "float", MW_PARAMETER_F32 }, { "double", MW_PARAMETER_F64 },       { "real", MW_PARAMETER_REAL },
    };
    if (strchr(type, '*'))
        return MW_PARAMETER_BUFFER;
    for (size_t i = 0; i < MW_COUNT(kinds); i++)
        if (strcmp(type, kinds[i].type) == 0)
            return kinds[i].kind;
    return strncmp(type, "struct ", strlen("struct ")) == 0 ? MW_PARAMETER_STRUCT : MW_PARAMETER_OTHER;
}

static enum mw_parameter_kind interface_kind_of(const char *text, const char *type)
{
    const enum mw_parameter_kind kind = mw_parameter_kind_of(type);
    return kind == MW_PARAMETER_OTHER && !in_capitals(type) && is_pointer_name(text, type) ? MW_PARAMETER_BUFFER : kind;
}

/* Copies words, separated by one blank, without const. */
static void add_words(struct mw_text *to, const char *from, size_t n)
{
    for (const char *at = from, *end = from + n; at < end;) {
        size_t length = mw_word_length(at);
        if (length > (size_t)(end - at))
            length = (size_t)(end - at);
        if (length == 0) {
            if (!mw_is_space(*at))
                mw_text_append(to, at, 1);
            at++;
            continue;
        }
        if (!mw_word_is(at, length, "const")) {
            if (to->length > 0 && mw_in_word(to->data[to->length - 1]))
                mw_text_append(to, " ", 1);
            mw_text_append(to, at, length);
        }
        at += length;
    }
}

static int add_parameter(struct mw_prototype *p, const struct mw_parameter_text *parameter)
{
    struct mw_parameter_text *grown = NULL;
    TRY_RETURN(mw_new(p->parameter_count + 1, sizeof *grown, &grown));
    if (p->parameter_count > 0)
        memcpy(grown, p->parameters, p->parameter_count * sizeof *grown);
    grown[p->parameter_count++] = *parameter;
    free(p->parameters);
    p->parameters = grown;
    return 0;
}

/* Returns the start of the last word. */
static size_t name_at(const struct mw_text *words)
{
    size_t at = words->length;
    while (at > 0 && mw_in_word(words->data[at - 1]))
        at--;
    return at;
}

static bool is_more(const char *word)
{
    static const char ending[] = "_PARAMS";
    const size_t n = strlen(word), length = strlen(ending);
    return n > length && in_capitals(word) && strcmp(word + n - length, ending) == 0;
}

static int read_parameters(struct reader *r, struct mw_prototype *p, const char *from, size_t n, unsigned depth);

/* Reads one parameter, or a macro for several. */
static int read_parameter(struct reader *r, struct mw_prototype *p, const char *from, size_t n, unsigned depth)
{
    struct mw_text words = { 0 };
    struct mw_parameter_text made = { 0 };
    size_t length;
    int rc;
    add_words(&words, from, n);
    TRY(mw_text_ok(&words));
    if (words.length == 0 || strcmp(words.data, "void") == 0)
        goto out;
    char *bracket = strchr(words.data, '[');
    if (bracket) {
        words.length = (size_t)(bracket - words.data);
        *bracket = '\0';
    }
    size_t name = name_at(&words);
    if (name > 0 && words.data[name - 1] == ' ' && is_more(words.data + name)) {
        p->more = true;
        words.length = name - 1;
        words.data[words.length] = '\0';
        name = name_at(&words);
    }
    const char *list = name == 0 ? defined_as(r->text, words.data, words.length, &length) : NULL;
    if (name == words.length || (name == 0 && (!list || depth == LISTS_MOST)))
        TRY(mw_fail(MW_EINVAL, "%s: kernel %s: the parameter \"%s\" must be \"TYPE name\" or a macro of parameters",
                    r->label, p->name, words.data));
    if (list) {
        TRY(read_parameters(r, p, list, length, depth + 1));
        goto out;
    }
    TRY(mw_strdup(words.data + name, &made.name));
    while (name > 0 && words.data[name - 1] == ' ')
        name--;
    memcpy(words.data + name, bracket ? "*" : "", bracket ? 2 : 1);
    made.kind = interface_kind_of(r->text, words.data);
    TRY(mw_strdup(words.data, &made.type));
    TRY(add_parameter(p, &made));
    made = (struct mw_parameter_text){ 0 };
out:
    free(made.name);
    free(made.type);
    mw_text_free(&words);
    return rc;
}

static int read_parameters(struct reader *r, struct mw_prototype *p, const char *from, size_t n, unsigned depth)
{
    int rc = 0, parentheses = 0;
    for (size_t begin = 0, i = 0; i <= n; i++) {
        if (i < n && (from[i] == '(' || from[i] == ')'))
            parentheses += from[i] == '(' ? 1 : -1;
        if (i < n && (from[i] != ',' || parentheses > 0))
            continue;
        TRY(read_parameter(r, p, from + begin, i - begin, depth));
        begin = i + 1;
    }
out:
    return rc;
}

/* ---- prototypes ---- */

static void drop_prototype(struct mw_prototype *p)
{
    for (size_t i = 0; i < p->parameter_count; i++) {
        free(p->parameters[i].name);
        free(p->parameters[i].type);
    }
    free(p->parameters);
    free(p->name);
    free(p->conditions);
    *p = (struct mw_prototype){ 0 };
}

void mw_interface_free(struct mw_interface *interface)
{
    for (size_t i = 0; i < interface->count; i++)
        drop_prototype(&interface->prototypes[i]);
    free(interface->prototypes);
    *interface = (struct mw_interface){ 0 };
}

static int add_conditions(const struct reader *r, struct mw_prototype *p)
{
    struct mw_text conditions = { 0 };
    int group = 0, rc;
    mw_text_append(&conditions, "", 0);
    for (size_t i = 0; i < r->depth; i++) {
        const struct frame *frame = &r->frames[i];
        group = frame->group ? frame->group : group;
        if (frame->guard)
            continue;
        mw_text_append(&conditions, r->said.data + frame->begin, frame->end - frame->begin);
        p->depth++;
    }
    p->cores = group <= 0;
    p->groups = group >= 0;
    TRY(mw_text_ok(r->said.failed ? &r->said : &conditions));
    rc = mw_strdup(conditions.data ? conditions.data : "", &p->conditions);
out:
    mw_text_free(&conditions);
    return rc;
}

/* A kernel in two branches must have the same parameters, since callers use one prototype. */
static int check_twins(const struct reader *r, const struct mw_prototype *p)
{
    for (size_t i = 0; i < r->found->count; i++) {
        const struct mw_prototype *q = &r->found->prototypes[i];
        bool same = p->parameter_count == q->parameter_count && p->more == q->more;
        if (strcmp(p->name, q->name) != 0)
            continue;
        for (size_t k = 0; same && k < p->parameter_count; k++)
            same = p->parameters[k].kind == q->parameters[k].kind &&
                   (p->parameters[k].kind == MW_PARAMETER_BUFFER ||
                    strcmp(p->parameters[k].type, q->parameters[k].type) == 0);
        if (!same)
            return mw_fail(MW_EINVAL,
                           "%s: kernel %s has other parameter types in another branch of #if: rename one of them",
                           r->label, p->name);
    }
    return 0;
}

static int interface_keep(struct mw_interface *found, const struct mw_prototype *p)
{
    struct mw_prototype *grown = NULL;
    TRY_RETURN(mw_new(found->count + 1, sizeof *grown, &grown));
    if (found->count > 0)
        memcpy(grown, found->prototypes, found->count * sizeof *grown);
    grown[found->count++] = *p;
    free(found->prototypes);
    found->prototypes = grown;
    return 0;
}

/* Returns the position of the closing parenthesis; NULL without an opening or closing one. */
static const char *closing(const char *open)
{
    int depth = 0;
    for (const char *at = open; *open == '(' && *at; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Returns whether the word of n letters begins a prototype; without underscores it may be a name. */
static bool is_kernel(const char *word, size_t n)
{
    const char *next = mw_skip_space(word + n);
    const size_t m = mw_word_length(next);
    return mw_word_is(word, n, "__kernel") ||
           (mw_word_is(word, n, "kernel") &&
            (mw_word_is(next, m, "void") || mw_word_is(next, m, "__attribute__") || mw_word_is(next, m, "SHARES")));
}

/* Skips attributes, and the prelude's words for some. */
static const char *skip_attributes(const char *at)
{
    for (const char *end = at; end; at = end ? end + 1 : at) {
        const size_t n = mw_word_length(at = mw_skip_space(at));
        const char *open = mw_skip_space(at + n);
        const bool attribute =
            mw_word_is(at, n, "__attribute__") || mw_word_is(at, n, "OF_ITEMS") || mw_word_is(at, n, "OF_MANY");
        end = attribute ? closing(open) : NULL;
    }
    return at;
}

/* Reads from after the word __kernel to after the parameters. Omits declarations. */
static int prototype(struct reader *r, const char **at)
{
    struct mw_prototype p = { 0 };
    const char *name = NULL, *end = NULL, *from = *at;
    size_t length = 0;
    int rc = 0;
    for (;;) {
        from = skip_attributes(from);
        const size_t n = mw_word_length(from);
        if (n == 0)
            break;
        p.shares |= mw_word_is(from, n, "SHARES");
        name = from;
        length = n;
        from += n;
    }
    end = closing(from);
    if (!name || !end)
        TRY(mw_fail(MW_EINVAL, "%s: expected \"void name(parameters)\" after __kernel, found \"%.40s\"", r->label,
                    *at));
    *at = end + 1;
    if (*skip_attributes(*at) == ';')
        goto out;
    TRY(mw_new(length + 1, 1, &p.name));
    memcpy(p.name, name, length);
    TRY(add_conditions(r, &p));
    TRY(read_parameters(r, &p, from + 1, (size_t)(end - from - 1), 0));
    TRY(check_twins(r, &p));
    TRY(interface_keep(r->found, &p));
    p = (struct mw_prototype){ 0 };
out:
    drop_prototype(&p);
    return rc;
}

static int read_prototypes(struct reader *r)
{
    bool line_start = true;
    for (const char *at = r->text; *at;) {
        const size_t n = mw_word_length(at);
        if (line_start && *mw_skip_space(at) == '#') {
            at = mw_skip_space(at);
            const size_t length = strcspn(at, "\n");
            TRY_RETURN(directive(r, at, length));
            at += length;
        } else if (n > 0) {
            at += n;
            if (is_kernel(at - n, n))
                TRY_RETURN(prototype(r, &at));
            line_start = false;
        } else {
            line_start = *at == '\n' || (line_start && mw_is_space(*at));
            at++;
        }
    }
    return 0;
}

int mw_interface_read(const char *label, const char *text, struct mw_interface *interface)
{
    struct mw_interface found = { 0 };
    struct reader r = { .label = label, .found = &found };
    char *plain = NULL;
    int rc;
    TRY(mw_plain_text(text, &plain));
    r.text = plain;
    TRY(read_prototypes(&r));
    *interface = MW_PASS(found);
out:
    mw_interface_free(&found);
    mw_text_free(&r.said);
    free(plain);
    return rc;
}
/* SPDX-License-Identifier: MIT */
