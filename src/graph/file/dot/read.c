/* DOT, Graphviz's language (graphviz.org/doc/info/lang.html): a graph of names, with the attribute weight of edges.
 * Other attributes and ports are ignored. An edge between subgraphs joins each node of one to each of the other.
 * Subgraphs of one name in the same graph are one. */
#include "graph/file/dot/tokens.h"
#include "graph/file/formats.h"
#include "graph/file/nodes/nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 100 /* subgraphs within subgraphs */
#define NAMELESS UINT32_MAX
#define PRODUCT_MOST ((uint64_t)1 << 28) /* edges of one statement between subgraphs */

struct reading {
    struct mw_scan scan;
    struct mw_nodes nodes;
    int token; /* the next token: its characters are in scan.text */
    bool directed, strict, no_weights;
    unsigned depth;
    uint32_t *mention; /* ids in the order of the current outermost statement, as often as they occur */
    size_t mentions, capacity;
    struct mw_dictionary names; /* each name of a subgraph after the number of the one around it */
    struct members {
        uint32_t *id;
        size_t count, capacity;
    } * members; /* the nodes of each subgraph with a name, some several times */
    size_t members_capacity;
    uint32_t around, nameless; /* number of the subgraph around the next token; of the next one without a name */
    struct operand {
        size_t begin;    /* in `mention` */
        uint32_t number; /* the number of its name, or NAMELESS */
    } * operand;         /* in the current chains */
    size_t operands, operand_capacity;
};

static int next(struct reading *r) { return mw_dot_next(&r->scan, &r->token); }

static int expected(const struct reading *r, const char *what)
{
    return mw_scan_expected(&r->scan, what, r->token == MW_DOT_END);
}

/* ---- attributes ---- */

/* Reads lists of attributes, if there are any, and takes the weight of them. */
static int read_attributes(struct reading *r, mw_decimal *weight)
{
    while (r->token == '[') {
        TRY_RETURN(next(r));
        while (r->token != ']') {
            const bool is_weight = weight && !r->no_weights && strcmp(r->scan.text, "weight") == 0;
            const char *end = NULL;
            if (r->token != MW_DOT_ID)
                return expected(r, "an attribute or ]");
            TRY_RETURN(next(r));
            if (r->token == '=') {
                TRY_RETURN(next(r));
                if (r->token != MW_DOT_ID)
                    return expected(r, "an attribute's value");
                if (is_weight && ((end = mw_decimal_read(r->scan.text, weight)) == NULL || *end))
                    return expected(r, "a weight (a number below 1e280)");
                TRY_RETURN(next(r));
            }
            if (r->token == ';' || r->token == ',')
                TRY_RETURN(next(r));
        }
        TRY_RETURN(next(r));
    }
    return 0;
}

/* ---- edges ---- */

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the ids of a subgraph, each once; returns their number. */
static size_t sort_ids(uint32_t *id, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(id, count, sizeof *id, compare_ids);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || id[i] != id[i - 1])
            id[kept++] = id[i];
    return kept;
}

/* Returns the nodes of an operand.  A subgraph with a name has those of all places. */
static const uint32_t *nodes_of(const struct reading *r, size_t k, size_t *count)
{
    const size_t begin = r->operand[k].begin, end = k + 1 < r->operands ? r->operand[k + 1].begin : r->mentions;
    if (r->operand[k].number == NAMELESS) {
        *count = end - begin;
        return r->mention + begin;
    }
    struct members *m = &r->members[r->operand[k].number];
    *count = m->count = sort_ids(m->id, m->count);
    return m->id;
}

/* Joins the operands from `first` on, each to the next one. */
static int join_operands(struct reading *r, size_t first, mw_decimal weight)
{
    size_t tails, heads;
    for (size_t k = first; k + 1 < r->operands; k++) {
        const uint32_t *tail = nodes_of(r, k, &tails), *head = nodes_of(r, k + 1, &heads);
        if (heads && tails > PRODUCT_MOST / heads)
            return mw_scan_wrong(&r->scan, "an edge joins %zu nodes to %zu: that is too many", tails, heads);
        for (size_t i = 0; i < tails; i++)
            for (size_t j = 0; j < heads; j++)
                TRY_RETURN(mw_nodes_join(&r->nodes, tail[i], head[j], weight));
    }
    return 0;
}

static int read_statements(struct reading *r, mw_decimal usual);

/* Reads { ... }, and after it the next token. */
static int read_block(struct reading *r, mw_decimal usual)
{
    if (r->token != '{')
        return expected(r, "{");
    if (++r->depth > DEPTH_MOST)
        return mw_scan_wrong(&r->scan, "more than %d subgraphs within each other", DEPTH_MOST);
    TRY_RETURN(next(r));
    TRY_RETURN(read_statements(r, usual));
    if (r->token != '}')
        return expected(r, "a statement or }");
    r->depth--;
    return next(r);
}

/* Finds or adds the subgraph whose name is the last token. */
static int take_name(struct reading *r, uint32_t *number)
{
    const size_t count = r->names.count;
    struct mw_text key = { 0 };
    int rc;
    mw_text_add(&key, "%" PRIu32 "/", r->around);
    mw_text_append(&key, r->scan.text, r->scan.length);
    TRY(mw_text_ok(&key));
    TRY(mw_reserve(count, 1, sizeof *r->members, &r->members_capacity, &r->members));
    TRY(mw_dictionary_add(&r->names, key.data, key.length, number));
    if (*number == count)
        r->members[count] = (struct members){ .id = NULL };
out:
    mw_text_free(&key);
    return rc;
}

/* Reads a subgraph. *number keeps NAMELESS unless it has a name. */
static int read_subgraph(struct reading *r, mw_decimal usual, uint32_t *number)
{
    const size_t begin = r->mentions;
    const uint32_t around = r->around;
    if (r->token == MW_DOT_SUBGRAPH) {
        TRY_RETURN(next(r));
        if (r->token == MW_DOT_ID) {
            TRY_RETURN(take_name(r, number));
            TRY_RETURN(next(r));
        }
    }
    r->around = *number == NAMELESS ? --r->nameless : *number;
    TRY_RETURN(read_block(r, usual));
    r->around = around;
    r->mentions = begin + sort_ids(r->mention + begin, r->mentions - begin);
    for (size_t i = begin; i < r->mentions && *number != NAMELESS; i++) {
        struct members *m = &r->members[*number];
        TRY_RETURN(mw_reserve(m->count, 1, sizeof *m->id, &m->capacity, &m->id));
        m->id[m->count++] = r->mention[i];
    }
    return 0;
}

/* Adds a node, whose id is the last token, and skips its port. */
static int take_node(struct reading *r)
{
    const struct mw_scan *s = &r->scan;
    uint32_t id;
    TRY_RETURN(mw_nodes_id(&r->nodes, s->text, s->length, s->text_line, &id));
    mw_nodes_add(&r->nodes, id, NULL);
    TRY_RETURN(mw_reserve(r->mentions, 1, sizeof *r->mention, &r->capacity, &r->mention));
    r->mention[r->mentions++] = id;
    TRY_RETURN(next(r));
    while (r->token == ':') {
        TRY_RETURN(next(r));
        if (r->token != MW_DOT_ID)
            return expected(r, "a port");
        TRY_RETURN(next(r));
    }
    return 0;
}

static int read_operand(struct reading *r, mw_decimal usual)
{
    uint32_t number = NAMELESS;
    TRY_RETURN(mw_reserve(r->operands, 1, sizeof *r->operand, &r->operand_capacity, &r->operand));
    const size_t k = r->operands++;
    r->operand[k] = (struct operand){ r->mentions, NAMELESS };
    if (r->token != MW_DOT_SUBGRAPH && r->token != '{')
        return r->token == MW_DOT_ID ? take_node(r) : expected(r, "a node or a subgraph");
    TRY_RETURN(read_subgraph(r, usual, &number));
    r->operand[k].number = number;
    return 0;
}

/* Reads a node, an assignment of an attribute, a subgraph, or a chain of edges. */
static int read_chain(struct reading *r, mw_decimal usual)
{
    const size_t first = r->operands, before = r->mentions;
    const int joint = r->directed ? MW_DOT_TO : MW_DOT_LINE;
    TRY_RETURN(read_operand(r, usual));
    while (r->token == MW_DOT_TO || r->token == MW_DOT_LINE) {
        if (r->token != joint)
            return expected(r, r->directed ? "-> in a digraph" : "-- in a graph");
        TRY_RETURN(next(r));
        TRY_RETURN(read_operand(r, usual));
    }
    TRY_RETURN(read_attributes(r, &usual));
    TRY_RETURN(join_operands(r, first, usual));
    r->operands = first;
    r->mentions = r->depth == 1 ? before : r->mentions;
    return 0;
}

/* Returns whether the next token, a name, is followed by an equals sign: then it is an attribute of the graph. */
static bool is_assignment(struct reading *r)
{
    int c;
    while ((c = mw_scan_peek(&r->scan)) == ' ' || (c >= '\t' && c <= '\r'))
        mw_scan_take(&r->scan);
    return r->token == MW_DOT_ID && c == '=';
}

static int read_statements(struct reading *r, mw_decimal usual)
{
    while (r->token != '}' && r->token != MW_DOT_END) {
        if (r->token == ';') {
            TRY_RETURN(next(r));
        } else if (r->token == MW_DOT_GRAPH || r->token == MW_DOT_NODE || r->token == MW_DOT_EDGE) {
            const bool of_edges = r->token == MW_DOT_EDGE;
            TRY_RETURN(next(r));
            if (r->token != '[')
                return expected(r, "[");
            TRY_RETURN(read_attributes(r, of_edges ? &usual : NULL));
        } else if (is_assignment(r)) {
            TRY_RETURN(next(r));
            TRY_RETURN(next(r));
            if (r->token != MW_DOT_ID)
                return expected(r, "an attribute's value");
            TRY_RETURN(next(r));
        } else {
            TRY_RETURN(read_chain(r, usual));
        }
    }
    return 0;
}

static int read_graphs(struct reading *r)
{
    TRY_RETURN(next(r));
    r->strict = r->token == MW_DOT_STRICT;
    if (r->strict)
        TRY_RETURN(next(r));
    if (r->token != MW_DOT_GRAPH && r->token != MW_DOT_DIGRAPH)
        return expected(r, "graph or digraph");
    r->directed = r->token == MW_DOT_DIGRAPH;
    TRY_RETURN(next(r));
    if (r->token == MW_DOT_ID)
        TRY_RETURN(next(r));
    TRY_RETURN(read_block(r, MW_DECIMAL_NONE));
    if (r->token == MW_DOT_GRAPH || r->token == MW_DOT_DIGRAPH || r->token == MW_DOT_STRICT)
        return mw_scan_wrong(&r->scan, "a second graph: put each graph into a file of its own");
    return r->token == MW_DOT_END ? 0 : expected(r, "the end of the file");
}

int mw_edges_read_dot(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = {
        .nodes = { .input = input }, .no_weights = options->no_weights, .around = NAMELESS, .nameless = NAMELESS
    };
    int rc;
    TRY(mw_scan_start(input, &r.scan));
    TRY(read_graphs(&r));
    if (r.strict)
        TRY(mw_nodes_merge(&r.nodes, r.directed));
    TRY(mw_nodes_finish(&r.nodes, r.directed, edges));
out:
    for (size_t i = 0; i < r.names.count; i++)
        free(r.members[i].id);
    free(r.members);
    mw_dictionary_free(&r.names);
    free(r.mention);
    free(r.operand);
    mw_scan_free(&r.scan);
    mw_nodes_free(&r.nodes);
    return rc;
}
/* SPDX-License-Identifier: MIT */
