/* The common course of subcommands of `meshwork graph` that compute in passes: options; the plan, or the graph on its
 * devices; timed passes; verification with native:serial; files; a summary. */
#ifndef TOOLS_COURSE_H
#define TOOLS_COURSE_H

#include "tools/graph/graph.h"

/* The options of such a subcommand; the first member of its settings. */
struct course_settings {
    const char *variant;
    bool verify, dry_run;
    uint64_t repeat, block_arcs;
    struct graph_settings graph;
    struct device_settings device;
};
#define COURSE_GROUPS(devices) GRAPH_GROUPS(struct course_settings, devices)
#define BLOCK_ARCS_OPTION                                                                                              \
    {                                                                                                                  \
        .name = "block-arcs", .type = OPTION_COUNT, .target = offsetof(struct course_settings, block_arcs),            \
        .value = "N", .least = 1, .help = "arcs on a device at a time (default: as many as fit)"                       \
    }

/* The functions of a subcommand; `course` is its struct.  `plan`, `pass`, `verify` and `report` are required; others
 * may be NULL.  They return 0 or a status with its message set. */
struct course_kind {
    int (*prepare)(void *course); /* checks options before anything is read */
    void (*plan)(const void *course, const struct team_plan *team, struct node *to); /* puts the plan of --dry-run */
    int (*begin)(void *course);                 /* prepares the passes; called when the graph has been read */
    int (*pass)(void *course, double *seconds); /* computes the result once, and stores the time */
    int (*end)(void *course);                   /* called after all passes */
    /* Compares the result with that of another variant on this device.  MW_EVERIFY: they differ. */
    int (*verify)(void *course, struct mw_device *serial);
    int (*write)(void *course);                         /* writes the output files */
    int (*report)(const void *course, struct node *to); /* puts the results */
    void (*free)(void *course);                         /* frees its results; the devices are still open */
};

/* The state of such a subcommand; the first member of its struct. */
struct course {
    struct workflow flow;
    const struct course_kind *kind;
    const struct course_settings *set;
    mw_variant_table *variants; /* NULL: no variants */
    struct network n;
    struct team team;
    struct passes passes;
    size_t pass;        /* current pass */
    double open, build; /* seconds */
};

/* Returns a course for a command that has not begun. */
struct course course_of(const struct command *command, const struct course_kind *kind, mw_variant_table *variants,
                        enum weights_use weights);
/* Runs the whole course, or prints a list of variants or generators if that is requested. */
int course_run(struct course *course);
/* Puts the variant that was used. */
void course_report_variant(const char *variant, struct node *to);
/* Puts "repeat", "seconds" (of the passes) and the times of other phases. */
void course_report_passes(const struct course *course, struct node *to);
/* Puts "verified" with the name of the reference, if the result was verified. */
#define course_report_verified(course, to, ...)                                                                        \
    put_verified(to, (course)->set->verify, (course)->flow.verify, __VA_ARGS__)
/* Puts the rate of a pass that processes `work` units (such as edges) per edge of the graph. */
void course_report_rate(const struct course *course, double work, const char *unit, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
