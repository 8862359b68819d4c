/* Converts a map to a plan: as few loops as possible, in the form that a kernel reads (cl/lattice/plan.clh). */
#include <inttypes.h>

#include "lattice/transform_internal.h"

#define INDEX_64 1
#include "lattice/plan.clh"

#define SEGMENT 16384     /* cells of a row per unit of work: threads share long rows */
#define AHEAD_BYTES 32768 /* maximum size of rows that are prefetched */
#define SHORT_RUN 8       /* minimum mean length of runs; with shorter ones a row uses its table */
#define LOCAL_BYTES 8192  /* size of a tile in local memory: several work-groups fit into a compute unit */

/* Size of source and result together that exceeds caches. */
#define STREAM_BYTES ((size_t)32 << 20)

/* ---- loops ---- */

static bool table_is_affine(const struct mw_loop *l, int64_t *stride)
{
    *stride = 0;
    if (l->table[0] == MW_OUTSIDE || (l->length > 1 && l->table[1] == MW_OUTSIDE))
        return false;
    if (l->length > 1)
        *stride = l->table[1] - l->table[0];
    for (size_t x = 0; x < l->length; x++)
        if (l->table[x] == MW_OUTSIDE || l->table[x] - l->table[0] != (int64_t)x * *stride)
            return false;
    return true;
}

/* Collects the digits of the map as loops: skips those of length 1, replaces affine tables by strides, and merges
 * digits that continue each other. */
static void lattice_plan_collect(const struct mw_map *m, struct mw_plan *p)
{
    unsigned all = 0;
    int64_t to = 1;
    p->from = m->base;
    for (unsigned d = 0; d < m->dims; d++)
        all += m->axis_count[d];
    for (unsigned a = 0; a < all; a++) {
        struct mw_loop l = { m->axis[a].length, m->axis[a].stride, to, m->axis[a].table };
        to *= (int64_t)l.length;
        if (l.table && l.length && table_is_affine(&l, &l.stride)) {
            p->from += l.table[0];
            l.table = NULL;
        }
        if (l.length == 1 && !l.table)
            continue;
        struct mw_loop *last = p->loops ? &p->loop[p->loops - 1] : NULL;
        if (last && !last->table && !l.table && l.stride == last->stride * (int64_t)last->length)
            last->length *= l.length;
        else
            p->loop[p->loops++] = l;
    }
    if (p->loops == 0)
        p->loop[p->loops++] = (struct mw_loop){ 1, 1, 1, NULL };
}

void mw_plan_make(const struct mw_map *map, size_t element_bytes, struct mw_plan *p)
{
    *p = (struct mw_plan){
        .map = map, .cells = map->cells, .source_cells = 1, .element_bytes = element_bytes, .stream_bytes = STREAM_BYTES
    };
    for (unsigned d = 0; d < map->source_dims; d++)
        p->source_cells *= map->source_length[d];
    if (map->dense)
        p->loop[p->loops++] = (struct mw_loop){ map->cells, 0, 1, map->dense };
    else
        lattice_plan_collect(map, p);
}

void mw_plan_free(struct mw_plan *p)
{
    free(p->word);
    p->word = NULL;
}

unsigned mw_plan_source_loop(const struct mw_plan *p)
{
    if (p->loop[0].table)
        return 0;
    for (unsigned a = 0; a < p->loops; a++)
        if (!p->loop[a].table && (p->loop[a].stride == 1 || p->loop[a].stride == -1))
            return a;
    return 0;
}

/* ---- words of the plan ---- */

static int lattice_plan_add(struct mw_plan *p, const int64_t *words, size_t n)
{
    if (p->words + n > p->capacity) {
        const size_t capacity = 2 * (p->words + n) + 64;
        int64_t *larger = realloc(p->word, capacity * sizeof *larger);
        if (!larger)
            return mw_fail(MW_ENOMEM, "out of memory for the plan of a transform");
        p->word = larger;
        p->capacity = capacity;
    }
    memcpy(p->word + p->words, words, n * sizeof *words);
    p->words += n;
    return 0;
}

static bool is_large(const struct mw_plan *p)
{
    return (p->cells + p->source_cells) * p->element_bytes >= p->stream_bytes;
}

/* Writes all words but the parts of a row. */
static int lattice_plan_write(struct mw_plan *p, bool stream)
{
    /* clang-format off */
    const int64_t head[PLAN_FIRST_AXIS] = {
        [PLAN_AXES] = p->loops, [PLAN_FROM] = p->from, [PLAN_TO] = p->to, [PLAN_STREAM] = stream,
        [PLAN_SEGMENT] = SEGMENT, [PLAN_RUNS] = p->runs, [PLAN_STREAMS] = p->streams,
        [PLAN_TILE_0] = (int64_t)p->tile[0], [PLAN_TILE_1] = (int64_t)p->tile[1],
    };
    /* clang-format on */
    p->words = 0;
    TRY_RETURN(lattice_plan_add(p, head, PLAN_FIRST_AXIS));
    for (unsigned a = 0; a < p->loops; a++) {
        const int64_t axis[AXIS_WORDS] = { (int64_t)p->loop[a].length, p->loop[a].stride, 0, p->loop[a].to };
        TRY_RETURN(lattice_plan_add(p, axis, AXIS_WORDS));
    }
    for (unsigned a = 0; a < p->loops; a++) {
        if (!p->loop[a].table)
            continue;
        p->word[PLAN_FIRST_AXIS + a * AXIS_WORDS + AXIS_TABLE] = (int64_t)p->words;
        TRY_RETURN(lattice_plan_add(p, p->loop[a].table, p->loop[a].length));
    }
    return 0;
}

/* ---- rows ---- */

/* Finds the next run of a table: cells of one stride, or of the fill value.  Returns its end. */
static size_t next_run(const struct mw_loop *l, size_t x, int64_t *run)
{
    const int64_t start = l->table[x];
    int64_t stride = 1;
    size_t end = x + 1;
    if (start == MW_OUTSIDE) {
        while (end < l->length && l->table[end] == MW_OUTSIDE)
            end++;
    } else if (end < l->length && l->table[end] != MW_OUTSIDE) {
        stride = l->table[end] - start;
        while (end < l->length && l->table[end] != MW_OUTSIDE && l->table[end] - l->table[end - 1] == stride)
            end++;
    }
    memcpy(run, (int64_t[]){ (int64_t)x, (int64_t)(end - x), start, stride }, RUN_WORDS * sizeof *run);
    return end;
}

/* Adds the runs of a table, unless they are too short to be worth it. */
static int add_runs_of_table(struct mw_plan *p)
{
    const struct mw_loop *l = &p->loop[0];
    const size_t start = p->words;
    int64_t run[RUN_WORDS], count = 0;
    for (size_t x = 0; x < l->length; count++) {
        x = next_run(l, x, run);
        TRY_RETURN(lattice_plan_add(p, run, RUN_WORDS));
    }
    if ((size_t)count * SHORT_RUN > l->length) {
        p->words = start;
    } else {
        p->word[PLAN_PARTS] = (int64_t)start;
        p->word[PLAN_RUNS] = count;
    }
    return 0;
}

/* Returns whether each n cells of the table repeat the previous n, one source cell further. */
static bool table_has_streams(const struct mw_loop *l, size_t n)
{
    for (size_t x = 0; x < l->length; x++)
        if (l->table[x] == MW_OUTSIDE || (x >= n && l->table[x] != l->table[x - n] + 1))
            return false;
    return true;
}

static void remove_loop(struct mw_plan *p, unsigned a)
{
    p->loops--;
    memmove(&p->loop[a], &p->loop[a + 1], (p->loops - a) * sizeof *p->loop);
}

/* Merges short loops into the row.  A row of n cells, each the start of a stretch, becomes n streams; n consecutive
 * stretches become n runs. */
static void find_parts(struct mw_plan *p)
{
    struct mw_loop *l = p->loop;
    if (l[0].table) {
        for (unsigned n = 2; n <= STREAMS_MAX && !p->streams && l[0].length >= 4 * n; n++)
            if (table_has_streams(&l[0], n))
                p->streams = n;
        for (unsigned r = 0; r < p->streams; r++)
            p->part[r] = l[0].table[r];
    } else if (p->loops > 1 && !l[1].table && l[1].stride == 1 && l[0].length <= STREAMS_MAX) {
        p->streams = (unsigned)l[0].length;
        for (unsigned r = 0; r < p->streams; r++)
            p->part[r] = r * l[0].stride;
        l[0].length *= l[1].length;
        remove_loop(p, 1);
    } else {
        const size_t length = l[0].length,
                     runs = p->loops > 1 && !l[1].table && l[1].length <= 8 && length < SEGMENT / 8 ? l[1].length : 1;
        p->runs = (unsigned)runs;
        for (size_t r = 0; r < runs; r++)
            memcpy(p->part + r * RUN_WORDS,
                   (int64_t[]){ (int64_t)(r * length), (int64_t)length, (int64_t)r * l[1].stride, l[0].stride },
                   RUN_WORDS * sizeof *p->part);
        if (runs > 1) {
            l[0].length *= runs;
            remove_loop(p, 1);
        }
    }
}

/* Returns whether the row de-interleaves a stretch of the source, for which rows.clh has a faster loop. */
static bool is_unwoven(const struct mw_plan *p)
{
    bool unwoven = p->runs == 4 || p->runs == 8;
    for (unsigned r = 0; r < p->runs; r++)
        unwoven = unwoven && p->part[r * RUN_WORDS + 2] == r && p->part[r * RUN_WORDS + 3] == p->runs;
    return unwoven;
}

/* Hardware does not prefetch short rows with gaps: sets the source cells of a row, which are prefetched during the row
 * before it. */
static void look_ahead(struct mw_plan *p)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    if (!p->runs || p->loops < 2 || p->loop[1].table)
        return;
    for (unsigned r = 0; r < p->runs; r++) {
        const int64_t *run = p->part + r * RUN_WORDS, last = run[2] + (run[1] - 1) * run[3];
        low = run[2] < low ? run[2] : low;
        low = last < low ? last : low;
        high = run[2] > high ? run[2] : high;
        high = last > high ? last : high;
    }
    if ((high - low) * (int64_t)p->element_bytes >= AHEAD_BYTES || p->loop[1].stride == high - low + 1)
        return;
    p->word[PLAN_AHEAD] = high - low + 1;
    p->word[PLAN_AHEAD_FROM] = low;
}

int mw_plan_rows(struct mw_plan *p, bool stream)
{
    find_parts(p);
    stream = stream && is_large(p);
    TRY_RETURN(lattice_plan_write(p, stream));
    if (stream)
        look_ahead(p);
    if (is_unwoven(p))
        p->word[PLAN_UNWOVEN] = p->runs;
    if (p->streams || p->runs) {
        p->word[PLAN_PARTS] = (int64_t)p->words;
        TRY_RETURN(lattice_plan_add(p, p->part, p->streams ? p->streams : p->runs * RUN_WORDS));
    } else {
        TRY_RETURN(add_runs_of_table(p));
    }
    const size_t row = p->loop[0].length;
    p->count = (int64_t)(p->cells / row * ((row + SEGMENT - 1) / SEGMENT));
    p->unit_bytes = (row < SEGMENT ? row : SEGMENT) * p->element_bytes;
    return 0;
}

/* ---- tiles ---- */

/* Returns whether all rows of the result begin at cache lines, so that a tile one line wide can be written directly. */
static bool writes_lines(const struct mw_plan *p)
{
    const int64_t line = (int64_t)(64 / p->element_bytes);
    bool lines = p->to % line == 0;
    for (unsigned a = 1; a < p->loops; a++)
        lines = lines && p->loop[a].to % line == 0;
    return lines;
}

/* Tiles are narrow along the result and long along the source, so that few streams are read, far ahead.  If one side is
 * short, the other is extended. */
static void tile_sides(struct mw_plan *p, bool stream)
{
    const size_t line = 64 / p->element_bytes;
    const size_t lines = stream && writes_lines(p) ? 1 : TILE_LINES;
    const size_t usual[2] = { lines * line, stream           ? (lines == 1 ? 16384 : 4096) / p->element_bytes
                                            : 16 * line < 64 ? 64
                                                             : 16 * line };
    for (int a = 0; a < 2; a++)
        p->tile[a] = p->loop[a].length < usual[a] ? p->loop[a].length : usual[a];
    for (int a = 0; a < 2; a++) {
        const size_t room = usual[0] * usual[1] / p->tile[!a];
        if (p->tile[!a] < 8)
            p->tile[a] = p->loop[a].length < room ? p->loop[a].length : room;
    }
}

/* Makes loop 1 the one along which the source is contiguous, upwards. */
static void put_source_second(struct mw_plan *p)
{
    const unsigned a = mw_plan_source_loop(p);
    struct mw_loop along = p->loop[a];
    if (along.stride < 0) {
        const int64_t end = (int64_t)along.length - 1;
        p->from += end * along.stride;
        p->to += end * along.to;
        along.stride = -along.stride;
        along.to = -along.to;
    }
    memmove(&p->loop[2], &p->loop[1], (a - 1) * sizeof *p->loop);
    p->loop[1] = along;
}

static size_t quotient_up(size_t n, size_t by) { return (n + by - 1) / by; }

static size_t count_tiles(const struct mw_plan *p, size_t side0, size_t side1)
{
    const struct mw_loop *l = p->loop;
    return p->cells / l[0].length / l[1].length * quotient_up(l[0].length, side0) * quotient_up(l[1].length, side1);
}

int mw_plan_tiles(struct mw_plan *p, bool stream)
{
    put_source_second(p);
    stream = stream && is_large(p);
    tile_sides(p, stream);
    TRY_RETURN(lattice_plan_write(p, stream));
    p->count = (int64_t)count_tiles(p, p->tile[0], p->tile[1]);
    p->unit_bytes = p->tile[0] * p->tile[1] * p->element_bytes;
    return 0;
}

/* ---- single cells ---- */

int mw_plan_points(struct mw_plan *p, bool stream)
{
    p->count = (int64_t)p->cells;
    p->unit_bytes = p->element_bytes;
    return lattice_plan_write(p, false);
}

/* ---- work-groups ---- */

size_t mw_plan_at_once(size_t element_bytes) { return element_bytes < 4 ? 8 : 32 / element_bytes; }

/* A work-group moves a block of a row, or several short rows, at once. */
int mw_plan_blocks(struct mw_plan *p, bool stream)
{
    const size_t length = p->loop[0].length, cells = p->group * mw_plan_at_once(p->element_bytes);
    p->tile[0] = 1;
    while (p->tile[0] < cells && p->tile[0] < length)
        p->tile[0] *= 2;
    p->tile[1] = cells / p->tile[0];
    p->count = (int64_t)(quotient_up(length, p->tile[0]) * quotient_up(p->cells / length, p->tile[1]));
    return lattice_plan_write(p, false);
}

/* The longer side is along the result: lines that are partly written cost more than lines that are read twice. */
static void local_sides(size_t element_bytes, size_t *side)
{
    side[0] = side[1] = 1;
    while (side[0] * side[1] * element_bytes < LOCAL_BYTES)
        side[side[1] < side[0]] *= 2;
}

int mw_plan_local(struct mw_plan *p, bool stream)
{
    put_source_second(p);
    local_sides(p->element_bytes, p->tile);
    p->count = (int64_t)count_tiles(p, p->tile[0], p->tile[1]);
    return lattice_plan_write(p, false);
}

bool mw_plan_suits_local(const struct mw_plan *p)
{
    const unsigned a = mw_plan_source_loop(p);
    const size_t length = p->loop[0].length, along = p->loop[a].length;
    size_t side[2];
    local_sides(p->element_bytes, side);
    return a && llabs(p->loop[0].stride) > MW_PLAN_PICKED && along > MW_PLAN_PICKED && length >= side[0] / 2 &&
           length * along * p->element_bytes >= LOCAL_BYTES / 2;
}

/* ---- in place ---- */

/* Returns whether each axis exchanges places with another one or with itself, in the same direction.  Since the map
 * stays inside, it is then its own inverse. */
static bool exchanges_axes(const int64_t *plan)
{
    const int64_t axes = plan[PLAN_AXES];
    for (int64_t a = 0; a < axes; a++) {
        const int64_t stride = AXIS(a, AXIS_STRIDE), to = AXIS(a, AXIS_TO);
        bool found = false;
        for (int64_t b = 0; b < axes; b++)
            found = found || (AXIS(b, AXIS_TO) == llabs(stride) && AXIS(b, AXIS_LENGTH) == AXIS(a, AXIS_LENGTH) &&
                              AXIS(b, AXIS_STRIDE) == (stride < 0 ? -to : to) && !AXIS(b, AXIS_TABLE));
        if (!found || AXIS(a, AXIS_TABLE))
            return false;
    }
    return true;
}

bool mw_plan_is_involution(const struct mw_plan *p)
{
    kindex once, twice, to;
    if (p->cells != p->source_cells)
        return false;
    if (p->cells == 0 || exchanges_axes(p->word))
        return true;
    for (size_t k = 0; k < p->cells; k++)
        if (!place(p->word, 0, (kindex)k, &once, &to) || !place(p->word, 0, once, &twice, &to) || twice != (kindex)k)
            return false;
    return true;
}

/* ---- plans as macros, for programs that are built for one plan ---- */

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
