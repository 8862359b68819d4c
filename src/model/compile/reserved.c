/* Words of the model language, which no model can use for its own names. */
#include <stdio.h>

#include "model/compile/compile.h"

#define FREE "phase" /* a function whose name models may use for a field, a parameter or a function of their own */

/* Words that are not in the tables of functions and operators. */
static const struct {
    const char *word, *meaning;
} words[] = {
    { "x", "coordinate along x" },
    { "y", "coordinate along y" },
    { "z", "coordinate along z" },
    { "r", "distance from the first cell" },
    { "length_x", "length of the mesh along x" },
    { "length_y", "length of the mesh along y" },
    { "length_z", "length of the mesh along z" },
    { "time", "time of the run" },
    { "dims", "number of dimensions of the mesh" },
    { "pi", "3.14159..." },
    { "i", "imaginary unit" },
    { "div_noise", "conserved noise" },
    { "variation", "derivative of the energy" },
    { "rate", "definition of a rate" },
    { "start", "definition of a start" },
    { "map", "definition of a map" },
    { "boundary", "definition of a boundary condition" },
    { "stage", "definition of a stage" },
    { "energy", "definition of the energy" },
};

const char *mw_model_meaning(const char *name, size_t n)
{
    for (size_t i = 0; i < MW_COUNT(words); i++)
        if (mw_word_is(name, n, words[i].word))
            return words[i].meaning;
    for (const struct mw_construct *made = mw_constructs; made->name; made++)
        if (mw_word_is(name, n, made->name) && strcmp(made->name, FREE) != 0)
            return "function";
    if (mw_model_function_find(name, n, 1) >= 0 || mw_model_function_find(name, n, 2) >= 0)
        return "function";
    return mw_operator_find(name, n) >= 0 ? "operator" : NULL;
}

int mw_compile_local_name(struct mw_compiler *c, int token, bool argument)
{
    const struct mw_token *t = &c->tokens[token];
    const char *meaning = mw_model_meaning(t->at, t->n);
    char wrong[128];
    if (!meaning || (argument && t->n == 1 && *t->at != 'i'))
        return 0;
    snprintf(wrong, sizeof wrong, MW_RESERVED, "%.*s", meaning);
    return mw_compile_wrong(c, token, wrong);
}
/* SPDX-License-Identifier: MIT */
