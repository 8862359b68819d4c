/* meshwork graph paths of a graph with weights: distances between all vertices as sums of weights. */
#include <math.h>
#include <stdlib.h>

#include "tools/graph/paths.h"
#include "tools/report/csv.h"

struct measuring { struct finding *f; struct mw_graph_lengths lengths; };

static int check(const struct finding *f)
{
    static const char *const others[] = { "sample", "sample-seed", "matrix", "block-arcs" };

    for (size_t i = 0; i < COUNT(others); i++)
        if (option_is_given(f->n.command, others[i]))
            return mw_fail(MW_EINVAL, "--%s is for numbers of edges, and this graph has weights: add --hops, or leave "
                           "it out", others[i]);
    if (f->team.count > 1)
        return mw_fail(MW_EINVAL, "distances by weights are found on one device: give one, or add --hops");
    if (variant_check(f->set->variant, mw_graph_length_variants) != 0)
        return mw_fail(MW_EINVAL, "--variant %s counts edges, and this graph has weights: add --hops, or take tiles, "
                       "delta, piles or dijkstra", f->set->variant);
    return 0;
}

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

static void add_vertex(const void *measuring, size_t v, struct text *text)
{
    const struct measuring *m = measuring;
    const struct mw_graph_lengths *l = &m->lengths;
    const double sum = real_of(l, l->near[v]);
    char own[MW_NAME_CAPACITY], farthest[MW_WEIGHT_CAPACITY];

    csv_cell(text, mw_name(m->f->n.graph.names, v, own));
    text_add(text, ",%lu,%s,%.17g,%.17g\n", (unsigned long)l->reached[v],
             mw_weight_text(l->farthest[v], l->decimals, farthest), sum, sum != 0 ? (double)l->reached[v] / sum : 0);
}

static int write_vertices(const struct measuring *m)
{
    return csv_write(m->f->set->vertices, "vertex,reached,eccentricity,distances,closeness", m->lengths.vertices,
                     add_vertex, m);
}

/* ---- the summary ---- */

static void put_means(const struct measuring *m, struct node *o)
{
    const struct mw_graph_lengths *l = &m->lengths;
    char text[MW_WEIGHT_CAPACITY];
    int64_t radius = INT64_MAX;

    if (l->pairs)
        say_row(put_real(o, "mean_distance", l->mean), "mean distance", "%.10g", l->mean);
    else
        say_row(put_real(o, "mean_distance", NAN), "mean distance", "none: there are no paths");
    mw_weight_text(l->longest, l->decimals, text);
    say_row(put_real(o, "diameter", strtod(text, NULL)), "diameter", "%s", text);
    say_row(put_count(o, "pairs", l->pairs), "pairs", "%llu with a path, %llu without", (unsigned long long)l->pairs,
            (unsigned long long)l->unreachable);
    put_count(o, "unreachable_pairs", l->unreachable);
    for (size_t v = 0; l->reached && v < l->vertices; v++)
        if (l->reached[v] > 0 && l->farthest[v] < radius)
            radius = l->farthest[v];
    if (radius == INT64_MAX)
        return;
    mw_weight_text(radius, l->decimals, text);
    say_row(put_real(o, "radius", strtod(text, NULL)), "radius", "%s", text);
}

static int report(const struct measuring *m)
{
    const struct finding *f = m->f;
    const struct network_seconds seconds = { f->open, m->lengths.preparing, f->verify, f->output };
    struct node *o = report_object();
    int rc;

    TRY(network_report(&f->n, o));
    team_put(&f->team, o);
    say_value(put_text(o, "variant", m->lengths.variant), "variant");
    network_passes_say(&f->n, &f->passes, &seconds, o);
    put_means(m, o);
    if (f->set->verify)
        say_row(put_flag(o, "verified", true), "verified", "as by another variant on native:serial, in %s",
                seconds_text(f->verify).text);
    if (f->set->vertices)
        ROW(o, "written", "%s", f->set->vertices);
    network_timings(&f->n, &f->passes, &seconds, o);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}

/* ---- the search ---- */

static bool same(const struct mw_graph_lengths *a, const struct mw_graph_lengths *b)
{
    const size_t n = a->vertices;
    bool equal = a->pairs == b->pairs && a->longest == b->longest && a->sum.low == b->sum.low &&
                 a->sum.high == b->sum.high;

    if (equal && a->reached && n)
        equal = !memcmp(a->reached, b->reached, n * sizeof(*a->reached)) &&
                !memcmp(a->farthest, b->farthest, n * sizeof(*a->farthest)) &&
                !memcmp(a->near, b->near, n * sizeof(*a->near));
    return equal;
}

/* By searches what was found in tiles, and the other way round; tiles alone know weights below 0. */
static int verify(struct measuring *m)
{
    struct mw_graph_lengths_options how = { .variant = "dijkstra", .by_vertex = m->f->set->vertices != NULL };
    struct mw_graph_lengths expected = { 0 };
    struct mw_device *serial = NULL;
    const double start = seconds_now();
    int rc;

    TRY(mw_device_open_by_name("native:serial", NULL, &serial));
    rc = mw_graph_lengths(serial, &m->f->n.graph, &how, &expected);
    how.variant = "tiles";
    if (rc == MW_ENOTSUP)
        rc = mw_graph_lengths(serial, &m->f->n.graph, &how, &expected);
    TRY(rc);
    m->f->verify = seconds_now() - start;
    if (!same(&m->lengths, &expected))
        rc = mw_fail(MW_EVERIFY, "verification failed: the distances are not those of native:serial");
out:
    mw_graph_lengths_free(&expected);
    mw_device_close(serial);
    return rc;
}

int finding_lengths(struct finding *f)
{
    const struct mw_graph_lengths_options how = { .variant = f->set->variant, .by_vertex = f->set->vertices != NULL };
    struct measuring m = { .f = f };
    double start;
    int rc;

    TRY(check(f));
    for (size_t i = 0; i < f->passes.count; i++) {
        mw_graph_lengths_free(&m.lengths);
        TRY(mw_graph_lengths(f->team.device[0], &f->n.graph, &how, &m.lengths));
        f->passes.seconds[i] = m.lengths.seconds;
    }
    passes_sort(&f->passes);
    if (f->set->verify)
        TRY(verify(&m));
    start = seconds_now();
    if (f->set->vertices)
        TRY(write_vertices(&m));
    f->output = seconds_now() - start;
    TRY(report(&m));
out:
    mw_graph_lengths_free(&m.lengths);
    return rc;
}
