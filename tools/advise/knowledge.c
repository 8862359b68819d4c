/* Measurements in the cache folder: tab-separated lines; a damaged line is skipped. */
#include "tools/advise/advise.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <meshwork/device.h>
#include <meshwork/file.h>

#include "tools/report/files.h"

#define NAME "advice.txt"
#define LIKE 4.0 /* sizes within this factor of a measured one are similar */
#define LINES_MOST 100000

static const char header[] = "# Measurements of `meshwork advise`. Safe to remove.\n# "
                             "version\tmachine\ttask\tdevice\tsize\tseconds without steps\tseconds per step\n";

struct knowledge {
    char machine[40];      /* version and devices */
    struct mw_owner owner; /* frees the texts of items */
    struct known *item;
    size_t count;
};

/* ---- identity of version and machine ---- */

/* Hashes this version, its devices, their drivers and the number of cores. */
static int name_machine(char *name, size_t size)
{
    struct mw_device_list *list = NULL;
    const struct mw_device_info *info;
    struct mw_hasher h;
    int rc;
    mw_hasher_start(&h, 0);
    TRY(mw_device_list_new(&list));
    for (size_t i = 0; (info = mw_device_list_info(list, i)) != NULL; i++) {
        const char *const texts[] = { info->id, info->name, info->driver };
        for (size_t t = 0; t < MW_COUNT(texts); t++)
            mw_hasher_add(&h, texts[t], strlen(texts[t]) + 1);
        mw_hasher_add_words(&h, &info->compute_units, 1, sizeof(info->compute_units));
    }
    snprintf(name, size, "%.15s\t%016llx", mw_version(), (unsigned long long)mw_hasher_end(&h));
out:
    mw_device_list_free(list);
    return rc;
}

static int path_of(char **path)
{
    struct mw_text text = { 0 };
    char *folder = NULL;
    int rc;
    TRY(mw_cache_folder_look("", &folder));
    mw_text_add(&text, "%s/%s", folder, NAME);
    rc = text_take(&text, path);
out:
    free(folder);
    return rc;
}

/* ---- lines ---- */

int knowledge_add(struct knowledge *k, const struct known *known)
{
    char *task, *device;
    TRY_RETURN(text_own(&k->owner, known->task, &task));
    TRY_RETURN(text_own(&k->owner, known->device, &device));
    TRY_RETURN(mw_grow(k->count, sizeof(*k->item), &k->item));
    k->item[k->count++] = (struct known){ task, device, known->size, known->whole_but_steps, known->step };
    return 0;
}

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = text ? strtod(text, &end) : -1;
    return text && end != text && isfinite(*value) && *value >= 0;
}

/* Reads a line; skips those of other machines. */
static int read_line(struct knowledge *k, char *line)
{
    struct known known;
    char *at = line;
    if (strncmp(line, k->machine, strlen(k->machine)) != 0 || line[strlen(k->machine)] != '\t')
        return 0;
    at += strlen(k->machine) + 1;
    known.task = strsep(&at, "\t");
    known.device = strsep(&at, "\t");
    if (!known.device || !*known.device || !*known.task || !read_number(strsep(&at, "\t"), &known.size) ||
        !read_number(strsep(&at, "\t"), &known.whole_but_steps) || !read_number(strsep(&at, "\t\n"), &known.step) ||
        !(known.size >= 1))
        return 0;
    return knowledge_add(k, &known);
}

static int read_lines(struct knowledge *k, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    int rc = 0;
    for (size_t n = 0; rc == 0 && n < LINES_MOST && getline(&line, &capacity, file) > 0; n++)
        rc = *line != '#' ? read_line(k, line) : 0;
    free(line);
    return rc;
}

int knowledge_open(struct knowledge **knowledge)
{
    struct knowledge *k = NULL;
    char *path = NULL;
    FILE *file = NULL;
    int rc;
    TRY(mw_new(1, sizeof(*k), &k));
    if (path_of(&path) == 0 && (file = fopen(path, "re")) != NULL) {
        TRY(name_machine(k->machine, sizeof(k->machine)));
        TRY(read_lines(k, file));
    }
    *knowledge = k;
    k = NULL;
out:
    if (file)
        fclose(file);
    free(path);
    knowledge_free(k);
    return rc;
}

void knowledge_free(struct knowledge *k)
{
    if (!k)
        return;
    mw_owner_drop(&k->owner);
    free(k->item);
    free(k);
}

const struct known *knowledge_at(const struct knowledge *k, size_t i) { return i < k->count ? &k->item[i] : NULL; }

int knowledge_forget(struct knowledge *k, const char *task)
{
    size_t kept = 0;
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->item[i].task, task) != 0)
            k->item[kept++] = k->item[i];
    k->count = kept;
    return *k->machine ? 0 : name_machine(k->machine, sizeof(k->machine));
}

int knowledge_save(const struct knowledge *k)
{
    struct mw_text text = { 0 };
    char *path = NULL, *folder = NULL;
    int rc;
    TRY(mw_cache_folder("", &folder));
    TRY(path_of(&path));
    mw_text_add(&text, "%s", header);
    for (size_t i = 0; i < k->count; i++)
        mw_text_add(&text, "%s\t%s\t%s\t%.9g\t%.9g\t%.9g\n", k->machine, k->item[i].task, k->item[i].device,
                    k->item[i].size, k->item[i].whole_but_steps, k->item[i].step);
    TRY(mw_text_ok(&text));
    rc = file_write(path, false, text.data, text.length);
out:
    mw_text_free(&text);
    free(path);
    free(folder);
    return rc;
}

int knowledge_clear(void)
{
    char *path = NULL;
    int rc;
    TRY(path_of(&path));
    if (unlink(path) != 0 && errno != ENOENT)
        rc = mw_fail(MW_EIO, "cannot remove %s: %s", path, strerror(errno));
out:
    free(path);
    return rc;
}

/* ---- the fastest ---- */

static double seconds_of(const struct known *known, double steps)
{
    return fmax(known->whole_but_steps + steps * known->step, 1e-9);
}

/* Finds the nearest measured sizes below and above; either may be missing. */
struct between {
    const struct known *below, *above;
};

static struct between find_between(const struct knowledge *k, const struct work *work, const char *device)
{
    struct between b = { NULL, NULL };
    for (size_t i = 0; i < k->count; i++) {
        const struct known *known = &k->item[i];
        if (strcmp(known->task, work->key.data) != 0 || strcmp(known->device, device) != 0)
            continue;
        if (known->size <= work->size && (!b.below || known->size > b.below->size))
            b.below = known;
        if (known->size >= work->size && (!b.above || known->size < b.above->size))
            b.above = known;
    }
    return b;
}

/* Returns infinity if unknown. */
static double expect(const struct knowledge *k, const struct work *work, const char *device)
{
    const struct between b = find_between(k, work, device);
    if (b.below && b.above && b.above->size > b.below->size) {
        const double low = seconds_of(b.below, work->steps), high = seconds_of(b.above, work->steps);
        return low * pow(high / low, log(work->size / b.below->size) / log(b.above->size / b.below->size));
    }
    if (b.above && work->size * LIKE >= b.above->size)
        return seconds_of(b.above, work->steps);
    if (b.below && work->size <= LIKE * b.below->size)
        return seconds_of(b.below, work->steps) * work->size / b.below->size;
    return INFINITY;
}

const char *knowledge_fastest(const struct knowledge *k, const struct work *work)
{
    const char *fastest = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < k->count; i++) {
        const double seconds = expect(k, work, k->item[i].device);
        if (seconds < least) {
            least = seconds;
            fastest = k->item[i].device;
        }
    }
    return fastest;
}
/* SPDX-License-Identifier: MIT */
