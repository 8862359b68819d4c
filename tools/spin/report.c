/* Spins: what is said of a run, its plan and its state. */
#include <math.h>

#include "tools/spin/spin.h"

void spin_report_setup(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    struct node *params;

    put_size(r, to, "a spin each");
    say_row(put_boundaries(r, to), "boundary", "%s", boundary_text(r).text);
    put_text(to, "update", update_names[own->options.update]);
    params = put_object(to, "params");
    for (size_t i = 0; i < own->model->param_count; i++)
        say_row(put_real(params, own->model->params[i].name, own->params[i]), i ? "" : "parameters", "%s = %s",
                own->model->params[i].name, real_text(own->params[i]).text);
}

const char *spin_method(const struct run *r)
{
    return update_names[((const struct spin_run *)r->own)->options.update];
}

void spin_report_device(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    struct mw_spin_part parts[TEAM_MAX];
    const size_t count = mw_spins_parts(own->spins, TEAM_MAX, parts);
    struct node *list;

    say_value(put_text(to, "variant", mw_spins_variant(own->spins)), "variant");
    if (count < 2)
        return;
    list = put_list(to, "devices");
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *device = mw_device_info(parts[i].device);
        say_row(team_put_share(list, device, parts[i].share), i ? "" : "shares", "%.1f %%  %s  %s",
                100 * parts[i].share, device->id, device->name);
    }
}

/* A mean of the second half with its error; of a run without measurements the final value. */
static void put_mean(const struct spin_run *own, struct node *to, unsigned series, double last, const char *key,
                     const char *error_key)
{
    double mean = NAN, error = NAN;

    if (own->samples.count)
        (void)mw_values_binning(own->samples.item[series], own->samples.count, &mean, &error);
    if (isnan(mean))
        mean = last;
    say_row(put_real(to, key, mean), series == SPIN_ABSOLUTE ? "" : key, isnan(error) ? "%s%.9g" : "%s%.9g +- %.2g",
            series == SPIN_ABSOLUTE ? "absolute " : "", mean, error);
    put_real(to, error_key, error);
}

void spin_report_state(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    const struct mw_spin_measures *m = &own->measures;

    put_mean(own, to, SPIN_ENERGY, m->energy, "energy", "energy_error");
    put_mean(own, to, SPIN_MAGNETISATION, m->magnetisation, "magnetisation", "magnetisation_error");
    put_mean(own, to, SPIN_ABSOLUTE, fabs(m->magnetisation), "magnetisation_absolute",
             "magnetisation_absolute_error");
    say_row(put_count(to, "samples", own->samples.count), "", "a spin, means of %zu states of the second half",
            own->samples.count);
    put_real(put_object(to, "means"), own->name, m->magnetisation);
}

void spin_report_plan(const struct run *r, struct node *to)
{
    ROW(to, "measured", "every %llu step%s and at the end", (unsigned long long)r->own_every,
        r->own_every == 1 ? "" : "s");
}
