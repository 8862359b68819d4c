/* Plans of variants lengths, powers, plane and plane-image: the operations of a map, for cl/lattice/cells.cl. */
#include <inttypes.h>

#include "lattice/lattice_internal.h"
#include "lattice/transform_internal.h"

#include "lattice/cells_plan.clh"

struct operation {
    int kind;
    unsigned dim;
    int64_t by;
};

/* Returns whether the operations from `at` on begin as those of mw_map_crinkle with a step that divides the length:
 * a split, the exchange of its two dimensions, a merge. */
static bool is_crinkle(const struct mw_map *map, size_t at)
{
    const struct mw_op *op = &map->ops[at];
    if (at + 2 >= map->op_count || op[0].kind != MW_OP_SPLIT || op[1].kind != MW_OP_PERMUTE ||
        op[2].kind != MW_OP_MERGE || op[2].dim != op[0].dim)
        return false;
    for (unsigned d = 0; d <= map->source_dims; d++)
        if (op[1].order[d] != (d == op->dim ? d + 1 : d == op->dim + 1 ? d - 1 : d))
            return false;
    return true;
}

/* Reads the operation at *at, and advances *at. Returns false if it is another one. */
static bool operation_next(const struct mw_map *map, size_t *at, struct operation *o)
{
    const struct mw_op *op = &map->ops[*at];
    const bool crinkles = is_crinkle(map, *at);
    o->dim = op->dim;
    o->by = op->kind == MW_OP_FLIP ? 1 : op->a;
    o->kind = crinkles                      ? CELLS_CRINKLE
              : op->kind == MW_OP_FLIP      ? CELLS_FLIP
              : op->kind == MW_OP_SHIFT     ? CELLS_SHIFT
              : op->kind == MW_OP_CRINKLE   ? CELLS_CRINKLE
              : op->kind == MW_OP_UNCRINKLE ? CELLS_UNCRINKLE
                                            : CELLS_MIXED;
    *at += crinkles ? 3 : 1;
    return o->kind != CELLS_MIXED;
}

bool mw_plan_moves_cells(const struct mw_plan *plan)
{
    struct operation o;
    for (size_t at = 0; at < plan->map->op_count;)
        if (!operation_next(plan->map, &at, &o))
            return false;
    return true;
}

static bool is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

bool mw_plan_moves_bits(const struct mw_plan *plan)
{
    const struct mw_map *map = plan->map;
    struct operation o;
    if (!mw_plan_moves_cells(plan))
        return false;
    for (unsigned d = 0; d < map->source_dims; d++)
        if (!is_power((int64_t)map->source_length[d]))
            return false;
    for (size_t at = 0; at < map->op_count;)
        if (operation_next(map, &at, &o) && o.kind >= CELLS_CRINKLE && !is_power(o.by))
            return false;
    return true;
}

bool mw_plan_moves_plane(const struct mw_plan *plan)
{
    return plan->map->source_dims == 2 && mw_plan_moves_cells(plan);
}

/* Returns the kind of all operations; CELLS_MIXED: several, or several along a dimension. Writes the operations. */
static int write_operations(const struct mw_map *map, int64_t *dim, int64_t *word, int64_t *count)
{
    struct operation o;
    bool has[MW_DIMS_MAX] = { false };
    int kind = -1;
    *count = 0;
    for (size_t at = 0; at < map->op_count; word += CELLS_WORDS, (*count)++) {
        operation_next(map, &at, &o);
        kind = (kind >= 0 && kind != o.kind) || has[o.dim] ? CELLS_MIXED : o.kind;
        has[o.dim] = true;
        dim[o.dim * CELLS_WORDS + 2] = o.by;
        word[0] = o.kind;
        word[1] = o.dim;
        word[2] = o.by;
    }
    return kind < 0 ? CELLS_FLIP : kind;
}

int mw_plan_cells(struct mw_plan *p, bool stream)
{
    const struct mw_map *map = p->map;
    const unsigned dims = map->source_dims;
    int64_t stride = 1;
    p->count = (int64_t)p->cells;
    p->unit_bytes = p->element_bytes;
    p->words = CELLS_FIRST + (dims + map->op_count) * CELLS_WORDS;
    TRY_RETURN(mw_new(p->words, sizeof *p->word, &p->word));
    int64_t *const dim = p->word + CELLS_FIRST;
    p->word[CELLS_DIMS] = dims;
    p->word[CELLS_NARROW] = p->cells <= INT32_MAX;
    p->word[CELLS_KIND] = write_operations(map, dim, dim + dims * CELLS_WORDS, &p->word[CELLS_OPERATIONS]);
    for (unsigned d = 0; d < dims; d++, stride *= (int64_t)map->source_length[d - 1]) {
        int64_t *const at = dim + d * CELLS_WORDS;
        at[0] = (int64_t)map->source_length[d];
        at[1] = stride;
        if (at[2] == 0 && p->word[CELLS_KIND] >= CELLS_CRINKLE)
            at[2] = 1; /* a dimension that is not moved */
    }
    return 0;
}

int mw_cell_macros(const struct mw_plan *plan, struct mw_text *macros)
{
    const struct mw_map *map = plan->map;
    int64_t length[MW_DIMS_MAX];
    struct mw_lattice lattice;
    struct operation o;
    for (unsigned d = 0; d < map->source_dims; d++)
        length[d] = (int64_t)map->source_length[d];
    TRY_RETURN(mw_lattice_make(map->source_dims, length, &lattice));
    TRY_RETURN(mw_lattice_macros(&lattice, macros));
    mw_text_add(macros, "#define CELLS_EACH(X)");
    for (size_t at = 0; at < map->op_count;) {
        operation_next(map, &at, &o);
        mw_text_add(macros, " X(%d, %u, %" PRId64 ")", o.kind, o.dim, o.by);
    }
    mw_text_add(macros, "\n");
    return mw_text_ok(macros);
}
/* SPDX-License-Identifier: MIT */
