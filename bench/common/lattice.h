/* Kernels of a bench's own for one lattice. */
#ifndef BENCH_LATTICE_H
#define BENCH_LATTICE_H

#include "bench/common/bench.h"

/* Builds kernels from source text for one lattice, which is passed as the macros of cl/lattice.clh. */
struct mw_program *bench_lattice_program(struct mw_device *device, const struct mw_lattice *lattice,
                                         const char *defines, const char *text, const struct mw_native_kernel *native);
/* Runs several launches in sequence. */
int bench_launches(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t arg_count,
                   int passes);

#endif
/* SPDX-License-Identifier: MIT */
