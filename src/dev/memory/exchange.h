/* Exchanges blocks of bytes between the parts of a state, each on its own device. Another transport would replace this
 * module. Internal.
 *
 * Each part's thread advances its state in rounds. The last launches of a round compute the borders first, of which
 * neighbours have copies. Borders are transferred while the rest is computed:
 *
 *     work:       borders -fork- the rest, which leaves the copies of others' borders alone -join- the next round
 *     transfers:            \ borders to blocks       others' blocks to those copies        /
 *
 * The thread waits only for its own borders and its neighbours'. Native devices compute within the call, so that their
 * borders are posted before the rest. */
#ifndef MW_EXCHANGE_H
#define MW_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/device.h>

/* A channel transfers blocks of so many bytes from one part to another. Channels exist in both directions or in
 * neither. Two places per channel suffice, for even and odd rounds: no part can be two rounds ahead, since each round
 * needs the last round's blocks of both.
 *
 * Blocks are on the receiving device if the sender can reach it and it has room; otherwise they are in the host's
 * memory. They are always there if the host fills and empties them (by_host, mw_exchange_block). The sender's thread
 * reads the descriptions of blocks on another device, which do not change. */
struct mw_channel {
    struct mw_device *from, *to;
    size_t bytes;
    bool by_host;
};
struct mw_exchange;
/* `what`: the thing that is divided into parts, for messages. */
int mw_exchange_new(const struct mw_channel *channels, size_t count, const char *what, struct mw_exchange **exchange);
void mw_exchange_free(struct mw_exchange *exchange);
void mw_exchange_restart(struct mw_exchange *exchange); /* begins at round 0; no part may be active */
/* Returns a block in the host's memory. */
unsigned char *mw_exchange_block(const struct mw_exchange *exchange, size_t channel, uint64_t round);
void mw_exchange_post(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Waits for a block.  MW_ESTOPPED: the exchange is broken. */
int mw_exchange_wait(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Ends all waits permanently, after a failure of a part. */
void mw_exchange_break(struct mw_exchange *exchange);
/* MW_EDEVICE: the exchange is broken, and the parts are not a consistent state. NULL is legal. */
int mw_exchange_check(const struct mw_exchange *exchange);

/* One part's side of an exchange: its device, its round, and the last transfer to one of its blocks. */
struct mw_port {
    struct mw_exchange *exchange;
    struct mw_device *device;
    uint64_t round;
    struct mw_event *read;
};

/* Queues the transfer of a piece to the part's outgoing block, after all work queued so far (mw_second_after_first).
 * After the last piece of a round call mw_port_send; after the rest of the round's work, mw_port_post. */
int mw_port_read(struct mw_port *port, struct mw_buffer *from, size_t offset, size_t bytes, size_t channel, size_t at);
int mw_port_send(struct mw_port *port);
int mw_port_post(struct mw_port *port);
/* Waits for an incoming block, and queues the transfer of a piece of it; after the last one of a round call
 * mw_port_turn. */
int mw_port_write(struct mw_port *port, struct mw_buffer *to, size_t offset, size_t bytes, size_t channel, size_t at);
int mw_port_turn(struct mw_port *port);
/* Forgets a round that failed. */
void mw_port_clear(struct mw_port *port);

/* Returns the optimal number of steps per round, not rounded. A round costs as much as updates of `round_cells` cells.
 * A step reads `reach` slabs of `slab_cells` cells beyond either end, which both neighbours then update. */
double mw_exchange_steps(double round_cells, double slab_cells, int reach);

#endif
/* SPDX-License-Identifier: MIT */
