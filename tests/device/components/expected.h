/* Reference results for a labelling, by plain loops. */
#ifndef MW_TESTS_EXPECTED_H
#define MW_TESTS_EXPECTED_H

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

/* A labelling, with all results expected of it. */
struct expected {
    size_t n, count;
    int64_t *label;
    uint32_t *sizes, *offsets, *cells, *order, *values, *numbers;
    size_t cell_count, size_count;
};

static const uint32_t *sizes_to_sort;

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t sx = sizes_to_sort[x - 1], sy = sizes_to_sort[y - 1];
    return sx != sy ? (sx < sy) - (sx > sy) : (x > y) - (x < y);
}

static bool is_label(const struct expected *e, int64_t label) { return label >= 1 && (uint64_t)label <= e->count; }

static void fill_expected(struct expected *e)
{
    uint32_t *next = room(e->count, sizeof *next);
    e->sizes = room(e->count, sizeof(uint32_t));
    e->offsets = room(e->count, sizeof(uint32_t));
    e->cells = room(e->n, sizeof(uint32_t));
    e->order = room(e->count, sizeof(uint32_t));
    e->values = room(e->count, sizeof(uint32_t));
    e->numbers = room(e->count, sizeof(uint32_t));
    for (size_t i = 0; i < e->n; i++)
        if (is_label(e, e->label[i]))
            e->sizes[e->label[i] - 1]++;
    for (size_t c = 0; c < e->count; c++) {
        e->offsets[c] = next[c] = (uint32_t)e->cell_count;
        e->cell_count += e->sizes[c];
        e->order[c] = (uint32_t)c + 1;
    }
    for (size_t i = 0; i < e->n; i++)
        if (is_label(e, e->label[i]))
            e->cells[next[e->label[i] - 1]++] = (uint32_t)i;
    sizes_to_sort = e->sizes;
    qsort(e->order, e->count, sizeof(uint32_t), by_size);
    for (size_t c = e->count; c-- > 0;) {
        const uint32_t size = e->sizes[e->order[c] - 1];
        if (e->size_count == 0 || e->values[e->size_count - 1] != size)
            e->values[e->size_count++] = size;
        e->numbers[e->size_count - 1]++;
    }
    free(next);
}

static void free_expected(struct expected *e)
{
    free(e->label);
    free(e->sizes);
    free(e->offsets);
    free(e->cells);
    free(e->order);
    free(e->values);
    free(e->numbers);
}

#endif
/* SPDX-License-Identifier: MIT */
