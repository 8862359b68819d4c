/* Evolution of a field: a model, and one part (some slabs of the mesh) per device.  Internal.
 *
 * Each file calls only files that are above it in this list:
 *   part.c                       one part, its cells and its halos
 *   reduce.c                     sums and ranges over all cells
 *   integrals.c                  means and times that rates read
 *   spectral.c                   exponential time steps of one part
 *   step.c                       time steps of one part
 *   adaptive.c                   time steps that choose themselves, of all parts together
 *   windows.c, stream.c          parts larger than their device's memory
 *   describe.c                   options, checked, and their problem and sizes
 *   balance.c                    shares of devices, which have a thread each (dev/core/team.h)
 *   field.c, state.c, observe.c  public calls */
#ifndef MW_FIELD_EVOLVE_H
#define MW_FIELD_EVOLVE_H

#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "dev/own.h"
#include "field/exponential/exponential.h"
#include "field/program/program.h"
#include "prim/blocks.h"

enum mw_side { MW_LOWER, MW_UPPER, MW_SIDES };

/* A part's neighbours, its channels to them, and the slabs per halo; 0 without an exchange. */
struct mw_part;
struct mw_borders {
    struct mw_port port;
    size_t send[MW_SIDES], receive[MW_SIDES];
    const struct mw_part *neighbour[MW_SIDES];
    int slabs;
};

/* Timings of a part with neighbours since its last move; earlier timings have a lower weight. */
struct mw_part_speed {
    uint64_t rounds, timed_rounds;
    double timed_steps, seconds, timed_at;
};

/* A window of a streamed field: slabs that are on the device at once.  `cells`: in host memory, layer by layer.
 * `stored`: completion of the last copy back; NULL: complete. */
struct mw_window {
    struct mw_place place;
    struct mw_staging *cells;
    struct mw_event *stored;
};
struct mw_stream {
    int slab, slabs;           /* the part's share of the whole */
    int fitting;               /* slabs that fit in device memory at once */
    size_t count;              /* windows */
    struct mw_window *windows; /* in the order of their slabs; arrays on the device have equal sizes */
    struct mw_buffer *spare;   /* second buffer: transfers of one window overlap with computing another */
    uint64_t sweep; /* number of the next sweep over all windows, which begins at window `sweep` modulo `count` */
    char *kept[2];  /* lowest slabs of a sweep's first window before its update; sweeps alternate */
    bool timed;     /* whether this call is timed, and the seconds it waited for other parts */
    double waited;
};

/* A device's part of a field: all of it, or whole slabs. */
struct mw_part {
    struct mw_field_array array;
    struct mw_owner placed; /* frees arrays of the place's size: `state`, `temp`, a stream's `spare`, those of means */
    struct mw_buffer *state, *temp;
    struct mw_field_plan plan;
    struct mw_field_plan single; /* a plan of one step per launch, for remaining steps if `plan` has several */
    unsigned round_steps;        /* maximum time steps per round */
    bool maps_are_shared;        /* all buffers of states have the maps of `state`, since updates do not store maps */
    struct mw_borders borders;
    struct mw_part_speed speed;
    struct mw_stream *stream;     /* for a part that streams; else NULL */
    struct mw_spectral *spectral; /* for exponential time steps; else NULL */
    /* For steps that choose themselves; made at first use: */
    struct mw_kernel_set *combining;
    double error; /* largest error of the step, as a fraction of the tolerance */
    /* For statistics and energies; made at first use: */
    struct mw_field_plan energy;
    struct mw_prim *prim;
    char *host; /* host copy of cells, for a device that cannot reduce them */
    struct mw_field *whole;
    /* For means that rates read; made at first use: a density of all cells.  For several systems: room for the blocks
     * and cells of one, and means of all systems of the whole, MW_DENSITIES_MAX each. */
    struct mw_buffer *density;
    struct mw_block *blocks;
    char *cells;
    double *means;
};

/* ---- part.c ---- */

/* Make a part without cells, and allocate its cells at a place; previous cells are lost. */
int mw_part_new(struct mw_device *device, const struct mw_problem *problem, const struct mw_field_options *options,
                struct mw_part *part);
int mw_part_place(struct mw_part *part, const struct mw_place *place);
/* Sets the parameters of a system of the whole. */
int mw_part_set_params(struct mw_part *part, size_t system, const double *params);
void mw_part_clear(struct mw_part *part);

/* Copy some quantities of the part's own cells to their positions in a state of the whole, which has these quantities
 * only; and copy them from it, including halos. */
int mw_part_read(const struct mw_part *part, struct mw_buffer *buffer, struct mw_quantities which, void *whole);
int mw_part_write(struct mw_part *part, struct mw_quantities which, const void *whole);

/* ---- params.c ---- */

/* Allocates the parameters of all systems, sets each to the options' values, and stores them in the options'
 * `params`. */
int mw_field_take_params(struct mw_field *field);

/* start.c.  Sets fields and maps that the model gives by place, or all fields to their means if the options exclude
 * noise.  Needs the cells of one of them on the host. */
int mw_field_start(struct mw_field *field);

/* Send the borders of `buffer`, which holds the next state (mw_port_post follows); and wait for the neighbours' borders
 * and queue their copy into the state's halo. */
int mw_borders_send(struct mw_part *part, struct mw_buffer *buffer);
int mw_borders_receive(struct mw_part *part);

/* ---- reduce.c ---- */

/* A reduction of a field of the state, of the free energy density, which is in `temp`, or of the parts' `density`.
 * Computes sums and ranges, or, with `about`, squared differences from these means. */
struct mw_look {
    struct mw_field *whole;
    enum { MW_LOOK_FIELD, MW_LOOK_ENERGY, MW_LOOK_DENSITY } of;
    size_t field;
    const double *about;
    struct mw_open_block *open; /* of windows */
};
size_t mw_block_count(const struct mw_field *field);
/* Reduces the blocks that a part contains completely, to `blocks` of the field. */
int mw_reduce_part(struct mw_part *part, const struct mw_look *look);
/* Reduces the blocks that several parts share.  No part may be active. */
int mw_reduce_all_shared(struct mw_field *field, const struct mw_look *look);
/* Makes `open`, which the caller frees; and reduces the blocks of each window in turn. */
int mw_reduce_window_begin(struct mw_look *look);
int mw_reduce_window(struct mw_part *part, const struct mw_look *look);
/* Returns the result for the cells of one field and system in host memory. */
struct mw_block mw_reduce_cells(const struct mw_field *field, const char *cells, const double *about,
                                struct mw_block *blocks);

/* ---- integrals.c ---- */

/* Sets the parameters of kernels that depend on the time, or on means over the state `in`, of all cells.  Waits for the
 * means, and for other parts that have cells of the same system.  With several systems, means are those of `slabs`. */
int mw_part_set_time(struct mw_part *part, struct mw_buffer *in, struct mw_slabs slabs, double time);

/* ---- step.c ---- */

/* A round is the number of time steps between two exchanges of borders.  Returns the number that is expected to be
 * fastest: more if slabs are small compared with the work per exchange. mw_round_halo: the neighbours' slabs that a
 * round needs. */
unsigned mw_round_steps(const struct mw_problem *problem, size_t slab_cells, int share, bool gpus);
/* Returns the slabs beyond either end that an update reads, or a mean before it. */
static inline int mw_update_reach(const struct mw_problem *problem)
{
    const int reach = problem->reach->reach, energy = problem->model->density_count ? problem->reach->energy : 0;
    return mw_field_has_systems(problem) ? 0 : reach > energy ? reach : energy;
}
int mw_round_halo(const struct mw_problem *problem, unsigned steps);
/* Returns the number of steps per visit of a window (stream.c) that hides the transfers; `slabs` fit on the device. */
unsigned mw_visit_steps(const struct mw_problem *problem, int slabs, bool gpu);
/* Queues time steps that only use the part's array. */
int mw_part_round(struct mw_part *part, double dt, unsigned steps);
/* Queues time steps, exchanging borders with neighbours if there are any. */
int mw_part_advance(struct mw_part *part, double dt, uint64_t steps);

/* ---- field.c ---- */

struct mw_field {
    struct mw_model *model;
    double *params;                  /* one set per system */
    struct mw_field_options options; /* pointers are NULL, except the model's */
    struct mw_reach reach;
    struct mw_problem problem;
    size_t cells, bytes;  /* cells per field and system; bytes of the state */
    size_t layers;        /* as in struct mw_field_array */
    int slabs, halo;      /* slabs of the whole, and of a halo */
    unsigned round_steps; /* maximum time steps per round */
    double slab_memory;   /* bytes of device memory per slab, in total */
    size_t count;
    struct mw_part *parts;
    struct mw_block *blocks; /* for statistics, energies and means */
    double mean;             /* the last one that rates read, of parts that meet */
    /* For steps that choose themselves; has_rate: each part has the rate of its state in plan.more[0]. */
    struct mw_field_pace pace;
    bool has_rate;
    bool streams; /* parts stream: rounds are visits of windows */
    /* For several parts: */
    struct mw_exchange *exchange;
    struct mw_team *team;
    bool kept;              /* the options gave the shares */
    uint64_t chunk;         /* rounds between two checks of the balance */
    double window, elapsed; /* seconds between moves, and since the last move */
};

/* Return all quantities of the state, fields and maps; and the fields, which users see. */
static inline struct mw_quantities mw_field_all(const struct mw_field *field)
{
    return (struct mw_quantities){ 0, mw_model_quantities(field->model) };
}
static inline struct mw_quantities mw_field_seen(const struct mw_field *field)
{
    return (struct mw_quantities){ 0, field->model->info.field_count };
}

/* ---- state.c ---- */

/* Copies some quantities of all cells to host memory in file order, or from it. */
int mw_field_copy(struct mw_field *field, struct mw_quantities which, void *whole, bool to_whole);
/* Calls `job` for all parts, concurrently if there are several. */
int mw_field_each_part(struct mw_field *field, mw_team_job *job, void *context);

/* ---- describe.c ---- */

/* Checks and takes the options, and sets the problem, the sizes and the first chunk of the balance. */
int mw_field_describe(struct mw_field *field, const struct mw_model *model, const struct mw_field_options *options);

/* ---- adaptive.c ---- */

/* Checks the options for the integrator, and sets defaults of tolerances and the first time step.  MW_EINVAL. */
int mw_adaptive_check(struct mw_field *field);
/* Takes at most `steps` steps, up to the time `end` (may be infinite).  Waits for them. */
int mw_adaptive_advance(struct mw_field *field, double end, uint64_t steps);

/* ---- windows.c ---- */

/* Checks sizes before anything is allocated.  MW_ELIMIT: the field fits neither in the devices' nor in the host's
 * memory. */
int mw_stream_check_size(const struct mw_field *field, struct mw_device *const *devices);
/* Return whether a field may have failed to fit for lack of device memory; and check that a device has memory left
 * after one was allocated (MW_ELIMIT). */
bool mw_stream_may_help(const struct mw_field *field, struct mw_device *const *devices);
int mw_stream_check_room(const struct mw_device *device);
/* Chooses the windows of all shares and the steps per visit, for parts without cells, and places the parts at their
 * first windows.  MW_ELIMIT: too little memory on a device or the host. */
int mw_stream_new(struct mw_field *field, const int *shares);
/* Fills the windows with the initial state. */
int mw_stream_fill(struct mw_field *field);
void mw_stream_free(struct mw_stream *stream);
/* Returns a layer's slabs in host memory, beginning at slab `from` of a window. */
char *mw_stream_slabs(const struct mw_part *part, size_t window, size_t layer, int from);
/* Copies some quantities of all cells to an array in file order, or from it. */
int mw_stream_copy(struct mw_field *field, struct mw_quantities which, void *whole, bool to_whole);
/* Return whether memory suffices for other shares; and move parts to these shares.  `whole` has room for all cells. */
bool mw_stream_can_move(const struct mw_field *field, const int *shares);
int mw_stream_move(struct mw_field *field, const int *shares, void *whole);

/* ---- stream.c ---- */

/* Queues time steps, as mw_part_advance. */
int mw_stream_advance(struct mw_part *part, double dt, uint64_t steps);
/* Calls `job` for each window in turn, loaded as its part's state, with full halos. */
typedef int mw_stream_job(struct mw_part *part, void *context);
int mw_stream_show(struct mw_field *field, mw_stream_job *job, void *context);

/* ---- balance.c ---- */

/* Returns the number of slabs of the whole in a part. */
int mw_balance_slabs(const struct mw_part *part);
/* Splits `slabs` in proportion to weights: at least `least` each, and at most `most` each (NULL: no limit).  MW_ELIMIT:
 * the limits add up to less than `slabs`. */
int mw_balance_shares(size_t count, int slabs, int least, const double *weights, const double *most, int *shares);
/* Returns the minimum number of slabs per part: one halo, or two if it streams, since it has at least two windows. */
static inline int mw_least_share(const struct mw_field *field)
{
    return (field->halo > 0 ? field->halo : 1) * (field->streams ? 2 : 1);
}
/* Computes how many slabs fit on each part's device if its present slabs are freed. */
void mw_balance_limits(const struct mw_field *field, double *most);
/* Computes the places of parts with these numbers of slabs. */
void mw_balance_places(const struct mw_field *field, const int *shares, struct mw_place *places);
/* Moves slabs so that the parts have these numbers. */
int mw_balance_move(struct mw_field *field, const int *shares);
/* Queues time steps on several parts, and moves slabs between them if that is expected to be faster. */
int mw_balance_advance(struct mw_field *field, uint64_t steps);

/* ---- spectral.c: exponential time steps of a part ---- */

/* Makes buffers, transforms and coefficients of a time step dt, for a part that is the whole field. The
 * parameters of the field, `params`, are read again after mw_spectral_renew. Errors: MW_ENOTSUP, those of mw_fft_new
 * and mw_tableau_make. */
int mw_spectral_new(const struct mw_part *part, const double *params, double dt, struct mw_spectral **spectral);
void mw_spectral_free(struct mw_spectral *spectral);
/* Marks the coefficients as outdated, since parameters changed. */
void mw_spectral_renew(struct mw_spectral *spectral);
/* Queues time steps of a part. */
int mw_spectral_advance(struct mw_part *part, double dt, uint64_t steps);
/* Returns the bytes of device memory that exponential steps need in addition to two states; about. */
uint64_t mw_spectral_bytes(const struct mw_problem *problem, size_t state_bytes);

#endif
/* SPDX-License-Identifier: MIT */
