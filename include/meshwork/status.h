/* Status codes, error messages, versions, options, messages, and the rules of all headers.
 *
 * Errors.  A function that can fail returns 0 or a negative enum mw_status.  mw_errmsg then returns the message: one
 * sentence with the failure, its place and the remedy.  The comment of a function lists its errors.  Every call that
 * uses memory or a device can also return MW_ENOMEM or MW_EDEVICE.
 *
 * Pointers.  A pointer may be NULL only if the comment of the function allows it.  Functions that free accept NULL.
 * Result arguments come last; a failure leaves them unchanged, unless the comment says otherwise.  The caller owns a
 * new object, and frees it by the _free or _close function of its type, unless the comment names another function.  A
 * function may return a const pointer into one of its arguments.  The pointer is valid until that object changes or is
 * freed.  Rows of tables and names of variants are always valid.
 *
 * Threads.  Any number of threads may call functions at once, on different objects.  Only one thread at a time may use
 * a device with everything made on it.  Only one thread at a time may change any other object, such as a map or a file
 * being written.  Functions that take such an other object as const may be called concurrently while it does not
 * change. Each header has the details.  All threads of a process share:
 * - the receiver of messages (mw_log_to);
 * - the changes allowed by mw_process_prepare;
 * - the effect of mw_run_stop;
 * - the files in the cache folder. */
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

/* States how a call ended: 0 (success), or why it failed. */
enum mw_status {
    MW_OK = 0,
    MW_ENOMEM = -1,    /* the host is out of memory */
    MW_EINVAL = -2,    /* an argument, option or selector is invalid */
    MW_ENODEV = -3,    /* a selector or queue matches no listed device */
    MW_EBUILD = -4,    /* a kernel or a model did not build; the message has the file and the first error */
    MW_EIO = -5,       /* reading or writing a file failed */
    MW_EDEVICE = -6,   /* the device failed, or rejected a call */
    MW_ELIMIT = -7,    /* a size exceeds a limit of the device, the file format, the index type or the library */
    MW_ENOTSUP = -8,   /* not supported by this build, or by this device */
    MW_EDATA = -9,     /* the contents of a file are malformed, or a computed value is invalid, such as NaN */
    MW_ESTOPPED = -10, /* stopped early on request or at a time limit */
    MW_EVERIFY = -11   /* a verification failed */
};

/* Names of values.  Many enums have two functions, here for an enum mw_X whose values begin at 0:
 * - mw_X_name returns the name of a value, as the command `meshwork` uses it; NULL: there is no such value.  The
 *   text is always valid.
 * - mw_X_find finds the value that has a name.  Errors: MW_EINVAL (no value has this name; the message lists the
 *   names). */

/* Returns the name of a status, which is its enumerator, such as "MW_EINVAL"; NULL: there is no such status. */
MW_API const char *mw_status_name(int status);
/* Finds the status that has a name of mw_status_name.  Errors: MW_EINVAL (no status has this name). */
MW_API int mw_status_find(const char *name, int *status);

/* Returns the message of this thread's last failure; "" if no call has failed. The text belongs to the library. It is
 * valid until this thread's next call that fails; some successful calls change it too. */
MW_API const char *mw_errmsg(void);
/* Sets the message that mw_errmsg returns in this thread, and returns `status`.  `format` and the further arguments are
 * those of printf, and give at most 1023 bytes; more are cut.  The message should not contain "error:".  A program
 * calls this in functions that it passes to the library, and for its own failures. */
MW_API int mw_fail(enum mw_status status, const char *format, ...) MW_PRINTF(2, 3);
/* Changes the message of this thread's last failure from "MESSAGE" to "CONTEXT: MESSAGE", and returns `status`.
 * `format` and the further arguments give the context, as in printf. */
MW_API int mw_fail_in(int status, const char *format, ...) MW_PRINTF(2, 3);

/* Version of the headers with which a program is compiled, in parts and as one number: 1002003 is version 1.2.3. */
#define MESHWORK_VERSION_MAJOR 0
#define MESHWORK_VERSION_MINOR 1
#define MESHWORK_VERSION_PATCH 0
#define MESHWORK_VERSION_NUMBER                                                                                        \
    (MESHWORK_VERSION_MAJOR * 1000000 + MESHWORK_VERSION_MINOR * 1000 + MESHWORK_VERSION_PATCH)

/* Returns the version of the running library as "MAJOR.MINOR.PATCH". */
MW_API const char *mw_version(void);
/* Returns the version of the running library as one number: 1002003 is version 1.2.3. */
MW_API int mw_version_number(void);

/* Structs that a program makes begin with `size`, which the program sets to sizeof the struct.  Later versions of the
 * library may append members.  A program then works with later libraries; it works with earlier ones if it uses no
 * newer member.
 *
 *     struct mw_label_options options = { .size = sizeof options, .dims = 2, .length = { 640, 480 } };
 *     struct mw_graph_paths paths = MW_INIT(paths);
 *
 * MW_INIT sets the size and zeroes the rest, in C and in C++.  C++ needs the word `struct` as well if a function has
 * the name of the struct, as here.
 *
 * Options.  A member that is 0 has its default.  A NULL pointer means all defaults, if the comment allows it.  A size
 * of 0 is MW_EINVAL, unless all members are 0.  If the struct is shorter than the library's, missing members count as
 * 0.  If it is longer, the unknown members must be 0 (MW_ENOTSUP).  Options are read during the call only.
 *
 * Results.  The library writes the members of the caller's struct, and 0 to members that it does not have.  An invalid
 * size, such as 0, is MW_EINVAL, before any work.
 *
 * Results in the caller's memory.  Some options are arrays of the caller.  The call writes the elements of the result
 * of the same name there, and sets the member of the result to NULL.  The array is used during the call only; after a
 * failure its contents are undefined.  Functions that end in _into write to a struct mw_array of the caller, except
 * mw_components_array_into, which takes a plain array.  The array has the type and lengths of the result (MW_EINVAL,
 * before any work).  A result is always allocated if its length is not known before the call.
 *
 * Structs without `size` have a comment.  "A fixed value": the struct does not change within a version of the shared
 * library (its soname).  "The library's, may grow": only the library makes such structs, and later versions may append
 * members. */
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

/* Sets a parameter, such as one of a generator: { "n", 1e6 } sets n to a million.  Functions take an array of these, in
 * any order.  If a name occurs twice, the last value counts. */
struct mw_value { /* a fixed value */
    const char *name;
    double value;
};

/* Messages. The library never prints: messages for users go to a function that the program sets. */

/* States the kind of a message, from which its receiver (mw_log_to) decides whether to show it. */
enum mw_log_level {
    MW_LOG_NOTICE,  /* should always be shown */
    MW_LOG_INFO,    /* should be shown with -v: built, cached, tuned, timed */
    MW_LOG_FAILURE, /* the reason why the program is about to end: a driver has called exit() */
    /* The calling thread begins to wait; the message gives the reason, such as "compiling (first run): ...".  It should
     * be shown only if the wait is long.  An empty message, "", ends the wait that began last.  Waits may be nested. */
    MW_LOG_WAIT
};
/* Receives a message of the library: the type of a function that a program provides to mw_log_to.  Any thread may call
 * it.  `context` is the argument of mw_log_to; `message` is one line, valid during the call only. */
typedef void mw_log_fn(void *context, enum mw_log_level level, const char *message);

/* Sets the function that receives the messages of all threads.  NULL, the default: messages are discarded.  `context`
 * is passed to the function.  Call this before other threads use the library. */
MW_API void mw_log_to(mw_log_fn *receiver, void *context);

/* Receives the progress of a long call of the library: the type of a function that a program provides to
 * mw_progress_to.
 *   - context: the argument of mw_progress_to.
 *   - done: number of parts that are complete; it does not decrease within a call.
 *   - all: number of all parts.  Parts are steps, sources or vertices, depending on the call.  A call without parts
 *     reports 0 of 1 while it works, and 1 of 1 at its end.
 * The thread that made the long call calls this function at most ten times per second, and once more at the end.  The
 * function must not use objects of the long call.
 *
 * If the function returns a value other than 0, the long call stops and returns MW_ESTOPPED, except if `done` is
 * already `all`.  A stopped call leaves its result arguments unchanged.  Fields, spins, walks and walkers then have
 * done a whole number of steps and can be advanced further. */
typedef int mw_progress_fn(void *context, uint64_t done, uint64_t all);

/* Sets the function that receives the progress of calls of this thread.  NULL, the default: none.  `context` is passed
 * to the function.  While a function is set, calls that otherwise only queue steps, such as mw_field_advance, wait for
 * these steps. */
MW_API void mw_progress_to(mw_progress_fn *function, void *context);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
