/* From a model and a shape to the source of a program. */
#include <stdlib.h>
#include <string.h>

#include "field/field_internal.h"

const struct mw_variant mw_field_variants[] = {
    [MW_HOW_FUSED] = { "fused", "stages in registers, evaluated again wherever one is needed: least memory traffic" },
    [MW_HOW_STAGED] = { "staged", "each stage written to memory by a launch of its own: least arithmetic" },
    [MW_HOW_ROLLING] = { "rolling", "stages row by row into a ring of rows that stays in the cache: for CPUs" },
    [MW_HOW_COUNT] = { NULL, NULL },
};

int mw_field_how(const char *variant, enum mw_field_how *how)
{
    for (int i = 0; i < MW_HOW_COUNT; i++)
        if (strcmp(variant, mw_field_variants[i].name) == 0) {
            *how = (enum mw_field_how)i;
            return 0;
        }
    return mw_fail(MW_EINVAL, "no variant is called '%s'; there are fused, staged, rolling and auto", variant);
}

int mw_model_macros(const struct mw_model *model, struct mw_text *t)
{
    mw_text_add(t, "#define MODEL_PARAMS(X)");
    for (size_t i = 0; i < model->info.param_count; i++)
        mw_text_add(t, " X(%s)", model->params[i].name);
    if (model->info.param_count == 0)
        mw_text_add(t, " X(none)");  /* a struct needs a member */
    mw_text_add(t, "\n#define MODEL_FIELDS(X)");
    for (size_t i = 0; i < model->info.field_count; i++)
        mw_text_add(t, " X(%s, %zu)", model->fields[i].name, i);
    mw_text_add(t, "\n#define MODEL_STAGES(X)");
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct mw_model_stage *s = &model->stages[i];
        mw_text_add(t, " X(%s, %zu, %d, %d, %d)", s->name, i, s->lead, s->ring, s->first);
    }
    mw_text_add(t, "\n#define RADIUS %d\n#define REACH %d\n#define MAX_LEAD %d\n#define RING_ROWS %d\n", model->radius,
                model->reach, model->max_lead, model->ring_rows);
    return mw_text_ok(t);
}

int mw_field_source(const struct mw_model *model, const struct mw_shape *shape, bool fp64, struct mw_text *defines,
                    struct mw_source_text *texts, struct mw_source *source)
{
    enum mw_field_how how = MW_HOW_FUSED;
    int rc;
    TRY(mw_field_how(shape->variant, &how));
    mw_text_add(defines, "#define VEC %u\n#define HOW %d\n", shape->vec, (int)how);
    if (fp64)
        mw_text_add(defines, "#define REAL_DOUBLE 1\n");
    TRY(mw_model_macros(model, defines));
    texts[0] = (struct mw_source_text){ "model", model->text, model->info.path };
    *source = (struct mw_source){ .file = "field/update.cl", .defines = defines->data, .texts = texts,
                                  .text_count = MW_FIELD_SOURCE_TEXTS, .fp64 = fp64 };
    for (const struct mw_native_model *n = mw_native_models; n->name; n++)
        if (strcmp(n->name, model->info.name) == 0 && n->hash == model->hash)
            source->native = n->tables[fp64][how];
out:
    return rc;
}

int mw_noise_source(size_t item_cells, bool fp64, struct mw_text *defines, struct mw_source *source)
{
    mw_text_add(defines, "#define ITEM_CELLS %zu\n%s", item_cells, fp64 ? "#define REAL_DOUBLE 1\n" : "");
    *source = (struct mw_source){ .file = "field/noise.cl", .defines = defines->data, .fp64 = fp64,
                                  .native = mw_native_models[0].tables[fp64][MW_HOW_FUSED] };
    return mw_text_ok(defines);
}
