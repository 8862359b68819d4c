/* What the files of `meshwork run` share: run.c the course of it, run_start.c where it begins, run_write.c what it
 * writes on its way, run_label.c its components, run_report.c what it says. */
#ifndef RUN_H
#define RUN_H

#include "tools/cli/team.h"

struct run;

/* A file that is written of the final state, or of each that is looked at. */
struct product {
    const char *title, *option, *pattern;    /* pattern NULL: not asked for */
    bool numbered;                           /* one of each state looked at */
    size_t files;                            /* written */
    int (*write)(struct run *r, const char *path, uint64_t step);
};
enum { PRODUCTS = 3 };

/* The components of the first field, as labelled last. */
struct run_components {
    struct mw_labelling *labelling;          /* NULL: not asked for */
    struct mw_prim *prim;
    struct mw_buffer *labels, *values;       /* values: of a field on several devices, brought to the first */
    struct mw_components_summary summary;
    uint64_t step;
    bool known;                              /* there was a labelling, at that step */
    double seconds;
};

#define RUN_STATE "state"        /* what checkpoints call the state */
#define RUN_LOOK_EVERY 1000      /* steps between two looks at the state where the user does not say */

struct run {
    struct command *command;
    const struct settings *set;
    struct mw_model *model;
    const struct mw_model_info *info;
    double *params;
    struct mw_field_options options;
    size_t cells;
    struct mw_array input;               /* the state that --input gives; else without data */
    struct mw_checkpoint *restart;
    const char *checkpoint;              /* the file to write; NULL: none */
    struct mw_setting *settings;         /* what goes into a checkpoint, ended by a NULL name; names and values owned */
    uint64_t every;                      /* steps between two observations, asked for or not */
    struct product products[PRODUCTS];
    struct mw_series *series;
    struct run_components components;

    struct team team;
    struct mw_device *device;            /* the first of the team's */
    struct mw_field *field;
    struct mw_array state;               /* as last looked at: of state_step, where it was finite */
    uint64_t state_step;
    bool held, measured;                 /* it is there; it has been measured */
    struct mw_statistics *statistics;    /* of each field of the state */
    double energy, domain_size;          /* NAN: the model has none; INFINITY: no interface */
    struct { double *item; size_t count, room; } energies;   /* of each state that was observed */
    struct mw_run_result result;
    double start, setup_seconds, output_seconds, verify_seconds;
    bool stopped;
};

/* ---- run_start.c ---- */

/* Names of values of enum mw_integrator, mw_boundary and mw_laplacian, as options take them. */
extern const char *const integrator_names[], *const boundary_names[], *const laplacian_names[];

/* Settles where checkpoints go, opens --restart, and lets its checkpoint stand in for options that were not given. */
int start_restart(struct run *r);
/* Reads --input, whose file decides on size and precision. */
int start_input(struct run *r);
/* Parameters: the checkpoint's where -p does not set them. */
int start_params(struct run *r);
/* r->settings; a checkpoint whose own are others is refused. */
int start_settings(struct run *r);
/* Of struct mw_run_simulation; the context is the run. */
int start_init(void *context);
int start_load(void *context, const struct mw_checkpoint *checkpoint);
void start_free(struct run *r);

/* ---- run_write.c ---- */

/* Looks whether all that was asked for can be written, and prepares the series. */
int write_prepare(struct run *r);
/* Brings the state of a step to the host, once.  MW_EDATA: it is not finite. */
int write_look(struct run *r, uint64_t step);
/* Statistics, energy and size of domains of that state, once. */
int write_measure(struct run *r);
/* Of struct mw_run_simulation. */
int write_observe(void *context, uint64_t step);
int write_save(void *context, struct mw_checkpoint_writer *writer);
/* What is written of the final state alone. */
int write_final(struct run *r);
/* "x=3, y=4": a cell of the mesh. */
struct cell_text { char text[160]; };
struct cell_text cell_text(const struct run *r, size_t cell);
/* Whether a product is written of each state looked at. */
bool write_is_series(const struct run *r, const struct product *p);
/* How often this run does what is due every so many steps: at the start where it is not restarted, and at the end. */
uint64_t write_count(const struct run *r, uint64_t every);

/* ---- run_label.c ---- */

extern const char *const join_names[];   /* by JOIN_ */
/* MW_EINVAL: options that do not go together. */
int components_check(const struct run *r);
/* Device memory that labelling takes, about; 0 where it is not asked for. */
uint64_t components_bytes(const struct run *r);
/* What labelling needs, once there is a field; nothing where it is not asked for. */
int components_start(struct run *r);
/* Labels the first field of a step. */
int components_label(struct run *r, uint64_t step);
void components_free(struct run *r);

/* ---- run_report.c ---- */

int report_summary(const struct run *r);
/* --dry-run: nothing is opened, nothing is written. */
int report_plan(const struct run *r);
#endif
