/* From roots to labels: counts the roots per chunk of cells, scans the counts, numbers the roots, and looks up each
 * cell's root. Reads the cells three times and writes them once. If groups may wait for each other, one launch counts
 * and numbers the roots, and the cells are read twice. */
#include <meshwork/components.h>

#include "components/sizes.clh"
#include "prim/prim_internal.h"

#include "kernels/components/number.h"
#include "kernels/components/number_once.h"
#include "kernels/native.h"

static const struct mw_prim_program labels_32 = {
    &kernels_components_number, "", mw_native_number_32, false, false, NULL
};
static const struct mw_prim_program labels_64 = {
    &kernels_components_number, "#define LABEL_64 1\n", mw_native_number_32_64, false, false, NULL
};
static const struct mw_prim_program roots_64 = {
    &kernels_components_number, "#define ROOT_64 1\n", mw_native_number_64, false, false, NULL
};
/* Narrow and wide. */
static const struct mw_prim_program once_of[] = {
    { &kernels_components_number_once, "", NULL, false, false, NULL },
    { &kernels_components_number_once, "#define ROOT_64 1\n", NULL, false, false, NULL },
};

enum {
    CHUNK_LEAST = 4096,
    CHUNK_MOST = 32768
}; /* on cores: some drivers end a work-item's loops after 65535
                                                  * iterations */

static size_t chunk_of(const struct mw_prim *prim, size_t n, size_t group)
{
    const size_t share = n / (4 * prim->units);
    if (!prim->cores)
        return group * NUMBER_EACH;
    return share < CHUNK_LEAST ? CHUNK_LEAST : share > CHUNK_MOST ? CHUNK_MOST : share;
}

static bool is_type(enum mw_type type) { return type == MW_TYPE_I32 || type == MW_TYPE_I64; }

/* State of a numbering. Numbers are separate from labels; there are `chunks` chunks of `chunk` cells. */
struct numbering {
    struct mw_prim *prim;
    const struct mw_kernel_set *set;
    struct mw_buffer *roots, *numbers;
    size_t n, chunk, chunks;
    bool wide;
};

static int number_chunks(const struct numbering *g, void *total)
{
    const struct mw_range range = mw_parts(g->set, g->chunks);
    const enum mw_type type = g->wide ? MW_TYPE_I64 : MW_TYPE_I32;
    struct mw_buffer *counts;
    TRY_RETURN(mw_prim_reserve(g->prim, MW_PRIM_GUEST_2, g->chunks, mw_type_bytes(type), &counts));
    TRY_RETURN(launch_number_count(g->set, range, counts, g->roots, (int64_t)g->n, (int64_t)g->chunk));
    TRY_RETURN(mw_prim_scan(g->prim, counts, counts, g->chunks, type, false, total));
    return launch_number_assign(g->set, range, g->numbers, g->roots, counts, (int64_t)g->n, (int64_t)g->chunk);
}

/* Counts and numbers in one launch; stores the number of roots in `count`, on the device. */
static int number_once(const struct numbering *g, struct mw_buffer *count)
{
    const struct mw_kernel_set *set;
    struct mw_prim_once once;
    size_t chunks;
    TRY_RETURN(mw_prim_set(g->prim, &once_of[g->wide], &set));
    chunks = mw_prim_parts(g->n, set->group * NUMBER_EACH);
    TRY_RETURN(mw_prim_once(g->prim, chunks, g->wide ? sizeof(int64_t) : sizeof(int32_t), &once));
    return mw_prim_once_done(g->prim, &once,
                             launch_number_once(set, mw_parts(set, chunks), g->numbers, g->roots, once.words, count,
                                                (int64_t)g->n, once.call, once.first));
}

static int number_roots(const struct numbering *g, struct mw_buffer *labels, void *total)
{
    struct mw_buffer *count = NULL;
    if (g->prim->once) {
        TRY_RETURN(mw_prim_reserve(g->prim, MW_PRIM_GUEST_2, 1, sizeof(int64_t), &count));
        TRY_RETURN(number_once(g, count));
    } else {
        TRY_RETURN(number_chunks(g, total));
    }
    TRY_RETURN(launch_number_write(g->set, mw_parts(g->set, g->chunks), labels, g->roots, g->numbers, (int64_t)g->n,
                                   (int64_t)g->chunk));
    return count ? mw_buffer_read(count, 0, g->wide ? sizeof(int64_t) : sizeof(int32_t), total, NULL)
                 : mw_device_finish(g->prim->device);
}

int mw_components_number(struct mw_prim *prim, struct mw_buffer *roots, size_t n, enum mw_type root_type,
                         struct mw_buffer *labels, enum mw_type type, size_t *count)
{
    const bool wide = root_type == MW_TYPE_I64;
    const struct mw_prim_program *program = wide ? &roots_64 : type == MW_TYPE_I64 ? &labels_64 : &labels_32;
    struct numbering g = { .prim = prim, .roots = roots, .n = n, .wide = wide };
    int64_t total = 0;
    int32_t total_32 = 0;
    if (!is_type(type) || !is_type(root_type) || (wide && type != root_type))
        return mw_fail(MW_EINVAL,
                       "cannot make labels of type %s from roots of type %s: use int32 or int64, and labels at "
                       "least as wide as roots",
                       mw_type_name(type), mw_type_name(root_type));
    TRY_RETURN(mw_prim_check(prim, "numbering of components", "roots", roots, n, mw_type_bytes(root_type)));
    TRY_RETURN(mw_prim_check(prim, "numbering of components", "labels", labels, n, mw_type_bytes(type)));
    TRY_RETURN(mw_prim_set(prim, program, &g.set));
    g.chunk = chunk_of(prim, n, g.set->group);
    g.chunks = mw_prim_parts(n, g.chunk);
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_GUEST_1, n, mw_type_bytes(root_type), &g.numbers));
    if (n > 0)
        TRY_RETURN(number_roots(&g, labels, wide ? (void *)&total : &total_32));
    *count = (size_t)(wide ? total : total_32);
    return 0;
}

int mw_components_rename(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type,
                         struct mw_buffer *numbers)
{
    const struct mw_kernel_set *set;
    TRY_RETURN(mw_prim_set(prim, type == MW_TYPE_I64 ? &roots_64 : &labels_32, &set));
    const size_t chunk = chunk_of(prim, n, set->group);
    return launch_number_write(set, mw_parts(set, mw_prim_parts(n, chunk)), labels, labels, numbers, (int64_t)n,
                               (int64_t)chunk);
}
/* SPDX-License-Identifier: MIT */
