#include "bench/common/network_task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/table.h"

#define VARIANTS_MAX 16
#define COLUMNS_MAX 16
#define TASKS_MAX 32

/* Data of the bench; the callbacks of bench_each_device only get a device. */
static struct {
    const struct network_task *tasks;
    size_t count;
    const char *only, *wanted; /* the requested task and variants; NULL: all */
    struct mw_device *maker;
} all;

/* ---- a variant, alone or as a whole call ---- */

struct entry {
    const struct network_task *task;
    struct network_turn turn;
    char name[40];
    void *found;
    const void **expected;     /* the first variant's result, once known */
    const struct entry *alone; /* for a whole call: the same variant alone */
    bool out;
};

static int entry_run(void *of, int passes)
{
    struct entry *e = of;
    return e->task->run(&e->turn, e->found);
}

static double entry_seconds(void *of)
{
    struct entry *e = of;
    const int rc = entry_run(e, 1);
    e->out = rc == MW_ENOTSUP;
    if (rc != 0 && !e->out)
        bench_die(e->name);
    return e->out ? NAN : *(const double *)((const char *)e->found + e->task->seconds);
}

static int entry_check(void *of)
{
    struct entry *e = of;
    if (!*e->expected)
        *e->expected = e->found;
    if (!e->task->same(&e->turn, e->found, *e->expected))
        return mw_fail(MW_EVERIFY, "it has another result than the first variant");
    return 0;
}

static int entry_prepare(void *of)
{
    struct entry *e = of;
    const int rc = e->task->prepare(&e->turn, e->found);
    e->out = rc == MW_ENOTSUP;
    return rc;
}

static int entry_again(void *of, int passes)
{
    struct entry *e = of;
    return e->task->again(&e->turn, e->found);
}

/* A variant that fails alone is left out as a whole call as well. */
static int entry_prepare_with_all(void *of)
{
    const struct entry *e = of;
    return e->alone->out ? MW_ENOTSUP : 0;
}

/* ---- rows ---- */

/* Contenders in the order of their turns: other libraries, the copy if bandwidths are printed, then each variant alone
 * and as a whole call. */
struct row {
    const struct network_task *task;
    const char *test;
    struct mw_graph graph;
    struct bench_rival rivals[NETWORK_RIVALS_MOST];
    size_t rival_count, first, count; /* range of the variants' contenders */
    struct bench_copy copy;
    struct entry entries[2 * VARIANTS_MAX];
    size_t variant_row[VARIANTS_MAX]; /* index in the library's table */
    const void *expected;
    struct bench_contender contenders[NETWORK_RIVALS_MOST + 1 + 2 * VARIANTS_MAX];
};

static struct bench_past pasts[VARIANTS_MAX];

static uint32_t find_hub(const struct mw_graph *graph)
{
    uint32_t hub = 0;
    uint64_t most = 0;
    for (size_t v = 0; v < graph->vertices; v++) {
        const uint64_t arcs = graph->offsets[v + 1] - graph->offsets[v];
        if (arcs > most)
            hub = (uint32_t)v;
        most = arcs > most ? arcs : most;
    }
    return hub;
}

static const struct mw_variant *variant(const struct network_task *task, struct mw_variant *only, size_t i)
{
    if (task->variants)
        return task->variants(i);
    *only = (struct mw_variant){ .name = task->name };
    return i == 0 ? only : NULL;
}

static struct entry *add_entry(struct row *row, const struct network_turn *turn)
{
    struct entry *e = &row->entries[row->count - row->first];
    *e = (struct entry){
        .task = row->task, .turn = *turn, .expected = &row->expected, .found = calloc(1, row->task->bytes)
    };
    if (!e->found)
        bench_wrong("out of memory for results");
    return e;
}

static void add_variant(struct row *row, const struct network_turn *turn)
{
    const bool prepared = row->task->prepare != NULL;
    struct entry *alone = add_entry(row, turn);
    snprintf(alone->name, sizeof alone->name, "%s", turn->variant);
    row->contenders[row->count++] =
        (struct bench_contender){ .name = alone->name,
                                  .of = alone,
                                  .prepare = prepared ? entry_prepare : NULL,
                                  .run = prepared ? entry_again : NULL,
                                  .seconds = prepared ? NULL : entry_seconds,
                                  .check = prepared ? NULL : entry_check,
                                  .moved = ((double)turn->graph->arcs + 2.0 * (double)turn->graph->vertices) *
                                           sizeof(uint32_t) };

    struct entry *e = add_entry(row, turn);
    snprintf(e->name, sizeof e->name, "%s with all", turn->variant);
    e->alone = alone;
    row->contenders[row->count++] = (struct bench_contender){
        .name = e->name, .of = e, .prepare = entry_prepare_with_all, .run = entry_run, .check = entry_check
    };
}

static void add_variants(struct row *row, struct mw_device *device)
{
    struct network_turn turn = { .device = device, .graph = &row->graph, .hub = find_hub(&row->graph) };
    const struct mw_variant *named;
    struct mw_variant only;
    for (size_t i = 0; i < VARIANTS_MAX && (named = variant(row->task, &only, i)) != NULL; i++) {
        if (!bench_is_wanted(all.wanted, named->name) ||
            bench_takes_long(&pasts[i], row->test, (double)row->graph.vertices))
            continue;
        turn.variant = named->name;
        row->variant_row[(row->count - row->first) / 2] = i;
        add_variant(row, &turn);
    }
}

static double rate(const struct row *row, const struct bench_contender *c)
{
    const double edges = network_edge_count(&row->graph), seconds = bench_seconds(c).median;
    switch (row->task->rate) {
    case NETWORK_EDGES: return edges / seconds / 1e6;
    case NETWORK_TARGETS: return edges * (double)row->graph.vertices / seconds / 1e9;
    default: return bench_bandwidth(c, &row->contenders[row->rival_count]).median;
    }
}

static void print_row(struct bench_table *table, const struct row *row)
{
    for (size_t i = row->first; i < row->count; i += 2) {
        const struct bench_contender *c = &row->contenders[i];
        const struct entry *e = c->of;
        if (c->out)
            continue;
        pasts[row->variant_row[(i - row->first) / 2]] =
            (struct bench_past){ row->test, (double)row->graph.vertices, bench_seconds(c).median };
        bench_text(table, "%s", row->test);
        bench_number(table, (double)row->graph.vertices);
        bench_number(table, network_edge_count(&row->graph));
        bench_text(table, "%s", c->name);
        bench_times(table, c);
        bench_number(table, bench_seconds(c + 1).median * 1e3);
        bench_number(table, rate(row, c));
        for (size_t k = 0; k < row->rival_count; k++)
            bench_number(table, bench_ratio(c, &row->contenders[k]).median);
        if (row->task->rounds)
            bench_number(table, (double)*(const size_t *)((const char *)e->found + row->task->rounds));
    }
}

static void row_free(struct row *row)
{
    for (size_t i = 0; i < row->count - row->first; i++) {
        row->task->free(row->entries[i].found);
        free(row->entries[i].found);
    }
    mw_graph_free(&row->graph);
}

static void measure_row(struct bench *bench, struct bench_table *table, struct mw_device *device,
                        const struct network_task *task, const struct network *network)
{
    static struct row row;
    struct mw_edges edges;
    char name[200];
    row = (struct row){ .task = task,
                        .test = network->test,
                        .rival_count = task->rivals ? task->rivals : NETWORK_RIVALS };
    network_graph(bench, all.maker, network, &task->form, &edges, &row.graph);
    network_send(bench, &edges);
    mw_edges_free(&edges);
    network_rivals_add(bench, row.rivals, row.contenders, row.rival_count, "%s", task->words);
    row.count = row.rival_count;
    if (task->rate == NETWORK_BANDWIDTH) {
        row.copy = (struct bench_copy){ .device = device, .bytes = row.graph.vertices * sizeof(uint32_t) };
        row.contenders[row.count++] = bench_copier(&row.copy);
    }
    row.first = row.count;
    add_variants(&row, device);
    snprintf(name, sizeof name, "%s%s%s %s %zu %zu", mw_device_info(device)->id, task->name ? " " : "",
             task->name ? task->name : "", network->test, row.graph.vertices, (size_t)network_edge_count(&row.graph));
    bench_contest(bench, &(struct bench_contest){ .name = name }, row.contenders, row.count);
    print_row(table, &row);
    row_free(&row);
}

/* ---- tasks ---- */

static const struct {
    struct bench_column column;
    int rival_digits;
} rates[] = {
    [NETWORK_EDGES] = { { "M edges/s", 9, 1 }, 4 },
    [NETWORK_TARGETS] = { { "G/s", 8, 2 }, 4 },
    [NETWORK_BANDWIDTH] = { { "bandwidth", 9, 2 }, 3 },
};

static size_t find_columns(const struct network_task *task, struct bench_column columns[COLUMNS_MAX])
{
    const size_t rivals = task->rivals ? task->rivals : NETWORK_RIVALS;
    const struct bench_column first[] = { { "test", -4, 0 },       { "vertices", 9, 0 }, { "edges", 10, 0 },
                                          { "variant", -9, 0 },    BENCH_TIMES,          { "with all", 10, 3 },
                                          rates[task->rate].column };
    size_t count = MW_COUNT(first);
    memcpy(columns, first, sizeof first);
    for (size_t r = 0; r < task->row_count; r++)
        if ((int)strlen(task->rows[r].test) > -columns[0].width)
            columns[0].width = -(int)strlen(task->rows[r].test);
    for (size_t k = 0; k < rivals; k++) {
        const int width = (int)strlen(network_rivals[k]);
        columns[count++] =
            (struct bench_column){ network_rivals[k], width > 7 ? width : 7, rates[task->rate].rival_digits };
    }
    if (task->rounds)
        columns[count++] = (struct bench_column){ "iter", 6, 0 };
    return count;
}

static void measure_task(struct bench *bench, struct mw_device *device, const struct network_task *task)
{
    struct bench_column columns[COLUMNS_MAX];
    memset(pasts, 0, sizeof pasts);
    if (task->title)
        bench_say(bench, "%s\n", task->title);
    struct bench_table table = bench_table(bench, columns, find_columns(task, columns));
    for (size_t r = 0; r < task->row_count; r++)
        measure_row(bench, &table, device, task, &task->rows[r]);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    bench_say(bench, "%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    for (size_t t = 0; t < all.count; t++)
        if (!all.only || strcmp(all.only, all.tasks[t].name) == 0)
            measure_task(bench, device, &all.tasks[t]);
}

static void check_only(void)
{
    bool found = all.only == NULL;
    for (size_t t = 0; t < all.count && !found; t++)
        found = strcmp(all.only, all.tasks[t].name) == 0;
    if (!found)
        bench_wrong("--only: there is no task '%s'", all.only);
}

static void check_variants(void)
{
    mw_variant_table *tables[TASKS_MAX];
    size_t count = 0;
    for (size_t t = 0; t < all.count && count < TASKS_MAX; t++)
        tables[count++] = all.tasks[t].variants;
    bench_check_variants(all.wanted, tables, count);
}

int network_bench(int argc, char **argv, const char *title, const struct network_task *tasks, size_t count)
{
    static const struct bench_option options[] = { { "variant", "LIST", &all.wanted },
                                                   { "only", "TASK", &all.only },
                                                   { 0 } };
    static const struct bench_option one_task[] = { { "variant", "LIST", &all.wanted }, { 0 } };
    const struct bench_setup setup = { .rounds = 5, .script = "graph.py", .options = count > 1 ? options : one_task };
    struct bench bench;
    all.tasks = tasks;
    all.count = count;
    bench_start(argc, argv, &setup, &bench);
    check_only();
    check_variants();
    bench_say(&bench, "%s; %d rounds\n", title, bench.rounds);
    all.maker = bench_open("native:pthreads", NULL);
    bench_each_device(&bench, measure);
    mw_device_close(all.maker);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
