/* The OpenCL backend: what the cache folder remembers of drivers, and of which ones. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- what may decide whether they survive ---- */

static void add_file(struct mw_text *key, const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        mw_text_add(key, "%s %lld %lld.%09ld\n", path, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                    (long)st.st_mtim.tv_nsec);
}

bool mw_cl_is_driver_file(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

/* Where the loader finds the files that name drivers. */
const char *mw_cl_vendors_folder(void)
{
    const char *folder = getenv(MW_CL_VENDORS);
    return folder && *folder ? folder : "/etc/OpenCL/vendors";
}

/* A driver's file, and the library that it names where that is a path. */
static void add_driver(struct mw_text *key, const char *path)
{
    char *line = NULL;
    size_t n;
    add_file(key, path);
    if (mw_file_read(path, 4096, &line, &n) == 0) {
        line[strcspn(line, "\r\n")] = '\0';
        add_file(key, line);
    }
    free(line);
}

static void add_variables(struct mw_text *key)
{
    static const char *const beginnings[] = { "OCL_", "OPENCL_", "POCL_", "RUSTICL_", "CUDA_", "LD_" };
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t i = 0; i < MW_COUNT(beginnings); i++) {
            if (strncmp(*variable, beginnings[i], strlen(beginnings[i])) == 0 &&
                strncmp(*variable, "POCL_CACHE_DIR=", 15) != 0) /* it may be another one each time */
                mw_text_add(key, "%s\n", *variable);
        }
}

static void add_limits(struct mw_text *key)
{
    static const int limits[] = { RLIMIT_AS,     RLIMIT_DATA,    RLIMIT_STACK, RLIMIT_NPROC,
                                  RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_FSIZE };
    static const char *const needed[] = { "/sys/devices/system/cpu", "/proc/cpuinfo", "/dev/shm" };
    for (size_t i = 0; i < MW_COUNT(limits); i++) {
        struct rlimit limit = { 0, 0 };
        getrlimit(limits[i], &limit);
        mw_text_add(key, "%llu ", (unsigned long long)limit.rlim_cur);
    }
    for (size_t i = 0; i < MW_COUNT(needed); i++)
        mw_text_add(key, "%d", access(needed[i], R_OK) == 0);
}

/* ---- what the cache folder remembers: a hash of all that, and a line for each driver that is passed over ---- */

#define DAY (24 * 60 * 60) /* so long drivers stay passed over that may have failed for a passing reason */

void mw_cl_memory_free(struct mw_cl_memory *memory)
{
    free(memory->path);
    free(memory->aside);
}

/* Few file names, so that no cleaning is needed: entries of another machine or limit are overwritten. */
void mw_cl_memory_find(struct mw_cl_memory *memory)
{
    struct mw_text key = { 0 };
    struct dirent *entry;
    char name[10], *file;
    DIR *files = opendir(mw_cl_vendors_folder());
    while (files && (entry = readdir(files))) {
        if (mw_cl_is_driver_file(entry->d_name) && mw_path_join(mw_cl_vendors_folder(), entry->d_name, &file) == 0) {
            add_driver(&key, file);
            free(file);
        }
    }
    if (files)
        closedir(files);
    add_driver(&key, mw_cl_vendors_folder());
    add_variables(&key);
    add_limits(&key);
    *memory = (struct mw_cl_memory){ 0 };
    if (mw_text_ok(&key) == 0) {
        snprintf(memory->words, sizeof(memory->words), "%016llx",
                 (unsigned long long)mw_hash64(key.data, key.length, 0));
        snprintf(name, sizeof(name), "%.2s", memory->words);
        if (mw_cache_file("drivers", name, &memory->path) != 0)
            memory->path = NULL;
        snprintf(name, sizeof(name), "%.2s.aside", memory->words);
        if (mw_cache_file("drivers", name, &memory->aside) != 0)
            memory->aside = NULL;
    }
    mw_text_free(&key);
}

bool mw_cl_memory_recall(const struct mw_cl_memory *memory, struct mw_text *lost)
{
    const size_t key = sizeof(memory->words) - 1;
    char *text = NULL;
    struct stat st;
    size_t n;
    const bool known = memory->path && stat(memory->path, &st) == 0 &&
                       mw_file_read(memory->path, 1 << 16, &text, &n) == 0 && strncmp(text, memory->words, key) == 0 &&
                       text[key] == '\n' && (text[key + 1] == '\0' || time(NULL) - st.st_mtime < DAY);
    if (known)
        mw_text_add(lost, "%s", text + key + 1);
    free(text);
    return known;
}

void mw_cl_memory_keep(const struct mw_cl_memory *memory, const struct mw_text *lost)
{
    struct mw_text text = { 0 };
    mw_text_add(&text, "%s\n%s", memory->words, lost->length ? lost->data : "");
    if (memory->path && mw_text_ok(&text) == 0)
        mw_file_put(memory->path, false, text.data, text.length);
    mw_text_free(&text);
}

void mw_cl_memory_put_aside(struct mw_cl_memory *memory)
{
    memory->is_aside = memory->path && memory->aside && rename(memory->path, memory->aside) == 0;
}

void mw_cl_memory_put_back(const struct mw_cl_memory *memory)
{
    if (memory->is_aside && rename(memory->aside, memory->path) != 0)
        unlink(memory->aside);
}
/* SPDX-License-Identifier: MIT */
