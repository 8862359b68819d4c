/* Programs: from a source to code. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/core/backend.h"
#include "dev/build/interface.h"
#include "dev/core/given.h"

#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

/* Hashes native kernels that were compiled with the library by its version instead of their source. */
static uint64_t hash_native(const struct mw_source *source)
{
    struct mw_hasher hasher;
    const char *const parts[] = { PACKAGE_VERSION, source->file, source->defines ? source->defines : "" };
    mw_hasher_start(&hasher, 0);
    for (size_t i = 0; i < MW_COUNT(parts); i++)
        mw_hasher_add(&hasher, parts[i], strlen(parts[i]) + 1);
    for (size_t i = 0; i < source->text_count; i++)
        mw_hasher_add(&hasher, source->texts[i].text, strlen(source->texts[i].text) + 1);
    return mw_hasher_end(&hasher);
}

static uint64_t hash_build(const struct mw_build *build)
{
    struct mw_hasher hasher;
    mw_hasher_start(&hasher, 0);
    mw_hasher_add(&hasher, build->options, strlen(build->options) + 1);
    mw_hasher_add(&hasher, build->text, build->length);
    return mw_hasher_end(&hasher);
}

static int check_source(const struct mw_device *device, const struct mw_source *source)
{
    const struct mw_device_info *info = &device->info;
    if (!source->file)
        return mw_fail(MW_EINVAL, "the program has no name: set `file` of struct mw_source");
    if (source->fp64 && !info->fp64)
        return mw_fail(MW_ENOTSUP,
                       "%s (%s) has no double precision: use another device, such as native, or single "
                       "precision",
                       info->id, info->name);
    if (!device->backend->compiles && !source->native && (!source->native_file || !device->backend->compile))
        return mw_fail(MW_ENOTSUP, "%s has no native form and cannot run on %s: use an OpenCL or CUDA device",
                       source->file, info->id);
    return 0;
}

static bool is_kernels(const char *file)
{
    const size_t n = strlen(file);
    return n >= 3 && strcmp(file + n - 3, ".cl") == 0;
}

/* Finds a file in the library's own folder if the program's folder lacks it. */
static int flatten_own(const struct mw_device *device, const char *file, struct mw_text *flat)
{
    const struct mw_source source = { .size = sizeof source, .file = file, .native_file = file };
    const size_t before = flat->length;
    if (device->kernel_path) {
        const int rc = mw_flatten(device->kernel_path, &source, flat);
        if (rc == 0 || rc == MW_ENOMEM)
            return rc;
        flat->length = before; /* it may have added some lines */
    }
    return mw_flatten(NULL, &source, flat);
}

/* Appends the wrappers to the kernels, as C. */
static int add_wrappers(const struct mw_device *device, const struct mw_source *source, struct mw_text *flat)
{
    struct mw_interface interface = { 0 };
    int rc;
    TRY(mw_interface_read(source->file, flat->data, &interface));
    TRY(flatten_own(device, "native.clh", flat));
    mw_text_add(flat, "#line 1 \"wrappers of %s\"\n", source->file);
    mw_interface_write_native(&interface, flat);
    TRY(mw_text_ok(flat));
out:
    mw_interface_free(&interface);
    return rc;
}

/* Makes the compiler's text. `kernels`: for native devices, the source is kernels, not prepared C. */
static int flatten(const struct mw_device *device, const struct mw_source *source, bool kernels, struct mw_text *flat)
{
    const bool as_c = !device->backend->compiles && (kernels || is_kernels(source->file));
    const char *preamble = device->backend->compile->preamble;
    if (preamble && (as_c || device->backend->compiles))
        TRY_RETURN(flatten_own(device, preamble, flat));
    TRY_RETURN(mw_flatten(device->kernel_path, source, flat));
    return as_c ? add_wrappers(device, source, flat) : 0;
}

int mw_program_new(struct mw_device *device, const struct mw_source *given, struct mw_program **result)
{
    struct mw_program *program = NULL;
    struct mw_text flat = { 0 };
    struct mw_source asked, wanted;
    struct mw_build build;
    int rc;
    TRY(mw_device_given(&device));
    TRY(MW_OPTIONS_TAKE(mw_source, given, native_file, &asked));
    const struct mw_source *const source = &asked;
    wanted = asked;
    const bool own = !asked.native_file && asked.file && mw_source_is_own(source);
    if (own)
        wanted.native_file = asked.native_file = asked.file;
    TRY(check_source(device, source));
    if (!device->backend->compiles && !source->native)
        wanted.file = wanted.native_file;
    build.label = wanted.file;
    TRY(mw_new(1, sizeof(*program), &program));
    program->device = device;
    if (device->backend->compiles || !source->native) {
        if (source->fast_math)
            mw_text_add(&flat, "#define MW_FAST_MATH 1\n");
        TRY(flatten(device, &wanted, own, &flat));
        build.text = flat.data;
        build.length = flat.length;
        build.options = device->build_options[source->fast_math];
        program->hash = hash_build(&build);
        TRY(mw_object_get(device, &build, &program->object));
        program->code = *mw_object_code(program->object);
    } else {
        program->hash = hash_native(source);
        program->code.native = source->native;
    }
    *result = MW_PASS(program);
out:
    mw_text_free(&flat);
    free(program);
    return rc;
}

void mw_program_free(struct mw_program *program)
{
    if (!program)
        return;
    mw_object_put(program->object);
    free(program);
}

uint64_t mw_program_hash(const struct mw_program *program) { return program->hash; }
/* SPDX-License-Identifier: MIT */
