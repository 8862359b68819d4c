/* Sources of programs: sizes of rings, and the macros that select the kernels of a problem and a shape. */
#include <inttypes.h>

#include "field/program/program.h"

/* ---- rings ---- */

bool mw_problem_is_spaced(const struct mw_problem *p)
{
    bool spaced = false;
    for (unsigned d = 0; p->spacing && d < p->dims; d++)
        spaced = spaced || p->spacing[d] != 1;
    return spaced;
}

unsigned mw_problem_count(const struct mw_problem *p, enum mw_boundary boundary)
{
    unsigned count = 0;
    for (unsigned d = 0; d < p->dims; d++)
        count += p->boundary[d] == boundary;
    return count;
}

bool mw_problem_is_endless(const struct mw_problem *p) { return mw_problem_count(p, MW_BOUNDARY_PERIODIC) == p->dims; }

bool mw_problem_keeps_images(const struct mw_problem *p)
{
    return mw_problem_count(p, MW_BOUNDARY_MIRROR) == 0 || !mw_model_is_odd(p->model);
}

static int program_source_round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

/* Slices of a ring that `live` are live of.  In tiles items find their slot without a division. */
static int ring_slices(const struct mw_field_variant *v, bool flat, int live)
{
    int slices = 1;
    if (flat)
        return 1;
    if (!v->tiled)
        return live;
    while (slices < live)
        slices *= 2;
    return slices;
}

/* Computes the block and its rings.  A slice of a tile has the size of the work-group: one cell per work-item, or
 * per_item by rows cells.  Work-items at the border do not update cells.  With `together`, one more slice is filled
 * while others are read. */
static void find_block(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_field_variant *v,
                       struct mw_rings *r)
{
    const int reach = p->reach->reach, cells = (int)(shape->per_item * shape->vec);
    const int border = 2 * program_source_round_up(reach, (int)shape->vec);
    const int items_x = (int)shape->group[0], items_y = (int)shape->group[1];
    r->block_1 = p->dims == 3 ? (int)shape->rows : 1;
    r->block_x = v->async ? cells * items_x : cells;
    if (v->tiled) {
        r->flat = p->dims == 2 && items_y > 1;
        r->block_x = cells * items_x - border;
        r->block_1 = p->dims == 3 ? items_y - 2 * reach : r->flat ? items_y * (int)shape->rows - 2 * reach : 1;
    }
    r->field_ring = ring_slices(v, r->flat, 2 * reach + (v->together ? 2 : 1));
    /* Rings of stages follow rings of fields. */
    r->slices = (int)mw_model_quantities(p->model) * r->field_ring;
    for (size_t s = 0; s < p->model->stage_count; s++)
        r->slices += ring_slices(v, r->flat, p->reach->ring[s]);
}

static int most(int a, int b) { return a > b ? a : b; }

/* Returns whether later updates of a step read noise again, by more than stages that are constant during the step. */
static bool keeps_noise(const struct mw_model *m)
{
    bool keeps = false;
    for (size_t i = 0; i < m->use_count; i++) {
        const struct mw_model_use *u = &m->uses[i];
        const bool noise = u->what == MW_OP_NOISE || u->what == MW_OP_RANDOM;
        keeps = keeps || (noise && (u->by < 0 || !mw_model_is_still(m, (size_t)u->by)));
    }
    return keeps;
}

/* Computes the slices of rings: the maximum of live slices over all rings, the slices per level, and (returned) per
 * time step.  Noise and constant stages must remain live for all updates of a step, in RK4 also the step's initial
 * state.  A rectangle in two dimensions does not roll; it has the levels of one step with one slice each. */
static int find_live(const struct mw_problem *p, const struct mw_shape *shape, struct mw_rings *r)
{
    const int reach = p->reach->reach, noises = (int)p->model->noise_count, fields = (int)mw_model_quantities(p->model);
    const int back = shape->steps && !r->flat ? (mw_problem_updates(p) - 1) * reach : 0;
    const int noise = r->flat || !keeps_noise(p->model) ? 1 : back + p->reach->max_lead + 1;
    const bool sums = shape->steps > 0 && p->integrator == MW_INTEGRATOR_RK4;
    int of_step = noises * noise;
    r->field_ring = most(r->flat ? 1 : (sums ? 3 : 2) * reach + 1, noises ? noise : 0);
    for (size_t s = 0; s < p->model->stage_count && !r->flat; s++)
        r->field_ring = most(r->field_ring, (mw_model_is_still(p->model, s) ? back : 0) + p->reach->ring[s]);
    r->slices = fields * r->field_ring;
    for (size_t s = 0; s < p->model->stage_count; s++) {
        const int ring = r->flat ? 1 : p->reach->ring[s];
        if (mw_model_is_still(p->model, s))
            of_step += back + ring;
        else
            r->slices += ring;
    }
    return of_step + (sums ? fields * r->field_ring : 0);
}

/* Blocks of adjacent groups overlap by the reach of all levels; sizes as in cl/field/registers. */
static void find_registers(const struct mw_problem *p, const struct mw_shape *shape, struct mw_rings *r)
{
    const int reach = p->reach->reach, vec = (int)shape->vec, own_rows = (int)shape->per_item;
    const int fields = (int)mw_model_quantities(p->model);
    const bool volume = p->dims == 3, rectangle = p->dims == 2 && shape->group[1] > 1;
    const size_t radius = (size_t)p->reach->radius, rows = shape->group[1] * shape->per_item;
    r->flat = p->dims == 1 || rectangle;
    r->levels = shape->steps ? (int)shape->steps * mw_problem_updates(p) : 1;
    r->block_x = (int)shape->group[0] * vec - 2 * program_source_round_up(r->levels * reach, vec);
    r->block_1 = volume || rectangle ? (int)shape->group[1] * own_rows - 2 * r->levels * reach : 1;
    const size_t of_step = (size_t)find_live(p, shape, r), levels = r->flat ? 1 : (size_t)r->levels;
    const size_t steps = r->flat || !shape->steps ? 1 : shape->steps;
    const size_t told = r->flat ? (size_t)fields : levels * ((size_t)fields + p->model->stage_count);
    /* Fields being loaded; in rectangles also the step's initial state and its result. */
    const size_t more = (size_t)fields * (r->flat ? 2 : 1);
    /* Two halves would exceed local memory in three dimensions, or for several fields in rectangles. */
    r->halves = volume || (r->flat && fields > 1) ? 1 : 2;
    r->cells = (size_t)r->halves * told * 2 * radius * shape->group[0] *
                   (rows + (volume || rectangle ? shape->group[1] * shape->vec : 0)) +
               2 * shape->vec; /* and padding between arrays */
    r->registers = (levels * (size_t)r->slices + steps * of_step + more) * shape->vec * shape->per_item;
}

/* Computes sizes as in cl/field/rings.clh and async.clh. */
static void find_rings(const struct mw_problem *p, const struct mw_shape *shape, const struct mw_field_variant *v,
                       struct mw_rings *r)
{
    r->levels = !v->together && mw_problem_is_endless(p) ? 2 : 1;
    find_block(p, shape, v, r);
    const int vec = (int)shape->vec, lead = r->levels * p->reach->reach;
    const size_t pitch =
        (size_t)(program_source_round_up(r->block_x, vec) + 2 * (program_source_round_up(lead, vec) + vec));
    const size_t rows = p->dims == 3 || r->flat ? (size_t)r->block_1 + 2 * (size_t)lead : 1;
    if (r->block_x > 0 && r->block_1 > 0)
        r->cells = (size_t)r->levels * (size_t)r->slices * rows * pitch;
    if (v->async)
        r->cells +=
            4 * mw_model_quantities(p->model) * (size_t)r->block_1 * (size_t)program_source_round_up(r->block_x, vec);
}

void mw_problem_rings(const struct mw_problem *p, const struct mw_shape *shape, struct mw_rings *rings)
{
    struct mw_field_variant variant = { 0 };
    struct mw_rings r = { .levels = 1 };
    if (mw_field_variant(shape->variant, &variant) == 0 && variant.ringed) {
        if (variant.registers)
            find_registers(p, shape, &r);
        else
            find_rings(p, shape, &variant, &r);
    }
    *rings = r;
}

/* ---- stages in memory ---- */

/* Stages need ghost cells at fixed boundaries, and at mirrors if a stage is odd; otherwise values beyond an end are
 * values inside.  Along x ghost cells at mirrors are also faster than mirrored vectors. */
int mw_problem_ghost(const struct mw_problem *p, unsigned d)
{
    const bool nowhere = p->boundary[d] == MW_BOUNDARY_FIXED || mw_problem_has_edges(p, d) ||
                         (p->boundary[d] == MW_BOUNDARY_MIRROR && mw_model_has_odd_stages(p->model));
    return nowhere || (d == 0 && p->boundary[d] == MW_BOUNDARY_MIRROR) ? p->reach->max_lead : 0;
}

size_t mw_problem_stage_bytes(const struct mw_problem *p, const size_t *length)
{
    const size_t after = 64; /* a vector that begins in the last row may extend beyond it */
    size_t rows = 1, bytes;
    bool fits = true;
    for (unsigned d = 1; d < p->dims; d++)
        fits = fits && mw_mul(rows, length[d] + 2 * (size_t)mw_problem_ghost(p, d), &rows) && rows <= INT32_MAX / 2;
    fits = fits && mw_mul(rows, length[0] + 2 * (size_t)mw_problem_ghost(p, 0), &bytes) &&
           mw_mul(bytes, p->model->stage_count * mw_problem_real_bytes(p), &bytes) && mw_add(bytes, after, &bytes);
    return fits ? bytes : SIZE_MAX;
}

/* ---- macros ---- */

#define APART_FROM 4 /* with fewer stages, all are inlined into one kernel */

static void add_model(const struct mw_problem *p, const struct mw_field_variant *v, const struct mw_rings *rings,
                      struct mw_text *t)
{
    const struct mw_model *m = p->model;
    int first = (int)mw_model_quantities(m) * rings->field_ring;
    bool fixed = false;
    mw_text_add(t, "#define MODEL_PARAMS(X)");
    for (size_t i = 0; i < m->info.param_count; i++)
        mw_text_add(t, " X(" MW_KERNEL_PARAM ")", m->params[i].name);
    if (m->timed_count)
        mw_text_add(t, "\n#define MODEL_TIMED(X)");
    for (size_t i = 0; i < m->timed_count; i++)
        mw_text_add(t, " X(" MW_KERNEL_TIMED ")", i);
    mw_text_add(t, "\n#define MODEL_FIELDS(X)");
    for (size_t i = 0; i < mw_model_quantities(m); i++)
        mw_text_add(t, " X(" MW_KERNEL_FIELD ", %zu)", m->fields[i].name, i);
    for (unsigned d = 0; d < p->dims && m->info.map_count > 0; d++)
        fixed = fixed || p->boundary[d] == MW_BOUNDARY_FIXED;
    if (m->info.map_count > 0)
        mw_text_add(t, "\n#define IS_STORED(number) ((number) < %zu)", m->info.field_count);
    if (fixed)
        mw_text_add(t, "\n#define FIRST_MAP %zu", m->info.field_count);
    mw_text_add(t, "\n#define MODEL_STAGES(X)");
    for (size_t s = 0; s < m->stage_count; s++) {
        const int ring = ring_slices(v, rings->flat, p->reach->ring[s]);
        mw_text_add(t, " X(" MW_KERNEL_STAGE ", %zu, %d, %d, %d)", m->stages[s].name, s, p->reach->lead[s], ring,
                    first);
        first += ring;
    }
    mw_text_add(t, "\n#define MODEL_NOISES(X)");
    for (size_t i = 0; i < m->noise_count; i++)
        mw_text_add(t, " X(" MW_KERNEL_NOISE ", %zu)", m->noises[i].name, i);
    mw_text_add(t, "\n#define MAX_LEAD %d\n#define RADIUS %d\n#define REACH %d\n", p->reach->max_lead, p->reach->radius,
                p->reach->reach);
    if (mw_model_is_diagonal(m))
        mw_text_add(t, "#define DIAGONALS 1\n");
    if (m->domain)
        mw_text_add(t, "#define MASKED 1\n");
    if (m->has_math)
        mw_text_add(t, "#define MODEL_MATH 1\n");
    if (m->info.has_energy)
        mw_text_add(t, "#define HAS_ENERGY 1\n");
    if (m->info.has_energy || m->density_count)
        mw_text_add(t, "#define ENERGY_REACH %d\n", p->reach->energy);
    if (m->density_count)
        mw_text_add(t, "#define MODEL_DENSITIES(X)");
    for (unsigned i = 0; i < m->density_count; i++)
        mw_text_add(t, " X(%u)%s", i, i + 1 == m->density_count ? "\n" : "");
}

/* Writes lists of all dimensions except x, and a row's number (view.clh). */
static void add_dimensions(unsigned dims, struct mw_text *t)
{
    mw_text_add(t, "#define DIMS %u\n#define OUTER(M, a, b)", dims);
    for (unsigned d = 1; d < dims; d++)
        mw_text_add(t, " M(%u, a, b)", d);
    mw_text_add(t, "\n#define ROW(r, E, L) ");
    for (unsigned d = 1; d < dims; d++)
        mw_text_add(t, "(");
    mw_text_add(t, "(r)");
    for (unsigned d = dims - 1; d > 0; d--)
        mw_text_add(t, " * L(%u) + E(%u))", d, d);
    mw_text_add(t, "\n");
}

static void add_rings(const struct mw_problem *p, const struct mw_rings *rings, const struct mw_shape *shape,
                      const struct mw_field_variant *v, struct mw_text *t)
{
    mw_text_add(t,
                "#define LEVELS %d\n#define BLOCK_X %d\n#define BLOCK_1 %d\n#define FIELD_RING %d\n"
                "#define LEVEL_SLICES %d\n",
                rings->levels, rings->block_x, rings->block_1, rings->field_ring, rings->slices);
    if (v->together)
        mw_text_add(t, "#define GROUP_X %zu\n#define GROUP_Y %zu\n#define FLAT %d\n", shape->group[0], shape->group[1],
                    rings->flat);
    if (v->registers) {
        uint64_t still = 0;
        /* In three dimensions this makes NVIDIA's code slower (Cahn-Hilliard at 512^3 by 10 %). */
        mw_text_add(t, "%s", p->dims < 3 ? "#define EXACT_GROUPS 1\n" : "");
        for (size_t s = 0; s < p->model->stage_count; s++)
            still |= (uint64_t)mw_model_is_still(p->model, s) << s;
        mw_text_add(t,
                    "#define OWN_ROWS %u\n#define HALVES %d\n#define STEPS %u\n#define METHOD %d\n"
                    "#define ROW_LANES %u\n#define STILL_STAGES %" PRIu64 "ul\n",
                    shape->per_item, rings->halves, shape->steps, shape->steps ? mw_problem_updates(p) : 0,
                    p->row_lanes, still);
    }
}

/* Writes the place of a slice, and the number of slices, of all volumes of a mesh (view.clh). */
static void add_slices(unsigned dims, struct mw_text *t)
{
    mw_text_add(t, "#define SLICE(E, L) ");
    for (unsigned d = 2; d < dims; d++)
        mw_text_add(t, "(");
    mw_text_add(t, "0");
    for (unsigned d = dims - 1; d > 1; d--)
        mw_text_add(t, " * L(%u) + E(%u))", d, d);
    mw_text_add(t, "\n#define SLICES(L) (L(2)");
    for (unsigned d = 3; d < dims; d++)
        mw_text_add(t, " * L(%u)", d);
    mw_text_add(t, ")\n");
}

/* Images have one addressing mode for all dimensions (cl/image.clh). */
static void add_images(const struct mw_problem *p, struct mw_text *t)
{
    const char *address = "IMAGE_REPEAT";
    bool alike = true;
    for (unsigned d = 1; d < p->dims; d++)
        alike = alike && p->boundary[d] == p->boundary[0];
    if (!alike || p->boundary[0] == MW_BOUNDARY_FIXED)
        address = "IMAGE_CLAMP";
    else if (p->boundary[0] == MW_BOUNDARY_MIRROR)
        address = "IMAGE_MIRROR";
    mw_text_add(t, "#define USE_IMAGE 1\n#define IMAGE_ADDRESS %s\n#define IMAGE_PARAMS", address);
    for (size_t i = 0; i < mw_model_quantities(p->model); i++)
        mw_text_add(t, " , IMAGE%uD image_" MW_KERNEL_FIELD, p->dims > 3 ? 3 : p->dims, p->model->fields[i].name);
    mw_text_add(t, "\n#define IMAGE_ARGS");
    for (size_t i = 0; i < mw_model_quantities(p->model); i++)
        mw_text_add(t, " , image_" MW_KERNEL_FIELD, p->model->fields[i].name);
    mw_text_add(t, "\n");
    if (p->dims > 3)
        add_slices(p->dims, t);
}

int mw_field_defines(const struct mw_problem *p, const struct mw_shape *shape, struct mw_text *t)
{
    static const char *const boundaries[] = {
        [MW_BOUNDARY_PERIODIC] = "PERIODIC", [MW_BOUNDARY_MIRROR] = "MIRROR", [MW_BOUNDARY_FIXED] = "FIXED"
    };
    struct mw_field_variant variant = { 0 };
    struct mw_rings rings;
    TRY_RETURN(mw_field_variant(shape->variant, &variant));
    add_dimensions(p->dims, t);
    mw_text_add(t, "#define LAPLACIAN %d\n#define VEC %u\n", (int)p->laplacian, shape->vec);
    if (mw_problem_is_spaced(p))
        mw_text_add(t, "#define SPACED 1\n");
#define ADD_PROPERTY(name, macro) mw_text_add(t, "#define " #macro " %d\n", variant.name);
    FIELD_PROPERTIES(ADD_PROPERTY)
#undef ADD_PROPERTY
    if (p->fp64)
        mw_text_add(t, "#define REAL_DOUBLE 1\n");
    for (unsigned d = 0; d < p->dims; d++)
        mw_text_add(t, "#define BOUNDARY_%u %s\n", d,
                    boundaries[mw_problem_has_edges(p, d) ? MW_BOUNDARY_MIRROR : p->boundary[d]]);
    if (mw_problem_is_placed(p))
        mw_text_add(t, "#define PLACED 1\n");
    for (unsigned d = 0; d < p->dims && mw_problem_is_edged(p); d++)
        mw_text_add(t, "%s#define EDGED_%u %d\n#define FIXED_EDGE_%u %d\n", d ? "" : "#define EDGED 1\n", d,
                    mw_problem_has_edges(p, d), d, p->boundary[d] == MW_BOUNDARY_FIXED);
    for (unsigned d = 0; d < p->dims && variant.staged; d++)
        mw_text_add(t, "#define GHOST_%u %d\n", d, mw_problem_ghost(p, d));
    if (variant.staged && p->model->stage_count > APART_FROM)
        mw_text_add(t, "#define MANY_STAGES 1\n");
    mw_problem_rings(p, shape, &rings);
    if (variant.ringed)
        add_rings(p, &rings, shape, &variant, t);
    if (variant.images)
        add_images(p, t);
    add_model(p, &variant, &rings, t);
    return mw_text_ok(t);
}

/* ---- programs ---- */

uint64_t mw_field_program_hash(const char *defines, const struct mw_model *model)
{
    const uint64_t hash = mw_hash64(defines, strlen(defines), model->info.hash);
    return hash ? hash : 1;
}

int mw_field_source(const struct mw_problem *p, const struct mw_shape *shape, struct mw_text *defines,
                    struct mw_source_text *texts, struct mw_source *source)
{
    TRY_RETURN(mw_field_defines(p, shape, defines));
    texts[0] = (struct mw_source_text){ "model", p->model->text, p->model->info.path };
    *source = (struct mw_source){ .size = sizeof(struct mw_source),
                                  .file = "field/update.cl",
                                  .native_file = "field/update.cl",
                                  .defines = defines->data,
                                  .texts = texts,
                                  .text_count = MW_FIELD_SOURCE_TEXTS,
                                  .fp64 = p->fp64 };
    const uint64_t hash = mw_field_program_hash(defines->data, p->model);
    for (const struct mw_native_program *n = mw_native_programs; n->hash; n++)
        if (n->hash == hash)
            source->native = n->kernels;
    /* Native programs always support several systems. */
    if (mw_field_has_systems(p)) {
        mw_text_add(defines, "#define SYSTEMS 1\n");
        TRY_RETURN(mw_text_ok(defines));
        source->defines = defines->data;
    }
    return 0;
}

/* Compiling updates in fused form takes far longer than compiling the energy. */
int mw_field_energy_source(const struct mw_problem *p, const struct mw_shape *shape, struct mw_text *defines,
                           struct mw_source_text *texts, struct mw_source *source)
{
    struct mw_problem alone = *p;
    struct mw_reach reach = *p->reach;
    reach.reach = reach.energy > reach.reach ? reach.energy : reach.reach;
    alone.reach = &reach;
    mw_text_add(defines, "#define ENERGY_ALONE 1\n");
    return mw_field_source(&alone, shape, defines, texts, source);
}
/* SPDX-License-Identifier: MIT */
