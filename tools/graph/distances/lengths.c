/* meshwork graph paths: distances as sums of weights. */
#include <math.h>

#include "tools/graph/paths.h"

/* In units of 1. */
static double real_of(const struct mw_graph_lengths *l, struct mw_wide wide)
{
    const bool below = wide.high >> 63;
    const uint64_t low = below ? -wide.low : wide.low;
    const uint64_t high = below ? ~wide.high + (wide.low == 0) : wide.high;
    const double size = ((double)high * 18446744073709551616.0 + (double)low) * pow(10, -l->decimals);
    return below ? -size : size;
}

/* ---- each vertex ---- */

static void lengths_cells(const void *finding, size_t v, char text[MW_VERTEX_CELLS])
{
    const struct finding *f = finding;
    const struct mw_graph_lengths *l = &f->lengths;
    const double sum = real_of(l, l->near[v]);
    char farthest[MW_WEIGHT_CAPACITY];
    snprintf(text, MW_VERTEX_CELLS, "%lu,%s,%s,%s", (unsigned long)l->reached[v],
             mw_weight_text(l->farthest[v], l->decimals, farthest), real_text(sum).text,
             real_text(sum != 0 ? (double)l->reached[v] / sum : 0).text);
}

static const struct mw_vertex_column columns[] = { { "reached", MW_VERTEX_COUNT },
                                                   { "eccentricity", MW_VERTEX_REAL },
                                                   { "distances", MW_VERTEX_REAL },
                                                   { "closeness", MW_VERTEX_REAL },
                                                   { 0 } };

/* ---- the matrix ---- */

struct matrix {
    struct mw_file *file;
    size_t columns;
    double unit, *row;
};

/* In units of 1, rounded once. */
static int write_some(void *context, size_t first, size_t count, const int64_t *distances)
{
    const struct matrix *m = context;
    for (size_t i = 0; i < count; i++) {
        const int64_t *d = distances + i * m->columns;
        for (size_t v = 0; v < m->columns; v++)
            m->row[v] = d[v] == MW_NO_DISTANCE ? INFINITY : (double)d[v] / m->unit;
        TRY_RETURN(mw_npy_append(m->file, MW_TYPE_F64, m->row, m->columns));
    }
    return 0;
}

static int distances_lengths_fill(const struct finding *f, struct mw_file *file)
{
    struct matrix matrix = { file, f->t.n.graph.vertices, pow(10, f->t.n.graph.decimals), NULL };
    int rc;
    TRY(mw_new(matrix.columns, sizeof(*matrix.row), &matrix.row));
    TRY(mw_graph_length_rows(f->t.team.device, f->t.team.count, &f->t.n.graph, NULL, 0, write_some, &matrix));
out:
    free(matrix.row);
    return rc;
}

/* ---- the summary ---- */

static void put_longest(const struct finding *f, struct node *o)
{
    char text[MW_WEIGHT_CAPACITY];
    mw_weight_text(f->lengths.longest, f->lengths.decimals, text);
    show_row(put_real(o, "diameter", strtod(text, NULL)), f->targets ? "longest" : "diameter", "%s", text);
}

/* Radius: the smallest of the largest distances, among vertices that reach others. */
static void put_radius(const struct finding *f, struct node *o)
{
    const struct mw_graph_lengths *l = &f->lengths;
    char text[MW_WEIGHT_CAPACITY];
    int64_t radius = INT64_MAX;
    for (size_t v = 0; !f->targets && l->reached && v < l->vertices; v++)
        if (l->reached[v] > 0 && l->farthest[v] < radius)
            radius = l->farthest[v];
    if (radius == INT64_MAX)
        return;
    mw_weight_text(radius, l->decimals, text);
    show_row(put_real(o, "radius", strtod(text, NULL)), "radius", "%s", text);
}

/* ---- the search ---- */

static struct mw_graph_lengths_options options_of(const struct finding *f)
{
    return (struct mw_graph_lengths_options){ .size = sizeof(struct mw_graph_lengths_options),
                                              .variant = f->t.set->variant,
                                              .targets = f->targets,
                                              .target_count = f->target_count,
                                              .by_vertex = f->set->vertices != NULL,
                                              .block_arcs = f->t.set->block_arcs };
}

static int distances_lengths_pass(struct finding *f, double *seconds)
{
    const struct mw_graph_lengths_options how = options_of(f);
    const struct mw_graph_lengths *l = &f->lengths;
    mw_graph_lengths_free(&f->lengths);
    f->lengths.size = sizeof f->lengths;
    TRY_RETURN(mw_graph_lengths(f->t.team.device, f->t.team.count, &f->t.n.graph, &how, &f->lengths));
    *seconds = l->seconds;
    f->totals = (struct finding_totals){ l->pairs,     l->unreachable, l->mean,   l->half_width,
                                         l->preparing, l->variant,     l->targets };
    return 0;
}

static bool distances_lengths_same(const struct mw_graph_lengths *a, const struct mw_graph_lengths *b)
{
    const size_t n = a->vertices;
    bool equal =
        a->pairs == b->pairs && a->longest == b->longest && a->sum.low == b->sum.low && a->sum.high == b->sum.high;
    if (equal && a->reached && n)
        equal = !memcmp(a->reached, b->reached, n * sizeof(*a->reached)) &&
                !memcmp(a->farthest, b->farthest, n * sizeof(*a->farthest)) &&
                !memcmp(a->near, b->near, n * sizeof(*a->near));
    return equal;
}

/* Verifies tiles with searches, and searches with tiles.  Only tiles support negative weights. */
static int distances_lengths_verify(const struct finding *f, struct mw_device *serial)
{
    struct mw_graph_lengths_options how = options_of(f);
    struct mw_graph_lengths expected = MW_INIT(expected);
    int rc;
    how.variant = strcmp(f->lengths.variant, "dijkstra") ? "dijkstra" : "delta";
    how.block_arcs = 0;
    rc = mw_graph_lengths(&serial, 1, &f->t.n.graph, &how, &expected);
    how.variant = "tiles";
    if (rc == MW_ENOTSUP)
        rc = mw_graph_lengths(&serial, 1, &f->t.n.graph, &how, &expected);
    TRY(rc);
    if (!distances_lengths_same(&f->lengths, &expected))
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: the distances differ from those of native:serial: please report this with "
                     "`meshwork devices -v`");
out:
    mw_graph_lengths_free(&expected);
    return rc;
}

static uint64_t distances_lengths_checksum(const struct finding *f)
{
    const struct mw_graph_lengths *l = &f->lengths;
    const uint64_t counts[] = { l->pairs, l->unreachable, l->sum.low, l->sum.high, (uint64_t)l->longest };
    return numbers_checksum(&(struct numbers){ counts, MW_COUNT(counts) }, 1);
}

const struct finding_way finding_by_weights = { NULL,
                                                distances_lengths_pass,
                                                distances_lengths_verify,
                                                columns,
                                                lengths_cells,
                                                MW_TYPE_F64,
                                                distances_lengths_fill,
                                                put_longest,
                                                put_radius,
                                                distances_lengths_checksum };
/* SPDX-License-Identifier: MIT */
