/* Models on disk: by name from the kernel folder, or a user's own by path. */
#include "base/installed.h"
#include "model/model.h"

MW_ENUM_NAMES(model_kind,
              "kind of model", [MW_MODEL_FIELD] = "field", [MW_MODEL_SPIN] = "spins", [MW_MODEL_ANY] = "any")

static const char *const folders[] = { [MW_MODEL_FIELD] = "models/field", [MW_MODEL_SPIN] = "models/spin" };

/* Returns the folders of models of a kind. */
static struct mw_installed models(enum mw_model_kind kind)
{
    const bool any = kind == MW_MODEL_ANY;
    return (struct mw_installed){
        "model", "a model file", ".cl", any ? folders : folders + kind, any ? MW_COUNT(folders) : 1, MW_EBUILD
    };
}

int mw_model_load(const char *name_or_path, const char *kernel_path, struct mw_model **model)
{
    const struct mw_installed all = models(MW_MODEL_ANY);
    struct mw_installed_file file = { 0 };
    int rc;
    TRY(mw_installed_read(&all, name_or_path, kernel_path, &file));
    TRY(mw_model_from_text(file.path, file.text, model));
    (*model)->info.installed = file.installed;
out:
    mw_installed_file_clear(&file);
    return rc;
}

int mw_model_names(const char *kernel_path, enum mw_model_kind kind, char ***names)
{
    struct mw_installed asked;
    if (!mw_model_kind_name((int)kind))
        return mw_fail(MW_EINVAL, "invalid kind of model %d (see enum mw_model_kind)", (int)kind);
    asked = models(kind);
    return mw_installed_names(&asked, kernel_path, names);
}

void mw_model_names_free(char **names) { mw_installed_names_free(names); }
/* SPDX-License-Identifier: MIT */
