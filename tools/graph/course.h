/* Subcommands of `meshwork graph` that compute in passes.  Their course is the same: what is asked for, the plan or the
 * graph on its devices, passes that are timed, a comparison with native:serial, files, a summary. */
#ifndef TOOLS_COURSE_H
#define TOOLS_COURSE_H

#include "tools/graph/graph.h"

/* What the settings of such a subcommand begin with. */
struct course_settings {
    const char *variant;
    bool verify, dry_run;
    uint64_t repeat, block_arcs;
    struct graph_settings graph;
    struct device_settings device;
};
#define COURSE_GROUPS(devices) GRAPH_GROUPS(struct course_settings, devices)
#define BLOCK_ARCS_OPTION \
    { .name = "block-arcs", .type = OPTION_COUNT, .target = offsetof(struct course_settings, block_arcs), \
      .value = "N", .least = 1, .help = "arcs on a device at once (default: as many as it takes)" }

/* What a subcommand does; `course` is its struct.  All but `pass`, `verify` and `say` may be NULL. */
struct course_kind {
    int (*prepare)(void *course);          /* looks at its options, before anything is read */
    void (*plan)(const void *course, const struct team_plan *team, struct node *to);
    int (*begin)(void *course);            /* the graph is there */
    int (*pass)(void *course, double *seconds);
    int (*end)(void *course);              /* all passes are done */
    /* Compares with what another variant comes to on this device.  MW_EVERIFY. */
    int (*verify)(void *course, struct mw_device *serial);
    int (*write)(void *course);
    int (*say)(const void *course, struct node *to);
    void (*free)(void *course);            /* the devices are still open */
};

/* What the struct of a subcommand begins with. */
struct course {
    const struct course_kind *kind;
    const struct course_settings *set;
    mw_variant_table *variants;          /* NULL: it has none */
    struct network n;
    struct team team;
    struct passes passes;
    size_t pass;                         /* the one under way */
    double open, build, verify, output;  /* seconds */
};

struct course course_of(const struct command *command, const struct course_kind *kind, mw_variant_table *variants,
                    enum weights_use weights);
int course_run(struct course *course);
/* For `say`: the variant that was taken; "repeat" and "seconds", and what else took its time; "verified", if it is, by
 * what. */
void course_say_variant(const char *variant, struct node *to);
void course_say_passes(const struct course *course, struct node *to);
#define course_say_verified(course, to, ...) put_verified(to, (course)->set->verify, (course)->verify, __VA_ARGS__)
/* A rate of edges, of each of which a pass does so much work. */
void course_say_rate(const struct course *course, double work, const char *unit, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
