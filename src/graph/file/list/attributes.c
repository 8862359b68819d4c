/* The rest of an edge list's line after the names: a weight in one of several forms, and ignored text. NetworkX writes
 * Python dictionaries, such as {'weight': 3}. */
#include "graph/file/list/attributes.h"

#include <string.h>

static const char weight_key[] = "weight";

static bool at_end(const char *s) { return *s == '\n' || (*s == '\r' && s[1] == '\n'); }
static bool ends_word(const char *s) { return mw_is_blank(*s) || at_end(s); }

/* Returns the end of a quoted text, in which a backslash escapes a character; NULL: the line ends first. */
static const char *skip_quoted(const char *s)
{
    const char quote = *s;
    for (s++; *s != quote; s++) {
        if (*s == '\\' && s[1] != '\n')
            s++;
        if (*s == '\n')
            return NULL;
    }
    return s + 1;
}

/* Returns the comma or bracket after a value, which may contain brackets and quotes; NULL: the line ends first. */
static const char *skip_value(const char *s)
{
    for (size_t depth = 0;;)
        switch (*s) {
        case '\n': return NULL;
        case '\'':
        case '"':
            if (!(s = skip_quoted(s)))
                return NULL;
            break;
        case '{':
        case '[':
        case '(':
            depth++;
            s++;
            break;
        case '}':
        case ']':
        case ')':
            if (depth == 0)
                return s;
            depth--;
            s++;
            break;
        case ',':
            if (depth == 0)
                return s;
            s++;
            break;
        default: s++;
        }
}

/* Reads a key and its colon; returns the value's start, or NULL. */
static const char *take_key(const char *s, bool *is_weight)
{
    const char *key = s + 1, *end;
    if ((*s != '\'' && *s != '"') || !(end = skip_quoted(s)))
        return NULL;
    *is_weight = (size_t)(end - key) == sizeof weight_key && memcmp(key, weight_key, sizeof weight_key - 1) == 0;
    s = mw_skip_blanks(end);
    return *s == ':' ? mw_skip_blanks(s + 1) : NULL;
}

/* Reads a dictionary; returns its end. Returns NULL, and finds nothing, if it is not one. */
static const char *take_dictionary(const char *begin, struct mw_attributes *found)
{
    struct mw_attributes in = *found;
    const char *s = mw_skip_blanks(begin + 1);
    while (*s != '}') {
        mw_decimal value;
        bool is_weight;
        const char *end = NULL;
        if (!(s = take_key(s, &is_weight)))
            return NULL;
        if (is_weight && !in.has_weight && (end = mw_decimal_read(s, &value)) != NULL)
            end = mw_skip_blanks(end);
        if (end && (*end == ',' || *end == '}')) {
            in.has_weight = true;
            in.weight = value;
        } else {
            in.unread = in.unread ? in.unread : begin;
            end = skip_value(s);
        }
        if (!end || (*end != ',' && *end != '}'))
            return NULL;
        s = *end == ',' ? mw_skip_blanks(end + 1) : end;
    }
    if (!ends_word(s + 1))
        return NULL;
    *found = in;
    return s + 1;
}

/* Reads a weight; returns its end, or NULL. */
static const char *take_weight(const char *s, bool is_first, struct mw_attributes *found)
{
    const size_t length = sizeof weight_key - 1;
    const bool is_named = strncmp(s, weight_key, length) == 0 && s[length] == '=';
    mw_decimal value;
    const char *end;
    if (found->has_weight || (!is_first && !is_named))
        return NULL;
    end = mw_decimal_read(is_named ? s + length + 1 : s, &value);
    if (!end || !ends_word(end))
        return NULL;
    found->has_weight = true;
    found->weight = value;
    return end;
}

void mw_attributes_read(const char *at, struct mw_attributes *found)
{
    const char *s = mw_skip_blanks(at);
    bool may_have_dictionary = true; /* a failed attempt reads to the end of the line */
    *found = (struct mw_attributes){ 0 };
    for (bool is_first = true; !at_end(s) && *s != '#'; is_first = false) {
        const char *end = take_weight(s, is_first, found);
        if (!end && *s == '{' && may_have_dictionary) {
            end = take_dictionary(s, found);
            may_have_dictionary = end != NULL;
        }
        if (!end) {
            found->unread = found->unread ? found->unread : s;
            end = mw_skip_word(s);
        }
        if (end == s) /* a control character: mw_finish_line reports it */
            return;
        s = mw_skip_blanks(end);
    }
}
/* SPDX-License-Identifier: MIT */
