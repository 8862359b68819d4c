/* Reads the lines of a text in pieces, by several threads.
 *
 * For a regular file, each thread reads the bytes of its own piece, which are then in its cache. Mapping the file would
 * end the process if another program truncated it. Pipes and gzip data are read in blocks: while the pieces of one
 * block are processed, a thread reads the next block. */
#include "graph/file/pieces.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEARCH ((size_t)4096) /* bytes read after a piece, to find the end of its last line */

struct chunk {
    char *data;
    size_t have, bytes;
};

/* State shared by the threads. Pieces after a failed one are skipped. */
struct run {
    struct mw_input *input;
    struct mw_pieces *pieces;
    size_t first; /* number of the piece with index 0 */
    atomic_size_t failed;
    struct chunk *worker;     /* regular files */
    struct chunk block, next; /* streams */
    const char **cut;         /* first byte of each of the block's pieces, and the end */
    struct mw_piece reading;  /* result of reading the next block */
};

static size_t piece_bytes(const struct run *run) { return run->input->limits->piece_bytes; }

int mw_piece_wrong(struct mw_piece *piece, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(piece->reason, sizeof piece->reason, format, args);
    va_end(args);
    return piece->status = MW_EDATA;
}

int mw_piece_failed(struct mw_piece *piece, int status)
{
    mw_copy_string(piece->reason, sizeof piece->reason, mw_errmsg());
    piece->is_sentence = true;
    return piece->status = status;
}

int mw_input_executor(const struct mw_input *input, unsigned threads, struct mw_executor **executor)
{
    const bool is_small = input->is_file ? input->end - input->start <= input->limits->piece_bytes : input->at_end;
    return mw_executor_new(is_small ? "serial" : "pthreads", threads, executor);
}

static int grow(struct chunk *chunk, size_t bytes)
{
    char *data;
    if (bytes + MW_TEXT_PADDING <= chunk->bytes)
        return 0;
    data = realloc(chunk->data, bytes + MW_TEXT_PADDING);
    if (!data)
        return mw_fail(MW_ENOMEM, "out of memory for %zu bytes of text", bytes);
    chunk->data = data;
    chunk->bytes = bytes + MW_TEXT_PADDING;
    return 0;
}

/* Makes the piece of an index; NULL if out of memory. */
static struct mw_piece *make_piece(struct run *run, size_t index)
{
    struct mw_piece *piece = calloc(1, run->pieces->bytes);
    run->pieces->piece[index] = piece;
    return piece;
}

static void note_failure(struct run *run, size_t index)
{
    size_t failed = atomic_load(&run->failed);
    while (index < failed && !atomic_compare_exchange_weak(&run->failed, &failed, index))
        ;
}

/* Passes lines to the format. The last line has its newline, and padding follows. */
static void read_lines(struct run *run, size_t index, const char *at, const char *end)
{
    struct mw_piece *piece = make_piece(run, index);
    if (piece && at < end)
        run->pieces->read(run->pieces->context, at, end, piece);
    if (!piece || piece->status)
        note_failure(run, index);
}

/* Returns the first failure in the order of the file; counts lines up to it. */
static int file_pieces_finish(struct run *run, size_t first)
{
    struct mw_pieces *pieces = run->pieces;
    for (size_t i = first; i < pieces->count; i++) {
        const struct mw_piece *piece = pieces->piece[i];
        if (!piece)
            return mw_fail(MW_ENOMEM, "out of memory: cannot read %s", run->input->name);
        pieces->lines += piece->lines;
        if (piece->status && piece->is_sentence)
            return mw_fail(piece->status, "%s", piece->reason);
        if (piece->status)
            return mw_input_malformed(run->input, pieces->lines + 1, "%s", piece->reason);
    }
    return 0;
}

static int add_pieces(struct mw_pieces *pieces, size_t count)
{
    TRY_RETURN(mw_reserve(pieces->count, count, sizeof *pieces->piece, &pieces->capacity, &pieces->piece));
    for (size_t i = 0; i < count; i++)
        pieces->piece[pieces->count++] = NULL;
    return 0;
}

/* ---- regular files ---- */

/* Reads bytes from `from` on; fewer only if the file has become shorter. */
static int read_at(const struct mw_input *input, struct chunk *chunk, uint64_t from, size_t wanted)
{
    TRY_RETURN(grow(chunk, wanted));
    while (chunk->have < wanted) {
        const ssize_t got =
            pread(input->descriptor, chunk->data + chunk->have, wanted - chunk->have, (off_t)(from + chunk->have));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return mw_fail(MW_EIO, "cannot read %s: %s", input->name, strerror(errno));
        chunk->have += got > 0 ? (size_t)got : 0;
    }
    memset(chunk->data + chunk->have, 0, MW_TEXT_PADDING);
    return 0;
}

/* Reads the lines that begin in a part of the file. The byte before the part shows whether a line begins with it. */
static int file_piece(struct run *run, struct chunk *chunk, size_t index)
{
    const struct mw_input *input = run->input;
    const uint64_t base = input->start + input->taken, part = base + (uint64_t)index * input->limits->piece_bytes;
    const uint64_t from = index ? part - 1 : part;
    const size_t left = (size_t)(input->end - from), whole = (size_t)(part - from) + input->limits->piece_bytes;
    const size_t bytes = whole < left ? whole : left;
    size_t wanted = left - bytes < SEARCH ? left : bytes + SEARCH, begin = 0, end;
    const char *newline = NULL;
    chunk->have = 0;
    TRY_RETURN(read_at(input, chunk, from, wanted));
    if (index) {
        newline = chunk->have ? memchr(chunk->data, '\n', chunk->have < bytes - 1 ? chunk->have : bytes - 1) : NULL;
        begin = newline ? (size_t)(newline - chunk->data) + 1 : chunk->have;
    }
    if (begin >= bytes || begin >= chunk->have) {
        read_lines(run, index, chunk->data, chunk->data);
        return 0;
    }
    for (end = bytes - 1;; wanted = left - wanted < wanted ? left : 2 * wanted) {
        newline = end < chunk->have ? memchr(chunk->data + end, '\n', chunk->have - end) : NULL;
        if (newline || chunk->have < wanted || wanted == left)
            break;
        end = chunk->have;
        TRY_RETURN(read_at(input, chunk, from, left - wanted < wanted ? left : 2 * wanted));
    }
    end = newline ? (size_t)(newline - chunk->data) + 1 : chunk->have;
    if (chunk->data[end - 1] != '\n')
        chunk->data[end++] = '\n';
    read_lines(run, index, chunk->data + begin, chunk->data + end);
    return 0;
}

static void file_pieces(void *context, size_t begin, size_t end, unsigned worker)
{
    struct run *run = context;
    for (size_t i = begin; i < end; i++) {
        struct mw_piece *piece;
        int rc;
        if (i > atomic_load_explicit(&run->failed, memory_order_relaxed))
            continue;
        rc = file_piece(run, &run->worker[worker], i);
        if (rc == 0)
            continue;
        piece = make_piece(run, i);
        if (piece)
            mw_piece_failed(piece, rc);
        note_failure(run, i);
    }
}

static int read_file(struct run *run)
{
    const struct mw_input *input = run->input;
    const uint64_t left = input->end - input->start > input->taken ? input->end - input->start - input->taken : 0;
    const unsigned threads = mw_executor_threads(run->pieces->executor);
    int rc;
    TRY(add_pieces(run->pieces, (size_t)((left + piece_bytes(run) - 1) / piece_bytes(run))));
    TRY(mw_new(threads, sizeof *run->worker, &run->worker));
    mw_parallel_for(run->pieces->executor, run->pieces->count, 1, file_pieces, run);
    rc = file_pieces_finish(run, 0);
out:
    for (unsigned i = 0; run->worker && i < threads; i++)
        free(run->worker[i].data);
    free(run->worker);
    return rc;
}

/* ---- streams ---- */

static int read_block(struct mw_input *input, struct chunk *chunk, size_t bytes)
{
    size_t got;
    TRY_RETURN(grow(chunk, chunk->have + bytes + 1));
    TRY_RETURN(mw_input_read(input, chunk->data + chunk->have, bytes, &got));
    chunk->have += got;
    memset(chunk->data + chunk->have, 0, MW_TEXT_PADDING);
    return 0;
}

/* Index 0 reads the next block; the others process pieces of this block. */
static void stream_pieces(void *context, size_t begin, size_t end, unsigned worker)
{
    struct run *run = context;
    for (size_t i = begin; i < end; i++) {
        if (i > 0) {
            if (run->first + i - 1 <= atomic_load_explicit(&run->failed, memory_order_relaxed))
                read_lines(run, run->first + i - 1, run->cut[i - 1], run->cut[i]);
        } else if (!run->input->at_end || run->input->at < run->input->have) {
            const int rc =
                read_block(run->input, &run->next, 2 * piece_bytes(run) * mw_executor_threads(run->pieces->executor));
            if (rc != 0)
                mw_piece_failed(&run->reading, rc);
        }
    }
}

/* Cuts whole lines into pieces; the rest begins the next block. *count is 0 if there is no newline. */
static int cut_block(struct run *run, bool is_last, size_t *count)
{
    struct chunk *block = &run->block;
    const char *newline = block->have ? memrchr(block->data, '\n', block->have) : NULL;
    size_t whole = newline ? (size_t)(newline - block->data) + 1 : 0, n = 0;
    if (is_last && whole < block->have) {
        block->data[block->have++] = '\n';
        whole = block->have;
    }
    run->next.have = 0;
    *count = 0;
    if (whole == 0)
        return 0;
    TRY_RETURN(grow(&run->next, block->have - whole));
    memcpy(run->next.data, block->data + whole, block->have - whole);
    run->next.have = block->have - whole;
    free(run->cut);
    run->cut = NULL;
    TRY_RETURN(mw_new(whole / piece_bytes(run) + 2, sizeof *run->cut, &run->cut));
    for (size_t at = 0; at < whole;) {
        run->cut[n++] = block->data + at;
        if (whole - at <= piece_bytes(run))
            break;
        newline = memchr(block->data + at + piece_bytes(run) - 1, '\n', whole - at - piece_bytes(run) + 1);
        at = (size_t)(newline - block->data) + 1;
    }
    run->cut[n] = block->data + whole;
    *count = n;
    return 0;
}

static int read_stream(struct run *run)
{
    struct mw_input *input = run->input;
    struct mw_pieces *pieces = run->pieces;
    size_t count;
    int rc;
    TRY(read_block(input, &run->block, 2 * piece_bytes(run) * mw_executor_threads(pieces->executor)));
    while (run->block.have > 0) {
        const bool is_last = input->at_end && input->at == input->have;
        TRY(cut_block(run, is_last, &count));
        if (count == 0) {
            TRY(read_block(input, &run->block, run->block.have + piece_bytes(run)));
            continue;
        }
        run->first = pieces->count;
        TRY(add_pieces(pieces, count));
        mw_parallel_for(pieces->executor, count + 1, 1, stream_pieces, run);
        TRY(file_pieces_finish(run, run->first));
        if (run->reading.status)
            TRY(mw_fail(run->reading.status, "%s", run->reading.reason));
        const struct chunk done = run->block;
        run->block = run->next;
        run->next = done;
    }
out:
    free(run->block.data);
    free(run->next.data);
    free(run->cut);
    return rc;
}

int mw_pieces_read(struct mw_input *input, struct mw_pieces *pieces)
{
    struct run run = { .input = input, .pieces = pieces };
    atomic_init(&run.failed, SIZE_MAX);
    pieces->lines = input->lines;
    return input->is_file ? read_file(&run) : read_stream(&run);
}
/* SPDX-License-Identifier: MIT */
