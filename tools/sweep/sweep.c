/* meshwork sweep: makes systems for all points, runs them, writes the table, files and a plot. */
#include "tools/cli/names.h"
#include "tools/cli/signals.h"
#include "tools/cli/subcommands.h"
#include "tools/report/files.h"
#include "tools/report/progress.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

#define AT(member) offsetof(struct sweep_settings, member)
#define MOST_STEPS ((uint64_t)1 << 59) /* sums of a few such numbers fit into 64 bits */

/* clang-format off */
static const struct option options[] = {
    { .name = "over", .type = OPTION_TEXT, .target = AT(over), .value = "NAME=FIRST:LAST:STEP", .once = true,
      .called = "range|scan|vary|temperatures=T=FIRST:LAST:STEP",
      .help = "swept parameter with its values; or a list of values, NAME=1,2,5" },
    { .name = "param", .letter = 'p', .type = OPTION_WORDS, .target = AT(params), .value = "NAME=VALUE",
      .called = "temperature=T=VALUE|temp=T=VALUE|set|define|D",
      .help = "set another parameter of the model; may be repeated" },
    { .name = "size", .type = OPTION_WORDS, .target = AT(sizes), .value = "WxH",
      .help = "spins along each dimension, x first (default: 32x32); repeat it for several sizes, which also prints "
              "the crossings of their Binder cumulants" },
    { .name = "systems", .type = OPTION_COUNT, .target = AT(systems), .value = "N", .fallback = "8", .least = 1,
      .most = 1000000, .help = "independent systems per size and value" },
    { .name = "steps", .type = OPTION_COUNT, .target = AT(steps), .value = "N", .fallback = "10000", .least = 1,
      .most = MOST_STEPS, .help = "measured steps" },
    { .name = "warm-up", .type = OPTION_COUNT, .target = AT(warm_up), .value = "N", .most = MOST_STEPS,
      .help = "warm-up steps before them (default: a fifth of --steps)" },
    { .name = "measure-every", .type = OPTION_COUNT, .target = AT(measure_every), .value = "N", .fallback = "5",
      .least = 1, .most = MOST_STEPS, .help = "measurement interval in steps" },
    { .name = "label-every", .type = OPTION_COUNT, .target = AT(label_every), .value = "N", .least = 1,
      .most = MOST_STEPS,
      .help = "label the components of equal spins every N measured steps: their number, and the sizes of the largest "
              "one and of the largest one of the minority phase, as fractions of the mesh" },
    { .name = "anneal", .type = OPTION_FLAG, .target = AT(anneal),
      .help = "run the values one after the other on the same systems, in the order of --over: slow cooling or "
              "heating" },
    { .name = "temper", .type = OPTION_COUNT, .target = AT(temper), .value = "N", .least = 1,
      .help = "parallel tempering: propose to exchange systems of neighbouring temperatures every N steps" },
    { .name = "update", .type = OPTION_CHOICE, .target = AT(update), .value = UPDATE_WORDS,
      .named = mw_spin_update_name, .also = UPDATE_ALSO, .fallback = "metropolis", .help = UPDATE_HELP },
    { .name = "lattice", .type = OPTION_CHOICE, .target = AT(lattice), .value = LATTICE_WORDS,
      .named = mw_lattice_kind_name, .also = LATTICE_ALSO, .fallback = "hypercubic", .help = LATTICE_HELP },
    { .name = "boundary", .type = OPTION_CHOICES, .target = AT(boundary), .value = "periodic|mirror|fixed",
      .named = mw_boundary_name, .fallback = "periodic",
      .help = "boundary condition of all dimensions, or one per dimension: mirror,periodic" },
    { .name = "start", .type = OPTION_CHOICE, .target = AT(start), .value = START_WORDS, .alias = START_ALIAS,
      .fallback = "auto",
      .help = "initial state: all spins up, down, or random; auto: up if the model declares it, otherwise noise" },
    { .name = "fraction", .type = OPTION_TEXT, .target = AT(fraction), .value = "X|FIRST:LAST:STEP",
      .called = FRACTION_CALLED,
      .help = FRACTION_HELP "; or several fractions, each with all values of --over" },
    { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0",
      .help = "seed of the first size; the following sizes use the next numbers" },
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE.csv",
      .help = "write the table as CSV, one row per size and value" },
    { .name = "plot", .type = OPTION_FILE, .target = AT(plot), .value = "FILE.png|svg|pdf",
      .help = "plot the table with gnuplot" },
    VARIANT_OPTION(struct sweep_settings, "variant that computes steps"),
    { .name = "dry-run", .type = OPTION_FLAG, .target = AT(dry_run),
      .help = "show the plan with systems and memory, without computing" },
    { 0 }
};
/* clang-format on */

static int sweep_prepare(struct sweep *s)
{
    const struct sweep_settings *set = s->set;
    TRY_RETURN(variant_check(set->variant, mw_spin_variants));
    TRY_RETURN(spin_model_find(s->command->operands.item[0], set->device.kernel_path, &s->file));
    s->model = mw_model_info(s->file);
    TRY_RETURN(file_stays(s->model->path));
    if (set->anneal && set->temper)
        return mw_fail(MW_EINVAL, "--anneal and --temper exclude each other: give one of them");
    s->copies = set->systems;
    s->every = set->measure_every;
    s->samples = (set->steps - 1) / set->measure_every + 1;
    s->warm_up = option_is_given(s->command, "warm-up") ? set->warm_up : set->steps / 5;
    TRY_RETURN(sweep_label_check(s));
    TRY_RETURN(sweep_points(s));
    TRY_RETURN(file_kind_writable("output", set->output, ".csv"));
    TRY_RETURN(plot_check(set->plot, "-o FILE.csv"));
    return sweep_sizes(s);
}

static int sweep_compute(struct sweep *s)
{
    int rc;
    TRY(team_open(&s->set->device, &s->team));
    s->setup_seconds = mw_now() - s->start;
    for (size_t i = 0; i < s->size_count; i++)
        s->all += (double)(s->warm_up + s->samples * s->every) * (double)s->point_count * (double)s->copies *
                  (double)s->sizes[i].cells;
    progress_start("sweep", 0, NULL);
    signals_stop_loop();
    signals_wait_begin(0);
    for (size_t i = 0; i < s->size_count && !s->stopped; i++)
        TRY(sweep_size_run(s, &s->sizes[i]));
out:
    signals_wait_end();
    progress_end();
    return rc;
}

static int sweep_run(struct command *command)
{
    struct sweep s = { .command = command, .set = command->settings, .start = mw_now() };
    double start;
    int rc;
    if (!strcmp(s.set->variant, "list"))
        return variant_list(mw_spin_variants);
    if (!command->operands.count)
        return mw_fail(MW_EINVAL, "missing operand: meshwork sweep MODEL, as in meshwork sweep ising --over "
                                  "T=2:2.6:0.05");
    TRY(sweep_prepare(&s));
    if (s.set->dry_run) {
        TRY(sweep_plan(&s));
        goto out;
    }
    TRY(sweep_compute(&s));
    start = mw_now();
    if (s.set->output)
        TRY(sweep_write(&s));
    if (s.set->plot)
        TRY(sweep_plot(&s));
    s.output_seconds = mw_now() - start;
    TRY(sweep_report(&s));
    if (s.stopped)
        rc = mw_fail(MW_ESTOPPED, "stopped by a signal: the results contain the measurements so far");
out:
    sweep_free(&s);
    return rc;
}

static const struct option_group groups[] = { { "Sweep", options, 0 },
                                              DEVICES_GROUPS(struct sweep_settings, device),
                                              { 0 } };

const struct subcommand sweep_subcommand = {
    .name = "sweep",
    .operands = "MODEL",
    .summary = "measure spins over the values of a parameter",
    .description =
        "Runs a spin model at many values of a parameter, several systems per value, all at once on the device. "
        "Prints energy, magnetisation, specific heat, susceptibility, Binder cumulant and autocorrelation times "
        "with errors. MODEL is a name from `meshwork models` or the path of a model file.",
    .groups = groups,
    .settings_bytes = sizeof(struct sweep_settings),
    .most_operands = 1,
    .run = sweep_run,
};
/* SPDX-License-Identifier: MIT */
