/* Exponential time steps of a part.  Internal. */
#ifndef MW_FIELD_SPECTRAL_H
#define MW_FIELD_SPECTRAL_H

#include "field/exponential/exponential.h"

struct mw_part;
struct mw_spectral;
/* Makes buffers, transforms and coefficients of a time step dt, for a part that is the whole field. The
 * parameters of the field, `params`, are read again after mw_spectral_renew. Errors: MW_ENOTSUP, those of mw_fft_new
 * and mw_tableau_make. */
int mw_spectral_new(const struct mw_part *part, const double *params, double dt, struct mw_spectral **spectral);
void mw_spectral_free(struct mw_spectral *spectral);
/* Marks the coefficients as outdated, since parameters changed. */
void mw_spectral_renew(struct mw_spectral *spectral);
/* Queues time steps of a part. */
int mw_spectral_advance(struct mw_part *part, double dt, uint64_t steps);
/* Returns the bytes of device memory that exponential steps need in addition to two states; about. */
uint64_t mw_spectral_bytes(const struct mw_problem *problem, size_t state_bytes);

#endif
/* SPDX-License-Identifier: MIT */
