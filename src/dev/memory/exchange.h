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
/* The channels between all parts of a state, shared by the threads of the parts. */
struct mw_exchange;
/* Makes an exchange with these channels. `what` is the word for the divided state in messages. */
int mw_exchange_new(const struct mw_channel *channels, size_t count, const char *what, struct mw_exchange **exchange);
void mw_exchange_free(struct mw_exchange *exchange);
/* Restarts at round 0. No part may be active. */
void mw_exchange_restart(struct mw_exchange *exchange);
/* Returns a channel's block for a round, in the host's memory; for channels with by_host. */
unsigned char *mw_exchange_block(const struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Declares a channel's block of a round complete, and wakes the receiver. */
void mw_exchange_post(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Waits until a channel's block of a round is posted.  MW_ESTOPPED: the exchange is broken. */
int mw_exchange_wait(struct mw_exchange *exchange, size_t channel, uint64_t round);
/* Waits until all parts have called it equally often. */
int mw_exchange_meet(struct mw_exchange *exchange, size_t parts);
/* Ends all waits permanently, after a failure of a part. */
void mw_exchange_break(struct mw_exchange *exchange);
/* Fails with MW_EDEVICE if the exchange is broken: the parts are then not a consistent state. Accepts NULL. */
int mw_exchange_check(const struct mw_exchange *exchange);

/* One part's side of an exchange: its device, its round, and the last transfer to one of its blocks. */
struct mw_port {
    struct mw_exchange *exchange;
    struct mw_device *device;
    uint64_t round;
    struct mw_event *read;
};

/* Queues the transfer of `bytes` bytes of a buffer to byte `at` of the outgoing block of a channel, on the second
 * queue. The caller first calls mw_second_after_first. */
int mw_port_read(struct mw_port *port, struct mw_buffer *from, size_t offset, size_t bytes, size_t channel, size_t at);
/* Submits the outgoing blocks, after a round's last mw_port_read. Native devices post them at once. */
int mw_port_send(struct mw_port *port);
/* Posts the outgoing blocks once they are complete, after the rest of the round's work is queued. */
int mw_port_post(struct mw_port *port);
/* Waits for the incoming block of a channel, and queues the transfer of its bytes from `at` on to a buffer, on the
 * second queue. */
int mw_port_write(struct mw_port *port, struct mw_buffer *to, size_t offset, size_t bytes, size_t channel, size_t at);
/* Begins the next round, after the last mw_port_write: later work waits for the transfers. */
int mw_port_turn(struct mw_port *port);
/* Frees the event of a port's last transfer, after a failure. */
void mw_port_clear(struct mw_port *port);

/* Returns the optimal number of steps per round, not rounded. A round costs as much as updates of `round_cells` cells.
 * A step reads `reach` slabs of `slab_cells` cells beyond either end, which both neighbours then update. */
double mw_exchange_steps(double round_cells, double slab_cells, int reach);

#endif
/* SPDX-License-Identifier: MIT */
