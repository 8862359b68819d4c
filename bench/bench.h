/* What the benches share: how they end, which devices they take, how they time and count.
 *
 * Machines drift, and a buffer's place in memory alone moves a bandwidth between levels: so a bench allocates once,
 * its contestants take turns in rounds, and ratios are of the same round. */
#ifndef BENCH_H
#define BENCH_H

#include <meshwork.h>

#include "base/base.h"

#define BENCH_ROUNDS_MAX 99

/* Says what failed and why, and ends the bench. */
_Noreturn void bench_die(const char *what);

/* The rounds that argument 1 asks for; ends the bench where it is none. */
int bench_rounds(int argc, char **argv, int otherwise);

/* Calls `measure` with each device that the arguments from 2 on name, or with all. */
void bench_each_device(int argc, char **argv, void (*measure)(struct mw_device *device, int rounds), int rounds);

struct bench_spread { double median, least, most; };
struct bench_spread bench_spread(const double *values, int n);
/* The median of a[i] / b[i]. */
double bench_median_ratio(const double *a, const double *b, int n);

/* Seconds of some copies, one behind the other. */
double bench_copy_seconds(struct mw_device *device, struct mw_buffer *from, struct mw_buffer *to, size_t bytes,
                          int passes);
/* Seconds of some launches, one behind the other. */
double bench_launch_seconds(struct mw_device *device, struct mw_kernel *kernel, const struct mw_range *range,
                            const struct mw_arg *args, size_t arg_count, int passes);
/* Builds kernels from their text for one lattice, which they know by the macros of cl/lattice.clh. */
struct mw_program *bench_lattice_program(struct mw_device *device, const struct mw_lattice *lattice,
                                         const char *defines, const char *text,
                                         const struct mw_native_kernel *native);

#endif
