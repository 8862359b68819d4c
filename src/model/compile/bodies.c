/* Bodies of definitions: statements, and calls of the model's functions.  A variable is a name for a node, so that an
 * assignment gives the name to another node.  After an if, each variable that a branch changed is selected by the
 * condition.  A return does the same with the body's value. */
#include "model/compile/compile.h"

#define CALLS_MAX 4096

/* What the statements so far return.  done: the truth of "a return was reached"; NEVER or ALWAYS. */
struct outcome {
    struct mw_model_value value;
    int done;
};
#define NEVER (-1)
#define ALWAYS (-2)

static int read_statement(struct mw_compiler *c, struct outcome *o);

/* ---- variables ---- */

struct mw_local *mw_local_find(struct mw_compiler *c, int token)
{
    const struct mw_token *t = &c->tokens[token];
    for (size_t i = c->local_count; i > c->local_base; i--)
        if (c->locals[i - 1].n == t->n && memcmp(c->locals[i - 1].name, t->at, t->n) == 0)
            return &c->locals[i - 1];
    return NULL;
}

static int add_local(struct mw_compiler *c, int token, struct mw_model_value value)
{
    const struct mw_token *t = &c->tokens[token];
    if (c->local_count == MW_LOCALS_MAX)
        return mw_compile_wrong(c, token, "too many variables at '%.*s' (at most 512)");
    c->locals[c->local_count++] = (struct mw_local){ t->at, t->n, value };
    return 0;
}

static int read_declarations(struct mw_compiler *c)
{
    do {
        struct mw_model_value value = { .kind = MW_VALUE_NONE };
        const int token = c->at;
        if (c->tokens[token].kind != MW_TOKEN_NAME)
            return mw_compile_wrong(c, token, "expected the name of a variable, found '%.*s'");
        TRY_RETURN(mw_compile_local_name(c, token, false));
        c->at++;
        if (mw_token_take(c, "="))
            TRY_RETURN(mw_compile_expression(c, &value));
        TRY_RETURN(add_local(c, token, value));
    } while (mw_token_take(c, ","));
    return mw_token_expect(c, ";");
}

/* NAME = EXPRESSION; or += -= *= /= */
static int read_assignment(struct mw_compiler *c)
{
    static const char *const signs[] = { "+", "-", "*", "/" };
    const int token = c->at, sign = token + 1;
    struct mw_model_value value;
    c->at += 2;
    TRY_RETURN(mw_compile_expression(c, &value));
    struct mw_local *local = mw_local_find(c, token);
    if (!local)
        return mw_compile_wrong(c, token, "'%.*s' is not a variable: declare it as real");
    if (!mw_token_is(c, sign, "=")) {
        struct mw_token *t = &c->tokens[sign];
        if (local->value.kind == MW_VALUE_NONE)
            return mw_compile_wrong(c, token, "'%.*s' has no value yet");
        for (size_t i = 0; i < MW_COUNT(signs); i++)
            if (t->at[0] == signs[i][0]) {
                t->n = 1; /* the operation alone */
                const int rc = mw_value_binary(c, sign, local->value, value, &value);
                t->n = 2;
                TRY_RETURN(rc);
                break;
            }
    }
    local->value = value;
    return mw_token_expect(c, ";");
}

static bool is_assignment(const struct mw_compiler *c)
{
    static const char *const signs[] = { "=", "+=", "-=", "*=", "/=" };
    if (c->tokens[c->at].kind != MW_TOKEN_NAME)
        return false;
    for (size_t i = 0; i < MW_COUNT(signs); i++)
        if (mw_token_is(c, c->at + 1, signs[i]))
            return true;
    return false;
}

/* ---- branches ---- */

static int truth_of(struct mw_compiler *c, int done)
{
    const int zero = mw_node_constant(c, 0, NULL, 0);
    return done >= 0 ? done : mw_node_new(c, done == ALWAYS ? MW_NODE_EQUAL : MW_NODE_LESS, zero, zero, -1);
}

/* Selects the outcome of two branches. */
static int join_outcomes(struct mw_compiler *c, int token, int condition, const struct outcome *yes,
                         const struct outcome *no, struct outcome *o)
{
    const struct outcome *one = yes->done != NEVER ? yes : no;
    *o = *one;
    if (yes->done == NEVER && no->done == NEVER)
        return 0;
    if (yes->done != NEVER && no->done != NEVER)
        TRY_RETURN(mw_value_select(c, token, condition, yes->value, no->value, &o->value));
    if (yes->done == ALWAYS && no->done == ALWAYS)
        return 0;
    const int denied = mw_node_new(c, MW_NODE_NOT, condition, -1, -1);
    const int first = yes->done == NEVER    ? -1
                      : yes->done == ALWAYS ? condition
                                            : mw_node_new(c, MW_NODE_AND, condition, truth_of(c, yes->done), -1);
    const int second = no->done == NEVER    ? -1
                       : no->done == ALWAYS ? denied
                                            : mw_node_new(c, MW_NODE_AND, denied, truth_of(c, no->done), -1);
    o->done = first < 0 ? second : second < 0 ? first : mw_node_new(c, MW_NODE_OR, first, second, -1);
    return 0;
}

/* Adds a later outcome: it counts if no earlier return was reached. */
static int append_outcome(struct mw_compiler *c, int token, struct outcome *o, const struct outcome *later)
{
    if (later->done == NEVER)
        return 0;
    if (o->done == NEVER) {
        *o = *later;
        return 0;
    }
    TRY_RETURN(mw_value_select(c, token, o->done, o->value, later->value, &o->value));
    o->done = later->done == ALWAYS ? ALWAYS : mw_node_new(c, MW_NODE_OR, o->done, later->done, -1);
    return 0;
}

/* Reads a branch, and drops its own variables: those after the first `visible`. */
static int read_branch(struct mw_compiler *c, size_t visible, struct outcome *o)
{
    *o = (struct outcome){ .done = NEVER };
    TRY_RETURN(read_statement(c, o));
    c->local_count = visible;
    return 0;
}

static bool same_value(const struct mw_model_value *a, const struct mw_model_value *b)
{
    bool same = a->kind == b->kind && a->re == b->re && a->im == b->im && a->terms == b->terms;
    for (unsigned i = 0; same && i < a->terms; i++)
        same = a->term[i].factor == b->term[i].factor && a->term[i].of == b->term[i].of;
    return same;
}

/* Selects each variable that differs after the branches; `after_yes` are the values after the first. */
static int join_locals(struct mw_compiler *c, int token, int condition, const struct mw_local *after_yes)
{
    for (size_t i = c->local_base; i < c->local_count; i++) {
        const struct mw_model_value yes = after_yes[i].value, no = c->locals[i].value;
        if (same_value(&yes, &no))
            continue;
        if (yes.kind == MW_VALUE_NONE || no.kind == MW_VALUE_NONE)
            c->locals[i].value = (struct mw_model_value){ .kind = MW_VALUE_NONE };
        else
            TRY_RETURN(mw_value_select(c, token, condition, yes, no, &c->locals[i].value));
    }
    return 0;
}

static int read_if(struct mw_compiler *c, struct outcome *o)
{
    struct outcome yes, no = { .done = NEVER }, joined;
    struct mw_model_value value;
    struct mw_local *before = NULL, *after_yes = NULL;
    const size_t visible = c->local_count;
    const int token = c->at++;
    int condition, rc;
    TRY(mw_token_expect(c, "("));
    TRY(mw_compile_expression(c, &value));
    TRY(mw_value_to_truth(c, token, value, &condition));
    TRY(mw_token_expect(c, ")"));
    TRY(mw_new(MW_LOCALS_MAX, sizeof *before, &before));
    TRY(mw_new(MW_LOCALS_MAX, sizeof *after_yes, &after_yes));
    memcpy(before, c->locals, visible * sizeof *before);
    TRY(read_branch(c, visible, &yes));
    memcpy(after_yes, c->locals, visible * sizeof *before);
    memcpy(c->locals, before, visible * sizeof *before);
    if (mw_token_take(c, "else"))
        TRY(read_branch(c, visible, &no));
    TRY(join_locals(c, token, condition, after_yes));
    TRY(join_outcomes(c, token, condition, &yes, &no, &joined));
    rc = append_outcome(c, token, o, &joined);
out:
    free(before);
    free(after_yes);
    return rc;
}

/* ---- statements ---- */

static int read_return(struct mw_compiler *c, struct outcome *o)
{
    struct outcome now = { .done = ALWAYS };
    const int token = c->at++;
    TRY_RETURN(mw_compile_expression(c, &now.value));
    TRY_RETURN(mw_token_expect(c, ";"));
    return append_outcome(c, token, o, &now);
}

static int read_block(struct mw_compiler *c, struct outcome *o)
{
    const int open = c->at++;
    const size_t outside = c->local_count;
    while (!mw_token_take(c, "}")) {
        if (c->tokens[c->at].kind == MW_TOKEN_END)
            return mw_compile_wrong(c, open, "this '%.*s' is not closed");
        if (o->done == ALWAYS)
            return mw_compile_wrong(c, c->at, "'%.*s' is after a return");
        TRY_RETURN(read_statement(c, o));
    }
    c->local_count = outside;
    return 0;
}

static int read_statement(struct mw_compiler *c, struct outcome *o)
{
    static const char *const refused[] = { "for", "while", "do", "switch", "goto", "break", "continue" };
    static const char *const types[] = { "int", "float", "double", "long", "unsigned", "bool", "short", "char" };
    TRY_RETURN(mw_compile_enter(c));
    for (size_t i = 0; i < MW_COUNT(refused); i++)
        if (mw_token_is(c, c->at, refused[i]))
            return mw_compile_wrong(c, c->at, "'%.*s': models have no loops or jumps: write the terms out");
    for (size_t i = 0; i < MW_COUNT(types); i++)
        if (mw_token_is(c, c->at, types[i]))
            return mw_compile_wrong(c, c->at, "type '%.*s': the only type is real, the precision of the run");
    if (mw_token_is(c, c->at, "{"))
        TRY_RETURN(read_block(c, o));
    else if (mw_token_is(c, c->at, "if"))
        TRY_RETURN(read_if(c, o));
    else if (mw_token_is(c, c->at, "return"))
        TRY_RETURN(read_return(c, o));
    else if (is_assignment(c))
        TRY_RETURN(read_assignment(c));
    else if (mw_token_take_types(c))
        TRY_RETURN(read_declarations(c));
    else if (!mw_token_take(c, ";"))
        return mw_compile_wrong(c, c->at, "expected a statement, found '%.*s'");
    c->nesting--;
    return 0;
}

int mw_compile_body(struct mw_compiler *c, const struct mw_definition *d, struct mw_model_value *value)
{
    struct outcome o = { .done = NEVER };
    c->at = d->begin;
    if (!d->block) {
        TRY_RETURN(mw_compile_expression(c, value));
        return c->tokens[c->at].kind == MW_TOKEN_END ? 0 : mw_token_expect(c, ";");
    }
    TRY_RETURN(read_block(c, &o));
    if (o.done != ALWAYS)
        return mw_compile_wrong(c, d->name,
                                o.done == NEVER ? "'%.*s' returns no value"
                                                : "'%.*s' does not return a value in all cases");
    *value = o.value;
    return 0;
}

/* Binds the arguments to the function's names, and compiles its body at this place. */
int mw_compile_call(struct mw_compiler *c, int token, struct mw_definition *function, struct mw_model_value *value)
{
    struct mw_model_value a[MW_ARGUMENTS_MAX];
    const size_t base = c->local_base, count = c->local_count;
    unsigned given = 0;
    if (++c->calls > CALLS_MAX)
        return mw_compile_wrong(c, token, "too many calls of functions at '%.*s'");
    TRY_RETURN(mw_compile_enter(c));
    TRY_RETURN(mw_token_expect(c, "("));
    while (!mw_token_take(c, ")")) {
        if (given == function->arguments || (given > 0 && !mw_token_take(c, ",")))
            return mw_compile_wrong(c, c->at, "expected ')' after the function's arguments, found '%.*s'");
        TRY_RETURN(mw_compile_expression(c, &a[given++]));
    }
    if (given < function->arguments)
        return mw_compile_wrong(c, token, "too few arguments for the function '%.*s'");
    if (function->state == MW_IN_WORK)
        return mw_compile_wrong(c, token, "the function '%.*s' calls itself");
    function->state = MW_IN_WORK;
    const int after = c->at;
    c->local_base = count;
    for (unsigned i = 0; i < given; i++)
        TRY_RETURN(add_local(c, function->argument[i], a[i]));
    TRY_RETURN(mw_compile_body(c, function, value));
    c->local_base = base;
    c->local_count = count;
    c->at = after;
    function->state = MW_NOT_BUILT;
    c->nesting--;
    return 0;
}
/* SPDX-License-Identifier: MIT */
