/* The primitives of a device: their form, programs, scratch memory. */
#include <stdlib.h>

#include "dev/backend.h"
#include "prim/prim_internal.h"
#include "prim/rounds.h"

#define PART_BYTES ((size_t)64 << 10)  /* of an item's part, on cores */
#define FEW ((size_t)16 << 10)         /* elements that are not worth sharing out */
#define GROUP_EACH ((size_t)16)        /* elements of an item, of a group */

static const char *const reduce_kernels[] = { "reduce_sum", "reduce_min", "reduce_max", NULL };
static const char *const scan_kernels[] = { "scan_sums", "scan_parts", "scan_alone", NULL };
static const char *const select_kernels[] = { "select_count", "select_write", NULL };
static const char *const histogram_kernels[] = { "histogram_parts", "histogram_shared", "histogram_join", NULL };
static const char *const sort_kernels[] = { "sort_count", "sort_scatter", NULL };
static const char *const components_kernels[] = {
    "components_keys", "components_places", "components_first", "components_size_keys", "components_mark_runs",
    "components_measure_runs", "components_mark_sizes", "components_gather", "components_number", "components_relabel",
    "components_labels", NULL
};
static const char *const number_kernels[] = { "number_count", "number_assign", "number_write", NULL };

#define INTEGERS(type, sign) "#define ELEMENT " #type "\n#define SIGNED " #sign "\n"
#define REALS(type) INTEGERS(type, 1) "#define REALS 1\n"
static const struct {
    const char *file, *defines;
    const char *const *kernels;
    const struct mw_native_kernel *native;
    bool fp64;
} programs[] = {
    [MW_PRIM_REDUCE_I32] = { "prim/reduce.cl", INTEGERS(i32, 1), reduce_kernels, mw_native_reduce_i32, false },
    [MW_PRIM_REDUCE_U32] = { "prim/reduce.cl", INTEGERS(u32, 0), reduce_kernels, mw_native_reduce_u32, false },
    [MW_PRIM_REDUCE_I64] = { "prim/reduce.cl", INTEGERS(i64, 1), reduce_kernels, mw_native_reduce_i64, false },
    [MW_PRIM_REDUCE_U64] = { "prim/reduce.cl", INTEGERS(u64, 0), reduce_kernels, mw_native_reduce_u64, false },
    [MW_PRIM_REDUCE_F32] = { "prim/reduce.cl", REALS(i32), reduce_kernels, mw_native_reduce_f32, false },
    [MW_PRIM_REDUCE_F64] = { "prim/reduce.cl", REALS(i64) "#define REAL_DOUBLE 1\n", reduce_kernels,
                             mw_native_reduce_f64, true },
    [MW_PRIM_SCAN_U32] = { "prim/scan.cl", "", scan_kernels, mw_native_scan_u32, false },
    [MW_PRIM_SCAN_U64] = { "prim/scan.cl", "#define ELEMENT_64 1\n", scan_kernels, mw_native_scan_u64, false },
    [MW_PRIM_SELECT] = { "prim/select.cl", "", select_kernels, mw_native_select, false },
    [MW_PRIM_HISTOGRAM] = { "prim/histogram.cl", "", histogram_kernels, mw_native_histogram, false },
    [MW_PRIM_SORT_U32] = { "prim/sort.cl", "", sort_kernels, NULL, false },
    [MW_PRIM_SORT_U64] = { "prim/sort.cl", "#define KEY_64 1\n", sort_kernels, NULL, false },
    [MW_PRIM_SORT_U32_WIDE] = { "prim/sort.cl", "#define COUNT_64 1\n", sort_kernels, mw_native_sort_u32, false },
    [MW_PRIM_SORT_U64_WIDE] = { "prim/sort.cl", "#define KEY_64 1\n#define COUNT_64 1\n", sort_kernels,
                                mw_native_sort_u64, false },
    [MW_PRIM_COMPONENTS_I32] = { "components/components.cl", "", components_kernels, mw_native_components_i32, false },
    [MW_PRIM_COMPONENTS_I64] = { "components/components.cl", "#define LABEL_64 1\n", components_kernels,
                                 mw_native_components_i64, false },
    [MW_PRIM_NUMBER_32] = { "components/number.cl", "", number_kernels, mw_native_number_32, false },
    [MW_PRIM_NUMBER_32_64] = { "components/number.cl", "#define LABEL_64 1\n", number_kernels, mw_native_number_32_64,
                               false },
    [MW_PRIM_NUMBER_64] = { "components/number.cl", "#define ROOT_64 1\n", number_kernels, mw_native_number_64, false },
};

/* Kernels that only one form has. */
static bool lacks(const struct mw_prim *prim, enum mw_prim_program program, unsigned kernel)
{
    return prim->cores ? programs[program].kernels == scan_kernels && kernel == MW_SCAN_ALONE
                       : programs[program].kernels == histogram_kernels && kernel == MW_HISTOGRAM_JOIN;
}

int mw_prim_new_form(struct mw_device *device, bool cores, size_t group, struct mw_prim **result)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct mw_prim *prim = NULL;
    int rc;
    TRY(mw_new(1, sizeof *prim, &prim));
    prim->device = device;
    prim->cores = cores;
    prim->units = info->compute_units ? info->compute_units : 1;
    prim->group = cores ? 1 : 256;
    while (prim->group > group || (info->max_group && prim->group > info->max_group) ||
           (info->max_group_dims[0] && prim->group > info->max_group_dims[0]))
        prim->group /= 2;
    *result = prim;
out:
    return rc;
}

int mw_prim_new(struct mw_device *device, struct mw_prim **prim)
{
    return mw_prim_new_form(device, mw_has_cores(mw_device_info(device)), 256, prim);
}

static void drop(struct mw_prim_built *b)
{
    for (size_t k = 0; k < MW_PRIM_KERNELS_MAX; k++)
        mw_kernel_free(b->kernels[k]);
    mw_program_free(b->program);
    *b = (struct mw_prim_built){ 0 };
}

void mw_prim_free(struct mw_prim *prim)
{
    if (!prim)
        return;
    for (size_t i = 0; i < MW_PRIM_PROGRAMS; i++)
        drop(&prim->built[i]);
    for (size_t i = 0; i < MW_PRIM_SCRATCHES; i++)
        mw_buffer_free(prim->scratch[i]);
    free(prim);
}

/* ---- programs ---- */

static int make(struct mw_prim *prim, enum mw_prim_program program, size_t group, struct mw_prim_built *b)
{
    const bool wide = mw_device_info(prim->device)->vector_width >= 16;
    struct mw_source source = { .file = programs[program].file, .fp64 = programs[program].fp64,
                                .native = programs[program].native };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s%s", programs[program].defines, mw_strict_atomics(prim->device));
    if (!prim->cores)
        mw_text_add(&defines, "#define GROUP %zu\n", group);
    else if (programs[program].kernels == reduce_kernels)
        mw_text_add(&defines, "#define VEC %d\n", programs[program].fp64 ? (wide ? 8 : 4) : (wide ? 16 : 8));
    TRY(mw_text_ok(&defines));
    source.defines = defines.data;
    TRY(mw_program_new(prim->device, &source, &b->program));
    b->group = group;
    for (unsigned k = 0; programs[program].kernels[k]; k++)
        if (!lacks(prim, program, k))
            TRY(mw_kernel_new(b->program, programs[program].kernels[k], &b->kernels[k]));
out:
    mw_text_free(&defines);
    return rc;
}

/* The largest group, a power of two, that all kernels take. */
static size_t group_taken(const struct mw_prim_built *b)
{
    size_t group = b->group;
    for (size_t k = 0; k < MW_PRIM_KERNELS_MAX; k++) {
        struct mw_kernel_limits limits = { 0 };
        if (b->kernels[k])
            mw_kernel_limits(b->kernels[k], &limits);
        while (limits.max_group && group > limits.max_group)
            group /= 2;
    }
    return group;
}

/* Where kernels turn out to take smaller groups, they are made again for those. */
int mw_prim_build(struct mw_prim *prim, enum mw_prim_program program, size_t *group)
{
    struct mw_prim_built made = { 0 };
    size_t wanted = prim->group;
    int rc = 0;
    while (!prim->built[program].program) {
        TRY(make(prim, program, wanted, &made));
        wanted = group_taken(&made);
        if (wanted == made.group) {
            prim->built[program] = made;
            made = (struct mw_prim_built){ 0 };
        } else {
            drop(&made);
        }
    }
    if (group)
        *group = prim->built[program].group;
out:
    drop(&made);
    return rc;
}

int mw_prim_launch(struct mw_prim *prim, enum mw_prim_program program, unsigned kernel, size_t parts,
                   const struct mw_arg *args, size_t arg_count)
{
    struct mw_range range = { .dims = 1 };
    int rc;
    TRY(mw_prim_build(prim, program, &range.group[0]));
    if (!mw_mul(parts, range.group[0], &range.global[0])) {
        rc = mw_fail(MW_ELIMIT, "%zu groups of %zu items are more than can be counted", parts, range.group[0]);
        goto out;
    }
    TRY(mw_launch(prim->built[program].kernels[kernel], &range, args, arg_count, NULL));
out:
    return rc;
}

/* ---- memory ---- */

/* The next power of two, so that growing step by step does not mean new memory for every step. */
static size_t round_up(size_t bytes)
{
    size_t room = 4096;
    while (room < bytes && room <= SIZE_MAX / 2)
        room *= 2;
    return room < bytes ? bytes : room;
}

int mw_prim_room(struct mw_prim *prim, enum mw_prim_scratch kind, size_t count, size_t bytes,
                 struct mw_buffer **buffer)
{
    struct mw_buffer *grown = NULL;
    size_t needed;
    int rc = 0;
    if (!mw_mul(count, bytes, &needed)) {
        rc = mw_fail(MW_ELIMIT, "scratch memory for %zu things of %zu bytes is more than can be addressed", count,
                     bytes);
        goto out;
    }
    if (!prim->scratch[kind] || mw_buffer_bytes(prim->scratch[kind]) < needed) {
        mw_buffer_free(prim->scratch[kind]);
        prim->scratch[kind] = NULL;
        /* Large ones exactly: half of a device may be what a problem needs. */
        TRY(mw_buffer_new(prim->device, needed < (size_t)1 << 20 ? round_up(needed) : needed, &grown));
        prim->scratch[kind] = grown;
    }
    *buffer = prim->scratch[kind];
out:
    return rc;
}

int mw_prim_check(const struct mw_prim *prim, const char *call, const char *what, const struct mw_buffer *buffer,
                  size_t n, size_t bytes)
{
    size_t needed;
    if (mw_mul(n, bytes, &needed) && buffer && mw_buffer_bytes(buffer) >= needed)
        return 0;
    return mw_fail(MW_EINVAL, "%s on %s: the buffer of %s has %zu bytes, and %zu elements of %zu bytes are asked for: "
                   "make it larger", call, mw_device_info(prim->device)->id, what, buffer ? mw_buffer_bytes(buffer) : 0,
                   n, bytes);
}

/* On cores a part is some 64 KiB, or more where these would be more than some tens for every core. */
size_t mw_prim_each(const struct mw_prim *prim, size_t n, size_t bytes)
{
    const size_t least = prim->cores ? PART_BYTES / bytes : prim->group * GROUP_EACH;
    const size_t parts = prim->cores ? 64 * prim->units : 2048;
    const size_t share = (n + parts - 1) / parts;
    if (prim->cores && n <= FEW)
        return n;
    return share <= least ? least : (share + least - 1) / least * least;
}
