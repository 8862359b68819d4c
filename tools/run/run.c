/* meshwork run: opens devices, runs the time loop, writes files and a summary. */
#include <math.h>

#include <meshwork/field.h>

#include "tools/cli/names.h"
#include "tools/cli/signals.h"
#include "tools/report/files.h"
#include "tools/report/progress.h"
#include "tools/run/pictures/picture.h"

#define AT(member) offsetof(struct run_settings, member)

#define PICTURES "png|figure|film|sheet"

/* clang-format off */
const struct option loop_options[] = {
    { .name = "every", .type = OPTION_COUNT, .target = AT(every), .value = "N", .least = 1,
      .help = "output interval in steps of the series and of numbered files; -v also prints the value range" },
    { .name = "colours", .type = OPTION_TEXT, .target = AT(colours), .value = "NAME", .of = PICTURES,
      .called = "colors|colormap|cmap|palette|map",
      .help = "colour map of pictures: viridis, cividis, magma, coolwarm (0 in its middle), hue (cyclic, for angles), "
              "kinds (ten colours), gray or gray16, of 16 bits (default: coolwarm for values of both signs, hue for "
              "directions, kinds for up to ten spins of potts, otherwise viridis)" },
    { .name = "range", .type = OPTION_TEXT, .target = AT(range), .value = "LO,HI|first|all",
      .of = PICTURES, .called = "vmin|vmax|clim|limits",
      .help = "values of the ends of the colour map; `first`: of the first picture; `all`: of all pictures, which are "
              "written at the end (default: each picture's own)" },
    { .name = "scale", .type = OPTION_COUNT, .target = AT(scale), .value = "N", .of = "png|film", .least = 1,
      .called = "zoom|enlarge",
      .help = "pixels per cell along both sides (default: at least 256 pixels for the longer side, 512 in films)" },
    { .name = "figure", .type = OPTION_FILE, .target = AT(figure), .value = "FILE.png|svg|pdf",
      .help = "draw the final state with axes and a colour bar, or one every N steps with the step in the name" },
    { .name = "contours", .type = OPTION_COUNT, .target = AT(contours), .value = "N", .of = "figure|sheet",
      .least = 1, .most = 100,
      .help = "lines of equal value in figures" },
    { .name = "vtk", .type = OPTION_FILE, .target = AT(vtk), .value = "PATTERN",
      .help = "also write VTK image data (.vti) of all fields, for ParaView" },
    { .name = "hdf5", .type = OPTION_FILE, .target = AT(hdf5), .value = "FILE.h5",
      .help = "also write all fields with times, settings and units of space to one HDF5 file: every N steps with "
              "--every, otherwise the final state; FILE.xdmf opens it in ParaView" },
    { .name = "checkpoint", .type = OPTION_FILE, .target = AT(checkpoint), .value = "FILE",
      .help = "write a checkpoint at the end, and when stopped by a signal or --time-limit" },
    { .name = "checkpoint-every", .type = OPTION_COUNT, .target = AT(checkpoint_every), .value = "N", .least = 1,
      .help = "checkpoint interval in steps; the previous checkpoint is kept as FILE.old" },
    { .name = "restart", .type = OPTION_TEXT, .target = AT(restart), .value = "FILE",
      .called = "resume|continue|from-checkpoint|load",
      .help = "resume from FILE, and write further checkpoints to it; options not given are taken from the "
              "checkpoint" },
    { .name = "restart-or-start", .type = OPTION_FILE, .target = AT(restart_or_start), .value = "FILE",
      .help = "resume from FILE if it exists; otherwise start, and write checkpoints to it" },
    { .name = "time-limit", .type = OPTION_SECONDS, .target = AT(time_limit), .value = "TIME", .least = 1,
      .called = "t|timeout|max-time|walltime|time|wall-time",
      .help = "stop cleanly after TIME (exit code 5)" },
    { .name = "verify", .type = OPTION_FLAG, .target = AT(verify),
      .help = "repeat the computation on native:serial and compare the bits" },
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run),
      .help = "show the plan with memory and files, without computing" },
    { 0 }
};

const struct option run_options[] = {
    { .name = "steps", .type = OPTION_COUNT, .target = AT(steps), .value = "N", .fallback = "1000",
      .called = "n|i|iterations|iters|timesteps|time-steps|nsteps|sweeps",
      .help = "number of time steps, counted from the start even after a restart" },
    { .name = "param", .letter = 'p', .type = OPTION_WORDS, .target = AT(params), .value = "NAME=VALUE",
      .called = "temperature=T=VALUE|temp=T=VALUE|set|define|D",
      .help = "set a parameter of the model, or a map: a number, an expression or @FILE (an array or a picture); may "
              "be repeated" },
    { .name = "equation", .letter = 'e', .type = OPTION_WORDS, .target = AT(equations), .value = "TEXT",
      .help = "part of a model of fields, in place of MODEL: 'FIELD: RATE', 'FIELD complex: RATE' or 'NAME = VALUE'; "
              "with MODEL: another definition, as 'start(c) = sin(x)'; may be repeated; -p declares its parameters and "
              "maps" },
    { .name = "save-model", .type = OPTION_FILE, .target = AT(save_model), .value = "FILE.cl",
      .help = "also write the model to a file" },
    { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0",
      .called = "random-seed|rng-seed|random-state", .others = AT(seeds) - AT(seed),
      .help = "seed of initial noise, noise terms and spin updates; FIELD=N: of the initial noise of one field" },
    { .name = "input", .type = OPTION_TEXT, .target = AT(input), .value = "FILE",
      .help = "initial state (.npy, which determines size and precision) or picture of the first field (.png, .pgm)" },
    { .name = "start", .type = OPTION_CHOICE, .target = AT(start), .value = START_WORDS "|constant",
      .alias = START_ALIAS, .fallback = "auto", .others = AT(starts) - AT(start),
      .help = "initial state: noise (fields: about their means; spins: random), spins all up or down, or fields "
              "constant at their means; auto: noise, or up if a spin model declares it; also FIELD=EXPRESSION or "
              "FIELD=@FILE for a single field, which may be repeated" },
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE.npy",
      .help = "write the final state, or one every N steps if the name has %d or %06d for the step; - is standard "
              "output, with the summary on standard error" },
    { .name = "png", .type = OPTION_FILE, .target = AT(png), .value = "PATTERN",
      .help = "write a picture of the final state, or one every N steps with the step in the name" },
    { .name = "show", .type = OPTION_WORDS, .target = AT(show), .value = "FIELD|EXPRESSION", .of = PICTURES,
      .called = "field",
      .help = "what pictures show: a field, a component of spins, or an expression of the model language such as "
              "'abs(psi)' (default: the first field)" },
    { .name = "slice", .type = OPTION_TEXT, .target = AT(slice), .value = "NAME=INDEX,...", .of = PICTURES,
      .help = "plane of pictures in three and more dimensions, as z=20 (default: x and y, in the middle)" },
    { .name = "arrows", .type = OPTION_WORDS, .target = AT(arrows), .value = "FIELD|EXPRESSION", .of = "figure",
      .help = "arrows in figures; given twice, for x and y" },
    { .name = "sheet", .type = OPTION_FILE, .target = AT(sheet), .value = "FILE.png|svg|pdf",
      .help = "draw up to 24 states of the run, at multiples of --every, in one figure; in one dimension, place and "
              "time" },
    { .name = "film", .type = OPTION_FILE, .target = AT(film), .value = "FILE.mp4|webm|gif",
      .help = "make a film, with a frame every --every steps and one range for all frames" },
    { .name = "fps", .type = OPTION_COUNT, .target = AT(fps), .value = "N", .of = "film", .least = 1, .most = 240,
      .help = "frames per second of a film (default: 25)" },
    { .name = "frames", .type = OPTION_COUNT, .target = AT(frames), .value = "N", .of = "film", .least = 1,
      .help = "largest number of frames of a film, in place of --every" },
    { .name = "series", .type = OPTION_FILE, .target = AT(series), .value = "FILE.csv",
      .help = "write means, variances, ranges, energy and domain size every N steps (default: 1000); a restart "
              "continues the checkpoint's file, or none with `none`" },
    { .name = "plot", .type = OPTION_FILE, .target = AT(plot), .value = "FILE.png|svg|pdf",
      .help = "plot the columns of --series over time, and the power law of domain_size; needs gnuplot" },
    { .name = "label-every", .type = OPTION_COUNT, .target = AT(label_every), .value = "N", .least = 1,
      .help = "label the connected components of the first field, or of equal spins, every N steps and at the end, for "
              "the series and the summary" },
    { .name = "label-variant", .type = OPTION_TEXT, .target = AT(label_variant), .value = "NAME|auto",
      .help = "label with this variant of `meshwork label`; steps wait for it, so that label_seconds is its own time "
              "(default: auto, during the next steps)" },
    VARIANT_OPTION(struct run_settings, "variant that computes steps; auto: the fastest measured"),
    { .name = "shape", .type = OPTION_TEXT, .target = AT(device.shape), .value = "TEXT",
      .help = "fix parts of the launch shape, as in vec=8,rows=4,group=64x1; spins: only group=N" },
    { .name = "no-tune", .type = OPTION_FLAG, .target = AT(no_tune),
      .help = "choose the shape by rule, not by measuring" },
    { 0 }
};
/* clang-format on */

/* ---- preparation ---- */

static int check_settings(const struct run *r)
{
    const struct run_settings *set = r->set;
    struct mw_shape shape = { 0 };
    int rc;
    if (set->checkpoint_every && !r->resume.to && !files_forbidden())
        return mw_fail(MW_EINVAL, "--checkpoint-every requires --checkpoint FILE");
    TRY_RETURN(variant_check(set->variant, r->kind->variants));
    if (set->device.shape && (rc = mw_shape_parse(set->device.shape, &shape)) != 0)
        return mw_fail_in(rc, "--shape");
    if (shape.variant[0] && strcmp(set->variant, "auto") && strcmp(set->variant, shape.variant))
        return mw_fail(MW_EINVAL, "--variant %s and --shape variant=%s exclude each other: give one of them",
                       set->variant, shape.variant);
    if (set->verify && set->mesh.fast_math)
        return mw_fail(MW_EINVAL, "--verify compares bits, but --fast-math changes them: leave out one of them");
    return 0;
}

static int run_prepare(struct run *r)
{
    int rc;
    TRY_RETURN(check_settings(r));
    rc = r->kind->model.choose(r, r->model.name);
    if (rc && r->resume.model_is_kept)
        rc = mw_fail_in(rc, "the %s of checkpoint %s", r->kind->subject, mw_checkpoint_path(r->resume.from));
    TRY_RETURN(rc);
    TRY_RETURN(simulation_check_options(r));
    TRY_RETURN(restart_take_over(r));
    TRY_RETURN(r->kind->model.prepare(r));
    TRY_RETURN(film_interval(r));
    TRY_RETURN(components_check(r));
    TRY_RETURN(restart_compare(r));
    return write_prepare(r);
}

/* ---- the loop ---- */

static int init(void *context)
{
    struct run *r = context;
    return r->kind->step.init(r);
}

static int command_run_advance(void *context, uint64_t steps)
{
    struct run *r = context;
    return r->kind->step.advance(r, steps);
}

static int queue(void *context, uint64_t steps)
{
    struct run *r = context;
    return r->kind->step.queue(r, steps);
}

static void where(void *context, uint64_t *step, double *left)
{
    struct run *r = context;
    *step = r->kind->step.step(r);
    *left = r->kind->step.left(r);
    r->step.ended = *left == 0;
}

static int run_load(void *context, const struct mw_checkpoint *checkpoint)
{
    struct run *r = context;
    return r->kind->step.load(r, checkpoint);
}

static int observe_nothing(void *context, uint64_t step) { return 0; }

/* Adds the result of one of several runs to the total. */
static void add_result(struct run *r, const struct mw_run_result *result)
{
    const struct mw_run_result before = r->step.result;
    r->step.result = *result;
    r->step.result.done += before.done;
    r->step.result.seconds += before.seconds;
    r->step.result.checkpoint_seconds += before.checkpoint_seconds;
    r->step.result.checkpoints += before.checkpoints;
    if (before.done)
        r->step.result.first_step_seconds = before.first_step_seconds;
}

/* Counts finished runs; false: there is a single run. */
static bool are_several(const struct run *r, uint64_t *over, uint64_t *all)
{
    *over = 0;
    *all = 1;
    if (r->kind->model.runs)
        r->kind->model.runs(r, over, all);
    return *all > 1;
}

/* Several runs count as one, unless each is verified in between. */
static void start_progress(const struct run *r)
{
    uint64_t over, all;
    const bool several = are_several(r, &over, &all);
    if (!several || r->set->verify || !r->step.result.done)
        progress_start(r->model.name, (double)r->model.cells, r->kind->report.rate_unit(r));
    if (several)
        progress_several(over, all);
}

static int evolve_one(struct run *r, const struct mw_checkpoint *restart)
{
    struct mw_run_simulation simulation = { .size = sizeof(simulation),
                                            .context = r,
                                            .init = init,
                                            .advance = command_run_advance,
                                            .observe = write_observe,
                                            .save = write_save,
                                            .load = run_load };
    struct mw_run_options options = { .size = sizeof(options),
                                      .steps = r->set->steps,
                                      .every = r->observe.every,
                                      .time_limit = r->set->time_limit,
                                      .checkpoint = r->resume.to,
                                      .checkpoint_every = r->set->checkpoint_every,
                                      .settings = r->resume.settings.item,
                                      .restart = restart,
                                      .series = r->observe.series };
    struct mw_run_result result = MW_INIT(result);
    int rc;
    TRY_RETURN(r->kind->model.make(r));
    if (r->kind->step.together)
        simulation.together = r->kind->step.together(r);
    r->step.queues = r->kind->step.queue && r->step.team.count == 1 && simulation.together < 2;
    if (r->step.queues)
        simulation.queue = queue;
    if (r->kind->step.left)
        simulation.where = where;
    TRY_RETURN(components_start(r));
    if (!r->seconds.setup)
        r->seconds.setup = mw_now() - r->seconds.start;
    else if (options.time_limit > 0) /* the end of all runs */
        options.time_limit = fmax(options.time_limit - (mw_now() - r->seconds.start - r->seconds.setup), 1e-3);
    start_progress(r);
    signals_stop_loop();
    r->seconds.waited = 0;
    signals_wait_begin(options.time_limit);
    mw_progress_to(progress_show, NULL);
    rc = mw_run(&simulation, &options, &result);
    mw_progress_to(NULL, NULL);
    signals_wait_end();
    r->step.stopped = rc == MW_ESTOPPED;
    if (!r->step.stopped)
        TRY_RETURN(rc);
    rc = components_last(r);
    result.seconds += r->seconds.waited;
    add_result(r, &result);
    return rc;
}

/* Repeats the steps of another run without output. */
static int run_again(struct run *r)
{
    const struct mw_run_simulation simulation = { .size = sizeof(simulation),
                                                  .context = r,
                                                  .init = init,
                                                  .advance = command_run_advance,
                                                  .observe = observe_nothing,
                                                  .load = run_load };
    const struct mw_run_options options = { .size = sizeof(options),
                                            .steps = r->step.result.steps,
                                            .settings = r->resume.settings.item,
                                            .restart = r->resume.from };
    struct mw_run_result result = MW_INIT(result);
    int rc;
    progress_start("verify", (double)r->model.cells, r->kind->report.rate_unit(r));
    mw_progress_to(progress_show, NULL);
    rc = mw_run(&simulation, &options, &result);
    mw_progress_to(NULL, NULL);
    progress_end();
    return rc;
}

/* The plainest settings, on one thread: least likely to go wrong. */
static int run_verify(struct run *r)
{
    const struct mw_device_options options = { .size = sizeof options, .kernel_path = r->set->device.kernel_path };
    const double start = mw_now();
    struct run_settings set = *r->set;
    struct run again = *r;
    int rc;
    again.set = &set;
    again.own = NULL;
    again.observe.state = (struct mw_array){ 0 };
    again.step.team = (struct team){ .count = 1 };
    TRY(mw_new(1, r->kind->bytes, &again.own));
    memcpy(again.own, r->own, r->kind->bytes);
    r->kind->step.plainly(&again);
    TRY(mw_device_open_by_name("native:serial", &options, again.step.team.device));
    again.step.device = again.step.team.device[0];
    TRY(r->kind->model.make(&again));
    TRY(run_again(&again));
    TRY(r->kind->observe.read(&again, r->step.result.steps));
    TRY(run_compare(r, &again.observe.state));
out:
    if (again.own)
        r->kind->model.unmake(&again);
    free(again.own);
    mw_array_free(&again.observe.state);
    device_give_back(again.step.team.device[0]);
    r->seconds.verify += mw_now() - start;
    return rc;
}

static int evolve(struct run *r)
{
    struct device_settings on = r->set->device;
    int rc;
    if (r->kind->shaped)
        on.shape = NULL;
    TRY(team_open(&on, &r->step.team));
    r->step.device = r->step.team.device[0];
    TRY(evolve_one(r, r->resume.from));
    while (!r->step.stopped && r->kind->model.more && r->kind->model.more(r)) {
        TRY(write_look(r, r->step.result.steps));
        if (r->set->verify)
            TRY(run_verify(r));
        TRY(r->kind->model.next(r));
        r->observe.held = false;
        r->observe.state_step = 0;
        TRY(evolve_one(r, NULL));
    }
out:
    progress_end();
    return rc;
}

static int stopped(const struct run *r)
{
    char where[64] = "", of[40] = "";
    uint64_t over, all;
    if (r->set->steps != RUN_STEPS_OPEN)
        snprintf(of, sizeof(of), " of %llu", (unsigned long long)r->set->steps);
    if (are_several(r, &over, &all))
        snprintf(where, sizeof(where), " of run %llu of %llu", (unsigned long long)over + 1, (unsigned long long)all);
    return mw_fail(MW_ESTOPPED, "stopped by %s at step %llu%s%s: outputs are written up to this step%s%s",
                   signals_stopped() ? "a signal" : "--time-limit", (unsigned long long)r->step.result.steps, of, where,
                   r->resume.to ? ", resume with --restart " : "", r->resume.to ? r->resume.to : "");
}

static void run_free(struct run *r)
{
    signals_wait_begin(r->step.stopped ? 1e-3 : 0); /* wait for the devices before closing them */
    components_free(r);
    sheet_free(r);
    film_free(r);
    picture_free(r);
    plot_free(r);
    if (r->own) {
        r->kind->model.unmake(r);
        r->kind->model.free(r);
    }
    free(r->own);
    team_close(&r->step.team);
    signals_wait_end();
    mw_series_free(r->observe.series);
    mw_frames_close(r->observe.frames.file);
    mw_text_free(&r->observe.vtk_list);
    mw_checkpoint_close(r->resume.from);
    settings_free(&r->resume.settings);
    mw_array_free(&r->observe.state);
}

int run_whole(struct run *r)
{
    struct mw_model *model = NULL;
    int rc;
    TRY(restart_open(r));
    const bool list = !strcmp(r->set->variant, "list");
    if (!r->kind) {
        TRY(simulation_find(r->model.name, r->command->settings, &r->kind, &r->own_settings));
        if (list) /* by a model that exists: spins and fields have different variants */
            TRY(model_find(r->model.name, r->set->device.kernel_path, &model));
    }
    if (list) {
        rc = variant_list(r->kind->variants);
        goto out;
    }
    TRY(mw_new(1, r->kind->bytes, &r->own));
    TRY(run_prepare(r));
    if (r->set->dry_run) {
        TRY(run_plan(r));
        goto out;
    }
    TRY(run_check_memory(r));
    if ((rc = evolve(r)) != 0) {
        rc = write_failed(r, rc);
        goto out;
    }
    TRY(write_final(r));
    if (r->set->verify && !r->step.stopped)
        TRY(run_verify(r));
    TRY(run_report(r));
    if (r->step.stopped)
        rc = stopped(r);
out:
    mw_model_free(model);
    run_free(r);
    return rc;
}

int run_run(struct command *command)
{
    if (((struct run_settings *)command->settings)->mesh.integrator == INTEGRATOR_LIST)
        return variant_list(mw_integrators);
    struct run r = { .command = command,
                     .set = command->settings,
                     .seconds.start = mw_now(),
                     .model.name = command->operands.count ? command->operands.item[0] : NULL };
    TRY_RETURN(equations_take(&r, simulation_over(command->settings)));
    TRY_RETURN(restart_decide(&r));
    return run_whole(&r);
}
/* SPDX-License-Identifier: MIT */
