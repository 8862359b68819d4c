/* Variants of algorithms: from what a user calls one to its row. */
#include <meshwork/tune.h>

#include <string.h>

#include "base/base.h"

int mw_variant_find(const struct mw_variant *variants, const char *name, size_t *row)
{
    struct mw_text names = { 0 };
    int rc;
    for (size_t v = 0; variants[v].name; v++) {
        if (strcmp(name, variants[v].name) == 0 || (variants[v].alias && strcmp(name, variants[v].alias) == 0)) {
            *row = v;
            mw_text_free(&names);
            return 0;
        }
        mw_text_add(&names, "%s, ", variants[v].name);
    }
    TRY(mw_text_ok(&names));
    rc = mw_fail(MW_EINVAL, "no variant is called '%s'; there are %.*s and auto", name, (int)names.length - 2,
                 names.data);
out:
    mw_text_free(&names);
    return rc;
}
