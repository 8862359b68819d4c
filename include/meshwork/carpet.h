/* Sierpinski carpets: fractal grids, of which only some sites are accessible to walkers.
 *
 * After Hoffmann, Hofmann, Lang, Ruenger and Seeger 2010, "Simulating Anomalous Diffusion on Graphics Processing
 * Units", section III. Terms:
 * - A generator is a square or cube of side^dims sites, of which some are accessible.
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
/* Options of mw_carpet_new. */
struct mw_carpet_options {
    size_t size; /* sizeof the struct: see status.h */
    /* The generators: the name of an installed file ("sc31"), or the path of a file (doc/walks.md). Text with a '/'
     * or ending in .txt is a path. NULL: "full", a plane in which every site is accessible. */
    const char *generators;
    /* Folder whose subfolder carpets has the named generators; NULL: see mw_kernel_folder. */
    const char *kernel_path;
    /* Level of the iterators, at most 31; 0: the level in the file, or the level of `like`. */
    unsigned level;
    uint64_t seed; /* selects among several generators */
    /* Number of iterators along each dimension, from the origin on; sites outside are not accessible. 0: unlimited
     * in both directions. */
    size_t extent[MW_CARPET_DIMS_MAX];
    /* A carpet whose generators are copied; then `generators` and `kernel_path` are ignored. NULL: read them from a
     * file. */
    const struct mw_carpet *like;
};

/* Makes a carpet; NULL options are all defaults. The caller frees it by mw_carpet_free.
 * Errors: MW_EINVAL (unknown name: the message lists all names; an extent above 2^31 - 1), MW_EIO (the file cannot
 * be read), MW_EDATA (file:line: error), MW_ELIMIT (a level above 31, or 2^31 sites or more per dimension of an
 * iterator), MW_ENOMEM. */
MW_API int mw_carpet_new(const struct mw_carpet_options *options, struct mw_carpet **carpet);
/* Frees a carpet; NULL is allowed. Walks and walkers on it stay valid. */
MW_API void mw_carpet_free(struct mw_carpet *carpet);

/* Properties of a carpet. */
struct mw_carpet_info { /* the library's, may grow */
    /* Name of the file without folder and suffix; description from the file, or "". */
    const char *name, *about;
    const char *path;                  /* path of the file of generators */
    unsigned dims, level;              /* dims: 2 or 3; level: level of the iterators */
    size_t side, generators;           /* sites along one side of a generator; number of generators */
    uint64_t period;                   /* sites along one side of an iterator: side^level */
    double occupancy;                  /* expected fraction of accessible sites: (fraction in the generators)^level */
    uint64_t seed;                     /* seed given in mw_carpet_options */
    size_t extent[MW_CARPET_DIMS_MAX]; /* iterators per dimension; 0: unlimited */
    uint64_t hash;                     /* hash of everything that determines the sites */
};
/* Returns the properties of a carpet, which owns them. */
MW_API const struct mw_carpet_info *mw_carpet_info(const struct mw_carpet *carpet);

/* Returns whether the site with these coordinates (`dims` numbers, x first) is accessible. Sites outside the range
 * of int32_t are not. */
MW_API bool mw_carpet_accessible(const struct mw_carpet *carpet, const int64_t *site);
/* Makes an array of the sites of a box: uint8, 1 for accessible sites, otherwise 0. `low` is the lowest corner, and
 * `length` the number of sites per dimension. The caller frees it by mw_array_free.
 * Cost: time and memory proportional to the number of sites. Errors: MW_EINVAL (a length of 0), MW_ELIMIT,
 * MW_ENOMEM. */
MW_API int mw_carpet_region(const struct mw_carpet *carpet, const int64_t *low, const size_t *length,
                            struct mw_array *sites);
/* Draws an accessible site of the iterator at the origin, and writes its `dims` coordinates. All accessible sites have
 * the same probability. The result depends only on the carpet's seed and on `number`.
 * Errors: MW_EINVAL (no accessible site in a million draws). */
MW_API int mw_carpet_random_site(const struct mw_carpet *carpet, uint64_t number, int64_t *site);

/* Makes a sorted, NULL-terminated list of the names of installed generators. The caller frees it by
 * mw_carpet_names_free. `kernel_path`: as in mw_carpet_options. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_carpet_names(const char *kernel_path, char ***names);
/* Frees a list of mw_carpet_names; NULL is allowed. */
MW_API void mw_carpet_names_free(char **names);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
