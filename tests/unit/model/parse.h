/* Makes a model from a text, for the tests of models. */
#ifndef TESTS_MODEL_PARSE_H
#define TESTS_MODEL_PARSE_H

#include "model/model.h"

#include "tests/check.h"

/* Returns the model, or fails the test with the message. */
static inline struct mw_model *parse(const char *text)
{
    struct mw_model *model = NULL;
    OK(mw_model_from_text("test.cl", text, &model));
    return model;
}

#endif
/* SPDX-License-Identifier: MIT */
