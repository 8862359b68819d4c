/* Fourier transforms of real arrays on a device, with the same bits on all devices. Internal.
 *
 * An array has the lengths n_0 (along which cells are adjacent) to n_{d-1}. Its spectrum is
 *
 *   X_k = sum_x u_x exp(-2 pi i sum_j k_j x_j / n_j),
 *
 * for k_{d-1} = 0 to n_{d-1} / 2; the others are conjugates of these. mw_fft_at gives the order in memory, which is
 * that of the last step. A real line of even length n is transformed as n / 2 complex numbers (Cooley, Lewis and
 * Welch, J. Sound Vib. 12 (1970) 315).
 *
 * Results have the same bits on all devices. All forms use the factors of the length in one order, operations + - *
 * without contraction, and a table that the host computes. */
#ifndef MW_FFT_H
#define MW_FFT_H

#include <meshwork/io.h>
#include <meshwork/program.h>

#include "base/base.h"
#include "dev/own.h"
#include "fft/sizes.clh"

/* The transforms along one dimension. */
struct mw_fft_line {
    struct fft_lines lines;
    struct mw_buffer *table, *radices;
    enum { MW_FFT_BY_LINES, MW_FFT_BY_TILES, MW_FFT_FAR } form;
};
struct mw_fft {
    struct mw_device *device;
    struct mw_owner owner; /* frees the buffers and kernels */
    bool fp64;
    unsigned dims;
    size_t length[MW_DIMS_MAX], batch;
    size_t cells, numbers; /* reals per array, and per spectrum */
    size_t row;            /* reals between the two parts of a complex number of a spectrum */
    size_t middle_row;     /* reals of a row between the steps along the slowest and the first dimension */
    size_t units, lanes;
    bool cores;
    struct mw_kernel_set *set, *tiles, *far; /* cl/fft/lines.cl, tiles.cl and far.cl; NULL: not used */
    size_t tile;                             /* complex numbers that a group holds */
    struct mw_buffer *middle, *scratch, *other;
    size_t parts; /* work-items of a launch of `set`, at most */
    struct mw_fft_line line[MW_DIMS_MAX];
};

/* Makes transforms of `batch` arrays that follow each other in memory, as their spectra do. `form`: MW_FFT_AUTO, or
 * for tests one of the others. Errors: MW_EINVAL, MW_ELIMIT (too large), MW_ENOTSUP (no double precision), those of
 * building programs. The device must outlive the result, which belongs to one thread at a time. */
enum mw_fft_form { MW_FFT_AUTO, MW_FFT_VECTORS, MW_FFT_SINGLE_LANES, MW_FFT_TILES, MW_FFT_FAR_TILES };
int mw_fft_new(struct mw_device *device, unsigned dims, const size_t *length, size_t batch, bool fp64,
               enum mw_fft_form form, struct mw_fft **fft);
void mw_fft_free(struct mw_fft *fft);

/* Returns the place of X_k in a spectrum, in reals; k[dims - 1] is at most n / 2. The imaginary part is `fft->row`
 * further. Other places keep their values, or get finite numbers: the caller fills a new buffer with 0. */
size_t mw_fft_at(const struct mw_fft *fft, const size_t *k);

/* Queue the transforms of all arrays. Backward ones are sums without a factor, times the number of cells, and ignore
 * imaginary parts that a real array cannot have. They keep neither the spectra nor, between calls, anything else. The
 * buffers must differ; `array` has batch * cells reals, `spectrum` batch * numbers from number `first` on. */
int mw_fft_forward(struct mw_fft *fft, struct mw_buffer *array, struct mw_buffer *spectrum, size_t first);
int mw_fft_backward(struct mw_fft *fft, struct mw_buffer *spectrum, struct mw_buffer *array);

/* twiddles.c. Writes exp(-2 pi i k / n) for k = 0 to n - 1, as pairs of doubles with all symmetries of the circle. */
void mw_fft_twiddles(size_t n, double *table);
/* Writes the radices of the passes for n elements; returns their number. n = 1 has one pass, of radix 1. */
int mw_fft_radices(size_t n, int32_t *radix);

#endif
/* SPDX-License-Identifier: MIT */
