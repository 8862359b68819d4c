/* Compiler logs: the first error becomes the message, whatever precedes it. */
#include "dev/core/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/check.h"

static const struct {
    const char *log, *words;
} cases[] = {
    { "", "rejected the program without a message" },
    { "warning: field/view.clh:258:27: use of logical '||' with constant operand\n",
      "rejected the program without a message" },
    { "a.cl:7:5: warning: unused variable 'x'\n    int x;\n        ^\n1 warning generated.\n",
      "rejected the program without a message" },
    { "warning: a.cl:7:5: unused\nerror: a.cl:9:1: unknown type name 'y'\n", "a.cl:9: unknown type name 'y'" },
    { "a.cl:7:5: warning: no\na.cl:8:5: error: use of undeclared identifier 'z'\n", "a.cl:8: use of undeclared" },
    { "a.cl:7:5: warning: errors are treated so\nerror: linking failed\n", "field.cl: linking failed" },
    { "view.clh:3:20: error: incompatible types\n    3 | #define P(n) PAR.n\n      |    ^\n"
      "mine.cl:5:12: note: in expansion of macro 'P'\n    5 |     return P(D);\nb.cl:1:1: error: another\n"
      "c.cl:2:2: note: in expansion of macro 'Q'\n",
      "mine.cl:5: incompatible types" },
    { "the linker is not there\n", "field.cl: the linker is not there" },
    { "a.cl(12): error: expected a ;\n", "a.cl:12: expected a ;" },
    { "a.cl:9:1: error: unknown type name 'int4'\n",
      "'int4' (compiled for opencl:0.0, a device); devices without OpenCL" },
    { "ptxas info    : Compiling entry function 'an_error' for 'sm_90a'\n"
      "ptxas fatal   : Unresolved extern function 'f'\n",
      "Unresolved extern function" },
};

static void the_first_error_is_quoted(void **state)
{
    const struct mw_compile_calls compile = { .preamble = "words.clh" };
    const struct mw_backend backend = { .compile = &compile };
    const struct mw_device device = { .backend = &backend, .info = { .id = "opencl:0.0", .name = "a device" } };
    const struct mw_build build = { .text = "", .label = "field.cl" };
    for (size_t i = 0; i < MW_COUNT(cases); i++) {
        char log[400];
        snprintf(log, sizeof(log), "%s", cases[i].log);
        assert_int_equal(mw_build_failed(&device, &build, log), MW_EBUILD);
        if (!strstr(mw_errmsg(), cases[i].words))
            fail_msg("'%s' instead of '%s'", mw_errmsg(), cases[i].words);
        assert_string_equal(mw_build_log(), cases[i].log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_first_error_is_quoted) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
