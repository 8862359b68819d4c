/* Names of vertices: consecutive numbers, numbers of a file, or texts. */
#include "graph/names.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/file/text.h"

enum kind { COUNTED, NUMBERS, TEXTS };

/* Hash table with open addressing. A slot has the upper half of the hash and the vertex, so that names are rarely
 * compared. */
struct index {
    size_t mask;
    uint64_t slot[];
};
#define EMPTY UINT64_MAX /* an unused slot */
#define SLOT(hash, vertex) (((hash) & ~(uint64_t)UINT32_MAX) | (vertex))

struct mw_names {
    atomic_size_t owners;
    enum kind kind;
    size_t count;
    uint64_t first;   /* COUNTED */
    uint64_t *number; /* NUMBERS */
    char *bytes;      /* TEXTS */
    size_t *start;
    struct index *_Atomic index; /* NULL until the first look-up */
};

/* ---- making ---- */

static int names_new(enum kind kind, size_t count, struct mw_names **names)
{
    struct mw_names *made;
    TRY_RETURN(mw_new(1, sizeof *made, &made));
    atomic_init(&made->owners, 1);
    atomic_init(&made->index, NULL);
    made->kind = kind;
    made->count = count;
    *names = made;
    return 0;
}

int mw_names_of_numbers(uint64_t *number, size_t count, struct mw_names **names)
{
    int rc;
    TRY(names_new(NUMBERS, count, names));
    (*names)->number = MW_PASS(number);
out:
    free(number);
    return rc;
}

int mw_names_of_texts(char *bytes, size_t *start, size_t count, struct mw_names **names)
{
    int rc;
    TRY(names_new(TEXTS, count, names));
    (*names)->bytes = bytes;
    (*names)->start = start;
    bytes = NULL;
    start = NULL;
out:
    free(bytes);
    free(start);
    return rc;
}

int mw_names_counted(uint64_t first, struct mw_names **names)
{
    TRY_RETURN(names_new(COUNTED, 0, names));
    (*names)->first = first;
    return 0;
}

struct mw_names *mw_names_share(struct mw_names *names)
{
    if (names)
        atomic_fetch_add_explicit(&names->owners, 1, memory_order_relaxed);
    return names;
}

void mw_names_free(struct mw_names *names)
{
    if (!names || atomic_fetch_sub_explicit(&names->owners, 1, memory_order_acq_rel) > 1)
        return;
    free(names->number);
    free(names->bytes);
    free(names->start);
    free(atomic_load_explicit(&names->index, memory_order_relaxed));
    free(names);
}

bool mw_names_are_counted(const struct mw_names *names, uint64_t *first)
{
    if (names && names->kind != COUNTED)
        return false;
    *first = names ? names->first : 0;
    return true;
}

const char *mw_name(const struct mw_names *names, size_t vertex, char text[MW_NAME_CAPACITY])
{
    if (names && names->kind == TEXTS)
        return names->bytes + names->start[vertex];
    snprintf(text, MW_NAME_CAPACITY, "%" PRIu64,
             !names                   ? (uint64_t)vertex
             : names->kind == COUNTED ? names->first + vertex
                                      : names->number[vertex]);
    return text;
}

/* ---- look-up ---- */

/* "007" is not a name of 7. */
static bool parse_number(const char *text, uint64_t *number) { return mw_plain_number(text, strlen(text), number); }

static uint64_t hash_of_number(uint64_t number) { return mw_hash64(&number, sizeof number, 0); }
static uint64_t hash_of_text(const char *text) { return mw_hash64(text, strlen(text), 0); }

/* Returns the slot of a name, or the empty slot where it belongs. */
static uint64_t *find_slot(const struct mw_names *names, struct index *index, uint64_t hash, uint64_t number,
                           const char *text)
{
    size_t i = (size_t)hash & index->mask;
    for (; index->slot[i] != EMPTY; i = (i + 1) & index->mask) {
        const uint32_t vertex = (uint32_t)index->slot[i];
        if (index->slot[i] == SLOT(hash, vertex) &&
            (text ? strcmp(names->bytes + names->start[vertex], text) == 0 : names->number[vertex] == number))
            break;
    }
    return &index->slot[i];
}

/* Makes the index. Equal names share the slot of the first vertex. */
static int make_index(const struct mw_names *names, struct index **result)
{
    struct index *index;
    size_t slots = 4, bytes;
    while (slots / 2 < names->count)
        slots *= 2;
    if (!mw_mul(slots, sizeof *index->slot, &bytes) || !mw_add(bytes, sizeof *index, &bytes) ||
        !(index = malloc(bytes)))
        return mw_fail(MW_ENOMEM, "out of memory for the index of %zu names", names->count);
    index->mask = slots - 1;
    memset(index->slot, 0xff, slots * sizeof *index->slot);
    for (size_t v = 0; v < names->count; v++) {
        const char *text = names->kind == TEXTS ? names->bytes + names->start[v] : NULL;
        const uint64_t number = text ? 0 : names->number[v], hash = text ? hash_of_text(text) : hash_of_number(number);
        uint64_t *slot = find_slot(names, index, hash, number, text);
        if (*slot == EMPTY)
            *slot = SLOT(hash, (uint32_t)v);
    }
    *result = index;
    return 0;
}

/* Returns the index. If two threads make one at the same time, the first one is kept. */
static int index_of(struct mw_names *names, struct index **result)
{
    struct index *index = atomic_load_explicit(&names->index, memory_order_acquire), *made = NULL;
    int rc = 0;
    if (!index) {
        TRY(make_index(names, &made));
        if (atomic_compare_exchange_strong_explicit(&names->index, &index, made, memory_order_acq_rel,
                                                    memory_order_acquire)) {
            index = MW_PASS(made);
        }
    }
    *result = index;
out:
    free(made);
    return rc;
}

static int no_such(const char *name, const char *advice)
{
    return mw_fail(MW_EINVAL, "there is no vertex \"%.60s\": %s", name, advice);
}

static int no_such_number(const char *name, size_t vertices, uint64_t first)
{
    if (vertices == 0)
        return no_such(name, "the graph has no vertices");
    return mw_fail(MW_EINVAL, "there is no vertex \"%.60s\": vertices are numbered %" PRIu64 " to %" PRIu64, name,
                   first, first + vertices - 1);
}

int mw_name_find(struct mw_names *names, size_t vertices, const char *name, size_t *vertex)
{
    uint64_t number = 0, first, slot;
    struct index *index;
    const bool counted = mw_names_are_counted(names, &first), text = !counted && names->kind == TEXTS;
    if (counted) {
        if (!parse_number(name, &number) || number < first || number - first >= vertices)
            return no_such_number(name, vertices, first);
        *vertex = (size_t)(number - first);
        return 0;
    }
    if (!text && !parse_number(name, &number))
        return no_such(name, "the names of this graph's vertices are numbers");
    TRY_RETURN(index_of(names, &index));
    slot = *find_slot(names, index, text ? hash_of_text(name) : hash_of_number(number), number, text ? name : NULL);
    if (slot == EMPTY || (uint32_t)slot >= vertices)
        return no_such(name, "see the names in the graph's file");
    *vertex = (uint32_t)slot;
    return 0;
}
/* SPDX-License-Identifier: MIT */
