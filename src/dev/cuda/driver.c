/* The CUDA backend: the driver's library and NVRTC, opened when they are needed and never closed again. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "base/base.h"
#include "dev/cuda/cuda_internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mw_cu_driver mw_cu;
struct mw_rtc mw_rtc;

/* A function of a library goes to an address where a pointer to it belongs. */
struct symbol {
    const char *name;
    size_t offset;
    bool may_lack;
};

/* Returns false if the library lacks a function, whose name is then *missing. */
static bool find_symbols(void *library, const struct symbol *symbols, size_t count, void *table, const char **missing)
{
    for (size_t i = 0; i < count; i++) {
        void *const found = dlsym(library, symbols[i].name);
        if (!found && !symbols[i].may_lack) {
            *missing = symbols[i].name;
            return false;
        }
        memcpy((char *)table + symbols[i].offset, &found, sizeof found);
    }
    return true;
}

/* ---- the driver ---- */

#define CU_SYMBOL(name, symbol, parameters) { #symbol, offsetof(struct mw_cu_driver, name), false },
#define CU_LATER(name, symbol, parameters) { #symbol, offsetof(struct mw_cu_driver, name), true },
static const struct symbol cu_symbols[] = {
    MW_CU_FUNCTIONS(CU_SYMBOL) MW_CU_FUNCTIONS_OF_STRUCTS(CU_SYMBOL) MW_CU_LATER_FUNCTIONS(CU_LATER)
        MW_CU_GRAPH_FUNCTIONS(CU_LATER) MW_CU_GRAPH_FUNCTIONS_OF_STRUCTS(CU_LATER) MW_CU_LINK_FUNCTIONS(CU_LATER)
            MW_CU_LINK_FUNCTIONS_OF_STRUCTS(CU_LATER) MW_CU_POOL_FUNCTIONS(CU_LATER)
                MW_CU_POOL_FUNCTIONS_OF_STRUCTS(CU_LATER)
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { NOT_TRIED, STARTED, FAILED } driver_state, rtc_state;
static char driver_words[200], rtc_words[400];

static bool start_driver(void)
{
    const char *missing;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    if (!find_symbols(library, cu_symbols, MW_COUNT(cu_symbols), &mw_cu, &missing)) {
        snprintf(driver_words, sizeof driver_words, "the driver is too old: its library libcuda.so.1 has no %.60s",
                 missing);
        return false;
    }
    const mw_cu_result error = mw_cu.Init(0);
    if (error && error != MW_CU_NO_DEVICE)
        mw_cuda_error_words(error, driver_words, sizeof driver_words);
    if (error || mw_cu.DriverGetVersion(&mw_cu.version) != 0)
        return false;
    return true;
}

bool mw_cu_start(const char **why)
{
    pthread_mutex_lock(&lock);
    if (driver_state == NOT_TRIED)
        driver_state = start_driver() ? STARTED : FAILED;
    *why = driver_words;
    pthread_mutex_unlock(&lock);
    return driver_state == STARTED;
}

/* ---- NVRTC ---- */

#define RTC_SYMBOL(name, symbol, parameters) { #symbol, offsetof(struct mw_rtc, name), false },
static const struct symbol rtc_symbols[] = { MW_RTC_FUNCTIONS(RTC_SYMBOL) };

/* Newest first.  The library of CUDA 11 has its name from 11.2 on, and stays compatible. */
static const struct {
    int major;
    const char *file;
} rtc_files[] = {
    { 13, "libnvrtc.so.13" },
    { 12, "libnvrtc.so.12" },
    { 11, "libnvrtc.so.11.2" },
    { 0, "libnvrtc.so" },
};

/* In the order of looking: where the loader looks ("") before the folders where a toolkit has it. */
static void *open_rtc(const char *file)
{
    static const char *const inside[] = { "lib64", "lib" };
    const char *const prefixes[] = { getenv("CUDA_PATH"), getenv("CUDA_HOME"), CUDA_PREFIX, "/usr/local/cuda" };
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; !library && i < MW_COUNT(prefixes) * MW_COUNT(inside); i++) {
        const char *const prefix = prefixes[i / MW_COUNT(inside)];
        struct mw_text path = { 0 };
        if (prefix && *prefix == '/') {
            mw_text_add(&path, "%s/%s/%s", prefix, inside[i % MW_COUNT(inside)], file);
            library = mw_text_ok(&path) == 0 ? dlopen(path.data, RTLD_NOW | RTLD_LOCAL) : NULL;
        }
        mw_text_free(&path);
    }
    return library;
}

/* The driver does not accept the code of a newer NVRTC. */
static bool learn_rtc(int driver_version)
{
    int count = 0;
    if (mw_rtc.Version(&mw_rtc.major, &mw_rtc.minor) != 0 || (driver_version && mw_rtc.major > driver_version / 1000))
        return false;
    if (mw_rtc.GetNumSupportedArchs(&count) != 0 || count < 1)
        return false;
    mw_rtc.architectures = calloc((size_t)count, sizeof *mw_rtc.architectures);
    if (!mw_rtc.architectures || mw_rtc.GetSupportedArchs(mw_rtc.architectures) != 0)
        return false;
    mw_rtc.architecture_count = count;
    return true;
}

static bool start_rtc(int driver_version)
{
    const char *missing;
    for (size_t i = 0; i < MW_COUNT(rtc_files); i++) {
        if (driver_version && rtc_files[i].major > driver_version / 1000)
            continue;
        void *library = open_rtc(rtc_files[i].file);
        if (!library)
            continue;
        if (find_symbols(library, rtc_symbols, MW_COUNT(rtc_symbols), &mw_rtc, &missing) && learn_rtc(driver_version))
            return true;
        free(mw_rtc.architectures);
        mw_rtc = (struct mw_rtc){ 0 };
        dlclose(library);
    }
    snprintf(rtc_words, sizeof rtc_words,
             "NVRTC, CUDA's compiler, was not found (libnvrtc.so.%d%s); install it (on "
             "Debian libnvrtc12 or a later one, else with a CUDA toolkit), or set CUDA_PATH to the toolkit's folder",
             driver_version ? driver_version / 1000 : rtc_files[0].major, driver_version ? " or older" : "");
    return false;
}

bool mw_rtc_start(int driver_version, const char **why)
{
    pthread_mutex_lock(&lock);
    if (rtc_state == NOT_TRIED)
        rtc_state = start_rtc(driver_version) ? STARTED : FAILED;
    *why = rtc_words;
    pthread_mutex_unlock(&lock);
    return rtc_state == STARTED;
}
/* SPDX-License-Identifier: MIT */
