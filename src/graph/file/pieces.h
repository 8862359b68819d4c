/* A text's lines, read in pieces by several threads.  Internal. */
#ifndef MW_GRAPH_FILE_PIECES_H
#define MW_GRAPH_FILE_PIECES_H

#include "dev/native/executor.h"
#include "graph/file/input.h"

/* Begins every format's own piece. */
struct mw_piece {
    size_t lines;                /* the ones that it has, or those before the one that is wrong */
    int status;
    bool is_sentence;            /* the reason is all that there is to say, and no line is wrong */
    char reason[200];
};
/* Reads whole lines; a failure stands in the piece: what is wrong in the line behind piece->lines. */
typedef void mw_piece_fn(void *context, const char *at, const char *end, void *piece);
/* MW_EDATA, and this reason. */
int mw_piece_wrong(struct mw_piece *piece, const char *format, ...) MW_PRINTF(2, 3);
/* A failure that has its sentence in mw_errmsg, of whatever thread. */
int mw_piece_failed(struct mw_piece *piece, int status);

struct mw_pieces {
    size_t bytes;                /* of a format's own piece */
    mw_piece_fn *read;
    void *context;
    struct mw_executor *executor;
    void **piece;                /* in the order of the file */
    size_t count, capacity;
    size_t lines;                /* of the file up to the end of the last piece */
};
/* Reads what the input has left; the pieces are the caller's, also after a failure, to be freed one by one. */
int mw_pieces_read(struct mw_input *input, struct mw_pieces *pieces);
/* Threads that a file is worth. */
int mw_input_executor(const struct mw_input *input, unsigned threads, struct mw_executor **executor);

#endif
/* SPDX-License-Identifier: MIT */
