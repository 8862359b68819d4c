/* Text layout, and suffixes of file names. */
#include "tools/cli/text.h"

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

bool text_ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && mw_same_word(path + n - m, suffix);
}
/* SPDX-License-Identifier: MIT */
