/* Edges of a file's pieces: their end, a function for each of them, by several threads, and their weights. */
#include "graph/file/edge_pieces.h"

#include <stdatomic.h>
#include <stdlib.h>

void mw_edge_piece_free(struct mw_edge_piece *piece)
{
    if (!piece)
        return;
    free(piece->ends);
    free(piece->weights);
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

/* ---- weights ---- */

struct weighing {
    void **piece;
    size_t *base;                /* of each piece's edges */
    struct mw_decimals *about;   /* of each piece's */
    int decimals;
    int32_t *weights;
    atomic_bool rounded;
    atomic_uint_least64_t zeros; /* weights that became 0 by it */
};

static int look_at_piece(void *context, size_t index)
{
    const struct weighing *w = context;
    const struct mw_edge_piece *piece = w->piece[index];
    mw_decimals_look(&w->about[index], piece->weights, piece->count);
    return 0;
}

static int round_piece(void *context, size_t index)
{
    struct weighing *w = context;
    struct mw_edge_piece *piece = w->piece[index];
    uint64_t zeros = 0;
    if (mw_decimals_round(piece->weights, piece->count, w->decimals, w->weights + w->base[index], &zeros))
        atomic_store(&w->rounded, true);
    atomic_fetch_add(&w->zeros, zeros);
    free(piece->weights);
    piece->weights = NULL;
    return 0;
}

int mw_pieces_weigh(struct mw_executor *executor, const char *name, void **piece, size_t count, int32_t **weights,
                    int *decimals)
{
    struct weighing w = { .piece = piece };
    struct mw_each look = { .context = &w, .run = look_at_piece }, round = { .context = &w, .run = round_piece };
    struct mw_decimals all = { 0 };
    int rc;
    atomic_init(&w.rounded, false);
    atomic_init(&w.zeros, 0);
    TRY(mw_new(count + 1, sizeof *w.base, &w.base));
    TRY(mw_new(count, sizeof *w.about, &w.about));
    for (size_t i = 0; i < count; i++)
        w.base[i + 1] = w.base[i] + ((const struct mw_edge_piece *)piece[i])->count;
    TRY(mw_each_piece(executor, count, &look));
    for (size_t i = 0; i < count; i++)
        mw_decimals_join(&all, &w.about[i]);
    w.decimals = mw_decimals_choose(&all);
    TRY(mw_new(w.base[count], sizeof *w.weights, &w.weights));
    TRY(mw_each_piece(executor, count, &round));
    if (atomic_load(&w.rounded))
        mw_weights_say_rounded(name, w.decimals, atomic_load(&w.zeros));
    *weights = w.weights;
    *decimals = w.decimals;
    w.weights = NULL;
out:
    free(w.base);
    free(w.about);
    free(w.weights);
    return rc;
}
/* SPDX-License-Identifier: MIT */
