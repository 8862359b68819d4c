/* meshwork run: the kinds of simulation, with their options. */
#include "tools/cli/subcommands.h"
#include "tools/field/field.h"
#include "tools/run/simulation.h"
#include "tools/spin/spin.h"

/* One member per kind. */
struct all_settings {
    struct run_settings run;
    struct field_settings field;
    struct spin_settings spin;
};

/* One row per kind; the last one takes all models unknown to the others. */
static const struct {
    const struct simulation *kind;
    size_t settings;
    const struct option *options;
    const char *of;
} kinds[] = {
    { &spin_simulation, offsetof(struct all_settings, spin), spin_options, "spins" },
    { &field_simulation, offsetof(struct all_settings, field), field_options, "fields" },
};

/* One group per kind. */
static const struct option_group groups[] = { { "Simulation", run_options, offsetof(struct all_settings, run) },
                                              { "Simulation", loop_options, offsetof(struct all_settings, run) },
                                              { "Simulation", mesh_options, offsetof(struct all_settings, run.mesh) },
                                              { "Fields", field_options, offsetof(struct all_settings, field) },
                                              { "Spins", spin_options, offsetof(struct all_settings, spin) },
                                              DEVICES_GROUPS(struct all_settings, run.device),
                                              { 0 } };

int simulation_find(const char *model, void *settings, const struct simulation **kind, void **own_settings)
{
    const char *kernel_path = ((const struct all_settings *)settings)->run.device.kernel_path;
    bool known = false;
    size_t i = 0;
    while (i + 1 < MW_COUNT(kinds)) {
        TRY_RETURN(kinds[i].kind->knows(model, kernel_path, &known));
        if (known)
            break;
        i++;
    }
    *own_settings = (char *)settings + kinds[i].settings;
    *kind = kinds[i].kind;
    return 0;
}

const char *simulation_over(const void *settings) { return ((const struct all_settings *)settings)->field.over; }

int simulation_check_options(const struct run *r)
{
    const char *here = "others";
    for (size_t i = 0; i < MW_COUNT(kinds); i++)
        here = kinds[i].kind == r->kind ? kinds[i].of : here;
    for (size_t i = 0; i < MW_COUNT(kinds); i++)
        for (const struct option *o = kinds[i].options; kinds[i].kind != r->kind && o->name; o++)
            if (option_is_given(r->command, o->name))
                return mw_fail(MW_EINVAL, "--%s requires a model of %s, but model %s has %s: leave it out", o->name,
                               kinds[i].of, r->model.name, here);
    return 0;
}

const struct subcommand run_subcommand = {
    "run",
    "[MODEL]",
    "run a simulation of fields or spins",
    "Runs a model from initial noise, from --input, or from the checkpoint of --restart, and prints a summary. MODEL "
    "is a name from `meshwork models` or the path of a model file; -e gives equations instead.",
    groups,
    sizeof(struct all_settings),
    0,
    1,
    run_run,
    NULL
};
/* SPDX-License-Identifier: MIT */
