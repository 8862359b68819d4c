/* The table of generators: their parameters, conditions on these, and the functions that make the edges. */
#include "dev/core/given.h"
#include "graph/generate/generate_internal.h"
#include "graph/graph_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define VERTICES (double)INT32_MAX
#define EDGES 9007199254740992.0 /* largest integer range of a double */

/* ---- conditions on values; numbers of vertices and edges ---- */

static int ring_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    const uint64_t n = (uint64_t)v[0], k = (uint64_t)v[1];
    if (k % 2 != 0)
        return mw_fail(MW_EINVAL, "%s: k is %" PRIu64 ", but must be even: half of the neighbours on either side", name,
                       k);
    if (n <= k)
        return mw_fail(MW_EINVAL, "%s: n is %" PRIu64 ", but must be larger than k = %" PRIu64, name, n, k);
    *vertices = (size_t)n;
    *edges = n * (k / 2);
    return 0;
}

static int ba_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    const uint64_t n = (uint64_t)v[0], m = (uint64_t)v[1];
    if (n <= m)
        return mw_fail(MW_EINVAL, "%s: n is %" PRIu64 ", but must be larger than m = %" PRIu64, name, n, m);
    *vertices = (size_t)n;
    *edges = m * (m + 1) / 2 + (n - m - 1) * m;
    return 0;
}

static int alpha_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    const uint64_t n = (uint64_t)v[0], k = (uint64_t)v[1];
    if (n <= k)
        return mw_fail(MW_EINVAL, "%s: n is %" PRIu64 ", but must be larger than k = %" PRIu64, name, n, k);
    if (v[4] != 0.0 && (n < 3 || k < 2))
        return mw_fail(MW_EINVAL, "%s: a ring as substrate needs n of at least 3 and k of at least 2: use substrate=0",
                       name);
    *vertices = (size_t)n;
    *edges = n * k / 2;
    return 0;
}

static int disjoint_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    if (v[1] > v[0])
        return mw_fail(MW_EINVAL, "%s: c is %.0f, but must be at most n = %.0f", name, v[1], v[0]);
    *vertices = (size_t)v[0];
    *edges = (uint64_t)v[2];
    return 0;
}

static int er_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    const uint64_t n = (uint64_t)v[0], pairs = n > 0 ? n * (n - 1) / 2 : 0;
    if ((uint64_t)v[1] > pairs)
        return mw_fail(MW_EINVAL,
                       "%s: m is %.0f, but %" PRIu64 " vertices have only %" PRIu64 " pairs: use fewer "
                       "edges or more vertices",
                       name, v[1], n, pairs);
    *vertices = (size_t)n;
    *edges = (uint64_t)v[1];
    return 0;
}

static int line_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    *vertices = (size_t)v[0];
    *edges = (uint64_t)v[0] - 1;
    return 0;
}

static int grid_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    uint32_t links[3];
    TRY_RETURN(mw_generate_grid_links(v, links));
    *vertices = (size_t)(v[0] * v[1] * v[2]);
    *edges = (uint64_t)(links[0] * v[1] * v[2] + v[0] * links[1] * v[2] + v[0] * v[1] * links[2]);
    return 0;
}

static int rmat_size(const char *name, const double *v, size_t *vertices, uint64_t *edges)
{
    if (v[2] + v[3] + v[4] > 1.0 + 1e-9)
        return mw_fail(MW_EINVAL, "%s: a + b + c is %g, but must be at most 1", name, v[2] + v[3] + v[4]);
    *vertices = (size_t)1 << (unsigned)v[0];
    *edges = (uint64_t)v[1] << (unsigned)v[0];
    return 0;
}

/* ---- the table ---- */

/* Parameters and their number; the last parameter is the same for all generators. */
#define LIST(...) ((const struct mw_generator_parameter[]){ __VA_ARGS__ })
#define PARAMETER_WEIGHTS                                                                                              \
    {                                                                                                                  \
        "weights", 0, 0, INT32_MAX, true, "largest weight: each edge draws one from 1 to this; 0: no weights"          \
    }
#define PARAMETERS(...) LIST(__VA_ARGS__, PARAMETER_WEIGHTS), MW_COUNT(LIST(__VA_ARGS__, PARAMETER_WEIGHTS))
#define PARAMETER_N                                                                                                    \
    {                                                                                                                  \
        "n", 1000, 1, VERTICES, true, "vertices"                                                                       \
    }

static const struct row {
    struct mw_generator generator;
    /* Checks conditions on the values; stores the numbers of vertices and edges. */
    int (*size)(const char *name, const double *values, size_t *vertices, uint64_t *edges);
    mw_generator_make *make;
} rows[] = {
    { { "ws",
        "small world of Watts and Strogatz (1998): a ring of n vertices with k neighbours each; each edge is "
        "rewired at one end with probability p",
        PARAMETERS(PARAMETER_N,
                   { "k", 10, 0, VERTICES, true, "neighbours on the ring (even): half of them on either side" },
                   { "p", 0.1, 0, 1, false, "probability that an edge gets a random target" }) },
      ring_size,
      mw_generate_ws },
    { { "ba",
        "scale-free network of Barabasi and Albert (1999): a clique of m + 1 vertices; each further vertex "
        "adds m edges to vertices chosen with probability proportional to their degree",
        PARAMETERS(PARAMETER_N, { "m", 5, 1, VERTICES, true, "edges per new vertex" }) },
      ba_size,
      mw_generate_ba },
    { { "alpha",
        "alpha-model of Watts (1999): friends of friends become friends, more readily the smaller alpha.  By "
        "default, with a ring as substrate, the mean distance is n / 26 (n = 1000 to 30000); alpha=7 p=1e-7/n "
        "substrate=0 makes graphs almost as clustered with short paths, nearly always connected",
        PARAMETERS(PARAMETER_N, { "k", 10, 0, VERTICES, true, "mean degree" },
                   { "alpha", 2, 0, 1000, false, "the weight of a vertex with m common neighbours is (m / k)^alpha" },
                   { "p", 1e-12, 0, 1, false, "weight of a vertex with no common neighbours" },
                   { "substrate", 1, 0, 1, true, "edges to start from: 0 none, 1 a ring of all vertices" }) },
      alpha_size,
      mw_generate_alpha },
    { { "disjoint",
        "random graph in parts (Hawick, Leist and Playne 2010): each vertex draws one of c sets, and each "
        "of m edges joins two members of a set",
        PARAMETERS(PARAMETER_N, { "c", 10, 1, VERTICES, true, "sets, at most as many as vertices" },
                   { "m", 5000, 0, EDGES, true, "edges, possibly some between the same vertices" }) },
      disjoint_size,
      mw_generate_disjoint },
    { { "er", "random graph G(n, m) of Erdos and Renyi: m different edges",
        PARAMETERS({ "n", 1000, 0, VERTICES, true, "vertices" }, { "m", 5000, 0, EDGES, true, "edges" }) },
      er_size,
      mw_generate_er },
    { { "line", "path of n vertices", PARAMETERS(PARAMETER_N) }, line_size, mw_generate_line },
    { { "ring", "ring of n vertices, each with its k nearest neighbours",
        PARAMETERS(PARAMETER_N, { "k", 2, 0, VERTICES, true, "neighbours (even): half of them on either side" }) },
      ring_size,
      mw_generate_ring },
    { { "grid", "mesh of x by y by z vertices, each joined to its nearest neighbours",
        PARAMETERS({ "x", 32, 1, VERTICES, true, "length along x" }, { "y", 32, 1, VERTICES, true, "length along y" },
                   { "z", 1, 1, VERTICES, true, "length along z" },
                   { "periodic", 0, 0, 1, true, "1: the ends of lengths above 2 are joined" }) },
      grid_size,
      mw_generate_grid },
    { { "rmat",
        "recursive matrix of Chakrabarti, Zhan and Faloutsos (2004): 2^scale vertices; each edge falls into "
        "one of four quadrants, scale times",
        PARAMETERS({ "scale", 10, 0, 30, true, "logarithm of the number of vertices" },
                   { "edgefactor", 16, 0, VERTICES, true, "edges per vertex, including self-loops and multiple edges" },
                   { "a", 0.57, 0, 1, false, "probability of the quadrant of low tails and low heads" },
                   { "b", 0.19, 0, 1, false, "probability of low tails and high heads" },
                   { "c", 0.19, 0, 1, false,
                     "probability of high tails and low heads; the rest is for high tails and heads" },
                   { "permute", 1, 0, 1, true,
                     "1: vertices are numbered at random, as in Graph500; 0: by quadrants" }) },
      rmat_size,
      mw_generate_rmat },
};

const struct mw_generator *mw_generators(size_t i) { return i < MW_COUNT(rows) ? &rows[i].generator : NULL; }

static int find_row(const char *name, const struct row **row)
{
    struct mw_text names = { 0 };
    int rc;
    for (size_t i = 0; i < MW_COUNT(rows); i++) {
        if (strcmp(rows[i].generator.name, name) == 0) {
            *row = &rows[i];
            mw_text_free(&names);
            return 0;
        }
        mw_text_add(&names, "%s%s", i ? ", " : "", rows[i].generator.name);
    }
    TRY(mw_text_ok(&names));
    rc = mw_fail(MW_EINVAL, "there is no generator \"%.40s\": use one of %s", name, names.data);
out:
    mw_text_free(&names);
    return rc;
}

int mw_generator_find(const char *name, const struct mw_generator **generator)
{
    const struct row *row;
    TRY_RETURN(find_row(name, &row));
    *generator = &row->generator;
    return 0;
}

/* ---- interface ---- */

/* Checks the first `count` parameters. */
static int check_values(const struct mw_generator *generator, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct mw_generator_parameter *p = &generator->parameters[i];
        const bool whole = !p->whole || floor(values[i]) == values[i];
        if (!whole || !(values[i] >= p->least && values[i] <= p->most))
            return mw_fail(MW_EINVAL, "%s: %s is %.16g, but must be %s from %.16g to %.16g", generator->name, p->name,
                           values[i], p->whole ? "a whole number" : "a number", p->least, p->most);
    }
    return 0;
}

int mw_generate_values(struct mw_device *device, const char *generator, const double *values, uint64_t seed,
                       size_t chunk, struct mw_edges *edges)
{
    struct mw_edges made = { 0 };
    struct mw_generation g = { .device = device, .values = values, .seed = seed, .chunk = chunk, .edges = &made };
    const struct row *row;
    size_t vertices;
    uint64_t count;
    int rc;
    TRY(find_row(generator, &row));
    TRY(check_values(&row->generator, values, row->generator.parameter_count - 1));
    TRY(row->size(generator, values, &vertices, &count));
    TRY(mw_edges_new(vertices, count, false, &made));
    TRY(row->make(&g));
    *edges = MW_PASS(made);
out:
    mw_kernel_set_free(g.set);
    mw_edges_free(&made);
    return rc;
}

static int set_value(const struct mw_generator *generator, const struct mw_value *given, double *values)
{
    struct mw_text names = { 0 };
    int rc;
    for (size_t i = 0; i < generator->parameter_count; i++) {
        if (strcmp(generator->parameters[i].name, given->name) == 0) {
            values[i] = given->value;
            mw_text_free(&names);
            return 0;
        }
        mw_text_add(&names, "%s%s", i ? ", " : "", generator->parameters[i].name);
    }
    TRY(mw_text_ok(&names));
    rc = mw_fail(MW_EINVAL, "%s: there is no parameter \"%.40s\": use one of %s", generator->name, given->name,
                 names.data);
out:
    mw_text_free(&names);
    return rc;
}

/* Finds the row, and the values of all its parameters. */
static int take_values(const char *generator, const struct mw_value *given, size_t count, const struct row **row,
                       double *values)
{
    TRY_RETURN(find_row(generator, row));
    for (size_t i = 0; i < (*row)->generator.parameter_count; i++)
        values[i] = (*row)->generator.parameters[i].value;
    for (size_t i = 0; i < count; i++)
        TRY_RETURN(set_value(&(*row)->generator, &given[i], values));
    return 0;
}

int mw_generate(struct mw_device *device, const char *generator, const struct mw_value *given, size_t count,
                uint64_t seed, struct mw_edges *edges)
{
    double values[MW_GENERATOR_PARAMETERS_MAX];
    struct mw_edges made = { 0 };
    const struct row *row;
    double weights;
    int rc;
    TRY(mw_device_given(&device));
    TRY(take_values(generator, given, count, &row, values));
    TRY(check_values(&row->generator, values, row->generator.parameter_count));
    TRY(mw_generate_values(device, generator, values, seed, 0, &made));
    weights = values[row->generator.parameter_count - 1];
    if (weights > 0)
        TRY(mw_generate_weights(device, seed, 0, (uint32_t)weights, &made));
    *edges = MW_PASS(made);
out:
    mw_edges_free(&made);
    return rc;
}

int mw_generate_size(const char *generator, const struct mw_value *given, size_t count, size_t *vertices,
                     uint64_t *edges)
{
    double values[MW_GENERATOR_PARAMETERS_MAX];
    const struct row *row;
    TRY_RETURN(take_values(generator, given, count, &row, values));
    TRY_RETURN(check_values(&row->generator, values, row->generator.parameter_count));
    TRY_RETURN(row->size(generator, values, vertices, edges));
    return mw_vertices_check(*vertices);
}
/* SPDX-License-Identifier: MIT */
