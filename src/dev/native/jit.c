/* Native kernels that the system's C compiler makes at run time: compiled at first use, kept in the cache of programs,
 * loaded into the process, shared by all programs of one text. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/native/jit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

#define ABI 2                          /* mw_native_abi of cl/native.clh */
#define DIGITS_(number) #number
#define DIGITS(number) DIGITS_(number)

enum { PATIENCE = 300 };
static const size_t object_max = (size_t)64 << 20;

/* For the CPU at hand; without the others, a compiler leaves instruction sets unused. */
#if defined(__x86_64__) || defined(__i386__)
#define FOR_THIS_CPU " -march=native"
#elif defined(__aarch64__) || defined(__arm__) || defined(__powerpc64__)
#define FOR_THIS_CPU " -mcpu=native"
#else
#define FOR_THIS_CPU ""
#endif

/* The vectoriser of -O3 without its unrolling: on long inlined kernels that takes a compiler six times as long and makes
 * nothing faster.  What is wrong in any language is an error, instead of a crash. */
#define ALWAYS "-std=gnu11 -O2 -ftree-vectorize -fvect-cost-model" FOR_THIS_CPU \
               " -fPIC -shared -fvisibility=hidden -fno-math-errno -fno-trapping-math" \
               " -Wno-psabi -Werror=implicit-function-declaration -Werror=return-type -Wl,-z,defs"

/* Fast math by its parts: with -ffast-math itself, loading the result makes the whole process flush small numbers to
 * zero, and without infinities and NaNs nobody would see a run explode. */
const char *const mw_native_options[2] = {
    ALWAYS " -ffp-contract=off",
    ALWAYS " -ffp-contract=fast -fassociative-math -freciprocal-math -fno-signed-zeros",
};

/* ---- compiling ---- */

/* The words of `options` and of this compilation; `text` is cut apart. */
static int make_arguments(char *text, const char *from, const char *to, const char ***result)
{
    const char *const last[] = { "-o", to, "-x", "c", from, "-lm" };
    const char **words = NULL;
    char *rest = NULL;
    size_t count = 0;
    int rc;
    TRY(mw_new(strlen(text) / 2 + MW_COUNT(last) + 2, sizeof(*words), &words));
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    memcpy(words + count, last, sizeof(last));
    *result = words;
out:
    return rc;
}

static int write_file(const char *path, const char *bytes, size_t n)
{
    struct mw_file *file = NULL;
    int rc;
    TRY(mw_file_create(path, false, &file));
    TRY(mw_file_write(file, bytes, n));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}

int mw_native_compile(const struct mw_compiler *compiler, const char *options, const char *text, size_t length,
                      double seconds, char **bytes, size_t *n, char **log)
{
    char *folder = NULL, *from = NULL, *to = NULL, *words = NULL;
    const char **arguments = NULL;
    bool refused = false;
    int rc;
    *log = NULL;
    TRY(mw_work_folder_new(&folder));
    TRY(mw_path_join(folder, "text.c", &from));
    TRY(mw_path_join(folder, "object.so", &to));
    TRY(mw_strdup(options, &words));
    TRY(make_arguments(words, from, to, &arguments));
    TRY(write_file(from, text, length));
    TRY(mw_compiler_run(compiler, arguments, folder, seconds, &refused, log));
    /* Without its result it refused too: how a process ended is not always to be learnt. */
    if (refused || mw_file_read(to, object_max, bytes, n) != 0) {
        rc = MW_EBUILD;
        goto out;
    }
    free(*log); /* warnings */
    *log = NULL;
out:
    mw_work_folder_free(folder);
    free(arguments);
    free(words);
    free(from);
    free(to);
    return rc;
}

/* ---- loading ---- */

/* Opens a file and finds what native.clh promises in it. */
static int open_library(const char *path, struct mw_loaded *loaded)
{
    int rc = 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return mw_fail(MW_EBUILD, "what the C compiler made cannot be loaded: %s", dlerror());
    const unsigned *abi = dlsym(library, "mw_native_abi");
    const struct mw_native_kernel *kernels = dlsym(library, "mw_kernels");
    if (!abi || !kernels)
        TRY(mw_fail(MW_EBUILD, "a native file without %s: write it as cl/native.clh says",
                    abi ? "a table mw_kernels" : "#include \"native.clh\""));
    if (*abi != ABI)
        TRY(mw_fail(MW_EBUILD, "native.clh in the kernel folder is of another version of meshwork (%u, not %d): give the "
                    "folder of this one", *abi, ABI));
    loaded->library = library;
    loaded->kernels = kernels;
    library = NULL;
out:
    if (library)
        dlclose(library);
    return rc;
}

/* Newer systems want to be told that memory will be executed, and older ones do not know the word. */
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

/* From memory: what was checked is what is loaded, and no folder is needed.  The file stays open with the library,
 * since libraries are known by their path, and a second one at the same descriptor would be taken for the first. */
static int load_from_memory(const char *bytes, size_t n, struct mw_loaded *loaded)
{
    struct mw_loaded made = { .memory = memory_file() };
    char path[64];
    int rc = 0;
    if (made.memory < 0)
        return mw_fail(MW_EBUILD, "no memory with a file's name for native kernels");
    for (size_t done = 0; done < n; ) {
        ssize_t written = write(made.memory, bytes + done, n - done);
        if (written <= 0)
            TRY(mw_fail(MW_EBUILD, "no memory for %zu bytes of native kernels", n));
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
    TRY(mw_path_join(folder, "object.so", &path));
    TRY(write_file(path, bytes, n));
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
    *loaded = (struct mw_loaded) { 0 };
}

/* ---- one text, one object ---- */

struct mw_native_object {
    char *key;
    struct mw_loaded loaded;           /* no library: another thread is at it */
    unsigned users;
    struct mw_native_object *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct mw_native_object *objects;

static struct mw_native_object *find_object(const char *key)
{
    struct mw_native_object *o = objects;
    while (o && strcmp(o->key, key) != 0)
        o = o->next;
    return o;
}

static void remove_object(struct mw_native_object *object)
{
    struct mw_native_object **at = &objects;
    while (*at != object)
        at = &(*at)->next;
    *at = object->next;
}

static void free_object(struct mw_native_object *object)
{
    if (object) {
        mw_unload(&object->loaded);
        free(object->key);
    }
    free(object);
}

/* All that decides what an object is.  A cache may lie in a home that many machines share. */
static int make_key(const struct mw_compiler *compiler, const struct mw_build *build, char **key)
{
    struct mw_text text = { 0 };
    int rc;
    mw_text_add(&text, "native\n%s\n%s\n%s\n", PACKAGE_VERSION, compiler->identity, build->options);
    mw_cpu_identify(&text);
    mw_text_append(&text, build->text, build->length);
    TRY(mw_text_ok(&text));
    *key = text.data;
    text.data = NULL;
out:
    mw_text_free(&text);
    return rc;
}

/* From the cache; false when it is not there, or does not load (any more). */
static bool take_cached(const char *key, struct mw_loaded *loaded)
{
    char *bytes = NULL;
    size_t n = 0;
    bool found = mw_cache_get(key, &bytes, &n) && mw_load(bytes, n, loaded) == 0;
    free(bytes);
    return found;
}

static int compile_object(const struct mw_device *device, const struct mw_build *build,
                          const struct mw_compiler *compiler, const char *key, struct mw_loaded *loaded)
{
    char *bytes = NULL, *log = NULL;
    size_t n = 0;
    int rc;
    rc = mw_native_compile(compiler, build->options, build->text, build->length, PATIENCE, &bytes, &n, &log);
    if (rc == MW_EBUILD && log)
        rc = mw_build_failed(device, build, log);
    else if (rc != 0)
        mw_fail_in(rc, "%s", build->label);
    TRY(rc);
    if ((rc = mw_load(bytes, n, loaded)) != 0)
        TRY(mw_fail_in(rc, "%s", build->label));
    mw_cache_put(key, bytes, n);
out:
    free(bytes);
    free(log);
    return rc;
}

static int make_object(const struct mw_device *device, const struct mw_build *build,
                       const struct mw_compiler *compiler, const char *key, struct mw_loaded *loaded)
{
    const struct mw_device_info *info = &device->info;
    double start = mw_now();
    int rc = 0;
    if (take_cached(key, loaded)) {
        mw_log(MW_LOG_INFO, "took %s for %s from the cache in %.4f s", build->label, info->id, mw_now() - start);
        return 0;
    }
    mw_log(MW_LOG_NOTICE, "compiling (first run): %s for %s (%s)", build->label, info->id, info->name);
    TRY(compile_object(device, build, compiler, key, loaded));
    mw_log(MW_LOG_INFO, "built %s for %s in %.3f s by %s with %s", build->label, info->id, mw_now() - start,
           compiler->words[0], build->options);
out:
    return rc;
}

/* An object of that key for this thread to make, or one that is made, with one more user. */
static struct mw_native_object *claim(struct mw_native_object *fresh)
{
    struct mw_native_object *found;
    pthread_mutex_lock(&lock);
    while ((found = find_object(fresh->key)) && !found->loaded.library)
        pthread_cond_wait(&changed, &lock);
    if (found) {
        found->users++;
    } else {
        fresh->next = objects;
        objects = fresh;
    }
    pthread_mutex_unlock(&lock);
    return found ? found : fresh;
}

int mw_native_object_get(const struct mw_device *device, const struct mw_build *build,
                         struct mw_native_object **result)
{
    struct mw_compiler compiler = { .word_count = 0 };
    struct mw_native_object *fresh = NULL, *object;
    struct mw_loaded loaded = { 0 };
    int rc;
    if ((rc = mw_compiler_find(&compiler)) != 0)
        TRY(mw_fail_in(rc, "%s is compiled for %s when it is used", build->label, device->info.id));
    TRY(mw_new(1, sizeof(*fresh), &fresh));
    fresh->users = 1;
    TRY(make_key(&compiler, build, &fresh->key));
    object = claim(fresh);
    if (object == fresh) {
        fresh = NULL;
        rc = make_object(device, build, &compiler, object->key, &loaded);
        pthread_mutex_lock(&lock);
        if (rc == 0)
            object->loaded = loaded;
        else
            remove_object(object);
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        if (rc != 0)
            free_object(object);
        TRY(rc);
    }
    *result = object;
out:
    free_object(fresh);
    mw_compiler_free(&compiler);
    return rc;
}

const struct mw_native_kernel *mw_native_object_kernels(const struct mw_native_object *object)
{
    return object->loaded.kernels;
}

void mw_native_object_put(struct mw_native_object *object)
{
    bool last;
    if (!object)
        return;
    pthread_mutex_lock(&lock);
    last = --object->users == 0;
    if (last)
        remove_object(object);
    pthread_mutex_unlock(&lock);
    if (last)
        free_object(object);
}

/* ---- whether it works here ---- */

/* Uses what a minimal installation of a compiler may lack: the C library's headers, its start files, a linker. */
static const char check_text[] =
    "#include <math.h>\n#include <stdint.h>\n"
    "struct mw_native_kernel { const char *name; void (*run)(const void *call); const void *parameters; };\n"
    "extern __attribute__((visibility(\"default\"))) const unsigned mw_native_abi;\n"
    "extern __attribute__((visibility(\"default\"))) const struct mw_native_kernel mw_kernels[];\n"
    "volatile double mw_check = 2.0;\n"
    "static void run(const void *call) { (void)call; mw_check = exp(mw_check); }\n"
    "const unsigned mw_native_abi = " DIGITS(ABI) ";\n"
    "const struct mw_native_kernel mw_kernels[] = { { \"check\", run, 0 }, { 0, 0, 0 } };\n";

static int ask_version(const struct mw_compiler *compiler, char *text, size_t size)
{
    static const char *const arguments[] = { "--version", NULL };
    bool refused = false;
    char *log = NULL;
    int rc;
    TRY(mw_compiler_run(compiler, arguments, NULL, PATIENCE, &refused, &log));
    snprintf(text, size, "%s: %.*s", compiler->words[0], (int)strcspn(log, "\n"), log);
out:
    free(log);
    return rc;
}

int mw_native_check(char *text, size_t size)
{
    struct mw_compiler compiler = { .word_count = 0 };
    struct mw_loaded loaded = { 0 };
    char *bytes = NULL, *log = NULL;
    size_t n = 0;
    int rc;
    TRY(mw_compiler_find(&compiler));
    TRY(ask_version(&compiler, text, size));
    rc = mw_native_compile(&compiler, mw_native_options[0], check_text, strlen(check_text), PATIENCE, &bytes, &n, &log);
    const char *said = log && log[0] ? log : "it said nothing and left nothing";
    if (rc == MW_EBUILD && log)
        rc = mw_fail(MW_EBUILD, "%s does not work (%.*s): install gcc and libc6-dev, or set MESHWORK_CC to another C "
                     "compiler", compiler.words[0], (int)strcspn(said, "\n"), said);
    TRY(rc);
    TRY(mw_load(bytes, n, &loaded));
out:
    mw_unload(&loaded);
    mw_compiler_free(&compiler);
    free(bytes);
    free(log);
    return rc;
}
