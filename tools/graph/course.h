/* The common course of subcommands of `meshwork graph` that compute in passes: options; the plan, or the graph on its
 * devices; timed passes; verification with native:serial; files; a summary. */
#ifndef TOOLS_COURSE_H
#define TOOLS_COURSE_H

#include "tools/graph/graph.h"

/* The first member of the settings of such a subcommand. */
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

/* The functions of a subcommand; `course` is its struct.  Only `pass`, `verify` and `say` are required. */
struct course_kind {
    int (*prepare)(void *course); /* checks options before anything is read */
    void (*plan)(const void *course, const struct team_plan *team, struct node *to);
    int (*begin)(void *course); /* called when the graph has been read */
    int (*pass)(void *course, double *seconds);
    int (*end)(void *course); /* called after all passes */
    /* Compares with another variant on this device.  MW_EVERIFY. */
    int (*verify)(void *course, struct mw_device *serial);
    int (*write)(void *course);
    int (*report)(const void *course, struct node *to);
    void (*free)(void *course); /* the devices are still open */
};

/* The first member of the struct of a subcommand. */
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

struct course course_of(const struct command *command, const struct course_kind *kind, mw_variant_table *variants,
                        enum weights_use weights);
int course_run(struct course *course);
/* For `say`: put the variant; "repeat", "seconds" and other times; "verified" with the reference, if it was
 * verified. */
void course_report_variant(const char *variant, struct node *to);
void course_report_passes(const struct course *course, struct node *to);
#define course_report_verified(course, to, ...)                                                                        \
    put_verified(to, (course)->set->verify, (course)->flow.verify, __VA_ARGS__)
/* Puts a rate of edges; a pass does `work` per edge. */
void course_report_rate(const struct course *course, double work, const char *unit, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
