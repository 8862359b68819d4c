/* Native kernels that the system's C compiler compiles at run time.  Internal. */
#ifndef MW_COMPILER_H
#define MW_COMPILER_H

#include "dev/core/backend.h"

#define MW_COMPILER_WORDS_MAX 16

/* The command that starts a C compiler. */
struct mw_compiler {
    char *words[MW_COMPILER_WORDS_MAX + 1]; /* the start of its command line; the first is its path */
    size_t word_count;
    char *text;     /* memory of the words */
    char *identity; /* text that differs after the compiler at this path was replaced, for cache keys */
};

/* Finds the compiler: $MESHWORK_CC, a path or a command with arguments; if unset, the first of cc, gcc and clang in
 * PATH. Empty and relative parts of PATH do not count.
 * Errors: MW_ENOTSUP (not found; or the process has more rights than its user), MW_EINVAL. */
int mw_compiler_find(struct mw_compiler *compiler);
void mw_compiler_free(struct mw_compiler *compiler);

/* Runs the compiler with more words (ended by NULL), without a shell, and waits for its end.  Its process group ends
 * with this process. *refused: whether it failed; *log: its output as text for a terminal, which the caller frees.
 * `folder` is for its temporary files, and is removed with its contents if this process ends first; NULL: its default
 * folder.  Errors: MW_ENOTSUP (it cannot be started), MW_EBUILD (not complete within `seconds`, or ended by a
 * signal). */
int mw_compiler_run(const struct mw_compiler *compiler, const char *const *arguments, const char *folder,
                    double seconds, bool *refused, char **log);

/* Makes a private temporary folder in $TMPDIR, /tmp, or the cache folder. */
int mw_work_folder_new(char **folder);
/* Removes a folder of mw_work_folder_new with its contents, and frees its name. */
void mw_work_folder_free(char *folder);
/* Makes a file with these bytes in a folder; the caller frees *path. */
int mw_work_file_new(const char *folder, const char *name, const void *bytes, size_t n, char **path);

/* Compiler options: [0] for reproducible bits, [1] for fast math. */
extern const char *const mw_native_options[2];

/* Version of the interface between the library and compiled kernels: mw_native_abi of cl/native.clh. */
#define MW_NATIVE_ABI 4

/* Functions of the backend's table: see struct mw_backend. Errors: MW_EBUILD, MW_ENOTSUP (no compiler), MW_EIO (no
 * folder for files). */
int mw_native_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key);
int mw_native_build(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                    struct mw_binary *binary);
int mw_native_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                   struct mw_code *code);
void mw_native_unload(struct mw_code *code);

/* ---- steps of these functions, declared for tests ---- */

/* Compiles a C text to a shared object, the *n bytes of *bytes, within `seconds`. MW_EBUILD with *log set, and no
 * message: the compiler rejected the text. The caller frees *bytes, and *log in every case. */
int mw_native_compile(const struct mw_compiler *compiler, const char *options, const char *text, size_t length,
                      double seconds, char **bytes, size_t *n, char **log);

/* A shared object that load.c has loaded into this process; start with { 0 }. */
struct mw_loaded {
    void *library;                          /* of dlopen */
    int memory;                             /* descriptor of a file in memory (memfd_create) with its bytes; or -1 */
    const struct mw_native_kernel *kernels; /* its table, ended by a NULL name */
};
/* Loads the bytes of a shared object in one way. Errors: MW_EBUILD, and those of mw_work_folder_new. */
typedef int mw_load_way(const char *bytes, size_t n, struct mw_loaded *loaded);
/* The ways to load, the best first, ended by NULL. */
extern mw_load_way *const mw_load_ways[];
/* Loads a shared object in the first way that succeeds. */
int mw_load(const char *bytes, size_t n, struct mw_loaded *loaded);
/* Unloads a shared object. */
void mw_unload(struct mw_loaded *loaded);

#endif
/* SPDX-License-Identifier: MIT */
