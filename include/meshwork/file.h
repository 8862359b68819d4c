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

/* Handle of a file being written. Its data go to a temporary file in the same folder. mw_file_commit renames this file
 * to the final name. Other programs therefore read the complete old file or the complete new file. */
struct mw_file;
/* Begins writing a file. The caller ends it by mw_file_commit or mw_file_abandon.
 * - path: "-" is standard output. Standard output, pipes and devices are written directly, without a temporary file.
 * - durable: if true, mw_file_commit also makes the file survive a power failure. It syncs the file before the rename
 *   and the folder after the rename, which usually takes milliseconds.
 * Errors: MW_EIO, MW_ELIMIT (128 files of this process are being written), MW_ENOMEM. */
MW_API int mw_file_create(const char *path, bool durable, struct mw_file **file);
/* Appends `n` bytes to a file being written. Errors: MW_EIO; then the caller must call mw_file_abandon. */
MW_API int mw_file_write(struct mw_file *file, const void *bytes, size_t n);
/* Ends writing: writes the remaining data, renames the temporary file to the final name, and frees the handle. After an
 * error the handle is freed as well, and the temporary file is removed. The old file then stays, unless only the sync
 * of the folder failed. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_file_commit(struct mw_file *file);
/* Turns syncs off or on for files that this thread creates later. While `later` is true, mw_file_create treats
 * `durable` as false. This saves time if a program writes many small files. After the last file, the program calls
 * mw_file_system_sync once. Until then, a power failure may leave the files empty. */
MW_API void mw_file_sync_later(bool later);
/* Writes all cached data of a file system to disk, and waits for it. `path` is a file on that file system; its folder
 * must exist, the file need not. A file system that cannot be synced is no error. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_file_system_sync(const char *path);
/* Gives up writing: removes the temporary file and frees the handle; NULL is allowed. The old file stays unchanged. */
MW_API void mw_file_abandon(struct mw_file *file);
/* Removes the temporary files of all files that this process is writing, and frees no handle. It is async-signal-safe,
 * and meant for a signal handler that then ends the process. */
MW_API void mw_file_abandon_all(void);

/* Computes the XXH64 hash (seed 0) of the bytes of a regular file. Path "-" is standard input, which must be a regular
 * file as well, and is read from its beginning. Errors: MW_EINVAL (a pipe, folder or device), MW_EIO. */
MW_API int mw_file_checksum(const char *path, uint64_t *checksum);

/* Finds the cache folder, and creates it with mode 0700 if it does not exist. It is $MESHWORK_CACHE_DIR, otherwise
 * $XDG_CACHE_HOME/meshwork, otherwise $HOME/.cache/meshwork. A relative XDG_CACHE_HOME is ignored, as its specification
 * requires.
 * - below: a subfolder, which is created as well; "": none.
 * - path: receives the path of the subfolder, or of the cache folder if `below` is "". The caller frees it by free().
 * Errors: MW_EIO (no variable is set; the folder is not writable; another user owns it or can write it), MW_EINVAL
 * (`below` is absolute or has ".."), MW_ENOMEM. The library itself works without a cache folder. */
MW_API int mw_cache_folder(const char *below, char **path);
/* Finds the cache folder for reading only: does what mw_cache_folder does, with two differences. The folder may be
 * read-only. The subfolder `below` is not created, and need not exist. */
MW_API int mw_cache_folder_look(const char *below, char **path);
/* Finds the folder of kernels and models: `folder` if it is not NULL, otherwise $MESHWORK_KERNEL_PATH, otherwise the
 * folder of the installed package. It does not test whether the folder exists. The caller frees *path by free().
 * Errors: MW_ENOMEM. */
MW_API int mw_kernel_folder(const char *folder, char **path);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
