/* meshwork walk: random walks on carpets, as a kind of simulation: walk.c the options and the row, one.c a walk by
 * either method, points.c what is measured when, state.c states and pictures, report.c and write.c what is said and
 * written of it all. */
#ifndef TOOLS_WALK_H
#define TOOLS_WALK_H

#include <meshwork/carpet.h>
#include <meshwork/walk.h>
#include <meshwork/walkers.h>

#include "tools/run/simulation.h"

#define WALK_STEPS_MOST 1000000000

enum walk_method { WALK_MASTER, WALK_WALKERS };
enum walk_average { WALK_CARPETS, WALK_STARTS };     /* what differs from run to run: both, or starts alone */
struct walk_settings {
    const char *carpet, *start, *at, *fit, *csv, *plot, *carpet_png;
    uint64_t level, runs, walkers, points;
    struct size extent;
    int method, average;
};

/* One walk, by either method. */
struct walk_one {
    struct mw_carpet *carpet;
    int64_t start[MW_CARPET_DIMS_MAX];
    struct mw_walk *walk;
    struct mw_walkers *walkers;
    size_t elements;             /* of its state, as last looked at */
};

/* What is measured of a walk at a step; error: of walkers. */
struct walk_measures { double square_displacement, error, total; };

/* Exponent of <r^2> ~ t^g over the steps from `from` to `to`; NAN: it cannot be said.  half: those of the range's
 * halves, on a logarithmic scale, by whose difference the error grows; settled: it is no more than errors explain; not
 * compared: a half has too few points. */
struct walk_fit { uint64_t from, to; size_t points; double exponent, error, half[2]; bool compared, settled; };

/* The own of a run, which has `runs` walks: some of them at a time, each on a device. */
struct walk_run {
    const struct walk_settings *set;
    struct mw_carpet *carpet;            /* of the first walk */
    const struct mw_carpet_info *info;
    const char *name;                    /* of what a state has */
    int64_t start[MW_CARPET_DIMS_MAX];   /* as given */
    bool random_start;
    size_t runs, first, batch;           /* walks under way: so many from the first */
    bool loaded;                         /* from a checkpoint */
    size_t ended;                        /* walks that have all their steps */
    struct walk_one one[TEAM_MAX];
    uint64_t step;
    uint64_t done;                       /* steps by this process, and updates of sites or walkers in them */
    double updates;

    uint64_t *at;                        /* steps at which walks are measured, upwards */
    size_t at_count;
    struct walk_measures *measured;      /* [run][point]; square_displacement NAN: not yet */
    uint64_t *checksums;                 /* of the final state of each walk */
    struct walk_measures now;            /* of the first walk's last state that was looked at */
    uint64_t fit_from, fit_to;           /* as given; 0: not */
    char steps_text[24];
};

/* ---- one.c ---- */

/* The carpet of walk `run`: own->carpet's generators by that seed. */
int walk_carpet_make(const struct run *r, size_t run, struct mw_carpet **carpet);
/* Makes walk `run` of the series at its start, on these devices. */
int walk_one_make(const struct run *r, size_t run, struct mw_device *const *devices, size_t count,
                  struct walk_one *one);
void walk_one_free(struct walk_one *one);
int walk_one_advance(struct walk_one *one, uint64_t steps);      /* queues */
int walk_one_sync(struct walk_one *one);
/* MW_EVERIFY: the total probability is not 1. */
int walk_one_measure(const struct run *r, struct walk_one *one, struct walk_measures *measures);
/* Elements of a state of so many steps, and their type; updates of sites or walkers in the steps behind `from`. */
size_t walk_one_elements(const struct run *r, const struct walk_one *one, uint64_t step);
double walk_one_updates(const struct run *r, const struct walk_one *one, uint64_t from, uint64_t to);
enum mw_type walk_state_type(const struct run *r);
int walk_one_get(struct walk_one *one, struct mw_array *state);
/* From elements of a checkpoint's state, `count` of them. */
int walk_one_set(const struct run *r, struct walk_one *one, uint64_t step, const void *elements, size_t count);
/* How far a total may be from 1 after so many steps, by rounding alone. */
double walk_rounding(const struct run *r, uint64_t step);

/* ---- points.c ---- */

/* Reads --at, --points and --fit. */
int walk_points(struct run *r);
/* Of all walks that have been measured at a point: the mean, with its standard error (NAN: of one), and the total
 * probability that is furthest from 1.  Returns how many they are. */
size_t walk_mean(const struct walk_run *own, size_t point, struct walk_measures *mean);
/* The exponent between the points beside this one; NAN: there are none. */
double walk_local_exponent(const struct walk_run *own, size_t point);
void walk_fit(const struct walk_run *own, struct walk_fit *fit);
/* What checkpoints have beside the state; and which walks were under way. */
int walk_save(struct run *r, struct mw_checkpoint_writer *writer);
int walk_kept(struct run *r);
int walk_load_points(struct run *r, const struct mw_checkpoint *checkpoint);

/* ---- state.c, of struct simulation ---- */

int walk_init(struct run *r);
int walk_load(struct run *r, const struct mw_checkpoint *checkpoint);
int walk_look(struct run *r, uint64_t step);
int walk_measure(struct run *r);
int walk_field(struct run *r, struct mw_array *field);
int walk_picture(struct run *r, struct mw_array *plane, struct mw_array *strip, double *lo, double *hi);
void walk_say(const struct run *r, uint64_t step);
void walk_row(const struct run *r, uint64_t step, struct series_row *row);
uint64_t walk_checksum(const struct run *r);
/* What pictures show: the sites with a probability that is not too far below the largest, relative to the start, which
 * is among them. */
struct walk_box { int32_t low[MW_CARPET_DIMS_MAX]; size_t length[MW_CARPET_DIMS_MAX]; };
int walk_shown_box(struct run *r, struct walk_box *box);
size_t walk_pixels_per_site(const struct walk_box *box);
/* Notes the checksums of the walks of r->observe.state. */
void walk_note_checksums(const struct run *r);

/* ---- report.c, write.c ---- */

void walk_report_setup(const struct run *r, struct node *to);
const char *walk_method(const struct run *r);
const char *walk_rate_unit(const struct run *r);
void walk_report_device(const struct run *r, struct node *to);
void walk_report_state(const struct run *r, struct node *to);
void walk_report_plan(const struct run *r, struct node *to);
int walk_device_bytes(const struct run *r, uint64_t *bytes);
uint64_t walk_host_bytes(const struct run *r);
int walk_state_bytes(const struct run *r, uint64_t *bytes);      /* about */
/* --carpet list. */
int walk_list_carpets(const char *kernel_path);
int walk_write_check(const struct run *r);
int walk_write(struct run *r);

#endif
/* SPDX-License-Identifier: MIT */
