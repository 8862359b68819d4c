/* A run of `meshwork run`: shared by its files and the kinds of simulation. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include <meshwork/components.h>
#include <meshwork/frames.h>
#include <meshwork/io.h>
#include <meshwork/label.h>
#include <meshwork/model.h>
#include <meshwork/run.h>

#include "tools/cli/memory.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

/* The values of --start.  The starts up and down are for spins, constant is for fields, noise is for both, and auto
 * selects one of these by the model.  Spins convert them to enum mw_spin_start. */
enum { START_AUTO, START_NOISE, START_UP, START_DOWN, START_CONSTANT };
#define START_WORDS "auto|noise|up|down"
#define START_ALIAS "random=noise"
struct run_settings {
    uint64_t steps, seed, every, label_every, checkpoint_every;
    double time_limit;
    struct words params, equations;
    struct words starts, seeds; /* FIELD=..., of --start and --seed */
    struct words show, arrows;
    uint64_t scale, contours, fps, frames;
    const char *figure, *sheet, *film, *plot;
    const char *save_model;
    const char *input, *output, *png, *colours, *range, *slice, *vtk, *hdf5, *series, *checkpoint, *restart,
        *restart_or_start;
    const char *variant, *label_variant;
    int start;
    bool no_tune, verify, dry_run;
    struct mesh_settings mesh;
    struct device_settings device;
};

struct run;
struct simulation;

/* An output file, of the final state or of each observed state. */
struct product {
    const char *title, *option, *suffix, *pattern; /* pattern NULL: not requested */
    bool numbered;                                 /* one file per observed state */
    size_t files;                                  /* written */
    int (*write)(struct run *r, const char *path, uint64_t step);
    bool unsynced; /* some files are not synced to disk; the last is of step `last` */
    uint64_t last;
};
enum { PRODUCTS = 4 };

/* Settings stored in a checkpoint; the list owns its names and values.  A failure is kept in `rc`. */
struct setting_list {
    struct mw_setting *item;
    size_t count;
    int rc;
};

/* A row of a series: titles with values.  A failure is kept in `rc`. */
struct series_column {
    char title[64];
    double value;
};
struct series_row {
    struct series_column *column;
    size_t count;
    int rc;
};

/* The components of the first quantity when last labelled. */
struct run_components {
    struct mw_labelling *labelling; /* NULL: not requested */
    struct mw_buffer *cells;        /* used if the kind stores them in another form, or on several devices */
    struct mw_components_summary summary;
    uint64_t step;
    uint64_t count;    /* labellings so far */
    bool begun, known; /* labelling of this step is queued; a summary of this or an earlier step
                                          * exists */
    double seconds;
};

#define RUN_STATE "state"                   /* name of the state in checkpoints */
#define RUN_MODEL_AS_GIVEN "model as given" /* name or path on the command line */
#define RUN_SUBCOMMAND "subcommand"         /* the subcommand that wrote it */
#define RUN_LOOK_EVERY 1000                 /* default interval of checks of the state */
#define RUN_STEPS_OPEN (UINT64_MAX - 1)     /* steps of a run that ends at a time, after an unknown number of them */

/* The model of a run; its kind sets the members in `choose` and `prepare`. */
struct run_model {
    const char *name, *words; /* the name as given, later the kind's name; and a description */
    const char *about;        /* a sentence about it; NULL: none */
    uint64_t hash;            /* hash of the model's text */
    const char **names;       /* names of the quantities of a state */
    size_t name_count, cells;
    uint64_t state_bytes; /* on the host */
    bool fp64;
    double dt;             /* time per step, or of the first one */
    bool adaptive;         /* steps choose their lengths */
    const double *spacing; /* distance of cells, per dimension; NULL: 1 */
    unsigned bounded;      /* bit d: the model has boundary conditions along dimension d */
    unsigned given_sided;  /* bit d: a condition of -e names a side along dimension d */
};

/* The checkpoint to resume from, and the one to write. */
struct run_resume {
    struct mw_checkpoint *from; /* NULL: none */
    uint64_t checksum;          /* checksum before this run replaces the file; for JSON only */
    bool model_is_kept;         /* the model was taken from the checkpoint */
    const char *to;             /* output file; NULL: none */
    struct setting_list settings;
};

struct run_stepping {
    struct team team;
    struct mw_device *device; /* first device of the team */
    struct mw_run_result result;
    bool queues;         /* steps are queued if observations leave their work to the device */
    bool stopped, ended; /* early, or at a time */
};

/* The options of pictures as numbers. */
struct run_picture {
    int range; /* RANGE_ of picture.c */
    bool known;
    double lo, hi;          /* ends of the map: given, or known of the first picture */
    const char *colours;    /* map of the first picture, for all of its quantity; NULL: none yet */
    size_t at[MW_DIMS_MAX]; /* the indices of --slice; SIZE_MAX: none */
    struct sheet *sheet;    /* states kept for --sheet; NULL: none */
    struct film *film;      /* the film of --film; NULL: none */
    struct pictures *all;   /* pictures of --range all; NULL: none so far */
};

/* The file of --hdf5. */
struct run_frames {
    struct mw_frames *file; /* NULL: no frame so far */
    bool unsynced;          /* frames may not be on disk */
};

struct run_observing {
    uint64_t every;     /* steps between observations, requested or default */
    uint64_t own_every; /* the same for the kind's own observations; 0: none */
    struct run_picture picture;
    struct product products[PRODUCTS];
    struct mw_series *series;
    struct run_frames frames;
    struct run_plot *plot;   /* rows of --plot; NULL: none yet */
    struct mw_text vtk_list; /* entries of the .pvd file so far */
    struct run_components components;
    struct mw_array state; /* last observed state, if valid: of step state_step */
    uint64_t state_step;
    bool held, measured; /* `state` is set; it has been measured */
};

/* Seconds of the phases of a run.  `waited`: for queued steps; in the end a part of the result's seconds. */
struct run_seconds {
    double start, setup, output, own, verify, waited;
};

struct run {
    struct command *command;
    struct run_settings *set;
    const struct simulation *kind;
    void *own_settings, *own; /* structs of the kind */
    struct run_model model;
    struct run_resume resume;
    struct run_stepping step;
    struct run_observing observe;
    struct run_seconds seconds;
};

/* ---- run.c ---- */

/* Options stored in struct run_settings: of all kinds of simulation, and of `meshwork run`. */
extern const struct option loop_options[], run_options[];
int run_run(struct command *command);
/* Performs a run with its command and settings, and model and kind if known; then frees it. */
int run_whole(struct run *r);
/* Waits for queued steps, so that their time is not attributed to something else. */
int run_wait(struct run *r);
/* Returns the time of a step, the present one. */
double run_time(const struct run *r, uint64_t step);

/* ---- restart.c ---- */

/* Turns --restart-or-start into --restart if the checkpoint exists. */
int restart_decide(struct run *r);
/* Opens --restart; sets r->model.name from the checkpoint unless given. */
int restart_open(struct run *r);
/* Rejects the checkpoint of another model.  Takes options that were not given from it.  Drops files that are `none`. */
int restart_take_over(struct run *r);
/* Adds all settings of this run; rejects a checkpoint with different ones. */
int restart_compare(struct run *r);
/* Adds a setting; may_differ: it is stored but does not affect the bits. */
void setting_add(struct setting_list *list, bool may_differ, const char *name, const char *format, ...) MW_PRINTF(4, 5);
/* Adds a parameter of the model. */
void setting_add_param(struct setting_list *list, const char *name, double value);
/* Returns a model's parameters in order: defaults or the checkpoint's values, replaced by -p.  The caller frees
 * them. */
int run_params(const struct run *r, const char *model, const struct mw_model_param *params, size_t count,
               double **values);
void settings_free(struct setting_list *list);
/* Returns whether a file is missing, empty, or begins with these bytes. */
bool restart_begins(const char *path, const char *begins);

/* ---- mesh.c: common parts of simulations on the mesh of the options ---- */

/* Sets the model of a run; `in_text`: checkpoints contain its text. */
void run_take_model(struct run *r, const struct mw_model_info *info, bool in_text);
/* Adds size and boundary conditions. */
void mesh_settings_add(const struct run *r, struct setting_list *list);
/* Rejects options that conflict with --input or --restart, and outputs that would replace the input. */
int input_check(const struct run *r);
/* Sets the mesh to the lengths of --input; MW_EINVAL: --size differs. */
int input_lengths(struct run *r, unsigned dims, const size_t *length);
/* Compares r->observe.state with a reference.  MW_EVERIFY: they differ. */
int run_compare(const struct run *r, const struct mw_array *reference);
extern const char *const axis_names[MW_DIMS_MAX];
/* Returns the distance of neighbouring cells along a dimension. */
static inline double run_spacing(const struct run *r, unsigned d) { return r->model.spacing ? r->model.spacing[d] : 1; }
/* Returns "x=3, y=4" for a cell of the mesh.  Use within one expression. */
struct cell_text {
    char text[160];
};
struct cell_text cell_text(const struct run *r, size_t cell);
/* Puts "size", with a row that also has `words`. */
void put_size(const struct run *r, struct node *to, const char *words);
/* Puts "boundary", and returns its node, which has no row. */
struct node *put_boundaries(const struct run *r, struct node *to);
/* Puts "start", the word of --start or another origin, and the file of --input. */
struct node *put_start(const struct run *r, struct node *to, const char *word);
/* Returns the boundary conditions: "periodic", or "periodic,mirror" if dimensions differ. */
struct short_text boundary_text(const struct run *r);

/* ---- components.c: --label-every; without it these functions do nothing ---- */

/* Checks --label-every.  MW_EINVAL: it does not fit the other intervals; MW_ELIMIT: the mesh has too many cells. */
int components_check(const struct run *r);
/* Estimates the device memory for labelling. */
uint64_t components_bytes(const struct run *r, const struct mw_device_info *device);
/* Allocates the labelling after the simulation. */
int components_start(struct run *r);
/* Begins to label the state of a step, while the run continues. */
int components_label(struct run *r, uint64_t step);
/* Waits for the labelling that was begun last, and stores its summary. */
int components_know(struct run *r);
/* Completes the components of the end, also if a resumed run had no steps left. */
int components_last(struct run *r);
/* Returns the cells of the largest component of the side of the threshold that has fewer cells, as a fraction of the
 * mesh; of two equal sides, that above the threshold.  NAN: an empty mesh. */
double components_minority(const struct mw_components_summary *s);
void components_free(struct run *r);
/* Adds the columns of components to a row of a series; they are empty at steps without labels. */
void components_row(const struct run *r, uint64_t step, struct series_row *row);
/* Puts the components that were labelled last. */
void components_report(const struct run *r, struct node *to);
/* Puts the plan of labelling. */
void components_plan(const struct run *r, struct node *to);

/* ---- frames.c: --hdf5; without it these functions do nothing ---- */

/* Checks that the file can be written. */
int frames_prepare(const struct run *r);
/* Adds the state of a step. */
int frames_write(struct run *r, uint64_t step);
/* Syncs the file to disk, and writes the XDMF file. */
int frames_sync(struct run *r);

/* ---- pvd.c: the list of the files of --vtk with --every; `pattern`: of their names ---- */

/* Checks that the list can be written. */
int pvd_prepare(const struct run *r, const char *pattern);
/* Adds the file of a step.  A resumed run keeps the entries of earlier times. */
int pvd_add(struct run *r, const char *pattern, const char *file, uint64_t step);
/* Writes the list, next to the files. */
int pvd_write(const struct run *r, const char *pattern);

/* ---- write.c ---- */

/* Returns the array for output files: the state, or *field if the kind provides another one; the caller frees
 * *field. */
int write_find_field(struct run *r, struct mw_array *field, const struct mw_array **found);

/* Adds a column. */
void series_row_add(struct series_row *row, double value, const char *title, ...) MW_PRINTF(3, 4);
/* Checks that all requested files can be written, and opens the series. */
int write_prepare(struct run *r);
/* Copies the state of a step to the host, unless that has been done. */
int write_look(struct run *r, uint64_t step);
/* Measures the state on the host, unless that has been done. */
int write_measure(struct run *r);
/* Observes the state of a step and writes its files: a callback of struct mw_run_simulation. */
int write_observe(void *context, uint64_t step);
/* Adds the data of a checkpoint: a callback of struct mw_run_simulation. */
int write_save(void *context, struct mw_checkpoint_writer *writer);
/* After a failure, writes the pictures, sheets, films and plots of all states so far.  Returns `rc`. */
int write_failed(struct run *r, int rc);
/* Writes the files of the final state only. */
int write_final(struct run *r);
/* Returns whether a product is written for each observed state. */
bool write_is_series(const struct run *r, const struct product *p);
/* Returns how often this run does something with this interval: also at the start unless resumed, and at the end. */
uint64_t write_count(const struct run *r, uint64_t every);

/* ---- plot.c: --plot; without it these functions do nothing ---- */

/* Keeps a row, with the values of its columns; draws all rows; frees them. */
int plot_add(struct run *r, uint64_t step, const struct series_row *row, const double *values);
int plot_finish(struct run *r);
void plot_free(struct run *r);

/* ---- report.c ---- */

/* Prints the results. */
int run_report(const struct run *r);
/* Checks that a streamed run can do without the memory that streaming needs on its device: MW_ELIMIT. */
int run_check_streamed(const struct run *r);
/* Prints the plan of --dry-run; opens and writes nothing. */
int run_plan(const struct run *r);
/* Rejects a run that exceeds --memory-limit, before it is made.  MW_ELIMIT. */
int run_check_memory(const struct run *r);

#endif
/* SPDX-License-Identifier: MIT */
