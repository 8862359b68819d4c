/* Walkers on $MESHWORK_TEST_DEVICE: each follows a plain C loop with the same random words, and together they match the
 * master equation. */
#include <meshwork/walkers.h>

#include <math.h>

#include "cl/rng/draw.clh"
#include "tests/device/device.h"

static const struct {
    const char *name;
    unsigned level;
} carpets[] = {
    { "random", 0 }, { "sc31", 3 }, { "random3", 2 }, { "menger", 2 }, { "full", 0 }, { "full3", 0 }, { "sc42", 1 },
};

static struct mw_carpet *open_carpet(size_t i, size_t extent)
{
    const struct mw_carpet_options options = { .size = sizeof options,
                                               .generators = carpets[i].name,
                                               .level = carpets[i].level,
                                               .seed = random_word(),
                                               .extent = { extent, extent, extent } };
    struct mw_carpet *carpet;
    OK(mw_carpet_new(&options, &carpet));
    return carpet;
}

/* Returns the direction of a step: the words of a draw are used in order, each as digits in base 2 dims, most
 * significant first. */
static unsigned direction(uint64_t seed_of_walkers, uint64_t walker, uint64_t step, unsigned dims)
{
    const unsigned digits = dims == 2 ? 16 : 4, base = 2 * dims;
    const struct philox r = draw_words(walker, (uint32_t)(step / (4 * digits)), 0, seed_of_walkers);
    uint32_t word = r.word[step / digits % 4];
    for (uint64_t k = 0; k < step % digits; k++)
        word = (uint32_t)((uint64_t)word * base);
    return (unsigned)((uint64_t)word * base >> 32);
}

static void reference_steps(const struct mw_carpet *carpet, const struct mw_walkers_options *o, uint64_t first,
                            uint64_t steps, int32_t *places)
{
    const unsigned dims = mw_carpet_info(carpet)->dims;
    for (size_t n = 0; n < o->walkers; n++)
        for (uint64_t step = first; step < first + steps; step++) {
            const unsigned to = direction(o->seed, n, step, dims);
            int64_t site[3] = { 0 };
            for (unsigned d = 0; d < dims; d++)
                site[d] = o->start[d] + places[n * dims + d];
            site[to / 2] += to % 2 ? 1 : -1;
            if (mw_carpet_accessible(carpet, site))
                places[n * dims + to / 2] += to % 2 ? 1 : -1;
        }
}

static void walkers_go_where_a_loop_goes(void **unused)
{
    for (size_t i = 0; i < sizeof carpets / sizeof *carpets; i++) {
        struct mw_carpet *carpet = open_carpet(i, i % 2 ? 0 : 2);
        const unsigned dims = mw_carpet_info(carpet)->dims;
        struct mw_walkers_options o = { .size = sizeof o,
                                        .walkers = slow ? 7 : 100 + random_below(100),
                                        .seed = random_word() };
        int32_t *expected = room(o.walkers * dims, sizeof *expected);
        struct mw_walkers *walkers;
        OK(mw_carpet_random_site(carpet, i, o.start));
        OK(mw_walkers_new(&device, 1, carpet, &o, &walkers));
        for (uint64_t step = 0, steps; step < (slow ? 60 : 400); step += steps) {
            struct mw_array places;
            struct mw_walkers_measures measures = MW_INIT(measures);
            double sum = 0;
            steps = random_below(slow ? 20 : 150);
            OK(mw_walkers_advance(walkers, steps));
            OK(mw_walkers_sync(walkers));
            reference_steps(carpet, &o, step, steps, expected);
            assert_int_equal(mw_walkers_step(walkers), step + steps);
            OK(mw_walkers_get(walkers, &places));
            assert_int_equal(places.count, o.walkers * dims);
            assert_memory_equal(places.data, expected, places.count * sizeof *expected);
            OK(mw_walkers_measure(walkers, &measures));
            for (size_t k = 0; k < places.count; k++)
                sum += (double)expected[k] * expected[k];
            assert_true(fabs(measures.square_displacement - sum / (double)o.walkers) <= 1e-12 * sum);
            mw_array_free(&places);
        }
        free(expected);
        mw_walkers_free(walkers);
        mw_carpet_free(carpet);
    }
}

/* Finds a place near the start that is not accessible, as most are in random carpets. */
static void set_neighbours(const struct mw_carpet *carpet, const int64_t *start, int32_t *place)
{
    for (place[1] = 0; place[1] < 50; place[1]++)
        for (place[0] = 0; place[0] < 50; place[0]++)
            if (!mw_carpet_accessible(carpet, (const int64_t[]){ start[0] + place[0], start[1] + place[1] }))
                return;
}

/* Two native devices, and the tested one from intermediate places. */
static void shares_and_restarts_change_nothing(void **unused)
{
    struct mw_carpet *carpet = open_carpet(0, 0);
    struct mw_walkers_options o = { .size = sizeof o, .walkers = slow ? 5 : 301, .seed = random_word() };
    struct mw_walkers *whole, *split, *again;
    struct mw_device *two[2] = { device };
    struct mw_array a, b, c;
    OK(mw_device_open_by_name(strcmp(info->id, "native:serial") ? "native:serial" : "native:pthreads", NULL, &two[1]));
    OK(mw_carpet_random_site(carpet, 1, o.start));
    OK(mw_walkers_new(&device, 1, carpet, &o, &whole));
    OK(mw_walkers_new(two, 2, carpet, &o, &split));
    OK(mw_walkers_new(two, 1, carpet, &o, &again));
    OK(mw_walkers_advance(whole, 37));
    OK(mw_walkers_get(whole, &a));
    OK(mw_walkers_set(again, 37, &a));
    mw_array_free(&a);
    OK(mw_walkers_advance(whole, 70));
    OK(mw_walkers_advance(again, 70));
    OK(mw_walkers_advance(split, 107));
    OK(mw_walkers_get(whole, &a));
    OK(mw_walkers_get(split, &b));
    OK(mw_walkers_get(again, &c));
    assert_memory_equal(a.data, b.data, a.count * sizeof(int32_t));
    assert_memory_equal(a.data, c.data, a.count * sizeof(int32_t));
    OK(mw_walkers_set(again, (1 << 30) - 1, &a));
    FAILS(MW_ELIMIT, "2^30", mw_walkers_advance(again, 1));
    FAILS(MW_ELIMIT, "2^30", mw_walkers_set(again, 1 << 30, &a));
    FAILS(MW_EINVAL, "more than 0 steps", mw_walkers_set(again, 0, &a));
    ((int32_t *)a.data)[0] = 108;
    ((int32_t *)a.data)[1] = 0;
    FAILS(MW_EINVAL, "the place of walker 0 is more than 107 steps", mw_walkers_set(again, 107, &a));
    set_neighbours(carpet, o.start, a.data);
    FAILS(MW_EINVAL, "the place of walker 0 is not accessible", mw_walkers_set(again, 107, &a));
    b.type = MW_TYPE_U32;
    FAILS(MW_EINVAL, "int32", mw_walkers_set(again, 107, &b));
    mw_array_free(&a);
    mw_array_free(&b);
    mw_array_free(&c);
    mw_walkers_free(whole);
    mw_walkers_free(split);
    mw_walkers_free(again);
    mw_device_close(two[1]);
    mw_carpet_free(carpet);
}

/* Computes <r^2> by the master equation on a dense square of sites. */
static double exact(const struct mw_carpet *carpet, const int64_t *start, int steps)
{
    const int n = 2 * steps + 3;
    double *p = room((size_t)n * (size_t)n, sizeof *p), *q = room((size_t)n * (size_t)n, sizeof *q), sum = 0;
    bool *open = room((size_t)n * (size_t)n, sizeof *open);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const int64_t site[] = { start[0] + x - n / 2, start[1] + y - n / 2 };
            open[y * n + x] = mw_carpet_accessible(carpet, site);
        }
    p[n / 2 * n + n / 2] = 1;
    for (int s = 0; s < steps; s++) {
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                const int k = y * n + x, neighbours[] = { k - 1, k + 1, k - n, k + n };
                q[k] = 0;
                for (int i = 0; open[k] && i < 4; i++)
                    q[k] += (open[neighbours[i]] ? p[neighbours[i]] : p[k]) / 4;
            }
        memcpy(p, q, (size_t)n * (size_t)n * sizeof *p);
    }
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            sum += p[y * n + x] * ((x - n / 2) * (x - n / 2) + (y - n / 2) * (y - n / 2));
    free(p);
    free(q);
    free(open);
    return sum;
}

static void walkers_are_where_the_master_equation_has_them(void **unused)
{
    for (size_t i = 0; i < sizeof carpets / sizeof *carpets; i++) {
        struct mw_carpet *carpet = open_carpet(i, 0);
        const int steps = slow ? 20 : 60;
        struct mw_walkers_options o = { .size = sizeof o, .walkers = slow ? 100 : 20000, .seed = random_word() };
        struct mw_walkers *walkers;
        struct mw_walkers_measures measures = MW_INIT(measures);
        if (mw_carpet_info(carpet)->dims == 3 && strcmp(carpets[i].name, "full3") != 0) {
            mw_carpet_free(carpet);
            continue;
        }
        OK(mw_carpet_random_site(carpet, 0, o.start));
        OK(mw_walkers_new(&device, 1, carpet, &o, &walkers));
        OK(mw_walkers_advance(walkers, (uint64_t)steps));
        OK(mw_walkers_measure(walkers, &measures));
        /* Without obstacles it is the number of steps. */
        const double wanted = strncmp(carpets[i].name, "full", 4) == 0 ? steps : exact(carpet, o.start, steps);
        if (!(measures.error > 0 && fabs(measures.square_displacement - wanted) < 4 * measures.error))
            fail_msg("%s: <r^2> is %g +- %g instead of %g", carpets[i].name, measures.square_displacement,
                     measures.error, wanted);
        mw_walkers_free(walkers);
        mw_carpet_free(carpet);
    }
}

static void what_makes_no_sense_is_refused(void **unused)
{
    struct mw_carpet *carpet = open_carpet(1, 0);
    struct mw_device *const twice[] = { device, device };
    struct mw_walkers_options o = { .size = sizeof o, .walkers = 1, .start = { 1, 1 } };
    struct mw_walkers *walkers;
    FAILS(MW_EINVAL, "site 1,1 is not accessible", mw_walkers_new(&device, 1, carpet, &o, &walkers));
    o.start[0] = 0;
    FAILS(MW_EINVAL, "no device", mw_walkers_new(&device, 0, carpet, &o, &walkers));
    FAILS(MW_EINVAL, "twice", mw_walkers_new(twice, 2, carpet, &o, &walkers));
    o.walkers = 0;
    FAILS(MW_EINVAL, "walkers is 0", mw_walkers_new(&device, 1, carpet, &o, &walkers));
    o.walkers = 1;
    OK(mw_walkers_new(&device, 1, carpet, &o, &walkers));
    FAILS(MW_ELIMIT, "2^30", mw_walkers_advance(walkers, 1 << 30));
    mw_walkers_free(walkers);
    mw_carpet_free(carpet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walkers_go_where_a_loop_goes),
        cmocka_unit_test(shares_and_restarts_change_nothing),
        cmocka_unit_test(walkers_are_where_the_master_equation_has_them),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
