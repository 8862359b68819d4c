/* Native kernels that the system's C compiler makes at run time. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/native/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

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

/* The vectoriser of -O3 without its unrolling: on long inlined kernels that takes a compiler six times as long without
 * a gain. It leaves out straight code, where gcc fuses products with alternating sums and differences, whatever
 * -ffp-contract is. Warnings about definite errors are errors. */
#define ALWAYS                                                                                                         \
    "-std=gnu11 -O2 -ftree-vectorize -fno-tree-slp-vectorize -fvect-cost-model" FOR_THIS_CPU                           \
    " -fPIC -shared -fvisibility=hidden -fno-math-errno -fno-trapping-math"                                            \
    " -Wno-psabi -Werror=implicit-function-declaration -Werror=return-type -Wl,-z,defs"

/* Fast math by its parts: with -ffast-math itself, loading the result makes the whole process flush small numbers to
 * zero. Infinities and NaNs are kept, since they reveal diverging runs. */
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
    TRY_RETURN(mw_new(strlen(text) / 2 + MW_COUNT(last) + 2, sizeof(*words), &words));
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    memcpy(words + count, last, sizeof(last));
    *result = words;
    return 0;
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
    TRY(mw_work_file_new(folder, "text.c", text, length, &from));
    TRY(mw_path_join(folder, "object.so", &to));
    TRY(mw_strdup(options, &words));
    TRY(make_arguments(words, from, to, &arguments));
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

/* ---- what the backend's table names ---- */

/* A cache may lie in a home that many machines share. */
int mw_native_identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key)
{
    struct mw_compiler compiler = { .word_count = 0 };
    int rc;
    if ((rc = mw_compiler_find(&compiler)) != 0)
        TRY(mw_fail_in(rc, "%s is compiled for %s when it is used", build->label, device->info.id));
    mw_text_add(key, "%s\n%s\n", PACKAGE_VERSION, compiler.identity);
    mw_cpu_identify(key);
out:
    mw_compiler_free(&compiler);
    return rc;
}

int mw_native_build(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                    struct mw_binary *binary)
{
    struct mw_compiler compiler = { .word_count = 0 };
    char *log = NULL;
    int rc;
    TRY(mw_compiler_find(&compiler));
    mw_log(MW_LOG_INFO, "the compiler of %s is %s", device->info.id, compiler.words[0]);
    rc = mw_native_compile(&compiler, build->options, build->text, build->length, PATIENCE, &binary->bytes, &binary->n,
                           &log);
    if (rc == MW_EBUILD && log)
        rc = mw_build_failed(device, build, log);
    else if (rc != 0)
        mw_fail_in(rc, "%s", build->label);
out:
    mw_compiler_free(&compiler);
    free(log);
    return rc;
}

int mw_native_load(struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
                   struct mw_code *code)
{
    struct mw_loaded *loaded = NULL;
    int rc;
    TRY(mw_new(1, sizeof(*loaded), &loaded));
    if ((rc = mw_load(binary->bytes, binary->n, loaded)) != 0)
        TRY(mw_fail_in(rc, "%s", build->label));
    code->native = loaded->kernels;
    code->impl = MW_PASS(loaded);
out:
    free(loaded);
    return rc;
}

void mw_native_unload(struct mw_code *code)
{
    mw_unload(code->impl);
    free(code->impl);
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
    "const unsigned mw_native_abi = " DIGITS(
        MW_NATIVE_ABI) ";\n"
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
    const char *said = log && log[0] ? log : "no message and no file";
    if (rc == MW_EBUILD && log)
        rc = mw_fail(MW_EBUILD,
                     "%s does not work (%.*s): install gcc and libc6-dev, or set MESHWORK_CC to another C "
                     "compiler",
                     compiler.words[0], (int)strcspn(said, "\n"), said);
    TRY(rc);
    TRY(mw_load(bytes, n, &loaded));
out:
    mw_unload(&loaded);
    mw_compiler_free(&compiler);
    free(bytes);
    free(log);
    return rc;
}
/* SPDX-License-Identifier: MIT */
