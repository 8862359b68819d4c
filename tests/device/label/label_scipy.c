/* Labels compared with SciPy's (tests/device/label/ask_scipy.py), on $MESHWORK_TEST_DEVICE: random images and volumes
 * of one to four dimensions, and large spirals.  $MESHWORK_TEST_SEED repeats a run. */
#include <meshwork/label.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

#include "tools/label/pattern.h"
#include "tests/device/device.h"
#include "tests/python.h"

static struct python python;

static void compare(const struct mw_array *a, const struct mw_label_options *o)
{
    struct mw_array labels = { 0 };
    char text[200], answer[200] = "nothing";
    int n = 0;
    OK(mw_label_array(&device, 1, o, a, &labels, NULL, NULL));
    for (unsigned i = 0; i < a->dims; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%zu", i ? "x" : "", a->length[i]);
    n += snprintf(text + n, sizeof text - (size_t)n, " %s", o->connectivity == MW_CONNECTIVITY_ALL ? "all" : "faces");
    snprintf(text + n, sizeof text - (size_t)n, o->no_background ? " none" : " %d", (int)o->background);
    fprintf(python.to, "%s\n", text);
    fwrite(a->data, 1, a->count, python.to);
    fwrite(labels.data, sizeof(int32_t), labels.count, python.to);
    assert_int_equal(fflush(python.to), 0);
    if (!fgets(answer, sizeof answer, python.from) || strcmp(answer, "same\n") != 0)
        fail_msg("%s, %s: SciPy: %s", text, o->variant ? o->variant : "auto", answer);
    mw_array_free(&labels);
}

static void random_lengths(unsigned dims, size_t *length)
{
    static const size_t lengths[] = { 1, 2, 3, 5, 7, 16, 31, 64, 67, 101, 128, 257 };
    size_t cells = 1;
    for (unsigned i = 0; i < dims; i++) {
        length[i] = lengths[random_below(MW_COUNT(lengths))];
        if (cells * length[i] > 20000)
            length[i] = 1 + random_below(5);
        cells *= length[i];
    }
}

static void random_meshes_have_the_same_partitions(void **unused)
{
    static const double densities[] = { 0, 0.1, 0.3, 0.41, 0.5, 0.5927, 0.8, 1 };
    static const char *const variants[] = { "runs", "runs", "raster", "equivalence" };
    /* GPU compilers need a second per mesh. */
    const int rounds = native ? 2000 : mw_device_info(device)->kind == MW_DEVICE_GPU ? 40 : 200;
    for (int round = 0; round < rounds; round++) {
        const unsigned dims = 1 + (unsigned)random_below(4);
        const size_t values = random_below(2) ? 2 : 2 + random_below(4);
        const double density = densities[random_below(MW_COUNT(densities))];
        const struct mw_label_options o = {
            .size = sizeof o,
            .type = MW_TYPE_U8,
            .connectivity = random_below(2) ? MW_CONNECTIVITY_ALL : MW_CONNECTIVITY_FACES,
            .no_background = random_below(2),
            .background = (int64_t)random_below(2),
            .variant = native ? variants[random_below(4)] : NULL,
        };
        size_t length[MW_DIMS_MAX];
        struct mw_array a;
        random_lengths(dims, length);
        OK(mw_array_new(MW_TYPE_U8, dims, length, &a));
        for (size_t k = 0; k < a.count; k++)
            ((unsigned char *)a.data)[k] =
                (double)random_below(1000000) < density * 1e6 ? (unsigned char)(1 + random_below(values - 1)) : 0;
        compare(&a, &o);
        mw_array_free(&a);
    }
}

static void large_patterns_have_the_same_partitions(void **unused)
{
    static const size_t lengths[][2] = { { 512, 512 }, { 1021, 2048 }, { 2500, 2500 } };
    for (size_t i = 0; i < MW_COUNT(lengths); i++)
        for (size_t pattern = 0; pattern < 3; pattern++) {
            const struct mw_label_options o = { .size = sizeof o,
                                                .type = MW_TYPE_U8,
                                                .connectivity =
                                                    pattern == 0 ? MW_CONNECTIVITY_FACES : MW_CONNECTIVITY_ALL,
                                                .no_background = pattern != 1 };
            struct mw_array a;
            OK(mw_array_new(MW_TYPE_U8, 2, lengths[i], &a));
            OK(patterns[pattern].make(&a, 0.5, random_word()));
            compare(&a, &o);
            mw_array_free(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_have_the_same_partitions),
        cmocka_unit_test(large_patterns_have_the_same_partitions),
    };
    if (!python_for_test(&python, "tests/device/label/ask_scipy.py", "python3-scipy"))
        return 77;
    const int failed = cmocka_run_group_tests(tests, open_device, close_device);
    python_stop(&python);
    return failed;
}
/* SPDX-License-Identifier: MIT */
