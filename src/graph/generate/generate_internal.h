/* Generators: what their files share. */
#ifndef MW_GENERATE_INTERNAL_H
#define MW_GENERATE_INTERNAL_H

#include <meshwork/generate.h>

#include "dev/backend.h"

/* What is being made. */
struct mw_generation {
    struct mw_device *device;
    const double *values;        /* of the parameters */
    uint64_t seed;
    size_t chunk;                /* edges at a time, at most */
    struct mw_edges *edges;      /* with room for all */
    struct mw_program *program;  /* cl/graph/generate/generate.cl, once mw_generate_kernel was called */
};

/* Parameters of a generator, at most. */
#define MW_GENERATOR_PARAMETERS_MAX 8
/* As mw_generate, by the values of all parameters in the order of the generator's, with at most `chunk` edges at a time
 * on the device (0: by rule). */
int mw_generate_values(struct mw_device *device, const char *generator, const double *values, uint64_t seed,
                       size_t chunk, struct mw_edges *edges);

/* ---- generate_device.c ---- */

/* A kernel of cl/graph/generate/generate.cl. */
int mw_generate_kernel(struct mw_generation *g, const char *name, struct mw_kernel **kernel);
/* Edges of a chunk: what a device that is not empty holds easily. */
size_t mw_generate_chunk(const struct mw_generation *g);
/* How many of `count` things an item does. */
uint32_t mw_generate_each(const struct mw_generation *g, uint64_t count);
/* Launches a kernel for `count` things. */
int mw_generate_launch(struct mw_kernel *kernel, uint64_t count, uint32_t each, const struct mw_arg *args,
                       size_t arg_count);
/* All edges by a kernel whose arguments are (ends, first, count, each) and then `more`. */
#define MW_GENERATE_MORE_MAX 8
int mw_generate_edges(struct mw_generation *g, const char *kernel, const struct mw_arg *more, size_t more_count);

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

/* generate_device.c: links along x, y and z of a mesh of these lengths; MW_ELIMIT beyond countable vertices. */
int mw_generate_grid_links(const double *values, uint32_t links[3]);

/* generate_alpha.c: x^y of 0 < x <= 1 and y >= 0, with the same bits everywhere; 0 where it is below 1e-304. */
double mw_generate_power(double x, double y);

#endif
