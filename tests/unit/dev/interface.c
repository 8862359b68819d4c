/* Interfaces of kernels, parsed from their prototypes: accepted and rejected forms.  The generated code compiles, and
 * rejects wrong arguments. */
#include "dev/build/interface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/check.h"
#include "tests/scratch.h"

#define BUFFER MW_PARAMETER_BUFFER

static void read_text(const char *text, struct mw_interface *interface)
{
    *interface = (struct mw_interface){ 0 };
    if (mw_interface_read("some.cl", text, interface) != 0)
        fail_msg("%s", mw_errmsg());
}

static void refuse(const char *text, const char *words)
{
    struct mw_interface interface = { 0 };
    assert_int_equal(mw_interface_read("some.cl", text, &interface), MW_EINVAL);
    if (!strstr(mw_errmsg(), "some.cl") || !strstr(mw_errmsg(), words))
        fail_msg("'%s' is not in: %s", words, mw_errmsg());
    assert_true(interface.count == 0 && interface.prototypes == NULL);
}

/* Checks that the text has one kernel of this name with these parameters, as "KIND TYPE NAME, ...". */
/* clang-format off */
static const char *const kinds[] = {
    [BUFFER] = "buffer", [MW_PARAMETER_I32] = "i32", [MW_PARAMETER_U32] = "u32", [MW_PARAMETER_I64] = "i64",
    [MW_PARAMETER_U64] = "u64", [MW_PARAMETER_F32] = "f32", [MW_PARAMETER_F64] = "f64", [MW_PARAMETER_REAL] = "real",
    [MW_PARAMETER_STRUCT] = "struct", [MW_PARAMETER_OTHER] = "other",
};
/* clang-format on */

static void check(const char *text, const char *name, const char *parameters)
{
    struct mw_interface interface;
    struct mw_text found = { 0 };
    read_text(text, &interface);
    assert_int_equal(interface.count, 1);
    const struct mw_prototype *p = interface.prototypes;
    assert_string_equal(p->name, name);
    mw_text_append(&found, "", 0);
    for (size_t i = 0; i < p->parameter_count; i++)
        mw_text_add(&found, "%s%s|%s|%s", i ? ", " : "", kinds[p->parameters[i].kind], p->parameters[i].type,
                    p->parameters[i].name);
    assert_string_equal(found.data ? found.data : "", parameters);
    mw_text_free(&found);
    mw_interface_free(&interface);
    assert_true(interface.count == 0 && interface.prototypes == NULL);
}

/* ---- parameters ---- */

static void each_type_has_its_kind(void **state)
{
    check("__kernel void f(void) { }", "f", "");
    check("__kernel void f() { }", "f", "");
    check("__kernel void f(__global u32 *to, __global const u32 *restrict from)", "f",
          "buffer|__global u32*|to, buffer|__global u32*restrict|from");
    check("__kernel void f(__global u32 to[], const __global u32 from[4])", "f",
          "buffer|__global u32*|to, buffer|__global u32*|from");
    check("__kernel void f(i32 a, const u32 b, i64 const c, u64 d)", "f", "i32|i32|a, u32|u32|b, i64|i64|c, u64|u64|d");
    check("__kernel void f(int a, uint b, unsigned int c, long d, ulong e, float f, double g)", "f",
          "i32|int|a, u32|uint|b, u32|unsigned int|c, i64|long|d, u64|ulong|e, f32|float|f, f64|double|g");
    check("__kernel void f(const real a)", "f", "real|real|a");
    check("struct plan { i64 n; };\n__kernel void f(const struct plan plan)", "f", "struct|struct plan|plan");
    check("__kernel void f(const ELEMENT fill, WORD_2 more)", "f", "other|ELEMENT|fill, other|WORD_2|more");
    check("__kernel void f(const element fill)", "f", "other|element|fill");
}

static void names_of_pointers_are_buffers(void **state)
{
    check("typedef __global u32 *counts;\n__kernel void f(counts to, const counts from)", "f",
          "buffer|counts|to, buffer|counts|from");
    check("#define words __global u64 *\n__kernel void f(words to)", "f", "buffer|words|to");
    /* A name that merely begins or ends like a pointer's. */
    check("typedef __global u32 *counts_more; typedef __global u32 *my_counts;\n__kernel void f(counts to)", "f",
          "other|counts|to");
}

static void lists_in_capitals_stand_for_several(void **state)
{
    check("#define MESH const i32 nx, const i32 ny\n__kernel void f(__global i32 *to, MESH, const u32 last)", "f",
          "buffer|__global i32*|to, i32|i32|nx, i32|i32|ny, u32|u32|last");
    check("#define MESH i32 nx, \\\n    i32 ny\n__kernel void f(MESH)", "f", "i32|i32|nx, i32|i32|ny");
    check("#define PLACE u64 first, u64 end\n#define ALL PLACE, u32 step\n__kernel void f(ALL)", "f",
          "u64|u64|first, u64|u64|end, u32|u32|step");
}

static void comments_and_attributes_are_no_part_of_it(void **state)
{
    check("/* __kernel void old(u32 a); */ // __kernel void older(u32 a)\n"
          "__kernel /* a, (b */ void f( // c, d\n    u32 a, /* u32 b, */\n    u32 c)\n{ }",
          "f", "u32|u32|a, u32|u32|c");
    check("__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void f(u32 a)", "f", "u32|u32|a");
    check("__kernel void __attribute__ (( vec_type_hint(float) ))\nf(u32 a)", "f", "u32|u32|a");
    check("static const char *s = \"__kernel void g(u32 a) /* \";\n__kernel void f(u32 a)", "f", "u32|u32|a");
    check("int a_kernel(int b); int __kernel_of(int c);\n__kernel void f(u32 a)", "f", "u32|u32|a");
}

static void either_spelling_begins_a_kernel(void **state)
{
    check("kernel void f(global u32 *to, u32 a) { }", "f", "buffer|global u32*|to, u32|u32|a");
    check("kernel __attribute__((reqd_work_group_size(8, 8, 1))) void f(u32 a) { }", "f", "u32|u32|a");
    check("int kernel(int kernel) { return kernel (1); }\n__kernel void f(u32 a) { }", "f", "u32|u32|a");
}

static void what_is_declared_only_is_left_out(void **state)
{
    struct mw_interface interface;
    check("__kernel void f(u32 a);\n__kernel void f(u32 a) { }", "f", "u32|u32|a");
    check("__kernel void f(u32 a)\n  __attribute__((noinline)) ;\n__kernel void f(u32 a) { }", "f", "u32|u32|a");
    read_text("__kernel void f(u32 a);", &interface);
    assert_int_equal(interface.count, 0);
    mw_interface_free(&interface);
}

static void more_may_follow_the_last(void **state)
{
    static const struct {
        const char *text;
        bool more;
    } cases[] = {
        { "__kernel void f(u32 a, u32 b FIELD_PARAMS)", true },
        { "__kernel void f(u32 a, u32 b)", false },
        { "__kernel void f(u32 a, u32 b_PARAMS)", false },
        { "__kernel void f(u32 a, u32 PARAMS)", false },
    };
    struct mw_interface interface;
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        read_text(cases[i].text, &interface);
        assert_int_equal(interface.count, 1);
        assert_int_equal(interface.prototypes->more, cases[i].more);
        assert_int_equal(interface.prototypes->parameter_count, 2);
        mw_interface_free(&interface);
    }
}

/* ---- conditions ---- */

static void check_forms(const char *text, const char *conditions, size_t depth, bool cores, bool groups)
{
    struct mw_interface interface;
    read_text(text, &interface);
    assert_int_equal(interface.count, 1);
    assert_string_equal(interface.prototypes->conditions, conditions);
    assert_int_equal(interface.prototypes->depth, depth);
    assert_int_equal(interface.prototypes->cores, cores);
    assert_int_equal(interface.prototypes->groups, groups);
    mw_interface_free(&interface);
}

static void conditions_go_with_a_kernel(void **state)
{
    check_forms("__kernel void f(u32 a)", "", 0, true, true);
    check_forms("#if A\n#endif\n__kernel void f(u32 a)", "", 0, true, true);
    check_forms("#if A > 1\n#ifdef B\n#endif\n__kernel void f(u32 a)\n#endif", "#if A > 1\n", 1, true, true);
    check_forms("#if A\n#elif B\n# else\n__kernel void f(u32 a)\n#endif", "#if A\n#elif B\n# else\n", 1, true, true);
    check_forms("#ifdef A\n#if B\n__kernel void f(u32 a)\n#endif\n#endif", "#ifdef A\n#if B\n", 2, true, true);
    check_forms("#if A && \\\n    B\n__kernel void f(u32 a)\n#endif", "#if A &&       B\n", 1, true, true);
    /* The form for groups of items, and the form for cores. */
    check_forms("#ifdef GROUP\n__kernel void f(u32 a)\n#endif", "#ifdef GROUP\n", 1, false, true);
    check_forms("#ifndef GROUP\n__kernel void f(u32 a)\n#endif", "#ifndef GROUP\n", 1, true, false);
    check_forms("#ifdef GROUP\n#else\n__kernel void f(u32 a)\n#endif", "#ifdef GROUP\n#else\n", 1, true, false);
    check_forms("#ifdef GROUPS\n__kernel void f(u32 a)\n#endif", "#ifdef GROUPS\n", 1, true, true);
}

static void include_guards_are_no_condition(void **state)
{
    check_forms("#ifndef A_CLH\n#define A_CLH\n__kernel void f(u32 a)\n#endif", "", 0, true, true);
    check_forms("#ifndef A_CLH\n#define B_CLH\n__kernel void f(u32 a)\n#endif", "#ifndef A_CLH\n", 1, true, true);
    check_forms("#ifndef A_CLH\n#define A_CLH\n#ifdef GROUP\n__kernel void f(u32 a)\n#endif\n#endif", "#ifdef GROUP\n",
                1, false, true);
}

static void shares_are_told(void **state)
{
    struct mw_interface interface;
    read_text("__kernel SHARES void f(u32 a) { }\n__kernel void g(u32 a) { }\n", &interface);
    assert_int_equal(interface.count, 2);
    assert_true(interface.prototypes[0].shares && !interface.prototypes[1].shares);
    assert_string_equal(interface.prototypes[0].name, "f");
    mw_interface_free(&interface);
    read_text("__kernel OF_MANY(GROUP) SHARES\nvoid f(u32 a) { }\n"
              "__kernel OF_ITEMS(8, (4)) void g(u32 a) { }\n",
              &interface);
    assert_int_equal(interface.count, 2);
    assert_true(interface.prototypes[0].shares && !interface.prototypes[1].shares);
    assert_string_equal(interface.prototypes[1].name, "g");
    mw_interface_free(&interface);
}

static void twins_have_the_same_parameters(void **state)
{
    struct mw_interface interface;
    read_text("#ifdef GROUP\n__kernel void f(__global u32 *a, u32 n)\n#else\n"
              "__kernel SHARES void f(__global u64 *b, u32 m)\n#endif",
              &interface);
    assert_int_equal(interface.count, 2);
    mw_interface_free(&interface);
    refuse("#ifdef A\n__kernel void twin(u32 n)\n#else\n__kernel void twin(u64 n)\n#endif", "twin");
    refuse("#ifdef A\n__kernel void twin(u32 n)\n#else\n__kernel void twin(u32 n, u32 m)\n#endif", "twin");
    refuse("#ifdef A\n__kernel void twin(__global u32 *n)\n#else\n__kernel void twin(u32 n)\n#endif", "twin");
    refuse("#ifdef A\n__kernel void twin(struct a n)\n#else\n__kernel void twin(struct b n)\n#endif", "twin");
}

/* ---- not a prototype ---- */

static void what_is_no_prototype_is_refused(void **state)
{
    char deep[65 * 6 + 64] = "";
    refuse("__kernel", "__kernel");
    refuse("__kernel void f", "__kernel");
    refuse("__kernel void f(u32 a", "__kernel");
    refuse("__kernel (u32 a)", "__kernel");
    refuse("__kernel ;", "__kernel");
    refuse("__kernel void f(NOT_DEFINED)", "NOT_DEFINED");
    refuse("__kernel void f(u32 a, 3 + )", "kernel f");
    refuse("#define ROUND ROUND\n__kernel void f(ROUND)", "ROUND"); /* expansion of a self-referential macro ends */
    for (int i = 0; i < 65; i++)
        strcat(deep, "#if A\n");
    refuse(strcat(deep, "__kernel void f(u32 a)"), "64");
}

/* Any bytes are parsed or rejected, without access out of bounds. */
static void garbage_ends(void **state)
{
    static const char *const pieces[] = {
        "__kernel", " void ",        "f",          "(", ")",  ",",    "u32 ", "const ", "*",  "#if A\n",
        "#else\n",  "#endif\n",      "#define L ", "L", "\n", "\\\n", "\"",   "'",      "/*", "*/",
        "//",       "__attribute__", "SHARES ",    "{", "}",  ";",    "\\",   "#",      " ",  "struct s ",
    };
    seed_random();
    for (int round = 0; round < 20000; round++) {
        char text[512] = "";
        struct mw_interface interface = { 0 };
        for (int i = rand() % 24; i > 0; i--)
            strcat(text, pieces[(size_t)rand() % MW_COUNT(pieces)]);
        const int rc = mw_interface_read("some.cl", text, &interface);
        if (rc != 0 && rc != MW_EINVAL)
            fail_msg("%d: %s, of: %s", rc, mw_errmsg(), text);
        mw_interface_free(&interface);
    }
}

/* ---- generated code ---- */

static const char kernels[] =
    "#define PLACE const u64 first, const u64 end\n"
    "struct pair { i32 a; float b; };\n"
    "typedef __global u32 *counts;\n"
    "__kernel void plain(__global u32 *to, counts from, const i32 a, const i64 b, const real c, PLACE) {}\n"
    "__kernel void given(__global u32 *to, const struct pair pair, const ELEMENT fill) {}\n"
    "__kernel SHARES void shared(__global u32 *to) {}\n"
    "__kernel void none(void) {}\n"
    "#ifdef NEVER\n"
    "__kernel void never(not_a_type a) {}\n"
    "#endif\n"
    "#ifdef A\n"
    "__kernel void twin(const u32 n) {}\n"
    "#else\n"
    "__kernel void twin(const u32 n) {}\n"
    "#endif\n";

static void put(const char *name, const char *const *parts)
{
    FILE *file = fopen(in(name), "w");
    assert_non_null(file);
    for (; *parts; parts++)
        assert_true(fputs(*parts, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Returns whether the compiler accepts a file of the folder; prints its output if it should. */
static bool compiles(const char *name, bool wanted)
{
    const char *cc = getenv("CC"), *source = getenv("srcdir");
    char command[1024];
    source = source && *source ? source : ".";
    snprintf(command, sizeof command,
             "%s -std=gnu11 -fsyntax-only -Wall -Werror -Wno-unused -I'%s/cl' -I'%s/include' "
             "-I'%s/src' -I'%s' '%s/%s'%s",
             cc && *cc ? cc : "cc", source, source, source, folder, folder, name, wanted ? " >&2" : " >/dev/null 2>&1");
    return system(command) == 0;
}

static int need_compiler(void **state)
{
    put("any.c", (const char *const[]){ "int any;\n", NULL });
    return 0;
}

static void native_wrappers_compile(void **state)
{
    struct mw_interface interface;
    struct mw_text native = { 0 };
    if (!compiles("any.c", false))
        skip();
    read_text(kernels, &interface);
    mw_interface_write_native(&interface, &native);
    assert_int_equal(mw_text_ok(&native), 0);
    put("native.c", (const char *const[]){ "#include \"prelude.clh\"\ntypedef u64 ELEMENT;\n", kernels,
                                           "#include \"native.clh\"\n", native.data, NULL });
    assert_true(compiles("native.c", true));
    /* Also with the excluded branches, if their types are known. */
    put("native.c", (const char *const[]){ "#include \"prelude.clh\"\ntypedef u64 ELEMENT;\ntypedef i32 not_a_type;\n"
                                           "#define NEVER 1\n#define A 1\n",
                                           kernels, "#include \"native.clh\"\n", native.data, NULL });
    assert_true(compiles("native.c", true));
    mw_text_free(&native);
    mw_interface_free(&interface);
}

static void launches_take_their_types_only(void **state)
{
    static const struct {
        bool right;
        const char *call;
    } calls[] = {
        { true, "launch_plain(set, range, buffer, NULL, -1, INT64_MIN, 0.5, 0, UINT64_MAX)" },
        { true, "launch_given(set, range, buffer, &pair, mw_arg_u64(3))" },
        { true, "launch_shared(set, range, buffer)" },
        { true, "launch_none(set, range)" },
        { true, "launch_twin(set, range, 7u)" },
        { false, "launch_plain(set, range, buffer, buffer, -1, -1, 0.5, 0)" },        /* one too few */
        { false, "launch_plain(set, range, buffer, buffer, -1, -1, 0.5, 0, 1, 1)" },  /* one too many */
        { false, "launch_plain(set, range, buffer, buffer, buffer, -1, 0.5, 0, 1)" }, /* a buffer for a number */
        { false, "launch_plain(set, range, 5, buffer, -1, -1, 0.5, 0, 1)" },          /* a number for a buffer */
        { false, "launch_given(set, range, buffer, pair, mw_arg_u64(3))" },           /* not in its place */
        { false, "launch_given(set, range, buffer, &other, mw_arg_u64(3))" },         /* another struct */
        { false, "launch_given(set, range, buffer, &pair, 3)" },                      /* a missing width */
    };
    struct mw_interface interface;
    struct mw_text header = { 0 };
    if (!compiles("any.c", false))
        skip();
    read_text(kernels, &interface);
    mw_interface_write_header(&interface, "folder/some-file.cl", &header);
    assert_int_equal(mw_text_ok(&header), 0);
    put("written.h", (const char *const[]){ header.data, NULL });
    for (size_t i = 0; i < MW_COUNT(calls); i++) {
        put("calls.c",
            (const char *const[]){
                "struct pair { int a; float b; };\n#include \"written.h\"\n"
                "_Static_assert(KERNEL_PLAIN == 0 && KERNEL_GIVEN == 1 && KERNEL_NEVER == 4, \"\");\n"
                "_Static_assert(KERNEL_TWIN == 5, \"\");\n"
                "enum { ROWS = sizeof kernel_rows_folder_some_file / sizeof *kernel_rows_folder_some_file };\n"
                "_Static_assert(ROWS == 6, \"\");\n"
                "int f(const struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *buffer)\n{\n"
                "    const struct pair pair = { 1, 2.0f };\n    const struct mw_range other = range;\n"
                "    return kernels_folder_some_file.count != 6 || ",
                calls[i].call, ";\n}\n", NULL });
        if (compiles("calls.c", calls[i].right) != calls[i].right)
            fail_msg("%s is %s", calls[i].call, calls[i].right ? "refused" : "taken");
    }
    mw_text_free(&header);
    mw_interface_free(&interface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_has_its_kind),
        cmocka_unit_test(names_of_pointers_are_buffers),
        cmocka_unit_test(lists_in_capitals_stand_for_several),
        cmocka_unit_test(comments_and_attributes_are_no_part_of_it),
        cmocka_unit_test(either_spelling_begins_a_kernel),
        cmocka_unit_test(what_is_declared_only_is_left_out),
        cmocka_unit_test(more_may_follow_the_last),
        cmocka_unit_test(conditions_go_with_a_kernel),
        cmocka_unit_test(include_guards_are_no_condition),
        cmocka_unit_test(shares_are_told),
        cmocka_unit_test(twins_have_the_same_parameters),
        cmocka_unit_test(what_is_no_prototype_is_refused),
        cmocka_unit_test(garbage_ends),
        cmocka_unit_test_setup(native_wrappers_compile, need_compiler),
        cmocka_unit_test_setup(launches_take_their_types_only, need_compiler),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
