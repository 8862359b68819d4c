/* Spins: the start of runs and sweeps, and tests of equilibrium. */
#include <math.h>
#include <stdio.h>

#include "tools/run/over.h"
#include "tools/spin/spin.h"

/* ---- start ---- */

bool spin_starts_up(const struct mw_model_info *model, const double *params, int update)
{
    return update != MW_SPIN_UPDATE_EXCHANGE && mw_model_number_of(model, &model->spin.up, params) > 0;
}

int spin_start(int asked, bool up, int update, bool fraction, enum mw_spin_start *start)
{
    if (fraction && asked != START_AUTO && asked != START_NOISE)
        return mw_fail(MW_EINVAL, "--fraction places spins at random, and excludes --start: give one of them");
    if (asked == START_CONSTANT)
        return mw_fail(MW_EINVAL, "--start: spins start from noise, up or down");
    if (update == MW_SPIN_UPDATE_EXCHANGE && (asked == START_UP || asked == START_DOWN))
        return mw_fail(MW_EINVAL,
                       "--update exchange swaps spins: if all are equal, no step changes anything: use --start noise");
    *start = fraction              ? MW_SPIN_START_FRACTION
             : asked != START_AUTO ? (enum mw_spin_start)asked
             : up                  ? MW_SPIN_START_UP
                                   : MW_SPIN_START_NOISE;
    return 0;
}

int spin_fractions(const char *text, double **fractions, size_t *count)
{
    TRY_RETURN(over_values("fraction", text, text, fractions, count));
    for (size_t i = 0; i < *count; i++)
        if (!((*fractions)[i] >= 0 && (*fractions)[i] <= 1))
            return mw_fail(MW_EINVAL, "--fraction %s: must be 0 to 1", text);
    return 0;
}

/* ---- equilibrium ---- */

static bool all_same(const double *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (values[i] < values[0] || values[i] > values[0])
            return false;
    return n > 0;
}

bool spin_ground(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                 const struct mw_spin_options *options, const double *energies, size_t n, size_t copies,
                 struct mw_spin_measures *ground)
{
    struct mw_spin_options up = *options;
    struct mw_spins *spins = NULL;
    bool frozen = false;
    int rc;
    for (size_t copy = 0; copy < copies && !frozen; copy++)
        frozen = all_same(energies + copy * n, n);
    if (!frozen || !spin_starts_up(mw_model_info(model), up.params, (int)up.update))
        return false;
    up.start = MW_SPIN_START_UP;
    up.systems = 1;
    TRY(mw_spins_new(devices, count, model, &up, &spins));
    TRY(mw_spins_measure(spins, ground));
out:
    if (rc)
        report_note("cannot distinguish frozen states from the ground state, which was not measured: %s", mw_errmsg());
    mw_spins_free(spins);
    return rc == 0;
}

static bool add_reason(const char *name, const struct mw_settling *s, struct mw_text *text)
{
    const char *and = text->length ? ", and " : "";
    if (s->why == MW_UNSETTLED_DRIFT && s->drift_error > 0)
        mw_text_add(text, "%sthe %s drifted by %.2g (%.2g errors)", and, name, fabs(s->drift),
                    fabs(s->drift) / s->drift_error);
    else if (s->why == MW_UNSETTLED_DRIFT)
        mw_text_add(text, "%sthe %s drifted by %.2g", and, name, fabs(s->drift));
    else if (s->why == MW_UNSETTLED_SLOW)
        mw_text_add(text, "%sonly %.2g independent values of the %s were measured", and, s->independent, name);
    return s->why != MW_UNSETTLED_NONE;
}

bool spin_settled(const struct spin_settling *s, struct mw_text *reason)
{
    if (s->energy.why == MW_UNSETTLED_FEW) {
        mw_text_add(reason, "fewer than 16 states were measured");
        return false;
    }
    if (s->energy.why == MW_UNSETTLED_FROZEN) {
        mw_text_add(
            reason,
            s->energy.deviation > 0
                ? "the state is frozen in some systems: their energies stay the same, which moves the mean by %.2g"
                : "the state is frozen: all energies are equal, %.2g above the state with all spins up",
            s->energy.widening);
        return false;
    }
    const bool energy = add_reason("energy", &s->energy, reason);
    return !add_reason("absolute magnetisation", &s->absolute, reason) && !energy;
}

void spin_put_equilibrium(struct node *to, const struct spin_settling *s, bool told)
{
    struct mw_text reason = { 0 };
    const bool settled = spin_settled(s, &reason);
    struct node *flag = put_flag(to, "equilibrium", settled);
    if (settled)
        put_none(to, "equilibrium_reason");
    else
        put_text(to, "equilibrium_reason", mw_text_ok(&reason) == 0 ? reason.data : "");
    if (told && !settled && mw_text_ok(&reason) == 0)
        show_row(flag, "", "not in equilibrium: %s", reason.data);
    mw_text_free(&reason);
}
/* SPDX-License-Identifier: MIT */
