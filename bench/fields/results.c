/* Field equations on a device, as in doc/results: Markdown tables, with turns of other libraries in the same rounds
 * (bench/rivals/fields.py): CuPy, JAX and torch on a GPU, otherwise NumPy, JAX and torch, if Python has them.
 *
 *   bench/results [-s] [-l] [--plane SIDE] [--space SIDE] [--only WORD] [--rivals LIST] [--table LIST]
 *                 [ROUNDS [DEVICE...]]
 *                         (8192 on GPUs, otherwise 2048; 512 or 128; all; all installed; fields; 5; the command's)
 *
 * Measures the first device and, with several devices, all of them together as well. --rivals numpy,jax selects these
 * libraries, --rivals none selects none.  The column "of copy" is the fraction of the device's bandwidth in a copy of
 * the state, for one pass over it per update.  It exceeds 1 if a launch does several updates.  An empty cache adds
 * tuning and compilation.  If the binaries run from a copied folder, MESHWORK_KERNEL_PATH names the kernels and
 * MESHWORK_BENCH_RIVALS the scripts.
 *
 * --table models measures all installed models instead, next to a prediction.  It is the larger of two times: for the
 * bytes of a launch at the bandwidth of a copy, and for the operations at the measured rate of arithmetic. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fields/case.h"
#include "bench/fields/rival.h"
#include "model/model.h"

#include <meshwork/speed.h>

#define STRETCH 0.04
#define COPY_BYTES_MAX ((size_t)256 << 20) /* larger than all caches */

enum size { OF_PLANE, TWICE, LESS_ONE, OF_SPACE, ITS_OWN };
enum contenders_more { ALONE, RIVALS = 1, TOGETHER = 2 };

/* A field, the rule for its lengths, and the contenders next to it. */
struct row {
    struct field_case field;
    enum size size;
    unsigned others;
};

static const struct row large[] = {
    { { "cahn-hilliard", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, RIVALS | TOGETHER },
    { { "cahn-hilliard", 2, { 0 }, RK2, 0, 0, 0 }, LESS_ONE, ALONE },
    { { "cahn-hilliard", 2, { 0 }, RK2, 0, MIRROR, 0 }, OF_PLANE, ALONE },
    { { "cahn-hilliard", 2, { 0 }, RK2, 0, FIXED, 0 }, OF_PLANE, ALONE },
    { { "cahn-hilliard", 2, { 0 }, RK2, true, 0, 0 }, OF_PLANE, ALONE },
    { { "cahn-hilliard", 2, { 0 }, RK4, 0, 0, 0 }, OF_PLANE, ALONE },
    { { "cahn-hilliard", 2, { 0 }, RK2, 0, 0, 0 }, TWICE, TOGETHER },
    { { "heat", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, TOGETHER },
    { { "heat", 2, { 0 }, RK2, true, 0, 0 }, OF_PLANE, ALONE },
    { { "heat", 2, { 0 }, EULER, 0, 0, 0 }, OF_PLANE, RIVALS },
    { { "heat", 2, { 0 }, EULER, 0, 0, 0 }, TWICE, TOGETHER },
    { { "gray-scott", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, RIVALS | TOGETHER },
    { { "gray-scott", 2, { 0 }, RK2, true, 0, 0 }, OF_PLANE, ALONE },
    { { "swift-hohenberg", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, ALONE },
    { { "wave", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, ALONE },
    { { "ginzburg-landau", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, ALONE },
    { { "lotka-volterra", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, ALONE },
    { { "cahn-hilliard-cook", 2, { 0 }, RK2, 0, 0, 0 }, OF_PLANE, ALONE },
    { { "cahn-hilliard", 3, { 0 }, RK2, 0, 0, 0 }, OF_SPACE, RIVALS | TOGETHER },
    { { "heat", 3, { 0 }, RK2, 0, 0, 0 }, OF_SPACE, ALONE },
    { { "heat", 3, { 0 }, EULER, 0, 0, 0 }, OF_SPACE, ALONE },
    { { "gray-scott", 3, { 0 }, RK2, 0, 0, 0 }, OF_SPACE, ALONE },
};
static const struct row meshes[] = {
    { { "cahn-hilliard", 2, { 64, 64 }, RK2, 0, 0, 0 }, ITS_OWN, ALONE },
    { { "cahn-hilliard", 2, { 128, 128 }, RK2, 0, 0, 0 }, ITS_OWN, ALONE },
    { { "cahn-hilliard", 2, { 256, 256 }, RK2, 0, 0, 0 }, ITS_OWN, RIVALS },
    { { "cahn-hilliard", 2, { 512, 512 }, RK2, 0, 0, 0 }, ITS_OWN, ALONE },
    { { "cahn-hilliard", 2, { 1024, 1024 }, RK2, 0, 0, 0 }, ITS_OWN, RIVALS },
    { { "cahn-hilliard", 2, { 2048, 2048 }, RK2, 0, 0, 0 }, ITS_OWN, ALONE },
    { { "heat", 2, { 256, 256 }, EULER, 0, 0, 0 }, ITS_OWN, ALONE },
    { { "heat", 2, { 1024, 1024 }, EULER, 0, 0, 0 }, ITS_OWN, ALONE },
};

/* Command line, devices and libraries. */
struct asked {
    struct bench bench;
    size_t plane, space;
    const char *only, *tables;
    struct mw_device **devices;
    size_t device_count;
    struct rival_library libraries[RIVALS_MAX];
    size_t library_count;
};

/* ---- a row ---- */

enum { COPY, ONE_STEP, RULE, TUNED, ALL_DEVICES, OWN_COUNT };

static struct field_case sized(const struct asked *asked, const struct row *row)
{
    const size_t side = row->size == OF_SPACE ? asked->space : asked->plane;
    struct field_case field = row->field;
    for (unsigned d = 0; d < field.dims; d++)
        field.length[d] = row->size != ITS_OWN ? side * (row->size == TWICE ? 2 : 1) - (row->size == LESS_ONE)
                          : asked->bench.small ? asked->plane
                                               : field.length[d];
    return field;
}

/* Prints three digits, or all before the decimal point. */
static void number(const struct bench *bench, double value)
{
    if (isnan(value))
        bench_say(bench, " |");
    else
        bench_say(bench, " %.*f |", value < 10 ? 2 : value < 100 ? 1 : 0, value);
}

static void rate(const struct bench *bench, const struct bench_contender *c, double cells)
{
    number(bench, 1e-9 * cells / bench_seconds(c).median);
}

static void print_row(const struct asked *asked, const char *name, const struct field_run *runs,
                      const struct bench_contender *c, double cells)
{
    const struct bench *bench = &asked->bench;
    bench_say(bench, "| %s |", name);
    for (int i = ONE_STEP; i <= TUNED; i++)
        rate(bench, &c[i], cells);
    number(bench, 1e6 * bench_seconds(&c[TUNED]).median);
    number(bench, bench_bandwidth(&c[TUNED], &c[COPY]).median);
    if (asked->device_count > 1) {
        rate(bench, &c[ALL_DEVICES], cells);
        number(bench, bench_ratio(&c[TUNED], &c[ALL_DEVICES]).median);
    }
    for (size_t i = 0; i < asked->library_count; i++)
        rate(bench, &c[OWN_COUNT + i], cells);
    bench_say(bench, " %s |\n", runs[TUNED].text);
}

static void measure(struct asked *asked, const struct row *row)
{
    const struct field_case field = sized(asked, row);
    const bool gpu = mw_device_info(asked->devices[0])->kind == MW_DEVICE_GPU, together = row->others & TOGETHER;
    struct bench_contender contenders[OWN_COUNT + RIVALS_MAX];
    struct rival rivals[RIVALS_MAX];
    struct mw_model *model;
    char name[96];
    field_case_name(&field, name, sizeof name);
    if (asked->only && !strstr(name, asked->only))
        return;
    if (mw_model_load(field.model, NULL, &model) != 0)
        bench_die(field.model);
    const size_t bytes = field_cells(&field) * mw_model_info(model)->field_count * (field.fp64 ? 8 : 4);
    struct bench_copy copy = { .device = asked->devices[0], .bytes = bytes < COPY_BYTES_MAX ? bytes : COPY_BYTES_MAX };
    struct field_run runs[OWN_COUNT];
    for (int i = ONE_STEP; i < OWN_COUNT; i++)
        runs[i] = (struct field_run){ .of = &field,
                                      .model = model,
                                      .devices = asked->devices,
                                      .device_count = 1,
                                      .no_tune = i < TUNED || asked->bench.small };
    runs[ONE_STEP].shape = gpu ? "steps=1" : NULL;
    runs[ALL_DEVICES].device_count = asked->device_count;
    contenders[COPY] = bench_copier(&copy);
    contenders[ONE_STEP] = gpu ? field_contender(&runs[ONE_STEP], "one step per launch") : bench_nobody("one step");
    contenders[RULE] = field_contender(&runs[RULE], "rule");
    contenders[TUNED] = field_contender(&runs[TUNED], "tuned");
    contenders[ALL_DEVICES] = together && asked->device_count > 1 ? field_contender(&runs[ALL_DEVICES], "all devices")
                                                                  : bench_nobody("all devices");
    for (size_t i = 0; i < asked->library_count; i++)
        contenders[OWN_COUNT + i] = row->others & RIVALS
                                        ? rival_contender(&rivals[i], &asked->libraries[i], &field, model, STRETCH)
                                        : bench_nobody(asked->libraries[i].name);
    const struct bench_contest contest = { .name = name, .stretch = STRETCH };
    bench_contest(&asked->bench, &contest, contenders, OWN_COUNT + asked->library_count);
    print_row(asked, name, runs, contenders, (double)field_cells(&field));
    mw_model_free(model);
}

/* ---- models, and predictions ---- */

static void measure_model(struct asked *asked, const char *name)
{
    const struct bench *bench = &asked->bench;
    const struct field_case field = { name, 2, { asked->plane, asked->plane }, RK2, 0, 0, 0 };
    struct mw_speed speed = { .size = sizeof speed };
    struct mw_model *model;
    struct bench_contender contenders[2];
    if (asked->only && !strstr(name, asked->only))
        return;
    if (mw_model_load(name, NULL, &model) != 0 ||
        mw_speed_measure(asked->devices[0], MW_SPEED_ARITHMETIC, 0, &speed) != 0)
        bench_die(name);
    const size_t fields = mw_model_info(model)->field_count;
    const double cells = (double)field_cells(&field);
    struct bench_copy copy = { .device = asked->devices[0], .bytes = COPY_BYTES_MAX / (bench->small ? 64 : 4) };
    struct field_run run = {
        .of = &field, .model = model, .devices = asked->devices, .device_count = 1, .no_tune = bench->small
    };
    const struct bench_contest contest = { .name = name, .stretch = STRETCH };
    contenders[0] = bench_copier(&copy);
    contenders[1] = field_contender(&run, "tuned");
    bench_contest(bench, &contest, contenders, MW_COUNT(contenders));
    /* A launch of whole steps reads and writes the state once; others do so per update, and read the base. */
    const unsigned steps = run.chosen.steps ? run.chosen.steps : strcmp(run.chosen.variant, "temporal") == 0;
    const double launch = steps ? 8.0 * (double)fields / steps : field_floor(&field, fields) / cells;
    const double bandwidth = 2 * (double)copy.bytes / bench_seconds(&contenders[0]).median;
    const double work = 2 * (mw_model_operations(model, MW_LAPLACIAN_SECOND, 2) + 2 * (double)fields);
    const double memory = launch / bandwidth, arithmetic = work / speed.single;
    const double predicted = isnan(work) ? memory : fmax(memory, arithmetic);
    const double measured = bench_seconds(&contenders[1]).median / cells;
    bench_say(bench, "| %s |", name);
    number(bench, launch);
    number(bench, work);
    number(bench, 1e-9 * bandwidth);
    number(bench, 1e-9 * speed.single);
    number(bench, 1e-9 / predicted);
    number(bench, 1e-9 / measured);
    number(bench, predicted / measured);
    bench_say(bench, " %s | %s |\n", predicted > memory ? "arithmetic" : "memory", run.text);
    mw_model_free(model);
}

static void measure_models(struct asked *asked)
{
    char **names;
    bench_say(&asked->bench,
              "| | bytes | operations | copy, GB/s | arithmetic, G/s | predicted | measured | ratio | bound "
              "| shape |\n|---|---|---|---|---|---|---|---|---|---|\n");
    if (mw_model_names(NULL, MW_MODEL_FIELD, &names) != 0)
        bench_die("the models");
    for (size_t i = 0; names[i] && !(asked->bench.small && i == 3); i++)
        measure_model(asked, names[i]);
    mw_model_names_free(names);
}

/* ---- tables ---- */

static void print_titles(const struct asked *asked)
{
    const struct bench *bench = &asked->bench;
    size_t columns = 7;
    bench_say(bench, "| | one step per launch | by rule | tuned | us per step | of copy |");
    if (asked->device_count > 1) {
        bench_say(bench, " on %zu devices | of one |", asked->device_count);
        columns += 2;
    }
    for (size_t i = 0; i < asked->library_count; i++, columns++)
        bench_say(bench, " %s |", asked->libraries[i].name);
    bench_say(bench, " shape, tuned |\n|");
    for (size_t i = 0; i < columns; i++)
        bench_say(bench, "---|");
    bench_say(bench, "\n");
}

static void print_head(const struct asked *asked)
{
    const struct mw_device_info *info = mw_device_info(asked->devices[0]);
    bench_say(&asked->bench,
              "# %s (%s, driver %s)\n\n## Field equations (`bench/results`, %d rounds)\n\n"
              "Thousand million cell-steps per second; single precision, RK2, periodic unless stated otherwise; "
              "meshwork %s.\n\n",
              info->name, info->id, info->driver, asked->bench.rounds, mw_version());
}

static void measure_all(struct asked *asked)
{
    const size_t count = asked->bench.small ? 1 : MW_COUNT(meshes);
    print_head(asked);
    if (bench_is_wanted(asked->tables, "models"))
        measure_models(asked);
    if (!bench_is_wanted(asked->tables, "fields"))
        return;
    print_titles(asked);
    for (size_t i = 0; i < MW_COUNT(large); i++)
        if (!asked->bench.small || large[i].others & RIVALS)
            measure(asked, &large[i]);
    bench_say(&asked->bench, "\nSmall meshes:\n\n");
    print_titles(asked);
    for (size_t i = 0; i < count; i++)
        measure(asked, &meshes[i]);
}

static size_t side_of(const char *text, size_t otherwise)
{
    const unsigned long side = text ? strtoul(text, NULL, 10) : otherwise;
    if (side < 4 || side > 1 << 16)
        bench_wrong("a side of a mesh has from 4 to %d cells", 1 << 16);
    return side;
}

int main(int argc, char **argv)
{
    struct asked asked = { .tables = "fields" };
    const char *plane = NULL, *space = NULL, *rivals = NULL;
    const struct bench_option options[] = { { "plane", "SIDE", &plane },        { "space", "SIDE", &space },
                                            { "only", "WORD", &asked.only },    { "rivals", "LIST", &rivals },
                                            { "table", "LIST", &asked.tables }, { NULL, NULL, NULL } };
    const struct bench_setup setup = { .rounds = 5, .script = "fields.py", .options = options };
    struct mw_device *first;
    bench_start(argc, argv, &setup, &asked.bench);
    if (asked.bench.device_count) {
        asked.device_count = bench_open_all(&asked.bench, &asked.devices);
    } else {
        first = bench_open(NULL, NULL);
        asked.devices = &first;
        asked.device_count = 1;
    }
    const bool gpu = mw_device_info(asked.devices[0])->kind == MW_DEVICE_GPU;
    asked.plane = side_of(plane, asked.bench.small ? 24 : gpu ? 8192 : 2048);
    asked.space = side_of(space, asked.bench.small ? 12 : gpu ? 512 : 128);
    asked.library_count = rival_libraries(&asked.bench.python, asked.devices[0], rivals, asked.libraries);
    measure_all(&asked);
    for (size_t i = 0; i < asked.device_count; i++)
        mw_device_close(asked.devices[i]);
    if (asked.bench.device_count)
        free(asked.devices);
    bench_end(&asked.bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
