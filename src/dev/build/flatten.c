/* Joins a kernel file and its includes into one text.
 *
 * Drivers handle -I differently (spaces in a path, remote compilers), and the cache of built programs needs the whole
 * text for its key. Therefore #include is resolved here. Conditions are not evaluated: an #include within a false #if
 * counts. Every file is included once, so that a file must not be included in two branches of one #if. */
#include "dev/core/backend.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, NAME_MAX_BYTES = 256, FILE_MAX_BYTES = 8 << 20 };

/* State of the scan at the start of a line. */
enum state { CODE, BLOCK_COMMENT, LINE_COMMENT, STRING, CHARACTER };

struct flattener {
    const char *kernel_path;
    char *folder; /* folder of a file given by its path, which may contain its includes; or NULL */
    const struct mw_source *source;
    bool for_host; /* for a compiler with its own <...> headers */
    struct mw_text *flat;
    char **seen; /* names, each once */
    size_t seen_count;
    unsigned depth;
};

/* One line of a text. */
struct line {
    const char *path; /* the text's name in messages */
    size_t number;
    const char *bytes;
    size_t length;
};

/* State of reading a text. */
struct progress {
    enum state state;
    bool continued;      /* the line before ended with a backslash */
    unsigned conditions; /* #if without #endif so far */
    bool included;       /* a file within one of these; if it was skipped, so were its marks */
};

static int add_named(struct flattener *f, const char *name, const struct line *from);

static void add_mark(struct mw_text *flat, size_t number, const char *path)
{
    mw_text_add(flat, "#line %zu \"", number);
    for (const char *p = path; *p; p++) {
        char safe = mw_is_control(*p) ? '?' : *p;
        if (safe == '"' || safe == '\\')
            mw_text_append(flat, "\\", 1);
        mw_text_append(flat, &safe, 1);
    }
    mw_text_append(flat, "\"\n", 2);
}

static bool at_pair(const struct line *line, size_t i, char first, char second)
{
    return i + 1 < line->length && line->bytes[i] == first && line->bytes[i + 1] == second;
}

/* Returns the state after one more character of code; advances `i` to the last character used. */
static enum state leave_code(const struct line *line, size_t *i)
{
    switch (line->bytes[*i]) {
    case '"': return STRING;
    case '\'': return CHARACTER;
    case '/':
        if (at_pair(line, *i, '/', '/'))
            return LINE_COMMENT;
        if (at_pair(line, *i, '/', '*')) {
            (*i)++;
            return BLOCK_COMMENT;
        }
        return CODE;
    default: return CODE;
    }
}

/* Follows comments and strings to the end of a line. */
static enum state scan(const struct line *line, size_t from, enum state state)
{
    for (size_t i = from; i < line->length; i++) {
        switch (state) {
        case CODE: state = leave_code(line, &i); break;
        case BLOCK_COMMENT:
            if (at_pair(line, i, '*', '/')) {
                i++;
                state = CODE;
            }
            break;
        case LINE_COMMENT: break;
        case STRING:
        case CHARACTER:
            if (line->bytes[i] == '\\')
                i++;
            else if (line->bytes[i] == (state == STRING ? '"' : '\''))
                state = CODE;
            break;
        }
    }
    bool continued = line->length && line->bytes[line->length - 1] == '\\';
    return state == BLOCK_COMMENT || continued ? state : CODE;
}

/* Returns the first position on a line that is neither blank nor comment, or the line's length. */
static size_t skip_blank(const struct line *line, enum state state)
{
    size_t i = 0;
    if (state != CODE && state != BLOCK_COMMENT)
        return line->length;
    for (; i < line->length; i++) {
        if (state == BLOCK_COMMENT) {
            if (at_pair(line, i, '*', '/')) {
                i++;
                state = CODE;
            }
        } else if (at_pair(line, i, '/', '*')) {
            i++;
            state = BLOCK_COMMENT;
        } else if (!mw_is_space(line->bytes[i])) {
            return i;
        }
    }
    return i;
}

static size_t skip_spaces(const struct line *line, size_t i)
{
    while (i < line->length && mw_is_space(line->bytes[i]))
        i++;
    return i;
}

enum directive { OTHER, INCLUDE, IF, ELSE, ENDIF };

/* The directive at position `hash`; *operand is where its operand starts. */
static enum directive read_directive(const struct line *line, size_t hash, size_t *operand)
{
    static const struct {
        const char *word;
        enum directive directive;
    } table[] = { { "include", INCLUDE }, { "if", IF },     { "ifdef", IF },   { "ifndef", IF },
                  { "elif", ELSE },       { "else", ELSE }, { "endif", ENDIF } };
    if (hash >= line->length || line->bytes[hash] != '#')
        return OTHER;
    size_t start = skip_spaces(line, hash + 1), end = start;
    while (end < line->length && (mw_is_letter_or_digit(line->bytes[end]) || line->bytes[end] == '_'))
        end++;
    *operand = skip_spaces(line, end);
    for (size_t i = 0; i < MW_COUNT(table); i++) {
        if (strlen(table[i].word) == end - start && memcmp(table[i].word, line->bytes + start, end - start) == 0)
            return table[i].directive;
    }
    return OTHER;
}

/* "./a//b.clh" and "a/b.clh" are one file, and it comes once. */
static void tidy_name(char *name)
{
    char *to = name;
    for (const char *from = name; *from;) {
        bool start = to == name || to[-1] == '/';
        if (start && from[0] == '.' && from[1] == '/')
            from += 2;
        else if (start && to != name && from[0] == '/')
            from += 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
}

#define NO_ANGLES "#include <...> has no meaning in kernels: write a name below the kernel folder in quotes"

static int read_name(const struct line *line, size_t operand, char *name, size_t *end)
{
    char opens = operand < line->length ? line->bytes[operand] : '\0';
    if (opens == '<')
        return mw_fail(MW_EBUILD, "%s:%zu: " NO_ANGLES, line->path, line->number);
    if (opens != '"')
        return mw_fail(MW_EBUILD, "%s:%zu: expected a name in quotes after #include", line->path, line->number);
    const char *start = line->bytes + operand + 1;
    const char *quote = memchr(start, '"', line->length - operand - 1);
    if (!quote)
        return mw_fail(MW_EBUILD, "%s:%zu: the name after #include has no closing quote", line->path, line->number);
    size_t length = (size_t)(quote - start);
    if (length == 0 || length >= NAME_MAX_BYTES)
        return mw_fail(MW_EBUILD, "%s:%zu: the name after #include has %zu characters (must be 1 to %d)", line->path,
                       line->number, length, NAME_MAX_BYTES - 1);
    memcpy(name, start, length);
    name[length] = '\0';
    tidy_name(name);
    *end = operand + length + 2;
    return 0;
}

static int add_include(struct flattener *f, const struct line *line, size_t hash, size_t operand, size_t *end)
{
    char name[NAME_MAX_BYTES];
    TRY_RETURN(read_name(line, operand, name, end));
    /* Text before the directive may close a comment. */
    mw_text_append(f->flat, line->bytes, hash);
    mw_text_append(f->flat, "\n", 1);
    return add_named(f, name, line);
}

/* Adds one line, or the text that it includes. */
static int add_line(struct flattener *f, const struct line *line, struct progress *p)
{
    size_t from = 0, operand = 0, hash = p->continued ? line->length : skip_blank(line, p->state);
    enum directive directive = read_directive(line, hash, &operand);
    if (memchr(line->bytes, '\0', line->length))
        return mw_fail(MW_EBUILD, "%s:%zu: a NUL byte: the file is not kernel source", line->path, line->number);
    p->conditions += (directive == IF) - (directive == ENDIF && p->conditions > 0);
    bool angles = directive == INCLUDE && p->conditions > 0 && operand < line->length && line->bytes[operand] == '<';
    if (angles && !f->for_host) {
        /* Files that the host's compiler reads as well have such lines for it. Only a compiler can decide whether this
         * one is for kernels. */
        mw_text_append(f->flat, line->bytes, hash);
        mw_text_add(f->flat, "#error " NO_ANGLES "\n");
        p->state = CODE;
        return 0;
    }
    if (directive == INCLUDE && !angles) {
        TRY_RETURN(add_include(f, line, hash, operand, &from));
        add_mark(f->flat, line->number, line->path);
        p->state = CODE;
        p->included = p->conditions > 0;
    }
    mw_text_append(f->flat, line->bytes + from, line->length - from);
    mw_text_append(f->flat, "\n", 1);
    p->state = scan(line, from, p->state);
    p->continued = line->length && line->bytes[line->length - 1] == '\\';
    if (p->included && (directive == ELSE || directive == ENDIF) && !p->continued && p->state == CODE) {
        add_mark(f->flat, line->number + 1, line->path);
        p->included = p->conditions > 0;
    }
    return 0;
}

static int add_text(struct flattener *f, const char *path, const char *bytes, size_t n)
{
    static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark */
    struct progress p = { CODE, false, 0, false };
    if (n >= 3 && memcmp(bytes, mark, 3) == 0) {
        bytes += 3;
        n -= 3;
    }
    add_mark(f->flat, 1, path);
    for (struct line line = { path, 1, bytes, 0 }; n > 0; line.number++) {
        const char *feed = memchr(line.bytes, '\n', n);
        size_t taken = feed ? (size_t)(feed - line.bytes) + 1 : n;
        line.length = taken - (feed != NULL);
        if (line.length && line.bytes[line.length - 1] == '\r')
            line.length--;
        TRY_RETURN(add_line(f, &line, &p));
        line.bytes += taken;
        n -= taken;
    }
    return 0;
}

static const struct mw_source_text *find_text(const struct mw_source *source, const char *name)
{
    for (size_t i = 0; i < source->text_count; i++) {
        if (strcmp(source->texts[i].name, name) == 0)
            return &source->texts[i];
    }
    return NULL;
}

/* Adds a name; sets *first if it is new. */
static int remember(struct flattener *f, const char *name, bool *first)
{
    *first = false;
    for (size_t i = 0; i < f->seen_count; i++) {
        if (strcmp(f->seen[i], name) == 0)
            return 0;
    }
    TRY_RETURN(mw_grow(f->seen_count, sizeof *f->seen, &f->seen));
    TRY_RETURN(mw_strdup(name, &f->seen[f->seen_count]));
    f->seen_count++;
    *first = true;
    return 0;
}

static bool is_path(const char *name)
{
    return name[0] == '/' || strncmp(name, "./", 2) == 0 || strncmp(name, "../", 3) == 0;
}

bool mw_source_is_own(const struct mw_source *source)
{
    return is_path(source->file) || find_text(source, source->file);
}

/* `first`: the source's file, which may be given by its path; included files may not. */
static int flatten_load(const struct flattener *f, const char *name, bool first, char **bytes, size_t *n)
{
    char *path = NULL;
    int rc;
    if (first && f->folder)
        return mw_file_read(name, FILE_MAX_BYTES, bytes, n);
    if (!f->folder || mw_kernel_file(f->folder, name, &path) != 0)
        TRY(mw_kernel_file(f->kernel_path, name, &path));
    TRY(mw_file_read(path, FILE_MAX_BYTES, bytes, n));
out:
    free(path);
    return rc;
}

/* Appends the text of that name unless it is included already. `from`: the line that includes it, or NULL. */
static int add_named(struct flattener *f, const char *name, const struct line *from)
{
    char *bytes = NULL;
    size_t n = 0;
    bool first;
    int rc;
    TRY(remember(f, name, &first));
    if (!first)
        goto out;
    const struct mw_source_text *text = find_text(f->source, name);
    if (f->depth == DEPTH_MAX)
        rc = mw_fail(MW_EBUILD, "more than %d files include each other in a chain: remove circular #include lines",
                     DEPTH_MAX);
    else if (!text)
        rc = flatten_load(f, name, !from, &bytes, &n);
    if (rc != 0) {
        if (from && rc != MW_ENOMEM) /* report the line of the #include */
            rc = MW_EBUILD;
        if (from)
            mw_fail_in(rc, "%s:%zu: #include \"%s\"", from->path, from->number, name);
        goto out;
    }
    f->depth++;
    if (text)
        TRY(add_text(f, text->path ? text->path : text->name, text->text, strlen(text->text)));
    else /* by its name, not its path: the same program wherever it is installed */
        TRY(add_text(f, name, bytes, n));
    f->depth--;
out:
    free(bytes);
    return rc;
}

int mw_flatten(const char *kernel_path, const struct mw_source *source, struct mw_text *flat)
{
    struct flattener f = { .kernel_path = kernel_path,
                           .source = source,
                           .flat = flat,
                           .for_host = source->native_file && strcmp(source->file, source->native_file) == 0 };
    char name[NAME_MAX_BYTES];
    const char *file = name;
    int rc;
    if (is_path(source->file)) {
        file = source->file;
        TRY(mw_strdup(file, &f.folder));
        *(strrchr(f.folder, '/') + 1) = '\0';
    } else if (!mw_copy_string(name, sizeof(name), source->file)) {
        return mw_fail(MW_EINVAL, "the name of the kernel file has more than %d characters: shorten it",
                       NAME_MAX_BYTES - 1);
    } else {
        tidy_name(name);
    }
    if (source->defines && *source->defines)
        TRY(add_text(&f, "defines", source->defines, strlen(source->defines)));
    TRY(add_named(&f, file, NULL));
    TRY(mw_text_ok(flat));
out:
    for (size_t i = 0; i < f.seen_count; i++)
        free(f.seen[i]);
    free(f.seen);
    free(f.folder);
    return rc;
}
/* SPDX-License-Identifier: MIT */
