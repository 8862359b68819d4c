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
 * A checkpoint contains a state and everything that determines its future: a resumed run has the bits of an
 * uninterrupted one. Each is written to FILE.new, synced, and renamed to FILE; the previous one stays as FILE.old. A
 * complete checkpoint therefore exists at any time.
 *
 * The file: the 8 bytes "\x93MWCHECK", then records, then 8 bytes: the XXH64 of all before them.  A record is a name's
 * length (4 bytes), the length of its data (8 bytes), the name, and the data.  These numbers are little-endian.  The
 * records are "format" (text: version and byte order of the data); "settings" (text, one line NAME=VALUE each); "step"
 * and "observed" (text: decimal numbers); "series" with a time series (text: its bytes and their XXH64 in hexadecimal;
 * kept by a resumed run without the series); and the simulation's data, in the byte order of "format". */

/* A setting as text without line breaks: a size, a parameter, the name of a model. Either the run's bits depend on it,
 * or it is only stored, and may differ when a run is resumed. */
struct mw_setting { /* a fixed value */
    const char *name, *value;
    bool may_differ;
};

/* A checkpoint open for reading. */
struct mw_checkpoint;
/* Opens a checkpoint, and reads it up to its checksum. If `path` is damaged or missing, path.old is opened instead,
 * with a notice. Errors: MW_EIO, MW_EDATA (damaged, or not a checkpoint), MW_ENOTSUP (written by a later version, or on
 * a machine of another byte order), MW_ENOMEM. */
MW_API int mw_checkpoint_open(const char *path, struct mw_checkpoint **checkpoint);
MW_API void mw_checkpoint_close(struct mw_checkpoint *checkpoint);
/* Returns the path of the opened file: the path, or path.old; for a symbolic link, FILE.old next to its target. */
MW_API const char *mw_checkpoint_path(const struct mw_checkpoint *checkpoint);
/* Returns the step of the saved state. */
MW_API uint64_t mw_checkpoint_step(const struct mw_checkpoint *checkpoint);
/* Returns the value of a setting, or NULL. Owned by the checkpoint. */
MW_API const char *mw_checkpoint_setting(const struct mw_checkpoint *checkpoint, const char *name);
/* Checks that a run with these settings, ended by a NULL name, may resume from it. MW_EINVAL names every setting that
 * differs or that only one of the two has, ignoring settings that may differ. */
MW_API int mw_checkpoint_compare(const struct mw_checkpoint *checkpoint, const struct mw_setting *settings);
/* Copies out what was saved under a name; its length must be n.  Errors: MW_EDATA (another length, or not there),
 * MW_EIO. */
MW_API int mw_checkpoint_get(const struct mw_checkpoint *checkpoint, const char *name, void *bytes, size_t n);

/* Checks that a checkpoint can be written there without loss; mw_run does so first, too. FILE and FILE.old must each be
 * missing, empty or a checkpoint. Errors: MW_EINVAL (another file, another version, an unreadable file, a FILE.new of
 * another user), MW_EIO (a link that cannot be followed), MW_ENOMEM. */
MW_API int mw_checkpoint_replaceable(const char *path);

/* A checkpoint being written. */
struct mw_checkpoint_writer;
/* Adds bytes under a name of 1 to 63 characters, each name once.  Errors: MW_EIO, MW_EINVAL (name). */
MW_API int mw_checkpoint_put(struct mw_checkpoint_writer *writer, const char *name, const void *bytes, size_t n);

/* ---- time series ----
 *
 * A table in a text file: values separated by commas (RFC 4180), with a line of titles and one row per observation,
 * which is in the file at once. Numbers have enough digits to be read back exactly; non-finite ones are empty. */

/* A time series being written. */
struct mw_series;
/* Makes a series of `count` columns after the first one, "step"; path "-" is standard output, whose position is not
 * stored in checkpoints. Nothing is written yet: each mw_run with it starts the file anew, or cuts it back to the
 * position of its checkpoint. A file that does not begin with its first two titles, or has rows that the checkpoint
 * lacks, is not replaced: mw_run fails with MW_EDATA.
 * Errors: MW_EINVAL (a title with a comma, quote or line break), MW_ENOMEM. */
MW_API int mw_series_new(const char *path, const char *const *titles, size_t count, struct mw_series **series);
/* Adds a row, for the simulation's `observe` to call during mw_run.  On failure the file ends with the row before.
 * Errors: MW_EIO, MW_EINVAL (no run is writing the series). */
MW_API int mw_series_add(struct mw_series *series, uint64_t step, const double *values);
/* Closes the file where mw_run has not: at its end it has all rows on the disk, or fails. */
MW_API void mw_series_free(struct mw_series *series);

/* ---- statistics of a state ---- */

/* The variance is that of all cells, divided by their number. */
struct mw_statistics { /* a fixed value */
    double mean, variance, least, most;
};
/* Computes statistics of n finite floats or doubles (fp64), in double, along trees of a fixed shape: the same bits
 * everywhere. n = 0: zeros. Errors: MW_ENOMEM. */
MW_API int mw_values_statistics(const void *values, bool fp64, size_t n, struct mw_statistics *statistics);
/* Returns the index of the first value that is not finite; n if all are finite. */
MW_API size_t mw_values_not_finite(const void *values, bool fp64, size_t n);
/* Computes the size of domains of one sign on a mesh (length[0] along x, contiguous): the mean length of the runs of
 * one sign along the mesh's lines, which is d N / A; here N is the number of cells, and d the number of dimensions with
 * more than one cell.  A is the area of the interface in faces of cells: the number of pairs of neighbours of opposite
 * sign, including pairs across the ends of a periodic dimension. 0 counts as positive.  INFINITY if A is 0.  `boundary`
 * NULL: periodic in all dimensions. */
MW_API double mw_values_domain_size(const void *values, bool fp64, unsigned dims, const size_t *length,
                                    const enum mw_boundary *boundary);

/* Computes the mean of n consecutive measurements, and its standard error by binning (Flyvbjerg and Petersen 1989).
 * Neighbours are averaged repeatedly until the means are independent; the result is the largest error with at least 16
 * bins. NAN: fewer than two numbers. Errors: MW_ENOMEM. */
MW_API int mw_values_binning(const double *values, size_t n, double *mean, double *error);

/* Computes the integrated autocorrelation time of `copies` contiguous, independent series of n numbers from one
 * distribution, with its standard error. It is 1/2 plus the sum of the autocorrelation function up to 6 times itself
 * (Madras and Sokal 1988), in steps from number to number; independent numbers have 1/2. The error is NAN if the series
 * are too short for such a window; both are NAN if all numbers are the same. Cost: at most about 512 multiplications
 * per number, since for long times neighbours are averaged first. Errors: MW_ENOMEM. */
MW_API int mw_values_autocorrelation(const double *values, size_t n, size_t copies, double *time, double *error);

#define MW_DRIFT_ERRORS 3.5 /* limit of a drift, in standard errors: see MW_UNSETTLED_DRIFT */
/* Reasons why a series is not in equilibrium. */
enum mw_unsettled {
    MW_UNSETTLED_NONE,  /* none was found */
    MW_UNSETTLED_FEW,   /* fewer than 16 numbers were measured */
    MW_UNSETTLED_DRIFT, /* a difference is more than MW_DRIFT_ERRORS of its errors */
    /* Fewer than 10 of a copy's numbers are independent: the autocorrelation time, from all numbers and without its
     * bias (Wolff 2004), is more than a 20th of the measurement. */
    MW_UNSETTLED_SLOW,
    MW_UNSETTLED_FROZEN /* for spins: mw_spin_equilibrium_settling */
};
MW_API const char *mw_unsettled_name(int value); /* status.h: "settled", "few", "drift", "slow", "frozen" */
MW_API int mw_unsettled_find(const char *name, enum mw_unsettled *value);
/* Result of mw_values_settling. */
struct mw_settling {
    size_t size; /* sizeof the struct: see status.h */
    enum mw_unsettled why;
    double time;               /* the autocorrelation time; NAN: all numbers are the same */
    double independent;        /* independent numbers per copy */
    double drift, drift_error; /* the difference that is more of its errors */
    double deviation;          /* standard deviation of the measurement */
    /* Term to be added to the mean's error, as squares: 0, or four times the drift, and for MW_UNSETTLED_FEW and _SLOW
     * at least the deviation. For a decay as t^(-1/3), the slowest of growing domains, four times the difference
     * between a run's second quarter and second half remains. */
    double widening;
};
/* Tests whether series are in equilibrium: `copies` contiguous series of n numbers. The numbers from `first` on are the
 * measurement, and earlier ones are from the same run. Two differences of means are compared with their standard
 * errors, which include the autocorrelation time of the measurement. The first is between the numbers before and after
 * `first`, as by Geweke (1992; if `first` is 0: between the first quarter and the second half). The second is between
 * the first and the second half of the measurement.
 * A series in equilibrium fails in fewer than 5 of 100 cases.  A series that passes may still be in a metastable state
 * that outlasts it.  Errors: MW_ENOMEM. */
MW_API int mw_values_settling(const double *values, size_t n, size_t copies, size_t first,
                              struct mw_settling *settling);

/* A function of means, for mw_values_jackknife: means[k] is that of series k. */
typedef double mw_of_means(const double *means, const void *context);
/* Computes a function of means, such as a variance, with its standard error by the jackknife.  There are `count` series
 * (at most 8) of n numbers, the kth with the mean means[k], in `bins` bins of neighbours, 1 to n.  NAN: n = 0, and the
 * error with fewer than two bins.  Errors: MW_EINVAL, MW_ENOMEM. */
MW_API int mw_values_jackknife(const double *const *values, size_t count, size_t n, size_t bins, mw_of_means *of,
                               const void *context, double *value, double *error);

/* Fits the exponent g of y ~ t^g by least squares of logarithms, with its standard error: from the residuals, or from
 * the standard errors of the values if given, which are then the weights; the larger of the two. NAN for two points
 * without errors. Errors: MW_EINVAL (a value that is not positive; fewer than two different points). */
MW_API int mw_power_law_fit(const double *t, const double *y, const double *errors, size_t n, double *exponent,
                            double *error);

/* ---- the loop ---- */

/* Functions of a simulation for the loop, which return a status. `init` may be NULL for a resumed run, `load` for
 * others, `save` without checkpoints, and `queue` always. The bits after a number of steps must depend only on its
 * settings and that number, not on the division of steps among calls. */
struct mw_run_simulation {
    size_t size; /* sizeof the struct: see status.h */
    void *context;
    int (*init)(void *context); /* makes the state of step 0 */
    /* Does that many steps, and waits until all are done, including steps of `queue`. There may be no further steps. */
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
    /* Begins that many steps without waiting. Called instead of `advance` if an output, a checkpoint or the end comes
     * before the next reading of the clock, so that the device stays busy. Not called for the first step. `observe`
     * waits for the steps that it needs; before `save` and at the end the loop waits. */
    int (*queue)(void *context, uint64_t steps);
};

struct mw_run_options {
    size_t size;                         /* sizeof the struct: see status.h */
    uint64_t steps;                      /* in total: a restarted run does the rest */
    uint64_t every;                      /* 0: observe only at the start and the end */
    double time_limit;                   /* seconds, 0: none */
    const char *checkpoint;              /* the file to write; NULL: none */
    uint64_t checkpoint_every;           /* 0: only when the run ends or stops */
    const struct mw_setting *settings;   /* settings of the bits, ended by a NULL name; NULL: none */
    const struct mw_checkpoint *restart; /* goes on from there; NULL: from step 0 */
    struct mw_series *series;            /* is kept in step with the checkpoints; NULL: none */
};

/* Result of mw_run. */
struct mw_run_result {
    size_t size;    /* sizeof the struct: see status.h */
    uint64_t steps; /* the step that was reached */
    uint64_t done;  /* steps of this loop: less, where it was restarted */
    double seconds; /* computing, without observing, which may wait, and checkpoints */
    double checkpoint_seconds;
    double first_step_seconds; /* from the loop's start until the first step was complete */
    uint64_t checkpoints;      /* written */
};

/* Runs the loop. The clock is read about every 50 ms. Checkpoints are written at multiples of `checkpoint_every`, when
 * the loop stops early, and at the end. A row of the series that is only added because the run ends is not part of the
 * checkpoint. A resumed series thus equals the uninterrupted one. The function of mw_progress_to is called with
 * steps, and its stop is like mw_run_stop. Returns 0; MW_ESTOPPED after a stop or the time limit (*result has the last
 * step, and the last state was saved and observed); the simulation's error; or an error of a checkpoint or series. */
MW_API int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
                  struct mw_run_result *result);
/* Stops all loops of the process at the next opportunity. A request without a running loop, or with a complete one,
 * stops the next loop after it has observed step 0. Async-signal-safe. */
MW_API void mw_run_stop(void);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
