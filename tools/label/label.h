/* What the files of `meshwork label` share. */
#ifndef LABEL_H
#define LABEL_H

#include <meshwork/components.h>
#include <meshwork/label.h>

#include "tools/cli/groups.h"
#include "tools/cli/passes.h"
#include "tools/label/pattern.h"

struct label_settings {
    const char *output, *png, *components, *cells;
    bool sizes, spanning, wide, verify, dry_run;
    int connectivity, lattice;
    const char *periodic, *background, *threshold, *tolerance;
    uint64_t min_size, max_size, seed, repeat;
    struct size size;
    const char *type, *pattern, *density, *save_pattern, *variant;
    struct device_settings device;
};

struct label {
    const struct label_settings *set;
    const struct command *command;
    const char *input;                   /* NULL: a pattern */
    const struct pattern *pattern;       /* NULL: a file */
    double density;
    bool is_colour;                      /* pixels with colour or alpha */
    struct mw_array source, labels;      /* colour: the alpha of pixels is inverted, so that opaque black is 0 */
    _Alignas(8) unsigned char background[8]; /* an element; with has_background and MW_JOIN_EQUAL */
    struct mw_label_options options;
    struct mw_device *device;
    struct mw_labelling *labelling;
    struct mw_prim *prim;
    struct mw_buffer *from, *to, *kept;  /* kept: the labels behind --min-size and --max-size */
    struct mw_components *components;    /* of those kept */
    struct mw_components_summary summary;
    size_t found, iterations;            /* components before some were dropped */
    struct mw_geometry *geometry;        /* where it is wanted */
    struct { size_t count, first; } spanning[MW_DIMS_MAX]; /* components that span a dimension: how many, and a label */
    struct passes passes;
    double start, build, upload, sizing, measuring, download, verify, output;
};

/* input.c */
/* Reads the file or makes the pattern.  MW_EINVAL, MW_EDATA and those of the readers. */
int label_read(struct label *l, const struct words *operands);
/* Fills l->options from the options and the source. */
int label_options_from(struct label *l);

/* verify.c: compares the labels with those of a flood fill on the host.  MW_EVERIFY. */
int label_verify(struct label *l);

/* write.c */
int label_check_outputs(const struct label *l);
int label_write(struct label *l);

/* shapes.c: geometry of the components, and files of it and of their cells. */
bool label_wants_shapes(const struct label *l);
int label_measure(struct label *l);
int label_write_components(const struct label *l);
int label_write_cells(const struct label *l);

/* report.c */
/* What a dimension is called: x, y, z, then by number. */
struct short_text label_axis(unsigned dim);
int label_plan(struct label *l);
int label_summary(const struct label *l);

#endif
/* SPDX-License-Identifier: MIT */
