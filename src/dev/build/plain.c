/* Removes comments, quoted text and continuations of lines from a text of C. */
#include "dev/build/interface.h"

/* Replaces comments and the contents of quotes by blanks; lines keep their numbers. */
static void remove_comments(char *text)
{
    for (char *at = text; *at; at++) {
        if (*at == '"' || *at == '\'') {
            const char quote = *at;
            for (at++; *at && *at != quote && *at != '\n'; at++) {
                if (at[0] == '\\' && at[1] == '\n') {
                    at++;
                    continue;
                }
                if (at[0] == '\\' && at[1])
                    *at++ = ' ';
                *at = ' ';
            }
            if (!*at)
                return;
        } else if (at[0] == '/' && at[1] == '/') {
            for (; *at && *at != '\n'; at++) {
                const bool continued = at[0] == '\\' && at[1] == '\n';
                *at = ' ';
                at += continued;
            }
            if (!*at)
                return;
        } else if (at[0] == '/' && at[1] == '*') {
            for (; *at && !(at[0] == '*' && at[1] == '/'); at++)
                if (*at != '\n')
                    *at = ' ';
            if (!*at)
                return;
            at[0] = at[1] = ' ';
        }
    }
}

/* Joins continued lines by blanks, so that each directive is one line. */
static void join_lines(char *text)
{
    for (char *at = text; (at = strstr(at, "\\\n")) != NULL;)
        at[0] = at[1] = ' ';
}

int mw_plain_text(const char *text, char **plain)
{
    TRY_RETURN(mw_strdup(text, plain));
    remove_comments(*plain);
    join_lines(*plain);
    return 0;
}
/* SPDX-License-Identifier: MIT */
