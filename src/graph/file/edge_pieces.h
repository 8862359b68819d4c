/* Edges of a file's pieces, and their way from the names in the file to the vertices of a graph.  Internal. */
#ifndef MW_GRAPH_FILE_EDGE_PIECES_H
#define MW_GRAPH_FILE_EDGE_PIECES_H

#include "graph/file/pieces.h"
#include "graph/file/text.h"
#include "graph/graph_internal.h"
#include "graph/weights.h"

/* Edges of a piece: by numbers that the file has, or by words of the piece's own dictionary. */
struct mw_edge_piece {
    struct mw_piece head;
    bool has_words;
    uint32_t *ends;
    size_t count, capacity;      /* edges; that there is room for, where that matters */
    mw_decimal *weights;         /* of each edge, NULL: there are none */
    bool weighted, unweighted;   /* an edge list: there are edges with a weight, without one */
    size_t line_without;         /* the line of the first of these, counted from 1 */
    bool names_only;             /* no weights are asked for */
    size_t unread, line_unread;  /* edges with text that is not read, the line of the first, counted from 1 */
    char text_unread[MW_QUOTE_CAPACITY]; /* of that line */
    size_t *lone;                /* pairs of one vertex that are no edges, upwards */
    size_t lone_count, lone_capacity;
    size_t first_line;           /* words of an edge list: the line of the first edge, counted from 1 */
    bool first_is_marked;        /* of that edge, the first name alone is in quotes: they are no titles */
    uint32_t least, most;        /* numbers: UINT32_MAX and 0 where there are none */
    struct mw_dictionary words;
};
void mw_edge_piece_free(struct mw_edge_piece *piece);
/* Frees pieces that are such, and stops their threads. */
void mw_edge_pieces_end(struct mw_pieces *pieces);
/* Says that a pair is no edge, but a vertex that may have none.  MW_ENOMEM. */
int mw_edge_piece_add_lone(struct mw_edge_piece *piece, size_t pair);
/* What edge lists and tables call the ends of edges in titles; ended by NULL. */
struct mw_edge_title { const char *tail, *head; };
extern const struct mw_edge_title mw_edge_titles[];
/* Whether two words are such, in either case. */
bool mw_are_edge_titles(const char *tail, const char *head);
/* Runs a function for each of `count`; one of its failures counts, with its sentence. */
struct mw_each { void *context; int (*run)(void *context, size_t piece); int status; };
int mw_each_piece(struct mw_executor *executor, size_t count, struct mw_each *each);

/* The weights of the edges of pieces that all have such, in a unit of theirs; to be called before the edges are made.
 * malloc'ed, for edges->weights.  `name`: of the file, for a notice where they were rounded. */
int mw_pieces_weigh(struct mw_executor *executor, const char *name, void **piece, size_t count, int32_t **weights,
                    int *decimals);

/* Makes edges of the pieces of a list or a table, without the pairs that are none; with weights where these are asked
 * for, of pieces that have them or have no edges. */
int mw_pieces_finish(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                     bool directed, struct mw_edges *edges);

/* ---- number.c ---- */

/* Numbers the vertices as graph_file.h has it, and makes edges of the pieces.  `name`: of the file, for messages. */
int mw_pieces_number(struct mw_executor *executor, const char *name, void **piece, size_t count, bool directed,
                     struct mw_edges *edges);
/* Makes edges of pieces whose numbers, counted from `least`, are those of so many vertices. */
int mw_pieces_keep(struct mw_executor *executor, const char *name, void **piece, size_t count, uint32_t least,
                   uint64_t vertices, bool directed, struct mw_edges *edges);

/* ---- merge.c ---- */

/* Makes edges of pieces that all have words. */
int mw_pieces_merge(struct mw_executor *executor, struct mw_edge_piece **piece, size_t count, bool directed,
                    struct mw_edges *edges);

#endif
/* SPDX-License-Identifier: MIT */
