/* meshwork doctor: a small simulation with a known result on each device. */
#include <meshwork/field.h>
#include <meshwork/io.h>

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/machine/doctor.h"

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

/* Prints the checksum of one device.  Runs in a process of its own, since a broken driver can end it. */
int doctor_print_answer(const struct doctor_settings *set)
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
/* SPDX-License-Identifier: MIT */
