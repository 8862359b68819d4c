/* Reads the lines of a text in pieces, by several threads. Internal. */
#ifndef MW_GRAPH_FILE_PIECES_H
#define MW_GRAPH_FILE_PIECES_H

#include "dev/native/executor.h"
#include "graph/file/input.h"

/* First member of each format's own piece. */
struct mw_piece {
    size_t lines; /* its lines; after a failure, those before the wrong one */
    int status;
    bool is_sentence; /* the reason is a whole message, not about a line */
    char reason[200];
};
/* Reads whole lines. On failure, the piece has the reason, about the line after piece->lines. */
typedef void mw_piece_fn(void *context, const char *at, const char *end, void *piece);
/* Stores a reason; returns MW_EDATA. */
int mw_piece_wrong(struct mw_piece *piece, const char *format, ...) MW_PRINTF(2, 3);
/* Stores a failure whose message is in this thread's mw_errmsg. */
int mw_piece_failed(struct mw_piece *piece, int status);

struct mw_pieces {
    size_t bytes; /* size of a format's own piece */
    mw_piece_fn *read;
    void *context;
    struct mw_executor *executor;
    void **piece; /* in the order of the file */
    size_t count, capacity;
    size_t lines; /* lines of the file up to the end of the last piece */
};
/* Reads the rest of the input. The caller frees each piece, also after a failure. */
int mw_pieces_read(struct mw_input *input, struct mw_pieces *pieces);
/* Makes as many threads as a file is worth. */
int mw_input_executor(const struct mw_input *input, unsigned threads, struct mw_executor **executor);

#endif
/* SPDX-License-Identifier: MIT */
