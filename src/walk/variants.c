/* Variants of the update: how sites are stored, and which ones a step looks at.  The paper's are A, B and C. */
#include <string.h>

#include "walk/walk_internal.h"

static const struct mw_walk_variant variants[] = {
    { { "square", "every place of a square or cube, accessible or not", "a" }, &mw_walk_square, .whole = true },
    { { "diamond", "every place that is near enough to be reached", "b" }, &mw_walk_diamond, .whole = true },
    { { "compact", "accessible sites outwards, with a table of neighbours", "c" }, &mw_walk_list, .whole = true,
      .splits = true },
    { { "near", "as compact, of the sites where probabilities count alone: for several devices", NULL },
      &mw_walk_list, .splits = true, .chosen = true },
    { { "iterators", "these sites by iterators of the carpet, each a task, with neighbours of 16 bits", NULL },
      &mw_walk_iterators, .whole = false },
    { { "blocks", "these sites in blocks with borders, several steps by one launch: for GPUs", NULL },
      &mw_walk_blocks, .chosen = true },
    { { "rows", "these sites in vectors along x, without a table: for CPUs", NULL }, &mw_walk_rows, .chosen = true },
};
enum { NEAR = 3, ROWS = 6 };

const struct mw_variant *mw_walk_variants(size_t i)
{
    return i < MW_COUNT(variants) ? &variants[i].variant : NULL;
}

const struct mw_walk_variant *mw_walk_variant_row(size_t i) { return &variants[i]; }

bool mw_walk_by_hand(const struct mw_walk_options *options)
{
    return options->variant && strcmp(options->variant, "auto") != 0;
}

int mw_walk_variant_find(struct mw_device *const *devices, size_t count, const char *name,
                         const struct mw_walk_variant **variant)
{
    const bool cores = count == 0 || mw_device_info(devices[0])->traits.has_cores;
    size_t row = count <= 1 && cores ? ROWS : NEAR;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_walk_variants, name, &row));
    if (count > 1 && !variants[row].splits)
        return mw_fail(MW_EINVAL, "variant %s of walks is for one device: take auto, or name one device",
                       variants[row].variant.name);
    *variant = &variants[row];
    return 0;
}
/* SPDX-License-Identifier: MIT */
