/* meshwork doctor: checks the installation and gives remedies. */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <meshwork/field.h>
#include <meshwork/io.h>

#include "tools/cli/subcommands.h"
#include "tools/machine/doctor.h"

static const struct option options[] = {
    { .name = "answer", .type = OPTION_TEXT, .target = offsetof(struct doctor_settings, answer), .value = "DEVICE" },
    { 0 }
};

extern char **environ;

#define ANSWER "answer "
#define ERROR "meshwork: "

/* The function by which the OpenCL loader finds the functions of a driver. */
static int print_driver(const char *library)
{
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!loaded)
        return mw_fail(MW_EDEVICE, "the driver library cannot be loaded: %s", dlerror());
    if (!dlsym(loaded, "clGetExtensionFunctionAddress"))
        return mw_fail(MW_EDEVICE, "%s is not an OpenCL driver", library);
    printf(ANSWER "driver\n");
    return 0;
}

/* Prints the answer that doctor_ask reads from this process: the checksum of a small simulation, whose result is known.
 * For "driver:LIBRARY" it is whether the library is an OpenCL driver.  A process of its own, since a broken driver can
 * end it. */
static int doctor_print_answer(const struct doctor_settings *set)
{
    const struct mw_field_options options = { .size = sizeof options,
                                              .dims = 2,
                                              .length = { 32, 32 },
                                              .integrator = MW_INTEGRATOR_RK2,
                                              .seed = 1,
                                              .no_tune = true };
    struct device_settings chosen = set->device;
    struct mw_device *device = NULL;
    struct mw_model *model = NULL;
    struct mw_field *field = NULL;
    struct mw_array state = { 0 };
    int rc;
    if (!strncmp(set->answer, DOCTOR_DRIVER, strlen(DOCTOR_DRIVER)))
        return print_driver(set->answer + strlen(DOCTOR_DRIVER));
    chosen.selector = set->answer;
    TRY(device_find(&chosen, &device));
    TRY(mw_model_load("cahn-hilliard", set->device.kernel_path, &model));
    TRY(mw_field_new(&device, 1, model, &options, &field));
    TRY(mw_field_advance(field, 10));
    TRY(mw_field_get(field, &state));
    printf(ANSWER "%016llx\n", (unsigned long long)mw_array_checksum(&state));
out:
    mw_array_free(&state);
    mw_field_free(field);
    mw_model_free(model);
    device_give_back(device);
    return rc;
}

/* Reads the worker's output until it ends or `seconds` are over; returns false in the second case. */
static bool doctor_answer_collect(int from, double seconds, char *text, size_t size)
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

/* Returns the rest of the first line that starts with a word; NULL: none. */
static const char *find_line(const char *text, const char *start)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (!strncmp(text, start, strlen(start)))
            return text + strlen(start);
    return NULL;
}

/* Starts the worker and waits for it.  0: `text` has the answer. */
int doctor_ask(const struct doctor_settings *set, const char *id, int patience, char *text, size_t size)
{
    char threads[24], self[] = "/proc/self/exe";
    const char *arguments[] = { "meshwork", "doctor", "--quiet", "--answer", id, NULL, NULL, NULL, NULL, NULL };
    posix_spawn_file_actions_t actions;
    int ends[2], error, status = 0, n = 5;
    pid_t worker;
    snprintf(threads, sizeof(threads), "%llu", (unsigned long long)set->device.threads);
    if (set->device.threads) {
        arguments[n++] = "--threads";
        arguments[n++] = threads;
    }
    if (set->device.kernel_path) {
        arguments[n++] = "--kernel-path";
        arguments[n] = set->device.kernel_path;
    }
    if (pipe(ends))
        return mw_fail(MW_EIO, "cannot make a pipe: %s", strerror(errno));
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        if ((error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)) == 0 &&
            (error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)) == 0 &&
            (error = posix_spawn_file_actions_addclose(&actions, ends[0])) == 0 &&
            (error = posix_spawn_file_actions_addclose(&actions, ends[1])) == 0)
            error = posix_spawn(&worker, self, &actions, NULL, (char **)arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    bool ended = !error && doctor_answer_collect(ends[0], patience, text, size);
    close(ends[0]);
    if (error)
        return mw_fail(error == ENOMEM ? MW_ENOMEM : MW_EIO, "cannot start the test of a device: %s", strerror(error));
    if (!ended)
        kill(worker, SIGKILL);
    while (waitpid(worker, &status, 0) < 0 && errno == EINTR)
        continue;
    /* Compilers inside drivers may print as well: only our own lines count. */
    const char *answer = find_line(text, ANSWER), *reason = find_line(text, ERROR);
    if (!ended)
        return mw_fail(MW_EDEVICE, "the device did not answer within %d s", patience);
    if (WIFSIGNALED(status))
        return mw_fail(MW_EDEVICE, "the device's driver crashed (%s)", strsignal(WTERMSIG(status)));
    if (status || !answer)
        return mw_fail(MW_EDEVICE, "%.*s", (int)(reason ? strcspn(reason, "\n") : 9), reason ? reason : "no answer");
    memmove(text, answer, strlen(answer) + 1);
    text[strcspn(text, "\n")] = 0;
    return 0;
}

static void check_devices(struct doctor *d)
{
    static const char broken[] = "run `meshwork cache clear`, as the driver's cached files may be damaged; otherwise "
                                 "update the driver, or choose another device with -d";
    enum { DEVICES_MAX = 64, PATIENCE = 120 };
    char expected[2048], answer[2048];
    size_t chosen[DEVICES_MAX], count = mw_device_list_count(d->list);
    int rc;

    if (!d->kernels)
        return;
    if ((rc = doctor_ask(d->set, "native:serial", PATIENCE, expected, sizeof(expected))) != 0) {
        doctor_report(d, FAIL, "known answer", "install meshwork again", "native:serial: %s", doctor_reason(d, rc));
        return;
    }
    for (size_t i = 0; i < DEVICES_MAX; i++)
        chosen[i] = i;
    if (d->set->device.selector &&
        (rc = mw_device_select(d->list, d->set->device.selector, DEVICES_MAX, chosen, &count)) != 0) {
        doctor_report(d, FAIL, "known answer", "`meshwork devices` lists them", "%s", doctor_reason(d, rc));
        return;
    }
    for (size_t i = 0; i < count && i < DEVICES_MAX; i++) {
        const struct mw_device_info *info = mw_device_list_info(d->list, chosen[i]);
        double start = mw_now();
        if (info->calls && !d->linker)
            doctor_report(d, FAIL, "known answer", "install binutils", "%s  %s: not tried without ld", info->id,
                          info->name);
        else if ((rc = doctor_ask(d->set, info->id, PATIENCE, answer, sizeof(answer))) != 0)
            doctor_report(d, FAIL, "known answer", broken, "%s  %s: %s", info->id, info->name, doctor_reason(d, rc));
        else if (strcmp(answer, expected) != 0)
            doctor_report(d, FAIL, "known answer", broken, "%s  %s: computes %s instead of %s", info->id, info->name,
                          answer, expected);
        else
            doctor_report(d, FINE, "known answer", "", "%s  %s: same bits, in %s", info->id, info->name,
                          seconds_text(mw_now() - start).text);
    }
}

static int doctor_run(struct command *command)
{
    struct doctor d = { .set = command->settings };
    struct node *o = NULL;
    int rc;
    if (d.set->answer)
        return doctor_print_answer(d.set);
    TRY(mw_device_list_new(&d.list));
    o = report_object();
    d.checks = put_list(o, "checks");
    for (doctor_check *const *check = doctor_checks; *check; check++)
        (*check)(&d);
    check_devices(&d);
    TRY(report_print(o));
    if (d.memory_lost)
        rc = mw_fail(MW_ENOMEM, "out of memory: some checks could not be made");
    else if (d.count[FAIL])
        rc = mw_fail(MW_EDEVICE, "%zu of %zu checks failed: lines that begin with fail give a remedy", d.count[FAIL],
                     d.count[FINE] + d.count[NONE] + d.count[WARN] + d.count[FAIL]);
out:
    mw_device_list_free(d.list);
    return rc;
}

static const struct option_group groups[] = { { "Device", options, 0 },
                                              DEVICE_GROUPS(struct doctor_settings, device),
                                              { 0 } };

const struct subcommand doctor_subcommand = {
    .name = "doctor",
    .summary = "check the installation, with remedies",
    .description =
        "Checks drivers, kernels, caches and limits, and that every device (or the one of -d) computes a small "
        "simulation to the same bits. A line with a warning or failure ends with a remedy. The exit code is 1 if a "
        "check failed.",
    .groups = groups,
    .settings_bytes = sizeof(struct doctor_settings),
    .run = doctor_run,
};

/* ---- reports ---- */

const char *doctor_reason(struct doctor *d, int status)
{
    d->memory_lost |= status == MW_ENOMEM;
    return mw_errmsg();
}

void doctor_report(struct doctor *d, enum verdict verdict, const char *name, const char *remedy, const char *format,
                   ...)
{
    static const struct {
        const char *name;
        enum colour colour;
    } words[] = { { "ok", GREEN }, { "none", DIM }, { "warn", YELLOW }, { "fail", RED } };
    FILE *out = results();
    char detail[700];
    struct node *row;
    va_list ap;

    va_start(ap, format);
    vsnprintf(detail, sizeof(detail), format, ap);
    va_end(ap);
    for (char *c = detail; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    d->count[verdict]++;
    row = put_object(d->checks, NULL);
    put_text(row, "name", name);
    put_text(row, "status", words[verdict].name);
    put_text(row, "detail", detail);
    put_text(row, "remedy", remedy);
    if (report_is_json())
        return;
    fprintf(out, "%s%-4s%s  %-16s  ", colour_on(out, words[verdict].colour), words[verdict].name,
            colour_off(out, words[verdict].colour), name);
    put_printable(detail, out);
    fprintf(out, *remedy ? "; %s" : "", colour_on(out, BOLD));
    put_printable(remedy, out);
    fprintf(out, "%s\n", *remedy ? colour_off(out, BOLD) : "");
    fflush(out);
}
/* SPDX-License-Identifier: MIT */
