/* The device layer on one device, $MESHWORK_TEST_DEVICE.  Programs: errors in kernels, and the cache. */
#include "tests/device/dev/dev.h"

#include <fcntl.h>
#include <signal.h>

static void broken_kernels_are_named_with_their_place(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = { .size = sizeof source, .file = "broken.cl" };
    if (!compiles) {
        FAILS(MW_ENOTSUP, "broken.cl", mw_program_new(device, &source, &made));
        return;
    }
    FAILS(MW_EBUILD, "broken.clh:4: ", mw_program_new(device, &source, &made));
    assert_non_null(strstr(mw_errmsg(), "not_declared"));
    assert_non_null(strstr(mw_build_log(), "not_declared"));
    static const struct mw_source_text text = { "model", "int f(int a);\n\nint f(int a) { return ; + }\n",
                                                "/home/me/my model.cl" };
    source = (struct mw_source){ .size = sizeof(struct mw_source), .file = "model", .texts = &text, .text_count = 1 };
    FAILS(MW_EBUILD, "/home/me/my model.cl:3: ", mw_program_new(device, &source, &made));
    assert_null(strstr(mw_build_log(), "not_declared"));
    source = (struct mw_source){ .size = sizeof(struct mw_source), .file = "missing.cl" };
    FAILS(MW_EIO, "missing.cl", mw_program_new(device, &source, &made));
    assert_null(made);
    mw_program_free(NULL);
}

static void double_precision_is_asked_for_first(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = source_with(default_defines());
    bool fp64 = device->info.fp64;
    source.fp64 = true;
    if (fp64) {
        OK(mw_program_new(device, &source, &made));
        mw_program_free(made);
        made = NULL;
    }
    device->info.fp64 = false;
    int rc = mw_program_new(device, &source, &made);
    device->info.fp64 = fp64;
    FAILS(MW_ENOTSUP, "or single precision", rc);
    assert_null(made);
}

static void hashes_tell_programs_apart(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = source_with(default_defines());
    OK(mw_program_new(device, &source, &made));
    assert_true(mw_program_hash(made) == mw_program_hash(the_program()));
    mw_program_free(made);
    source.defines = "#define LOCAL_INTS 17";
    OK(mw_program_new(device, &source, &made));
    assert_true(mw_program_hash(made) != mw_program_hash(the_program()));
    mw_program_free(made);
}

/* Returns whether a new program works. */
static void check_program(struct mw_program *made)
{
    struct mw_kernel *nulls = NULL;
    int32_t out = 0;
    struct mw_buffer *buffer = buffer_with(&out, sizeof(out));
    OK(mw_kernel_new(made, "nulls", &nulls));
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_buffer(NULL) };
    run(nulls, (struct mw_range){ 1, { 1 }, { 1 } }, args, 2);
    OK(mw_buffer_read(buffer, 0, sizeof(out), &out, NULL));
    assert_int_equal(out, -1);
    mw_kernel_free(nulls);
    mw_buffer_free(buffer);
}

/* As in a process that has loaded nothing of it. */
static void build_again(const struct mw_source *source, int compiling, int cached)
{
    struct mw_program *made = NULL;
    logged.compiling = logged.cached = 0;
    OK(mw_program_new(device, source, &made));
    check_program(made);
    mw_program_free(made);
    mw_objects_forget(device);
    assert_int_equal(logged.compiling, compiling);
    assert_int_equal(logged.cached, cached);
}

static void programs_are_cached(void **state)
{
    struct mw_source source = source_with("#define LOCAL_INTS 19\n");
    char programs[256];
    if (!compiles || mw_device_info(device)->traits->keeps_programs)
        skip();
    snprintf(programs, sizeof(programs), "%s/cache/programs", folder);
    build_again(&source, 1, 0);
    build_again(&source, 0, 1);
    source.defines = "#define LOCAL_INTS 20\n";
    build_again(&source, 1, 0);
    assert_true(each_file(programs, flip_middle) >= 2);
    build_again(&source, 1, 0);
    build_again(&source, 0, 1);
    source.fast_math = true;
    build_again(&source, 1, 0);
    /* Everything works without a cache, as on a read-only system. */
    char *before = strdup(getenv("MESHWORK_CACHE_DIR"));
    setenv("MESHWORK_CACHE_DIR", "/dev/null/nowhere", 1);
    build_again(&source, 1, 0);
    setenv("MESHWORK_CACHE_DIR", before, 1);
    build_again(&source, 0, 1);
    free(before);
}

static void programs_of_one_text_share_their_code(void **state)
{
    struct mw_source source = source_with("#define LOCAL_INTS 21\n");
    struct mw_program *first = NULL, *second = NULL, *other = NULL;
    struct mw_device *again = NULL;
    OK(mw_program_new(device, &source, &first));
    logged.compiling = logged.cached = 0;
    OK(mw_program_new(device, &source, &second));
    assert_int_equal(logged.compiling + logged.cached, 0);
    assert_ptr_equal(first->code.impl, second->code.impl);
    mw_program_free(first);
    check_program(second);
    /* A device that is opened again loads its own code. */
    OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), &device->options, &again));
    OK(mw_program_new(again, &source, &other));
    assert_int_equal(logged.cached, compiles && !mw_device_info(device)->traits->keeps_programs);
    mw_program_free(second);
    mw_program_free(other);
    mw_device_close(again);
}

/* Some compilers count errors on standard error, but not if the program requests quiet. */
static void compilers_are_quiet_when_asked(void **state)
{
    struct mw_program *made = NULL;
    struct mw_source source = { .size = sizeof source, .file = "broken.cl" };
    struct stat heard, before, after;
    char path[300];
    snprintf(path, sizeof(path), "%s/heard", folder);
    mw_process_prepare(MW_PROCESS_QUIET);
    assert_int_equal(fstat(STDERR_FILENO, &before), 0);
    fflush(stderr);
    int kept = dup(STDERR_FILENO), file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(kept >= 0 && file >= 0);
    dup2(file, STDERR_FILENO);
    int rc = mw_program_new(device, &source, &made);
    fstat(STDERR_FILENO, &heard);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    assert_true(rc != 0);
    assert_int_equal(heard.st_size, 0);
    assert_int_equal(fstat(STDERR_FILENO, &after), 0);
    assert_true(before.st_dev == after.st_dev && before.st_ino == after.st_ino);
}

/* Queued launches on the CUDA emulation fail when a buffer is freed.  Freeing cannot report it; the next call does. */
static void failures_of_waiting_launches_are_told(void **state)
{
    if (!getenv("MESHWORK_CUDA_LOG"))
        skip();
    uint32_t out[4] = { 0 };
    struct mw_kernel *number = kernel_of("number");
    struct mw_buffer *buffer = buffer_with(out, sizeof out);
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(4), mw_arg_u32(1), mw_arg_u32(1) };
    const struct mw_range range = { 3, { 4, 1, 1 }, { 0 } };
    for (int i = 0; i < 100; i++)
        OK(mw_launch(number, &range, args, 4, NULL));
    OK(mw_device_finish(device));
    struct mw_buffer *other = buffer_with(out, sizeof out);
    for (int i = 0; i < 6; i++) /* one alone, two in a graph, and three that are queued */
        OK(mw_launch(number, &range, args, 4, NULL));
    OK(setenv("MESHWORK_CUDA_FAIL", "cuGraphLaunch:1", 1));
    mw_buffer_free(other);
    OK(unsetenv("MESHWORK_CUDA_FAIL"));
    FAILS(MW_ELIMIT, "launching kernels", mw_buffer_read(buffer, 0, sizeof out, out, NULL));
    OK(mw_buffer_read(buffer, 0, sizeof out, out, NULL));
    assert_int_equal(out[0], 103);
    mw_buffer_free(buffer);
    mw_kernel_free(number);
}

static void on_abort(const char *words) { (void)words; }

/* While kernels are compiled and loaded, but not before and after. */
static void abort_is_watched_in_calls_of_drivers_alone(void **state)
{
    uint32_t out[4] = { 0 };
    struct mw_program *made = NULL;
    struct mw_kernel *number = NULL;
    struct mw_buffer *buffer = buffer_with(out, sizeof out);
    const struct mw_arg args[] = { mw_arg_buffer(buffer), mw_arg_u32(4), mw_arg_u32(1), mw_arg_u32(1) };
    struct mw_source source = source_with("#define LOCAL_INTS 18");
    struct sigaction before, now;
    assert_int_equal(sigaction(SIGABRT, NULL, &before), 0);
    mw_process_when_aborted(on_abort);
    OK(mw_program_new(device, &source, &made));
    OK(mw_kernel_new(made, "number", &number));
    run(number, (struct mw_range){ 3, { 4, 1, 1 }, { 0 } }, args, 4);
    mw_process_when_aborted(NULL);
    assert_int_equal(sigaction(SIGABRT, NULL, &now), 0);
    assert_true(now.sa_handler == before.sa_handler);
    mw_kernel_free(number);
    mw_program_free(made);
    mw_buffer_free(buffer);
}

static void unprofiled_devices_record_no_times(void **state)
{
    struct mw_device *other = NULL;
    struct mw_buffer *buffer = NULL;
    struct mw_event *event = NULL;
    char byte = 0;
    double seconds = -1.0;
    OK(mw_device_open_by_name(getenv("MESHWORK_TEST_DEVICE"), NULL, &other));
    OK(mw_buffer_new(other, 1, &buffer));
    OK(mw_buffer_write(buffer, 0, 1, &byte, &event));
    OK(mw_event_wait(event));
    if (compiles)
        FAILS(MW_ENOTSUP, "profiling", mw_event_seconds(event, &seconds));
    else
        OK(mw_event_seconds(event, &seconds));
    mw_event_free(event);
    mw_buffer_free(buffer);
    mw_device_close(other);
}

/* ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_kernels_are_named_with_their_place),
        cmocka_unit_test(double_precision_is_asked_for_first),
        cmocka_unit_test(hashes_tell_programs_apart),
        cmocka_unit_test(programs_are_cached),
        cmocka_unit_test(programs_of_one_text_share_their_code),
        cmocka_unit_test(compilers_are_quiet_when_asked),
        cmocka_unit_test(failures_of_waiting_launches_are_told),
        cmocka_unit_test(abort_is_watched_in_calls_of_drivers_alone),
        cmocka_unit_test(unprofiled_devices_record_no_times),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
