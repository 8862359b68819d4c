/* Sierpinski carpets: which sites of a grid can be walked on.
 *
 * After Hoffmann, Hofmann, Lang, Ruenger and Seeger 2010, "Simulating Anomalous Diffusion on Graphics Processing
 * Units", section III.  A generator is a square (a cube) of side^dims sites, of which some are accessible.  An iterator
 * of level 1 is a generator; one of level n + 1 is a generator whose accessible sites are each an iterator of level n.
 * If there are several generators, each is chosen at random with equal probability. The choice depends only on seed,
 * level and place, so that a carpet is the same on all devices and in any division. A surface is a grid of iterators of
 * one level; its sites are computed on demand.
 *
 * Threads: a carpet never changes, and any thread may use it. */
#ifndef MESHWORK_CARPET_H
#define MESHWORK_CARPET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/io.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

#define MW_CARPET_DIMS_MAX 3

/* A carpet, which gives for each site whether it is accessible. */
struct mw_carpet;
struct mw_carpet_options {
    size_t size; /* sizeof the struct: see status.h */
    /* A name ("sc31", found in the kernel folder), or the path of a file of generators (doc/walks.md): anything with a
     * '/' or ending in .txt.  NULL: "full", every site of the plane. */
    const char *generators;
    const char *kernel_path; /* as in mw_device_options */
    unsigned level;          /* level of iterators; 0: the file's, or that of `like` */
    uint64_t seed;
    /* Iterators a dimension, from the origin on; 0: without end, also to negative places.  Beyond is no access. */
    size_t extent[MW_CARPET_DIMS_MAX];
    /* With the generators of this one, where it is not NULL: no file is read. */
    const struct mw_carpet *like;
};

/* Makes a carpet; NULL options are all defaults. Errors: MW_EINVAL (unknown name; the message lists all names), MW_EIO
 * (the file cannot be read), MW_EDATA (file:line: error), MW_ELIMIT (a level above 31, an iterator of 2^31 sites per
 * dimension or more). */
MW_API int mw_carpet_new(const struct mw_carpet_options *options, struct mw_carpet **carpet);
/* Frees a carpet. Walks and walkers on it stay valid. */
MW_API void mw_carpet_free(struct mw_carpet *carpet);

/* Properties of a carpet. */
struct mw_carpet_info {       /* the library's, may grow */
    const char *name, *about; /* a sentence, or "" */
    const char *path;         /* the file's */
    unsigned dims, level;     /* dims: 2 or 3 */
    size_t side, generators;  /* side of a generator; number of generators */
    uint64_t period;          /* side^level: sites of an iterator, a dimension */
    double occupancy;         /* mean fraction of accessible sites: that of the generators, to the power of level */
    uint64_t seed;
    size_t extent[MW_CARPET_DIMS_MAX];
    uint64_t hash; /* hash of everything that the sites depend on */
};
/* Returns the properties of a carpet, which owns them. */
MW_API const struct mw_carpet_info *mw_carpet_info(const struct mw_carpet *carpet);

/* Returns whether the site with these `dims` coordinates is accessible. No site beyond 32 bits is. */
MW_API bool mw_carpet_accessible(const struct mw_carpet *carpet, const int64_t *site);
/* Makes an array of the sites of a box whose lowest corner is `low`: uint8, 1 for accessible sites. Cost: proportional
 * to the sites, in time and memory. Errors: MW_EINVAL (a length of 0), MW_ELIMIT. */
MW_API int mw_carpet_region(const struct mw_carpet *carpet, const int64_t *low, const size_t *length,
                            struct mw_array *sites);
/* Draws an accessible site of the iterator at the origin, all with the same probability, as a function of seed and
 * number. Errors: MW_EINVAL (none found in a million draws). */
MW_API int mw_carpet_random_site(const struct mw_carpet *carpet, uint64_t number, int64_t *site);

/* Makes a sorted, NULL-terminated list of the names of installed generators, to be freed by mw_carpet_names_free. */
MW_API int mw_carpet_names(const char *kernel_path, char ***names);
MW_API void mw_carpet_names_free(char **names);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
