/* The native kernels of cl/label/geometry.clh. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "label/geometry_internal.h"

#include "native.clh"
#include "label/geometry.clh"

#define FOR_ITEMS(name) for (u32 name = (u32)call->begin; name < (u32)call->end; name++)

/* A function for each number of dimensions, so that compilers see through the loops over them. */
#define EACH_DIMS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

#define MEASURE(d)                                                                                                   \
    static void measure_##d(const struct mw_native_call *call, const struct geometry_mesh *mesh)                     \
    {                                                                                                                \
        FOR_ITEMS(part)                                                                                              \
            measure_part(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(u32, 1), NATIVE_BUFFER(u64, 2), NATIVE_BUFFER(u32, 3), \
                         NATIVE_BUFFER(u64, 4), NATIVE_BUFFER(u32, 5), NATIVE_VALUE(u32, 6), NATIVE_VALUE(u32, 7),   \
                         NATIVE_VALUE(u32, 8), mesh, part, d);                                                       \
    }
EACH_DIMS(MEASURE)

static void measure(const struct mw_native_call *call)
{
#define POINTER(d) measure_##d,
    static void (*const of_dims[])(const struct mw_native_call *, const struct geometry_mesh *) = {
        EACH_DIMS(POINTER)
    };
    const struct geometry_mesh mesh = NATIVE_VALUE(struct geometry_mesh, 9);
    of_dims[mesh.dims - 1](call, &mesh);
}

static void join(const struct mw_native_call *call)
{
    const int dims = (int)NATIVE_VALUE(struct geometry_mesh, 8).dims;
    FOR_ITEMS(c)
        join_pieces(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(u64, 1), NATIVE_BUFFER(u32, 2), NATIVE_BUFFER(u64, 3),
                    NATIVE_BUFFER(u32, 4), NATIVE_VALUE(u32, 5), NATIVE_VALUE(u32, 6), NATIVE_VALUE(u32, 7), c, dims);
}

static void mark(const struct mw_native_call *call)
{
    FOR_ITEMS(c)
        mark_touching(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(u32, 1), NATIVE_BUFFER(unsigned char, 2),
                      NATIVE_VALUE(u32, 3), NATIVE_VALUE(u32, 4), NATIVE_VALUE(u32, 5), NATIVE_VALUE(i32, 6), c);
}

static void rank(const struct mw_native_call *call)
{
    FOR_ITEMS(r)
        NATIVE_BUFFER(u32, 1)[NATIVE_BUFFER(u32, 0)[r]] = r;
}

static void keys(const struct mw_native_call *call)
{
    FOR_ITEMS(part)
        coordinate_keys(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(u32, 1), NATIVE_BUFFER(u32, 2), NATIVE_BUFFER(u32, 3),
                        NATIVE_VALUE(u32, 4), NATIVE_VALUE(u32, 5), NATIVE_VALUE(u32, 6), NATIVE_VALUE(u32, 7),
                        NATIVE_VALUE(u32, 8), NATIVE_VALUE(u32, 9), part);
}

static void gaps(const struct mw_native_call *call)
{
    FOR_ITEMS(item)
        find_stretch_gaps(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(struct geometry_gaps, 1), NATIVE_VALUE(u32, 2),
                          NATIVE_VALUE(u32, 3), item);
}

static void unwrap_ranks(const struct mw_native_call *call)
{
    FOR_ITEMS(r)
        unwrap(NATIVE_BUFFER(u32, 0), NATIVE_BUFFER(u32, 1), NATIVE_BUFFER(struct geometry_gaps, 2),
               NATIVE_BUFFER(u32, 3), NATIVE_BUFFER(u64, 4), NATIVE_BUFFER(u32, 5), NATIVE_VALUE(u32, 6),
               NATIVE_VALUE(u32, 7), NATIVE_VALUE(u32, 8), NATIVE_VALUE(u32, 9), NATIVE_VALUE(i32, 10), r);
}

const struct mw_native_kernel mw_label_native_geometry[] = {
    { "geometry_measure", measure }, { "geometry_join", join }, { "geometry_mark", mark }, { "geometry_rank", rank },
    { "geometry_keys", keys }, { "geometry_gaps", gaps }, { "geometry_unwrap", unwrap_ranks }, { NULL, NULL },
};
