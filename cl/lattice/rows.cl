/* Layout transforms by segments of rows: to = map(from) by a plan. */
#include "lattice/items.clh"
#include "lattice/rows.clh"

__kernel SHARES void transform_rows(__global element *to, const __global element *from, const __global i64 *plan,
                                    const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    move_rows(to, from, plan, fill, begin, end);
    STREAMS_DONE;
}
