/* meshwork run: from the options to a device, through the time loop, to files and a summary. */
#include "command.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) offsetof(struct settings, member)

const struct option run_options[] = {
    { .name = "steps", .type = OPTION_COUNT, .target = AT(steps), .value = "N", .fallback = "1000",
      .help = "time steps" },
    { .name = "dt", .type = OPTION_REAL, .target = AT(dt), .value = "X", .help = "time step (default: the model's)" },
    { .name = "param", .letter = 'p', .type = OPTION_WORDS, .target = AT(params), .value = "NAME=VALUE",
      .help = "set a parameter of the model; may be given several times" },
    { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0",
      .help = "seed of the noisy start" },
    { .name = "input", .type = OPTION_TEXT, .target = AT(input), .value = "FILE.npy",
      .help = "start from this state; size and precision are the file's" },
    { .name = "output", .letter = 'o', .type = OPTION_TEXT, .target = AT(output), .value = "FILE.npy",
      .help = "write the final state; - is standard output, and the summary then goes to standard error" },
    { .name = "png", .type = OPTION_TEXT, .target = AT(png), .value = "PATTERN",
      .help = "write a picture of the final state, or every N steps; %d or %06d in the name stands for the step" },
    { .name = "colours", .type = OPTION_TEXT, .target = AT(colours), .value = "MAP", .fallback = "coolwarm",
      .help = "colours of pictures: viridis, coolwarm or gray" },
    { .name = "every", .type = OPTION_COUNT, .target = AT(every), .value = "N", .least = 1,
      .help = "look at the state every N steps: write a picture, and say its range with -v" },
    { .name = "time-limit", .type = OPTION_REAL, .target = AT(time_limit), .value = "SECONDS",
      .help = "stop in good order after this time, with exit code 5" },
    { .name = "variant", .type = OPTION_TEXT, .target = AT(variant), .value = "NAME|auto|list", .fallback = "auto",
      .help = "how steps are computed; auto measures what is fastest" },
    { .name = "shape", .type = OPTION_TEXT, .target = AT(shape), .value = "TEXT",
      .help = "fix parts of the shape by hand, as in vec=8,rows=4,group=64x1" },
    { .name = "no-tune", .type = OPTION_FLAG, .target = AT(no_tune), .help = "choose by rule, without measuring" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compute again on native:serial and compare the bits" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run), .help = "show the plan, and compute nothing" },
    { 0 }
};

struct run {
    const struct command *command;
    const struct settings *set;
    struct mw_model *model;
    const struct mw_model_info *info;
    double *params;
    struct mw_array input, state;        /* state: as last looked at, at state_step */
    struct mw_field_options options;
    struct mw_device *device;
    struct mw_field *field;
    struct mw_run_result result;
    struct range { double mean, least, most; } *range;   /* of each field of the state */
    uint64_t state_step;
    size_t cells, pictures;
    double start, setup_seconds, output_seconds, verify_seconds;
    bool held, stopped;
};

int device_find(const struct settings *settings, struct mw_device **device)
{
    const struct mw_device_options options = {
        .threads = (unsigned)settings->threads, .kernel_path = settings->kernel_path, .profile = settings->verbose };
    int rc;

    TRY(mw_device_open_by_name(settings->device, &options, device));
    if (!settings->device && mw_device_info(*device)->kind == MW_KIND_NATIVE)
        say_note("no OpenCL device: using %s; `meshwork doctor` says what to install", mw_device_info(*device)->id);
out:
    return rc;
}

void field_settings(const struct settings *settings, struct mw_field_options *field)
{
    *field = (struct mw_field_options){
        .dims = settings->size.dims, .dt = settings->dt,
        .integrator = settings->integrator ? MW_RK2 : MW_EULER, .fp64 = settings->precision == PRECISION_DOUBLE,
        .fast_math = settings->fast_math, .seed = settings->seed, .variant = settings->variant,
        .shape = settings->shape, .no_tune = settings->no_tune, .tune_budget = settings->budget };
    memcpy(field->length, settings->size.length, sizeof(settings->size.length));
}

/* Fills r->range; false when some value is not finite. */
static bool examine(struct run *r, const struct mw_array *state)
{
    const double *d = state->data;
    const float *f = state->data;
    bool fp64 = state->type == MW_TYPE_F64, finite = true;

    for (size_t i = 0; i < r->info->field_count; i++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t j = i * r->cells; j < (i + 1) * r->cells; j++) {
            double v = fp64 ? d[j] : f[j];
            finite &= isfinite(v) != 0;
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        r->range[i].least = least;
        r->range[i].most = most;
    }
    return finite;
}

/* ---- before anything is computed ---- */

/* The state file decides on size and precision; options that say otherwise are refused. */
static int read_input(struct run *r)
{
    const char *path = r->set->input;
    const struct mw_array *a = &r->input;
    bool fp64;
    int rc;

    TRY(mw_npy_read(path, &r->input));
    fp64 = a->type == MW_TYPE_F64;
    if (!fp64 && a->type != MW_TYPE_F32)
        return mw_fail(MW_EDATA, "%s holds %s: a state is float32 or float64", path, mw_type_name(a->type));
    unsigned dims = a->dims - (r->info->field_count > 1 && a->dims);
    if (!dims || (r->info->field_count > 1 && a->length[dims] != r->info->field_count))
        return mw_fail(MW_EDATA, "%s is not a state of model %s, which has %zu field%s", path, r->info->name,
                       r->info->field_count, r->info->field_count == 1 ? "" : "s");
    if (options_origin(r->command, "precision") == FROM_OPTION && fp64 != r->options.fp64)
        return mw_fail(MW_EINVAL, "%s holds %s: leave out --precision, which is the file's", path,
                       mw_type_name(a->type));
    if (options_origin(r->command, "size") == FROM_OPTION &&
        (dims != r->options.dims || memcmp(a->length, r->options.length, dims * sizeof(size_t)) != 0))
        return mw_fail(MW_EINVAL, "%s has another size than --size: leave out --size, which is the file's", path);
    r->options.fp64 = fp64;
    r->options.dims = dims;
    memset(r->options.length, 0, sizeof(r->options.length));
    memcpy(r->options.length, a->length, dims * sizeof(size_t));
out:
    return rc;
}

static int check_outputs(struct run *r)
{
    const struct settings *set = r->set;
    char *path = NULL;
    bool known = false;
    int rc = 0;

    for (const char *const *map = mw_colour_maps; *map; map++)
        known |= !strcmp(*map, set->colours);
    if (!known)
        return mw_fail(MW_EINVAL, "--colours: there is no map '%s': viridis, coolwarm or gray", set->colours);
#ifndef HAVE_LIBPNG
    if (set->png)
        return mw_fail(MW_ENOTSUP, "--png: meshwork was built without libpng: install libpng-dev and build it again");
#endif
    if (set->png && !strcmp(set->png, "-"))
        return mw_fail(MW_EINVAL, "--png: pictures go to files, not to standard output: give a name such as field.png");
    if (set->png) {
        TRY(output_numbered(set->png, set->steps, set->every != 0, &path));
        TRY(output_writable(path));
    }
    if (set->output && !strcmp(set->output, "-")) {
        if (isatty(STDOUT_FILENO))
            rc = mw_fail(MW_EINVAL, "-o -: standard output is a terminal: send it to a file or a program");
        output_results_to_stderr();
    } else if (set->output) {
        TRY(output_writable(set->output));
    }
out:
    free(path);
    return rc;
}

static int check_variant(const char *name)
{
    struct nearest nearest = { .word = name };

    if (!strcmp(name, "auto"))
        return 0;
    for (const struct mw_variant *v = mw_field_variants; v->name; v++) {
        if (!strcmp(v->name, name))
            return 0;
        nearest_offer(&nearest, v->name);
    }
    return mw_fail(MW_EINVAL, "--variant: there is no variant '%s': %s", name,
                   nearest_advice(&nearest, "`--variant list` shows them").text);
}

static int prepare(struct run *r)
{
    const struct settings *set = r->set;
    const struct mw_shape none = { 0 };
    struct mw_shape shape = none;
    int rc;

    TRY(check_variant(set->variant));
    if (set->shape && (rc = mw_shape_parse(set->shape, &shape)) != 0)
        return mw_fail_in(rc, "--shape");
    if (shape.variant[0] && strcmp(set->variant, "auto") && strcmp(set->variant, shape.variant))
        return mw_fail(MW_EINVAL, "--variant %s and --shape variant=%s contradict each other: leave out one of them",
                       set->variant, shape.variant);
    if (set->verify && set->fast_math)
        return mw_fail(MW_EINVAL, "--verify compares bits, which --fast-math gives up: leave out one of them");
    TRY(model_find(r->command->operands.item[0], set->kernel_path, &r->model));
    r->info = mw_model_info(r->model);
    field_settings(set, &r->options);
    if (!set->dt)
        r->options.dt = r->info->dt;
    TRY(model_params(r->info, &set->params, &r->params));
    r->options.params = r->params;
    TRY(mw_new(r->info->field_count, sizeof(*r->range), &r->range));
    TRY(check_outputs(r));
    if (set->input)
        TRY(read_input(r));
    r->cells = 1;
    for (unsigned i = 0; i < r->options.dims; i++)
        r->cells *= r->options.length[i];
    if (set->input && !examine(r, &r->input))
        rc = mw_fail(MW_EDATA, "%s holds values that are not finite: a state consists of finite numbers", set->input);
out:
    return rc;
}

static struct size mesh_size(const struct run *r)
{
    struct size size = { .dims = r->options.dims };

    memcpy(size.length, r->options.length, sizeof(size.length));
    return size;
}

/* ---- while it runs ---- */

/* Brings the state of a step to the host, once. */
static int look(struct run *r, uint64_t step)
{
    double *means = NULL;
    int rc = 0;

    if (r->held && r->state_step == step)
        return 0;
    r->held = false;
    mw_array_free(&r->state);
    TRY(mw_field_get(r->field, &r->state));
    if (!examine(r, &r->state)) {
        rc = mw_fail(MW_EDATA, "model %s is no longer finite at step %llu: choose a time step below --dt %g",
                     r->info->name, (unsigned long long)step, r->options.dt);
        goto out;
    }
    TRY(mw_new(r->info->field_count, sizeof(*means), &means));
    TRY(mw_field_means(&r->state, r->info->field_count, means));
    for (size_t i = 0; i < r->info->field_count; i++)
        r->range[i].mean = means[i];
    r->held = true;
    r->state_step = step;
out:
    free(means);
    return rc;
}

/* A diverging map shows the sign only if its middle is zero. */
static int write_picture(struct run *r, uint64_t step)
{
    double lo = 0, hi = 0;
    char *path = NULL;
    int rc;

    if (!strcmp(r->set->colours, "coolwarm") && r->range[0].least < 0 && r->range[0].most > 0) {
        hi = fmax(-r->range[0].least, r->range[0].most);
        lo = -hi;
    }
    TRY(output_numbered(r->set->png, step, r->set->every != 0, &path));
    TRY(mw_png_write(path, &r->state, r->set->colours, lo, hi));
    r->pictures++;
out:
    free(path);
    return rc;
}

static int observe(void *context, uint64_t step)
{
    struct run *r = context;
    double start = mw_now();
    int rc = 0;

    if (!r->set->every)
        return 0;
    TRY(look(r, step));
    for (size_t i = 0; output_verbose() && i < r->info->field_count; i++)
        say_note("step %llu: %s between %.6g and %.6g, mean %.9g", (unsigned long long)step, r->info->fields[i].name,
                 r->range[i].least, r->range[i].most, r->range[i].mean);
    if (r->set->png)
        TRY(write_picture(r, step));
out:
    r->output_seconds += mw_now() - start;
    return rc;
}

static int advance(void *context, uint64_t steps)
{
    return mw_field_advance(((struct run *)context)->field, steps);
}

static int synchronise(void *context)
{
    return mw_field_sync(((struct run *)context)->field);
}

static int observe_nothing(void *context, uint64_t step)
{
    (void)context, (void)step;
    return 0;
}

static int evolve(struct run *r)
{
    const struct mw_run_simulation simulation = { r, advance, synchronise, observe };
    const struct mw_run_options options = {
        .steps = r->set->steps, .every = r->set->every, .time_limit = r->set->time_limit, .progress = progress_show };
    int rc;

    TRY(device_find(r->set, &r->device));
    TRY(mw_field_new(r->device, r->model, &r->options, &r->field));
    if (r->set->input && (rc = mw_field_set(r->field, &r->input)) != 0)
        return mw_fail_in(rc, "%s", r->set->input);
    TRY(mw_field_sync(r->field));
    r->setup_seconds = mw_now() - r->start;

    progress_start(r->info->name, (double)r->cells);
    signals_stop_loop(true);
    rc = mw_run(&simulation, &options, &r->result);
    progress_end();
    r->stopped = rc == MW_ESTOPPED;
    if (r->stopped)
        rc = 0;
out:
    return rc;
}

static int write_outputs(struct run *r)
{
    double start = mw_now();
    int rc;

    TRY(look(r, r->result.steps));
    if (r->set->png && !r->set->every)
        TRY(write_picture(r, r->result.steps));
    if (r->set->output)
        TRY(mw_npy_write(r->set->output, &r->state));
out:
    r->output_seconds += mw_now() - start;
    return rc;
}

static int compare(const struct run *r, const struct mw_array *reference)
{
    size_t width = mw_type_bytes(r->state.type), differing = 0, first = 0;
    const char *a = r->state.data, *b = reference->data;

    if (reference->type != r->state.type || reference->count != r->state.count)
        return mw_fail(MW_EVERIFY, "verification failed: native:serial gives a state of another type or size");
    for (size_t i = r->state.count; i-- > 0; )
        if (memcmp(a + i * width, b + i * width, width) != 0) {
            differing++;
            first = i;
        }
    if (differing)
        return mw_fail(MW_EVERIFY, "verification failed: %zu of %zu values on %s differ from native:serial, the first "
                       "at x=%zu: please report this with `meshwork devices -v`", differing, r->state.count,
                       mw_device_info(r->device)->id, first % r->state.length[0]);
    return 0;
}

/* Computes the same steps again where nothing can go wrong: one thread, shape by rule. */
static int verify(struct run *r)
{
    const struct mw_device_options device_options = { .kernel_path = r->set->kernel_path };
    struct mw_field_options options = r->options;
    const struct mw_run_options run_options = { .steps = r->result.steps, .progress = progress_show };
    struct run again = { .set = r->set };
    const struct mw_run_simulation simulation = { &again, advance, synchronise, observe_nothing };
    struct mw_run_result result;
    struct mw_array state = { 0 };
    double start = mw_now();
    int rc;

    options.variant = options.shape = NULL;
    options.no_tune = true;
    TRY(mw_device_open_by_name("native:serial", &device_options, &again.device));
    TRY(mw_field_new(again.device, r->model, &options, &again.field));
    if (r->set->input)
        TRY(mw_field_set(again.field, &r->input));
    progress_start("verify", (double)r->cells);
    rc = mw_run(&simulation, &run_options, &result);
    progress_end();
    if (rc)
        goto out;
    TRY(mw_field_get(again.field, &state));
    TRY(compare(r, &state));
out:
    r->verify_seconds = mw_now() - start;
    mw_array_free(&state);
    mw_field_free(again.field);
    mw_device_close(again.device);
    return rc;
}

/* ---- what it came to ---- */

static double rate(const struct run *r)
{
    return r->result.seconds > 0 ? (double)r->cells * (double)r->result.steps / r->result.seconds : 0;
}

static struct json *size_json(const struct run *r)
{
    struct json *array = js_array();

    for (unsigned i = 0; i < r->options.dims; i++)
        js_count(array, NULL, r->options.length[i]);
    return array;
}

static int summary_json(const struct run *r, const struct mw_shape *shape, const char *how)
{
    const struct { const char *name; double value; } timings[] = {
        { "setup", r->setup_seconds }, { "first_step", r->result.first_step_seconds },
        { "compute", r->result.seconds }, { "output", r->output_seconds }, { "verify", r->verify_seconds },
        { "total", mw_now() - r->start } };
    struct json *o = js_object(), *means = js_object(), *ranges = js_object(), *times = js_object();
    char text[MW_SHAPE_TEXT], checksum[20];

    mw_shape_format(shape, text);
    snprintf(checksum, sizeof(checksum), "%016llx", (unsigned long long)mw_array_checksum(&r->state));
    js_text(o, "model", r->info->name);
    js_put(o, "size", size_json(r));
    js_text(o, "precision", r->options.fp64 ? "double" : "single");
    js_count(o, "steps", r->result.steps);
    js_real(o, "dt", r->options.dt);
    js_real(o, "time", (double)r->result.steps * r->options.dt);
    js_real(o, "seconds", r->result.seconds);
    js_real(o, "cell_steps_per_second", rate(r));
    js_text(o, "device", mw_device_info(r->device)->id);
    js_text(o, "device_name", mw_device_info(r->device)->name);
    js_text(o, "variant", shape->variant);
    js_text(o, "shape", text);
    js_text(o, "chosen", how);
    for (size_t i = 0; i < r->info->field_count; i++) {
        struct json *range = js_array();
        js_real(range, NULL, r->range[i].least);
        js_real(range, NULL, r->range[i].most);
        js_real(means, r->info->fields[i].name, r->range[i].mean);
        js_put(ranges, r->info->fields[i].name, range);
    }
    js_put(o, "means", means);
    js_put(o, "ranges", ranges);
    js_text(o, "checksum", checksum);
    js_flag(o, "stopped", r->stopped);
    if (r->set->verify)
        js_flag(o, "verified", !r->stopped);
    for (size_t i = 0; i < MW_COUNT(timings); i++)
        js_real(times, timings[i].name, timings[i].value);
    js_put(o, "timings", times);
    return js_print(o);
}

#define ROW(title, ...) (table_add(&table, DIM, "%s", title), table_add(&table, PLAIN, __VA_ARGS__))

static int summary_table(const struct run *r, const struct mw_shape *shape, const char *how)
{
    const struct size size = mesh_size(r);
    const struct mw_device_info *device = mw_device_info(r->device);
    char text[MW_SHAPE_TEXT], asked[40] = "";
    struct table table;

    mw_shape_format(shape, text);
    table_start(&table, "|");
    ROW("model", "%s", r->info->name);
    ROW("size", "%s cells, %s precision", size_text(&size, " x ").text, r->options.fp64 ? "double" : "single");
    if (r->stopped)
        snprintf(asked, sizeof(asked), " (of %llu)", (unsigned long long)r->set->steps);
    ROW("steps", "%llu%s, dt = %g, %s", (unsigned long long)r->result.steps, asked, r->options.dt,
        r->options.integrator == MW_RK2 ? "rk2" : "euler");
    ROW("time", "%g", (double)r->result.steps * r->options.dt);
    ROW("device", "%s  %s", device->id, device->name);
    ROW("shape", "%s (%s)", text, how);
    ROW("seconds", "%.4g", r->result.seconds);
    ROW("", "setup %s, first step %s, output %s, total %s", seconds_text(r->setup_seconds).text,
        seconds_text(r->result.first_step_seconds).text, seconds_text(r->output_seconds).text,
        seconds_text(mw_now() - r->start).text);
    ROW("rate", "%s", rate_text(rate(r)).text);
    for (size_t i = 0; i < r->info->field_count; i++)
        ROW(r->info->fields[i].name, "mean %.9g, between %.6g and %.6g", r->range[i].mean, r->range[i].least,
            r->range[i].most);
    ROW("checksum", "%016llx", (unsigned long long)mw_array_checksum(&r->state));
    if (r->set->verify && !r->stopped)
        ROW("verified", "same bits as native:serial, in %s", seconds_text(r->verify_seconds).text);
    if (r->set->output)
        ROW("written", "%s", strcmp(r->set->output, "-") ? r->set->output : "to standard output");
    if (r->pictures)
        ROW("pictures", "%zu, %s", r->pictures, r->set->png);
    return table_print(&table, results());
}

/* --dry-run: nothing is opened, nothing is written. */
static int plan(const struct run *r)
{
    const struct size size = mesh_size(r);
    const struct mw_device_info *device;
    struct mw_device_list *list = NULL;
    size_t chosen, count;
    uint64_t bytes;
    struct table table;
    int rc;

    TRY(mw_field_bytes(r->model, &r->options, &bytes));
    TRY(mw_device_list_new(&list));
    TRY(mw_device_select(list, r->set->device, 1, &chosen, &count));
    device = mw_device_list_info(list, chosen);
    if (r->set->json) {
        struct json *o = js_object();
        js_text(o, "model", r->info->name);
        js_put(o, "size", size_json(r));
        js_text(o, "precision", r->options.fp64 ? "double" : "single");
        js_count(o, "steps", r->set->steps);
        js_text(o, "device", device->id);
        js_text(o, "variant", r->set->variant);
        js_count(o, "memory_bytes", bytes);
        js_count(o, "device_memory_bytes", device->memory_bytes);
        TRY(js_print(o));
    } else {
        table_start(&table, "|");
        ROW("model", "%s: %s", r->info->name, r->info->equation);
        ROW("size", "%s cells, %s precision", size_text(&size, " x ").text, r->options.fp64 ? "double" : "single");
        ROW("steps", "%llu, dt = %g, %s", (unsigned long long)r->set->steps, r->options.dt,
            r->options.integrator == MW_RK2 ? "rk2" : "euler");
        ROW("device", "%s  %s", device->id, device->name);
        ROW("memory", "%s of %s", bytes_text(bytes).text, bytes_text(device->memory_bytes).text);
        ROW("variant", "%s", r->set->variant);
        TRY(table_print(&table, results()));
    }
    if (device->memory_bytes && bytes > device->memory_bytes)
        rc = mw_fail(MW_ELIMIT, "%s has %s of memory and this run needs %s: choose a smaller --size or another device",
                     device->id, bytes_text(device->memory_bytes).text, bytes_text(bytes).text);
    else if (r->options.fp64 && !device->fp64)
        rc = mw_fail(MW_ENOTSUP, "%s has no double precision: use --precision single", device->id);
out:
    mw_device_list_free(list);
    return rc;
}

int run_run(struct command *command)
{
    struct run r = { .command = command, .set = &command->settings, .start = mw_now() };
    struct mw_shape shape;
    const char *how;
    int rc;

    if (!strcmp(r.set->variant, "list"))
        return list_variants(r.set, mw_field_variants);
    TRY(prepare(&r));
    if (r.set->dry_run) {
        TRY(plan(&r));
        goto out;
    }
    TRY(evolve(&r));
    TRY(write_outputs(&r));
    if (r.set->verify && !r.stopped)
        TRY(verify(&r));
    mw_field_shape(r.field, &shape, &how);
    TRY(r.set->json ? summary_json(&r, &shape, how) : summary_table(&r, &shape, how));
    if (r.stopped)
        rc = mw_fail(MW_ESTOPPED, "stopped by %s at step %llu of %llu: what was asked for is written up to there",
                     signals_stopped() ? "a signal" : "--time-limit", (unsigned long long)r.result.steps,
                     (unsigned long long)r.set->steps);
out:
    mw_field_free(r.field);
    mw_device_close(r.device);
    mw_model_free(r.model);
    mw_array_free(&r.input);
    mw_array_free(&r.state);
    free(r.range);
    free(r.params);
    return rc;
}
