/* Variants of the update: how sites are stored, and which ones a step updates.  Variants a, b and c are A, B and C of
 * Hoffmann et al. 2010. */
#include "walk/walk_internal.h"

/* clang-format off */
static const struct mw_walk_variant variants[] = {
    { { "square",
        "updates all places of a square or cube around the start, accessible or not; one device", "a" },
      &mw_walk_square, .whole = true },
    { { "diamond",
        "updates all places that can be reached by now, accessible or not; one device", "b" },
      &mw_walk_diamond, .whole = true },
    { { "compact",
        "updates the accessible sites that can be reached by now, with a table of neighbours", "c" },
      &mw_walk_list, .whole = true,
      .splits = true },
    { { "near", "as compact, without sites of negligible probability", NULL },
      &mw_walk_list, .splits = true, .chosen = true },
    { { "iterators", "the sites of near, a task per iterator of the carpet, with 16-bit neighbours; one device", NULL },
      &mw_walk_iterators, .whole = false },
    { { "blocks", "the sites of near, in blocks with halos, several steps per launch; one device, best on GPUs", NULL },
      &mw_walk_blocks, .chosen = true },
    { { "rows",
        "the sites of near, in vectors along x, without a table; one device, best on CPUs", NULL },
      &mw_walk_rows, .chosen = true },
    { { "tasks", "as iterators, with all sites of compact: the paper's CPU program; one device", NULL },
      &mw_walk_iterators, .whole = true },
};
/* clang-format on */
enum { NEAR = 3, ROWS = 6 };

const struct mw_variant *mw_walk_variants(size_t i) { return i < MW_COUNT(variants) ? &variants[i].variant : NULL; }

const struct mw_walk_variant *mw_walk_variant_row(size_t i) { return &variants[i]; }

bool mw_walk_by_hand(const struct mw_walk_options *options)
{
    return options->variant && strcmp(options->variant, "auto") != 0;
}

int mw_walk_variant_find(struct mw_device *const *devices, size_t count, const char *name,
                         const struct mw_walk_variant **variant)
{
    const bool cores = count == 0 || mw_device_info(devices[0])->traits->has_cores;
    size_t row = count <= 1 && cores ? ROWS : NEAR;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_walk_variants, name, &row));
    if (count > 1 && !variants[row].splits)
        return mw_fail(MW_EINVAL, "variant %s of walks supports only one device: use auto, or give one device",
                       variants[row].variant.name);
    *variant = &variants[row];
    return 0;
}
/* SPDX-License-Identifier: MIT */
