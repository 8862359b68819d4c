/* Native kernels compiled at run time: arguments and results, when they are compiled, and sharing.  Skipped without a C
 * compiler. */
#include "dev/native/compiler.h"

/* The declarations of the other side of the interface, under other names. */
#undef MESHWORK_PROGRAM_H
#define mw_native_call clh_call
#define mw_native_fn clh_fn
#define mw_native_kernel clh_kernel
#define mw_native_parameter clh_parameter
#define mw_native_abi clh_abi
#define mw_native_items clh_items
#define mw_kernels clh_kernels
#include "native.clh"
#undef mw_native_call
#undef mw_native_fn
#undef mw_native_kernel
#undef mw_native_parameter
#undef mw_native_abi
#undef mw_native_items
#undef mw_kernels

#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dev/native/executor.h"
#include "tests/unit/dev/jit.h"

#define SAME(member)                                                                                                   \
    _Static_assert(offsetof(struct mw_native_call, member) == offsetof(struct clh_call, member) &&                     \
                       sizeof(((struct mw_native_call *)0)->member) == sizeof(((struct clh_call *)0)->member),         \
                   #member)
SAME(args);
SAME(global);
SAME(begin);
SAME(end);
SAME(dims);
SAME(worker);
_Static_assert(sizeof(struct mw_native_call) == sizeof(struct clh_call), "struct mw_native_call");
_Static_assert(offsetof(struct mw_native_kernel, run) == offsetof(struct clh_kernel, run), "struct mw_native_kernel");
_Static_assert(offsetof(struct mw_native_kernel, parameters) == offsetof(struct clh_kernel, parameters),
               "struct mw_native_kernel");
_Static_assert(offsetof(struct mw_native_parameter, bytes) == offsetof(struct clh_parameter, bytes) &&
                   sizeof(struct mw_native_parameter) == sizeof(struct clh_parameter),
               "struct mw_native_parameter");
_Static_assert(sizeof(struct mw_native_kernel) == sizeof(struct clh_kernel), "struct mw_native_kernel");

enum { THREADS = 3 };

struct mixed {
    int32_t i;
    float f;
    uint64_t u[2];
};

static const char kernels_text[] =
    "#include \"native.clh\"\n"
    "#ifdef MW_HOST\n"
    "#include <math.h>\n"
    "#endif\n"
    "#ifndef FACTOR\n"
    "#define FACTOR 1\n"
    "#endif\n"
    "struct mixed { i32 i; float f; u64 u[2]; };\n"
    "CLONES static void axpy(const struct mw_native_call *call)\n"
    "{\n"
    "    const i64 n = NATIVE_VALUE(i64, 3);\n"
    "    const i32 a = NATIVE_VALUE(i32, 0), *x = NATIVE_POINTER(1);\n"
    "    i32 *y = NATIVE_POINTER(2);\n"
    "    u32 *worker = NATIVE_POINTER(4);\n"
    "    for (i64 i = (i64)call->begin; i < (i64)call->end && i < n; i++) {\n"
    "        y[i] += FACTOR * a * x[i];\n"
    "        worker[i] += call->worker + 1;\n"
    "    }\n"
    "}\n"
    "CLONES static void scalars(const struct mw_native_call *call)\n"
    "{\n"
    "    u64 *out = NATIVE_POINTER(0);\n"
    "    out[0] = (u64)NATIVE_VALUE(i32, 1);\n"
    "    out[1] = NATIVE_VALUE(u32, 2);\n"
    "    out[2] = (u64)NATIVE_VALUE(i64, 3);\n"
    "    out[3] = NATIVE_VALUE(u64, 4);\n"
    "    out[4] = (u64)(sqrt(NATIVE_VALUE(float, 5)) * 1000);\n"
    "    ((double *)out)[5] = NATIVE_VALUE(double, 6);\n"
    "    out[6] = (u64)NATIVE_VALUE(struct mixed, 7).i;\n"
    "    out[7] = (u64)(NATIVE_VALUE(struct mixed, 7).f * 8);\n"
    "    out[8] = NATIVE_VALUE(struct mixed, 7).u[1];\n"
    "    out[9] = (void *)NATIVE_POINTER(8) == NULL;\n"
    "    out[10] = call->dims;\n"
    "    out[11] = call->global[0] * 10000 + call->global[1] * 100 + call->global[2];\n"
    "    out[12] += call->end - call->begin;\n"
    "}\n"
    "#define TAKES static const struct mw_native_parameter\n"
    "TAKES axpy_takes[] = { NATIVE_PARAMETER_COUNT(5) NATIVE_TAKES(i32), NATIVE_TAKES_BUFFER, NATIVE_TAKES_BUFFER,\n"
    "    NATIVE_TAKES(i64), NATIVE_TAKES_BUFFER };\n"
    "TAKES scalars_takes[] = { NATIVE_PARAMETER_COUNT(9) NATIVE_TAKES_BUFFER, NATIVE_TAKES(i32), NATIVE_TAKES(u32),\n"
    "    NATIVE_TAKES(i64), NATIVE_TAKES(u64), NATIVE_TAKES(float), NATIVE_TAKES(double),\n"
    "    NATIVE_TAKES(struct mixed), NATIVE_TAKES_BUFFER };\n"
    "const struct mw_native_kernel NATIVE_TABLE[] = {\n"
    "    { \"axpy\", axpy, axpy_takes }, { \"scalars\", scalars, scalars_takes }, { 0 } };\n";

/* ---- common parts ---- */

static struct {
    atomic_int compiling, cached;
} logged;

static void count_logs(void *context, enum mw_log_level level, const char *message)
{
    if (level == MW_LOG_WAIT && strstr(message, "compiling (first run)"))
        atomic_fetch_add(&logged.compiling, 1);
    if (strstr(message, "from the cache"))
        atomic_fetch_add(&logged.cached, 1);
}

static struct mw_source source_of(const struct mw_source_text *text, const char *defines)
{
    return (struct mw_source){ .size = sizeof(struct mw_source),
                               .file = "none.cl",
                               .native_file = text->name,
                               .defines = defines,
                               .texts = text,
                               .text_count = 1 };
}

static const struct mw_source_text kernels = { .name = "jit.c", .text = kernels_text };

static int make(struct mw_device *device, const char *defines, struct mw_program **program)
{
    struct mw_source source = source_of(&kernels, defines);
    return mw_program_new(device, &source, program);
}

/* Returns whether axpy of a program works; the factor is the value of FACTOR. */
static bool works(struct mw_device *device, struct mw_program *program, int factor)
{
    enum { N = 1000, ROOM = N + 24 };
    int32_t x[ROOM], y[ROOM], back[ROOM];
    uint32_t worker[ROOM] = { 0 };
    struct mw_kernel *kernel = NULL;
    struct mw_buffer *b[3] = { NULL };
    struct mw_range range = { 1, { ROOM }, { 0 } };
    int rc;
    bool right = true;
    for (int i = 0; i < ROOM; i++) {
        x[i] = rand() % 1000;
        y[i] = rand() % 1000;
    }
    TRY(mw_kernel_new(program, "axpy", &kernel));
    for (int i = 0; i < 3; i++)
        TRY(mw_buffer_new(device, sizeof(x), &b[i]));
    TRY(mw_buffer_write(b[0], 0, sizeof(x), x, NULL));
    TRY(mw_buffer_write(b[1], 0, sizeof(y), y, NULL));
    TRY(mw_buffer_write(b[2], 0, sizeof(worker), worker, NULL));
    const struct mw_arg args[] = { mw_arg_i32(-3), mw_arg_buffer(b[0]), mw_arg_buffer(b[1]), mw_arg_i64(N),
                                   mw_arg_buffer(b[2]) };
    TRY(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    TRY(mw_buffer_read(b[1], 0, sizeof(back), back, NULL));
    TRY(mw_buffer_read(b[2], 0, sizeof(worker), worker, NULL));
    for (int i = 0; i < ROOM; i++) {
        right = right && back[i] == (i < N ? y[i] - 3 * factor * x[i] : y[i]);
        right = right && (i < N ? worker[i] >= 1 && worker[i] <= THREADS : worker[i] == 0); /* once, by one of them */
    }
out:
    for (int i = 0; i < 3; i++)
        mw_buffer_free(b[i]);
    mw_kernel_free(kernel);
    return rc == 0 && right;
}

/* Builds with these defines in a process that has loaded nothing of it; counts messages. */
static void build(const char *defines, int factor, int compiling, int cached)
{
    struct mw_program *program = NULL;
    logged.compiling = logged.cached = 0;
    OK(make(serial, defines, &program));
    assert_int_equal(logged.compiling, compiling);
    assert_int_equal(logged.cached, cached);
    assert_true(works(serial, program, factor));
    mw_program_free(program);
    mw_objects_forget(serial);
}

/* ---- results ---- */

static void kernels_run_on_every_executor(void **state)
{
    for (const struct mw_executor_kind *kind = mw_executor_kinds; kind->name; kind++) {
        const struct mw_device_options options = { .size = sizeof options,
                                                   .threads = THREADS,
                                                   .kernel_path = serial->kernel_path };
        struct mw_device *device = NULL;
        struct mw_program *program = NULL;
        struct mw_kernel *kernel = NULL;
        struct mw_buffer *out = NULL;
        uint64_t got[13];
        const struct mixed mixed = { -7, 0.375f, { 1, UINT64_MAX - 3 } };
        char id[64];
        snprintf(id, sizeof(id), "native:%s", kind->name);
        OK(mw_device_open_by_name(id, &options, &device));
        OK(make(device, NULL, &program));
        for (int i = 0; i < 20; i++)
            assert_true(works(device, program, 1));
        OK(mw_kernel_new(program, "scalars", &kernel));
        OK(mw_buffer_new(device, sizeof(got), &out));
        OK(mw_buffer_fill(out, 0, sizeof(got), 0));
        const struct mw_arg args[] = {
            mw_arg_buffer(out),         mw_arg_i32(-5),    mw_arg_u32(UINT32_MAX), mw_arg_i64(INT64_MIN),
            mw_arg_u64(UINT64_MAX - 1), mw_arg_f32(2.25f), mw_arg_f64(0.1),        mw_arg_struct(&mixed, sizeof(mixed)),
            mw_arg_buffer(NULL)
        };
        OK(mw_launch(kernel, &(struct mw_range){ 2, { 17, 1 }, { 0 } }, args, MW_COUNT(args), NULL));
        OK(mw_buffer_read(out, 0, sizeof(got), got, NULL));
        const uint64_t expected[] = {
            (uint64_t)-5, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, 1500, 0, (uint64_t)-7, 3, UINT64_MAX - 3, 1, 2,
            170101,       1
        };
        const double tenth = 0.1;
        assert_memory_equal(&got[5], &tenth, sizeof(tenth));
        got[5] = 0;
        assert_memory_equal(got, expected, sizeof(expected));
        struct mw_kernel *none = NULL;
        FAILS(MW_EINVAL, "no_such_kernel", mw_kernel_new(program, "no_such_kernel", &none));
        mw_buffer_free(out);
        mw_kernel_free(kernel);
        mw_program_free(program);
        mw_device_close(device);
    }
}

static void run_prebuilt(const struct mw_native_call *call) { *(int32_t *)call->args[0] = 42; }

static void what_is_built_in_is_preferred(void **state)
{
    static const struct mw_native_parameter takes[] = { { 0, 1 }, { MW_ARG_BUFFER, 0 } };
    static const struct mw_native_kernel table[] = { { "only_here", run_prebuilt, takes }, { .name = NULL } };
    const struct mw_source source = {
        .size = sizeof source, .file = "none.cl", .native_file = "missing.c", .native = table
    };
    struct mw_source other = { .size = sizeof other, .file = "none.cl", .native_file = "missing.c" };
    struct mw_program *program = NULL, *none = NULL;
    struct mw_kernel *kernel = NULL;
    OK(mw_program_new(serial, &source, &program));
    OK(mw_kernel_new(program, "only_here", &kernel));
    mw_kernel_free(kernel);
    mw_program_free(program);
    FAILS(MW_EIO, "missing.c", mw_program_new(serial, &other, &none));
    other.native_file = NULL;
    FAILS(MW_ENOTSUP, "none.cl", mw_program_new(serial, &other, &none));
    assert_null(none);
}

/* ---- the cache ---- */

static void cut_to_half(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(truncate(path, st.st_size / 2), 0);
}

static void programs_are_cached(void **state)
{
    char programs[128];
    struct mw_cache_stats stats = MW_INIT(stats);
    struct mw_program *program = NULL;
    struct mw_source fast = source_of(&kernels, NULL);
    snprintf(programs, sizeof(programs), "%s/programs", cache);
    OK(mw_cache_clear());
    build(NULL, 1, 1, 0);
    build(NULL, 1, 0, 1);
    build("#define FACTOR 2\n", 2, 1, 0);
    build("#define FACTOR 2\n", 2, 0, 1);
    OK(mw_cache_stats(&stats));
    assert_int_equal(stats.entries, 2);
    fast.fast_math = true;
    logged.compiling = 0;
    OK(mw_program_new(serial, &fast, &program));
    assert_int_equal(logged.compiling, 1);
    assert_true(works(serial, program, 1));
    mw_program_free(program);
    mw_objects_forget(serial);
    /* Damage of two kinds. */
    assert_int_equal(each_file(programs, flip_middle), 3);
    build(NULL, 1, 1, 0);
    build(NULL, 1, 0, 1);
    assert_int_equal(each_file(programs, cut_to_half), 3);
    build(NULL, 1, 1, 0);
    build("#define FACTOR 2\n", 2, 1, 0);
    OK(mw_cache_clear());
    OK(mw_cache_stats(&stats));
    assert_int_equal(stats.entries, 0);
    build(NULL, 1, 1, 0);
}

/* Intact files that are no suitable library: of another compiler or machine. */
static void foreign_objects_are_replaced(void **state)
{
    const struct mw_source source = source_of(&kernels, "#define FACTOR 5\n");
    struct mw_text flat = { 0 };
    char *key = NULL, *bytes = NULL;
    size_t n = 0;
    struct mw_source wanted = source;
    wanted.file = source.native_file;
    OK(mw_flatten(serial->kernel_path, &wanted, &flat));
    const struct mw_build same = { flat.data, flat.length, mw_native_options[0], "" };
    OK(mw_build_key(serial, &same, &key));
    build("#define FACTOR 5\n", 5, 1, 0);
    assert_true(mw_cache_get(key, &bytes, &n)); /* its key */
    free(bytes);
    mw_cache_put(key, "\177ELF, and no more", 17);
    build("#define FACTOR 5\n", 5, 1, 0);
    build("#define FACTOR 5\n", 5, 0, 1);
    mw_text_free(&flat);
    free(key);
}

static void without_a_cache_all_goes_on(void **state)
{
    setenv("MESHWORK_CACHE_DIR", "/dev/null/nowhere", 1);
    build("#define FACTOR 3\n", 3, 1, 0);
    build("#define FACTOR 3\n", 3, 1, 0);
    setenv("MESHWORK_CACHE_DIR", cache, 1);
    build("#define FACTOR 3\n", 3, 1, 0);
    assert_int_equal(files_left(), 0); /* nothing is left */
}

static void another_compiler_compiles_again(void **state)
{
    char script[128], text[300];
    struct mw_compiler compiler;
    OK(mw_compiler_find(&compiler));
    snprintf(script, sizeof(script), "%s/my cc", folder);
    snprintf(text, sizeof(text), "#!/bin/sh\nexec '%s' \"$@\"\n", compiler.words[0]);
    mw_compiler_free(&compiler);
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(script, 0755), 0);
    build("#define FACTOR 4\n", 4, 1, 0);
    setenv("MESHWORK_CC", script, 1);
    build("#define FACTOR 4\n", 4, 1, 0);
    build("#define FACTOR 4\n", 4, 0, 1);
    unsetenv("MESHWORK_CC");
    build("#define FACTOR 4\n", 4, 0, 1);
}

/* ---- sharing ---- */

static void a_text_is_loaded_once_and_unloaded_last(void **state)
{
    struct mw_program *a = NULL, *b = NULL, *c = NULL;
    mw_objects_forget(serial);
    assert_int_equal(mappings(), 0);
    OK(make(serial, "#define FACTOR 6\n", &a));
    int one = mappings();
    assert_true(one > 0);
    logged.compiling = logged.cached = 0;
    OK(make(serial, "#define FACTOR 6\n", &b));
    assert_int_equal(logged.compiling + logged.cached, 0);
    assert_int_equal(mappings(), one);
    assert_true(mw_program_hash(a) == mw_program_hash(b));
    OK(make(serial, "#define FACTOR 7\n", &c));
    assert_true(mappings() > one);
    assert_true(mw_program_hash(a) != mw_program_hash(c));
    assert_true(works(serial, a, 6) && works(serial, c, 7));
    mw_program_free(a);
    assert_true(works(serial, b, 6) && works(serial, c, 7));
    mw_program_free(b);
    assert_true(works(serial, c, 7));
    mw_program_free(c);
    mw_objects_forget(serial);
    assert_int_equal(mappings(), 0);
}

static void *make_in_thread(void *defines)
{
    struct mw_device *device = NULL;
    struct mw_program *program = NULL;
    const struct mw_device_options options = { .size = sizeof options, .kernel_path = serial->kernel_path };
    bool good = mw_device_open_by_name("native:serial", &options, &device) == 0 && make(device, defines, &program) == 0;
    for (int i = 0; i < 10 && good; i++)
        good = works(device, program, 8);
    mw_program_free(program);
    mw_device_close(device);
    return good ? defines : NULL;
}

static void threads_that_want_one_text_compile_it_once(void **state)
{
    static char wanted[] = "#define FACTOR 8\n";
    pthread_t threads[6];
    void *result;
    OK(mw_cache_clear());
    logged.compiling = 0;
    for (size_t i = 0; i < MW_COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_in_thread, wanted), 0);
    for (size_t i = 0; i < MW_COUNT(threads); i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, wanted);
    }
    assert_int_equal(logged.compiling, 1);
    assert_int_equal(mappings(), 0);
}

#define CHILD "build-in-a-child"

static int child(void)
{
    struct mw_program *program = NULL;
    int rc;
    TRY(open_serial());
    TRY(make(serial, "#define FACTOR 9\n", &program));
    rc = works(serial, program, 9) ? 0 : 1;
out:
    if (rc)
        fprintf(stderr, "%s\n", mw_errmsg());
    mw_program_free(program);
    mw_device_close(serial);
    return rc != 0;
}

static void processes_do_not_disturb_each_other(void **state)
{
    char self[] = "/proc/self/exe", word[] = CHILD, *words[] = { self, word, NULL };
    pid_t pids[4];
    int status;
    OK(mw_cache_clear());
    for (size_t i = 0; i < MW_COUNT(pids); i++)
        assert_int_equal(posix_spawn(&pids[i], self, NULL, NULL, words, environ), 0);
    for (size_t i = 0; i < MW_COUNT(pids); i++) {
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    build("#define FACTOR 9\n", 9, 0, 1);
    assert_int_equal(files_left(), 0);
}

/* ---- */

static int prepare_logs(void **state)
{
    mw_log_to(count_logs, NULL);
    return prepare(state);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_run_on_every_executor),
        cmocka_unit_test(what_is_built_in_is_preferred),
        cmocka_unit_test(programs_are_cached),
        cmocka_unit_test(foreign_objects_are_replaced),
        cmocka_unit_test(without_a_cache_all_goes_on),
        cmocka_unit_test(another_compiler_compiles_again),
        cmocka_unit_test(a_text_is_loaded_once_and_unloaded_last),
        cmocka_unit_test(threads_that_want_one_text_compile_it_once),
        cmocka_unit_test(processes_do_not_disturb_each_other),
    };
    if (argc == 2 && strcmp(argv[1], CHILD) == 0)
        return child();
    if (is_without_compiler())
        return 77;
    return cmocka_run_group_tests(tests, prepare_logs, remove_all);
}
/* SPDX-License-Identifier: MIT */
