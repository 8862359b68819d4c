/* Status codes, error messages, versions, options, messages, and what holds for all headers.
 *
 * Errors.  Every fallible function returns 0 or a negative enum mw_status.  The message, one sentence with the failure,
 * its place and the remedy, is in a buffer of the calling thread until that thread's next failure.  Headers name the
 * specific errors of a call; MW_ENOMEM and MW_EDEVICE may come from any call that needs memory or a device.
 *
 * Pointers. A pointer may be NULL only if its function's comment allows it; all functions that free accept NULL.
 * Results come last, and are unchanged after a failure. The caller owns new objects, and frees them by the function
 * next to the one that made them, or by free() if stated. A const result belongs to the object that returned it, and is
 * valid until that changes or is freed; rows of tables and names of variants are always valid.
 *
 * Threads. Functions can be called from any number of threads at once, on different objects. One object (a device with
 * everything made on it, a map, a file being written) is used by one thread at a time. Functions that take it as const
 * may be called concurrently while it does not change. Each header has the details. The receiver of messages
 * (mw_log_to), the changes of mw_process_prepare, and mw_run_stop are per process, not per thread. So are the files in
 * the cache folder, which calls replace in turn. */
#ifndef MESHWORK_STATUS_H
#define MESHWORK_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MW_API __attribute__((visibility("default")))
#define MW_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define MW_API
#define MW_PRINTF(fmt, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes. */
enum mw_status {
    MW_OK = 0,
    MW_ENOMEM = -1,    /* the host is out of memory */
    MW_EINVAL = -2,    /* an argument, option or selector makes no sense */
    MW_ENODEV = -3,    /* no such device */
    MW_EBUILD = -4,    /* a kernel or a model did not build; the message names the file and the first error */
    MW_EIO = -5,       /* reading or writing a file failed */
    MW_EDEVICE = -6,   /* the device failed, or refused a call */
    MW_ELIMIT = -7,    /* more than the device, the file format or the index type can hold */
    MW_ENOTSUP = -8,   /* not built in, or not on this device */
    MW_EDATA = -9,     /* a file's contents are malformed */
    MW_ESTOPPED = -10, /* stopped early on request; what was promised has been saved */
    MW_EVERIFY = -11   /* a verification failed */
};

/* Names of enumerators.  mw_X_name returns the name of a value of enum mw_X, as the command has it, or NULL if there is
 * no such value; names are static.  Values begin at 0.  mw_X_find finds the value of a name.
 * Errors: MW_EINVAL (no value has that name; the message lists the names).
 *
 * Those of a status are its enumerators, "MW_EINVAL"; its values go down from 0. */
MW_API const char *mw_status_name(int status);
MW_API int mw_status_find(const char *name, int *status);

/* Returns the message of this thread's last failure; "" without one, never NULL. It is owned by the library, and valid
 * until the thread's next failing call. Successful calls do not change it. */
MW_API const char *mw_errmsg(void);
/* Records a message, without "error:" and line break, and returns `status`. For functions that a program passes to the
 * library, such as a simulation's, and for programs that report their own failures in the same way. */
MW_API int mw_fail(enum mw_status status, const char *format, ...) MW_PRINTF(2, 3);
/* Puts context before the sentence of this thread's last failure, "context: sentence", and returns `status`. */
MW_API int mw_fail_in(int status, const char *format, ...) MW_PRINTF(2, 3);

/* The version that a program is compiled with, in parts and as one number to compare by: 1002003 is 1.2.3. */
#define MESHWORK_VERSION_MAJOR 0
#define MESHWORK_VERSION_MINOR 1
#define MESHWORK_VERSION_PATCH 0
#define MESHWORK_VERSION_NUMBER                                                                                        \
    (MESHWORK_VERSION_MAJOR * 1000000 + MESHWORK_VERSION_MINOR * 1000 + MESHWORK_VERSION_PATCH)

/* Returns the version of the running library as "MAJOR.MINOR.PATCH". */
MW_API const char *mw_version(void);
/* Returns the version of the running library as one number, as in MESHWORK_VERSION_NUMBER. */
MW_API int mw_version_number(void);

/* Structs that a program makes begin with `size`, which it sets to sizeof the struct.  They can grow at their end: a
 * program works with later libraries, and with earlier ones if it uses nothing newer.
 *
 *     struct mw_label_options options = { .size = sizeof options, .dims = 2, .length = { 640, 480 } };
 *     struct mw_graph_paths paths = MW_INIT(paths);
 *
 * MW_INIT sets the size and zeroes the rest, in C and in C++.
 *
 * Options.  Members that are 0 are the defaults, and NULL is all defaults if the call takes it.  Without a size all
 * members have to be 0 (MW_EINVAL).  A struct that is shorter than the library's is taken as if the rest were 0.  One
 * that is longer is taken if the rest is 0, and else MW_ENOTSUP.  Options are read during the call only.
 *
 * Results. The library writes the members of the caller's struct, and 0 to members of later versions. An invalid size,
 * such as 0, is MW_EINVAL, before any work.
 *
 * Results in the caller's memory. If a member of the options is an array for a result, the call writes the elements
 * there instead of allocating them, and the result's member of that name is NULL. The array is used during the call
 * only; after a failure its contents are undefined.  Functions that end in _into write to a struct mw_array of the
 * caller in the same way.  Its type and lengths must be the result's (MW_EINVAL, before any work).  Results whose
 * length is not known before the call are always allocated.
 *
 * Structs without `size` are marked.  "A fixed value" is part of arrays, or copied, and stays as it is within a version
 * of the shared library (its soname).  "The library's" is only made by the library, and may grow at its end. */
#ifdef __cplusplus
extern "C++" {
template <class mw_struct> inline mw_struct mw_sized()
{
    mw_struct all = mw_struct();
    all.size = sizeof all;
    return all;
}
}
#define MW_INIT(name) mw_sized<decltype(name)>()
#else
#define MW_INIT(name)                                                                                                  \
    {                                                                                                                  \
        .size = sizeof(name)                                                                                           \
    }
#endif

/* The value of a parameter by its name, as in { "n", 1e6 }.  Calls take several, in any order; the last of one name
 * counts. */
struct mw_value { /* a fixed value */
    const char *name;
    double value;
};

/* Messages. The library never prints: messages for users go to a function that the program sets. */

/* Kinds of messages. */
enum mw_log_level {
    MW_LOG_NOTICE,  /* should always be shown */
    MW_LOG_INFO,    /* should be shown with -v (built, cached, tuned, timed) */
    MW_LOG_FAILURE, /* the reason why the program ends without a returning call: a driver has called exit() */
    /* The calling thread begins to wait ("compiling (first run): ..."), worth a line if it takes long; "": the wait has
     * ended. Waits may be nested. */
    MW_LOG_WAIT
};
/* Receives a message of the library; `context` is that of mw_log_to. */
typedef void mw_log_fn(void *context, enum mw_log_level level, const char *message);

/* Sets the process-wide receiver of messages (NULL: none, which is how it starts).  Not thread-safe: call it before
 * other threads use the library.  The function may be called from any thread. */
MW_API void mw_log_to(mw_log_fn *receiver, void *context);

/* Progress.  Long calls report to a function of the calling thread how many parts of all are done.  Parts are the
 * call's units (steps, sources, vertices), or 0 and 1 without such.  It is called by that thread, at most ten times per
 * second and at the end; `done` does not decrease within a call.  If it returns anything but 0, the call ends with
 * MW_ESTOPPED. Results are then unchanged, and fields, spins, walks and walkers are after a whole number of steps and
 * can be advanced further.  A stop after the last part has no effect.  The function must not use objects of the call.
 * Functions that queue steps (such as mw_field_advance) wait for them while such a function is set. */
typedef int mw_progress_fn(void *context, uint64_t done, uint64_t all);

/* Sets the function for calls of this thread (NULL: none, which is how a thread starts). */
MW_API void mw_progress_to(mw_progress_fn *function, void *context);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
