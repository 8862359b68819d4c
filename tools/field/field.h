/* Fields as a kind of simulation of `meshwork run`. field.c: options and function table; input.c: initial states;
 * state.c: measurements; systems.c: several systems; report.c: output. */
#ifndef TOOLS_FIELD_H
#define TOOLS_FIELD_H

#include <meshwork/field.h>

#include "tools/run/simulation.h"

enum { JOIN_SIGN, JOIN_VALUE };
struct field_settings {
    double dt, until;
    uint64_t systems;
    int join;
    const char *over, *input_range, *spacing, *length, *tolerance;
};
extern const struct option field_options[];
extern const struct simulation field_simulation;

/* The start of a field, or a map, that the command line or a checkpoint gives. */
struct field_source {
    char name[64];
    bool is_map;
    char *text;            /* an expression; NULL: an array */
    char *path;            /* path of the array's file; NULL: none */
    struct mw_array array; /* float64 */
};

/* An expression of pictures, with its model and a field of it. */
struct field_shown {
    const char *what;
    struct mw_model *model;
    struct mw_field *field;
    double dt; /* that `field` has */
};

/* State of a run of fields. */
struct field_run {
    const struct field_settings *set;
    struct mw_model *model, *simulated; /* `simulated`: with the expressions of `sources` */
    const struct mw_model_info *info;
    struct field_source *sources;
    size_t source_count;
    uint64_t *seeds; /* per field: of the start; NULL: that of the options */
    bool pictured;   /* a file of `sources` is a picture */
    bool sized;      /* --length, or a file of `sources`, has determined the size */
    char *spacing;   /* distances of cells in the form of --spacing; NULL: 1 */
    double *params;
    struct mw_field_options options;
    struct mw_array input; /* the state of --input; otherwise without data */
    struct mw_field *field;
    struct mw_array domain;    /* for pictures; no data: not read, or all cells */
    struct field_shown *shown; /* one per expression */
    size_t shown_count;
    double until;          /* time at which a run that chooses its steps ends; 0: at a step */
    size_t systems, cells; /* number of systems; cells of one */
    /* --over: index of the parameter and its values.  Systems with the same value are consecutive, the same number for
     * each. */
    size_t over, value_count; /* value_count 0: not given */
    double *values;
    struct mw_statistics *start; /* at step `started`, to check conservation */
    uint64_t started;
    struct mw_statistics *statistics; /* per system, per field of the state */
    /* Per system.  NAN: the model has no energy; INFINITY: no interface. */
    double *energy, *domain_size;
    struct {
        double *item;
        size_t count;
    } energies; /* per observed state */
};

extern const char *const join_names[]; /* indexed by JOIN_ */

/* ---- pace.c: time steps and the end of the run ---- */

/* Reads --dt, --until, --tolerance and the integrator. */
int field_read_pace(struct run *r);
/* Adds the settings of checkpoints. */
void field_pace_settings(const struct run *r, struct setting_list *list);
/* Advances, up to the time of --until. */
int field_proceed(const struct field_run *own, uint64_t steps);
/* For struct simulation. */
double field_time(const struct run *r, uint64_t step);
double field_left(const struct run *r);
/* Stores the pace in a checkpoint, and restores it. */
int field_save_pace(const struct run *r, struct mw_checkpoint_writer *writer);
int field_load_pace(struct run *r, const struct mw_checkpoint *checkpoint);
/* Puts the steps that were chosen. */
void field_put_pace(const struct run *r, struct node *to);

/* ---- systems.c ---- */

/* Quantities of a system's state, each a column of a series: per field mean, variance, minimum, maximum; then energy,
 * if defined, and domain size. */
enum { QUANTITY_MEAN, QUANTITY_VARIANCE, QUANTITY_LEAST, QUANTITY_MOST, QUANTITIES };
size_t field_quantities(const struct field_run *own);
struct short_text field_quantity_name(const struct field_run *own, size_t quantity);
double field_quantity(const struct field_run *own, size_t quantity, size_t system);
size_t field_quantity_energy(const struct field_run *own);
size_t field_quantity_domains(const struct field_run *own);
/* Systems with one value of --over: `count` of them from `first` on; without --over, all. */
struct field_group {
    size_t first, count;
};
static inline struct field_group field_all(const struct field_run *own)
{
    return (struct field_group){ 0, own->systems };
}
size_t field_groups(const struct field_run *own);
struct field_group field_group(const struct field_run *own, size_t i);
struct short_text field_group_name(const struct field_run *own, size_t i);
/* Returns the mean of a quantity over a group, and its standard error; NAN for a single system. */
double field_mean(const struct field_run *own, struct field_group of, size_t quantity, double *error);
/* Reads --over, and counts the systems. */
int field_read_over(struct run *r);
/* Sets the parameter of --over in each system. */
int field_set_over(const struct field_run *own);
/* Stores the range of a field in all systems. */
void field_range(const struct field_run *own, size_t field, double *least, double *most);
/* Rejects options that need a single system if there are several.  MW_EINVAL. */
int field_check_systems(const struct run *r);

/* ---- lengths.c: --spacing and --length ---- */

/* Computes the size from --length and --spacing, if both are given. */
int field_size_by_length(struct run *r);
/* Sets the spacing of the options, from --spacing or --length. */
int field_take_spacing(struct run *r);

/* ---- sources.c: --start FIELD=..., and -p MAP=... ---- */

/* Reads the sources, and makes the model that is simulated; and reads --seed FIELD=N. */
int field_take_sources(struct run *r);
int field_take_seeds(struct run *r);
void field_free_sources(struct field_run *own);
/* Sets maps from arrays, with `starts` also fields. */
int field_set_sources(const struct field_run *own, bool starts);
/* Returns the number of the real part of a complex field, or -1. */
int field_find_complex(const struct mw_model_info *info, const char *name);
/* Returns whether a file is read as a picture; and reads one, with `range` "BLACK,WHITE", as float64. */
bool field_is_picture(const char *path);
int field_read_picture(const char *path, const char *range, struct mw_array *values);
/* Checkpoints contain maps from arrays.  The setting of a map is FIELD_MAP_DEFAULT, an expression, or the checksum of
 * an array, for which field_map_is_kept returns true. */
#define FIELD_MAP_DEFAULT "default"
struct short_text field_map_setting(const char *name);
bool field_map_is_kept(const char *setting);
void field_map_settings(const struct run *r, struct setting_list *list);
/* Stores maps from arrays in a checkpoint. */
int field_save_maps(const struct run *r, struct mw_checkpoint_writer *writer);
/* Sets all maps from arrays, of this run or of the checkpoint. */
int field_load_maps(struct field_run *own, const struct mw_checkpoint *checkpoint);
/* Puts "maps" and "starts". */
void field_put_sources(const struct run *r, struct node *to);

/* ---- input.c ---- */

/* Reads --input, which determines size and precision. */
int field_read_input(struct run *r);
/* Checks the values of --input.  MW_EDATA: some are not finite. */
int field_check_input(const struct run *r);
/* For struct simulation. */
int field_init(struct run *r);
int field_load(struct run *r, const struct mw_checkpoint *checkpoint);
int field_save(struct run *r, struct mw_checkpoint_writer *writer);

/* ---- state.c, of struct simulation ---- */

int field_read(struct run *r, uint64_t step);
int field_measure(struct run *r);
int field_store(struct run *r);
void field_print(const struct run *r, uint64_t step);
void field_row(const struct run *r, uint64_t step, struct series_row *row);
int field_show(struct run *r, const char *what, struct shown *shown);
/* show.c: makes the fields of all expressions, so that pictures cannot fail after the first step; frees them; frees
 * their models. */
int field_make_shown(const struct run *r);
void field_unmake_shown(struct field_run *own);
void field_free_shown(struct field_run *own);
void field_label(const struct run *r, struct mw_label_options *label);
struct short_text field_joined(const struct run *r);
int field_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells);

/* ---- checks.c ---- */

/* Refuses boundary conditions of -e along dimensions that the mesh lacks.  Prints with -v that those of a file are
 * ignored. */
int field_check_sides(const struct run *r);
/* Returns whether the model declares a conserved field and the boundaries are closed. */
bool field_conserves(const struct field_run *own);
/* Stores the means at the start of the run. */
int field_note_start(struct run *r);
/* Returns whether a field's mean equals that of the start in all systems, up to rounding. */
bool field_is_conserved(const struct run *r, size_t i);
/* Puts "conserved", with rows of fields that are not. */
void field_put_conserved(const struct run *r, struct node *to);
/* Returns the first cell with a rate that is not finite at the start.  Tests a step so short that finite rates give
 * finite values.  SIZE_MAX: none, or unknown.  If values of the start itself are not finite, sets *of_start, and
 * returns the first one. */
size_t field_first_rate(const struct run *r, bool *of_start);

/* ---- report.c, of struct simulation ---- */

void field_report_setup(const struct run *r, struct node *to);
const char *field_method(const struct run *r);
const char *field_rate_unit(const struct run *r);
void field_report_device(const struct run *r, struct node *to);
void field_report_state(const struct run *r, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
