/* Parameters of models, by their names. */
#include "model/model.h"

int mw_model_param_find(const struct mw_model *m, const char *name, size_t *param)
{
    const int found = mw_model_find_param(m, name, strlen(name));
    struct mw_text names = { 0 };
    if (found >= 0) {
        *param = (size_t)found;
        return 0;
    }
    for (size_t i = 0; i < m->info.param_count; i++)
        mw_text_add(&names, "%s%s", i > 0 ? ", " : "", m->params[i].name);
    mw_fail(MW_EINVAL, "model %s has no parameter '%.40s'; its parameters: %s", m->info.name, name,
            names.data ? names.data : "none");
    mw_text_free(&names);
    return MW_EINVAL;
}

int mw_model_values(const struct mw_model *m, const double *params, const struct mw_value *given, size_t count,
                    double *values)
{
    size_t param = 0;
    for (size_t i = 0; i < m->info.param_count; i++)
        values[i] = params ? params[i] : m->params[i].value;
    for (size_t i = 0; i < count; i++) {
        TRY_RETURN(mw_model_param_find(m, given[i].name, &param));
        values[param] = given[i].value;
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
