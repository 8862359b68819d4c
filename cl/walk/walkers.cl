/* Random walkers on a carpet, one per work-item.  Each step has one of 2 dims random directions; the walker stays if
 * the site there is not accessible. */
#include "walk/carpet.clh"
#include "walk/walkers.clh"

NATIVE_PROGRAM(walk_walkers, )

/* A walker: its block of level 1, its place in the block, and cached generators. */
struct walker {
    i32 bx, by, bz, x, y, z;
    i32 here;                    /* generator of its block */
    /* last adjacent block looked up, and its generator: walkers at an edge need it repeatedly */
    i32 ox, oy, oz, there;
};

/* Directions per random word: this many digits in base 4 or 6 have equal probability within 2^-21. */
INLINE i32 digits_of(const i32 dims) { return dims == 2 ? 16 : 4; }

/* Returns -1 or 1 if the place is outside the block on that side, otherwise 0. */
INLINE i32 block_step(const i32 x, const i32 side) { return x < 0 ? -1 : x >= side ? 1 : 0; }

INLINE void walker_step(struct walker *w, const struct carpet c, const __global u32 *generators, const i32 direction)
{
    const i32 sign = (direction & 1) * 2 - 1, axis = direction >> 1;
    const i32 x = w->x + (axis == 0 ? sign : 0), y = w->y + (axis == 1 ? sign : 0), z = w->z + (axis == 2 ? sign : 0);
    const i32 dx = block_step(x, c.side), dy = block_step(y, c.side), dz = c.dims == 3 ? block_step(z, c.side) : 0;
    if ((dx | dy | dz) == 0) {
        if (carpet_open(c, generators, w->here, x, y, z)) {
            w->x = x;
            w->y = y;
            w->z = z;
        }
        return;
    }
    const i32 bx = w->bx + dx, by = w->by + dy, bz = w->bz + dz;
    if (bx != w->ox || by != w->oy || bz != w->oz) {
        w->there = carpet_generator(c, generators, bx, by, bz);
        w->ox = bx;
        w->oy = by;
        w->oz = bz;
    }
    const i32 nx = x - dx * c.side, ny = y - dy * c.side, nz = z - dz * c.side;
    if (w->there < 0 || !carpet_open(c, generators, w->there, nx, ny, nz))
        return;
    const i32 left = w->here;
    w->here = w->there;
    w->there = left;
    w->ox = w->bx;
    w->oy = w->by;
    w->oz = w->bz;
    w->bx = bx;
    w->by = by;
    w->bz = bz;
    w->x = nx;
    w->y = ny;
    w->z = nz;
}

/* Returns word i of a draw; consecutive steps of a walker use consecutive words. */
INLINE u32 word_of(const struct philox r, const i32 i)
{
    return i == 0 ? r.word[0] : i == 1 ? r.word[1] : i == 2 ? r.word[2] : r.word[3];
}

/* Places are relative to the start, `dims` numbers per walker. */
__kernel void walk_walkers(__global i32 *places, const __global u32 *generators, const struct carpet carpet,
                           const struct walkers walkers)
{
    const i32 n = (i32)get_global_id(0), dims = carpet.dims, side = carpet.side, digits = digits_of(dims);
    if (n >= walkers.count)
        return;
    __global i32 *place = places + (i64)n * dims;
    const i32 x = walkers.start[0] + place[0], y = walkers.start[1] + place[1];
    const i32 z = dims == 3 ? walkers.start[2] + place[2] : 0;
    struct walker w;
    w.bx = k_turns(x, side);
    w.by = k_turns(y, side);
    w.bz = k_turns(z, side);
    w.x = x - w.bx * side;
    w.y = y - w.by * side;
    w.z = z - w.bz * side;
    w.here = carpet_generator(carpet, generators, w.bx, w.by, w.bz);
    w.ox = w.bx;
    w.oy = w.by;
    w.oz = w.bz;
    w.there = w.here;
    /* Processes a word at a time; earlier steps may have used some digits of the first word. */
    i32 done = 0, taken = (i32)(walkers.step % (u64)digits), i = (i32)(walkers.step / (u64)digits % 4);
    u64 draw = walkers.step / (u64)(4 * digits);
    struct philox r = draw_words(walkers.first + (u64)n, (u32)draw, WALK_DRAW_STEPS, walkers.seed);
    while (done < walkers.steps) {
        u32 word = word_of(r, i);
        for (i32 k = 0; k < taken; k++)
            word *= (u32)(2 * dims);
        for (; taken < digits && done < walkers.steps; taken++, done++) {
            walker_step(&w, carpet, generators, (i32)mul_high_u32(word, (u32)(2 * dims)));
            word *= (u32)(2 * dims);
        }
        taken = 0;
        if (++i == 4) {
            i = 0;
            r = draw_words(walkers.first + (u64)n, (u32)++draw, WALK_DRAW_STEPS, walkers.seed);
        }
    }
    place[0] = w.bx * side + w.x - walkers.start[0];
    place[1] = w.by * side + w.y - walkers.start[1];
    if (dims == 3)
        place[2] = w.bz * side + w.z - walkers.start[2];
}
/* SPDX-License-Identifier: MIT */
