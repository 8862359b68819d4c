/* Edges of a file's pieces: freeing them, running a function per piece on several threads, and weights. */
#include "graph/file/edge_pieces.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct mw_edge_title mw_edge_titles[] = {
    { "source", "target" }, { "from", "to" }, { "src", "dst" }, { "FromNodeId", "ToNodeId" },
    { "from_node", "to_node" }, { "from_id", "to_id" }, { "source_id", "target_id" }, { "tail", "head" },
    { "sender", "receiver" }, { NULL, NULL },
};
/* clang-format on */

bool mw_are_edge_titles(const char *tail, const char *head)
{
    for (size_t i = 0; mw_edge_titles[i].tail; i++)
        if (mw_same_word(tail, mw_edge_titles[i].tail) && mw_same_word(head, mw_edge_titles[i].head))
            return true;
    return false;
}

static void edge_piece_free(struct mw_edge_piece *piece)
{
    if (!piece)
        return;
    free(piece->ends);
    free(piece->weights);
    free(piece->lone);
    mw_dictionary_free(&piece->words);
    free(piece);
}

void mw_edge_pieces_end(struct mw_pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        edge_piece_free(pieces->piece[i]);
    free(pieces->piece);
    mw_executor_free(pieces->executor);
}

int mw_edge_piece_add_lone(struct mw_edge_piece *piece, size_t pair)
{
    TRY_RETURN(mw_grow(piece->lone_count, sizeof *piece->lone, &piece->lone));
    piece->lone[piece->lone_count++] = pair;
    return 0;
}

struct sharing {
    int (*run)(void *context, size_t piece);
    void *context;
    atomic_int status;
    char sentence[1024];
};

/* Error messages are per thread; the first failure's is kept. */
static void run_range(void *context, size_t begin, size_t end, unsigned worker)
{
    struct sharing *sharing = context;
    for (size_t i = begin; i < end; i++) {
        const int rc = sharing->run(sharing->context, i);
        int none = 0;
        if (rc != 0 && atomic_compare_exchange_strong(&sharing->status, &none, rc))
            mw_copy_string(sharing->sentence, sizeof(sharing->sentence), mw_errmsg());
    }
}

int mw_each_piece(struct mw_executor *executor, size_t count, int (*run)(void *context, size_t piece), void *context)
{
    struct sharing sharing = { .run = run, .context = context };
    atomic_init(&sharing.status, 0);
    mw_parallel_for(executor, count, 1, run_range, &sharing);
    return atomic_load(&sharing.status) ? mw_fail(atomic_load(&sharing.status), "%s", sharing.sentence) : 0;
}

/* ---- weights ---- */

struct weighing {
    void **piece;
    size_t *base;              /* first edge of each piece */
    struct mw_decimals *about; /* range of each piece's weights */
    int decimals;
    int32_t *weights;
    atomic_bool rounded;
    atomic_uint_least64_t zeros; /* weights that were rounded to 0 */
};

static int inspect_piece(void *context, size_t index)
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

int mw_pieces_weigh(struct mw_executor *executor, const char *name, void **piece, size_t count, struct mw_edges *edges)
{
    struct weighing w = { .piece = piece };
    struct mw_decimals all = { 0 };
    int rc;
    atomic_init(&w.rounded, false);
    atomic_init(&w.zeros, 0);
    TRY(mw_new(count + 1, sizeof *w.base, &w.base));
    TRY(mw_new(count, sizeof *w.about, &w.about));
    for (size_t i = 0; i < count; i++)
        w.base[i + 1] = w.base[i] + ((const struct mw_edge_piece *)piece[i])->count;
    TRY(mw_each_piece(executor, count, inspect_piece, &w));
    for (size_t i = 0; i < count; i++)
        mw_decimals_join(&all, &w.about[i]);
    w.decimals = mw_decimals_choose(&all);
    TRY(mw_new(w.base[count], sizeof *w.weights, &w.weights));
    TRY(mw_each_piece(executor, count, round_piece, &w));
    if (atomic_load(&w.rounded))
        mw_weights_warn_rounded(name, w.decimals, atomic_load(&w.zeros));
    edges->weights = w.weights;
    edges->decimals = w.decimals;
    w.weights = NULL;
out:
    free(w.base);
    free(w.about);
    free(w.weights);
    return rc;
}

/* ---- edges ---- */

/* Collects the pairs that are not edges, numbered over all pieces; NULL: none. */
static int gather_lone(void **piece, size_t count, uint64_t **lone, size_t *lones)
{
    uint64_t base = 0;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += ((const struct mw_edge_piece *)piece[i])->lone_count;
    *lones = n;
    if (n == 0)
        return 0;
    TRY_RETURN(mw_new(n, sizeof **lone, lone));
    n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct mw_edge_piece *p = piece[i];
        for (size_t k = 0; k < p->lone_count; k++)
            (*lone)[n++] = base + p->lone[k];
        base += p->count;
    }
    return 0;
}

static void drop_pairs(const uint64_t *pair, size_t count, struct mw_edges *edges)
{
    uint64_t to = count ? pair[0] : edges->count;
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = pair[i] + 1, kept = (i + 1 < count ? pair[i + 1] : edges->count) - from;
        memmove(edges->ends + 2 * to, edges->ends + 2 * from, (size_t)kept * 2 * sizeof *edges->ends);
        if (edges->weights)
            memmove(edges->weights + to, edges->weights + from, (size_t)kept * sizeof *edges->weights);
        to += kept;
    }
    edges->count = to;
}

/* Fills in weights of a piece without edges, whose pairs lack weights. */
static int fill_weights(struct mw_edge_piece *piece)
{
    if (piece->weights)
        return 0;
    TRY_RETURN(mw_new(piece->count, sizeof *piece->weights, &piece->weights));
    for (size_t i = 0; i < piece->count; i++)
        piece->weights[i] = MW_DECIMAL_NONE;
    return 0;
}

int mw_pieces_finish(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                     bool directed, struct mw_edges *edges)
{
    uint64_t *lone = NULL;
    size_t lones;
    int rc;
    TRY(gather_lone(piece, count, &lone, &lones));
    for (size_t i = 0; weighted && i < count; i++)
        TRY(fill_weights(piece[i]));
    TRY(mw_pieces_number(executor, name, piece, count, weighted, directed, edges));
    drop_pairs(lone, lones, edges);
out:
    free(lone);
    return rc;
}
/* SPDX-License-Identifier: MIT */
