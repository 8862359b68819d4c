/* meshwork doctor: does everything work here, and if not, what to do. */
#include "command.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dev/native/jit.h"

extern char **environ;

#define AT(member) offsetof(struct settings, member)

const struct option doctor_options[] = {
    { .name = "answer", .type = OPTION_TEXT, .target = AT(answer), .value = "DEVICE" },
    { 0 }
};

enum verdict { FINE, WARN, FAIL };

struct doctor {
    const struct settings *set;
    struct mw_device_list *list;
    struct json *json;           /* NULL: lines for people */
    bool linker, kernels;
    size_t count[3];             /* of each verdict */
};

/* ---- the report ---- */

static void report(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format,
                   ...) MW_PRINTF(5, 6);

static void report(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format,
                   ...)
{
    static const struct { const char *name; enum colour colour; } words[] = {
        { "ok", GREEN }, { "warn", YELLOW }, { "fail", RED } };
    FILE *out = results();
    char detail[700];
    va_list ap;

    va_start(ap, format);
    vsnprintf(detail, sizeof(detail), format, ap);
    va_end(ap);
    for (char *c = detail; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    d->count[verdict]++;
    if (d->json) {
        struct json *o = js_object();
        js_text(o, "name", name);
        js_text(o, "status", words[verdict].name);
        js_text(o, "detail", detail);
        js_text(o, "remedy", remedy);
        js_put(d->json, NULL, o);
        return;
    }
    fprintf(out, "%s%-4s%s  %-16s  %s", colour_on(out, words[verdict].colour), words[verdict].name,
            colour_off(out, words[verdict].colour), name, detail);
    fprintf(out, *remedy ? "; %s%s%s\n" : "\n", colour_on(out, BOLD), remedy, colour_off(out, BOLD));
    fflush(out);
}

/* ---- files and limits ---- */

static void check_build(struct doctor *d)
{
#ifdef HAVE_OPENCL
    report(d, FINE, "build", "", "meshwork %s with OpenCL", mw_version());
#else
    report(d, WARN, "build", "install ocl-icd-opencl-dev and build it again for other devices",
           "meshwork %s without OpenCL: native devices only", mw_version());
#endif
#ifndef HAVE_LIBPNG
    report(d, WARN, "build", "install libpng-dev and build it again", "no pictures");
#endif
#ifndef HAVE_JANSSON
    report(d, WARN, "build", "install libjansson-dev and build it again", "no --json");
#endif
}

/* An .icd file holds the name of a library, absolute or for the loader to find. */
static bool check_icd(struct doctor *d, const char *folder, const char *name)
{
    char *path = NULL, *text = NULL;
    size_t n;
    bool good = false;

    if (mw_path_join(folder, name, &path) == 0 && mw_file_read(path, 4096, &text, &n) == 0) {
        text[strcspn(text, "\r\n")] = 0;
        good = *text && (text[0] != '/' || access(text, R_OK) == 0);
        if (!good)
            report(d, WARN, "driver file", "install its package again, or remove the file",
                   *text ? "%s names %s, which is not there" : "%s is empty%s", path, text);
    } else {
        report(d, WARN, "driver file", "make it readable, or remove it", "%s", mw_errmsg());
    }
    free(path);
    free(text);
    return good;
}

static void check_drivers(struct doctor *d)
{
    static const char install[] = "install a driver: pocl-opencl-icd (CPU), mesa-opencl-icd, intel-opencl-icd or "
                                  "nvidia-opencl-icd (GPU)";
    const char *folder = getenv("OCL_ICD_VENDORS");
    struct mw_text names = { 0 };
    struct dirent *entry;
    size_t good = 0;
    DIR *files;

    if (!folder || !*folder)
        folder = "/etc/OpenCL/vendors";
    if (!(files = opendir(folder))) {
        if (access(folder, R_OK) == 0)
            report(d, FINE, "driver files", "", "%s (OCL_ICD_VENDORS)", folder);
        else
            report(d, WARN, "driver files", install, "%s: %s", folder, strerror(errno));
        return;
    }
    while ((entry = readdir(files))) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && !strcmp(entry->d_name + length - 4, ".icd") && check_icd(d, folder, entry->d_name)) {
            mw_text_add(&names, " %s", entry->d_name);
            good++;
        }
    }
    closedir(files);
    report(d, good ? FINE : WARN, "driver files", good ? "" : install, "%s:%s", folder,
           names.data ? names.data : " no OpenCL driver");
    mw_text_free(&names);
}

static void check_platforms(struct doctor *d)
{
    static const char *const normal[] = { "has no devices", "not listed twice" };
    const char *last = "", *notes = mw_device_list_notes(d->list);
    size_t count = mw_device_list_count(d->list);

    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, i);
        size_t devices = 0;
        if (!strcmp(info->backend, "native") || !strcmp(info->platform, last))
            continue;
        last = info->platform;
        for (size_t j = i; j < count; j++)
            devices += !strcmp(mw_device_list_info(d->list, j)->platform, last);
        report(d, FINE, "platform", "", "%s: %zu device%s", last, devices, devices == 1 ? "" : "s");
    }
    while (*notes) {
        char line[512];
        bool fine = false;
        size_t n = strcspn(notes, "\n");
        mw_copy_string(line, n < sizeof(line) ? n + 1 : sizeof(line), notes);
        char *remedy = strstr(line, "; ");
        if (remedy)
            *remedy = '\0';
        for (size_t i = 0; i < MW_COUNT(normal); i++)
            fine |= strstr(line, normal[i]) != NULL;
        report(d, fine ? FINE : WARN, "platform", remedy ? remedy + 2 : "", "%s", line);
        notes += n + (notes[n] == '\n');
    }
}

static bool in_path(const char *program)
{
    const char *path = getenv("PATH");
    bool found = false;

    for (path = path ? path : "/usr/bin:/bin"; *path && !found; path += strspn(path, ":")) {
        struct mw_text file = { 0 };
        struct stat status;
        size_t n = strcspn(path, ":");
        mw_text_add(&file, "%.*s/%s", (int)n, path, program);
        found = mw_text_ok(&file) == 0 && access(file.data, X_OK) == 0 && stat(file.data, &status) == 0 &&
                S_ISREG(status.st_mode);
        mw_text_free(&file);
        path += n;
    }
    return found;
}

/* PoCL links each kernel with ld. */
static void check_linker(struct doctor *d)
{
    const char *platform = NULL;

    for (size_t i = 0; i < mw_device_list_count(d->list); i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, i);
        platform = info->traits.links_with_ld ? info->platform : platform;
    }
    d->linker = in_path("ld");
    if (d->linker)
        report(d, FINE, "linker", "", "ld is in PATH");
    else if (platform)
        report(d, FAIL, "linker", "install binutils, or add its folder to PATH",
               "ld is not in PATH, and %s cannot build kernels without it", platform);
    else
        report(d, FINE, "linker", "", "ld is not in PATH; only PoCL would need it");
}

/* For what native devices compile when it is used. */
static void check_compiler(struct doctor *d)
{
    char compiler[400];

    if (mw_native_check(compiler, sizeof(compiler)))
        report(d, WARN, "compiler", "until then native devices run only what is built in", "%s", mw_errmsg());
    else
        report(d, FINE, "compiler", "", "%s", compiler);
}

static void check_kernels(struct doctor *d)
{
    const char *remedy = "give their folder by --kernel-path or MESHWORK_KERNEL_PATH, or install meshwork again";
    char *folder = NULL, *file = NULL, **names = NULL;
    size_t count = 0;

    if (mw_kernel_folder(d->set->kernel_path, &folder) || mw_kernel_file(d->set->kernel_path, "prelude.clh", &file) ||
        mw_model_names(d->set->kernel_path, &names)) {
        report(d, FAIL, "kernels", remedy, "%s", mw_errmsg());
    } else {
        while (names[count])
            count++;
        d->kernels = count != 0;
        report(d, count ? FINE : FAIL, "kernels", count ? "" : remedy, "%s: %zu model%s", folder, count,
               count == 1 ? "" : "s");
    }
    mw_model_names_free(names);
    free(folder);
    free(file);
}

static void check_cache(struct doctor *d)
{
    struct statvfs disk;
    char *folder = NULL;

    if (mw_cache_folder("", &folder)) {
        report(d, WARN, "cache", "without a cache kernels are built at each start", "%s", mw_errmsg());
        return;
    }
    uint64_t room = statvfs(folder, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    if (room < (uint64_t)64 << 20)
        report(d, WARN, "cache", "make room there, or set MESHWORK_CACHE_DIR to another folder",
               "%s: only %s are left on that disk, and PoCL fails where it cannot write", folder,
               bytes_text(room).text);
    else
        report(d, FINE, "cache", "", "%s, %s free", folder, bytes_text(room).text);
    free(folder);
}

static void check_limits(struct doctor *d)
{
    static const struct { int what; uint64_t least; const char *name, *remedy; } limits[] = {
        { RLIMIT_AS, (uint64_t)4 << 30, "address space", "raise it by `ulimit -v unlimited`" },
        { RLIMIT_FSIZE, (uint64_t)1 << 30, "size of files", "raise it by `ulimit -f unlimited`" },
        { RLIMIT_NOFILE, 256, "open files", "raise it by `ulimit -n 1024`" },
        { RLIMIT_NPROC, 256, "processes and threads", "raise it by `ulimit -u 4096`" },
    };
    bool fine = true;

    for (size_t i = 0; i < MW_COUNT(limits); i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].what, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= limits[i].least)
            continue;
        report(d, WARN, "limits", limits[i].remedy, "%s: at most %llu", limits[i].name,
               (unsigned long long)limit.rlim_cur);
        fine = false;
    }
    if (fine)
        report(d, FINE, "limits", "", "none that is too low");
}

/* Cards that the system knows and that no driver lists: the usual reasons are a group and a package. */
static void check_cards(struct doctor *d)
{
    bool gpu = false;
    char path[40];

    for (size_t i = 0; i < mw_device_list_count(d->list); i++)
        gpu |= mw_device_list_info(d->list, i)->kind == MW_DEVICE_GPU;
    for (int i = 128; i < 144; i++) {
        snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
        if (access(path, F_OK) == 0 && access(path, R_OK | W_OK) != 0)
            report(d, WARN, "graphics card", "usermod -aG render $USER as root, then log in again", "%s: %s", path,
                   strerror(errno));
    }
    if (!gpu && access("/dev/nvidiactl", F_OK) == 0)
        report(d, WARN, "graphics card", "install nvidia-opencl-icd",
               "there is an NVIDIA card, and no OpenCL driver for it");
}

/* ---- the known answer ---- */

#define ANSWER "answer "
#define ERROR "meshwork: "

/* In a process of its own, since a broken driver ends the process that asks it: prints the checksum on one device. */
static int print_answer(const struct settings *set)
{
    const struct mw_field_options options = { .dims = 2, .length = { 32, 32 }, .integrator = MW_INTEGRATE_RK2,
                                              .seed = 1, .no_tune = true };
    struct settings chosen = *set;
    struct mw_device *device = NULL;
    struct mw_model *model = NULL;
    struct mw_field *field = NULL;
    struct mw_array state = { 0 };
    int rc;

    chosen.device = set->answer;
    TRY(device_find(&chosen, &device));
    TRY(mw_model_load("cahn-hilliard", set->kernel_path, &model));
    TRY(mw_field_new(device, model, &options, &field));
    TRY(mw_field_advance(field, 10));
    TRY(mw_field_get(field, &state));
    printf(ANSWER "%016llx\n", (unsigned long long)mw_array_checksum(&state));
out:
    mw_array_free(&state);
    mw_field_free(field);
    mw_model_free(model);
    mw_device_close(device);
    return rc;
}

/* Reads what the worker says until it ends or `seconds` are over; false when they are. */
static bool collect(int from, double seconds, char *text, size_t size)
{
    double end = mw_now() + seconds;
    size_t n = 0;

    for (;;) {
        struct pollfd poll_from = { .fd = from, .events = POLLIN };
        double left = end - mw_now();
        char chunk[512];
        int ready = left > 0 ? poll(&poll_from, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t got = ready > 0 ? read(from, chunk, sizeof(chunk)) : 0;
        if (got <= 0) {
            text[n] = 0;
            return ready > 0;
        }
        for (ssize_t i = 0; i < got && n + 1 < size; i++)
            text[n++] = chunk[i];
    }
}

/* What follows the word that a line starts with, NULL if none does. */
static const char *find_line(const char *text, const char *start)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (!strncmp(text, start, strlen(start)))
            return text + strlen(start);
    return NULL;
}

/* Starts the worker and waits for it.  0: its answer stands in `text`; else why there is none. */
static int ask(const struct settings *set, const char *id, char *text, size_t size)
{
    enum { PATIENCE = 120 };
    char threads[24], self[] = "/proc/self/exe";
    const char *arguments[] = { "meshwork", "doctor", "--quiet", "--answer", id, NULL, NULL, NULL, NULL, NULL };
    posix_spawn_file_actions_t actions;
    int ends[2], error, status = 0, n = 5;
    pid_t worker;

    snprintf(threads, sizeof(threads), "%llu", (unsigned long long)set->threads);
    if (set->threads) {
        arguments[n++] = "--threads";
        arguments[n++] = threads;
    }
    if (set->kernel_path) {
        arguments[n++] = "--kernel-path";
        arguments[n] = set->kernel_path;
    }
    if (pipe(ends))
        return mw_fail(MW_EIO, "no pipe: %s", strerror(errno));
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        posix_spawn_file_actions_addclose(&actions, ends[1]);
        error = posix_spawn(&worker, self, &actions, NULL, (char **)arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    bool ended = !error && collect(ends[0], PATIENCE, text, size);
    close(ends[0]);
    if (error)
        return mw_fail(MW_EIO, "cannot start the test of a device: %s", strerror(error));
    if (!ended)
        kill(worker, SIGKILL);
    while (waitpid(worker, &status, 0) < 0 && errno == EINTR)
        continue;
    /* Compilers inside drivers talk as well: only our own line counts. */
    const char *answer = find_line(text, ANSWER), *reason = find_line(text, ERROR);
    if (!ended)
        return mw_fail(MW_EDEVICE, "it did not answer within %d s", PATIENCE);
    if (WIFSIGNALED(status))
        return mw_fail(MW_EDEVICE, "its driver crashed (%s)", strsignal(WTERMSIG(status)));
    if (status || !answer)
        return mw_fail(MW_EDEVICE, "%.*s", (int)(reason ? strcspn(reason, "\n") : 9), reason ? reason : "no answer");
    memmove(text, answer, strlen(answer) + 1);
    text[strcspn(text, "\n")] = 0;
    return 0;
}

static void check_devices(struct doctor *d)
{
    static const char broken[] = "update its driver, or choose another device by -d";
    enum { DEVICES_MAX = 64 };
    char expected[2048], answer[2048];
    size_t chosen[DEVICES_MAX], count = mw_device_list_count(d->list);

    if (!d->kernels)
        return;
    if (ask(d->set, "native:serial", expected, sizeof(expected))) {
        report(d, FAIL, "known answer", "install meshwork again", "native:serial: %s", mw_errmsg());
        return;
    }
    for (size_t i = 0; i < DEVICES_MAX; i++)
        chosen[i] = i;
    if (d->set->device && mw_device_select(d->list, d->set->device, DEVICES_MAX, chosen, &count)) {
        report(d, FAIL, "known answer", "`meshwork devices` lists them", "%s", mw_errmsg());
        return;
    }
    for (size_t i = 0; i < count && i < DEVICES_MAX; i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, chosen[i]);
        double start = mw_now();
        if (info->traits.links_with_ld && !d->linker)
            report(d, FAIL, "known answer", "install binutils", "%s  %s: not tried without ld", info->id, info->name);
        else if (ask(d->set, info->id, answer, sizeof(answer)))
            report(d, FAIL, "known answer", broken, "%s  %s: %s", info->id, info->name, mw_errmsg());
        else if (strcmp(answer, expected) != 0)
            report(d, FAIL, "known answer", broken, "%s  %s: computes %s instead of %s", info->id, info->name, answer,
                   expected);
        else
            report(d, FINE, "known answer", "", "%s  %s: same bits, in %s", info->id, info->name,
                   seconds_text(mw_now() - start).text);
    }
}

int doctor_run(struct command *command)
{
    static void (*const checks[])(struct doctor *) = {
        check_build, check_drivers, check_platforms, check_linker, check_compiler, check_kernels, check_cache,
        check_limits, check_cards, check_devices };
    struct doctor d = { .set = &command->settings };
    int rc;

    if (d.set->answer)
        return print_answer(d.set);
    TRY(mw_device_list_new(&d.list));
    d.json = d.set->json ? js_array() : NULL;
    for (size_t i = 0; i < MW_COUNT(checks); i++)
        checks[i](&d);
    if (d.json) {
        struct json *o = js_object();
        js_put(o, "checks", d.json);
        d.json = NULL;
        TRY(js_print(o));
    }
    if (d.count[FAIL])
        rc = mw_fail(MW_EDEVICE, "%zu of %zu checks failed: the lines that begin with fail say what to do",
                     d.count[FAIL], d.count[FINE] + d.count[WARN] + d.count[FAIL]);
out:
    mw_device_list_free(d.list);
    return rc;
}
