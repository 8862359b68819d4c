/* Edge lists: an edge a line, of two names, in the manner of SNAP's collection, and perhaps its weight.  Numbers below
 * 2^32 are read as such; from the first other name on, a piece of the file has words. */
#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_LEAST 4             /* bytes of the shortest line of an edge, with its newline */

/* Takes a number that is written as a number of 32 bits would be, and that a blank or the line's end follows. */
static inline bool take_number(const char **at, uint32_t *value)
{
    uint64_t wide;
    const unsigned digits = mw_take_digits(*at, &wide);
    const char after = (*at)[digits];
    if (digits == 0 || (**at == '0' && digits > 1) || wide > UINT32_MAX)
        return false;
    if (!mw_is_blank(after) && after != '\n' && after != '\r')
        return false;
    *value = (uint32_t)wide;
    *at += digits;
    return true;
}

/* Takes a comment or an empty line, also a wrong one; false: it is a line of names. */
static bool skip_line(struct mw_edge_piece *piece, const char **at)
{
    const char *s = mw_skip_blanks(*at);
    if (*s != '#' && *s != '%' && *s != '\n' && *s != '\r')
        return false;
    mw_finish_line(&piece->head, at);
    return true;
}

static bool make_weights(struct mw_edge_piece *piece)
{
    piece->weights = malloc(piece->capacity * sizeof *piece->weights);
    if (!piece->weights)
        mw_piece_failed(&piece->head, mw_fail(MW_ENOMEM, "out of memory: the weights of %zu edges do not fit",
                                              piece->capacity));
    return piece->weights != NULL;
}

/* There is an edge without a weight: no weights are kept, and edges are asked until one has a number all the same. */
static void has_no_weight(struct mw_edge_piece *piece)
{
    if (!piece->unweighted)
        piece->line_without = piece->head.lines + 1;
    piece->unweighted = true;
}

/* What follows an edge's names: its weight where it is a number. */
static bool take_weight(struct mw_edge_piece *piece, size_t edge, const char *at)
{
    const char *s = mw_skip_blanks(at), *end;
    mw_decimal unkept;
    if (piece->unweighted && piece->weighted)
        return true;
    if (!piece->unweighted && !piece->weights && !make_weights(piece))
        return false;
    end = mw_decimal_read(s, piece->unweighted ? &unkept : &piece->weights[edge]);
    if (end && (mw_is_blank(*end) || *end == '\n' || *end == '\r'))
        piece->weighted = true;
    else
        has_no_weight(piece);
    return true;
}

/* Before edges are read.  Who wants no weights asks none: they all count as asked. */
static void start_weights(const struct mw_graph_file_options *options, struct mw_edge_piece *piece)
{
    piece->weighted = piece->unweighted = options->no_weights;
    piece->line_without = 0;
}

/* False: there is another name than a number, or something wrong, which reading words finds again. */
static bool read_numbers(struct mw_edge_piece *piece, const char *at, const char *end)
{
    uint32_t *to = piece->ends, least = UINT32_MAX, most = 0;
    for (; at < end; piece->head.lines++) {
        const char *s = mw_skip_blanks(at);
        uint32_t tail, head;
        if (!take_number(&s, &tail)) {
            if (!skip_line(piece, &at) || piece->head.status)
                return false;
            continue;
        }
        s = mw_skip_blanks(s);
        if (!take_number(&s, &head))
            return false;
        if (*s == '\n') {
            has_no_weight(piece);
            s++;
        } else if (!take_weight(piece, (size_t)(to - piece->ends) / 2, s) || !mw_finish_line(&piece->head, &s)) {
            return false;
        }
        to[0] = tail;
        to[1] = head;
        to += 2;
        least = tail < least ? tail : least;
        least = head < least ? head : least;
        most = tail > most ? tail : most;
        most = head > most ? head : most;
        at = s;
    }
    piece->count = (size_t)(to - piece->ends) / 2;
    piece->least = least;
    piece->most = most;
    return true;
}

/* A name in quotes, as tables have them: blanks belong to it, and "" is a quote. */
static int take_quoted(struct mw_edge_piece *piece, const char **at, uint32_t *number)
{
    const char *s = *at + 1;
    char *name = NULL;
    size_t length = 0;
    int rc = 0;
    while (*s != '"' || s[1] == '"') {
        if (*s == '\n' || *s == '\r')
            return mw_piece_wrong(&piece->head, "a name begins with a quote, and there is none at its end");
        s += *s == '"' ? 2 : 1;
        length++;
    }
    if ((!mw_is_blank(s[1]) && s[1] != '\n' && s[1] != '\r') || length == 0 || length > MW_NAME_MAX)
        return mw_piece_wrong(&piece->head, length == 0 ? "a name is empty" : length > MW_NAME_MAX ?
                              "a name in quotes is too long" : "a blank must follow a name in quotes, in which a quote "
                              "is written as two");
    if ((name = malloc(length)) == NULL)
        return mw_piece_failed(&piece->head, mw_fail(MW_ENOMEM, "out of memory: a name does not fit"));
    length = 0;
    for (const char *c = *at + 1; c < s; c += *c == '"' ? 2 : 1)
        name[length++] = *c;
    if (mw_has_control(name, length))
        rc = mw_piece_wrong(&piece->head, "a name in quotes has a tabulator or another control character");
    else if ((rc = mw_dictionary_add(&piece->words, name, length, number)) != 0)
        rc = mw_piece_failed(&piece->head, rc);
    free(name);
    *at = s + 1;
    return rc;
}

static int take_word(struct mw_edge_piece *piece, const char **at, uint32_t *number)
{
    const char *s = mw_skip_blanks(*at), *end = mw_skip_word(s);
    int rc;
    if (*s == '"') {
        *at = s;
        return take_quoted(piece, at, number);
    }
    if (s == end && (*s == '\n' || (*s == '\r' && s[1] == '\n')))
        return mw_piece_wrong(&piece->head, "the line has one name, and an edge needs two with a blank between, not "
                              "a comma");
    if ((size_t)(end - s) > MW_NAME_MAX)
        return mw_piece_wrong(&piece->head, "a name has more than %zu bytes", MW_NAME_MAX);
    if (end > s && end[-1] == ',')
        return mw_piece_wrong(&piece->head, "a name ends in a comma: only blanks separate names");
    *at = end;
    if (s == end)                /* a control character: finishing the line names it */
        return 0;
    rc = mw_dictionary_add(&piece->words, s, (size_t)(end - s), number);
    return rc == 0 ? 0 : mw_piece_failed(&piece->head, rc);
}

static void read_words(const struct mw_graph_file_options *options, struct mw_edge_piece *piece, const char *at,
                       const char *end)
{
    piece->head = (struct mw_piece){ 0 };
    piece->has_words = true;
    start_weights(options, piece);
    piece->least = UINT32_MAX;
    piece->most = 0;
    piece->count = 0;
    for (; at < end && !piece->head.status; piece->head.lines += !piece->head.status) {
        uint32_t *to = piece->ends + 2 * piece->count;
        if (skip_line(piece, &at))
            continue;
        if (take_word(piece, &at, &to[0]) == 0 && take_word(piece, &at, &to[1]) == 0 &&
            take_weight(piece, piece->count, at) && mw_finish_line(&piece->head, &at)) {
            if (piece->count++ == 0)
                piece->first_line = piece->head.lines + 1;
        }
    }
    mw_dictionary_close(&piece->words);
}

static void read_piece(void *context, const char *at, const char *end, void *piece)
{
    const struct mw_graph_file_options *options = context;
    struct mw_edge_piece *p = piece;
    uint32_t *fitting;
    int rc;
    start_weights(options, p);
    p->capacity = (size_t)(end - at) / LINE_LEAST + 1;
    p->ends = malloc(p->capacity * 2 * sizeof *p->ends);
    if (!p->ends) {
        rc = mw_fail(MW_ENOMEM, "out of memory: the edges of a piece of %zu bytes do not fit", (size_t)(end - at));
        mw_piece_failed(&p->head, rc);
        return;
    }
    if (!read_numbers(p, at, end))
        read_words(options, p, at, end);
    fitting = realloc(p->ends, (p->count + 1) * 2 * sizeof *p->ends);
    if (fitting)
        p->ends = fitting;
    if (p->unweighted) {
        free(p->weights);
        p->weights = NULL;
    }
}

/* What titles call the ends of edges. */
static const struct { const char *tail, *head; } titles[] = {
    { "from", "to" }, { "source", "target" }, { "src", "dst" }, { "FromNodeId", "ToNodeId" },
    { "from_node", "to_node" }, { "from_id", "to_id" }, { "source_id", "target_id" }, { "tail", "head" },
    { "sender", "receiver" },
};

/* A first line of titles would be an edge, and take all weights with it. */
static int refuse_titles(const struct mw_input *input, const struct mw_pieces *pieces)
{
    const struct mw_edge_piece *p = NULL;
    size_t line = 0;
    for (size_t i = 0; i < pieces->count && (!p || p->count == 0); i++) {
        line += p ? p->head.lines : 0;
        p = pieces->piece[i];
    }
    if (!p || p->count == 0 || !p->has_words)
        return 0;
    const char *tail = p->words.bytes + p->words.entry[p->ends[0]].start;
    const char *head = p->words.bytes + p->words.entry[p->ends[1]].start;
    for (size_t i = 0; i < MW_COUNT(titles); i++)
        if (strcasecmp(tail, titles[i].tail) == 0 && strcasecmp(head, titles[i].head) == 0)
            return mw_input_malformed(input, line + p->first_line, "\"%s %s\" is a line of titles, not an edge: begin "
                                      "it with #, or, where vertices are called so, have another edge before it", tail,
                                      head);
    return 0;
}

/* The weights of all edges; none where some have none. */
static int weigh(const struct mw_input *input, const struct mw_graph_file_options *options, struct mw_pieces *pieces,
                 struct mw_edges *edges)
{
    bool weighted = false;
    size_t without = 0, line = 0; /* the first line of an edge that has none; lines before the piece */
    if (options->no_weights)
        return 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct mw_edge_piece *p = pieces->piece[i];
        weighted = weighted || p->weighted;
        if (without == 0 && p->unweighted)
            without = line + p->line_without;
        line += p->head.lines;
    }
    if (weighted && without > 0)
        mw_log(MW_LOG_NOTICE, "%s: some edges have a number behind their names, and some, as in line %zu, have none: "
               "there are no weights", input->name, without);
    if (!weighted || without > 0)
        return 0;
    return mw_pieces_weigh(pieces->executor, input->name, pieces->piece, pieces->count, &edges->weights,
                           &edges->decimals);
}

int mw_edges_read_list(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct mw_graph_file_options how = *options;
    struct mw_pieces pieces = { .bytes = sizeof(struct mw_edge_piece), .read = read_piece, .context = &how };
    struct mw_edges weights = { 0 };
    int rc;
    TRY(mw_input_executor(input, options->threads, &pieces.executor));
    TRY(mw_pieces_read(input, &pieces));
    TRY(refuse_titles(input, &pieces));
    TRY(weigh(input, options, &pieces, &weights));
    TRY(mw_pieces_number(pieces.executor, input->name, pieces.piece, pieces.count, options->directed, edges));
    edges->weights = weights.weights;
    edges->decimals = weights.decimals;
    weights.weights = NULL;
out:
    mw_edges_free(&weights);
    mw_edge_pieces_end(&pieces);
    return rc;
}

/* ---- writing ---- */

/* As an edge list can hold it: there is some text, in quotes where it is no single word. */
static int check_names(const struct mw_writing *w)
{
    char text[MW_NAME_CAPACITY];
    for (size_t v = 0; w->has_texts && v < w->graph->vertices; v++) {
        const char *name = mw_name(w->graph->names, v, text);
        const size_t length = strlen(name);
        if (length == 0 || length > MW_NAME_MAX || mw_has_control(name, length))
            return mw_fail(MW_ENOTSUP, "cannot write %s: the name of vertex %zu %s, which an edge list cannot have: "
                           "write the binary format", w->path, v, length == 0 ? "is empty" : length > MW_NAME_MAX ?
                           "is too long" : "has control characters");
    }
    return 0;
}

static bool needs_quotes(const char *name, size_t length)
{
    return strchr("#%\"", *name) || name[length - 1] == ',' || *mw_skip_word(name) != '\0';
}

static char *put_quoted(char *to, const char *name)
{
    *to++ = '"';
    for (; *name; name++) {
        if (*name == '"')
            *to++ = '"';
        *to++ = *name;
    }
    *to++ = '"';
    return to;
}

static void put_name(const struct mw_writing *w, size_t vertex, char after, struct mw_output_block *block)
{
    char text[MW_NAME_CAPACITY];
    const char *name = w->has_texts ? mw_name(w->graph->names, vertex, text) : NULL;
    const size_t length = name ? strlen(name) : MW_NUMBER_CAPACITY;
    char *to = mw_output_block_reserve(block, 2 * length + 3);
    if (!to)
        return;
    if (name && needs_quotes(name, length))
        to = put_quoted(to, name);
    else if (name)
        to = (char *)memcpy(to, name, length) + length;
    else
        to = mw_put_number(to, mw_written_number(w, vertex));
    *to++ = after;
    block->length = (size_t)(to - block->data);
}

static void put_edge(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block)
{
    const struct mw_graph *graph = w->graph;
    char *to;
    put_name(w, tail, '\t', block);
    put_name(w, head, graph->weights ? '\t' : '\n', block);
    if (!graph->weights || !(to = mw_output_block_reserve(block, MW_WEIGHT_CAPACITY)))
        return;
    to = mw_weight_put(to, graph->weights[arc], graph->decimals);
    *to++ = '\n';
    block->length = (size_t)(to - block->data);
}

static void say_isolated(const struct mw_writing *w)
{
    size_t isolated = 0;
    for (size_t v = 0; v < w->graph->vertices; v++)
        isolated += w->graph->offsets[v] == w->graph->offsets[v + 1];
    if (isolated > 0)
        mw_log(MW_LOG_NOTICE, "%s: %zu vertices without edges are not in a list of edges", w->path, isolated);
}

int mw_graph_write_list(struct mw_writing *w)
{
    static const struct mw_writer writer = { .edge = put_edge };
    int rc;
    TRY(check_names(w));
    say_isolated(w);
    TRY(mw_write_text(w, "# %s graph\n# Nodes: %zu Edges: %llu\n# FromNodeId\tToNodeId%s\n",
                      w->graph->directed ? "Directed" : "Undirected", w->graph->vertices,
                      (unsigned long long)w->edges, w->graph->weights ? "\tWeight" : ""));
    TRY(mw_write_graph(w, &writer));
out:
    return rc;
}
/* SPDX-License-Identifier: MIT */
