/* Spins as a kind of simulation that `meshwork run` knows: spin.c the row, state.c what is begun with and measured,
 * report.c what is said. */
#ifndef TOOLS_SPIN_H
#define TOOLS_SPIN_H

#include <meshwork/spin.h>

#include "tools/run/simulation.h"

struct spin_settings { int update, lattice; uint64_t measure_every, correlation_range; const char *correlation; };
extern const struct option spin_options[];
extern const struct simulation spin_simulation;

/* What was measured from the run's second quarter on; means are of its second half, of states from `early` on. */
enum { SPIN_ENERGY, SPIN_MAGNETISATION, SPIN_SERIES };
struct spin_samples { double *item[SPIN_SERIES]; size_t count, early; };

/* The correlation function, by dimensions, then distances: averages of so many states each, as rows. */
struct spin_correlation {
    size_t range, count, most;   /* most: rows that there is room for */
    double *rows, *part, *now;   /* part: of the next row; now: of the last state */
    uint64_t each, in_part;      /* states of a row; of the next one so far */
};

/* The own of a run. */
struct spin_run {
    const struct spin_settings *set;
    struct mw_model *model;
    const struct mw_model_info *info;
    char name_texts[3][48];      /* what a state holds */
    const char *names[3];
    double *params;
    const char *variant;
    struct mw_spin_options options;
    bool bits;                   /* which random numbers are drawn */
    struct mw_array input;       /* the state that --input gives; else without data */
    struct mw_spins *spins;
    struct mw_spin_measures measures;
    uint64_t measured;           /* their step */
    bool known;                  /* there are some */
    double domain_size;          /* of the last state that was looked at; INFINITY: no interface, NAN: none */
    struct spin_samples samples;
    struct spin_correlation correlation;
};

/* Of --update: names of enum mw_spin_update, and what others call them. */
#define UPDATE_WORDS "metropolis|heat-bath|exchange|swendsen-wang|wolff"
#define UPDATE_ALSO "glauber=heat-bath|heatbath=heat-bath|kawasaki=exchange"
#define UPDATE_HELP "how spins are updated: each by itself, by exchange with a neighbour, or in clusters"
/* Of --lattice: names of enum mw_lattice_kind. */
#define LATTICE_WORDS "hypercubic|bcc|fcc|triangular"
#define LATTICE_ALSO "square=hypercubic|cubic=hypercubic"
#define LATTICE_HELP "where a spin's neighbours are"
/* Loads a model, which is one of spins. */
int spin_model_find(const char *name, const char *kernel_path, struct mw_model **model);
/* The place of a parameter; as many as there are: it is none. */
size_t spin_param(const struct mw_model_info *model, const char *name);
/* The model's temperature; NAN: it has none. */
double spin_temperature(const struct mw_model_info *model, const double *params);

/* ---- equilibrium.c: where to start, and whether measurements are of equilibrium ---- */

/* Whether spins start up where nothing else is asked for: the model declares it for these parameters, and updates can
 * leave such a state. */
bool spin_starts_up(const struct mw_model_info *model, const double *params, int update);
/* The start that --start asks for; `up`: that of START_AUTO.  MW_EINVAL: spins have none such, or never leave it. */
int spin_start(int asked, bool up, int update, enum mw_spin_start *start);
/* Measures all spins up, of a model that starts so, if all n energies of one of the copies are the same.  False: not
 * needed, or it failed, which a note tells: results are reported without it. */
bool spin_ground(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                 const struct mw_spin_options *options, const double *energies, size_t n, size_t copies,
                 struct mw_spin_measures *ground);
/* Of energies, and of sizes of the magnetisation. */
struct spin_settling { struct mw_settling energy, absolute; };
/* False: adds the reason. */
bool spin_settled(const struct spin_settling *s, struct mw_text *reason);
/* "equilibrium" and "equilibrium_reason"; told: with a row where it is not reached. */
void spin_put_equilibrium(struct node *to, const struct spin_settling *s, bool told);

/* ---- state.c, of struct simulation ---- */

/* Bytes of a spin in a state. */
size_t spin_cell_bytes(const struct run *r);
/* Whether spins can be equal, on a lattice whose neighbours lie along the dimensions. */
bool spin_has_domains(const struct run *r);
/* Reads --input, whose file decides on the size. */
int spin_read_input(struct run *r);
int spin_init(struct run *r);
int spin_load(struct run *r, const struct mw_checkpoint *checkpoint);
int spin_look(struct run *r, uint64_t step);
int spin_measure(struct run *r);
int spin_observe(struct run *r, uint64_t step);
void spin_say(const struct run *r, uint64_t step);
void spin_row(const struct run *r, uint64_t step, struct series_row *row);
int spin_picture(struct run *r, struct mw_array *plane, struct mw_array *strip, double *lo, double *hi);

void spin_label(const struct run *r, struct mw_label_options *label);
struct short_text spin_joined(const struct run *r);
int spin_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells);

/* ---- correlation.c: --correlation; where it is not given, nothing is written ---- */

int correlation_prepare(struct run *r);
/* Of the state as it is. */
int correlation_observe(struct spin_run *own);
int correlation_write(struct run *r);    /* of struct simulation */
void correlation_free(struct spin_correlation *c);

/* ---- report.c ---- */

/* An estimate and its error, under KEY_error; the node of the former. */
struct node *spin_put_estimate(struct node *to, const char *key, struct mw_spin_estimate e);

/* of struct simulation */

void spin_report_setup(const struct run *r, struct node *to);
const char *spin_method(const struct run *r);
/* By whose random numbers: states are the same among variants that draw alike. */
const char *spin_draws(const struct spin_run *own);
/* What a summary calls it: an update, or "rule". */
const char *spin_update_name(const struct mw_model_info *model, int update);
const char *spin_rate_unit(const struct run *r);
void spin_report_device(const struct run *r, struct node *to);
void spin_report_state(const struct run *r, struct node *to);
void spin_report_plan(const struct run *r, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
