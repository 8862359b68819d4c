/* From roots to canonical labels: roots are counted by chunks of cells, the counts scanned, roots numbered, and cells
 * look up their root's number.  Reads the cells three times and writes them once. */
#include "dev/backend.h"
#include "label/passes.h"

#include <inttypes.h>
#include <stdlib.h>

/* Compiled from the same arithmetic (number.inc). */
extern const struct mw_native_kernel mw_native_number_32[], mw_native_number_64[];

enum { COUNT, ASSIGN, WRITE, KERNELS };
static const char *const names[KERNELS] = { "label_count", "label_assign", "label_write" };

enum { GROUP = 256, PER_ITEM = 8 };
enum { CHUNK_LEAST = 4096, CHUNK_MOST = 32768 }; /* of a core: some drivers end an item's loops after 65535 rounds */

struct mw_label_numbering {
    struct mw_program *program;
    struct mw_kernel *kernel[KERNELS];
    struct mw_buffer *numbers;   /* of each cell; only the roots' are used */
    struct mw_buffer *counts;    /* of each chunk: its roots, then those of the chunks before */
    enum mw_type type;           /* of roots */
    size_t group;                /* items that share a chunk; 0: an item has one by itself */
    int64_t chunk, chunks;
};

static void drop_program(struct mw_label_numbering *n)
{
    for (unsigned i = 0; i < KERNELS; i++) {
        mw_kernel_free(n->kernel[i]);
        n->kernel[i] = NULL;
    }
    mw_program_free(n->program);
    n->program = NULL;
}

void mw_label_numbering_free(struct mw_label_numbering *n)
{
    if (!n)
        return;
    drop_program(n);
    mw_buffer_free(n->numbers);
    mw_buffer_free(n->counts);
    free(n);
}

/* Cores have loops of their own; the items of others work together. */
static void share_out(const struct mw_labelling *labelling, size_t most, struct mw_label_numbering *n)
{
    const struct mw_device_info *info = mw_device_info(labelling->device);
    const int64_t cells = labelling->lattice.cells, units = info->compute_units ? info->compute_units : 1;
    if (mw_has_cores(info)) {
        n->chunk = cells / (4 * units);
        n->chunk = n->chunk < CHUNK_LEAST ? CHUNK_LEAST : n->chunk > CHUNK_MOST ? CHUNK_MOST : n->chunk;
    } else {
        n->group = GROUP;
        while (n->group > 1 && n->group > most)
            n->group /= 2;
        n->chunk = (int64_t)n->group * PER_ITEM;
    }
    n->chunks = cells / n->chunk + (cells % n->chunk != 0);
}

static int build(const struct mw_labelling *labelling, struct mw_label_numbering *n)
{
    const bool wide_roots = n->type == MW_TYPE_I64;
    struct mw_source source = { .file = "label/number.cl",
                                .native = wide_roots ? mw_native_number_64 : mw_native_number_32 };
    struct mw_text defines = { 0 };
    int rc;
    if (wide_roots)
        mw_text_add(&defines, "#define LABEL_64 1\n");
    if (labelling->wide)
        mw_text_add(&defines, "#define RESULT_64 1\n");
    if (n->group)
        mw_text_add(&defines, "#define GROUP %zu\n#define PER_ITEM %d\n", n->group, PER_ITEM);
    TRY(mw_text_ok(&defines));
    source.defines = defines.data;
    TRY(mw_program_new(labelling->device, &source, &n->program));
    for (unsigned i = 0; i < KERNELS; i++)
        TRY(mw_kernel_new(n->program, names[i], &n->kernel[i]));
out:
    mw_text_free(&defines);
    return rc;
}

/* The items that every kernel takes in a group, where that is less than theirs; else 0. */
static size_t smaller_group(const struct mw_label_numbering *n)
{
    struct mw_kernel_limits limits;
    size_t least = n->group;
    for (unsigned i = 0; i < WRITE; i++) {
        mw_kernel_limits(n->kernel[i], &limits);
        least = limits.max_group && limits.max_group < least ? limits.max_group : least;
    }
    return least < n->group ? least : 0;
}

static int numbering_new(struct mw_labelling *labelling, size_t root_bytes, struct mw_label_numbering **numbering)
{
    struct mw_label_numbering *n = NULL;
    size_t smaller;
    int rc;
    TRY(mw_new(1, sizeof *n, &n));
    n->type = root_bytes == sizeof(int64_t) ? MW_TYPE_I64 : MW_TYPE_I32;
    share_out(labelling, mw_device_info(labelling->device)->max_group, n);
    TRY(build(labelling, n));
    smaller = smaller_group(n);
    if (smaller > 0) {
        drop_program(n);
        share_out(labelling, smaller, n);
        TRY(build(labelling, n));
    }
    TRY(mw_buffer_new(labelling->device, (size_t)labelling->lattice.cells * root_bytes, &n->numbers));
    TRY(mw_buffer_new(labelling->device, (size_t)n->chunks * root_bytes, &n->counts));
    *numbering = n;
    n = NULL;
out:
    mw_label_numbering_free(n);
    return rc;
}

static int launch(const struct mw_label_numbering *n, unsigned kernel, int64_t cells, struct mw_buffer *const *buffers,
                  size_t count)
{
    const bool by_cells = n->group && kernel == WRITE;
    struct mw_range range = { .dims = 1 };
    struct mw_arg args[5];
    for (size_t i = 0; i < count; i++)
        args[i] = mw_arg_buffer(buffers[i]);
    args[count] = mw_arg_i64(cells);
    args[count + 1] = mw_arg_i64(n->chunk);
    range.global[0] = by_cells ? (size_t)cells : (size_t)n->chunks * (n->group ? n->group : 1);
    range.group[0] = by_cells ? 0 : n->group ? n->group : 1;
    return mw_launch(n->kernel[kernel], &range, args, count + 2, NULL);
}

int mw_label_number_from(struct mw_labelling *labelling, struct mw_buffer *roots, size_t root_bytes,
                         struct mw_buffer *labels, size_t *components)
{
    const int64_t cells = labelling->lattice.cells;
    struct mw_label_numbering *n;
    int64_t total = 0;
    int32_t total_32;
    int rc = 0;
    if (!labelling->prim)
        TRY(mw_prim_new(labelling->device, &labelling->prim));
    if (!labelling->numbering)
        TRY(numbering_new(labelling, root_bytes, &labelling->numbering));
    n = labelling->numbering;
    TRY(launch(n, COUNT, cells, (struct mw_buffer *[]){ n->counts, roots }, 2));
    TRY(mw_prim_scan(labelling->prim, n->counts, n->counts, (size_t)n->chunks, n->type, false,
                     n->type == MW_TYPE_I64 ? (void *)&total : &total_32));
    TRY(launch(n, ASSIGN, cells, (struct mw_buffer *[]){ n->numbers, roots, n->counts }, 3));
    TRY(launch(n, WRITE, cells, (struct mw_buffer *[]){ labels, roots, n->numbers }, 3));
    TRY(mw_device_finish(labelling->device));
    *components = (size_t)(n->type == MW_TYPE_I64 ? total : total_32);
out:
    return rc;
}

int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *labels, size_t *components)
{
    return mw_label_number_from(labelling, labels, labelling->wide ? sizeof(int64_t) : sizeof(int32_t), labels,
                                components);
}
