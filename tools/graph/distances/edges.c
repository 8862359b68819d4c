/* meshwork graph paths: distances in numbers of edges. */
#include <stdio.h>

#include "tools/graph/paths.h"

#define DISTANCES_SHOWN 20

/* ---- each vertex ---- */

static void edges_cells(const void *finding, size_t v, char text[MW_VERTEX_CELLS])
{
    const struct finding *f = finding;
    const struct mw_graph_paths *p = &f->paths;
    snprintf(text, MW_VERTEX_CELLS, "%lu,%lu,%llu,%s,%s", (unsigned long)p->reached[v], (unsigned long)p->farthest[v],
             (unsigned long long)p->near[v],
             real_text(p->near[v] ? (double)p->reached[v] / (double)p->near[v] : 0).text,
             real_text(p->inverse[v]).text);
}

static const struct mw_vertex_column columns[] = {
    { "reached", MW_VERTEX_COUNT },  { "eccentricity", MW_VERTEX_COUNT }, { "distances", MW_VERTEX_COUNT },
    { "closeness", MW_VERTEX_REAL }, { "harmonic", MW_VERTEX_REAL },      { 0 }
};

/* ---- the matrix ---- */

struct matrix {
    struct mw_file *file;
    size_t columns;
};

static int write_some(void *context, size_t first, size_t count, const int32_t *distances)
{
    const struct matrix *m = context;
    return mw_npy_append(m->file, MW_TYPE_I32, distances, count * m->columns);
}

static int edges_fill(const struct finding *f, struct mw_file *file)
{
    struct matrix matrix = { file, f->t.n.graph.vertices };
    return mw_graph_distance_rows(f->t.team.device, f->t.team.count, &f->t.n.graph, NULL, 0, write_some, &matrix);
}

/* Computes no row: only lets devices that would reject the matrix do it before the measurement. */
static int check_matrix(const struct finding *f)
{
    const uint32_t none = 0;
    if (!f->set->matrix)
        return 0;
    return mw_graph_distance_rows(f->t.team.device, f->t.team.count, &f->t.n.graph, &none, 0, write_some, NULL);
}

/* ---- the summary ---- */

static void put_longest(const struct finding *f, struct node *o)
{
    show_row(put_count(o, "diameter", f->paths.longest), f->targets ? "longest" : "diameter", "%lu",
             (unsigned long)f->paths.longest);
}

/* Radius: the smallest eccentricity among vertices that reach others. */
static void put_radius(const struct finding *f, struct node *o)
{
    const struct mw_graph_paths *p = &f->paths;
    uint32_t radius = UINT32_MAX;
    if (f->targets || !p->near)
        return;
    for (size_t v = 0; v < p->vertices; v++)
        if (p->reached[v] > 0 && p->farthest[v] < radius)
            radius = p->farthest[v];
    if (radius < UINT32_MAX)
        show_row(put_count(o, "radius", radius), "radius", "%lu", (unsigned long)radius);
}

static void put_rest(const struct finding *f, struct node *o)
{
    struct node *histogram = put_list(o, "histogram"), *section;
    const size_t longest = f->paths.longest, shown = output_verbose() ? longest : DISTANCES_SHOWN;
    char title[32];
    put_radius(f, o);
    if (longest == 0)
        return;
    section = put_section(o, "pairs by distance");
    for (size_t d = 1; d <= longest; d++) {
        put_count(histogram, NULL, f->paths.histogram[d]);
        snprintf(title, sizeof(title), "%zu", d);
        if (d <= shown)
            ROW(section, title, "%llu", (unsigned long long)f->paths.histogram[d]);
    }
    if (longest > shown)
        ROW(section, "...", "%zu more (-v)", longest - shown);
}

static uint64_t edges_checksum(const struct finding *f)
{
    const struct mw_graph_paths *p = &f->paths;
    const uint64_t counts[] = { f->totals.pairs, f->totals.unreachable };
    return numbers_checksum((const struct numbers[]){ { counts, 2 },
                                                      { p->histogram, p->histogram ? p->longest + 1 : 0 } },
                            2);
}

/* ---- the search ---- */

static struct mw_graph_paths_options options_of(const struct finding *f)
{
    return (struct mw_graph_paths_options){ .size = sizeof(struct mw_graph_paths_options),
                                            .variant = f->t.set->variant,
                                            .targets = f->targets,
                                            .target_count = f->target_count,
                                            .by_vertex = f->set->vertices != NULL,
                                            .block_arcs = f->t.set->block_arcs };
}

static int edges_pass(struct finding *f, double *seconds)
{
    const struct mw_graph_paths_options how = options_of(f);
    const struct mw_graph_paths *p = &f->paths;
    mw_graph_paths_free(&f->paths);
    f->paths.size = sizeof f->paths;
    TRY_RETURN(mw_graph_paths(f->t.team.device, f->t.team.count, &f->t.n.graph, &how, &f->paths));
    *seconds = p->seconds;
    f->totals = (struct finding_totals){ p->pairs,     p->unreachable, p->mean,   p->half_width,
                                         p->preparing, p->variant,     p->targets };
    return 0;
}

/* All values but the means are integers, or sums of integers in a fixed order. */
static bool edges_same(const struct mw_graph_paths *a, const struct mw_graph_paths *b)
{
    const size_t n = a->vertices;
    bool equal = a->pairs == b->pairs && a->unreachable == b->unreachable && a->longest == b->longest &&
                 a->sum.low == b->sum.low && a->sum.high == b->sum.high &&
                 !memcmp(a->histogram, b->histogram, (a->longest + 1) * sizeof(*a->histogram));
    if (equal && a->near && n)
        equal = !memcmp(a->reached, b->reached, n * sizeof(*a->reached)) &&
                !memcmp(a->farthest, b->farthest, n * sizeof(*a->farthest)) &&
                !memcmp(a->near, b->near, n * sizeof(*a->near)) &&
                !memcmp(a->inverse, b->inverse, n * sizeof(*a->inverse));
    return equal;
}

static int edges_verify(const struct finding *f, struct mw_device *serial)
{
    struct mw_graph_paths_options how = options_of(f);
    struct mw_graph_paths expected = MW_INIT(expected);
    int rc;
    /* Verifies with another variant; queue is the fastest on sparse graphs. */
    how.variant = strcmp(f->paths.variant, "queue") ? "queue" : "bits";
    how.block_arcs = 0;
    TRY(mw_graph_paths(&serial, 1, &f->t.n.graph, &how, &expected));
    if (!edges_same(&f->paths, &expected))
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: the distances differ from those of native:serial (their sum is "
                     "%llu instead of %llu): please report this with `meshwork devices -v`",
                     (unsigned long long)f->paths.sum.low, (unsigned long long)expected.sum.low);
out:
    mw_graph_paths_free(&expected);
    return rc;
}

const struct finding_way finding_by_edges = { check_matrix, edges_pass, edges_verify, columns,  edges_cells,
                                              MW_TYPE_I32,  edges_fill, put_longest,  put_rest, edges_checksum };
/* SPDX-License-Identifier: MIT */
