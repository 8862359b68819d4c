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
 * the same bits as an uninterrupted one.  A checkpoint is written to FILE.new, synced, and renamed to FILE; the
 * previous one becomes FILE.old.  Thus there is a complete checkpoint at any time.
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

/* A setting of a run, as text: a size, a parameter, the name of a model.  The value has no line break. */
struct mw_setting { /* a fixed value */
    const char *name, *value;
    bool may_differ; /* false: a resumed run must have the same value; true: the value is only stored */
};

/* A checkpoint open for reading. */
struct mw_checkpoint;
/* Opens a checkpoint and verifies its checksum.  If the file `path` is damaged or missing, opens path.old instead, with
 * a notice.  Errors: MW_EIO, MW_EDATA (damaged, or not a checkpoint), MW_ENOTSUP (another version of the format, or
 * another byte order), MW_ENOMEM. */
MW_API int mw_checkpoint_open(const char *path, struct mw_checkpoint **checkpoint);
MW_API void mw_checkpoint_close(struct mw_checkpoint *checkpoint);
/* Returns the path of the opened file: `path` of mw_checkpoint_open, or that of the .old file.  For a symbolic link,
 * the .old file is next to the link's target. */
MW_API const char *mw_checkpoint_path(const struct mw_checkpoint *checkpoint);
/* Returns the step of the saved state. */
MW_API uint64_t mw_checkpoint_step(const struct mw_checkpoint *checkpoint);
/* Returns the value of a setting; NULL if the checkpoint has no such setting.  Owned by the checkpoint. */
MW_API const char *mw_checkpoint_setting(const struct mw_checkpoint *checkpoint, const char *name);
/* Checks that a run with these settings may resume from a checkpoint.  The array ends with an element whose name is
 * NULL.  Settings with `may_differ` are ignored.  Errors: MW_EINVAL (the message lists settings that differ, that only
 * the checkpoint has, or that only the array has). */
MW_API int mw_checkpoint_compare(const struct mw_checkpoint *checkpoint, const struct mw_setting *settings);
/* Copies the n bytes that mw_checkpoint_put saved under a name.  Errors: MW_EDATA (no record has this name, or its
 * length is not n), MW_EIO. */
MW_API int mw_checkpoint_get(const struct mw_checkpoint *checkpoint, const char *name, void *bytes, size_t n);

/* Checks that writing a checkpoint to `path` would replace no other file.  mw_run also checks this before its first
 * step.  path and path.old must each be missing, empty or a checkpoint.  Errors: MW_EINVAL (another file, another
 * version of the format, an unreadable file, a file path.new of another user), MW_EIO (a link that cannot be followed),
 * MW_ENOMEM. */
MW_API int mw_checkpoint_replaceable(const char *path);

/* A checkpoint that mw_run is writing. */
struct mw_checkpoint_writer;
/* Adds n bytes to a checkpoint, under a name of 1 to 63 characters that is used only once.  For the simulation's
 * `save`.
 * Errors: MW_EIO, MW_EINVAL (length of the name). */
MW_API int mw_checkpoint_put(struct mw_checkpoint_writer *writer, const char *name, const void *bytes, size_t n);

/* ---- time series ----
 *
 * A time series is a table in a text file of comma-separated values (RFC 4180): a line of titles, then one row per
 * observation.  Each row is written to the file at once.  Numbers have enough digits to be read back exactly;
 * non-finite numbers are empty. */

/* A time series for mw_run to write. */
struct mw_series;
/* Makes a series with the column "step" and `count` columns with the given titles.  Nothing is written yet.  Path "-"
 * is standard output; its position is not stored in checkpoints.
 *
 * mw_run writes the titles to a new file, or resumes: it truncates the file to the length in the checkpoint.  It fails
 * with MW_EDATA if the existing file
 *   - does not begin with the first two titles,
 *   - differs from the beginning that the checkpoint recorded, or
 *   - has rows before the step of a checkpoint that was written without a series.
 * Errors: MW_EINVAL (a title with a comma, quote or line break), MW_ENOMEM. */
MW_API int mw_series_new(const char *path, const char *const *titles, size_t count, struct mw_series **series);
/* Adds a row of one value per title.  For the simulation's `observe`, during mw_run.  After a failure the file ends
 * with the previous row.  Errors: MW_EIO, MW_EINVAL (no mw_run is writing the series). */
MW_API int mw_series_add(struct mw_series *series, uint64_t step, const double *values);
/* Frees a series, and closes its file if a failed mw_run left it open.  A successful mw_run syncs and closes it. */
MW_API void mw_series_free(struct mw_series *series);

/* ---- statistics of a state ---- */

/* Statistics of a state. */
struct mw_statistics { /* a fixed value */
    /* variance: the mean square of the deviations from the mean */
    double mean, variance, least, most;
};
/* Computes the statistics of n finite values, which are double if fp64 is true, otherwise float.  All sums are in
 * double precision, in an order that depends only on n.  n = 0: zeros.  Errors: MW_ENOMEM. */
MW_API int mw_values_statistics(const void *values, bool fp64, size_t n, struct mw_statistics *statistics);
/* Returns the index of the first of n values that is not finite; n if all are finite.  Values are double if fp64 is
 * true, otherwise float. */
MW_API size_t mw_values_not_finite(const void *values, bool fp64, size_t n);
/* Returns the size of domains of one sign on a mesh: the mean length of runs of one sign along lines of the mesh.
 *
 * The size is d * N / A.  N is the number of cells, d the number of dimensions with more than one cell, and A the
 * number of pairs of neighbours of opposite sign.  Pairs across the ends of a periodic dimension are included.  0
 * counts as positive.  Returns INFINITY if A is 0.
 *   - values: double if fp64 is true, otherwise float.
 *   - length: lengths in cells, x (contiguous) first.
 *   - boundary: one element per dimension; NULL: periodic in all. */
MW_API double mw_values_domain_size(const void *values, bool fp64, unsigned dims, const size_t *length,
                                    const enum mw_boundary *boundary);

/* Computes the mean of n consecutive measurements, and its standard error by binning (Flyvbjerg and Petersen 1989).
 * Pairs of neighbours are averaged repeatedly, as long as at least 16 bins remain; *error is the largest error of all
 * levels.  With fewer than two numbers *error is NAN; without a number, so is *mean.  Errors: MW_ENOMEM. */
MW_API int mw_values_binning(const double *values, size_t n, double *mean, double *error);

/* Computes the integrated autocorrelation time and its standard error (Madras and Sokal 1988).
 *   - values: `copies` independent series of one distribution, one after the other; each has n numbers.
 *   - time: 1/2 plus the sum of the autocorrelation function over a window of 6 times the result.  Its unit is the
 *     interval between two numbers; independent numbers have 1/2.  NAN if all numbers are equal.
 *   - error: NAN if the series are shorter than the window, or `time` is NAN.
 * Errors: MW_ENOMEM.
 * Cost: at most about 512 multiplications per number; for long times, pairs of neighbours are averaged first. */
MW_API int mw_values_autocorrelation(const double *values, size_t n, size_t copies, double *time, double *error);

#define MW_DRIFT_ERRORS 3.5 /* limit of a difference, in standard errors: see MW_UNSETTLED_DRIFT */
/* Reasons why a series is not in equilibrium. */
enum mw_unsettled {
    MW_UNSETTLED_NONE,  /* no reason was found */
    MW_UNSETTLED_FEW,   /* fewer than 16 numbers were measured per copy */
    MW_UNSETTLED_DRIFT, /* a difference of means is larger than MW_DRIFT_ERRORS times its standard error */
    /* A copy has fewer than 10 independent numbers: the autocorrelation time is more than a 20th of the measurement.
     * The time is computed from all numbers and corrected for its bias (Wolff 2004). */
    MW_UNSETTLED_SLOW,
    MW_UNSETTLED_FROZEN /* a copy's energy is constant (mw_spin_equilibrium_settling) */
};
MW_API const char *mw_unsettled_name(int value); /* Name, see status.h: "settled", "few", "drift", "slow", "frozen" */
MW_API int mw_unsettled_find(const char *name, enum mw_unsettled *value);
/* Result of mw_values_settling. */
struct mw_settling {
    size_t size; /* sizeof the struct: see status.h */
    enum mw_unsettled why;
    double time;        /* autocorrelation time of the measurement; NAN: no measurement, or all its numbers are equal */
    double independent; /* number of independent numbers per copy; NAN: no measurement */
    /* The larger of the two differences of means, in units of their standard errors, and its standard error. */
    double drift, drift_error;
    double deviation; /* standard deviation of the measurement */
    /* Addition w to the standard error e of the mean, which becomes sqrt(e^2 + w^2).  0 if the series is settled.
     * Otherwise four times |drift|, and at least `deviation` for MW_UNSETTLED_FEW and MW_UNSETTLED_SLOW.  Reason for
     * the four: a mean that decays as t^(-1/3), the slowest growth of domains, changes further after the run: by about
     * four times the difference between the second quarter and the second half of the run. */
    double widening;
};
/* Tests whether a measured quantity is in equilibrium.
 *   - values: `copies` series, one after the other; each has n numbers.
 *   - first: index in each series at which the measurement begins; earlier numbers are from the same run.
 *
 * The test compares two differences of means with their standard errors, which include the autocorrelation time of the
 * measurement.  The first difference is between the numbers before `first` and the measurement (Geweke 1992).  If
 * `first` is 0, it is between the first quarter and the second half.  The second difference is between the two halves
 * of the measurement.
 *
 * A series in equilibrium fails in fewer than 5 of 100 cases.  A series that passes may still be in a metastable state
 * with a longer life than the run.  Errors: MW_ENOMEM. */
MW_API int mw_values_settling(const double *values, size_t n, size_t copies, size_t first,
                              struct mw_settling *settling);

/* Computes a quantity from the means of several series, for mw_values_jackknife.  means[k] is the mean of series k;
 * `context` is the caller's. */
typedef double mw_of_means(const double *means, const void *context);
/* Computes a function of means, such as a variance, and its standard error by the jackknife.
 *   - values, count, n: `count` series, at most 8, of n numbers each.
 *   - bins: number of bins of consecutive numbers, at most n.
 *   - of, context: the function, and its second argument.
 *   - value: the function of the means; NAN if n is 0.
 *   - error: its standard error; NAN with fewer than two bins.
 * Errors: MW_EINVAL (too many series or bins), MW_ENOMEM. */
MW_API int mw_values_jackknife(const double *const *values, size_t count, size_t n, size_t bins, mw_of_means *of,
                               const void *context, double *value, double *error);

/* Fits the exponent g of y ~ t^g to n points, by least squares of logarithms.
 *   - errors: standard errors of y, which determine the weights; NULL: equal weights.
 *   - exponent: receives g.
 *   - error: receives the standard error of g.  It is computed from the residuals and, if given, from `errors`; the
 *     larger one counts.  NAN for two points without `errors`.
 * Errors: MW_EINVAL (a number is not positive; fewer than two different t). */
MW_API int mw_power_law_fit(const double *t, const double *y, const double *errors, size_t n, double *exponent,
                            double *error);

/* ---- the loop ---- */

/* Functions of a simulation, called by mw_run.  Each returns 0 or a negative enum mw_status, which ends the run.
 *
 * NULL is allowed for `init` of a resumed run, `load` of a new run, `save` without checkpoints, and `queue`.
 *
 * The state after a number of steps must not depend on how the steps are divided among calls. */
struct mw_run_simulation {
    size_t size;                /* sizeof the struct: see status.h */
    void *context;              /* the caller's; first argument of all functions */
    int (*init)(void *context); /* makes the state of step 0 */
    /* Computes `steps` steps, possibly 0, and waits for them and for all steps of `queue`. */
    int (*advance)(void *context, uint64_t steps);
    /* Writes outputs, such as rows of the series.  Called at step 0 of a new run, at multiples of `every`, and at the
     * end.  Should fail if the state is invalid, such as with a NaN. */
    int (*observe)(void *context, uint64_t step);
    /* Saves the state by mw_checkpoint_put.  Should fail if the state is invalid, so that no valid checkpoint is
     * replaced. */
    int (*save)(void *context, struct mw_checkpoint_writer *writer);
    /* Restores the state and its step (mw_checkpoint_step) by mw_checkpoint_get.  The settings have been compared. */
    int (*load)(void *context, const struct mw_checkpoint *checkpoint);
    /* Number of steps that together cost about as much as one; 0 means 1.  After the first step, `advance` and `queue`
     * receive multiples of this number, unless an output, a checkpoint or the end requires fewer steps. */
    uint64_t together;
    /* Begins `steps` steps without waiting; NULL: `advance` is called instead.  The loop calls it when an output, a
     * checkpoint or the end comes soon, so that the device stays busy.  It is not called for the first step.
     * `observe` must wait for the queued steps that it needs.  The loop waits before `save` and at the end. */
    int (*queue)(void *context, uint64_t steps);
};

/* Schedule, checkpoints and series of a run. */
struct mw_run_options {
    size_t size;                         /* sizeof the struct: see status.h */
    uint64_t steps;                      /* last step, counted from step 0 of the first run */
    uint64_t every;                      /* interval of `observe` in steps; 0: only at the start and the end */
    double time_limit;                   /* seconds after which the run stops; 0: none */
    const char *checkpoint;              /* path of the checkpoint to write; NULL: none */
    uint64_t checkpoint_every;           /* interval of checkpoints in steps; 0: only at the end, or at a stop */
    const struct mw_setting *settings;   /* settings for checkpoints, ended by an element with name NULL; NULL: none */
    const struct mw_checkpoint *restart; /* checkpoint to resume from; NULL: start at step 0 */
    struct mw_series *series;            /* time series, resumed from checkpoints as well; NULL: none */
};

/* Result of mw_run. */
struct mw_run_result {
    size_t size;               /* sizeof the struct: see status.h */
    uint64_t steps;            /* the last step, counted from step 0 of the first run */
    uint64_t done;             /* number of steps that this call has computed */
    double seconds;            /* time of `advance` and `queue`; steps that `observe` waits for are not included */
    double checkpoint_seconds; /* time of writing checkpoints */
    double first_step_seconds; /* time from the start of the loop to the end of its first step */
    uint64_t checkpoints;      /* number of checkpoints written */
};

/* Runs a simulation with outputs and checkpoints on schedule.  A checkpoint is written at each multiple of
 * `checkpoint_every`, when the run stops early, and at the end.
 *
 * If the last step is not a multiple of `every`, its row of the series is written after the checkpoint.  A resumed run
 * removes that row, so its series equals that of an uninterrupted run.
 *
 * Stops: mw_run_stop, the time limit, or a nonzero result of the function of mw_progress_to, which receives steps.
 * Such a result ends only this run.  The time and stop requests are checked about every 50 ms.
 *
 * Returns 0 or:
 *   - MW_ESTOPPED: the run stopped early.  The last state was saved and observed; *result is valid.
 *   - MW_EINVAL: a missing function, an invalid option, settings that differ from the checkpoint's.
 *   - an error of the simulation, of a checkpoint or of the series. */
MW_API int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
                  struct mw_run_result *result);
/* Requests that all running loops of the process stop.  If no loop is running, or a loop has done its last step, the
 * next mw_run stops before its first step; a new run observes step 0 first.  Async-signal-safe. */
MW_API void mw_run_stop(void);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
