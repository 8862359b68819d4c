/* The rows of a comparison: each device with each variant. */
#include <sys/stat.h>

#include <meshwork/device.h>

#include "tools/cli/subcommands.h"
#include "tools/compare/compare.h"

bool task_has(const struct comparison *c, const char *option)
{
    for (const struct option_group *g = c->task->groups; g->title; g++)
        for (const struct option *o = g->options; o->name; o++)
            if (!strcmp(o->name, option))
                return true;
    return false;
}

static size_t count_words(const char *const *words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

int task_run(struct comparison *c, const char *devices, const char *const *more, const char *const *others,
             double limit, struct outcome *outcome)
{
    const struct words *w = c->arguments;
    const size_t count = count_words(more), other_count = count_words(others);
    const char **all = NULL;
    size_t n = 0;
    int rc;
    TRY(mw_new(w->count + count + other_count + 5, sizeof(*all), &all));
    for (size_t i = 0; i < w->count; i++)
        all[n++] = w->item[i];
    for (size_t i = 0; i < count; i++)
        all[n++] = more[i];
    for (size_t i = 0; i < other_count; i++)
        all[n++] = others[i];
    all[n++] = "--device";
    all[n++] = devices;
    all[n++] = "--json";
    all[n++] = "--quiet";
    TRY(workers_run(c->workers, devices, all, limit, outcome));
out:
    free(all);
    return rc;
}

/* ---- lists of distinct words ---- */

/* Copies the next word of a list separated by `between`; NULL after the last.  The caller frees it. */
static char *next_word(const char **at, char between)
{
    const char *from = *at, *end = from ? strchr(from, between) : NULL;
    char *word = from ? end ? strndup(from, (size_t)(end - from)) : strdup(from) : NULL;
    *at = end ? end + 1 : NULL;
    return word;
}

static int append_word(char ***words, size_t *count, char *word)
{
    for (size_t i = 0; word && i < *count; i++)
        if (!strcmp((*words)[i], word)) {
            free(word);
            return 0;
        }
    if (!word || mw_grow(*count, sizeof(**words), words) != 0) {
        free(word);
        return mw_fail(MW_ENOMEM, "out of memory for the rows of a comparison");
    }
    (*words)[(*count)++] = word;
    return 0;
}

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

/* ---- devices ---- */

/* All devices; the reference comes first among the native ones. */
static int all_devices(const struct mw_device_list *list, char ***ids, size_t *count)
{
    TRY_RETURN(append_word(ids, count, strdup("native:serial")));
    for (size_t i = 0; i < mw_device_list_count(list); i++)
        if (strcmp(mw_device_list_info(list, i)->id, "native:serial") != 0)
            TRY_RETURN(append_word(ids, count, strdup(mw_device_list_info(list, i)->id)));
    return 0;
}

/* "opencl:0.0+native": one row, with the ids of its terms. */
static int joined_devices(const struct mw_device_list *list, const char *terms, char ***ids, size_t *count)
{
    enum { MOST = 32 };
    size_t chosen[MOST], n = 0;
    struct mw_text text = { 0 };
    char *word;
    int rc;

    for (const char *t = terms; *t; t++)
        mw_text_append(&text, *t == '+' ? "," : t, 1);
    TRY(mw_text_ok(&text));
    TRY(mw_device_select(list, text.data, MOST, chosen, &n));
    mw_text_free(&text);
    for (size_t i = 0; i < n; i++)
        mw_text_add(&text, "%s%s", i ? "," : "", mw_device_list_info(list, chosen[i])->id);
    TRY(mw_text_ok(&text));
    word = text.data;
    text = (struct mw_text){ 0 };
    TRY(append_word(ids, count, word));
out:
    mw_text_free(&text);
    return rc;
}

static int list_devices(const char *asked, char ***ids, size_t *count)
{
    struct mw_device_list *list = NULL;
    const char *at = asked;
    char *terms = NULL;
    int rc;
    TRY(mw_device_list_new(&list));
    if (!strcmp(asked, "all")) {
        rc = all_devices(list, ids, count);
        goto out;
    }
    while ((terms = next_word(&at, ',')) != NULL) {
        TRY(joined_devices(list, terms, ids, count));
        free(terms);
    }
out:
    free(terms);
    mw_device_list_free(list);
    return rc;
}

/* ---- variants ---- */

static int ask_variants(struct comparison *c, struct answer **answer)
{
    struct outcome outcome = { 0 };
    int rc;
    TRY(task_run(c, "native:serial", (const char *const[]){ "--variant", "list", NULL }, NULL, c->set->limit,
                 &outcome));
    if (outcome.code != 0)
        rc = mw_fail(MW_EINVAL, "%s", outcome.reason);
    else
        rc = answer_read(outcome.out, answer);
out:
    outcome_free(&outcome);
    return rc;
}

static int list_variants(struct comparison *c, const char *asked, char ***names, size_t *count)
{
    const char *at = asked, *name;
    struct answer *answer = NULL;
    char *word;
    int rc = 0;
    if (strcmp(asked, "all") != 0) {
        while ((word = next_word(&at, ',')) != NULL)
            TRY(append_word(names, count, word));
        goto out;
    }
    TRY(ask_variants(c, &answer));
    TRY(append_word(names, count, strdup("auto")));
    for (size_t i = 0; (name = answer_name(answer, i)) != NULL; i++)
        TRY(append_word(names, count, strdup(name)));
out:
    answer_free(answer);
    return rc;
}

/* ---- rows ---- */

/* Returns whether a word, or an option's value in it, can be read or written only once. */
static bool is_pipe(const char *word)
{
    static const char *const names[] = { "/dev/std", "/dev/fd/", "/proc/self/fd/" };
    const char *value = strchr(word, '=');
    const char *path = *word != '-' || !word[1] ? word : word[1] != '-' ? word + 2 : value ? value + 1 : word;
    struct stat about;
    for (size_t i = 0; i < MW_COUNT(names); i++)
        if (!strncmp(path, names[i], strlen(names[i])))
            return true;
    return stat(path, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

static int check_pipes(const struct comparison *c)
{
    for (size_t i = 0; i < c->arguments->count; i++)
        if (is_pipe(c->arguments->item[i]))
            return mw_fail(MW_EINVAL, "'%s' does not go with compare, which runs a task many times: give a file",
                           c->arguments->item[i]);
    return 0;
}

static int check_task(const struct comparison *c)
{
    static const char *const chosen[] = { "-d", "--device", "--variant", "--repeat", "--dry-run", "--json" };
    static const char *const others[] = { "-", "--restart", "--restart-or-start", "--checkpoint",
                                          "--checkpoint-every" };
    if (!subcommand_is_one(c->task, "run walk label transform rng",
                           "generate components paths clustering pagerank cores betweenness bridges"))
        return mw_fail(MW_EINVAL,
                       "compare cannot run '%s': choose run, walk, label, transform, rng or a measuring subcommand of "
                       "graph",
                       *c->task->name ? c->task->name : c->arguments->item[0]);
    for (size_t i = 0; i < c->arguments->count; i++)
        for (size_t k = 0; k < MW_COUNT(chosen); k++) {
            const char *word = c->arguments->item[i];
            const size_t n = strlen(chosen[k]);
            if (!strncmp(word, chosen[k], n) && (!word[n] || word[n] == '=' || n == 2))
                return mw_fail(MW_EINVAL, "compare sets %s itself: use --devices, --variants and --rounds instead",
                               chosen[k]);
        }
    for (size_t i = 0; i < c->arguments->count; i++)
        for (size_t k = 0; k < MW_COUNT(others); k++)
            if (!strcmp(c->arguments->item[i], others[k]))
                return mw_fail(MW_EINVAL,
                               "'%s' does not go with compare, which repeats a task from the same start: leave it out",
                               others[k]);
    for (size_t i = 0; i < c->series_count; i++)
        if (strcmp(c->series[i].variants, "auto") != 0 && !task_has(c, "variant"))
            return mw_fail(MW_EINVAL, "--variants: `meshwork %s` has no variants", c->task->name);
    return check_pipes(c);
}

static int add_row(struct comparison *c, const struct series *of, const char *devices, const char *variant)
{
    struct row *row;
    TRY_RETURN(mw_grow(c->count, sizeof(*c->rows), &c->rows));
    row = &c->rows[c->count++];
    *row = (struct row){ .series = of };
    if (of->missing)
        TRY_RETURN(mw_strdup(of->missing, &row->reason));
    TRY_RETURN(mw_strdup(devices, &row->devices));
    return mw_strdup(variant, &row->variant);
}

static int add_series(struct comparison *c, const struct series *of)
{
    char **devices = NULL, **variants = NULL;
    size_t device_count = 0, variant_count = 0;
    int rc;
    TRY(list_variants(c, of->variants, &variants, &variant_count));
    if (of->missing)
        TRY(append_word(&devices, &device_count, strdup(of->devices)));
    else
        TRY(list_devices(of->devices, &devices, &device_count));
    for (size_t d = 0; d < device_count; d++)
        for (size_t v = 0; v < variant_count; v++)
            TRY(add_row(c, of, devices[d], variants[v]));
out:
    free_words(devices, device_count);
    free_words(variants, variant_count);
    return rc;
}

int comparison_plan(struct comparison *c)
{
    size_t named;
    TRY_RETURN(subcommand_find(c->arguments->item, c->arguments->count, &c->task, &named));
    for (size_t i = 0; i < c->arguments->count; i++)
        if (!strcmp(c->arguments->item[i], "--fast-math"))
            c->tolerance = c->set->agree;
    TRY_RETURN(check_task(c));
    for (size_t i = 0; i < c->series_count; i++)
        TRY_RETURN(add_series(c, &c->series[i]));
    return 0;
}

void comparison_free(struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct row *row = &c->rows[i];
        free(row->devices);
        free(row->variant);
        free(row->reason);
        answer_free(row->answer);
        mw_text_free(&row->differs);
    }
    free(c->rows);
}
/* SPDX-License-Identifier: MIT */
