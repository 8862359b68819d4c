/* meshwork run: labels the cells of the first quantity on the device while the run continues. */
#include <math.h>

#include "tools/run/simulation.h"

static size_t label_bytes(const struct run *r)
{
    return r->model.cells > INT32_MAX ? sizeof(int64_t) : sizeof(int32_t);
}

uint64_t components_bytes(const struct run *r, const struct mw_device_info *device)
{
    const uint64_t labels = r->model.cells * label_bytes(r);
    if (!r->set->label_every)
        return 0;
    /* Labels and components of strips, in the noise case.  By cells: a table of the labelling, and sizes or keys as
     * well. */
    return memory_has_cores(device) ? labels * 15 / 8 : 2 * labels + r->model.cells * sizeof(uint32_t);
}

/* One of the two schedules must be a multiple of the other. */
static int check_schedules(uint64_t label, uint64_t other, const char *name)
{
    if (other && label % other && other % label)
        return mw_fail(MW_EINVAL, "--label-every %llu and --%s %llu: make one a multiple of the other",
                       (unsigned long long)label, name, (unsigned long long)other);
    return 0;
}

int components_check(const struct run *r)
{
    const uint64_t label_every = r->set->label_every;
    if (!label_every && r->set->label_variant)
        return mw_fail(MW_EINVAL, "--label-variant requires --label-every: give both");
    if (!label_every)
        return 0;
    TRY_RETURN(check_schedules(label_every, r->set->every, "every"));
    TRY_RETURN(check_schedules(label_every, r->observe.own_every, "measure-every"));
    if (r->model.cells > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "--label-every: the maximum is 2^32 - 1 cells, this mesh has %zu: leave it out",
                       r->model.cells);
    return 0;
}

int components_start(struct run *r)
{
    const struct size *size = &r->set->mesh.size;
    struct mw_label_options label = { .size = sizeof label, .dims = size->dims, .no_background = true };
    struct run_components *c = &r->observe.components;
    if (!r->set->label_every)
        return 0;
    TRY_RETURN(mesh_boundaries(&r->set->mesh, label.boundary));
    for (unsigned d = 0; d < size->dims; d++) {
        label.length[d] = size->length[d];
        if (label.boundary[d] == MW_BOUNDARY_MIRROR || r->model.bounded >> d & 1)
            label.boundary[d] = MW_BOUNDARY_FIXED;
    }
    label.variant = r->set->label_variant;
    r->kind->observe.label(r, &label);
    TRY_RETURN(mw_labelling_new(&r->step.device, 1, &label, &c->labelling));
    return mw_labelling_reserve(c->labelling);
}

void components_free(struct run *r)
{
    struct run_components *c = &r->observe.components;
    mw_labelling_free(c->labelling);
    mw_buffer_free(c->cells);
}

int components_know(struct run *r)
{
    struct run_components *c = &r->observe.components;
    const double start = mw_now();
    double *seconds;
    int rc;
    if (!c->begun)
        return 0;
    seconds = r->kind->step.step(r) == c->step ? &c->seconds : &r->seconds.waited;
    c->begun = false;
    c->summary.size = sizeof c->summary;
    rc = mw_labelling_summary_end(c->labelling, &c->summary);
    c->known = !rc;
    *seconds += mw_now() - start; /* includes steps that overlap with labelling */
    return rc;
}

int components_label(struct run *r, uint64_t step)
{
    struct run_components *c = &r->observe.components;
    struct mw_buffer *cells;
    double start;
    int rc;
    TRY_RETURN(components_know(r));
    if (r->set->label_variant || mw_labelling_summary_waits(c->labelling))
        TRY_RETURN(run_wait(r));
    start = mw_now();
    rc = r->kind->observe.cells(r, step, &c->cells, &cells);
    if (!rc)
        rc = mw_labelling_summary_begin(c->labelling, cells);
    c->begun = !rc;
    c->step = step;
    c->seconds += mw_now() - start;
    c->count++;
    TRY_RETURN(rc);
    return r->set->label_variant ? components_know(r) : 0;
}

int components_last(struct run *r)
{
    const struct run_components *c = &r->observe.components;
    if (r->set->label_every && !c->known && !c->begun)
        TRY_RETURN(components_label(r, r->kind->step.step(r)));
    return components_know(r);
}

/* ---- report ---- */

/* Returns whether each component has one sign.  Depends only on the kind, since the titles of a series are written
 * first. */
static bool has_sides(const struct run *r)
{
    struct mw_label_options label = MW_INIT(label);
    r->kind->observe.label(r, &label);
    return label.join == MW_JOIN_THRESHOLD;
}

double components_minority(const struct mw_components_summary *s)
{
    const size_t below = s->cells - s->cells_above;
    return s->cells ? (double)(s->cells_above > below ? s->largest_below : s->largest_above) / (double)s->cells : NAN;
}

void components_row(const struct run *r, uint64_t step, struct series_row *row)
{
    const struct run_components *c = &r->observe.components;
    const uint64_t every = r->set->label_every;
    /* Labels of a last step that is not due only go into a row that is not due either: rows on schedule are the same in
     * a longer run. */
    const bool now = every && c->known && c->step == step && (step % every == 0 || step % r->observe.every != 0);

    if (!every)
        return;
    series_row_add(row, now ? (double)c->summary.components : NAN, "components");
    series_row_add(row, now ? (double)c->summary.largest_size : NAN, "largest");
    series_row_add(row, now ? c->summary.mean_size : NAN, "mean_size");
    if (!has_sides(r))
        return;
    series_row_add(row, now ? (double)c->summary.largest_above : NAN, "largest_above");
    series_row_add(row, now ? (double)c->summary.largest_below : NAN, "largest_below");
    series_row_add(row, now ? components_minority(&c->summary) : NAN, "largest_minority");
}

/* Puts null if no state was labelled. */
void components_report(const struct run *r, struct node *to)
{
    static const char *const keys[] = { "components",    "largest",       "mean_size",
                                        "largest_above", "largest_below", "largest_minority" };
    const struct run_components *c = &r->observe.components;
    const struct mw_components_summary *s = &c->summary;
    const bool sides = r->set->label_every && has_sides(r);
    if (!r->set->label_every)
        return;
    for (size_t i = 0; !r->observe.components.known && i < (sides ? 6 : 3); i++)
        put_none(to, keys[i]);
    if (!r->observe.components.known)
        return;
    show_row(put_count(to, "components", s->components), "components",
             "%zu %s, the largest of %zu cells, %.4g on average", s->components, r->kind->observe.joined(r).text,
             s->largest_size, s->mean_size);
    put_count(to, "largest", s->largest_size);
    put_real(to, "mean_size", s->mean_size);
    if (r->set->label_variant)
        show_row(put_seconds(to, "label_seconds", c->seconds / (double)c->count), "labelling", "%s by %s, mean of %llu",
                 seconds_text(c->seconds / (double)c->count).text, r->set->label_variant, (unsigned long long)c->count);
    if (!sides)
        return;
    show_row(put_count(to, "largest_above", s->largest_above), "largest", "%s above 0, %s not above",
             COUNTED(s->largest_above, "cell"), COUNTED(s->largest_below, "cell"));
    put_count(to, "largest_below", s->largest_below);
    show_row(put_real(to, "largest_minority", components_minority(s)), "", "%.4g of the mesh in the minority phase",
             components_minority(s));
}

void components_plan(const struct run *r, struct node *to)
{
    if (r->set->label_every)
        ROW(to, "components", "%s, %s and at the end", r->kind->observe.joined(r).text,
            every_text(r->set->label_every).text);
}
/* SPDX-License-Identifier: MIT */
