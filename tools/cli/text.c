/* Text layout, and suffixes of file names. */
#include "tools/cli/text.h"

#include <math.h>

void text_wrap(struct mw_text *to, size_t column, size_t indent, size_t width, const char *text)
{
    bool first = true;
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (n && !first && column + 1 + n > width) {
            mw_text_add(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        if (n) {
            mw_text_add(to, "%s%.*s", first ? "" : " ", (int)n, text);
            column += n + !first;
            first = false;
        }
        text += n;
        if (*text == '\n') {
            mw_text_add(to, "\n%*s", (int)indent, "");
            column = indent;
            first = true;
        }
        text += *text != 0;
    }
    mw_text_add(to, "\n");
}

int text_take(struct mw_text *text, char **to)
{
    const int rc = mw_text_ok(text);
    if (rc == 0)
        *to = text->data;
    else
        mw_text_free(text);
    *text = (struct mw_text){ 0 };
    return rc;
}

int text_own(struct mw_owner *owner, const char *text, char **copy)
{
    const size_t n = strlen(text) + 1;
    TRY_RETURN(mw_own_new(owner, n, 1, copy));
    memcpy(*copy, text, n);
    return 0;
}

bool text_ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && mw_same_word(path + n - m, suffix);
}
void text_shell_word(struct mw_text *to, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@_";
    if (*word && !word[strspn(word, plain)]) {
        mw_text_add(to, "%s", word);
        return;
    }
    mw_text_add(to, "'");
    for (; *word; word++)
        mw_text_add(to, *word == '\'' ? "'\\''" : "%c", *word);
    mw_text_add(to, "'");
}

bool text_range(const char *text, double *lo, double *hi)
{
    char *end;
    *lo = strtod(text, &end);
    if (end == text || *end != ',')
        return false;
    const char *second = end + 1;
    *hi = strtod(second, &end);
    return end != second && !*end && isfinite(*lo) && isfinite(*hi);
}
/* SPDX-License-Identifier: MIT */
