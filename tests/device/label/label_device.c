/* The variants of labelling for OpenCL devices, on $MESHWORK_TEST_DEVICE, against a flood fill. */
#include <meshwork/label.h>

#include "dev/core/backend.h"
#include "label/label_internal.h"

#include <inttypes.h>
#include <math.h>

#include "tests/device/device.h"
#include "tests/device/label/variants.h"
#include "elements.h"

#define FLAT .size = sizeof(struct mw_label_options), .dims = 2, .type = MW_TYPE_U8
#define MEETS(variant) .connectivity = is_blocks(variant) ? MW_CONNECTIVITY_ALL : MW_CONNECTIVITY_FACES

/* ---- on the device ---- */

static const char *describe(const struct mw_label_options *o)
{
    static char text[256];
    int n = snprintf(text, sizeof text, "variant %s, type %d, join %d, background %d, lattice %d, %s, cells",
                     o->variant, (int)o->type, (int)o->join, !o->no_background, (int)o->lattice,
                     o->connectivity == MW_CONNECTIVITY_ALL ? "all" : "faces");
    for (unsigned i = 0; i < o->dims; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %zu%s", o->length[i], mw_label_wraps(o, i) ? "p" : "");
    return text;
}

static void check_summary(struct mw_labelling *labelling, struct mesh *m, struct mw_buffer *from)
{
    const struct mw_components_summary expected = summary_of(m);
    struct mw_components_summary s = MW_INIT(s);
    /* Sometimes begins a second summary before the first has ended; the values may be freed once it has begun. */
    for (size_t i = random_below(2); i < 2; i++)
        OK(mw_labelling_summary_begin(labelling, from));
    assert_true(mw_labelling_summary_waits(labelling) || m->options.join == MW_JOIN_THRESHOLD);
    if (mw_buffer_bytes(from) > 0)
        OK(mw_buffer_fill(from, 0, mw_buffer_bytes(from), 0x5a));
    OK(mw_labelling_summary_end(labelling, &s));
    if (s.components != expected.components || s.cells != expected.cells || s.largest_label != expected.largest_label ||
        s.largest_size != expected.largest_size || s.largest_above != expected.largest_above ||
        s.largest_below != expected.largest_below || s.cells_above != expected.cells_above ||
        s.mean_size < expected.mean_size || s.mean_size > expected.mean_size)
        fail_msg("%s: %zu components of %zu cells, the largest is %zu, of %zu (above %zu, below %zu); not %zu of %zu, "
                 "%zu of %zu (%zu, %zu)",
                 describe(&m->options), s.components, s.cells, s.largest_label, s.largest_size, s.largest_above,
                 s.largest_below, expected.components, expected.cells, expected.largest_label, expected.largest_size,
                 expected.largest_above, expected.largest_below);
}

/* Runs a labelling on the values of the mesh; compares each label, and the summary without labels. */
static size_t check(struct mw_labelling *labelling, struct mesh *m)
{
    const bool wide = mw_labelling_type(labelling) == MW_TYPE_I64;
    const size_t bytes = m->cells * (wide ? 8 : 4), element = mw_type_bytes(m->options.type);
    struct mw_buffer *from = NULL, *to = NULL;
    size_t components, iterations;
    void *values = as_elements(m), *got = room(m->cells, 8);
    flood(m);
    OK(mw_buffer_new(device, m->cells * element, &from));
    OK(mw_buffer_new(device, bytes, &to));
    OK(mw_buffer_write(from, 0, m->cells * element, values, NULL));
    if (bytes > 0)
        OK(mw_buffer_fill(to, 0, bytes, 0x5a));
    OK(mw_labelling_run(labelling, from, to, &components, &iterations));
    OK(mw_buffer_read(to, 0, bytes, got, NULL));
    for (size_t k = 0; k < m->cells; k++) {
        const int64_t label = wide ? ((int64_t *)got)[k] : ((int32_t *)got)[k];
        if (label != m->expected[k])
            fail_msg("%s: cell %zu has label %" PRId64 ", not %" PRId64, describe(&m->options), k, label,
                     m->expected[k]);
    }
    if (components != m->components)
        fail_msg("%s: %zu components, not %zu", describe(&m->options), components, m->components);
    check_summary(labelling, m, from);
    mw_buffer_free(from);
    mw_buffer_free(to);
    free(values);
    free(got);
    return iterations;
}

static struct mw_labelling *labelling_within(const struct mesh *m, const struct mw_label_limits *limits)
{
    struct mw_labelling *labelling = NULL;
    OK(mw_labelling_new_within(&device, 1, &m->options, limits, &labelling));
    assert_string_equal(mw_labelling_variant(labelling), m->options.variant);
    return labelling;
}

static struct mw_labelling *labelling_of(const struct mesh *m) { return labelling_within(m, NULL); }

/* ---- tests of all variants ---- */

static struct variants variants, image_variants;
static bool is_for_devices(const char *variant)
{
    return !is_from_image(variant) && strcmp(variant, "runs") != 0 && is_taken(variant);
}
static const enum mw_type types[] = { MW_TYPE_BOOL, MW_TYPE_U8, MW_TYPE_I16, MW_TYPE_I64, MW_TYPE_F32 };

static bool is_blocks(const char *variant) { return strcmp(variant, "blocks") == 0; }

/* One to three dimensions, hypercubic lattices. */
static bool is_for_few_meshes(const char *variant) { return is_blocks(variant) || strcmp(variant, "bits") == 0; }

/* Returns options that a variant supports, with 1 + dims dimensions. */
static struct mw_label_options random_options(const char *variant, unsigned dims, enum mw_type type)
{
    static const size_t lengths[] = { 1, 2, 3, 4, 5, 7, 13, 16, 17, 31, 64, 101 };
    const size_t most = slow ? 300 : 6000;
    struct mw_label_options o = { .size = sizeof o, .variant = variant, .dims = 1 + dims, .type = type };
    size_t cells = 1;
    if (is_for_few_meshes(variant))
        o.dims = 1 + dims % 3;
    else if (o.dims >= 2 && o.dims <= 3 && random_below(3) == 0)
        o.lattice = o.dims == 2       ? MW_LATTICE_TRIANGULAR
                    : random_below(2) ? MW_LATTICE_BODY_CENTRED
                                      : MW_LATTICE_FACE_CENTRED;
    o.connectivity = is_blocks(variant) || random_below(2) ? MW_CONNECTIVITY_ALL : MW_CONNECTIVITY_FACES;
    o.join = mw_label_is_real(type) ? random_below(2) && !is_blocks(variant) ? MW_JOIN_TOLERANCE : MW_JOIN_THRESHOLD
             : random_below(4) == 0 ? MW_JOIN_THRESHOLD
                                    : MW_JOIN_EQUAL;
    o.threshold = o.type == MW_TYPE_BOOL ? 0 : 1;
    o.tolerance = 0.5;
    o.no_background = o.join == MW_JOIN_TOLERANCE || random_below(2);
    for (unsigned i = 0; i < o.dims; i++) {
        o.length[i] = lengths[random_below(MW_COUNT(lengths))];
        if (cells * o.length[i] > most)
            o.length[i] = 1 + random_below(3);
        cells *= o.length[i];
        o.boundary[i] = random_below(2) ? MW_BOUNDARY_PERIODIC : MW_BOUNDARY_DEFAULT;
    }
    return o;
}

/* Fills values 0 to kinds (with fractions for a tolerance), the first with the given frequency; even ones are negative
 * if the type is signed. */
static void fill(struct mesh *m, unsigned kinds, unsigned per_cent)
{
    const bool positive = mw_label_is_unsigned(m->options.type);
    for (size_t k = 0; k < m->cells; k++) {
        const int v = random_below(100) < per_cent ? 1 + (int)random_below(kinds) : 0;
        m->value[k] = m->options.join == MW_JOIN_TOLERANCE ? v * 0.375
                      : m->options.type == MW_TYPE_BOOL    ? v != 0
                      : v % 2 || positive                  ? v
                                                           : -v;
    }
}

/* Labels meshes with more and more cells that are not background. */
static void check_random_within(const struct mw_label_options *o, const struct mw_label_limits *limits)
{
    static const unsigned per_cents[] = { 0, 25, 45, 60, 75, 100 };
    struct mesh m = mesh_of(o);
    struct mw_labelling *labelling = labelling_within(&m, limits);
    for (unsigned d = 0; d < MW_COUNT(per_cents); d++) {
        if (left_out(2) && slow)
            continue;
        fill(&m, d % 2 ? 1 : o->join == MW_JOIN_TOLERANCE ? 9 : 3, per_cents[d]);
        check(labelling, &m);
    }
    mw_labelling_free(labelling);
    mesh_free(&m);
}

static void check_random(const struct mw_label_options *o) { check_random_within(o, NULL); }

/* Skips tests of variants for other devices. */
static void skip_natives(void)
{
    if (native)
        skip();
}

static void random_meshes_have_the_labels_of_a_flood_fill(void **unused)
{
    skip_natives();
    for (unsigned v = 0; v < variants.count; v++) {
        const struct mw_label_options o =
            random_options(variants.name[v], random_below(4), types[random_below(MW_COUNT(types))]);
        check_random(&o);
    }
}

/* Tiles of all shapes, and rows that end before, at or after the end of a segment; also across the ends of the mesh. */
static void tiles_have_the_labels_of_a_flood_fill(void **unused)
{
    static const size_t lengths[] = { 1, 2, 3, 8, 16, 31, 32, 33, 48, 64, 65, 96, 97 };
    const unsigned first = (unsigned)random_below(3);
    skip_natives();
    for (unsigned round = 0; round < (slow ? 2 : 3); round++) {
        struct mw_label_options o =
            random_options("bits", round == 0 ? 1 + first % 2 : first + round, types[random_below(MW_COUNT(types))]);
        struct mw_label_limits limits = { .strip_cells = 1, .sizes = 1 };
        size_t cells = 1;
        if (round == 0) { /* with other joins more pairs imply each other */
            o.type = MW_TYPE_F32;
            o.join = MW_JOIN_TOLERANCE;
            o.no_background = true;
            o.connectivity = MW_CONNECTIVITY_ALL;
        }
        for (unsigned i = 0; i < o.dims; i++) {
            o.length[i] = round == 0 && i == 0 ? 97 : lengths[random_below(MW_COUNT(lengths))];
            if (cells * o.length[i] > (slow ? 600 : 30000))
                o.length[i] = 1 + random_below(7);
            cells *= o.length[i];
        }
        limits.hooks = (unsigned)random_below(4);
        limits.concurrent = random_below(2);
        limits.tiles_concurrent = random_below(2);
        limits.tile_items = round == 0 ? 16 : (size_t)1 << random_below(6);
        limits.tile_x = round == 0 ? 3 : 1 + (unsigned)random_below(3);
        check_random_within(&o, &limits);
    }
}

/* Launches with more work-items than a device supports are split. */
static void slices_have_the_labels_of_a_flood_fill(void **unused)
{
    static const struct mw_label_options o = { FLAT, .variant = "tile", .length = { 61, 43 }, .no_background = true };
    const struct mw_grid before = device->grid;
    if (native || slow)
        skip();
    device->grid.items[0] = 512;
    check_random(&o);
    device->grid = before;
}

static bool has_images(enum mw_type type)
{
    const size_t small[3] = { 8, 8, 8 }, bytes = mw_type_bytes(type);
    return mw_image_check(device, 2, small, bytes) == 0 && mw_image_check(device, 3, small, bytes) == 0;
}

/* Tests cells of all sizes; each variant gets another size in each run. */
static void images_have_the_labels_of_a_flood_fill(void **unused)
{
    static const enum mw_type sizes[][3] = {
        { MW_TYPE_BOOL, MW_TYPE_U8, MW_TYPE_I8 },
        { MW_TYPE_I16, MW_TYPE_U16, MW_TYPE_I16 },
        { MW_TYPE_F32, MW_TYPE_I32, MW_TYPE_F32 },
        { MW_TYPE_I64, MW_TYPE_I64, MW_TYPE_F64 },
    };
    const size_t first = random_below(MW_COUNT(sizes));
    skip_natives();
    for (size_t v = 0; v < image_variants.count; v++) {
        enum mw_type type = sizes[(first + v) % MW_COUNT(sizes)][random_below(3)];
        if (type == MW_TYPE_F64 && !device->info.fp64)
            type = MW_TYPE_I64;
        if (!has_images(type)) {
            print_message("%s with other cells: %s\n", image_variants.name[v], mw_errmsg());
            type = MW_TYPE_U8;
        }
        if (!has_images(type))
            skip();
        const struct mw_label_options o = random_options(image_variants.name[v], 1 + (unsigned)random_below(3), type);
        check_random(&o);
    }
}

/* An image belongs to the labelling; everything allocated for it is freed. */
static void images_are_freed_with_their_labelling(void **unused)
{
    struct mw_label_options o = { FLAT, .variant = "neighbour-image", .length = { 30, 20 } };
    struct mw_labelling *with, *without;
    const uint64_t before = device->allocated;
    if (native || !has_images(o.type))
        skip();
    OK(mw_labelling_new(&device, 1, &o, &with));
    const uint64_t taken = device->allocated - before;
    o.variant = "neighbour";
    OK(mw_labelling_new(&device, 1, &o, &without));
    assert_int_equal(taken, device->allocated - before - taken + 600);
    mw_labelling_free(with);
    mw_labelling_free(without);
    assert_int_equal(device->allocated, before);
    o.variant = "equivalence-image";
    o.length[1] = 0;
    OK(mw_labelling_new(&device, 1, &o, &with));
    assert_int_equal(device->allocated, before);
    mw_labelling_free(with);
}

/* Tests 64-bit labels with the same values and program. */
static void check_wide(const struct mesh *m)
{
    struct mesh wide = *m;
    wide.options.wide = true;
    struct mw_labelling *labelling = labelling_of(&wide);
    assert_int_equal(mw_labelling_type(labelling), MW_TYPE_I64);
    check(labelling, &wide);
    mw_labelling_free(labelling);
}

/* One path of 1s, one cell wide, from the corner to the middle. */
static void fill_spiral(struct mesh *m)
{
    static const int ways[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
    const int64_t w = (int64_t)m->options.length[0], h = (int64_t)m->options.length[1];
    int64_t x = -1, y = 0, run[2] = { w, h - 1 };
    memset(m->value, 0, m->cells * sizeof *m->value);
    for (unsigned turn = 0; run[turn % 2] > 0; turn++) {
        for (int64_t i = 0; i < run[turn % 2]; i++) {
            x += ways[turn % 4][0];
            y += ways[turn % 4][1];
            m->value[y * w + x] = 1;
        }
        run[turn % 2] -= turn == 0 ? 1 : 2;
    }
}

static void spirals_and_boards_are_labelled(void **unused)
{
    skip_natives();
    for (unsigned v = 0; v < variants.count; v++) {
        const struct mw_label_options o = { FLAT, .variant = variants.name[v], MEETS(variants.name[v]),
                                            .length = { slow ? 13 : 67, slow ? 11 : 61 }, .no_background = true };
        struct mesh m = mesh_of(&o);
        struct mw_labelling *labelling = labelling_of(&m);
        fill_spiral(&m);
        check(labelling, &m);
        assert_int_equal(m.components, 2);
        check_wide(&m);
        for (size_t k = 0; k < m.cells; k++)
            m.value[k] = (k % o.length[0] + k / o.length[0]) % 2;
        check(labelling, &m);
        assert_int_equal(m.components, is_blocks(variants.name[v]) ? 2 : m.cells);
        for (size_t k = 0; k < m.cells; k++)
            m.value[k] = 7;
        check(labelling, &m);
        assert_int_equal(m.components, 1);
        mw_labelling_free(labelling);
        mesh_free(&m);
    }
}

/* Longer than the loops of some drivers; and the number of passes of the papers' kernels. */
static void lines_take_the_passes_that_they_should(void **unused)
{
    static const struct {
        const char *variant;
        size_t length, iterations;
    } cases[] = {
        { "neighbour", 300, 300 }, /* the first cell's label moves one cell per pass; the last pass finds nothing */
        { "lines", 150000, 2 },    { "equivalence", 70000, 0 }, /* a driver may end chains early */
        { "bits", 150000, 1 },     { "union-find", 150000, 1 }, { "blocks", 150000, 1 },
    };
    skip_natives();
    for (size_t c = 0; c < MW_COUNT(cases); c++) {
        const size_t length = !slow ? cases[c].length : cases[c].length > 1000 ? 1500 : 100;
        /* clang-format off */
        const struct mw_label_options o = {
            .size = sizeof o, .variant = cases[c].variant, .dims = 1, .type = MW_TYPE_U8, .length = { length },
            .no_background = true, MEETS(cases[c].variant) };
        /* clang-format on */
        struct mesh m = mesh_of(&o);
        struct mw_labelling *labelling = labelling_of(&m);
        const size_t iterations = check(labelling, &m);
        if (cases[c].iterations)
            assert_int_equal(iterations, cases[c].iterations == cases[c].length ? length : cases[c].iterations);
        else
            assert_true(iterations >= 2);
        mw_labelling_free(labelling);
        mesh_free(&m);
    }
}

/* Neighbours by faces, so that only the lines themselves wrap around. */
static void lines_go_around_where_the_mesh_does(void **unused)
{
    const struct mw_label_options o = { FLAT, .variant = "lines", .length = { 9, 14 },
                                        .boundary = { MW_BOUNDARY_PERIODIC, MW_BOUNDARY_PERIODIC } };
    skip_natives();
    struct mesh m = mesh_of(&o);
    struct mw_labelling *labelling = labelling_of(&m);
    for (unsigned round = 0; round < 20; round++) {
        fill(&m, 1, 30 + round);
        check(labelling, &m);
    }
    mw_labelling_free(labelling);
    mesh_free(&m);
}

static void a_mesh_without_cells_has_no_components(void **unused)
{
    skip_natives();
    for (unsigned v = 0; v < variants.count; v++) {
        const struct mw_label_options o = { FLAT, .variant = variants.name[v], .length = { 5, 0 },
                                            .connectivity = MW_CONNECTIVITY_ALL, .no_background = true };
        struct mesh m = mesh_of(&o);
        struct mw_labelling *labelling = labelling_of(&m);
        check(labelling, &m);
        mw_labelling_free(labelling);
        mesh_free(&m);
    }
}

static void what_a_variant_cannot_do_is_refused(void **unused)
{
    /* clang-format off */
    static const struct { struct mw_label_options options; const char *why; } cases[] = {
        { { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8 }, "connectivity all" },
        { { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_U8, .connectivity = MW_CONNECTIVITY_ALL,
            .lattice = MW_LATTICE_TRIANGULAR },
          "connectivity all" },
        { { .dims = 4, .length = { 2, 2, 2, 2 }, .type = MW_TYPE_U8, .connectivity = MW_CONNECTIVITY_ALL },
          "dimensions" },
        { { .dims = 2, .length = { 4, 4 }, .type = MW_TYPE_F32, .connectivity = MW_CONNECTIVITY_ALL,
            .join = MW_JOIN_TOLERANCE },
          "tolerance" },
    };
    /* clang-format on */
    struct mw_label_options o = { FLAT, .length = { 4, 4 }, .connectivity = MW_CONNECTIVITY_ALL };
    struct mw_labelling *labelling = NULL;
    skip_natives();
    for (size_t c = 0; c < MW_COUNT(cases); c++) {
        struct mw_label_options refused = cases[c].options;
        refused.size = sizeof refused;
        refused.variant = "blocks";
        assert_int_equal(mw_labelling_new(&device, 1, &refused, &labelling), MW_ENOTSUP);
        assert_non_null(strstr(mw_errmsg(), cases[c].why));
    }
    o.variant = "nosuch";
    assert_int_equal(mw_labelling_new(&device, 1, &o, &labelling), MW_EINVAL);
    assert_true(strstr(mw_errmsg(), "; there are runs, ") && strstr(mw_errmsg(), ", raster and auto"));
}

static void dimensions_that_no_image_has_are_refused(void **unused)
{
    struct mw_labelling *labelling = NULL;
    for (size_t v = 0; v < image_variants.count; v++) {
        const struct mw_label_options o = {
            .size = sizeof o, .variant = image_variants.name[v], .dims = 1, .type = MW_TYPE_U8, .length = { 4 }
        };
        assert_int_equal(mw_labelling_new(&device, 1, &o, &labelling), MW_ENOTSUP);
        assert_non_null(strstr(mw_errmsg(), "2 or more dimensions (use neighbour)"));
        assert_non_null(strstr(mw_errmsg(), image_variants.name[v]));
    }
    assert_null(labelling);
}

/* Reported before anything is compiled. */
static void images_that_a_device_lacks_are_refused(void **unused)
{
    struct mw_labelling *labelling = NULL;
    if (native || !has_images(MW_TYPE_U8))
        skip();
    struct mw_label_options o = { FLAT, .variant = "lines-image", .length = { 1 << 30, 1 } };
    const uint64_t before = device->allocated;
    assert_int_equal(mw_labelling_new(&device, 1, &o, &labelling), MW_ELIMIT);
    assert_true(strstr(mw_errmsg(), "variant lines-image: ") && strstr(mw_errmsg(), "images of at most"));
    o.length[0] = 4;
    device->info.images = false; /* as on another device */
    const int rc = mw_labelling_new(&device, 1, &o, &labelling);
    device->info.images = true;
    assert_int_equal(rc, MW_ENOTSUP);
    assert_true(strstr(mw_errmsg(), "variant lines-image: ") && strstr(mw_errmsg(), "has no images"));
    assert_int_equal(device->allocated, before);
    assert_null(labelling);
}

static int open_with_variants(void **state)
{
    if (open_device(state) != 0)
        return -1;
    list_variants(&variants, is_for_devices);
    list_variants(&image_variants, is_from_image);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes_have_the_labels_of_a_flood_fill),
        cmocka_unit_test(tiles_have_the_labels_of_a_flood_fill),
        cmocka_unit_test(slices_have_the_labels_of_a_flood_fill),
        cmocka_unit_test(images_have_the_labels_of_a_flood_fill),
        cmocka_unit_test(images_are_freed_with_their_labelling),
        cmocka_unit_test(spirals_and_boards_are_labelled),
        cmocka_unit_test(lines_take_the_passes_that_they_should),
        cmocka_unit_test(lines_go_around_where_the_mesh_does),
        cmocka_unit_test(a_mesh_without_cells_has_no_components),
        cmocka_unit_test(what_a_variant_cannot_do_is_refused),
        cmocka_unit_test(dimensions_that_no_image_has_are_refused),
        cmocka_unit_test(images_that_a_device_lacks_are_refused),
    };
    return cmocka_run_group_tests(tests, open_with_variants, close_device);
}
/* SPDX-License-Identifier: MIT */
