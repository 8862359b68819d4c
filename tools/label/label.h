/* Shared by the files of `meshwork label`. */
#ifndef LABEL_H
#define LABEL_H

#include <meshwork/components.h>
#include <meshwork/label.h>

#include "tools/cli/memory.h"
#include "tools/cli/passes.h"
#include "tools/label/pattern.h"
#include "tools/machine/team.h"

struct label_settings {
    const char *output, *png, *components, *cells;
    bool sizes, spanning, wide, verify, dry_run;
    int connectivity, lattice;
    const char *periodic, *background, *threshold, *tolerance;
    uint64_t min_size, max_size, seed, repeat, offset;
    struct size size;
    const char *type, *pattern, *density, *save_pattern, *variant;
    struct device_settings device;
};

struct label {
    struct workflow flow;
    const struct label_settings *set;
    const char *input;             /* NULL: a pattern */
    const struct pattern *pattern; /* NULL: a file */
    double density;
    bool is_colour;  /* pixels with colour or alpha */
    bool is_picture; /* read from a file of pixels */
    bool has_clear;  /* some pixels are fully transparent */
    /* Colour: alpha is inverted, so that opaque black is 0.  The cells move to the device, and are kept here if
     * label_keeps_source; type and lengths remain. */
    struct mw_array source;
    uint64_t reading_bytes; /* maximum memory of reading or making the source */
    enum mw_type label_type;
    uint64_t checksum;                       /* checksum of the labels */
    _Alignas(8) unsigned char background[8]; /* an element; with MW_JOIN_EQUAL */
    struct mw_label_options options;
    struct team team; /* values and labels are on the first device */
    struct mw_labelling *labelling;
    struct mw_prim *prim;
    const char *found_by;             /* name of the variant */
    struct mw_buffer *from, *to;      /* values until they are labelled; labels until they are written */
    struct mw_components *components; /* the kept components */
    struct mw_components_summary summary;
    size_t found, iterations;     /* components before some were dropped */
    struct mw_geometry *geometry; /* if requested */
    struct {
        size_t count, first;
    } spanning[MW_DIMS_MAX]; /* components spanning a dimension: number, and one label */
    struct passes passes;
    double build, upload, sizing, measuring, download; /* seconds */
};

/* formats.c */
/* Reads the file, recognised by name or first bytes.  MW_EINVAL, MW_EDATA, or a status of the readers. */
int label_read_file(struct label *l);
/* Turns fully transparent pixels into background; call it when the background value is known. */
void label_clear_pixels(struct label *l);

/* input.c */
/* Reads the file or makes the pattern.  MW_EINVAL, MW_EDATA, or a status of the readers. */
int label_read(struct label *l, const struct words *operands);
/* Notes that equal values are joined while most differing neighbours are nearly equal. */
void label_note_near(const struct label *l);
/* Sets l->options from the command line and the source. */
int label_options_from(struct label *l);

/* verify.c: compares the labels with a flood fill on the host.  MW_EVERIFY. */
int label_verify(void *task);

/* Maximum bytes of a slice.  Labels are copied from the device in slices, so that the host never holds all of them
 * (write.c). */
#define LABEL_SLICE_BYTES ((size_t)4 << 20)
/* Returns whether --min-size or --max-size drops components. */
static inline bool label_drops(const struct label *l) { return l->set->min_size || l->set->max_size; }
/* Returns whether the host must keep the cells after they have been copied to the device. */
bool label_keeps_source(const struct label *l);
/* Moves the source to the device; frees the host's memory in steps. */
int label_upload(struct label *l);
/* Calls `take` with consecutive slices of the labels: `count` labels from cell `first` on. */
int label_each_slice(const struct label *l, int (*take)(void *context, size_t first, size_t count, const void *labels),
                     void *context);
/* Calls `take` with consecutive slices of a buffer on the device: `count` elements of `bytes` bytes in all. */
int buffer_each_slice(struct mw_buffer *buffer, size_t count, size_t bytes,
                      int (*take)(void *context, size_t first, size_t count, const void *elements), void *context);
static inline int64_t label_at(const void *labels, enum mw_type type, size_t i)
{
    return type == MW_TYPE_I64 ? ((const int64_t *)labels)[i] : ((const int32_t *)labels)[i];
}

/* Adds the memory of each phase of the work to a plan, with that of the first device.  It depends on the number of
 * components, which is estimated from a sample and stored in *components.  Stores in *part the memory of each further
 * device (memory.c). */
int label_memory(const struct label *l, const struct team_plan *team, struct memory_plan *memory, uint64_t *part,
                 uint64_t *components);

/* ---- write.c ---- */

/* Checks that the requested files can be written. */ int label_check_outputs(const struct label *l);
int label_write(void *task);
/* Writes a buffer as an array with the type and lengths of `like`. */
int label_write_buffer(const char *path, const struct mw_array *like, struct mw_buffer *buffer);

/* shapes.c: measures components, writes their geometry and their cells. */
bool label_wants_shapes(const struct label *l);
int label_measure(struct label *l);
int label_write_components(const struct label *l);
int label_write_cells(const struct label *l);

/* report.c */
/* Returns the name of a dimension: x, y, z, then by number. */
struct short_text label_axis(unsigned dim);
int label_plan(void *task);
int label_summary(void *task);

/* ---- colours.c ---- */

/* The assignment of colours to labels. */
struct colours {
    uint16_t cell[512];
    unsigned first, step[2];
    uint64_t largest;
};

/* Prepares the colours; `largest` is the label of the largest component, which becomes white. */
void colours_begin(struct colours *colours, uint64_t largest);
/* Computes the colour of a label: black for 0, distinct ones below 2^24. */
void colours_of(const struct colours *colours, uint64_t label, unsigned char *rgb);

#endif
/* SPDX-License-Identifier: MIT */
