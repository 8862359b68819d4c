/* Shared objects: from bytes into the process. */
#include "dev/native/compiler.h"
#include "prelude.clh"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns this thread's item. It is in our thread-local memory, which exists from the thread's start unless the library
 * itself is loaded later. */
static struct mw_native_item *item(void) { return &mw_item; }

/* Opens a file and finds what native.clh promises in it. */
static int open_library(const char *path, struct mw_loaded *loaded)
{
    int rc = 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return mw_fail(MW_EBUILD, "the compiled native kernels cannot be loaded: %s", dlerror());
    const unsigned *abi = dlsym(library, "mw_native_abi");
    const struct mw_native_kernel *kernels = dlsym(library, "mw_kernels");
    void (*items)(struct mw_native_item * (*)(void)) = NULL;
    *(void **)&items = dlsym(library, "mw_native_items");
    if (!abi || !kernels)
        TRY(mw_fail(MW_EBUILD, "the native file lacks %s: write it as described in cl/native.clh",
                    abi ? "a table mw_kernels" : "#include \"native.clh\""));
    if (*abi != MW_NATIVE_ABI)
        TRY(mw_fail(MW_EBUILD,
                    "native.clh in the kernel folder is from another version of meshwork (%u, expected "
                    "%d): use the kernel folder of this version",
                    *abi, MW_NATIVE_ABI));
    if (items) /* absent in a file without native.clh */
        items(item);
    loaded->library = library;
    loaded->kernels = kernels;
    library = NULL;
out:
    if (library)
        dlclose(library);
    return rc;
}

/* Newer systems need MFD_EXEC for memory that will be executed; older ones reject it. */
static int memory_file(void)
{
    int memory = -1;
#ifdef MFD_CLOEXEC
#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif
    memory = memfd_create("meshwork", MFD_CLOEXEC | MFD_EXEC);
    if (memory < 0)
        memory = memfd_create("meshwork", MFD_CLOEXEC);
#endif
    return memory;
}

/* Loads from memory, so that exactly the checked bytes are loaded and no folder is needed. The descriptor stays open
 * with the library: libraries are identified by path, and a reused descriptor would be taken for the same library. */
static int load_from_memory(const char *bytes, size_t n, struct mw_loaded *loaded)
{
    struct mw_loaded made = { .memory = memory_file() };
    char path[64];
    int rc = 0;
    if (made.memory < 0)
        return mw_fail(MW_EBUILD, "out of memory: cannot make a file in memory for native kernels");
    for (size_t done = 0; done < n;) {
        ssize_t written = write(made.memory, bytes + done, n - done);
        if (written <= 0)
            TRY(mw_fail(MW_EBUILD, "out of memory for %zu bytes of native kernels", n));
        done += (size_t)written;
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", made.memory);
    TRY(open_library(path, &made));
    *loaded = made;
    made.memory = -1;
out:
    if (made.memory >= 0)
        close(made.memory);
    return rc;
}

/* From a folder of our own: where memory may not be executed, or there is no /proc. */
static int load_from_folder(const char *bytes, size_t n, struct mw_loaded *loaded)
{
    struct mw_loaded made = { .memory = -1 };
    char *folder = NULL, *path = NULL;
    int rc;
    TRY(mw_work_folder_new(&folder));
    TRY(mw_work_file_new(folder, "object.so", bytes, n, &path));
    TRY(open_library(path, &made));
    *loaded = made;
out:
    mw_work_folder_free(folder);
    free(path);
    return rc;
}

mw_load_way *const mw_load_ways[] = { load_from_memory, load_from_folder, NULL };

int mw_load(const char *bytes, size_t n, struct mw_loaded *loaded)
{
    int rc = MW_EBUILD;
    for (size_t i = 0; mw_load_ways[i] && rc != 0; i++)
        rc = mw_load_ways[i](bytes, n, loaded);
    return rc;
}

void mw_unload(struct mw_loaded *loaded)
{
    if (!loaded->library)
        return;
    dlclose(loaded->library);
    if (loaded->memory >= 0)
        close(loaded->memory);
    *loaded = (struct mw_loaded){ 0 };
}
/* SPDX-License-Identifier: MIT */
