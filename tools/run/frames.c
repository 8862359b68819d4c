/* meshwork run --hdf5: one file of all states. */
#include <meshwork/file.h>

#include "tools/report/files.h"
#include "tools/run/simulation.h"

/* The file that viewers open. */
static int xdmf_writable(const struct run *r, const char *path)
{
    struct mw_text xdmf = { 0 };
    int rc;
    mw_text_add_stem(&xdmf, path);
    mw_text_add(&xdmf, ".xdmf");
    TRY(mw_text_ok(&xdmf));
    TRY(file_writable(xdmf.data));
    if (r->resume.from && !restart_begins(xdmf.data, "<?xml"))
        rc = mw_fail(MW_EINVAL, "%s, the file for viewers, has other contents: give another name by --hdf5", xdmf.data);
out:
    mw_text_free(&xdmf);
    return rc;
}

int frames_prepare(const struct run *r)
{
    const char *path = r->set->hdf5;
    if (!path)
        return 0;
    if (!strcmp(path, "-"))
        return mw_fail(MW_EINVAL, "--hdf5 needs a file, not standard output: give a name");
    if (!text_ends_in(path, ".h5") && !text_ends_in(path, ".hdf5") && !text_ends_in(path, ".nc"))
        return mw_fail(MW_EINVAL, "--hdf5: '%s' must end in .h5, .hdf5 or .nc", path);
    TRY_RETURN(file_writable(path));
    return xdmf_writable(r, path);
}

static int add_command(const struct run *r, struct setting_list *list)
{
    struct mw_text words = { 0 };
    int rc;
    mw_text_add(&words, "meshwork %s", r->command->subcommand->name);
    for (int i = 0; i < r->command->argc; i++)
        mw_text_add(&words, " %s", r->command->argv[i]);
    TRY(mw_text_ok(&words));
    setting_add(list, true, "command", "%s", words.data);
out:
    mw_text_free(&words);
    return rc;
}

/* The file is opened at the first frame: a run that fails before it leaves an earlier file. */
static int open_file(struct run *r, const struct mw_array *state)
{
    const unsigned mesh = r->set->mesh.size.dims; /* 0: walks, whose field is all of a state */
    const unsigned dims = mesh ? mesh : state->dims;
    struct setting_list list = { 0 };
    size_t cells = 1;
    int rc;
    for (unsigned d = 0; d < dims; d++)
        cells *= state->length[d];
    for (const struct mw_setting *s = r->resume.settings.item; s && s->name; s++)
        setting_add(&list, s->may_differ, s->name, "%s", s->value);
    setting_add(&list, false, "model_hash", "%016llx", (unsigned long long)r->model.hash);
    TRY(add_command(r, &list));
    TRY(list.rc);
    const struct mw_frames_options options = { .size = sizeof options,
                                               .type = state->type,
                                               .dims = dims,
                                               .length = state->length,
                                               .spacing = r->model.spacing,
                                               .systems = state->count / cells / r->model.name_count,
                                               .names = r->model.names,
                                               .count = r->model.name_count,
                                               .settings = list.item,
                                               .resume = r->resume.from != NULL,
                                               .step = r->resume.from ? mw_checkpoint_step(r->resume.from) : 0 };
    TRY(mw_frames_open(r->set->hdf5, &options, &r->observe.frames.file));
out:
    settings_free(&list);
    return rc;
}

int frames_write(struct run *r, uint64_t step)
{
    struct mw_array field = { 0 };
    const struct mw_array *found;
    int rc;
    if (!r->set->hdf5)
        return 0;
    TRY(write_find_field(r, &field, &found));
    if (!r->observe.frames.file)
        TRY(open_file(r, found));
    TRY(mw_frames_add(r->observe.frames.file, step, run_time(r, step), found));
    r->observe.frames.unsynced = true;
out:
    mw_array_free(&field);
    return rc;
}

int frames_sync(struct run *r)
{
    if (!r->observe.frames.unsynced)
        return 0;
    TRY_RETURN(mw_frames_index(r->observe.frames.file));
    r->observe.frames.unsynced = false;
    return mw_file_system_sync(r->set->hdf5);
}
/* SPDX-License-Identifier: MIT */
