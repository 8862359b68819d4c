/* Files of all states of a run: HDF5 with the conventions of NetCDF-4, and XDMF for viewers.
 *
 * The file has one dataset per field, with the dimensions time, z, y, x. The dimension `time` grows with each frame.
 * The datasets `time` and `step` have the time and the step of each frame, `x`, `y` and `z` the coordinates. Settings
 * are attributes of the file.
 *
 * Threads: a file belongs to one thread at a time. */
#ifndef MESHWORK_FRAMES_H
#define MESHWORK_FRAMES_H

#include <meshwork/io.h>
#include <meshwork/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handle of a file of frames that is open for writing. */
struct mw_frames;
/* Contents of a file of frames. */
struct mw_frames_options {
    size_t size;                       /* sizeof the struct: see status.h */
    enum mw_type type;                 /* type of the elements, not complex */
    unsigned dims;                     /* dimensions of the mesh, 1 to MW_DIMS_MAX */
    const size_t *length;              /* lengths of the mesh, x first */
    const double *spacing;             /* distance of neighbouring cells per dimension; NULL: 1 */
    size_t systems;                    /* independent meshes, a dimension `system` if above 1; 0: 1 */
    const char *const *names;          /* names of the fields */
    size_t count;                      /* number of fields */
    const struct mw_setting *settings; /* attributes; the last has name NULL; NULL: none. Numbers become numbers */
    bool resume;                       /* continue an existing file; false: replace it */
    uint64_t step;                     /* with `resume`: later frames are removed */
    int level;                         /* deflate level 1 to 9; 0: 1; negative: no compression */
};
/* Creates a file of frames, or opens an existing one to continue it. With `resume`, a missing file is created.
 * Settings without `may_differ` must then have the same values in the file. The caller frees it by mw_frames_close.
 * Errors: MW_ENOTSUP (built without HDF5), MW_EINVAL (options; the file belongs to another run), MW_EDATA (an existing
 * file that cannot be continued), MW_EIO, MW_ENOMEM. */
MW_API int mw_frames_open(const char *path, const struct mw_frames_options *options, struct mw_frames **frames);
/* Appends a frame and flushes the file, so that other programs can read it. A process that is killed later leaves a
 * readable file with this frame; one that is killed during the flush, which takes milliseconds, may leave a damaged
 * one.
 * - state: elements of all fields, as of one array: x first, then the fields if there are several, then the systems.
 * Errors: MW_EINVAL (another type or number of elements), MW_EIO. */
MW_API int mw_frames_add(struct mw_frames *frames, uint64_t step, double time, const struct mw_array *state);
/* Returns the number of frames in the file. */
MW_API size_t mw_frames_count(const struct mw_frames *frames);
/* Writes FILE.xdmf next to the file, for meshes of up to three dimensions. mw_frames_add does this after 1, 2, 4, 8 ...
 * frames. Neither syncs files: see mw_file_system_sync. Errors: MW_EIO, MW_ENOMEM. */
MW_API int mw_frames_index(struct mw_frames *frames);
/* Closes and frees a file of frames; NULL is allowed. All frames were flushed by mw_frames_add. */
MW_API void mw_frames_close(struct mw_frames *frames);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
