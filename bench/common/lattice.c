#include "bench/common/lattice.h"

#include "lattice/lattice_internal.h"

struct mw_program *bench_lattice_program(struct mw_device *device, const struct mw_lattice *lattice,
                                         const char *defines, const char *text, const struct mw_native_kernel *native)
{
    const struct mw_source_text file = { .name = "bench.cl", .text = text };
    struct mw_text all = { 0 };
    struct mw_program *program;
    if (mw_lattice_macros(lattice, &all) != 0)
        bench_die("lattice");
    mw_text_add(&all, "%s", defines);
    if (mw_text_ok(&all) != 0)
        bench_die("lattice");
    const struct mw_source source = {
        .size = sizeof source, .file = file.name, .defines = all.data, .texts = &file, .text_count = 1, .native = native
    };
    if (mw_program_new(device, &source, &program) != 0)
        bench_die(mw_device_info(device)->id);
    mw_text_free(&all);
    return program;
}

int bench_launches(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t arg_count,
                   int passes)
{
    int rc = 0;
    for (int i = 0; i < passes && rc == 0; i++)
        rc = mw_launch(kernel, range, args, arg_count, NULL);
    return rc;
}
/* SPDX-License-Identifier: MIT */
