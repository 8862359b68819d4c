/* Tables of neighbours, on the host and on devices. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "dev/core/given.h"
#include "lattice/lattice_internal.h"

#define INDEX_64 1
#include "lattice/neighbour_rules.clh"
#include "native.clh"

#include "kernels/lattice/neighbours.h"
#include "kernels/lattice/neighbours_by_rules.h"
#include "kernels/native.h"

_Static_assert(RULES_DIMS == MW_DIMS_MAX && RULES_STEPS == MW_COORDINATION_MAX,
               "sizes of cl/lattice/neighbour_rules.clh");
_Static_assert(MW_BOUNDARY_PERIODIC == BOUNDARY_PERIODIC && MW_BOUNDARY_MIRROR == BOUNDARY_MIRROR &&
                   MW_BOUNDARY_FIXED == BOUNDARY_FIXED,
               "host and kernels use the same numbers for boundaries");

static const struct mw_lattice_kind_info kinds[] = {
    [MW_LATTICE_HYPERCUBIC] = {
        .name = "hypercubic", .description = "square, simple cubic, and so on: 2 neighbours per dimension",
        .step = { { 1 }, { -1 }, { 0, 1 }, { 0, -1 }, { 0, 0, 1 }, { 0, 0, -1 }, { 0, 0, 0, 1 }, { 0, 0, 0, -1 },
                  { 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, -1 }, { 0, 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0, -1 },
                  { 0, 0, 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0, 0, -1 }, { 0, 0, 0, 0, 0, 0, 0, 1 },
                  { 0, 0, 0, 0, 0, 0, 0, -1 } },
        .basis = { { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0, 1 },
                   { 0, 0, 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0, 0, 0, 1 } },
    },
    [MW_LATTICE_BODY_CENTRED] = {
        .name = "bcc", .description = "body-centred cubic: 8 neighbours", .dims = 3, .coordination = 8,
        .step = { { 1 }, { -1 }, { 0, 1 }, { 0, -1 }, { 0, 0, 1 }, { 0, 0, -1 }, { 1, 1, 1 }, { -1, -1, -1 } },
        .basis = { { -0.5, 0.5, 0.5 }, { 0.5, -0.5, 0.5 }, { 0.5, 0.5, -0.5 } },
    },
    [MW_LATTICE_FACE_CENTRED] = {
        .name = "fcc", .description = "face-centred cubic: 12 neighbours", .dims = 3, .coordination = 12,
        .step = { { 1 }, { -1 }, { 0, 1 }, { 0, -1 }, { 0, 0, 1 }, { 0, 0, -1 }, { 1, -1 }, { -1, 1 }, { 1, 0, -1 },
                  { -1, 0, 1 }, { 0, 1, -1 }, { 0, -1, 1 } },
        .basis = { { 0, 0.5, 0.5 }, { 0.5, 0, 0.5 }, { 0.5, 0.5, 0 } },
    },
    [MW_LATTICE_TRIANGULAR] = {
        .name = "triangular", .description = "triangular, in the plane: 6 neighbours", .dims = 2, .coordination = 6,
        .step = { { 1 }, { -1 }, { 0, 1 }, { 0, -1 }, { 1, -1 }, { -1, 1 } },
        .basis = { { 1 }, { 0.5, 0.8660254037844386 } },
    },
};

const struct mw_lattice_kind_info *mw_lattice_kinds(size_t kind)
{
    return kind < MW_COUNT(kinds) ? &kinds[kind] : NULL;
}

const char *mw_lattice_kind_name(int value)
{
    const struct mw_lattice_kind_info *kind = value < 0 ? NULL : mw_lattice_kinds((size_t)value);
    return kind ? kind->name : NULL;
}

MW_ENUM_FIND(lattice_kind, "lattice")

/* Everything on which an entry depends: checked, and as kernels read it. */
struct rules {
    struct mw_lattice lattice;
    const struct mw_lattice_kind_info *kind;
    bool periodic; /* in all dimensions */
    size_t bytes;  /* size of the table */
    struct neighbour_rules is;
};

static int check_kind(const struct mw_lattice *lattice, enum mw_lattice_kind kind, struct rules *r)
{
    r->kind = mw_lattice_kinds(kind);
    if (!r->kind)
        return mw_fail(MW_EINVAL, "invalid lattice %d (see enum mw_lattice_kind)", (int)kind);
    if (r->kind->dims != 0 && r->kind->dims != lattice->dims)
        return mw_fail(MW_EINVAL, "a %s lattice needs %u dimensions, not %u", r->kind->name, r->kind->dims,
                       lattice->dims);
    r->is.coordination = r->kind->coordination ? (i32)r->kind->coordination : (i32)(2 * lattice->dims);
    return 0;
}

static int check_boundaries(const enum mw_boundary *boundary, struct rules *r)
{
    enum mw_boundary taken[MW_DIMS_MAX];
    TRY_RETURN(mw_boundaries_take(boundary, r->lattice.dims, MW_BOUNDARY_PERIODIC, taken));
    r->periodic = true;
    for (unsigned i = 0; i < r->lattice.dims; i++) {
        const enum mw_boundary b = taken[i];
        if (b == MW_BOUNDARY_MIRROR && r->kind != &kinds[MW_LATTICE_HYPERCUBIC])
            return mw_fail(MW_EINVAL,
                           "dimension %u: a %s lattice does not support mirror boundaries (use periodic or fixed)", i,
                           r->kind->name);
        r->is.boundary[i] = (i32)b;
        r->periodic = r->periodic && b == MW_BOUNDARY_PERIODIC;
    }
    return 0;
}

static int make_rules(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                      struct rules *r)
{
    const size_t entry_bytes = mw_lattice_index_bytes(lattice);
    *r = (struct rules){ .lattice = *lattice,
                         .is = {
                             .cells = lattice->cells, .dims = (i32)lattice->dims, .entry_bytes = (i32)entry_bytes } };
    for (unsigned i = 0; i < lattice->dims; i++) {
        r->is.length[i] = lattice->length[i];
        r->is.stride[i] = lattice->stride[i];
    }
    TRY_RETURN(check_kind(lattice, kind, r));
    TRY_RETURN(check_boundaries(boundary, r));
    if (__builtin_mul_overflow(lattice->cells, (size_t)r->is.coordination * entry_bytes, &r->bytes))
        return mw_fail(MW_ELIMIT,
                       "a table of %u neighbours for each of %lld cells exceeds the address space: compute the "
                       "neighbours instead",
                       (unsigned)r->is.coordination, (long long)lattice->cells);
    for (unsigned j = 0; lattice->cells > 0 && j < (unsigned)r->is.coordination; j++)
        for (unsigned i = 0; i < lattice->dims; i++) {
            r->is.turns[j][i] = k_turns(r->kind->step[j][i], lattice->length[i]);
            r->is.rest[j][i] = k_rest(r->kind->step[j][i], lattice->length[i]);
        }
    return 0;
}

CLONES static void fill_table(const struct neighbour_rules *rules, void *table)
{
    fill_neighbours(rules, 0, rules->cells, table);
}

int mw_neighbours_new(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                      struct mw_neighbours **result)
{
    struct mw_neighbours *table = NULL;
    struct rules r;
    int rc;
    TRY(make_rules(lattice, kind, boundary, &r));
    TRY(mw_new(1, sizeof *table, &table));
    *table = (struct mw_neighbours){ .cells = lattice->cells,
                                     .coordination = (unsigned)r.is.coordination,
                                     .entry_bytes = (size_t)r.is.entry_bytes };
    TRY(mw_new_aligned(r.bytes, 1, &table->entries));
    fill_table(&r.is, table->entries);
    *result = table;
    table = NULL;
out:
    mw_neighbours_free(table);
    return rc;
}

void mw_neighbours_free(struct mw_neighbours *table)
{
    if (table)
        free(table->entries);
    free(table);
}

static int write_source(const struct rules *r, enum mw_index_form form, struct mw_text *defines,
                        struct mw_source *source)
{
    const bool bits_can_be = r->lattice.power_of_two && r->periodic;
    if (form != MW_INDEX_AUTO && form != MW_INDEX_GENERAL && form != MW_INDEX_BITS)
        return mw_fail(MW_EINVAL, "invalid form of indices %d (see enum mw_index_form)", (int)form);
    if (form == MW_INDEX_BITS && !bits_can_be)
        return mw_fail(MW_EINVAL, "bit operations need periodic boundaries and lengths that are powers of two: use "
                                  "MW_INDEX_GENERAL");
    TRY_RETURN(mw_lattice_macros(&r->lattice, defines));
    if (bits_can_be && form != MW_INDEX_GENERAL)
        mw_text_add(defines, "#define LATTICE_BITS 1\n");
    mw_text_add(defines, "#define COORDINATION %d\n#define STEPS {", (int)r->is.coordination);
    for (unsigned j = 0; j < (unsigned)r->is.coordination; j++)
        for (unsigned i = 0; i < r->lattice.dims; i++)
            mw_text_add(defines, "%s %d%s", i == 0 ? " {" : ",", r->kind->step[j][i],
                        i + 1 < r->lattice.dims                ? ""
                        : j + 1 < (unsigned)r->is.coordination ? " },"
                                                               : " } }\n");
    mw_text_add(defines, "#define BOUNDARIES {");
    for (unsigned i = 0; i < r->lattice.dims; i++)
        mw_text_add(defines, "%s %d", i ? "," : "", (int)r->is.boundary[i]);
    mw_text_add(defines, " }\n");
    TRY_RETURN(mw_text_ok(defines));
    *source = (struct mw_source){ .size = sizeof(struct mw_source),
                                  .file = kernels_lattice_neighbours.file,
                                  .defines = defines->data };
    return 0;
}

int mw_neighbours_source(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                         enum mw_index_form form, struct mw_text *defines, struct mw_source *source)
{
    struct rules r;
    TRY_RETURN(make_rules(lattice, kind, boundary, &r));
    return write_source(&r, form, defines, source);
}

/* Fills the table with a program for this lattice; on native devices, with one program for all lattices. */
static int fill_on_device(struct mw_device *device, const struct rules *r, const char *defines, struct mw_buffer *table)
{
    const bool native = mw_device_info(device)->kind == MW_DEVICE_NATIVE;
    const struct mw_kernel_options options = { .defines = native ? NULL : defines,
                                               .native = native ? mw_native_neighbours_by_rules : NULL };
    const struct mw_range cells = mw_items((size_t)r->lattice.cells);
    struct mw_kernel_set *set = NULL;
    int rc;
    TRY(mw_kernel_set_new(device, native ? &kernels_lattice_neighbours_by_rules : &kernels_lattice_neighbours, &options,
                          &set));
    if (native)
        TRY(launch_lattice_neighbours_by_rules(set, cells, table, &r->is));
    else
        TRY(launch_lattice_neighbours(set, cells, table));
out:
    mw_kernel_set_free(set);
    return rc;
}

int mw_neighbours_on_device(struct mw_device *device, const struct mw_lattice *lattice, enum mw_lattice_kind kind,
                            const enum mw_boundary *boundary, enum mw_index_form form, struct mw_buffer **result)
{
    struct mw_text defines = { 0 };
    struct mw_source source;
    struct mw_buffer *table = NULL;
    struct rules r;
    int rc;
    TRY(mw_device_given(&device));
    TRY(make_rules(lattice, kind, boundary, &r));
    TRY(write_source(&r, form, &defines, &source));
    TRY(mw_buffer_new(device, r.bytes, &table));
    if (lattice->cells > 0)
        TRY(fill_on_device(device, &r, source.defines, table));
    *result = table;
    table = NULL;
out:
    mw_buffer_free(table);
    mw_text_free(&defines);
    return rc;
}
/* SPDX-License-Identifier: MIT */
