/* Subcommands of `meshwork graph` that give each vertex a value: what they share. */
#include "tools/measures/measure.h"

#include <meshwork/io.h>

#include "tools/report/csv.h"
#include "tools/report/files.h"

#define AT(member) offsetof(struct measure_settings, member)

const struct option measure_options[] = {
    { .name = "vertices", .type = OPTION_FILE, .target = AT(vertices), .value = "FILE.csv",
      .help = "write a line for each vertex" },
    { .name = "top", .type = OPTION_COUNT, .target = AT(top), .value = "N", .fallback = "10", .most = 1000000,
      .help = "show the N vertices with the largest values" },
    { .name = "repeat", .type = OPTION_COUNT, .target = AT(repeat), .value = "N", .fallback = "1", .least = 1,
      .most = 1000000, .help = "compute N times, and give the median of the seconds" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compare all values with those of native:serial, by another variant where there is one" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), .help = "show the plan, and compute nothing" },
    { 0 }
};

struct measuring {
    const struct measure_settings *set;
    const struct measure *measure;
    struct network n;
    struct team team;
    struct measured found;
    struct passes passes;
    char titles[64];             /* of the table of the largest values */
    const char *verified_by;     /* the variant */
    double open, verify, output;
};

static void measured_free(struct measured *found)
{
    free(found->reals);
    free(found->counts);
    free(found->pairs);
    *found = (struct measured){ 0 };
}

/* ---- computing ---- */

static int prepare(struct measuring *m)
{
    const struct measure_settings *set = m->set;
    const struct command *command = m->n.command;

    if (m->measure->variants)
        TRY_RETURN(variant_check(set->variant, m->measure->variants));
    TRY_RETURN(network_choose(&m->n, &command->operands));
    TRY_RETURN(file_kind_writable("vertices", set->vertices, ".csv"));
    return passes_new(set->repeat, &m->passes);
}

/* ---- the plan ---- */

static uint64_t memory_of(const struct measuring *m, const struct mw_device_info *info)
{
    const struct mw_graph *g = &m->n.graph;
    const bool weighed = network_is_weighed(&m->n);
    const uint64_t of_core = weighed ? m->measure->weighted_core_bytes : m->measure->core_bytes;
    const uint64_t arcs = g->arcs * (sizeof(*g->heads) + (weighed ? sizeof(*g->weights) : 0));
    const uint64_t cores = info->traits.has_cores ? info->compute_units : 0;

    return arcs + (g->vertices + 1) * (sizeof(uint32_t) + m->measure->vertex_bytes + cores * of_core);
}

static int plan(struct measuring *m)
{
    struct node *o = report_object();
    struct team_plan team;
    uint64_t bytes;
    int rc;

    TRY(network_plan(&m->n, m->measure->variants ? m->set->variant : NULL, &team, o));
    bytes = memory_of(m, &team.first);
    say_row(put_bytes(o, "memory_bytes", bytes), "memory", "about %s", bytes_text(bytes).text);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}

static int compute(struct measuring *m)
{
    for (size_t i = 0; i < m->passes.count; i++) {
        measured_free(&m->found);
        TRY_RETURN(m->measure->compute(m->set, m->set->variant, &m->team, &m->n.graph, &m->found));
        m->passes.seconds[i] = m->found.seconds;
    }
    passes_sort(&m->passes);
    return 0;
}

/* By the first other variant that the device and the graph suit: the same one again would make the same mistakes. */
static int compute_otherwise(struct measuring *m, const struct team *serial, struct measured *expected)
{
    const struct measure *measure = m->measure;
    const struct mw_variant *v;
    int rc = MW_ENOTSUP;

    for (size_t i = 0; rc == MW_ENOTSUP && measure->variants && (v = measure->variants(i)) != NULL; i++) {
        if (!strcmp(v->name, m->found.variant))
            continue;
        m->verified_by = v->name;
        rc = measure->compute(m->set, v->name, serial, &m->n.graph, expected);
    }
    if (rc == MW_ENOTSUP) {
        m->verified_by = m->found.variant;
        rc = measure->compute(m->set, m->found.variant, serial, &m->n.graph, expected);
    }
    return rc;
}

static int verify(struct measuring *m)
{
    const size_t n = m->n.graph.vertices;
    const struct measured *found = &m->found;
    struct measured expected = { 0 };
    struct team serial = { .count = 1 };
    const double start = mw_now();
    int rc;

    TRY(mw_device_open_by_name("native:serial", NULL, &serial.device[0]));
    TRY(compute_otherwise(m, &serial, &expected));
    m->verify = mw_now() - start;
    if (n && (found->reals ? memcmp(found->reals, expected.reals, n * sizeof(*found->reals))
                           : memcmp(found->counts, expected.counts, n * sizeof(*found->counts))))
        rc = mw_fail(MW_EVERIFY, "verification failed: the values are not those of native:serial");
out:
    measured_free(&expected);
    mw_device_close(serial.device[0]);
    return rc;
}

/* ---- what comes of it ---- */

static double value_of(const struct measured *found, size_t v)
{
    return found->reals ? found->reals[v] : found->counts[v];
}

static void add_vertex(const void *measuring, size_t v, struct mw_text *text)
{
    const struct measuring *m = measuring;
    char own[MW_NAME_CAPACITY];

    csv_cell(text, mw_name(m->n.graph.names, v, own));
    mw_text_add(text, ",%s\n", real_text(value_of(&m->found, v)).text);
}

static int write_vertices(const struct measuring *m)
{
    char titles[64];

    snprintf(titles, sizeof(titles), "vertex,%s", m->measure->name);
    return csv_write(m->set->vertices, titles, m->n.graph.vertices, add_vertex, m);
}

/* Whether a comes before b: the larger value, of equal ones the smaller vertex. */
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

/* The first `count` vertices in that order: a heap of them with the last one on top, which is then taken apart. */
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
    const size_t n = m->n.graph.vertices, count = m->set->top < n ? (size_t)m->set->top : n;
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
        say_value_cell(put_text(row, "vertex", mw_name(m->n.graph.names, top[i], own)), PLAIN);
        if (m->found.reals)
            say_cell(put_real(row, m->measure->name, value_of(&m->found, top[i])), PLAIN, "%.10g",
                     value_of(&m->found, top[i]));
        else
            say_value_cell(put_count(row, m->measure->name, m->found.counts[top[i]]), PLAIN);
    }
out:
    free(top);
    return rc;
}

/* Of the values, and of pairs of vertices. */
static uint64_t checksum(const struct measuring *m)
{
    const struct measured *found = &m->found;
    const size_t n = m->n.graph.vertices;
    const struct mw_array values = { .type = found->reals ? MW_TYPE_F64 : MW_TYPE_U32, .dims = 1, .length = { n },
                                     .count = n, .data = found->reals ? (void *)found->reals : found->counts };
    const struct mw_array pairs = { .type = MW_TYPE_U32, .dims = 2, .length = { 2, found->pair_count },
                                    .count = 2 * found->pair_count, .data = found->pairs };
    const uint64_t both[] = { mw_array_checksum(&values), mw_array_checksum(&pairs) };

    return found->pairs ? numbers_checksum(&(struct numbers){ both, 2 }, 1) : both[0];
}

static int report(const struct measuring *m)
{
    const struct network_seconds seconds = { m->open, m->found.preparing, m->verify, m->output };
    struct node *o = report_object();
    int rc;

    TRY(network_report(&m->n, o));
    team_put(&m->team, o);
    network_passes_say(&m->n, &m->passes, &seconds, o);
    if (m->measure->variants)
        say_value(put_text(o, "variant", m->found.variant), "variant");
    if (m->measure->say)
        m->measure->say(m->set, &m->n.graph, &m->found, o);
    say_value(put_checksum(o, "checksum", checksum(m)), "checksum");
    if (m->set->verify)
        say_row(put_flag(o, "verified", true), "verified", "all values are those of native:serial%s%s, in %s",
                m->verified_by ? " by " : "", m->verified_by ? m->verified_by : "", seconds_text(m->verify).text);
    if (m->set->vertices)
        ROW(o, "written", "%s", file_words(m->set->vertices));
    TRY(put_top(m, o));
    network_timings(&m->n, &m->passes, &seconds, o);
    rc = report_print(o);
    o = NULL;
out:
    report_free(o);
    return rc;
}

int measure_run(struct command *command, const struct measure *measure)
{
    const struct measure_settings *set = command->settings;
    struct measuring m = { .set = set, .measure = measure,
                           .n = network_of(command, &set->graph, &set->device) };
    double start;
    int rc;

    if (measure->variants && !strcmp(set->variant, "list"))
        return variant_list(measure->variants);
    m.n.weights = measure->weights ? measure->weights(set) : WEIGHTS_UNUSED;
    m.n.single = measure->single ? command->subcommand->name : NULL;
    snprintf(m.titles, sizeof(m.titles), ">vertex|>%s", measure->name);
    if (set->graph.generate && !strcmp(set->graph.generate, "list"))
        return generators_list();
    TRY(prepare(&m));
    if (set->dry_run) {
        TRY(plan(&m));
        goto out;
    }
    TRY(network_open_on(&m.n, &m.team, &m.open));
    TRY(compute(&m));
    if (set->verify)
        TRY(verify(&m));
    start = mw_now();
    if (set->vertices)
        TRY(write_vertices(&m));
    if (measure->write)
        TRY(measure->write(set, &m.n.graph, &m.found));
    m.output = mw_now() - start;
    TRY(report(&m));
out:
    measured_free(&m.found);
    team_close(&m.team);
    network_free(&m.n);
    free(m.passes.seconds);
    return rc;
}
/* SPDX-License-Identifier: MIT */
