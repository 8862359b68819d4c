/* Checks of definitions: noise and means in energies and densities, stages, and holes. */
#include "model/compile/compile.h"

/* Returns whether noise reaches the energy. */
static bool energy_is_noisy(const struct mw_model *m)
{
    bool noisy[MW_MODEL_NAMES_MAX] = { false }, energy = false;
    for (size_t i = 0; i < m->use_count; i++) {
        const struct mw_model_use *u = &m->uses[i];
        const bool noise = mw_operators[u->what].of_noise || (u->of_stage >= 0 && noisy[u->of_stage]);
        if (u->by >= 0)
            noisy[u->by] = noisy[u->by] || noise;
        energy = energy || (u->by == MW_BY_ENERGY && noise);
    }
    return energy;
}

/* Finds whether the energy reads a mean, by a named value or a stage. */
static int energy_reads_mean(const struct mw_compiler *c, bool *reads)
{
    bool *needed = NULL;
    int rc;
    *reads = false;
    TRY(mw_new(c->node_count, sizeof *needed, &needed));
    mw_node_mark(c->nodes, c->energy_root, needed);
    /* Stages are older than the nodes that read them. */
    for (int i = c->energy_root; i >= 0; i--) {
        const struct mw_node *n = &c->nodes[i];
        const int quantity[] = { n->b, n->c };
        for (int k = 0; k < 2 && needed[i] && n->kind == MW_NODE_OPERATOR; k++)
            if (quantity[k] >= MW_FIRST_STAGE)
                mw_node_mark(c->nodes, c->stage_root[quantity[k] - MW_FIRST_STAGE], needed);
        *reads = *reads || (needed[i] && n->kind == MW_NODE_MEAN);
    }
out:
    free(needed);
    return rc;
}

static int check_energy(const struct mw_compiler *c, const struct mw_definition *d)
{
    bool reads_mean;
    if (energy_is_noisy(c->model))
        return mw_compile_wrong(c, d->name, "an energy cannot contain noise, directly or by a stage: '%.*s'");
    TRY_RETURN(energy_reads_mean(c, &reads_mean));
    return reads_mean ? mw_compile_wrong(c, d->name,
                                         "an energy cannot contain means or integrals, directly or by a name: '%.*s'")
                      : 0;
}

int mw_compile_check_uses(const struct mw_compiler *c)
{
    for (size_t i = 0; i < c->definition_count; i++) {
        const struct mw_definition *d = &c->definitions[i];
        if (d->kind == MW_DEFINE_BOUNDARY && d->sides >> MW_SIDE_HOLE && !c->model->domain)
            return mw_compile_wrong(c, d->name,
                                    "the condition of '%.*s' at a hole needs a domain: domain = EXPRESSION;");
        if (d->kind == MW_DEFINE_STAGE && !c->p->stage_used[d->stage] &&
            !(c->p->last_replace && c->tokens[d->name].at < c->p->last_replace))
            return mw_compile_wrong(c, d->name, "nothing uses the stage '%.*s'");
        if (d->kind == MW_DEFINE_ENERGY)
            TRY_RETURN(check_energy(c, d));
    }
    if (c->model->density_count && energy_is_noisy(c->model))
        return mw_compile_wrong(c, c->nodes[c->density_root[0]].token,
                                "a mean or integral cannot contain noise, before '%.*s'");
    return 0;
}
/* SPDX-License-Identifier: MIT */
