/* The form of spins for any model file and lattice, with the kernels of cl/spin/model.  Internal.
 *
 * program.c builds the kernels of a part, update.c allocates its memory and updates its state, sums.c measures. */
#ifndef MW_SPIN_MODEL_FORM_H
#define MW_SPIN_MODEL_FORM_H

#include "spin/spin_internal.h"
#include "spin/model/sizes.clh"

/* Data of a part in addition to struct mw_spin_device. */
struct mw_spin_model_part {
    struct model_mesh mesh;
    struct mw_buffer *frozen;        /* frozen numbers; at least one element */
    struct mw_buffer *sums;          /* two per segment of a row */
    struct mw_buffer *parent, *held; /* cluster data */
};
static inline struct mw_spin_model_part *mw_spin_model_part(const struct mw_spin_device *p) { return p->own; }

/* Returns the number of neighbours of a site. */
unsigned mw_spin_model_neighbours(const struct mw_spin_options *options);
/* Returns the number of frozen numbers stored per site, including those of the pairs that start at it. */
size_t mw_spin_model_planes(const struct mw_model *model, unsigned neighbours);
/* Segments of a row, each summed in order by one work-item. */
static inline size_t mw_spin_model_segments(const struct mw_spins *s)
{
    return ((size_t)s->mesh.length[0] - 1) / MODEL_SEGMENT + 1;
}
/* Bytes of a real number in kernels. */
static inline size_t mw_spin_model_real(const struct mw_spins *s) { return s->options.fp64 ? 8 : 4; }

/* Convert numbers between double and the kernels' type, in place. */
static inline void mw_spin_model_narrow(const struct mw_spins *s, double *numbers, size_t n)
{
    for (size_t i = 0; i < n && !s->options.fp64; i++) {
        const float narrow = (float)numbers[i];
        memcpy((char *)numbers + i * sizeof narrow, &narrow, sizeof narrow);
    }
}
static inline void mw_spin_model_widen(const struct mw_spins *s, double *numbers, size_t n)
{
    float narrow;
    while (n-- > 0 && !s->options.fp64) {
        memcpy(&narrow, (char *)numbers + n * sizeof narrow, sizeof narrow);
        numbers[n] = narrow;
    }
}

/* ---- program.c ---- */

/* Checks that the model can run with the options.  MW_EINVAL: the lattice, a boundary or the number of dimensions is
 * not supported, or the update does not suit the model.  MW_ELIMIT: too many constant numbers per site. */
int mw_spin_model_check(const struct mw_model *model, const struct mw_spin_options *options);
/* Checks the parameters.  MW_EINVAL: one is out of range. */
int mw_spin_model_check_params(const struct mw_spins *spins, const double *params);
/* Returns the bytes of device memory per cell. */
uint64_t mw_spin_model_cell(const struct mw_model *model, const struct mw_spin_options *options);
/* Sets type, phases and reach of spins of this form. */
int mw_spin_model_describe(struct mw_spins *spins);
int mw_spin_model_build(struct mw_spin_device *part);

/* ---- update.c ---- */

struct mw_range mw_spin_model_range(const struct mw_spin_device *part, int32_t sites, int32_t rows, int32_t *each);

/* ---- sums.c ---- */

int mw_spin_model_measure(struct mw_spins *spins, struct mw_spin_measures *measures);

#endif
/* SPDX-License-Identifier: MIT */
