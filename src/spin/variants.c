/* Variants of the update: how neighbours are found, and how rows are stored.  The paper's kernels A, B and C, each on
 * plain and on crinkled rows. */
#include <string.h>

#include "spin/spin_internal.h"
#include "kernels/native.h"

#define POWERS "#define SPIN_POWERS 1\n"
#define PLANE "#define SPIN_PLANE 1\n"
#define CRINKLED "#define SPIN_CRINKLED 1\n"

static const struct mw_spin_variant variants[] = {
    { { "crinkled", "neighbours by k-index, even cells of a row first", "lengths-crinkled" }, false, false, true,
      CRINKLED, mw_native_spin_lengths_crinkled },
    { { "lengths", "neighbours by k-index, any lengths", "a" }, false, false, false, "", mw_native_spin_lengths },
    { { "powers", "neighbours by masks: lengths that are powers of two", "b" }, true, false, false, POWERS,
      mw_native_spin_powers },
    { { "powers-crinkled", "the same, even cells of a row first", NULL }, true, false, true, POWERS CRINKLED,
      mw_native_spin_powers_crinkled },
    { { "plane", "written for two dimensions", "c" }, false, true, false, PLANE, mw_native_spin_plane },
    { { "plane-crinkled", "the same, even cells of a row first", NULL }, false, true, true, PLANE CRINKLED,
      mw_native_spin_plane_crinkled },
};

const struct mw_variant *mw_spin_variants(size_t i)
{
    return i < MW_COUNT(variants) ? &variants[i].variant : NULL;
}

int mw_spin_variant_find(const char *name, const struct mw_lattice *lattice, const struct mw_spin_variant **variant)
{
    const struct mw_spin_variant *v;
    size_t row = 0;
    int rc = 0;
    if (name && strcmp(name, "auto") != 0)
        TRY(mw_variant_find(mw_spin_variants, name, &row));
    v = &variants[row];
    if (v->powers && !lattice->power_of_two)
        return mw_fail(MW_EINVAL, "variant %s needs lengths that are powers of two: take auto or lengths",
                       v->variant.name);
    if (v->plane && lattice->dims != 2)
        return mw_fail(MW_EINVAL, "variant %s is for two dimensions, and the mesh has %u: take auto or lengths",
                       v->variant.name, lattice->dims);
    *variant = v;
out:
    return rc;
}
