/* Sierpinski carpets: fractal grids with accessible and other sites.
 *
 * After Hoffmann, Hofmann, Lang, Ruenger and Seeger 2010, "Simulating Anomalous Diffusion on Graphics Processing
 * Units", section III. Terms:
 * - A generator is a square or cube of side^dims sites; some are accessible.
 * - An iterator of level 1 is a generator. An iterator of level n + 1 is a generator in which each accessible site is
 *   replaced by an iterator of level n.
 * - A surface is a grid of iterators of the same level. Its sites are computed on demand.
 *
 * If there are several generators, each iterator draws one of them with equal probability. The draw depends only on
 * seed, level and position, so a carpet is the same on all devices.
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

/* Maximum number of dimensions of a carpet. */
#define MW_CARPET_DIMS_MAX 3

/* Handle of a Sierpinski carpet: computes whether a site is accessible. */
struct mw_carpet;
/* Options of mw_carpet_new: they select the generators, the size of the carpet and the seed. */
struct mw_carpet_options {
    size_t size; /* sizeof the struct: see status.h */
    /* File of generators (doc/walks.md): the name of an installed file, such as "sc31", or a path. Text that contains
     * a '/' or ends in .txt is a path. NULL: "full", a plane in which every site is accessible. */
    const char *generators;
    /* Folder whose subfolder "carpets" has the installed files of generators; NULL: see mw_kernel_folder. */
    const char *kernel_path;
    /* Level of the iterators, 1 to 31. 0: the level of `like`, or the level in the file (3 if it has none). */
    unsigned level;
    uint64_t seed; /* determines which of several generators each iterator draws */
    /* Number of iterators along each dimension, from the origin on, at most 2^31 - 1; sites outside are not
     * accessible. 0: unlimited in both directions. */
    size_t extent[MW_CARPET_DIMS_MAX];
    /* A carpet from which the generators are copied. If it is given, `generators` and `kernel_path` are ignored. NULL:
     * the generators are read from a file. */
    const struct mw_carpet *like;
};

/* Makes a carpet. `options` NULL means all defaults. The caller frees it by mw_carpet_free.
 * Errors: MW_EINVAL (unknown name: the message lists all names; an extent above 2^31 - 1), MW_EIO (the file cannot
 * be read), MW_EDATA (the file is malformed: the message has its line), MW_ELIMIT (a level above 31; an iterator with
 * 2^31 sites or more along a side), MW_ENOMEM. */
MW_API int mw_carpet_new(const struct mw_carpet_options *options, struct mw_carpet **carpet);
/* Frees a carpet; NULL is allowed. Walks and walkers that were made on it stay valid. */
MW_API void mw_carpet_free(struct mw_carpet *carpet);

/* Properties of a carpet: its file, its size, and its expected occupancy. */
struct mw_carpet_info { /* the library's, may grow */
    /* name: name of the file of generators, without folder and suffix
     * about: description from the file, or "" */
    const char *name, *about;
    const char *path;                  /* path of the file of generators */
    unsigned dims, level;              /* dims: number of dimensions, 2 or 3; level: level of the iterators */
    size_t side, generators;           /* side: sites along one side of a generator; generators: number of these */
    uint64_t period;                   /* sites along one side of an iterator: side^level */
    double occupancy;                  /* expected fraction of accessible sites: (fraction in the generators)^level */
    uint64_t seed;                     /* seed given in mw_carpet_options */
    size_t extent[MW_CARPET_DIMS_MAX]; /* number of iterators along each dimension; 0: unlimited */
    uint64_t hash; /* hash of generators, level, extents; with several generators also of the seed */
};
/* Returns the properties of a carpet, which owns them. */
MW_API const struct mw_carpet_info *mw_carpet_info(const struct mw_carpet *carpet);

/* Returns whether a site is accessible. `site` has its `dims` coordinates, x first. A site with a coordinate outside
 * the range of int32_t is not accessible. */
MW_API bool mw_carpet_accessible(const struct mw_carpet *carpet, const int64_t *site);
/* Makes an array that contains 1 for each accessible site of a box, and 0 for its other sites.
 * - low: coordinates of the lowest corner of the box, x first.
 * - length: number of sites of the box along each dimension.
 * - sites: receives the array, of type u8; the caller frees it by mw_array_free.
 * Errors: MW_EINVAL (a length of 0), MW_ELIMIT (the array exceeds the address space), MW_ENOMEM.
 * Cost: time and memory are proportional to the number of sites of the box. */
MW_API int mw_carpet_region(const struct mw_carpet *carpet, const int64_t *low, const size_t *length,
                            struct mw_array *sites);
/* Draws a random accessible site among those with all coordinates from 0 to the carpet's period - 1, and writes its
 * `dims` coordinates to `site`. All accessible sites there have the same probability. For one carpet, the result
 * depends only on `number`: other numbers give independent draws.
 * Errors: MW_EINVAL (none of 2^20 drawn sites is accessible). */
MW_API int mw_carpet_random_site(const struct mw_carpet *carpet, uint64_t number, int64_t *site);

/* Makes a list of the names of the installed files of generators, without folder and suffix. A name can be the option
 * `generators`. The list is sorted, and ends with NULL. The caller frees it by mw_carpet_names_free. `kernel_path` is
 * as in mw_carpet_options. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_carpet_names(const char *kernel_path, char ***names);
/* Frees a list of mw_carpet_names; NULL is allowed. */
MW_API void mw_carpet_names_free(char **names);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
