/* Models from equations, such as "c: lap(c^3 - c - lap(c))", without a file. */
#include <stdio.h>

#include <meshwork/field.h>

#include "base/words.h"
#include "model/parser.h"

struct equation {
    const char *field, *body; /* field NULL: another definition, which is the body */
    size_t field_length;
    bool is_complex;
};

/* Finds whether a text is "NAME: BODY" or "NAME complex: BODY", and divides it. */
static bool is_rate(const char *text, struct equation *e)
{
    const char *at = text + strspn(text, " \t");
    const size_t n = mw_identifier_length(at);
    const char *after = at + n + strspn(at + n, " \t");
    *e = (struct equation){ .body = text };
    if (mw_word_is(after, mw_identifier_length(after), "complex")) {
        e->is_complex = true;
        after += strlen("complex");
        after += strspn(after, " \t");
    }
    if (n == 0 || *after != ':')
        return false;
    e->field = at;
    e->field_length = n;
    e->body = after + 1;
    return true;
}

static int split_equation(const char *text, struct equation *e)
{
    if (strpbrk(text, "\"\n\r") || strstr(text, "//"))
        return mw_fail(MW_EINVAL, "equation '%s': quotes, comments and line ends are not allowed",
                       mw_excerpt(text, strlen(text), strcspn(text, "\"\n\r")).text);
    if (!is_rate(text, e) && !strchr(text, '='))
        return mw_fail(MW_EINVAL, "equation '%s': expected FIELD: RATE, FIELD complex: RATE, or NAME = VALUE",
                       mw_excerpt(text, strlen(text), 0).text);
    return 0;
}

/* What definitions declare: parameters, noise terms and maps that `model` (NULL: none) lacks. */
struct declarations {
    const struct mw_model *model;
    const char *const *definitions;
    size_t count;
    const struct mw_value *params;
    size_t param_count;
};

/* Returns whether a definition other than `except` contains a name, which is n characters long. */
static bool is_elsewhere(const struct declarations *d, size_t except, const char *name, size_t n)
{
    char word[64];
    mw_copy_string(word, n < sizeof word ? n + 1 : sizeof word, name);
    for (size_t i = 0; i < d->count; i++)
        if (i != except && mw_word_in(d->definitions[i], word))
            return true;
    return false;
}

/* Adds a line of the header that declares a name, once.  Returns the text after the name; NULL: it is no name. */
static const char *declare(const struct declarations *d, const char *name, const char *format, struct mw_text *text)
{
    const size_t length = mw_identifier_length(name);
    const bool known = d->model && (mw_model_find_quantity(d->model, name, length) >= 0 ||
                                    mw_model_find_noise(d->model, name, length) >= 0);
    char line[64];
    if (length == 0 || length > 31)
        return NULL;
    snprintf(line, sizeof line, format, (int)length, name);
    if (!known && (!text->data || !strstr(text->data, line)))
        mw_text_add(text, "%s", line);
    return name + length + strspn(name + length, " \t");
}

/* Declares each noise term that noise(NAME), random(NAME) or div_noise(NAME, NAME) uses, and each map that map(NAME)
 * defines, once. */
static void add_noises_and_maps(const struct declarations *d, struct mw_text *text)
{
    static const char *const words[] = { "map", "noise", "random", "div_noise" };
    for (size_t i = 0; i < d->count; i++)
        for (const char *at = d->definitions[i]; *at;) {
            const size_t n = mw_identifier_length(at);
            size_t word = 0;
            while (word < MW_COUNT(words) && !mw_word_is(at, n, words[word]))
                word++;
            at += n ? n : 1;
            const char *name = at + strspn(at, " \t");
            if (word == MW_COUNT(words) || *name != '(')
                continue;
            name += 1 + strspn(name + 1, " \t");
            if (word == 0 && d->model && !is_elsewhere(d, i, name, mw_identifier_length(name)))
                continue; /* a mistake, unless the model has this map */
            const char *format = word == 0 ? "//@ map %.*s 0 \"\"\n" : "//@ noise %.*s \"\"\n";
            name = declare(d, name, format, text);
            if (name && word == 3 && *name == ',')
                declare(d, name + 1 + strspn(name + 1, " \t"), format, text);
        }
}

static int add_declarations(const struct declarations *d, struct mw_text *text)
{
    for (size_t i = 0; i < d->param_count; i++) {
        if (!is_elsewhere(d, SIZE_MAX, d->params[i].name, strlen(d->params[i].name)))
            return mw_fail(MW_EINVAL, "parameter '%s' is in none of the %s", d->params[i].name,
                           d->model ? "definitions" : "equations");
        mw_text_add(text, "//@ param %s %.17g \"\"\n", d->params[i].name, d->params[i].value);
    }
    add_noises_and_maps(d, text);
    return 0;
}

/* Writes the file of a model. */
static int write_model(const struct declarations *d, struct mw_text *text)
{
    struct equation e;
    bool any = false;
    mw_text_add(text, "//@ model equations \"");
    for (size_t i = 0; i < d->count; i++)
        mw_text_add(text, "%s%s", i ? ", " : "", d->definitions[i]);
    mw_text_add(text, "\"\n");
    for (size_t i = 0; i < d->count; i++) {
        TRY_RETURN(split_equation(d->definitions[i], &e));
        any = any || e.field;
        if (e.field)
            mw_text_add(text, "//@ field %.*s%s noise=0.1\n", (int)e.field_length, e.field,
                        e.is_complex ? " complex" : "");
    }
    if (!any)
        return mw_fail(MW_EINVAL,
                       "equation '%s': no equation gives the rate of a field: expected FIELD: RATE, as in "
                       "'u: lap(u)'",
                       mw_excerpt(d->definitions[0], strlen(d->definitions[0]), 0).text);
    TRY_RETURN(add_declarations(d, text));
    mw_text_add(text, "\n");
    for (size_t i = 0; i < d->count; i++) {
        TRY_RETURN(split_equation(d->definitions[i], &e));
        if (e.field)
            mw_text_add(text, "rate(%.*s) =", (int)e.field_length, e.field);
        mw_text_add(text, "%s;\n", e.body);
    }
    return mw_text_ok(text);
}

int mw_model_from_equations(const char *const *equations, size_t count, const struct mw_value *params,
                            size_t param_count, struct mw_model **model)
{
    const struct declarations d = { NULL, equations, count, params, param_count };
    struct mw_text text = { 0 };
    int rc;
    if (count == 0)
        return mw_fail(MW_EINVAL, "no equation is given");
    TRY(write_model(&d, &text));
    rc = mw_model_from_text(MW_EQUATIONS_PATH, text.data, model);
out:
    mw_text_free(&text);
    return rc;
}

int mw_model_extend(const struct mw_model *model, const char *const *definitions, size_t count,
                    const struct mw_value *params, size_t param_count, struct mw_model **extended)
{
    const struct declarations d = { model, definitions, count, params, param_count };
    const struct mw_model_info *info = &model->info;
    struct mw_model *m = NULL;
    struct mw_text text = { 0 };
    struct equation e;
    char *path;
    int rc;
    if (info->kind != MW_MODEL_FIELD)
        return mw_fail(MW_EINVAL, "model %s has spins: only models of fields can be extended", info->name);
    mw_text_add(&text, "%s\n//@ replace\n", info->text);
    TRY(add_declarations(&d, &text));
    for (size_t i = 0; i < count; i++) {
        if (is_rate(definitions[i], &e)) {
            rc = mw_fail(MW_EINVAL, "equation '%s': the model %s has its fields: expected rate(FIELD) = RATE",
                         mw_excerpt(definitions[i], strlen(definitions[i]), 0).text, info->name);
            goto out;
        }
        mw_text_add(&text, "%s;\n", definitions[i]);
    }
    TRY(mw_text_ok(&text));
    /* The model's file does not contain the definitions, so that messages must not name it. */
    TRY(mw_model_from_text(MW_EQUATIONS_PATH, text.data, &m));
    TRY(mw_strdup(info->path, &path));
    TRY(mw_own(&m->owner, path, free));
    m->info.path = path;
    m->info.installed = info->installed;
    *extended = m;
    m = NULL;
out:
    mw_model_free(m);
    mw_text_free(&text);
    return rc;
}
/* SPDX-License-Identifier: MIT */
