/* Collects the nodes and edges of formats in which nodes have ids. Ids are words of one dictionary. */
#include "graph/file/nodes/nodes.h"

#include "graph/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(const struct mw_nodes *n)
{
    return mw_fail(MW_ENOMEM, "out of memory for the edges of %s", n->input->name);
}

int mw_nodes_id(struct mw_nodes *n, const char *text, size_t length, size_t line, uint32_t *number)
{
    struct mw_dictionary *words = &n->edges.words;
    const size_t before = words->count;
    char quoted[MW_QUOTE_CAPACITY];
    if (length == 0)
        return mw_input_malformed(n->input, line, "a name is empty");
    if (length > MW_NAME_MAX)
        return mw_input_malformed(n->input, line, "a name has more than %zu bytes", MW_NAME_MAX);
    if (mw_has_control(text, length))
        return mw_input_malformed(n->input, line, "a name contains a control character: \"%s\"",
                                  mw_quote_text(text, length, quoted));
    TRY_RETURN(mw_dictionary_add(words, text, length, number));
    if (words->count == before)
        return 0;
    TRY_RETURN(mw_grow(before, sizeof *n->id, &n->id));
    n->id[before] = (struct mw_id){ MW_NODE_NONE, line };
    return 0;
}

void mw_nodes_add(struct mw_nodes *n, uint32_t id, bool *known)
{
    const bool is_new = n->id[id].node == MW_NODE_NONE;
    if (is_new)
        n->id[id].node = (uint32_t)n->nodes++;
    if (known)
        *known = !is_new;
}

static int grow_edges(struct mw_nodes *n)
{
    struct mw_edge_piece *e = &n->edges;
    const size_t capacity = 2 * e->capacity + 1024;
    uint32_t *ends = realloc(e->ends, capacity * 2 * sizeof *ends);
    mw_decimal *weights;
    if (!ends)
        return no_memory(n);
    e->ends = ends;
    weights = realloc(e->weights, capacity * sizeof *weights);
    if (!weights)
        return no_memory(n);
    e->weights = weights;
    e->capacity = capacity;
    return 0;
}

int mw_nodes_join(struct mw_nodes *n, uint32_t tail, uint32_t head, mw_decimal weight)
{
    struct mw_edge_piece *e = &n->edges;
    if (e->count == e->capacity)
        TRY_RETURN(grow_edges(n));
    e->ends[2 * e->count] = tail;
    e->ends[2 * e->count + 1] = head;
    e->weights[e->count++] = weight;
    n->weighted = n->weighted || weight != MW_DECIMAL_NONE;
    return 0;
}

/* An edge's endpoints, and its index. */
struct place {
    uint64_t key;
    size_t edge;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->edge < y->edge ? -1 : x->edge > y->edge;
}

int mw_nodes_merge(struct mw_nodes *n, bool directed)
{
    struct mw_edge_piece *e = &n->edges;
    struct place *place = NULL;
    bool *is_kept = NULL;
    size_t kept = 0;
    int rc;
    TRY(mw_new(e->count, sizeof *place, &place));
    TRY(mw_new(e->count, sizeof *is_kept, &is_kept));
    for (size_t i = 0; i < e->count; i++) {
        const uint64_t a = e->ends[2 * i], b = e->ends[2 * i + 1];
        place[i] = (struct place){ !directed && a > b ? b << 32 | a : a << 32 | b, i };
    }
    qsort(place, e->count, sizeof *place, compare_places);
    for (size_t i = 0; i < e->count; i++)
        is_kept[place[i].edge] = i + 1 == e->count || place[i].key != place[i + 1].key;
    for (size_t i = 0; i < e->count; i++)
        if (is_kept[i]) {
            memmove(e->ends + 2 * kept, e->ends + 2 * i, 2 * sizeof *e->ends);
            e->weights[kept++] = e->weights[i];
        }
    e->count = kept;
out:
    free(place);
    free(is_kept);
    return rc;
}

/* ---- the edges ---- */

static int check_ids(const struct mw_nodes *n)
{
    char quoted[MW_QUOTE_CAPACITY];
    for (size_t i = 0; i < n->edges.words.count; i++)
        if (n->id[i].node == MW_NODE_NONE) {
            const char *id = n->edges.words.bytes + n->edges.words.entry[i].start;
            return mw_input_malformed(n->input, n->id[i].line, "an edge's endpoint is not a node: \"%s\"",
                                      mw_quote_text(id, strlen(id), quoted));
        }
    return mw_vertices_check(n->nodes);
}

void mw_nodes_fill_weights(struct mw_nodes *n)
{
    uint64_t without = 0;
    mw_decimal one;
    mw_decimal_read("1", &one);
    for (size_t i = 0; i < n->edges.count; i++)
        if (n->edges.weights[i] == MW_DECIMAL_NONE) {
            n->edges.weights[i] = one;
            without++;
        }
    if (without > 0)
        mw_log(MW_LOG_NOTICE, "%s: %" PRIu64 " edges have no weight: their weight is 1", n->input->name, without);
}

int mw_nodes_name(struct mw_dictionary *words, size_t *start, struct mw_edges *edges)
{
    uint64_t *number = NULL, first = 0;
    bool counted = true;
    int rc;
    mw_names_free(edges->names);
    edges->names = NULL;
    if (!words->all_numbers) {
        char *bytes = MW_PASS(words->bytes);
        return mw_names_of_texts(bytes, start, edges->vertices, &edges->names);
    }
    TRY(mw_new(edges->vertices, sizeof *number, &number));
    for (size_t v = 0; v < edges->vertices; v++) {
        const char *text = words->bytes + start[v];
        mw_plain_number(text, strlen(text), &number[v]);
        first = v == 0 ? number[0] : first;
        counted = counted && first < 2 && number[v] == first + v;
    }
    if (!counted) {
        rc = mw_names_of_numbers(number, edges->vertices, &edges->names);
        number = NULL;
    } else if (first == 1) {
        rc = mw_names_counted(1, &edges->names);
    }
out:
    free(number);
    free(start);
    return rc;
}

/* If ids are exactly the numbers 0 to n - 1 or 1 to n, makes them the order of vertices. Stores each node's vertex. */
static void number_nodes(const struct mw_nodes *n, uint32_t *vertex)
{
    const struct mw_dictionary *words = &n->edges.words;
    uint64_t least = UINT64_MAX, most = 0, value;
    for (size_t i = 0; words->all_numbers && i < words->count; i++) {
        const char *text = words->bytes + words->entry[i].start;
        mw_plain_number(text, strlen(text), &value);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    for (size_t i = 0; i < words->count; i++) {
        const char *text = words->bytes + words->entry[i].start;
        vertex[n->id[i].node] = n->id[i].node;
        if (words->all_numbers && least < 2 && most - least == words->count - 1) {
            mw_plain_number(text, strlen(text), &value);
            vertex[n->id[i].node] = (uint32_t)(value - least);
        }
    }
}

int mw_nodes_finish(struct mw_nodes *n, bool directed, struct mw_edges *edges)
{
    struct mw_edges new = { .directed = directed, .count = n->edges.count, .vertices = n->nodes };
    struct mw_node_names *names;
    void *piece[] = { &n->edges };
    size_t *start = NULL;
    uint32_t *vertex = NULL;
    int rc;
    TRY(check_ids(n));
    TRY(mw_new(n->nodes, sizeof *vertex, &vertex));
    TRY(mw_new(n->nodes, sizeof *start, &start));
    number_nodes(n, vertex);
    if (n->weighted) {
        mw_nodes_fill_weights(n);
        TRY(mw_pieces_weigh(NULL, n->input->name, piece, 1, &new));
    }
    for (size_t i = 0; i < 2 * n->edges.count; i++)
        n->edges.ends[i] = vertex[n->id[n->edges.ends[i]].node];
    names = mw_node_names_choose(n->names, n->input->name);
    for (size_t i = 0; i < n->edges.words.count; i++) {
        const uint32_t node = n->id[i].node;
        start[vertex[node]] = names ? names->words.entry[node].start : n->edges.words.entry[i].start;
    }
    rc = n->nodes ? mw_nodes_name(names ? &names->words : &n->edges.words, start, &new) : 0;
    start = n->nodes ? NULL : start;
    TRY(rc);
    if (!n->edges.ends)
        TRY(grow_edges(n));
    new.ends = MW_PASS(n->edges.ends);
    *edges = MW_PASS(new);
out:
    mw_edges_free(&new);
    free(vertex);
    free(start);
    return rc;
}

void mw_nodes_free(struct mw_nodes *n)
{
    free(n->edges.ends);
    free(n->edges.weights);
    mw_dictionary_free(&n->edges.words);
    free(n->id);
    for (size_t i = 0; i < MW_NAMINGS; i++)
        mw_node_names_free(&n->names[i]);
    *n = (struct mw_nodes){ 0 };
}
/* SPDX-License-Identifier: MIT */
