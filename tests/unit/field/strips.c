/* Strip lengths that give whole waves of groups: tested against all possible lengths. */
#include <math.h>

#include "dev/core/backend.h"
#include "field/program/program.h"

#include "tests/check.h"

enum { CASES = 2000, LEVELS_MOST = 8, SLABS_MOST = 4000, CACHED = 1 << 24 };

struct mesh_case {
    struct mw_device device;
    struct mw_reach reach;
    struct mw_problem problem;
    struct mw_field_array array;
    struct mw_field_plan plan;
    struct mw_waves waves;
    size_t slabs;
};

static void draw_case(struct mesh_case *c)
{
    static const struct mw_device_traits none;
    *c = (struct mesh_case){ .device.info = { .kind = MW_DEVICE_GPU, .compute_units = 1 + random_below(150) } };
    c->device.info.traits = &none;
    c->reach = (struct mw_reach){ .reach = 1 + (int)random_below(4), .radius = 1 };
    c->problem = (struct mw_problem){ .dims = 2, .reach = &c->reach, .systems = 1, .integrator = MW_INTEGRATOR_EULER };
    c->slabs = 1 + random_below(SLABS_MOST);
    c->array = (struct mw_field_array){ .device = &c->device,
                                        .problem = &c->problem,
                                        .bytes = random_below(2) ? (size_t)1 << 20 : (size_t)1 << 30 };
    c->plan = (struct mw_field_plan){ .shape = { .variant = "registers", .group = { 32 * (1 + random_below(8)), 1 } },
                                      .variant = { .registers = true, .ringed = true },
                                      .rings = { .levels = 1 + (int)random_below(LEVELS_MOST),
                                                 .field_ring = 3 + (int)random_below(8) },
                                      .columns = 1 + random_below(100),
                                      .waves = &c->waves };
    c->waves = (struct mw_waves){ .least = 1 + random_below(16) };
    c->waves.most = c->waves.least * (1 + random_below(2));
}

/* Cost of the waves: the last one costs 0.65 of a whole one plus its fraction of the rest.  In caches it costs half, or
 * the warps of the busiest of four schedulers relative to a whole wave. */
static double waves_of(const struct mesh_case *c, double groups, double resident)
{
    const double units = c->device.info.compute_units, wave = units * resident;
    double time = 0;
    for (; groups >= wave; groups -= wave)
        time++;
    const double each = ceil(groups / units), warps = ceil((double)c->plan.shape.group[0] / 32);
    if (groups == 0)
        return time;
    return time + (c->array.bytes < CACHED ? fmax(0.5, ceil(each * warps / 4) / ceil(resident * warps / 4))
                                           : 0.65 + 0.35 * each / resident);
}

/* Mean cost over the numbers of concurrent groups; a whole wave counts as many. */
static double time_of(const struct mesh_case *c, int strip)
{
    const double turns = strip + 2.0 * c->plan.rings.levels * c->reach.reach;
    const double groups = (double)c->plan.columns * ceil((double)c->slabs / strip);
    double sum = 0;
    for (size_t resident = c->waves.least; resident <= c->waves.most; resident++)
        sum += waves_of(c, groups, (double)resident) * (double)resident;
    return sum * turns / (double)(c->waves.most - c->waves.least + 1);
}

/* More than the eight waves tried gain at most an eighth, plus the rounding of a strip. */
static void strips_are_as_good_as_any(void **unused)
{
    for (int i = 0; i < CASES; i++) {
        struct mesh_case c;
        draw_case(&c);
        const int lead = c.plan.rings.levels * c.reach.reach, ring = c.plan.rings.field_ring;
        const int strip = mw_field_strip_of_waves(&c.array, &c.plan, c.slabs);
        const double found = time_of(&c, strip);
        double best = HUGE_VAL;
        assert_true(strip >= lead && (strip + 2 * lead) % ring == 0);
        for (int turns = (3 * lead + ring - 1) / ring * ring; turns <= (int)c.slabs + 2 * lead + ring; turns += ring)
            best = fmin(best, time_of(&c, turns - 2 * lead));
        if (found > best * (1 + (double)ring / (strip + 2 * lead)) * 1.125)
            fail_msg("%zu slabs, %zu columns, %u units of %zu to %zu groups, lead %d, ring %d: strips of %d take %g, "
                     "not %g",
                     c.slabs, c.plan.columns, c.device.info.compute_units, c.waves.least, c.waves.most, lead, ring,
                     strip, found, best);
        assert_int_equal(mw_field_strip_of_waves(&c.array, &c.plan, c.slabs), strip);
    }
}

/* Cahn-Hilliard at 2048 x 2048 on 132 units with 8 groups: the best hand-tuned value in doc/results/h100.md. */
static void strips_of_a_measured_mesh(void **unused)
{
    struct mesh_case c;
    draw_case(&c);
    c.device.info.compute_units = 132;
    c.reach.reach = 2;
    c.array.bytes = (size_t)16 << 20;
    c.plan.shape.group[0] = 64;
    c.plan.rings.levels = 4;
    c.plan.rings.field_ring = 5;
    c.plan.columns = 9;
    c.waves.least = c.waves.most = 8;
    assert_int_equal(mw_field_strip_of_waves(&c.array, &c.plan, 2048), 39);
}

/* As least and most; 0 and 0: unknown. */
static void waves_are(struct mesh_case *c, size_t told, size_t least, size_t most)
{
    struct mw_waves *waves = NULL;
    OK(mw_field_waves_new(&c->array, &c->plan, told, &waves));
    assert_int_equal(waves ? waves->least : 0, least);
    assert_int_equal(waves ? waves->most : 0, most);
    free(waves);
}

/* A driver's report is used, also of 0 rows; values of GPUs are estimated, others are not. */
static void rows_of_0_are_for_what_is_known(void **unused)
{
    struct mesh_case c;
    draw_case(&c);
    c.plan.shape.group[0] = 64;
    c.plan.rings.registers = 132;
    waves_are(&c, 6, 6, 6);
    waves_are(&c, 0, 6, 12);
    c.plan.rings.registers = 20;
    waves_are(&c, 0, 20, 32);
    c.plan.shape.group[0] = 1024;
    waves_are(&c, 0, 1, 2);
    c.plan.shape.group[0] = 64;
    c.plan.rings.registers = 1200;
    waves_are(&c, 0, 1, 2);
    assert_int_equal(mw_field_strip(&c.array, &c.plan, c.slabs), mw_field_strip_of_waves(&c.array, &c.plan, c.slabs));
    struct mw_device_traits traits = *c.device.info.traits;
    c.device.info.traits = &traits;
    traits.loop_rounds = 60000;
    waves_are(&c, 0, 0, 0);
    waves_are(&c, 6, 6, 6);
    traits.loop_rounds = 0;
    c.device.info.kind = MW_DEVICE_CPU;
    waves_are(&c, 0, 0, 0);
    c.plan.shape.rows = 128;
    waves_are(&c, 6, 0, 0);
    c.plan.waves = NULL;
    assert_true(mw_field_strip(&c.array, &c.plan, c.slabs) > 0);
}

/* The result only applies to its number of slabs. */
static void strips_are_found_for_each_number_of_slabs(void **unused)
{
    struct mesh_case c, once;
    draw_case(&c);
    once = c;
    once.plan.waves = &once.waves;
    for (int i = 0; i < CASES; i++) {
        const size_t slabs = 1 + random_below(SLABS_MOST);
        memset(once.waves.known, 0, sizeof once.waves.known);
        assert_int_equal(mw_field_strip_of_waves(&c.array, &c.plan, slabs),
                         mw_field_strip_of_waves(&once.array, &once.plan, slabs));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_are_as_good_as_any),
        cmocka_unit_test(strips_of_a_measured_mesh),
        cmocka_unit_test(rows_of_0_are_for_what_is_known),
        cmocka_unit_test(strips_are_found_for_each_number_of_slabs),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
