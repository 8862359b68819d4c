/* GraphML (graphml.graphdrawing.org): <node id=""/> and <edge source="" target=""/> in a single <graph edgedefault="">,
 * in any order. Data, ports and other elements are ignored. Hyperedges, nested graphs, and a mix of directed and
 * undirected edges are rejected. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"
#include "graph/file/nodes/nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_EXPAT
#include <expat.h>

#define BUFFER 65536
#define SEPARATOR '|'            /* between the namespace and the name of an element */
#define PAIR_BYTES 16            /* bytes of a file per pair, so that a piece's dictionary stays in a cache */
#define NODE ((uint32_t)1 << 31) /* bit of a mark */

/* Edges, and nodes as pairs of one name, in the order of the file. */
struct node_piece {
    struct mw_edge_piece edges;
    size_t pairs;
    uint32_t *mark; /* per pair: its line, and whether it is a node */
};

struct reading {
    struct mw_input *input;
    XML_Parser parser;
    int status; /* the first failure's, which has set the message */
    bool has_root, has_graph, directed, no_weights;
    char *weight_key;                               /* id of the attribute named weight; NULL: none */
    struct mw_node_names names[MW_NAMINGS], *named; /* names that the current text belongs to */
    bool in_weight_key, in_edge, in_node;
    enum { TEXT_NONE, TEXT_DEFAULT, TEXT_WEIGHT, TEXT_NAME } reads; /* kind of the current text */
    char text[64];                                                  /* its first bytes */
    size_t text_length;
    mw_decimal weight_default;
    bool has_default;        /* stated in the file */
    struct mw_pieces pieces; /* structs node_piece */
    size_t most;             /* pairs per piece */
};

static struct node_piece *last_piece(const struct reading *r)
{
    return r->pieces.count ? r->pieces.piece[r->pieces.count - 1] : NULL;
}

static size_t line_of(const struct reading *r) { return (size_t)XML_GetCurrentLineNumber(r->parser); }

static void graphml_read_stop(struct reading *r, int status)
{
    if (r->status == 0)
        r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

#define WRONG(r, ...) graphml_read_stop((r), mw_input_malformed((r)->input, line_of(r), __VA_ARGS__))

static const char *attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static int add_piece(struct reading *r)
{
    struct node_piece *piece = NULL;
    TRY_RETURN(mw_grow(r->pieces.count, sizeof *r->pieces.piece, &r->pieces.piece));
    TRY_RETURN(mw_new(1, sizeof *piece, &piece));
    piece->edges.has_words = true;
    r->pieces.piece[r->pieces.count++] = piece;
    TRY_RETURN(mw_new(2 * r->most, sizeof *piece->edges.ends, &piece->edges.ends));
    TRY_RETURN(mw_new(r->most, sizeof *piece->mark, &piece->mark));
    return r->no_weights ? 0 : mw_new(r->most, sizeof *piece->edges.weights, &piece->edges.weights);
}

static int find_word(struct reading *r, struct node_piece *piece, const char *text, uint32_t *number)
{
    const size_t length = strlen(text);
    if (length == 0)
        return mw_input_malformed(r->input, line_of(r), "a name is empty");
    if (length > MW_NAME_MAX)
        return mw_input_malformed(r->input, line_of(r), "a name has more than %zu bytes", MW_NAME_MAX);
    if (mw_has_control(text, length))
        return mw_input_malformed(r->input, line_of(r),
                                  "a name contains a tab or a newline, which results cannot have: \"%.60s\"", text);
    return mw_dictionary_add(&piece->edges.words, text, length, number);
}

static int add_pair(struct reading *r, const char *tail, const char *head, uint32_t mark)
{
    struct node_piece *piece = last_piece(r);
    const size_t line = line_of(r);
    uint32_t *to;
    if (!piece || piece->pairs == r->most) {
        if (piece)
            mw_dictionary_close(&piece->edges.words);
        TRY_RETURN(add_piece(r));
        piece = last_piece(r);
    }
    to = piece->edges.ends + 2 * piece->pairs;
    TRY_RETURN(find_word(r, piece, tail, &to[0]));
    TRY_RETURN(find_word(r, piece, head, &to[1]));
    if (piece->edges.weights)
        piece->edges.weights[piece->pairs] = MW_DECIMAL_NONE;
    piece->mark[piece->pairs++] = mark | (line < NODE ? (uint32_t)line : NODE - 1);
    piece->edges.count = piece->pairs;
    return 0;
}

static void start_root(struct reading *r, const char **attributes) { r->has_root = true; }

static void start_graph(struct reading *r, const char **attributes)
{
    const char *directed = attribute(attributes, "edgedefault");
    if (r->has_graph)
        WRONG(r, "a second graph: put each graph into a file of its own");
    else if (!directed || (strcmp(directed, "directed") != 0 && strcmp(directed, "undirected") != 0))
        WRONG(r, "the graph's edgedefault must be directed or undirected");
    r->has_graph = true;
    r->directed = directed && strcmp(directed, "directed") == 0;
}

static void start_node(struct reading *r, const char **attributes)
{
    const char *id = attribute(attributes, "id");
    int rc;
    if (!id)
        WRONG(r, "a node has no id");
    else if ((rc = add_pair(r, id, id, NODE)) != 0)
        graphml_read_stop(r, rc);
    r->in_node = true;
    for (size_t i = 0; i < MW_NAMINGS; i++)
        r->names[i].nodes++;
}

static void start_edge(struct reading *r, const char **attributes)
{
    const char *source = attribute(attributes, "source"), *target = attribute(attributes, "target");
    const char *directed = attribute(attributes, "directed");
    int rc;
    if (!source || !target)
        WRONG(r, "an edge has no %s", source ? "target" : "source");
    else if (directed && strcmp(directed, r->directed ? "true" : "false") != 0 &&
             strcmp(directed, r->directed ? "1" : "0") != 0)
        WRONG(r, "an edge is %s, but the graph's other edges are %s: mixed graphs are not supported",
              r->directed ? "undirected" : "directed", r->directed ? "directed" : "undirected");
    else if ((rc = add_pair(r, source, target, 0)) != 0)
        graphml_read_stop(r, rc);
    r->in_edge = true;
}

/* Finds the attributes for weights of edges and names of nodes. */
static void start_key(struct reading *r, const char **attributes)
{
    const char *id = attribute(attributes, "id"), *name = attribute(attributes, "attr.name");
    const char *of = attribute(attributes, "for"), *type = attribute(attributes, "attr.type");
    const bool of_all = !of || strcmp(of, "all") == 0;
    const bool of_nodes = (of_all || strcmp(of, "node") == 0) && type && strcmp(type, "string") == 0;
    int rc = 0;
    if (!id || !name)
        return;
    if (!r->no_weights && !r->weight_key && strcmp(name, "weight") == 0 && (of_all || strcmp(of, "edge") == 0)) {
        rc = mw_strdup(id, &r->weight_key);
        r->in_weight_key = true;
    }
    if (rc == 0 && of_nodes)
        rc = mw_node_names_offer(r->names, name, id);
    if (rc != 0)
        graphml_read_stop(r, rc);
}

static void start_default(struct reading *r, const char **attributes)
{
    if (r->in_weight_key)
        r->reads = TEXT_DEFAULT;
    r->text_length = 0;
}

static void begin_name(struct reading *r, struct mw_node_names *named)
{
    named->length = 0;
    r->named = named;
    r->reads = TEXT_NAME;
}

static void start_data(struct reading *r, const char **attributes)
{
    const char *key = attribute(attributes, "key");
    if (r->in_edge && r->weight_key && key && strcmp(key, r->weight_key) == 0)
        r->reads = TEXT_WEIGHT;
    if (r->in_node && key && mw_node_names_of(r->names, key))
        begin_name(r, mw_node_names_of(r->names, key));
    r->text_length = 0;
}

/* Begins the first displayed label of a node. */
static void start_shown(struct reading *r, const char **attributes)
{
    struct mw_node_names *shown = &r->names[MW_NAMED_AS_SHOWN];
    int rc;
    if (!r->in_node || shown->words.count == shown->nodes)
        return;
    if ((rc = mw_node_names_offer(r->names, "NodeLabel", "NodeLabel")) != 0)
        graphml_read_stop(r, rc);
    else
        begin_name(r, shown);
}

static void start_hyperedge(struct reading *r, const char **attributes)
{
    WRONG(r, "hyperedges are not supported: replace them by edges");
}

static const struct element {
    const char *name;
    bool in_graph;
    void (*start)(struct reading *r, const char **attributes);
} elements[] = {
    { "graphml", false, start_root },    { "graph", false, start_graph },        { "node", true, start_node },
    { "edge", true, start_edge },        { "hyperedge", true, start_hyperedge }, { "key", false, start_key },
    { "default", false, start_default }, { "data", false, start_data },          { "NodeLabel", false, start_shown },
};

static void end_name(struct reading *r)
{
    const int rc = mw_node_names_end(r->named);
    r->reads = TEXT_NONE;
    if (rc != 0)
        graphml_read_stop(r, rc);
}

static void XMLCALL start_element(void *context, const char *name, const char **attributes)
{
    struct reading *r = context;
    const char *separator = strrchr(name, SEPARATOR);
    if (separator)
        name = separator + 1;
    if (r->reads == TEXT_NAME && r->named == &r->names[MW_NAMED_AS_SHOWN]) /* display attributes follow the text */
        end_name(r);
    if (!r->has_root && strcmp(name, "graphml") != 0) {
        WRONG(r, "the root element is \"%.40s\", not graphml", name);
        return;
    }
    for (size_t i = 0; i < MW_COUNT(elements); i++)
        if (strcmp(name, elements[i].name) == 0) {
            if (elements[i].in_graph && !r->has_graph)
                WRONG(r, "a %s outside of the graph", name);
            else
                elements[i].start(r, attributes);
            return;
        }
}

static void XMLCALL take_text(void *context, const char *text, int length)
{
    struct reading *r = context;
    const size_t room = sizeof r->text - 1 - r->text_length;
    const size_t bytes = (size_t)length < room ? (size_t)length : room;
    if (r->reads == TEXT_NAME)
        mw_node_names_add(r->named, text, (size_t)length);
    if (r->reads == TEXT_NONE || r->reads == TEXT_NAME)
        return;
    memcpy(r->text + r->text_length, text, bytes);
    r->text_length += bytes;
}

/* Ends a weight; blanks around it are allowed. */
static void end_text(struct reading *r)
{
    const struct node_piece *piece = last_piece(r);
    const char *at = r->text, *end;
    mw_decimal value;
    char quoted[MW_QUOTE_CAPACITY];
    r->text[r->text_length] = '\0';
    at += strspn(at, " \t\r\n");
    end = mw_decimal_read(at, &value);
    if (!end || end[strspn(end, " \t\r\n")] != '\0')
        WRONG(r, "\"%s\" is not the weight of an edge (a number below 1e280)", *at ? mw_quote(at, quoted) : "");
    else if (r->reads == TEXT_DEFAULT)
        r->weight_default = value;
    else
        piece->edges.weights[piece->pairs - 1] = value;
    r->has_default = r->has_default || r->reads == TEXT_DEFAULT;
    r->reads = TEXT_NONE;
}

static void XMLCALL end_element(void *context, const char *name)
{
    struct reading *r = context;
    const char *separator = strrchr(name, SEPARATOR);
    if (separator)
        name = separator + 1;
    if (r->reads == TEXT_NAME)
        end_name(r);
    if (r->reads != TEXT_NONE)
        end_text(r);
    if (strcmp(name, "edge") == 0)
        r->in_edge = false;
    if (strcmp(name, "node") == 0)
        r->in_node = false;
    if (strcmp(name, "key") == 0)
        r->in_weight_key = false;
}

/* Rejects entities: GraphML does not need them, and their expansion can exhaust memory. */
static void XMLCALL refuse_entity(void *context, const char *name, int is_parameter, const char *value, int length,
                                  const char *base, const char *system, const char *public, const char *notation)
{
    struct reading *r = context;
    WRONG(r, "the entity \"%.40s\" is declared: entities are not supported", name);
}

static int parse(struct reading *r)
{
    size_t got;
    do {
        void *buffer = XML_GetBuffer(r->parser, BUFFER);
        if (!buffer)
            return mw_fail(MW_ENOMEM, "out of memory: cannot read %s", r->input->name);
        TRY_RETURN(mw_input_read(r->input, buffer, BUFFER, &got));
        if (XML_ParseBuffer(r->parser, (int)got, got < BUFFER) == XML_STATUS_ERROR) {
            if (r->status)
                return r->status;
            return mw_input_malformed(r->input, line_of(r), "this is not XML: %s",
                                      XML_ErrorString(XML_GetErrorCode(r->parser)));
        }
    } while (got == BUFFER);
    if (!r->has_graph)
        return mw_input_malformed(r->input, line_of(r), "the file ends without a graph");
    return 0;
}

static int wrong_name(const struct reading *r, const struct mw_edges *pairs, uint32_t vertex, uint32_t mark,
                      const char *what)
{
    char text[MW_NAME_CAPACITY];
    return mw_input_malformed(r->input, mark & ~NODE, "%s: \"%.60s\"", what, mw_name(pairs->names, vertex, text));
}

/* Finds where each vertex's name begins: names are in the order of nodes. */
static int place_names(const struct reading *r, const struct mw_edges *pairs, struct mw_node_names *names)
{
    uint64_t k = 0, node = 0;
    TRY_RETURN(mw_new(pairs->vertices, sizeof *names->start, &names->start));
    for (size_t p = 0; p < r->pieces.count; p++) {
        const struct node_piece *piece = r->pieces.piece[p];
        for (size_t i = 0; i < piece->pairs; i++, k++)
            if (piece->mark[i] & NODE)
                names->start[pairs->ends[2 * k]] = names->words.entry[node++].start;
    }
    return 0;
}

/* Removes nodes from the pairs. Checks that each node occurs once, and that edges are between nodes. */
static int take_nodes(const struct reading *r, struct mw_edges *pairs)
{
    uint64_t k = 0, edges = 0;
    bool *is_node = NULL;
    int rc;
    TRY(mw_new(pairs->vertices, sizeof *is_node, &is_node));
    for (size_t p = 0; p < r->pieces.count; p++) {
        const struct node_piece *piece = r->pieces.piece[p];
        for (size_t i = 0; i < piece->pairs; i++, k++) {
            const uint32_t *ends = pairs->ends + 2 * k;
            if (!(piece->mark[i] & NODE))
                continue;
            if (is_node[ends[0]])
                TRY(wrong_name(r, pairs, ends[0], piece->mark[i], "two nodes have the same id"));
            is_node[ends[0]] = true;
        }
    }
    k = 0;
    for (size_t p = 0; p < r->pieces.count; p++) {
        const struct node_piece *piece = r->pieces.piece[p];
        for (size_t i = 0; i < piece->pairs; i++, k++) {
            const uint32_t ends[] = { pairs->ends[2 * k], pairs->ends[2 * k + 1] };
            if (piece->mark[i] & NODE)
                continue;
            if (!is_node[ends[0]] || !is_node[ends[1]])
                TRY(wrong_name(r, pairs, ends[is_node[ends[0]]], piece->mark[i], "an edge's endpoint is not a node"));
            if (pairs->weights)
                pairs->weights[edges] = pairs->weights[k];
            memcpy(pairs->ends + 2 * edges++, ends, sizeof ends);
        }
    }
    pairs->count = edges;
    uint32_t *fitting = realloc(pairs->ends, (size_t)(2 * edges + 1) * sizeof *fitting);
    if (fitting)
        pairs->ends = fitting;
out:
    free(is_node);
    return rc;
}

/* Gives edges without weight the default; nodes lack weights. */
static void fill_weights(struct reading *r)
{
    uint64_t without = 0;
    for (size_t p = 0; p < r->pieces.count; p++) {
        struct node_piece *piece = r->pieces.piece[p];
        for (size_t i = 0; i < piece->pairs; i++)
            if (!(piece->mark[i] & NODE) && piece->edges.weights[i] == MW_DECIMAL_NONE) {
                piece->edges.weights[i] = r->weight_default;
                without++;
            }
    }
    if (without > 0 && !r->has_default)
        mw_log(MW_LOG_NOTICE, "%s: %" PRIu64 " edges have no weight, and the file has no default: their weight is 1",
               r->input->name, without);
}

int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .input = input,
                         .most = input->limits->piece_bytes / PAIR_BYTES + 1,
                         .no_weights = options->no_weights };
    struct mw_pieces *const p = &r.pieces;
    struct mw_edges pairs = { 0 };
    struct mw_node_names *names;
    int rc;
    r.parser = XML_ParserCreateNS(NULL, SEPARATOR);
    if (!r.parser)
        return mw_fail(MW_ENOMEM, "out of memory: cannot read %s", input->name);
    mw_decimal_read("1", &r.weight_default);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, start_element, end_element);
    XML_SetCharacterDataHandler(r.parser, take_text);
    XML_SetEntityDeclHandler(r.parser, refuse_entity);
    TRY(parse(&r));
    TRY(mw_executor_new(p->count < 2 ? "serial" : "pthreads", options->threads, &p->executor));
    if (r.weight_key)
        fill_weights(&r);
    TRY(mw_pieces_number(p->executor, input->name, p->piece, p->count, r.weight_key != NULL, r.directed, &pairs));
    names = mw_node_names_choose(r.names, input->name);
    if (names)
        TRY(place_names(&r, &pairs, names));
    TRY(take_nodes(&r, &pairs));
    if (names)
        TRY(mw_node_names_use(names, &pairs));
    *edges = MW_PASS(pairs);
out:
    XML_ParserFree(r.parser);
    mw_edges_free(&pairs);
    free(r.weight_key);
    for (size_t i = 0; i < MW_NAMINGS; i++)
        mw_node_names_free(&r.names[i]);
    for (size_t i = 0; i < p->count; i++)
        free(((struct node_piece *)p->piece[i])->mark);
    mw_edge_pieces_end(p);
    return rc;
}
#else
int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    return mw_fail(MW_ENOTSUP, "cannot read %s: this meshwork was built without expat, which reads XML", input->name);
}
#endif
/* SPDX-License-Identifier: MIT */
