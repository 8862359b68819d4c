/* Subcommands of `meshwork graph` that compute a value per vertex: common parts. */
#include "tools/measures/measure.h"

#include <meshwork/io.h>

#include "tools/graph/vertices.h"
#include "tools/report/files.h"

#define AT(member) offsetof(struct measure_settings, member)

/* clang-format off */
const struct option measure_options[] = {
    { .name = "vertices", .type = OPTION_FILE, .target = AT(vertices), .value = VERTICES_FILE,
      .help = "write the value of each vertex" },
    { .name = "top", .type = OPTION_COUNT, .target = AT(top), .value = "N", .fallback = "10", .most = 1000000,
      .help = "print the N vertices with the largest values" },
    PASS_OPTIONS(struct course_settings, "time N passes and report the median",
                 "compare all values with those of native:serial, by another variant if there is one"),
    { 0 }
};
/* clang-format on */

struct measuring {
    struct course t;
    const struct measure_settings *set;
    const struct measure *measure;
    struct measured found;
    char titles[64];         /* rows of the table of the largest values */
    const char *verified_by; /* name of the variant */
};

static void measured_free(struct measured *found)
{
    free(found->reals);
    free(found->counts);
    free(found->pairs);
    *found = (struct measured){ 0 };
}

/* ---- computation ---- */

static int measure_prepare(void *course)
{
    const struct measuring *m = course;
    if (m->measure->variants)
        TRY_RETURN(variant_check(m->t.set->variant, m->measure->variants));
    return vertices_writable("vertices", m->set->vertices);
}

/* ---- the plan ---- */

/* Returns the bytes on one of `devices` devices. */
static uint64_t memory_of(const struct measuring *m, const struct mw_device_info *info, size_t devices)
{
    const struct mw_graph *g = &m->t.n.graph;
    const uint64_t shares = m->measure->shares ? devices : 1, own = g->vertices / shares + 1;
    const bool weighed = network_is_weighed(&m->t.n);
    const uint64_t of_core = weighed ? m->measure->weighted_core_bytes : m->measure->core_bytes;
    const uint64_t arcs = g->arcs / shares * (sizeof(*g->heads) + (weighed ? sizeof(*g->weights) : 0));
    const uint64_t cores = info->cores ? info->compute_units : 0;
    return arcs + own * (sizeof(uint32_t) + m->measure->share_bytes) +
           g->vertices * (m->measure->vertex_bytes + cores * of_core);
}

static void measure_plan(const void *course, const struct team_plan *team, struct node *o)
{
    const uint64_t bytes = memory_of(course, &team->first, team->count);
    show_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s%s", bytes_text(bytes).text,
             team->count > 1 ? " on each device" : "");
}

static int measure_compute(void *course, double *seconds)
{
    struct measuring *m = course;
    measured_free(&m->found);
    TRY_RETURN(m->measure->compute(m->set, m->t.set->variant, &m->t.team, &m->t.n.graph, &m->found));
    *seconds = m->found.seconds;
    m->t.build = m->found.preparing;
    return 0;
}

/* Verifies with another variant that suits the device and the graph: the same one would repeat its errors. */
static int compute_otherwise(struct measuring *m, const struct team *serial, struct measured *expected)
{
    const struct measure *measure = m->measure;
    const struct mw_variant *v;
    int rc = MW_ENOTSUP;
    for (size_t i = 0; rc == MW_ENOTSUP && measure->variants && (v = measure->variants(i)) != NULL; i++) {
        if (!strcmp(v->name, m->found.variant))
            continue;
        m->verified_by = v->name;
        rc = measure->compute(m->set, v->name, serial, &m->t.n.graph, expected);
    }
    if (rc == MW_ENOTSUP) {
        m->verified_by = m->found.variant;
        rc = measure->compute(m->set, m->found.variant, serial, &m->t.n.graph, expected);
    }
    return rc;
}

static int measure_verify(void *course, struct mw_device *device)
{
    struct measuring *m = course;
    const size_t n = m->t.n.graph.vertices;
    const struct measured *found = &m->found;
    const struct team serial = { .device = { device }, .count = 1 };
    struct measured expected = { 0 };
    int rc;
    TRY(compute_otherwise(m, &serial, &expected));
    if (n && (found->reals ? memcmp(found->reals, expected.reals, n * sizeof(*found->reals))
                           : memcmp(found->counts, expected.counts, n * sizeof(*found->counts))))
        rc = mw_fail(MW_EVERIFY,
                     "verification failed: the values differ from those of native:serial: please report this with "
                     "`meshwork devices -v`");
out:
    measured_free(&expected);
    return rc;
}

/* ---- results ---- */

static double value_of(const struct measured *found, size_t v)
{
    return found->reals ? found->reals[v] : found->counts[v];
}

static void measure_cells(const void *measuring, size_t v, char text[MW_VERTEX_CELLS])
{
    const struct measuring *m = measuring;
    snprintf(text, MW_VERTEX_CELLS, "%s", real_text(value_of(&m->found, v)).text);
}

static int measure_write(void *course)
{
    const struct measuring *m = course;
    const struct mw_vertex_column columns[] = { { m->measure->name, m->found.reals ? MW_VERTEX_REAL : MW_VERTEX_COUNT },
                                                { 0 } };
    const struct mw_vertex_data data = { columns, measure_cells, m };
    if (m->set->vertices)
        TRY_RETURN(vertices_write(m->set->vertices, &m->t.n.graph, &data));
    return m->measure->write ? m->measure->write(m->set, &m->t.n.graph, &m->found) : 0;
}

/* Orders by value, descending; at a tie, by vertex, ascending. */
static bool before(const struct measured *found, size_t a, size_t b)
{
    const double x = value_of(found, a), y = value_of(found, b);
    return x != y ? x > y : a < b;
}

static void sift_down(const struct measured *found, uint32_t *heap, size_t count, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(found, heap[child], heap[child + 1]))
            child++;
        if (before(found, heap[child], heap[at]))
            return;
        const uint32_t vertex = heap[at];
        heap[at] = heap[child];
        heap[child] = vertex;
    }
}

/* Finds the first `count` vertices in this order: keeps them in a heap with the last one on top, then takes it
 * apart. */
static void find_top(const struct measured *found, size_t vertices, uint32_t *top, size_t count)
{
    for (size_t v = 0; v < count; v++)
        top[v] = (uint32_t)v;
    for (size_t at = count / 2; at-- > 0;)
        sift_down(found, top, count, at);
    for (size_t v = count; count && v < vertices; v++) {
        if (!before(found, v, top[0]))
            continue;
        top[0] = (uint32_t)v;
        sift_down(found, top, count, 0);
    }
    for (size_t left = count; left > 1; left--) {
        const uint32_t last = top[0];
        top[0] = top[left - 1];
        top[left - 1] = last;
        sift_down(found, top, left - 1, 0);
    }
}

static int put_top(const struct measuring *m, struct node *o)
{
    const size_t n = m->t.n.graph.vertices, count = m->set->top < n ? (size_t)m->set->top : n;
    char own[MW_NAME_CAPACITY];
    struct node *table, *row;
    uint32_t *top = NULL;
    int rc;
    TRY(mw_new(count, sizeof(*top), &top));
    find_top(&m->found, n, top, count);
    table = put_table(o, "top", m->titles);
    table_shows(table, 0);
    for (size_t i = 0; i < count; i++) {
        row = put_object(table, NULL);
        show_value_cell(put_text(row, "vertex", mw_name(m->t.n.graph.names, top[i], own)), PLAIN);
        if (m->found.reals)
            show_cell(put_real(row, m->measure->name, value_of(&m->found, top[i])), PLAIN, "%.10g",
                      value_of(&m->found, top[i]));
        else
            show_value_cell(put_count(row, m->measure->name, m->found.counts[top[i]]), PLAIN);
    }
out:
    free(top);
    return rc;
}

/* The checksum of the values and the pairs of vertices. */
static uint64_t measure_checksum(const struct measuring *m)
{
    const struct measured *found = &m->found;
    const size_t n = m->t.n.graph.vertices;
    const struct mw_array values = { .type = found->reals ? MW_TYPE_F64 : MW_TYPE_U32,
                                     .dims = 1,
                                     .length = { n },
                                     .count = n,
                                     .data = found->reals ? (void *)found->reals : found->counts };
    const struct mw_array pairs = { .type = MW_TYPE_U32,
                                    .dims = 2,
                                    .length = { 2, found->pair_count },
                                    .count = 2 * found->pair_count,
                                    .data = found->pairs };
    const uint64_t both[] = { mw_array_checksum(&values), mw_array_checksum(&pairs) };
    return found->pairs ? numbers_checksum(&(struct numbers){ both, 2 }, 1) : both[0];
}

static int measure_report(const void *course, struct node *o)
{
    const struct measuring *m = course;
    course_report_passes(&m->t, o);
    if (m->measure->variants)
        course_report_variant(m->found.variant, o);
    if (m->measure->report)
        m->measure->report(m->set, &m->t.n.graph, &m->found, o);
    show_value(put_checksum(o, "checksum", measure_checksum(m)), "checksum");
    course_report_verified(&m->t, o, "all values agree with native:serial%s%s", m->verified_by ? " by " : "",
                           m->verified_by ? m->verified_by : "");
    show_written(o, "written", m->set->vertices);
    return put_top(m, o);
}

static void release(void *course) { measured_free(&((struct measuring *)course)->found); }

int measure_run(struct command *command, const struct measure *measure)
{
    static const struct course_kind kind = { .prepare = measure_prepare,
                                             .plan = measure_plan,
                                             .pass = measure_compute,
                                             .verify = measure_verify,
                                             .write = measure_write,
                                             .report = measure_report,
                                             .free = release };
    const enum weights_use weights = measure->weights ? measure->weights(command->settings) : WEIGHTS_UNUSED;
    struct measuring m = { .t = course_of(command, &kind, measure->variants, weights),
                           .set = command->settings,
                           .measure = measure };
    snprintf(m.titles, sizeof(m.titles), ">vertex|>%s", measure->name);
    return course_run(&m.t);
}
/* SPDX-License-Identifier: MIT */
