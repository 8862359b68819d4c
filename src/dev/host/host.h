/* The host for backends: its cores, its memory, and permitted changes of its process.  Internal.
 * Any thread may call these functions. */
#ifndef MW_HOST_H
#define MW_HOST_H

#include <pthread.h>

#include <meshwork/device.h>

#include "base/base.h"

/* cpu.c: the number of cores in this process's affinity mask, at least 1. */
unsigned mw_core_count(void);
/* Lanes of a float vector. */
unsigned mw_cpu_lanes(void);
/* Fills vendor and name. */
void mw_cpu_describe(struct mw_device_info *info);
/* Appends a description of this CPU on which a compiler's code may depend. */
void mw_cpu_identify(struct mw_text *text);
/* Returns the physical memory, or the part that control groups allow; 0: unknown. */
uint64_t mw_host_bytes(void);
/* Checks the contents of a compressed file. Refuses more than `most` bytes (0: half of the above) if they are also more
 * than 100 times the compressed ones, as only in files made to fill a machine. MW_ELIMIT. */
int mw_host_takes_unpacked(const char *name, uint64_t packed, uint64_t unpacked, uint64_t most);

/* memory.c: aligned memory for a buffer, not cleared; buffers of successive turns start at different places of a page.
 * MW_ENOMEM. */
int mw_host_memory_new(size_t bytes, unsigned turn, void **memory);
void mw_host_memory_free(void *memory, size_t bytes);

/* places.c: assigns cores to the threads of a pool.  Returns NULL if the system is to place them: on a machine with one
 * memory node; for fewer than 2 threads, or more than cores in the caller's affinity mask; without hwloc; with
 * MESHWORK_BIND=0.  MESHWORK_BIND=1 binds on one node as well.  Successive places are on one node; with fewer threads
 * than cores a place is a whole node. */
struct mw_places;
struct mw_places *mw_places_new(unsigned threads);
/* The same, ignoring the environment and the number of nodes; `always`: on one node as well. */
struct mw_places *mw_places_plan(unsigned threads, bool always);
bool mw_places_has(const struct mw_places *places, unsigned place, unsigned core);
void mw_places_bind(const struct mw_places *places, unsigned place, pthread_t thread);
void mw_places_free(struct mw_places *places);

/* process.c: whether the program has asked for a change by mw_process_prepare. */
bool mw_process_may(enum mw_process_change change);
mw_abort_fn *mw_process_abort_receiver(void);

#endif
/* SPDX-License-Identifier: MIT */
