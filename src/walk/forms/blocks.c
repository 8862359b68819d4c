/* The form with blocks of sites and borders, several steps per launch: the kernel of cl/walk/blocks.cl. */
#include <math.h>

#include "dev/core/backend.h"
#include "walk/walk_internal.h"
#include "kernels/native.h"
#include "kernels/walk/blocks.h"

enum { GROUP = 256, GROUP_LEAST = 64, ROOM = 4096, GROUP_BYTES = 16384, OWN_LEAST = 256, SAMPLES = 32 };

/* Time of a launch, in updates of a site by a compute unit: 9 us, at three updates per cycle. */
#define LAUNCH 40000.0

struct blocks {
    size_t count;
    int32_t *nearest; /* number of steps to the nearest site of each block, ascending */
};

/* Description of a block for the kernel, and the smallest number of its sites. */
struct block {
    int32_t told[WALK_BLOCK], least;
};

/* Data of the construction. */
struct making {
    struct mw_walk_device *part;
    struct mw_owner owner; /* frees the arrays that never grow */
    struct mw_walk_boxes boxes;
    int32_t *first; /* [boxes + 1] index in `site` of the first site of each box */
    int32_t *site;  /* sites in the order of their boxes */
    int32_t room, own_most, steps;
    int32_t near[ROOM]; /* sites of the current block, ring by ring */
    int32_t *place;     /* index of each site in the last block that contains it */
    int32_t *seen, looks;
    struct block *blocks;
    int32_t *around;
    uint32_t *words;
    size_t count, around_count, word_count, blocks_room, around_room, words_room;
    bool crowded; /* a single box has no room for its border */
};

/* ---- Morton order of boxes, so that adjacent boxes are close: coordinates with interleaved bits ---- */

struct ranked {
    uint64_t turn;
    int32_t box;
};

static int by_turn(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return (a->turn > b->turn) - (a->turn < b->turn);
}

static uint64_t turn_of(const struct mw_walk_boxes *b, size_t box)
{
    uint32_t place[MW_CARPET_DIMS_MAX];
    uint64_t turn = 0;
    mw_walk_boxes_place(b, b->key[box], place);
    for (unsigned bit = 0; bit < 64; bit++)
        turn |= (uint64_t)(place[bit % b->dims] >> bit / b->dims & 1) << bit;
    return turn;
}

static int order_boxes(const struct making *m, int32_t *rank)
{
    struct ranked *ranked = NULL;
    int rc;
    TRY(mw_new(m->boxes.count, sizeof *ranked, &ranked));
    for (size_t b = 0; b < m->boxes.count; b++)
        ranked[b] = (struct ranked){ turn_of(&m->boxes, b), (int32_t)b };
    qsort(ranked, m->boxes.count, sizeof *ranked, by_turn);
    for (size_t b = 0; b < m->boxes.count; b++)
        rank[ranked[b].box] = (int32_t)b;
out:
    free(ranked);
    return rc;
}

static int box_sites(struct making *m)
{
    const struct mw_walk_device *p = m->part;
    const int32_t edge = p->whole->sites.dims == 2 ? 8 : 4;
    int32_t *rank = NULL, *filled = NULL;
    int rc;
    for (unsigned d = 0; d < p->whole->sites.dims; d++)
        m->boxes.edge[d] = edge;
    TRY(mw_walk_boxes_make(&p->whole->sites, NULL, p->all, &m->boxes));
    TRY(mw_new(m->boxes.count, sizeof *rank, &rank));
    TRY(order_boxes(m, rank));
    TRY(mw_own_new(&m->owner, m->boxes.count + 1, sizeof *m->first, &m->first));
    TRY(mw_new(m->boxes.count, sizeof *filled, &filled));
    TRY(mw_own_new(&m->owner, p->all, sizeof *m->site, &m->site));
    for (size_t i = 0; i < p->all; i++)
        m->first[rank[m->boxes.of[i]] + 1]++;
    for (size_t b = 0; b < m->boxes.count; b++)
        m->first[b + 1] += m->first[b];
    for (size_t i = 0; i < p->all; i++) {
        const int32_t box = rank[m->boxes.of[i]];
        m->site[m->first[box] + filled[box]++] = (int32_t)i;
    }
out:
    free(filled);
    free(rank);
    return rc;
}

/* ---- blocks ---- */

/* Collects boxes begin to end - 1 with their border in `near`; within[s] is the number of sites at most s steps away.
 * Returns false if the block exceeds own_most or the room. */
static bool surround(struct making *m, int32_t begin, int32_t end, int32_t within[WALK_BLOCK_STEPS + 1])
{
    const struct mw_walk_device *p = m->part;
    const unsigned sides = 2 * p->whole->sites.dims;
    const int32_t own = m->first[end] - m->first[begin];
    int32_t count = own;
    if (own > m->own_most)
        return false;
    m->looks++;
    memcpy(m->near, m->site + m->first[begin], (size_t)own * sizeof *m->near);
    for (int32_t i = 0; i < own; i++) {
        m->seen[m->near[i]] = m->looks;
        m->place[m->near[i]] = i;
    }
    within[0] = own;
    for (int32_t s = 1, i = 0; s <= m->steps; s++) {
        for (; i < within[s - 1]; i++)
            for (unsigned j = 0; j < sides; j++) {
                const int32_t other = p->neighbours[j * p->own + (size_t)m->near[i]];
                if ((size_t)other >= p->all || m->seen[other] == m->looks)
                    continue;
                if (count == m->room - 1)
                    return false;
                m->seen[other] = m->looks;
                m->place[other] = count;
                m->near[count++] = other;
            }
        within[s] = count;
    }
    for (int32_t s = m->steps + 1; s <= WALK_BLOCK_STEPS; s++)
        within[s] = count;
    return true;
}

/* Packs two places of neighbours into each word.  Neighbours that are not sites get the last place, which holds 0; the
 * first word also counts inaccessible neighbours. */
static void add_words(struct making *m, int32_t updated)
{
    const struct mw_walk_device *p = m->part;
    const unsigned dims = p->whole->sites.dims;
    for (int32_t i = 0; i < updated; i++) {
        uint32_t place[2 * MW_CARPET_DIMS_MAX], closed = 0;
        for (unsigned j = 0; j < 2 * dims; j++) {
            const size_t other = (size_t)p->neighbours[j * p->own + (size_t)m->near[i]];
            place[j] = (uint32_t)(other < p->all ? m->place[other] : m->room - 1);
            closed += other == p->all;
        }
        for (unsigned w = 0; w < dims; w++)
            m->words[m->word_count + w * (size_t)updated + (size_t)i] =
                place[2 * w] | (w == 0 ? closed << 12 : 0) | place[2 * w + 1] << 16;
    }
    m->word_count += dims * (size_t)updated;
}

static int add_block(struct making *m, const int32_t within[WALK_BLOCK_STEPS + 1])
{
    enum { LINE = 32 }; /* blocks start at a multiple of this, a line of memory */
    struct mw_walk_device *p = m->part;
    const int32_t own = within[0], all = within[m->steps], updated = within[m->steps - 1];
    struct block *block;
    TRY_RETURN(mw_walk_grow(&m->blocks, m->count, 1, sizeof *m->blocks, &m->blocks_room));
    TRY_RETURN(mw_walk_grow(&m->around, m->around_count, (size_t)(all - own), sizeof *m->around, &m->around_room));
    TRY_RETURN(mw_walk_grow(&m->words, m->word_count, p->whole->sites.dims * (size_t)updated, sizeof *m->words,
                            &m->words_room));
    block = &m->blocks[m->count++];
    *block =
        (struct block){ { (int32_t)p->cells, (int32_t)m->word_count, (int32_t)m->around_count, updated }, m->near[0] };
    memcpy(block->told + WALK_BLOCK_WITHIN, within, (WALK_BLOCK_STEPS + 1) * sizeof *within);
    for (int32_t i = 0; i < own; i++) {
        p->cell[m->near[i]] = (int32_t)p->cells + i;
        block->least = m->near[i] < block->least ? m->near[i] : block->least;
    }
    for (int32_t i = own; i < all; i++)
        m->around[m->around_count++] = m->near[i];
    add_words(m, updated);
    p->cells += (size_t)((own + LINE - 1) / LINE * LINE);
    if (p->cells > INT32_MAX - ROOM || m->word_count > INT32_MAX - 3 * ROOM || m->around_count > INT32_MAX - ROOM)
        return mw_fail(MW_ELIMIT, "variant blocks supports at most %d places: use another variant", INT32_MAX);
    return 0;
}

/* Makes blocks of boxes begin to end - 1: halves them until they fit, or until a single box does not fit. */
static int forms_blocks_make_blocks(struct making *m, int32_t begin, int32_t end)
{
    int32_t within[WALK_BLOCK_STEPS + 1], middle = begin + 1;
    if (m->crowded)
        return 0;
    if (surround(m, begin, end, within))
        return add_block(m, within);
    m->crowded = end == begin + 1;
    while (middle < end - 1 && m->first[middle] - m->first[begin] < m->first[end] - m->first[middle])
        middle++;
    TRY_RETURN(forms_blocks_make_blocks(m, begin, middle));
    return forms_blocks_make_blocks(m, middle, end);
}

/* Halves the number of steps until all blocks fit; one step always fits. */
static int make_all_blocks(struct making *m)
{
    for (m->crowded = true; m->crowded; m->steps /= m->crowded ? 2 : 1) {
        m->part->cells = m->count = m->around_count = m->word_count = 0;
        m->crowded = false;
        TRY_RETURN(forms_blocks_make_blocks(m, 0, (int32_t)m->boxes.count));
    }
    return 0;
}

/* ---- number of steps ---- */

/* Estimates the updates per step and compute unit from samples; HUGE_VAL if blocks do not fit. */
static double cost_of(struct making *m)
{
    const unsigned units = mw_device_info(m->part->device)->compute_units;
    const int32_t boxes = (int32_t)m->boxes.count;
    double own = 0, updates = 0;
    for (int32_t sample = 0; sample < SAMPLES; sample++) {
        int32_t within[WALK_BLOCK_STEPS + 1], begin = (int32_t)((int64_t)sample * boxes / SAMPLES), end = begin + 1;
        while (end < boxes && m->first[end + 1] - m->first[begin] <= m->own_most)
            end++;
        while (!surround(m, begin, end, within)) {
            if (end == begin + 1)
                return HUGE_VAL;
            end = begin + (end - begin) / 2;
        }
        own += within[0];
        for (int32_t s = 0; s < m->steps; s++)
            updates += within[s];
    }
    const double all = updates / own * (double)m->part->all / (units ? units : 1);
    return (all > LAUNCH ? all : LAUNCH) / m->steps;
}

/* Chooses the size of blocks, for about two or more per compute unit, and the best number of steps. */
static void forms_blocks_choose(struct making *m)
{
    const struct mw_device_info *info = mw_device_info(m->part->device);
    const size_t units = info->compute_units ? info->compute_units : 1, share = m->part->all / (2 * units);
    double least = HUGE_VAL;
    int32_t best = 1;
    m->own_most = share < OWN_LEAST ? OWN_LEAST : share > (size_t)m->room / 2 ? m->room / 2 : (int32_t)share;
    for (m->steps = 1; m->steps <= WALK_BLOCK_STEPS; m->steps *= 2) {
        const double cost = cost_of(m);
        if (cost < least) {
            least = cost;
            best = m->steps;
        }
    }
    m->steps = best;
    mw_log(MW_LOG_INFO, "%s: blocks of up to %d sites, %d steps per launch", info->id, m->own_most, m->steps);
}

/* ---- construction ---- */

static int by_least(const void *left, const void *right)
{
    const struct block *a = left, *b = right;
    return (a->least > b->least) - (a->least < b->least);
}

/* Copies the blocks to the device, nearest first. */
static int send_blocks(struct making *m, struct blocks *own)
{
    struct mw_walk_device *p = m->part;
    int32_t *least = NULL, *told = NULL;
    int rc;
    own->count = m->count;
    TRY(mw_new(m->count, sizeof *least, &least));
    TRY(mw_own_new(&m->part->owner, m->count, sizeof *own->nearest, &own->nearest));
    TRY(mw_new(m->count, WALK_BLOCK * sizeof *told, &told));
    qsort(m->blocks, m->count, sizeof *m->blocks, by_least);
    for (size_t b = 0; b < m->count; b++) {
        least[b] = m->blocks[b].least;
        memcpy(told + b * WALK_BLOCK, m->blocks[b].told, sizeof m->blocks[b].told);
    }
    mw_walk_sites_distances(&p->whole->sites, least, m->count, own->nearest);
    TRY(mw_walk_device_send(p, 1, told, m->count * WALK_BLOCK * sizeof *told));
out:
    free(least);
    free(told);
    return rc;
}

static int make_all(struct making *m, struct blocks *own)
{
    struct mw_walk_device *p = m->part;
    TRY_RETURN(box_sites(m));
    TRY_RETURN(mw_own_new(&m->owner, p->all, sizeof *m->place, &m->place));
    TRY_RETURN(mw_own_new(&m->owner, p->all, sizeof *m->seen, &m->seen));
    TRY_RETURN(mw_new(p->all, sizeof *p->cell, &p->cell));
    forms_blocks_choose(m);
    TRY_RETURN(make_all_blocks(m));
    p->together = (unsigned)m->steps;
    for (size_t i = 0; i < m->around_count; i++)
        m->around[i] = p->cell[m->around[i]];
    TRY_RETURN(mw_walk_device_send(p, 0, m->words, m->word_count * sizeof *m->words));
    TRY_RETURN(send_blocks(m, own));
    return mw_walk_device_send(p, 2, m->around, m->around_count * sizeof *m->around);
}

/* Sets the room: sites of a block with its border, a power of two.  A work-group holds two states of it, at most
 * GROUP_BYTES, so that several work-groups per unit hide latencies.  (With twice as much a walk took 1.4 times as
 * long.) */
static int find_room(struct making *m)
{
    const struct mw_device_info *info = mw_device_info(m->part->device);
    const uint64_t most = info->local_bytes < GROUP_BYTES ? info->local_bytes : GROUP_BYTES;
    m->room = ROOM;
    while (!info->traits->has_cores && 2 * (size_t)m->room * m->part->whole->real_bytes > most)
        m->room /= 2;
    if (m->room < 2 * OWN_LEAST)
        return mw_fail(MW_ENOTSUP, "variant blocks needs more local memory than %s has: use another variant", info->id);
    return 0;
}

static int forms_blocks_build(struct mw_walk_device *p, int32_t room)
{
    static mw_walk_native native = MW_WALK_NATIVE(blocks);
    const size_t given = p->device->options.group;
    /* Compilers unroll loops over the sites of a work-item, which are too many in smaller groups. */
    if (given && given < GROUP_LEAST)
        return mw_fail(MW_EINVAL, "work-group size %zu: variant blocks needs at least %d: use another variant", given,
                       GROUP_LEAST);
    return mw_walk_device_build(p, &kernels_walk_blocks, native, "BLOCK_ROOM", (int)room, GROUP);
}

static int forms_blocks_make(struct mw_walk_device *p, void **first)
{
    struct making *m = NULL;
    struct blocks *own;
    int rc;
    TRY(mw_own_new(&p->owner, 1, sizeof *own, &own));
    p->own_form = own;
    TRY(mw_new(1, sizeof *m, &m));
    m->part = p;
    TRY(find_room(m));
    TRY(forms_blocks_build(p, m->room));
    TRY(make_all(m, own));
out:
    if (m) {
        mw_walk_boxes_clear(&m->boxes);
        mw_owner_drop(&m->owner);
        free(m->blocks);
        free(m->around);
        free(m->words);
    }
    free(m);
    return rc;
}

static int forms_blocks_step(struct mw_walk_device *p, size_t n, uint64_t distance, unsigned steps)
{
    const struct blocks *own = p->own_form;
    size_t blocks = own->count;
    while (blocks > 1 && (uint64_t)own->nearest[blocks - 1] > distance)
        blocks--;
    return launch_walk_blocks(p->set, mw_parts(p->set, blocks), p->state[p->turn], p->state[1 - p->turn], p->tables[0],
                              p->tables[1], p->tables[2], (int32_t)steps);
}

/* Borders are about as large as blocks. */
static double forms_blocks_bytes(const struct mw_walk_size *size)
{
    return size->sites * (2.0 * (double)size->real_bytes + 8.0 * size->dims + 4);
}

static double forms_blocks_host_bytes(const struct mw_walk_size *size)
{
    return size->sites * 32 + forms_blocks_bytes(size);
}

const struct mw_walk_form mw_walk_blocks = { .make = forms_blocks_make,
                                             .step = forms_blocks_step,
                                             .bytes = forms_blocks_bytes,
                                             .host_bytes = forms_blocks_host_bytes };
/* SPDX-License-Identifier: MIT */
