/* Statistics and free energy of a field, reduced on its devices (reduce.c). */
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

/* Computes the energy density of the part's own cells in the buffer that the next step overwrites. */
static int energy_density(const struct mw_field *f, struct mw_part *p)
{
    if (!p->energy.kernels)
        TRY_RETURN(mw_field_plan_make_energy(&p->array, &p->energy));
    p->maps_are_shared = false;
    TRY_RETURN(mw_field_array_set_time(&p->array, mw_field_time(f), NULL)); /* an energy reads no means */
    return mw_field_plan_energy(&p->energy, &p->array, -1, p->temp, p->state, mw_place_own(&p->array.place));
}

static int reduce_part(void *part, void *context)
{
    const struct mw_look *look = context;
    if (look->of == MW_LOOK_ENERGY)
        TRY_RETURN(energy_density(look->whole, part));
    return mw_reduce_part(part, look);
}

static int reduce_window(struct mw_part *p, void *context)
{
    const struct mw_look *look = context;
    if (look->of == MW_LOOK_ENERGY)
        TRY_RETURN(energy_density(look->whole, p));
    return mw_reduce_window(p, look);
}

static int reduce_windows(struct mw_field *f, struct mw_look *look)
{
    int rc;
    TRY(mw_reduce_window_begin(look));
    TRY(mw_stream_show(f, reduce_window, look));
out:
    free(look->open);
    return rc;
}

static int reduce(struct mw_field *f, struct mw_look look, struct mw_block *result)
{
    look.whole = f;
    if (!f->blocks)
        TRY_RETURN(mw_new(mw_block_count(f), sizeof *f->blocks, &f->blocks));
    TRY_RETURN(f->streams ? reduce_windows(f, &look) : mw_field_each_part(f, reduce_part, &look));
    if (!f->streams)
        TRY_RETURN(mw_reduce_all_shared(f, &look));
    *result = mw_blocks_join(f->blocks, mw_block_count(f));
    return 0;
}

/* ---- several systems: each is read and reduced on the host ---- */

/* Results for systems: statistics of all fields, or, if that is NULL, energies.  `cells` has room for one system. */
struct systems_look {
    struct mw_field *whole;
    struct mw_statistics *statistics;
    double *energies;
    char *cells;
};

static int systems_of_part(struct mw_part *p, void *context)
{
    const struct systems_look *look = context;
    const struct mw_field *f = look->whole;
    const size_t fields = look->statistics ? f->model->info.field_count : 1;
    const size_t stored = look->statistics ? mw_model_quantities(f->model) : 1; /* per system in memory */
    const size_t bytes = f->cells * mw_problem_real_bytes(&f->problem), first = (size_t)p->array.place.lower;
    const double cells = (double)f->cells;
    if (!look->statistics)
        TRY_RETURN(energy_density(f, p));
    for (size_t i = 0; i < (size_t)p->array.place.own * fields; i++) {
        const size_t at = (size_t)p->array.place.slab * fields + i;
        TRY_RETURN(mw_buffer_read(look->statistics ? p->state : p->temp,
                                  ((first + i / fields) * stored + i % fields) * bytes, bytes, look->cells, NULL));
        const struct mw_block sum = mw_reduce_cells(f, look->cells, NULL, f->blocks);
        const double mean = sum.sum / cells;
        if (look->statistics)
            look->statistics[at] =
                (struct mw_statistics){ mean, mw_reduce_cells(f, look->cells, &mean, f->blocks).sum / cells, sum.least,
                                        sum.most };
        else
            look->energies[at] = mean * cells * mw_problem_volume(&f->problem);
    }
    return 0;
}

/* Visits all parts, or their windows, in turn. */
static int inspect_systems(struct mw_field *f, struct systems_look look)
{
    int rc = 0;
    look.whole = f;
    if (!f->blocks)
        TRY(mw_new(mw_block_count(f), sizeof *f->blocks, &f->blocks));
    TRY(mw_new(f->cells, mw_problem_real_bytes(&f->problem), &look.cells));
    if (f->streams)
        TRY(mw_stream_show(f, systems_of_part, &look));
    for (size_t i = 0; i < f->count && !f->streams; i++)
        TRY(systems_of_part(&f->parts[i], &look));
out:
    free(look.cells);
    return rc;
}

/* ---- public calls ---- */

int mw_field_statistics(struct mw_field *f, struct mw_statistics *statistics)
{
    const double cells = (double)f->cells;
    struct mw_block sum, squares;
    TRY_RETURN(mw_exchange_check(f->exchange));
    if (mw_field_has_systems(&f->problem))
        return inspect_systems(f, (struct systems_look){ .statistics = statistics });
    for (size_t i = 0; i < f->model->info.field_count; i++) {
        TRY_RETURN(reduce(f, (struct mw_look){ .field = i }, &sum));
        const double mean = sum.sum / cells;
        TRY_RETURN(reduce(f, (struct mw_look){ .field = i, .about = &mean }, &squares));
        statistics[i] = (struct mw_statistics){ mean, squares.sum / cells, sum.least, sum.most };
    }
    return 0;
}

int mw_field_energy(struct mw_field *f, double *energy)
{
    const double cells = (double)f->cells;
    struct mw_block sum;
    if (!f->model->info.has_energy)
        return mw_fail(MW_EINVAL, "model %s defines no energy: add a line energy = ... to it", f->model->info.name);
    TRY_RETURN(mw_exchange_check(f->exchange));
    if (mw_field_has_systems(&f->problem))
        return inspect_systems(f, (struct systems_look){ .energies = energy });
    TRY_RETURN(reduce(f, (struct mw_look){ .of = MW_LOOK_ENERGY }, &sum));
    /* The mean times the number of cells: this keeps the last bit of earlier versions. */
    *energy = sum.sum / cells * cells * mw_problem_volume(&f->problem);
    return 0;
}

/* Computes the means of a state in host memory, which depend only on its bits. */
int mw_field_means(const struct mw_array *state, size_t field_count, double *means)
{
    const size_t width = mw_type_bytes(state->type);
    struct mw_block sum;
    if (state->type != MW_TYPE_F32 && state->type != MW_TYPE_F64)
        return mw_fail(MW_EINVAL, "means require real numbers, found %s", mw_type_name(state->type));
    if (field_count == 0 || state->count % field_count)
        return mw_fail(MW_EINVAL,
                       "%zu values cannot be divided into %zu fields of equal size: pass the number of "
                       "fields of the state",
                       state->count, field_count);
    const size_t cells = state->count / field_count;
    for (size_t f = 0; f < field_count; f++) {
        means[f] = 0;
        if (cells == 0)
            continue;
        TRY_RETURN(mw_blocks_of((const char *)state->data + f * cells * width, state->type, cells, NULL, &sum));
        means[f] = sum.sum / (double)cells;
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
