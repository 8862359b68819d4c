/* meshwork graph paths: the plan, the summary, and what is written of each vertex. */
#include <meshwork/file.h>
#include <meshwork/io.h>

#include <math.h>
#include <stdio.h>

#include "tools/graph/paths.h"
#include "tools/report/csv.h"

#define DISTANCES_SHOWN 20

/* ---- each vertex ---- */

static void add_vertex(const void *finding, size_t v, struct text *text)
{
    const struct finding *f = finding;
    const struct mw_graph_paths *p = &f->paths;
    char own[MW_NAME_CAPACITY];

    csv_cell(text, mw_name(f->n.graph.names, v, own));
    text_add(text, ",%lu,%lu,%llu,%.17g,%.17g\n", (unsigned long)p->reached[v], (unsigned long)p->farthest[v],
             (unsigned long long)p->near[v], p->near[v] ? (double)p->reached[v] / (double)p->near[v] : 0,
             p->inverse[v]);
}

int finding_write(const struct finding *f)
{
    return csv_write(f->set->vertices, "vertex,reached,eccentricity,distances,closeness,harmonic", f->paths.vertices,
                     add_vertex, f);
}

/* ---- the matrix ---- */

struct matrix { struct mw_file *file; size_t columns; };

static int write_rows(void *context, size_t first, size_t count, const int32_t *distances)
{
    const struct matrix *m = context;

    (void)first;
    return mw_npy_append(m->file, MW_TYPE_I32, distances, count * m->columns);
}

int finding_write_matrix(const struct finding *f)
{
    const size_t n = f->n.graph.vertices;
    struct mw_array shape = { .type = MW_TYPE_I32, .dims = 2, .length = { n, n }, .count = n * n };
    struct matrix matrix = { .columns = n };
    int rc;

    TRY(mw_npy_create(f->set->matrix, &shape, &matrix.file));
    TRY(mw_graph_distance_rows(f->team.device, f->team.count, &f->n.graph, NULL, 0, write_rows, &matrix));
    rc = mw_file_commit(matrix.file);
    matrix.file = NULL;
out:
    mw_file_abandon(matrix.file);
    return rc;
}

/* ---- the summary ---- */

/* Arcs that would be followed by a search for each target. */
static double rate(const struct finding *f)
{
    const double seconds = passes_median(&f->passes);

    return seconds > 0 ? (double)network_edges(&f->n.graph) * (double)f->paths.targets / seconds : 0;
}

static void put_mean(const struct finding *f, struct node *o)
{
    const struct mw_graph_paths *p = &f->paths;
    struct node *mean = put_real(o, "mean_distance", p->pairs ? p->mean : NAN);

    if (!p->pairs)
        say_row(mean, "mean distance", "none: there are no paths");
    else if (!f->targets)
        say_row(mean, "mean distance", "%.10g", p->mean);
    else if (isnan(p->half_width))
        say_row(mean, "mean distance", "%.6g in the sample, too small a one to tell that of all: take 128 or more",
                p->mean);
    else
        say_row(mean, "mean distance", "%.6g +- %.2g, in which that of all pairs is for 95 of 100 samples", p->mean,
                p->half_width);
    if (f->targets)
        put_real(o, "mean_distance_error", p->half_width);
    say_row(put_count(o, "diameter", p->longest), f->targets ? "longest" : "diameter", "%lu",
            (unsigned long)p->longest);
    say_row(put_count(o, "pairs", p->pairs), "pairs", "%llu with a path, %llu without", (unsigned long long)p->pairs,
            (unsigned long long)p->unreachable);
    put_count(o, "unreachable_pairs", p->unreachable);
}

/* Of the distances to all others: the smallest of the largest that each vertex has, but for those that reach none. */
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
        say_row(put_count(o, "radius", radius), "radius", "%lu", (unsigned long)radius);
}

static void put_histogram(const struct finding *f, struct node *o)
{
    struct node *histogram = put_list(o, "histogram"), *section;
    const size_t longest = f->paths.longest, shown = output_verbose() ? longest : DISTANCES_SHOWN;
    char title[32];

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

int finding_summary(const struct finding *f)
{
    const struct network_seconds seconds = { f->open, f->paths.preparing, f->verify, f->output };
    struct node *o = report_object();
    int rc;

    TRY(network_report(&f->n, o));
    team_put(&f->team, o);
    say_value(put_text(o, "variant", f->paths.variant), "variant");
    put_count(o, "targets", f->paths.targets);
    if (f->targets)
        ROW(o, "sample", "distances to %zu of the vertices", f->target_count);
    network_passes_say(&f->n, &f->passes, &seconds, o);
    say_row(put_real(o, "edge_sources_per_second", rate(f)), "rate", "%.4g G edges and targets/s", rate(f) / 1e9);
    put_mean(f, o);
    put_radius(f, o);
    if (f->set->verify)
        say_row(put_flag(o, "verified", true), "verified", "as by another variant on native:serial, in %s",
                seconds_text(f->verify).text);
    if (f->set->vertices)
        ROW(o, "written", "%s", f->set->vertices);
    if (f->set->matrix)
        ROW(o, f->set->vertices ? "" : "written", "%s", f->set->matrix);
    put_histogram(f, o);
    network_timings(&f->n, &f->passes, &seconds, o);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}

/* ---- the plan ---- */

/* --dry-run: the graph is read, as it tells what is needed; none of the devices is opened. */
int finding_plan(struct finding *f)
{
    const struct mw_device_options options = { .threads = (unsigned)f->set->device.threads };
    struct mw_device *device = NULL;
    struct node *o = report_object();
    struct team_plan team;
    uint64_t arcs, search;
    size_t targets;
    int rc;

    TRY(team_plan(&f->set->device, &team));
    TRY(mw_device_open_by_name("native", &options, &device));
    TRY(network_open(&f->n, device));
    targets = f->set->sample && f->set->sample < f->n.graph.vertices ? f->set->sample : f->n.graph.vertices;
    TRY(network_report(&f->n, o));
    team_plan_put(&team, f->set->device.selector, o);
    say_value(put_text(o, "variant", f->set->variant), "variant");
    say_row(put_count(o, "targets", targets), "targets", "%zu", targets);
    arcs = 4 * f->n.graph.arcs;
    search = mw_graph_paths_bytes(&team.first, f->n.graph.vertices, f->set->vertices);
    say_row(put_bytes(o, "memory_bytes", arcs + search), "memory", "about %s for arcs, and %s for each search at once",
            bytes_text(arcs).text, bytes_text(search).text);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    mw_device_close(device);
    return rc;
}
