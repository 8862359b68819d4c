/* The system's C compiler: finding it, and running it.  Internal. */
#ifndef MW_COMPILER_H
#define MW_COMPILER_H

#include "base/base.h"

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

#endif
/* SPDX-License-Identifier: MIT */
