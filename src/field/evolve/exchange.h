/* Blocks of bytes on their way from part to part of a field, whatever they mean: the place of another transport.
 * Internal. */
#ifndef MW_FIELD_EXCHANGE_H
#define MW_FIELD_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include <meshwork/device.h>

/* Channels, each from one part to one neighbour.  Their blocks of two successive rounds lie at different places, which
 * is enough: nobody is two rounds ahead of a neighbour, since each round needs the last one's blocks of both sides. */
struct mw_exchange;
/* Blocks are memory that transfers of these devices, one a channel, are fastest with. */
int mw_exchange_new(struct mw_device *const *devices, size_t channels, size_t block_bytes,
                    struct mw_exchange **exchange);
void mw_exchange_free(struct mw_exchange *exchange);
void mw_exchange_restart(struct mw_exchange *exchange);   /* round 0 again; nobody is at work */
unsigned char *mw_exchange_block(const struct mw_exchange *exchange, size_t channel, uint64_t round);
void mw_exchange_post(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Waits for a block.  MW_ESTOPPED: the exchange is broken. */
int mw_exchange_wait(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Another part failed: ends all waiting, for good. */
void mw_exchange_break(struct mw_exchange *exchange);
/* MW_EDEVICE: the exchange is broken, and the parts are no field any more.  NULL is legal: it never is. */
int mw_exchange_check(const struct mw_exchange *exchange);

#endif
