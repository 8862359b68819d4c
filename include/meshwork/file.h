/* Files that are written completely or not at all, and the folders that meshwork uses.
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

/* Handle of a file being written. Data go to a temporary file in the same folder, which replaces the file at the
 * end. Other programs therefore read the complete old file or the complete new file. */
struct mw_file;
/* Begins writing a file. Path "-" is standard output, which is written directly. The caller ends it by
 * mw_file_commit or mw_file_abandon. If `durable` is true, mw_file_commit syncs the file before it is renamed, and
 * the folder after that; this takes some milliseconds. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_file_create(const char *path, bool durable, struct mw_file **file);
/* Writes `n` bytes. Errors: MW_EIO; after an error, only mw_file_abandon may be called. */
MW_API int mw_file_write(struct mw_file *file, const void *bytes, size_t n);
/* Completes the file under its name, and frees the handle. If it fails, the handle is freed as well, and the
 * temporary file is removed. Errors: MW_EIO. */
MW_API int mw_file_commit(struct mw_file *file);
/* Sets whether files that this thread creates with `durable` are left without a sync, which is faster for many small
 * files. Call mw_file_system_sync at the end; without it, the files may be empty after a power failure. */
MW_API void mw_file_sync_later(bool later);
/* Syncs the file system that contains a path. The file itself need not exist. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_file_system_sync(const char *path);
/* Removes the temporary file, and frees the handle; NULL is allowed. The old file stays. */
MW_API void mw_file_abandon(struct mw_file *file);
/* Removes the temporary files of all files being written, and frees nothing. Async-signal-safe: for a signal handler
 * that is about to end the process. */
MW_API void mw_file_abandon_all(void);

/* Computes the XXH64 hash of the bytes of a regular file. Path "-" is standard input, which must be a regular file;
 * it is read from the beginning. Errors: MW_EINVAL (a pipe, folder or device), MW_EIO. */
MW_API int mw_file_checksum(const char *path, uint64_t *checksum);

/* Finds the cache folder, and creates it with mode 0700 if it does not exist. It is $MESHWORK_CACHE_DIR, otherwise
 * $XDG_CACHE_HOME/meshwork, otherwise $HOME/.cache/meshwork. A relative XDG_CACHE_HOME is ignored, as its specification
 * requires.
 * `below` is a subfolder that is created as well; "": none. The caller frees *path by free().
 * Errors: MW_EIO (no variable is set; the folder is not writable, or other users own or can write it), MW_EINVAL
 * (`below` is absolute or has ".."), MW_ENOMEM. The library itself works without a cache folder. */
MW_API int mw_cache_folder(const char *below, char **path);
/* Finds the cache folder as mw_cache_folder does, for reading only: the folder may be read-only, and `below` need
 * not exist. `below` is not created. */
MW_API int mw_cache_folder_look(const char *below, char **path);
/* Finds the folder of kernels and models: `folder` if it is not NULL, otherwise $MESHWORK_KERNEL_PATH, otherwise the
 * folder of the installed package. The folder is not opened. The caller frees *path by free(). Errors: MW_ENOMEM. */
MW_API int mw_kernel_folder(const char *folder, char **path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
