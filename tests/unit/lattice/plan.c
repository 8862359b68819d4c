/* Plans of layout transforms without a device: which maps are their own inverse, macros of a plan, and division of
 * work. */
#include "lattice/transform_internal.h"

#include "tests/map.h"

static struct mw_plan plan_of(const struct mw_map *map)
{
    struct mw_plan plan;
    mw_plan_make(map, 4, &plan);
    assert_int_equal(mw_plan_points(&plan, false), 0);
    return plan;
}

/* By the definition of the map. */
static bool undoes_itself(const struct mw_map *map)
{
    size_t length[MW_DIMS_MAX], cells = 1;
    unsigned dims;
    mw_map_lengths(map, &dims, length);
    for (unsigned d = 0; d < dims; d++)
        cells *= length[d];
    for (size_t k = 0; k < cells; k++) {
        const int64_t once = mw_map_source(map, (int64_t)k);
        if (once < 0 || mw_map_source(map, once) != (int64_t)k)
            return false;
    }
    return true;
}

static void involutions_are_known(void **unused)
{
    static const struct {
        unsigned dims;
        size_t length[4];
        const char *operations;
        bool is;
    } maps[] = {
        { 2, { 12, 5 }, "flip=0", true },
        { 3, { 12, 5, 3 }, "flip=0,2", true },
        { 3, { 8, 5, 8 }, "permute=2,1,0", true },
        { 3, { 8, 5, 8 }, "permute=2,1,0 flip=0,2", true },
        { 3, { 8, 5, 8 }, "permute=2,1,0 flip=1", true },
        { 2, { 8, 8 }, "permute=1,0 flip=0", false },
        { 2, { 8, 9 }, "permute=1,0", false },
        { 3, { 4, 4, 4 }, "permute=1,2,0", false },
        { 1, { 64 }, "reverse=0", true },
        { 1, { 36 }, "reverse=0", false },
        { 1, { 10 }, "shift=5", true },
        { 1, { 10 }, "shift=4", false },
        { 1, { 9 }, "crinkle=0:3", true },
        { 1, { 10 }, "crinkle=0:3", false },
        { 2, { 4, 4 }, "pad=0:1:0 crop=0:0:4", false },
        { 1, { 12 }, "shift=3 shift=-3", true },
        { 2, { 8, 8 }, "morton split=0:8", false },
    };
    for (size_t i = 0; i < MW_COUNT(maps); i++) {
        struct mw_map *map = map_of(maps[i].dims, maps[i].length, maps[i].operations);
        struct mw_plan plan = plan_of(map);
        if (mw_plan_is_involution(&plan) != maps[i].is || undoes_itself(map) != maps[i].is ||
            mw_map_is_involution(map) != maps[i].is)
            fail_msg("%s", maps[i].operations);
        mw_plan_free(&plan);
        mw_map_free(map);
    }
}

/* ---- plans as macros ---- */

static void macros_know_the_plan(void **unused)
{
    const size_t length[] = { 3, 5, 4 };
    struct mw_map *map = map_of(3, length, "flip=0 pad=1:1:0 permute=0,2,1");
    struct mw_plan plan = plan_of(map);
    struct mw_text macros = { 0 };
    assert_int_equal(mw_plan_macros(&plan, &macros), 0);
    const char *table = strstr(macros.data, "FIXED_LAST(X) X(2, 6, 0, ");
    assert_non_null(table);
    const int64_t *words = plan.word + strtoll(table + strlen("FIXED_LAST(X) X(2, 6, 0, "), NULL, 10);
    assert_true(words[0] == MW_OUTSIDE && words[5] - words[1] == 12);
    assert_non_null(strstr(table, ", 12)\n"));
    assert_non_null(strstr(macros.data, "#define FIXED_EACH(X) X(0, 3, -1, 0, 1) X(1, 4, 15, 0, 3)\n"));
    assert_non_null(strstr(macros.data, "#define FIXED_CELLS 72\n#define FIXED_FROM 2\n#define FIXED_TO 0\n"));
    assert_null(strstr(macros.data, "INDEX_64"));
    assert_null(strstr(macros.data, "GROUP"));
    mw_text_free(&macros);
    mw_plan_free(&plan);
    mw_map_free(map);
}

/* Nothing of this size is allocated. */
static void wide_indices_from_two_to_the_31(void **unused)
{
    static const struct {
        size_t length[2];
        const char *operations;
        bool wide;
    } maps[] = {
        { { 1 << 16, 1 << 15 }, "flip=0", true },      { { (1 << 16) - 1, 1 << 15 }, "flip=0", false },
        { { 1 << 16, 1 << 15 }, "crop=0:0:10", true }, { { 1 << 16, 1 << 15 }, "crop=0:0:10 crop=1:7:9", true },
        { { INT32_MAX, 1 }, "flip=0", false },         { { (size_t)1 << 40, 8 }, "permute=1,0", true },
    };
    for (size_t i = 0; i < MW_COUNT(maps); i++) {
        struct mw_map *map = map_of(2, maps[i].length, maps[i].operations);
        struct mw_plan plan = plan_of(map);
        struct mw_text macros = { 0 };
        assert_int_equal(mw_plan_macros(&plan, &macros), 0);
        if ((strstr(macros.data, "#define INDEX_64 1\n") != NULL) != maps[i].wide)
            fail_msg("%zu x %zu, %s:\n%s", maps[i].length[0], maps[i].length[1], maps[i].operations, macros.data);
        mw_text_free(&macros);
        mw_plan_free(&plan);
        mw_map_free(map);
    }
}

/* For any limits of the device: blocks and tiles that fit the work-items, and enough work-groups for all cells. */
static void groups_of_any_size_have_work(void **unused)
{
    const size_t length[] = { 100, 37, 5 };
    for (size_t group = 1; group <= 256; group *= 2)
        for (size_t element = 1; element <= 16; element *= 2) {
            struct mw_map *flip = map_of(3, length, "flip=0"), *turn = map_of(3, length, "permute=1,0,2");
            struct mw_plan blocks, local;
            mw_plan_make(flip, element, &blocks);
            mw_plan_make(turn, element, &local);
            blocks.group = local.group = group;
            assert_int_equal(mw_plan_blocks(&blocks, false), 0);
            assert_int_equal(mw_plan_local(&local, false), 0);
            const size_t block = blocks.tile[0] * blocks.tile[1], tile = local.tile[0] * local.tile[1];
            assert_true(block > 0 && block % group == 0 && tile > 0 && tile % group == 0);
            assert_true((size_t)blocks.count * block >= blocks.cells && (size_t)local.count * tile >= local.cells);
            assert_true(block * element < 16384 && (local.tile[0] + 1) * local.tile[1] * element < 16384);
            mw_plan_free(&blocks);
            mw_plan_free(&local);
            mw_map_free(flip);
            mw_map_free(turn);
        }
}

static void only_transpositions_of_some_size_suit_local_memory(void **unused)
{
    static const struct {
        unsigned dims;
        size_t length[3];
        const char *operations;
        size_t element;
        bool suits;
    } maps[] = {
        { 2, { 4096, 4096 }, "permute=1,0", 4, true },      { 2, { 4096, 4096 }, "permute=1,0 flip=0,1", 16, true },
        { 2, { 4096, 4096 }, "flip=0", 4, false },          { 2, { 4096, 4096 }, "crinkle=0:8", 4, false },
        { 2, { 12, 100000 }, "permute=1,0", 4, true },      { 2, { 100000, 12 }, "permute=1,0", 4, false },
        { 3, { 32, 32, 1000 }, "permute=1,0,2", 4, true },  { 3, { 16, 48, 1000 }, "permute=1,0,2", 4, false },
        { 3, { 32, 32, 1000 }, "permute=1,0,2", 1, false }, { 3, { 16, 16, 1000 }, "permute=1,0,2", 16, true },
    };
    for (size_t i = 0; i < MW_COUNT(maps); i++) {
        struct mw_map *map = map_of(maps[i].dims, maps[i].length, maps[i].operations);
        struct mw_plan plan;
        mw_plan_make(map, maps[i].element, &plan);
        if (mw_plan_suits_local(&plan) != maps[i].suits)
            fail_msg("%s of %zu bytes", maps[i].operations, maps[i].element);
        mw_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(involutions_are_known),
        cmocka_unit_test(macros_know_the_plan),
        cmocka_unit_test(wide_indices_from_two_to_the_31),
        cmocka_unit_test(groups_of_any_size_have_work),
        cmocka_unit_test(only_transpositions_of_some_size_suit_local_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
