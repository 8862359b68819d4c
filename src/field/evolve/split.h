/* A field on several devices: what split.c, exchange.c, step.c and state.c share.
 *
 * exchange.c moves blocks of bytes between neighbours, and knows nothing of what they mean: it is the place of another
 * transport.  A part posts a block for each neighbour once a round and receives one from each. */
#ifndef MW_FIELD_SPLIT_H
#define MW_FIELD_SPLIT_H

#include "field/field_internal.h"

/* ---- exchange.c ---- */

/* Channels, each from one part to one neighbour.  Their blocks of two successive rounds lie at different places, which
 * is enough: nobody is two rounds ahead of a neighbour, since each round needs the last one's blocks of both sides. */
struct mw_exchange;
int mw_exchange_new(size_t channels, size_t block_bytes, struct mw_exchange **exchange);
void mw_exchange_free(struct mw_exchange *exchange);
void mw_exchange_restart(struct mw_exchange *exchange);   /* round 0 again; nobody is at work */
unsigned char *mw_exchange_block(const struct mw_exchange *exchange, size_t channel, uint64_t round);
void mw_exchange_post(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Waits for a block.  MW_ESTOPPED: the exchange is broken. */
int mw_exchange_wait(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Another part failed: ends all waiting, for good. */
void mw_exchange_break(struct mw_exchange *exchange);
bool mw_exchange_is_broken(const struct mw_exchange *exchange);

enum mw_side { MW_LOWER, MW_UPPER, MW_SIDES };
/* A part's ends of its channels. */
struct mw_borders {
    struct mw_exchange *exchange;
    size_t send[MW_SIDES], receive[MW_SIDES];
    uint64_t round;
    size_t read_count;
    struct mw_event *reads[MW_SIDES * MW_MODEL_NAMES_MAX];
};
/* Queues the reading of the borders of `buffer`, the state that comes; then waits for it and posts them; then waits for
 * the neighbours' and queues their writing into the state. */
int mw_borders_collect(const struct mw_field *field, struct mw_buffer *buffer);
int mw_borders_post(const struct mw_field *field);
int mw_borders_receive(const struct mw_field *field);

/* ---- state.c ---- */

/* All cells of the whole, field by field. */
int mw_field_read_cells(struct mw_field *field, void *cells);
int mw_field_write_cells(struct mw_field *field, const void *cells);

/* ---- split.c ---- */

/* How many of so many devices a whole has slabs for. */
size_t mw_split_most(const struct mw_field *whole, size_t devices);
int mw_split_new(struct mw_device *const *devices, size_t count, const struct mw_field *whole,
                 const struct mw_field_options *options, struct mw_split **split);
void mw_split_free(struct mw_split *split);
struct mw_field *const *mw_split_parts(const struct mw_split *split, size_t *count);
/* The same of any field: on one device it is its only part. */
static inline struct mw_field *const *mw_field_parts_of(struct mw_field *const *field, size_t *count)
{
    *count = 1;
    return (*field)->split ? mw_split_parts((*field)->split, count) : field;
}
double mw_split_step_seconds(const struct mw_split *split, size_t part);
int mw_split_advance(struct mw_field *whole, uint64_t steps);
/* Gives the parts other numbers of slabs. */
int mw_split_move(struct mw_field *whole, const int *slabs);
/* Numbers of slabs in proportion to weights: at least `least` each, and at most `most` (NULL: no limit) as far as the
 * parts together have room.  MW_ELIMIT: they have not. */
int mw_split_share(size_t count, int slabs, int least, const double *weights, const double *most, int *shares);

#endif
