/* Variants of the update: how neighbours are found and how rows are stored.
 *
 * lengths, powers and plane are kernels A, B and C of Hawick and Playne (see cl/spin/mesh.clh), each for plain and for
 * crinkled rows. */
#include "model/model.h"
#include "spin/spin_internal.h"
#include "spin/model/form.h"
#include "kernels/native.h"

#define POWERS "#define SPIN_POWERS 1\n"
#define PLANE "#define SPIN_PLANE 1\n"
#define IMAGE "#define USE_IMAGE 1\n"
#define CRINKLED "#define SPIN_CRINKLED 1\n"

MW_ENUM_NAMES(spin_update, "update", [MW_SPIN_UPDATE_METROPOLIS] = "metropolis",
              [MW_SPIN_UPDATE_HEAT_BATH] = "heat-bath", [MW_SPIN_UPDATE_EXCHANGE] = "exchange",
              [MW_SPIN_UPDATE_SWENDSEN_WANG] = "swendsen-wang", [MW_SPIN_UPDATE_WOLFF] = "wolff")
MW_ENUM_NAMES(spin_start, "start of spins", [MW_SPIN_START_AUTO] = "auto", [MW_SPIN_START_NOISE] = "noise",
              [MW_SPIN_START_UP] = "up", [MW_SPIN_START_DOWN] = "down", [MW_SPIN_START_FRACTION] = "fraction")

/* clang-format off */
static const struct mw_spin_variant variants[] = {
    { { "bits",
        "one bit per spin, own random numbers; 1 to 4 dimensions, even lengths along x and periodic dimensions", NULL },
      &mw_spin_bits, .defines = "" },
    { { "crinkled",
        "neighbours by k-index, one byte per spin, even cells of a row first", "lengths-crinkled" }, &mw_spin_crinkled,
      .crinkled = true, .defines = CRINKLED, .native = mw_native_spin_lengths_crinkled },
    { { "lengths", "neighbours by k-index, one byte per spin", "a" }, &mw_spin_plain, .defines = "",
      .native = mw_native_spin_lengths },
    { { "lengths-image",
        "as lengths, reads neighbours from an image through the texture cache; devices with images", NULL },
      &mw_spin_plain, .image = true, .defines = IMAGE },
    { { "powers",
        "neighbours by bit masks, one byte per spin; lengths that are powers of two", "b" },
      &mw_spin_plain, .powers = true,
      .defines = POWERS, .native = mw_native_spin_powers },
    { { "powers-crinkled", "as powers, even cells of a row first", NULL }, &mw_spin_crinkled, .powers = true,
      .crinkled = true, .defines = POWERS CRINKLED, .native = mw_native_spin_powers_crinkled },
    { { "plane",
        "neighbours in the plane, one byte per spin; 2 dimensions", "c" },
      &mw_spin_plain, .plane = true, .defines = PLANE, .native = mw_native_spin_plane },
    { { "plane-crinkled", "as plane, even cells of a row first", NULL }, &mw_spin_crinkled, .plane = true,
      .crinkled = true, .defines = PLANE CRINKLED, .native = mw_native_spin_plane_crinkled },
    { { "model", "compiled from the model file: any model, lattice and update, random numbers of its own", NULL },
        &mw_spin_of_model,
      .defines = "" },
};
/* clang-format on */

const struct mw_variant *mw_spin_variants(size_t i) { return i < MW_COUNT(variants) ? &variants[i].variant : NULL; }

/* Returns why a variant does not support a model or mesh; NULL: it does. */
static const char *reason_against(const struct mw_spin_variant *v, const struct mw_model *model,
                                  const struct mw_spin_options *o, const struct mw_lattice *lattice)
{
    if (v->form == &mw_spin_of_model)
        return NULL;
    if (!mw_spin_kind_find(model))
        return "supports only the installed model ising";
    if (o->lattice != MW_LATTICE_HYPERCUBIC)
        return "supports only hypercubic lattices";
    if (o->update > MW_SPIN_UPDATE_HEAT_BATH)
        return "supports only the updates metropolis and heat-bath";
    if (o->fp64)
        return "computes with integers and has no double precision";
    if (v->powers && !lattice->power_of_two)
        return "needs lengths that are powers of two";
    if (v->plane && o->dims != 2)
        return "supports only two dimensions";
    if (v->form != &mw_spin_bits)
        return NULL;
    if (o->dims > SPIN_BITS_DIMS)
        return "supports at most 4 dimensions";
    for (unsigned d = 0; d < o->dims; d++)
        if (o->length[d] % 2 && (d == 0 || (o->boundary[d] == MW_BOUNDARY_PERIODIC && o->length[d] > 1)))
            return "needs even lengths along x and periodic dimensions";
    return NULL;
}

int mw_spin_variant_find(const struct mw_model *model, const struct mw_spin_options *o,
                         const struct mw_lattice *lattice, const struct mw_spin_variant **variant)
{
    const bool chosen = o->variant && strcmp(o->variant, "auto") != 0;
    const char *reason;
    size_t row = 0;
    if (chosen)
        TRY_RETURN(mw_variant_find(mw_spin_variants, o->variant, &row));
    while (!chosen && reason_against(&variants[row], model, o, lattice))
        row++;
    reason = reason_against(&variants[row], model, o, lattice);
    if (reason)
        return mw_fail(MW_EINVAL, "variant %s %s (use auto)", variants[row].variant.name, reason);
    if (variants[row].form == &mw_spin_of_model)
        TRY_RETURN(mw_spin_model_check(model, o));
    *variant = &variants[row];
    return 0;
}
/* SPDX-License-Identifier: MIT */
