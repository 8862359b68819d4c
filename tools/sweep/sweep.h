/* meshwork sweep: many spin systems at once, over the values of a parameter. */
#ifndef TOOLS_SWEEP_H
#define TOOLS_SWEEP_H

#include <meshwork/spin.h>

#include "tools/cli/groups.h"
#include "tools/machine/team.h"
#include "tools/report/report.h"

struct sweep_settings {
    struct words params, sizes;
    const char *over, *fraction, *variant, *output, *plot;
    uint64_t systems, steps, warm_up, measure_every, label_every, temper, seed;
    struct choices boundary;
    int update, lattice, start;
    bool anneal, dry_run;
    struct device_settings device;
};

/* One value of the swept parameter, at one fraction of spins up. */
struct sweep_point {
    double value, temperature, fraction; /* NAN: no such quantity */
    double *params;
};

/* Parallel tempering at one size: exchanges per pair of neighbouring points, summed over copies. */
struct sweep_exchanges {
    uint64_t *tried, *accepted;
    uint64_t trips; /* round trips of systems from the first point to the last and back */
};

/* Measurements of components: their number, and the sizes of the largest one and of the largest one of the minority
 * phase as fractions of the mesh. */
enum { SWEEP_COMPONENTS, SWEEP_LARGEST, SWEEP_MINORITY, SWEEP_LABELS };

/* All points at one size. */
struct sweep_size {
    struct size size;
    size_t cells;
    struct mw_spin_options options;
    double *fractions; /* per system; NULL: without --fraction */
    const char *variant;
    double *energy, *magnetisation;    /* measurements, indexed by point, copy, time */
    double *label[SWEEP_LABELS];       /* likewise, of components; NULL: without --label-every */
    size_t *measured, *labelled;       /* number of measurements per point; of those of components */
    struct mw_spin_equilibrium *found; /* per point */
    struct mw_spin_estimate *components[SWEEP_LABELS];
    struct spin_settling *settling;
    struct sweep_exchanges exchanges;
    double seconds;
};

struct sweep {
    struct command *command;
    const struct sweep_settings *set;
    struct mw_model *file;
    const struct mw_model_info *model;
    const char *over;           /* name of the swept parameter */
    struct mw_owner owner;      /* frees the points, the sizes and their arrays */
    struct sweep_point *points; /* by fraction, then value */
    size_t value_count, fraction_count, point_count, copies;
    uint64_t warm_up, every, samples; /* warm-up steps; steps between measurements; number of measurements */
    struct sweep_size *sizes;
    size_t size_count;
    struct team team;
    double done, all; /* in spin updates */
    double start, setup_seconds, output_seconds;
    bool stopped;
};

/* Number of rows of the table and of the file. */
static inline size_t sweep_rows(const struct sweep *s) { return s->size_count * s->point_count; }
/* Columns of estimates, in order.  The table shows columns with a title. */
struct sweep_column {
    const char *name, *title, *words;
    size_t at;
    bool time;
    int label; /* the measurement of components, plus 1; 0: a member of struct mw_spin_equilibrium */
};
extern const struct sweep_column sweep_columns[];
/* Returns the number of columns; the last ones are those of components. */
size_t sweep_columns_of(const struct sweep *s);
struct mw_spin_estimate sweep_estimate(const struct sweep *s, size_t row, size_t column);
enum { SWEEP_MARKED = 2 }; /* columns marked without equilibrium: energy and |m| */
bool sweep_is_measured(const struct sweep *s, size_t row);
const struct spin_settling *sweep_settling(const struct sweep *s, size_t row);
/* Returns "1.234(56)": a value with its error in units of the last digits.  Use within one expression. */
struct short_text estimate_text(struct mw_spin_estimate e);

/* ---- points.c: points and sizes ---- */

int sweep_points(struct sweep *s);
int sweep_sizes(struct sweep *s);
void sweep_free(struct sweep *s);

/* ---- advance.c ---- */

/* Runs all points at one size and computes their estimates. */
int sweep_size_run(struct sweep *s, struct sweep_size *z);

/* ---- label.c: --label-every ---- */

struct sweep_label {
    double value[SWEEP_LABELS];
};
struct sweep_labels {
    struct mw_labelling *labelling; /* NULL: not requested */
    struct mw_buffer *all, *one;    /* the spins of all systems, and of one */
    struct sweep_label *now;        /* per system */
};
int sweep_label_check(const struct sweep *s);
/* Returns the number of measurements of components. */
size_t sweep_label_samples(const struct sweep *s);
int sweep_label_new(const struct sweep *s, const struct sweep_size *z, struct sweep_labels *l);
void sweep_label_free(struct sweep_labels *l);
/* Labels each system. */
int sweep_label_measure(const struct sweep_size *z, struct sweep_labels *l, struct mw_spins *spins);
/* Computes the mean of `copies` series of n values and its error. */
int sweep_label_estimate(const double *series, size_t n, size_t copies, struct mw_spin_estimate *e);

/* ---- crossing.c ---- */

/* Computes the crossing of the Binder cumulants of two sizes; false: undetermined. */
bool sweep_crossing(const struct sweep *s, const struct sweep_size *a, const struct sweep_size *b,
                    struct mw_spin_estimate *crossing);
/* Makes an array of the sizes in ascending order, between neighbours of which crossings are computed.  The caller frees
 * it. */
int sweep_sizes_sorted(const struct sweep *s, const struct sweep_size ***sorted);

/* ---- report.c, write.c, plot.c ---- */

int sweep_report(const struct sweep *s);
int sweep_plan(const struct sweep *s);
int sweep_write(const struct sweep *s);
int sweep_plot(const struct sweep *s);

#endif
/* SPDX-License-Identifier: MIT */
