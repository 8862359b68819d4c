/* Launches of the kernels that fill memory. */
#include "rng/rng_internal.h"
#include "kernels/native.h"
#include "kernels/rng/fill.h"

#define RUN_LEAST 256 /* minimum blocks per work-item on CPU cores; a multiple of any tile */
#define RUN_MOST 4096
#define RUNS 64 /* work-items per CPU core */
#define TURNS 4 /* blocks per work-item on GPUs */

static const struct mw_native_kernel *native(enum mw_random_source source, bool fp64)
{
    switch (source) {
    case MW_SOURCE_PHILOX: return fp64 ? mw_native_rng_philox_double : mw_native_rng_philox_single;
    case MW_SOURCE_THREEFRY: return fp64 ? mw_native_rng_threefry_double : mw_native_rng_threefry_single;
    default: return fp64 ? mw_native_rng_stored_double : mw_native_rng_stored_single;
    }
}

static int find_set(struct mw_random *random, enum mw_random_source source, bool fp64, const struct mw_kernel_set **set)
{
    static const char *const defines[] = { "", "#define THREEFRY 1\n", "#define STORED 1\n" };
    struct mw_kernel_options options = { .fp64 = fp64, .native = native(source, fp64), .takes = MW_GROUP_ANY };
    struct mw_text text = { 0 };
    int rc = 0;
    if (!random->sets[source][fp64]) {
        mw_text_add(&text, "%s%s%s", defines[source], fp64 ? "#define REAL_DOUBLE 1\n" : "",
                    mw_device_info(random->device)->traits->has_cores
                        ? fp64 ? "#define TILE 32\n#define VEC 8\n" : "#define TILE 32\n#define VEC 16\n"
                        : "");
        TRY(mw_text_ok(&text));
        options.defines = text.data;
        if (source == MW_SOURCE_STORED)
            options.wanted = ~((uint64_t)1 << KERNEL_RNG_BERNOULLI) & 31;
        TRY(mw_own_kernels(&random->owner, random->device, &kernels_rng_fill, &options, &random->sets[source][fp64]));
    }
    *set = random->sets[source][fp64];
out:
    mw_text_free(&text);
    return rc;
}

/* Returns the blocks per work-item. */
static uint32_t each(const struct mw_device *device, uint64_t blocks)
{
    const struct mw_device_info *info = mw_device_info(device);
    const uint64_t share = blocks / RUNS / (info->compute_units ? info->compute_units : 1);
    if (!info->traits->has_cores)
        return blocks >= (uint64_t)1 << 20 ? TURNS : 1;
    return share < RUN_LEAST ? RUN_LEAST : share > RUN_MOST ? RUN_MOST : (uint32_t)(share & ~(uint64_t)(RUN_LEAST - 1));
}

int mw_random_launch(struct mw_random *random, enum mw_random_source source, const struct mw_random_draw *draw,
                     uint64_t first, size_t count, struct mw_buffer *to, size_t at, struct mw_buffer *numbers,
                     uint32_t how)
{
    const size_t bytes = mw_random_bytes(draw->kind);
    const uint64_t per = bytes == 8 ? 2 : 4, blocks = (first + count + per - 1) / per - first / per;
    const uint32_t of_item = each(random->device, blocks);
    const uint64_t items = (blocks + of_item - 1) / of_item;
    const struct fill fill = { .first = first,
                               .count = count,
                               .seed = random->seed,
                               .stream = random->stream,
                               .each = of_item,
                               .items = items,
                               .past_caches = count * bytes >= STREAMED_BYTES,
                               .stored = how };
    const struct mw_range range = mw_items((size_t)items);
    const uint32_t least = draw->below ? (uint32_t)(((uint64_t)1 << 32) % draw->below) : 0;
    const struct mw_kernel_set *set;
    TRY_RETURN(find_set(random, source, bytes == 8, &set));
    switch (draw->kind) {
    case MW_RANDOM_FLOATS:
    case MW_RANDOM_DOUBLES: TRY_RETURN(launch_rng_uniform(set, range, to, at, numbers, &fill, draw->interval)); break;
    case MW_RANDOM_NORMAL_FLOATS:
    case MW_RANDOM_NORMAL_DOUBLES: TRY_RETURN(launch_rng_normal(set, range, to, at, numbers, &fill)); break;
    case MW_RANDOM_BELOW: TRY_RETURN(launch_rng_below(set, range, to, at, numbers, &fill, draw->below, least)); break;
    case MW_RANDOM_BERNOULLI: TRY_RETURN(launch_rng_bernoulli(set, range, to, at, &fill, draw->probability)); break;
    case MW_RANDOM_BITS: TRY_RETURN(launch_rng_bits(set, range, to, at, numbers, &fill, 0)); break;
    case MW_RANDOM_NUMBERS: TRY_RETURN(launch_rng_bits(set, range, to, at, numbers, &fill, 8)); break;
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
