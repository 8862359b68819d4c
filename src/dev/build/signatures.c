/* From a text to what its kernels take. */
#include "dev/build/interface.h"
#include "dev/build/signatures.h"

#include <stdlib.h>
#include <string.h>

static void drop(struct mw_signature *signature)
{
    free(signature->kernel);
    free(signature->parameters);
}

void mw_signatures_free(struct mw_signatures *signatures)
{
    for (size_t i = 0; i < signatures->count; i++)
        drop(&signatures->rows[i]);
    free(signatures->rows);
    *signatures = (struct mw_signatures){ 0 };
}

const struct mw_signature *mw_signature_find(const struct mw_signatures *signatures, const char *kernel)
{
    for (size_t i = 0; i < signatures->count; i++)
        if (strcmp(signatures->rows[i].kernel, kernel) == 0)
            return &signatures->rows[i];
    return NULL;
}

static int keep(struct mw_signatures *found, const struct mw_signature *signature)
{
    struct mw_signature *grown = realloc(found->rows, (found->count + 1) * sizeof *grown);
    if (!grown)
        return mw_fail(MW_ENOMEM, "out of memory while reading kernels");
    found->rows = grown;
    found->rows[found->count++] = *signature;
    return 0;
}

static int add_kernel(struct mw_types *types, const struct mw_prototype *p, struct mw_signatures *found)
{
    struct mw_signature made = { .parameter_count = p->parameter_count };
    int rc;
    TRY(mw_strdup(p->name, &made.kernel));
    TRY(mw_new(p->parameter_count, sizeof *made.parameters, &made.parameters));
    for (size_t i = 0; i < p->parameter_count; i++)
        TRY(mw_types_find(types, p->parameters[i].type, &made.parameters[i]));
    TRY(keep(found, &made));
    made = (struct mw_signature){ 0 };
out:
    drop(&made);
    return rc;
}

/* One line of declarations. */
static int add_declaration(const char *label, const char *declaration, struct mw_types *types,
                           struct mw_signatures *found)
{
    struct mw_interface interface = { 0 };
    int rc;
    if (!strstr(declaration, "__kernel ")) {
        rc = mw_types_declare(types, declaration);
        return rc == MW_EBUILD ? mw_fail_in(rc, "%s", label) : rc;
    }
    rc = mw_interface_read(label, declaration, &interface);
    if (rc == MW_EINVAL) {
        mw_log(MW_LOG_INFO, "arguments are checked less closely: %s", mw_errmsg());
        return 0;
    }
    for (size_t i = 0; i < interface.count && rc == 0; i++)
        rc = add_kernel(types, &interface.prototypes[i], found);
    mw_interface_free(&interface);
    return rc;
}

int mw_signatures_read(const char *label, const char *text, struct mw_signatures *signatures)
{
    struct mw_signatures found = { 0 };
    struct mw_text declarations = { 0 };
    struct mw_types *types = NULL;
    int rc;
    TRY(mw_types_new(&types));
    TRY(mw_resolve(text, &declarations));
    for (char *line = declarations.data, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        TRY(add_declaration(label, line, types, &found));
    }
    *signatures = found;
    found = (struct mw_signatures){ 0 };
out:
    mw_signatures_free(&found);
    mw_types_free(types);
    mw_text_free(&declarations);
    return rc;
}
/* SPDX-License-Identifier: MIT */
