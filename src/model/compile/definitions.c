/* Definitions of a model: rates, stages, the energy, named values and functions.  They are found first.  A definition
 * is then compiled where another one needs it, so that their order in the text does not matter. */
#include <stdio.h>

#include "model/compile/compile.h"

struct mw_definition *mw_definition_find(struct mw_compiler *c, const char *name, size_t n)
{
    for (size_t i = 0; i < c->definition_count; i++) {
        const struct mw_token *t = &c->tokens[c->definitions[i].name];
        if (c->definitions[i].kind >= MW_DEFINE_VALUE || c->definitions[i].kind == MW_DEFINE_STAGE)
            if (t->n == n && memcmp(t->at, name, n) == 0)
                return &c->definitions[i];
    }
    return NULL;
}

/* ---- finding definitions ---- */

/* Returns whether the next token is this word in capitals or lower case, as the begin of a definition. */
static bool begins(const struct mw_compiler *c, const char *capitals, const char *lower)
{
    return (mw_token_is(c, c->at, capitals) || mw_token_is(c, c->at, lower)) &&
           (mw_token_is(c, c->at + 1, "(") || mw_token_is(c, c->at + 1, "="));
}

/* Starts and maps below //@ replace replace those above, since the last one of a quantity sets its root. */
bool mw_definition_replaces(const struct mw_compiler *c, const struct mw_token *name)
{
    return c->p->replace && name->at > c->p->replace;
}

static int name_in_parentheses(struct mw_compiler *c, struct mw_definition *d, const char *what)
{
    const int word = c->at++;
    if (!mw_token_is(c, c->at, "(") || c->tokens[c->at + 1].kind != MW_TOKEN_NAME || !mw_token_is(c, c->at + 2, ")"))
        return mw_compile_wrong(c, word, what);
    d->name = c->at + 1;
    c->at += 3;
    return 0;
}

/* The expression of a map, compiled as a start. */
static int take_map(struct mw_compiler *c, struct mw_definition *d)
{
    const struct mw_token *t = &c->tokens[d->name];
    d->kind = MW_DEFINE_START;
    d->field = mw_model_find_quantity(c->model, t->at, t->n);
    if (d->field < (int)c->model->info.field_count)
        return mw_compile_wrong(c, d->name, "no //@ map line declares '%.*s'");
    if (c->p->has_start[d->field] && !mw_definition_replaces(c, t))
        return mw_compile_wrong(c, d->name, "a second map of '%.*s'");
    c->p->has_start[d->field] = true;
    return 0;
}

/* map(NAME) */
static int begin_map(struct mw_compiler *c, struct mw_definition *d)
{
    TRY_RETURN(name_in_parentheses(c, d, "'%.*s' needs the name of a map in parentheses"));
    return take_map(c, d);
}

/* rate(FIELD) or start(FIELD) */
static int begin_rate(struct mw_compiler *c, struct mw_definition *d)
{
    struct mw_model_parser *p = c->p;
    const bool start = mw_token_is(c, c->at, "start");
    bool *const has = start ? p->has_start : p->has_rate;
    d->kind = start ? MW_DEFINE_START : MW_DEFINE_RATE;
    TRY_RETURN(name_in_parentheses(c, d, "'%.*s' needs the name of a field in parentheses"));
    const struct mw_token *t = &c->tokens[d->name];
    const int pair = mw_model_find_complex(c->model, t->at, t->n);
    d->of_complex = pair >= 0;
    d->field = pair >= 0 ? pair : mw_model_find_field(c->model, t->at, t->n);
    if (d->field < 0)
        return mw_compile_wrong(c, d->name, "no //@ field line declares '%.*s'");
    for (int i = d->field; i <= d->field + d->of_complex; i++) {
        /* The rate below the last //@ replace replaces one above. */
        const bool lower = p->last_replace && t->at > p->last_replace && p->rate_at[i] < p->last_replace;
        const bool replaces = start ? mw_definition_replaces(c, t) : lower;
        if (has[i] && !replaces)
            return mw_compile_wrong(c, d->name, start ? "a second start of '%.*s'" : "a second rate of '%.*s'");
        has[i] = true;
        p->rate_at[i] = start ? p->rate_at[i] : t->at;
        c->exact_starts |= (uint64_t)(start && replaces) << i;
    }
    return 0;
}

/* boundary(FIELD), boundary(FIELD, SIDE) */
static int begin_boundary(struct mw_compiler *c, struct mw_definition *d)
{
    d->kind = MW_DEFINE_BOUNDARY;
    c->at += 2;
    return mw_edge_begin(c, d);
}

/* Checks a new name, and copies it to the model's names. */
static int check_name(struct mw_compiler *c, int token)
{
    struct mw_model_parser *p = c->p;
    const struct mw_token *t = &c->tokens[token];
    char *kept = p->names_end;
    if (mw_definition_find(c, t->at, t->n))
        return mw_compile_wrong(c, token, "declared twice: %.*s");
    mw_model_move(p, (struct mw_text_place){ t->at, t->at - (t->column - 1), t->line });
    mw_model_keep(p, t->at, t->n);
    const int rc = mw_model_check_name(p, kept);
    p->names_end = kept;
    return rc;
}

/* domain = EXPRESSION defines the map `domain`, and declares it unless a line of the header has done so. */
static int begin_domain(struct mw_compiler *c, struct mw_definition *d)
{
    struct mw_model *m = c->model;
    const struct mw_token *t = &c->tokens[c->at];
    d->name = c->at++;
    if (mw_model_find_quantity(m, t->at, t->n) < (int)m->info.field_count) {
        TRY_RETURN(check_name(c, d->name));
        if (mw_model_quantities(m) == MW_MODEL_NAMES_MAX)
            return mw_compile_wrong(c, d->name, "too many fields and maps at '%.*s' (at most 64)");
        const struct mw_model_param map = { .name = mw_model_keep(c->p, t->at, t->n), .value = 1, .help = "" };
        m->fields[mw_model_quantities(m)] = (struct mw_model_field){ .name = map.name, .mean = map.value };
        m->maps[m->info.map_count++] = map;
    }
    return take_map(c, d);
}

static int begin_stage(struct mw_compiler *c, struct mw_definition *d)
{
    d->kind = MW_DEFINE_STAGE;
    TRY_RETURN(name_in_parentheses(c, d, "'%.*s' needs a name in parentheses"));
    return check_name(c, d->name);
}

static int begin_energy(struct mw_compiler *c, struct mw_definition *d)
{
    d->kind = MW_DEFINE_ENERGY;
    d->name = c->at++;
    if (mw_token_take(c, "(") && !mw_token_take(c, ")"))
        return mw_compile_wrong(c, c->at, "an energy has no argument '%.*s'");
    if (c->model->info.has_energy)
        return mw_compile_wrong(c, d->name, "a second '%.*s'");
    c->model->info.has_energy = true;
    return 0;
}

/* NAME(ARGUMENT, ...) of a function, or NAME of a value. */
static int begin_other(struct mw_compiler *c, struct mw_definition *d)
{
    mw_token_take_types(c);
    d->kind = MW_DEFINE_VALUE;
    d->name = c->at++;
    if (c->tokens[d->name].kind != MW_TOKEN_NAME)
        return mw_compile_wrong(c, d->name, "expected a definition, such as rate(NAME) = ..., found '%.*s'");
    TRY_RETURN(check_name(c, d->name));
    if (!mw_token_take(c, "("))
        return 0;
    d->kind = MW_DEFINE_FUNCTION;
    while (!mw_token_take(c, ")")) {
        if (d->arguments > 0)
            TRY_RETURN(mw_token_expect(c, ","));
        mw_token_take_types(c);
        if (c->tokens[c->at].kind != MW_TOKEN_NAME)
            return mw_compile_wrong(c, c->at, "expected the name of an argument, found '%.*s'");
        TRY_RETURN(mw_compile_local_name(c, c->at, true));
        if (d->arguments == MW_ARGUMENTS_MAX)
            return mw_compile_wrong(c, c->at, "too many arguments at '%.*s' (at most 8)");
        for (unsigned i = 0; i < d->arguments; i++) {
            const struct mw_token *a = &c->tokens[c->at], *b = &c->tokens[d->argument[i]];
            if (a->n == b->n && memcmp(a->at, b->at, a->n) == 0)
                return mw_compile_wrong(c, c->at, "a second argument '%.*s'");
        }
        d->argument[d->arguments++] = c->at++;
    }
    return 0;
}

/* Moves past a body to the next definition. */
static int skip_body(struct mw_compiler *c, struct mw_definition *d)
{
    int depth = 0;
    d->block = mw_token_is(c, c->at, "{");
    if (!d->block && d->kind != MW_DEFINE_BOUNDARY)
        TRY_RETURN(mw_token_expect(c, "="));
    d->begin = c->at;
    for (;; c->at++) {
        if (c->tokens[c->at].kind == MW_TOKEN_END && d->block)
            return mw_compile_wrong(c, d->begin, "this '%.*s' is not closed");
        depth += mw_token_is(c, c->at, "{") - mw_token_is(c, c->at, "}");
        if (c->tokens[c->at].kind == MW_TOKEN_END || (d->block && depth == 0) ||
            (!d->block && mw_token_is(c, c->at, ";")))
            break;
    }
    c->at += c->tokens[c->at].kind != MW_TOKEN_END;
    return 0;
}

static int find_definitions(struct mw_compiler *c)
{
    c->at = 0;
    while (c->tokens[c->at].kind != MW_TOKEN_END) {
        struct mw_definition d = { .field = -1, .stage = -1 };
        if (mw_token_take(c, ";"))
            continue;
        if (begins(c, "RATE", "rate") || begins(c, "start", "start"))
            TRY_RETURN(begin_rate(c, &d));
        else if (begins(c, "boundary", "boundary"))
            TRY_RETURN(begin_boundary(c, &d));
        else if (begins(c, "map", "map"))
            TRY_RETURN(begin_map(c, &d));
        else if (mw_token_is(c, c->at, "domain") && mw_token_is(c, c->at + 1, "="))
            TRY_RETURN(begin_domain(c, &d));
        else if (begins(c, "STAGE", "stage"))
            TRY_RETURN(begin_stage(c, &d));
        else if (begins(c, "ENERGY", "energy"))
            TRY_RETURN(begin_energy(c, &d));
        else
            TRY_RETURN(begin_other(c, &d));
        TRY_RETURN(skip_body(c, &d));
        if (c->definition_count == MW_DEFINITIONS_MAX)
            return mw_compile_wrong(c, d.name, "too many definitions at '%.*s' (at most 256)");
        c->definitions[c->definition_count++] = d;
    }
    return 0;
}

/* ---- building ---- */

/* Adds a stage of the text.  Stages that it reads have lower numbers, since they were completed before. */
static int add_stage(struct mw_compiler *c, struct mw_definition *d, int root)
{
    struct mw_model *m = c->model;
    const struct mw_token *t = &c->tokens[d->name];
    if (m->stage_count == MW_MODEL_NAMES_MAX)
        return mw_compile_wrong(c, d->name, "too many stages at '%.*s' (at most 64)");
    d->stage = (int)m->stage_count++;
    m->stages[d->stage] = (struct mw_model_stage){ mw_model_keep(c->p, t->at, t->n), t->line };
    c->stage_root[d->stage] = root;
    d->value = mw_value_real(mw_node_operator(c, MW_OP_AT, MW_FIRST_STAGE + d->stage, -1));
    return 0;
}

static int finish_definition(struct mw_compiler *c, struct mw_definition *d)
{
    int *const roots = d->kind == MW_DEFINE_START ? c->start_root : c->rate_root;
    int node, im;
    if (d->kind == MW_DEFINE_VALUE)
        return 0;
    if (d->kind == MW_DEFINE_BOUNDARY)
        return mw_edge_finish(c, d);
    if (d->of_complex && d->value.kind == MW_VALUE_COMPLEX) {
        const int zero = mw_node_constant(c, 0, NULL, 0);
        roots[d->field] = d->value.re < 0 ? zero : d->value.re;
        roots[d->field + 1] = d->value.im < 0 ? zero : d->value.im;
        return 0;
    }
    TRY_RETURN(mw_value_to_real(c, d->name, d->value, &node));
    if (d->kind == MW_DEFINE_STAGE)
        return add_stage(c, d, node);
    if (d->kind == MW_DEFINE_ENERGY) {
        c->energy_root = node;
        return 0;
    }
    roots[d->field] = node;
    im = mw_node_constant(c, 0, NULL, 0);
    if (d->of_complex)
        roots[d->field + 1] = im;
    return 0;
}

int mw_definition_build(struct mw_compiler *c, int token, struct mw_definition *d)
{
    const int at = c->at;
    const size_t base = c->local_base, count = c->local_count;
    const bool in_energy = c->in_energy, in_start = c->in_start;
    if (d->state == MW_BUILT)
        return 0;
    if (d->state == MW_IN_WORK)
        return mw_compile_wrong(c, token, "the definition of '%.*s' refers to itself");
    d->state = MW_IN_WORK;
    c->in_energy = d->kind == MW_DEFINE_ENERGY;
    c->in_start = d->kind == MW_DEFINE_START;
    TRY_RETURN(mw_compile_enter(c));
    c->local_base = count;
    TRY_RETURN(mw_compile_body(c, d, &d->value));
    TRY_RETURN(finish_definition(c, d));
    d->state = MW_BUILT;
    c->nesting--;
    c->in_energy = in_energy;
    c->in_start = in_start;
    c->local_base = base;
    c->local_count = count;
    c->at = at;
    return 0;
}

int mw_definition_energy(struct mw_compiler *c, int token)
{
    for (size_t i = 0; i < c->definition_count; i++)
        if (c->definitions[i].kind == MW_DEFINE_ENERGY)
            return mw_definition_build(c, token, &c->definitions[i]);
    return mw_compile_wrong(c, token, "'%.*s' needs an energy: energy = ...");
}

static int begin_graph(struct mw_compiler *c)
{
    TRY_RETURN(mw_node_begin(c));
    TRY_RETURN(mw_own_new(&c->owner, MW_LOCALS_MAX, sizeof *c->locals, &c->locals));
    TRY_RETURN(mw_own_new(&c->owner, MW_DEFINITIONS_MAX, sizeof *c->definitions, &c->definitions));
    for (size_t i = 0; i < MW_MODEL_NAMES_MAX; i++)
        c->rate_root[i] = c->start_root[i] = c->stage_root[i] = -1;
    c->energy_root = -1;
    return 0;
}

int mw_compile_definitions(struct mw_compiler *c)
{
    TRY_RETURN(begin_graph(c));
    TRY_RETURN(find_definitions(c));
    const int domain = mw_model_find_quantity(c->model, "domain", strlen("domain"));
    c->model->domain = domain >= (int)c->model->info.field_count ? domain : 0;
    for (size_t i = 0; i < c->definition_count; i++)
        if (c->definitions[i].kind != MW_DEFINE_FUNCTION)
            TRY_RETURN(mw_definition_build(c, c->definitions[i].name, &c->definitions[i]));
    return 0;
}
/* SPDX-License-Identifier: MIT */
