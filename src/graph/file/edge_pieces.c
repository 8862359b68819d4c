/* Edges of a file's pieces: their end, and a function for each of them, by several threads. */
#include "graph/file/edge_pieces.h"

#include <stdatomic.h>
#include <stdlib.h>

void mw_edge_piece_free(struct mw_edge_piece *piece)
{
    if (!piece)
        return;
    free(piece->ends);
    mw_dictionary_free(&piece->words);
    free(piece);
}

void mw_edge_pieces_end(struct mw_pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        mw_edge_piece_free(pieces->piece[i]);
    free(pieces->piece);
    mw_executor_free(pieces->executor);
}

struct sharing { struct mw_each *each; atomic_int status; char sentence[1024]; };

/* Sentences belong to threads: that of the first failure is kept. */
static void run_range(void *context, size_t begin, size_t end, unsigned worker)
{
    struct sharing *sharing = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const int rc = sharing->each->run(sharing->each->context, i);
        int none = 0;
        if (rc != 0 && atomic_compare_exchange_strong(&sharing->status, &none, rc))
            mw_copy_string(sharing->sentence, sizeof(sharing->sentence), mw_errmsg());
    }
}

int mw_each_piece(struct mw_executor *executor, size_t count, struct mw_each *each)
{
    struct sharing sharing = { .each = each };
    atomic_init(&sharing.status, 0);
    mw_parallel_for(executor, count, 1, run_range, &sharing);
    each->status = atomic_load(&sharing.status);
    return each->status ? mw_fail(each->status, "%s", sharing.sentence) : 0;
}
