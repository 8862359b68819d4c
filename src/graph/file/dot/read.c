/* DOT, Graphviz's language (graphviz.org/doc/info/lang.html): a graph of names, with the attribute weight of edges.
 * Other attributes and ports are ignored. An edge between subgraphs joins each node of one to each of the other. */
#include "graph/file/dot/tokens.h"
#include "graph/file/formats.h"
#include "graph/file/nodes/nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 100                   /* subgraphs within subgraphs */
#define PRODUCT_MOST ((uint64_t)1 << 28) /* edges of one statement between subgraphs */

struct reading {
    struct mw_scan scan;
    struct mw_nodes nodes;
    int token; /* the next token: its characters are in scan.text */
    bool directed, strict, no_weights;
    unsigned depth;
    uint32_t *mention; /* ids in the order of the current outermost statement, as often as they occur */
    size_t mentions, capacity;
    size_t *begin; /* operands of the current chains: where each begins in `mention` */
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

/* Sorts the ids of a subgraph, each once. */
static void sort_mentions(struct reading *r, size_t begin)
{
    size_t kept = begin;
    qsort(r->mention + begin, r->mentions - begin, sizeof *r->mention, compare_ids);
    for (size_t i = begin; i < r->mentions; i++)
        if (i == begin || r->mention[i] != r->mention[i - 1])
            r->mention[kept++] = r->mention[i];
    r->mentions = kept;
}

/* Joins the operands from `first` on, each to the next one. */
static int join_operands(struct reading *r, size_t first, mw_decimal weight)
{
    for (size_t k = first; k + 1 < r->operands; k++) {
        const size_t end = k + 2 < r->operands ? r->begin[k + 2] : r->mentions;
        const uint64_t tails = r->begin[k + 1] - r->begin[k], heads = end - r->begin[k + 1];
        if (heads && tails > PRODUCT_MOST / heads)
            return mw_scan_wrong(&r->scan, "an edge joins %" PRIu64 " nodes to %" PRIu64 ": that is too many", tails,
                                 heads);
        for (size_t i = r->begin[k]; i < r->begin[k + 1]; i++)
            for (size_t j = r->begin[k + 1]; j < end; j++)
                TRY_RETURN(mw_nodes_join(&r->nodes, r->mention[i], r->mention[j], weight));
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

static int read_subgraph(struct reading *r, mw_decimal usual)
{
    const size_t begin = r->mentions;
    if (r->token == MW_DOT_SUBGRAPH) {
        TRY_RETURN(next(r));
        if (r->token == MW_DOT_ID)
            TRY_RETURN(next(r));
    }
    TRY_RETURN(read_block(r, usual));
    sort_mentions(r, begin);
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
    TRY_RETURN(mw_reserve(r->operands, 1, sizeof *r->begin, &r->operand_capacity, &r->begin));
    r->begin[r->operands++] = r->mentions;
    if (r->token == MW_DOT_SUBGRAPH || r->token == '{')
        return read_subgraph(r, usual);
    return r->token == MW_DOT_ID ? take_node(r) : expected(r, "a node or a subgraph");
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
    struct reading r = { .nodes = { .input = input }, .no_weights = options->no_weights };
    int rc;
    TRY(mw_scan_start(input, &r.scan));
    TRY(read_graphs(&r));
    if (r.strict)
        TRY(mw_nodes_merge(&r.nodes, r.directed));
    TRY(mw_nodes_finish(&r.nodes, r.directed, edges));
out:
    free(r.mention);
    free(r.begin);
    mw_scan_free(&r.scan);
    mw_nodes_free(&r.nodes);
    return rc;
}
/* SPDX-License-Identifier: MIT */
