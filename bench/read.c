/* Network files: every format read by all threads and by one, next to other libraries, in one run.
 *
 *   bench/read [-s] [-l] [ROUNDS]          (5)
 *
 * A small world of 200,000 vertices and a million edges is written to a temporary folder and read from there, out of
 * the system's cache.  The formats are text, compressed text, the binary format, and the binary format mapped, which
 * reads almost nothing. "MB/s" is the rate of the file. "bandwidth" counts reading the file and writing the edges once,
 * as a fraction of a copy's in memory. "igraph" and "scipy" are our time as a fraction of the library's (below 1: ours
 * is faster), which includes its own graph; NumPy reads edge lists.  The first pass compares the graph with the written
 * one. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/common/networks.h"
#include "bench/common/table.h"

static const struct network network = { "small world", "ws", { 200e3, 10, 0.1 } };

static const struct bench_column columns[] = {
    { "format", -8, 0 }, { "", -4, 0 },         { "by", -11, 0 },   { "MB", 7, 1 },    BENCH_TIMES,
    { "MB/s", 8, 1 },    { "bandwidth", 9, 3 }, { "igraph", 7, 3 }, { "scipy", 7, 3 },
};

/* A file and a way to read it. */
struct reading {
    const char *path;
    struct mw_graph_file_options options;
    struct mw_device *device;
    uint64_t checksum; /* checksum of the written graph */
};

static int read_run(void *of, int passes)
{
    const struct reading *r = of;
    struct mw_edges edges;
    const int rc = mw_edges_read(r->path, &r->options, &edges);
    if (rc == 0)
        mw_edges_free(&edges);
    return rc;
}

static int map_run(void *of, int passes)
{
    const struct reading *r = of;
    struct mw_graph graph;
    const int rc = mw_graph_map(r->path, &graph);
    if (rc == 0)
        mw_graph_free(&graph);
    return rc;
}

static int checksum_check(const struct reading *r, const struct mw_graph *graph)
{
    return mw_graph_checksum(graph) == r->checksum ? 0 : mw_fail(MW_EVERIFY, "it has other edges than were written");
}

static int read_check(void *of)
{
    const struct reading *r = of;
    struct mw_edges edges = { 0 };
    struct mw_graph graph = { 0 };
    int rc = 0;
    TRY(mw_edges_read(r->path, &r->options, &edges));
    TRY(mw_graph_new(r->device, &edges, NULL, &graph, NULL));
    TRY(checksum_check(r, &graph));
out:
    mw_graph_free(&graph);
    mw_edges_free(&edges);
    return rc;
}

static int map_check(void *of)
{
    const struct reading *r = of;
    struct mw_graph graph = { 0 };
    int rc = 0;
    TRY(mw_graph_map(r->path, &graph));
    TRY(checksum_check(r, &graph));
out:
    mw_graph_free(&graph);
    return rc;
}

static const struct way {
    const char *name;
    unsigned threads;
    int (*run)(void *of, int passes);
    int (*check)(void *of);
    bool binary; /* only for the binary format */
} ways[] = {
    { "all threads", 0, read_run, read_check, false },
    { "one thread", 1, read_run, read_check, false },
    { "mapping", 0, map_run, map_check, true },
};
enum { WAYS = MW_COUNT(ways), COPY = NETWORK_RIVALS, FIRST_WAY };

/* ---- files ---- */

/* Checks shared by all files. */
struct source {
    const struct mw_graph *graph;
    struct mw_device *device;
    const char *folder;
    uint64_t checksum;
};

static void print_row(struct bench_table *table, const char *format, const char *suffix, double bytes,
                      const struct bench_contender *c, const struct bench_contender *all)
{
    bench_text(table, "%s", format);
    bench_text(table, "%s", suffix);
    bench_text(table, "%s", c->name);
    bench_number(table, bytes * 1e-6);
    bench_times(table, c);
    bench_number(table, bytes / bench_seconds(c).median * 1e-6);
    bench_number(table, bench_bandwidth(c, &all[COPY]).median);
    for (size_t k = 0; k < NETWORK_RIVALS; k++)
        bench_number(table, bench_ratio(c, &all[k]).median);
}

static void measure_file(struct bench *bench, struct bench_table *table, const struct source *source,
                         const char *format, const char *suffix)
{
    const bool binary = strcmp(format, "binary") == 0;
    struct bench_rival rivals[NETWORK_RIVALS];
    struct bench_contender c[FIRST_WAY + WAYS];
    struct reading readings[WAYS];
    char path[4096], name[64];
    struct stat file;
    size_t count = FIRST_WAY;
    snprintf(path, sizeof path, "%s/network%s", source->folder, suffix);
    const int rc = mw_graph_write(source->graph, path,
                                  &(struct mw_graph_file_options){ .size = sizeof(struct mw_graph_file_options),
                                                                   .format = format });
    if (rc != 0 || stat(path, &file) != 0) {
        fprintf(stderr, "read: %s%s: %s: left out\n", format, suffix, mw_errmsg());
        return;
    }
    struct bench_copy copy = { .device = source->device, .bytes = (size_t)source->graph->arcs * sizeof(uint32_t) };
    network_rivals_add(bench, rivals, c, NETWORK_RIVALS, "read %s %s", suffix[0] ? "compressed" : format, path);
    c[COPY] = bench_copier(&copy);
    for (size_t i = 0; i < WAYS; i++) {
        if (ways[i].binary && !binary)
            continue;
        readings[i] =
            (struct reading){ path,
                              { .size = sizeof readings[i].options, .format = format, .threads = ways[i].threads },
                              source->device,
                              source->checksum };
        c[count++] = (struct bench_contender){ .name = ways[i].name,
                                               .of = &readings[i],
                                               .run = ways[i].run,
                                               .check = ways[i].check,
                                               .moved = (double)file.st_size + (double)copy.bytes };
    }
    snprintf(name, sizeof name, "%s%s", format, suffix);
    bench_contest(bench, &(struct bench_contest){ .name = name }, c, count);
    for (size_t i = FIRST_WAY; i < count; i++)
        print_row(table, format, suffix, (double)file.st_size, &c[i], c);
    unlink(path);
}

static void measure(struct bench *bench, const struct source *source)
{
    const struct mw_variant *format;
    bench_say(bench, "Files of %zu vertices and %zu edges; %d rounds\n", source->graph->vertices,
              (size_t)source->graph->arcs / 2, bench->rounds);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; (format = mw_graph_formats(i)) != NULL; i++) {
        measure_file(bench, &table, source, format->name, "");
        if (strcmp(format->name, "binary") != 0)
            measure_file(bench, &table, source, format->name, ".gz");
    }
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 5, .own_devices = true, .script = "graph.py" };
    const char *temporary = getenv("TMPDIR");
    char folder[4096];
    struct bench bench;
    struct mw_edges edges;
    struct mw_graph graph;
    bench_start(argc, argv, &setup, &bench);
    struct mw_device *device = bench_open("native:pthreads", NULL);
    network_edges(&bench, device, &network, &edges);
    if (mw_graph_new(device, &edges, NULL, &graph, NULL) != 0)
        bench_die(network.test);
    mw_edges_free(&edges);
    snprintf(folder, sizeof folder, "%s/meshwork-read-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        bench_wrong("%s: no folder for files: %s", folder, strerror(errno));
    measure(&bench, &(struct source){ &graph, device, folder, mw_graph_checksum(&graph) });
    rmdir(folder);
    mw_graph_free(&graph);
    mw_device_close(device);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
