/* Blocks of bytes on their way from part to part of one state, each part on a device of its own, whatever they mean:
 * the place of another transport.  Internal.
 *
 * Each part's thread moves its state on in rounds.  What a round's last launches change of what others have copies of
 * is computed first, so that it is on its way while the rest is computed:
 *
 *     work:       borders -fork- the rest, which leaves the copies of others' borders alone -join- the next round
 *     transfers:            \ borders to blocks       others' blocks to those copies        /
 *
 * The thread waits for nothing but its own borders and its neighbours'.  Native devices compute within the call, so
 * that their borders are posted before the rest. */
#ifndef MW_EXCHANGE_H
#define MW_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/device.h>

/* Channels, each from one part to another, of blocks of so many bytes; two parts that have one have the one back as
 * well.  The blocks of two successive rounds lie at different places, which is enough: nobody is two rounds ahead of
 * another, since each round needs the last one's blocks of both.
 *
 * Blocks lie on the device that they go to, where that is within reach of the one that they come from and has room for
 * them, else in the host's memory; there in any case where the host itself fills and empties them (by_host,
 * mw_exchange_block).  The sender's thread looks at such blocks of another's device, of which nothing changes but what
 * is in them. */
struct mw_channel {
    struct mw_device *from, *to;
    size_t bytes;
    bool by_host;
};
struct mw_exchange;
/* `what` the parts are of, for messages. */
int mw_exchange_new(const struct mw_channel *channels, size_t count, const char *what, struct mw_exchange **exchange);
void mw_exchange_free(struct mw_exchange *exchange);
void mw_exchange_restart(struct mw_exchange *exchange); /* round 0 again; nobody is at work */
/* In the host's memory. */
unsigned char *mw_exchange_block(const struct mw_exchange *exchange, size_t channel, uint64_t round);
void mw_exchange_post(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Waits for a block.  MW_ESTOPPED: the exchange is broken. */
int mw_exchange_wait(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Another part failed: ends all waiting, for good. */
void mw_exchange_break(struct mw_exchange *exchange);
/* MW_EDEVICE: the exchange is broken, and the parts are no state any more.  NULL is legal: it never is. */
int mw_exchange_check(const struct mw_exchange *exchange);

/* What one part has of an exchange: its device, its round, and the last transfer to one of its blocks. */
struct mw_port {
    struct mw_exchange *exchange;
    struct mw_device *device;
    uint64_t round;
    struct mw_event *read;
};

/* Queues a part of the block of a channel from the part, once all work that is queued by now is done (mw_beside_fork).
 * Behind the last of a round, mw_port_send; then comes the rest of its work, and then mw_port_post. */
int mw_port_read(struct mw_port *port, struct mw_buffer *from, size_t offset, size_t bytes, size_t channel, size_t at);
int mw_port_send(struct mw_port *port);
int mw_port_post(struct mw_port *port);
/* Waits for the block of a channel to the part, and queues a part of it; mw_port_turn is behind the last of a round. */
int mw_port_write(struct mw_port *port, struct mw_buffer *to, size_t offset, size_t bytes, size_t channel, size_t at);
int mw_port_turn(struct mw_port *port);
/* Forgets a round that failed. */
void mw_port_clear(struct mw_port *port);

/* As many steps a round as pay where a round costs as much as updates of so many cells, and a step looks at `reach`
 * slabs of so many cells beyond either end, which both neighbours then update: a number that is not rounded. */
double mw_exchange_steps(double round_cells, double slab_cells, int reach);

#endif
/* SPDX-License-Identifier: MIT */
