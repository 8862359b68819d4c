/* Files that are written whole or not at all, and the folders that meshwork uses.
 *
 * Threads: a file being written belongs to one thread at a time. */
#ifndef MESHWORK_FILE_H
#define MESHWORK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file being written. Readers get the old or the complete new file: data are written to a temporary file next to it,
 * which is renamed at the end. */
struct mw_file;
/* Begins writing a file; path "-" is standard output, which is written directly.  `durable`: mw_file_commit also syncs
 * the file before the renaming and the folder after it, which takes some milliseconds.  Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_file_create(const char *path, bool durable, struct mw_file **file);
/* Adds n bytes.  Errors: MW_EIO; the file can then only be abandoned. */
MW_API int mw_file_write(struct mw_file *file, const void *bytes, size_t n);
/* Completes the file, and always frees it; a failure leaves no temporary file.  Errors: MW_EIO. */
MW_API int mw_file_commit(struct mw_file *file);
/* Sets whether files that this thread begins are left without a sync of their own, which suits many small files. After
 * a power failure they may be empty, unless mw_file_system_sync was called. */
MW_API void mw_file_sync_later(bool later);
/* Syncs the file system that a path is on, whose file need not exist.  Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_file_system_sync(const char *path);
/* Removes the temporary file, and frees the struct.  NULL is allowed. */
MW_API void mw_file_abandon(struct mw_file *file);
/* Removes the temporary files of all files being written, and does nothing else: async-signal-safe, for a handler that
 * is about to end the process. */
MW_API void mw_file_abandon_all(void);

/* Computes XXH64 of a regular file's bytes, "-" for standard input where that is one, read from its beginning.  Errors:
 * MW_EINVAL (a pipe, a folder or a device), MW_EIO. */
MW_API int mw_file_checksum(const char *path, uint64_t *checksum);

/* Finds the folder of caches: $MESHWORK_CACHE_DIR, otherwise $XDG_CACHE_HOME/meshwork, otherwise $HOME/.cache/meshwork.
 * It is made with mode 0700 if it does not exist, with `below` inside it ("": nothing). Relative values of the XDG
 * variable count as unset, as in its specification. The caller frees *path by free(). Errors: MW_EIO (no home, the
 * folder belongs to or is writable by others, or cannot be written): the library then works without a cache. */
MW_API int mw_cache_folder(const char *below, char **path);
/* Returns the folder of the cache as mw_cache_folder does, for reading: the folder may be read-only, and `below` need
 * not exist. */
MW_API int mw_cache_folder_look(const char *below, char **path);
/* Returns the folder of kernels and models: `folder` if not NULL, else $MESHWORK_KERNEL_PATH, else where the package
 * was installed. The caller frees *path by free(). The folder is not opened. Errors: MW_ENOMEM. */
MW_API int mw_kernel_folder(const char *folder, char **path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
