/* From roots to labels: roots are counted by chunks of cells, the counts scanned, roots numbered, and cells look up
 * their root's number.  Reads the cells three times and writes them once. */
#include <meshwork/components.h>

#include "components/sizes.clh"
#include "prim/prim_internal.h"

#include "kernels/components/number.h"
#include "kernels/native.h"

static const struct mw_prim_program labels_32 = { &kernels_components_number, "", mw_native_number_32, false, false };
static const struct mw_prim_program labels_64 = { &kernels_components_number, "#define LABEL_64 1\n",
                                                  mw_native_number_32_64, false, false };
static const struct mw_prim_program roots_64 = { &kernels_components_number, "#define ROOT_64 1\n",
                                                 mw_native_number_64, false, false };

enum { CHUNK_LEAST = 4096, CHUNK_MOST = 32768 }; /* of a core: some drivers end an item's loops after 65535 rounds */

static size_t chunk_of(const struct mw_prim *prim, size_t n, size_t group)
{
    const size_t share = n / (4 * prim->units);
    if (!prim->cores)
        return group * NUMBER_EACH;
    return share < CHUNK_LEAST ? CHUNK_LEAST : share > CHUNK_MOST ? CHUNK_MOST : share;
}

static bool is_type(enum mw_type type) { return type == MW_TYPE_I32 || type == MW_TYPE_I64; }

int mw_components_number(struct mw_prim *prim, struct mw_buffer *roots, size_t n, enum mw_type root_type,
                         struct mw_buffer *labels, enum mw_type type, size_t *count)
{
    const bool wide = root_type == MW_TYPE_I64;
    const struct mw_prim_program *program = wide ? &roots_64 : type == MW_TYPE_I64 ? &labels_64 : &labels_32;
    const struct mw_kernel_set *set;
    struct mw_buffer *numbers, *counts;
    int64_t total = 0;
    int32_t total_32 = 0;
    int rc;
    if (!is_type(type) || !is_type(root_type) || (wide && type != root_type))
        return mw_fail(MW_EINVAL, "labels of type %s from roots of type %s: give i32 or i64, and labels at least as "
                       "wide as roots", mw_type_name(type), mw_type_name(root_type));
    TRY(mw_prim_check(prim, "numbering of components", "roots", roots, n, mw_type_bytes(root_type)));
    TRY(mw_prim_check(prim, "numbering of components", "labels", labels, n, mw_type_bytes(type)));
    TRY(mw_prim_set(prim, program, &set));
    const size_t chunk = chunk_of(prim, n, set->group), chunks = mw_prim_parts(n, chunk);
    const struct mw_range range = mw_parts(set, chunks);
    TRY(mw_prim_reserve(prim, MW_PRIM_GUEST_1, n, mw_type_bytes(root_type), &numbers));
    TRY(mw_prim_reserve(prim, MW_PRIM_GUEST_2, chunks, mw_type_bytes(root_type), &counts));
    if (n > 0) {
        TRY(launch_number_count(set, range, counts, roots, (int64_t)n, (int64_t)chunk));
        TRY(mw_prim_scan(prim, counts, counts, chunks, root_type, false, wide ? (void *)&total : &total_32));
        TRY(launch_number_assign(set, range, numbers, roots, counts, (int64_t)n, (int64_t)chunk));
        TRY(launch_number_write(set, range, labels, roots, numbers, (int64_t)n, (int64_t)chunk));
        TRY(mw_device_finish(prim->device));
    }
    *count = (size_t)(wide ? total : total_32);
out:
    return rc;
}
