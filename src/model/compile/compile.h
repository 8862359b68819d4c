/* The compiler of field models.  It reads definitions in the language of doc/models.md and builds one expression graph
 * per model.  From the graph it writes each stage, rate and energy as one kernel function in the words of
 * cl/field/view.clh.  Internal.
 *
 *   tokens.c       the text's tokens
 *   nodes.c        nodes of the graph: equal nodes are stored once, and numbers are folded
 *   values.c       arithmetic of values: reals, truths, complex numbers and sums of gradients
 *   functions.c    the language's functions and operators, and stages for operators of expressions
 *   constructs.c   functions made of others: selections, complex numbers, divergences
 *   expressions.c  expressions, by recursive descent
 *   bodies.c       statements, and calls of the model's functions
 *   definitions.c  definitions, in the order in which they need each other
 *   place.c        starts of fields, evaluated on the host; function_value.c has the functions
 *   linear.c       the rates of small waves on a uniform state, on the host
 *   derive.c       the functional derivative of the energy
 *   edges.c        boundary conditions of fields
 *   reserved.c     words of the language
 *   uses.c         checks of what definitions use
 *   emit.c         the text for kernels, the operators used and the count of operations */
#ifndef MW_MODEL_COMPILE_H
#define MW_MODEL_COMPILE_H

#include "model/parser.h"

/* ---- tokens ---- */

enum mw_token_kind { MW_TOKEN_END, MW_TOKEN_NAME, MW_TOKEN_NUMBER, MW_TOKEN_SIGN };
struct mw_token {
    enum mw_token_kind kind;
    const char *at; /* in the model's text */
    size_t n;
    int line, column;
};

/* ---- the graph ---- */

/* Operations of nodes.  Operands are nodes, except those of MW_NODE_OPERATOR. */
enum mw_node_kind {
    MW_NODE_CONSTANT, /* a number, as text */
    MW_NODE_PARAM,    /* a: the parameter */
    MW_NODE_DIMS,     /* the number of dimensions */
    MW_NODE_PLACE,    /* a: enum mw_place_value */
    MW_NODE_MEAN,     /* a: number of a density, whose mean over all cells this is */
    MW_NODE_OPERATOR, /* a: row of mw_operators; b, c: quantities (c: -1 unless the operator takes two) */
    MW_NODE_ADD,
    MW_NODE_SUBTRACT,
    MW_NODE_MULTIPLY,
    MW_NODE_DIVIDE,
    MW_NODE_NEGATE,
    MW_NODE_FUNCTION, /* a: row of mw_model_functions; b, c: its arguments */
    MW_NODE_SELECT,   /* a: the condition; b, c: the value if it holds, and otherwise */
    MW_NODE_NUMBER,   /* 1 if a holds, otherwise 0 */
    /* truths */
    MW_NODE_LESS,
    MW_NODE_LESS_EQUAL,
    MW_NODE_EQUAL,
    MW_NODE_AND,
    MW_NODE_OR,
    MW_NODE_NOT,
};

/* Coordinates and lengths of the mesh, in units of length; the time. */
enum mw_place_value {
    MW_PLACE_X,
    MW_PLACE_Y,
    MW_PLACE_Z,
    MW_PLACE_LENGTH_X,
    MW_PLACE_LENGTH_Y,
    MW_PLACE_LENGTH_Z,
    MW_PLACE_TIME,
    MW_PLACE_VOLUME, /* volume of the mesh; in expressions of the host */
    MW_PLACE_NOISE,  /* a random number per cell, uniform in [-1, 1); in starts and maps */
};

/* Quantities that operators read: fields, then noise terms, then stages. */
#define MW_FIRST_NOISE MW_MODEL_NAMES_MAX
#define MW_FIRST_STAGE (2 * MW_MODEL_NAMES_MAX)

struct mw_node {
    enum mw_node_kind kind;
    bool cells, truth;  /* is a vector in kernels; is a truth */
    bool varies, timed; /* differs between cells; depends on the time, on means or on the mesh's volume */
    int a, b, c;        /* -1: none */
    unsigned depth;     /* of nested operations since the last that is stored in a variable */
    const char *number; /* of MW_NODE_CONSTANT: a decimal number without a suffix, and its value */
    double value;
    int token; /* the first place in the text where it was made */
};
#define MW_NODES_MAX 32768

/* A function of reals with the same bits on all devices (cl/math.clh). */
struct mw_model_function {
    const char *name, *call;
    unsigned arguments, operations; /* arithmetic operations, about, for the cost of a model */
};
extern const struct mw_model_function mw_model_functions[];
/* Returns the row of the function with this name, or -1. */
int mw_model_function_find(const char *name, size_t n, unsigned arguments);

/* ---- values ---- */

enum mw_value_kind { MW_VALUE_NONE, MW_VALUE_REAL, MW_VALUE_TRUTH, MW_VALUE_COMPLEX, MW_VALUE_VECTOR };
#define MW_TERMS_MAX 8
struct mw_model_value {
    enum mw_value_kind kind;
    int re, im;     /* nodes; -1 in a complex number: exactly 0 */
    unsigned terms; /* of a vector: the sum of factor * grad(of) */
    struct {
        int factor, of; /* nodes; factor -1: 1 */
    } term[MW_TERMS_MAX];
};

/* ---- the compiler's state ---- */

struct mw_local {
    const char *name;
    size_t n;
    struct mw_model_value value;
};
#define MW_LOCALS_MAX 512
#define MW_NESTING_MAX 100

enum mw_definition_kind {
    MW_DEFINE_RATE,
    MW_DEFINE_START,
    MW_DEFINE_BOUNDARY,
    MW_DEFINE_STAGE,
    MW_DEFINE_ENERGY,
    MW_DEFINE_VALUE,
    MW_DEFINE_FUNCTION
};
/* Boundary conditions of a field at a side: none given; a value or an outward slope at the face; a value beyond it. */
enum mw_edge_kind { MW_EDGE_NONE, MW_EDGE_VALUE, MW_EDGE_SLOPE, MW_EDGE_OUTSIDE };
#define MW_SIDES_MAX 7 /* lower and upper sides along x, y and z, and: */
#define MW_SIDE_HOLE 6 /* the edge of the domain */
/* `root`: the value or slope.  `factor`: of a slope that depends on the field, slope = root + factor * value at the
 * face; otherwise -1.  `sides`: number of sides that the definition named, since fewer are more specific. */
struct mw_edge {
    enum mw_edge_kind kind;
    int root, factor, sides;
    bool replaces; /* defined below //@ replace */
};

#define MW_ARGUMENTS_MAX 8
struct mw_definition {
    enum mw_definition_kind kind;
    int name, begin; /* tokens: the name (or the word ENERGY), and the body or expression */
    bool block;      /* the body is { ... }; otherwise an expression */
    int field;       /* rate, start or boundary: the field; its real part if it is complex */
    bool of_complex; /* a rate, start or boundary of both parts of a complex field */
    int sides;       /* boundary: bits 2 d and 2 d + 1, the lower and upper side of dimension d; MW_SIDE_HOLE */
    enum mw_edge_kind edge;
    enum { MW_NOT_BUILT, MW_IN_WORK, MW_BUILT } state;
    struct mw_model_value value;
    int stage; /* of a stage, once it is built */
    unsigned arguments;
    int argument[MW_ARGUMENTS_MAX]; /* tokens: names */
};
#define MW_DEFINITIONS_MAX 256

struct mw_compiler {
    struct mw_owner owner; /* frees the compiler's memory, not the model's */
    struct mw_model_parser *p;
    struct mw_model *model;
    struct mw_token *tokens; /* ended by MW_TOKEN_END */
    size_t token_count;
    int at; /* the next token */
    struct mw_node *nodes;
    size_t node_count;
    int *buckets; /* hash table of nodes: the first of each bucket, then per node the next; -1: none */
    int *next;
    struct mw_local *locals;
    size_t local_count, local_base; /* locals before local_base belong to callers */
    struct mw_definition *definitions;
    size_t definition_count;
    int nesting;                                    /* of expressions, statements and calls */
    size_t calls;                                   /* of the model's functions */
    bool in_energy;                                 /* noise is refused */
    bool in_start;                                  /* fields and operators are refused */
    int stage_root[MW_MODEL_NAMES_MAX];             /* nodes; -1 while a stage is built */
    int start_root[MW_MODEL_NAMES_MAX];             /* -1: none */
    uint64_t exact_starts;                          /* as in struct mw_model_starts */
    int rate_root[MW_MODEL_NAMES_MAX], energy_root; /* -1: none */
    int density_root[MW_DENSITIES_MAX];
    struct mw_edge edges[MW_MODEL_NAMES_MAX][MW_SIDES_MAX];
};

/* Reads the whole text into tokens. */
int mw_compile_tokens(struct mw_compiler *c);
/* Compiles the tokens of a field model: sets its stages, uses, operations and text. */
int mw_compile_definitions(struct mw_compiler *c);

/* Fails with "path:line:column: what", where `what` may contain one %s, for the text of that token. */
int mw_compile_wrong(const struct mw_compiler *c, int token, const char *what);
/* Returns whether a token is this word or sign. */
bool mw_token_is(const struct mw_compiler *c, int token, const char *word);
/* Moves past the next token if it is this one; or fails unless it is. */
bool mw_token_take(struct mw_compiler *c, const char *word);
int mw_token_expect(struct mw_compiler *c, const char *word);
/* Moves past the words of a type in C.  They have no effect: the compiler finds out which values differ between
 * cells. */
bool mw_token_take_types(struct mw_compiler *c);
/* Counts a level of nesting, and fails at the maximum.  The caller decreases c->nesting when it leaves. */
int mw_compile_enter(struct mw_compiler *c);

/* Allocates an empty graph. */
int mw_node_begin(struct mw_compiler *c);
/* Return a node, stored once per content.  The graph's limit is checked by mw_compile_full: further nodes are the
 * first one. */
int mw_node_constant(struct mw_compiler *c, double value, const char *text, size_t n);
int mw_node_operator(struct mw_compiler *c, enum mw_operator_number what, int quantity, int second);
int mw_node_new(struct mw_compiler *c, enum mw_node_kind kind, int a, int b, int third);
bool mw_compile_full(const struct mw_compiler *c);
/* Finds the operands of a node that are nodes; others are -1. */
void mw_node_operands(const struct mw_node *node, int operand[3]);
/* Return a negated node and a sum, where -1 is 0, and a product, where -1 is 1. */
int mw_node_negate(struct mw_compiler *c, int a);
int mw_node_sum(struct mw_compiler *c, int a, int b);
int mw_node_product(struct mw_compiler *c, int a, int b);
/* Marks the nodes of an expression, in an array of zeros for nodes up to its root; returns their number. */
size_t mw_node_mark(const struct mw_node *nodes, int root, bool *needed);
/* Returns the factor by which a node multiplies an expression without such a factor, both nodes; factor -1: 1. */
void mw_node_factor(struct mw_compiler *c, int node, int *factor, int *rest);

/* Return values. */
struct mw_model_value mw_value_real(int node);
struct mw_model_value mw_value_of_number(struct mw_compiler *c, double number);
/* Compute the value of "a sign b", where the token is the sign, and of a condition ? a : b. */
int mw_value_binary(struct mw_compiler *c, int token, struct mw_model_value a, struct mw_model_value b,
                    struct mw_model_value *result);
int mw_value_select(struct mw_compiler *c, int token, int condition, struct mw_model_value a, struct mw_model_value b,
                    struct mw_model_value *result);
int mw_value_power(struct mw_compiler *c, int token, struct mw_model_value base, struct mw_model_value exponent,
                   struct mw_model_value *result);
int mw_value_negate(struct mw_compiler *c, int token, struct mw_model_value *value);
/* Converts a value to a real or a truth in place, and returns its node in *node.  Errors name the token. */
int mw_value_to_real(struct mw_compiler *c, int token, struct mw_model_value value, int *node);
int mw_value_to_truth(struct mw_compiler *c, int token, struct mw_model_value value, int *node);

/* Applies an operator to an expression, which becomes a stage if it is no field or stage itself.  `second`: the second
 * expression of an operator that takes two, otherwise -1. */
int mw_operator_apply(struct mw_compiler *c, int token, enum mw_operator_number what, int first, int second, int *node);
/* Finds an operator by its name in capitals or lower case; d_x is grad_x.  Returns its row in mw_operators, or -1. */
int mw_operator_find(const char *name, size_t n);
/* A function that is made of operations and operators; the table ends with a NULL name. */
struct mw_construct {
    const char *name;
    unsigned arguments;
    int (*make)(struct mw_compiler *c, int token, const struct mw_model_value *a, struct mw_model_value *value);
};
extern const struct mw_construct mw_constructs[];
/* Computes the divergence of random fluxes through the faces of cells, which does not change the sum over the mesh.
 * From random numbers p and q of each cell, the flux from cell j into i is (p_i q_j - q_i p_j) / sqrt(2), times s; if s
 * differs between cells, times the geometric mean of both.  s: -1 for 1.  Fluxes through different faces are
 * uncorrelated, and no flux passes a mirror. */
int mw_compile_noise_fluxes(struct mw_compiler *c, int token, int p, int q, int s, struct mw_model_value *value);
/* Compiles a call of one of the language's functions; the token is its name, the next one "(".  *known is false if it
 * has no such name. */
int mw_compile_function(struct mw_compiler *c, int token, bool *known, struct mw_model_value *value);

/* Compiles an expression at the next token. */
int mw_compile_expression(struct mw_compiler *c, struct mw_model_value *value);
/* Compiles the body of a definition, with locals from c->local_base on. */
int mw_compile_body(struct mw_compiler *c, const struct mw_definition *d, struct mw_model_value *value);
/* Calls a function of the model with the arguments at the next token, which is "(". */
int mw_compile_call(struct mw_compiler *c, int token, struct mw_definition *function, struct mw_model_value *value);
/* Checks the name of a variable, or of an argument: that may be a coordinate, as in f(x) = x^2. */
int mw_compile_local_name(struct mw_compiler *c, int token, bool argument);
/* Returns the variable with the name of a token, or NULL. */
struct mw_local *mw_local_find(struct mw_compiler *c, int token);
/* Returns the definition of a name, or NULL. */
struct mw_definition *mw_definition_find(struct mw_compiler *c, const char *name, size_t n);
/* Returns whether a definition with this name is below //@ replace. */
bool mw_definition_replaces(const struct mw_compiler *c, const struct mw_token *name);
/* Builds a definition, unless it is built.  `token`: where it is used, for messages. */
int mw_definition_build(struct mw_compiler *c, int token, struct mw_definition *d);
/* Builds the energy, unless it is built.  `token`: where it is used, for messages. */
int mw_definition_energy(struct mw_compiler *c, int token);

/* Computes the functional derivative of the sum of `root` over all cells by a field.  See derive.c. */
int mw_compile_variation(struct mw_compiler *c, int token, int root, int field, int *node);

/* edges.c.  Reads "FIELD, SIDE) = KIND" of a boundary condition at the next token; the body follows.  Stores a boundary
 * condition whose value is built. */
int mw_edge_begin(struct mw_compiler *c, struct mw_definition *d);
int mw_edge_finish(struct mw_compiler *c, const struct mw_definition *d);

/* Stores the graph in the model, and the starts of fields. */
int mw_compile_graph(struct mw_compiler *c);
int mw_compile_starts(struct mw_compiler *c);
/* Computes a function, named as in cl/math.clh, of n values x, or of x and y, in double precision. */
void mw_model_function_row(const char *call, size_t n, const double *x, const double *y, double *to);

/* Checks what definitions use of stages, holes, noise and means.  The uses must be noted. */
int mw_compile_check_uses(const struct mw_compiler *c);
/* Writes the model's text, and sets its uses and operations. */
int mw_compile_emit(struct mw_compiler *c);

#endif
/* SPDX-License-Identifier: MIT */
