/* Generators: what their files share. */
#ifndef MW_GENERATE_INTERNAL_H
#define MW_GENERATE_INTERNAL_H

#include <meshwork/generate.h>

#include "dev/core/backend.h"
#include "dev/kernel_set.h"

/* What is being made. */
struct mw_generation {
    struct mw_device *device;
    const double *values;        /* of the parameters */
    uint64_t seed;
    size_t chunk;                /* edges at a time, at most */
    struct mw_edges *edges;      /* with room for all */
    struct mw_kernel_set *set;   /* of cl/graph/generate/generate.cl, once mw_generate_set was called */
};

/* Parameters of a generator, at most. */
#define MW_GENERATOR_PARAMETERS_MAX 8
/* As mw_generate, by the values of all parameters but the last, the weights, in the order of the generator's, with at
 * most `chunk` edges at a time on the device (0: by rule). */
int mw_generate_values(struct mw_device *device, const char *generator, const double *values, uint64_t seed,
                       size_t chunk, struct mw_edges *edges);

/* ---- device.c ---- */

/* The kernels of cl/graph/generate/generate.cl; the generation's. */
int mw_generate_set(struct mw_generation *g, const struct mw_kernel_set **set);
/* Edges of a chunk: what a device that is not empty holds easily. */
size_t mw_generate_chunk(const struct mw_generation *g);
/* How many of `count` things an item does, and the items of them all. */
uint32_t mw_generate_each(const struct mw_generation *g, uint64_t count);
struct mw_range mw_generate_range(uint64_t count, uint32_t each);

/* All edges, chunk by chunk: `launch` queues the kernel that makes those of a chunk. */
struct mw_edge_chunk {
    const struct mw_kernel_set *set;
    struct mw_range range;
    struct mw_buffer *ends;
    uint64_t first, count;
    uint32_t each;
    uint64_t seed;
    const void *context;
};
typedef int mw_generate_launch(const struct mw_edge_chunk *chunk);
int mw_generate_edges(struct mw_generation *g, mw_generate_launch *launch, const void *context);

/* Gives edges weights from 1 to `most`, at most `chunk` at a time (0: by rule). */
int mw_generate_weights(struct mw_device *device, uint64_t seed, size_t chunk, uint32_t most, struct mw_edges *edges);

/* ---- the makers: one a row of the table ---- */

int mw_generate_line(struct mw_generation *g);
int mw_generate_ring(struct mw_generation *g);
int mw_generate_grid(struct mw_generation *g);
int mw_generate_er(struct mw_generation *g);
int mw_generate_rmat(struct mw_generation *g);
int mw_generate_disjoint(struct mw_generation *g);
int mw_generate_ws(struct mw_generation *g);
int mw_generate_ba(struct mw_generation *g);
int mw_generate_alpha(struct mw_generation *g);

/* device.c: links along x, y and z of a mesh of these lengths; MW_ELIMIT beyond countable vertices. */
int mw_generate_grid_links(const double *values, uint32_t links[3]);

/* alpha.c: x^y of 0 < x <= 1 and y >= 0, with the same bits everywhere; 0 where it is below 1e-304. */
double mw_generate_power(double x, double y);

#endif
/* SPDX-License-Identifier: MIT */
