/* meshwork run: observes the state and writes output files. */
#include <math.h>
#include <stdarg.h>
#include <unistd.h>

#include <meshwork/file.h>

#include "tools/report/files.h"
#include "tools/run/pictures/picture.h"

/* ---- products ---- */

int write_find_field(struct run *r, struct mw_array *field, const struct mw_array **found)
{
    *found = r->kind->observe.field ? field : &r->observe.state;
    return r->kind->observe.field ? r->kind->observe.field(r, field) : 0;
}

/* A name without a suffix is that of a .npy file. */
static int write_array(struct run *r, const char *path, uint64_t step)
{
    double spacing[MW_DIMS_MAX] = { 0 }; /* 0: the dimensions of fields and systems */
    const struct mw_array_format *format;
    struct mw_array field = { 0 };
    const struct mw_array *found;
    int rc;
    for (unsigned d = 0; d < r->set->mesh.size.dims; d++)
        spacing[d] = run_spacing(r, d);
    TRY(write_find_field(r, &field, &found));
    TRY(mw_array_format_find(path, true, &format) == 0 ? mw_array_save_spaced(path, found, spacing)
                                                       : mw_npy_write(path, found));
out:
    mw_array_free(&field);
    return rc;
}

static int write_vti(struct run *r, const char *path, uint64_t step)
{
    struct mw_array field = { 0 };
    const struct mw_array *found;
    int rc;
    TRY(write_find_field(r, &field, &found));
    TRY(mw_vti_write(path, found, r->model.names, r->model.name_count, run_time(r, step), r->model.spacing));
out:
    mw_array_free(&field);
    return rc;
}

/* ---- preparation ---- */

bool write_is_series(const struct run *r, const struct product *p)
{
    return r->set->every && p->pattern && p->numbered && strcmp(p->pattern, "-") != 0;
}

uint64_t write_count(const struct run *r, uint64_t every)
{
    const uint64_t first = r->resume.from ? mw_checkpoint_step(r->resume.from) : 0, last = r->set->steps;
    const uint64_t begun = r->resume.from ? first / every : (uint64_t)-1;
    return last / every - begun + (last % every != 0);
}

/* A name may have no suffix or its own, but not another one: a dot, a letter and up to five more characters. */
static int check_suffix(const struct product *p)
{
    const char *slash = strrchr(p->pattern, '/'), *name = slash ? slash + 1 : p->pattern, *dot = strrchr(name, '.');
    const bool arrays = p->write == write_array;
    struct mw_text known = { 0 };
    int rc = 0;
    if (!p->suffix || !dot || dot == name || !mw_is_letter(dot[1]) || strlen(dot) > 7)
        return 0;
    if (arrays ? file_is_of_arrays(name) : text_ends_in(name, p->suffix))
        return 0;
    for (const char *c = dot + 1; *c; c++)
        if (!mw_is_letter_or_digit(*c))
            return 0;
    if (arrays)
        file_add_suffixes(&known, false);
    else
        mw_text_add(&known, "%s", p->suffix);
    TRY(mw_text_ok(&known));
    rc = mw_fail(MW_EINVAL,
                 "--%s: %s must be a file with suffix %s: states are written by -o, pictures as .png (--png), VTK "
                 "images as .vti (--vtk), tables as text (--series)",
                 p->option, p->pattern, known.data);
out:
    mw_text_free(&known);
    return rc;
}

static int check_product(const struct run *r, const struct product *p)
{
    char *path = NULL;
    int rc;
    if (!strcmp(p->pattern, "-"))
        return file_to_standard_output(true);
    TRY(check_suffix(p));
    if (write_is_series(r, p)) {
        TRY(file_series_writable(p->option, p->pattern, r->set->steps));
        return p->write == write_vti ? pvd_prepare(r, p->pattern) : 0;
    }
    TRY(file_numbered(p->option, p->pattern, r->set->steps, false, &path));
    TRY(file_writable(path));
    if (p->write == write_array)
        TRY(file_companion_writable(path));
out:
    free(path);
    return rc;
}

void series_row_add(struct series_row *row, double value, const char *title, ...)
{
    struct series_column *column;
    va_list ap;
    if (row->rc || (row->rc = mw_grow(row->count, sizeof(*column), &row->column)) != 0)
        return;
    column = &row->column[row->count++];
    column->value = value;
    va_start(ap, title);
    vsnprintf(column->title, sizeof(column->title), title, ap);
    va_end(ap);
}

/* The caller frees it also after a failure. */
static int make_row(const struct run *r, uint64_t step, struct series_row *row)
{
    series_row_add(row, run_time(r, step), "time");
    r->kind->observe.row(r, step, row);
    components_row(r, step, row);
    return row->rc;
}

static int prepare_series(struct run *r)
{
    struct series_row row = { 0 };
    const char **list = NULL;
    int rc;
    TRY(file_text_writable(r->set->series));
    TRY(make_row(r, 0, &row));
    TRY(mw_new(row.count, sizeof(*list), &list));
    for (size_t i = 0; i < row.count; i++)
        list[i] = row.column[i].title;
    TRY(mw_series_new(r->set->series, list, row.count, &r->observe.series));
out:
    free(list);
    free(row.column);
    return rc;
}

/* Several intervals are multiples of the least one. */
static uint64_t observe_every(const struct run *r)
{
    const uint64_t schedules[] = { r->set->every, r->observe.own_every, r->set->label_every };
    uint64_t least = 0;
    for (size_t i = 0; i < MW_COUNT(schedules); i++)
        if (schedules[i] && (!least || schedules[i] < least))
            least = schedules[i];
    return least ? least : RUN_LOOK_EVERY;
}

int write_prepare(struct run *r)
{
    const struct run_settings *set = r->set;
    const struct product products[PRODUCTS] = {
        { "written", "output", ".npy", set->output, set->output && file_has_number(set->output), 0, write_array, false,
          0 },
        { "pictures", "png", ".png", set->png, true, 0, picture_write, false, 0 },
        { "vtk", "vtk", ".vti", set->vtk, true, 0, write_vti, false, 0 },
        { "figure", "figure", NULL, set->figure, set->figure && file_has_number(set->figure), 0, figure_write, false,
          0 }
    };
    int rc;
    memcpy(r->observe.products, products, sizeof(products));
    TRY(picture_prepare(r));
    r->observe.every = observe_every(r);
    if (set->png)
        TRY(file_pictures("--png"));
    if (set->vtk && set->mesh.size.dims > 3)
        return mw_fail(MW_EINVAL,
                       "--vtk: the maximum is 3 dimensions, the mesh has %u: write .npy files instead, as "
                       "in -o 'state-%%06d.npy'",
                       set->mesh.size.dims);
    for (size_t i = 0; i < PRODUCTS; i++)
        if (r->observe.products[i].pattern)
            TRY(check_product(r, &r->observe.products[i]));
    TRY(frames_prepare(r));
    TRY(plot_check(set->plot, "--series FILE.csv"));
    if (set->series)
        TRY(prepare_series(r));
    if (r->resume.to && !strcmp(r->resume.to, "-"))
        rc = mw_fail(MW_EINVAL, "--checkpoint needs a file, not standard output: give a name");
    else if (r->resume.to && (rc = file_generations_writable(r->resume.to)) == 0)
        rc = mw_checkpoint_replaceable(r->resume.to);
out:
    return rc;
}

/* ---- observations ---- */

int write_look(struct run *r, uint64_t step)
{
    if (r->observe.held && r->observe.state_step == step)
        return 0;
    r->observe.held = r->observe.measured = false;
    TRY_RETURN(r->kind->observe.read(r, step));
    r->observe.held = true;
    r->observe.state_step = step;
    return 0;
}

int write_measure(struct run *r)
{
    if (r->observe.measured)
        return 0;
    TRY_RETURN(r->kind->observe.measure(r));
    r->observe.measured = true;
    return 0;
}

/* Adds a row to the series, and to the rows of the plot. */
static int run_write_add_row(struct run *r, uint64_t step)
{
    struct series_row row = { 0 };
    double *values = NULL;
    int rc;
    TRY(make_row(r, step, &row));
    TRY(mw_new(row.count, sizeof(*values), &values));
    for (size_t i = 0; i < row.count; i++)
        values[i] = row.column[i].value;
    TRY(plot_add(r, step, &row, values));
    if (!r->observe.series)
        goto out;
    if (!strcmp(r->set->series, "-"))
        line_hide(); /* a terminal may show both */
    TRY(mw_series_add(r->observe.series, step, values));
out:
    free(values);
    free(row.column);
    return rc;
}

static int write_product(struct run *r, struct product *p, uint64_t step)
{
    char *path = NULL;
    int rc;
    TRY(file_numbered(p->option, p->pattern, step, write_is_series(r, p), &path));
    p->unsynced = write_is_series(r, p) && !(p->write == picture_write && picture_waits(r));
    p->last = step;
    mw_file_sync_later(p->unsynced);
    rc = p->write(r, path, step);
    mw_file_sync_later(false);
    TRY(rc);
    if (p->write == write_vti && p->unsynced)
        TRY(pvd_add(r, p->pattern, path, step));
    p->files++;
out:
    free(path);
    return rc;
}

/* Syncs the files of a series together, before a checkpoint that relies on them and at the end.  Syncing each file
 * would wait for the disk each time. */
static int sync_products(struct run *r)
{
    char *path = NULL;
    int rc = 0;
    for (size_t i = 0; i < PRODUCTS; i++) {
        struct product *p = &r->observe.products[i];
        if (!p->unsynced)
            continue;
        free(path);
        path = NULL;
        if (p->write == write_vti)
            TRY(pvd_write(r, p->pattern));
        TRY(file_numbered(p->option, p->pattern, p->last, true, &path));
        TRY(mw_file_system_sync(path));
        p->unsynced = false;
    }
out:
    free(path);
    return rc;
}

/* Returns whether something is due at an observed step: by its interval, or because the step is the last. */
static bool due(const struct run *r, uint64_t step, uint64_t every)
{
    return every && (step % every == 0 || step % r->observe.every != 0 || step == r->set->steps || r->step.ended);
}

/* Prints and writes the outputs of a state on the host. */
static int show(struct run *r, uint64_t step, bool asked)
{
    TRY_RETURN(write_measure(r));
    if (output_verbose() && asked)
        r->kind->observe.print(r, step);
    if (r->kind->observe.store)
        TRY_RETURN(r->kind->observe.store(r));
    for (size_t i = 0; asked && i < PRODUCTS; i++)
        if (write_is_series(r, &r->observe.products[i]))
            TRY_RETURN(write_product(r, &r->observe.products[i], step));
    if (asked) {
        TRY_RETURN(sheet_keep(r, step));
        TRY_RETURN(film_keep(r, step));
    }
    if (asked && r->set->every)
        TRY_RETURN(frames_write(r, step));
    if (r->observe.series || r->set->plot)
        TRY_RETURN(run_write_add_row(r, step));
    return 0;
}

static int observe_own(struct run *r, uint64_t step)
{
    const double start = mw_now();
    const int rc = r->kind->observe.observe(r, step);
    r->seconds.own += mw_now() - start;
    return rc;
}

static double seconds_elsewhere(const struct run *r)
{
    return r->seconds.own + r->observe.components.seconds + r->seconds.waited;
}

/* Without --every and a series, states are only checked for errors, every thousand steps.  The first one needs no
 * check. */
int write_observe(void *context, uint64_t step)
{
    struct run *r = context;
    const bool asked = due(r, step, r->set->every), shown = asked || r->observe.series || r->set->plot;
    const bool looks = shown || step - r->observe.state_step >= RUN_LOOK_EVERY ||
                       (!r->observe.own_every && !r->set->label_every && step > 0);
    const double start = mw_now(), elsewhere = seconds_elsewhere(r);
    int rc = 0;
    if (looks || due(r, step, r->observe.own_every))
        TRY(run_wait(r));
    if (looks)
        TRY(write_look(r, step));
    if (due(r, step, r->observe.own_every))
        TRY(observe_own(r, step));
    if (due(r, step, r->set->label_every))
        TRY(components_label(r, step));
    if (shown) {
        TRY(components_know(r));
        TRY(show(r, step, asked));
    }
out:
    r->seconds.output += mw_now() - start - (seconds_elsewhere(r) - elsewhere);
    return rc;
}

int write_save(void *context, struct mw_checkpoint_writer *writer)
{
    struct run *r = context;
    TRY_RETURN(sync_products(r));
    TRY_RETURN(frames_sync(r));
    TRY_RETURN(write_look(r, r->kind->step.step(r)));
    TRY_RETURN(mw_checkpoint_put(writer, RUN_STATE, r->observe.state.data,
                                 r->observe.state.count * mw_type_bytes(r->observe.state.type)));
    if (r->kind->step.save)
        TRY_RETURN(r->kind->step.save(r, writer));
    return 0;
}

/* Keeps the first failure. */
static void note(int *rc, int result) { *rc = *rc ? *rc : result; }

/* Writes the outputs that wait for the last state. */
static int write_waiting(struct run *r)
{
    int rc = 0;
    note(&rc, sheet_finish(r));
    note(&rc, film_finish(r));
    note(&rc, picture_finish(r));
    note(&rc, plot_finish(r));
    return rc;
}

int write_failed(struct run *r, int rc)
{
    char *why;
    if (mw_strdup(mw_errmsg(), &why) != 0)
        return rc;
    write_waiting(r);
    rc = mw_fail(rc, "%s", why);
    free(why);
    return rc;
}

/* An output that fails does not prevent the others. */
int write_final(struct run *r)
{
    double start = mw_now();
    int rc;
    TRY(write_look(r, r->step.result.steps));
    TRY(write_measure(r));
    for (size_t i = 0; i < PRODUCTS; i++)
        if (r->observe.products[i].pattern && !write_is_series(r, &r->observe.products[i]))
            note(&rc, write_product(r, &r->observe.products[i], r->step.result.steps));
    note(&rc, write_waiting(r));
    if (!r->set->every)
        note(&rc, frames_write(r, r->step.result.steps));
    if (r->kind->observe.write)
        note(&rc, r->kind->observe.write(r));
    note(&rc, sync_products(r));
    note(&rc, frames_sync(r));
out:
    r->seconds.output += mw_now() - start;
    return rc;
}
/* SPDX-License-Identifier: MIT */
