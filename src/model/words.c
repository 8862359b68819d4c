/* Names in a model's text: reading, validating, storing and finding them. */
#include <stdio.h>

#include "model/parser.h"

#define NAME_LENGTH_MAX 31

int mw_model_wrong(const struct mw_model_parser *p, const char *what, const char *name)
{
    const size_t column = (size_t)(p->at - p->line_begin);
    const bool no_file = strcmp(p->path, MW_EQUATIONS_PATH) == 0;
    const bool given = no_file || (p->last_replace && p->at > p->last_replace);
    const struct mw_excerpt line = mw_excerpt(p->line_begin, strcspn(p->line_begin, "\r\n"), column);
    if (no_file && strncmp(p->line_begin, "//@", 3) == 0) /* a line of equations.c */
        return mw_fail(MW_EBUILD, "%s: %s%s%s", p->path, what, name ? " " : "", name ? name : "");
    return mw_fail(MW_EBUILD, "%s:%d:%d: %s%s%s%s%s%s", p->path, p->line, (int)column + 1, what, name ? " " : "",
                   name ? name : "", given ? ", in '" : "", given ? line.text : "", given ? "'" : "");
}

bool mw_model_skip_space(struct mw_model_parser *p)
{
    if (*p->at == '\n') {
        p->line++;
        p->line_begin = p->at + 1;
    } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r') {
        return false;
    }
    p->at++;
    return true;
}

int mw_model_skip_comment(struct mw_model_parser *p)
{
    const char *const end = p->at[1] == '*' ? strstr(p->at + 2, "*/") : p->at + strcspn(p->at, "\n");
    if (!end)
        return mw_model_wrong(p, "this comment is not closed", NULL);
    const char *const after = p->at[1] == '*' ? end + 2 : end;
    while (p->at < after)
        if (!mw_model_skip_space(p))
            p->at++;
    return 0;
}

/* Reserved words of C, OpenCL C and C++ (CUDA), and names that compilers define. */
/* clang-format off */
static const char *const reserved_words[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "class", "cl_mem_fence_flags", "compl", "complex", "const", "const_cast", "constant", "constexpr", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "event_t", "explicit", "export",
    "extern", "false", "float", "for", "friend", "generic", "global", "goto", "half", "i32", "i64", "if", "imaginary",
    "image1d_array_t", "image1d_buffer_t", "image1d_t", "image2d_array_t", "image2d_t", "image3d_t", "inline", "int",
    "intptr_t", "kernel", "linux", "local", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "pipe", "private", "protected", "ptrdiff_t", "public", "quad", "read_only",
    "read_write", "real", "realv", "register", "reinterpret_cast", "restrict", "return", "sampler_t", "short", "signed",
    "size_t", "sizeof", "state", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "u32", "u64", "uchar", "uint",
    "uintptr_t", "ulong", "union", "unix", "unsigned", "ushort", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "write_only", "xor", "xor_eq",
};
/* clang-format on */
/* Types to which a number of lanes may be appended. */
static const char *const lane_types[] = { "bool", "char",  "double", "float", "half",  "int",   "long",
                                          "quad", "short", "uchar",  "uint",  "ulong", "ushort" };

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < MW_COUNT(reserved_words); i++)
        if (strcmp(name, reserved_words[i]) == 0)
            return true;
    for (size_t i = 0; i < MW_COUNT(lane_types); i++) {
        const size_t n = strlen(lane_types[i]);
        if (strncmp(name, lane_types[i], n) == 0 && name[n] && mw_word_in("2 3 4 8 16", name + n))
            return true;
    }
    return false;
}

/* Returns whether a name could be a word of the model language or a macro: these have no lower-case letters. */
static bool is_shouted(const char *name)
{
    size_t capitals = 0;
    for (const char *s = name; *s; s++) {
        if (mw_is_lower(*s))
            return false;
        capitals += mw_is_upper(*s);
    }
    return capitals != 1 || strcmp(name, "P") == 0 || strcmp(name, "R") == 0;
}

void mw_model_skip_blanks(struct mw_model_parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
        p->at++;
}

const char *mw_model_keep(struct mw_model_parser *p, const char *from, size_t n)
{
    char *kept = p->names_end;
    memcpy(kept, from, n);
    kept[n] = 0;
    p->names_end += n + 1;
    return kept;
}

size_t mw_identifier_length(const char *s)
{
    size_t n = 0;
    if (mw_is_letter(s[0]) || s[0] == '_')
        while (mw_is_letter_or_digit(s[n]) || s[n] == '_')
            n++;
    return n;
}

/* Returns the index of the element with a name of n characters, or -1.  Elements begin with their names. */
static int words_find(const void *elements, size_t count, size_t bytes, const char *name, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (mw_word_is(name, n, *(const char *const *)((const char *)elements + i * bytes)))
            return (int)i;
    return -1;
}
#define FIND(elements, count) words_find(elements, count, sizeof *(elements), name, n)

int mw_model_find_field(const struct mw_model *m, const char *name, size_t n)
{
    return FIND(m->fields, m->info.field_count);
}

int mw_model_find_quantity(const struct mw_model *m, const char *name, size_t n)
{
    const int map = FIND(m->maps, m->info.map_count);
    return map >= 0 ? (int)m->info.field_count + map : mw_model_find_field(m, name, n);
}

int mw_model_find_complex(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->info.field_count; i++)
        if (m->fields[i].part == MW_COMPLEX_PART_REAL && strlen(m->fields[i].name) == n + strlen("_re") &&
            strncmp(m->fields[i].name, name, n) == 0)
            return (int)i;
    return -1;
}

int mw_model_find_noise(const struct mw_model *m, const char *name, size_t n)
{
    return FIND(m->noises, m->noise_count);
}

int mw_model_find_param(const struct mw_model *m, const char *name, size_t n)
{
    return FIND(m->params, m->info.param_count);
}

static bool is_known(const struct mw_model *m, const char *name)
{
    const size_t n = strlen(name);
    return (m->info.spin.name && mw_word_is(name, n, m->info.spin.name)) || FIND(m->frozen, m->frozen_count) >= 0 ||
           FIND(m->stages, m->stage_count) >= 0 || mw_model_find_param(m, name, n) >= 0 ||
           mw_model_find_quantity(m, name, n) >= 0 || mw_model_find_complex(m, name, n) >= 0 ||
           mw_model_find_noise(m, name, n) >= 0;
}

int mw_model_check_name(const struct mw_model_parser *p, const char *name)
{
    char reserved[128];
    if (strlen(name) > NAME_LENGTH_MAX)
        return mw_model_wrong(p, "names have at most 31 characters:", name);
    const char *meaning = is_shouted(name)    ? "words of capitals belong to the model language"
                          : is_reserved(name) ? "a word of C, OpenCL C or C++"
                          : p->has_spins      ? NULL
                                              : mw_model_meaning(name, strlen(name));
    if (meaning) {
        snprintf(reserved, sizeof reserved, MW_RESERVED, name, meaning);
        return mw_model_wrong(p, reserved, NULL);
    }
    if (is_known(p->model, name))
        return mw_model_wrong(p, "declared twice:", name);
    return 0;
}

int mw_model_new_name(struct mw_model_parser *p, const char **name)
{
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    if (n == 0)
        return mw_model_wrong(p, "expected a name (letters, digits, '_')", NULL);
    const char *kept = mw_model_keep(p, p->at, n);
    const int rc = mw_model_check_name(p, kept);
    if (rc == 0) {
        p->at += n;
        *name = kept;
    }
    return rc;
}
/* SPDX-License-Identifier: MIT */
