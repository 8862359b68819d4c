/* One run of `meshwork run`: what its files and the kinds of simulation share. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include <meshwork/components.h>
#include <meshwork/io.h>
#include <meshwork/label.h>
#include <meshwork/model.h>
#include <meshwork/run.h>

#include "tools/cli/memory.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

/* What every kind of simulation takes.  Of the starts some are for fields, some for spins; the first two are for both,
 * and the first is one of the others by the model. */
enum { START_AUTO, START_NOISE, START_UP, START_DOWN, START_CONSTANT };
#define START_WORDS "auto|noise|up|down"     /* those of spins */
#define START_ALIAS "random=noise"
struct run_settings {
    uint64_t steps, seed, every, label_every, checkpoint_every;
    double time_limit;
    struct words params;
    const char *input, *output, *png, *colours, *vtk, *series, *checkpoint, *restart, *restart_or_start;
    const char *variant, *shape;
    int start;
    bool no_tune, verify, dry_run;
    struct mesh_settings mesh;
    struct device_settings device;
};

struct run;
struct simulation;

/* A file that is written of the final state, or of each that is looked at. */
struct product {
    const char *title, *option, *suffix, *pattern;   /* pattern NULL: not asked for */
    bool numbered;                           /* one of each state looked at */
    size_t files;                            /* written */
    int (*write)(struct run *r, const char *path, uint64_t step);
    bool unsynced;                           /* some are not on the disk yet, the last of them of this step */
    uint64_t last;
};
enum { PRODUCTS = 3 };

/* What goes into a checkpoint; its names and values are its own.  A failure is remembered. */
struct setting_list { struct mw_setting *item; size_t count; int rc; };

/* A row of a series: each value stands beside its title.  A failure is remembered. */
struct series_column { char title[64]; double value; };
struct series_row { struct series_column *column; size_t count; int rc; };

/* The components of the first quantity, as labelled last. */
struct run_components {
    struct mw_labelling *labelling;      /* NULL: not asked for */
    struct mw_buffer *cells;             /* where the kind has them in another form, or on several devices */
    struct mw_components_summary summary;
    uint64_t step;
    bool begun, known;                   /* that of this step is at work; there is a summary, of it or one before */
    double seconds;
};

#define RUN_STATE "state"        /* what checkpoints call the state */
#define RUN_MODEL_AS_GIVEN "model as given"      /* the name or path on the command line */
#define RUN_SUBCOMMAND "subcommand"              /* that has written it */
#define RUN_LOOK_EVERY 1000      /* steps between two looks at the state where the user does not say */

/* What the kind fills in, once it is prepared. */
struct run_model {
    const char *name, *words;            /* until the kind has it, the name as given; and a line about it */
    uint64_t hash;                       /* of its text */
    const char **names;                  /* of the quantities of a state */
    size_t name_count, cells;
    uint64_t state_bytes;                /* on the host */
    bool fp64;
    double dt;                           /* time of a step */
};

/* The checkpoint that it goes on from, and the one that it writes. */
struct run_resume {
    struct mw_checkpoint *from;          /* NULL: none */
    uint64_t checksum;                   /* of its file, before this run replaces it; for JSON alone */
    bool model_is_kept;                  /* the model is the checkpoint's, and was not given */
    const char *to;                      /* the file to write; NULL: none */
    struct setting_list settings;
};

struct run_stepping {
    struct team team;
    struct mw_device *device;            /* the first of the team's */
    struct mw_run_result result;
    bool queues;                         /* steps, where an observation leaves its work to the device */
    bool stopped;
};

struct run_observing {
    uint64_t every;                      /* steps between two observations, asked for or not */
    uint64_t own_every;                  /* the same of the kind's own; 0: it has none */
    const char *colours;                 /* of pictures: those asked for, or the kind's own */
    struct product products[PRODUCTS];
    struct mw_series *series;
    struct run_components components;
    struct mw_array state;               /* as last looked at: of state_step, where it was right */
    uint64_t state_step;
    bool held, measured;                 /* it is there; it has been measured */
};

/* `waited`: for steps that were queued: at last a part of those of the result. */
struct run_seconds { double start, setup, output, own, verify, waited; };

struct run {
    struct command *command;
    struct run_settings *set;
    const struct simulation *kind;
    void *own_settings, *own;            /* the kind's structs */
    struct run_model model;
    struct run_resume resume;
    struct run_stepping step;
    struct run_observing observe;
    struct run_seconds seconds;
};

/* ---- run.c ---- */

/* Of struct run_settings: what every kind of simulation takes alike, and what those of `meshwork run` do. */
extern const struct option loop_options[], run_options[];
int run_run(struct command *command);
/* A run whose command and settings are there, and model and kind where these are known; frees it. */
int run_whole(struct run *r);
/* Waits for steps that are queued, before something else would and took that time for its own. */
int run_wait(struct run *r);

/* ---- restart.c ---- */

/* Of --restart-or-start, makes --restart where there is a checkpoint. */
int restart_decide(struct run *r);
/* Opens --restart, and sets r->model.name, where it is not given, to the checkpoint's. */
int restart_open(struct run *r);
/* Refuses the checkpoint of another model, and lets it stand in for options that were not given; files that are
 * `none` by now are none. */
int restart_take_over(struct run *r);
/* All settings of this run; a checkpoint whose own are others is refused. */
int restart_compare(struct run *r);
/* Adds one; may_differ: it is only kept beside what bits depend on. */
void setting_add(struct setting_list *list, bool may_differ, const char *name, const char *format, ...)
    MW_PRINTF(4, 5);
/* A parameter of the model. */
void setting_add_param(struct setting_list *list, const char *name, double value);
/* A model's parameters in its order: defaults, or the checkpoint's, then those of -p; the caller's to free. */
int run_params(const struct run *r, const char *model, const struct mw_model_param *params, size_t count,
               double **values);
void settings_free(struct setting_list *list);

/* ---- mesh.c: what kinds of simulation on meshes share; the mesh is that of the options ---- */

/* What a run has of its model; `in_text`: the text goes into checkpoints. */
void run_take_model(struct run *r, const struct mw_model_info *info, bool in_text);
/* Adds size and boundary. */
void mesh_settings_add(const struct run *r, struct setting_list *list);
/* What contradicts --input and --restart: --start, and each other; and outputs that would replace the input. */
int input_check(const struct run *r);
/* The lengths that --input has become those of the mesh; MW_EINVAL where --size has others. */
int input_lengths(struct run *r, unsigned dims, const size_t *length);
/* MW_EVERIFY: r->observe.state differs from what native:serial has come to. */
int run_compare(const struct run *r, const struct mw_array *reference);
/* What a picture shows of the first quantity in r->observe.state: the middle slice of all dimensions from the third on;
 * of one dimension a strip, which `strip` is to keep. */
int run_plane(const struct run *r, struct mw_array *plane, struct mw_array *strip);
extern const char *const axis_names[MW_DIMS_MAX];
/* "x=3, y=4": a cell of the mesh; use within one expression. */
struct cell_text { char text[160]; };
struct cell_text cell_text(const struct run *r, size_t cell);
/* Puts "size", and a row of it and some words; puts "boundary", whose row is to begin with the text: "periodic", or
 * where dimensions differ "periodic,mirror". */
void put_size(const struct run *r, struct node *to, const char *words);
struct node *put_boundaries(const struct run *r, struct node *to);
/* Puts "start", the word of --start or what else the run begins with, and the file of --input. */
struct node *put_start(const struct run *r, struct node *to, const char *word);
struct short_text boundary_text(const struct run *r);

/* ---- components.c: --label-every; where it is not given, nothing is done or said ---- */

/* MW_EINVAL: schedules that do not go together. */
int components_check(const struct run *r);
/* Device memory that labelling takes, about. */
uint64_t components_bytes(const struct run *r, const struct mw_device_info *device);
/* What labelling needs, once the simulation is made. */
int components_start(struct run *r);
/* Begins to label the state of a step, beside which the run goes on; waits for what was begun, if there is anything. */
int components_label(struct run *r, uint64_t step);
int components_know(struct run *r);
/* What is known at the end: also where a restarted run had nothing left to do. */
int components_last(struct run *r);
void components_free(struct run *r);
/* Adds its columns of a series, empty at steps that are not labelled; puts the last ones; says the plan. */
void components_row(const struct run *r, uint64_t step, struct series_row *row);
void components_report(const struct run *r, struct node *to);
void components_plan(const struct run *r, struct node *to);

/* ---- write.c ---- */

/* Adds a column. */
void series_row_add(struct series_row *row, double value, const char *title, ...) MW_PRINTF(3, 4);
/* Looks whether all that was asked for can be written, and prepares the series. */
int write_prepare(struct run *r);
/* Brings the state of a step to the host, and measures it, each once. */
int write_look(struct run *r, uint64_t step);
int write_measure(struct run *r);
/* Of struct mw_run_simulation. */
int write_observe(void *context, uint64_t step);
int write_save(void *context, struct mw_checkpoint_writer *writer);
/* What is written of the final state alone. */
int write_final(struct run *r);
/* Whether a product is written of each state looked at. */
bool write_is_series(const struct run *r, const struct product *p);
/* How often this run does what is due every so many steps: at the start where it is not restarted, and at the end. */
uint64_t write_count(const struct run *r, uint64_t every);

/* ---- report.c ---- */

int run_report(const struct run *r);
/* --dry-run: nothing is opened, nothing is written. */
/* Whether a run can do without the memory that streaming does not leave on its device: MW_ELIMIT. */
int run_check_streamed(const struct run *r);
int run_plan(const struct run *r);
/* Refuses a run that --memory-limit leaves no room for, before it is made.  MW_ELIMIT. */
int run_check_memory(const struct run *r);

#endif
/* SPDX-License-Identifier: MIT */
