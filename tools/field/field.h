/* Field equations as a kind of simulation that `meshwork run` knows: field.c the row, input.c where a state comes from,
 * state.c what is measured of it, components.c its components, report.c what is said. */
#ifndef TOOLS_FIELD_H
#define TOOLS_FIELD_H

#include <meshwork/components.h>
#include <meshwork/field.h>
#include <meshwork/label.h>

#include "tools/run/simulation.h"

enum { JOIN_SIGN, JOIN_VALUE };
struct field_settings { double dt; int join; const char *input_range; uint64_t label_every; };
extern const struct option field_options[];
extern const struct simulation field_simulation;

/* The components of the first field, as labelled last. */
struct field_components {
    struct mw_labelling *labelling;      /* NULL: not asked for */
    struct mw_prim *prim;
    struct mw_buffer *labels, *values;   /* values: of a field on several devices, brought to the first */
    struct mw_components_summary summary;
    uint64_t step;
    bool known;                          /* there was a labelling, at that step */
};

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
    struct field_components components;
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

/* ---- components.c ---- */

/* MW_EINVAL: options that do not go together. */
int components_check(const struct run *r);
/* Device memory that labelling takes, about; 0 where it is not asked for. */
uint64_t components_bytes(const struct run *r);
/* What labelling needs, once there is a field; nothing where it is not asked for. */
int components_start(struct run *r);
/* Labels the first field of a step. */
int components_label(struct run *r, uint64_t step);
void components_free(struct field_components *c);

/* ---- report.c, of struct simulation ---- */

void field_report_setup(const struct run *r, struct node *to);
const char *field_method(const struct run *r);
void field_report_device(const struct run *r, struct node *to);
void field_report_state(const struct run *r, struct node *to);
void field_report_plan(const struct run *r, struct node *to);

#endif
