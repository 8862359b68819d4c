/* Makes a model from the text of a file, and checks that it is complete. */
#include "model/compile/compile.h"

/* Moves to the first character of the text, for messages about the whole of it. */
static void to_begin(struct mw_model_parser *p)
{
    mw_model_move(p, (struct mw_text_place){ p->model->text, p->model->text, 1 });
}

static int check_header(struct mw_model_parser *p)
{
    to_begin(p);
    if (!p->has_model)
        return mw_model_wrong(p, "no //@ model line: this is not a model file", NULL);
    if (!p->has_kind)
        return mw_model_wrong(p, "no //@ field line, and no //@ spin line", NULL);
    if (p->model->info.kind == MW_MODEL_FIELD && p->model->info.field_count == 0)
        return mw_model_wrong(p, "no //@ field line", NULL);
    return 0;
}

static int read_spins(struct mw_model_parser *p)
{
    TRY_RETURN(mw_model_read_text(p));
    for (size_t i = 0; i < p->wanted_count; i++)
        if (mw_model_find_param(p->model, p->wanted[i].name, p->wanted[i].length) < 0) {
            mw_model_move(p, p->wanted[i].place);
            return mw_model_wrong(p, "no //@ param line declares",
                                  mw_model_keep(p, p->wanted[i].name, p->wanted[i].length));
        }
    to_begin(p);
    return mw_model_check_spin(p);
}

static int check_noises(struct mw_model_parser *p)
{
    const struct mw_model *m = p->model;
    for (size_t i = 0; i < m->noise_count; i++) {
        struct mw_model_noise *noise = &m->noises[i];
        mw_model_move(p, p->noise_at[i]);
        noise->param = noise->amplitude ? mw_model_find_param(m, noise->amplitude, strlen(noise->amplitude)) : -1;
        if (noise->amplitude && noise->param < 0)
            return mw_model_wrong(p, "no //@ param line declares", noise->amplitude);
        if (!p->noise_used[i])
            return mw_model_wrong(p, "nothing uses the noise", noise->name);
    }
    return 0;
}

static int compile_fields(struct mw_model_parser *p)
{
    struct mw_compiler c = { .p = p, .model = p->model };
    int rc;
    TRY(mw_compile_tokens(&c));
    TRY(mw_compile_definitions(&c));
    TRY(check_noises(p));
    to_begin(p);
    for (size_t i = 0; i < p->model->info.field_count; i++)
        if (!p->has_rate[i])
            TRY(mw_model_wrong(p, "no rate for the field", p->model->fields[i].name));
    TRY(mw_compile_starts(&c));
    rc = mw_compile_emit(&c);
out:
    mw_owner_drop(&c.owner);
    return rc;
}

int mw_model_from_text(const char *name, const char *text, struct mw_model **result)
{
    struct mw_model_parser *p = NULL;
    struct mw_model *m = NULL;
    char *path, *source;
    int rc;
    TRY(mw_new(1, sizeof *p, &p));
    TRY(mw_new(1, sizeof *m, &m));
    TRY(mw_strdup(text, &m->text));
    TRY(mw_strdup(text, &source));
    TRY(mw_own(&m->owner, source, free));
    m->info.text = source;
    /* Names are copies of parts of the text, each terminated: up to three copies for complex fields, and one for
     * messages.  Stages that the compiler makes have names of at most 16 characters. */
    TRY(mw_own_new(&m->owner, 4 * strlen(text) + 64 + MW_MODEL_NAMES_MAX * 16, 1, &m->names));
    TRY(mw_own_new(&m->owner, MW_MODEL_NAMES_MAX, sizeof *m->fields, &m->fields));
    TRY(mw_own_new(&m->owner, MW_MODEL_NAMES_MAX, sizeof *m->params, &m->params));
    TRY(mw_own_new(&m->owner, MW_MODEL_NAMES_MAX, sizeof *m->maps, &m->maps));
    TRY(mw_own_new(&m->owner, MW_MODEL_NAMES_MAX, sizeof *m->stages, &m->stages));
    TRY(mw_own_new(&m->owner, MW_MODEL_NAMES_MAX, sizeof *m->noises, &m->noises));
    TRY(mw_own_new(&m->owner, MW_USES_MAX, sizeof *m->uses, &m->uses));
    TRY(mw_own_new(&m->owner, MW_MODEL_NAMES_MAX, sizeof *m->frozen, &m->frozen));
    TRY(mw_strdup(name, &path));
    TRY(mw_own(&m->owner, path, free));
    m->info.path = path;
    m->info.hash = mw_hash64(text, strlen(text), 0);
    m->info.fields = m->fields;
    m->info.params = m->params;
    m->info.maps = m->maps;
    m->info.dt = 0.01;
    m->info.about = "";
    *p = (struct mw_model_parser){ .path = m->info.path, .model = m, .names_end = m->names };
    to_begin(p);
    TRY(mw_model_read_header(p));
    TRY(check_header(p));
    to_begin(p);
    TRY((m->info.kind == MW_MODEL_SPIN ? read_spins : compile_fields)(p));
    m->info.has_noise = m->noise_count > 0;
    *result = m;
    m = NULL;
out:
    free(p);
    mw_model_free(m);
    return rc;
}
/* SPDX-License-Identifier: MIT */
