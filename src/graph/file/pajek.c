/* Pajek's .net (Batagelj, Mrvar: manual of Pajek, appendix). "*Vertices N" begins lines of a number and a label. *Arcs
 * and *Edges begin lines of two numbers and a weight, *Arcslist and *Edgeslist lines of a vertex and its neighbours. */
#include "graph/file/formats.h"
#include "graph/file/nodes/nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum section { NO_SECTION, VERTICES, ARCS, EDGES, ARCS_LIST, EDGES_LIST, OTHER_SECTION };

struct reading {
    struct mw_nodes nodes; /* endpoints are numbers of vertices, counted from 1 */
    enum section section;
    bool has_vertices, has_section[OTHER_SECTION], no_weights;
    uint64_t vertices, arcs; /* number of vertices; edges that are directed */
    struct mw_dictionary labels;
    uint32_t *labelled; /* per label: its vertex, counted from 1 */
    bool unfit;         /* labels are not usable: one is repeated or invalid */
};

#define WRONG(r, ...) mw_input_malformed((r)->nodes.input, (r)->nodes.input->lines, __VA_ARGS__)

/* Takes the number of a vertex. */
static int take_vertex(struct reading *r, const char **at, const char *what, uint32_t *vertex)
{
    char quoted[MW_QUOTE_CAPACITY];
    uint64_t value;
    const enum mw_word word = mw_take_number(at, &value);
    if (word == MW_WORD_NONE)
        return WRONG(r, "expected %s, found the end of the line", what);
    if (word != MW_WORD_NUMBER || value == 0 || value > r->vertices)
        return WRONG(r, "expected %s (1 to %" PRIu64 "), found \"%s\"", what, r->vertices,
                     word == MW_WORD_NUMBER ? "another number" : mw_quote(*at, quoted));
    *vertex = (uint32_t)value;
    return 0;
}

static int begin_section(struct reading *r, const char *at)
{
    static const struct {
        const char *word;
        enum section section;
    } sections[] = { { "*vertices", VERTICES },
                     { "*arcs", ARCS },
                     { "*edges", EDGES },
                     { "*arcslist", ARCS_LIST },
                     { "*edgeslist", EDGES_LIST } };
    const size_t length = (size_t)(mw_skip_word(at) - at);
    char quoted[MW_QUOTE_CAPACITY];
    r->section = OTHER_SECTION;
    for (size_t i = 0; i < MW_COUNT(sections); i++)
        if (length == strlen(sections[i].word) && mw_same_start(at, sections[i].word, length))
            r->section = sections[i].section;
    if (r->section == OTHER_SECTION && !(length == 8 && mw_same_start(at, "*network", 8)))
        return WRONG(r, "expected *Vertices, *Arcs, *Edges, *Arcslist or *Edgeslist, found \"%s\"",
                     mw_quote(at, quoted));
    if (r->section == VERTICES) {
        const char *number = at + length;
        if (r->has_vertices)
            return WRONG(r, "a second graph: put each graph into a file of its own");
        if (mw_take_number(&number, &r->vertices) != MW_WORD_NUMBER)
            return WRONG(r, "expected the number of vertices, found \"%s\"", mw_quote(number, quoted));
        r->has_vertices = true;
        TRY_RETURN(mw_vertices_check(r->vertices));
    } else if (!r->has_vertices && r->section != OTHER_SECTION) {
        return WRONG(r, "expected *Vertices before edges");
    }
    if (r->section < OTHER_SECTION)
        r->has_section[r->section] = true;
    return 0;
}

static int add_label(struct reading *r, const char *at, const char *end)
{
    const char *closing;
    uint32_t vertex, number;
    TRY_RETURN(take_vertex(r, &at, "a vertex", &vertex));
    at = mw_skip_blanks(at);
    if (at >= end)
        return 0;
    closing = mw_skip_word(at);
    if (*at == '"') {
        at++;
        closing = memchr(at, '"', (size_t)(end - at));
        if (!closing)
            return WRONG(r, "expected the label's closing quote, found the end of the line");
    }
    if (closing == at || (size_t)(closing - at) > MW_NAME_MAX || mw_has_control(at, (size_t)(closing - at)))
        r->unfit = true;
    if (r->unfit)
        return 0;
    TRY_RETURN(mw_grow(r->labels.count, sizeof *r->labelled, &r->labelled));
    const size_t before = r->labels.count;
    TRY_RETURN(mw_dictionary_add(&r->labels, at, (size_t)(closing - at), &number));
    r->unfit = number != before;
    r->labelled[number] = vertex;
    return 0;
}

static int add_edges(struct reading *r, const char *at, const char *end)
{
    const bool is_list = r->section == ARCS_LIST || r->section == EDGES_LIST;
    mw_decimal weight = MW_DECIMAL_NONE;
    uint32_t tail, head;
    TRY_RETURN(take_vertex(r, &at, "a vertex", &tail));
    if (!is_list)
        TRY_RETURN(take_vertex(r, &at, "a second vertex", &head));
    at = mw_skip_blanks(at);
    if (!is_list) {
        const char *after = r->no_weights ? NULL : mw_decimal_read(at, &weight);
        if (after && after != mw_skip_word(at))
            weight = MW_DECIMAL_NONE;
        r->arcs += r->section == ARCS;
        return mw_nodes_join(&r->nodes, tail, head, weight);
    }
    for (; at < end; at = mw_skip_blanks(at)) {
        TRY_RETURN(take_vertex(r, &at, "a vertex", &head));
        r->arcs += r->section == ARCS_LIST;
        TRY_RETURN(mw_nodes_join(&r->nodes, tail, head, weight));
    }
    return 0;
}

static int read_lines(struct reading *r)
{
    const char *at, *end;
    while (true) {
        TRY_RETURN(mw_input_line(r->nodes.input, &at, &end));
        if (!at)
            break;
        at = mw_skip_blanks(at);
        if (at >= end || *at == '%')
            continue;
        if (*at == '*')
            TRY_RETURN(begin_section(r, at));
        else if (r->section == NO_SECTION)
            return WRONG(r, "expected *Vertices");
        else if (r->section == VERTICES)
            TRY_RETURN(add_label(r, at, end));
        else if (r->section != OTHER_SECTION)
            TRY_RETURN(add_edges(r, at, end));
    }
    return r->has_vertices ? 0 : WRONG(r, "the file ends without *Vertices");
}

/* Names the vertices by their labels, if each has one of its own. */
static int name_vertices(struct reading *r, struct mw_edges *edges)
{
    size_t *start = NULL;
    bool *is_named = NULL;
    int rc = 0;
    if (r->labels.count == 0 && !r->unfit)
        return 0;
    r->unfit = r->unfit || r->labels.count != r->vertices;
    if (!r->unfit) {
        TRY(mw_new(r->labels.count, sizeof *start, &start));
        TRY(mw_new(r->labels.count, sizeof *is_named, &is_named));
        for (size_t i = 0; i < r->labels.count; i++) {
            const size_t v = r->labelled[i] - 1;
            r->unfit = r->unfit || is_named[v];
            is_named[v] = true;
            start[v] = r->labels.entry[i].start;
        }
    }
    if (r->unfit) {
        mw_log(MW_LOG_NOTICE, "%s: not every vertex has a unique label: vertices are named by their numbers",
               r->nodes.input->name);
    } else {
        rc = mw_nodes_name(&r->labels, start, edges);
        start = NULL;
    }
out:
    free(start);
    free(is_named);
    return rc;
}

int mw_edges_read_pajek(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .nodes = { .input = input }, .no_weights = options->no_weights };
    struct mw_edges new = { 0 };
    void *piece[] = { &r.nodes.edges };
    bool directed;
    int rc;
    TRY(read_lines(&r));
    if (r.arcs > 0 && r.arcs < r.nodes.edges.count)
        TRY(mw_input_malformed(input, input->lines,
                               "the graph has both arcs and edges: mixed graphs are not supported"));
    directed = r.arcs > 0 || (r.nodes.edges.count == 0 && (r.has_section[ARCS] || r.has_section[ARCS_LIST]) &&
                              !r.has_section[EDGES] && !r.has_section[EDGES_LIST]);
    if (r.nodes.weighted)
        mw_nodes_fill_weights(&r.nodes);
    TRY(mw_pieces_keep(NULL, input->name, piece, 1, 1, r.vertices, r.nodes.weighted, directed, &new));
    TRY(name_vertices(&r, &new));
    *edges = MW_PASS(new);
out:
    mw_edges_free(&new);
    mw_nodes_free(&r.nodes);
    mw_dictionary_free(&r.labels);
    free(r.labelled);
    return rc;
}
/* SPDX-License-Identifier: MIT */
