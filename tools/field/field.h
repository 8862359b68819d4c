/* Field equations as a kind of simulation that `meshwork run` knows: field.c the row, input.c where a state comes from,
 * state.c what is measured of it, report.c what is said. */
#ifndef TOOLS_FIELD_H
#define TOOLS_FIELD_H

#include <meshwork/field.h>

#include "tools/run/simulation.h"

enum { JOIN_SIGN, JOIN_VALUE };
struct field_settings { double dt; int join; const char *input_range; };
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
    struct mw_statistics *statistics;    /* of each field of the state */
    double energy, domain_size;          /* NAN: the model has none; INFINITY: no interface */
    struct { double *item; size_t count, capacity; } energies;   /* of each state that was observed */
};

extern const char *const join_names[];   /* by JOIN_ */

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

/* ---- report.c, of struct simulation ---- */

void field_report_setup(const struct run *r, struct node *to);
const char *field_method(const struct run *r);
const char *field_work(const struct run *r);
void field_report_device(const struct run *r, struct node *to);
void field_report_state(const struct run *r, struct node *to);

#endif
