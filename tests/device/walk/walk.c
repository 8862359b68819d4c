/* Walks on $MESHWORK_TEST_DEVICE, or on several devices, by all variants: against a plain loop over all places of a
 * box, and known results of full grids. */
#include "dev/core/backend.h"
#include "tests/device/walk/reference.h"

#include <float.h>

static double value_of(const struct mw_array *state, size_t i)
{
    return state->type == MW_TYPE_F64 ? ((const double *)state->data)[i] : ((const float *)state->data)[i];
}

/* ---- the same bits ---- */

/* Returns whether `sum` is the sum of n numbers of 0 or more, within rounding of these and of the sum.  `given` was
 * computed in long double. */
static bool is_sum(double sum, long double given, size_t n)
{
    return fabsl(sum - given) <= (DBL_EPSILON + (double)n * LDBL_EPSILON) * given;
}

/* Compares all sites of the loop, in order, and their values. */
static void check_state(struct mw_walk *walk, const struct reference *r)
{
    struct mw_array state;
    struct mw_walk_measures measures = MW_INIT(measures);
    long double total = 0, squares = 0;
    size_t known = 0, found = 0;
    OK(mw_walk_get(walk, &state));
    assert_true(state.count == mw_walk_sites(walk, mw_walk_step(walk)));
    int32_t *places = room(state.count * r->dims, sizeof *places), last = 0;
    OK(mw_walk_places(walk, state.count, places));
    for (size_t i = 0; i < state.count; i++) {
        const int32_t *place = places + i * r->dims;
        const size_t cell = cell_at(r, place);
        if (value_of(&state, i) != r->p[cell])
            fail_msg("variant %s, %u dimensions, double %d, step %d: %a instead of %a at site %zu (%d, %d), %d steps "
                     "away",
                     mw_walk_variant(walk), r->dims, r->fp64, (int)mw_walk_step(walk), value_of(&state, i), r->p[cell],
                     i, place[0], place[1], r->distance[cell]);
        assert_true(r->open[cell] && r->distance[cell] >= last);
        assert_true(i == 0 || r->distance[cell] > last || cell > cell_at(r, place - r->dims));
        last = r->distance[cell];
        known += r->p[cell] != 0;
        for (unsigned d = 0; d < r->dims; d++)
            squares += (long double)r->p[cell] * place[d] * place[d];
    }
    for (size_t i = 0; i < r->cells; i++) {
        found += r->p[i] != 0;
        total += r->p[i];
    }
    assert_true(known == found);
    OK(mw_walk_measure(walk, &measures));
    assert_true(fabs(measures.total - 1) < (r->fp64 ? 1e-12 : 1e-4));
    assert_true(is_sum(measures.total, total, r->cells) && is_sum(measures.square_displacement, squares, r->cells));
    free(places);
    mw_array_free(&state);
}

static void check_walk(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                       const struct mw_walk_options *o)
{
    struct reference r = reference_new(carpet, o->start, o->steps, !o->single);
    struct mw_walk *walk;
    OK(mw_walk_new(devices, count, carpet, o, &walk));
    check_state(walk, &r);
    for (uint64_t step = 0; step < o->steps;) {
        const uint64_t steps = 1 + random_below((size_t)(o->steps - step));
        for (uint64_t i = 0; i < steps; i++)
            reference_step(&r);
        OK(mw_walk_advance(walk, steps));
        step += steps;
        check_state(walk, &r);
    }
    FAILS(MW_EINVAL, "beyond", mw_walk_advance(walk, 1));
    FAILS(MW_EINVAL, "; 18446744073709551615 steps from", mw_walk_advance(walk, UINT64_MAX));
    mw_walk_free(walk);
    reference_free(&r);
}

static bool splits(const char *variant) { return strcmp(variant, "compact") == 0 || strcmp(variant, "near") == 0; }

/* Tests all variants on random carpets; several devices include this one twice. */
static void walks_are_those_of_the_loop(void **unused)
{
    struct mw_device *devices[4] = { device }, *team[4];
    const size_t rounds = slow ? 1 : native ? 12 : 3;
    OK(mw_device_open_by_name(info->id, NULL, &devices[1]));
    OK(mw_device_open_by_name("native:serial", NULL, &devices[2]));
    OK(mw_device_open_by_name("native:pthreads", NULL, &devices[3]));
    for (size_t i = 0; i < rounds; i++)
        for (size_t v = 0; mw_walk_variants(v); v++) {
            const unsigned dims = 2 + (i + v) % 2;
            struct mw_walk_options o = { .size = sizeof o,
                                         .steps = 1 + random_below(slow        ? 5
                                                                   : dims == 2 ? 40
                                                                               : 12),
                                         .variant = mw_walk_variants(v)->name,
                                         .single = !info->fp64 || random_below(2) };
            struct mw_carpet *carpet = random_carpet(dims, o.start);
            check_walk(&device, 1, carpet, &o);
            memcpy(team, devices, sizeof team);
            shuffle_devices(team, 4);
            if (splits(o.variant))
                check_walk(team, 2 + random_below(3), carpet, &o);
            mw_carpet_free(carpet);
        }
    for (size_t i = 1; i < 4; i++)
        mw_device_close(devices[i]);
}

/* Tests walks with negligible probabilities far away, which have fewer sites than are within reach. */
static void check_far(const char *generators, bool fp64)
{
    const struct mw_carpet_options c = { .size = sizeof c, .generators = generators };
    struct mw_walk_options o = { .size = sizeof o, .steps = fp64 ? 310 : 110, .single = !fp64 };
    struct mw_carpet *carpet;
    size_t reachable = 0;
    OK(mw_carpet_new(&c, &carpet));
    struct reference r = reference_new(carpet, o.start, o.steps, !o.single);
    for (uint64_t i = 0; i < o.steps; i++)
        reference_step(&r);
    for (size_t i = 0; i < r.cells; i++)
        reachable += r.distance[i] >= 0;
    for (size_t v = 0; mw_walk_variants(v); v++) {
        struct mw_walk *walk;
        o.variant = mw_walk_variants(v)->name;
        OK(mw_walk_new(&device, 1, carpet, &o, &walk));
        OK(mw_walk_advance(walk, o.steps));
        check_state(walk, &r);
        assert_true(mw_walk_sites(walk, o.steps) < reachable);
        mw_walk_free(walk);
    }
    reference_free(&r);
    mw_carpet_free(carpet);
}

static void far_probabilities_are_nothing(void **unused)
{
    if (slow)
        skip();
    check_far("full", false);
    check_far("sc31", false);
    if (native)
        check_far("full", true);
}

/* ---- known results ---- */

/* On full grids <r^2> is the number of steps.  Sums are almost exact, so the error is half an ulp each for the rounding
 * of states, of products with squares, and of the result.  States are rounded up and down equally at all sites. */
static void check_full(const char *generators, uint64_t steps, bool fp64)
{
    const struct mw_carpet_options c = { .size = sizeof c, .generators = generators };
    const struct mw_walk_options o = { .size = sizeof o, .steps = steps, .single = !fp64, .start = { -5, 7, 100000 } };
    struct mw_walk_memory memory = MW_INIT(memory);
    const double t = (double)steps, bound = fp64 ? 2 * DBL_EPSILON : 2 * FLT_EPSILON;
    struct mw_walk_measures measures = MW_INIT(measures);
    struct mw_carpet *carpet;
    struct mw_walk *walk;
    OK(mw_carpet_new(&c, &carpet));
    OK(mw_walk_new(&device, 1, carpet, &o, &walk));
    OK(mw_walk_advance(walk, steps));
    OK(mw_walk_measure(walk, &measures));
    if (fabs(measures.square_displacement - t) > bound * t || fabs(measures.total - 1) > bound)
        fail_msg("%s, double %d: <r^2> %.17g after %g steps, total %.17g", generators, fp64,
                 measures.square_displacement, t, measures.total);
    OK(mw_walk_bytes(carpet, &o, &memory));
    assert_true(memory.state == mw_walk_sites(walk, steps) * (fp64 ? sizeof(double) : sizeof(float)));
    mw_walk_free(walk);
    mw_carpet_free(carpet);
}

static void full_grids_diffuse(void **unused)
{
    for (int fp64 = 0; fp64 <= info->fp64; fp64++) {
        check_full("full", slow ? 10 : 400, fp64);
        check_full("full3", slow ? 10 : 60, fp64);
    }
}

static struct mw_carpet *carpet_of(const char *text, const size_t *extent)
{
    struct mw_carpet_options c = { .size = sizeof c, .generators = in("given.txt"), .level = 1 };
    FILE *file = fopen(c.generators, "w");
    struct mw_carpet *carpet;
    fputs(text, file);
    fclose(file);
    if (extent)
        memcpy(c.extent, extent, sizeof c.extent);
    OK(mw_carpet_new(&c, &carpet));
    return carpet;
}

/* One site, and two that are isolated from the others. */
static void walkers_stay_where_they_must(void **unused)
{
    const size_t one[MW_CARPET_DIMS_MAX] = { 1, 1 };
    struct mw_carpet *carpet = carpet_of("dims 2\n#.##\n....\n##.#\n....\n", one);
    for (size_t v = 0; mw_walk_variants(v); v++) {
        struct mw_walk_options o = {
            .size = sizeof o, .steps = 7, .single = true, .variant = mw_walk_variants(v)->name
        };
        struct mw_walk *walk;
        struct mw_array state;
        OK(mw_walk_new(&device, 1, carpet, &o, &walk));
        OK(mw_walk_advance(walk, 7));
        OK(mw_walk_get(walk, &state));
        assert_true(state.count == 1 && value_of(&state, 0) == 1);
        mw_array_free(&state);
        mw_walk_free(walk);
        o.start[0] = 3;
        OK(mw_walk_new(&device, 1, carpet, &o, &walk));
        OK(mw_walk_advance(walk, 1));
        OK(mw_walk_get(walk, &state));
        assert_true(state.count == 2 && value_of(&state, 0) == 0.75 && value_of(&state, 1) == 0.25);
        mw_array_free(&state);
        mw_walk_free(walk);
    }
    mw_carpet_free(carpet);
}

/* Measurements do not affect the walk. */
static void a_fast_variant_is_chosen(void **unused)
{
    const size_t few[MW_CARPET_DIMS_MAX] = { 3, 3 };
    struct mw_carpet *carpet = carpet_of("dims 2\n###\n#.#\n###\n", few);
    const bool cores = info->traits->has_cores;
    for (int turn = 0; turn < 2; turn++) {
        const struct mw_walk_options o = { .size = sizeof o, .steps = slow ? 100 : 5000, .single = true };
        struct reference r = reference_new(carpet, o.start, 20, false);
        struct mw_walk *walk;
        OK(mw_walk_new(&device, 1, carpet, &o, &walk));
        const char *name = mw_walk_variant(walk);
        assert_true(strcmp(name, "near") == 0 || (!cores && strcmp(name, "blocks") == 0));
        for (int i = 0; i < 20; i++)
            reference_step(&r);
        OK(mw_walk_advance(walk, 20));
        check_state(walk, &r);
        mw_walk_free(walk);
        reference_free(&r);
    }
    mw_carpet_free(carpet);
    if (!cores)
        return;
    /* More sites than fit into the cache of a core. */
    struct mw_walk *walk;
    carpet = carpet_of("dims 2\n###\n#.#\n###\n", (size_t[MW_CARPET_DIMS_MAX]){ 99, 99 });
    OK(mw_walk_new(&device, 1, carpet, GIVEN(mw_walk_options, .steps = 400), &walk));
    assert_string_equal(mw_walk_variant(walk), "rows");
    mw_walk_free(walk);
    mw_carpet_free(carpet);
}

/* Returns a carpet with corridors through a cube, and a dense ball around `middle`. */
static struct mw_carpet *ball_of(int middle)
{
    enum { SIDE = 64, REACH = 17 };
    const size_t one[MW_CARPET_DIMS_MAX] = { 1, 1, 1 };
    struct mw_text text = { 0 };
    struct mw_carpet *carpet;
    mw_text_add(&text, "dims 3\n");
    for (int z = 0; z < SIDE; z++) {
        mw_text_add(&text, z > 0 ? "-\n" : "");
        for (int y = 0; y < SIDE; y++) {
            char row[SIDE + 1] = { 0 };
            for (int x = 0; x < SIDE; x++)
                row[x] = (x % 4 == 0) + (y % 4 == 0) + (z % 4 == 0) > 1 ||
                                 abs(x - middle) + abs(y - middle) + abs(z - middle) <= REACH
                             ? '#'
                             : '.';
            mw_text_add(&text, "%s\n", row);
        }
    }
    OK(mw_text_ok(&text));
    carpet = carpet_of(text.data, one);
    mw_text_free(&text);
    return carpet;
}

/* Blocks choose their steps by samples; if these miss the densest place, they must do fewer steps. */
static void dense_places_have_blocks(void **unused)
{
    static const char *const names[] = { "blocks", "near" };
    const struct mw_device_info usual = device->info;
    struct mw_carpet *carpet;
    struct mw_array state[2];
    if (slow)
        skip();
    carpet = ball_of(28);
    for (size_t i = 0; i < MW_COUNT(names); i++) {
        const struct mw_walk_options o = {
            .size = sizeof o, .steps = 400, .single = true, .variant = names[i], .start = { 28, 28, 28 }
        };
        struct mw_walk *walk;
        device->info.compute_units = 10000; /* so that several steps pay */
        OK(mw_walk_new(&device, 1, carpet, &o, &walk));
        device->info = usual;
        OK(mw_walk_advance(walk, 45));
        OK(mw_walk_get(walk, &state[i]));
        mw_walk_free(walk);
    }
    assert_true(state[0].count == state[1].count && memcmp(state[0].data, state[1].data, 4 * state[0].count) == 0);
    mw_array_free(&state[0]);
    mw_array_free(&state[1]);
    mw_carpet_free(carpet);
}

/* ---- calls ---- */

/* Copies a state between walks of different variants, and checks its field. */
static void states_come_and_go(void **unused)
{
    const struct mw_carpet_options c = { .size = sizeof c, .generators = "random", .seed = random_word() };
    const uint64_t steps = slow ? 6 : 60;
    struct mw_carpet *carpet;
    struct mw_walk *walk, *other;
    struct mw_array state, again, field;
    int64_t low[MW_CARPET_DIMS_MAX], start[MW_CARPET_DIMS_MAX];
    OK(mw_carpet_new(&c, &carpet));
    OK(mw_carpet_random_site(carpet, 0, start));
    for (size_t v = 0; mw_walk_variants(v); v++) {
        struct mw_walk_options o = { .size = sizeof o, .steps = steps, .single = true };
        memcpy(o.start, start, sizeof start);
        OK(mw_walk_new(&device, 1, carpet, &o, &walk));
        o.variant = mw_walk_variants(v)->name;
        OK(mw_walk_new(&device, 1, carpet, &o, &other));
        OK(mw_walk_advance(walk, steps / 2));
        OK(mw_walk_get(walk, &state));
        OK(mw_walk_advance(other, steps)); /* none of this state may remain */
        OK(mw_walk_set(other, steps / 2, &state));
        mw_array_free(&state);
        OK(mw_walk_advance(walk, steps - steps / 2));
        OK(mw_walk_advance(other, steps - steps / 2));
        OK(mw_walk_get(walk, &state));
        OK(mw_walk_get(other, &again));
        assert_true(state.count == again.count && memcmp(state.data, again.data, 4 * state.count) == 0);
        OK(mw_walk_field(other, low, &field));
        int32_t *places = room(2 * state.count, sizeof *places);
        double sum = 0, all = 0;
        OK(mw_walk_places(other, state.count, places));
        for (size_t i = 0; i < state.count; i++) {
            const size_t x = (size_t)(places[2 * i] - low[0]), y = (size_t)(places[2 * i + 1] - low[1]);
            assert_true(x < field.length[0] && y < field.length[1]);
            assert_true(value_of(&field, y * field.length[0] + x) == value_of(&state, i));
            sum += value_of(&state, i);
        }
        for (size_t i = 0; i < field.count; i++)
            all += value_of(&field, i);
        assert_true(fabs(sum - all) < 1e-12);
        ((float *)state.data)[state.count - 1] = -0.5f;
        FAILS(MW_EINVAL, "has value -0.5", mw_walk_set(other, steps, &state));
        FAILS(MW_EINVAL, "numbers of type", mw_walk_set(other, 0, &state));
        FAILS(MW_EINVAL, "but the state is from step", mw_walk_set(other, steps + 1, &state));
        free(places);
        mw_array_free(&field);
        mw_array_free(&again);
        mw_array_free(&state);
        mw_walk_free(other);
        mw_walk_free(walk);
    }
    mw_carpet_free(carpet);
}

static void what_makes_no_sense_is_refused(void **unused)
{
    struct mw_device *twice[] = { device, device };
    struct mw_carpet *carpet = carpet_of("dims 2\n##\n#.\n", NULL), *full;
    struct mw_walk_options o = { .size = sizeof o, .steps = 5, .single = true, .start = { 1, 1 } };
    struct mw_walk *walk;
    struct mw_walk_memory all = MW_INIT(all), any = MW_INIT(any), one = MW_INIT(one);
    FAILS(MW_EINVAL, "site 1,1 is not accessible", mw_walk_new(&device, 1, carpet, &o, &walk));
    o.start[0] = INT64_MIN;
    FAILS(MW_EINVAL, "is not accessible", mw_walk_new(&device, 1, carpet, &o, &walk));
    o.start[0] = 0;
    FAILS(MW_EINVAL, "no device is given", mw_walk_new(&device, 0, carpet, &o, &walk));
    FAILS(MW_EINVAL, "given twice", mw_walk_new(twice, 2, carpet, &o, &walk));
    o.variant = "fast";
    FAILS(MW_EINVAL, "no variant is called 'fast'", mw_walk_new(&device, 1, carpet, &o, &walk));
    if (!info->traits->has_cores) {
        const uint64_t usual = info->local_bytes;
        o.variant = "blocks";
        device->info.local_bytes = 2048;
        FAILS(MW_ENOTSUP, "needs more local memory", mw_walk_new(&device, 1, carpet, &o, &walk));
        device->info.local_bytes = usual;
    }
    OK(mw_carpet_new(NULL, &full));
    o = (struct mw_walk_options){ .size = sizeof(struct mw_walk_options), .steps = 100000000, .variant = "compact" };
    FAILS(MW_ELIMIT, "steps fit", mw_walk_new(&device, 1, full, &o, &walk));
    o.steps = 1000;
    OK(mw_walk_bytes(full, &o, &all));
    assert_true(all.device > 2000000 * (16 + 8) && all.device < 4000000 * (16 + 8) && all.host > 0);
    o.variant = NULL;
    OK(mw_walk_bytes(full, &o, &any));
    assert_true(any.device < all.device && any.host < all.host && any.state == all.state);
    /* The variant of `auto` needs no more memory. */
    for (size_t v = 0; v < 3; v++) {
        o.variant = (const char *const[]){ "near", "blocks", "rows" }[v];
        OK(mw_walk_bytes(full, &o, &one));
        assert_true(one.device <= any.device && one.host <= any.host && one.state == any.state);
    }
    mw_carpet_free(full);
    mw_carpet_free(carpet);
}

static int start(void **state) { return open_device(state) || make_scratch(state); }

static int end(void **state) { return remove_scratch(state) || close_device(state); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_those_of_the_loop), cmocka_unit_test(far_probabilities_are_nothing),
        cmocka_unit_test(full_grids_diffuse),          cmocka_unit_test(walkers_stay_where_they_must),
        cmocka_unit_test(a_fast_variant_is_chosen),    cmocka_unit_test(dense_places_have_blocks),
        cmocka_unit_test(states_come_and_go),          cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, start, end);
}
/* SPDX-License-Identifier: MIT */
