/* What the variants share that go through the mesh in passes, on devices other than native ones. */
#ifndef MW_LABEL_PASSES_H
#define MW_LABEL_PASSES_H

#include "label/label_internal.h"

/* A program of cl/label and its kernels. */
enum { MW_LABEL_KERNELS = 4 };
struct mw_label_program {
    struct mw_program *program;
    struct mw_kernel *kernel[MW_LABEL_KERNELS];
};

/* Builds a file for a labelling's mesh, with lines of `defines` (NULL: none) beside those of mw_label_defines; and
 * makes the kernels that `names` lists up to a NULL.  What was made before a failure is the program's, to be
 * dropped. */
int mw_label_program_make(const struct mw_labelling *labelling, const char *file, const char *defines,
                          const char *const *names, struct mw_label_program *program);
void mw_label_program_drop(struct mw_label_program *program);
/* Launches one of the kernels with an item for each of so many cells, lines or blocks. */
int mw_label_launch(const struct mw_label_program *program, unsigned kernel, int64_t items, const struct mw_arg *args,
                    size_t count);

/* Bytes of a k-index, and thus of a root in these programs, also where labels are wider.  A buffer with a root for each
 * cell. */
size_t mw_label_root_bytes(const struct mw_labelling *labelling);
int mw_label_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots);
/* The same where the buffer of labels cannot serve for roots, because these are narrower; else NULL. */
int mw_label_own_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots);

/* The argument for VALUES (cl/label/mesh.clh): the buffer, or the image that it was copied to. */
struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from);
/* From roots, in a buffer of their own or that of the labels, to labels. */
int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components);

#endif
