/* Files of frames: declarations shared by their parts.  Internal. */
#ifndef MW_FRAMES_INTERNAL_H
#define MW_FRAMES_INTERNAL_H

#include <meshwork/frames.h>

#include "base/base.h"

/* The description of a file, which HDF5 and XDMF share. */
struct mw_frames_form {
    char *path;
    enum mw_type type;
    unsigned dims;
    size_t length[MW_DIMS_MAX], systems, count;
    double spacing[MW_DIMS_MAX];
    char **names;
};
/* The name of a dimension. */
const char *mw_frames_axis(unsigned dimension);
/* frames_xdmf.c: writes the XDMF file of `count` frames at these times; does nothing if XDMF cannot describe them. */
int mw_frames_xdmf(const struct mw_frames_form *form, const double *times, size_t count);

#ifdef HAVE_HDF5
#include "io/formats/hdf5.h"

/* frames_settings.c: writes settings as attributes of a file, or compares them with these.  Returns false if HDF5
 * fails. */
bool mw_frames_put_settings(hid_t file, const struct mw_setting *settings);
int mw_frames_compare_settings(const char *path, hid_t file, const struct mw_setting *settings);
/* frames_settings.c: writes an attribute of fixed length. */
bool mw_frames_put_text(hid_t object, const char *name, const char *text);
#endif

#endif
/* SPDX-License-Identifier: MIT */
