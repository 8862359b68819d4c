/* The OpenCL backend: the environment that drivers are started in. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/opencl/opencl_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char *private_folder;
static pid_t private_owner;

static void remove_private_folder(void)
{
    if (private_owner == getpid() && mw_folder_clear(private_folder))
        rmdir(private_folder);
}

int mw_cl_temporary_folder(const char *pattern, char **path)
{
    const char *top = getenv("TMPDIR");
    char *made = NULL;
    int rc;
    TRY(mw_path_join(top && top[0] == '/' ? top : "/tmp", pattern, &made));
    if (!mkdtemp(made)) {
        rc = mw_fail(MW_EIO, "cannot make a folder for the files of OpenCL drivers: %s", made);
        goto out;
    }
    *path = MW_PASS(made);
out:
    free(made);
    return rc;
}

/* Makes a folder for this process, without a cache folder. */
static int make_private_folder(char **path)
{
    char *made = NULL;
    int rc;
    TRY(mw_cl_temporary_folder("meshwork-pocl-XXXXXX", &made));
    TRY(mw_strdup(made, &private_folder));
    private_owner = getpid();
    if (atexit(remove_private_folder) != 0)
        private_owner = 0;
    *path = MW_PASS(made);
out:
    free(made);
    return rc;
}

/* PoCL ends the program where its disk is full; a large program takes some MiB. */
static bool has_room(const char *folder)
{
    const uint64_t enough = (uint64_t)64 << 20;
    struct statvfs disk;
    return statvfs(folder, &disk) != 0 || (uint64_t)disk.f_bavail * disk.f_frsize >= enough;
}

/* Ours among the caches, unless there is more room for one of this process alone. */
static int choose_folder(char **path)
{
    char *ours = NULL, *alone = NULL;
    int rc = mw_cache_folder("pocl", &ours);
    if (rc != 0 || !has_room(ours)) {
        if (make_private_folder(&alone) == 0 && (rc != 0 || has_room(alone))) {
            free(ours);
            ours = MW_PASS(alone);
            rc = 0;
        }
    }
    if (rc == 0)
        *path = ours;
    free(alone);
    return rc;
}

/* Without these settings PoCL would use the shared folder /tmp/pocl if HOME is unset. It would start one thread per
 * core of the machine even if a scheduler assigned us two. */
static void environment_prepare(void)
{
    static const char *const thread_limits[] = { "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT" };
    char *folder = NULL, number[16];
    if (!getenv("POCL_CACHE_DIR") && choose_folder(&folder) == 0)
        setenv("POCL_CACHE_DIR", folder, 0);
    free(folder);
    snprintf(number, sizeof(number), "%u", mw_core_count());
    for (size_t i = 0; i < MW_COUNT(thread_limits); i++)
        setenv(thread_limits[i], number, 0);
}

/* A folder that the user has chosen is left alone. */
static void check_kept(const struct mw_device *device)
{
    const char *folder = getenv("POCL_CACHE_DIR");
    char *ours = NULL;
    size_t removed = 0;
    const bool is_ours = folder && mw_cache_folder("pocl", &ours) == 0 && strcmp(folder, ours) == 0;
    if (is_ours && mw_kept_check(ours, &removed) == 0 && removed > 0)
        mw_log(MW_LOG_NOTICE, "PoCL's files of %zu program%s in %s were damaged or had changed, and are made anew",
               removed, removed == 1 ? "" : "s", ours);
    mw_cl_suspect(device, folder ? folder : "its cache",
                  is_ours ? "run it again, which makes them anew" : "remove that folder");
    free(ours);
}

/* Where PoCL cannot write, it fails to build programs, or has no devices. */
const char *mw_cl_unwritable(const char **why)
{
    const char *folder = getenv("POCL_CACHE_DIR");
    char *path = NULL;
    int error = 0;
    if (!folder || !*folder || mw_strdup(folder, &path) != 0)
        return NULL;
    /* PoCL makes the folder, and those above it, which may fail where faccessat() promises that it does not. */
    for (char *c = path; *c;) {
        c += 1 + strcspn(c + 1, "/");
        const char kept = *c;
        *c = '\0';
        error = mkdir(path, 0700) == 0 ? 0 : errno;
        error = access(path, F_OK) == 0 ? 0 : error;
        *c = kept;
    }
    if (!error && faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) != 0)
        error = errno;
    free(path);
    *why = strerror(error);
    return error ? folder : NULL;
}

int mw_cl_check_kept(const struct mw_device *device)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool checked;
    const char *why, *folder;
    if (!device->info.traits->keeps_programs)
        return 0;
    if ((folder = mw_cl_unwritable(&why)) != NULL)
        return mw_fail(MW_EIO,
                       "%s (%s) cannot write to its folder, POCL_CACHE_DIR=%s: %s; unset that variable, or set "
                       "it to a folder of your own",
                       device->info.id, device->info.name, folder, why);
    pthread_mutex_lock(&lock);
    if (!checked)
        check_kept(device);
    checked = true;
    pthread_mutex_unlock(&lock);
    return 0;
}

void mw_cl_prepare_environment(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (mw_process_may(MW_PROCESS_ENVIRONMENT))
        pthread_once(&once, environment_prepare);
}
/* SPDX-License-Identifier: MIT */
