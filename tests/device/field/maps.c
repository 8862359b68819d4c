/* Maps on $MESHWORK_TEST_DEVICE: every variant against a plain loop over cells, for all boundaries; and
 * mw_field_set_one for one and several systems, mw_field_get_one. */
#include "tests/device/field/evolve.h"

/* Shapes of devices with groups, and of native devices. */
static const char *const shapes[] = {
    "variant=fused,vec=1,per_item=2,rows=3,group=8x4",
    "variant=staged,vec=4,per_item=1,rows=1,group=8x4",
    "variant=rolling,vec=4,per_item=2,rows=5,group=1x1",
    "variant=temporal,vec=4,per_item=3,rows=7,group=1x1",
    "variant=tile,vec=1,per_item=1,rows=2,group=16x12",
    "variant=tile,vec=1,per_item=1,rows=6,group=24x1",
    "variant=image,vec=1,per_item=1,rows=1,group=8x4",
    "variant=image-tile,vec=1,per_item=1,rows=2,group=16x8",
    "variant=async,vec=4,per_item=3,rows=5,group=2x1",
    "variant=registers,vec=1,per_item=1,rows=3,group=24x1,steps=0",
    "variant=registers,vec=2,per_item=1,rows=5,group=16x1,steps=1",
    "variant=registers,vec=4,per_item=1,rows=0,group=8x1,steps=2",
    "variant=registers,vec=1,per_item=4,rows=1,group=10x3,steps=1",
};
static const char *const native_shapes[] = { "variant=fused", "variant=staged,rows=3",
                                             "variant=rolling,per_item=2,rows=5",
                                             "variant=temporal,per_item=3,rows=7" };

/* ---- the reference ---- */

/* Returns the index of coordinate c moved into 0 to n - 1; -1: outside fixed boundaries.  A map has its image there. */
static long inside(long c, long n, enum mw_boundary boundary, bool is_map)
{
    if (c >= 0 && c < n)
        return c;
    if (boundary == MW_BOUNDARY_FIXED && !is_map)
        return -1;
    if (boundary == MW_BOUNDARY_PERIODIC)
        return (c % n + n) % n;
    const long rest = (c % (2 * n) + 2 * n) % (2 * n);
    return rest < n ? rest : 2 * n - 1 - rest;
}

struct mesh_of {
    long nx, ny;
    enum mw_boundary boundary[2];
};

static double cell(const struct mesh_of *m, const double *f, long x, long y, bool is_map)
{
    const long i = inside(x, m->nx, m->boundary[0], is_map), j = inside(y, m->ny, m->boundary[1], is_map);
    return i < 0 || j < 0 ? 0.5 : f[j * m->nx + i];
}

/* Makes one step of Euler's method. */
static void step(const struct mesh_of *m, const double *D, const double *s, const double *u, double *to, double dt)
{
    static const int dx[] = { 1, -1, 0, 0 }, dy[] = { 0, 0, 1, -1 };
    for (long y = 0; y < m->ny; y++)
        for (long x = 0; x < m->nx; x++) {
            const double here = cell(m, u, x, y, false), product = cell(m, s, x, y, true) * here;
            double rate = 0;
            for (int k = 0; k < 4; k++) {
                const double there = cell(m, u, x + dx[k], y + dy[k], false);
                rate += 0.5 * (cell(m, D, x, y, true) + cell(m, D, x + dx[k], y + dy[k], true)) * (there - here);
                rate += cell(m, s, x + dx[k], y + dy[k], true) * there - product;
            }
            to[y * m->nx + x] = here + dt * rate;
        }
}

/* ---- arrays ---- */

static struct mw_array random_array(unsigned dims, const size_t *length)
{
    struct mw_array a = { 0 };
    OK(mw_array_new(MW_TYPE_F64, dims, length, &a));
    for (size_t i = 0; i < a.count; i++)
        ((double *)a.data)[i] = (double)(float)((double)rand() / RAND_MAX);
    return a;
}

static double number(const struct mw_array *a, size_t i)
{
    return a->type == MW_TYPE_F64 ? ((double *)a->data)[i] : ((float *)a->data)[i];
}

/* ---- tests ---- */

/* Returns false if the device or the variant does not support the shape. */
static bool check_shape(const struct mw_model *model, const struct mw_field_options *o, int steps)
{
    const struct mesh_of m = { (long)o->length[0], (long)o->length[1], { o->boundary[0], o->boundary[1] } };
    struct mw_array D = random_array(2, o->length), s = random_array(2, o->length), u = random_array(2, o->length);
    struct mw_array next = random_array(2, o->length), end = { 0 }, map = { 0 };
    const bool own = rand() % 2;
    struct mw_field *field = NULL;
    const int rc = mw_field_new(&device, 1, model, o, &field);
    if (rc == 0) {
        OK(mw_field_set_one(field, "D", &D));
        OK(mw_field_set_one(field, "u", &u));
        if (own)
            OK(mw_field_set_one(field, "s", &s));
        for (size_t i = 0; i < s.count && !own; i++)
            ((double *)s.data)[i] = 0.125 * cos((double)(i % o->length[0])) + 0.0625 * (double)(i / o->length[0]);
        OK(mw_field_advance(field, (uint64_t)steps));
        OK(mw_field_get(field, &end));
        assert_int_equal(end.count, u.count);
        OK(mw_field_get_one(field, "D", &map));
        assert_int_equal(map.count, D.count);
        for (size_t i = 0; i < map.count; i++)
            assert_true(number(&map, i) == number(&D, i));
        for (int i = 0; i < steps; i++) {
            step(&m, D.data, s.data, u.data, next.data, 0.01);
            memcpy(u.data, next.data, u.count * sizeof(double));
        }
        for (size_t i = 0; i < u.count; i++)
            if (!(fabs(number(&end, i) - number(&u, i)) < 2e-6 * (1 + fabs(number(&u, i)))))
                fail_msg("%s, %zux%zu, boundaries %d and %d, cell %zu: %g instead of %g", o->shape, o->length[0],
                         o->length[1], (int)o->boundary[0], (int)o->boundary[1], i, number(&end, i), number(&u, i));
    } else if (rc != MW_ELIMIT && rc != MW_EINVAL && rc != MW_ENOTSUP) {
        fail_msg("%s: %s", o->shape, mw_errmsg());
    }
    mw_field_free(field);
    mw_array_free(&D);
    mw_array_free(&s);
    mw_array_free(&u);
    mw_array_free(&next);
    mw_array_free(&map);
    mw_array_free(&end);
    return rc == 0;
}

static void variants_agree_with_a_loop_over_cells(void **unused)
{
    struct mw_model *model = load(MAPPED);
    const size_t count = native ? MW_COUNT(native_shapes) : MW_COUNT(shapes);
    size_t checked = 0;
    for (size_t i = 0; i < count; i++) {
        if ((slow || slow_compiler) && left_out(4))
            continue;
        struct mw_field_options o =
            options_of(1 + (size_t)rand() % 40, 1 + (size_t)rand() % 30, native ? native_shapes[i] : shapes[i], false);
        const bool periodic = strstr(o.shape, "temporal") != NULL;
        o.integrator = MW_INTEGRATOR_EULER;
        for (int d = 0; d < 2; d++)
            o.boundary[d] = periodic ? MW_BOUNDARY_PERIODIC : (enum mw_boundary)(1 + rand() % 3);
        checked += check_shape(model, &o, 1 + rand() % 5);
    }
    print_message("%zu of %zu shapes\n", checked, count);
    assert_true(checked > 0 || slow || slow_compiler);
    mw_model_free(model);
}

/* Systems with a map each have the bits of single fields; maps are neither in states nor in statistics. */
static void systems_may_have_maps_of_their_own(void **unused)
{
    enum { SYSTEMS = 3 };
    struct mw_model *model = load(MAPPED);
    struct mw_field_options o = options_of(12, 7, NULL, false), one = o;
    struct mw_array D = random_array(3, (size_t[]){ 12, 7, SYSTEMS }), all = { 0 };
    struct mw_statistics statistics[SYSTEMS];
    struct mw_field *field = NULL;
    o.systems = SYSTEMS;
    OK(mw_field_new(&device, 1, model, &o, &field));
    OK(mw_field_set_one(field, "D", &D));
    OK(mw_field_advance(field, 4));
    OK(mw_field_get(field, &all));
    OK(mw_field_statistics(field, statistics));
    assert_null(mw_field_buffer(field));
    assert_int_equal(all.count, 12 * 7 * SYSTEMS);
    OK(mw_field_set(field, &all));
    mw_field_free(field);
    for (size_t i = 0; i < SYSTEMS; i++) {
        const struct mw_array map = { MW_TYPE_F64, 2, { 12, 7 }, 84, (double *)D.data + 84 * i };
        struct mw_array state = { 0 };
        double mean;
        one.seed = o.seed + i;
        OK(mw_field_new(&device, 1, model, &one, &field));
        OK(mw_field_set_one(field, "D", &map));
        OK(mw_field_advance(field, 4));
        OK(mw_field_get(field, &state));
        assert_memory_equal(state.data, (float *)all.data + 84 * i, 84 * sizeof(float));
        OK(mw_field_means(&state, 1, &mean));
        assert_true(mean == statistics[i].mean);
        mw_array_free(&state);
        mw_field_free(field);
    }
    mw_array_free(&all);
    mw_array_free(&D);
    mw_model_free(model);
}

/* Updates do not store maps: another map, or an energy in the place of the next state, must reach all buffers. */
static void maps_may_change_between_steps(void **unused)
{
    static const char *const energy[] = { "energy = D * u^2 / 2" };
    struct mw_model *plain = load(MAPPED), *model = NULL;
    OK(mw_model_extend(plain, energy, 1, NULL, 0, &model));
    for (size_t systems = 1; systems <= 3; systems += 2) {
        struct mw_field_options o = options_of(19, 14, NULL, false);
        struct mw_array D = random_array(2, o.length), state = { 0 }, ends[2] = { { 0 } };
        struct mw_field *fields[2] = { NULL };
        double energies[3];
        o.systems = systems;
        for (size_t i = 0; i < 2; i++)
            OK(mw_field_new(&device, 1, model, &o, &fields[i]));
        OK(mw_field_advance(fields[0], 3));
        OK(mw_field_get(fields[0], &state));
        OK(mw_field_set(fields[1], &state));
        mw_field_set_step(fields[1], 3);
        for (size_t i = 0; i < 2; i++)
            OK(mw_field_set_one(fields[i], "D", &D));
        OK(mw_field_advance(fields[0], 1));
        OK(mw_field_energy(fields[0], energies));
        OK(mw_field_advance(fields[0], 2));
        OK(mw_field_advance(fields[1], 3));
        for (size_t i = 0; i < 2; i++) {
            OK(mw_field_get(fields[i], &ends[i]));
            must_be_numbers(&ends[i]);
        }
        assert_memory_equal(ends[0].data, ends[1].data, ends[0].count * mw_type_bytes(ends[0].type));
        for (size_t i = 0; i < 2; i++) {
            mw_field_free(fields[i]);
            mw_array_free(&ends[i]);
        }
        mw_array_free(&state);
        mw_array_free(&D);
    }
    mw_model_free(model);
    mw_model_free(plain);
}

static void seeds_of_fields_are_independent(void **unused)
{
    struct mw_model *model = load("gray-scott");
    struct mw_field_options o = options_of(9, 5, NULL, false);
    struct mw_array state[3] = { { 0 } };
    for (uint64_t i = 0; i < 3; i++) {
        struct mw_field *field = NULL;
        o.seed = i == 1 ? 3 : 2;
        o.field_seeds = i == 2 ? (const uint64_t[]){ 2, 3 } : NULL;
        OK(mw_field_new(&device, 1, model, &o, &field));
        OK(mw_field_get(field, &state[i]));
        mw_field_free(field);
    }
    assert_memory_equal(state[2].data, state[0].data, 45 * sizeof(float));
    assert_memory_equal((float *)state[2].data + 45, (float *)state[1].data + 45, 45 * sizeof(float));
    assert_memory_not_equal((float *)state[2].data + 45, (float *)state[0].data + 45, 45 * sizeof(float));
    for (size_t i = 0; i < 3; i++)
        mw_array_free(&state[i]);
    mw_model_free(model);
}

static void mistakes_are_refused(void **unused)
{
    struct mw_model *model = load(MAPPED), *extended = NULL, *spins = NULL;
    const struct mw_field_options o = options_of(6, 5, NULL, false);
    struct mw_array right = random_array(2, (size_t[]){ 6, 5 }), wrong = random_array(2, (size_t[]){ 5, 6 });
    const char *bad[] = { "map(D) = 1 / x" }, *unknown[] = { "map(E) = 1" };
    struct mw_field *field = NULL;
    assert_int_equal(mw_model_info(model)->field_count, 1);
    assert_int_equal(mw_model_info(model)->map_count, 2);
    assert_string_equal(mw_model_info(model)->maps[0].name, "D");
    OK(mw_field_new(&device, 1, model, &o, &field));
    assert_int_equal(mw_field_set_one(field, "E", &right), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "it has: u, D, s"));
    assert_int_equal(mw_field_set_one(field, "D", &wrong), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "5 x 6"));
    assert_non_null(strstr(mw_errmsg(), "6 x 5"));
    ((double *)right.data)[7] = NAN;
    assert_int_equal(mw_field_set_one(field, "D", &right), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "value 7"));
    ((double *)right.data)[7] = 1e300;
    assert_int_equal(mw_field_set_one(field, "D", &right), MW_EDATA);
    right.type = MW_TYPE_I64;
    assert_int_equal(mw_field_set_one(field, "D", &right), MW_EINVAL);
    mw_field_free(field);
    OK(mw_model_extend(model, bad, 1, NULL, 0, &extended));
    assert_int_equal(mw_field_new(&device, 1, extended, &o, &field), MW_EDATA);
    assert_int_equal(mw_model_extend(model, unknown, 1, NULL, 0, &spins), MW_EBUILD);
    OK(mw_model_load("ising", NULL, &spins));
    mw_model_free(extended);
    assert_int_equal(mw_model_extend(spins, unknown, 1, NULL, 0, &extended), MW_EINVAL);
    mw_model_free(spins);
    mw_array_free(&right);
    mw_array_free(&wrong);
    mw_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_agree_with_a_loop_over_cells),
        cmocka_unit_test(systems_may_have_maps_of_their_own),
        cmocka_unit_test(maps_may_change_between_steps),
        cmocka_unit_test(seeds_of_fields_are_independent),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
