/* Reads a model's text from the first to the last line, and records which stage or rate reads which fields. */
#include <string.h>

#include "model/parser.h"

/* ---- skipped text ---- */

/* Skips a preprocessor line with its continuations.  Operators in macros are rejected: their uses would not be found,
 * and the reach would be too small. */
static int pass_directive(struct mw_model_parser *p)
{
    const char *word = p->at + 1 + strspn(p->at + 1, " \t");
    p->conditional = p->conditional || strncmp(word, "if", 2) == 0;
    while (*p->at && *p->at != '\n' && !(p->at[0] == '/' && p->at[1] == '*')) {
        const size_t n = mw_identifier_length(p->at), skipped = n ? n : 1;
        if (p->at[0] == '/' && p->at[1] == '/') {
            p->at += strcspn(p->at, "\n");
            break;
        }
        for (size_t i = 0; i < MW_OP_COUNT; i++)
            if (mw_word_is(p->at, n, mw_operators[i].name))
                return mw_model_wrong(p, "operators are not allowed in macros:", mw_operators[i].name);
        if (mw_word_is(p->at, n, "LOCAL_OF"))
            return mw_model_wrong(p, "not allowed in macros:", "LOCAL_OF");
        if (p->at[0] == '\\' && p->at[1 + (p->at[1] == '\r')] == '\n') {
            p->at += 1 + (p->at[1] == '\r');
            p->line++;
        }
        p->at += skipped;
    }
    return 0;
}

/* Skips a comment or string; returns false if there is another text. */
static bool skip_uninteresting(struct mw_model_parser *p)
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

/* ---- definitions ---- */

size_t mw_model_parenthesised(struct mw_model_parser *p, const char **name)
{
    const char *s = p->at + strspn(p->at, " \t");
    if (*s != '(')
        return 0;
    s += 1 + strspn(s + 1, " \t");
    const size_t n = mw_identifier_length(s);
    const char *end = s + n + strspn(s + n, " \t");
    if (n == 0 || *end != ')')
        return 0;
    *name = s;
    p->at = end + 1;
    return n;
}

static int begin_stage(struct mw_model_parser *p)
{
    struct mw_model *m = p->model;
    const char *name;
    if (mw_model_parenthesised(p, &name) == 0)
        return mw_model_wrong(p, "STAGE needs a name in parentheses", NULL);
    if (m->stage_count == MW_MODEL_NAMES_MAX)
        return mw_model_wrong(p, "too many stages", NULL);
    const char *after = p->at;
    p->at = name;
    const int rc = mw_model_new_name(p, &m->stages[m->stage_count].name);
    p->at = after;
    if (rc == 0) {
        p->by = (int)m->stage_count;
        m->stages[m->stage_count++].line = p->line;
    }
    return rc;
}

/* Fails because no field has this name. */
static int no_field(struct mw_model_parser *p, const char *name, size_t n, const char *what)
{
    if (mw_model_find_complex(p->model, name, n) >= 0)
        return mw_model_wrong(p, "a complex field has two parts, NAME_re and NAME_im:", mw_model_keep(p, name, n));
    return mw_model_wrong(p, what, NULL);
}

static int begin_rate(struct mw_model_parser *p)
{
    const char *name = "";
    const size_t n = mw_model_parenthesised(p, &name);
    const int field = n ? mw_model_find_field(p->model, name, n) : -1;
    if (field < 0)
        return no_field(p, name, n, "RATE needs the name of a field declared by //@ field");
    if (p->has_rate[field])
        return mw_model_wrong(p, "a second RATE for", p->model->fields[field].name);
    p->has_rate[field] = true;
    p->by = MW_BY_RATES;
    return 0;
}

static int begin_energy(struct mw_model_parser *p)
{
    const char *s = p->at + strspn(p->at, " \t");
    const char *end = s + (*s == '(') + strspn(s + (*s == '('), " \t");
    if (*s != '(' || *end != ')')
        return mw_model_wrong(p, "ENERGY has empty parentheses: ENERGY()", NULL);
    if (p->model->info.has_energy)
        return mw_model_wrong(p, "a second ENERGY", NULL);
    p->at = end + 1;
    p->model->info.has_energy = true;
    p->by = MW_BY_ENERGY;
    return 0;
}

static const struct {
    const char *word;
    int (*begin)(struct mw_model_parser *p);
} definitions[] = {
    { "STAGE", begin_stage },
    { "RATE", begin_rate },
    { "ENERGY", begin_energy },
};

/* ---- operators ---- */

/* Records an operator that takes a noise term. */
static int note_noise(struct mw_model_parser *p, const char *name, size_t n)
{
    const int noise = mw_model_find_noise(p->model, name, n);
    if (noise < 0)
        return mw_model_wrong(p, "no //@ noise line declares", mw_model_keep(p, name, n));
    p->noise_used[noise] = true;
    if (p->by >= 0)
        p->stage_noisy[p->by] = true;
    return 0;
}

/* Records an operator that takes a field or a stage. */
static int note_quantity(struct mw_model_parser *p, const char *name, size_t n, short *of_stage)
{
    const int stage = mw_model_find_stage(p->model, name, n);
    if (stage < 0 && mw_model_find_noise(p->model, name, n) >= 0)
        return mw_model_wrong(p, "only NOISE and RANDOM take the name of a noise:", mw_model_keep(p, name, n));
    if (stage < 0 && mw_model_find_field(p->model, name, n) < 0 && mw_model_find_complex(p->model, name, n) < 0)
        return mw_model_wrong(p, "no field or earlier stage has the name", mw_model_keep(p, name, n));
    if (stage < 0 && mw_model_find_field(p->model, name, n) < 0)
        return no_field(p, name, n, NULL);
    if (stage >= 0 && stage == p->by)
        return mw_model_wrong(p, "a stage cannot read itself:", p->model->stages[stage].name);
    if (stage >= 0) {
        *of_stage = (short)stage;
        p->stage_used[stage] = true;
        if (p->by >= 0 && p->stage_noisy[stage])
            p->stage_noisy[p->by] = true;
    }
    return 0;
}

static int note_use(struct mw_model_parser *p, enum mw_operator_number what)
{
    const struct mw_operator *op = &mw_operators[what];
    struct mw_model *m = p->model;
    short of_stage = MW_OF_FIELD;
    const char *name;
    const size_t n = mw_model_parenthesised(p, &name);
    if (p->by == MW_BY_NOBODY)
        return mw_model_wrong(p, "operators are allowed only in STAGE, RATE and ENERGY:", op->name);
    if (n == 0)
        return mw_model_wrong(p,
                              op->of_noise ? "it takes the name of one noise:"
                                           : "operators take the name of one field or stage:",
                              op->name);
    TRY_RETURN(op->of_noise ? note_noise(p, name, n) : note_quantity(p, name, n, &of_stage));
    if (p->by == MW_BY_ENERGY && (op->of_noise || (of_stage >= 0 && p->stage_noisy[of_stage])))
        return mw_model_wrong(p, "an energy cannot contain noise:", mw_model_keep(p, name, n));
    if (m->use_count == MW_USES_MAX)
        return mw_model_wrong(p, "too many operators", NULL);
    m->uses[m->use_count++] = (struct mw_model_use){ (short)p->by, of_stage, (short)what };
    return 0;
}

/* Checks P(name).  For unknown names compilers report a missing struct member, some at a line of generated code. */
static int note_parameter(struct mw_model_parser *p)
{
    const char *name;
    const size_t n = mw_model_parenthesised(p, &name);
    for (size_t i = 0; n && i < p->wanted_count; i++)
        if (p->wanted[i].length == n && memcmp(p->wanted[i].name, name, n) == 0)
            return 0;
    if (n && p->wanted_count < MW_COUNT(p->wanted))
        p->wanted[p->wanted_count++] = (struct mw_wanted){ name, n, p->line };
    return 0;
}

/* Skips R(0.5), whose number is converted to the precision of the run. */
static void pass_real(struct mw_model_parser *p)
{
    const char *s = p->at + strspn(p->at, " \t");
    if (*s != '(')
        return;
    s += 1 + strspn(s + 1, "0123456789.eE+-*/ \t");
    if (*s == ')')
        p->at = s + 1;
}

/* Reads a number and rejects double-precision constants: next to single-precision values, some compilers reject them,
 * or only for some values. */
static int read_constant(struct mw_model_parser *p)
{
    const char *begin = p->at, *s = begin;
    const bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    bool real = false;
    for (; mw_is_letter_or_digit(*s) || *s == '.' || (!hexadecimal && (*s == '+' || *s == '-') && strchr("eE", s[-1]));
         s++)
        real = real || (!hexadecimal && (*s == '.' || *s == 'e' || *s == 'E'));
    p->at = s;
    if (real && s[-1] != 'f' && s[-1] != 'F')
        return mw_model_wrong(p, "double-precision constant: write R(...) around it, or add the suffix f:",
                              mw_model_keep(p, begin, (size_t)(s - begin)));
    return 0;
}

static int brace_is_open(struct mw_model_parser *p)
{
    p->line = p->brace_line;
    return mw_model_wrong(p, "this { is not closed", NULL);
}

/* Reads a word of n characters: the beginning of a definition, or an operator. */
static int read_word(struct mw_model_parser *p, size_t n, int depth)
{
    const char *word = p->at;
    p->at += n;
    if (mw_word_is(word, n, "P"))
        return note_parameter(p);
    if (mw_word_is(word, n, "R")) {
        pass_real(p);
        return 0;
    }
    if (mw_word_is(word, n, "double"))
        return mw_model_wrong(p, "type not supported by all devices: use real, the precision of the run, instead of",
                              "double");
    if (p->has_kind && p->model->info.kind == MW_MODEL_SPIN)
        return mw_model_spin_word(p, word, n, depth);
    for (size_t i = 0; i < MW_COUNT(definitions); i++)
        if (mw_word_is(word, n, definitions[i].word) && (depth == 0 || !p->conditional))
            return depth == 0 ? definitions[i].begin(p) : brace_is_open(p);
    for (int i = 0; i < MW_OP_COUNT; i++)
        if (mw_word_is(word, n, mw_operators[i].name))
            return note_use(p, (enum mw_operator_number)i);
    return 0;
}

int mw_model_read_text(struct mw_model_parser *p)
{
    int depth = 0, rc = 0;
    bool line_start = true, after_number = false; /* comments and blanks do not separate a number from a sign */
    while (*p->at && rc == 0) {
        const size_t n = mw_identifier_length(p->at);
        const char *begin = p->at;
        if (*p->at == '\n') {
            p->line++;
            p->at++;
            line_start = true;
            continue;
        }
        if (*p->at == ' ' || *p->at == '\t' || *p->at == '\r') {
            p->at++;
            continue;
        }
        if (line_start && strncmp(p->at, "//@", 3) == 0) {
            p->at += 3;
            rc = mw_model_header_line(p);
        } else if (n) {
            rc = read_word(p, n, depth);
            after_number = !mw_word_is(begin, n, "return");
        } else if (mw_is_digit(*p->at) || (*p->at == '.' && mw_is_digit(p->at[1]))) {
            rc = read_constant(p);
            after_number = true;
        } else if (*p->at == '#') {
            rc = pass_directive(p);
        } else if (skip_uninteresting(p)) {
            after_number = after_number && *begin == '/';
        } else {
            if (p->by >= MW_BY_RATES && depth > 0)
                p->model->signs += after_number && strchr("+-*/", *p->at);
            after_number = *p->at == ')' || *p->at == ']';
            if (*p->at == '{' && depth == 0)
                p->brace_line = p->line;
            depth += (*p->at == '{') - (*p->at == '}');
            if (depth < 0 && !p->conditional)
                return mw_model_wrong(p, "} without {", NULL);
            if (*p->at == '}' && depth == 0)
                p->by = MW_BY_NOBODY;
            p->at++;
        }
        line_start = false;
    }
    return rc == 0 && depth > 0 && !p->conditional ? brace_is_open(p) : rc;
}
/* SPDX-License-Identifier: MIT */
