/* The host for backends: its cores, its memory, and permitted changes of its process.  Internal.
 * Any thread may call these functions. */
#ifndef MW_HOST_H
#define MW_HOST_H

#include <pthread.h>

#include <meshwork/device.h>

#include "base/base.h"

/* cpu.c: the number of cores in this process's affinity mask, at least 1. */
unsigned mw_core_count(void);
/* Returns the number of lanes of this CPU's float vectors. */
unsigned mw_cpu_lanes(void);
/* Fills info->vendor and info->name with those of this CPU. */
void mw_cpu_describe(struct mw_device_info *info);
/* Appends a description of this CPU on which a compiler's code may depend. */
void mw_cpu_identify(struct mw_text *text);
/* Returns the physical memory, or the part that control groups allow; 0: unknown. */
uint64_t mw_host_bytes(void);
/* Checks the size of a compressed file's contents, against files made to exhaust memory. Fails with MW_ELIMIT if
 * `unpacked` is more than `most` bytes (0: half of mw_host_bytes) and more than 100 times `packed`. */
int mw_host_takes_unpacked(const char *name, uint64_t packed, uint64_t unpacked, uint64_t most);

/* memory.c: allocates uninitialised memory for a buffer, at a multiple of 64 bytes. `turn` is the number of earlier
 * buffers: large ones start at offsets within a page that differ, to avoid cache conflicts.  MW_ENOMEM. */
int mw_host_memory_new(size_t bytes, unsigned turn, void **memory);
/* Frees memory of mw_host_memory_new, given the same number of bytes. */
void mw_host_memory_free(void *memory, size_t bytes);

/* places.c: assigns cores to the threads of a pool.  Returns NULL if the system is to place them: on a machine with one
 * memory node; for fewer than 2 threads, or more than cores in the caller's affinity mask; without hwloc; with
 * MESHWORK_BIND=0.  MESHWORK_BIND=1 binds on one node as well.  Successive places are on one node; with fewer threads
 * than cores a place is a whole node. */
struct mw_places;
struct mw_places *mw_places_new(unsigned threads);
/* Assigns cores as mw_places_new does, but ignores MESHWORK_BIND; `always`: also with one memory node. */
struct mw_places *mw_places_plan(unsigned threads, bool always);
/* Returns whether a place contains a core. */
bool mw_places_has(const struct mw_places *places, unsigned place, unsigned core);
/* Binds a thread to the cores of a place. */
void mw_places_bind(const struct mw_places *places, unsigned place, pthread_t thread);
void mw_places_free(struct mw_places *places);

/* process.c: returns whether the program has requested a change by mw_process_prepare. */
bool mw_process_may(enum mw_process_change change);
/* Returns the function set by mw_process_when_aborted, or NULL. */
mw_abort_fn *mw_process_abort_receiver(void);

#endif
/* SPDX-License-Identifier: MIT */
