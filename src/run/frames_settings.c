/* Files of frames: settings as attributes.  Whole numbers and numbers become numbers, others text. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "run/frames_internal.h"

#ifdef HAVE_HDF5
#include <errno.h>

#define TEXT_MOST 60000 /* attributes have at most 64 KiB */

/* A value as it is stored. */
struct stored {
    hid_t type; /* closed by H5Tclose */
    union {
        long long whole;
        double real;
    } number;
    const void *at;
    size_t bytes;
};

static bool store(const char *text, struct stored *s)
{
    const size_t n = strlen(text);
    char *end;
    errno = 0;
    s->number.whole = strtoll(text, &end, 10);
    s->at = &s->number;
    s->bytes = sizeof s->number.whole;
    if (n > 0 && !*end && errno == 0) {
        s->type = H5Tcopy(H5T_NATIVE_LLONG);
        return s->type >= 0;
    }
    s->number.real = mw_number_read(text, &end);
    if (n > 0 && !*end) {
        s->type = H5Tcopy(H5T_NATIVE_DOUBLE);
        return s->type >= 0;
    }
    s->at = text;
    s->bytes = n + 1;
    s->type = H5Tcopy(H5T_C_S1);
    return s->type >= 0 && H5Tset_size(s->type, n + 1) >= 0 && H5Tset_cset(s->type, H5T_CSET_UTF8) >= 0;
}

static bool write_stored(hid_t object, const char *name, const struct stored *s)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, s->type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool fine = attribute >= 0 && H5Awrite(attribute, s->type, s->at) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return fine;
}

bool mw_frames_put_text(hid_t object, const char *name, const char *text)
{
    struct stored s = { .type = H5Tcopy(H5T_C_S1), .at = text, .bytes = strlen(text) + 1 };
    const bool fine = s.type >= 0 && H5Tset_size(s.type, s.bytes) >= 0 && write_stored(object, name, &s);
    H5Tclose(s.type);
    return fine;
}

/* NetCDF has no blanks at ends and no slashes in names; blanks are awkward in programs. */
static void name_of(const struct mw_setting *setting, char *name, size_t size)
{
    mw_copy_string(name, size, setting->name);
    for (char *c = name; *c; c++)
        if (*c == ' ' || *c == '/')
            *c = '_';
}

bool mw_frames_put_settings(hid_t file, const struct mw_setting *settings)
{
    bool fine = true;
    for (const struct mw_setting *at = settings; fine && at && at->name; at++) {
        char name[128];
        struct stored s;
        name_of(at, name, sizeof name);
        if (strlen(at->value) > TEXT_MOST || H5Aexists(file, name) > 0)
            continue;
        fine = store(at->value, &s) && write_stored(file, name, &s);
        H5Tclose(s.type);
    }
    return fine;
}

/* Returns whether an attribute has the value of a setting. */
static bool is_equal(hid_t file, const char *name, const struct stored *s)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    char *there = NULL;
    bool equal = type >= 0 && H5Tget_class(type) == H5Tget_class(s->type) && H5Tget_size(type) == s->bytes &&
                 mw_new(s->bytes, 1, &there) == 0 && H5Aread(attribute, s->type, there) >= 0 &&
                 memcmp(there, s->at, s->bytes) == 0;
    free(there);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
    return equal;
}

int mw_frames_compare_settings(const char *path, hid_t file, const struct mw_setting *settings)
{
    for (const struct mw_setting *at = settings; at && at->name; at++) {
        char name[128];
        struct stored s;
        bool equal;
        if (at->may_differ || strlen(at->value) > TEXT_MOST)
            continue;
        name_of(at, name, sizeof name);
        equal = store(at->value, &s) && is_equal(file, name, &s);
        H5Tclose(s.type);
        if (!equal)
            return mw_fail(MW_EINVAL, "%s belongs to another run: its attribute %s is not %.60s (give another file)",
                           path, name, at->value);
    }
    return 0;
}

#endif
/* SPDX-License-Identifier: MIT */
