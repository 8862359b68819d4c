/* Tokens of the DOT language. Internal. */
#ifndef MW_GRAPH_FILE_DOT_TOKENS_H
#define MW_GRAPH_FILE_DOT_TOKENS_H

#include "graph/file/nodes/scan.h"

enum mw_dot_token {
    MW_DOT_END,   /* the end of the file */
    MW_DOT_ID,    /* a word, a number, a text in quotes, or HTML */
    MW_DOT_GRAPH, /* the keywords of DOT, in upper or lower case */
    MW_DOT_DIGRAPH,
    MW_DOT_SUBGRAPH,
    MW_DOT_NODE,
    MW_DOT_EDGE,
    MW_DOT_STRICT,
    MW_DOT_TO,  /* -> */
    MW_DOT_LINE /* -- */
    /* others: the character itself, from ' ' on */
};
/* Takes the next token, after blanks and comments, and stores it in *token: one of those, or a character of "{}[];,=:".
 * Its characters are in scan->text. */
int mw_dot_next(struct mw_scan *scan, int *token);

#endif
/* SPDX-License-Identifier: MIT */
