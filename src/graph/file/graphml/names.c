/* Names of nodes beside their ids. */
#include "graph/file/graphml/names.h"

#include <stdlib.h>
#include <string.h>

#include "graph/names.h"

int mw_node_names_start(const char *key, struct mw_node_names *names)
{
    int rc;
    TRY(mw_strdup(key, &names->key));
    TRY(mw_new(MW_NAME_MAX, 1, &names->text));
out:
    return rc;
}

void mw_node_names_add(struct mw_node_names *names, const char *text, size_t length)
{
    if (names->length <= MW_NAME_MAX && length <= MW_NAME_MAX - names->length)
        memcpy(names->text + names->length, text, length);
    names->length = names->length <= MW_NAME_MAX ? names->length + length : names->length;
}

int mw_node_names_end(struct mw_node_names *names)
{
    const size_t before = names->words.count, length = names->length;
    uint32_t number;
    int rc = 0;
    names->length = 0;
    names->unfit = names->unfit || before + 1 != names->nodes || length == 0 || length > MW_NAME_MAX ||
        mw_has_control(names->text, length);
    if (names->unfit)
        return 0;
    TRY(mw_dictionary_add(&names->words, names->text, length, &number));
    names->unfit = number != before;
out:
    return rc;
}

bool mw_node_names_fit(const struct mw_node_names *names, const char *file)
{
    if (!names->key || names->nodes == 0)
        return false;
    if (!names->unfit && names->words.count == names->nodes)
        return true;
    mw_log(MW_LOG_NOTICE, "%s: not every node has a name of its own: vertices are called by their ids", file);
    return false;
}

int mw_node_names_use(struct mw_node_names *names, struct mw_edges *edges)
{
    char *bytes = names->words.bytes;
    size_t *start = names->start;
    names->words.bytes = NULL;
    names->start = NULL;
    mw_names_free(edges->names);
    edges->names = NULL;
    return mw_names_of_texts(bytes, start, edges->vertices, &edges->names);
}

void mw_node_names_free(struct mw_node_names *names)
{
    free(names->key);
    free(names->text);
    free(names->start);
    mw_dictionary_free(&names->words);
    *names = (struct mw_node_names){ 0 };
}
/* SPDX-License-Identifier: MIT */
