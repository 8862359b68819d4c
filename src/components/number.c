/* From roots to labels: roots are counted by chunks of cells, the counts scanned, roots numbered, and cells look up
 * their root's number.  Reads the cells three times and writes them once. */
#include <meshwork/components.h>

#include "prim/prim_internal.h"

enum { CHUNK_LEAST = 4096, CHUNK_MOST = 32768 }; /* of a core: some drivers end an item's loops after 65535 rounds */

static size_t chunk_of(const struct mw_prim *prim, size_t n, size_t group)
{
    const size_t share = n / (4 * prim->units);
    if (!prim->cores)
        return group * MW_NUMBER_EACH;
    return share < CHUNK_LEAST ? CHUNK_LEAST : share > CHUNK_MOST ? CHUNK_MOST : share;
}

static bool is_type(enum mw_type type) { return type == MW_TYPE_I32 || type == MW_TYPE_I64; }

int mw_components_number(struct mw_prim *prim, struct mw_buffer *roots, size_t n, enum mw_type root_type,
                         struct mw_buffer *labels, enum mw_type type, size_t *count)
{
    const bool wide = root_type == MW_TYPE_I64;
    const enum mw_prim_program program = wide ? MW_PRIM_NUMBER_64 : type == MW_TYPE_I64 ? MW_PRIM_NUMBER_32_64
                                         : MW_PRIM_NUMBER_32;
    struct mw_buffer *numbers, *counts;
    size_t group;
    int64_t total = 0;
    int32_t total_32 = 0;
    int rc;
    if (!is_type(type) || !is_type(root_type) || (wide && type != root_type))
        return mw_fail(MW_EINVAL, "labels of type %s from roots of type %s: give i32 or i64, and labels at least as "
                       "wide as roots", mw_type_name(type), mw_type_name(root_type));
    TRY(mw_prim_check(prim, "numbering of components", "roots", roots, n, mw_type_bytes(root_type)));
    TRY(mw_prim_check(prim, "numbering of components", "labels", labels, n, mw_type_bytes(type)));
    TRY(mw_prim_build(prim, program, &group));
    const size_t chunk = chunk_of(prim, n, group), chunks = mw_prim_parts(n, chunk);
    TRY(mw_prim_room(prim, MW_PRIM_NUMBERS, n, mw_type_bytes(root_type), &numbers));
    TRY(mw_prim_room(prim, MW_PRIM_CHUNKS, chunks, mw_type_bytes(root_type), &counts));
    const struct mw_arg cells = mw_arg_i64((int64_t)n), each = mw_arg_i64((int64_t)chunk);
    const struct mw_arg at_roots = mw_arg_buffer(roots), at_counts = mw_arg_buffer(counts),
                        at_numbers = mw_arg_buffer(numbers);
    if (n > 0) {
        TRY(mw_prim_launch(prim, program, MW_NUMBER_COUNT, chunks,
                           (struct mw_arg[]){ at_counts, at_roots, cells, each }, 4));
        TRY(mw_prim_scan(prim, counts, counts, chunks, root_type, false, wide ? (void *)&total : &total_32));
        TRY(mw_prim_launch(prim, program, MW_NUMBER_ASSIGN, chunks,
                           (struct mw_arg[]){ at_numbers, at_roots, at_counts, cells, each }, 5));
        TRY(mw_prim_launch(prim, program, MW_NUMBER_WRITE, chunks,
                           (struct mw_arg[]){ mw_arg_buffer(labels), at_roots, at_numbers, cells, each }, 5));
        TRY(mw_device_finish(prim->device));
    }
    *count = (size_t)(wide ? total : total_32);
out:
    return rc;
}
