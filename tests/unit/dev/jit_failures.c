/* Native kernels compiled at run time: loading, and messages of failures.  Skipped without a C compiler. */
#include <link.h>
#include <unistd.h>

#include "tests/unit/dev/jit.h"

/* ---- loading ---- */

static char *compile(int factor, size_t *n)
{
    struct mw_compiler compiler;
    char text[600], *bytes = NULL, *log = NULL;
    snprintf(text, sizeof(text),
             "struct kernel { const char *name; void (*run)(const void *call); const void *parameters; };\n"
             "static void run(const void *call) { **(int **)call = %d; }\n"
             "extern __attribute__((visibility(\"default\"))) const unsigned mw_native_abi;\n"
             "extern __attribute__((visibility(\"default\"))) const struct kernel mw_kernels[];\n"
             "const unsigned mw_native_abi = %d;\n"
             "const struct kernel mw_kernels[] = { { \"run\", run, 0 }, { 0, 0, 0 } };\n",
             factor, MW_NATIVE_ABI);
    OK(mw_compiler_find(&compiler));
    OK(mw_native_compile(&compiler, mw_native_options[0], text, strlen(text), 60.0, &bytes, n, &log));
    assert_null(log);
    mw_compiler_free(&compiler);
    return bytes;
}

static int value_of(const struct mw_loaded *loaded)
{
    int value = 0, *place = &value;
    loaded->kernels[0].run((const void *)&place);
    return value;
}

/* The loader identifies a library by its path: a replaced one must not be taken for the previous one. */
static void every_way_loads_what_it_is_given(void **state)
{
    char *bytes[3];
    size_t n[3];
    for (int i = 0; i < 3; i++)
        bytes[i] = compile(10 + i, &n[i]);
    for (size_t way = 0; mw_load_ways[way]; way++) {
        struct mw_loaded loaded[3] = { { 0 } }, none = { 0 };
        for (int i = 0; i < 2; i++)
            OK(mw_load_ways[way](bytes[i], n[i], &loaded[i]));
        assert_int_equal(value_of(&loaded[0]), 10);
        assert_int_equal(value_of(&loaded[1]), 11);
        mw_unload(&loaded[0]);
        OK(mw_load_ways[way](bytes[2], n[2], &loaded[2]));
        assert_int_equal(value_of(&loaded[1]), 11);
        assert_int_equal(value_of(&loaded[2]), 12);
        FAILS(MW_EBUILD, "cannot be loaded", mw_load_ways[way](bytes[0], 100, &none));
        FAILS(MW_EBUILD, "cannot be loaded", mw_load_ways[way]("", 0, &none));
        assert_null(none.library);
        mw_unload(&none);
        mw_unload(&loaded[1]);
        mw_unload(&loaded[2]);
        assert_int_equal(mappings(), 0);
    }
    for (int i = 0; i < 3; i++)
        free(bytes[i]);
    assert_int_equal(files_left(), 0);
}

/* Counts our loaded objects, and the objects with thread-local variables. */
static int look_at_object(struct dl_phdr_info *object, size_t bytes, void *counts)
{
    int *count = counts;
    if (!strstr(object->dlpi_name, "/proc/self/fd/") && !strstr(object->dlpi_name, "object.so"))
        return 0;
    count[0]++;
    for (int i = 0; i < object->dlpi_phnum; i++)
        count[1] += object->dlpi_phdr[i].p_type == PT_TLS;
    return 0;
}

static void items_know_their_numbers_without_memory_of_threads(void **state)
{
    enum { N = 10007 };
    static const struct mw_source_text text = {
        .name = "numbers.c",
        .text = "#include \"native.clh\"\n"
                "static void numbers(u32 *out) { out[get_global_id(0)] = (u32)get_global_id(0) + 1; }\n"
                "NATIVE_KERNEL(numbers, NATIVE_ITEMS, (NATIVE_POINTER(0)))\n"
                "NATIVE_PARAMETERS(numbers) { NATIVE_PARAMETER_COUNT(1) NATIVE_TAKES_BUFFER };\n"
                "const struct mw_native_kernel NATIVE_TABLE[] = { NATIVE_ROW(numbers), { 0 } };\n"
    };
    const struct mw_source source = {
        .size = sizeof source, .file = "none.cl", .native_file = text.name, .texts = &text, .text_count = 1
    };
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    struct mw_buffer *out = NULL;
    uint32_t got[N];
    int counts[2] = { 0 };
    OK(mw_program_new(serial, &source, &program));
    dl_iterate_phdr(look_at_object, counts);
    assert_true(counts[0] > 0 && counts[1] == 0);
    OK(mw_kernel_new(program, "numbers", &kernel));
    OK(mw_buffer_new(serial, sizeof(got), &out));
    OK(mw_launch(kernel, &(struct mw_range){ 1, { N }, { 0 } }, (struct mw_arg[]){ mw_arg_buffer(out) }, 1, NULL));
    OK(mw_buffer_read(out, 0, sizeof(got), got, NULL));
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(got[i], i + 1);
    mw_buffer_free(out);
    mw_kernel_free(kernel);
    mw_program_free(program);
}

/* ---- failures ---- */

#define START "#include \"native.clh\"\n"
#define END "const struct mw_native_kernel NATIVE_TABLE[] = { { NULL, NULL } };\n"

static const struct mw_source_text right = { "right.c", START END, NULL };

static struct mw_source source_of(const struct mw_source_text *text)
{
    return (struct mw_source){
        .size = sizeof(struct mw_source), .file = "none.cl", .native_file = text->name, .texts = text, .text_count = 1
    };
}

static void refuse(const struct mw_source_text *text, int status, const char *words, const char *more)
{
    struct mw_source source = source_of(text);
    struct mw_program *program = NULL;
    int before = files_left();
    FAILS(status, words, mw_program_new(serial, &source, &program));
    if (!strstr(mw_errmsg(), more))
        fail_msg("'%s' is not in: %s", more, mw_errmsg());
    assert_null(program);
    assert_int_equal(files_left(), before);
}

static void errors_have_their_place(void **state)
{
    static const char *const compilers[] = { NULL, "gcc", "clang" };
    static const struct {
        struct mw_source_text text;
        const char *place, *what;
    } cases[] = {
        { { "m", START "int f(int a)\n{\n    return a + no_such_name;\n}\n" END, "/home/me/my model.cl" },
          "/home/me/my model.cl:4: ",
          "no_such_name" },
        { { "m", START "static int f(int a) { return no_such_function(a); }\n" END, "user.cl" },
          "user.cl:2: ",
          "no_such_function" },
        { { "m", START "int f(int a) { }\n" END, NULL }, "m:2: ", "return" },
        { { "m", START "#error \"this way\"\n" END, NULL }, "m:2: ", "this way" },
        { { "m", "#include <math.h>\n" START END, NULL }, "m:1: ", "#include <...>" },
        { { "m", START "#include \"gone.clh\"\n" END, NULL }, "m:2: ", "gone.clh" },
    };
    for (size_t c = 0; c < MW_COUNT(compilers); c++) {
        struct mw_compiler found;
        struct mw_program *program = NULL;
        const struct mw_source good = source_of(&right);
        if (compilers[c])
            setenv("MESHWORK_CC", compilers[c], 1);
        if (mw_compiler_find(&found) == 0) {
            mw_compiler_free(&found);
            for (size_t i = 0; i < MW_COUNT(cases); i++)
                refuse(&cases[i].text, MW_EBUILD, cases[i].place, cases[i].what);
            OK(mw_program_new(serial, &good, &program)); /* and a correct one works */
            mw_program_free(program);
        }
        unsetenv("MESHWORK_CC");
    }
    refuse(&cases[0].text, MW_EBUILD, "/home/me/my model.cl:4: ", "native:serial");
    assert_non_null(strstr(mw_build_log(), "no_such_name"));
}

static void files_that_are_no_native_files_are_told_so(void **state)
{
    static const struct mw_source_text no_table = { "m", START, NULL }, no_start = { "m", "int a;\n", NULL };
    static const struct mw_source_text other = {
        "m",
        "extern __attribute__((visibility(\"default\"))) const unsigned mw_native_abi;\n"
        "extern __attribute__((visibility(\"default\"))) const int mw_kernels[];\n"
        "const unsigned mw_native_abi = 99;\nconst int mw_kernels[] = { 0 };\n",
        NULL
    };
    refuse(&no_table, MW_EBUILD, "m: ", "mw_kernels");
    refuse(&no_start, MW_EBUILD, "m: ", "native.clh");
    refuse(&other, MW_EBUILD, "m: ", "another version");
}

static void broken_compilers_are_told(void **state)
{
    static const struct {
        const char *script;
        int status;
        const char *words, *more;
    } cases[] = {
        { "#!/bin/sh\necho 'licence expired' >&2\nexit 1\n", MW_EBUILD, "right.c: ", "licence expired" },
        { "#!/bin/sh\nexit 1\n", MW_EBUILD, "right.c: ", "rejected the program without a message" },
        { "#!/bin/sh\nexit 0\n", MW_EBUILD, "right.c: ", "rejected the program without a message" },
        { "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; echo rubbish >\"$2\"\n", MW_EBUILD,
          "right.c: ", "cannot be loaded" },
        { "#!/bin/sh\nkill -KILL $$\n", MW_EBUILD, "right.c: ", "signal" },
        { "#!/no/such/shell\n", MW_ENOTSUP, "right.c: ", "cannot be started" },
    };
    char script[128], text[400];
    snprintf(script, sizeof(script), "%s/fake cc", folder);
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        FILE *file = fopen(script, "w");
        assert_non_null(file);
        fputs(cases[i].script, file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(chmod(script, 0755), 0);
        setenv("MESHWORK_CC", script, 1);
        refuse(&right, cases[i].status, cases[i].words, cases[i].more);
        assert_true(mw_native_check(text, sizeof(text)) != 0);
        unlink(script);
    }
    refuse(&right, MW_ENOTSUP, "right.c", "MESHWORK_CC");
    unsetenv("MESHWORK_CC");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
    refuse(&right, MW_ENOTSUP, "native:serial", "install gcc");
    assert_int_equal(mw_native_check(text, sizeof(text)), MW_ENOTSUP);
    setenv("PATH", path, 1);
    free(path);
    OK(mw_native_check(text, sizeof(text)));
    assert_int_equal(text[0], '/');
    assert_non_null(strstr(text, ": "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_loads_what_it_is_given),
        cmocka_unit_test(items_know_their_numbers_without_memory_of_threads),
        cmocka_unit_test(errors_have_their_place),
        cmocka_unit_test(files_that_are_no_native_files_are_told_so),
        cmocka_unit_test(broken_compilers_are_told),
    };
    if (is_without_compiler())
        return 77;
    return cmocka_run_group_tests(tests, prepare, remove_all);
}
/* SPDX-License-Identifier: MIT */
