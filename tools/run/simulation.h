/* A kind of simulation: all that `meshwork run` asks of it.  It stands in a folder of its own, and as a row in
 * simulations.c.  Functions return 0 or a status whose sentence is set; r->own is its struct, r->own_settings that of
 * its options. */
#ifndef TOOLS_SIMULATION_H
#define TOOLS_SIMULATION_H

#include "tools/run/run.h"

/* Models, and what is made of one. */
struct simulation_model {
    /* Finds the model, and adds what tells it from others: r->model.name, r->model.words, r->model.names. */
    int (*choose)(struct run *r, const char *model);
    /* Reads its options, by now with those of a checkpoint, and its input: the other members that run.h names. */
    int (*prepare)(struct run *r);
    /* Adds all that the bits depend on, and what else a restarted run takes over. */
    void (*settings)(const struct run *r, struct setting_list *list);
    /* Device memory that it takes, about. */
    int (*device_bytes)(const struct run *r, uint64_t *bytes);
    /* What the host holds at most, with r->observe.state; NULL: that alone. */
    uint64_t (*host_bytes)(const struct run *r);
    /* While --verify reads the state of its own run: device memory of both runs.  NULL: twice device_bytes. */
    int (*verify_bytes)(const struct run *r, uint64_t *bytes);
    /* Makes it on the devices of r->step.team. */
    int (*make)(struct run *r);
    void (*unmake)(struct run *r);       /* also where it was not made */
    void (*free)(struct run *r);         /* all else */
    /* Of several runs, one after the other: whether another one follows those that are done, and begins it, to be made
     * next.  NULL: there is one. */
    bool (*more)(const struct run *r);
    int (*next)(struct run *r);
    void (*runs)(const struct run *r, uint64_t *over, uint64_t *all);
};

struct simulation_stepping {
    int (*init)(struct run *r);          /* the state of step 0 */
    int (*advance)(struct run *r, uint64_t steps);      /* and waits */
    int (*queue)(struct run *r, uint64_t steps);        /* on one device, and does not wait; NULL: as advance */
    uint64_t (*together)(const struct run *r);  /* steps that cost hardly more than one; NULL: 1 */
    uint64_t (*step)(const struct run *r);
    int (*load)(struct run *r, const struct mw_checkpoint *checkpoint);
    /* What checkpoints have beside r->observe.state; NULL: nothing. */
    int (*save)(struct run *r, struct mw_checkpoint_writer *writer);
    /* For --verify, which computes the same steps again on native:serial: chooses what is simplest, for a copy of the
     * run and of its struct, in which nothing is made by now. */
    void (*plainly)(struct run *again);
};

struct simulation_observing {
    /* Brings the state of a step into r->observe.state.  MW_EDATA: it is not one to go on from. */
    int (*look)(struct run *r, uint64_t step);
    /* What -o and --vtk write, a new array; NULL: r->observe.state. */
    int (*field)(struct run *r, struct mw_array *field);
    int (*measure)(struct run *r);       /* what rows, reports and pictures say of r->observe.state */
    int (*keep)(struct run *r);          /* of each state that was observed, for the summary; NULL: nothing */
    void (*say)(const struct run *r, uint64_t step);    /* with -v */
    /* Adds its columns of a series, the same ones each time, with their values of a step; of the first row, which is
     * for the titles and comes before there is a state, the values do not count. */
    void (*row)(const struct run *r, uint64_t step, struct series_row *row);
    /* The plane that a picture shows, in r->observe.state or in `strip`, which is the caller's, and the values of the
     * map's ends; both 0: those of the plane. */
    int (*picture)(struct run *r, struct mw_array *plane, struct mw_array *strip, double *lo, double *hi);
    /* What --label-every labels: the type of the cells of the first quantity, and which join; in words, as in "by the
     * sign of c"; and the cells themselves, on r->step.device: its own memory, or *room, made when needed. */
    void (*label)(const struct run *r, struct mw_label_options *label);
    struct short_text (*joined)(const struct run *r);
    int (*cells)(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells);
    /* Every r->observe.own_every steps; what timings call it. */
    int (*observe)(struct run *r, uint64_t step);
    const char *own_timing;
    int (*write)(struct run *r);         /* its own files, at the end; NULL: none */
};

struct simulation_reporting {
    const char *(*rate_unit)(const struct run *r);  /* of r->model.cells of a step, a second: "cell-steps/s" */
    void (*setup)(const struct run *r, struct node *to);    /* what a run and its plan have in common */
    const char *(*method)(const struct run *r);                    /* of the time step */
    void (*device)(const struct run *r, struct node *to);   /* variant, shape and shares */
    void (*state)(const struct run *r, struct node *to);
    uint64_t (*checksum)(const struct run *r);                     /* NULL: that of r->observe.state */
    void (*plan)(const struct run *r, struct node *to);     /* of its own observations; NULL: nothing */
};

struct simulation {
    size_t bytes;                        /* of its struct, zeroed */
    mw_variant_table *variants;          /* of --variant */
    /* Whether a word names one of its models; NULL: any that no other kind knows, and whose absence it explains.
     * Errors: MW_ENOMEM. */
    int (*knows)(const char *model, const char *kernel_path, bool *known);

    const char *subject;                 /* what r->model.name is the name of: "model" */
    const char *less;                    /* what to choose where memory is too small: "a smaller --size" */
    bool streams;                        /* on one device it may take more memory than that has; its state is in the
                                          * host's then, too */
    bool timed;                          /* a step is one of time, r->model.dt, which is of interest */
    struct simulation_model model;
    struct simulation_stepping step;
    struct simulation_observing observe;
    struct simulation_reporting report;
};

/* The kind whose model a word names, and its settings among those of the command. */
int simulation_find(const char *model, void *settings, const struct simulation **kind, void **own_settings);
/* Refuses options that kinds other than r->kind have alone. */
int simulation_check_options(const struct run *r);

#endif
/* SPDX-License-Identifier: MIT */
