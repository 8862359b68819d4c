/* Objects that stay loaded when no program uses them, on a backend that only counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dev/core/backend.h"
#include "tests/check.h"

enum { IDLE_MOST = 64 }; /* as documented in meshwork/program.h */

static int compiled, loaded;

static int identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key)
{
    return mw_text_ok(key);
}

static int compile(struct mw_device *device, const struct mw_build *build, struct mw_code *code,
                   struct mw_binary *binary)
{
    code->impl = &loaded;
    compiled++;
    loaded++;
    return 0;
}

static void unload(struct mw_code *code)
{
    assert_ptr_equal(code->impl, &loaded);
    loaded--;
}

static const struct mw_compile_calls own_calls = { .identify = identify, .compile = compile, .unload = unload },
                                     common_calls = {
                                         .common_code = true, .identify = identify, .compile = compile, .unload = unload
                                     };
static const struct mw_backend own = { .name = "own", .compile = &own_calls },
                               common = { .name = "common", .compile = &common_calls };
static struct mw_device one = { .backend = &own }, other = { .backend = &own }, first = { .backend = &common },
                        second = { .backend = &common };

/* Uses text number i once; returns the number of compilations. */
static int use(struct mw_device *device, int i)
{
    char text[16];
    struct mw_object *object = NULL;
    snprintf(text, sizeof text, "%d", i);
    const struct mw_build build = { text, strlen(text), "", "text" };
    const int before = compiled;
    OK(mw_object_get(device, &build, &object));
    assert_non_null(mw_object_code(object)->impl);
    mw_object_put(object);
    return compiled - before;
}

static void the_latest_stay(void **unused)
{
    for (int i = 0; i < 2 * IDLE_MOST; i++)
        assert_int_equal(use(&one, i), 1);
    assert_int_equal(loaded, IDLE_MOST);
    for (int i = IDLE_MOST; i < 2 * IDLE_MOST; i++)
        assert_int_equal(use(&one, i), 0);
    assert_int_equal(use(&one, 0), 1);
    assert_int_equal(use(&one, IDLE_MOST), 1); /* the least recently used one was evicted */
    assert_int_equal(use(&one, 2 * IDLE_MOST - 1), 0);
    mw_objects_forget(&one);
    assert_int_equal(loaded, 0);
}

static void what_is_in_use_stays(void **unused)
{
    const struct mw_build build = { "used", 4, "", "text" };
    struct mw_object *a = NULL, *b = NULL;
    OK(mw_object_get(&one, &build, &a));
    for (int i = 0; i < 2 * IDLE_MOST; i++)
        use(&one, i);
    assert_int_equal(loaded, IDLE_MOST + 1);
    OK(mw_object_get(&one, &build, &b));
    assert_ptr_equal(a, b);
    mw_object_put(a);
    mw_objects_forget(&one);
    assert_int_equal(loaded, 1);
    mw_object_put(b);
    assert_int_equal(loaded, 1);
    mw_objects_forget(&one);
    assert_int_equal(loaded, 0);
}

static void each_device_has_its_own(void **unused)
{
    assert_int_equal(use(&one, 0) + use(&other, 0), 2);
    mw_objects_forget(&one);
    assert_int_equal(loaded, 1);
    assert_int_equal(use(&other, 0), 0);
    mw_objects_forget(&other);
    assert_int_equal(use(&first, 0) + use(&second, 0), 1);
    mw_objects_forget(&one);
    assert_int_equal(loaded, 1);
    mw_objects_forget(&second);
    assert_int_equal(loaded, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_latest_stay),
        cmocka_unit_test(what_is_in_use_stays),
        cmocka_unit_test(each_device_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
