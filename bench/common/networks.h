/* Networks that benches measure with. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "bench/common/contest.h"

#define NETWORK_VALUES 4

/* Values in the order of the generator's parameters. */
struct network { const char *test, *generator; double values[NETWORK_VALUES]; };

/* Its parameters by their names; those beyond the row's have the generator's own values.  Small networks have a
 * sixty-fourth of the vertices and edges. */
size_t network_values(const struct bench *bench, const struct network *network,
                      struct mw_generator_value values[NETWORK_VALUES]);
/* Makes it. */
void network_edges(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   struct mw_edges *edges);

/* Other libraries' turns, by bench/rivals/graph.py, as columns of a table have them. */
#define NETWORK_RIVALS 2
extern const char *const network_rivals[NETWORK_RIVALS];
/* Sends them the edges. */
void network_send(struct bench *bench, const struct mw_edges *edges);
/* Contenders that do what the words say. */
void network_rivals_add(struct bench *bench, struct bench_rival rivals[NETWORK_RIVALS],
                        struct bench_contender contenders[NETWORK_RIVALS], const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
