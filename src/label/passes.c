/* What the variants share that work cell by cell on OpenCL devices: programs, launches, rounds. */
#include "label/passes.h"

#include <string.h>

const char *mw_label_needs_opencl(const struct mw_labelling *labelling)
{
    return mw_device_info(labelling->device)->kind == MW_KIND_NATIVE ? "needs an OpenCL device: use runs" : NULL;
}

struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from)
{
    return labelling->image ? mw_arg_image(labelling->image) : mw_arg_buffer(from);
}

/* Oclgrind takes the letter of the standard, which has no loads that race with atomic operations. */
const char *mw_label_strictness(const struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    return strstr(info->name, "Oclgrind") || strstr(info->platform, "Oclgrind") ? "#define STRICT_ATOMICS 1\n" : "";
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

int mw_label_program_make(const struct mw_labelling *labelling, const char *file, const char *defines,
                          const char *const *names, struct mw_label_program *program)
{
    struct mw_text text = { 0 };
    struct mw_source source = { .file = file, .fp64 = labelling->options.type == MW_TYPE_F64 };
    int rc;
    mw_text_add(&text, "%s%s", mw_label_strictness(labelling->device), defines ? defines : "");
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

int mw_label_changed_new(struct mw_device *device, struct mw_buffer **changed)
{
    return mw_buffer_new(device, (MW_LABEL_ROUNDS + 1) * sizeof(int32_t), changed);
}

int mw_label_repeat(struct mw_buffer *changed, int (*round)(void *context, int32_t r), void *context, size_t *rounds)
{
    int32_t flags[MW_LABEL_ROUNDS + 1];
    size_t done = 0;
    int rc;
    /* The more there were, the more are worth the wait that they spare. */
    for (int32_t batch = 4;; batch = batch < MW_LABEL_ROUNDS ? 2 * batch : batch) {
        TRY(mw_buffer_fill(changed, 0, sizeof flags, 0));
        TRY(mw_buffer_fill(changed, 0, 1, 1));
        for (int32_t r = 0; r < batch; r++)
            TRY(round(context, r));
        TRY(mw_buffer_read(changed, 0, ((size_t)batch + 1) * sizeof *flags, flags, NULL));
        for (int32_t r = 1; r <= batch; r++) {
            done++;
            if (!flags[r]) {
                *rounds = done;
                goto out;
            }
        }
    }
out:
    return rc;
}
