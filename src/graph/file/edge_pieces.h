/* Edges of a file's pieces, and their conversion from names in the file to vertices of a graph. Internal. */
#ifndef MW_GRAPH_FILE_EDGE_PIECES_H
#define MW_GRAPH_FILE_EDGE_PIECES_H

#include "graph/file/pieces.h"
#include "graph/file/text.h"
#include "graph/graph_internal.h"
#include "graph/weights.h"

/* Edges of a piece. Endpoints are numbers of the file, or words of the piece's dictionary. */
struct mw_edge_piece {
    struct mw_piece head;
    bool has_words;
    uint32_t *ends;
    size_t count, capacity;              /* edges; capacity, where needed */
    mw_decimal *weights;                 /* per edge; NULL: none */
    bool weighted, unweighted;           /* edge list: some edges have a weight; some lack one */
    size_t line_without;                 /* line of the first edge without weight, counted from 1 */
    bool names_only;                     /* weights are not wanted */
    size_t unread, line_unread;          /* edges with ignored text; line of the first, counted from 1 */
    char text_unread[MW_QUOTE_CAPACITY]; /* ignored text of that line */
    size_t *lone;                        /* pairs of one vertex that are not edges, in increasing order */
    size_t lone_count, lone_capacity;
    size_t first_line;    /* edge list with words: line of the first edge, counted from 1 */
    bool first_is_marked; /* only the first name of that edge is quoted: not a header */
    uint32_t least, most; /* numbers: range; UINT32_MAX and 0 without numbers */
    struct mw_dictionary words;
};
void mw_edge_piece_free(struct mw_edge_piece *piece);
/* Frees pieces of this type, and their threads. */
void mw_edge_pieces_end(struct mw_pieces *pieces);
/* Marks a pair as a vertex that may have no edges. MW_ENOMEM. */
int mw_edge_piece_add_lone(struct mw_edge_piece *piece, size_t pair);
/* Usual titles of the columns of endpoints in edge lists and tables; ends with NULL. */
struct mw_edge_title {
    const char *tail, *head;
};
extern const struct mw_edge_title mw_edge_titles[];
/* Returns whether two words are such titles, ignoring case. */
bool mw_are_edge_titles(const char *tail, const char *head);
/* Runs a function for each of `count` pieces; returns one of its failures, with its message. */
struct mw_each {
    void *context;
    int (*run)(void *context, size_t piece);
    int status;
};
int mw_each_piece(struct mw_executor *executor, size_t count, struct mw_each *each);

/* Converts the weights of all pieces, which must have weights, to multiples of a common unit. Stores a malloc'ed array
 * for edges->weights. To be called before the edges are made. `name`: the file's, for a notice on rounding. */
int mw_pieces_weigh(struct mw_executor *executor, const char *name, void **piece, size_t count, int32_t **weights,
                    int *decimals);

/* Makes the edges of a list or table, without the pairs that are not edges. `weighted`: all pieces with edges have
 * weights. */
int mw_pieces_finish(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                     bool directed, struct mw_edges *edges);

/* ---- number.c ---- */

/* Numbers the vertices as described in graph_file.h, and makes the edges. `name`: the file's, for messages. */
int mw_pieces_number(struct mw_executor *executor, const char *name, void **piece, size_t count, bool directed,
                     struct mw_edges *edges);
/* Makes edges of pieces whose numbers, counted from `least`, are the vertices. */
int mw_pieces_keep(struct mw_executor *executor, const char *name, void **piece, size_t count, uint32_t least,
                   uint64_t vertices, bool directed, struct mw_edges *edges);

/* ---- merge.c ---- */

/* Makes edges of pieces that all have words. */
int mw_pieces_merge(struct mw_executor *executor, struct mw_edge_piece **piece, size_t count, bool directed,
                    struct mw_edges *edges);

#endif
/* SPDX-License-Identifier: MIT */
