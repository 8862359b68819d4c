/* meshwork label: labels the components of an image, a volume or a pattern, and measures them. */
#include "tools/cli/subcommands.h"
#include "tools/label/label.h"

#define AT(member) offsetof(struct label_settings, member)

/* clang-format off */
static const struct option options[] = {
    { .name = "output", .letter = 'o', .type = OPTION_FILE, .target = AT(output), .value = "FILE.npy",
      .help = "write the labels as .npy; - is standard output, with the summary on standard error" },
    { .name = "png", .type = OPTION_FILE, .target = AT(png), .value = "FILE.png",
      .help = "draw each component in its own colour (distinct up to 2^24 labels), the largest white, background "
              "black; of a volume its first plane" },
    { .name = "sizes", .type = OPTION_FLAG, .target = AT(sizes), 
      .help = "print the component size histogram (-v: untruncated)" },
    { .name = "spanning", .type = OPTION_FLAG, .target = AT(spanning),
      .help = "print the components that span the mesh from one end to the other" },
    { .name = "components", .type = OPTION_FILE, .target = AT(components), .value = "FILE.csv",
      .help = "write one line per component: size, bounding box, centre, radius of gyration, spanned dimensions" },
    { .name = "cells", .type = OPTION_FILE, .target = AT(cells), .value = "FILE.npy",
      .help = "write the cells of each component as indices in file order, components in ascending order" },
    { .name = "connectivity", .type = OPTION_CHOICE, .target = AT(connectivity), .value = "faces|all",
      .named = mw_connectivity_name,
      .also = "4=faces (4 neighbours in two dimensions, 6 in three)|6=faces (6 neighbours in three dimensions, 4 in "
              "two)|8=all (8 neighbours in two dimensions, 26 in three)|26=all (26 neighbours in three dimensions, 8 "
              "in two)", .fallback = "faces",
      .help = "neighbours of a cell: sharing a face, or also a corner" },
    { .name = "lattice", .type = OPTION_CHOICE, .target = AT(lattice), .value = "hypercubic|bcc|fcc|triangular",
      .named = mw_lattice_kind_name, .fallback = "hypercubic",
      .help = "lattice of the cells; all but hypercubic determine their neighbours" },
    { .name = "periodic", .type = OPTION_TEXT, .target = AT(periodic), .value = "all|none|x,y...", .alone = "all",
      .fallback = "none", .help = "periodic dimensions; without a value: all" },
    { .name = "background", .type = OPTION_TEXT, .target = AT(background), .value = "VALUE|none",
      .help = "value of cells outside all components, for pictures with colour #RRGGBB; none: every cell belongs to "
              "one (default: 0; for pictures black and fully transparent pixels; with --threshold cells not above it; "
              "with --tolerance none)" },
    { .name = "threshold", .type = OPTION_TEXT, .target = AT(threshold), .value = "X",
      .help = "connect cells on the same side of X (default for floating-point input: X = 0)" },
    { .name = "tolerance", .type = OPTION_TEXT, .target = AT(tolerance), .value = "X",
      .help = "connect neighbours with values that differ by at most X; for floating-point input" },
    { .name = "min-size", .type = OPTION_COUNT, .target = AT(min_size), .value = "N", .least = 1,
      .help = "keep components of N cells or more; others become background, and the rest is renumbered" },
    { .name = "max-size", .type = OPTION_COUNT, .target = AT(max_size), .value = "N", .least = 1,
      .help = "keep components of N cells or fewer" },
    { .name = "wide", .type = OPTION_FLAG, .target = AT(wide), .help = "use 64-bit labels instead of 32-bit ones" },
    { .name = "size", .type = OPTION_SIZE, .target = AT(size), .value = "WxHx...",
      .help = "lengths of raw elements or of a pattern (default for a pattern: 512x512)" },
    { .name = "type", .type = OPTION_TEXT, .target = AT(type), .value = "TYPE",
      .help = "NumPy type of raw elements: bool, uint8, int32, float64 ...; with a byte order: >u2 or uint16be" },
    { .name = "offset", .type = OPTION_COUNT, .target = AT(offset), .value = "BYTES", .fallback = "0",
      .help = "size of the header before raw elements" },
    { .name = "pattern", .type = OPTION_TEXT, .target = AT(pattern), .value = "spiral|random|domains",
      .help = "label a test pattern instead of a file" },
    { .name = "density", .type = OPTION_TEXT, .target = AT(density), .value = "X",
      .help = "fraction of a pattern's cells that are 1 (default: 0.5)" },
    { .name = "seed", .type = OPTION_COUNT, .target = AT(seed), .value = "N", .fallback = "0",
      .help = "seed of a pattern" },
    { .name = "save-pattern", .type = OPTION_FILE, .target = AT(save_pattern), .value = "FILE",
      .help = "write the pattern to a .npy or .png file" },
    VARIANT_OPTION(struct label_settings, "variant that finds components; auto chooses for the device"),
    PASS_OPTIONS(struct label_settings, "time N passes after one warm-up pass; report the median",
                 "compare with a flood fill on the host"),
    { 0 }
};
/* clang-format on */

static int label_prepare(void *task)
{
    struct label *l = task;
    TRY_RETURN(variant_check(l->set->variant, mw_label_variants));
    TRY_RETURN(label_check_outputs(l));
    TRY_RETURN(label_read(l, &l->flow.command->operands));
    TRY_RETURN(label_options_from(l));
    label_note_near(l);
    return passes_new(l->set->repeat, &l->passes);
}

/* ---- computation ---- */

static int time_pass(struct label *l, double *seconds)
{
    double start;
    TRY_RETURN(mw_device_finish(l->team.device[0]));
    start = mw_now();
    TRY_RETURN(mw_labelling_run(l->labelling, l->from, l->to, &l->found, &l->iterations));
    *seconds = mw_now() - start;
    return 0;
}

/* The first pass builds programs, which can take seconds, so it is a warm-up pass. */
static int time_passes(struct label *l)
{
    double first;
    TRY_RETURN(time_pass(l, &first));
    l->build += first;
    for (size_t i = 0; i < l->set->repeat; i++)
        TRY_RETURN(time_pass(l, &l->passes.seconds[i]));
    passes_sort(&l->passes);
    return 0;
}

/* Computes component sizes, and the sizes of the kept components if some are dropped. */
static int size_up(struct label *l)
{
    const enum mw_type type = l->label_type;
    const struct label_settings *set = l->set;
    const struct phase phase = phase_begin();
    size_t count = l->found;
    struct mw_components *all = NULL;
    int rc;
    TRY(mw_prim_new(l->team.device[0], &l->prim));
    if (label_drops(l)) {
        TRY(mw_components_new(l->prim, l->to, l->source.count, type, count, &all));
        TRY(mw_components_keep(all, set->min_size, set->max_size ? set->max_size : SIZE_MAX, l->to, &count));
        mw_components_free(all);
        all = NULL;
    }
    TRY(mw_components_new(l->prim, l->to, l->source.count, type, count, &l->components));
    l->summary.size = sizeof l->summary;
    TRY(mw_components_summarise(l->components, &l->summary));
    l->sizing = phase_end(&phase, &l->build);
out:
    mw_components_free(all);
    return rc;
}

/* Checks the plan against --memory-limit before the computation. */
static int check_memory(const struct label *l)
{
    struct memory_plan memory = { 0 };
    struct team_plan team;
    uint64_t part, components;
    if (!l->set->device.memory_limit)
        return 0;
    TRY_RETURN(team_plan(&l->set->device, &team));
    TRY_RETURN(label_memory(l, &team, &memory, &part, &components));
    return team_holds(&team, &memory, part);
}

struct summing {
    enum mw_type type;
    struct mw_checksum *sum;
};

static int add_to_checksum(void *context, size_t first, size_t count, const void *labels)
{
    const struct summing *s = context;
    mw_checksum_add(s->sum, s->type, labels, count);
    return 0;
}

static int take_checksum(struct label *l)
{
    struct summing s = { .type = l->label_type };
    int rc;
    TRY(mw_checksum_new(&s.sum));
    TRY(label_each_slice(l, add_to_checksum, &s));
    l->checksum = mw_checksum_value(s.sum);
out:
    mw_checksum_free(s.sum);
    return rc;
}

/* Frees the values and the labelling before further memory is allocated. */
static int label_compute(void *task)
{
    struct label *l = task;
    const size_t cells = l->source.count;
    struct mw_device *const *const device = l->team.device;
    double start = mw_now();
    memory_give_back_early();
    TRY_RETURN(team_open(&l->set->device, &l->team));
    TRY_RETURN(check_memory(l));
    TRY_RETURN(mw_labelling_new(device, l->team.count, &l->options, &l->labelling));
    l->label_type = mw_labelling_type(l->labelling);
    l->found_by = mw_labelling_variant(l->labelling);
    l->build = mw_now() - start;
    start = mw_now();
    TRY_RETURN(mw_buffer_new(device[0], cells * mw_type_bytes(l->source.type), &l->from));
    TRY_RETURN(mw_buffer_new(device[0], cells * mw_type_bytes(l->label_type), &l->to));
    TRY_RETURN(label_upload(l));
    l->upload = mw_now() - start;
    TRY_RETURN(time_passes(l));
    mw_labelling_free(l->labelling);
    mw_buffer_free(l->from);
    l->labelling = NULL;
    l->from = NULL;
    TRY_RETURN(size_up(l));
    if (label_wants_shapes(l))
        TRY_RETURN(label_measure(l));
    start = mw_now();
    TRY_RETURN(take_checksum(l));
    l->download = mw_now() - start;
    return 0;
}

static void label_free(void *task)
{
    struct label *l = task;
    mw_geometry_free(l->geometry);
    mw_components_free(l->components);
    mw_prim_free(l->prim);
    mw_labelling_free(l->labelling);
    mw_buffer_free(l->from);
    mw_buffer_free(l->to);
    team_close(&l->team);
    mw_array_free(&l->source);
    free(l->passes.seconds);
}

static const struct workflow_kind label_kind = { label_prepare, label_plan,    label_compute, label_verify,
                                                 label_write,   label_summary, label_free };

static int label_run(struct command *command)
{
    struct label l = { .flow.command = command, .set = command->settings };
    if (!strcmp(l.set->variant, "list"))
        return variant_list(mw_label_variants);
    return workflow_run(&l, &label_kind, l.set->dry_run, l.set->verify);
}

static const struct option_group groups[] = { { "Label", options, 0 },
                                              DEVICES_SHAPE_GROUPS(struct label_settings, device),
                                              { 0 } };

const struct subcommand label_subcommand = {
    .name = "label",
    .operands = "[FILE]",
    .summary = "label connected components",
    .description =
        "Numbers the connected components of an image or a volume 1, 2, ... in the order of their first cells; "
        "background is 0. FILE is an array (.npy, .npz, .tif, .nrrd, .mha, .h5) or a picture (.png, .pgm, .pbm), or "
        "has raw elements, with --size and --type; - is .npy (with --type raw elements) on standard input. "
        "Integers, pictures and booleans: cells of equal value connect, and 0 (for colours black and transparent "
        "pixels) is background. Floating-point input: cells above the threshold connect.",
    .groups = groups,
    .settings_bytes = sizeof(struct label_settings),
    .most_operands = 1,
    .run = label_run,
};
/* SPDX-License-Identifier: MIT */
