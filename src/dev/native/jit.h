/* Native kernels that the system's C compiler makes at run time.  Internal. */
#ifndef MW_NATIVE_JIT_H
#define MW_NATIVE_JIT_H

#include "dev/core/backend.h"
#include "dev/native/compiler.h"

/* The options of a compilation: for reproducible bits, and for fast math. */
extern const char *const mw_native_options[2];

#define MW_NATIVE_ABI 4 /* mw_native_abi of cl/native.clh */

/* Functions of the backend's table: see struct mw_backend. Errors: MW_EBUILD, MW_ENOTSUP (no compiler), MW_EIO (no
 * folder for files). */
int mw_native_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key);
int mw_native_build(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                    struct mw_binary *binary);
int mw_native_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                   struct mw_code *code);
void mw_native_unload(struct mw_code *code);

/* The parts of it, each for a test of its own. */

/* Compiles a text; *bytes and *n are the shared object's.  MW_EBUILD with *log set: the compiler refused the text, and
 * the sentence is the caller's to make; *log is to be freed in every case. */
int mw_native_compile(const struct mw_compiler *compiler, const char *options, const char *text, size_t length,
                      double seconds, char **bytes, size_t *n, char **log);

/* load.c: a shared object in this process; start with { 0 }. */
struct mw_loaded {
    void *library;
    int memory; /* its file, where that is memory with a name */
    const struct mw_native_kernel *kernels;
};
/* Ways to load one, the best first, ended by NULL.  MW_EBUILD: it does not load that way. */
typedef int mw_load_way(const char *bytes, size_t n, struct mw_loaded *loaded);
extern mw_load_way *const mw_load_ways[];
int mw_load(const char *bytes, size_t n, struct mw_loaded *loaded);
void mw_unload(struct mw_loaded *loaded);

#endif
/* SPDX-License-Identifier: MIT */
