/* Models from equations, such as "c: lap(c^3 - c - lap(c))", without a file. */
#include <stdio.h>
#include <string.h>

#include <meshwork/field.h>

#include "base/words.h"
#include "model/parser.h"

struct equation {
    const char *field, *body; /* field NULL: another definition, which is the body */
    size_t field_length;
    bool is_complex;
};

/* Divides "NAME: BODY" or "NAME complex: BODY". */
static int split_equation(const char *text, struct equation *e)
{
    const char *at = text + strspn(text, " \t");
    const size_t n = mw_identifier_length(at);
    const char *after = at + n + strspn(at + n, " \t");
    *e = (struct equation){ .body = text };
    if (strpbrk(text, "\"\n\r") || strstr(text, "//"))
        return mw_fail(MW_EINVAL, "equation '%s': quotes, comments and line ends are not allowed", text);
    if (mw_word_is(after, mw_identifier_length(after), "complex")) {
        e->is_complex = true;
        after += strlen("complex");
        after += strspn(after, " \t");
    }
    if (n > 0 && *after == ':') {
        e->field = at;
        e->field_length = n;
        e->body = after + 1;
    } else if (!strchr(text, '=')) {
        return mw_fail(MW_EINVAL, "equation '%s': expected FIELD: RATE, FIELD complex: RATE, or NAME = VALUE", text);
    }
    return 0;
}

/* Returns whether a word occurs in the equations. */
static bool occurs(const char *const *equations, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        for (const char *at = equations[i]; *at; at += mw_identifier_length(at) ? mw_identifier_length(at) : 1)
            if (mw_word_is(at, mw_identifier_length(at), word))
                return true;
    return false;
}

/* Adds a line of the header that declares a name, once.  Returns the text after the name; NULL: it is no name. */
static const char *declare(const char *name, const char *format, struct mw_text *text)
{
    const size_t length = mw_identifier_length(name);
    char line[64];
    if (length == 0 || length > 31)
        return NULL;
    snprintf(line, sizeof line, format, (int)length, name);
    if (!text->data || !strstr(text->data, line))
        mw_text_add(text, "%s", line);
    return name + length + strspn(name + length, " \t");
}

/* Declares each noise term that noise(NAME), random(NAME) or div_noise(NAME, NAME) uses, and each map that map(NAME)
 * defines, once. */
static void add_noises_and_maps(const char *const *equations, size_t count, struct mw_text *text)
{
    static const char *const words[] = { "map", "noise", "random", "div_noise" };
    for (size_t i = 0; i < count; i++)
        for (const char *at = equations[i]; *at;) {
            const size_t n = mw_identifier_length(at);
            size_t word = 0;
            while (word < MW_COUNT(words) && !mw_word_is(at, n, words[word]))
                word++;
            at += n ? n : 1;
            const char *name = at + strspn(at, " \t");
            if (word == MW_COUNT(words) || *name != '(')
                continue;
            const char *format = word == 0 ? "//@ map %.*s 0 \"\"\n" : "//@ noise %.*s \"\"\n";
            name = declare(name + 1 + strspn(name + 1, " \t"), format, text);
            if (name && word == 3 && *name == ',')
                declare(name + 1 + strspn(name + 1, " \t"), format, text);
        }
}

/* Writes the file of a model. */
static int write_model(const char *const *equations, size_t count, const struct mw_value *params, size_t param_count,
                       struct mw_text *text)
{
    struct equation e;
    mw_text_add(text, "//@ model equations \"");
    for (size_t i = 0; i < count; i++)
        mw_text_add(text, "%s%s", i ? ", " : "", equations[i]);
    mw_text_add(text, "\"\n");
    for (size_t i = 0; i < count; i++) {
        TRY_RETURN(split_equation(equations[i], &e));
        if (e.field)
            mw_text_add(text, "//@ field %.*s%s noise=0.1\n", (int)e.field_length, e.field,
                        e.is_complex ? " complex" : "");
    }
    for (size_t i = 0; i < param_count; i++) {
        if (!occurs(equations, count, params[i].name))
            return mw_fail(MW_EINVAL, "parameter '%s' is in none of the equations", params[i].name);
        mw_text_add(text, "//@ param %s %.17g \"\"\n", params[i].name, params[i].value);
    }
    add_noises_and_maps(equations, count, text);
    mw_text_add(text, "\n");
    for (size_t i = 0; i < count; i++) {
        TRY_RETURN(split_equation(equations[i], &e));
        if (e.field)
            mw_text_add(text, "rate(%.*s) =", (int)e.field_length, e.field);
        mw_text_add(text, "%s;\n", e.body);
    }
    return mw_text_ok(text);
}

int mw_model_from_equations(const char *const *equations, size_t count, const struct mw_value *params,
                            size_t param_count, struct mw_model **model)
{
    struct mw_text text = { 0 };
    int rc;
    if (count == 0)
        return mw_fail(MW_EINVAL, "no equation is given");
    TRY(write_model(equations, count, params, param_count, &text));
    rc = mw_model_from_text("equations", text.data, model);
out:
    mw_text_free(&text);
    return rc;
}

/* Adds the first definition that is wrong by itself to the message. */
static int name_wrong(const struct mw_model *model, const char *const *definitions, size_t count, int rc)
{
    struct mw_model *one = NULL;
    struct mw_text together = { 0 };
    if (count == 1)
        return mw_fail_in(rc, "%s", definitions[0]);
    mw_text_add(&together, "%s", mw_errmsg());
    for (size_t i = 0; i < count; i++, mw_model_free(one))
        if (mw_model_extend(model, &definitions[i], 1, &one) != 0)
            goto out;
    mw_fail((enum mw_status)rc, "%s", together.data ? together.data : ""); /* each is right by itself */
out:
    mw_text_free(&together);
    return rc;
}

int mw_model_extend(const struct mw_model *model, const char *const *definitions, size_t count,
                    struct mw_model **extended)
{
    struct mw_text text = { 0 };
    struct mw_model *result = NULL;
    int rc;
    if (model->info.kind != MW_MODEL_FIELD)
        return mw_fail(MW_EINVAL, "model %s has spins: only models of fields can be extended", model->info.name);
    mw_text_add(&text, "%s\n//@ replace", model->info.text);
    for (size_t i = 0; i < count; i++)
        mw_text_add(&text, "\n%s;", definitions[i]);
    mw_text_add(&text, "\n");
    TRY(mw_text_ok(&text));
    TRY(mw_model_from_text(model->info.path, text.data, &result));
    result->info.installed = model->info.installed;
    *extended = result;
out:
    mw_text_free(&text);
    return rc == 0 ? 0 : name_wrong(model, definitions, count, rc);
}
/* SPDX-License-Identifier: MIT */
