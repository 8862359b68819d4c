/* What the variants share that go through the mesh in passes: programs, launches, roots. */
#include "label/passes.h"
#include "prim/rounds.h"

struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from)
{
    return labelling->image ? mw_arg_image(labelling->image) : mw_arg_buffer(from);
}

size_t mw_label_root_bytes(const struct mw_labelling *labelling)
{
    return mw_lattice_index_bytes(&labelling->lattice);
}

int mw_label_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots)
{
    size_t bytes;
    if (!mw_mul((size_t)labelling->lattice.cells, mw_label_root_bytes(labelling), &bytes))
        return mw_fail(MW_ELIMIT, "the labels of the mesh are more than this machine can address");
    return mw_buffer_new(labelling->device, bytes, roots);
}

int mw_label_own_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots)
{
    const bool narrower = mw_label_root_bytes(labelling) < mw_type_bytes(mw_labelling_type(labelling));
    *roots = NULL;
    return narrower ? mw_label_roots_new(labelling, roots) : 0;
}

int mw_label_program_make(const struct mw_labelling *labelling, const char *file, const char *defines,
                          const char *const *names, struct mw_label_program *program)
{
    struct mw_text text = { 0 };
    struct mw_source source = { .file = file, .fp64 = labelling->options.type == MW_TYPE_F64 };
    int rc;
    mw_text_add(&text, "%s%s", mw_strict_atomics(labelling->device), defines ? defines : "");
    TRY(mw_label_defines(labelling, &text));
    TRY(mw_text_ok(&text));
    source.defines = text.data;
    TRY(mw_program_new(labelling->device, &source, &program->program));
    for (unsigned i = 0; i < MW_LABEL_KERNELS && names[i]; i++)
        TRY(mw_kernel_new(program->program, names[i], &program->kernel[i]));
out:
    mw_text_free(&text);
    return rc;
}

void mw_label_program_drop(struct mw_label_program *program)
{
    for (unsigned i = 0; i < MW_LABEL_KERNELS; i++)
        mw_kernel_free(program->kernel[i]);
    mw_program_free(program->program);
    *program = (struct mw_label_program){ 0 };
}

int mw_label_launch(const struct mw_label_program *program, unsigned kernel, int64_t items, const struct mw_arg *args,
                    size_t count)
{
    const struct mw_range range = { .dims = 1, .global = { (size_t)items } };
    return mw_launch(program->kernel[kernel], &range, args, count, NULL);
}

int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components)
{
    const bool wide_roots = mw_label_root_bytes(labelling) == sizeof(int64_t);
    int rc = 0;
    if (!labelling->prim)
        TRY(mw_prim_new(labelling->device, &labelling->prim));
    TRY(mw_components_number(labelling->prim, roots, (size_t)labelling->lattice.cells,
                             wide_roots ? MW_TYPE_I64 : MW_TYPE_I32, labels, mw_labelling_type(labelling),
                             components));
out:
    return rc;
}

