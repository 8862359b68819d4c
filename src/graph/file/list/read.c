/* Edge lists: two names per line, as in SNAP's collection, and optionally a weight. Numbers below 2^32 are read as
 * such; from the first other name on, a piece of the file has words. */
#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"
#include "graph/file/list/attributes.h"

#include <stdlib.h>
#include <string.h>

#define LINE_LEAST 4 /* bytes of the shortest edge line, with its newline */

/* Takes a number below 2^32 in canonical form, followed by a blank or the end of the line. */
static inline bool list_read_take_number(const char **at, uint32_t *value)
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

/* Takes a comment or an empty line, even if invalid; returns false for a line of names. */
static bool skip_line(struct mw_edge_piece *piece, const char **at)
{
    const char *s = mw_skip_blanks(*at);
    if (*s != '#' && *s != '%' && *s != '\n' && *s != '\r')
        return false;
    mw_finish_line(&piece->head, at);
    return true;
}

/* Returns the name in a comment that states a vertex, or NULL. */
static const char *vertex_of(const char *line)
{
    return strncmp(line, MW_LIST_VERTEX, sizeof MW_LIST_VERTEX - 1) == 0 ? line + sizeof MW_LIST_VERTEX - 1 : NULL;
}

static bool make_weights(struct mw_edge_piece *piece)
{
    piece->weights = malloc(piece->capacity * sizeof *piece->weights);
    if (!piece->weights)
        mw_piece_failed(&piece->head,
                        mw_fail(MW_ENOMEM, "out of memory for the weights of %zu edges", piece->capacity));
    return piece->weights != NULL;
}

/* Records an edge without weight: no weights will be kept, but whether later edges have weights is still recorded. */
static void has_no_weight(struct mw_edge_piece *piece)
{
    if (!piece->unweighted)
        piece->line_without = piece->head.lines + 1;
    piece->unweighted = true;
}

static bool keep_weight(struct mw_edge_piece *piece, size_t edge, mw_decimal weight)
{
    piece->weighted = true;
    if (piece->unweighted)
        return true;
    if (!piece->weights && !make_weights(piece))
        return false;
    piece->weights[edge] = weight;
    return true;
}

static void has_unread(struct mw_edge_piece *piece, const char *text)
{
    if (piece->unread++ > 0)
        return;
    piece->line_unread = piece->head.lines + 1;
    mw_quote_line(text, piece->text_unread);
}

/* Reads the rest of an edge's line, usually only its weight. */
static bool take_rest(struct mw_edge_piece *piece, size_t edge, const char *at)
{
    struct mw_attributes found;
    const char *end;
    if (piece->names_only)
        return true;
    at = mw_skip_blanks(at);
    end = mw_decimal_read(at, &found.weight);
    if (end && *end == '\n')
        return keep_weight(piece, edge, found.weight);
    mw_attributes_read(at, &found);
    if (found.unread)
        has_unread(piece, found.unread);
    if (found.has_weight)
        return keep_weight(piece, edge, found.weight);
    has_no_weight(piece);
    return true;
}

/* Records a vertex without edges as a pair of one name, which is removed after numbering. */
static bool add_lone(struct mw_edge_piece *piece, size_t pair)
{
    const int rc = mw_edge_piece_add_lone(piece, pair);
    if (rc != 0)
        mw_piece_failed(&piece->head, rc);
    return rc == 0;
}

static void start_piece(const struct mw_graph_file_options *options, struct mw_edge_piece *piece)
{
    piece->names_only = options->no_weights;
    piece->weighted = piece->unweighted = false;
    piece->line_without = piece->line_unread = piece->unread = piece->lone_count = 0;
}

/* Takes the number in a comment that states a vertex. */
static bool take_lone_number(const char **at, uint32_t *number)
{
    const char *s = mw_skip_blanks(vertex_of(*at));
    if (!list_read_take_number(&s, number) || (*(s = mw_skip_blanks(s)) != '\n' && *s != '\r'))
        return false;
    *at = s;
    return true;
}

/* Reads a piece as numbers. Returns false for other names or errors, which read_words reports. */
static bool read_numbers(struct mw_edge_piece *piece, const char *at, const char *end)
{
    uint32_t *to = piece->ends, least = UINT32_MAX, most = 0;
    for (; at < end; piece->head.lines++) {
        const char *s = mw_skip_blanks(at);
        uint32_t tail, head;
        if (*s == '#' && vertex_of(s)) {
            if (!take_lone_number(&s, &tail) || !add_lone(piece, (size_t)(to - piece->ends) / 2) ||
                !mw_finish_line(&piece->head, &s))
                return false;
            head = tail;
        } else if (!list_read_take_number(&s, &tail)) {
            if (!skip_line(piece, &at) || piece->head.status)
                return false;
            continue;
        } else {
            s = mw_skip_blanks(s);
            if (!list_read_take_number(&s, &head))
                return false;
            if (*s == '\n') {
                has_no_weight(piece);
                s++;
            } else if (!take_rest(piece, (size_t)(to - piece->ends) / 2, s) || !mw_finish_line(&piece->head, &s)) {
                return false;
            }
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

/* Takes a quoted name, as in tables: it may contain blanks, and "" is a quote. */
static int take_quoted(struct mw_edge_piece *piece, const char **at, uint32_t *number)
{
    const char *s = *at + 1;
    char *name = NULL;
    size_t length = 0;
    int rc = 0;
    while (*s != '"' || s[1] == '"') {
        if (*s == '\n' || *s == '\r')
            return mw_piece_wrong(&piece->head, "a quoted name has no closing quote");
        s += *s == '"' ? 2 : 1;
        length++;
    }
    if ((!mw_is_blank(s[1]) && s[1] != '\n' && s[1] != '\r') || length == 0 || length > MW_NAME_MAX)
        return mw_piece_wrong(&piece->head, length == 0 ? "a name is empty"
                                            : length > MW_NAME_MAX
                                                ? "a quoted name is too long"
                                                : "a blank must follow a quoted name; a quote in it is written as two");
    if ((name = malloc(length)) == NULL)
        return mw_piece_failed(&piece->head, mw_fail(MW_ENOMEM, "out of memory for a name"));
    length = 0;
    for (const char *c = *at + 1; c < s; c += *c == '"' ? 2 : 1)
        name[length++] = *c;
    if (mw_has_control(name, length))
        rc = mw_piece_wrong(&piece->head, "a quoted name contains a tab or another control character");
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
        return mw_piece_wrong(&piece->head, "the line has one name, but an edge needs two, separated by a blank, not a "
                                            "comma");
    if ((size_t)(end - s) > MW_NAME_MAX)
        return mw_piece_wrong(&piece->head, "a name has more than %zu bytes", MW_NAME_MAX);
    if (end > s && end[-1] == ',')
        return mw_piece_wrong(&piece->head, "a name ends in a comma: only blanks separate names");
    *at = end;
    if (s == end) /* a control character: mw_finish_line reports it */
        return 0;
    rc = mw_dictionary_add(&piece->words, s, (size_t)(end - s), number);
    return rc == 0 ? 0 : mw_piece_failed(&piece->head, rc);
}

/* Reads a line of words: an edge, or a comment that states a vertex. */
static bool read_pair(struct mw_edge_piece *piece, const char **at)
{
    const char *vertex = vertex_of(mw_skip_blanks(*at));
    uint32_t *to = piece->ends + 2 * piece->count;
    if (vertex) {
        *at = vertex;
        if (take_word(piece, at, &to[0]) != 0 || !add_lone(piece, piece->count))
            return false;
        to[1] = to[0];
        vertex = mw_skip_blanks(*at);
        if (*vertex != '\n' && *vertex != '\r') {
            mw_piece_wrong(&piece->head, "unexpected text after the name of a vertex without edges");
            return false;
        }
    } else {
        const bool is_quoted = *mw_skip_blanks(*at) == '"';
        if (take_word(piece, at, &to[0]) != 0)
            return false;
        if (piece->count == 0)
            piece->first_is_marked = is_quoted && *mw_skip_blanks(*at) != '"';
        if (take_word(piece, at, &to[1]) != 0 || !take_rest(piece, piece->count, *at))
            return false;
    }
    return mw_finish_line(&piece->head, at);
}

static void read_words(const struct mw_graph_file_options *options, struct mw_edge_piece *piece, const char *at,
                       const char *end)
{
    piece->head = (struct mw_piece){ 0 };
    piece->has_words = true;
    start_piece(options, piece);
    piece->least = UINT32_MAX;
    piece->most = 0;
    piece->count = 0;
    for (; at < end && !piece->head.status; piece->head.lines += !piece->head.status)
        if ((vertex_of(mw_skip_blanks(at)) || !skip_line(piece, &at)) && read_pair(piece, &at) && piece->count++ == 0)
            piece->first_line = piece->head.lines + 1;
    mw_dictionary_close(&piece->words);
}

static void read_piece(void *context, const char *at, const char *end, void *piece)
{
    const struct mw_graph_file_options *options = context;
    struct mw_edge_piece *p = piece;
    uint32_t *fitting;
    int rc;
    start_piece(options, p);
    p->capacity = (size_t)(end - at) / LINE_LEAST + 1;
    p->ends = malloc(p->capacity * 2 * sizeof *p->ends);
    if (!p->ends) {
        rc = mw_fail(MW_ENOMEM, "out of memory for the edges of %zu bytes of text", (size_t)(end - at));
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
    for (size_t i = 0; p->weights && i < p->lone_count; i++)
        p->weights[p->lone[i]] = MW_DECIMAL_NONE;
}

/* Rejects a header line, which would be read as an edge without weight. In a header, both titles are quoted or neither;
 * meshwork itself quotes only the first name of an edge that looks like a header. */
static int refuse_titles(const struct mw_input *input, const struct mw_pieces *pieces)
{
    const struct mw_edge_piece *p = NULL;
    size_t line = 0;
    for (size_t i = 0; i < pieces->count && (!p || p->count == 0); i++) {
        line += p ? p->head.lines : 0;
        p = pieces->piece[i];
    }
    if (!p || p->count == 0 || !p->has_words || p->first_is_marked)
        return 0;
    const char *tail = p->words.bytes + p->words.entry[p->ends[0]].start;
    const char *head = p->words.bytes + p->words.entry[p->ends[1]].start;
    if (mw_are_edge_titles(tail, head))
        return mw_input_malformed(
            input, line + p->first_line,
            "\"%s %s\" is a line of titles, not an edge: begin it with #, or choose format csv or "
            "tsv if commas or tabs separate columns; if it is an edge, put its first name in "
            "quotes",
            tail, head);
    return 0;
}

/* Returns whether all edges have weights; logs a notice if only some have. */
static bool has_weights(const struct mw_input *input, const struct mw_pieces *pieces)
{
    bool weighted = false;
    size_t without = 0, line = 0; /* first line of an edge without weight; lines before the piece */
    for (size_t i = 0; i < pieces->count; i++) {
        const struct mw_edge_piece *p = pieces->piece[i];
        weighted = weighted || p->weighted;
        if (without == 0 && p->unweighted)
            without = line + p->line_without;
        line += p->head.lines;
    }
    if (weighted && without > 0)
        mw_log(MW_LOG_NOTICE,
               "%s: some edges have a weight, but others, as in line %zu, have no weight: weights are ignored",
               input->name, without);
    return weighted && without == 0;
}

static void print_unread(const struct mw_input *input, const struct mw_pieces *pieces)
{
    const struct mw_edge_piece *first = NULL;
    size_t unread = 0, line = 0, before = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct mw_edge_piece *p = pieces->piece[i];
        unread += p->unread;
        if (!first && p->unread > 0) {
            first = p;
            before = line;
        }
        line += p->head.lines;
    }
    if (unread > 1)
        mw_log(MW_LOG_NOTICE, "%s:%zu: \"%s\" is ignored; %zu lines have such text", input->name,
               before + first->line_unread, first->text_unread, unread);
    else if (unread > 0)
        mw_log(MW_LOG_NOTICE, "%s:%zu: \"%s\" is ignored", input->name, before + first->line_unread,
               first->text_unread);
}

int mw_edges_read_list(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct mw_graph_file_options how = *options;
    struct mw_pieces pieces = { .bytes = sizeof(struct mw_edge_piece), .read = read_piece, .context = &how };
    int rc;
    TRY(mw_input_executor(input, options->threads, &pieces.executor));
    TRY(mw_pieces_read(input, &pieces));
    TRY(refuse_titles(input, &pieces));
    print_unread(input, &pieces);
    TRY(mw_pieces_finish(pieces.executor, input->name, pieces.piece, pieces.count, has_weights(input, &pieces),
                         options->directed, edges));
out:
    mw_edge_pieces_end(&pieces);
    return rc;
}
/* SPDX-License-Identifier: MIT */
