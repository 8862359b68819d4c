/* The start with a fraction of spins up: the exact number of them, at random places. */
#include <math.h>

#include "model/model.h"
#include "prim/prim_internal.h"
#include "rng/draw.clh"
#include "spin/spin_internal.h"
#include "spin/fraction.clh"
#include "kernels/native.h"
#include "kernels/spin/fraction.h"

#define DRAW_FRACTION 0x40000000u /* purpose of random words; larger than that of updates and starts */
enum { EACH = 64, CORE_EACH = 4096 };

int mw_spin_fraction_check(const struct mw_model *m, const struct mw_spin_options *o)
{
    const struct mw_model_spin *spin = &m->info.spin;
    const bool two = spin->values == MW_SPIN_VALUES_LABELS && !spin->most.param && spin->most.value == 2;
    if (spin->values != MW_SPIN_VALUES_SIGNS && !two)
        return mw_fail(MW_EINVAL, "a fraction of spins up needs spins of two values; those of model %s have others",
                       m->info.name);
    if (o->update >= MW_SPIN_UPDATE_SWENDSEN_WANG)
        return mw_fail(MW_EINVAL,
                       "a fraction of spins up is lost at once by update %s, which flips whole clusters: use exchange, "
                       "which keeps it, metropolis or heat-bath",
                       mw_spin_update_name((int)o->update));
    if (!o->fractions)
        return mw_fail(MW_EINVAL, "missing fractions of spins up: give one per system");
    for (size_t i = 0; i < o->systems; i++)
        if (!(o->fractions[i] >= 0 && o->fractions[i] <= 1))
            return mw_fail(MW_EINVAL, "invalid fraction %g of spins up (must be 0 to 1)", o->fractions[i]);
    return 0;
}

int mw_spin_fraction_start(struct mw_spin_device *p)
{
    static const struct mw_prim_program program = {
        &kernels_spin_fraction, "", mw_native_spin_fraction, false, false, NULL
    };
    const struct mw_spins *s = p->whole;
    const bool cores = mw_device_info(p->device)->traits->has_cores;
    const int64_t length = s->mesh.length[0], n = s->lattice.cells, each = cores ? CORE_EACH : EACH;
    const int64_t count = (int64_t)p->rows * length, halo = p->mesh.halo * length;
    struct mw_buffer *plain = NULL, *systems = NULL, *to;
    struct spin_fraction *fractions = NULL;
    const struct mw_kernel_set *set;
    const bool signs = s->model->info.spin.values == MW_SPIN_VALUES_SIGNS;
    int32_t bits = 0;
    int rc;
    while ((n - 1) >> bits)
        bits++;
    TRY(mw_new(p->systems, sizeof *fractions, &fractions));
    for (size_t i = 0; i < p->systems; i++) {
        const size_t system = p->first_system + i;
        fractions[i].up = llround(s->fractions[system] * (double)n);
        for (uint32_t word = 0; word < PERMUTE_ROUNDS; word++)
            fractions[i].key[word] = draw_words(system, word / 4, DRAW_FRACTION, s->options.seed).word[word % 4];
    }
    TRY(mw_buffer_new(p->device, p->systems * sizeof *fractions, &systems));
    TRY(mw_buffer_write(systems, 0, p->systems * sizeof *fractions, fractions, NULL));
    TRY(mw_prim_set(p->prim, &program, &set));
    if (p->form->pack)
        TRY(mw_buffer_new(p->device, mw_spin_device_rows(p) * (size_t)length, &plain));
    to = plain ? plain : p->cells;
    TRY(launch_spin_fraction(set,
                             (struct mw_range){
                                 .dims = 1, .global = { (size_t)((count - 1) / each + 1) }, .group = { cores } },
                             to, systems, p->mesh.first * length, halo, count, n, bits, signs ? 1 : 0, signs ? -1 : 1,
                             (int32_t)each));
    if (plain)
        TRY(p->form->pack(p, plain));
out:
    mw_buffer_free(plain);
    mw_buffer_free(systems);
    free(fractions);
    return rc;
}
/* SPDX-License-Identifier: MIT */
