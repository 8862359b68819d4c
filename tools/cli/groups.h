/* Option groups shared by subcommands, their settings, and functions that use these. */
#ifndef TOOLS_GROUPS_H
#define TOOLS_GROUPS_H

#include <meshwork/device.h>
#include <meshwork/lattice.h>
#include <meshwork/tune.h>

#include "tools/cli/options.h"

/* The values of the device options. */
struct device_settings {
    const char *selector, *kernel_path, *shape;
    uint64_t threads, memory_limit;
};
/* Device options for one device; for several devices; for subcommands that need kernels or models. */
extern const struct option device_options[], devices_options[], kernel_options[];
/* Option groups for one device and its kernels; `member` of the subcommand's settings receives the values. */
#define DEVICE_GROUPS(settings, member)                                                                                \
    { "Device", device_options, offsetof(settings, member) }, { "Device", kernel_options, offsetof(settings, member) }
/* Option groups for several devices and their kernels; `member` of the subcommand's settings receives the values. */
#define DEVICES_GROUPS(settings, member)                                                                               \
    { "Device", devices_options, offsetof(settings, member) }, { "Device", kernel_options, offsetof(settings, member) }
/* Option groups of subcommands whose kernels take a work-group size by --shape: like DEVICE_GROUPS, DEVICES_GROUPS. */
extern const struct option shape_options[];
#define DEVICE_SHAPE_GROUPS(settings, member)                                                                          \
    DEVICE_GROUPS(settings, member), { "Device", shape_options, offsetof(settings, member) }
#define DEVICES_SHAPE_GROUPS(settings, member)                                                                         \
    DEVICES_GROUPS(settings, member), { "Device", shape_options, offsetof(settings, member) }
/* Stores the options of mw_device_open.  MW_EINVAL: --shape has more than a work-group size. */
int device_open_options(const struct device_settings *settings, struct mw_device_options *options);
/* Opens the device that the options name, or the default one. */
int device_find(const struct device_settings *settings, struct mw_device **device);
/* Closes a device of device_find or team_open, or keeps it open for later runs of this process; NULL is allowed. */
void device_give_back(struct mw_device *device);
/* Keeps devices open from now on: later runs with the same settings get them, with all programs that they have
 * loaded. */
void devices_keep(void);
/* Closes the kept devices; no run may be using them. */
void devices_drop(void);
/* Returns the kept device number `place` of a selector; NULL: not kept.  Notes a device that was opened. */
struct mw_device *device_kept(const struct device_settings *settings, size_t place);
void device_note(const struct device_settings *settings, size_t place, struct mw_device *device);

/* Prints the notes of a device list whose text contains `with`.  Returns their number. */
size_t device_notes(const struct mw_device_list *list, const char *with);

/* Returns the usable memory of a device; 0: unknown. */
uint64_t device_memory(const struct device_settings *settings, const struct mw_device_info *device);
/* Describes the device that a run would open, without opening it. */
int device_planned(const struct device_settings *settings, struct mw_device_info *device);
/* Checks that `bytes` fit the device's memory.  MW_ELIMIT: they do not. */
int device_holds(const struct mw_device_info *device, uint64_t bytes);
/* Checks that `bytes` fit the memory of this machine.  MW_ELIMIT: they do not; `less` is advice for the message. */
int host_holds(uint64_t bytes, const char *less);

/* A mesh, its boundary conditions and the discretisation. */
enum { PRECISION_SINGLE, PRECISION_DOUBLE };
enum { INTEGRATOR_LIST = 100 }; /* --integrator list; smaller values are those of enum mw_integrator */
struct mesh_settings {
    struct size size;
    struct choices boundary;
    int precision, integrator, laplacian;
    bool fast_math;
};
extern const struct option mesh_options[];
/* Stores the boundary condition of each dimension.  MW_EINVAL: their number does not match the mesh. */
int mesh_boundaries(const struct mesh_settings *mesh, enum mw_boundary *boundary);

/* Options of all subcommands, stored in the command's struct general. */
extern const struct option_group general_group;

/* --variant NAME|auto|list. */
/* clang-format off */
#define VARIANT_OPTION(settings, words) { .name = "variant", .type = OPTION_TEXT, \
    .target = offsetof(settings, variant), .value = "NAME|auto|list", .fallback = "auto", .help = words }
/* clang-format on */
/* --repeat, --verify and --dry-run of subcommands that compute in passes. */
/* clang-format off */
#define PASS_OPTIONS(settings, repeat_words, verify_words) \
    { .name = "repeat", .type = OPTION_COUNT, .target = offsetof(settings, repeat), .value = "N", .fallback = "1", \
      .least = 1, .most = 1000000, .help = repeat_words }, \
    { .name = "verify", .type = OPTION_FLAG, .target = offsetof(settings, verify), .help = verify_words }, \
    { .name = "dry-run", .type = OPTION_FLAG, .target = offsetof(settings, dry_run), \
      .help = "show the plan without computing" }
/* clang-format on */
/* Checks that a table has a variant of this name.  MW_EINVAL, with a suggestion: the name is unknown. */
int variant_check(const char *name, mw_variant_table *variants);
/* Checks the name of a variant like variant_check.  If `others` has it, the message is "--variant NAME IS: ADVICE" and
 * the names of `variants`. */
int variant_check_among(const char *name, mw_variant_table *variants, mw_variant_table *others, const char *is,
                        const char *advice);
/* Prints the table of `--variant list`. */
int variant_list(mw_variant_table *variants);

/* ---- element.c ---- */

/* Stores the bytes of one element: a number of `type`, or with `colour` a pixel from a colour or a gray value.
 * MW_EINVAL: the text is neither. */
int element_parse(const char *text, enum mw_type type, bool colour, void *element);

#endif
/* SPDX-License-Identifier: MIT */
