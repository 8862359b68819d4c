/* Groups of options that subcommands share, each with its struct, and what is made of them. */
#ifndef TOOLS_GROUPS_H
#define TOOLS_GROUPS_H

#include <meshwork/device.h>
#include <meshwork/lattice.h>
#include <meshwork/tune.h>

#include "tools/cli/options.h"

/* -d and what belongs to it: device_options of one device, devices_options of several, with kernel_options behind them
 * where kernels or models are needed. */
struct device_settings { const char *selector, *kernel_path; uint64_t threads, memory_limit; };
extern const struct option device_options[], devices_options[], kernel_options[];
/* Both groups, of a member of a subcommand's settings. */
#define DEVICE_GROUPS(settings, member) \
    { "Device", device_options, offsetof(settings, member) }, { "Device", kernel_options, offsetof(settings, member) }
#define DEVICES_GROUPS(settings, member) \
    { "Device", devices_options, offsetof(settings, member) }, { "Device", kernel_options, offsetof(settings, member) }
/* Of mw_device_open. */
struct mw_device_options device_open_options(const struct device_settings *settings);
/* Opens the one device that was asked for. */
int device_find(const struct device_settings *settings, struct mw_device **device);

/* Says those notes of a list that have these words in them; how many. */
size_t device_notes(const struct mw_device_list *list, const char *with);

/* Memory of a device that is to be used; 0: not known. */
uint64_t device_memory(const struct device_settings *settings, const struct mw_device_info *device);
/* For a plan: the device that would be opened.  And whether it holds so many bytes: MW_ELIMIT. */
int device_planned(const struct device_settings *settings, struct mw_device_info *device);
int device_holds(const struct mw_device_info *device, uint64_t bytes);
/* The memory of this machine, 0: not known.  And whether it holds so many bytes: MW_ELIMIT, with what to choose. */
int host_memory(uint64_t *bytes);
int host_holds(uint64_t bytes, const char *less);

/* A mesh, and how equations are evaluated on it. */
enum { PRECISION_SINGLE, PRECISION_DOUBLE };
struct mesh_settings {
    struct size size;
    struct choices boundary;
    int precision, integrator, laplacian;
    bool fast_math;
};
extern const struct option mesh_options[];
/* The boundary of each dimension.  MW_EINVAL: they do not fit the size. */
int mesh_boundaries(const struct mesh_settings *mesh, enum mw_boundary *boundary);

/* What all subcommands take: struct general of the command. */
extern const struct option_group general_group;

/* --variant NAME|auto|list. */
#define VARIANT_OPTION(settings, words) { .name = "variant", .type = OPTION_TEXT, \
    .target = offsetof(settings, variant), .value = "NAME|auto|list", .fallback = "auto", .help = words }
/* --repeat, --verify and --dry-run of what is computed in passes. */
#define PASS_OPTIONS(settings, repeat_words, verify_words) \
    { .name = "repeat", .type = OPTION_COUNT, .target = offsetof(settings, repeat), .value = "N", .fallback = "1", \
      .least = 1, .most = 1000000, .help = repeat_words }, \
    { .name = "verify", .type = OPTION_FLAG, .target = offsetof(settings, verify), .help = verify_words }, \
    { .name = "dry-run", .type = OPTION_FLAG, .target = offsetof(settings, dry_run), \
      .help = "show the plan, and compute nothing" }
/* MW_EINVAL with a suggestion where there is none of that name. */
int variant_check(const char *name, mw_variant_table *variants);
/* The same where others have variants of their own: for one of theirs the message is "--variant NAME IS: ADVICE", and
 * the names of `variants`. */
int variant_check_among(const char *name, mw_variant_table *variants, mw_variant_table *others, const char *is,
                        const char *advice);
/* What `--variant list` prints. */
int variant_list(mw_variant_table *variants);

#endif
/* SPDX-License-Identifier: MIT */
