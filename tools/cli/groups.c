/* Groups of options that subcommands share. */
#include <meshwork/field.h>

#include "tools/cli/groups.h"

#include "tools/cli/names.h"
#include "tools/report/output.h"
#include "tools/report/report.h"

#define GENERAL(member) offsetof(struct general, member)
#define DEVICE(member) offsetof(struct device_settings, member)
#define MESH(member) offsetof(struct mesh_settings, member)

/* clang-format off */
static const struct option general_options[] = {
    { .name = "help", .letter = 'h', .type = OPTION_FLAG, .target = GENERAL(help), .help = "show this help" },
    { .name = "version", .letter = 'V', .type = OPTION_FLAG, .target = GENERAL(version), .help = "show the version" },
    { .name = "print-config", .type = OPTION_FLAG, .target = GENERAL(print_config),
      .help = "show each setting and the source of its value, then exit" },
    { .name = "json", .type = OPTION_FLAG, .target = GENERAL(json), .help = "print results as JSON" },
    { .name = "quiet", .letter = 'q', .type = OPTION_FLAG, .target = GENERAL(quiet), .called = "s|silent",
      .help = "print no progress and no notes" },
    { .name = "verbose", .letter = 'v', .type = OPTION_FLAG, .target = GENERAL(verbose), .called = "debug",
      .help = "report builds, cache use and tuning" },
    { 0 }
};
/* clang-format on */

const struct option_group general_group = { "General", general_options, 0 };

/* clang-format off */
#define DEVICE_OPTIONS(more) \
    { .name = "device", .letter = 'd', .type = OPTION_TEXT, .target = DEVICE(selector), .value = "DEVICE", \
      .called = "gpu=gpu|cpu=cpu|native=native|cuda=cuda|opencl=opencl|devices|backend|platform", \
      .environment = "MESHWORK_DEVICE", \
      .help = "cpu, gpu, accelerator, native, an index or id from `meshwork devices`, pci:ADDRESS, uuid:HEX, or " \
              "part of a name (default: the fastest measured by `meshwork advise`; otherwise a GPU, then an " \
              "accelerator, then native)" more }, \
    { .name = "threads", .type = OPTION_COUNT, .target = DEVICE(threads), .value = "N", .least = 1, \
      .most = MW_THREADS_MAX, .called = "j|t|jobs|nthreads|num-threads|cores|cpus|workers", \
      .environment = "MESHWORK_THREADS", .help = "threads of native devices (default: one per core)" }, \
    { .name = "memory-limit", .type = OPTION_BYTES, .target = DEVICE(memory_limit), .value = "BYTES", \
      .environment = "MESHWORK_MEMORY_LIMIT", \
      .help = "memory limit per device, such as 500M or 6G (default: all)" }, \
    { 0 }
/* clang-format on */

const struct option device_options[] = { DEVICE_OPTIONS("") };
const struct option devices_options[] = { DEVICE_OPTIONS("; several devices share the work: -d gpu,cpu, or -d all") };

const struct option kernel_options[] = { { .name = "kernel-path",
                                           .type = OPTION_TEXT,
                                           .target = DEVICE(kernel_path),
                                           .value = "FOLDER",
                                           .environment = "MESHWORK_KERNEL_PATH",
                                           .help = "folder of kernels and models (default: the installed one)" },
                                         { 0 } };

const struct option shape_options[] = {
    { .name = "shape",
      .type = OPTION_TEXT,
      .target = DEVICE(shape),
      .value = "group=N",
      .help = "work-items per work-group, on OpenCL and CUDA devices: 1, 2, 4, 8, 16 or a multiple of 32 (default: "
              "chosen per kernel)" },
    { 0 }
};

static const char *integrator_word(int value)
{
    const char *name = mw_integrator_name(value);
    return value == INTEGRATOR_LIST ? "list" : name || value > INTEGRATOR_LIST ? name : "";
}

/* clang-format off */
const struct option mesh_options[] = {
    { .name = "size", .type = OPTION_SIZE, .target = MESH(size), .value = "WxH", .fallback = "512x512",
      .called = "L|s|n|grid|mesh|shape|dims|dimensions|resolution|width|height|lattice-size|cells",
      .help = "cells along each dimension (1 to 8), x first: 4096, 512x512, 64x64x64" },
    { .name = "precision", .type = OPTION_CHOICE, .target = MESH(precision), .value = "single|double",
      .also = "float32=single|float64=double|float=single", .called = "float=single|float32=single|float64=double|"
      "double=double|single=single|fp32=single|fp64=double|dtype", .fallback = "single",
      .help = "floating-point precision" },
    { .name = "integrator", .type = OPTION_CHOICE, .target = MESH(integrator),
      .value = "euler|rk2|rk4|bs3|dp5|etd2|etd4|strang|list",
      .named = integrator_word, .also = "midpoint=rk2|runge-kutta=rk4", .fallback = "rk2",
      .help = "time integration method: bs3 and dp5 choose their steps, etd2, etd4 and strang suit stiff equations" },
    { .name = "boundary", .type = OPTION_CHOICES, .target = MESH(boundary), .value = "periodic|mirror|fixed",
      .named = mw_boundary_name,
      .called = "bc|boundaries|boundary-condition|boundary-conditions|periodic=periodic",
      .also = "neumann=mirror|zero-flux=mirror|no-flux=mirror|reflecting=mirror|dirichlet=fixed|cyclic=periodic",
      .fallback = "periodic", .help = "boundary condition of all dimensions, or one per dimension: mirror,periodic" },
    { .name = "laplacian", .type = OPTION_CHOICE, .target = MESH(laplacian), .value = "second|fourth|isotropic",
      .named = mw_laplacian_name, .also = "2=second|4=fourth", .fallback = "second",
      .help = "Laplacian stencil: second or fourth order, or isotropic (2 and 3 dimensions)" },
    { .name = "fast-math", .type = OPTION_FLAG, .target = MESH(fast_math),
      .help = "let the compiler reorder arithmetic: faster, but devices differ in the last bits" },
    { 0 }
};
/* clang-format on */

int mesh_boundaries(const struct mesh_settings *mesh, enum mw_boundary *boundary)
{
    const struct choices *b = &mesh->boundary;
    const unsigned dims = mesh->size.dims;
    if (b->count != 1 && b->count != dims)
        return mw_fail(MW_EINVAL, "--boundary has %s, but the mesh has %s: give one for all, or one per dimension",
                       COUNTED(b->count, "boundary|boundaries"), COUNTED(dims, "dimension"));
    for (unsigned d = 0; d < dims; d++)
        boundary[d] = (enum mw_boundary)b->item[b->count == 1 ? 0 : d];
    return 0;
}

static int read_group(const char *text, size_t *group)
{
    struct mw_shape shape = { 0 };
    const int rc = mw_shape_parse(text, &shape);
    if (rc)
        return mw_fail_in(rc, "--shape");
    if (shape.variant[0] || shape.vec || shape.per_item || shape.rows || shape.steps || shape.group[1] != 1 ||
        shape.group[0] == 0)
        return mw_fail(MW_EINVAL, "--shape %s: expected group=N, where N is 1, 2, 4, 8, 16 or a multiple of 32", text);
    *group = shape.group[0];
    return 0;
}

int device_open_options(const struct device_settings *settings, struct mw_device_options *options)
{
    size_t group = 0;
    if (settings->shape)
        TRY_RETURN(read_group(settings->shape, &group));
    *options = (struct mw_device_options){ .size = sizeof(struct mw_device_options),
                                           .threads = (unsigned)settings->threads,
                                           .kernel_path = settings->kernel_path,
                                           .profile = output_verbose(),
                                           .memory_limit = settings->memory_limit,
                                           .group = group };
    return 0;
}

size_t device_notes(const struct mw_device_list *list, const char *with)
{
    char line[512];
    size_t said = 0;
    for (const char *note = mw_device_list_notes(list); *note; note += strcspn(note, "\n"), note += *note == '\n') {
        const size_t n = strcspn(note, "\n");
        mw_copy_string(line, n < sizeof(line) ? n + 1 : sizeof(line), note);
        if (strstr(line, with)) {
            print_note("%s", line);
            said++;
        }
    }
    return said;
}

/* Opens the default device.  Notes a missing OpenCL, unless a driver was left out because it crashes.  OpenCL devices
 * precede native ones in the list. */
static int open_default(const struct mw_device_options *options, struct mw_device **device)
{
    struct mw_device_list *list = NULL;
    size_t chosen, count;
    int rc;
    TRY(mw_device_list_new(&list));
    TRY(mw_device_select(list, NULL, 1, &chosen, &count));
    TRY(mw_device_open(list, chosen, options, device));
    if (!device_notes(list, "ends the process") && mw_device_list_info(list, 0)->kind == MW_DEVICE_NATIVE)
        report_note("no OpenCL device: using %s; `meshwork doctor` lists what to install", mw_device_info(*device)->id);
out:
    mw_device_list_free(list);
    return rc;
}

int device_find(const struct device_settings *settings, struct mw_device **device)
{
    struct mw_device_options options;
    TRY_RETURN(device_open_options(settings, &options));
    *device = device_kept(settings, 0);
    if (*device)
        return 0;
    TRY_RETURN(settings->selector ? mw_device_open_by_name(settings->selector, &options, device)
                                  : open_default(&options, device));
    device_note(settings, 0, *device);
    return 0;
}

uint64_t device_memory(const struct device_settings *settings, const struct mw_device_info *device)
{
    const uint64_t limit = settings->memory_limit, all = device->memory_bytes;
    return limit && (!all || limit < all) ? limit : all;
}

int device_planned(const struct device_settings *settings, struct mw_device_info *device)
{
    struct mw_device_list *list = NULL;
    size_t chosen, count;
    int rc;
    TRY(mw_device_list_for(settings->selector, &list));
    TRY(mw_device_select(list, settings->selector, 1, &chosen, &count));
    *device = *mw_device_list_info(list, chosen);
    device->memory_bytes = device_memory(settings, device);
out:
    mw_device_list_free(list);
    return rc;
}

int device_holds(const struct mw_device_info *device, uint64_t bytes)
{
    if (device->memory_bytes && bytes > device->memory_bytes)
        return mw_fail(MW_ELIMIT, "%s has %s of memory, but this needs %s: choose another device", device->id,
                       bytes_text(device->memory_bytes).text, bytes_text(bytes).text);
    return 0;
}

/* Stores the memory of this machine in bytes; 0: unknown. */
static int host_memory(uint64_t *bytes)
{
    const struct device_settings on_host = { .selector = "native:serial" };
    struct mw_device_info host;
    TRY_RETURN(device_planned(&on_host, &host));
    *bytes = host.memory_bytes;
    return 0;
}

int host_holds(uint64_t bytes, const char *less)
{
    uint64_t memory;
    TRY_RETURN(host_memory(&memory));
    if (memory && bytes > memory)
        return mw_fail(MW_ELIMIT, "this machine has %s of memory, but this needs %s: choose %s",
                       bytes_text(memory).text, bytes_text(bytes).text, less);
    return 0;
}

int variant_check(const char *name, mw_variant_table *variants)
{
    struct nearest nearest = { .word = name };
    const struct mw_variant *v;
    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; (v = variants(i)) != NULL; i++) {
        if (!strcmp(v->name, name) || (v->alias && !strcmp(v->alias, name)))
            return 0;
        nearest_offer(&nearest, v->name);
    }
    return mw_fail(MW_EINVAL, "--variant: unknown variant '%s': %s", name,
                   nearest_advice(&nearest, "`--variant list` lists them").text);
}

static bool has_variant(const char *name, mw_variant_table *variants)
{
    const struct mw_variant *v;
    for (size_t i = 0; (v = variants(i)) != NULL; i++)
        if (!strcmp(v->name, name) || (v->alias && !strcmp(v->alias, name)))
            return true;
    return false;
}

int variant_check_among(const char *name, mw_variant_table *variants, mw_variant_table *others, const char *is,
                        const char *advice)
{
    struct mw_text names = { 0 };
    const struct mw_variant *v;
    int rc;
    if (has_variant(name, variants) || !has_variant(name, others))
        return variant_check(name, variants);
    for (size_t i = 0; (v = variants(i)) != NULL; i++)
        mw_text_add(&names, "%s%s", v->name, !variants(i + 1) ? "" : variants(i + 2) ? ", " : " or ");
    TRY(mw_text_ok(&names));
    rc = mw_fail(MW_EINVAL, "--variant %s %s: %stake %s", name, is, advice, names.data);
out:
    mw_text_free(&names);
    return rc;
}

int variant_list(mw_variant_table *variants)
{
    const struct mw_variant *v;
    bool aliases = false;
    struct node *table;
    for (size_t i = 0; (v = variants(i)) != NULL; i++)
        aliases |= v->alias != NULL;
    table = report_table(aliases ? "name|alias|~" : "name|~");
    for (size_t i = 0; (v = variants(i)) != NULL; i++) {
        struct node *row = put_object(table, NULL);
        show_value_cell(put_text(row, "name", v->name), PLAIN);
        if (v->alias)
            show_value_cell(put_text(row, "alias", v->alias), PLAIN);
        else if (aliases)
            CELL(row, "%s", "");
        show_value_cell(put_text(row, "description", v->description), PLAIN);
    }
    return report_print(table);
}
/* SPDX-License-Identifier: MIT */
