/* A driver that reports registers per kernel, as NVIDIA's does: use of its build logs, and of binaries in the cache.
 * The OpenCL functions called by the backend are defined below. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/kernel_set.h"
#include "dev/opencl/opencl_internal.h"

#include "tests/check.h"

/* ---- the driver ---- */

/* Compiles a source to assembler text, and reports its registers only for a text that is new.  Fails to build program
 * number `refused`. */
enum { ROOM = 256 };
struct _cl_program {
    char text[ROOM];
    bool told;
    int number;
};
struct _cl_kernel {
    int unused;
};
static struct _cl_kernel a_kernel;
static struct {
    char known[ROOM], last[ROOM];
    const char *begins;
    bool gives_none;
    int made, released, assembled, refused;
} driver;

#define LOG(registers)                                                                                                 \
    "ptxas info    : Compiling entry function 'axpy' for 'sm_90a'\n"                                                   \
    "ptxas info    : Used " registers " registers, used 1 barriers\n"

static cl_program begin(const char *text, size_t n)
{
    cl_program made = NULL;
    OK(mw_new(1, sizeof *made, &made));
    memcpy(made->text, text, n < ROOM ? n : ROOM - 1);
    memcpy(driver.last, made->text, ROOM);
    made->number = ++driver.made;
    return made;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **text, const size_t *n,
                                     cl_int *error)
{
    char assembler[ROOM];
    *error = CL_SUCCESS;
    snprintf(assembler, sizeof assembler, "%s%s", driver.begins, *text);
    return begin(assembler, strlen(assembler));
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices, const size_t *n,
                                     const unsigned char **bytes, cl_int *status, cl_int *error)
{
    *error = *status = CL_SUCCESS;
    return begin((const char *)*bytes, *n);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void (*done)(cl_program, void *), void *context)
{
    if (program->number == driver.refused)
        return CL_INVALID_BINARY;
    program->told = strcmp(program->text, driver.known) != 0;
    driver.assembled += program->told;
    return CL_SUCCESS;
}

static cl_int give(const void *value, size_t bytes, size_t room, void *to, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (to)
        memcpy(to, value, bytes < room ? bytes : room);
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t room, void *to,
                             size_t *needed)
{
    const bool many = strstr(program->text, ".reqntid 128") && !strstr(program->text, ".minnctapersm 4\n");
    const char *log = !program->told ? "" : many ? LOG("132") : LOG("128");
    return give(log, strlen(log) + 1, room, to, needed);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *to, size_t *needed)
{
    const size_t n = driver.gives_none ? 0 : strlen(program->text) + 1;
    if (what == CL_PROGRAM_BINARY_SIZES)
        return give(&n, sizeof n, room, to, needed);
    memcpy(*(unsigned char **)to, program->text, n);
    return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program)
{
    free(program);
    driver.released++;
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    *error = CL_SUCCESS;
    return &a_kernel;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t room,
                                void *to, size_t *needed)
{
    const size_t group = 64;
    const cl_ulong bytes = 8196;
    return what == CL_KERNEL_LOCAL_MEM_SIZE || what == CL_KERNEL_PRIVATE_MEM_SIZE
               ? give(&bytes, sizeof bytes, room, to, needed)
               : give(&group, sizeof group, room, to, needed);
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t room, void *to, size_t *needed)
{
    const cl_uint none = 0;
    return give(&none, sizeof none, room, to, needed);
}

cl_int clReleaseKernel(cl_kernel kernel) { return CL_SUCCESS; }

/* ---- the backend ---- */

static struct mw_cl_device cl;
static const struct mw_device_traits traits;
static struct mw_device device = { .impl = &cl, .info = { .id = "opencl:0.0", .traits = &traits } };
static const struct mw_build build = { .label = "axpy.cl", .text = "axpy", .length = 4, .options = "" };

static void start(const char *begins, const char *known, int capability)
{
    memset(&driver, 0, sizeof driver);
    driver.begins = begins;
    snprintf(driver.known, sizeof driver.known, "%s", known);
    cl.room = capability ? mw_unit_room(capability) : NULL;
}

/* Returns the concurrent groups of 64 items for a kernel of this code; 0: unknown. */
static unsigned groups_of(struct mw_code *code)
{
    struct mw_program program = { .device = &device, .code = *code };
    struct mw_kernel kernel = { .device = &device, .program = &program, .name = "axpy" };
    OK(mw_cl_kernel_new(&kernel));
    mw_cl_kernel_free(&kernel);
    free(kernel.parameters);
    return (unsigned)mw_resident_groups(&kernel.limits, 64);
}

/* Compiles, then loads the binary that the cache would contain. */
static void compile_and_load(unsigned compiled, unsigned loaded)
{
    struct mw_code code = { 0 };
    struct mw_binary binary = { 0 };
    OK(mw_cl_programs.compile(&device, &build, &code, &binary));
    assert_int_equal(groups_of(&code), compiled);
    mw_cl_programs.unload(&code);
    if (binary.n) {
        OK(mw_cl_programs.load(&device, &build, &binary, &code));
        assert_string_equal(driver.last + strlen(driver.last) - 4, "axpy");
        assert_int_equal(groups_of(&code), loaded);
        mw_cl_programs.unload(&code);
    }
    free(binary.bytes);
    assert_int_equal(driver.made, driver.released);
}

static void registers_are_told_and_kept(void **unused)
{
    start("// text\n", "", 90);
    compile_and_load(8, 8);
    assert_int_equal(driver.made, 2);
}

static void what_a_driver_knows_is_assembled_anew(void **unused)
{
    start("// text\n", "// text\naxpy", 90);
    compile_and_load(8, 8);
    assert_int_equal(driver.made, 3);
    assert_int_equal(driver.assembled, 1);
    /* Binaries that are not text are unchanged. */
    start("ELF", "ELFaxpy", 90);
    compile_and_load(0, 0);
    assert_int_equal(driver.assembled, 0);
    /* So are rejected ones. */
    start("// text\n", "// text\naxpy", 90);
    driver.refused = 2;
    compile_and_load(0, 0);
    assert_int_equal(driver.assembled, 0);
}

static void others_are_not_asked(void **unused)
{
    start("// text\n", "", 0);
    compile_and_load(0, 0);
    start("// text\n", "", 90);
    driver.gives_none = true;
    compile_and_load(8, 0);
}

/* 132 registers leave room for 3 groups of 128 items, 128 for 4. */
static void another_group_is_asked_for(void **unused)
{
    start("// text\n.entry axpy(\n)\n.reqntid 128, 1, 1\n{ ", "", 90);
    compile_and_load(8, 8);
    assert_int_equal(driver.made, 3);
    assert_non_null(strstr(driver.last, ".reqntid 128, 1, 1\n.minnctapersm 4\n{ axpy"));
    /* A driver that rejects the text keeps the first program. */
    start("// text\n.entry axpy(\n)\n.reqntid 128, 1, 1\n{ ", "", 90);
    driver.refused = 2;
    compile_and_load(6, 6);
    assert_null(strstr(driver.last, ".minnctapersm"));
    /* 64 items: 15 groups of 128 registers would need fewer than 120. */
    start("// text\n.entry axpy(\n)\n.reqntid 64, 1, 1\n{ ", "", 90);
    compile_and_load(8, 8);
    assert_int_equal(driver.made, 2);
}

static void damaged_binaries_are_refused(void **unused)
{
    struct mw_code code = { 0 };
    char bytes[] = { 'a', 'x', 'p', 'y' };
    start("", "", 90);
    FAILS(MW_EDEVICE, "cached binary",
          mw_cl_programs.load(&device, &build, &(struct mw_binary){ bytes, sizeof bytes }, &code));
    assert_int_equal(driver.made, 0);
    bytes[0] = '\0';
    driver.refused = 1;
    FAILS(MW_EDEVICE, "linking a binary",
          mw_cl_programs.load(&device, &build, &(struct mw_binary){ bytes, sizeof bytes }, &code));
    assert_int_equal(driver.made, driver.released);
    start("", "", 90);
    driver.refused = 1;
    FAILS(MW_EDEVICE, "compiling kernels", mw_cl_programs.compile(&device, &build, &code, &(struct mw_binary){ 0 }));
    assert_int_equal(driver.made, driver.released);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_told_and_kept),  cmocka_unit_test(what_a_driver_knows_is_assembled_anew),
        cmocka_unit_test(others_are_not_asked),         cmocka_unit_test(another_group_is_asked_for),
        cmocka_unit_test(damaged_binaries_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
