/* meshwork walk: random walks on carpets, as a kind of simulation. walk.c: options and function table; one.c: a walk by
 * either method; points.c: measured steps; state.c: states and pictures; report.c and write.c: output. */
#ifndef TOOLS_WALK_H
#define TOOLS_WALK_H

#include <meshwork/carpet.h>
#include <meshwork/walk.h>
#include <meshwork/walkers.h>

#include "tools/run/simulation.h"

#define WALK_STEPS_MOST 1000000000

enum walk_method { WALK_MASTER, WALK_WALKERS };
enum walk_average { WALK_CARPETS, WALK_STARTS }; /* differences between runs: carpet and start, or start only */
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
    size_t elements; /* elements of its last state */
};

/* Measurements of a walk at a step. */
struct walk_measures {
    /* mean square displacement; its standard error, by method walkers; total probability, 1 by method walkers */
    double square_displacement, error, total;
};

/* The exponent g of <r^2> ~ t^g, fitted over a range of steps. */
struct walk_fit {
    uint64_t from, to; /* first and last step of the range */
    size_t points;     /* measured steps in the range */
    /* g and its error, NAN: unknown; exponents of the two halves of the range on a logarithmic scale */
    double exponent, error, half[2];
    /* the halves have enough points to be compared; errors explain their difference, otherwise it is in `error` */
    bool compared, settled;
};

/* State of a run of `runs` walks, some of them at a time, each on a device. */
struct walk_run {
    const struct walk_settings *set;
    struct mw_carpet *carpet; /* the first walk's */
    const struct mw_carpet_info *info;
    const char *name;                  /* name of the state's quantity */
    int64_t start[MW_CARPET_DIMS_MAX]; /* as given */
    bool random_start;
    size_t runs, first, batch; /* current walks: `batch` of them, from `first` on */
    bool loaded;               /* from a checkpoint */
    size_t ended;              /* walks with all steps done */
    struct walk_one one[TEAM_MAX];
    uint64_t step;
    uint64_t done; /* steps by this process, and the updates of sites or walkers in them */
    double updates;

    uint64_t *at; /* measured steps, ascending */
    size_t at_count;
    struct walk_measures *measured; /* [run][point]; square_displacement NAN: not yet measured */
    uint64_t *checksums;            /* each walk's final state */
    struct walk_measures now;       /* the first walk's last examined state */
    uint64_t fit_from, fit_to;      /* as given; 0: not given */
    char steps_text[24];
};

/* ---- one.c ---- */

/* Makes the carpet of walk `run`, with the generators of own->carpet and the walk's seed. */
int walk_carpet_make(const struct run *r, size_t run, struct mw_carpet **carpet);
/* Makes walk `run` of the series at its start, on these devices. */
int walk_one_make(const struct run *r, size_t run, struct mw_device *const *devices, size_t count,
                  struct walk_one *one);
/* Frees a walk and its carpet. */
void walk_one_free(struct walk_one *one);
/* Queues steps of a walk. */
int walk_one_advance(struct walk_one *one, uint64_t steps);
/* Waits for the queued steps of a walk. */
int walk_one_sync(struct walk_one *one);
/* Measures the present state of a walk.  MW_EVERIFY: the total probability is not 1. */
int walk_one_measure(const struct run *r, struct walk_one *one, struct walk_measures *measures);
/* Returns the number of elements of a walk's state after `step` steps. */
size_t walk_one_elements(const struct run *r, const struct walk_one *one, uint64_t step);
/* Returns the number of updates of sites or walkers in the steps after `from` up to `to`. */
double walk_one_updates(const struct run *r, const struct walk_one *one, uint64_t from, uint64_t to);
/* Returns the type of the elements of a state. */
enum mw_type walk_state_type(const struct run *r);
/* Copies the state of a walk to the host. */
int walk_one_get(struct walk_one *one, struct mw_array *state);
/* Sets the state from `count` elements of a checkpoint. */
int walk_one_set(const struct run *r, struct walk_one *one, uint64_t step, const void *elements, size_t count);
/* Returns the largest deviation of a total from 1 that rounding can cause after `step` steps. */
double walk_rounding(const struct run *r, uint64_t step);

/* ---- points.c ---- */

/* Reads --at, --points and --fit. */
int walk_points(struct run *r);
/* Computes the mean over all walks measured at a point, its standard error (NAN: one walk), and the total probability
 * furthest from 1.  Returns the number of walks. */
size_t walk_mean(const struct walk_run *own, size_t point, struct walk_measures *mean);
/* Returns the exponent between the neighbouring points; NAN without such points. */
double walk_local_exponent(const struct walk_run *own, size_t point);
/* Fits the exponent over the measured steps. */
void walk_fit(const struct walk_run *own, struct walk_fit *fit);
/* Adds the checkpoint data other than the state: measurements, and the current walks. */
int walk_save(struct run *r, struct mw_checkpoint_writer *writer);
/* Finds in the checkpoint of --restart which walks were current.  MW_EDATA: it is inconsistent. */
int walk_kept(struct run *r);
/* Loads the measurements from a checkpoint. */
int walk_load_points(struct run *r, const struct mw_checkpoint *checkpoint);

/* ---- state.c, of struct simulation ---- */

int walk_init(struct run *r);
int walk_load(struct run *r, const struct mw_checkpoint *checkpoint);
int walk_read(struct run *r, uint64_t step);
int walk_measure(struct run *r);
int walk_field(struct run *r, struct mw_array *field);
int walk_show(struct run *r, const char *what, struct shown *shown);
void walk_print(const struct run *r, uint64_t step);
void walk_row(const struct run *r, uint64_t step, struct series_row *row);
uint64_t walk_checksum(const struct run *r);
/* The box shown in pictures, relative to the start, which it contains: sites whose probability is not too far below the
 * largest. */
struct walk_box {
    int32_t low[MW_CARPET_DIMS_MAX];
    size_t length[MW_CARPET_DIMS_MAX];
};
int walk_shown_box(struct run *r, struct walk_box *box);
size_t walk_pixels_per_site(const struct walk_box *box);
/* Stores the checksums of the walks in r->observe.state. */
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
int walk_state_bytes(const struct run *r, uint64_t *bytes); /* about */
/* Prints the list of --carpet list. */
int walk_list_carpets(const char *kernel_path);
int walk_write_check(const struct run *r);
int walk_write(struct run *r);

#endif
/* SPDX-License-Identifier: MIT */
