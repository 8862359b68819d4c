/* The form with short rows of places, stored only if they contain a site: the kernels of cl/walk/rows.cl. */
#include "walk/walk_internal.h"
#include "kernels/native.h"
#include "kernels/walk/rows.h"

/* Rows are sorted by rings of RING steps around the start, of which a step updates the inner ones.  Within a ring they
 * are sorted by position, so that adjacent rows are close in memory. */
#define RING 64

struct rows {
    size_t rings;
    size_t *within; /* per ring: number of rows up to its end */
};

struct making {
    struct mw_walk_device *part;
    struct mw_walk_boxes boxes;
    int32_t width;
    int32_t *row; /* row of each box, counted from 1 */
    int32_t *neighbours;
    uint32_t *codes; /* one byte per place; a word has the bytes of four rows */
};

struct ranked {
    int32_t ring, box;
    uint64_t key;
};

static int by_rank(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->ring != b->ring ? (a->ring > b->ring) - (a->ring < b->ring) : (a->key > b->key) - (a->key < b->key);
}

/* Finds the ring of each box.  Boxes are in the order of their nearest sites. */
static int find_rings(const struct making *m, struct ranked *ranked)
{
    const struct mw_walk_device *p = m->part;
    int32_t *number = NULL, *nearest = NULL;
    size_t boxes = 0;
    int rc;
    TRY(mw_new(m->boxes.count, sizeof *number, &number));
    TRY(mw_new(m->boxes.count, sizeof *nearest, &nearest));
    for (size_t i = 0; i < p->all; i++)
        if ((size_t)m->boxes.of[i] == boxes)
            number[boxes++] = (int32_t)i;
    mw_walk_sites_distances(&p->whole->sites, number, boxes, nearest);
    for (size_t b = 0; b < boxes; b++)
        ranked[b] = (struct ranked){ nearest[b] / RING, (int32_t)b, m->boxes.key[b] };
out:
    free(nearest);
    free(number);
    return rc;
}

static int rank(struct making *m, struct rows *own)
{
    const size_t count = m->boxes.count;
    struct ranked *ranked = NULL;
    int rc;
    TRY(mw_new(count, sizeof *ranked, &ranked));
    TRY(mw_new(count, sizeof *m->row, &m->row));
    TRY(find_rings(m, ranked));
    own->rings = (size_t)ranked[count - 1].ring + 1;
    TRY(mw_own_new(&m->part->owner, own->rings, sizeof *own->within, &own->within));
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && ranked[end].ring == ranked[begin].ring; end++)
            ;
        qsort(ranked + begin, end - begin, sizeof *ranked, by_rank);
        own->within[ranked[begin].ring] = end;
    }
    for (size_t ring = 1; ring < own->rings; ring++)
        if (own->within[ring] == 0) /* all its sites are in rows of earlier rings */
            own->within[ring] = own->within[ring - 1];
    for (size_t i = 0; i < count; i++)
        m->row[ranked[i].box] = (int32_t)i + 1;
out:
    free(ranked);
    return rc;
}

static size_t code_count(const struct making *m) { return (m->boxes.count / 4 + 1) * (size_t)m->width; }

static int make_rows(struct making *m)
{
    struct mw_walk_device *p = m->part;
    const unsigned dims = p->whole->sites.dims, sides = 2 * dims;
    const size_t count = m->boxes.count + 1;
    TRY_RETURN(mw_new(count * sides, sizeof *m->neighbours, &m->neighbours));
    for (size_t b = 0; b + 1 < count; b++)
        for (unsigned j = 0; j < sides; j++) {
            const int32_t other =
                mw_walk_boxes_find(&m->boxes, mw_walk_boxes_neighbours(&m->boxes, m->boxes.key[b], j));
            m->neighbours[(size_t)m->row[b] * sides + j] = other < 0 ? 0 : m->row[other];
        }
    TRY_RETURN(mw_new(code_count(m), sizeof *m->codes, &m->codes));
    TRY_RETURN(mw_new(p->all, sizeof *p->cell, &p->cell));
    memset(m->codes, WALK_NO_SITE, code_count(m) * sizeof *m->codes);
    for (size_t i = 0; i < p->all; i++) {
        const int32_t x = p->whole->sites.places[i * dims] % m->width;
        const size_t row = (size_t)m->row[m->boxes.of[i]], lane = (size_t)(x < 0 ? x + m->width : x);
        uint32_t code = 0;
        for (unsigned j = 0; j < sides; j++)
            code += (size_t)p->neighbours[j * p->own + i] == p->all;
        p->cell[i] = (int32_t)(row * (size_t)m->width + lane);
        m->codes[row / 4 * (size_t)m->width + lane] ^= (code ^ WALK_NO_SITE) << row % 4 * 8;
    }
    return 0;
}

static int forms_rows_make(struct mw_walk_device *p, void **first)
{
    static mw_walk_native native = MW_WALK_NATIVE(rows);
    const bool fp64 = !p->whole->options.single;
    const unsigned dims = p->whole->sites.dims;
    struct making m = { .part = p,
                        .width = fp64 ? WALK_ROW_DOUBLE : WALK_ROW_SINGLE,
                        .boxes.edge = { fp64 ? WALK_ROW_DOUBLE : WALK_ROW_SINGLE, 1, 1 } };
    struct rows *own;
    int rc;
    TRY(mw_walk_device_build(p, &kernels_walk_rows, native, "VEC", (int)m.width, 0));
    TRY(mw_own_new(&p->owner, 1, sizeof *own, &own));
    p->own_form = own;
    TRY(mw_walk_boxes_make(&p->whole->sites, NULL, p->all, &m.boxes));
    p->cells = (m.boxes.count + 1) * (size_t)m.width;
    if (p->cells > INT32_MAX)
        TRY(mw_fail(MW_ELIMIT, "variant rows supports at most %d places: use another variant", INT32_MAX));
    TRY(rank(&m, own));
    TRY(make_rows(&m));
    TRY(mw_walk_device_send(p, 0, m.neighbours, (m.boxes.count + 1) * 2 * dims * sizeof *m.neighbours));
    TRY(mw_walk_device_send(p, 1, m.codes, code_count(&m) * sizeof *m.codes));
out:
    mw_walk_boxes_clear(&m.boxes);
    free(m.row);
    free(m.neighbours);
    free(m.codes);
    return rc;
}

static int forms_rows_step(struct mw_walk_device *p, size_t n, uint64_t distance, unsigned steps)
{
    const struct rows *own = p->own_form;
    const uint64_t ring = distance / RING;
    int64_t each;
    n = own->within[ring < own->rings ? ring : own->rings - 1];
    const struct mw_range range = mw_walk_range(p, n, MW_WALK_EACH, &each);
    return launch_walk_rows(p->set, range, p->state[p->turn], p->state[1 - p->turn], p->tables[0], p->tables[1],
                            (int64_t)n, each);
}

/* Estimates the sites per row.  Memory of the construction on the host is smaller, and is freed before states are
 * allocated. */
static double forms_rows_bytes(const struct mw_walk_size *size)
{
    const double width = size->real_bytes == sizeof(double) ? WALK_ROW_DOUBLE : WALK_ROW_SINGLE;
    const double rows = size->sites / (1 + (width - 1) * size->in_row / 2);
    return rows * (width * (2.0 * (double)size->real_bytes + 1) + 8.0 * size->dims);
}

const struct mw_walk_form mw_walk_rows = { .make = forms_rows_make,
                                           .step = forms_rows_step,
                                           .bytes = forms_rows_bytes };
/* SPDX-License-Identifier: MIT */
