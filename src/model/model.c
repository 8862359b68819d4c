/* Models: operators of their language, reach, cost, and reference counts. */
#include <math.h>

#include "model/model.h"

#define EVERY(n)                                                                                                       \
    {                                                                                                                  \
        n, n, n                                                                                                        \
    }
/* BIHARM is the Laplacian of a Laplacian, recomputed for each cell. */
const struct mw_operator mw_operators[MW_OP_COUNT] = {
    /* radius and cells with the Laplacian of order 2, of order 4, isotropic */
    [MW_OP_AT] = { "AT", .radius = EVERY(0), .cells = EVERY(1) },
    [MW_OP_LAP] = { "LAP", .radius = { 1, 2, 1 }, .cells = { 7, 13, 19 } },
    [MW_OP_BIHARM] = { "BIHARM", .radius = { 2, 4, 2 }, .cells = { 49, 169, 361 } },
    [MW_OP_AVG] = { "AVG", .radius = EVERY(1), .cells = EVERY(6), .operations = { 0, 2 } },
    [MW_OP_GRAD_X] = { "GRAD_X", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 2 } },
    [MW_OP_GRAD_Y] = { "GRAD_Y", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 2 } },
    [MW_OP_GRAD_Z] = { "GRAD_Z", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 2 } },
    [MW_OP_GRAD2] = { "GRAD2", .radius = EVERY(1), .cells = EVERY(6), .operations = { -1, 4 } },
    [MW_OP_NOISE] = { "NOISE", .of_noise = true, .radius = EVERY(0), .cells = EVERY(1) },
    [MW_OP_RANDOM] = { "RANDOM", .of_noise = true, .radius = EVERY(0), .cells = EVERY(1) },
    [MW_OP_D_XX] = { "D_XX", .radius = EVERY(1), .cells = EVERY(3), .operations = { 3 } },
    [MW_OP_D_YY] = { "D_YY", .radius = EVERY(1), .cells = EVERY(3), .operations = { 3 } },
    [MW_OP_D_ZZ] = { "D_ZZ", .radius = EVERY(1), .cells = EVERY(3), .operations = { 3 } },
    [MW_OP_D_XY] = { "D_XY", .odd = true, .diagonal = true, .radius = EVERY(1), .cells = EVERY(4),
                     .operations = { 4 } },
    [MW_OP_D_XZ] = { "D_XZ", .odd = true, .diagonal = true, .radius = EVERY(1), .cells = EVERY(4),
                     .operations = { 4 } },
    [MW_OP_D_YZ] = { "D_YZ", .odd = true, .diagonal = true, .radius = EVERY(1), .cells = EVERY(4),
                     .operations = { 4 } },
    [MW_OP_DOT_GRAD] = { "DOT_GRAD", .two = true, .radius = EVERY(1), .cells = EVERY(6) },
    [MW_OP_DIFFERENCES] = { "DIFFERENCES", .radius = EVERY(1), .cells = EVERY(7), .operations = { 1, 2 } },
    [MW_OP_DIV_GRAD] = { "DIV_GRAD", .two = true, .radius = EVERY(1), .cells = EVERY(7), .operations = { 0, 4 } },
    [MW_OP_LOW_X] = { "LOW_X", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 1 } },
    [MW_OP_LOW_Y] = { "LOW_Y", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 1 } },
    [MW_OP_LOW_Z] = { "LOW_Z", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 1 } },
    [MW_OP_HIGH_X] = { "HIGH_X", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 1 } },
    [MW_OP_HIGH_Y] = { "HIGH_Y", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 1 } },
    [MW_OP_HIGH_Z] = { "HIGH_Z", .odd = true, .radius = EVERY(1), .cells = EVERY(2), .operations = { 1 } },
};

/* ---- reach ---- */

static int max_int(int a, int b) { return a > b ? a : b; }

/* Computes leads from the rates backwards: a stage is computed as far ahead as its furthest user needs.  A stage that
 * only the energy uses has lead 0, and so have the stages that it reads. */
static void find_leads(const struct mw_model *m, enum mw_laplacian laplacian, struct mw_reach *r)
{
    int after[MW_MODEL_NAMES_MAX] = { 0 };
    for (int s = (int)m->stage_count - 1; s >= 0; s--) {
        for (size_t i = 0; i < m->use_count; i++) {
            const struct mw_model_use *u = &m->uses[i];
            const int radius = mw_operators[u->what].radius[laplacian], lead = u->by >= 0 ? r->lead[u->by] : 0;
            if (u->of_stage != s || u->by == MW_BY_ENERGY)
                continue;
            r->lead[s] = max_int(r->lead[s], lead + radius);
            after[s] = max_int(after[s], radius - lead);
        }
        r->ring[s] = r->lead[s] + max_int(after[s], -r->lead[s]) + 1;
        r->max_lead = max_int(r->max_lead, r->lead[s]);
    }
}

/* Computes the reach of `root`, with its stages evaluated in place. */
static int find_reach(const struct mw_model *m, enum mw_laplacian laplacian, int root)
{
    int ahead[MW_MODEL_NAMES_MAX], reach = 0;
    for (int s = (int)m->stage_count - 1; s >= -1; s--) {
        int furthest = -1; /* reach from stage s; s = -1: from fields and noise */
        for (size_t i = 0; i < m->use_count; i++) {
            const struct mw_model_use *u = &m->uses[i];
            const int at = u->by == root ? 0 : u->by >= 0 ? ahead[u->by] : -1;
            if (u->of_stage == s && at >= 0)
                furthest = max_int(furthest, at + mw_operators[u->what].radius[laplacian]);
        }
        if (s >= 0)
            ahead[s] = furthest;
        reach = max_int(reach, furthest);
    }
    return reach;
}

/* Counts the cells read by the rates with all stages evaluated in place, which is a measure of the code's size. */
static double count_looks(const struct mw_model *m, enum mw_laplacian laplacian)
{
    double looks[MW_MODEL_NAMES_MAX + 1] = { 0 };
    for (int by = 0; by <= (int)m->stage_count; by++)
        for (size_t i = 0; i < m->use_count; i++) {
            const struct mw_model_use *u = &m->uses[i];
            if (u->by == (by < (int)m->stage_count ? by : MW_BY_RATES))
                looks[by] +=
                    mw_operators[u->what].cells[laplacian] * (u->of_stage == MW_OF_FIELD ? 1 : looks[u->of_stage]);
        }
    return looks[m->stage_count];
}

bool mw_model_has_odd_stages(const struct mw_model *m)
{
    for (size_t i = 0; i < m->use_count; i++)
        if (m->uses[i].by >= 0 && mw_operators[m->uses[i].what].odd)
            return true;
    return false;
}

bool mw_model_is_odd(const struct mw_model *m)
{
    for (size_t i = 0; i < m->use_count; i++)
        if (m->uses[i].by != MW_BY_ENERGY && mw_operators[m->uses[i].what].odd)
            return true;
    return false;
}

bool mw_model_is_diagonal(const struct mw_model *m)
{
    for (size_t i = 0; i < m->use_count; i++)
        if (mw_operators[m->uses[i].what].diagonal)
            return true;
    return false;
}

bool mw_model_is_still(const struct mw_model *m, size_t stage)
{
    bool still[MW_MODEL_NAMES_MAX];
    for (size_t s = 0; s <= stage; s++) {
        still[s] = true;
        for (size_t i = 0; i < m->use_count; i++) {
            const struct mw_model_use *u = &m->uses[i];
            const bool noise = u->what == MW_OP_NOISE || u->what == MW_OP_RANDOM;
            if (u->by == (int)s)
                still[s] = still[s] && (u->of_stage >= 0 ? still[u->of_stage] : noise);
        }
    }
    return still[stage];
}

void mw_model_reach(const struct mw_model *model, enum mw_laplacian laplacian, struct mw_reach *reach)
{
    *reach = (struct mw_reach){ .energy = find_reach(model, laplacian, MW_BY_ENERGY),
                                .looks = count_looks(model, laplacian) };
    find_leads(model, laplacian, reach);
    for (size_t i = 0; i < model->use_count; i++) {
        const struct mw_model_use *u = &model->uses[i];
        const int radius = mw_operators[u->what].radius[laplacian], lead = u->by >= 0 ? reach->lead[u->by] : 0;
        if (u->by == MW_BY_ENERGY)
            continue;
        reach->radius = max_int(reach->radius, radius);
        reach->reach = max_int(reach->reach, lead + radius);
    }
}

/* ---- operations ---- */

/* A Laplacian is a sum of cells with two or three weights. */
static double laplacian_operations(enum mw_laplacian laplacian, unsigned dims)
{
    const double d = dims;
    const bool isotropic = laplacian == MW_LAPLACIAN_ISOTROPIC && dims > 1;
    const double cells = isotropic ? (dims == 2 ? 9 : 19) : laplacian == MW_LAPLACIAN_FOURTH ? 4 * d + 1 : 2 * d + 1;
    return cells - 1 + (isotropic || laplacian == MW_LAPLACIAN_FOURTH ? 3 : 1);
}

static double operations_of(enum mw_operator_number what, enum mw_laplacian laplacian, unsigned dims)
{
    const short *const of = mw_operators[what].operations;
    const double lap = laplacian_operations(laplacian, dims);
    return what == MW_OP_LAP        ? lap
           : what == MW_OP_BIHARM   ? lap * (lap + 1)      /* a Laplacian per cell of a Laplacian */
           : what == MW_OP_DOT_GRAD ? (6.0 * dims - 1) / 2 /* each of the two quantities is one use */
                                    : of[0] + (double)of[1] * dims;
}

double mw_model_operations(const struct mw_model *model, enum mw_laplacian laplacian, unsigned dims)
{
    double sum = (double)model->operations;
    for (size_t i = 0; i < model->use_count; i++) {
        const struct mw_model_use *u = &model->uses[i];
        if (u->what == MW_OP_NOISE || u->what == MW_OP_RANDOM)
            return NAN;
        sum += u->by == MW_BY_ENERGY ? 0 : operations_of((enum mw_operator_number)u->what, laplacian, dims);
    }
    return sum;
}

/* ---- references ---- */

struct mw_model *mw_model_hold(const struct mw_model *model)
{
    /* The count is the only member that changes after parsing. */
    struct mw_model *m = (struct mw_model *)model;
    atomic_fetch_add(&m->references, 1);
    return m;
}

void mw_model_free(struct mw_model *model)
{
    if (!model || atomic_fetch_sub(&model->references, 1) > 0)
        return;
    mw_owner_drop(&model->owner);
    free(model->text);
    free(model);
}

const struct mw_model_info *mw_model_info(const struct mw_model *model) { return &model->info; }

double mw_model_number_of(const struct mw_model_info *info, const struct mw_model_number *number, const double *params)
{
    for (size_t i = 0; number->param && i < info->param_count; i++)
        if (strcmp(info->params[i].name, number->param) == 0)
            return params[i];
    return number->value;
}
/* SPDX-License-Identifier: MIT */
