/* Reads the lines of a text in pieces, by several threads. Internal. */
#ifndef MW_GRAPH_FILE_PIECES_H
#define MW_GRAPH_FILE_PIECES_H

#include "dev/native/executor.h"
#include "graph/file/input.h"

/* Results of reading one piece: some consecutive lines of the file. The first member of each format's own struct. */
struct mw_piece {
    size_t lines;     /* number of lines read; after a failure, without the malformed line */
    int status;       /* 0, or a negative enum mw_status */
    bool is_sentence; /* `reason` is a whole message, not about a line */
    char reason[200]; /* after a failure: its message, without file and line */
};
/* Parses the whole lines from `at` to below `end`, and stores them in *piece, a zeroed struct of the format. On
 * failure, piece->reason is about the line after piece->lines. */
typedef void mw_piece_fn(void *context, const char *at, const char *end, void *piece);
/* Marks a piece as failed, with a reason about the current line; returns MW_EDATA. */
int mw_piece_wrong(struct mw_piece *piece, const char *format, ...) MW_PRINTF(2, 3);
/* Marks a piece as failed with `status`, and with this thread's mw_errmsg as the whole message; returns `status`. */
int mw_piece_failed(struct mw_piece *piece, int status);

/* The pieces of a file. The caller sets the first four members. */
struct mw_pieces {
    size_t bytes;      /* size of the format's own struct */
    mw_piece_fn *read; /* parses a piece */
    void *context;     /* passed to `read` */
    struct mw_executor *executor;
    void **piece;           /* structs of the format, in the order of the file; may be NULL after a failure */
    size_t count, capacity; /* elements of `piece`; elements for which it has room */
    size_t lines;           /* lines of the file up to the end of the last piece */
};
/* Reads the rest of the input in pieces, several at a time. Returns the first failure in the order of the file. The
 * caller frees each piece, also after a failure. */
int mw_pieces_read(struct mw_input *input, struct mw_pieces *pieces);
/* Makes `threads` threads (0: one per core) for reading a file; only one if the file is a single piece. */
int mw_input_executor(const struct mw_input *input, unsigned threads, struct mw_executor **executor);

#endif
/* SPDX-License-Identifier: MIT */
