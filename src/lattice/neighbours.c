/* Tables of neighbours, on the host and on devices. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "lattice/lattice_internal.h"

#include <stdlib.h>

#define INDEX_64 1
#include "lattice.clh"

#ifdef HAVE_TARGET_CLONES
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

_Static_assert(MW_BOUNDARY_PERIODIC == BOUNDARY_PERIODIC && MW_BOUNDARY_MIRROR == BOUNDARY_MIRROR &&
               MW_BOUNDARY_FIXED == BOUNDARY_FIXED,
               "hosts and kernels number boundaries alike");

static const struct mw_lattice_kind_info kinds[] = {
    [MW_LATTICE_HYPERCUBIC] = {
        .name = "hypercubic", .description = "square, simple cubic, and so on: 2 neighbours a dimension",
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

/* All that an entry depends on, checked.  The host's and the native form of the program. */
struct rules {
    struct mw_lattice lattice;
    const struct mw_lattice_kind_info *kind;
    unsigned coordination;
    bool periodic;               /* everywhere */
    i32 boundary[MW_DIMS_MAX];
    struct { int64_t turns, rest; } step[MW_COORDINATION_MAX][MW_DIMS_MAX];
    size_t entry_bytes, bytes;   /* of one entry, and of the table */
};

static int check_kind(const struct mw_lattice *lattice, enum mw_lattice_kind kind, struct rules *r)
{
    r->kind = mw_lattice_kinds(kind);
    if (!r->kind)
        return mw_fail(MW_EINVAL, "no lattice has the number %d: there are 0 to %zu", (int)kind,
                       MW_COUNT(kinds) - 1);
    if (r->kind->dims != 0 && r->kind->dims != lattice->dims)
        return mw_fail(MW_EINVAL, "a %s lattice has %u dimensions, not %u: give it as many lengths", r->kind->name,
                       r->kind->dims, lattice->dims);
    r->coordination = r->kind->coordination ? r->kind->coordination : 2 * lattice->dims;
    return 0;
}

static int check_boundaries(const enum mw_boundary *boundary, struct rules *r)
{
    r->periodic = true;
    for (unsigned i = 0; i < r->lattice.dims; i++) {
        const enum mw_boundary b = boundary ? boundary[i] : MW_BOUNDARY_PERIODIC;
        if (b != MW_BOUNDARY_PERIODIC && b != MW_BOUNDARY_MIRROR && b != MW_BOUNDARY_FIXED)
            return mw_fail(MW_EINVAL, "dimension %u: no boundary has the number %d", i, (int)b);
        if (b == MW_BOUNDARY_MIRROR && r->kind != &kinds[MW_LATTICE_HYPERCUBIC])
            return mw_fail(MW_EINVAL, "dimension %u: a %s lattice has no mirror boundaries: make it periodic or fixed",
                           i, r->kind->name);
        r->boundary[i] = (i32)b;
        r->periodic = r->periodic && b == MW_BOUNDARY_PERIODIC;
    }
    return 0;
}

static int make_rules(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                      struct rules *r)
{
    int rc;
    *r = (struct rules){ .lattice = *lattice, .entry_bytes = mw_lattice_index_bytes(lattice) };
    TRY(check_kind(lattice, kind, r));
    TRY(check_boundaries(boundary, r));
    if (__builtin_mul_overflow(lattice->cells, r->coordination * r->entry_bytes, &r->bytes))
        rc = mw_fail(MW_ELIMIT, "a table of %u neighbours for each of %lld cells has more bytes than can be addressed: "
                     "compute neighbours instead", r->coordination, (long long)lattice->cells);
    for (unsigned j = 0; rc == 0 && lattice->cells > 0 && j < r->coordination; j++)
        for (unsigned i = 0; i < lattice->dims; i++) {
            r->step[j][i].turns = k_turns(r->kind->step[j][i], lattice->length[i]);
            r->step[j][i].rest = k_rest(r->kind->step[j][i], lattice->length[i]);
        }
out:
    return rc;
}

/* Entries of neighbour j for `count` cells of one row, from cell k = x on.  Only x[0] varies along them, so that the
 * loops are plain arithmetic on consecutive cells. */
INLINE void fill_run(const struct rules *r, unsigned j, const int64_t *x, int64_t k, int64_t count, void *table)
{
    const int64_t length = r->lattice.length[0], turns = r->step[j][0].turns, rest = r->step[j][0].rest;
    const int64_t first = (int64_t)j * r->lattice.cells + k;
    const i32 boundary = r->boundary[0];
    int64_t row = 0;
    bool outside = false;
    for (unsigned i = 1; i < r->lattice.dims; i++) {
        const int64_t to = k_arrive(x[i], r->step[j][i].turns, r->step[j][i].rest, r->lattice.length[i],
                                    r->boundary[i]);
        outside = outside || to < 0;
        row += k_place(to, r->lattice.stride[i]);
    }
#define FILL(type)                                                                                                   \
    for (int64_t c = 0; c < count; c++) {                                                                            \
        const int64_t to = k_arrive(x[0] + c, turns, rest, length, boundary);                                        \
        ((type *)table)[first + c] = (type)(outside || to < 0 ? -1 : row + to);                                      \
    }
    if (r->entry_bytes == sizeof(int32_t))
        FILL(int32_t)
    else
        FILL(int64_t)
}

/* Entries of cells [begin, end), whole rows at a time where the range has them. */
CLONES static void lattice_fill_neighbours(const struct rules *r, int64_t begin, int64_t end, void *table)
{
    int64_t x[MW_DIMS_MAX], count;
    for (int64_t k = begin; k < end; k += count) {
        mw_lattice_x(&r->lattice, k, x);
        count = r->lattice.length[0] - x[0] < end - k ? r->lattice.length[0] - x[0] : end - k;
        for (unsigned j = 0; j < r->coordination; j++)
            fill_run(r, j, x, k, count, table);
    }
}

int mw_neighbours_new(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                      struct mw_neighbours **result)
{
    struct mw_neighbours *table = NULL;
    struct rules r;
    int rc;
    TRY(make_rules(lattice, kind, boundary, &r));
    TRY(mw_new(1, sizeof *table, &table));
    *table = (struct mw_neighbours){ .cells = lattice->cells, .coordination = r.coordination,
                                     .entry_bytes = r.entry_bytes };
    TRY(mw_new_aligned(r.bytes, 1, &table->entries));
    lattice_fill_neighbours(&r, 0, lattice->cells, table->entries);
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

/* The native form of the kernel.  It is compiled once for all lattices, and gets the rules as one more argument. */
static void native_neighbours(const struct mw_native_call *call)
{
    lattice_fill_neighbours(call->args[1], (int64_t)call->begin, (int64_t)call->end, call->args[0]);
}

static const struct mw_native_kernel native_kernels[] = {
    { "lattice_neighbours", native_neighbours },
    { NULL, NULL },
};

static int write_source(const struct rules *r, enum mw_index_form form, struct mw_text *defines,
                        struct mw_source *source)
{
    const bool bits_can_be = r->lattice.power_of_two && r->periodic;
    int rc;
    if (form == MW_INDEX_BITS && !bits_can_be)
        return mw_fail(MW_EINVAL, "neighbours by bit operations need lengths that are powers of two, and periodic "
                       "boundaries: use the general form");
    TRY(mw_lattice_macros(&r->lattice, defines));
    if (bits_can_be && form != MW_INDEX_GENERAL)
        mw_text_add(defines, "#define LATTICE_BITS 1\n");
    mw_text_add(defines, "#define COORDINATION %u\n#define STEPS {", r->coordination);
    for (unsigned j = 0; j < r->coordination; j++)
        for (unsigned i = 0; i < r->lattice.dims; i++)
            mw_text_add(defines, "%s %d%s", i == 0 ? " {" : ",", r->kind->step[j][i],
                        i + 1 < r->lattice.dims ? "" : j + 1 < r->coordination ? " }," : " } }\n");
    mw_text_add(defines, "#define BOUNDARIES {");
    for (unsigned i = 0; i < r->lattice.dims; i++)
        mw_text_add(defines, "%s %d", i ? "," : "", (int)r->boundary[i]);
    mw_text_add(defines, " }\n");
    TRY(mw_text_ok(defines));
    *source = (struct mw_source){ .file = "lattice/neighbours.cl", .defines = defines->data,
                                  .native = native_kernels };
out:
    return rc;
}

int mw_neighbours_source(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                         enum mw_index_form form, struct mw_text *defines, struct mw_source *source)
{
    struct rules r;
    int rc;
    TRY(make_rules(lattice, kind, boundary, &r));
    TRY(write_source(&r, form, defines, source));
out:
    return rc;
}

int mw_neighbours_on_device(struct mw_device *device, const struct mw_lattice *lattice, enum mw_lattice_kind kind,
                            const enum mw_boundary *boundary, enum mw_index_form form, struct mw_buffer **result)
{
    const struct mw_range range = { .dims = 1, .global = { (size_t)lattice->cells } };
    struct mw_text defines = { 0 };
    struct mw_source source;
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    struct mw_buffer *table = NULL;
    struct rules r;
    int rc;
    TRY(make_rules(lattice, kind, boundary, &r));
    TRY(write_source(&r, form, &defines, &source));
    TRY(mw_buffer_new(device, r.bytes, &table));
    if (lattice->cells > 0) {
        const struct mw_arg args[] = { mw_arg_buffer(table), mw_arg_struct(&r, sizeof r) };
        TRY(mw_program_new(device, &source, &program));
        TRY(mw_kernel_new(program, "lattice_neighbours", &kernel));
        TRY(mw_launch(kernel, &range, args, mw_device_info(device)->kind == MW_DEVICE_NATIVE ? 2 : 1, NULL));
    }
    *result = table;
    table = NULL;
out:
    mw_buffer_free(table);
    mw_kernel_free(kernel);
    mw_program_free(program);
    mw_text_free(&defines);
    return rc;
}
