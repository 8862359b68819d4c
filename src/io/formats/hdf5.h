/* Calls of the HDF5 library, which is used by one thread at a time.  Internal. */
#ifndef MW_HDF5_H
#define MW_HDF5_H

#include <stdbool.h>
#include <stddef.h>

#include <meshwork/io.h>

#define WITHOUT_HDF5 "meshwork was built without HDF5 (install libhdf5-dev and build it again)"

#ifdef HAVE_HDF5
#include <hdf5.h>

/* Locks the library, which need not support threads, and keeps it from printing errors. */
struct mw_hdf5_lock {
    H5E_auto2_t print;
    void *context;
};
void mw_hdf5_lock(struct mw_hdf5_lock *lock);
void mw_hdf5_unlock(const struct mw_hdf5_lock *lock);
/* Copies the description of the last failure, without the names of the library's functions. */
void mw_hdf5_reason(char *text, size_t size);
/* Returns the type of elements in memory, which the caller closes by H5Tclose; negative: failure. */
hid_t mw_hdf5_type(enum mw_type type);
#endif

#endif
/* SPDX-License-Identifier: MIT */
