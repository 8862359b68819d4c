/* Shared by the files of src/graph/generate. Internal. */
#ifndef MW_GENERATE_INTERNAL_H
#define MW_GENERATE_INTERNAL_H

#include <meshwork/generate.h>

#include "dev/core/backend.h"
#include "dev/kernel_set.h"

/* A graph being generated. */
struct mw_generation {
    struct mw_device *device;
    const double *values; /* values of the parameters */
    uint64_t seed;
    size_t chunk;              /* edges at a time, at most */
    struct mw_edges *edges;    /* allocated for all edges */
    struct mw_kernel_set *set; /* kernels of cl/graph/generate/generate.cl, after mw_generate_set */
};

/* Most parameters of a generator. */
#define MW_GENERATOR_PARAMETERS_MAX 8
/* As mw_generate, with the values of all parameters except the last (weights), in the generator's order. At most
 * `chunk` edges are on the device at a time (0: default). */
int mw_generate_values(struct mw_device *device, const char *generator, const double *values, uint64_t seed,
                       size_t chunk, struct mw_edges *edges);

/* ---- device.c ---- */

/* Returns the kernels of cl/graph/generate/generate.cl; the generation owns them. */
int mw_generate_set(struct mw_generation *g, const struct mw_kernel_set **set);
/* Returns the edges of a chunk: a small part of the device's memory. */
size_t mw_generate_chunk(const struct mw_generation *g);
/* Return the number of elements per work-item, and the range for all. */
uint32_t mw_generate_each(const struct mw_generation *g, uint64_t count);
struct mw_range mw_generate_range(uint64_t count, uint32_t each);

/* Makes all edges, chunk by chunk: `launch` queues the kernel for a chunk. */
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

/* Draws weights from 1 to `most` for all edges, at most `chunk` at a time (0: default). */
int mw_generate_weights(struct mw_device *device, uint64_t seed, size_t chunk, uint32_t most, struct mw_edges *edges);

/* ---- the functions of the table's rows ---- */

int mw_generate_line(struct mw_generation *g);
int mw_generate_ring(struct mw_generation *g);
int mw_generate_grid(struct mw_generation *g);
int mw_generate_er(struct mw_generation *g);
int mw_generate_rmat(struct mw_generation *g);
int mw_generate_disjoint(struct mw_generation *g);
int mw_generate_ws(struct mw_generation *g);
int mw_generate_ba(struct mw_generation *g);
int mw_generate_alpha(struct mw_generation *g);

/* device.c: computes the links along x, y and z of a mesh; MW_ELIMIT: too many vertices. */
int mw_generate_grid_links(const double *values, uint32_t links[3]);

/* alpha.c: returns x^y for 0 < x <= 1 and y >= 0, with the same bits on all machines; 0 if below 1e-304. */
double mw_generate_power(double x, double y);

#endif
/* SPDX-License-Identifier: MIT */
