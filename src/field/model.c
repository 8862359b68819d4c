/* Model files: the header of //@ lines, and what follows from the equation's text about stages and their reach. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/field_internal.h"

#define NAMES_MAX 64             /* fields, parameters or stages of one model */

/* An operator of the model language: how far it looks. */
static const struct operator { const char *name; int radius; } operators[] = {
    { "AT", 0 },
    { "LAP", 1 },
};

/* One look of a stage or a rate at a field or a stage. */
struct use { int by, of_stage, radius; };
#define BY_RATE (-1)
#define OF_FIELD (-1)
#define USES_MAX 1024

struct parser {
    const char *path;
    struct mw_model *model;
    const char *at;              /* next character */
    int line;
    char *names_end;
    struct use uses[USES_MAX];
    size_t use_count;
    bool has_rate[NAMES_MAX];
    bool has_model;
};

static int wrong(const struct parser *p, const char *what, const char *name)
{
    return mw_fail(MW_EBUILD, "%s:%d: %s%s%s", p->path, p->line, what, name ? " " : "", name ? name : "");
}

/* ---- words of a header line ---- */

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
        p->at++;
}

/* Copies [from, from + n) behind the names that are already kept. */
static const char *keep(struct parser *p, const char *from, size_t n)
{
    char *kept = p->names_end;
    memcpy(kept, from, n);
    kept[n] = 0;
    p->names_end += n + 1;
    return kept;
}

static size_t identifier_length(const char *s)
{
    size_t n = 0;
    if (isalpha((unsigned char)s[0]) || s[0] == '_')
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
    return n;
}

static bool known_name(const struct parser *p, const char *name)
{
    const struct mw_model *m = p->model;
    for (size_t i = 0; i < m->info.field_count; i++)
        if (strcmp(m->fields[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < m->info.param_count; i++)
        if (strcmp(m->params[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < m->stage_count; i++)
        if (strcmp(m->stages[i].name, name) == 0)
            return true;
    return false;
}

/* A new name: one identifier that nothing else is called, and no macro of the dialect (those are all capitals). */
static int new_name(struct parser *p, const char **name)
{
    skip_blanks(p);
    const size_t n = identifier_length(p->at);
    size_t lower = 0;
    if (n == 0)
        return wrong(p, "expected a name (letters, digits, '_')", NULL);
    for (size_t i = 0; i < n; i++)
        lower += !isupper((unsigned char)p->at[i]) && p->at[i] != '_';
    const char *kept = keep(p, p->at, n);
    if (n > 31)
        return wrong(p, "names have at most 31 characters:", kept);
    if (lower == 0 && (n > 1 || *kept == 'P' || *kept == 'R' || *kept == '_'))
        return wrong(p, "names of capitals alone belong to the model language:", kept);
    if (known_name(p, kept))
        return wrong(p, "declared twice:", kept);
    p->at += n;
    *name = kept;
    return 0;
}

static int number(struct parser *p, double *value)
{
    char *end;
    skip_blanks(p);
    const double v = strtod(p->at, &end);
    if (end == p->at || !isfinite(v))
        return wrong(p, "expected a finite number", NULL);
    p->at = end;
    *value = v;
    return 0;
}

static int quoted(struct parser *p, const char **text)
{
    skip_blanks(p);
    if (*p->at != '"')
        return wrong(p, "expected a text in double quotes", NULL);
    const char *end = p->at + 1 + strcspn(p->at + 1, "\"\n");
    if (*end != '"')
        return wrong(p, "the text has no closing quote", NULL);
    *text = keep(p, p->at + 1, (size_t)(end - p->at - 1));
    p->at = end + 1;
    return 0;
}

/* ---- header lines: a table of words ---- */

static int header_model(struct parser *p)
{
    skip_blanks(p);
    const size_t n = strcspn(p->at, " \t\r\n");
    if (p->has_model)
        return wrong(p, "a second //@ model line", NULL);
    if (n == 0)
        return wrong(p, "expected the model's name", NULL);
    p->has_model = true;
    p->model->info.name = keep(p, p->at, n);
    p->at += n;
    return quoted(p, &p->model->info.equation);
}

static int header_about(struct parser *p)
{
    return quoted(p, &p->model->info.about);
}

static int header_field(struct parser *p)
{
    struct mw_model_info *info = &p->model->info;
    struct mw_model_field *f = &p->model->fields[info->field_count];
    int rc = 0;
    if (info->field_count == NAMES_MAX)
        return wrong(p, "too many fields", NULL);
    TRY(new_name(p, &f->name));
    for (skip_blanks(p); rc == 0 && *p->at && *p->at != '\n'; skip_blanks(p)) {
        double *value = strncmp(p->at, "noise=", 6) == 0  ? &f->noise
                        : strncmp(p->at, "mean=", 5) == 0 ? &f->mean
                                                          : NULL;
        if (!value)
            return wrong(p, "a field takes noise=NUMBER and mean=NUMBER", NULL);
        p->at += value == &f->noise ? 6 : 5;
        rc = number(p, value);
    }
    if (rc == 0)
        info->field_count++;
out:
    return rc;
}

static int header_param(struct parser *p)
{
    struct mw_model_info *info = &p->model->info;
    struct mw_model_param *param = &p->model->params[info->param_count];
    int rc = 0;
    if (info->param_count == NAMES_MAX)
        return wrong(p, "too many parameters", NULL);
    TRY(new_name(p, &param->name));
    TRY(number(p, &param->value));
    TRY(quoted(p, &param->help));
    info->param_count++;
out:
    return rc;
}

static int header_dt(struct parser *p)
{
    const int rc = number(p, &p->model->info.dt);
    return rc == 0 && p->model->info.dt <= 0 ? wrong(p, "dt must be positive", NULL) : rc;
}

static int header_conserve(struct parser *p)
{
    skip_blanks(p);
    const size_t n = identifier_length(p->at);
    for (size_t i = 0; i < p->model->info.field_count; i++)
        if (strlen(p->model->fields[i].name) == n && strncmp(p->model->fields[i].name, p->at, n) == 0) {
            p->model->fields[i].conserved = true;
            p->at += n;
            return 0;
        }
    return wrong(p, "conserve needs the name of a field declared above", NULL);
}

static const struct { const char *word; int (*parse)(struct parser *p); } header_lines[] = {
    { "model", header_model }, { "about", header_about },       { "field", header_field },
    { "param", header_param }, { "conserve", header_conserve }, { "dt", header_dt },
};

static int parse_header_line(struct parser *p)
{
    skip_blanks(p);
    const size_t n = identifier_length(p->at);
    for (size_t i = 0; i < MW_COUNT(header_lines); i++) {
        if (strlen(header_lines[i].word) != n || strncmp(header_lines[i].word, p->at, n) != 0)
            continue;
        p->at += n;
        const int rc = header_lines[i].parse(p);
        skip_blanks(p);
        if (rc == 0 && *p->at && *p->at != '\n')
            return wrong(p, "something stands behind the end of this line", NULL);
        return rc;
    }
    return wrong(p, "expected model, about, field, param, dt or conserve after //@", NULL);
}

/* ---- the equation's text: who looks at what, how far ---- */

static int find_stage(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->stage_count; i++)
        if (strlen(m->stages[i].name) == n && strncmp(m->stages[i].name, name, n) == 0)
            return (int)i;
    return -1;
}

static int find_field(const struct mw_model *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->info.field_count; i++)
        if (strlen(m->fields[i].name) == n && strncmp(m->fields[i].name, name, n) == 0)
            return (int)i;
    return -1;
}

/* Steps over a preprocessor line, with the lines that continue it.  An operator in a macro would not be seen where the
 * macro is used, and the reach would come out too small. */
static int pass_directive(struct parser *p)
{
    while (*p->at && *p->at != '\n' && !(p->at[0] == '/' && p->at[1] == '*')) {
        const size_t n = identifier_length(p->at), skipped = n ? n : 1;
        if (p->at[0] == '/' && p->at[1] == '/') {
            p->at += strcspn(p->at, "\n");
            break;
        }
        for (size_t i = 0; i < MW_COUNT(operators); i++)
            if (strlen(operators[i].name) == n && strncmp(p->at, operators[i].name, n) == 0)
                return wrong(p, "operators cannot stand in a macro:", operators[i].name);
        if (p->at[0] == '\\' && p->at[1 + (p->at[1] == '\r')] == '\n') {
            p->at += 1 + (p->at[1] == '\r');
            p->line++;
        }
        p->at += skipped;
    }
    return 0;
}

/* Steps over comments and strings; false where the text stands at something else. */
static bool skip_uninteresting(struct parser *p)
{
    const char *s = p->at;
    if (s[0] == '/' && s[1] == '*') {
        for (s += 2; *s && !(s[0] == '*' && s[1] == '/'); s++)
            p->line += *s == '\n';
        p->at = *s ? s + 2 : s;
    } else if (s[0] == '/' && s[1] == '/') {
        p->at = s + strcspn(s, "\n");
    } else if (s[0] == '"' || s[0] == '\'') {
        for (s++; *s && *s != *p->at && *s != '\n'; s++)
            s += s[0] == '\\' && s[1];
        p->at = *s == *p->at ? s + 1 : s;
    } else {
        return false;
    }
    return true;
}

/* At "(name)": steps behind it and gives the name's place; 0 length when it is not of that form. */
static size_t parenthesised(struct parser *p, const char **name)
{
    const char *s = p->at + strspn(p->at, " \t");
    if (*s != '(')
        return 0;
    s += 1 + strspn(s + 1, " \t");
    const size_t n = identifier_length(s);
    const char *end = s + n + strspn(s + n, " \t");
    if (n == 0 || *end != ')')
        return 0;
    *name = s;
    p->at = end + 1;
    return n;
}

static int begin_stage(struct parser *p)
{
    struct mw_model *m = p->model;
    const char *start = p->at, *unused;
    const size_t n = parenthesised(p, &unused);
    if (n == 0)
        return wrong(p, "STAGE needs a name in parentheses", NULL);
    if (m->stage_count == NAMES_MAX)
        return wrong(p, "too many stages", NULL);
    const char *behind = p->at;
    p->at = start + strspn(start, " \t") + 1;
    const int rc = new_name(p, &m->stages[m->stage_count].name);
    p->at = behind;
    if (rc == 0)
        m->stages[m->stage_count++].line = p->line;
    return rc;
}

static int begin_rate(struct parser *p)
{
    const char *name;
    const size_t n = parenthesised(p, &name);
    const int field = n ? find_field(p->model, name, n) : -1;
    if (field < 0)
        return wrong(p, "RATE needs the name of a field declared by //@ field", NULL);
    if (p->has_rate[field])
        return wrong(p, "a second RATE for", p->model->fields[field].name);
    p->has_rate[field] = true;
    return 0;
}

static int note_use(struct parser *p, const struct operator *op, int by)
{
    const char *name;
    const size_t n = parenthesised(p, &name);
    if (n == 0)
        return wrong(p, "operators take the name of one field or stage:", op->name);
    const int stage = find_stage(p->model, name, n);
    if (stage < 0 && find_field(p->model, name, n) < 0)
        return wrong(p, "no field and no earlier stage is called", keep(p, name, n));
    if (stage >= 0 && stage == by)
        return wrong(p, "a stage cannot look at itself:", p->model->stages[stage].name);
    if (p->use_count == USES_MAX)
        return wrong(p, "too many operators", NULL);
    p->uses[p->use_count++] = (struct use){ by, stage >= 0 ? stage : OF_FIELD, op->radius };
    return 0;
}

/* A word of the text, n characters long: a definition begins, or an operator looks.  `by` is who looks. */
static int parse_word(struct parser *p, size_t n, int depth, int *by)
{
    const char *word = p->at;
    int rc = 0;
    p->at += n;
    if (depth == 0 && n == 5 && strncmp(word, "STAGE", n) == 0) {
        rc = begin_stage(p);
        *by = (int)p->model->stage_count - 1;
    } else if (depth == 0 && n == 4 && strncmp(word, "RATE", n) == 0) {
        rc = begin_rate(p);
        *by = BY_RATE;
    }
    for (size_t i = 0; rc == 0 && i < MW_COUNT(operators); i++)
        if (strlen(operators[i].name) == n && strncmp(word, operators[i].name, n) == 0)
            rc = note_use(p, &operators[i], *by);
    return rc;
}

static int parse_body(struct parser *p)
{
    int depth = 0, by = BY_RATE, rc = 0;
    bool line_start = true;
    while (*p->at && rc == 0) {
        const size_t n = identifier_length(p->at);
        if (*p->at == '\n') {
            p->line++;
            p->at++;
            line_start = true;
            continue;
        }
        if (*p->at == ' ' || *p->at == '\t') {
            p->at++;
            continue;
        }
        if (line_start && strncmp(p->at, "//@", 3) == 0) {
            p->at += 3;
            rc = parse_header_line(p);
        } else if (n) {
            rc = parse_word(p, n, depth, &by);
        } else if (*p->at == '#') {
            rc = pass_directive(p);
        } else if (!skip_uninteresting(p)) {
            depth += (*p->at == '{') - (*p->at == '}');
            p->at++;
        }
        line_start = false;
    }
    return rc;
}

/* ---- what follows ---- */

static int max_int(int a, int b) { return a > b ? a : b; }

/* Leads from the rates backwards: a stage is needed as far ahead as its furthest user needs it. */
static int find_reach(struct parser *p)
{
    struct mw_model *m = p->model;
    int behind[NAMES_MAX] = { 0 };
    bool used[NAMES_MAX] = { false };
    for (int s = (int)m->stage_count - 1; s >= 0; s--)
        for (size_t i = 0; i < p->use_count; i++) {
            const struct use *u = &p->uses[i];
            const int lead = u->by == BY_RATE ? 0 : m->stages[u->by].lead;
            if (u->of_stage != s)
                continue;
            used[s] = true;
            m->stages[s].lead = max_int(m->stages[s].lead, lead + u->radius);
            behind[s] = max_int(behind[s], u->radius - lead);
        }
    for (size_t s = 0; s < m->stage_count; s++) {
        struct mw_model_stage *stage = &m->stages[s];
        if (!used[s]) {
            p->line = stage->line;
            return wrong(p, "nothing uses the stage", stage->name);
        }
        stage->ring = stage->lead + max_int(behind[s], -stage->lead) + 1;
        stage->first = m->ring_rows;
        m->ring_rows += stage->ring;
        m->max_lead = max_int(m->max_lead, stage->lead);
    }
    for (size_t i = 0; i < p->use_count; i++) {
        const int lead = p->uses[i].by == BY_RATE ? 0 : m->stages[p->uses[i].by].lead;
        m->radius = max_int(m->radius, p->uses[i].radius);
        m->reach = max_int(m->reach, lead + p->uses[i].radius);
    }
    return 0;
}

/* Looks at cells of one evaluation of a stage (or of all rates), with its stages in place: the size of the code that
 * the fused variant makes of it. */
static void count_looks(struct parser *p)
{
    struct mw_model *m = p->model;
    double looks[NAMES_MAX + 1] = { 0 };
    for (int by = 0; by <= (int)m->stage_count; by++)
        for (size_t i = 0; i < p->use_count; i++) {
            const struct use *u = &p->uses[i];
            if (u->by == (by < (int)m->stage_count ? by : BY_RATE))
                looks[by] += (u->radius ? 5 : 1) * (u->of_stage == OF_FIELD ? 1 : looks[u->of_stage]);
        }
    m->looks = looks[m->stage_count];
}

static int check_complete(struct parser *p)
{
    p->line = 1;
    if (!p->has_model)
        return wrong(p, "no //@ model line: this is not a model file", NULL);
    if (p->model->info.field_count == 0)
        return wrong(p, "no //@ field line", NULL);
    for (size_t i = 0; i < p->model->info.field_count; i++)
        if (!p->has_rate[i])
            return wrong(p, "no RATE for the field", p->model->fields[i].name);
    return 0;
}

int mw_model_parse(const char *path, const char *text, struct mw_model **result)
{
    struct parser *p = NULL;
    struct mw_model *m = NULL;
    char *text_copy, *path_copy;
    int rc;

    TRY(mw_new(1, sizeof *p, &p));
    TRY(mw_new(1, sizeof *m, &m));
    TRY(mw_strdup(text, &m->text));
    text_copy = m->text;
    /* Names are pieces of the text, each with an end of its own; the messages of unknown names once more. */
    TRY(mw_new(2 * strlen(text) + 64, 1, &m->names));
    TRY(mw_new(NAMES_MAX + 1, sizeof *m->fields, &m->fields));
    TRY(mw_new(NAMES_MAX + 1, sizeof *m->params, &m->params));
    TRY(mw_new(NAMES_MAX + 1, sizeof *m->stages, &m->stages));
    TRY(mw_strdup(path, &path_copy));
    m->info.path = path_copy;
    m->hash = mw_hash64(text, strlen(text), 0);
    m->info.fields = m->fields;
    m->info.params = m->params;
    m->info.dt = 0.01;
    m->info.about = "";
    *p = (struct parser){ .path = path, .model = m, .at = text_copy, .line = 1, .names_end = m->names };
    TRY(parse_body(p));
    TRY(check_complete(p));
    TRY(find_reach(p));
    count_looks(p);
    *result = m;
    m = NULL;
out:
    free(p);
    mw_model_free(m);
    return rc;
}

void mw_model_free(struct mw_model *model)
{
    if (!model)
        return;
    free((char *)model->info.path);
    free(model->text);
    free(model->names);
    free(model->fields);
    free(model->params);
    free(model->stages);
    free(model);
}

const struct mw_model_info *mw_model_info(const struct mw_model *model)
{
    return &model->info;
}

void mw_model_reach(const struct mw_model *model, enum mw_laplacian laplacian, struct mw_reach *reach)
{
    (void)laplacian;
    *reach = (struct mw_reach){ .radius = model->radius, .reach = model->reach, .max_lead = model->max_lead,
                                .looks = model->looks };
    for (size_t s = 0; s < model->stage_count; s++) {
        reach->lead[s] = model->stages[s].lead;
        reach->ring[s] = model->stages[s].ring;
    }
}
