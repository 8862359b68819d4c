/* Results as JSON: the machine, and the cases of each figure. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <jansson.h>
#include <math.h>
#include <sys/utsname.h>
#include <time.h>

#include <meshwork/device.h>
#include <meshwork/file.h>

#include "tools/bench/bench.h"
#include "tools/report/files.h"
#include "tools/result/envelope.h"

#ifndef MW_BUILD_FLAGS
#define MW_BUILD_FLAGS " unknown"
#endif
#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#define BUILT_BY "compiled by " COMPILER ", flags" MW_BUILD_FLAGS

#define FORMAT 3
#define ASK_LIMIT 120.0 /* maximum seconds per device */

struct document {
    json_t *root; /* owned */
};

static int lost(void) { return mw_fail(MW_ENOMEM, "out of memory for the results"); }

const char *text_at(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "";
}

/* ---- the machine ---- */

/* Returns the JSON output of the command with these arguments. */
static int ask(struct workers *workers, const char *name, const char *const *arguments, json_t **answer)
{
    struct outcome outcome = { 0 };
    int rc;
    *answer = NULL;
    TRY(workers_run(workers, name, arguments, ASK_LIMIT, &outcome));
    if (outcome.code == 0)
        *answer = json_loads(outcome.out ? outcome.out : "", 0, NULL);
out:
    outcome_free(&outcome);
    return rc;
}

static int add_speed(struct workers *workers, json_t *device)
{
    const char *const id = text_at(device, "id");
    const char *const words[] = { "speed", "--json", "--quiet", "-d", id, NULL };
    json_t *speed;
    TRY_RETURN(ask(workers, id, words, &speed));
    if (speed)
        json_object_set_new(device, "speed", speed);
    return 0;
}

static int add_machine(struct workers *workers, uint64_t rounds, json_t *root)
{
    static const char *const words[] = { "devices", "--json", "--quiet", NULL };
    const time_t now = time(NULL);
    struct utsname system;
    json_t *devices;
    double load = -1;
    char date[40] = "";
    strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", gmtime(&now));
    if (getloadavg(&load, 1) != 1)
        load = -1;
    if (uname(&system) == 0)
        json_object_set_new(root, "machine",
                            json_pack("{s:s, s:s, s:s, s:s, s:f, s:s}", "system", system.sysname, "release",
                                      system.release, "processor", system.machine, "date", date, "load", load, "build",
                                      BUILT_BY));
    TRY_RETURN(ask(workers, "devices", words, &devices));
    if (!devices)
        return mw_fail(MW_EDEVICE, "cannot list the devices of this machine: see `meshwork doctor`");
    json_object_set_new(root, "devices", devices);
    json_object_set_new(root, "rounds", json_integer((json_int_t)rounds));
    return 0;
}

/* ---- the file ---- */

static int bench_document_check(const json_t *root, const char *path)
{
    const json_t *figure;
    size_t i;
    if (!json_is_number(json_object_get(root, "format")) || !json_is_array(json_object_get(root, "figures")) ||
        !json_is_array(json_object_get(root, "devices")))
        return mw_fail(MW_EDATA, "%s holds no results of `meshwork bench -o FILE.json`", path);
    json_array_foreach(json_object_get(root, "figures"), i, figure) if (
        !json_is_array(json_object_get(figure, "cases"))) return mw_fail(MW_EDATA, "%s: figure %zu has no cases", path,
                                                                         i + 1);
    return 0;
}

int document_read(const char *path, json_t **root)
{
    const json_t *format;
    TRY_RETURN(result_read(path, "results of `meshwork bench -o FILE.json`", root));
    format = json_object_get(*root, "format");
    if (json_is_number(format) && json_number_value(format) != FORMAT) {
        json_decref(*root);
        *root = NULL;
        return mw_fail(MW_EDATA, "%s has results in another format than %d: measure again with this `meshwork bench`",
                       path, FORMAT);
    }
    return 0;
}

static int document_load(const char *path, json_t **root)
{
    int rc;
    TRY_RETURN(document_read(path, root));
    rc = bench_document_check(*root, path);
    if (rc) {
        json_decref(*root);
        *root = NULL;
    }
    return rc;
}

int document_check(const char *path)
{
    json_t *root = NULL;
    const int rc = document_load(path, &root);
    json_decref(root);
    return rc;
}

static bool is_there(const char *path)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    if (file)
        fclose(file);
    return file != NULL;
}

/* Checks that the file's devices are this machine's. */
static int check_devices(const json_t *root, const char *path)
{
    struct mw_device_list *list = NULL;
    const json_t *device;
    size_t i, count;
    int rc;
    TRY(mw_device_list_new(&list));
    count = mw_device_list_count(list);
    json_array_foreach(json_object_get(root, "devices"), i,
                       device) if (i >= count || strcmp(mw_device_list_info(list, i)->id, text_at(device, "id")) != 0 ||
                                   strcmp(mw_device_list_info(list, i)->name, text_at(device, "name")) != 0)
        TRY(mw_fail(MW_EINVAL, "%s has results of other devices than those of this machine: give another file", path));
out:
    mw_device_list_free(list);
    return rc;
}

static int go_on_with(const char *path, const char *devices, json_t **root)
{
    TRY_RETURN(document_load(path, root));
    if (strcmp(text_at(*root, "version"), mw_version()) != 0 || strcmp(text_at(*root, "asked"), devices) != 0)
        return mw_fail(MW_EINVAL, "%s has results of meshwork %s on the devices %s: give another file, or none", path,
                       text_at(*root, "version"), text_at(*root, "asked"));
    return check_devices(*root, path);
}

int document_open(const char *path, const char *devices, uint64_t rounds, struct workers *workers,
                  struct document **document)
{
    struct document *d = NULL;
    int rc;
    TRY(mw_new(1, sizeof(*d), &d));
    if (is_there(path)) {
        TRY(go_on_with(path, devices, &d->root));
    } else {
        d->root =
            json_pack("{s:i, s:s, s:s, s:[]}", "format", FORMAT, "version", mw_version(), "asked", devices, "figures");
        TRY(d->root ? 0 : lost());
        TRY(add_machine(workers, rounds, d->root));
    }
    *document = d;
    d = NULL;
out:
    document_free(d);
    return rc;
}

void document_free(struct document *document)
{
    if (document)
        json_decref(document->root);
    free(document);
}

static int save(const struct document *document, const char *path)
{
    char *json = json_dumps(document->root, JSON_INDENT(1));
    struct mw_text text = { 0 };
    int rc;
    mw_text_add(&text, "%s\n", json ? json : "");
    rc = json && !text.failed ? file_write(path, true, text.data, text.length) : lost();
    mw_text_free(&text);
    free(json);
    return rc;
}

/* ---- printing ---- */

static double number_at(const json_t *root, const char *key)
{
    const double value = json_number_value(json_object_get(root, key));
    return value > 0 ? value : NAN;
}

static void put_speed(struct node *to, const json_t *speed, const char *key, double unit)
{
    const double value = number_at(speed, key);
    if (value > 0)
        show_cell(put_real(to, key, value), PLAIN, "%.3g", value / unit);
    else
        CELL(to, "%s", "");
}

static int report_speeds(const struct document *document)
{
    struct node *table = report_table("device|>copy, GB/s|>triad, GB/s|>single, G/s|>double, G/s|>atomics to one, "
                                      "G/s|>to many, G/s|>a launch, us");
    const json_t *device;
    size_t i;
    json_array_foreach(json_object_get(document->root, "devices"), i, device)
    {
        static const char *const rates[] = { "copy", "triad", "single", "double", "atomics_one", "atomics_many" };
        const json_t *speed = json_object_get(device, "speed");
        struct node *row = speed ? put_object(table, NULL) : NULL;
        if (!row)
            continue;
        show_value_cell(put_text(row, "device", text_at(device, "id")), PLAIN);
        for (size_t r = 0; r < MW_COUNT(rates); r++)
            put_speed(row, speed, rates[r], 1e9);
        put_speed(row, speed, "launch", 1e-6);
    }
    return report_print(table);
}

int document_speeds(const struct document *document, const char *path, struct workers *workers)
{
    json_t *device;
    size_t i;
    json_array_foreach(json_object_get(document->root, "devices"), i, device) if (!json_object_get(device, "speed"))
        TRY_RETURN(add_speed(workers, device));
    if (!report_is_json())
        TRY_RETURN(report_speeds(document));
    return path ? save(document, path) : 0;
}

/* ---- cases ---- */

static json_t *find_figure(const json_t *root, const char *suite, const char *name)
{
    json_t *figure;
    size_t i;
    json_array_foreach(json_object_get(root, "figures"), i,
                       figure) if (!strcmp(text_at(figure, "suite"), suite) &&
                                   !strcmp(text_at(figure, "name"), name)) return figure;
    return NULL;
}

static json_t *find_case(const json_t *figure, double x)
{
    json_t *of;
    size_t i;
    json_array_foreach(json_object_get(figure, "cases"), i,
                       of) if (json_number_value(json_object_get(of, "x")) == x) return of;
    return NULL;
}

int document_mark(struct document *document, const struct pair *pair)
{
    json_t *of = find_case(find_figure(document->root, pair->suite, pair->figure), pair->x);
    return json_object_set_new(of, "marked", json_true()) == 0 ? 0 : lost();
}

bool document_is_marked(const struct document *document, const struct figure *figure, double x)
{
    return json_object_get(find_case(find_figure(document->root, figure->suite, figure->name), x), "marked") != NULL;
}

double document_took(const struct document *document, const struct figure *figure, double x)
{
    const json_t *of = find_case(find_figure(document->root, figure->suite, figure->name), x);
    return of ? json_number_value(json_object_get(of, "took")) : NAN;
}

/* Finds the results of a figure, or adds an empty object. */
static int make_figure(struct document *document, const struct figure *figure, json_t **made)
{
    *made = find_figure(document->root, figure->suite, figure->name);
    if (*made)
        return 0;
    *made = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:[], s:[]}", "suite", figure->suite, "name", figure->name,
                      "title", figure->title, "paper", figure->paper->title, "grows", figure->x, "shows",
                      figure->value ? figure->shows : "seconds", "cases", "left_out");
    return json_array_append_new(json_object_get(document->root, "figures"), *made) == 0 ? 0 : lost();
}

bool document_has_picture(const struct document *document, const struct figure *figure)
{
    return !figure->picture || json_object_get(find_figure(document->root, figure->suite, figure->name), "picture");
}

static int kept(int failed, const struct document *document, const char *path)
{
    return failed ? lost() : path ? save(document, path) : 0;
}

int document_add_picture(struct document *document, const char *path, const struct figure *figure, const char *task,
                         const char *png)
{
    json_t *whole;
    TRY_RETURN(make_figure(document, figure, &whole));
    return kept(json_object_set_new(whole, "picture", json_pack("{s:s, s:s}", "task", task, "png", png)), document,
                path);
}

static json_t *find_row(const json_t *of, const char *series, const char *device)
{
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(of, "rows"), i, row) if (!strcmp(text_at(row, "series"), series) &&
                                                                !strcmp(text_at(row, "device"), device)) return row;
    return NULL;
}

/* Adds the times of a case's rows that were measured again. */
static int add_times(json_t *of, json_t *again)
{
    json_t *row;
    size_t i;
    int failed = !again;
    json_array_foreach(json_object_get(again, "rows"), i, row)
    {
        json_t *before = find_row(of, text_at(row, "series"), text_at(row, "device"));
        json_t *times = json_object_get(row, "seconds_each");
        if (before && times)
            failed |= json_object_set(before, "seconds_again", times);
    }
    json_object_del(of, "marked");
    json_decref(again);
    return failed;
}

int document_add(struct document *document, const char *path, const struct figure *figure, const struct node *results)
{
    json_t *whole, *of, *before;
    TRY_RETURN(make_figure(document, figure, &whole));
    of = report_to_json(results);
    before = find_case(whole, number_at(of, "x"));
    if (before)
        return kept(add_times(before, of), document, path);
    return kept(!of || json_array_append_new(json_object_get(whole, "cases"), of) != 0, document, path);
}

int document_leave_out(struct document *document, const char *path, const struct figure *figure, const double *x,
                       size_t count)
{
    json_t *whole, *list = json_array();
    TRY_RETURN(make_figure(document, figure, &whole));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_real(x[i]));
    return kept(json_object_set_new(whole, "left_out", list), document, path);
}

int document_print(const struct document *document) { return envelope_hold(json_incref(document->root)); }

/* ---- comparison with other results ---- */

static size_t samples_of(const json_t *row, double *to)
{
    static const char *const keys[] = { "seconds_each", "seconds_again" };
    const json_t *time;
    size_t n = 0, i;
    for (size_t k = 0; k < MW_COUNT(keys); k++)
        json_array_foreach(json_object_get(row, keys[k]), i, time) if (n < ROUNDS_MAX) to[n++] =
            json_number_value(time);
    return n;
}

/* Visits the rows of a case that also occur in the same case of the other document. */
static int visit_case(const json_t *figure, const json_t *of, const json_t *others, document_pair *visit, void *context)
{
    struct pair pair = { .suite = text_at(figure, "suite"),
                         .figure = text_at(figure, "name"),
                         .x = json_number_value(json_object_get(of, "x")) };
    const json_t *before = find_case(find_figure(others, pair.suite, pair.figure), pair.x), *row;
    size_t i;
    json_array_foreach(json_object_get(of, "rows"), i, row)
    {
        pair.series = text_at(row, "series");
        pair.device = text_at(row, "device");
        pair.now_count = samples_of(row, pair.now);
        pair.before_count = samples_of(find_row(before, pair.series, pair.device), pair.before);
        if (pair.now_count && pair.before_count)
            TRY_RETURN(visit(&pair, context));
    }
    return 0;
}

int document_each_pair(const struct document *document, const char *path, document_pair *visit, void *context)
{
    json_t *others = NULL, *figure, *of;
    size_t f, c;
    int rc;
    TRY(document_load(path, &others));
    json_array_foreach(json_object_get(document->root, "figures"), f, figure)
        json_array_foreach(json_object_get(figure, "cases"), c, of) TRY(visit_case(figure, of, others, visit, context));
out:
    json_decref(others);
    return rc;
}
/* SPDX-License-Identifier: MIT */
