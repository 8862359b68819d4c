/* Spins as a kind of simulation of `meshwork run`: spin.c has the function table, state.c starts and measurements,
 * report.c the output. */
#ifndef TOOLS_SPIN_H
#define TOOLS_SPIN_H

#include <meshwork/spin.h>

#include "tools/run/simulation.h"

struct spin_settings {
    int update, lattice;
    uint64_t measure_every, correlation_range;
    const char *correlation, *fraction;
};
extern const struct option spin_options[];
extern const struct simulation spin_simulation;

/* Measurements from the second quarter of the run on; means use its second half, from `early` on. */
enum { SPIN_ENERGY, SPIN_MAGNETISATION, SPIN_SERIES };
struct spin_samples {
    double *item[SPIN_SERIES];
    size_t count, early;
};

/* The correlation function as rows, by dimension, then distance.  Each row is an average over several states. */
struct spin_correlation {
    size_t range, count, most; /* most: capacity in rows */
    double *rows, *part, *now; /* part: sum for the next row; now: of the last state */
    uint64_t each, in_part;    /* states per row; states in `part` */
};

/* State of a run of spins. */
struct spin_run {
    const struct spin_settings *set;
    struct mw_model *model;
    const struct mw_model_info *info;
    char name_texts[3][48]; /* names of the components of a state */
    const char *names[3];
    double *params;
    double *fraction; /* of --fraction; NULL: not given */
    const char *variant;
    struct mw_spin_options options;
    bool bits;             /* which random numbers are drawn */
    struct mw_array input; /* the state of --input; otherwise without data */
    struct mw_spins *spins;
    struct mw_spin_measures measures;
    uint64_t measured;  /* step of `measures` */
    bool known;         /* `measures` are set */
    double domain_size; /* in the last state examined; INFINITY: no interface, NAN: unknown */
    struct spin_samples samples;
    struct spin_correlation correlation;
};

/* --update: names of enum mw_spin_update, and synonyms for suggestions. */
#define UPDATE_WORDS "metropolis|heat-bath|exchange|swendsen-wang|wolff"
#define UPDATE_ALSO "glauber=heat-bath|heatbath=heat-bath|kawasaki=exchange"
#define UPDATE_HELP "spin update: single spins, exchange of neighbours, or clusters"
/* --lattice: names of enum mw_lattice_kind. */
#define LATTICE_WORDS "hypercubic|bcc|fcc|triangular"
#define LATTICE_ALSO "square=hypercubic|cubic=hypercubic"
#define LATTICE_HELP "lattice, which determines the neighbours"
#define FRACTION_CALLED "volume-fraction|fraction-up|concentration"
#define FRACTION_HELP                                                                                                  \
    "start with this fraction of spins up, exactly, at random places, and the others down; labels: of label 0"
/* Loads a model that has spins. */
int spin_model_find(const char *name, const char *kernel_path, struct mw_model **model);
/* Returns the index of a parameter; the parameter count for an unknown name. */
size_t spin_param(const struct mw_model_info *model, const char *name);
/* Returns the temperature of a model; NAN: the model has no temperature. */
double spin_temperature(const struct mw_model_info *model, const double *params);

/* ---- equilibrium.c: start, and tests of equilibrium ---- */

/* Returns whether spins start up by default: the model declares it for these parameters, and the update can leave that
 * state. */
bool spin_starts_up(const struct mw_model_info *model, const double *params, int update);
/* Stores the start chosen by --start and --fraction; `up`: the result of START_AUTO.  MW_EINVAL: spins have no such
 * start, or could never leave it. */
int spin_start(int asked, bool up, int update, bool fraction, enum mw_spin_start *start);
/* Reads the values of --fraction, which the caller frees.  MW_EINVAL: invalid values. */
int spin_fractions(const char *text, double **fractions, size_t *count);
/* Measures the state with all spins up if the model starts there and all n energies of some copy are equal.  False: not
 * needed, or it failed (with a note), and results are reported without it. */
bool spin_ground(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                 const struct mw_spin_options *options, const double *energies, size_t n, size_t copies,
                 struct mw_spin_measures *ground);
/* Tests of the energy, and of the absolute magnetisation. */
struct spin_settling {
    struct mw_settling energy, absolute;
};
/* Returns whether equilibrium was reached; otherwise adds the reason. */
bool spin_settled(const struct spin_settling *s, struct mw_text *reason);
/* Puts "equilibrium" and "equilibrium_reason"; `told`: also a row if it was not reached. */
void spin_put_equilibrium(struct node *to, const struct spin_settling *s, bool told);

/* ---- state.c, of struct simulation ---- */

/* Returns the bytes per spin of a state. */
size_t spin_cell_bytes(const struct run *r);
/* Returns whether spins can be equal, on a lattice with neighbours along the dimensions. */
bool spin_has_domains(const struct run *r);
/* Reads --input, which determines the size. */
int spin_read_input(struct run *r);
int spin_init(struct run *r);
int spin_load(struct run *r, const struct mw_checkpoint *checkpoint);
int spin_read(struct run *r, uint64_t step);
int spin_measure(struct run *r);
int spin_observe(struct run *r, uint64_t step);
void spin_print(const struct run *r, uint64_t step);
void spin_row(const struct run *r, uint64_t step, struct series_row *row);
int spin_show(struct run *r, const char *what, struct shown *shown);

/* Sets the cell type, the joining rule and the lattice by which equal spins are labelled. */
void spin_label_options(const struct mw_model_info *model, enum mw_lattice_kind lattice,
                        struct mw_label_options *label);
void spin_label(const struct run *r, struct mw_label_options *label);
struct short_text spin_joined(const struct run *r);
int spin_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells);

/* ---- correlation.c: --correlation; without it nothing is written ---- */

int correlation_prepare(struct run *r);
/* Adds the current state. */
int correlation_observe(struct spin_run *own);
int correlation_write(struct run *r); /* a function of struct simulation */
void correlation_free(struct spin_correlation *c);

/* ---- report.c ---- */

/* Puts an estimate, and its error under KEY_error; returns the node of the estimate. */
struct node *spin_put_estimate(struct node *to, const char *key, struct mw_spin_estimate e);

/* Functions of struct simulation. */

void spin_report_setup(const struct run *r, struct node *to);
const char *spin_method(const struct run *r);
/* Returns the name of the random numbers: variants with the same name give the same states. */
const char *spin_draws(const struct spin_run *own);
/* Returns the update as named in a summary, or "rule". */
const char *spin_update_name(const struct mw_model_info *model, int update);
const char *spin_rate_unit(const struct run *r);
void spin_report_device(const struct run *r, struct node *to);
void spin_report_state(const struct run *r, struct node *to);
void spin_report_plan(const struct run *r, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
