/* Memory and state of a part: start, frozen numbers, parameters, steps, also of clusters. */
#include "dev/core/backend.h"
#include "model/model.h"
#include "spin/model/form.h"
#include "kernels/spin/model/update.h"
#include "kernels/spin/model/clusters.h"

struct mw_range mw_spin_model_range(const struct mw_spin_device *p, int32_t sites, int32_t rows, int32_t *each)
{
    const bool cores = mw_device_info(p->device)->traits->has_cores;
    struct mw_range range = { .dims = 2, .group = { cores, cores } };
    *each = !cores ? 1 : sites < MW_SPIN_CORE_SITES ? sites : MW_SPIN_CORE_SITES;
    range.global[0] = (size_t)((sites - 1) / *each + 1);
    range.global[1] = (size_t)rows;
    return range;
}

static size_t all_cells(const struct mw_spin_device *p) { return mw_spin_device_rows(p) * (size_t)p->mesh.length[0]; }

/* ---- memory ---- */

static int freeze(struct mw_spin_device *p)
{
    const struct mw_model *m = p->whole->model;
    struct mw_spin_model_part *own = mw_spin_model_part(p);
    const unsigned pairs = mw_spin_model_neighbours(&p->whole->options) / 2;
    int32_t each, plane = 0;
    const struct mw_range range = mw_spin_model_range(p, p->mesh.length[0], (int32_t)mw_spin_device_rows(p), &each);
    const size_t planes = mw_spin_model_planes(m, 2 * pairs);
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, (planes ? planes * all_cells(p) : 1) * mw_spin_model_real(p->whole),
                             &own->frozen));
    for (int of_bonds = 1; of_bonds >= 0; of_bonds--)
        for (size_t i = 0; i < m->frozen_count; i++)
            for (unsigned k = 0; m->frozen[i].of_bonds == (bool)of_bonds && k < (of_bonds ? pairs : 1); k++)
                TRY_RETURN(launch_model_freeze(p->set, range, own->frozen, p->plan, -p->mesh.halo,
                                               (int32_t)p->rows + p->mesh.halo, each, plane++,
                                               (int32_t)m->frozen[i].values, p->whole->options.seed));
    return 0;
}

static int model_memory(struct mw_spin_device *p)
{
    const struct mw_spins *s = p->whole;
    struct mw_spin_model_part *own = mw_spin_model_part(p);
    const size_t segments = mw_spin_model_segments(s), real = mw_spin_model_real(s);
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, sizeof own->mesh, &p->plan));
    TRY_RETURN(mw_buffer_write(p->plan, 0, sizeof own->mesh, &own->mesh, NULL));
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, p->systems * (MODEL_OWN_PARAMS + s->model->info.param_count) * real,
                             &p->rule));
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, p->rows * segments * 2 * real, &own->sums));
    if (s->model->info.spin.has_rule)
        TRY_RETURN(mw_own_buffer(&p->owner, p->device, mw_spin_device_rows(p) * p->row_bytes, &p->beyond));
    if (p->clusters) {
        TRY_RETURN(mw_own_buffer(&p->owner, p->device, all_cells(p) * sizeof(int32_t), &own->parent));
        TRY_RETURN(mw_own_buffer(&p->owner, p->device, all_cells(p) * sizeof(int32_t), &own->held));
    }
    return freeze(p);
}

/* Copies the parameters of its systems, each preceded by 1 / T and 1 / (number of values).  At T = 0 a large 1 / T lets
 * the smallest cost decide. */
static int model_bring(struct mw_spin_device *p)
{
    const struct mw_spins *s = p->whole;
    const size_t count = s->model->info.param_count, each = MODEL_OWN_PARAMS + count;
    double *numbers = NULL;
    int rc;
    TRY(mw_new(p->systems * each, sizeof *numbers, &numbers));
    for (size_t i = 0; i < p->systems; i++) {
        const double *params = s->params + (p->first_system + i) * count;
        const int temperature = mw_model_find_param(s->model, "T", 1);
        const double T = temperature < 0 ? 1 : params[temperature];
        double *to = numbers + i * each;
        memcpy(to + MODEL_OWN_PARAMS, params, count * sizeof *to);
        to[0] = T > 1e-30 ? 1 / T : 1e30;
        to[1] = s->values ? 1.0 / s->values : 0;
    }
    mw_spin_model_narrow(s, numbers, p->systems * each);
    TRY(mw_buffer_write(p->rule, 0, p->systems * each * mw_spin_model_real(s), numbers, NULL));
out:
    free(numbers);
    return rc;
}

/* ---- the state ---- */

static int model_start(struct mw_spin_device *p)
{
    int32_t each;
    const struct mw_range range = mw_spin_model_range(p, p->mesh.length[0], (int32_t)p->rows, &each);
    return launch_model_start(p->set, range, p->cells, p->plan, 0, (int32_t)p->rows, each,
                              (int32_t)p->whole->options.start, p->whole->options.seed);
}

/* Updates all sites at once by the RULE of the model. */
static int follow_rule(struct mw_spin_device *p, uint64_t step, int32_t begin, int32_t end)
{
    int32_t each;
    const struct mw_range range = mw_spin_model_range(p, p->mesh.length[0], end - begin, &each);
    return launch_model_together(p->set, range, p->beyond, p->cells, p->rule, mw_spin_model_part(p)->frozen, p->plan,
                                 begin, end, each, p->whole->options.seed, step);
}

/* Cluster steps: bonds, clusters by union-find, flips. */
static int turn_clusters(struct mw_spin_device *p, uint64_t step)
{
    const struct mw_spins *s = p->whole;
    const struct mw_spin_model_part *own = mw_spin_model_part(p);
    const int32_t rows = (int32_t)p->rows, n = rows * p->mesh.length[0];
    const uint64_t seed = s->options.seed;
    int32_t each;
    const struct mw_range range = mw_spin_model_range(p, p->mesh.length[0], rows, &each);
    TRY_RETURN(launch_cluster_start(p->clusters, mw_items((size_t)n), own->parent, own->held, n));
    TRY_RETURN(launch_cluster_join(p->clusters, range, own->parent, p->cells, p->rule, own->frozen, p->plan, rows, each,
                                   seed, step));
    TRY_RETURN(launch_cluster_hold(p->clusters, range, own->held, own->parent, p->cells, p->rule, own->frozen, p->plan,
                                   rows, each, seed, step));
    return launch_cluster_turn(p->clusters, range, p->cells, own->parent, own->held, p->rule, p->plan, rows, each,
                               s->options.update == MW_SPIN_UPDATE_WOLFF, seed, step);
}

static int model_sweep(struct mw_spin_device *p, int32_t phase, uint64_t step, int32_t begin, int32_t end)
{
    const struct mw_spins *s = p->whole;
    struct mw_spin_model_part *own = mw_spin_model_part(p);
    const int32_t apart = s->spacing == SPACING_COLOURS ? 2 : s->spacing;
    int32_t each;
    const struct mw_range range = mw_spin_model_range(p, (p->mesh.length[0] - 1) / apart + 1, end - begin, &each);
    if (s->model->info.spin.has_rule)
        return follow_rule(p, step, begin, end);
    if (s->options.update >= MW_SPIN_UPDATE_SWENDSEN_WANG && phase == 0)
        return turn_clusters(p, step);
    if (s->options.update == MW_SPIN_UPDATE_EXCHANGE)
        return launch_model_exchange(p->set, range, p->cells, p->rule, own->frozen, p->plan, begin, end, each, phase,
                                     s->options.seed, step);
    return launch_model_sweep(p->set, range, p->cells, p->rule, own->frozen, p->plan, begin, end, each,
                              s->options.update == MW_SPIN_UPDATE_HEAT_BATH,
                              phase - (s->options.update > MW_SPIN_UPDATE_EXCHANGE), s->options.seed, step);
}

const struct mw_spin_form mw_spin_of_model = { .build = mw_spin_model_build,
                                               .start = model_start,
                                               .sweep = model_sweep,
                                               .rate = { 0.05, 40 },
                                               .memory = model_memory,
                                               .bring = model_bring };
/* SPDX-License-Identifier: MIT */
