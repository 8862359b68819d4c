/* The macros of programs built for one mesh; cl/label/mesh.clh describes them. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "label/label_internal.h"
#include "lattice/lattice_internal.h"

/* clang-format off */
static const char *const elements[] = {
    [MW_TYPE_BOOL] = "unsigned char", [MW_TYPE_I8] = "signed char", [MW_TYPE_U8] = "unsigned char",
    [MW_TYPE_I16] = "short", [MW_TYPE_U16] = "unsigned short", [MW_TYPE_I32] = "i32", [MW_TYPE_U32] = "u32",
    [MW_TYPE_I64] = "i64", [MW_TYPE_U64] = "u64", [MW_TYPE_F32] = "real", [MW_TYPE_F64] = "real",
};
/* clang-format on */

static const char *const joins[] = {
    [MW_JOIN_EQUAL] = "JOIN_EQUAL",
    [MW_JOIN_THRESHOLD] = "JOIN_THRESHOLD",
    [MW_JOIN_TOLERANCE] = "JOIN_TOLERANCE",
};

uint64_t mw_label_ordered(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* The smallest i64 has no literal: its absolute value fits no type. */
static void add_integer(const char *name, int64_t value, bool is_unsigned, struct mw_text *defines)
{
    if (is_unsigned)
        mw_text_add(defines, "#define %s ((element)%" PRIu64 "u)\n", name, (uint64_t)value);
    else
        mw_text_add(defines, "#define %s ((element)(%" PRId64 " - 1))\n", name, value + 1);
}

static void add_real(const char *name, double value, struct mw_text *defines)
{
    if (isinf(value))
        mw_text_add(defines, "#define %s (R(%d.0) / R(0.0))\n", name, value < 0 ? -1 : 1);
    else
        mw_text_add(defines, "#define %s (R(%.*e))\n", name, DBL_DECIMAL_DIG - 1, value);
}

static void add_join(const struct mw_labelling *labelling, struct mw_text *defines)
{
    const struct mw_label_options *o = &labelling->options;
    const struct mw_label_threshold *t = &labelling->threshold;
    const bool is_unsigned = mw_label_is_unsigned(o->type);
    mw_text_add(defines, "#define HAS_BACKGROUND %d\n", !o->no_background);
    if (o->join == MW_JOIN_THRESHOLD) {
        mw_text_add(defines, "#define THRESHOLD_ALL %d\n", t->all);
        if (labelling->ordered)
            add_integer("THRESHOLD", (int64_t)mw_label_ordered(t->real), true, defines);
        else if (mw_label_is_real(o->type))
            add_real("THRESHOLD", t->real, defines);
        else
            add_integer("THRESHOLD", t->integer, is_unsigned, defines);
    }
    if (o->join == MW_JOIN_TOLERANCE)
        add_real("TOLERANCE", labelling->tolerance, defines);
    if (o->join == MW_JOIN_EQUAL && !o->no_background)
        add_integer("BACKGROUND", o->background, is_unsigned, defines);
}

/* Adds the steps of a lattice, which form pairs of opposites: first those to smaller k-indices, with a negative last
 * nonzero coordinate. */
static void add_kind(const struct mw_lattice_kind_info *kind, struct mw_text *defines)
{
    unsigned left = kind->coordination;
    mw_text_add(defines, "#define N_NEIGHBOURS %u\n#define NEIGHBOUR_STEPS {", kind->coordination);
    for (int later = 0; later < 2; later++)
        for (unsigned j = 0; j < kind->coordination; j++) {
            if (mw_label_step_is_later(kind->step[j], kind->dims) != later)
                continue;
            left--;
            for (unsigned i = 0; i < kind->dims; i++)
                mw_text_add(defines, "%s %d", i == 0 ? " {" : ",", kind->step[j][i]);
            mw_text_add(defines, " }%s", left > 0 ? "," : "");
        }
    mw_text_add(defines, " }\n");
}

MW_ENUM_NAMES(join, "way to join cells", [MW_JOIN_DEFAULT] = "default", [MW_JOIN_EQUAL] = "equal",
              [MW_JOIN_THRESHOLD] = "threshold", [MW_JOIN_TOLERANCE] = "tolerance")
MW_ENUM_NAMES(connectivity, "connectivity", [MW_CONNECTIVITY_FACES] = "faces", [MW_CONNECTIVITY_ALL] = "all")

int mw_label_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary *taken)
{
    TRY_RETURN(mw_boundaries_take(given, dims, MW_BOUNDARY_FIXED, taken));
    for (unsigned d = 0; d < dims; d++)
        if (taken[d] == MW_BOUNDARY_MIRROR)
            return mw_fail(MW_EINVAL, "dimension %u: labels do not support mirror boundaries (use periodic or fixed)",
                           d);
    return 0;
}

static void add_neighbours(const struct mw_label_options *o, struct mw_text *defines)
{
    unsigned periodic = 0, all = 1;
    for (unsigned i = 0; i < o->dims; i++) {
        periodic |= (unsigned)mw_label_wraps(o, i) << i;
        all *= 3;
    }
    mw_text_add(defines, "#define PERIODIC %u\n", periodic);
    if (o->lattice != MW_LATTICE_HYPERCUBIC)
        add_kind(mw_lattice_kinds(o->lattice), defines);
    else if (o->connectivity == MW_CONNECTIVITY_ALL)
        mw_text_add(defines, "#define N_NEIGHBOURS %u\n#define NEIGHBOURS_ALL 1\n", all - 1);
    else
        mw_text_add(defines, "#define N_NEIGHBOURS %u\n", 2 * o->dims);
}

void mw_label_cell_defines(const struct mw_labelling *labelling, struct mw_text *defines)
{
    mw_text_add(defines, "#define ELEMENT %s\n#define JOIN %s\n",
                labelling->ordered ? "u64" : elements[labelling->options.type], joins[labelling->options.join]);
    if (labelling->ordered)
        mw_text_add(defines, "#define ORDERED 1\n");
    else if (labelling->options.type == MW_TYPE_F64)
        mw_text_add(defines, "#define REAL_DOUBLE 1\n");
}

/* Images hold reals by default (cl/image.clh). */
static void add_image(const struct mw_labelling *labelling, struct mw_text *defines)
{
    mw_text_add(defines, "#define USE_IMAGE 1\n#define IMAGE_ADDRESS IMAGE_CLAMP\n");
    if (!mw_label_is_real(labelling->options.type))
        mw_text_add(defines, "#define IMAGE_INTEGER ELEMENT\n#define IMAGE_CELL_BYTES %zu\n",
                    mw_type_bytes(labelling->options.type));
}

int mw_label_defines(const struct mw_labelling *labelling, struct mw_text *defines)
{
    mw_label_cell_defines(labelling, defines);
    if (mw_lattice_index_bytes(&labelling->lattice) == sizeof(int64_t))
        mw_text_add(defines, "#define LABEL_64 1\n");
    if (labelling->from_image)
        add_image(labelling, defines);
    add_join(labelling, defines);
    TRY_RETURN(mw_lattice_macros(&labelling->lattice, defines));
    add_neighbours(&labelling->options, defines);
    return mw_text_ok(defines);
}

void mw_label_value(const struct mw_labelling *labelling, void *value)
{
    const struct mw_label_options *o = &labelling->options;
    const double real = o->join == MW_JOIN_THRESHOLD ? labelling->threshold.real : labelling->tolerance;
    const uint64_t integer = (uint64_t)(o->join == MW_JOIN_THRESHOLD ? labelling->threshold.integer : o->background);
    if (labelling->ordered)
        memcpy(value, &(uint64_t){ mw_label_ordered(real) }, sizeof(uint64_t));
    else if (o->type == MW_TYPE_F64)
        memcpy(value, &real, sizeof real);
    else if (o->type == MW_TYPE_F32)
        memcpy(value, &(float){ (float)real }, sizeof(float));
    else if (labelling->element_bytes == 1)
        memcpy(value, &(uint8_t){ (uint8_t)integer }, 1);
    else if (labelling->element_bytes == 2)
        memcpy(value, &(uint16_t){ (uint16_t)integer }, 2);
    else if (labelling->element_bytes == 4)
        memcpy(value, &(uint32_t){ (uint32_t)integer }, 4);
    else
        memcpy(value, &integer, sizeof integer);
}
/* SPDX-License-Identifier: MIT */
