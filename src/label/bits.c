/* Labelling with words of bits, in tiles: for GPUs, in one to three dimensions. */
#include "label/label_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "components/components_internal.h"
#include "dev/core/backend.h"
#include "prim/prim_internal.h"

#include "kernels/label/bits/passes.h"

enum { SEGMENT = 32, DIMS = 3 };
/* Work-items of a tile, one segment each; binary logarithm of the segments along x, if rows are that long. */
enum { ITEMS_MOST = 1024, TILE_ITEMS = 256, TILE_X = 2 };

/* Minimum number of tiles for which passes that shorten chains across their borders pay. */
enum { CHAIN_TILES = 16 };

/* The same for summaries next to other work, where each pass waits for its turn. */
enum { CHAIN_TILES_CONCURRENT = 1024 };

/* In volumes with at least this many cells per component at the last labelling, roots are hooked twice before they are
 * united.  On an H100 domains of 512 x 512 x 512 cells then take 0.63 ms instead of 0.70.  Noise would take 1.25
 * instead of 1.18, and planes a tenth more. */
enum { LARGE_CELLS = 1000 };

/* Listed pairs of roots per segment, and per row between two tiles along x.  Segments with more pairs, which are rare,
 * search for them twice.  A work-item processes a few pairs at once. */
enum { SEGMENT_PAIRS = 8, SIDE_PAIRS_FACES = 1, SIDE_PAIRS_ALL = 4, PAIRS_AT_ONCE = 4 };
_Static_assert(SIDE_PAIRS_ALL <= PAIRS_AT_ONCE && SEGMENT_PAIRS % PAIRS_AT_ONCE == 0, "a side has one item");

/* clang-format off */
enum { SEGMENTS, KINDS, ROOTS, ROOTS_BEFORE, TOPS, EDGES, EDGE_ROOTS, TILES, COUNTS, PAIRS, LISTED, END_VALUES,
       END_ROOTS, BUFFERS };
/* clang-format on */

/* Initial room for the sizes of a summary. */
enum { SIZES_FIRST = 4096 };

/* Division of the mesh into tiles. */
struct cut {
    int64_t length[DIMS], words_x, segments;
    unsigned bits[DIMS]; /* binary logarithms of a tile's segments */
    int64_t tiles[DIMS], all_tiles;
    int64_t sides, border_rows, edges;
    int64_t side_pairs; /* maximum listed pairs of a side */
};

struct bits {
    struct mw_kernel_set *set;
    struct mw_buffer *own; /* roots, if they are narrower than labels; otherwise the result's buffer has them */
    struct mw_buffer *buffer[BUFFERS];
    struct cut cut;
    struct mw_buffer *sizes;        /* sizes of components, for a summary; NULL: not allocated yet */
    size_t room;                    /* elements of `sizes` */
    struct mw_components_told told; /* result of a summary */
    size_t found;                   /* components at the last labelling; 0: none so far */
};

/* Distributes the bits of a work-item's number over the dimensions, up to the length of the mesh: to x first, then
 * evenly, and the rest to x. */
static void share_bits(const struct mw_labelling *labelling, size_t items, struct cut *c)
{
    const unsigned wanted = labelling->limits.tile_x ? labelling->limits.tile_x - 1 : TILE_X;
    for (size_t taken = 1; taken < items; taken *= 2) {
        const bool x_fits = (int64_t)1 << c->bits[0] < c->words_x;
        unsigned d = 0;
        if (!(x_fits && c->bits[0] < wanted))
            for (unsigned i = 1; i < DIMS; i++)
                if ((int64_t)1 << c->bits[i] < c->length[i] && (d == 0 || c->bits[i] < c->bits[d]))
                    d = i;
        c->bits[d]++;
    }
}

/* border_rows of a tile have neighbours in earlier rows of another tile (cl/label/bits/places.clh).  edges is the
 * maximum number of cells with nodes that may touch another tile: all cells of border rows, and the first and last of
 * others. */
static void find_borders(const struct mw_labelling *labelling, struct cut *c)
{
    const unsigned dims = labelling->options.dims;
    const int64_t y = 1 << c->bits[1], z = 1 << c->bits[2];
    const int64_t cells = mw_min(SEGMENT << c->bits[0], c->length[0]);
    const int64_t inner_y = dims < 2 ? y : y - (y < 2 ? y : 2), inner_z = dims < 3 ? z : z - (z < 2 ? z : 2);
    const int64_t sides = labelling->options.connectivity == MW_CONNECTIVITY_ALL && y > 1 ? 2 : 1;
    c->border_rows = dims == 1 ? 0 : dims == 2 ? 1 : y + (z - 1) * sides;
    c->edges = (y * z - inner_y * inner_z) * cells + inner_y * inner_z * mw_min(cells, 2);
    c->sides = c->tiles[0] - 1 + mw_label_wraps(&labelling->options, 0);
    c->side_pairs = labelling->options.connectivity == MW_CONNECTIVITY_ALL ? SIDE_PAIRS_ALL : SIDE_PAIRS_FACES;
}

/* Work-items that search for pairs across borders: for segments, and for rows between tiles along x. */
static size_t border_segments(const struct cut *c)
{
    return (size_t)(c->tiles[1] * c->tiles[2] * c->border_rows * c->words_x);
}
static size_t border_sides(const struct cut *c) { return (size_t)(c->length[1] * c->length[2] * c->sides); }

/* Returns whether there are enough tiles for long chains, so that a first pass lists the pairs. */
static bool has_lists(const struct cut *c)
{
    return c->all_tiles > CHAIN_TILES && border_segments(c) + border_sides(c) > 0;
}

/* Work-items that unite pairs, from lists or not. */
static size_t join_items(const struct cut *c, bool lists)
{
    const size_t of_segment = lists ? SEGMENT_PAIRS / PAIRS_AT_ONCE : 1;
    return of_segment * border_segments(c) + border_sides(c);
}

static void cut_mesh(const struct mw_labelling *labelling, size_t items, struct cut *c)
{
    const struct mw_lattice *l = &labelling->lattice;
    *c = (struct cut){ .length = { 1, 1, 1 }, .all_tiles = 1 };
    for (unsigned i = 0; i < l->dims; i++)
        c->length[i] = l->length[i];
    c->words_x = (c->length[0] - 1) / SEGMENT + 1;
    c->segments = c->words_x * c->length[1] * c->length[2];
    share_bits(labelling, items, c);
    for (unsigned i = 0; i < DIMS; i++) {
        c->tiles[i] = (((i == 0 ? c->words_x : c->length[i]) - 1) >> c->bits[i]) + 1;
        c->all_tiles *= c->tiles[i];
    }
    find_borders(labelling, c);
}

static size_t items_of(const struct mw_labelling *labelling)
{
    const uint64_t local = mw_device_info(labelling->device)->local_bytes;
    size_t items = labelling->limits.tile_items ? labelling->limits.tile_items : TILE_ITEMS;
    /* Cells of a tile have 16-bit numbers. */
    while (items > ITEMS_MOST)
        items /= 2;
    /* Local memory for nodes or their numbers, and for segments. */
    while (local > 0 && items > 1 && items * (SEGMENT * mw_label_root_bytes(labelling) + 24) > local)
        items /= 2;
    return items;
}

static const char *bits_refuses(const struct mw_labelling *labelling)
{
    const struct mw_label_options *o = &labelling->options;
    struct cut cut;
    if (o->lattice != MW_LATTICE_HYPERCUBIC)
        return "supports only hypercubic lattices (use union-find)";
    if (o->dims > DIMS)
        return "supports only one to three dimensions (use union-find)";
    if (labelling->lattice.cells == 0)
        return NULL;
    cut_mesh(labelling, items_of(labelling), &cut);
    if (cut.all_tiles > INT32_MAX / (int64_t)items_of(labelling) &&
        mw_lattice_index_bytes(&labelling->lattice) == sizeof(int32_t))
        return "supports no meshes with so many short rows (use union-find)";
    return NULL;
}

/* ---- construction ---- */

void mw_label_cut_defines(const struct mw_labelling *labelling, size_t items, struct mw_text *defines)
{
    static const char axis[DIMS] = { 'X', 'Y', 'Z' };
    struct cut cut, *c = &cut;
    cut_mesh(labelling, items, c);
    for (unsigned i = 0; i < DIMS; i++)
        mw_text_add(defines, "#define LENGTH_%c %" PRId64 "\n#define TILE_%c %u\n#define TILES_%c %" PRId64 "\n",
                    axis[i], c->length[i], axis[i], c->bits[i], axis[i], c->tiles[i]);
    mw_text_add(defines,
                "#define WORDS_X %" PRId64 "\n#define SIDES %" PRId64 "\n#define BORDER_ROWS %" PRId64
                "\n#define EDGES %" PRId64 "\n#define SEGMENT_PAIRS %d\n#define SIDE_PAIRS %" PRId64
                "\n#define PAIRS_AT_ONCE %d\n",
                c->words_x, c->sides, c->border_rows, c->edges, SEGMENT_PAIRS, c->side_pairs, PAIRS_AT_ONCE);
    if (labelling->wide)
        mw_text_add(defines, "#define LABELS_64 1\n");
    if (mw_type_bytes(labelling->options.type) == 1)
        mw_text_add(defines, "#define ELEMENT_BYTE 1\n");
}

static void add_defines(struct mw_text *defines, size_t group, void *context)
{
    mw_label_cut_defines(context, group, defines);
}

static int label_bits_make_buffers(struct mw_labelling *labelling, struct bits *b)
{
    const struct cut *c = &b->cut;
    const size_t tiles = (size_t)c->all_tiles, segments = tiles * b->set->group, root = mw_label_root_bytes(labelling);
    const struct mw_label_options *o = &labelling->options;
    const bool lists = has_lists(c), has_kinds = !o->no_background || o->join == MW_JOIN_THRESHOLD;
    const size_t at_borders = lists ? border_segments(c) : 1, at_sides = lists ? border_sides(c) : 0;
    const size_t ends = c->sides > 0 ? (size_t)(2 * c->tiles[0] * c->length[1] * c->length[2]) : 1;
    const size_t edges = tiles * (size_t)c->edges, rows = (size_t)(c->length[1] * c->length[2] * c->tiles[0]);
    const struct mw_label_need needs[BUFFERS] = {
        [SEGMENTS] = { segments, 2 * sizeof(uint32_t) },
        [KINDS] = { has_kinds ? segments : 1, sizeof(uint32_t) },
        [ROOTS] = { segments, sizeof(uint32_t) },
        [ROOTS_BEFORE] = { segments, sizeof(uint16_t) },
        [TOPS] = { segments, (size_t)mw_min(c->length[0], SEGMENT) * sizeof(uint16_t) },
        [EDGES] = { edges, sizeof(uint16_t) },
        [EDGE_ROOTS] = { edges, root },
        [TILES] = { tiles, 2 * sizeof(uint32_t) },
        [COUNTS] = { rows + 1, root }, /* one per row of a tile, and the total */
        [PAIRS] = { at_borders * SEGMENT_PAIRS + at_sides * (size_t)c->side_pairs, 2 * root },
        [LISTED] = { at_borders + at_sides, 1 },
        [END_VALUES] = { ends, labelling->element_bytes },
        [END_ROOTS] = { ends, sizeof(uint16_t) },
    };
    TRY_RETURN(mw_label_buffers(labelling, needs, BUFFERS, b->buffer));
    return mw_buffer_fill(b->buffer[COUNTS], 0, mw_buffer_bytes(b->buffer[COUNTS]), 0);
}

/* Frees what reserve_sizes has made. */
static void drop_sizes(void *state)
{
    struct bits *b = state;
    mw_components_told_free(&b->told);
    mw_buffer_free(b->sizes);
}

static int bits_make(struct mw_labelling *labelling)
{
    const struct mw_kernel_options options = {
        .group = items_of(labelling), .takes = MW_GROUP_POWER, .add_defines = add_defines, .context = labelling
    };
    struct bits *b;
    TRY_RETURN(mw_own_new(&labelling->owner, 1, sizeof *b, &b));
    labelling->state = b;
    TRY_RETURN(mw_own(&labelling->owner, b, drop_sizes));
    TRY_RETURN(mw_label_prim(labelling));
    TRY_RETURN(mw_label_own_roots_new(labelling, &b->own));
    TRY_RETURN(mw_label_set_new(labelling, &kernels_label_bits_passes, &options, &b->set));
    cut_mesh(labelling, b->set->group, &b->cut);
    return label_bits_make_buffers(labelling, b);
}

/* ---- execution ---- */

/* Returns the index of the total in COUNTS. */
static size_t count_at(const struct cut *c) { return (size_t)(c->length[1] * c->length[2] * c->tiles[0]); }

static unsigned hooks_of(const struct mw_labelling *labelling)
{
    const struct bits *b = labelling->state;
    if (labelling->limits.hooks > 0)
        return labelling->limits.hooks;
    return labelling->options.dims == 3 && b->found > 0 && labelling->lattice.cells / (int64_t)b->found > LARGE_CELLS
               ? 2
               : 1;
}

/* Lists the pairs of roots across borders and hooks most roots to their components. */
static int hook(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *parents)
{
    const struct bits *b = labelling->state;
    const struct cut *c = &b->cut;
    struct mw_buffer *const *buffer = b->buffer;
    const struct mw_range all = mw_parts(b->set, (size_t)c->all_tiles);
    TRY_RETURN(launch_bits_hook(b->set, mw_items(border_segments(c) + border_sides(c)), from, buffer[KINDS], parents,
                                buffer[SEGMENTS], buffer[TOPS], buffer[END_VALUES], buffer[END_ROOTS], buffer[PAIRS],
                                buffer[LISTED]));
    TRY_RETURN(launch_bits_flatten(b->set, all, parents, buffer[EDGES], buffer[TILES]));
    for (unsigned i = 1; i < hooks_of(labelling); i++) {
        TRY_RETURN(
            launch_bits_hook_roots(b->set, mw_items(join_items(c, true)), parents, buffer[PAIRS], buffer[LISTED]));
        TRY_RETURN(launch_bits_flatten(b->set, all, parents, buffer[EDGES], buffer[TILES]));
    }
    return 0;
}

static int launch_tiles(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *parents)
{
    const struct bits *b = labelling->state;
    struct mw_buffer *const *buffer = b->buffer;
    return launch_bits_tile(b->set, mw_parts(b->set, (size_t)b->cut.all_tiles), from, parents, buffer[SEGMENTS],
                            buffer[KINDS], buffer[ROOTS], buffer[TOPS], buffer[EDGES], buffer[TILES],
                            buffer[END_VALUES], buffer[END_ROOTS]);
}

/* Returns whether the passes after the tiles run next to other work: on GPUs, which have capacity for both.  With a
 * threshold only the tiles read `from`. */
static bool runs_concurrently(const struct mw_labelling *labelling)
{
    return labelling->options.join == MW_JOIN_THRESHOLD && !labelling->at_once &&
           (labelling->limits.concurrent || mw_device_info(labelling->device)->kind == MW_DEVICE_GPU);
}

static int64_t tiles_concurrent(const struct mw_labelling *labelling)
{
    return labelling->limits.tiles_concurrent ? (int64_t)labelling->limits.tiles_concurrent : CHAIN_TILES_CONCURRENT;
}

/* Runs the passes from hooking to the numbers of roots; clears `sizes` if not NULL. */
static int find_numbers(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *parents,
                        struct mw_buffer *sizes)
{
    struct bits *b = labelling->state;
    const struct cut *c = &b->cut;
    struct mw_buffer *const *buffer = b->buffer, *counts = buffer[COUNTS];
    const bool lists =
        has_lists(c) && !(sizes && runs_concurrently(labelling) && c->all_tiles <= tiles_concurrent(labelling));
    if (lists)
        TRY_RETURN(hook(labelling, from, parents));
    if (border_segments(c) + border_sides(c) > 0)
        TRY_RETURN(launch_bits_join(b->set, mw_items(join_items(c, lists)), from, buffer[KINDS], parents,
                                    buffer[SEGMENTS], buffer[TOPS], buffer[END_VALUES], buffer[END_ROOTS],
                                    buffer[PAIRS], buffer[LISTED], lists));
    TRY_RETURN(launch_bits_settle(b->set, mw_parts(b->set, (size_t)c->all_tiles), parents, buffer[ROOTS],
                                  buffer[ROOTS_BEFORE], buffer[EDGES], buffer[EDGE_ROOTS], buffer[TILES], counts, sizes,
                                  sizes ? (uint32_t)b->room : 0));
    return mw_prim_scan(labelling->prim, counts, counts, count_at(c) + 1,
                        mw_label_root_bytes(labelling) == 8 ? MW_TYPE_I64 : MW_TYPE_I32, false, NULL);
}

static struct mw_buffer *parents_of(const struct mw_labelling *labelling, struct mw_buffer *labels)
{
    const struct bits *b = labelling->state;
    return b->own ? b->own : labels;
}

static int bits_run(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels,
                    size_t *components, size_t *iterations)
{
    struct bits *b = labelling->state;
    struct mw_buffer *const *buffer = b->buffer;
    const size_t bytes = mw_label_root_bytes(labelling);
    int64_t found = 0;
    int32_t found_32;
    TRY_RETURN(launch_tiles(labelling, from, parents_of(labelling, labels)));
    TRY_RETURN(find_numbers(labelling, from, parents_of(labelling, labels), NULL));
    TRY_RETURN(launch_bits_write(b->set, mw_parts(b->set, (size_t)b->cut.all_tiles), labels, buffer[SEGMENTS],
                                 buffer[KINDS], buffer[ROOTS], buffer[ROOTS_BEFORE], buffer[TOPS], buffer[EDGES],
                                 buffer[EDGE_ROOTS], buffer[TILES], buffer[COUNTS]));
    /* Read after everything is queued, so that the device does not wait for the host. */
    TRY_RETURN(mw_buffer_read(buffer[COUNTS], count_at(&b->cut) * bytes, bytes, bytes == 8 ? (void *)&found : &found_32,
                              NULL));
    *components = b->found = bytes == 8 ? (size_t)found : (size_t)found_32;
    *iterations = 1;
    return 0;
}

/* Reserves memory for the sizes of `count` components, and a quarter more. */
static int reserve_sizes(struct mw_labelling *labelling, size_t count)
{
    const size_t cells = (size_t)labelling->lattice.cells, room = mw_min(count + count / 4, cells);
    struct bits *b = labelling->state;
    if (b->sizes && (count <= b->room || b->room == cells))
        return 0;
    TRY_RETURN(mw_components_told_reserve(labelling->prim, room, &b->told));
    TRY_RETURN(mw_buffer_reserve(labelling->device, room * sizeof(uint32_t), &b->sizes));
    b->room = room;
    return 0;
}

/* Queues the computation of the sizes and of their totals. */
static int tell_sizes(struct mw_labelling *labelling)
{
    struct bits *b = labelling->state;
    struct mw_buffer *const *buffer = b->buffer;
    TRY_RETURN(launch_bits_sizes(b->set, mw_parts(b->set, (size_t)b->cut.all_tiles), b->sizes, buffer[SEGMENTS],
                                 buffer[KINDS], buffer[ROOTS], buffer[ROOTS_BEFORE], buffer[TOPS], buffer[EDGES],
                                 buffer[EDGE_ROOTS], buffer[TILES], buffer[COUNTS], (uint32_t)b->room));
    return mw_components_totals_read(labelling->prim, b->sizes, b->room, buffer[COUNTS], count_at(&b->cut), &b->told);
}

static int summarise_tiles(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *parents)
{
    const struct bits *b = labelling->state;
    TRY_RETURN(find_numbers(labelling, from, parents, b->sizes));
    return tell_sizes(labelling);
}

static int summarise_concurrently(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *parents)
{
    TRY_RETURN(mw_second_enter(labelling->device));
    const int rc = summarise_tiles(labelling, from, parents), left = mw_second_leave(labelling->device);
    return rc ? rc : left;
}

static int bits_begin(struct mw_labelling *labelling, struct mw_buffer *from, struct mw_buffer *labels)
{
    struct mw_buffer *const parents = parents_of(labelling, labels);
    const bool concurrent = runs_concurrently(labelling);
    struct bits *b = labelling->state;
    TRY_RETURN(
        reserve_sizes(labelling, mw_max(labelling->limits.sizes ? labelling->limits.sizes : SIZES_FIRST, b->found)));
    TRY_RETURN(launch_tiles(labelling, from, parents));
    int rc = concurrent ? summarise_concurrently(labelling, from, parents) : summarise_tiles(labelling, from, parents);
    if (!rc && !concurrent)
        rc = mw_components_told_wait(&b->told);
    if (rc) { /* so that no work in these buffers is left */
        (void)mw_components_told_wait(&b->told);
        (void)mw_device_finish(labelling->device);
    }
    return rc;
}

static int bits_end(struct mw_labelling *labelling, struct mw_components_summary *summary)
{
    struct bits *b = labelling->state;
    struct mw_components_totals totals;
    uint32_t count;
    TRY_RETURN(mw_components_totals_hear(&b->told, &totals, &count));
    b->found = count;
    if (!summary)
        return 0;
    if (count > b->room) {
        TRY_RETURN(reserve_sizes(labelling, count));
        TRY_RETURN(mw_buffer_fill(b->sizes, 0, b->room * sizeof(uint32_t), 0));
        TRY_RETURN(tell_sizes(labelling));
        TRY_RETURN(mw_components_totals_hear(&b->told, &totals, &count));
    }
    mw_components_summary_of(count, &totals, summary);
    if (labelling->options.join == MW_JOIN_THRESHOLD) {
        summary->largest_above = totals.above;
        summary->largest_below = totals.below;
        summary->cells_above = totals.side;
    }
    return 0;
}

const struct mw_label_variant mw_label_bits = { .refuses = bits_refuses,
                                                .make = bits_make,
                                                .run = bits_run,
                                                .begin = bits_begin,
                                                .end = bits_end,
                                                .concurrent = runs_concurrently };
/* SPDX-License-Identifier: MIT */
