/* Labelling on $MESHWORK_TEST_DEVICE: the variants for CPUs against a flood fill, bit for bit.  $MESHWORK_TEST_SEED
 * repeats a run. */
#include <meshwork/label.h>

#include "label/label_internal.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/label/pattern.h"
#include "tests/device/device.h"
#include "tests/device/label/variants.h"
#include "flood_fill.h"

static struct mw_label_limits limits = { .strip_cells = (size_t)1 << 14 };

/* The variants for CPUs, and all variants of native devices. */
static struct variants variants;
static bool is_for_cpus(const char *variant) { return native ? is_taken(variant) : strcmp(variant, "runs") == 0; }

/* ---- comparison ---- */

static int64_t label_at(const struct mw_array *labels, size_t k)
{
    return labels->type == MW_TYPE_I64 ? ((const int64_t *)labels->data)[k] : ((const int32_t *)labels->data)[k];
}

static void describe(const struct mw_label_options *o, const struct mw_array *a, char *text, size_t size)
{
    int n = snprintf(text, size, "%s, %s, %s %s, join %d, background %d %" PRId64 ", threshold %g, lengths", o->variant,
                     mw_type_name(a->type), mw_lattice_kinds(o->lattice)->name,
                     o->connectivity == MW_CONNECTIVITY_ALL ? "all" : "faces", (int)o->join, !o->no_background,
                     o->background, o->threshold);
    for (unsigned i = 0; i < a->dims; i++)
        n += snprintf(text + n, size - (size_t)n, " %zu%c", a->length[i], "dpmf"[o->boundary[i]]);
}

static void check_sizes(const int64_t *expected, size_t cells, const struct mw_array *sizes, size_t components,
                        const char *what)
{
    uint32_t *left = malloc((components + 1) * sizeof *left);
    assert_non_null(left);
    assert_int_equal(sizes->type, MW_TYPE_U32);
    assert_int_equal(sizes->dims, 1);
    assert_int_equal(sizes->count, components);
    if (components > 0)
        memcpy(left + 1, sizes->data, components * sizeof *left);
    for (size_t k = 0; k < cells; k++)
        left[expected[k]]--;
    for (size_t c = 1; c <= components; c++)
        if (left[c] != 0)
            fail_msg("%s: component %zu has another size than %" PRIu32, what, c, ((uint32_t *)sizes->data)[c - 1]);
    free(left);
}

/* Compares all variants. */
static void check(const struct mw_label_options *options, const struct mw_array *a)
{
    struct mw_label_options o = *options;
    int64_t *expected = malloc((a->count + 1) * sizeof *expected);
    char what[400];
    assert_non_null(expected);
    o.dims = a->dims;
    memcpy(o.length, a->length, sizeof o.length);
    const size_t components = flood_fill(&o, a, expected);
    for (unsigned v = 0; v < variants.count; v++) {
        struct mw_array labels = { 0 }, sizes = { 0 };
        const bool sized = random_below(slow ? 64 : 8) == 0;
        size_t count = SIZE_MAX;
        o.variant = variants.name[v];
        describe(&o, a, what, sizeof what);
        if (mw_label_array_within(&device, 1, &o, &limits, a, false, &labels, sized ? &sizes : NULL, &count) != 0)
            fail_msg("%s: %s", what, mw_errmsg());
        assert_int_equal(labels.type, o.wide ? MW_TYPE_I64 : MW_TYPE_I32);
        assert_int_equal(labels.count, a->count);
        for (size_t k = 0; k < a->count; k++)
            if (label_at(&labels, k) != expected[k])
                fail_msg("%s: cell %zu has label %" PRId64 " instead of %" PRId64, what, k, label_at(&labels, k),
                         expected[k]);
        if (count != components)
            fail_msg("%s: %zu components instead of %zu", what, count, components);
        if (sized)
            check_sizes(expected, a->count, &sizes, components, what);
        mw_array_free(&sizes);
        mw_array_free(&labels);
    }
    free(expected);
}

/* ---- random meshes ---- */

static void set_cell(struct mw_array *a, size_t k, double value)
{
/* clang-format off */
#define SET(type_, c_type) case type_: ((c_type *)a->data)[k] = (c_type)value; break;
    switch (a->type) {
    SET(MW_TYPE_BOOL, uint8_t) SET(MW_TYPE_I8, int8_t) SET(MW_TYPE_U8, uint8_t) SET(MW_TYPE_I16, int16_t)
    SET(MW_TYPE_U16, uint16_t) SET(MW_TYPE_I32, int32_t) SET(MW_TYPE_U32, uint32_t) SET(MW_TYPE_I64, int64_t)
    SET(MW_TYPE_U64, uint64_t) SET(MW_TYPE_F32, float) SET(MW_TYPE_F64, double)
    default: break;
        /* clang-format on */
    }
}

/* Fills values from 0 to `values` - 1: 0 with the given density, others equally often.  Cells are independent, or
 * constant in stretches of the k-index, so that runs are long. */
static void fill_random(struct mw_array *a, size_t values, double density, size_t stretch)
{
    double value = 0;
    for (size_t k = 0; k < a->count; k++) {
        if (stretch <= 1 || random_below(stretch) == 0)
            value = (double)random_below(1000001) <= density * 1e6 ? 1.0 + (double)random_below(values - 1) : 0.0;
        set_cell(a, k, value);
    }
}

static void random_mesh(unsigned dims, size_t most, enum mw_type type, struct mw_array *a)
{
    static const size_t lengths[] = { 1, 2, 3, 4, 5, 7, 8, 13, 31, 63, 64, 65, 97, 128, 131, 193, 1031 };
    size_t length[MW_DIMS_MAX] = { 0 }, cells = 1;
    for (unsigned i = 0; i < dims; i++) {
        /* Long rows, and dimensions of similar length, are both frequent. */
        const size_t few = random_below(2) ? MW_COUNT(lengths) : 12;
        length[i] = lengths[random_below(few)];
        if (cells * length[i] > most)
            length[i] = 1 + random_below(3);
        cells *= length[i];
    }
    OK(mw_array_new(type, dims, length, a));
}

static const double densities[] = { 0, 0.05, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5927, 0.7, 0.95, 1 };

/* Fixed ends are the default. */
static const enum mw_boundary boundaries[] = { MW_BOUNDARY_DEFAULT, MW_BOUNDARY_PERIODIC, MW_BOUNDARY_FIXED };

static void random_options(enum mw_type type, enum mw_join join, unsigned dims, struct mw_label_options *o)
{
    *o = (struct mw_label_options){ .size = sizeof(struct mw_label_options), .type = type, .join = join };
    o->connectivity = random_below(2) ? MW_CONNECTIVITY_ALL : MW_CONNECTIVITY_FACES;
    o->wide = random_below(4) == 0;
    for (unsigned i = 0; i < dims; i++)
        o->boundary[i] = boundaries[random_below(MW_COUNT(boundaries))];
    if (dims == 2 && random_below(4) == 0)
        o->lattice = MW_LATTICE_TRIANGULAR;
    if (dims == 3 && random_below(3) == 0)
        o->lattice = random_below(2) ? MW_LATTICE_BODY_CENTRED : MW_LATTICE_FACE_CENTRED;
    o->no_background = join == MW_JOIN_TOLERANCE || random_below(2);
    o->background = (int64_t)random_below(3);
    o->threshold = (double)random_below(3) - 0.5;
    o->tolerance = (double)random_below(3) / 2;
    limits.strip_cells = (size_t)1 << random_below(15);
}

static void check_random(enum mw_type type, enum mw_join join, size_t most)
{
    struct mw_label_options o;
    struct mw_array a;
    const unsigned dims = random_below(20) == 0 ? 5 + (unsigned)random_below(3) : 1 + (unsigned)random_below(4);
    random_options(type, join, dims, &o);
    if (dims > 6 && o.connectivity == MW_CONNECTIVITY_ALL)
        most /= 16;
    random_mesh(dims, most, type, &a);
    fill_random(&a, random_below(2) ? 2 : 2 + random_below(5), densities[random_below(MW_COUNT(densities))],
                random_below(2) ? 1 : 1 + random_below(200));
    check(&o, &a);
    mw_array_free(&a);
}

static const int kinds[][2] = {
    /* Always tested; on OpenCL devices, where each is a program or two, the others are left out. */
    { MW_TYPE_U8, MW_JOIN_EQUAL },      { MW_TYPE_F32, MW_JOIN_THRESHOLD }, { MW_TYPE_F32, MW_JOIN_TOLERANCE },
    { MW_TYPE_I64, MW_JOIN_EQUAL },     { MW_TYPE_BOOL, MW_JOIN_EQUAL },    { MW_TYPE_I8, MW_JOIN_EQUAL },
    { MW_TYPE_I16, MW_JOIN_EQUAL },     { MW_TYPE_U16, MW_JOIN_EQUAL },     { MW_TYPE_I32, MW_JOIN_EQUAL },
    { MW_TYPE_U32, MW_JOIN_EQUAL },     { MW_TYPE_U64, MW_JOIN_EQUAL },     { MW_TYPE_BOOL, MW_JOIN_THRESHOLD },
    { MW_TYPE_I8, MW_JOIN_THRESHOLD },  { MW_TYPE_U8, MW_JOIN_THRESHOLD },  { MW_TYPE_I16, MW_JOIN_THRESHOLD },
    { MW_TYPE_U16, MW_JOIN_THRESHOLD }, { MW_TYPE_I32, MW_JOIN_THRESHOLD }, { MW_TYPE_U32, MW_JOIN_THRESHOLD },
    { MW_TYPE_I64, MW_JOIN_THRESHOLD }, { MW_TYPE_U64, MW_JOIN_THRESHOLD }, { MW_TYPE_F64, MW_JOIN_THRESHOLD },
    { MW_TYPE_F64, MW_JOIN_TOLERANCE },
};

static void random_meshes_are_labelled_as_by_a_flood_fill(void **unused)
{
    const size_t types = native ? MW_COUNT(kinds) : slow ? 2 : 4;
    const int rounds = native ? 3000 : slow ? 24 : 200;
    for (int round = 0; round < rounds; round++) {
        const size_t kind = random_below(3) == 0 ? 0 : random_below(types);
        check_random((enum mw_type)kinds[kind][0], (enum mw_join)kinds[kind][1],
                     slow              ? 300
                     : round % 64 == 0 ? 60000
                                       : 2000);
    }
}

/* ---- difficult meshes ---- */

static void clear_of(unsigned dims, const size_t *length, struct mw_array *a)
{
    OK(mw_array_new(MW_TYPE_U8, dims, length, a));
    memset(a->data, 0, a->count);
}

/* An arm one cell wide that winds inwards, and the space between its turns. */
static void spiral(size_t n, struct mw_array *a)
{
    clear_of(2, (const size_t[]){ n, n }, a);
    OK(patterns[0].make(a, 0, 0));
}

static void check_both_ways(const struct mw_array *a)
{
    for (int way = 0; way < 8; way++) {
        const enum mw_boundary ends = way & 4 ? MW_BOUNDARY_PERIODIC : MW_BOUNDARY_DEFAULT;
        struct mw_label_options o = { .size = sizeof o,
                                      .type = a->type,
                                      .boundary = { ends, MW_BOUNDARY_FIXED, ends } };
        o.connectivity = way & 1 ? MW_CONNECTIVITY_ALL : MW_CONNECTIVITY_FACES;
        o.no_background = !(way & 2);
        check(&o, a);
    }
}

static void spirals_are_two_components(void **unused)
{
    static const size_t sides[] = { 3, 4, 7, 64, 67, 129 };
    for (size_t i = 0; i < MW_COUNT(sides) - (slow ? 2 : 0); i++) {
        struct mw_array a, labels;
        size_t components;
        spiral(sides[i], &a);
        limits.strip_cells = i & 1 ? 1 : 1000;
        check_both_ways(&a);
        const struct mw_label_options o = { .size = sizeof o, .variant = "runs", .no_background = true };
        OK(mw_label_array_within(&device, 1, &o, &limits, &a, false, &labels, NULL, &components));
        assert_int_equal(components, 2);
        mw_array_free(&a);
        mw_array_free(&labels);
    }
}

static void even_meshes_and_checkerboards(void **unused)
{
    static const size_t lengths[][3] = { { 1, 1, 1 }, { 64, 1, 1 }, { 1, 64, 1 }, { 130, 67, 1 }, { 7, 5, 11 } };
    for (size_t i = 0; i < MW_COUNT(lengths); i++)
        for (int pattern = 0; pattern < 4; pattern++) {
            struct mw_array a;
            clear_of(3, lengths[i], &a);
            unsigned char *cell = a.data;
            for (size_t k = 0; k < a.count; k++) {
                const size_t x = k % lengths[i][0], y = k / lengths[i][0] % lengths[i][1];
                const size_t z = k / lengths[i][0] / lengths[i][1];
                /* empty, full, a checkerboard, and a comb with teeth that meet in the last row */
                cell[k] = pattern == 1 || (pattern == 2 && ((x + y + z) & 1)) ||
                          (pattern == 3 && (x % 2 == 0 || y + 1 == lengths[i][1]));
            }
            limits.strip_cells = (size_t)1 << random_below(10);
            check_both_ways(&a);
            mw_array_free(&a);
        }
}

static void meshes_without_cells_have_no_components(void **unused)
{
    static const size_t length[] = { 5, 0, 3 };
    for (unsigned v = 0; v < variants.count; v++) {
        const struct mw_label_options o = { .size = sizeof o, .variant = variants.name[v] };
        struct mw_array a, labels;
        size_t components = 7;
        OK(mw_array_new(MW_TYPE_U8, 3, length, &a));
        OK(mw_label_array(&device, 1, &o, &a, &labels, NULL, &components));
        assert_int_equal(components, 0);
        assert_int_equal(labels.count, 0);
        assert_int_equal(labels.dims, 3);
        mw_array_free(&a);
        mw_array_free(&labels);
    }
}

/* ---- values at the limits of their types ---- */

static void check_threshold(enum mw_type type, const void *values, size_t count, double threshold)
{
    for (int background = 0; background < 2; background++) {
        struct mw_label_options o = { .size = sizeof o, .type = type, .join = MW_JOIN_THRESHOLD };
        o.threshold = threshold;
        o.no_background = !background;
        struct mw_array a;
        OK(mw_array_new(type, 1, &count, &a));
        memcpy(a.data, values, count * mw_type_bytes(type));
        check(&o, &a);
        mw_array_free(&a);
    }
}

static void thresholds_are_exact(void **unused)
{
    /* clang-format off */
    static const double at[] = { -1e300, -3.5e38, -0x1p63, -129, -128, -0.1, 0, 0.1, 0.5, 1, 127, 254.5, 255, 256,
                                 0x1p62, 0x1p63 - 1024, 0x1p63, 0x1p64, 3.4028234663852886e38, 3.5e38, 1e300 };
    static const float f[] = { -INFINITY, -3.4028234663852886e38f, -1, -0.1f, -0.0f, 0, NAN, 0.1f, 0.5f, 0.50000006f,
                               NAN, NAN, 3.4028234663852886e38f, INFINITY, INFINITY, -INFINITY };
    static const double d[] = { -INFINITY, -1e300, NAN, 0, -0.0, -0.1, -0x1p-1074, 0x1p-1074, 0.1, 0.5, 1e300, INFINITY,
                                -NAN };
    /* clang-format on */
    static const int64_t i64[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1023, INT64_MAX - 1024, INT64_MAX };
    static const uint64_t u64[] = { 0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 2047, UINT64_MAX, 5 };
    static const uint8_t u8[] = { 0, 1, 2, 126, 127, 128, 129, 253, 254, 255, 0, 255 };
    for (size_t i = 0; i < MW_COUNT(at); i++) {
        check_threshold(MW_TYPE_F32, f, MW_COUNT(f), at[i]);
        if (native || !mw_device_info(device)->fp64)
            check_threshold(MW_TYPE_F64, d, MW_COUNT(d), at[i]);
        if (!native)
            continue;
        check_threshold(MW_TYPE_I64, i64, MW_COUNT(i64), at[i]);
        check_threshold(MW_TYPE_U64, u64, MW_COUNT(u64), at[i]);
        check_threshold(MW_TYPE_U8, u8, MW_COUNT(u8), at[i]);
        check_threshold(MW_TYPE_I8, u8, MW_COUNT(u8), at[i]);
    }
}

static void backgrounds_that_no_cell_has_are_none(void **unused)
{
    static const int64_t backgrounds[] = { -1, 256, INT64_MIN, 255, 0 };
    struct mw_array a;
    clear_of(2, (const size_t[]){ 70, 3 }, &a);
    for (size_t k = 0; k < a.count; k++)
        ((unsigned char *)a.data)[k] = random_below(2) ? 255 : 0;
    for (size_t i = 0; i < MW_COUNT(backgrounds); i++) {
        const struct mw_label_options o = { .size = sizeof o, .type = MW_TYPE_U8, .background = backgrounds[i] };
        check(&o, &a);
    }
    mw_array_free(&a);
}

static void values_that_are_no_numbers_are_alone(void **unused)
{
    static const float values[] = { NAN, NAN, 1, 1, NAN, INFINITY, INFINITY, -INFINITY, 1, 1.5f, 2, 2.5f, NAN };
    const size_t count = MW_COUNT(values);
    struct mw_label_options o = { .size = sizeof o, .type = MW_TYPE_F32, .boundary = { MW_BOUNDARY_PERIODIC } };
    o.join = MW_JOIN_TOLERANCE;
    o.tolerance = 0.5;
    struct mw_array a;
    OK(mw_array_new(MW_TYPE_F32, 1, &count, &a));
    memcpy(a.data, values, sizeof values);
    check(&o, &a);
    mw_array_free(&a);
}

/* ---- other properties ---- */

static void a_labelling_may_run_again_on_other_values(void **unused)
{
    const struct mw_label_options o = {
        .size = sizeof o, .dims = 2, .length = { 100, 40 }, .type = MW_TYPE_U8, .connectivity = MW_CONNECTIVITY_ALL
    };
    struct mw_labelling *l;
    struct mw_buffer *from, *to;
    struct mw_array a;
    int64_t *expected = malloc(4000 * sizeof *expected);
    int32_t *labels = malloc(4000 * sizeof *labels);
    assert_non_null(expected);
    assert_non_null(labels);
    limits.strip_cells = 700;
    OK(mw_labelling_new_within(&device, 1, &o, &limits, &l));
    OK(mw_buffer_new(device, 4000, &from));
    OK(mw_buffer_new(device, 4000 * sizeof *labels, &to));
    OK(mw_array_new(MW_TYPE_U8, 2, o.length, &a));
    for (int round = 0; round < 5; round++) {
        size_t components = 0, iterations = 0;
        fill_random(&a, 2 + (size_t)round % 3, densities[2 + round], 1 + (size_t)round);
        OK(mw_buffer_write(from, 0, 4000, a.data, NULL));
        OK(mw_labelling_run(l, from, to, &components, &iterations));
        OK(mw_buffer_read(to, 0, 4000 * sizeof *labels, labels, NULL));
        assert_int_equal(components, flood_fill(&o, &a, expected));
        assert_true(iterations >= 1);
        for (size_t k = 0; k < 4000; k++)
            assert_int_equal(labels[k], expected[k]);
        OK(mw_labelling_run(l, from, to, NULL, NULL));
    }
    mw_array_free(&a);
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_labelling_free(l);
    free(expected);
    free(labels);
}

static void bad_options_are_refused(void **unused)
{
    const struct mw_label_options good = { .size = sizeof good, .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8 };
    /* clang-format off */
    static const struct { int status; const char *words; struct mw_label_options o; } bad[] = {
        { MW_EINVAL, "dimensions", { .dims = 0 } },
        { MW_EINVAL, "dimensions", { .dims = 9 } },
        { MW_EINVAL, "type", { .dims = 1, .length = { 4 }, .type = MW_TYPE_C64 } },
        { MW_EINVAL, "type", { .dims = 1, .length = { 4 }, .type = (enum mw_type)99 } },
        { MW_EINVAL, "reals need", { .dims = 1, .length = { 4 }, .type = MW_TYPE_F32, .join = MW_JOIN_EQUAL } },
        { MW_EINVAL, "tolerance", { .dims = 1, .length = { 4 }, .type = MW_TYPE_U8, .join = MW_JOIN_TOLERANCE } },
        { MW_EINVAL, "tolerance", { .dims = 1, .length = { 4 }, .type = MW_TYPE_F32, .join = MW_JOIN_TOLERANCE,
                                    .tolerance = -1 } },
        { MW_EINVAL, "threshold", { .dims = 1, .length = { 4 }, .type = MW_TYPE_F32, .join = MW_JOIN_THRESHOLD,
                                    .threshold = NAN } },
        { MW_EINVAL, "join", { .dims = 1, .length = { 4 }, .type = MW_TYPE_U8, .join = (enum mw_join)7 } },
        { MW_EINVAL, "lattice", { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8,
                                  .lattice = MW_LATTICE_FACE_CENTRED } },
        { MW_EINVAL, "lattice", { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8,
                                  .lattice = (enum mw_lattice_kind)9 } },
        { MW_EINVAL, "connectivity", { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8,
                                       .connectivity = (enum mw_connectivity)5 } },
        { MW_EINVAL, "dimension 1: labels do not support mirror", { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8,
                                                .boundary = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_MIRROR } } },
        { MW_EINVAL, "boundary", { .dims = 1, .length = { 4 }, .type = MW_TYPE_U8, .boundary = { 4 } } },
        { MW_EINVAL, "variant", { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8, .variant = "best" } },
        { MW_ELIMIT, "cells", { .dims = 2, .length = { (size_t)1 << 40, (size_t)1 << 40 }, .type = MW_TYPE_U8 } },
        { MW_ELIMIT, "cells", { .dims = 1, .length = { SIZE_MAX }, .type = MW_TYPE_U8 } },
    };
    /* clang-format on */
    struct mw_labelling *l = NULL;
    struct mw_buffer *small, *from, *to;
    for (size_t i = 0; i < MW_COUNT(bad); i++) {
        struct mw_label_options o = bad[i].o;
        o.size = sizeof o;
        assert_int_equal(mw_labelling_new(&device, 1, &o, &l), bad[i].status);
        assert_non_null(strstr(mw_errmsg(), bad[i].words));
        assert_null(l);
    }
    OK(mw_labelling_new(&device, 1, &good, &l));
    assert_string_equal(mw_labelling_variant(l), "runs");
    assert_int_equal(mw_labelling_type(l), MW_TYPE_I32);
    OK(mw_buffer_new(device, 15, &small));
    OK(mw_buffer_new(device, 64, &from));
    OK(mw_buffer_new(device, 64, &to));
    assert_int_equal(mw_labelling_run(l, small, to, NULL, NULL), MW_EINVAL);
    assert_int_equal(mw_labelling_run(l, from, small, NULL, NULL), MW_EINVAL);
    assert_int_equal(mw_labelling_run(l, from, from, NULL, NULL), MW_EINVAL);
    mw_buffer_free(small);
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_labelling_free(l);
    mw_labelling_free(NULL);
}

/* No cells; a buffer with too few values. */
static void summaries_need_no_cells_and_all_values(void **unused)
{
    struct mw_label_options o = { .size = sizeof o, .dims = 2, .type = MW_TYPE_U8, .length = { 40, 0 } };
    struct mw_components_summary s = { .size = sizeof s, .cells = 7 };
    struct mw_labelling *labelling;
    struct mw_buffer *from;
    OK(mw_buffer_new(device, 39, &from));
    OK(mw_labelling_new(&device, 1, &o, &labelling));
    OK(mw_labelling_summarise(labelling, from, &s));
    assert_true(s.components == 0 && s.cells == 0 && s.largest_label == 0 && s.largest_size == 0);
    mw_labelling_free(labelling);
    o.length[1] = 1;
    OK(mw_labelling_new(&device, 1, &o, &labelling));
    FAILS(MW_EINVAL, "no summary", mw_labelling_summary_end(labelling, &s));
    FAILS(MW_EINVAL, "the mesh needs 40", mw_labelling_summarise(labelling, from, &s));
    mw_labelling_free(labelling);
    mw_buffer_free(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_are_labelled_as_by_a_flood_fill),
        cmocka_unit_test(spirals_are_two_components),
        cmocka_unit_test(even_meshes_and_checkerboards),
        cmocka_unit_test(meshes_without_cells_have_no_components),
        cmocka_unit_test(thresholds_are_exact),
        cmocka_unit_test(backgrounds_that_no_cell_has_are_none),
        cmocka_unit_test(values_that_are_no_numbers_are_alone),
        cmocka_unit_test(a_labelling_may_run_again_on_other_values),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(summaries_need_no_cells_and_all_values),
    };
    struct mw_labelling *l;
    const struct mw_label_options any = { .size = sizeof any, .dims = 1, .length = { 1 }, .variant = "runs" };
    if (open_device(NULL) != 0)
        return 1;
    const int made = mw_labelling_new(&device, 1, &any, &l);
    if (made == MW_ENOTSUP) {
        print_message("SKIP: %s\n", mw_errmsg());
        mw_device_close(device);
        return 77;
    }
    if (made == 0)
        mw_labelling_free(l);
    list_variants(&variants, is_for_cpus);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mw_device_close(device);
    return failed;
}
/* SPDX-License-Identifier: MIT */
