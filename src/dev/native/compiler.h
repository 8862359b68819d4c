/* The system's C compiler: finding it, and running it.  Internal. */
#ifndef MW_COMPILER_H
#define MW_COMPILER_H

#include "base/base.h"

#define MW_COMPILER_WORDS_MAX 16

struct mw_compiler {
    char *words[MW_COMPILER_WORDS_MAX + 1]; /* the start of its command line; the first is its path */
    size_t word_count;
    char *text;     /* that the words stand in */
    char *identity; /* another one wherever another compiler stands in its place */
};

/* $MESHWORK_CC, a path or a command with arguments, or else the first of cc, gcc and clang in PATH.  Empty and relative
 * parts of PATH do not count.
 * Errors: MW_ENOTSUP (none is there; or the process runs with more rights than its user has), MW_EINVAL. */
int mw_compiler_find(struct mw_compiler *compiler);
void mw_compiler_free(struct mw_compiler *compiler);

/* Runs it with more words (ended by NULL), without a shell, in a process group of its own that ends where this process
 * does, and waits for its end.
 * *refused says whether it ended with a failure; *log, to be freed, holds what it wrote, as text for a terminal.
 * `folder` is for its temporary files, and is removed with all in it where this process ends meanwhile; NULL: they are
 * where it likes.
 * Errors: MW_ENOTSUP (it cannot be started), MW_EBUILD (not done within `seconds`, or ended by a signal). */
int mw_compiler_run(const struct mw_compiler *compiler, const char *const *arguments, const char *folder,
                    double seconds, bool *refused, char **log);

/* A new folder that nobody else can look into, in $TMPDIR, /tmp, or the cache, and its removal with all in it. */
int mw_work_folder_new(char **folder);
void mw_work_folder_free(char *folder);
/* A new file in it with these bytes; *path is to be freed. */
int mw_work_file_new(const char *folder, const char *name, const void *bytes, size_t n, char **path);

#endif
/* SPDX-License-Identifier: MIT */
