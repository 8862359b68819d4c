/* The time loop that every simulation shares: outputs on schedule, time series, checkpoints, progress, stopping.
 *
 * Threads: each may run a loop of its own; all may read a checkpoint, one writes a series.
 * The functions of a simulation are called by the thread that called mw_run.  mw_run_stop can be called from any thread
 * and from signal handlers. */
#ifndef MESHWORK_RUN_H
#define MESHWORK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/lattice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- checkpoints ----
 *
 * A checkpoint is a state with all that its future depends on: a run that goes on from it has the bits of one that was
 * never interrupted.  Each is written to FILE.new, synced, and renamed to FILE; the one before it stays as FILE.old.
 * So whatever happens meanwhile, a whole one is there.
 *
 * The file: the 8 bytes "\x93MWCHECK", then records, then 8 bytes: the XXH64 of all before them.  A record is a name's
 * length (4 bytes), the length of its data (8 bytes), the name, and the data.  These numbers are little-endian.  First
 * comes "format" (text: version and byte order of the data), then "settings" (text, a line NAME=VALUE each), "step" and
 * "observed" (text: decimal numbers), "series" with a time series (text: its bytes and their XXH64 in hexadecimal; of a
 * run that goes on without the series, those that it had), and what the simulation saves, in the byte order that
 * "format" names. */

/* Something that a run's bits depend on, as text without line breaks: a size, a parameter, the name of a model; or
 * something that is only kept beside it, and may differ when a run goes on. */
struct mw_setting { /* a fixed value */
    const char *name, *value;
    bool may_differ;
};

/* A checkpoint open for reading. */
struct mw_checkpoint;
/* Opens a checkpoint, and reads it through to its checksum.  Where `path` is damaged or missing, path.old is opened
 * instead, and a notice says so.  Errors: MW_EIO, MW_EDATA (damaged, or no checkpoint at all), MW_ENOTSUP (written by a
 * later version, or on a machine of another byte order), MW_ENOMEM. */
MW_API int mw_checkpoint_open(const char *path, struct mw_checkpoint **checkpoint);
MW_API void mw_checkpoint_close(struct mw_checkpoint *checkpoint);
/* The file that was opened: the path, or path.old; of a symbolic link, FILE.old next to the file that it leads to. */
MW_API const char *mw_checkpoint_path(const struct mw_checkpoint *checkpoint);
MW_API uint64_t mw_checkpoint_step(const struct mw_checkpoint *checkpoint);
/* The value of a setting; NULL: it has none of that name.  Owned by the checkpoint. */
MW_API const char *mw_checkpoint_setting(const struct mw_checkpoint *checkpoint, const char *name);
/* Whether a run with these settings, ended by a NULL name, may go on from it.  MW_EINVAL names each that differs, and
 * each that only one of the two has, passing over those that may differ. */
MW_API int mw_checkpoint_compare(const struct mw_checkpoint *checkpoint, const struct mw_setting *settings);
/* Copies out what was saved under a name; its length must be n.  Errors: MW_EDATA (another length, or not there),
 * MW_EIO. */
MW_API int mw_checkpoint_get(const struct mw_checkpoint *checkpoint, const char *name, void *bytes, size_t n);

/* Whether a checkpoint can be written there without loss, which mw_run asks first, too: nothing is there, or a
 * checkpoint, or an empty file, and likewise at FILE.old.  Errors: MW_EINVAL (a file of something else, one of another
 * version, one that cannot be read, a FILE.new of another user), MW_EIO (a link that cannot be followed), MW_ENOMEM. */
MW_API int mw_checkpoint_replaceable(const char *path);

/* A checkpoint being written. */
struct mw_checkpoint_writer;
/* Adds bytes under a name of 1 to 63 characters, each name once.  Errors: MW_EIO, MW_EINVAL (name). */
MW_API int mw_checkpoint_put(struct mw_checkpoint_writer *writer, const char *name, const void *bytes, size_t n);

/* ---- time series ----
 *
 * A table in a text file: values separated by commas (RFC 4180), a line of titles first, then a row for each
 * observation, in the file as soon as it is added.  Numbers have as many digits as bring the same number back; what is
 * not finite is left empty. */

struct mw_series;
/* A series of `count` columns behind the first one, "step"; path "-" is standard output, where checkpoints do not keep
 * how far it has come.  Nothing is written yet: each mw_run that is given it starts the file anew, or cuts it back to
 * where its checkpoint stands.  A file that does not begin with its first two titles, or has rows before a checkpoint
 * that does not know of them, is not replaced: mw_run fails with MW_EDATA.
 * Errors: MW_EINVAL (a title with a comma, quote or line break), MW_ENOMEM. */
MW_API int mw_series_new(const char *path, const char *const *titles, size_t count, struct mw_series **series);
/* Adds a row, for the simulation's `observe` to call.  On failure the file ends with the row before.  Errors: MW_EIO,
 * MW_EINVAL (the file was not started). */
MW_API int mw_series_add(struct mw_series *series, uint64_t step, const double *values);
/* Closes the file where mw_run has not: at its end it has all rows on the disk, or fails. */
MW_API void mw_series_free(struct mw_series *series);

/* ---- what is said of a state ---- */

/* The variance is that of all cells, divided by their number. */
struct mw_statistics { /* a fixed value */
    double mean, variance, least, most;
};
/* Of n finite floats or doubles (fp64), in double, along trees of a fixed shape: the same bits everywhere.  Of none:
 * zeros.  Errors: MW_ENOMEM. */
MW_API int mw_values_statistics(const void *values, bool fp64, size_t n, struct mw_statistics *statistics);
/* The position of the first value that is not finite; n if all are. */
MW_API size_t mw_values_not_finite(const void *values, bool fp64, size_t n);
/* The size of domains of one sign on a mesh (length[0] along x, contiguous): the mean length of the runs of one sign
 * along the mesh's lines, d N / A, where N is the number of cells, d that of dimensions with more than one cell, and A
 * the area of the interface in faces of cells: the number of pairs of neighbours of opposite sign, those across the
 * ends of a periodic dimension among them.  0 counts as positive.  INFINITY where A is 0.  `boundary` NULL: periodic in
 * all dimensions. */
MW_API double mw_values_domain_size(const void *values, bool fp64, unsigned dims, const size_t *length,
                                    const enum mw_boundary *boundary);

/* Of n numbers measured one after the other: their mean, and its standard error, by binning (Flyvbjerg and Petersen
 * 1989): neighbours are averaged again and again until the means do not depend on each other any more, and the largest
 * error with at least 16 bins is taken.  NAN: of fewer than two.  Errors: MW_ENOMEM. */
MW_API int mw_values_binning(const double *values, size_t n, double *mean, double *error);

/* Of `copies` series of n numbers, one behind the other, that are alike and do not depend on each other: the integrated
 * autocorrelation time, 1/2 and the sum of the autocorrelation function, up to 6 times itself (Madras and Sokal 1988),
 * with its standard error.  In steps from number to number; 1/2 is what numbers have that do not depend on each other.
 * The error is NAN where the series are too short for such a window; both are where all numbers are the same.  Cost: at
 * most some 512 multiplications a number, since of long times neighbours are averaged first.  Errors: MW_ENOMEM. */
MW_API int mw_values_autocorrelation(const double *values, size_t n, size_t copies, double *time, double *error);

/* Whether a series comes from equilibrium, as far as it shows that: `copies` series of n numbers, one behind the other,
 * of each of which the numbers from `first` on were measured, and those before that, if any, came earlier in the same
 * run.  Two differences of means are compared with their standard errors, which count the autocorrelation time of what
 * was measured: of the numbers before `first` from those behind it, as Geweke does (1992; of `first` 0: the first
 * quarter from the second half), and of the first half of what was measured from its second half.
 *   MW_UNSETTLED_FEW    fewer than 16 numbers were measured
 *   MW_UNSETTLED_DRIFT  a difference is more than MW_DRIFT_ERRORS of its errors
 *   MW_UNSETTLED_SLOW   fewer than 10 of a copy's numbers do not depend on each other: the autocorrelation time, of all
 *                       numbers and without its bias (Wolff 2004), is more than a 20th of those measured
 *   MW_UNSETTLED_FROZEN of spins (mw_spin_equilibrium_settling)
 * A series in equilibrium fails in fewer than 5 of 100 cases.  One that passes may be caught in a state that lasts
 * longer than it: no series shows that.  Errors: MW_ENOMEM. */
#define MW_DRIFT_ERRORS 3.5
enum mw_unsettled { MW_UNSETTLED_NONE, MW_UNSETTLED_FEW, MW_UNSETTLED_DRIFT, MW_UNSETTLED_SLOW, MW_UNSETTLED_FROZEN };
MW_API const char *mw_unsettled_name(int value); /* status.h: "settled", "few", "drift", "slow", "frozen" */
MW_API int mw_unsettled_find(const char *name, enum mw_unsettled *value);
struct mw_settling {
    size_t size; /* sizeof the struct: see status.h */
    enum mw_unsettled why;
    double time;               /* the autocorrelation time; NAN: all numbers are the same */
    double independent;        /* of a copy, numbers that do not depend on each other */
    double drift, drift_error; /* the difference that is more of its errors */
    double deviation;          /* the standard deviation of what was measured */
    /* What is to be added to the mean's error, as squares: 0, or four times the drift, and of MW_UNSETTLED_FEW and
     * _SLOW at least the deviation.  Four times the difference of a run's second quarter and second half is what a
     * decay as t^(-1/3), the slowest of growing domains, still has ahead. */
    double widening;
};
MW_API int mw_values_settling(const double *values, size_t n, size_t copies, size_t first,
                              struct mw_settling *settling);

/* A function of means, such as a variance, with its standard error by the jackknife: `count` series (at most 8) of n
 * numbers each, of which the kth's mean is means[k], in `bins` bins of neighbours, 1 to n.  Of n = 0, and the error of
 * fewer than two bins: NAN.  Errors: MW_EINVAL, MW_ENOMEM. */
typedef double mw_of_means(const double *means, const void *context);
MW_API int mw_values_jackknife(const double *const *values, size_t count, size_t n, size_t bins, mw_of_means *of,
                               const void *context, double *value, double *error);

/* The exponent g of y ~ t^g, by least squares of logarithms, with its standard error: from the residuals, or from the
 * standard errors of the values where these are given, which are weights then, whichever is larger.  NAN: of two points
 * without errors.  Errors: MW_EINVAL (a number that is not positive; fewer than two points apart). */
MW_API int mw_power_law_fit(const double *t, const double *y, const double *errors, size_t n, double *exponent,
                            double *error);

/* ---- the loop ---- */

/* What a simulation gives the loop: functions that return a status.  `init` may be NULL for a run that goes on from a
 * checkpoint, `load` for others, `save` where none is written, and `queue` always.  Its bits after a number of steps
 * must depend on its settings and that number alone, not on how the steps are divided among calls. */
struct mw_run_simulation {
    size_t size; /* sizeof the struct: see status.h */
    void *context;
    int (*init)(void *context); /* makes the state of step 0 */
    /* Does that many steps, and waits until all are done, also those of `queue`, behind which there may be none. */
    int (*advance)(void *context, uint64_t steps);
    /* Called at step 0 (not when restarted), at every multiple of `every` and at the end: writes what the user asked
     * for.  It fails when the state is no longer one to go on from. */
    int (*observe)(void *context, uint64_t step);
    /* Puts the state into a checkpoint, with mw_checkpoint_put.  It fails when the state is no longer one to go on
     * from: no checkpoint is lost to a bad one. */
    int (*save)(void *context, struct mw_checkpoint_writer *writer);
    /* Takes state and step from a checkpoint whose settings agree, with mw_checkpoint_get. */
    int (*load)(void *context, const struct mw_checkpoint *checkpoint);
    /* Steps that cost hardly more at once than one of them does: after the first step, calls of `advance` and `queue`
     * have a multiple of them where outputs leave room.  0: 1. */
    uint64_t together;
    /* Begins that many steps and need not wait until they are done: called in place of `advance`, but for the first
     * step, where an output, a checkpoint or the end comes sooner than the next look at the clock, so that a device
     * does not stand still meanwhile.  What `observe` needs of these steps, it waits for; before `save` and at the end
     * the loop does. */
    int (*queue)(void *context, uint64_t steps);
};

struct mw_run_options {
    size_t size;                         /* sizeof the struct: see status.h */
    uint64_t steps;                      /* in total: a restarted run does the rest */
    uint64_t every;                      /* 0: observe only at the start and the end */
    double time_limit;                   /* seconds, 0: none */
    const char *checkpoint;              /* the file to write; NULL: none */
    uint64_t checkpoint_every;           /* 0: only when the run ends or stops */
    const struct mw_setting *settings;   /* what the bits depend on, ended by a NULL name; NULL: none */
    const struct mw_checkpoint *restart; /* goes on from there; NULL: from step 0 */
    struct mw_series *series;            /* is kept in step with the checkpoints; NULL: none */
};

struct mw_run_result {
    size_t size;    /* sizeof the struct: see status.h */
    uint64_t steps; /* the step that was reached */
    uint64_t done;  /* steps of this loop: less, where it was restarted */
    double seconds; /* of computing: without observing, which may have to wait, and checkpoints */
    double checkpoint_seconds;
    double first_step_seconds; /* from the loop's start until the first step was complete */
    uint64_t checkpoints;      /* written */
};

/* Runs the loop.  Between two looks at the clock, steps are done for about 50 ms.  Checkpoints are written at multiples
 * of `checkpoint_every`, when the loop stops early, and at the end; a row of the series that is added at the end only
 * does not count as one of the checkpoint's, so that a series is that of the uninterrupted run.  The function of
 * mw_progress_to is called with steps, and a stop that it asks for is one by mw_run_stop.  Returns 0, MW_ESTOPPED
 * when a stop was asked for or the time limit was reached (*result says how far it came, and the last state was saved
 * and observed), the simulation's error, or that of a checkpoint or series. */
MW_API int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
                  struct mw_run_result *result);
/* Asks all loops of the process to stop at the next opportunity.  A request that finds no loop running, or one that is
 * already complete, stops the next one as soon as it has observed step 0.  Async-signal-safe. */
MW_API void mw_run_stop(void);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
