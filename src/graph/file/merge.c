/* Merges the dictionaries of a file's pieces into one numbering of all names, in the order of first occurrence.
 *
 * Names are divided by hash into parts that fit into a cache. The entries and texts of a piece are moved so that those
 * of a part are contiguous. The names of a part are processed in the order of the pieces, so that the first of equal
 * names is known; parts are independent. Counting the first occurrences in each piece then gives the numbers. */
#include "graph/file/edge_pieces.h"

#include <stdlib.h>
#include <string.h>

#define PART_NAMES 32768
#define PART_BITS_MAX 12
#define FIRST ((uint32_t)1 << 31) /* bit of entry.number: first occurrence; the other bits are its index in a part */

struct part {
    uint32_t *vertex;
    size_t count; /* distinct names, in order of first occurrence */
};

struct owner {
    uint64_t hash;
    size_t text;
};

/* The distinct names of a part, with their texts. */
struct names {
    struct owner *owner;
    uint32_t *slot; /* index in `owner` + 1 */
    size_t mask;
    char *bytes;
    size_t length, capacity;
};

struct merge {
    struct mw_edge_piece **piece;
    size_t pieces;
    unsigned bits;     /* there are 2^bits parts */
    uint32_t **sorted; /* per piece: where each part begins, then the new place of each entry */
    struct part *part;
    size_t *first; /* per piece: number of first occurrences in earlier pieces */
    size_t *bytes; /* bytes of their texts, each with a NUL */
    size_t vertices;
    uint64_t *base;   /* first edge of each piece */
    uint64_t *number; /* names: numbers if all are, otherwise texts */
    char *text;
    size_t *start;
    struct mw_edges edges;
};

static size_t part_of(const struct merge *m, uint64_t hash) { return m->bits ? hash >> (64 - m->bits) : 0; }

static size_t text_length(const struct mw_dictionary *words, size_t entry)
{
    const size_t end = entry + 1 < words->count ? words->entry[entry + 1].start : words->length;
    return end - words->entry[entry].start; /* including the NUL */
}

/* Moves entries and texts to the order of `place`. */
static int move_entries(struct mw_dictionary *words, const uint32_t *place)
{
    struct mw_entry *entry = NULL;
    uint32_t *start = NULL, at = 0;
    char *bytes = NULL;
    int rc;
    TRY(mw_new(words->count, sizeof *entry, &entry));
    TRY(mw_new(words->count, sizeof *start, &start));
    TRY(mw_new(words->length, 1, &bytes));
    for (size_t i = 0; i < words->count; i++) {
        entry[place[i]] = words->entry[i];
        start[place[i]] = (uint32_t)text_length(words, i);
    }
    for (size_t i = 0; i < words->count; i++) {
        const uint32_t length = start[i];
        memcpy(bytes + at, words->bytes + entry[i].start, length);
        entry[i].start = at;
        at += length;
    }
    free(words->entry);
    free(words->bytes);
    words->entry = entry;
    words->bytes = bytes;
    entry = NULL;
    bytes = NULL;
out:
    free(entry);
    free(start);
    free(bytes);
    return rc;
}

/* Sorts a piece's entries by part (counting sort). */
static int sort_piece(void *context, size_t index)
{
    struct merge *m = context;
    struct mw_edge_piece *piece = m->piece[index];
    const size_t parts = (size_t)1 << m->bits;
    uint32_t *first, *place, sum = 0;
    TRY_RETURN(mw_new(parts + 1 + piece->words.count, sizeof *first, &first));
    m->sorted[index] = first;
    place = first + parts + 1;
    for (size_t i = 0; i < piece->words.count; i++)
        first[part_of(m, piece->words.entry[i].hash)]++;
    for (size_t p = 0; p <= parts; p++) {
        const uint32_t count = first[p];
        first[p] = sum;
        sum += count;
    }
    for (size_t i = 0; i < piece->words.count; i++)
        place[i] = first[part_of(m, piece->words.entry[i].hash)]++;
    memmove(first + 1, first, parts * sizeof *first); /* each had advanced to the start of the next */
    first[0] = 0;
    TRY_RETURN(move_entries(&piece->words, place));
    for (size_t i = 0; i < 2 * piece->count; i++)
        piece->ends[i] = place[piece->ends[i]];
    return 0;
}

static int copy_text(struct names *n, const char *text, size_t length, size_t *at)
{
    TRY_RETURN(mw_reserve(n->length, length, 1, &n->capacity, &n->bytes));
    memcpy(n->bytes + n->length, text, length);
    *at = n->length;
    n->length += length;
    return 0;
}

/* Finds the first occurrences among the names of a piece in a part. */
static int merge_entries(const struct merge *m, size_t piece, size_t index, struct names *n)
{
    const struct mw_dictionary *words = &m->piece[piece]->words;
    struct part *part = &m->part[index];
    for (size_t i = m->sorted[piece][index]; i < m->sorted[piece][index + 1]; i++) {
        struct mw_entry *entry = &words->entry[i];
        const char *text = words->bytes + entry->start;
        size_t s = (size_t)entry->hash & n->mask;
        while (n->slot[s] && (n->owner[n->slot[s] - 1].hash != entry->hash ||
                              strcmp(n->bytes + n->owner[n->slot[s] - 1].text, text) != 0))
            s = (s + 1) & n->mask;
        entry->number = n->slot[s] - 1;
        if (n->slot[s])
            continue;
        n->owner[part->count].hash = entry->hash;
        TRY_RETURN(copy_text(n, text, text_length(words, i), &n->owner[part->count].text));
        entry->number = (uint32_t)part->count | FIRST;
        n->slot[s] = (uint32_t)++part->count;
    }
    return 0;
}

static int merge_part(void *context, size_t index)
{
    struct merge *m = context;
    struct part *part = &m->part[index];
    struct names n = { 0 };
    size_t names = 0, slots = 4;
    int rc;
    for (size_t p = 0; p < m->pieces; p++)
        names += m->sorted[p][index + 1] - m->sorted[p][index];
    if (names >= FIRST)
        return mw_fail(MW_ELIMIT, "more than %u names of vertices in one part of a file", (unsigned)FIRST);
    while (slots < 2 * names)
        slots *= 2;
    n.mask = slots - 1;
    TRY(mw_new(slots, sizeof *n.slot, &n.slot));
    TRY(mw_new(names, sizeof *n.owner, &n.owner));
    for (size_t p = 0; p < m->pieces; p++)
        TRY(merge_entries(m, p, index, &n));
    TRY(mw_new(part->count, sizeof *part->vertex, &part->vertex));
out:
    free(n.owner);
    free(n.slot);
    free(n.bytes);
    return rc;
}

/* Counts the first occurrences in a piece. */
static int count_piece(void *context, size_t index)
{
    struct merge *m = context;
    const struct mw_dictionary *words = &m->piece[index]->words;
    size_t count = 0, bytes = 0;
    for (size_t i = 0; i < words->count; i++)
        if (words->entry[i].number & FIRST) {
            count++;
            bytes += text_length(words, i);
        }
    m->first[index + 1] = count;
    m->bytes[index + 1] = bytes;
    return 0;
}

/* Numbers the first occurrences in a piece, and copies their names, in the order of the piece. */
static int name_piece(void *context, size_t index)
{
    struct merge *m = context;
    const struct mw_dictionary *words = &m->piece[index]->words;
    const uint32_t *place = m->sorted[index] + ((size_t)1 << m->bits) + 1;
    size_t vertex = m->first[index], at = m->bytes[index];
    for (size_t i = 0; i < words->count; i++) {
        const struct mw_entry *entry = &words->entry[place[i]];
        const size_t length = text_length(words, place[i]);
        if (!(entry->number & FIRST))
            continue;
        m->part[part_of(m, entry->hash)].vertex[entry->number & ~FIRST] = (uint32_t)vertex;
        if (m->number) {
            mw_plain_number(words->bytes + entry->start, length - 1, &m->number[vertex]);
        } else {
            memcpy(m->text + at, words->bytes + entry->start, length);
            m->start[vertex] = at;
            at += length;
        }
        vertex++;
    }
    return 0;
}

static int resolve_part(void *context, size_t index)
{
    struct merge *m = context;
    const uint32_t *vertex = m->part[index].vertex;
    for (size_t p = 0; p < m->pieces; p++) {
        struct mw_entry *entry = m->piece[p]->words.entry;
        for (size_t i = m->sorted[p][index]; i < m->sorted[p][index + 1]; i++)
            entry[i].number = vertex[entry[i].number & ~FIRST];
    }
    return 0;
}

static int resolve_piece(void *context, size_t index)
{
    struct merge *m = context;
    struct mw_edge_piece *piece = m->piece[index];
    uint32_t *to = m->edges.ends + 2 * m->base[index];
    for (size_t i = 0; i < 2 * piece->count; i++)
        to[i] = piece->words.entry[piece->ends[i]].number;
    mw_dictionary_free(&piece->words);
    return 0;
}

static int merge_start(struct merge *m)
{
    size_t names = 0;
    TRY_RETURN(mw_new(m->pieces, sizeof *m->sorted, &m->sorted));
    TRY_RETURN(mw_new(m->pieces + 1, sizeof *m->first, &m->first));
    TRY_RETURN(mw_new(m->pieces + 1, sizeof *m->bytes, &m->bytes));
    TRY_RETURN(mw_new(m->pieces + 1, sizeof *m->base, &m->base));
    for (size_t p = 0; p < m->pieces; p++) {
        names += m->piece[p]->words.count;
        m->base[p + 1] = m->base[p] + m->piece[p]->count;
    }
    while (m->bits < PART_BITS_MAX && names >> m->bits > PART_NAMES)
        m->bits++;
    return mw_new((size_t)1 << m->bits, sizeof *m->part, &m->part);
}

static int make_names(struct mw_executor *executor, struct merge *m)
{
    bool all_numbers = true;
    for (size_t p = 0; p < m->pieces; p++) {
        m->first[p + 1] += m->first[p];
        m->bytes[p + 1] += m->bytes[p];
        all_numbers = all_numbers && (m->piece[p]->words.all_numbers || m->piece[p]->words.count == 0);
    }
    m->vertices = m->first[m->pieces];
    TRY_RETURN(mw_vertices_check(m->vertices));
    if (all_numbers) {
        TRY_RETURN(mw_new(m->vertices, sizeof *m->number, &m->number));
    } else {
        TRY_RETURN(mw_new(m->bytes[m->pieces], 1, &m->text));
        TRY_RETURN(mw_new(m->vertices, sizeof *m->start, &m->start));
    }
    return mw_each_piece(executor, m->pieces, name_piece, m);
}

/* Makes the names. If the numbers are complete from 0 or 1 on, they become the vertices themselves. */
static int take_names(struct merge *m)
{
    uint64_t least = UINT64_MAX, most = 0;
    int rc;
    if (m->vertices == 0)
        return 0;
    if (!m->number) {
        rc = mw_names_of_texts(m->text, m->start, m->vertices, &m->edges.names);
        m->text = NULL;
        m->start = NULL;
        return rc;
    }
    for (size_t v = 0; v < m->vertices; v++) {
        least = m->number[v] < least ? m->number[v] : least;
        most = m->number[v] > most ? m->number[v] : most;
    }
    if (least > 1 || most - least + 1 != m->vertices) {
        rc = mw_names_of_numbers(m->number, m->vertices, &m->edges.names);
        m->number = NULL;
        return rc;
    }
    for (uint64_t i = 0; i < 2 * m->edges.count; i++)
        m->edges.ends[i] = (uint32_t)(m->number[m->edges.ends[i]] - least);
    return least ? mw_names_counted(least, &m->edges.names) : 0;
}

static void merge_stop(struct merge *m)
{
    for (size_t p = 0; m->sorted && p < m->pieces; p++)
        free(m->sorted[p]);
    for (size_t p = 0; m->part && p < (size_t)1 << m->bits; p++)
        free(m->part[p].vertex);
    mw_edges_free(&m->edges);
    free(m->sorted);
    free(m->part);
    free(m->first);
    free(m->bytes);
    free(m->base);
    free(m->number);
    free(m->text);
    free(m->start);
}

int mw_pieces_merge(struct mw_executor *executor, struct mw_edge_piece **piece, size_t count, bool directed,
                    struct mw_edges *edges)
{
    struct merge m = { .piece = piece, .pieces = count };
    int rc;
    TRY(merge_start(&m));
    TRY(mw_each_piece(executor, count, sort_piece, &m));
    TRY(mw_each_piece(executor, (size_t)1 << m.bits, merge_part, &m));
    TRY(mw_each_piece(executor, count, count_piece, &m));
    TRY(make_names(executor, &m));
    TRY(mw_each_piece(executor, (size_t)1 << m.bits, resolve_part, &m));
    TRY(mw_edges_new(m.vertices, m.base[count], directed, &m.edges));
    TRY(mw_each_piece(executor, count, resolve_piece, &m));
    TRY(take_names(&m));
    *edges = MW_PASS(m.edges);
out:
    merge_stop(&m);
    return rc;
}
/* SPDX-License-Identifier: MIT */
