/* Spins of any model file, on any lattice: the kernels of cl/spin/model.  Internal.
 *
 * program.c builds a part's kernels, update.c launches those that change its state, clusters.c those that turn whole
 * clusters, sums.c measures. */
#ifndef MW_SPIN_MODEL_FORM_H
#define MW_SPIN_MODEL_FORM_H

#include <string.h>

#include "spin/spin_internal.h"
#include "spin/model/sizes.clh"

/* What a part has beside struct mw_spin_device. */
struct mw_spin_model_part {
    struct model_mesh mesh;
    struct mw_buffer *frozen;            /* numbers that stay; one at least */
    struct mw_buffer *sums;              /* two of each segment of a row */
    struct mw_buffer *parent, *held;     /* of clusters */
};
static inline struct mw_spin_model_part *mw_spin_model_part(const struct mw_spin_device *p) { return p->own; }

/* Whether the state changes by the model's rule. */
bool mw_spin_model_has_rule(const struct mw_model *model);
/* Whether a step of clusters ends with a sweep, since reflections do not reach all values. */
bool mw_spin_model_sweeps_too(const struct mw_model *model);
/* The neighbours of a site. */
unsigned mw_spin_model_neighbours(const struct mw_spin_options *options);
/* Frozen numbers of a site, and of its pairs that have it first, where it has so many neighbours. */
size_t mw_spin_model_planes(const struct mw_model *model, unsigned neighbours);
/* Pieces of a row that are summed one after the other. */
static inline size_t mw_spin_model_segments(const struct mw_spins *s)
{
    return ((size_t)s->mesh.length[0] - 1) / MODEL_SEGMENT + 1;
}
/* Bytes of a number in kernels. */
static inline size_t mw_spin_model_real(const struct mw_spins *s) { return s->options.fp64 ? 8 : 4; }

/* Numbers as kernels have them, and back, in place. */
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

/* What the options ask of the model: MW_EINVAL where it has not what they need. */
int mw_spin_model_check(const struct mw_model *model, const struct mw_spin_options *options);
/* Whether parameters make sense.  MW_EINVAL. */
int mw_spin_model_check_params(const struct mw_spins *spins, const double *params);
/* Bytes of device memory that a cell takes. */
uint64_t mw_spin_model_cell(const struct mw_model *model, const struct mw_spin_options *options);
/* Type, phases and reach of spins that have this form. */
int mw_spin_model_describe(struct mw_spins *spins);
int mw_spin_model_build(struct mw_spin_device *part);

/* ---- update.c ---- */

struct mw_range mw_spin_model_range(const struct mw_spin_device *part, int32_t sites, int32_t rows, int32_t *each);
int mw_spin_model_start(struct mw_spin_device *part);
int mw_spin_model_memory(struct mw_spin_device *part);
int mw_spin_model_bring(struct mw_spin_device *part);
int mw_spin_model_sweep(struct mw_spin_device *part, int32_t phase, uint64_t step, int32_t begin, int32_t end);

/* ---- clusters.c ---- */

int mw_spin_model_turn_clusters(struct mw_spin_device *part, uint64_t step);

/* ---- sums.c ---- */

int mw_spin_model_measure(struct mw_spins *spins, struct mw_spin_measures *measures);

#endif
/* SPDX-License-Identifier: MIT */
