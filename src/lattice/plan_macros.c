/* Plans as macros, for programs that are built for one plan. */
#include <inttypes.h>

#include "lattice/transform_internal.h"

#include "lattice/plan.clh"

static void add_axis_macro(const int64_t *plan, int64_t a, struct mw_text *macros)
{
    mw_text_add(macros, " X(%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ")", a, AXIS(a, AXIS_LENGTH),
                AXIS(a, AXIS_STRIDE), AXIS(a, AXIS_TABLE), AXIS(a, AXIS_TO));
}

int mw_plan_macros(const struct mw_plan *p, struct mw_text *macros)
{
    const int64_t last = p->word[PLAN_AXES] - 1;
    if (p->cells > INT32_MAX || p->source_cells > INT32_MAX)
        mw_text_add(macros, "#define INDEX_64 1\n");
    mw_text_add(macros, "#define FIXED_CELLS %zu\n#define FIXED_FROM %" PRId64 "\n#define FIXED_TO %" PRId64 "\n",
                p->cells, p->from, p->to);
    if (p->group)
        mw_text_add(macros, "#define TILE_0 %zu\n#define TILE_1 %zu\n#define GROUP %zu\n", p->tile[0], p->tile[1],
                    p->group);
    mw_text_add(macros, "#define FIXED_EACH(X)");
    for (int64_t a = 0; a < last; a++)
        add_axis_macro(p->word, a, macros);
    mw_text_add(macros, "\n#define FIXED_LAST(X)");
    add_axis_macro(p->word, last, macros);
    mw_text_add(macros, "\n");
    return mw_text_ok(macros);
}
/* SPDX-License-Identifier: MIT */
