/* Prints reports as JSON. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "tools/cli/text.h"
#include "tools/result/envelope.h"
#include "tools/report/report_internal.h"

#ifdef HAVE_JANSSON
#include <jansson.h>
#include <math.h>

int report_json_available(void) { return 0; }

json_t *report_json_text(const char *value)
{
    json_t *text = json_string(value);
    struct mw_text safe = { 0 };
    if (!text) {
        for (const char *c = value; *c; c++)
            mw_text_append(&safe, *c & 0x80 ? "?" : c, 1);
        text = json_string(safe.data ? safe.data : "");
        mw_text_free(&safe);
    }
    return text;
}

static json_t *value_of(const struct node *node, bool *lost);

/* Jansson has only signed integers, and a real would be rounded.  Counts from 2^63 on become strings of digits. */
static json_t *count_of(uint64_t count)
{
    char digits[24];
    if (count <= INT64_MAX)
        return json_integer((json_int_t)count);
    snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
    return json_string(digits);
}

/* Nodes of words only have no value: sections and lines. */
static json_t *container(const struct node *node, bool *lost)
{
    json_t *value = node->kind == NODE_OBJECT ? json_object() : json_array();
    for (const struct node *child = node->first; child && value; child = child->next) {
        if (child->kind == NODE_WORDS)
            continue;
        json_t *member = value_of(child, lost);
        *lost |= node->kind == NODE_OBJECT ? json_object_set_new(value, child->key, member)
                                           : json_array_append_new(value, member);
    }
    return value;
}

static json_t *value_of(const struct node *node, bool *lost)
{
    json_t *value = NULL;
    switch (node->kind) {
    case NODE_TEXT: value = report_json_text(node->value.text); break;
    case NODE_COUNT: value = count_of(node->value.count); break;
    case NODE_REAL: value = isfinite(node->value.real) ? json_real(node->value.real) : json_null(); break;
    case NODE_FLAG: value = json_boolean(node->value.flag); break;
    case NODE_OBJECT:
    case NODE_LIST: value = container(node, lost); break;
    case NODE_NONE:
    case NODE_WORDS: value = json_null(); break;
    }
    *lost |= !value;
    return value;
}

json_t *report_to_json(const struct node *root)
{
    bool lost = false;
    json_t *json = value_of(root, &lost);
    if (lost)
        json_decref(json);
    return lost ? NULL : json;
}

int report_print_json(const struct node *root)
{
    json_t *json = report_to_json(root);
    if (!json)
        return mw_fail(MW_ENOMEM, "out of memory for the JSON of the results");
    return envelope_hold(json);
}
#else
int report_json_available(void)
{
    return mw_fail(MW_ENOTSUP, "--json: meshwork was built without jansson: install libjansson-dev and rebuild "
                               "meshwork");
}

int run_without_json(struct command *command) { return report_json_available(); }

/* Never reached: report_json_available has already rejected --json. */
int report_print_json(const struct node *root) { return report_json_available(); }
#endif
/* SPDX-License-Identifier: MIT */
