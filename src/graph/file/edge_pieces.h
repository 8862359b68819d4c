/* Edges of a file's pieces, and their conversion from names in the file to vertices of a graph. Internal. */
#ifndef MW_GRAPH_FILE_EDGE_PIECES_H
#define MW_GRAPH_FILE_EDGE_PIECES_H

#include "graph/file/pieces.h"
#include "graph/file/text.h"
#include "graph/graph_internal.h"
#include "graph/weights.h"

/* The edges in a piece: some lines of the file, which one thread reads. An endpoint is the vertex's number in the file,
 * or the number of its name in the piece's dictionary. */
struct mw_edge_piece {
    struct mw_piece head;
    bool has_words;                      /* endpoints are numbers of names in `words` */
    uint32_t *ends;                      /* two endpoints per edge */
    size_t count, capacity;              /* edges in `ends`; edges for which it has room */
    mw_decimal *weights;                 /* per edge; NULL: no edge has a weight */
    bool weighted, unweighted;           /* edge list: some edges have a weight; some edges lack one */
    size_t line_without;                 /* line of the first edge without weight, counted from 1 */
    bool names_only;                     /* weights are not wanted */
    size_t unread, line_unread;          /* number of edges with ignored text; line of the first, counted from 1 */
    char text_unread[MW_QUOTE_CAPACITY]; /* ignored text of that line */
    size_t *lone;                        /* ascending indices in `ends` of pairs that only name a vertex */
    size_t lone_count;                   /* number of such pairs */
    size_t first_line;                   /* edge list with words: line of the first edge, counted from 1 */
    bool first_is_marked;                /* only the first name of that edge is quoted: it is not a header */
    uint32_t least, most;                /* smallest and largest number; UINT32_MAX and 0 without numbers */
    struct mw_dictionary words;
};
/* Frees pieces of type struct mw_edge_piece, their array, and the threads that read them. */
void mw_edge_pieces_end(struct mw_pieces *pieces);
/* Marks the pair with index `pair` in piece->ends as no edge: it names one vertex twice. MW_ENOMEM. */
int mw_edge_piece_add_lone(struct mw_edge_piece *piece, size_t pair);
/* Titles of the two columns of endpoints, such as "source" and "target". */
struct mw_edge_title {
    const char *tail, *head;
};
/* The usual titles in edge lists and tables; ends with an element whose members are NULL. */
extern const struct mw_edge_title mw_edge_titles[];
/* Returns whether `tail` and `head` are an element of mw_edge_titles, ignoring case. */
bool mw_are_edge_titles(const char *tail, const char *head);
/* Calls run(context, i) for the pieces i from 0 to below `count`, on the executor's threads (NULL: on the caller's).
 * Returns 0, or one of the failures with its message. */
int mw_each_piece(struct mw_executor *executor, size_t count, int (*run)(void *context, size_t piece), void *context);

/* Converts the weights of all pieces, which must have weights, to multiples of 10^-decimals, and frees the pieces'
 * weights. Stores edges->weights and edges->decimals. `name`: the file's, for a notice on rounding. */
int mw_pieces_weigh(struct mw_executor *executor, const char *name, void **piece, size_t count, struct mw_edges *edges);

/* Makes the edges of an edge list or table from its pieces, without pairs that only name a vertex. `weighted`: all
 * pieces with edges have weights. `name`: the file's, for messages. */
int mw_pieces_finish(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                     bool directed, struct mw_edges *edges);

/* ---- number.c ---- */

/* Makes the edges from pieces, after numbering the vertices from 0 as described in graph_file.h. `weighted`: also makes
 * their weights, by mw_pieces_weigh. `name`: the file's, for messages. */
int mw_pieces_number(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                     bool directed, struct mw_edges *edges);
/* The same for pieces without words: number x of the file becomes vertex x - least. */
int mw_pieces_keep(struct mw_executor *executor, const char *name, void **piece, size_t count, uint32_t least,
                   uint64_t vertices, bool weighted, bool directed, struct mw_edges *edges);

/* ---- merge.c ---- */

/* Makes the edges and vertex names from pieces that all have words, by merging their dictionaries. */
int mw_pieces_merge(struct mw_executor *executor, struct mw_edge_piece **piece, size_t count, bool directed,
                    struct mw_edges *edges);

#endif
/* SPDX-License-Identifier: MIT */
