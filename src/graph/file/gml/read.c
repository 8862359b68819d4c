/* GML (Himsolt 1997): a tree of keys with values. Values are numbers, texts in quotes, or lists in brackets. The list
 * `graph` contains the lists `node` (id, label) and `edge` (source, target, weight). Other keys are ignored. */
#include "graph/file/formats.h"
#include "graph/file/nodes/nodes.h"
#include "graph/file/nodes/scan.h"

#include <stdlib.h>
#include <string.h>

enum token { END, WORD, TEXT, OPEN, CLOSE };

struct reading {
    struct mw_scan scan;
    struct mw_nodes nodes;
    enum token token; /* the last token; its characters are in scan.text */
    bool has_graph, directed, no_weights;
};

/* ---- tokens ---- */

/* Appends a character as UTF-8. */
static void add_letter(struct mw_scan *s, unsigned long letter)
{
    if (letter < 0x80) {
        mw_scan_add(s, (int)letter);
        return;
    }
    if (letter >= 0x10000)
        mw_scan_add(s, (int)(0xf0 | letter >> 18));
    if (letter >= 0x800)
        mw_scan_add(s, (int)((letter < 0x10000 ? 0xe0 : 0x80) | (letter >> 12 & (letter < 0x10000 ? 0x0f : 0x3f))));
    mw_scan_add(s, (int)((letter < 0x800 ? 0xc0 : 0x80) | (letter >> 6 & (letter < 0x800 ? 0x1f : 0x3f))));
    mw_scan_add(s, (int)(0x80 | (letter & 0x3f)));
}

/* Replaces the entity at the end of the text, which begins at `start`, by its character. Unknown ones stay. */
static void end_entity(struct mw_scan *s, size_t start)
{
    static const struct {
        const char *name;
        char letter;
    } entities[] = { { "&amp;", '&' }, { "&quot;", '"' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&apos;", '\'' } };
    const char *name = s->text + start;
    char *end;
    for (size_t i = 0; i < MW_COUNT(entities); i++)
        if (strcmp(name, entities[i].name) == 0) {
            s->length = start;
            mw_scan_add(s, entities[i].letter);
            return;
        }
    if (name[1] == '#') {
        const bool is_hex = name[2] == 'x';
        const char *digits = name + (is_hex ? 3 : 2);
        const unsigned long letter = strtoul(digits, &end, is_hex ? 16 : 10);
        if (end > digits && *end == ';' && strspn(digits, "0123456789abcdefABCDEF") == (size_t)(end - digits) &&
            letter > 0 && letter < 0x110000 && (letter < 0xd800 || letter > 0xdfff)) {
            s->length = start;
            add_letter(s, letter);
        }
    }
}

static int take_text(struct reading *r)
{
    struct mw_scan *s = &r->scan;
    size_t entity = SIZE_MAX;
    int c;
    mw_scan_take(s);
    while ((c = mw_scan_take(s)) >= 0 && c != '"') {
        entity = c == '&' ? s->length : entity;
        mw_scan_add(s, c);
        if (c == ';' && entity < s->length && s->length <= MW_NAME_MAX) {
            end_entity(s, entity);
            entity = SIZE_MAX;
        }
    }
    r->token = TEXT;
    return c < 0 ? mw_scan_wrong(s, "expected the text's closing quote, found the end of the file") : 0;
}

/* Takes the next token. */
static int next(struct reading *r)
{
    struct mw_scan *s = &r->scan;
    int c;
    while ((c = mw_scan_peek(s)) == '#' || c == ' ' || (c >= '\t' && c <= '\r'))
        if (c == '#')
            mw_scan_skip_line(s);
        else
            mw_scan_take(s);
    mw_scan_begin(s);
    if (c == '"')
        return take_text(r);
    r->token = c < 0 ? END : c == '[' ? OPEN : c == ']' ? CLOSE : WORD;
    if (r->token != WORD) {
        mw_scan_add(s, c < 0 ? 0 : mw_scan_take(s));
        return s->status;
    }
    while ((c = mw_scan_peek(s)) > ' ' && c != '[' && c != ']' && c != '"' && c != '#' && c != 0x7f)
        mw_scan_add(s, mw_scan_take(s));
    return s->length ? 0 : mw_scan_wrong(s, "expected a key, found the byte 0x%02x", (unsigned)c);
}

static int expected(const struct reading *r, const char *what)
{
    return mw_scan_expected(&r->scan, what, r->token == END);
}

/* Takes the next token, which must be a value other than a list. */
static int next_value(struct reading *r, const char *what)
{
    TRY_RETURN(next(r));
    return r->token == WORD || r->token == TEXT ? 0 : expected(r, what);
}

/* ---- values ---- */

/* Skips the next value, a list with all that it contains. */
static int skip_value(struct reading *r)
{
    size_t depth = 0;
    do {
        TRY_RETURN(next(r));
        if (r->token == END || (depth == 0 && r->token == CLOSE))
            return expected(r, depth ? "]" : "a value");
        depth += r->token == OPEN;
        depth -= r->token == CLOSE;
    } while (depth > 0);
    return 0;
}

/* Reads an integer, whose text becomes an id. */
static int take_id(struct reading *r, const char *what, uint32_t *id)
{
    struct mw_scan *s = &r->scan;
    const char *digits;
    TRY_RETURN(next_value(r, what));
    digits = s->text + (*s->text == '-' || *s->text == '+');
    if (r->token != WORD || !*digits || digits[strspn(digits, "0123456789")])
        return expected(r, what);
    return mw_nodes_id(&r->nodes, s->text, s->length, s->text_line, id);
}

/* Takes the next key of a list: stores false in *more after the last one. */
static int next_key(struct reading *r, bool *more)
{
    TRY_RETURN(next(r));
    *more = r->token == WORD;
    return r->token == WORD || r->token == CLOSE ? 0 : expected(r, "a key or ]");
}

static int open_list(struct reading *r)
{
    TRY_RETURN(next(r));
    return r->token == OPEN ? 0 : expected(r, "[");
}

/* Takes a name of the current node, if the attribute can be one. Its first value counts. */
static int take_name(struct reading *r, const char *key, bool taken[MW_NAMINGS])
{
    struct mw_node_names *named;
    TRY_RETURN(mw_node_names_offer(r->nodes.names, key, key));
    TRY_RETURN(next_value(r, "a name"));
    named = mw_node_names_of(r->nodes.names, key);
    if (taken[named - r->nodes.names])
        return 0;
    taken[named - r->nodes.names] = true;
    mw_node_names_add(named, r->scan.text, r->scan.length);
    return mw_node_names_end(named);
}

static int read_node(struct reading *r)
{
    const size_t line = r->scan.text_line;
    bool more, known, has_id = false, taken[MW_NAMINGS] = { false };
    uint32_t id = 0;
    TRY_RETURN(open_list(r));
    for (size_t i = 0; i < MW_NAMINGS; i++)
        r->nodes.names[i].nodes = r->nodes.nodes + 1;
    while (true) {
        TRY_RETURN(next_key(r, &more));
        if (!more)
            break;
        const char *key = r->scan.text;
        if (strcmp(key, "id") == 0) {
            TRY_RETURN(take_id(r, "an integer as the node's id", &id));
            has_id = true;
        } else if (strcmp(key, "name") == 0) {
            TRY_RETURN(take_name(r, "name", taken));
        } else if (strcmp(key, "label") == 0) {
            TRY_RETURN(take_name(r, "label", taken));
        } else {
            TRY_RETURN(skip_value(r));
        }
    }
    if (!has_id)
        return mw_input_malformed(r->nodes.input, line, "the node has no id");
    mw_nodes_add(&r->nodes, id, &known);
    return known ? mw_input_malformed(r->nodes.input, line, "two nodes have the same id") : 0;
}

/* Takes a weight; unless `is_strict`, the value may be something else, which is ignored. */
static int take_edge_weight(struct reading *r, bool is_strict, mw_decimal *weight)
{
    mw_decimal value;
    const char *end;
    TRY_RETURN(next_value(r, "the edge's weight"));
    end = mw_decimal_read(r->scan.text, &value);
    if (end && !*end)
        *weight = value;
    else if (is_strict)
        return expected(r, "the edge's weight (a number below 1e280)");
    return 0;
}

/* Weights are named weight, or value in Newman's collection. */
static int read_edge(struct reading *r)
{
    const size_t line = r->scan.text_line;
    bool more, has_source = false, has_target = false, has_weight = false;
    mw_decimal weight = MW_DECIMAL_NONE;
    uint32_t source = 0, target = 0;
    TRY_RETURN(open_list(r));
    while (true) {
        TRY_RETURN(next_key(r, &more));
        if (!more)
            break;
        const char *key = r->scan.text;
        const bool is_weight = strcmp(key, "weight") == 0, is_value = strcmp(key, "value") == 0;
        if (strcmp(key, "source") == 0) {
            TRY_RETURN(take_id(r, "an integer as the edge's source", &source));
            has_source = true;
        } else if (strcmp(key, "target") == 0) {
            TRY_RETURN(take_id(r, "an integer as the edge's target", &target));
            has_target = true;
        } else if (!r->no_weights && (is_weight || (is_value && !has_weight))) {
            TRY_RETURN(take_edge_weight(r, is_weight, &weight));
            has_weight = has_weight || is_weight;
        } else {
            TRY_RETURN(skip_value(r));
        }
    }
    if (!has_source || !has_target)
        return mw_input_malformed(r->nodes.input, line, "the edge has no %s", has_source ? "target" : "source");
    return mw_nodes_join(&r->nodes, source, target, weight);
}

static int read_graph(struct reading *r)
{
    bool more;
    if (r->has_graph)
        return mw_scan_wrong(&r->scan, "a second graph: put each graph into a file of its own");
    r->has_graph = true;
    TRY_RETURN(open_list(r));
    while (true) {
        TRY_RETURN(next_key(r, &more));
        if (!more)
            break;
        const char *key = r->scan.text;
        if (strcmp(key, "node") == 0) {
            TRY_RETURN(read_node(r));
        } else if (strcmp(key, "edge") == 0) {
            TRY_RETURN(read_edge(r));
        } else if (strcmp(key, "directed") == 0) {
            TRY_RETURN(next_value(r, "0 or 1"));
            if (strcmp(r->scan.text, "0") != 0 && strcmp(r->scan.text, "1") != 0)
                return expected(r, "0 or 1");
            r->directed = *r->scan.text == '1';
        } else {
            TRY_RETURN(skip_value(r));
        }
    }
    return 0;
}

static int read_tree(struct reading *r)
{
    while (true) {
        TRY_RETURN(next(r));
        if (r->token == END)
            break;
        if (r->token != WORD)
            return expected(r, "a key");
        TRY_RETURN(strcmp(r->scan.text, "graph") == 0 ? read_graph(r) : skip_value(r));
    }
    return r->has_graph ? 0 : expected(r, "graph [");
}

int mw_edges_read_gml(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .nodes = { .input = input }, .no_weights = options->no_weights };
    int rc;
    TRY(mw_scan_start(input, &r.scan));
    TRY(read_tree(&r));
    TRY(mw_nodes_finish(&r.nodes, r.directed, edges));
out:
    mw_scan_free(&r.scan);
    mw_nodes_free(&r.nodes);
    return rc;
}
/* SPDX-License-Identifier: MIT */
