/* Labelling on several devices, $MESHWORK_TEST_DEVICE among them, against a flood fill: seams, and fewer slabs than
 * devices. */
#include <meshwork/label.h>

#include "dev/core/backend.h"

#include <inttypes.h>

#include "tests/device/device.h"
#include "elements.h"

enum { MOST = 4 };
static struct mw_device *again, *threads;

static const struct {
    enum mw_type type;
    enum mw_join join;
} kinds[] = {
    /* Each is a program on OpenCL devices, which test only the first ones. */
    { MW_TYPE_U8, MW_JOIN_EQUAL },      { MW_TYPE_F32, MW_JOIN_THRESHOLD }, { MW_TYPE_F32, MW_JOIN_TOLERANCE },
    { MW_TYPE_BOOL, MW_JOIN_EQUAL },    { MW_TYPE_I8, MW_JOIN_THRESHOLD },  { MW_TYPE_U16, MW_JOIN_EQUAL },
    { MW_TYPE_I64, MW_JOIN_THRESHOLD }, { MW_TYPE_F64, MW_JOIN_TOLERANCE }, { MW_TYPE_F64, MW_JOIN_THRESHOLD },
};

/* Returns the options of a mesh of up to 4 dimensions, often with few slabs or none. */
static struct mw_label_options random_options(size_t most)
{
    const size_t kind = random_below(native ? MW_COUNT(kinds) : 3);
    struct mw_label_options o = { .size = sizeof o, .dims = 1 + (unsigned)random_below(4) };
    size_t cells = 1;
    o.type = kinds[kind].type;
    o.join = kinds[kind].join;
    o.connectivity = random_below(2) ? MW_CONNECTIVITY_ALL : MW_CONNECTIVITY_FACES;
    o.wide = random_below(4) == 0;
    o.threshold = 0.5;
    o.tolerance = 0.5;
    o.no_background = o.join == MW_JOIN_TOLERANCE || random_below(2);
    if (o.dims == 2 && random_below(3) == 0)
        o.lattice = MW_LATTICE_TRIANGULAR;
    if (o.dims == 3 && random_below(2))
        o.lattice = random_below(2) ? MW_LATTICE_BODY_CENTRED : MW_LATTICE_FACE_CENTRED;
    for (unsigned i = 0; i < o.dims; i++) {
        o.length[i] = random_below(60) == 0 ? 0 : 1 + random_below(random_below(2) ? 3 : 12);
        o.length[i] = cells * o.length[i] > most ? 1 : o.length[i];
        cells *= o.length[i];
        o.boundary[i] = random_below(2) ? MW_BOUNDARY_PERIODIC : MW_BOUNDARY_DEFAULT;
    }
    return o;
}

static void fill(struct mesh *m)
{
    const size_t values = 1 + random_below(4), per_cent = random_below(101);
    for (size_t k = 0; k < m->cells; k++) {
        const double v = random_below(100) < per_cent ? 1 + (double)random_below(values) : 0;
        m->value[k] = m->options.join == MW_JOIN_TOLERANCE ? v * 0.375 : m->options.type == MW_TYPE_BOOL ? v != 0 : v;
    }
}

static void compare(const struct mesh *m, const void *labels, size_t count, size_t components, const char *call)
{
    const struct mw_label_options *o = &m->options;
    for (size_t k = 0; k < m->cells; k++) {
        const int64_t label = o->wide ? ((const int64_t *)labels)[k] : ((const int32_t *)labels)[k];
        if (label != m->expected[k])
            fail_msg("%s, %zu devices, type %d, join %d, lattice %d, %d, %zu x %zu x %zu x %zu: cell %zu has label "
                     "%" PRId64 ", not %" PRId64,
                     call, count, (int)o->type, (int)o->join, (int)o->lattice, (int)o->connectivity, o->length[0],
                     o->length[1], o->length[2], o->length[3], k, label, m->expected[k]);
    }
    assert_int_equal(components, m->components);
}

/* By arrays in host memory, with and without sizes. */
static void check_array(struct mw_device *const *devices, size_t count, struct mesh *m, void *values)
{
    const struct mw_label_options *o = &m->options;
    struct mw_array cells = { .type = o->type, .dims = o->dims, .count = m->cells, .data = values };
    struct mw_array labels = { 0 }, sizes = { 0 };
    size_t components = SIZE_MAX;
    int64_t *left = room(m->components + 1, sizeof *left);
    memcpy(cells.length, o->length, sizeof cells.length);
    OK(mw_label_array(devices, count, o, &cells, &labels, NULL, NULL));
    OK(mw_label_array(devices, count, o, &cells, NULL, &sizes, &components));
    compare(m, labels.data, count, components, "mw_label_array");
    assert_int_equal(sizes.count, components);
    for (size_t k = 0; k < m->cells; k++)
        left[m->expected[k]]++;
    for (size_t c = 0; c < components; c++)
        assert_int_equal(((uint32_t *)sizes.data)[c], left[c + 1]);
    memset(labels.data, 0x5a, labels.count * mw_type_bytes(labels.type));
    OK(mw_label_array_into(devices, count, o, &cells, &labels, NULL, &components));
    compare(m, labels.data, count, components, "mw_label_array_into");
    mw_array_free(&labels);
    mw_array_free(&sizes);
    free(left);
}

/* By a labelling, twice: nothing remains from the first run. */
static void check_runs(struct mw_device *const *devices, size_t count, struct mesh *m)
{
    const size_t label = m->options.wide ? sizeof(int64_t) : sizeof(int32_t), value = mw_type_bytes(m->options.type);
    const uint64_t before = devices[0]->allocated;
    struct mw_labelling *l;
    struct mw_buffer *from, *to;
    void *got = room(m->cells, label);
    OK(mw_labelling_new(devices, count, &m->options, &l));
    OK(mw_buffer_new(devices[0], m->cells * value, &from));
    OK(mw_buffer_new(devices[0], m->cells * label, &to));
    for (int run = 0; run < 2; run++) {
        struct mw_components_summary s = MW_INIT(s);
        struct mw_components_summary expected;
        void *values;
        size_t components, iterations;
        fill(m);
        flood(m);
        values = as_elements(m);
        expected = summary_of(m);
        OK(mw_buffer_write(from, 0, m->cells * value, values, NULL));
        OK(mw_labelling_run(l, from, to, &components, &iterations));
        OK(mw_buffer_read(to, 0, m->cells * label, got, NULL));
        compare(m, got, count, components, "mw_labelling_run");
        OK(mw_labelling_summarise(l, from, &s));
        assert_int_equal(s.components, expected.components);
        assert_int_equal(s.cells_above, expected.cells_above);
        assert_int_equal(s.largest_above, expected.largest_above);
        assert_int_equal(s.largest_label, expected.largest_label);
        free(values);
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_labelling_free(l);
    assert_int_equal(devices[0]->allocated, before);
    free(got);
}

static void check(size_t most)
{
    struct mw_device *devices[MOST] = { device, again, serial, threads };
    const struct mw_label_options o = random_options(most);
    struct mesh m = mesh_of(&o);
    void *values;
    const size_t count = 1 + random_below(MOST);
    shuffle_devices(devices, MOST);
    fill(&m);
    flood(&m);
    values = as_elements(&m);
    check_array(devices, count, &m, values);
    check_runs(devices, count, &m);
    free(values);
    mesh_free(&m);
}

/* Devices without cores compile for each size of a part. */
static size_t rounds(size_t on_native)
{
    return native ? on_native : !info->cores || slow || slow_compiler ? 3 : on_native / 10;
}

static void small_meshes_have_the_labels_of_a_flood_fill(void **unused)
{
    for (size_t round = 0; round < rounds(1000); round++)
        check(60);
}

static void larger_meshes_have_the_labels_of_a_flood_fill(void **unused)
{
    for (size_t round = 0; round < rounds(100); round++)
        check(slow ? 200 : 6000);
}

/* A comb joins all parts only at its back; a spiral crosses each seam many times. */
static void combs_are_one_component(void **unused)
{
    struct mw_device *const devices[] = { device, again, threads };
    for (int back = 0; back < 2; back++) {
        const struct mw_label_options o = { .size = sizeof o, .dims = 2, .length = { 40, 31 }, .type = MW_TYPE_U8 };
        struct mesh m = mesh_of(&o);
        void *values;
        for (size_t k = 0; k < m.cells; k++)
            m.value[k] = k % 40 % 2 == 0 || k / 40 == (back ? 30 : 0);
        flood(&m);
        assert_int_equal(m.components, 1);
        values = as_elements(&m);
        check_array(devices, MW_COUNT(devices), &m, values);
        free(values);
        mesh_free(&m);
    }
}

static void what_cannot_be_done_is_refused(void **unused)
{
    struct mw_device *const twice[] = { device, device }, *const two[] = { device, again };
    struct mw_label_options o = { .size = sizeof o, .dims = 2, .length = { 5, 5 }, .type = MW_TYPE_U8 };
    struct mw_labelling *l = NULL;
    FAILS(MW_EINVAL, "given twice", mw_labelling_new(twice, 2, &o, &l));
    FAILS(MW_EINVAL, "", mw_labelling_new(NULL, 2, &o, &l));
    o.variant = "nothing";
    FAILS(MW_EINVAL, "nothing", mw_labelling_new(two, 2, &o, &l));
    o.variant = "equivalence";
    OK(mw_labelling_new(two, 2, &o, &l));
    assert_string_equal(mw_labelling_variant(l), "equivalence");
    mw_labelling_free(l);
}

static int open_devices(void **state)
{
    return open_with_serial(state) || mw_device_open_by_name(info->id, NULL, &again) ||
           mw_device_open_by_name("native:pthreads", NULL, &threads);
}

static int close_devices(void **state)
{
    mw_device_close(again);
    mw_device_close(threads);
    return close_with_serial(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_meshes_have_the_labels_of_a_flood_fill),
        cmocka_unit_test(larger_meshes_have_the_labels_of_a_flood_fill),
        cmocka_unit_test(combs_are_one_component),
        cmocka_unit_test(what_cannot_be_done_is_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */
