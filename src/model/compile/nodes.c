/* Nodes of the expression graph.  Operands are always older than the nodes that use them. */
#include <math.h>

#include "model/compile/compile.h"

#define BUCKETS 4096
#define DEPTH_MAX 40 /* so that written expressions, and the recursion that writes them, are not deeper */

static bool is_truth(enum mw_node_kind kind) { return kind >= MW_NODE_LESS; }

static bool same_node(const struct mw_node *x, const struct mw_node *y)
{
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c &&
           (x->kind != MW_NODE_CONSTANT || (strcmp(x->number, y->number) == 0));
}

static size_t bucket_of(const struct mw_node *n)
{
    const int parts[] = { (int)n->kind, n->a, n->b, n->c };
    const uint64_t hash = mw_hash64(parts, sizeof parts, 0);
    return (n->number ? mw_hash64(n->number, strlen(n->number), hash) : hash) % BUCKETS;
}

void mw_node_operands(const struct mw_node *n, int operand[3])
{
    const bool nodes = n->kind >= MW_NODE_ADD;
    operand[0] = nodes && n->kind != MW_NODE_FUNCTION ? n->a : -1;
    operand[1] = nodes ? n->b : -1;
    operand[2] = nodes ? n->c : -1;
}

size_t mw_node_mark(const struct mw_node *nodes, int root, bool *needed)
{
    size_t count = 0;
    int operand[3];
    needed[root] = true;
    for (int i = root; i >= 0; i--) {
        mw_node_operands(&nodes[i], operand);
        for (int k = 0; k < 3 && needed[i]; k++)
            if (operand[k] >= 0)
                needed[operand[k]] = true;
        count += needed[i];
    }
    return count;
}

int mw_node_begin(struct mw_compiler *c)
{
    TRY_RETURN(mw_own_new(&c->owner, MW_NODES_MAX, sizeof *c->nodes, &c->nodes));
    TRY_RETURN(mw_own_new(&c->owner, MW_NODES_MAX, sizeof *c->next, &c->next));
    TRY_RETURN(mw_own_new(&c->owner, BUCKETS, sizeof *c->buckets, &c->buckets));
    for (size_t i = 0; i < BUCKETS; i++)
        c->buckets[i] = -1;
    return 0;
}

bool mw_compile_full(const struct mw_compiler *c) { return c->node_count == MW_NODES_MAX; }

static int add_node(struct mw_compiler *c, struct mw_node n)
{
    const size_t bucket = bucket_of(&n);
    int operand[3];
    for (int i = c->buckets[bucket]; i >= 0; i = c->next[i])
        if (same_node(&c->nodes[i], &n))
            return i;
    if (mw_compile_full(c))
        return 0;
    n.truth = is_truth(n.kind);
    n.timed = n.kind == MW_NODE_MEAN || (n.kind == MW_NODE_PLACE && (n.a == MW_PLACE_TIME || n.a == MW_PLACE_VOLUME));
    n.varies = n.kind == MW_NODE_OPERATOR || (n.kind == MW_NODE_PLACE && (n.a <= MW_PLACE_Z || n.a == MW_PLACE_NOISE));
    n.cells = n.varies || n.kind == MW_NODE_FUNCTION || n.kind == MW_NODE_DIVIDE;
    mw_node_operands(&n, operand);
    for (int i = 0; i < 3; i++)
        if (operand[i] >= 0) {
            n.cells = n.cells || c->nodes[operand[i]].cells;
            n.varies = n.varies || c->nodes[operand[i]].varies;
            n.timed = n.timed || c->nodes[operand[i]].timed;
            n.depth = c->nodes[operand[i]].depth + 1 > n.depth ? c->nodes[operand[i]].depth + 1 : n.depth;
        }
    n.depth = n.depth > DEPTH_MAX ? 0 : n.depth;
    n.token = c->at;
    c->nodes[c->node_count] = n;
    c->next[c->node_count] = c->buckets[bucket];
    return c->buckets[bucket] = (int)c->node_count++;
}

int mw_node_constant(struct mw_compiler *c, double value, const char *text, size_t n)
{
    struct mw_node node = { .kind = MW_NODE_CONSTANT, .a = -1, .b = -1, .c = -1, .value = value };
    struct mw_text number = { 0 };
    if (text && n > 0)
        mw_text_append(&number, text, n);
    else
        mw_text_add(&number, "%.17g", value);
    if (number.data && !strpbrk(number.data, ".eE")) /* R() appends a suffix, which whole numbers may not have */
        mw_text_add(&number, ".0");
    if (mw_text_ok(&number) != 0) {
        mw_text_free(&number);
        return 0;
    }
    node.number = number.data;
    return mw_own(&c->owner, number.data, free) ? 0 : add_node(c, node);
}

int mw_node_operator(struct mw_compiler *c, enum mw_operator_number what, int quantity, int second)
{
    return add_node(c, (struct mw_node){ .kind = MW_NODE_OPERATOR, .a = (int)what, .b = quantity, .c = second });
}

static bool is_constant(const struct mw_compiler *c, int node)
{
    return node >= 0 && c->nodes[node].kind == MW_NODE_CONSTANT;
}

/* Computes an operation of constants.  Returns false if the result is not finite: devices then compute it. */
static bool fold(const struct mw_compiler *c, enum mw_node_kind kind, int a, int b, double *value)
{
    const double x = c->nodes[a].value, y = b >= 0 ? c->nodes[b].value : 0;
    switch (kind) {
    case MW_NODE_ADD: *value = x + y; break;
    case MW_NODE_SUBTRACT: *value = x - y; break;
    case MW_NODE_MULTIPLY: *value = x * y; break;
    case MW_NODE_DIVIDE: *value = x / y; break;
    case MW_NODE_NEGATE: *value = -x; break;
    default: return false;
    }
    return isfinite(*value);
}

/* Returns whether 1 / x is exact, also in single precision: x is a power of two. */
static bool is_power_of_two(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 12 == 0 && fabs(x) > 1e-30 && fabs(x) < 1e30;
}

int mw_node_new(struct mw_compiler *c, enum mw_node_kind kind, int a, int b, int third)
{
    double value;
    if (kind >= MW_NODE_ADD && kind <= MW_NODE_NEGATE && is_constant(c, a) && (b < 0 || is_constant(c, b)) &&
        fold(c, kind, a, b, &value))
        return mw_node_constant(c, value, NULL, 0);
    if (kind == MW_NODE_DIVIDE && is_constant(c, b) && is_power_of_two(c->nodes[b].value)) /* with the same bits */
        return mw_node_new(c, MW_NODE_MULTIPLY, a, mw_node_constant(c, 1 / c->nodes[b].value, NULL, 0), -1);
    return add_node(c, (struct mw_node){ .kind = kind, .a = a, .b = b, .c = third });
}

int mw_node_negate(struct mw_compiler *c, int a) { return a < 0 ? a : mw_node_new(c, MW_NODE_NEGATE, a, -1, -1); }

int mw_node_sum(struct mw_compiler *c, int a, int b)
{
    return a < 0 ? b : b < 0 ? a : mw_node_new(c, MW_NODE_ADD, a, b, -1);
}

static bool is_one(const struct mw_compiler *c, int node)
{
    return node < 0 || (c->nodes[node].kind == MW_NODE_CONSTANT && c->nodes[node].value == 1);
}

int mw_node_product(struct mw_compiler *c, int a, int b)
{
    return is_one(c, a) ? b : is_one(c, b) ? a : mw_node_new(c, MW_NODE_MULTIPLY, a, b, -1);
}

void mw_node_factor(struct mw_compiler *c, int node, int *factor, int *rest)
{
    const struct mw_node n = c->nodes[node];
    int inner;
    *factor = -1;
    *rest = node;
    if (n.kind == MW_NODE_NEGATE) {
        mw_node_factor(c, n.a, &inner, rest);
        *factor = inner < 0 ? mw_node_constant(c, -1, NULL, 0) : mw_node_new(c, MW_NODE_NEGATE, inner, -1, -1);
    } else if (n.kind == MW_NODE_MULTIPLY && (!c->nodes[n.a].cells || !c->nodes[n.b].cells)) {
        const int number = c->nodes[n.a].cells ? n.b : n.a;
        mw_node_factor(c, c->nodes[n.a].cells ? n.a : n.b, &inner, rest);
        *factor = inner < 0 ? number : mw_node_new(c, MW_NODE_MULTIPLY, number, inner, -1);
    }
}
/* SPDX-License-Identifier: MIT */
