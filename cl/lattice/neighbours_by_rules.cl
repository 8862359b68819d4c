/* Fills a table of neighbours like neighbours.cl, for any lattice: for native devices, which build no program per
 * lattice. */
#include "lattice/neighbour_rules.clh"

NATIVE_PROGRAM(neighbours_by_rules, INDEX_64)

__kernel SHARES void lattice_neighbours_by_rules(__global void *table, const struct neighbour_rules rules)
{
    const i64 begin = (i64)get_global_id(0), end = (i64)ITEMS_END(0);
    fill_neighbours(&rules, begin, end < rules.cells ? end : rules.cells, table);
}
/* SPDX-License-Identifier: MIT */
