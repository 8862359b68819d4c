/* Makes a model from the text of a file, and checks that it is complete. */
#include <stdlib.h>
#include <string.h>

#include "model/parser.h"

static int check_complete(struct mw_model_parser *p)
{
    const struct mw_model *m = p->model;
    p->line = 1;
    if (!p->has_model)
        return mw_model_wrong(p, "no //@ model line: this is not a model file", NULL);
    if (!p->has_kind)
        return mw_model_wrong(p, "no //@ field line, and no //@ spin line", NULL);
    for (size_t i = 0; i < p->wanted_count; i++)
        if (mw_model_find_param(m, p->wanted[i].name, p->wanted[i].length) < 0) {
            p->line = p->wanted[i].line;
            return mw_model_wrong(p, "no //@ param line declares",
                                  mw_model_keep(p, p->wanted[i].name, p->wanted[i].length));
        }
    if (m->info.kind == MW_MODEL_SPIN)
        return mw_model_check_spin(p);
    for (size_t i = 0; i < m->info.field_count; i++)
        if (!p->has_rate[i])
            return mw_model_wrong(p, "no RATE for the field", m->fields[i].name);
    for (size_t i = 0; i < m->stage_count; i++)
        if (!p->stage_used[i]) {
            p->line = m->stages[i].line;
            return mw_model_wrong(p, "nothing uses the stage", m->stages[i].name);
        }
    for (size_t i = 0; i < m->noise_count; i++) {
        struct mw_model_noise *noise = &m->noises[i];
        p->line = p->noise_line[i];
        noise->param = noise->amplitude ? mw_model_find_param(m, noise->amplitude, strlen(noise->amplitude)) : -1;
        if (noise->amplitude && noise->param < 0)
            return mw_model_wrong(p, "no //@ param line declares", noise->amplitude);
        if (!p->noise_used[i])
            return mw_model_wrong(p, "nothing uses the noise", noise->name);
    }
    return 0;
}

int mw_model_from_text(const char *name, const char *text, struct mw_model **result)
{
    struct mw_model_parser *p = NULL;
    struct mw_model *m = NULL;
    char *path;
    int rc;
    TRY(mw_new(1, sizeof *p, &p));
    TRY(mw_new(1, sizeof *m, &m));
    TRY(mw_strdup(text, &m->text));
    /* Names are copies of parts of the text, each terminated: up to three copies for complex fields, and one for
     * messages. */
    TRY(mw_new(4 * strlen(text) + 64, 1, &m->names));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->fields, &m->fields));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->params, &m->params));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->stages, &m->stages));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->noises, &m->noises));
    TRY(mw_new(MW_USES_MAX, sizeof *m->uses, &m->uses));
    TRY(mw_new(MW_MODEL_NAMES_MAX, sizeof *m->frozen, &m->frozen));
    TRY(mw_strdup(name, &path));
    m->info.path = path;
    m->info.hash = mw_hash64(text, strlen(text), 0);
    m->info.fields = m->fields;
    m->info.params = m->params;
    m->info.dt = 0.01;
    m->info.about = "";
    *p = (struct mw_model_parser){
        .path = m->info.path, .model = m, .at = m->text, .line = 1, .names_end = m->names, .by = MW_BY_NOBODY
    };
    TRY(mw_model_read_text(p));
    TRY(check_complete(p));
    TRY(mw_model_check_cells(p));
    m->info.has_noise = m->noise_count > 0;
    *result = m;
    m = NULL;
out:
    free(p);
    mw_model_free(m);
    return rc;
}
/* SPDX-License-Identifier: MIT */
