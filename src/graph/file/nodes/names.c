/* Names of nodes other than their ids. */
#include "graph/file/nodes/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "graph/names.h"

int mw_node_names_offer(struct mw_node_names names[MW_NAMINGS], const char *name, const char *id)
{
    static const char *const words[MW_NAMINGS] = { "name", "label", "NodeLabel" };
    for (size_t i = 0; i < MW_NAMINGS; i++) {
        if (names[i].key || strcmp(name, words[i]) != 0)
            continue;
        TRY_RETURN(mw_strdup(id, &names[i].key));
        TRY_RETURN(mw_new(MW_NAME_MAX, 1, &names[i].text));
        names[i].trims = i == MW_NAMED_AS_SHOWN;
    }
    return 0;
}

struct mw_node_names *mw_node_names_of(struct mw_node_names names[MW_NAMINGS], const char *key)
{
    for (size_t i = 0; i < MW_NAMINGS; i++)
        if (names[i].key && i != MW_NAMED_AS_SHOWN && strcmp(key, names[i].key) == 0)
            return &names[i];
    return NULL;
}

void mw_node_names_add(struct mw_node_names *names, const char *text, size_t length)
{
    if (names->length <= MW_NAME_MAX && length <= MW_NAME_MAX - names->length)
        memcpy(names->text + names->length, text, length);
    names->length = names->length <= MW_NAME_MAX ? names->length + length : names->length;
}

int mw_node_names_end(struct mw_node_names *names)
{
    const size_t before = names->words.count;
    size_t length = names->length;
    uint32_t number;
    names->length = 0;
    while (names->trims && length > 0 && length <= MW_NAME_MAX && strchr(" \t\r\n", names->text[length - 1]))
        length--;
    names->unfit = names->unfit || before + 1 != names->nodes || length == 0 || length > MW_NAME_MAX ||
                   mw_has_control(names->text, length);
    if (names->unfit)
        return 0;
    TRY_RETURN(mw_dictionary_add(&names->words, names->text, length, &number));
    names->unfit = number != before;
    return 0;
}

struct mw_node_names *mw_node_names_choose(struct mw_node_names names[MW_NAMINGS], const char *file)
{
    bool are_there = false;
    for (size_t i = 0; i < MW_NAMINGS; i++) {
        if (!names[i].key || names[i].nodes == 0)
            continue;
        if (!names[i].unfit && names[i].words.count == names[i].nodes)
            return &names[i];
        are_there = true;
    }
    if (are_there)
        mw_log(MW_LOG_NOTICE, "%s: not every node has a unique name: vertices are named by their ids", file);
    return NULL;
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
