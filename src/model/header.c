/* The header of a model file: its //@ lines. */
#include <math.h>

#include "model/parser.h"

/* ---- words of a line ---- */

int mw_model_number(struct mw_model_parser *p, double *value)
{
    char *end = NULL;
    mw_model_skip_blanks(p);
    /* strtod would skip the end of the line. */
    const double v = mw_is_space(*p->at) ? NAN : mw_number_read(p->at, &end);
    if (!isfinite(v) || end == p->at)
        return mw_model_wrong(p, "expected a finite number", NULL);
    p->at = end;
    *value = v;
    return 0;
}

int mw_model_quoted(struct mw_model_parser *p, const char **text)
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

/* ---- lines: a table of words ---- */

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
    return mw_model_quoted(p, &p->model->info.equation);
}

static int header_about(struct mw_model_parser *p) { return mw_model_quoted(p, &p->model->info.about); }

/* Adds NAME_re and NAME_im for a complex field NAME; `f` has its initial state. */
static int add_complex(struct mw_model_parser *p, const struct mw_model_field *f)
{
    static const char *const suffixes[] = { "_re", "_im" };
    struct mw_model_info *info = &p->model->info;
    struct mw_model_field parts[2];
    for (size_t i = 0; i < 2; i++) {
        const char *base = mw_model_keep(p, f->name, strlen(f->name));
        p->names_end--;
        mw_model_keep(p, suffixes[i], strlen(suffixes[i]));
        parts[i] = (struct mw_model_field){ .name = base,
                                            .noise = f->noise,
                                            .part = i ? MW_COMPLEX_PART_IMAGINARY : MW_COMPLEX_PART_REAL };
        TRY_RETURN(mw_model_check_name(p, base));
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
    const struct {
        const char *word;
        double *value;
    } settings[] = {
        { "noise=", &f.noise },
        { "mean=", &f.mean },
        { "outside=", &f.outside },
    };
    bool is_complex = false;
    TRY_RETURN(mw_model_new_name(p, &f.name));
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
            return mw_model_wrong(p, "expected complex, noise=NUMBER, mean=NUMBER or outside=NUMBER", NULL);
        p->at += strlen(settings[i].word);
        TRY_RETURN(mw_model_number(p, settings[i].value));
    }
    if (mw_model_quantities(p->model) + (is_complex ? 2 : 1) > MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many fields", NULL);
    if (is_complex)
        return add_complex(p, &f);
    p->model->fields[info->field_count++] = f;
    return 0;
}

/* NAME VALUE "HELP" */
static int read_number_line(struct mw_model_parser *p, struct mw_model_param *param, size_t *count)
{
    TRY_RETURN(mw_model_new_name(p, &param->name));
    TRY_RETURN(mw_model_number(p, &param->value));
    TRY_RETURN(mw_model_quoted(p, &param->help));
    ++*count;
    return 0;
}

static int header_param(struct mw_model_parser *p)
{
    struct mw_model_info *info = &p->model->info;
    if (info->param_count == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many parameters", NULL);
    return read_number_line(p, &p->model->params[info->param_count], &info->param_count);
}

static int header_map(struct mw_model_parser *p)
{
    struct mw_model_info *info = &p->model->info;
    if (mw_model_quantities(p->model) == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many fields and maps", NULL);
    return read_number_line(p, &p->model->maps[info->map_count], &info->map_count);
}

static int header_replace(struct mw_model_parser *p)
{
    p->replace = p->replace ? p->replace : p->at;
    p->last_replace = p->at;
    return 0;
}

static int header_noise(struct mw_model_parser *p)
{
    static const char setting[] = "amplitude=";
    struct mw_model *m = p->model;
    struct mw_model_noise noise = { 0 };
    const char *help;
    if (m->noise_count == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many noise terms", NULL);
    mw_model_skip_blanks(p);
    p->noise_at[m->noise_count] = mw_model_place(p);
    TRY_RETURN(mw_model_new_name(p, &noise.name));
    mw_model_skip_blanks(p);
    if (strncmp(p->at, setting, strlen(setting)) == 0) {
        p->at += strlen(setting);
        const size_t n = mw_identifier_length(p->at);
        noise.amplitude = mw_model_keep(p, p->at, n);
        p->at += n;
    }
    TRY_RETURN(mw_model_quoted(p, &help));
    m->noises[m->noise_count++] = noise;
    return 0;
}

static int header_dt(struct mw_model_parser *p)
{
    const int rc = mw_model_number(p, &p->model->info.dt);
    return rc == 0 && p->model->info.dt <= 0 ? mw_model_wrong(p, "dt must be positive", NULL) : rc;
}

/* The name of a complex field selects both parts. */
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

enum whose { OF_ANY, OF_FIELDS, OF_SPINS };
static const struct {
    const char *word;
    enum whose whose;
    int (*parse)(struct mw_model_parser *p);
} header_lines[] = {
    { "model", OF_ANY, header_model },          { "about", OF_ANY, header_about },
    { "param", OF_ANY, header_param },          { "field", OF_FIELDS, header_field },
    { "noise", OF_FIELDS, header_noise },       { "dt", OF_FIELDS, header_dt },
    { "conserve", OF_FIELDS, header_conserve }, { "map", OF_FIELDS, header_map },
    { "replace", OF_FIELDS, header_replace },   { "spin", OF_SPINS, mw_model_spin_line },
    { "bond", OF_SPINS, mw_model_bond_line },   { "site", OF_SPINS, mw_model_site_line },
    { "start", OF_SPINS, mw_model_start_line },
};

/* The first line that is specific to fields or spins determines the model's kind. */
static int choose_kind(struct mw_model_parser *p, enum whose whose)
{
    const enum mw_model_kind kind = whose == OF_SPINS ? MW_MODEL_SPIN : MW_MODEL_FIELD;
    if (whose != OF_ANY && p->has_kind && p->model->info.kind != kind)
        return mw_model_wrong(p, "a model declares either fields or spins: this line belongs to the other kind", NULL);
    if (whose != OF_ANY) {
        p->has_kind = true;
        p->model->info.kind = kind;
    }
    return 0;
}

static int header_line(struct mw_model_parser *p)
{
    mw_model_skip_blanks(p);
    const size_t n = mw_identifier_length(p->at);
    for (size_t i = 0; i < MW_COUNT(header_lines); i++) {
        if (!mw_word_is(p->at, n, header_lines[i].word))
            continue;
        p->at += n;
        TRY_RETURN(choose_kind(p, header_lines[i].whose));
        TRY_RETURN(header_lines[i].parse(p));
        mw_model_skip_blanks(p);
        if (*p->at && *p->at != '\n')
            return mw_model_wrong(p, "unexpected text at the end of this line", NULL);
        return 0;
    }
    return mw_model_wrong(
        p,
        "expected model, about, param, field, map, noise, dt, conserve, replace, spin, bond, site or start "
        "after //@",
        NULL);
}

/* Returns whether a line of the text begins with //@ spin. */
static bool declares_spins(const char *text)
{
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        const char *word = strncmp(at, "//@", 3) == 0 ? at + 3 + strspn(at + 3, " \t") : at;
        if (word > at && mw_word_is(word, mw_identifier_length(word), "spin"))
            return true;
    }
    return false;
}

int mw_model_read_header(struct mw_model_parser *p)
{
    struct mw_model *m = p->model;
    bool line_start = true;
    p->has_spins = declares_spins(p->at);
    while (*p->at) {
        line_start = line_start || *p->at == '\n';
        if (mw_model_skip_space(p))
            continue;
        if (line_start && strncmp(p->at, "//@", 3) == 0) {
            p->at += 3;
            TRY_RETURN(header_line(p));
        } else if (p->at[0] == '/' && (p->at[1] == '/' || p->at[1] == '*')) {
            TRY_RETURN(mw_model_skip_comment(p));
        } else {
            p->at++;
        }
        line_start = false;
    }
    for (size_t i = 0; i < m->info.map_count; i++)
        m->fields[m->info.field_count + i] =
            (struct mw_model_field){ .name = m->maps[i].name, .mean = m->maps[i].value };
    return 0;
}
/* SPDX-License-Identifier: MIT */
