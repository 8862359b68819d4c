/* Changes that the library may make in its process. */
#include <stdatomic.h>

#include "dev/host/host.h"

static atomic_uint asked;
static mw_abort_fn *_Atomic when_aborted;

void mw_process_prepare(unsigned changes) { atomic_fetch_or(&asked, changes); }

bool mw_process_may(enum mw_process_change change) { return atomic_load(&asked) & (unsigned)change; }

void mw_process_when_aborted(mw_abort_fn *receiver) { atomic_store(&when_aborted, receiver); }

mw_abort_fn *mw_process_abort_receiver(void) { return atomic_load(&when_aborted); }
/* SPDX-License-Identifier: MIT */
