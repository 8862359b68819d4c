/* Model files: names, the header of //@ lines, and the making of a model. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/model/parser.h"

#define NAME_LENGTH_MAX 31

int mw_model_wrong(const struct mw_model_parser *p, const char *what, const char *name)
{
    return mw_fail(MW_EBUILD, "%s:%d: %s%s%s", p->path, p->line, what, name ? " " : "", name ? name : "");
}

/* ---- names ---- */

/* What a compiler of kernels takes for something else: words of C, OpenCL C and C++, which reads kernels for CUDA. */
static const char *const reserved_words[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "class", "cl_mem_fence_flags", "compl", "complex", "const", "const_cast", "constant", "constexpr", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "event_t", "explicit", "export",
    "extern", "false", "float", "for", "friend", "generic", "global", "goto", "half", "i32", "i64", "if", "imaginary",
    "image1d_array_t", "image1d_buffer_t", "image1d_t", "image2d_array_t", "image2d_t", "image3d_t", "inline", "int",
    "intptr_t", "kernel", "linux", "local", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "pipe", "private", "protected", "ptrdiff_t", "public", "quad", "read_only",
    "read_write", "real", "realv", "register", "reinterpret_cast", "restrict", "return", "sampler_t", "short", "signed",
    "size_t", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "u32", "u64", "uchar", "uint",
    "uintptr_t", "ulong", "union", "unix", "unsigned", "ushort", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "write_only", "xor", "xor_eq",
};
/* Types that exist with a number of lanes behind them as well. */
static const char *const lane_types[] = { "bool", "char", "double", "float", "half", "int", "long", "quad", "short",
                                          "uchar", "uint", "ulong", "ushort" };
static const char *const lane_counts[] = { "2", "3", "4", "8", "16" };

bool mw_word_is(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && strncmp(s, word, n) == 0;
}

static bool is_reserved(const char *name)
{
    for (size_t i = 0; i < MW_COUNT(reserved_words); i++)
        if (strcmp(name, reserved_words[i]) == 0)
            return true;
    for (size_t i = 0; i < MW_COUNT(lane_types); i++) {
        const size_t n = strlen(lane_types[i]);
        for (size_t k = 0; k < MW_COUNT(lane_counts); k++)
            if (strncmp(name, lane_types[i], n) == 0 && strcmp(name + n, lane_counts[k]) == 0)
                return true;
    }
    return false;
}

/* Whether a name could be a word of the model language or a macro of the dialect: those have no small letter. */
static bool is_shouted(const char *name)
{
    size_t capitals = 0;
    for (const char *s = name; *s; s++) {
        if (islower((unsigned char)*s))
            return false;
        capitals += isupper((unsigned char)*s) != 0;
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
    if (isalpha((unsigned char)s[0]) || s[0] == '_')
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
    return n;
}

int mw_model_find_field(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->info.field_count; i++)
        if (mw_word_is(name, n, m->fields[i].name))
            return (int)i;
    return -1;
}

int mw_model_find_complex(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->info.field_count; i++)
        if (m->fields[i].part == MW_COMPLEX_PART_REAL && strlen(m->fields[i].name) == n + strlen("_re") &&
            strncmp(m->fields[i].name, name, n) == 0)
            return (int)i;
    return -1;
}

int mw_model_find_stage(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->stage_count; i++)
        if (mw_word_is(name, n, m->stages[i].name))
            return (int)i;
    return -1;
}

int mw_model_find_noise(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->noise_count; i++)
        if (mw_word_is(name, n, m->noises[i]))
            return (int)i;
    return -1;
}

static bool is_known(const struct mw_model *m, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < m->info.param_count; i++)
        if (strcmp(m->params[i].name, name) == 0)
            return true;
    return mw_model_find_field(m, name, n) >= 0 || mw_model_find_complex(m, name, n) >= 0 ||
           mw_model_find_stage(m, name, n) >= 0 || mw_model_find_noise(m, name, n) >= 0;
}

static int check_new_name(const struct mw_model_parser *p, const char *name)
{
    if (strlen(name) > NAME_LENGTH_MAX)
        return mw_model_wrong(p, "names have at most 31 characters:", name);
    if (is_shouted(name))
        return mw_model_wrong(p, "names of capitals alone belong to the model language:", name);
    if (is_reserved(name))
        return mw_model_wrong(p, "a word of the kernels' languages cannot be a name:", name);
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
    const int rc = check_new_name(p, kept);
    if (rc == 0) {
        p->at += n;
        *name = kept;
    }
    return rc;
}

/* ---- words of a header line ---- */

static int number(struct mw_model_parser *p, double *value)
{
    char *end;
    mw_model_skip_blanks(p);
    const double v = strtod(p->at, &end);
    if (end == p->at || !isfinite(v))
        return mw_model_wrong(p, "expected a finite number", NULL);
    p->at = end;
    *value = v;
    return 0;
}

static int quoted(struct mw_model_parser *p, const char **text)
{
    mw_model_skip_blanks(p);
    if (*p->at != '"')
        return mw_model_wrong(p, "expected a text in double quotes", NULL);
    const char *end = p->at + 1 + strcspn(p->at + 1, "\"\n");
    if (*end != '"')
        return mw_model_wrong(p, "the text has no closing quote", NULL);
    *text = mw_model_keep(p, p->at + 1, (size_t)(end - p->at - 1));
    p->at = end + 1;
    return 0;
}

/* ---- header lines: a table of words ---- */

static int header_model(struct mw_model_parser *p)
{
    mw_model_skip_blanks(p);
    const size_t n = strcspn(p->at, " \t\r\n");
    if (p->has_model)
        return mw_model_wrong(p, "a second //@ model line", NULL);
    if (n == 0)
        return mw_model_wrong(p, "expected the model's name", NULL);
    p->has_model = true;
    p->model->info.name = mw_model_keep(p, p->at, n);
    p->at += n;
    return quoted(p, &p->model->info.equation);
}

static int header_about(struct mw_model_parser *p)
{
    return quoted(p, &p->model->info.about);
}

/* Adds NAME_re and NAME_im for a complex field NAME, whose start is `f`. */
static int add_complex(struct mw_model_parser *p, const struct mw_model_field *f)
{
    static const char *const suffixes[] = { "_re", "_im" };
    struct mw_model_info *info = &p->model->info;
    struct mw_model_field parts[2];
    for (size_t i = 0; i < 2; i++) {
        const char *base = mw_model_keep(p, f->name, strlen(f->name));
        p->names_end--;
        mw_model_keep(p, suffixes[i], strlen(suffixes[i]));
        parts[i] = (struct mw_model_field){ .name = base, .noise = f->noise, .part = i ? MW_COMPLEX_PART_IMAGINARY
                                                                                     : MW_COMPLEX_PART_REAL };
        const int rc = check_new_name(p, base);
        if (rc != 0)
            return rc;
    }
    parts[0].mean = f->mean;
    parts[0].outside = f->outside;
    memcpy(&p->model->fields[info->field_count], parts, sizeof parts);
    info->field_count += 2;
    return 0;
}

static int header_field(struct mw_model_parser *p)
{
    struct mw_model_info *info = &p->model->info;
    struct mw_model_field f = { 0 };
    const struct { const char *word; double *value; } settings[] = {
        { "noise=", &f.noise }, { "mean=", &f.mean }, { "outside=", &f.outside },
    };
    bool is_complex = false;
    int rc;
    TRY(mw_model_new_name(p, &f.name));
    for (mw_model_skip_blanks(p); *p->at && *p->at != '\n'; mw_model_skip_blanks(p)) {
        size_t i = 0;
        if (mw_word_is(p->at, mw_identifier_length(p->at), "complex")) {
            is_complex = true;
            p->at += strlen("complex");
            continue;
        }
        while (i < MW_COUNT(settings) && strncmp(p->at, settings[i].word, strlen(settings[i].word)) != 0)
            i++;
        if (i == MW_COUNT(settings))
            return mw_model_wrong(p, "a field takes complex, noise=NUMBER, mean=NUMBER and outside=NUMBER", NULL);
        p->at += strlen(settings[i].word);
        TRY(number(p, settings[i].value));
    }
    if (info->field_count + (is_complex ? 2 : 1) > MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many fields", NULL);
    if (is_complex)
        return add_complex(p, &f);
    p->model->fields[info->field_count++] = f;
out:
    return rc;
}

static int header_param(struct mw_model_parser *p)
{
    struct mw_model_info *info = &p->model->info;
    struct mw_model_param *param = &p->model->params[info->param_count];
    int rc = 0;
    if (info->param_count == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many parameters", NULL);
    TRY(mw_model_new_name(p, &param->name));
    TRY(number(p, &param->value));
    TRY(quoted(p, &param->help));
    info->param_count++;
out:
    return rc;
}

static int header_noise(struct mw_model_parser *p)
{
    struct mw_model *m = p->model;
    const char *name, *help;
    int rc = 0;
    if (m->noise_count == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many noise terms", NULL);
    TRY(mw_model_new_name(p, &name));
    TRY(quoted(p, &help));
    p->noise_line[m->noise_count] = p->line;
    m->noises[m->noise_count++] = name;
out:
    return rc;
}

static int header_dt(struct mw_model_parser *p)
{
    const int rc = number(p, &p->model->info.dt);
    return rc == 0 && p->model->info.dt <= 0 ? mw_model_wrong(p, "dt must be positive", NULL) : rc;
}

/* The name of a complex field stands for both its parts. */
static int header_conserve(struct mw_model_parser *p)
{
    struct mw_model *m = p->model;
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    const int pair = mw_model_find_complex(m, p->at, n), field = pair >= 0 ? pair : mw_model_find_field(m, p->at, n);
    if (field < 0)
        return mw_model_wrong(p, "conserve needs the name of a field declared above", NULL);
    m->fields[field].conserved = true;
    if (pair >= 0)
        m->fields[pair + 1].conserved = true;
    p->at += n;
    return 0;
}

static const struct { const char *word; int (*parse)(struct mw_model_parser *p); } header_lines[] = {
    { "model", header_model }, { "about", header_about }, { "field", header_field }, { "noise", header_noise },
    { "param", header_param }, { "dt", header_dt },       { "conserve", header_conserve },
};

int mw_model_header_line(struct mw_model_parser *p)
{
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    for (size_t i = 0; i < MW_COUNT(header_lines); i++) {
        if (!mw_word_is(p->at, n, header_lines[i].word))
            continue;
        p->at += n;
        const int rc = header_lines[i].parse(p);
        mw_model_skip_blanks(p);
        if (rc == 0 && *p->at && *p->at != '\n')
            return mw_model_wrong(p, "something stands behind the end of this line", NULL);
        return rc;
    }
    return mw_model_wrong(p, "expected model, about, field, noise, param, dt or conserve after //@", NULL);
}

/* ---- making ---- */

static int check_complete(struct mw_model_parser *p)
{
    const struct mw_model *m = p->model;
    p->line = 1;
    if (!p->has_model)
        return mw_model_wrong(p, "no //@ model line: this is not a model file", NULL);
    if (m->info.field_count == 0)
        return mw_model_wrong(p, "no //@ field line", NULL);
    for (size_t i = 0; i < m->info.field_count; i++)
        if (!p->has_rate[i])
            return mw_model_wrong(p, "no RATE for the field", m->fields[i].name);
    for (size_t i = 0; i < m->stage_count; i++)
        if (!p->stage_used[i]) {
            p->line = m->stages[i].line;
            return mw_model_wrong(p, "nothing uses the stage", m->stages[i].name);
        }
    for (size_t i = 0; i < m->noise_count; i++)
        if (!p->noise_used[i]) {
            p->line = p->noise_line[i];
            return mw_model_wrong(p, "nothing uses the noise", m->noises[i]);
        }
    return 0;
}

int mw_model_parse(const char *path, const char *text, struct mw_model **result)
{
    struct mw_model_parser *p = NULL;
    struct mw_model *m = NULL;
    char *path_copy;
    int rc;

    TRY(mw_new(1, sizeof *p, &p));
    TRY(mw_new(1, sizeof *m, &m));
    TRY(mw_strdup(text, &m->text));
    /* Names are pieces of the text, each with an end of its own: those of complex fields three times, those in messages
     * once more. */
    TRY(mw_new(4 * strlen(text) + 64, 1, &m->names));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->fields, &m->fields));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->params, &m->params));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->stages, &m->stages));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->noises, &m->noises));
    TRY(mw_new(MW_USES_MAX, sizeof *m->uses, &m->uses));
    TRY(mw_strdup(path, &path_copy));
    m->info.path = path_copy;
    m->info.hash = mw_hash64(text, strlen(text), 0);
    m->info.fields = m->fields;
    m->info.params = m->params;
    m->info.dt = 0.01;
    m->info.about = "";
    *p = (struct mw_model_parser){ .path = path, .model = m, .at = m->text, .line = 1, .names_end = m->names,
                                   .by = MW_BY_NOBODY };
    TRY(mw_model_read_text(p));
    TRY(check_complete(p));
    m->info.has_noise = m->noise_count > 0;
    *result = m;
    m = NULL;
out:
    free(p);
    mw_model_free(m);
    return rc;
}

struct mw_model *mw_model_hold(const struct mw_model *model)
{
    /* The count is all that ever changes in a model. */
    struct mw_model *m = (struct mw_model *)model;
    atomic_fetch_add(&m->references, 1);
    return m;
}

void mw_model_free(struct mw_model *model)
{
    if (!model || atomic_fetch_sub(&model->references, 1) > 0)
        return;
    free((char *)model->info.path);
    free(model->text);
    free(model->names);
    free(model->fields);
    free(model->params);
    free(model->stages);
    free(model->noises);
    free(model->uses);
    free(model);
}

const struct mw_model_info *mw_model_info(const struct mw_model *model)
{
    return &model->info;
}
