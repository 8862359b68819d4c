/* Flattening of kernels to one text: includes, exclusions, line marks, errors. */
#include "dev/core/backend.h"

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

static int make_folder(void **state)
{
    char below[64];
    if (!mkdtemp(folder))
        return -1;
    snprintf(below, sizeof(below), "%s/sub", folder);
    return mkdir(below, 0700);
}

static void put_text(const char *name, const char *text) { put_bytes(in(name), text, strlen(text)); }

static void check_source(const struct mw_source *source, const char *expected)
{
    struct mw_text flat = { 0 };
    if (mw_flatten(folder, source, &flat) != 0)
        fail_msg("%s", mw_errmsg());
    assert_string_equal(flat.data, expected);
    assert_int_equal(flat.length, strlen(expected));
    mw_text_free(&flat);
}

static void check(const char *main_text, const char *expected)
{
    put_text("main.cl", main_text);
    check_source(&(struct mw_source){ .size = sizeof(struct mw_source), .file = "main.cl" }, expected);
}

static void refuse_source(const struct mw_source *source, int status, const char *words)
{
    struct mw_text flat = { 0 };
    assert_int_equal(mw_flatten(folder, source, &flat), status);
    if (!strstr(mw_errmsg(), words))
        fail_msg("'%s' is not in: %s", words, mw_errmsg());
    mw_text_free(&flat);
}

static void refuse(const char *main_text, int status, const char *words)
{
    put_text("main.cl", main_text);
    refuse_source(&(struct mw_source){ .size = sizeof(struct mw_source), .file = "main.cl" }, status, words);
}

static void files_are_included_once(void **state)
{
    put_text("a.clh", "int a;\n#include \"sub/b.clh\"\nint a2;\n");
    put_text("sub/b.clh", "int b;\n#include \"a.clh\"\n"); /* a cycle, and a name relative to the root folder */
    check("#include \"a.clh\"\nint m;\n# include \"./sub//b.clh\"\nint n;\n",
          "#line 1 \"main.cl\"\n\n#line 1 \"a.clh\"\nint a;\n\n#line 1 \"sub/b.clh\"\nint b;\n\n"
          "#line 2 \"sub/b.clh\"\n\n"
          "#line 2 \"a.clh\"\n\nint a2;\n#line 1 \"main.cl\"\n\nint m;\n\n#line 3 \"main.cl\"\n\nint n;\n");
    /* The file itself counts as included. */
    check("int m;\n#include \"main.cl\"\n", "#line 1 \"main.cl\"\nint m;\n\n#line 2 \"main.cl\"\n\n");
}

static void defines_and_texts_come_first(void **state)
{
    static const struct mw_source_text texts[] = {
        { "model", "int model;\n", "/home/me/my \"own\".cl" },
        { "a.clh", "int other;", NULL },
    };
    put_text("main.cl", "#include \"model\"\n#include \"a.clh\"\n");
    put_text("a.clh", "int a;\n");
    check_source(&(struct mw_source){ .size = sizeof(struct mw_source),
                                      .file = "main.cl",
                                      .defines = "#define N 1",
                                      .texts = texts,
                                      .text_count = 2 },
                 "#line 1 \"defines\"\n#define N 1\n#line 1 \"main.cl\"\n"
                 "\n#line 1 \"/home/me/my \\\"own\\\".cl\"\nint model;\n#line 1 \"main.cl\"\n\n"
                 "\n#line 1 \"a.clh\"\nint other;\n#line 2 \"main.cl\"\n\n");
    /* A whole program may be given as text. */
    check_source(&(struct mw_source){ .size = sizeof(struct mw_source),
                                      .file = "a.clh",
                                      .texts = texts,
                                      .text_count = 2 },
                 "#line 1 \"a.clh\"\nint other;\n");
}

static void comments_and_strings_do_not_include(void **state)
{
    static const char *const same[] = {
        "// #include \"nowhere\"\n",
        "/* #include \"nowhere\"\n#include \"nowhere\" */\n",
        "/*\n#include \"nowhere\"\n*/ int x;\n",
        "// goes on \\\n#include \"nowhere\"\n",
        "__constant char *s = \"/*\";\n__constant char c = '\"'; // it's\n__constant char d = '\\'';\n",
        "__constant char *s = \"a\\\n#include \\\"nowhere\\\"\\\n\";\n",
        "#define A \\\n#include \"nowhere\"\n",
        "#included \"nowhere\"\n",
        "int x; #include \"nowhere\"\n",
        "x / y; // */ /*\nint z;\n",
        "#\n",
        "#pragma once\n",
    };
    char expected[256];
    for (size_t i = 0; i < MW_COUNT(same); i++) {
        snprintf(expected, sizeof(expected), "#line 1 \"main.cl\"\n%s", same[i]);
        check(same[i], expected);
    }
    /* Includes that only look hidden are included. */
    static const char *const before[] = { "__constant char *s = \"/*\";\n",
                                          "// *\n",
                                          "/* a */ /* b */ ",
                                          "/*\n*/ ",
                                          "  \t",
                                          "x = '\"';\n",
                                          "/**/",
                                          "/* // */",
                                          "__constant char *s = \"\\\"/*\";\n" };
    put_text("a.clh", "A\n");
    for (size_t i = 0; i < MW_COUNT(before); i++) {
        char text[128], path[64];
        snprintf(text, sizeof(text), "%s#include \"a.clh\"\n", before[i]);
        snprintf(path, sizeof(path), "main%zu.cl", i);
        put_text(path, text);
        struct mw_text flat = { 0 };
        assert_int_equal(mw_flatten(folder, &(struct mw_source){ .size = sizeof(struct mw_source), .file = path },
                                    &flat),
                         0);
        const char *start = flat.data + strlen("#line 1 \"main0.cl\"\n");
        if (!strstr(start, "#line 1 \"a.clh\"\nA\n") || strncmp(start, before[i], strlen(before[i])) != 0)
            fail_msg("%s -> %s", text, flat.data);
        mw_text_free(&flat);
    }
}

static void what_follows_an_include_stays(void **state)
{
    put_text("a.clh", "A\n");
    check("#include \"a.clh\" /* begins\n#include \"nowhere\"\n*/ int x;\n",
          "#line 1 \"main.cl\"\n\n#line 1 \"a.clh\"\nA\n#line 1 \"main.cl\"\n /* begins\n#include \"nowhere\"\n"
          "*/ int x;\n");
}

static void odd_files_are_handled(void **state)
{
    check("", "#line 1 \"main.cl\"\n");
    check("int x;", "#line 1 \"main.cl\"\nint x;\n");
    check("int x;\r\nint y;\r\n", "#line 1 \"main.cl\"\nint x;\nint y;\n");
    check("\xef\xbb\xbfint x;\n", "#line 1 \"main.cl\"\nint x;\n");
    put_text("a.clh", "");
    check("#include \"a.clh\"\r\n", "#line 1 \"main.cl\"\n\n#line 1 \"a.clh\"\n#line 1 \"main.cl\"\n\n");
    check("#include \"a.clh\"", "#line 1 \"main.cl\"\n\n#line 1 \"a.clh\"\n#line 1 \"main.cl\"\n\n");
    put_bytes(in("main.cl"), "int x;\nint\0y;\n", 14);
    refuse_source(&(struct mw_source){ .size = sizeof(struct mw_source), .file = "main.cl" }, MW_EBUILD,
                  "main.cl:2: a NUL byte");
    put_bytes(in("a.clh"), "\0", 1);
    refuse("\n#include \"a.clh\"\n", MW_EBUILD, "a.clh:1: a NUL byte");
}

static void wrong_includes_are_refused(void **state)
{
    refuse("int x;\n#include <math.h>\n", MW_EBUILD, "main.cl:2: #include <...>");
    refuse("#include\n", MW_EBUILD, "main.cl:1: expected a name");
    refuse("#include NAME\n", MW_EBUILD, "main.cl:1: expected a name");
    refuse("#include \"a.clh\n", MW_EBUILD, "closing quote");
    refuse("#include \"\"\n", MW_EBUILD, "main.cl:1:");
    refuse("\n\n#include \"missing.clh\"\n", MW_EBUILD, "main.cl:3: #include \"missing.clh\": ");
    refuse("#include \"../main.cl\"\n", MW_EBUILD, "main.cl:1: ");
    refuse("#include \"/etc/passwd\"\n", MW_EBUILD, "main.cl:1: ");
    refuse("#include \"sub\"\n", MW_EBUILD, "main.cl:1: ");
    put_text("a.clh", "\n#include \"gone.clh\"\n");
    refuse("#include \"a.clh\"\n", MW_EBUILD, "a.clh:2: #include \"gone.clh\": ");
    assert_null(strstr(mw_errmsg(), "main.cl"));
    refuse_source(&(struct mw_source){ .size = sizeof(struct mw_source), .file = "absent.cl" }, MW_EIO, "absent.cl");
    char name[400], text[420];
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    refuse_source(&(struct mw_source){ .size = sizeof(struct mw_source), .file = name }, MW_EINVAL, "characters");
    snprintf(text, sizeof(text), "#include \"%s\"\n", name);
    refuse(text, MW_EBUILD, "main.cl:1: ");
}

/* In files that the host compiler also reads, its includes are conditional. */
static void system_headers_under_a_condition_are_left_to_the_compiler(void **state)
{
    struct mw_text flat = { 0 };
    put_text("main.cl", "#ifdef HOST\n/* c */ #include <stdint.h>\n#endif\nint x;\n");
    assert_int_equal(mw_flatten(folder, &(struct mw_source){ .size = sizeof(struct mw_source), .file = "main.cl" },
                                &flat),
                     0);
    assert_null(strstr(flat.data, "#include <stdint.h>"));
    assert_non_null(strstr(flat.data, "#ifdef HOST\n/* c */ #error "));
    assert_non_null(strstr(flat.data, "\n#endif\nint x;\n"));
    mw_text_free(&flat);
    refuse("#if 1\n#endif\n#include <math.h>\n", MW_EBUILD, "main.cl:3: #include <...>");
}

static void depth_is_bounded(void **state)
{
    for (int i = 0; i < 100; i++) {
        char name[32], text[64];
        snprintf(name, sizeof(name), "deep%d.clh", i);
        snprintf(text, sizeof(text), "#include \"deep%d.clh\"\n", i + 1);
        put_text(name, text);
    }
    put_text("deep60.clh", "END\n");
    struct mw_text flat = { 0 };
    assert_int_equal(mw_flatten(folder, &(struct mw_source){ .size = sizeof(struct mw_source), .file = "deep0.clh" },
                                &flat),
                     0);
    assert_non_null(strstr(flat.data, "\nEND\n"));
    mw_text_free(&flat);
    put_text("deep60.clh", "#include \"deep61.clh\"\n");
    refuse_source(&(struct mw_source){ .size = sizeof(struct mw_source), .file = "deep0.clh" }, MW_EBUILD,
                  "include each other");
}

/* Any file gives a result, with a line mark for every line. */
static void random_texts_do_no_harm(void **state)
{
    static const char *const pieces[] = { "#",       "include", " ",  "\"a.clh\"", "\"",
                                          "'",       "\\",      "\n", "\r\n",      "/*",
                                          "*/",      "//",      "x",  "<a>",       "#include \"a.clh\"\n",
                                          "#if 1\n", "#endif\n" };
    size_t accepted = 0;
    seed_random();
    put_text("a.clh", "A\n");
    for (int round = 0; round < 2000; round++) {
        struct mw_text text = { 0 }, flat = { 0 };
        for (int i = 0; i < 24; i++)
            mw_text_add(&text, "%s", pieces[(size_t)rand() % MW_COUNT(pieces)]);
        struct mw_source_text whole = { "main", text.data, NULL };
        struct mw_source source = { .size = sizeof source, .file = "main", .texts = &whole, .text_count = 1 };
        int rc = mw_flatten(folder, &source, &flat);
        if (rc == 0) {
            accepted++;
            assert_int_equal(flat.length, strlen(flat.data));
            assert_true(flat.data[flat.length - 1] == '\n');
            assert_null(strchr(flat.data + flat.length - 1, '\r'));
        } else {
            assert_true(rc == MW_EBUILD || rc == MW_EIO || rc == MW_EINVAL);
        }
        mw_text_free(&flat);
        mw_text_free(&text);
    }
    assert_true(accepted > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_included_once),
        cmocka_unit_test(defines_and_texts_come_first),
        cmocka_unit_test(comments_and_strings_do_not_include),
        cmocka_unit_test(what_follows_an_include_stays),
        cmocka_unit_test(odd_files_are_handled),
        cmocka_unit_test(wrong_includes_are_refused),
        cmocka_unit_test(system_headers_under_a_condition_are_left_to_the_compiler),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(random_texts_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_scratch);
}
/* SPDX-License-Identifier: MIT */
