/* Times labelling of meshes: all variants that a device can run, on published and random patterns.  The published ones
 * are of Hawick, Leist and Playne, "Parallel Graph Component Labelling with GPUs and CUDA", section 6.3.  Cells have 8
 * bits; 0 is background or not.
 *
 *   bench/label [-s] [-l] [--variant LIST] [--mesh DIMSxSIDE] [--tile ITEMSxWORDS] [ROUNDS [DEVICE...]]
 *                                                       (7, all devices)
 *
 *   spiral    an arm one cell wide and the gap between its turns
 *   random    independent cells with density 0.5
 *   domains   random numbers smoothed by box blurs, half of them set, as after phase separation
 *
 * LIST: comma-separated variants.  3x512 measures only these meshes.  128x4 gives the variant `bits` tiles of 128
 * segments of 32 cells, 4 of them along x.
 *
 * "bandwidth" counts reading values and writing labels, 5 bytes per cell, as a fraction of a copy's.  "opencv", "scipy"
 * and "cupy" are our time as a fraction of the library's (below 1: ours is faster), if it can label such cells.  A
 * variant that needs more than a second has one turn and is left out of larger meshes of the kind; so is one expected
 * to need more than five.  All variants' labels are compared first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/table.h"
#include "label/label_internal.h"
#include "tools/label/pattern.h"

enum { SPIRAL, RANDOM, DOMAINS }; /* indices in `patterns` */

#define FACES MW_CONNECTIVITY_FACES
#define ALL MW_CONNECTIVITY_ALL

/* Meshes of one pattern and one number of dimensions are adjacent, in ascending size. */
static const struct mesh {
    int pattern;
    unsigned dims;
    size_t side;
    enum mw_connectivity connectivity;
    bool background;
} meshes[] = {
    /* The papers' curves: sides of 256 to 4096, and a smaller one to detect slow variants; and, with background, what
     * other libraries can label. */
    { SPIRAL, 2, 64, FACES, false },   { SPIRAL, 2, 256, FACES, false },  { SPIRAL, 2, 512, FACES, false },
    { SPIRAL, 2, 1024, FACES, false }, { SPIRAL, 2, 2048, FACES, false }, { SPIRAL, 2, 4096, FACES, false },
    { DOMAINS, 2, 256, FACES, false }, { DOMAINS, 2, 512, FACES, false }, { DOMAINS, 2, 1024, FACES, false },
    { DOMAINS, 2, 2048, FACES, true }, { DOMAINS, 2, 2048, ALL, true },   { DOMAINS, 2, 2048, FACES, false },
    { DOMAINS, 2, 4096, FACES, true }, { DOMAINS, 2, 4096, ALL, true },   { DOMAINS, 2, 4096, FACES, false },
    { RANDOM, 2, 256, FACES, false },  { RANDOM, 2, 512, FACES, false },  { RANDOM, 2, 1024, FACES, false },
    { RANDOM, 2, 2048, FACES, true },  { RANDOM, 2, 2048, ALL, true },    { RANDOM, 2, 2048, FACES, false },
    { RANDOM, 2, 4096, FACES, true },  { RANDOM, 2, 4096, ALL, true },    { RANDOM, 2, 4096, FACES, false },
    { DOMAINS, 3, 192, FACES, true },  { DOMAINS, 3, 192, ALL, true },    { DOMAINS, 3, 512, FACES, true },
    { RANDOM, 3, 192, FACES, true },   { RANDOM, 3, 192, ALL, true },     { RANDOM, 3, 512, FACES, true },
};
/* The largest side with -s, plus a small amount per row, so that row names differ. */
#define SMALL 64
#define VARIANTS_MAX 16

static const struct bench_column columns[] = {
    { "pattern", -8, 0 },  { "d", 1, 0 },    { "side", 5, 0 },        { "", -5, 0 },      { "back", -4, 0 },
    { "variant", -12, 0 }, BENCH_TIMES,      { "bandwidth", 9, 2 },   { "opencv", 7, 2 }, { "scipy", 7, 2 },
    { "cupy", 7, 2 },      { "iter", 5, 0 }, { "components", 10, 0 },
};
static const char *const others[] = { "opencv", "scipy", "cupy" };
enum { OTHERS = MW_COUNT(others) };

static const char *words(enum mw_connectivity connectivity) { return connectivity == ALL ? "all" : "faces"; }

/* The command line. */
static const char *wanted, *mesh_wanted, *tile_wanted;
static const struct bench_option options[] = {
    { "variant", "LIST", &wanted },
    { "mesh", "DIMSxSIDE", &mesh_wanted },
    { "tile", "ITEMSxWORDS", &tile_wanted },
    { 0 },
};
static struct mw_label_limits limits = { .strip_cells = (size_t)1 << 14 };

static bool is_mesh_wanted(const struct mesh *mesh)
{
    unsigned dims;
    size_t side;
    if (!mesh_wanted)
        return true;
    if (sscanf(mesh_wanted, "%ux%zu", &dims, &side) != 2)
        bench_wrong("--mesh %s: give it the number of dimensions and the side, as in 2x4096", mesh_wanted);
    return mesh->dims == dims && mesh->side == side;
}

static bool is_power(size_t n) { return n > 0 && (n & (n - 1)) == 0; }

static void take_tile(void)
{
    size_t words;
    if (!tile_wanted)
        return;
    if (sscanf(tile_wanted, "%zux%zu", &limits.tile_items, &words) != 2 || !is_power(limits.tile_items) ||
        !is_power(words))
        bench_wrong("--tile %s: give it segments, and how many of them along x, powers of two", tile_wanted);
    for (limits.tile_x = 1; (size_t)1 << limits.tile_x <= words; limits.tile_x++)
        ;
}

/* A variant on the cells of a mesh. */
struct variant {
    struct mw_device *device;
    struct mw_label_options options;
    struct mw_labelling *labelling;
    struct mw_buffer *from, *to;
    size_t bytes; /* size of the labels */
    void *labels;
    const void **expected; /* the first variant's labels, once known */
    size_t components, iterations;
};

static int variant_prepare(void *of)
{
    struct variant *v = of;
    return mw_labelling_new_within(&v->device, 1, &v->options, &limits, &v->labelling);
}

static int variant_run(void *of, int passes)
{
    struct variant *v = of;
    return mw_labelling_run(v->labelling, v->from, v->to, &v->components, &v->iterations);
}

static int variant_check(void *of)
{
    const struct variant *v = of;
    int rc = 0;
    TRY(mw_buffer_read(v->to, 0, v->bytes, v->labels, NULL));
    if (!*v->expected)
        *v->expected = v->labels;
    if (memcmp(v->labels, *v->expected, v->bytes) != 0)
        rc = mw_fail(MW_EVERIFY, "it has other labels than the first variant");
out:
    return rc;
}

static void variant_finish(void *of)
{
    struct variant *v = of;
    mw_labelling_free(v->labelling);
    v->labelling = NULL;
}

/* ---- meshes ---- */

/* Contenders in the order of their turns: other libraries, the copy, the variants. */
enum { COPY = OTHERS, VARIANTS };

struct row {
    const struct mesh *mesh;
    size_t side, cells;
    char kind[40];
    struct bench_rival rivals[OTHERS];
    struct bench_copy copy;
    struct mw_buffer *from;
    struct variant variants[VARIANTS_MAX];
    size_t variant_row[VARIANTS_MAX]; /* index in the library's table */
    size_t variant_count;
    const void *expected;
    struct bench_contender contenders[VARIANTS + VARIANTS_MAX];
};

/* By variant, for rows of one kind. */
static struct {
    struct bench_past past;
    char kind[40];
} pasts[VARIANTS_MAX];

/* Other libraries label only cells with 0 as background. */
static void add_others(struct bench *bench, struct row *row, const struct mw_array *cells)
{
    char line[200] = "cells ";
    for (unsigned i = 0; i < cells->dims; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%zu", i ? "x" : "", cells->length[i]);
    python_seconds(&bench->python, line, cells->data, cells->count);
    for (size_t i = 0; i < OTHERS; i++) {
        row->rivals[i] = (struct bench_rival){ .python = &bench->python, .name = others[i] };
        snprintf(row->rivals[i].line, sizeof row->rivals[i].line, "%s %s", others[i],
                 row->mesh->background ? words(row->mesh->connectivity) : "none");
        row->contenders[i] = bench_rival(&row->rivals[i]);
    }
}

static void add_variants(struct row *row, struct mw_device *device, const struct mw_label_options *options)
{
    const struct mw_variant *named;
    for (size_t i = 0; (named = mw_label_variants(i)) != NULL && row->variant_count < VARIANTS_MAX; i++) {
        if (!bench_is_wanted(wanted, named->name) || bench_takes_long(&pasts[i].past, row->kind, (double)row->cells))
            continue;
        struct variant *v = &row->variants[row->variant_count];
        *v = (struct variant){ .device = device,
                               .options = *options,
                               .from = row->from,
                               .to = row->copy.from,
                               .bytes = row->copy.bytes,
                               .labels = malloc(row->copy.bytes),
                               .expected = &row->expected };
        if (!v->labels)
            bench_wrong("out of memory for %zu labels", row->cells);
        v->options.variant = named->name;
        row->contenders[VARIANTS + row->variant_count] =
            (struct bench_contender){ .name = named->name,
                                      .of = v,
                                      .prepare = variant_prepare,
                                      .run = variant_run,
                                      .check = variant_check,
                                      .finish = variant_finish,
                                      .moved = (double)(row->cells + row->copy.bytes) };
        row->variant_row[row->variant_count++] = i;
    }
}

static void print_row(struct bench_table *table, const struct row *row)
{
    for (size_t i = 0; i < row->variant_count; i++) {
        const struct bench_contender *c = &row->contenders[VARIANTS + i];
        const size_t v = row->variant_row[i];
        if (c->out)
            continue;
        memcpy(pasts[v].kind, row->kind, sizeof pasts[v].kind);
        pasts[v].past = (struct bench_past){ pasts[v].kind, (double)row->cells, bench_seconds(c).median };
        bench_text(table, "%s", patterns[row->mesh->pattern].name);
        bench_number(table, row->mesh->dims);
        bench_number(table, (double)row->side);
        bench_text(table, "%s", words(row->mesh->connectivity));
        bench_text(table, "%s", row->mesh->background ? "0" : "none");
        bench_text(table, "%s", c->name);
        bench_times(table, c);
        bench_number(table, bench_bandwidth(c, &row->contenders[COPY]).median);
        for (size_t k = 0; k < OTHERS; k++)
            bench_number(table, bench_ratio(c, &row->contenders[k]).median);
        bench_number(table, (double)row->variants[i].iterations);
        bench_number(table, (double)row->variants[i].components);
    }
}

static void measure_mesh(struct bench *bench, struct bench_table *table, struct mw_device *device,
                         const struct mesh *mesh)
{
    static struct row row;
    struct mw_label_options o = { .size = sizeof o,
                                  .dims = mesh->dims,
                                  .type = MW_TYPE_U8,
                                  .connectivity = mesh->connectivity,
                                  .no_background = !mesh->background };
    struct mw_array pattern;
    char name[200];
    row = (struct row){ .mesh = mesh, .cells = 1, .side = mesh->side };
    for (unsigned i = 0; i < o.dims; i++)
        row.cells *= o.length[i] = row.side;
    row.copy = (struct bench_copy){ .device = device, .bytes = row.cells * sizeof(int32_t) };
    snprintf(row.kind, sizeof row.kind, "%s %u", patterns[mesh->pattern].name, mesh->dims);
    snprintf(name, sizeof name, "%s %s %zu %s %s", mw_device_info(device)->id, row.kind, row.side,
             words(mesh->connectivity), mesh->background ? "0" : "none");
    if (mw_array_new(MW_TYPE_U8, o.dims, o.length, &pattern) != 0 || mw_buffer_new(device, row.cells, &row.from) != 0 ||
        mw_buffer_new(device, row.copy.bytes, &row.copy.from) != 0 ||
        mw_buffer_new(device, row.copy.bytes, &row.copy.to) != 0 ||
        patterns[mesh->pattern].make(&pattern, 0.5, 1) != 0 ||
        mw_buffer_write(row.from, 0, row.cells, pattern.data, NULL) != 0)
        bench_die(name);
    add_others(bench, &row, &pattern);
    row.contenders[COPY] = bench_copier(&row.copy);
    add_variants(&row, device, &o);
    bench_contest(bench, &(struct bench_contest){ .name = name }, row.contenders, VARIANTS + row.variant_count);
    print_row(table, &row);

    for (size_t i = 0; i < row.variant_count; i++)
        free(row.variants[i].labels);
    mw_buffer_free(row.from);
    mw_buffer_free(row.copy.from);
    mw_buffer_free(row.copy.to);
    mw_array_free(&pattern);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    memset(pasts, 0, sizeof pasts);
    bench_say(bench, "%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t m = 0; m < MW_COUNT(meshes); m++) {
        struct mesh mesh = meshes[m];
        if (!is_mesh_wanted(&mesh))
            continue;
        if (bench->small)
            mesh.side = mesh.side / 16 < SMALL ? mesh.side / 16 + 1 : SMALL + mesh.side / 1024;
        measure_mesh(bench, &table, device, &mesh);
    }
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 7, .script = "label.py", .options = options };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    take_tile();
    bench_check_variants(wanted, (mw_variant_table *const[]){ mw_label_variants }, 1);
    bench_say(&bench, "Labelling of cells of 8 bits; %d rounds\n", bench.rounds);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
