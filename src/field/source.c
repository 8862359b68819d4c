/* From a problem and a shape to the source of a program. */
#include <stdlib.h>
#include <string.h>

#include "field/field_internal.h"

const struct mw_variant mw_field_variants[] = {
    { "fused", "stages in registers, evaluated again wherever one is needed: least memory traffic" },
    { "staged", "each stage written to memory by a launch of its own: least arithmetic" },
    { "rolling", "stages row by row into rings of rows that stay in the cache: for CPUs" },
    { "temporal", "rolling through two updates at once: half the memory traffic again; for CPUs" },
    { NULL, NULL },
};
/* The same rows. */
static const struct mw_field_variant variants[] = {
    { MW_FUSED, false }, { MW_STAGED, false }, { MW_ROLLING, false }, { MW_ROLLING, true }
};

int mw_field_variant(const char *name, struct mw_field_variant *variant)
{
    for (size_t i = 0; i < MW_COUNT(variants); i++)
        if (strcmp(name, mw_field_variants[i].name) == 0) {
            *variant = variants[i];
            return 0;
        }
    return mw_fail(MW_EINVAL, "no variant is called '%s'; there are fused, staged, rolling, temporal and auto", name);
}

/* ---- rings ---- */

bool mw_problem_is_endless(const struct mw_problem *p)
{
    bool endless = true;
    for (unsigned d = 0; d < p->dims; d++)
        endless = endless && p->boundary[d] == MW_PERIODIC;
    return endless;
}

static int round_up(int n, int unit)
{
    return (n + unit - 1) / unit * unit;
}

/* The slices of the rings of one level; stages' rings begin behind the fields'. */
static int level_slices(const struct mw_problem *p)
{
    int slices = (int)p->model->info.field_count * (2 * p->reach->reach + 1);
    for (size_t s = 0; s < p->model->stage_count; s++)
        slices += p->reach->ring[s];
    return slices;
}

/* The sizes are those of cl/field/rings.clh. */
void mw_problem_rings(const struct mw_problem *p, const struct mw_shape *shape, struct mw_rings *rings)
{
    const int vec = (int)shape->vec, levels = mw_problem_is_endless(p) ? 2 : 1, lead = levels * p->reach->reach;
    const int block_x = (int)shape->per_item * vec, block_1 = p->dims == 3 ? (int)shape->rows : 1;
    const int pitch = round_up(block_x, vec) + 2 * (round_up(lead, vec) + vec);
    const size_t rows = p->dims == 3 ? (size_t)block_1 + 2 * (size_t)lead : 1;
    *rings = (struct mw_rings){ levels, block_x, block_1, (size_t)levels * (size_t)level_slices(p) * rows * (size_t)pitch };
}

/* ---- macros ---- */

static void add_model(const struct mw_problem *p, struct mw_text *t)
{
    const struct mw_model *m = p->model;
    int first = (int)m->info.field_count * (2 * p->reach->reach + 1);
    mw_text_add(t, "#define MODEL_PARAMS(X)");
    for (size_t i = 0; i < m->info.param_count; i++)
        mw_text_add(t, " X(%s)", m->params[i].name);
    mw_text_add(t, "\n#define MODEL_FIELDS(X)");
    for (size_t i = 0; i < m->info.field_count; i++)
        mw_text_add(t, " X(%s, %zu)", m->fields[i].name, i);
    mw_text_add(t, "\n#define MODEL_STAGES(X)");
    for (size_t s = 0; s < m->stage_count; s++) {
        mw_text_add(t, " X(%s, %zu, %d, %d, %d)", m->stages[s].name, s, p->reach->lead[s], p->reach->ring[s], first);
        first += p->reach->ring[s];
    }
    mw_text_add(t, "\n#define MODEL_NOISES(X)");
    for (size_t i = 0; i < m->noise_count; i++)
        mw_text_add(t, " X(%s, %zu)", m->noises[i], i);
    mw_text_add(t, "\n#define RADIUS %d\n#define REACH %d\n#define LEVEL_SLICES %d\n", p->reach->radius, p->reach->reach,
                level_slices(p));
    if (m->info.has_energy)
        mw_text_add(t, "#define HAS_ENERGY 1\n#define ENERGY_REACH %d\n", p->reach->energy);
}

int mw_field_defines(const struct mw_problem *p, const struct mw_shape *shape, struct mw_text *t)
{
    static const char *const boundaries[] = { "PERIODIC", "MIRROR", "FIXED" };
    struct mw_field_variant variant = { MW_FUSED, false };
    struct mw_rings rings;
    int rc;
    TRY(mw_field_variant(shape->variant, &variant));
    mw_text_add(t, "#define DIMS %u\n#define LAPLACIAN %d\n#define VEC %u\n#define HOW %d\n", p->dims,
                (int)p->laplacian, shape->vec, (int)variant.how);
    if (p->fp64)
        mw_text_add(t, "#define REAL_DOUBLE 1\n");
    for (unsigned d = 0; d < p->dims; d++)
        mw_text_add(t, "#define BOUNDARY_%u %s\n", d,
                    p->open && d == p->dims - 1 ? "OPEN" : boundaries[p->boundary[d]]);
    if (variant.how == MW_ROLLING) {
        mw_problem_rings(p, shape, &rings);
        mw_text_add(t, "#define LEVELS %d\n#define BLOCK_X %d\n#define BLOCK_1 %d\n", rings.levels, rings.block_x,
                    rings.block_1);
    }
    add_model(p, t);
    rc = mw_text_ok(t);
out:
    return rc;
}

/* ---- programs ---- */

uint64_t mw_field_program_hash(const char *defines, const struct mw_model *model)
{
    const uint64_t hash = mw_hash64(defines, strlen(defines), model->hash);
    return hash ? hash : 1;
}

int mw_field_source(const struct mw_problem *p, const struct mw_shape *shape, struct mw_text *defines,
                    struct mw_source_text *texts, struct mw_source *source)
{
    int rc;
    TRY(mw_field_defines(p, shape, defines));
    texts[0] = (struct mw_source_text){ "model", p->model->text, p->model->info.path };
    *source = (struct mw_source){ .file = "field/update.cl", .defines = defines->data, .texts = texts,
                                  .text_count = MW_FIELD_SOURCE_TEXTS, .fp64 = p->fp64 };
    const uint64_t hash = mw_field_program_hash(defines->data, p->model);
    for (const struct mw_native_program *n = mw_native_programs; n->hash; n++)
        if (n->hash == hash)
            source->native = n->kernels;
out:
    return rc;
}

int mw_noise_source(size_t item_cells, bool fp64, struct mw_text *defines, struct mw_source *source)
{
    mw_text_add(defines, "#define ITEM_CELLS %zu\n%s", item_cells, fp64 ? "#define REAL_DOUBLE 1\n" : "");
    *source = (struct mw_source){ .file = "field/noise.cl", .defines = defines->data, .fp64 = fp64,
                                  .native = fp64 ? mw_native_noise_double : mw_native_noise_single };
    return mw_text_ok(defines);
}
