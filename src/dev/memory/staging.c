/* Memory of the host that transfers go through. */
#include "dev/core/backend.h"

#include <stdlib.h>

#include "dev/core/given.h"
#include "dev/host/host.h"

int mw_staging_new(struct mw_device *device, size_t bytes, struct mw_staging **result)
{
    struct mw_staging *staging = NULL;
    int rc;
    TRY(mw_device_given(&device));
    TRY(mw_new(1, sizeof(*staging), &staging));
    staging->device = device;
    staging->bytes = bytes ? bytes : 1;
    if (device->backend->memory->staging_new)
        TRY(MW_CALL(device, device->backend->memory->staging_new(staging)));
    else
        TRY(mw_host_memory_new(staging->bytes, 0, &staging->memory));
    *result = MW_PASS(staging);
out:
    free(staging);
    return rc;
}

void *mw_staging_memory(const struct mw_staging *staging) { return staging->memory; }

void mw_staging_free(struct mw_staging *staging)
{
    if (!staging)
        return;
    if (staging->device->backend->memory->staging_new)
        MW_CALL_FREE(staging->device, staging->device->backend->memory->staging_free(staging));
    else
        mw_host_memory_free(staging->memory, staging->bytes);
    free(staging);
}
/* SPDX-License-Identifier: MIT */
