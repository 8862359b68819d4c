/* A kind of simulation: the functions called by `meshwork run`.  Each kind has a folder of its own and a row in
 * simulations.c.  Functions return 0 or a status with its message set. r->own is the kind's struct, r->own_settings
 * that of its options. */
#ifndef TOOLS_SIMULATION_H
#define TOOLS_SIMULATION_H

#include "tools/run/run.h"

struct shown;

/* Models and the simulation's life cycle. */
struct simulation_model {
    /* Loads the model; sets r->model.name, r->model.words and r->model.names. */
    int (*choose)(struct run *r, const char *model);
    /* Reads the options, which now include a checkpoint's, and the input; sets the other members of r->model. */
    int (*prepare)(struct run *r);
    /* Adds all settings that affect the bits, and all settings that a resumed run takes over. */
    void (*settings)(const struct run *r, struct setting_list *list);
    /* Estimates the device memory. */
    int (*device_bytes)(const struct run *r, uint64_t *bytes);
    /* Returns the maximum host memory including r->observe.state; NULL: only the state. */
    uint64_t (*host_bytes)(const struct run *r);
    /* Device memory of both runs while --verify reads the state of its own run.  NULL: twice device_bytes. */
    int (*verify_bytes)(const struct run *r, uint64_t *bytes);
    /* Makes the simulation on the devices of r->step.team. */
    int (*make)(struct run *r);
    void (*unmake)(struct run *r); /* also called if it was not made */
    void (*free)(struct run *r);   /* frees the rest */
    /* For several consecutive runs: `more` returns whether another one follows, `next` begins it, to be made next.
     * NULL: a single run. */
    bool (*more)(const struct run *r);
    int (*next)(struct run *r);
    void (*runs)(const struct run *r, uint64_t *over, uint64_t *all);
};

struct simulation_stepping {
    int (*init)(struct run *r);                    /* makes the state of step 0 */
    int (*advance)(struct run *r, uint64_t steps); /* waits for completion */
    int (*queue)(struct run *r, uint64_t steps);   /* queues on one device; NULL: use advance */
    uint64_t (*together)(const struct run *r);     /* steps whose joint cost is about that of one; NULL: 1 */
    uint64_t (*step)(const struct run *r);
    /* Returns the time of a step, the present one; NULL: steps have the length r->model.dt. */
    double (*time)(const struct run *r, uint64_t step);
    /* Returns the part of the run that is left, 1 to 0, for runs that end at a time; NULL: they end at a step. */
    double (*left)(const struct run *r);
    int (*load)(struct run *r, const struct mw_checkpoint *checkpoint);
    /* Adds checkpoint data other than r->observe.state; NULL: none. */
    int (*save)(struct run *r, struct mw_checkpoint_writer *writer);
    /* Chooses the plainest computation for --verify on native:serial, in a copy of the run and its struct in which
     * nothing has been made. */
    void (*plainly)(struct run *again);
};

struct simulation_observing {
    /* Copies the state of a step to r->observe.state.  MW_EDATA: invalid state. */
    int (*read)(struct run *r, uint64_t step);
    /* Makes the array written by -o and --vtk; NULL: r->observe.state. */
    int (*field)(struct run *r, struct mw_array *field);
    int (*measure)(struct run *r); /* measures r->observe.state for rows, reports and pictures */
    int (*store)(struct run *r);   /* stores values of each observed state for the summary; NULL: none */
    void (*print)(const struct run *r, uint64_t step); /* for -v */
    /* Adds the columns of a series for a step, always the same ones.  The first call, before there is a state, is for
     * the titles; its values are ignored. */
    void (*row)(const struct run *r, uint64_t step, struct series_row *row);
    /* Returns a quantity of the state for pictures, a word of --show or NULL, in memory of the state or of `shown`,
     * which shown_free frees.  NULL `shown`: only checks the word.  MW_EINVAL: there is no such quantity. */
    int (*show)(struct run *r, const char *what, struct shown *shown);
    /* For --label-every: `label` sets the cell type of the first quantity and the joining rule; `joined` describes it
     * ("by the sign of c"); `cells` returns the cells on r->step.device, in the simulation's buffer or in *room, made
     * when needed. */
    void (*label)(const struct run *r, struct mw_label_options *label);
    struct short_text (*joined)(const struct run *r);
    int (*cells)(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells);
    /* Called every r->observe.own_every steps; `own_timing` is its name in timings. */
    int (*observe)(struct run *r, uint64_t step);
    const char *own_timing;
    int (*write)(struct run *r); /* writes its own files at the end; NULL: none */
};

struct simulation_reporting {
    const char *(*rate_unit)(const struct run *r); /* unit of r->model.cells per step and second: "cell-steps/s" */
    void (*setup)(const struct run *r, struct node *to);  /* common parts of run and plan */
    const char *(*method)(const struct run *r);           /* method of the time step */
    void (*device)(const struct run *r, struct node *to); /* variant, shape and shares */
    void (*state)(const struct run *r, struct node *to);
    uint64_t (*checksum)(const struct run *r);          /* NULL: of r->observe.state */
    void (*plan)(const struct run *r, struct node *to); /* its own observations; NULL: none */
};

struct simulation {
    size_t bytes;               /* size of its struct, which starts zeroed */
    mw_variant_table *variants; /* variants for --variant */
    /* Returns in *known whether a word names one of its models.  NULL: accepts all names unknown to the other kinds,
     * and reports missing models.  Errors: MW_ENOMEM. */
    int (*knows)(const char *model, const char *kernel_path, bool *known);

    const char *subject; /* the thing named by r->model.name: "model" */
    const char *advice;  /* advice if memory is too small: "a smaller --size" */
    bool streams;        /* on one device it may exceed the device's memory, by streaming; the state is
                                          * then on the host */
    bool shaped;         /* --shape is that of its steps; otherwise, the work-groups of the devices */
    bool timed;          /* steps have a length in time, r->model.dt */
    struct simulation_model model;
    struct simulation_stepping step;
    struct simulation_observing observe;
    struct simulation_reporting report;
};

/* Finds the kind of a model by its name, and the kind's settings in those of the command. */
int simulation_find(const char *model, void *settings, const struct simulation **kind, void **own_settings);
/* Rejects options of other kinds than r->kind. */
int simulation_check_options(const struct run *r);

/* Returns the argument of --over in the settings of `meshwork run`, or NULL. */
const char *simulation_over(const void *settings);
/* Makes the model of -e, whose parameters are those of -p and `over` (NULL: none), and writes --save-model. */
int equations_take(struct run *r, const char *over);

#endif
/* SPDX-License-Identifier: MIT */
