/* Pictures of states.  picture.c: quantities, planes and rasters, and plain pictures (--png); figure.c: figures with
 * axes (--figure); sheet.c: several states in a figure (--sheet); film.c: films (--film); kept.c: frames that wait for
 * the range of all. */
#ifndef TOOLS_PICTURE_H
#define TOOLS_PICTURE_H

#include <stdio.h>

#include "tools/run/simulation.h"

/* A quantity of the present state. */
struct shown {
    const char *name;       /* lasts as long as the run */
    struct mw_array values; /* the first system, x first.  Its data belong to the state, or to `owned` */
    void *owned;
    size_t systems, stride; /* number of systems, and bytes from one to the next */
    const char *colours;    /* default map */
    double lo, hi;          /* ends of the map; equal: the range of the values */
    bool is_plane;          /* the kind chose the plane, whose values are pixels */
    double first[2];        /* coordinates of the first pixel of that plane */
    bool has_holes;         /* values outside the domain are NaN */
    bool is_discrete;       /* kinds or angles: they have no mean */
    size_t kinds;           /* values are 0 to `kinds` - 1, which lo and hi count from -0.5 on; 0: not known */
    const void *domain;     /* positive in cells of the domain, for all systems and like `values`; NULL: all are */
    const struct mw_lattice_kind_info *lattice; /* a periodic lattice of this kind; NULL: a mesh of squares */
};
void shown_free(struct shown *shown);
/* Makes values outside the domain NaN, which figures leave gray. */
int shown_leave_holes(struct shown *shown);
/* Computes the range of the values of all systems, within the domain. */
void shown_range(const struct shown *shown, double *lo, double *hi);
/* Returns the number of quantities of figures, at least 1; and quantity `i`, NULL for the kind's default. */
size_t shown_count(const struct run *r);
const char *shown_name(const struct run *r, size_t i);

/* A plane of a mesh: dimensions `across` and `down`, and the indices along the others. */
struct plane {
    unsigned across, down; /* equal for a mesh of one dimension */
    size_t at[MW_DIMS_MAX];
    bool in_squares; /* both dimensions are made coarser alike */
};
/* Returns the plane of --slice, by default that of the first two dimensions, in the middle of the others.  A quantity
 * that is a plane has no other. */
struct plane picture_plane(const struct run *r, const struct shown *shown);
/* Copies a plane of a system to a new array of float64, which the caller frees; `extent` receives its lengths.  `most`:
 * length above which rectangles of cells become one element, their mean or the first one; 0: no limit.  A lattice that
 * is not of squares is sampled at points in space: each is nearest to a cell. */
int picture_cut(const struct run *r, const struct shown *shown, size_t system, const struct plane *plane, size_t most,
                struct mw_array *cells, double extent[2]);
/* Copies the plane of all systems side by side, as picture_cut does for one; `lo` fills the gaps. */
int picture_all(const struct run *r, const struct shown *shown, double lo, size_t most, struct mw_array *cells);
/* Returns the map of --colours or of the quantity; and the ends of the map by --range. */
const char *picture_colours(struct run *r, const struct shown *shown);
void picture_range(struct run *r, const struct shown *shown, double *lo, double *hi);

/* Frames that wait for the range of all. */
struct kept {
    FILE *file;            /* the frames; NULL: none yet */
    char *path;            /* the output they are for */
    struct mw_array frame; /* float32 or float64 */
    const char *colours;
    double lo, hi; /* the range of all frames so far, or that of --range */
    size_t count;
};
/* Opens a file without a name in the folder of a path. */
int kept_open(const char *path, FILE **file);
/* Adds the present state, as picture_all does with `most`. */
int kept_add(struct run *r, const char *option, const char *path, size_t most, struct kept *kept);
/* Reads frame `i`; in order, from 0 on. */
int kept_read(struct kept *kept, size_t i);
void kept_free(struct kept *kept);

/* Returns whether pictures wait for the range of all. */
bool picture_waits(const struct run *r);
/* Returns whether the range of all pictures is known from the first one on. */
bool picture_is_fixed(const struct run *r);

/* Checks the options of all pictures, before the computation. */
int picture_prepare(struct run *r);
/* Writes a picture; with --range all, keeps it for picture_finish, which writes all of them. */
int picture_write(struct run *r, const char *path, uint64_t step);
int picture_finish(struct run *r);
void picture_free(struct run *r);

/* ---- figures ---- */

/* A plane in numbers, with the words around it. */
struct panel {
    struct mw_array cells;               /* float64 */
    double origin[2], extent[2], lo, hi; /* the low end, and the length */
    const char *colours;
    char title[160], x[24], y[24];
    bool is_line, is_history; /* values of one dimension; values over time */
    size_t kinds;             /* as in struct shown */
    bool has_arrows, has_holes;
};
enum {
    PANELS_MOST = 36,
    PICTURE_STRIP = 32,  /* pixels of the height of a mesh of one dimension */
    PICTURE_PIXELS = 256 /* pixels of the longer side of a picture, if --scale is not given */
};

struct panels {
    struct panel *item;
    size_t count;
};
void panels_free(struct panels *panels);
/* Makes the panel of a plane of a system; its cells belong to the caller also after a failure. */
int panel_fill(struct run *r, const struct shown *shown, size_t system, const struct plane *plane, size_t most,
               struct panel *panel);
/* Returns the number of planes that a figure has of a quantity on squares. */
size_t figure_planes(const struct run *r);
/* Two quantities as arrows over a plane. */
struct arrows {
    struct mw_array of[2];
    double extent[2];
};
/* Makes the heading of a picture in quotes for gnuplot, and its height in pixels: the model, `when` (may be NULL), the
 * sentence about the model, and its parameters. */
int figure_heading(const struct run *r, const char *when, double width, struct mw_text *quoted, double *height);
/* Draws panels under a heading.  NULL `arrows`: none. */
int figure_draw(const struct run *r, const char *path, const char *when, const struct panels *panels,
                const struct arrows *arrows);
/* Returns "t = 20" or "step 20". */
struct short_text figure_when(const struct run *r, uint64_t step);
/* Checks --figure and --sheet. */
int figure_prepare(struct run *r);
int figure_write(struct run *r, const char *path, uint64_t step);
/* Keeps a state for the sheet; draws it at the end; frees it. */
int sheet_keep(struct run *r, uint64_t step);
int sheet_finish(struct run *r);
size_t sheet_states(const struct run *r); /* in the sheet so far */
void sheet_free(struct run *r);

/* Sets --every by --frames; checks --film; adds a frame; makes the film of all frames; returns its name, NULL if there
 * is none, and its number of frames; frees it. */
int film_interval(struct run *r);
int film_prepare(struct run *r);
int film_keep(struct run *r, uint64_t step);
int film_finish(struct run *r);
const char *film_made(const struct run *r, size_t *frames);
void film_free(struct run *r);

#endif
/* SPDX-License-Identifier: MIT */
