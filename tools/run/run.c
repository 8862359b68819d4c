/* meshwork run: from the options to a device, through the time loop, to files and a summary. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct settings, member)

const struct option run_options[] = {
    { .name = "steps", .type = OPTION_COUNT, .target = AT(steps), .value = "N", .fallback = "1000",
      .help = "time steps, counted from the start also of a restarted run" },
    { .name = "dt", .type = OPTION_REAL, .target = AT(dt), .value = "X", .help = "time step (default: the model's)" },
    { .name = "param", .letter = 'p', .type = OPTION_WORDS, .target = AT(params), .value = "NAME=VALUE",
      .help = "set a parameter of the model; may be given several times" },
    { .name = "start", .type = OPTION_CHOICE, .target = AT(start), .value = "noise|constant", .fallback = "noise",
      .help = "start from the model's noise about each field's mean, or from the means" },
    { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0",
      .help = "seed of the noisy start and of a model's noise" },
    { .name = "input", .type = OPTION_TEXT, .target = AT(input), .value = "FILE",
      .help = "start from a state (.npy: size and precision are the file's) or a picture of the first field (.png)" },
    { .name = "input-range", .type = OPTION_TEXT, .target = AT(input_range), .value = "LO,HI", .fallback = "-1,1",
      .help = "values of a picture's black and white" },
    { .name = "every", .type = OPTION_COUNT, .target = AT(every), .value = "N", .least = 1,
      .help = "look at the state every N steps: write what follows here, and say its range with -v" },
    { .name = "output", .letter = 'o', .type = OPTION_TEXT, .target = AT(output), .value = "FILE.npy",
      .help = "write the final state, or with %d or %06d in the name, which stands for the step, one every N steps; "
              "- is standard output, and the summary then goes to standard error" },
    { .name = "png", .type = OPTION_TEXT, .target = AT(png), .value = "PATTERN",
      .help = "write a picture of the final state, or every N steps, with the step in the name" },
    { .name = "colours", .type = OPTION_TEXT, .target = AT(colours), .value = "MAP", .fallback = "coolwarm",
      .help = "colours of pictures: viridis, coolwarm or gray" },
    { .name = "vtk", .type = OPTION_TEXT, .target = AT(vtk), .value = "PATTERN",
      .help = "likewise a VTK image (.vti) with all fields, for ParaView" },
    { .name = "series", .type = OPTION_TEXT, .target = AT(series), .value = "FILE.csv",
      .help = "write a row of means, variances, ranges, energy and size of domains every N steps (default 1000)" },
    { .name = "label-every", .type = OPTION_COUNT, .target = AT(label_every), .value = "N", .least = 1,
      .help = "label the connected components of the first field every N steps and at the end, for the series and the "
              "summary" },
    { .name = "label", .type = OPTION_CHOICE, .target = AT(join), .value = "sign|value", .fallback = "sign",
      .help = "which neighbours are of one component: both above 0 or both not, or of equal value" },
    { .name = "checkpoint", .type = OPTION_TEXT, .target = AT(checkpoint), .value = "FILE",
      .help = "write a checkpoint at the end, and when stopped by a signal or --time-limit" },
    { .name = "checkpoint-every", .type = OPTION_COUNT, .target = AT(checkpoint_every), .value = "N", .least = 1,
      .help = "write it every N steps as well; the one before stays as FILE.old" },
    { .name = "restart", .type = OPTION_TEXT, .target = AT(restart), .value = "FILE",
      .help = "go on from a checkpoint, whose settings stand for options that are not given, and write further ones "
              "to it" },
    { .name = "time-limit", .type = OPTION_REAL, .target = AT(time_limit), .value = "SECONDS",
      .help = "stop in good order after this time, with exit code 5" },
    { .name = "variant", .type = OPTION_TEXT, .target = AT(variant), .value = "NAME|auto|list", .fallback = "auto",
      .help = "how steps are computed; auto measures what is fastest" },
    { .name = "shape", .type = OPTION_TEXT, .target = AT(shape), .value = "TEXT",
      .help = "fix parts of the shape by hand, as in vec=8,rows=4,group=64x1" },
    { .name = "no-tune", .type = OPTION_FLAG, .target = AT(no_tune), .help = "choose by rule, without measuring" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "compute again on native:serial and compare the bits" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run),
      .help = "show the plan, memory and files, and compute nothing" },
    { 0 }
};

int device_find(const struct settings *settings, struct mw_device **device)
{
    const struct mw_device_options options = {
        .threads = (unsigned)settings->threads, .kernel_path = settings->kernel_path, .profile = settings->verbose };
    int rc;

    TRY(mw_device_open_by_name(settings->device, &options, device));
    if (!settings->device && mw_device_info(*device)->kind == MW_DEVICE_NATIVE)
        say_note("no OpenCL device: using %s; `meshwork doctor` says what to install", mw_device_info(*device)->id);
out:
    return rc;
}

int field_settings(const struct settings *settings, struct mw_field_options *field)
{
    static const enum mw_boundary boundaries[] = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_MIRROR, MW_BOUNDARY_FIXED };
    static const enum mw_integrator integrators[] = { MW_INTEGRATE_EULER, MW_INTEGRATE_RK2, MW_INTEGRATE_RK4 };
    static const enum mw_laplacian laplacians[] = {
        MW_LAPLACIAN_SECOND, MW_LAPLACIAN_FOURTH, MW_LAPLACIAN_ISOTROPIC };
    const struct choices *b = &settings->boundary;

    *field = (struct mw_field_options){
        .dims = settings->size.dims, .dt = settings->dt, .integrator = integrators[settings->integrator],
        .laplacian = laplacians[settings->laplacian], .fp64 = settings->precision == PRECISION_DOUBLE,
        .fast_math = settings->fast_math, .seed = settings->seed, .variant = settings->variant,
        .shape = settings->shape, .no_tune = settings->no_tune, .tune_budget = settings->budget };
    memcpy(field->length, settings->size.length, sizeof(settings->size.length));
    if (b->count != 1 && b->count != field->dims)
        return mw_fail(MW_EINVAL, "--boundary names %u boundaries, and the mesh has %u dimension%s: give one for all, "
                       "or one for each", b->count, field->dims, field->dims == 1 ? "" : "s");
    for (unsigned d = 0; d < field->dims; d++)
        field->boundary[d] = boundaries[b->item[b->count == 1 ? 0 : d]];
    return 0;
}

/* ---- before anything is computed ---- */

static int check_settings(const struct settings *set)
{
    struct mw_shape shape = { 0 };
    int rc;

    TRY(variant_check(set->variant, mw_field_variants));
    if (set->shape && (rc = mw_shape_parse(set->shape, &shape)) != 0)
        return mw_fail_in(rc, "--shape");
    if (shape.variant[0] && strcmp(set->variant, "auto") && strcmp(set->variant, shape.variant))
        return mw_fail(MW_EINVAL, "--variant %s and --shape variant=%s contradict each other: leave out one of them",
                       set->variant, shape.variant);
    if (set->verify && set->fast_math)
        return mw_fail(MW_EINVAL, "--verify compares bits, which --fast-math gives up: leave out one of them");
out:
    return rc;
}

static int prepare(struct run *r)
{
    const struct settings *set = r->set;
    int rc;

    TRY(check_settings(set));
    TRY(model_find(r->command->operands.item[0], set->kernel_path, &r->model));
    r->info = mw_model_info(r->model);
    TRY(start_restart(r));
    TRY(start_input(r));
    TRY(field_settings(set, &r->options));
    if (!set->dt)
        r->options.dt = r->info->dt;
    r->cells = 1;
    for (unsigned i = 0; i < r->options.dims; i++)
        r->cells *= r->options.length[i];
    TRY(start_params(r));
    r->options.params = r->params;
    TRY(start_settings(r));
    TRY(write_prepare(r));
out:
    return rc;
}

/* ---- while it runs ---- */

static int advance(void *context, uint64_t steps)
{
    struct run *r = context;
    int rc;

    TRY(mw_field_advance(r->field, steps));
    TRY(mw_field_sync(r->field));
out:
    return rc;
}

static int observe_nothing(void *context, uint64_t step)
{
    (void)context, (void)step;
    return 0;
}

static int evolve(struct run *r)
{
    const struct mw_run_simulation simulation = {
        .size = sizeof simulation, .context = r, .init = start_init, .advance = advance, .observe = write_observe,
        .save = write_save, .load = start_load,
    };
    const struct mw_run_options options = {
        .steps = r->set->steps, .every = r->every, .time_limit = r->set->time_limit, .checkpoint = r->checkpoint,
        .checkpoint_every = r->set->checkpoint_every, .settings = r->settings, .restart = r->restart,
        .series = r->series, .progress = progress_show };
    int rc;

    TRY(team_open(r->set, &r->team));
    r->device = r->team.device[0];
    TRY(mw_field_new_on(r->team.device, r->team.count, r->model, &r->options, &r->field));
    TRY(components_start(r));
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
                       "at %s: please report this with `meshwork devices -v`", differing, r->state.count,
                       mw_device_info(r->device)->id, cell_text(r, first % r->cells).text);
    return 0;
}

/* Computes the same steps again where nothing can go wrong: one thread, shape by rule. */
static int verify(struct run *r)
{
    const struct mw_device_options device_options = { .kernel_path = r->set->kernel_path };
    const struct mw_run_options run_options = { .steps = r->result.steps, .settings = r->settings,
                                                .restart = r->restart, .progress = progress_show };
    struct run again = *r;
    const struct mw_run_simulation simulation = {
        .size = sizeof simulation, .context = &again, .init = start_init, .advance = advance,
        .observe = observe_nothing, .load = start_load,
    };
    struct mw_run_result result;
    struct mw_array state = { 0 };
    double start = mw_now();
    int rc;

    again.device = NULL;
    again.field = NULL;
    again.options.variant = again.options.shape = NULL;
    again.options.no_tune = true;
    TRY(mw_device_open_by_name("native:serial", &device_options, &again.device));
    TRY(mw_field_new(again.device, r->model, &again.options, &again.field));
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

static int stopped(const struct run *r)
{
    return mw_fail(MW_ESTOPPED, "stopped by %s at step %llu of %llu: what was asked for is written up to there%s%s",
                   signals_stopped() ? "a signal" : "--time-limit", (unsigned long long)r->result.steps,
                   (unsigned long long)r->set->steps, r->checkpoint ? ", go on with --restart " : "",
                   r->checkpoint ? r->checkpoint : "");
}

int run_run(struct command *command)
{
    struct run r = { .command = command, .set = &command->settings, .start = mw_now() };
    int rc;

    if (!strcmp(r.set->variant, "list"))
        return list_variants(r.set, mw_field_variants);
    TRY(prepare(&r));
    if (r.set->dry_run) {
        TRY(report_plan(&r));
        goto out;
    }
    TRY(evolve(&r));
    TRY(write_final(&r));
    if (r.set->verify && !r.stopped)
        TRY(verify(&r));
    TRY(report_summary(&r));
    if (r.stopped)
        rc = stopped(&r);
out:
    components_free(&r);
    mw_field_free(r.field);
    team_close(&r.team);
    mw_series_free(r.series);
    start_free(&r);
    mw_model_free(r.model);
    mw_array_free(&r.state);
    free(r.energies.item);
    free(r.statistics);
    free(r.params);
    return rc;
}
