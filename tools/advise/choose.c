/* Chooses the device of a task without -d. */
#include "tools/advise/advise.h"

int advice_follow(struct command *command)
{
    static char chosen[256]; /* options point into it */
    struct knowledge *knowledge = NULL;
    struct work work = { 0 };
    const char *device;
    int rc = 0;
    if (!option_is_free(command, "device") || work_of(command, &work) != 0)
        goto out;
    TRY(knowledge_open(&knowledge));
    device = knowledge_fastest(knowledge, &work);
    if (device && strlen(device) < sizeof(chosen)) {
        mw_copy_string(chosen, sizeof(chosen), device);
        TRY(options_choose(command, "device", chosen));
    }
out:
    knowledge_free(knowledge);
    work_free(&work);
    return rc;
}
/* SPDX-License-Identifier: MIT */
