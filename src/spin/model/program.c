/* Builds the kernels of a part from a model file and options. */
#include <math.h>

#include "model/model.h"
#include "prim/rounds.h"
#include "spin/model/form.h"
#define DIMS SPIN_DIMS
#define NEIGHBOURS MODEL_NEIGHBOURS
#include "spin/model/mesh.clh"
#include "kernels/spin/model/clusters.h"
#include "kernels/spin/model/update.h"

_Static_assert(MODEL_NEIGHBOURS == MW_COORDINATION_MAX, "sizes of cl/spin/model");
_Static_assert(MW_SPIN_VALUES_SIGNS == SIGNS && MW_SPIN_VALUES_WHOLE == WHOLE && MW_SPIN_VALUES_LABELS == LABELS &&
                   MW_SPIN_VALUES_CLOCK == CLOCK && MW_SPIN_VALUES_ANGLE == ANGLE && MW_SPIN_VALUES_VECTOR == VECTOR,
               "host and kernels use the same numbers for kinds of values");
_Static_assert(MW_FROZEN_SIGN == FROZEN_SIGN && MW_FROZEN_NORMAL == FROZEN_NORMAL &&
                   MW_FROZEN_UNIFORM == FROZEN_UNIFORM,
               "host and kernels use the same numbers for frozen values");

/* Distance of sites that exchange at once: each reads two cells on either side and changes an adjacent one. */
enum { EXCHANGE_SPACING = 4, EXCHANGE_REACH = 3, NEIGHBOUR_SPACING = 2 };

static bool defines(const struct mw_model *m, enum mw_spin_definition what) { return m->defines >> what & 1; }

/* Returns whether a cluster step ends with a sweep, since reflections do not reach all values. */
static bool sweeps_too(const struct mw_model *m) { return m->info.spin.values == MW_SPIN_VALUES_WHOLE; }

unsigned mw_spin_model_neighbours(const struct mw_spin_options *o)
{
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(o->lattice);
    return kind->coordination ? kind->coordination : 2 * o->dims;
}

size_t mw_spin_model_planes(const struct mw_model *m, unsigned neighbours)
{
    size_t planes = 0;
    for (size_t i = 0; i < m->frozen_count; i++)
        planes += m->frozen[i].of_bonds ? neighbours / 2 : 1;
    return planes;
}

/* ---- checks of a model ---- */

static bool is_discrete(const struct mw_model *m)
{
    return m->info.spin.values != MW_SPIN_VALUES_ANGLE && m->info.spin.values != MW_SPIN_VALUES_VECTOR;
}

static int check_update(const struct mw_model *m, enum mw_spin_update update)
{
    const char *name = m->info.name;
    if (m->info.spin.has_rule && update != MW_SPIN_UPDATE_METROPOLIS)
        return mw_fail(MW_EINVAL, "model %s is updated by its RULE: leave out the update", name);
    if (update == MW_SPIN_UPDATE_HEAT_BATH && !is_discrete(m))
        return mw_fail(MW_EINVAL, "heat-bath needs discrete spins; model %s is continuous (use metropolis or clusters)",
                       name);
    if ((update == MW_SPIN_UPDATE_SWENDSEN_WANG || update == MW_SPIN_UPDATE_WOLFF) && !defines(m, MW_SPIN_REFLECT))
        return mw_fail(MW_EINVAL, "cluster updates need REFLECT, which model %s does not define", name);
    return 0;
}

int mw_spin_model_check(const struct mw_model *m, const struct mw_spin_options *o)
{
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(o->lattice);
    if (!kind)
        return mw_fail(MW_EINVAL, "invalid lattice %d (see enum mw_lattice_kind)", (int)o->lattice);
    if (kind->dims && kind->dims != o->dims)
        return mw_fail(MW_EINVAL, "lattice %s needs %u dimensions; the mesh has %u", kind->name, kind->dims, o->dims);
    for (unsigned d = 0; d < o->dims && o->lattice != MW_LATTICE_HYPERCUBIC; d++)
        if (o->boundary[d] == MW_BOUNDARY_MIRROR)
            return mw_fail(MW_EINVAL, "lattice %s does not support mirror boundaries (use periodic or fixed)",
                           kind->name);
    if (m->info.spin.values == MW_SPIN_VALUES_VECTOR && o->dims + (o->systems > 1) == MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "vectors on %u dimensions need one more dimension for components (at most %d)",
                       o->dims + (o->systems > 1), MW_DIMS_MAX);
    TRY_RETURN(check_update(m, o->update));
    if (mw_spin_model_planes(m, mw_spin_model_neighbours(o)) > 4 * (MODEL_DRAW_AXIS - MODEL_DRAW_FROZEN))
        return mw_fail(MW_ELIMIT, "model %s has more than %d frozen numbers per site and its bonds", m->info.name,
                       4 * (MODEL_DRAW_AXIS - MODEL_DRAW_FROZEN));
    return 0;
}

static int param_number(const struct mw_model *m, const char *name)
{
    return mw_model_find_param(m, name, strlen(name));
}

/* Returns the number of values and sets the smallest; 0 for continuous spins, -1 if the bounds are invalid. */
static int values_of(const struct mw_model *m, const double *params, int *least)
{
    const struct mw_model_spin *spin = &m->info.spin;
    const double from = spin->values == MW_SPIN_VALUES_WHOLE ? mw_model_number_of(&m->info, &spin->least, params) : 0;
    const double to = mw_model_number_of(&m->info, &spin->most, params) - (spin->values != MW_SPIN_VALUES_WHOLE);
    *least = 0;
    if (!is_discrete(m))
        return 0;
    if (spin->values == MW_SPIN_VALUES_SIGNS)
        return 2;
    if (from != floor(from) || to != floor(to) || from < -128 || to > 127 || from > to)
        return -1;
    *least = (int)from;
    return (int)(to - from) + 1;
}

/* Returns whether a value is allowed beyond fixed boundaries: a spin, or 0, which means no spin for numbers and
 * vectors. */
static bool can_be_outside(const struct mw_model *m, double value, int values, int least)
{
    switch (m->info.spin.values) {
    case MW_SPIN_VALUES_SIGNS:
    case MW_SPIN_VALUES_VECTOR: return value == -1 || value == 0 || value == 1;
    case MW_SPIN_VALUES_ANGLE: return value >= 0 && value < 1;
    default: return value == 0 || (value == floor(value) && value >= least && value < least + values);
    }
}

int mw_spin_model_check_params(const struct mw_spins *s, const double *params)
{
    const struct mw_model *m = s->model;
    const int T = param_number(m, "T"), outside = param_number(m, "outside");
    int least;
    const int values = values_of(m, params, &least);
    for (int i = 0; i < (int)m->info.param_count; i++)
        if (!isfinite(params[i]) && !(i == T && params[i] > 0))
            return mw_fail(MW_EINVAL, "invalid %s=%g: parameters must be finite", m->params[i].name, params[i]);
    if (T >= 0 && !(params[T] >= 0))
        return mw_fail(MW_EINVAL, "invalid temperature T=%g (must be 0 or more)", params[T]);
    if (values < 0)
        return mw_fail(MW_EINVAL,
                       "model %s: invalid range of spins (whole numbers from -128 to 127, minimum first; "
                       "at most 128 labels)",
                       m->info.name);
    if (outside >= 0 && !can_be_outside(m, params[outside], values, least))
        return mw_fail(MW_EINVAL, "invalid outside=%g: must be a valid spin of model %s", params[outside],
                       m->info.name);
    if (s->values && (values != s->values || least != s->least))
        return mw_fail(MW_EINVAL,
                       "model %s: these parameters change the range of spin values: keep it, or make new spins",
                       m->info.name);
    return 0;
}

uint64_t mw_spin_model_cell(const struct mw_model *m, const struct mw_spin_options *o)
{
    const uint64_t real = o->fp64 ? 8 : 4;
    const uint64_t cell = is_discrete(m) ? 1 : m->info.spin.values == MW_SPIN_VALUES_VECTOR ? 3 * real : real;
    /* Domain sizes are measured in a copy of the bytes. */
    const bool copied = is_discrete(m) && o->systems < 2 && o->lattice == MW_LATTICE_HYPERCUBIC;
    return cell * (m->info.spin.has_rule ? 2 : 1) + copied +
           real * mw_spin_model_planes(m, mw_spin_model_neighbours(o)) +
           (o->update >= MW_SPIN_UPDATE_SWENDSEN_WANG ? 8 : 0);
}

/* ---- properties of the spins ---- */

static int32_t phases_of(const struct mw_spins *s, int32_t spacing)
{
    int32_t phases = 1;
    if (spacing == SPACING_COLOURS)
        return s->mesh.colours;
    for (unsigned d = 0; d < s->options.dims; d++)
        phases *= model_classes(s->mesh.length[d], s->mesh.boundary[d], spacing);
    return phases;
}

int mw_spin_model_describe(struct mw_spins *s)
{
    const struct mw_model *m = s->model;
    const enum mw_spin_update update = s->options.update;
    const bool rule = m->info.spin.has_rule, clusters = update >= MW_SPIN_UPDATE_SWENDSEN_WANG;
    s->spacing = update == MW_SPIN_UPDATE_EXCHANGE             ? EXCHANGE_SPACING
                 : s->options.lattice == MW_LATTICE_HYPERCUBIC ? SPACING_COLOURS
                                                               : NEIGHBOUR_SPACING;
    s->phases = rule || (clusters && !sweeps_too(m)) ? 1 : phases_of(s, s->spacing) + clusters;
    s->reach = update == MW_SPIN_UPDATE_EXCHANGE ? EXCHANGE_REACH : m->looks_twice ? 2 : 1;
    s->margin = update == MW_SPIN_UPDATE_EXCHANGE; /* a site may change a neighbour */
    s->elsewhere = rule;
    s->values = values_of(m, s->params, &s->least);
    s->components = m->info.spin.values == MW_SPIN_VALUES_VECTOR ? 3 : 1;
    s->type = is_discrete(m) ? MW_TYPE_I8 : s->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    if (clusters && (uint64_t)s->lattice.cells * s->systems > INT32_MAX)
        return mw_fail(MW_ELIMIT, "cluster updates of %llu spins are not supported (at most 2^31 - 1)",
                       (unsigned long long)((uint64_t)s->lattice.cells * s->systems));
    return 0;
}

/* ---- kernels ---- */

static void add_defines(const struct mw_spins *s, struct mw_text *t)
{
    static const char *const words[] = { "PAIR", "OWN", "PROPOSE", "REFLECT", "RULE" };
    const struct mw_model *m = s->model;
    const int outside = param_number(m, "outside");
    size_t bonds = 0, number = 0;
    mw_text_add(t, "#define DIMS %u\n#define NEIGHBOURS %u\n#define VALUES %d\n#define MODEL_PARAMS(X)",
                s->options.dims, mw_spin_model_neighbours(&s->options), (int)m->info.spin.values);
    for (size_t i = 0; i < m->info.param_count; i++)
        mw_text_add(t, " X(%s, %zu)", m->params[i].name, MODEL_OWN_PARAMS + i);
    mw_text_add(t, "\n#define MODEL_FROZEN(X)");
    for (int of_bonds = 1; of_bonds >= 0; of_bonds--)
        for (size_t i = 0; i < m->frozen_count; i++)
            if (m->frozen[i].of_bonds == (bool)of_bonds) {
                mw_text_add(t, " X(%s, %zu)", m->frozen[i].name, number++);
                bonds += of_bonds;
            }
    mw_text_add(t, "\n#define MODEL_BONDS %zu\n", bonds);
    for (size_t i = 0; i < MW_COUNT(words); i++)
        if (m->defines >> i & 1)
            mw_text_add(t, "#define HAS_%s 1\n", words[i]);
    if (s->options.fp64)
        mw_text_add(t, "#define REAL_DOUBLE 1\n");
    if (outside >= 0)
        mw_text_add(t, "#define OUTSIDE_PARAM %d\n", MODEL_OWN_PARAMS + outside);
}

#define WANTED(kernel) ((uint64_t)1 << (kernel))

static uint64_t wanted_of(const struct mw_spins *s)
{
    const uint64_t always = WANTED(KERNEL_MODEL_START) | WANTED(KERNEL_MODEL_SUMS);
    return always | (s->model->frozen_count ? WANTED(KERNEL_MODEL_FREEZE) : 0) |
           (s->model->info.spin.has_rule                                                 ? WANTED(KERNEL_MODEL_TOGETHER)
            : s->options.update == MW_SPIN_UPDATE_EXCHANGE                               ? WANTED(KERNEL_MODEL_EXCHANGE)
            : s->options.update >= MW_SPIN_UPDATE_SWENDSEN_WANG && !sweeps_too(s->model) ? 0
                                                                                         : WANTED(KERNEL_MODEL_SWEEP));
}

static void fill_mesh(const struct mw_spin_device *p, struct model_mesh *mesh)
{
    const struct mw_spins *s = p->whole;
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(s->options.lattice);
    *mesh = (struct model_mesh){ .system_rows = (i32)(s->lattice.cells / s->lattice.length[0]),
                                 .first = p->mesh.first,
                                 .rows = (i32)p->rows,
                                 .halo = p->mesh.halo,
                                 .colours = s->mesh.colours,
                                 .spacing = s->spacing,
                                 .has_outside = param_number(s->model, "outside") >= 0,
                                 .least = s->least,
                                 .values = s->values };
    memcpy(mesh->length, s->mesh.length, sizeof mesh->length);
    memcpy(mesh->stride, s->mesh.stride, sizeof mesh->stride);
    memcpy(mesh->boundary, s->mesh.boundary, sizeof mesh->boundary);
    for (unsigned j = 0; j < mw_spin_model_neighbours(&s->options); j++)
        for (unsigned d = 0; d < s->options.dims; d++)
            mesh->step[j][d] = kind->step[j][d];
}

int mw_spin_model_build(struct mw_spin_device *p)
{
    const struct mw_spins *s = p->whole;
    const struct mw_source_text text = { "model", s->model->text, s->model->info.path };
    struct mw_spin_model_part *own;
    struct mw_text defines = { 0 };
    int rc;
    TRY(mw_own_new(&p->owner, 1, sizeof *own, &own));
    p->own = own;
    fill_mesh(p, &own->mesh);
    p->row_bytes = (size_t)p->mesh.length[0] * s->cell_bytes;
    p->mesh.pitch = p->mesh.length[0];
    mw_text_add(&defines, "%s", mw_strict_atomics(p->device));
    add_defines(s, &defines);
    TRY(mw_text_ok(&defines));
    struct mw_kernel_options options = { .defines = defines.data,
                                         .texts = &text,
                                         .text_count = 1,
                                         .fp64 = s->options.fp64,
                                         .compiles_native = true,
                                         .takes = MW_GROUP_ANY,
                                         .wanted = wanted_of(s) };
    TRY(mw_kernel_set_new(p->device, &kernels_spin_model_update, &options, &p->set));
    if (s->options.update >= MW_SPIN_UPDATE_SWENDSEN_WANG) {
        options.wanted = 0;
        TRY(mw_own_kernels(&p->owner, p->device, &kernels_spin_model_clusters, &options, &p->clusters));
    }
out:
    mw_text_free(&defines);
    return rc;
}
/* SPDX-License-Identifier: MIT */
