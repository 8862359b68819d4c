/* meshwork run: looking at the state, and writing what was asked for. */
#include "run.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRIP_ROWS 32            /* height of the picture of a mesh of one dimension */

static int write_npy(struct run *r, const char *path, uint64_t step)
{
    (void)step;
    return mw_npy_write(path, &r->state);
}

/* What a picture shows of the first field: the middle slice of all dimensions from the third on; of one dimension a
 * strip, which `strip` is to keep. */
static int take_plane(const struct run *r, struct mw_array *plane, struct mw_array *strip)
{
    const struct mw_field_options *o = &r->options;
    const size_t width = mw_type_bytes(r->state.type), nx = o->length[0];
    size_t first = 0, stride = 1;
    int rc = 0;

    if (o->dims == 1) {
        TRY(mw_array_new(r->state.type, 2, (size_t[]){ nx, STRIP_ROWS }, strip));
        for (size_t y = 0; y < STRIP_ROWS; y++)
            memcpy((char *)strip->data + y * nx * width, r->state.data, nx * width);
        *plane = *strip;
        return 0;
    }
    for (unsigned d = 0; d < o->dims; stride *= o->length[d++])
        first += d < 2 ? 0 : o->length[d] / 2 * stride;
    *plane = (struct mw_array){ .type = r->state.type, .dims = 2, .length = { nx, o->length[1] },
                                .count = nx * o->length[1], .data = (char *)r->state.data + first * width };
out:
    return rc;
}

/* A diverging map shows the sign only if its middle is zero. */
static int write_picture(struct run *r, const char *path, uint64_t step)
{
    struct mw_array plane, strip = { 0 };
    const struct mw_statistics *s = &r->statistics[0];
    double lo = 0, hi = 0;
    int rc;

    (void)step;
    TRY(write_measure(r));
    if (!strcmp(r->set->colours, "coolwarm") && s->least < 0 && s->most > 0) {
        hi = fmax(-s->least, s->most);
        lo = -hi;
    }
    TRY(take_plane(r, &plane, &strip));
    TRY(mw_png_write(path, &plane, r->set->colours, lo, hi));
out:
    mw_array_free(&strip);
    return rc;
}

static int write_vti(struct run *r, const char *path, uint64_t step)
{
    const size_t fields = r->info->field_count;
    const char **names = NULL;
    int rc;

    TRY(mw_new(fields, sizeof(*names), &names));
    for (size_t i = 0; i < fields; i++)
        names[i] = r->info->fields[i].name;
    TRY(mw_vti_write(path, &r->state, names, fields, (double)step * r->options.dt));
out:
    free(names);
    return rc;
}

/* ---- before anything is computed ---- */

static bool has_number(const char *pattern)
{
    for (const char *c = pattern; (c = strchr(c, '%')) != NULL; c++) {
        if (*++c == '%')
            continue;
        while (isdigit((unsigned char)*c))
            c++;
        return *c == 'd';
    }
    return false;
}

bool write_is_series(const struct run *r, const struct product *p)
{
    return r->set->every && p->pattern && p->numbered;
}

uint64_t write_count(const struct run *r, uint64_t every)
{
    const uint64_t first = r->restart ? mw_checkpoint_step(r->restart) : 0, last = r->set->steps;
    const uint64_t begun = r->restart ? first / every : (uint64_t)-1;

    return last / every - begun + (last % every != 0);
}

static int check_product(const struct run *r, const struct product *p)
{
    char *path = NULL;
    int rc;

    if (!strcmp(p->pattern, "-"))
        return mw_fail(MW_EINVAL, "--%s: goes to files, not to standard output: give a name", p->option);
    TRY(output_numbered(p->option, p->pattern, r->set->steps, write_is_series(r, p), &path));
    TRY(output_writable(path));
out:
    free(path);
    return rc;
}

static int check_colours(const char *name)
{
    for (size_t map = 0; mw_colour_maps(map); map++)
        if (!strcmp(mw_colour_maps(map), name))
            return 0;
    return mw_fail(MW_EINVAL, "--colours: there is no map '%s': viridis, coolwarm or gray", name);
}

static int prepare_series(struct run *r)
{
    static const char *const titles[] = { "mean", "variance", "least", "most" };
    static const char *const components[] = { "components", "largest", "mean_size" };
    const size_t fields = r->info->field_count, most = 1 + MW_COUNT(titles) * fields + 2 + MW_COUNT(components);
    char (*title)[64] = NULL;
    const char **list = NULL;
    size_t n = 0;
    int rc;

    if (!strcmp(r->set->series, "-"))
        return mw_fail(MW_EINVAL, "--series: goes to a file, not to standard output: give a name such as run.csv");
    TRY(output_writable(r->set->series));
    TRY(mw_new(most, sizeof(*title), &title));
    TRY(mw_new(most, sizeof(*list), &list));
    snprintf(title[n++], sizeof(*title), "time");
    for (size_t i = 0; i < fields; i++)
        for (size_t k = 0; k < MW_COUNT(titles); k++)
            snprintf(title[n++], sizeof(*title), "%s_%s", r->info->fields[i].name, titles[k]);
    if (r->info->has_energy)
        snprintf(title[n++], sizeof(*title), "energy");
    snprintf(title[n++], sizeof(*title), "domain_size");
    for (size_t i = 0; r->set->label_every && i < MW_COUNT(components); i++)
        snprintf(title[n++], sizeof(*title), "%s", components[i]);
    for (size_t i = 0; i < n; i++)
        list[i] = title[i];
    TRY(mw_series_new(r->set->series, list, n, &r->series));
out:
    free(list);
    free(title);
    return rc;
}

/* Where both are asked for, one schedule is a part of the other. */
static uint64_t observe_every(const struct settings *set)
{
    if (set->every && set->label_every)
        return set->every < set->label_every ? set->every : set->label_every;
    return set->every ? set->every : set->label_every ? set->label_every : RUN_LOOK_EVERY;
}

int write_prepare(struct run *r)
{
    const struct settings *set = r->set;
    const bool numbered = set->output && has_number(set->output);
    const struct product products[PRODUCTS] = {
        { "written", "output", set->output, numbered, 0, write_npy },
        { "pictures", "png", set->png, true, 0, write_picture },
        { "vtk", "vtk", set->vtk, true, 0, write_vti } };
    int rc;

    memcpy(r->products, products, sizeof(products));
    r->every = observe_every(set);
    TRY(components_check(r));
    TRY(mw_new(r->info->field_count, sizeof(*r->statistics), &r->statistics));
    TRY(check_colours(set->colours));
#ifndef HAVE_LIBPNG
    if (set->png)
        return mw_fail(MW_ENOTSUP, "--png: meshwork was built without libpng: install libpng-dev and build it again");
#endif
    if (set->vtk && r->options.dims > 3)
        return mw_fail(MW_EINVAL, "--vtk: VTK images have at most 3 dimensions, and the mesh has %u: write .npy files "
                       "instead, as by -o 'state-%%06d.npy'", r->options.dims);
    if (set->output && !strcmp(set->output, "-")) {
        if (isatty(STDOUT_FILENO))
            return mw_fail(MW_EINVAL, "-o -: standard output is a terminal: send it to a file or a program");
        output_results_to_stderr();
    } else if (set->output) {
        TRY(check_product(r, &r->products[0]));
    }
    for (size_t i = 1; i < PRODUCTS; i++)
        if (r->products[i].pattern)
            TRY(check_product(r, &r->products[i]));
    if (set->series)
        TRY(prepare_series(r));
    if (r->checkpoint && !strcmp(r->checkpoint, "-"))
        rc = mw_fail(MW_EINVAL, "--checkpoint: goes to a file, not to standard output: give a name");
    else if (r->checkpoint)
        rc = output_writable(r->checkpoint);
out:
    return rc;
}

/* ---- while it runs ---- */

struct cell_text cell_text(const struct run *r, size_t cell)
{
    static const char *const names[MW_DIMS_MAX] = { "x", "y", "z", "x3", "x4", "x5", "x6", "x7" };
    struct cell_text t = { "" };
    size_t n = 0;

    for (unsigned d = 0; d < r->options.dims && n < sizeof(t.text); cell /= r->options.length[d++])
        n += (size_t)snprintf(t.text + n, sizeof(t.text) - n, "%s%s=%zu", d ? ", " : "", names[d],
                              cell % r->options.length[d]);
    return t;
}

static int not_finite(const struct run *r, uint64_t step, size_t at)
{
    const char *field = r->info->fields[at / r->cells].name;

    return mw_fail(MW_EDATA, "model %s is no longer finite at step %llu (it was at step %llu), field %s first at %s: "
                   "choose a time step below --dt %g", r->info->name, (unsigned long long)step,
                   (unsigned long long)r->state_step, field, cell_text(r, at % r->cells).text, r->options.dt);
}

int write_look(struct run *r, uint64_t step)
{
    size_t bad;
    int rc = 0;

    if (r->held && r->state_step == step)
        return 0;
    r->held = r->measured = false;
    mw_array_free(&r->state);
    TRY(mw_field_get(r->field, &r->state));
    bad = mw_values_not_finite(r->state.data, r->options.fp64, r->state.count);
    if (bad < r->state.count) {
        rc = not_finite(r, step, bad);
        goto out;
    }
    r->held = true;
    r->state_step = step;
out:
    return rc;
}

int write_measure(struct run *r)
{
    const struct mw_field_options *o = &r->options;
    const size_t width = mw_type_bytes(r->state.type);
    bool periodic[MW_DIMS_MAX];
    int rc = 0;

    if (r->measured)
        return 0;
    for (size_t i = 0; i < r->info->field_count; i++)
        TRY(mw_values_statistics((const char *)r->state.data + i * r->cells * width, o->fp64, r->cells,
                                 &r->statistics[i]));
    for (unsigned d = 0; d < o->dims; d++)
        periodic[d] = o->boundary[d] == MW_BOUNDARY_PERIODIC;
    r->domain_size = mw_values_domain_size(r->state.data, o->fp64, o->dims, o->length, periodic);
    r->energy = NAN;
    if (r->info->has_energy)
        TRY(mw_field_energy(r->field, &r->energy));
    r->measured = true;
out:
    return rc;
}

static int keep_energy(struct run *r)
{
    if (r->energies.count == r->energies.room) {
        const size_t room = r->energies.room ? 2 * r->energies.room : 64;
        double *item = realloc(r->energies.item, room * sizeof(*item));
        if (!item)
            return mw_fail(MW_ENOMEM, "not enough memory for the energies of %zu states", room);
        r->energies.item = item;
        r->energies.room = room;
    }
    r->energies.item[r->energies.count++] = r->energy;
    return 0;
}

static int add_row(struct run *r, uint64_t step)
{
    double *values = NULL;
    size_t n = 0;
    int rc;

    TRY(mw_new(4 * r->info->field_count + 6, sizeof(*values), &values));
    values[n++] = (double)step * r->options.dt;
    for (size_t i = 0; i < r->info->field_count; i++) {
        const struct mw_statistics *s = &r->statistics[i];
        const double four[] = { s->mean, s->variance, s->least, s->most };
        memcpy(values + n, four, sizeof(four));
        n += MW_COUNT(four);
    }
    if (r->info->has_energy)
        values[n++] = r->energy;
    values[n++] = r->domain_size;
    if (r->set->label_every) {
        const struct run_components *c = &r->components;
        /* Of the last step alone only where that goes for the whole row: others stand in a run that goes on as well. */
        const bool now = c->known && c->step == step && (step % r->set->label_every == 0 || step % r->every != 0);
        values[n++] = now ? (double)c->summary.components : NAN;
        values[n++] = now ? (double)c->summary.largest_size : NAN;
        values[n++] = now ? c->summary.mean_size : NAN;
    }
    TRY(mw_series_add(r->series, step, values));
out:
    free(values);
    return rc;
}

static int write_product(struct run *r, struct product *p, uint64_t step)
{
    char *path = NULL;
    int rc;

    TRY(output_numbered(p->option, p->pattern, step, write_is_series(r, p), &path));
    TRY(p->write(r, path, step));
    p->files++;
out:
    free(path);
    return rc;
}

static void say_ranges(const struct run *r, uint64_t step)
{
    for (size_t i = 0; i < r->info->field_count; i++)
        say_note("step %llu: %s between %.6g and %.6g, mean %.9g", (unsigned long long)step, r->info->fields[i].name,
                 r->statistics[i].least, r->statistics[i].most, r->statistics[i].mean);
}

/* Whether something is due at a step that is observed: by its own schedule, or because it is the last. */
static bool due(const struct run *r, uint64_t step, uint64_t every)
{
    return every && (step % every == 0 || step % r->every != 0 || step == r->set->steps);
}

/* What is to be said and written of a state that is on the host. */
static int show(struct run *r, uint64_t step, bool asked)
{
    int rc;

    TRY(write_measure(r));
    if (output_verbose() && asked)
        say_ranges(r, step);
    if (r->info->has_energy)
        TRY(keep_energy(r));
    for (size_t i = 0; asked && i < PRODUCTS; i++)
        if (write_is_series(r, &r->products[i]))
            TRY(write_product(r, &r->products[i], step));
    if (r->series)
        TRY(add_row(r, step));
out:
    return rc;
}

/* Without --every and a series, states are looked at only for values that are not finite, each thousand steps; the
 * first one has none. */
int write_observe(void *context, uint64_t step)
{
    struct run *r = context;
    const bool asked = due(r, step, r->set->every), shown = asked || r->series;
    const double start = mw_now(), labelling = r->components.seconds;
    int rc = 0;

    if (shown || step - r->state_step >= RUN_LOOK_EVERY || (!r->set->label_every && step > 0))
        TRY(write_look(r, step));
    if (due(r, step, r->set->label_every))
        TRY(components_label(r, step));
    if (shown)
        TRY(show(r, step, asked));
out:
    r->output_seconds += mw_now() - start - (r->components.seconds - labelling);
    return rc;
}

int write_save(void *context, struct mw_checkpoint_writer *writer)
{
    struct run *r = context;
    int rc;

    TRY(write_look(r, mw_field_step(r->field)));
    TRY(mw_checkpoint_put(writer, RUN_STATE, r->state.data, r->state.count * mw_type_bytes(r->state.type)));
out:
    return rc;
}

int write_final(struct run *r)
{
    double start = mw_now();
    int rc;

    TRY(write_look(r, r->result.steps));
    TRY(write_measure(r));
    for (size_t i = 0; i < PRODUCTS; i++)
        if (r->products[i].pattern && !write_is_series(r, &r->products[i]))
            TRY(write_product(r, &r->products[i], r->result.steps));
out:
    r->output_seconds += mw_now() - start;
    return rc;
}
