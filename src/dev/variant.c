/* Variants of algorithms: finds a row by its name. */
#include <meshwork/tune.h>

#include <string.h>

#include "base/base.h"

int mw_variant_find(mw_variant_table *variants, const char *name, size_t *row)
{
    const struct mw_variant *variant;
    struct mw_text names = { 0 };
    int rc;
    for (size_t v = 0; (variant = variants(v)) != NULL; v++) {
        if (strcmp(name, variant->name) == 0 || (variant->alias && strcmp(name, variant->alias) == 0)) {
            *row = v;
            mw_text_free(&names);
            return 0;
        }
        mw_text_add(&names, "%s, ", variant->name);
    }
    TRY(mw_text_ok(&names));
    rc = mw_fail(MW_EINVAL, "no variant is called '%s'; there are %.*s and auto", name, (int)names.length - 2,
                 names.data);
out:
    mw_text_free(&names);
    return rc;
}
/* SPDX-License-Identifier: MIT */
