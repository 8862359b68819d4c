/* The native form of cl/graph/generate/generate.cl. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <meshwork/program.h>

#include "native.clh"

#define TILE 32
#include "graph/generate/generate.clh"
#include "graph/generate/rewire.clh"

/* clang gives the functions that choose among clones global names. */
#define KERNEL(name) CLONES static void mw_native_generate_##name(const struct mw_native_call *call)
#define ROW(name) { "generate_" #name, mw_native_generate_##name }

/* A share of the items' edges; argument i is their number, the next one those of an item. */
#define SHARE(i)                                                                                                     \
    const u64 count = NATIVE_VALUE(u64, i), each = NATIVE_VALUE(u32, (i) + 1);                                       \
    const u64 from = least_u64(count, call->begin * each), some = least_u64(count, call->end * each) - from
#define RUN(run, ...)                                                                                                \
    SHARE(2);                                                                                                        \
    run(NATIVE_BUFFER(u32, 0) + 2 * from, NATIVE_VALUE(u64, 1) + from, some, __VA_ARGS__)

KERNEL(line)
{
    SHARE(2);
    line_run(NATIVE_BUFFER(u32, 0) + 2 * from, NATIVE_VALUE(u64, 1) + from, some);
}

KERNEL(ring)
{
    RUN(ring_run, NATIVE_VALUE(u32, 4), NATIVE_VALUE(u32, 5));
}

KERNEL(grid)
{
    RUN(grid_run, NATIVE_VALUE(struct grid, 4));
}

KERNEL(er)
{
    RUN(er_run, NATIVE_VALUE(u32, 4), NATIVE_BUFFER(u32, 5));
}

KERNEL(rmat)
{
    RUN(rmat_run, NATIVE_VALUE(u32, 4), NATIVE_VALUE(u32, 5), NATIVE_BUFFER(u32, 6), NATIVE_VALUE(u64, 7));
}

KERNEL(sets)
{
    SHARE(2);
    sets_run(NATIVE_BUFFER(u32, 0) + from, NATIVE_BUFFER(u32, 1) + from, from, some, NATIVE_VALUE(u32, 4),
             NATIVE_VALUE(u64, 5));
}

KERNEL(bounds)
{
    SHARE(3);
    bounds_run(NATIVE_BUFFER(u32, 0), count, NATIVE_BUFFER(u32, 1), NATIVE_BUFFER(unsigned char, 2), from, some);
}

KERNEL(records)
{
    SHARE(5);
    records_run(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(u32, 1), NATIVE_BUFFER(u32, 2), NATIVE_BUFFER(u32, 3),
                NATIVE_BUFFER(u32, 4), from, some);
}

KERNEL(disjoint)
{
    RUN(disjoint_run, NATIVE_BUFFER(u32, 4), NATIVE_VALUE(u32, 5), NATIVE_VALUE(u64, 6));
}

KERNEL(targets)
{
    SHARE(2);
    rewire_run(NATIVE_BUFFER(u32, 0) + from, NATIVE_VALUE(u64, 1) + from, some, NATIVE_VALUE(struct rewire, 4),
               NATIVE_VALUE(u64, 5));
}

KERNEL(ws)
{
    RUN(rewire_check_run, NATIVE_BUFFER(u32, 4), NATIVE_VALUE(struct rewire, 5),
        NATIVE_VALUE(struct rewire_window, 6), NATIVE_VALUE(u64, 7));
}

const struct mw_native_kernel mw_native_generate[] = {
    ROW(line), ROW(ring), ROW(grid), ROW(er), ROW(rmat), ROW(sets), ROW(bounds), ROW(records), ROW(disjoint),
    ROW(targets), ROW(ws), { NULL, NULL },
};
