/* Memory for buffers that the host's cores work on: native devices, and OpenCL devices that take host memory as it
 * is. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "dev/host/host.h"

#define LINE 64
#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_BUFFER ((size_t)4 << 20) /* from this size on, a buffer has huge pages */
#define PAGE ((size_t)4096)
#define PAGED_BUFFER ((size_t)64 << 10) /* from here on a buffer has pages of its own, and a colour */
#define UNPACKED_RATIO 100              /* texts of networks are compressed to a fifth, pictures of one colour more */
#define COLOURS 7
#define COLOUR ((size_t)576) /* bytes: 9 lines */

_Static_assert(COLOUR *(COLOURS - 1) < PAGE, "a colour is taken off by the alignment");

static size_t alignment_of(size_t bytes)
{
    return bytes >= HUGE_BUFFER ? HUGE_PAGE : bytes >= PAGED_BUFFER ? PAGE : LINE;
}

/* Huge pages save half of the time of first touch and a tenth of a stencil's. If all buffers started at the same place
 * of a page, the same cells of several arrays would be in one set of the cache. That costs a stencil of four arrays up
 * to a quarter. Successive buffers therefore start some lines apart. */
int mw_host_memory_new(size_t bytes, unsigned turn, void **result)
{
    const size_t alignment = alignment_of(bytes), colour = alignment > LINE ? COLOUR * (turn % COLOURS) : 0;
    char *memory = NULL;
    size_t capacity;
    if (mw_add(bytes, colour + alignment - 1, &capacity)) {
        capacity -= capacity % alignment;
        memory = aligned_alloc(alignment, capacity);
    }
    if (!memory)
        return mw_fail(MW_ENOMEM, "out of memory for a buffer of %zu bytes: use a smaller problem", bytes);
#ifdef MADV_HUGEPAGE
    /* Advice: a system without huge pages serves as well. */
    if (alignment == HUGE_PAGE)
        (void)madvise(memory, capacity, MADV_HUGEPAGE);
#endif
    *result = memory + colour;
    return 0;
}

int mw_host_takes_unpacked(const char *name, uint64_t packed, uint64_t unpacked, uint64_t most)
{
    const uint64_t limit = most > 0 ? most : mw_host_bytes() / 2;
    if (limit == 0 || unpacked <= limit || unpacked / UNPACKED_RATIO <= packed)
        return 0;
    return mw_fail(MW_ELIMIT,
                   "%s decompresses to more than %s and to over %d times its size, like a decompression bomb: if "
                   "you trust it, decompress it first",
                   name, mw_amount(limit).text, UNPACKED_RATIO);
}

void mw_host_memory_free(void *memory, size_t bytes)
{
    free((void *)((uintptr_t)memory & ~((uintptr_t)alignment_of(bytes) - 1)));
}
/* SPDX-License-Identifier: MIT */
