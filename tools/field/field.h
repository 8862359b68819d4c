/* Field equations as a kind of simulation that `meshwork run` knows: field.c the row, input.c where a state comes from,
 * state.c what is measured of it, systems.c what several systems come to together, report.c what is said. */
#ifndef TOOLS_FIELD_H
#define TOOLS_FIELD_H

#include <meshwork/field.h>

#include "tools/run/simulation.h"

enum { JOIN_SIGN, JOIN_VALUE };
struct field_settings { double dt; uint64_t systems; int join; const char *over, *input_range; };
extern const struct option field_options[];
extern const struct simulation field_simulation;

/* The own of a run. */
struct field_run {
    const struct field_settings *set;
    struct mw_model *model;
    const struct mw_model_info *info;
    double *params;
    struct mw_field_options options;
    struct mw_array input;               /* the state that --input gives; else without data */
    struct mw_field *field;
    size_t systems, cells;               /* 1 or several; cells of one */
    /* Of --over the parameter, and its values, which as many systems each have, one value's after the other's. */
    size_t over, value_count;            /* value_count 0: it was not given */
    double *values;
    struct mw_statistics *start;         /* likewise at the step `started`, for what the model conserves */
    uint64_t started;
    struct mw_statistics *statistics;    /* of each field of the state; of several systems one after the other */
    /* Of each system.  NAN: the model has no energy; INFINITY: there is no interface. */
    double *energy, *domain_size;
    struct { double *item; size_t count; } energies;   /* of each state that was observed */
};

extern const char *const join_names[];   /* by JOIN_ */

/* ---- systems.c ---- */

/* What is said of a system's state, a column each of a series: of field i mean, variance, least and most, then energy,
 * where there is one, and the size of domains. */
enum { QUANTITY_MEAN, QUANTITY_VARIANCE, QUANTITY_LEAST, QUANTITY_MOST, QUANTITIES };
size_t field_quantities(const struct field_run *own);
struct short_text field_quantity_name(const struct field_run *own, size_t quantity);
double field_quantity(const struct field_run *own, size_t quantity, size_t system);
size_t field_quantity_energy(const struct field_run *own);
size_t field_quantity_domains(const struct field_run *own);
/* Systems with one value of --over: so many from `first` on; without it all. */
struct field_group { size_t first, count; };
static inline struct field_group field_all(const struct field_run *own)
{
    return (struct field_group){ 0, own->systems };
}
size_t field_groups(const struct field_run *own);
struct field_group field_group(const struct field_run *own, size_t i);
struct short_text field_group_name(const struct field_run *own, size_t i);
/* A quantity's mean over some systems, and the mean's standard error, NAN of one. */
double field_mean(const struct field_run *own, struct field_group of, size_t quantity, double *error);
/* Reads --over and counts systems; gives them their parameters. */
int field_read_over(struct run *r);
int field_set_over(const struct field_run *own);
/* The least and most value of a field in all systems. */
void field_range(const struct field_run *own, size_t field, double *least, double *most);
/* Options that are for one system.  MW_EINVAL. */
int field_check_systems(const struct run *r);
/* What a picture shows: all of them, in rows, with a value in between. */
int field_montage(const struct run *r, double between, struct mw_array *plane, struct mw_array *strip);

/* ---- input.c ---- */

/* Reads --input, whose file decides on size and precision. */
int field_read_input(struct run *r);
/* MW_EDATA: values of the input that are not finite. */
int field_check_input(const struct run *r);
/* Of struct simulation. */
int field_init(struct run *r);
int field_load(struct run *r, const struct mw_checkpoint *checkpoint);

/* ---- state.c, of struct simulation ---- */

int field_look(struct run *r, uint64_t step);
int field_measure(struct run *r);
int field_keep(struct run *r);
void field_say(const struct run *r, uint64_t step);
void field_row(const struct run *r, uint64_t step, struct series_row *row);
int field_picture(struct run *r, struct mw_array *plane, struct mw_array *strip, double *lo, double *hi);
void field_label(const struct run *r, struct mw_label_options *label);
struct short_text field_joined(const struct run *r);
int field_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells);

/* ---- checks.c ---- */

/* Whether the model declares something as conserved, and the boundaries let nothing through. */
bool field_conserves(const struct field_run *own);
/* Keeps the means that a run starts with. */
int field_note_start(struct run *r);
/* Whether a field's mean is that of the start, in all systems, but for rounding. */
bool field_is_conserved(const struct run *r, size_t i);
/* "conserved", with rows of fields that are not. */
void field_put_conserved(const struct run *r, struct node *to);
/* The first value that is not finite after one step from the start that is far too small to leave finite numbers:
 * a rate is not finite there.  SIZE_MAX: there is none, or it cannot be told. */
size_t field_first_rate(const struct run *r);

/* ---- report.c, of struct simulation ---- */

void field_report_setup(const struct run *r, struct node *to);
const char *field_method(const struct run *r);
const char *field_rate_unit(const struct run *r);
void field_report_device(const struct run *r, struct node *to);
void field_report_state(const struct run *r, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
