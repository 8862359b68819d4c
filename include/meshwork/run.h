/* The time loop that every simulation shares: outputs on schedule, time series, checkpoints, progress, stopping.
 *
 * Threads: each thread may run its own loop.  Any number of threads may read a checkpoint; one thread at a time writes
 * a series.  The thread that calls mw_run calls the functions of the simulation.  mw_run_stop can be called from any
 * thread and from signal handlers. */
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
 * A checkpoint contains the state of a simulation and everything that the following steps depend on.  A resumed run has
 * the same bits as an uninterrupted one.  A checkpoint is written to FILE.new, synced, and renamed to FILE.  The
 * previous checkpoint becomes FILE.old.  Thus there is a complete checkpoint at any time after the first one.
 *
 * The file has the 8 bytes "\x93MWCHECK", then records, then the XXH64 of all preceding bytes (8 bytes).  A record has
 * the length of its name (4 bytes), the length of its data (8 bytes), the name, and the data.  These numbers are
 * little-endian.  The records are:
 *   - "format": text, version and byte order of the data.
 *   - "settings": text, one line NAME=VALUE per setting.
 *   - "step" and "observed": text, the step of the state and of the last observation, in decimal.
 *   - "series": text, length of the time series in bytes, and the hexadecimal XXH64 of these bytes.  A resumed run
 *     without a series copies this record.
 *   - the records of the simulation, in the byte order of "format". */

/* A setting of a simulation, as text, such as a size, a parameter, or the name of a model.  Checkpoints store settings.
 * A resumed run compares them with its own.  The name has no line break and no '=', the value no line break. */
struct mw_setting { /* a fixed value */
    const char *name, *value;
    bool may_differ; /* false: a resumed run must have the same value; true: the value is only stored */
};

/* Handle of a checkpoint that is open for reading. */
struct mw_checkpoint;
/* Opens a checkpoint and verifies its checksum.  If the file `path` is missing, damaged or not a checkpoint, opens the
 * file path.old instead, and logs a notice.  The caller frees it by mw_checkpoint_close.  Errors: MW_EIO, MW_EDATA
 * (damaged, or not a checkpoint), MW_ENOTSUP (another version of the format, or another byte order), MW_ENOMEM. */
MW_API int mw_checkpoint_open(const char *path, struct mw_checkpoint **checkpoint);
/* Closes and frees a checkpoint; NULL is allowed. */
MW_API void mw_checkpoint_close(struct mw_checkpoint *checkpoint);
/* Returns the path of the file that is open: `path` of mw_checkpoint_open, or the path of the .old file.  If `path` is
 * a symbolic link, the .old file is next to the target of the link. */
MW_API const char *mw_checkpoint_path(const struct mw_checkpoint *checkpoint);
/* Returns the step of the saved state. */
MW_API uint64_t mw_checkpoint_step(const struct mw_checkpoint *checkpoint);
/* Returns the value of the setting of a name; NULL: the checkpoint has no such setting.  The checkpoint owns it. */
MW_API const char *mw_checkpoint_setting(const struct mw_checkpoint *checkpoint, const char *name);
/* Checks whether a run with these settings may resume from a checkpoint.  The array `settings` ends with an element
 * whose name is NULL.  The values of settings with `may_differ` are not compared.  Errors: MW_EINVAL (settings differ,
 * or only one side has them; the message lists them). */
MW_API int mw_checkpoint_compare(const struct mw_checkpoint *checkpoint, const struct mw_setting *settings);
/* Copies the `n` bytes that mw_checkpoint_put saved under a name to `bytes`.  Errors: MW_EDATA (no record has this
 * name, or its length is not `n`), MW_EIO. */
MW_API int mw_checkpoint_get(const struct mw_checkpoint *checkpoint, const char *name, void *bytes, size_t n);

/* Checks whether writing a checkpoint to `path` would replace only checkpoints.  mw_run also checks this before its
 * first step.
 *   - path and path.old: each must be missing, empty, or a checkpoint that is complete or damaged.
 *   - path.new: must be missing, or a regular file of the same user.
 * Errors: MW_EINVAL (any other file, another version of the format, an unreadable file), MW_EIO (a link that cannot be
 * followed), MW_ENOMEM. */
MW_API int mw_checkpoint_replaceable(const char *path);

/* Handle of a checkpoint that mw_run is writing; mw_run makes and frees it. */
struct mw_checkpoint_writer;
/* Adds a record of `n` bytes to a checkpoint.  Only the function `save` of struct mw_run_simulation may call it.  The
 * name has 1 to 63 bytes.  No other record of the checkpoint may have the same name; this is not checked.  Errors:
 * MW_EIO, MW_EINVAL (length of the name). */
MW_API int mw_checkpoint_put(struct mw_checkpoint_writer *writer, const char *name, const void *bytes, size_t n);

/* ---- time series ----
 *
 * A time series is a table in a text file of comma-separated values (RFC 4180): a line of titles, then one row per
 * observation.  Each row is written to the file immediately.  Numbers have enough digits to be read back
 * exactly.  The column of a non-finite number is empty. */

/* Handle of a time series, which mw_run writes. */
struct mw_series;
/* Makes a series with the column "step" and `count` columns with the given titles.  Nothing is written yet; mw_run
 * opens the file.  Path "-" is standard output, whose position is not stored in checkpoints.  The caller frees the
 * series by mw_series_free.
 *
 * mw_run begins a new table if it starts at step 0, or resumes from a checkpoint that was written without a series.  An
 * existing file is then replaced.  It must be empty or begin with the first two titles, and its first row must not be
 * before the step of the checkpoint.
 *
 * mw_run continues the table if it resumes from a checkpoint that was written with a series.  It truncates the file to
 * the length in the checkpoint.  The file must have the same titles, and the contents that the checkpoint recorded up
 * to that length.
 *
 * If the file does not meet these conditions, mw_run returns MW_EDATA, and does not change the file.
 * Errors: MW_EINVAL (a title with a comma, quote or line break), MW_ENOMEM. */
MW_API int mw_series_new(const char *path, const char *const *titles, size_t count, struct mw_series **series);
/* Adds a row with the step and one value per title.  Called by the function `observe` of struct mw_run_simulation.  If
 * writing fails, the file ends with the previous row.  Errors: MW_EIO, MW_EINVAL (mw_run has not opened the series). */
MW_API int mw_series_add(struct mw_series *series, uint64_t step, const double *values);
/* Frees a series; NULL is allowed.  A successful mw_run has already synced and closed the file.  After a failed mw_run,
 * this call does both. */
MW_API void mw_series_free(struct mw_series *series);

/* ---- statistics of a state ---- */

/* Statistics of the values of a state. */
struct mw_statistics { /* a fixed value */
    /* variance: mean of the squared deviations from the mean (division by n, not by n - 1)
     * least, most: the smallest and the largest value */
    double mean, variance, least, most;
};
/* Computes the statistics of `n` finite values, which are double if `fp64` is true, otherwise float.  All sums are in
 * double precision, in an order that depends only on `n`.  If `n` is 0, all statistics are 0.  Errors: MW_ENOMEM. */
MW_API int mw_values_statistics(const void *values, bool fp64, size_t n, struct mw_statistics *statistics);
/* Returns the index of the first of `n` values that is not finite; `n`: all are finite.  Values are double if `fp64` is
 * true, otherwise float. */
MW_API size_t mw_values_not_finite(const void *values, bool fp64, size_t n);
/* Returns the mean size of domains on a mesh, in cells.  A domain is a region whose values have the same sign; 0 counts
 * as positive.
 *
 * The size is d * N / A; INFINITY if A is 0.  N is the number of cells, and d the number of dimensions with more than
 * one cell.  A is the number of pairs of neighbours of opposite sign.  Pairs across the ends of a periodic dimension
 * are included.
 *   - values: double if `fp64` is true, otherwise float.
 *   - length: cells along each dimension, x (contiguous) first.
 *   - boundary: one element per dimension; NULL: periodic in all. */
MW_API double mw_values_domain_size(const void *values, bool fp64, unsigned dims, const size_t *length,
                                    const enum mw_boundary *boundary);

/* Computes the mean of `n` consecutive measurements, and its standard error by binning (Flyvbjerg and Petersen 1989).
 * The error of the mean is computed from the `n` numbers as if they were independent.  Then neighbours are replaced in
 * pairs by their mean, and the error is computed again, as long as at least 16 numbers remain.
 *   - mean: receives the mean; NAN if `n` is 0.
 *   - error: receives the largest of all computed errors; NAN if `n` is below 2.
 * Errors: MW_ENOMEM. */
MW_API int mw_values_binning(const double *values, size_t n, double *mean, double *error);

/* Computes the integrated autocorrelation time and its standard error (Madras and Sokal 1988).
 *   - values: `copies` independent series of one distribution, one after the other; each has `n` numbers.
 *   - time: receives 1/2 plus the sum of the autocorrelation function over a window, but at least 1/2.  The window is 6
 *     times the result.  The unit is the interval between two numbers.  NAN if all numbers are equal or `n` is 0.
 *   - error: receives the standard error; NAN if a series is shorter than the window, or `time` is NAN.
 * Errors: MW_ENOMEM.
 * Cost: at most about 512 multiplications per number.  If the window exceeds 255 numbers, neighbours are first replaced
 * in pairs by their mean. */
MW_API int mw_values_autocorrelation(const double *values, size_t n, size_t copies, double *time, double *error);

#define MW_DRIFT_ERRORS 3.5 /* maximum difference of means in standard errors: see MW_UNSETTLED_DRIFT */
/* Reasons why a measured quantity does not count as in equilibrium (mw_values_settling). */
enum mw_unsettled {
    MW_UNSETTLED_NONE,  /* no reason was found */
    MW_UNSETTLED_FEW,   /* the measurement has fewer than 16 numbers per copy */
    MW_UNSETTLED_DRIFT, /* a difference of means is larger than MW_DRIFT_ERRORS times its standard error */
    /* The measurement has fewer than 10 independent numbers per copy: it is shorter than 20 autocorrelation times.
     * This time is computed from all numbers, also from those before the measurement, and corrected for its bias (Wolff
     * 2004). */
    MW_UNSETTLED_SLOW,
    MW_UNSETTLED_FROZEN /* the energy of a copy of spins does not change: see mw_spin_equilibrium_settling */
};
MW_API const char *mw_unsettled_name(int value); /* Name, see status.h: "settled", "few", "drift", "slow", "frozen" */
/* Finds the reason of a name.  Errors: MW_EINVAL. */
MW_API int mw_unsettled_find(const char *name, enum mw_unsettled *value);
/* Result of mw_values_settling: whether a measured quantity is in equilibrium, and how much to raise its error. */
struct mw_settling {
    size_t size;           /* sizeof the struct: see status.h */
    enum mw_unsettled why; /* reason of the failure; MW_UNSETTLED_NONE: the series has passed the test */
    double time;        /* autocorrelation time of the measurement; NAN: no measurement, or all its numbers are equal */
    double independent; /* number of independent numbers of the measurement per copy; NAN: no measurement */
    /* drift: of the two differences of means, the one that is larger in comparison with its standard error
     * drift_error: standard error of this difference */
    double drift, drift_error;
    double deviation; /* standard deviation of the measurement */
    /* Amount w by which to raise the standard error e of the mean, to sqrt(e^2 + w^2).  It is:
     *   - MW_UNSETTLED_NONE: 0
     *   - MW_UNSETTLED_DRIFT: 4 |drift|
     *   - MW_UNSETTLED_FEW, MW_UNSETTLED_SLOW: the larger of 4 |drift| and `deviation`
     * Reason for the 4: domains grow at least so fast that the mean decays as t^(-1/3).  Such a mean still changes
     * after the run, by about four times the difference between the second quarter and the second half of the run. */
    double widening;
};
/* Tests whether a measured quantity is in equilibrium.
 *   - values: `copies` series, one after the other; each has `n` numbers.
 *   - first: index in each series at which the measurement begins; earlier numbers are from the time before it.
 *
 * The test compares two differences of means with their standard errors.  These errors take the autocorrelation time of
 * the measurement into account.
 *   - First difference (Geweke 1992): the numbers before `first`, and the measurement.  If `first` is 0, the first
 *     quarter and the second half of the measurement.
 *   - Second difference: the first half and the second half of the measurement.
 *
 * A series in equilibrium fails in fewer than 5 of 100 cases.  A series that passes may still be in a metastable state
 * that lives longer than the run.  Errors: MW_ENOMEM. */
MW_API int mw_values_settling(const double *values, size_t n, size_t copies, size_t first,
                              struct mw_settling *settling);

/* Computes and returns a quantity from the means of several series, for mw_values_jackknife.  means[k] is the mean of
 * series k; `context` is the argument of mw_values_jackknife. */
typedef double mw_of_means(const double *means, const void *context);
/* Computes a function of means, such as a variance, and its standard error by the jackknife.
 *   - values, count, n: `count` series, at most 8, of n numbers each.
 *   - bins: number of bins of consecutive numbers, at most n.
 *   - of, context: the function of the means, and its second argument.
 *   - value: receives the result of `of` for the means of all numbers; NAN if n is 0.
 *   - error: receives the standard error of *value; NAN if `bins` is below 2.
 * Errors: MW_EINVAL (too many series or bins), MW_ENOMEM. */
MW_API int mw_values_jackknife(const double *const *values, size_t count, size_t n, size_t bins, mw_of_means *of,
                               const void *context, double *value, double *error);

/* Fits the exponent g of y ~ t^g to `n` points, by linear least squares of log y against log t.
 *   - errors: standard errors of y, which determine the weights; NULL: equal weights.
 *   - exponent: receives g.
 *   - error: receives the standard error of g: the larger of that from the residuals and that from `errors`.  Two
 *     points have no error from residuals.  NAN for two points without `errors`.
 * Errors: MW_EINVAL (a number is not positive; fewer than two different t). */
MW_API int mw_power_law_fit(const double *t, const double *y, const double *errors, size_t n, double *exponent,
                            double *error);

/* ---- the loop ---- */

/* A simulation as functions that mw_run calls.  Each function that returns a value returns 0 or a negative enum
 * mw_status, which ends the run. The state after a number of steps must not depend on how the steps are divided among
 * calls.  Functions that may be NULL:
 *   - init: if the run resumes from a checkpoint
 *   - load: if the run starts at step 0
 *   - save: if no checkpoint is written
 *   - queue, where: always */
struct mw_run_simulation {
    size_t size;                /* sizeof the struct: see status.h */
    void *context;              /* the caller's; first argument of all functions */
    int (*init)(void *context); /* makes the state of step 0 */
    /* Computes `steps` steps, and waits until they and all steps of earlier calls of `queue` are done.  `steps` may be
     * 0. */
    int (*advance)(void *context, uint64_t steps);
    /* Writes outputs, such as a row of the series (mw_series_add).  Called at step 0 of a new run, at each multiple of
     * `every`, and at the last step, also of a run that stops early.  Should fail if the state is invalid, such as if
     * it contains a NaN. */
    int (*observe)(void *context, uint64_t step);
    /* Saves the state by mw_checkpoint_put.  Should fail if the state is invalid: the previous checkpoint stays. */
    int (*save)(void *context, struct mw_checkpoint_writer *writer);
    /* Restores the state by mw_checkpoint_get, its step by mw_checkpoint_step.  mw_run has compared the settings. */
    int (*load)(void *context, const struct mw_checkpoint *checkpoint);
    /* Number of steps that the simulation computes best in one group; 0: 1.  After the first step, `advance` and
     * `queue` receive multiples of this number.  Calls before an output, a checkpoint or the end may receive fewer
     * steps. */
    uint64_t together;
    /* Begins `steps` steps and returns without waiting for them; NULL: mw_run calls `advance` instead.  mw_run calls it
     * for steps up to an output, a checkpoint or the end that is near, so that the device stays busy.  It is not called
     * for the first step.  `observe` must wait for the queued steps that it reads.  Before `save` and at the end,
     * mw_run waits by `advance` with 0 steps. */
    int (*queue)(void *context, uint64_t steps);
    /* For a simulation that ends by itself, such as at a time: `advance` and `queue` may then compute fewer steps.
     * Sets *step to the number of steps since step 0, and *left to the part of the simulation that is left, from 1 to
     * 0; 0 ends the run.  Called after each of these functions, `init` and `load`.  NULL: the run ends at the step of
     * the options only. */
    void (*where)(void *context, uint64_t *step, double *left);
};

/* Options of mw_run.  `steps` is required; for all other members 0 is the default. */
struct mw_run_options {
    size_t size;                         /* sizeof the struct: see status.h */
    uint64_t steps;                      /* step at which the run ends at the latest, from step 0 of the first run */
    uint64_t every;                      /* interval of `observe` in steps; 0: only at the start and the end */
    double time_limit;                   /* seconds after which the run stops early; 0: no limit */
    const char *checkpoint;              /* path of the checkpoint to write; NULL: none */
    uint64_t checkpoint_every;           /* interval of checkpoints in steps; 0: only at the end, or at a stop */
    const struct mw_setting *settings;   /* settings to store and to compare; the last has name NULL; NULL: none */
    const struct mw_checkpoint *restart; /* checkpoint to resume from; NULL: start at step 0 */
    struct mw_series *series;            /* time series to write or to continue (mw_series_new); NULL: none */
};

/* Result of mw_run: how far the run came, and the time that its parts took. */
struct mw_run_result {
    size_t size;               /* sizeof the struct: see status.h */
    uint64_t steps;            /* step at which the run ended, counted from step 0 of the first run */
    uint64_t done;             /* number of steps that this call has computed */
    double seconds;            /* seconds in `advance` and `queue`; time in `observe` is not included */
    double checkpoint_seconds; /* seconds of writing checkpoints */
    double first_step_seconds; /* seconds from the end of `init` or `load` to the end of the first step */
    uint64_t checkpoints;      /* number of checkpoints written */
};

/* Runs a simulation up to step `steps`, with outputs and checkpoints on schedule.  A checkpoint is written at each
 * multiple of `checkpoint_every`, and at the last step, also if the run stops early.
 *
 * If the last step is not a multiple of `every`, its row of the series is written after the checkpoint.  A resumed run
 * removes that row, so its series equals that of an uninterrupted run.
 *
 * The run stops early for one of these reasons, which are checked about every 50 ms:
 *   - mw_run_stop was called.
 *   - The time limit has passed.
 *   - The function of mw_progress_to returned a nonzero value.  It receives numbers of steps.  Other runs continue.
 *
 * Returns 0 or:
 *   - MW_ESTOPPED: the run stopped early.  The last state was saved and observed; *result is valid.
 *   - MW_EINVAL: a missing function, an invalid option, settings that differ from those of the checkpoint.
 *   - an error of the simulation, of a checkpoint or of the series. */
MW_API int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
                  struct mw_run_result *result);
/* Makes all calls of mw_run in the process stop early with MW_ESTOPPED, and returns immediately.  If no mw_run is in
 * progress, or it has already done its last step, the next mw_run stops before its first step.  A new run still
 * observes step 0.  Async-signal-safe. */
MW_API void mw_run_stop(void);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
