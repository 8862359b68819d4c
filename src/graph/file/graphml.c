/* GraphML (graphml.graphdrawing.org): <node id=""/> and <edge source="" target=""/> in the one <graph edgedefault="">,
 * in any order.  Data, ports and what else may stand there are left alone; hyperedges, graphs within nodes, and
 * directed among undirected edges have no counterpart here. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_EXPAT
#include <expat.h>

#define BUFFER 65536
#define SEPARATOR '|'            /* between the name space of an element and its name */
#define PAIR_BYTES 16            /* of a piece: so many pairs that the dictionary stays in a cache */
#define NODE ((uint32_t)1 << 31) /* of a mark */

/* Edges, and among them nodes as pairs of one name, in the order of the file. */
struct node_piece {
    struct mw_edge_piece edges;
    size_t pairs;
    uint32_t *mark;              /* of each pair: its line, and whether it is a node */
};

struct reading {
    struct mw_input *input;
    XML_Parser parser;
    int status;                  /* of the first failure, which has its sentence */
    bool has_root, has_graph, directed;
    void **piece;
    size_t pieces, capacity;
    size_t most;                 /* pairs of a piece */
};

static size_t line_of(const struct reading *r) { return (size_t)XML_GetCurrentLineNumber(r->parser); }

static void stop(struct reading *r, int status)
{
    if (r->status == 0)
        r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

#define WRONG(r, ...) stop((r), mw_input_malformed((r)->input, line_of(r), __VA_ARGS__))

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
    int rc;
    if (r->pieces == r->capacity) {
        const size_t capacity = 2 * r->capacity + 64;
        void **grown = realloc(r->piece, capacity * sizeof *grown);
        if (!grown)
            return mw_fail(MW_ENOMEM, "out of memory: the nodes of %s do not fit", r->input->name);
        r->piece = grown;
        r->capacity = capacity;
    }
    TRY(mw_new(1, sizeof *piece, &piece));
    piece->edges.has_words = true;
    r->piece[r->pieces++] = piece;
    TRY(mw_new(2 * r->most, sizeof *piece->edges.ends, &piece->edges.ends));
    TRY(mw_new(r->most, sizeof *piece->mark, &piece->mark));
out:
    return rc;
}

static int find_word(struct reading *r, struct node_piece *piece, const char *text, uint32_t *number)
{
    const size_t length = strlen(text);
    if (length == 0)
        return mw_input_malformed(r->input, line_of(r), "an empty name");
    if (length > MW_NAME_MAX)
        return mw_input_malformed(r->input, line_of(r), "a name has more than %zu bytes", MW_NAME_MAX);
    return mw_dictionary_add(&piece->edges.words, text, length, number);
}

static int add_pair(struct reading *r, const char *tail, const char *head, uint32_t mark)
{
    struct node_piece *piece = r->pieces ? r->piece[r->pieces - 1] : NULL;
    const size_t line = line_of(r);
    uint32_t *to;
    int rc;
    if (!piece || piece->pairs == r->most) {
        if (piece)
            mw_dictionary_close(&piece->edges.words);
        TRY(add_piece(r));
        piece = r->piece[r->pieces - 1];
    }
    to = piece->edges.ends + 2 * piece->pairs;
    TRY(find_word(r, piece, tail, &to[0]));
    TRY(find_word(r, piece, head, &to[1]));
    piece->mark[piece->pairs++] = mark | (line < NODE ? (uint32_t)line : NODE - 1);
    piece->edges.count = piece->pairs;
out:
    return rc;
}

static void start_root(struct reading *r, const char **attributes)
{
    (void)attributes;
    r->has_root = true;
}

static void start_graph(struct reading *r, const char **attributes)
{
    const char *directed = attribute(attributes, "edgedefault");
    if (r->has_graph)
        WRONG(r, "a second graph, within the first or behind it: give each one a file");
    else if (!directed || (strcmp(directed, "directed") != 0 && strcmp(directed, "undirected") != 0))
        WRONG(r, "the graph's edgedefault is neither directed nor undirected");
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
        stop(r, rc);
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
        WRONG(r, "an edge is %s in a graph whose other edges are %s: make them all one kind",
              r->directed ? "not directed" : "directed", r->directed ? "directed" : "not");
    else if ((rc = add_pair(r, source, target, 0)) != 0)
        stop(r, rc);
}

static void start_hyperedge(struct reading *r, const char **attributes)
{
    (void)attributes;
    WRONG(r, "a hyperedge, which joins more than two nodes: put edges in its place");
}

static const struct element {
    const char *name;
    bool in_graph;
    void (*start)(struct reading *r, const char **attributes);
} elements[] = {
    { "graphml", false, start_root }, { "graph", false, start_graph }, { "node", true, start_node },
    { "edge", true, start_edge }, { "hyperedge", true, start_hyperedge },
};

static void XMLCALL start_element(void *context, const char *name, const char **attributes)
{
    struct reading *r = context;
    const char *separator = strrchr(name, SEPARATOR);
    if (separator)
        name = separator + 1;
    if (!r->has_root && strcmp(name, "graphml") != 0) {
        WRONG(r, "the file's root is \"%.40s\", not graphml", name);
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

/* GraphML needs no entities of its own, and those that stand for others fill memory. */
static void XMLCALL refuse_entity(void *context, const char *name, int is_parameter, const char *value, int length,
                                  const char *base, const char *system, const char *public, const char *notation)
{
    struct reading *r = context;
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    WRONG(r, "the entity \"%.40s\" is declared, which meshwork does not read", name);
}

static int parse(struct reading *r)
{
    size_t got;
    int rc = 0;
    do {
        void *buffer = XML_GetBuffer(r->parser, BUFFER);
        if (!buffer)
            return mw_fail(MW_ENOMEM, "no memory to read %s", r->input->name);
        TRY(mw_input_read(r->input, buffer, BUFFER, &got));
        if (XML_ParseBuffer(r->parser, (int)got, got < BUFFER) == XML_STATUS_ERROR) {
            if (r->status)
                return r->status;
            return mw_input_malformed(r->input, line_of(r), "this is not XML: %s",
                                      XML_ErrorString(XML_GetErrorCode(r->parser)));
        }
    } while (got == BUFFER);
    if (!r->has_graph)
        return mw_input_malformed(r->input, line_of(r), "the file ends without a graph");
out:
    return rc;
}

static int wrong_name(const struct reading *r, const struct mw_edges *pairs, uint32_t vertex, uint32_t mark,
                      const char *what)
{
    char text[MW_NAME_CAPACITY];
    return mw_input_malformed(r->input, mark & ~NODE, "%s: \"%.60s\"", what, mw_name(pairs->names, vertex, text));
}

/* Takes the nodes out of the pairs: each is there once, and edges are between nodes. */
static int take_nodes(const struct reading *r, struct mw_edges *pairs)
{
    uint64_t k = 0, edges = 0;
    bool *is_node = NULL;
    int rc;
    TRY(mw_new(pairs->vertices, sizeof *is_node, &is_node));
    for (size_t p = 0; p < r->pieces; p++) {
        const struct node_piece *piece = r->piece[p];
        for (size_t i = 0; i < piece->pairs; i++, k++) {
            const uint32_t *ends = pairs->ends + 2 * k;
            if (!(piece->mark[i] & NODE))
                continue;
            if (is_node[ends[0]])
                TRY(wrong_name(r, pairs, ends[0], piece->mark[i], "there are two nodes of one id"));
            is_node[ends[0]] = true;
        }
    }
    k = 0;
    for (size_t p = 0; p < r->pieces; p++) {
        const struct node_piece *piece = r->piece[p];
        for (size_t i = 0; i < piece->pairs; i++, k++) {
            const uint32_t ends[] = { pairs->ends[2 * k], pairs->ends[2 * k + 1] };
            if (piece->mark[i] & NODE)
                continue;
            if (!is_node[ends[0]] || !is_node[ends[1]])
                TRY(wrong_name(r, pairs, ends[is_node[ends[0]]], piece->mark[i], "an edge's end is no node's id"));
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

int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .input = input, .most = input->limits->piece_bytes / PAIR_BYTES + 1 };
    struct mw_executor *executor = NULL;
    struct mw_edges pairs = { 0 };
    int rc;
    r.parser = XML_ParserCreateNS(NULL, SEPARATOR);
    if (!r.parser)
        return mw_fail(MW_ENOMEM, "no memory to read %s", input->name);
    XML_SetUserData(r.parser, &r);
    XML_SetStartElementHandler(r.parser, start_element);
    XML_SetEntityDeclHandler(r.parser, refuse_entity);
    TRY(parse(&r));
    TRY(mw_executor_new(r.pieces < 2 ? "serial" : "pthreads", options->threads, &executor));
    TRY(mw_pieces_number(executor, input->name, r.piece, r.pieces, r.directed, &pairs));
    TRY(take_nodes(&r, &pairs));
    *edges = pairs;
    pairs = (struct mw_edges){ 0 };
out:
    XML_ParserFree(r.parser);
    mw_executor_free(executor);
    mw_edges_free(&pairs);
    for (size_t i = 0; i < r.pieces; i++) {
        struct node_piece *piece = r.piece[i];
        free(piece->mark);
        mw_edge_piece_free(&piece->edges);
    }
    free(r.piece);
    return rc;
}
#else
int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    (void)options;
    (void)edges;
    return mw_fail(MW_ENOTSUP, "cannot read %s: this meshwork was built without expat, which reads XML", input->name);
}
#endif

/* ---- writing, which needs no library ---- */

static const char *escape_of(char c)
{
    static const struct { char c; const char *text; } escapes[] = {
        { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }, { '\t', "&#9;" }, { '\n', "&#10;" },
        { '\r', "&#13;" } };
    for (size_t i = 0; i < MW_COUNT(escapes); i++)
        if (c == escapes[i].c)
            return escapes[i].text;
    return NULL;
}

/* The bytes of a letter of UTF-8 that XML has; 0 where it is none. */
static size_t letter_bytes(const unsigned char *s)
{
    static const struct { unsigned char mask, lead; uint32_t least; } forms[] = {
        { 0x80, 0x00, 0x20 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };
    if (*s == '\t' || *s == '\n' || *s == '\r')
        return 1;
    for (size_t i = 0; i < MW_COUNT(forms); i++) {
        uint32_t letter = *s & (unsigned char)~forms[i].mask;
        if ((*s & forms[i].mask) != forms[i].lead)
            continue;
        for (size_t k = 1; k <= i; k++) {
            if ((s[k] & 0xc0) != 0x80)
                return 0;
            letter = letter << 6 | (s[k] & 0x3f);
        }
        return letter < forms[i].least || letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000) ||
            letter == 0xfffe || letter == 0xffff ? 0 : i + 1;
    }
    return 0;
}

static int check_names(const struct mw_writing *w)
{
    char text[MW_NAME_CAPACITY];
    for (size_t v = 0; w->has_texts && v < w->graph->vertices; v++) {
        const char *name = mw_name(w->graph->names, v, text);
        const unsigned char *s = (const unsigned char *)name;
        size_t bytes = *s ? 1 : 0;
        while (*s && (bytes = letter_bytes(s)) > 0)
            s += bytes;
        if (bytes == 0)
            return mw_fail(MW_ENOTSUP, "cannot write %s: the name of vertex %zu is %s: write the binary format",
                           w->path, v, *name ? "not UTF-8, or has a character that XML lacks" : "empty");
    }
    return 0;
}

static void put_text(struct mw_output_block *block, const char *text)
{
    const size_t length = strlen(text);
    char *to = mw_output_block_reserve(block, length);
    if (!to)
        return;
    memcpy(to, text, length);
    block->length += length;
}

static void put_name(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    char text[MW_NUMBER_CAPACITY], *to;
    if (!w->has_texts) {
        *mw_put_number(text, mw_written_number(w, vertex)) = '\0';
        put_text(block, text);
        return;
    }
    for (const char *name = mw_name(w->graph->names, vertex, text); *name; name++) {
        const char *escape = escape_of(*name);
        if (escape) {
            put_text(block, escape);
        } else if ((to = mw_output_block_reserve(block, 1)) != NULL) {
            *to = *name;
            block->length++;
        }
    }
}

static void put_node(const struct mw_writing *w, size_t vertex, struct mw_output_block *block)
{
    put_text(block, "<node id=\"");
    put_name(w, vertex, block);
    put_text(block, "\"/>\n");
}

static void put_edge(const struct mw_writing *w, size_t tail, size_t head, bool first, struct mw_output_block *block)
{
    (void)first;
    put_text(block, "<edge source=\"");
    put_name(w, tail, block);
    put_text(block, "\" target=\"");
    put_name(w, head, block);
    put_text(block, "\"/>\n");
}

int mw_graph_write_graphml(struct mw_writing *w)
{
    static const struct mw_writer nodes = { .vertex = put_node }, edges = { .edge = put_edge };
    int rc;
    TRY(check_names(w));
    TRY(mw_write_text(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
                      "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<graph edgedefault=\"%s\">\n",
                      w->graph->directed ? "directed" : "undirected"));
    TRY(mw_write_graph(w, &nodes));
    TRY(mw_write_graph(w, &edges));
    TRY(mw_write_text(w, "</graph>\n</graphml>\n"));
out:
    return rc;
}
