/* Fields as they evolve: a model and its parts, one for each device.  Internal.
 *
 * A file calls those above it in this header, and none below: part.c, cells.c and borders.c know one part, step.c moves
 * it on; where devices are too small windows.c and stream.c decide what is there when; a team (dev/core/team.h) has a
 * thread for each, balance.c decides who has how much; users call field.c, state.c, observe.c. */
#ifndef MW_FIELD_EVOLVE_H
#define MW_FIELD_EVOLVE_H

#include "dev/core/team.h"
#include "dev/memory/exchange.h"
#include "field/program/program.h"
#include "prim/blocks.h"

enum mw_side { MW_LOWER, MW_UPPER, MW_SIDES };

/* A part's neighbours, channels, and how many slabs these have; none without an exchange. */
struct mw_part;
struct mw_borders {
    struct mw_port port;
    size_t send[MW_SIDES], receive[MW_SIDES];
    const struct mw_part *beside[MW_SIDES];
    int slabs;
};

/* What was measured of a part with neighbours, since it has its place; what is long past counts less. */
struct mw_part_speed {
    uint64_t rounds, timed_rounds;
    double timed_steps, seconds, timed_at;
};

/* Some slabs of a field that streams through its devices: their cells in the host's memory, layer by layer, and whether
 * what was made of them last has come back (NULL: yes). */
struct mw_window {
    struct mw_place place;
    struct mw_staging *cells;
    struct mw_event *stored;
};
struct mw_stream {
    int slab, slabs;           /* what the part has of the whole */
    int fitting;               /* slabs that the device has memory for at a time */
    size_t count;              /* windows */
    struct mw_window *windows; /* by their slabs; as arrays on the device all have the same size */
    struct mw_buffer *beside;  /* of a window that comes or goes while another is computed */
    uint64_t sweep;            /* over all windows, the next one's number: it begins with the window of that number */
    char *kept[2];             /* of a sweep's first window the lowest slabs, as they were; by turns */
    bool timed;                /* the call at hand; how many seconds of it others were waited for: */
    double waited;
};

/* What one device has of a field: all of it, or whole slabs. */
struct mw_part {
    struct mw_field_array array;
    struct mw_buffer *state, *temp;
    struct mw_field_plan plan;
    struct mw_field_plan single; /* of one step, for those left over, where a launch of `plan` has several */
    unsigned round_steps;        /* at most */
    struct mw_borders borders;
    struct mw_part_speed speed;
    struct mw_stream *stream; /* where the part is a window at a time; else NULL */
    /* Of looks at the state; made for the first one: */
    struct mw_field_plan energy;
    struct mw_prim *prim;
    char *host; /* cells of a device that cannot reduce them */
};

/* ---- part.c ---- */

/* A part without cells; and its cells, not filled, at a place: those that it had are lost. */
int mw_part_new(struct mw_device *device, const struct mw_problem *problem, const struct mw_field_options *options,
                struct mw_part *part);
int mw_part_place(struct mw_part *part, const struct mw_place *place);
/* Gives a system of the whole other parameters. */
int mw_part_set_params(struct mw_part *part, size_t system, const double *params);
void mw_part_clear(struct mw_part *part);

/* ---- params.c ---- */

/* Makes the parameters of all systems, alike, by the options, whose `params` they become. */
int mw_field_take_params(struct mw_field *field);

/* ---- cells.c ---- */

/* The part's own cells of a buffer's layer, to where they stand in the whole's; and all layers of the whole, with the
 * neighbours' cells that the part has copies of. */
int mw_part_read(const struct mw_part *part, struct mw_buffer *buffer, size_t layer, void *whole_layer);
int mw_part_write(struct mw_part *part, const void *whole);

/* ---- borders.c ---- */

/* Sends off the borders of `buffer`, the state that comes (mw_port_post follows); then waits for the neighbours' and
 * queues their writing into the state. */
int mw_borders_send(struct mw_part *part, struct mw_buffer *buffer);
int mw_borders_receive(struct mw_part *part);

/* ---- step.c ---- */

/* A round is a number of steps between two exchanges of borders: of parts with so many slabs as many as pay, more where
 * a slab is small beside what a device does meanwhile.  A part needs so many of its neighbours' slabs for them. */
unsigned mw_round_steps(const struct mw_problem *problem, size_t slab_cells, int share, bool gpus);
int mw_round_halo(const struct mw_problem *problem, unsigned steps);
/* As many steps as pay for a visit of a window (stream.c), of which a device has room for so many slabs. */
unsigned mw_visit_steps(const struct mw_problem *problem, int slabs, bool gpu);
/* Queues steps that look at nothing but the part's array. */
int mw_part_round(struct mw_part *part, double dt, unsigned steps);
/* Queues steps; waits for neighbours where there are any. */
int mw_part_advance(struct mw_part *part, double dt, uint64_t steps);

/* ---- field.c, of which the others know this ---- */

struct mw_field {
    struct mw_model *model;
    double *params;                  /* of each system */
    struct mw_field_options options; /* without what its pointers point to, except the model's: they are NULL */
    struct mw_reach reach;
    struct mw_problem problem;
    size_t cells, bytes;  /* of one field of one system; of the state */
    size_t layers;        /* as of arrays */
    int slabs, halo;      /* of the whole; that a part has copies of on either side */
    unsigned round_steps; /* at most */
    double slab_memory;   /* bytes that a slab takes on a device, with all that belongs to it */
    size_t count;
    struct mw_part *parts;
    struct mw_block *blocks; /* of a look at the state */
    bool streams;            /* parts are windows of what they have: rounds are visits */
    /* Of several parts: */
    struct mw_exchange *exchange;
    struct mw_team *team;
    bool kept;              /* shares were given */
    uint64_t chunk;         /* rounds between two looks at the balance */
    double window, elapsed; /* seconds until parts are looked at, and since they last were */
};

/* ---- windows.c ---- */

/* Before anything of it is made: MW_ELIMIT where neither its devices nor the host have memory for a field. */
int mw_stream_check_size(const struct mw_field *field, struct mw_device *const *devices);
/* Whether it may be for want of memory that a field did not fit.  And whether a device has room beside one that did:
 * MW_ELIMIT. */
bool mw_stream_may_help(const struct mw_field *field, struct mw_device *const *devices);
int mw_stream_check_room(const struct mw_device *device);
/* Decides on windows of shares, for parts without cells, and on the steps of a visit; makes these parts their first
 * ones.  MW_ELIMIT: a device or the host has no memory for them. */
int mw_stream_new(struct mw_field *field, const int *shares);
/* Fills them with the start. */
int mw_stream_fill(struct mw_field *field);
void mw_stream_free(struct mw_stream *stream);
/* A layer's slabs in the host's memory, from a window's `from` on. */
char *mw_stream_slabs(const struct mw_part *part, size_t window, size_t layer, int from);
/* All cells, to an array in the order of the file or from there. */
int mw_stream_copy(struct mw_field *field, void *whole, bool to_whole);
/* Whether there is memory for other shares; and gives them to parts, with room for all cells. */
bool mw_stream_can_move(const struct mw_field *field, const int *shares);
int mw_stream_move(struct mw_field *field, const int *shares, void *whole);

/* ---- stream.c ---- */

/* Queues steps, as mw_part_advance. */
int mw_stream_advance(struct mw_part *part, double dt, uint64_t steps);
/* Does a job with each window in turn, which is its part's state then, with all its neighbours' slabs. */
typedef int mw_stream_job(struct mw_part *part, void *context);
int mw_stream_show(struct mw_field *field, mw_stream_job *job, void *context);

/* ---- balance.c ---- */

/* Slabs of the whole that a part has. */
int mw_balance_slabs(const struct mw_part *part);
/* Numbers of slabs in proportion to weights: at least `least` each, and at most `most` (NULL: no limit) as far as the
 * parts together have room.  MW_ELIMIT: they have not. */
int mw_balance_shares(size_t count, int slabs, int least, const double *weights, const double *most, int *shares);
/* Slabs that a part has at least: what neighbours look at, of each of two windows where it streams. */
static inline int mw_least_share(const struct mw_field *field)
{
    return (field->halo > 0 ? field->halo : 1) * (field->streams ? 2 : 1);
}
/* How many slabs each part's device has memory for, what the part has now given back. */
void mw_balance_limits(const struct mw_field *field, double *most);
/* Where parts with these numbers of slabs lie. */
void mw_balance_places(const struct mw_field *field, const int *shares, struct mw_place *places);
/* Gives the parts other numbers of slabs. */
int mw_balance_move(struct mw_field *field, const int *shares);
/* Queues steps on all of several parts, and gives them other shares when that pays. */
int mw_balance_advance(struct mw_field *field, uint64_t steps);

#endif
/* SPDX-License-Identifier: MIT */
